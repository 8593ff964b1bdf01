"""Looking at a stack in secret or through all of it, and sending a companion for an item: what omens let their holders do."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from typing import Any, NotRequired

import msgspec

from content.vocabulary.effects import Fetch
from domain.engine.bindings import Seated
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Glance, Machine
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, seat_bit
from domain.facts.events import (
    Fizzled,
    PileChanged,
    SlotSeen,
    StackContents,
    StackLookedThrough,
    StackReordered,
    StackShuffled,
    Used,
)
from domain.facts.ids import split_id
from domain.facts.pieces import Pile
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.house.paths import ways
from domain.rulebook.cards.belongings import free_cards
from domain.rulebook.cards.decks import face_at
from domain.rulebook.cards.piles import pile_at


class Looking(Seated):
    """Bindings of `look`."""

    deck: str
    count: int
    reorder: NotRequired[bool]
    at: NotRequired[int]
    """The slot that is looked at."""


def look_next(m: Machine, f: Frame[Looking]) -> bool | None:
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


def put_back(m: Machine, f: Frame[Looking]) -> bool | None:
    """A player who may rearrange the seen slots chooses their new order; nobody else learns it."""
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


# -- the whole stack of tiles --------------------------------------------------------------------------------------------------

LOOKED = "look-through"
"""The key under which it is noted that the stack was looked through in this turn."""


def no_looking(rules: Rules, state: State) -> str:
    """Why nobody can look through the stack of tiles now, in words; empty if the player whose turn it is may.

    Once in a turn: nothing new would be seen, and the stack would only be shuffled again.
    """
    if not rules.edition.exploration.look_through:
        return "this edition lets nobody look through the stack"
    if state.haunt is None:
        return "nobody may look through the stack before the haunt has begun"
    if LOOKED in state.used:
        return "the stack has already been looked through this turn"
    return "" if state.decks["tiles"].size() else "no tile is left in the stack"


def perform_look_through(m: Machine, seat: int) -> None:
    """Show a player what is in the stack, and shuffle it (3E-FIND-001, 3E-FIND-002).

    Raises:
        Refused: `no_looking` says why.
    """
    cite = m.rules.cite
    if why := no_looking(m.rules, m.state):
        raise Refused(why, rule=cite.look_through or cite.top_back)
    deck = m.state.decks["tiles"]
    faces = [*deck.pool, *(slot.face for slot in (*deck.top, *deck.bottom) if slot.face)]
    m.emit(StackLookedThrough(deck="tiles", seat=seat, rule=cite.look_through))
    seen = StackContents(deck="tiles", faces=m.rules.pack.in_order("tiles", faces), rule=cite.look_through)
    m.emit(seen, seat_bit(seat) | REFEREE)
    m.emit(Used(key=LOOKED, per="turn", seat=seat, rule=cite.look_through))
    m.emit(StackShuffled(deck="tiles", order=[], looked_through=True, rule=cite.looked_through))
    m.call("see-top")


# -- a companion fetches ------------------------------------------------------------------------------------------------------

HAND = "hand"
"""The goal of what a companion brings to its master."""


def errands(m: Glance, seat: int, how: Fetch) -> list[str]:
    """What a companion can be sent for: `bring:` an item within reach, `carry:` an item of its master's that can still be moved this turn."""
    state = m.state
    own = free_cards(m.rules, state, seat, "drop")
    if not own and not state.piles:
        return []
    here, part = state.place_of(seat)
    rooms = list(_reach(m, seat, how))
    lying = [
        card
        for pile in state.piles
        if pile.room in rooms and pile.part == (part if pile.room == here else 0)  # not behind the door of the Vault
        for card in pile.cards
        if f"card:{card}" not in state.used
    ]
    carried = own if len(rooms) > 1 else []
    return [*(f"bring:{card}" for card in lying), *(f"carry:{card}" for card in carried)]


