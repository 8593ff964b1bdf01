"""Looking at a stack in secret, and sending a companion for an item: what omens let their holders do."""

from __future__ import annotations

import itertools
from collections import deque

from domain.audience import REFEREE, seat_bit
from domain.effects.machine import WAIT, Frame, Machine, procedure
from domain.events import Fizzled, PileChanged, SlotSeen, StackReordered, Used
from domain.house.paths import ways
from domain.state import State
from domain.turn.belongings import free_cards
from domain.turn.decks import face_at
from domain.turn.piles import pile_at


def look_next(m: Machine, f: Frame) -> bool | None:
    """Chance determines the next slot, and only the one who looks is told (and the referee)."""
    seat, name = f.vars["seat"], f.vars["deck"]
    at = f.vars.setdefault("at", 0)
    if at >= min(f.vars["count"], m.state.decks[name].size()):
        return None
    face = face_at(m, f, name, at, secret_to=seat)
    if face is None:
        return WAIT
    m.emit(SlotSeen(deck=name, index=at, face=face), seat_bit(seat) | REFEREE)
    f.vars["at"] = at + 1
    f.goto("look_next")
    return None


def put_back(m: Machine, f: Frame) -> bool | None:
    """Whoever may rearrange what was seen says in which order it lies on top now; nobody else learns it."""
    seat, name = f.vars["seat"], f.vars["deck"]
    deck = m.state.decks[name]
    faces = [slot.face for slot in deck.top[: f.vars["count"]]]
    if not f.vars.get("reorder") or len(faces) <= 1:
        return None
    orders = ["-".join(map(str, order)) for order in itertools.permutations(range(1, len(faces) + 1))]
    chosen = m.choose(f, seat, f"reorder:{name}", orders, secret=True)
    if chosen is None:
        return WAIT
    m.emit(StackReordered(deck=name, count=len(faces), rule=m.rules.cite.card_precedence))
    for index, place in enumerate(chosen.split("-")):
        m.emit(SlotSeen(deck=name, index=index, face=faces[int(place) - 1]), seat_bit(seat) | REFEREE)
    if name == "tiles":
        m.call("see-top")
    return None


LOOK = procedure("look", look_next, put_back)


# -- a companion fetches ------------------------------------------------------------------------------------------------------


def choose_errand(m: Machine, f: Frame) -> bool | None:
    """Pick up an item lying within reach, or carry an own item to a room within reach, if it can still be moved this turn."""
    seat = f.vars["seat"]
    rooms = _reach(m, seat, f.vars["spaces"], f.vars["barred"])
    here, part = m.state.place_of(seat)
    options = [
        f"bring:{card}"
        for pile in m.state.piles
        if pile.room in rooms and pile.part == (part if pile.room == here else 0)  # not behind the door of the Vault
        for card in pile.cards
        if f"card:{card}" not in m.state.used
    ]
    options += [f"carry:{card}" for card in free_cards(m.rules, m.state, seat, "drop")]
    if not options:
        m.emit(Fizzled(what="fetch"))
        f.finish()
        return None
    chosen = m.choose(f, seat, "fetch", options)
    if chosen is None:
        return WAIT
    f.vars["errand"], _, f.vars["card"] = chosen.partition(":")
    f.vars["rooms"] = rooms
    return None


def _reach(m: Machine, seat: int, spaces: int, barred: list[str]) -> list[str]:
    """Rooms to which a companion gets from an explorer and from which it comes back, the nearest first.

    Nobody slows it; ways that lead in one direction only and rooms that are barred to it it does not use.
    """
    state = m.state
    start, part = state.place_of(seat)
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if steps[here] == spaces or (f"tile:{here}", "left") in m.rules.pack.triggers:
            continue
        side = part if here == start else 0
        for there, _ in ways(state, state.rooms[here], side):
            if there in steps or there in barred or not _leads_back(state, here, there):
                continue
            steps[there] = steps[here] + 1
            queue.append(there)
    return list(steps)


def _leads_back(state: State, here: str, there: str) -> bool:
    """Whether two rooms are joined in both directions."""
    if there in state.rooms[here].near:
        return True
    return any(link.to == here and not link.monsters_only for link in state.links.get(there, ()))


def choose_goal(m: Machine, f: Frame) -> bool | None:
    """Where the own item is carried to; what lies there joins it."""
    if f.vars["errand"] != "carry":
        return None
    chosen = m.choose(f, f.vars["seat"], "fetch-to", f.vars["rooms"])
    if chosen is None:
        return WAIT
    f.vars["goal"] = chosen
    return None


def run_errand(m: Machine, f: Frame) -> None:
    """Bring it, or leave it there."""
    seat, card = f.vars["seat"], f.vars["card"]
    m.emit(Used(key=f"card:{card}", per="turn", seat=seat, rule=m.rules.cite.one_item_action))
    if f.vars["errand"] == "bring":
        for pile in list(m.state.piles):
            if card in pile.cards:
                rest = [one for one in pile.cards if one != card]
                m.emit(PileChanged(room=pile.room, part=pile.part, cards=rest, rule=m.rules.cite.pick_up))
        m.call("gain-card", seat=seat, card=card)
        return
    goal = f.vars["goal"]
    here, part = m.state.place_of(seat)
    m.call("lose-card", seat=seat, card=card, to="nowhere")
    side = part if goal == here else 0  # other rooms in two parts are barred to it
    m.emit(PileChanged(room=goal, part=side, cards=[*pile_at(m.state, goal, side), card], rule=m.rules.cite.drop))


FETCH = procedure("fetch", choose_errand, choose_goal, run_errand)
