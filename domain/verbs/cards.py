"""Verbs of the cards: draw, reveal-until, search, look, discard, keep, store, lose-card, take, fetch, set-state, give."""

from __future__ import annotations

import msgspec

from content.vocabulary.effects import Draw, Effect, Fetch, Look, LoseCard, RevealUntil, Search, TakeCard
from domain.engine.block import WAIT, Cast, Frame, Test
from domain.engine.machine import Glance, Machine
from domain.facts.audience import EVERYBODY, REFEREE, seat_bit
from domain.facts.events import CardGained, CardPicked, CardTurned, SlotSeen, StackShuffled
from domain.facts.ids import id_name
from domain.facts.state import is_explorer
from domain.queries.characters import cards_of, in_play
from domain.queries.conditions import cast, places, your_seat
from domain.rulebook.cards.looking import has_errand
from domain.rulebook.desk.taking_back import quiet
from domain.rulebook.fight.spoils import takeable
from domain.verbs.compiler import Compiler, Label


def draw(c: Compiler, node: Draw, _effect: Effect, path: str) -> None:
    """Draw cards, each dealt with before the next."""

    def draw(m: Machine, f: Frame) -> None:
        if is_explorer(f.vars["you"]):
            m.call("draw-card", seat=f.vars["you"], deck=node.deck)

    for _ in range(node.count):
        c.add(path, draw)


def can_draw(node: Draw) -> Test:
    """Whether there is a card to draw: an empty event stack is renewed from the discards, others are not (2E-CARD-002, ruling)."""

    def can_draw(m: Glance, _f: Frame) -> bool:
        deck = m.state.decks[node.deck]
        return deck.size() > 0 or (node.deck == "event" and bool(deck.discard))

    return can_draw


def reveal_until(c: Compiler, node: RevealUntil, _effect: Effect, path: str) -> None:
    """Turn up cards until one of the kind appears; keep it, bury the others."""

    def reveal_until(m: Machine, f: Frame) -> None:
        if is_explorer(f.vars["you"]):
            m.call("draw-until", seat=f.vars["you"], deck=node.deck, kind=node.kind)

    c.add(path, reveal_until)


def can_reveal(node: RevealUntil) -> Test:
    """Whether there is a card to turn up."""
    return lambda m, _f: m.state.decks[node.deck].size() > 0


def search(c: Compiler, node: Search, _effect: Effect, path: str) -> None:
    """Choose a card from an undrawn stack, shuffle, put it on top."""

    def choose_deck(m: Machine, f: Frame) -> bool | None:
        decks: list[str] = [deck for deck in node.decks if m.state.decks[deck].size()]
        f.vars["deck"] = ""
        if not decks:
            return None
        chosen = m.choose(f, your_seat(f), "search-deck", decks)
        if chosen is None:
            return WAIT
        f.vars["deck"] = chosen
        return None

    def choose_card(m: Machine, f: Frame) -> bool | None:
        name = f.vars["deck"]
        if not name:
            return None
        deck = m.state.decks[name]
        known = [slot.face for slot in (*deck.top, *deck.bottom) if slot.face]
        faces = m.rules.pack.in_order(name, [*deck.pool, *known])
        seat = your_seat(f)
        chosen = m.choose(f, seat, f"search:{name}", faces)
        if chosen is None:
            return WAIT
        m.emit(StackShuffled(deck=name, order=faces, top=1))
        m.emit(SlotSeen(deck=name, index=0, face=chosen), seat_bit(seat) | REFEREE)
        return None

    c.add(path, choose_deck)
    c.add(path, choose_card)


def can_search(node: Search) -> Test:
    """Whether there is a stack to search."""
    return lambda m, _f: any(m.state.decks[name].size() for name in node.decks)


def look(c: Compiler, node: Look, _effect: Effect, path: str) -> None:
    """Look in secret at the next slots of a stack, and perhaps put them back in another order."""
    stacks = _stacks(node)

    def look(m: Machine, f: Frame) -> bool | None:
        full = _full(m, stacks)
        if not full:
            return None
        chosen = m.choose(f, your_seat(f), "look-deck", full)
        if chosen is None:
            return WAIT
        m.call("look", seat=f.vars["you"], deck=chosen, count=node.count, reorder=node.reorder)
        return None

    c.add(path, look)


def can_look(node: Look) -> Test:
    """Whether there is a stack to look into."""
    stacks = _stacks(node)
    return lambda m, _f: bool(_full(m, stacks))


def _stacks(node: Look) -> list[str]:
    return [node.stack] if node.stack is not None else list(node.stacks or [])


def _full(m: Glance, stacks: list[str]) -> list[str]:
    """Those of the stacks that are not empty."""
    return [name for name in stacks if m.state.decks[name].size()]