def has_errand(m: Glance, seat: int, how: Fetch) -> bool:
    """Whether there is any: for a master with an item it is enough that a companion can go anywhere."""
    goals = itertools.islice(_reach(m, seat, how), 1, None)
    if free_cards(m.rules, m.state, seat, "drop") and next(goals, None) is not None:
        return True
    return bool(errands(m, seat, how))


class Fetching(Seated):
    """Bindings of `fetch`."""

    how: dict[str, Any]
    """The words of the card, as it is written."""
    errand: NotRequired[str]
    """`bring` or `carry`."""
    card: NotRequired[str]
    goal: NotRequired[str]


def choose_errand(m: Machine, f: Frame[Fetching]) -> bool | None:
    """Pick up an item within reach, or carry one of its master's."""
    seat = f.vars["seat"]
    options = errands(m, seat, msgspec.convert(f.vars["how"], Fetch))
    if not options:
        m.emit(Fizzled(what="fetch"))
        f.finish()
        return None
    chosen = m.choose(f, seat, "fetch", options)
    if chosen is None:
        return WAIT
    f.vars["errand"], f.vars["card"] = split_id(chosen)
    return None


def _reach(m: Glance, seat: int, how: Fetch) -> Iterator[str]:
    """The room of an explorer, then others that a companion can reach from it and return from, the nearest first. Nobody slows it."""
    state = m.state
    start, part = state.place_of(seat)
    yield start
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if steps[here] == how.spaces or (f"tile:{here}", "left") in m.rules.pack.triggers:
            continue
        side = part if here == start else 0
        for there, _ in ways(state, state.rooms[here], side):
            if there in steps or there in how.barred or not _is_open(state, here, there, how):
                continue
            steps[there] = steps[here] + 1
            queue.append(there)
            yield there


def _is_open(state: State, here: str, there: str, how: Fetch) -> bool:
    """Whether a companion goes from one room to another: by a door, or by another way that is not barred to it and leads back."""
    if there in state.rooms[here].near:
        return True
    ways_there, ways_back = (
        any(
            link.to == goal and not link.monsters_only and link.by.removeprefix("token:") not in how.barred_tokens
            for link in state.links.get(start, ())
        )
        for start, goal in ((here, there), (there, here))
    )
    return ways_there and ways_back


def choose_goal(m: Machine, f: Frame[Fetching]) -> bool | None:
    """Drop the item onto the pile there, or hand what it has picked up to its master."""
    seat, card = f.vars["seat"], f.vars["card"]
    goals = list(_reach(m, seat, msgspec.convert(f.vars["how"], Fetch)))
    if f.vars["errand"] == "bring":
        goals = [HAND, *(room for room in goals if room != _lies_in(m.state, card).room)]
    else:
        goals.remove(m.state.place_of(seat)[0])
    chosen = m.choose(f, seat, "fetch-to", goals)
    if chosen is None:
        return WAIT
    f.vars["goal"] = chosen
    return None


def _lies_in(state: State, card: str) -> Pile:
    return next(pile for pile in state.piles if card in pile.cards)


def run_errand(m: Machine, f: Frame[Fetching]) -> None:
    """Bring it, or leave it there."""
    seat, card, goal = f.vars["seat"], f.vars["card"], f.vars["goal"]
    m.emit(Used(key=f"card:{card}", per="turn", seat=seat, rule=m.rules.cite.one_item_action))
    if f.vars["errand"] == "bring":
        pile = _lies_in(m.state, card)
        rest = [one for one in pile.cards if one != card]
        m.emit(PileChanged(room=pile.room, part=pile.part, cards=rest, rule=m.rules.cite.pick_up))
    else:
        m.call("lose-card", seat=seat, card=card, to="nowhere")
    if goal == HAND:
        m.call("gain-card", seat=seat, card=card)
        return
    here, part = m.state.place_of(seat)
    side = part if goal == here else 0  # other rooms in two parts are barred to it
    m.emit(PileChanged(room=goal, part=side, cards=[*pile_at(m.state, goal, side), card], rule=m.rules.cite.drop))


FETCH = procedure("fetch", choose_errand, choose_goal, run_errand)