def keep(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """The event that speaks stays with `you`; whoever keeps it already does not get it twice."""

    def keep(m: Machine, f: Frame) -> None:
        you, card = f.vars["you"], id_name(f.vars["src"])
        if is_explorer(you) and m.state.explorers[you].alive and card not in m.state.explorers[you].cards:
            m.emit(CardGained(card=card, seat=you, rule=m.rules.cite.discard or m.rules.cite.bury_card))

    c.add(path, keep)


def store(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """The card that speaks keeps a result, as its state."""

    def store(m: Machine, f: Frame) -> None:
        m.emit(CardTurned(card=id_name(f.vars["src"]), state=str(f.vars["roll"])))

    c.add(path, store)


def discard(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """The card that speaks is used up."""

    def discard(m: Machine, f: Frame) -> None:
        card = id_name(f.vars["src"])
        for explorer in m.state.explorers:
            if card in explorer.cards:
                m.call("lose-card", seat=explorer.seat, card=card, to="discard")
        for name, monster in m.state.monsters.items():
            if card in monster.cards:
                m.call("lose-card", seat=name, card=card, to="discard")

    c.add(path, discard)


def lose_card(c: Compiler, node: LoseCard, effect: Effect, path: str) -> None:
    """Choose an own card, or let chance choose, and lose it; `then` runs only if a card was lost."""
    nothing = Label()

    def lose_card(m: Machine, f: Frame) -> bool | None:
        you = f.vars["you"]
        cards = _to_lose(m, f, node)
        if not cards:
            if effect.then is not None:
                f.next = nothing.at
            return None
        by_chance, answered = node.how == "random", bool(f.vars.get("replies"))
        chosen = (
            m.pick(f, "own-card", cards)
            if by_chance
            else m.choose(f, m.rules.controller(m.state, you), "lose-card", cards)
        )
        if chosen is None:
            return WAIT
        if by_chance and len(cards) > 1 and not answered and quiet(one.event for one in m.told if one.to == EVERYBODY):
            m.emit(CardPicked(figure=you, card=chosen))  # else the command could be taken back, for another pick
        room = places(m, f, node.at)[:1] if node.at is not None else []
        m.call("lose-card", seat=you, card=chosen, to="pile" if node.to == "floor" else node.to, room="".join(room))
        return None

    c.add(path, lose_card)
    if effect.then is not None:
        c.steps(effect.then, f"{path}.then")
        c.place(nothing)


def _to_lose(m: Machine, f: Frame, node: LoseCard) -> list[str]:
    """Cards of `you` that can be chosen."""
    pack, cards = m.rules.pack, cards_of(m.state, f.vars["you"])
    if node.card is not None:
        wanted = id_name(f.vars["src"]) if node.card == "this" else node.card
        return [card for card in cards if card == wanted]
    if node.kind == "any":
        return [card for card in cards if pack.deck_of(card) != "event"]
    return [card for card in cards if pack.is_item_card(card) and (node.kind == "item" or not pack.is_weapon(card))]


def take(c: Compiler, node: TakeCard, _effect: Effect, path: str) -> None:
    """Take a card from another explorer, as a steal unless it is a certain one."""
    whose = cast(node.from_)

    def take(m: Machine, f: Frame) -> bool | None:
        you = your_seat(f)
        owners = to_take(m, f, whose, node.card)
        if not owners:
            return None
        chosen = m.choose(f, you, "take-card", list(owners))
        if chosen is None:
            return WAIT
        m.call("lose-card", seat=owners[chosen], card=chosen, to=f"seat:{you}", stolen=node.card is None)
        return None

    c.add(path, take)


def to_take(m: Glance, f: Frame, whose: Cast, wanted: str | None) -> dict[str, int]:
    """Cards that can be taken from others, with the explorers who have them."""
    return {
        card: one
        for one in whose(m, f)
        if is_explorer(one) and one != f.vars["you"]
        for card in (cards_of(m.state, one) if wanted else takeable(m.rules, m.state, one))
        if wanted in (None, card)
    }


def can_take(node: TakeCard) -> Test:
    """Whether there is anything to take."""
    whose = cast(node.from_)
    return lambda m, f: bool(to_take(m, f, whose, node.card))


def fetch(c: Compiler, node: Fetch, _effect: Effect, path: str) -> None:
    """A companion carries one item between here and a room within reach."""

    def fetch(m: Machine, f: Frame) -> None:
        m.call("fetch", seat=f.vars["you"], how=msgspec.to_builtins(node))

    c.add(path, fetch)


def can_fetch(node: Fetch) -> Test:
    """Whether the companion has anything to do."""
    return lambda m, f: has_errand(m, f.vars["you"], node)


def set_state(c: Compiler, node: str, _effect: Effect, path: str) -> None:
    """The card that speaks changes its state."""

    def set_state(m: Machine, f: Frame) -> None:
        m.emit(CardTurned(card=id_name(f.vars["src"]), state=node))

    c.add(path, set_state)


def give(c: Compiler, node: str, _effect: Effect, path: str) -> None:
    """`you` get an item token of the haunt; a monster does if it carries. There is one of it: whoever has it keeps it."""

    def give(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        if in_play(m.state, node):
            return
        if is_explorer(you) or m.rules.pack.monster(m.state, m.state.monsters[you].kind).carries:
            m.call("gain-card", seat=you, card=node)

    c.add(path, give)
