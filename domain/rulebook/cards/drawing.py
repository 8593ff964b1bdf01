"""Cards from a stack into play: drawing, following, gaining and losing (rulebook: Drawing Cards, Use Item and Omen Cards)."""

from __future__ import annotations

from typing import NotRequired

from domain.engine.bindings import Seated, Sparing, Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import (
    CardDiscarded,
    CardDrawn,
    CardGained,
    CardLost,
    Declined,
    ExplorerFreed,
    Fizzled,
    MonsterParted,
    MonsterTook,
    OmenOwed,
    PileChanged,
    RuleApplied,
    StackShuffled,
    Stopped,
    SurplusNoted,
    Used,
)
from domain.facts.ids import split_id
from domain.facts.state import Figure, Held, is_explorer
from domain.rulebook.cards.decks import face_at
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.table.adjustments import card_with
from domain.rulebook.table.limits import note_special
from domain.rulebook.table.sparing import declines, passes_over
from domain.rulebook.table.triggers import fire


class DrawingCard(Sparing):
    """Bindings of `draw-card`."""

    seat: int
    deck: str
    symbol: NotRequired[str]
    """The rule on the symbol of a room that was discovered, if that is why."""
    card: NotRequired[str]


def pass_over(m: Machine, f: Frame[DrawingCard]) -> bool | None:
    """A card may let its holder skip the draw for the symbol of a room just discovered (Idol, third edition), as the traitor may for events."""
    seat, name = f.vars["seat"], f.vars["deck"]
    if not f.vars.get("symbol"):
        return None
    card = "" if "power" in f.vars else card_with(m, seat, lambda standing: standing.may_pass_over == name)
    if not card:
        passed = passes_over(m, f, seat, name)
        if passed is None:
            return WAIT
        if passed:
            f.finish()
        return None
    chosen = m.choose(f, seat, f"pass-over:card:{card}", ["draw", "pass-over"])
    if chosen is None:
        return WAIT
    if chosen == "pass-over":
        note_special(m, seat, card)
        m.emit(Declined(seat=seat, what=f"draw:{name}", rule=m.rules.cite.card_precedence))
        f.finish()
    return None


def stop_moving(m: Machine, f: Frame[DrawingCard]) -> None:
    """Drawing ends movement (2E-MOVE-004), even where the stack turns out to be empty; an empty event stack is renewed."""
    seat, name = f.vars["seat"], f.vars["deck"]
    if not m.state.explorers[seat].alive:
        f.finish()
        return
    if m.rules.edition.exploration.card_stops_movement and not m.state.explorers[seat].stopped:
        rule = f.vars.get("symbol") or m.rules.cite.card_stops
        m.emit(Stopped(figure=seat, rule=rule))
    deck = m.state.decks[name]
    if deck.size() == 0 and name == "event" and deck.discard:
        order = m.rules.pack.in_order(name, deck.discard)
        m.emit(StackShuffled(deck=name, order=order, with_discard=True, rule=m.rules.cite.empty_stack))
    if deck.size() == 0:
        m.emit(Fizzled(what=f"draw:{name}", rule=m.rules.cite.empty_stack))
        f.finish()


def turn_up(m: Machine, f: Frame[DrawingCard]) -> bool | None:
    """Chance says which card is on top; it is read out to everyone (2E-CARD-004)."""
    seat, name = f.vars["seat"], f.vars["deck"]
    face = face_at(m, f, name, 0)
    if face is None:
        return WAIT
    rule = m.rules.cite.draw_event if name == "event" else ""
    m.emit(CardDrawn(deck=name, card=face, seat=seat, rule=rule or m.rules.cite.draw))
    f.vars["card"] = face
    return None


def follow(m: Machine, f: Frame[DrawingCard]) -> None:
    """An event is followed at once, an item or omen is kept (2E-CARD-005, 2E-CARD-006, 2E-CARD-008)."""
    seat, card = f.vars["seat"], f.vars["card"]
    if f.vars["deck"] == "event":
        m.call("event", seat=seat, card=card)
    else:
        m.call("gain-card", seat=seat, card=card, drawn=True)


DRAW_CARD = procedure("draw-card", pass_over, stop_moving, turn_up, follow)


class DrawingUntil(Seated):
    """Bindings of `draw-until`."""

    deck: str
    kind: str
    turned: NotRequired[int]
    """Cards turned up so far."""


def seek_kind(m: Machine, f: Frame[DrawingUntil]) -> bool | None:
    """Turn up the next card; keep the first of the kind, bury the others."""
    seat, name = f.vars["seat"], f.vars["deck"]
    if m.state.decks[name].size() == 0 or f.vars.setdefault("turned", 0) >= len(m.rules.pack.decks[name]):
        return None
    face = face_at(m, f, name, 0)
    if face is None:
        return WAIT
    m.emit(CardDrawn(deck=name, card=face, seat=seat, rule=m.rules.cite.draw))
    f.vars["turned"] += 1
    if f.vars["kind"] in m.rules.pack.cards[face].kinds:
        m.call("gain-card", seat=seat, card=face, drawn=True)
        return None
    m.emit(CardDiscarded(deck=name, card=face, bury=True, rule=m.rules.cite.bury_card))
    f.goto("seek_kind")
    return None


DRAW_UNTIL = procedure("draw-until", seek_kind)


# -- events -----------------------------------------------------------------------------------------------------------------


class FollowingEvent(Sparing):
    """Bindings of `event`."""

    seat: int
    card: str
    spared: NotRequired[bool]


def may_decline(m: Machine, f: Frame[FollowingEvent]) -> bool | None:
    """The traitor decides after reading and before any roll (2E-TPOW-005, 2E-TPOW-006); a hidden one must reveal first."""
    spared = declines(m, f, f.vars["seat"], f.vars["card"])
    if spared is None:
        return WAIT
    f.vars["spared"] = spared
    return None


def read(m: Machine, f: Frame[FollowingEvent]) -> None:
    """Follow the whole card; what it does to others or to the house happens even if its drawer is spared."""
    seat, card = f.vars["seat"], f.vars["card"]
    decided = {str(seat): True} if f.vars["spared"] else {}
    m.call(m.rules.pack.card_block(card), you=seat, drawer=seat, src=f"card:{card}", decided=decided)


def put_away(m: Machine, f: Frame[FollowingEvent]) -> None:
    """Discard it, unless it has left something in the house, somebody keeps it, or it goes on holding somebody back (2E-CARD-005)."""
    card = f.vars["card"]
    if any(here.token in m.rules.pack.left_by.get(card, ()) for here in m.state.tokens):
        return
    if not any((one.held is not None and one.held.card == card) or card in one.cards for one in m.state.explorers):
        discard(m, "event", card)


def discard(m: Machine, deck: str, card: str) -> None:
    """To the discard pile, or under the deck (3E-CARD-003)."""
    bury = m.rules.edition.cards.bury
    m.emit(
        CardDiscarded(deck=deck, card=card, bury=bury, rule=m.rules.cite.bury_card if bury else m.rules.cite.discard)
    )


EVENT = procedure("event", may_decline, read, put_away)


def free_traitor(m: Machine, seat: int) -> None:
    """A new traitor is freed of every earlier event that impedes it (2E-TPOW-001); one that is still being read takes its course."""
    explorer, rule = m.state.explorers[seat], m.rules.cite.traitor_freed
    read = {frame.vars["card"] for frame in m.stack if frame.block is EVENT}
    for card in [one for one in explorer.cards if one in m.rules.pack.impeding and one not in read]:
        m.apply_rule(f"card:{card}", rule)
        m.call("lose-card", seat=seat, card=card, to="discard")
    if explorer.held is not None and explorer.held.card not in read:
        free(m, seat, rule)


def free(m: Machine, seat: int, rule: str) -> None:
    """Nothing holds the explorer back any more; the card that did is discarded."""
    held = m.state.explorers[seat].held
    if held is None:
        return
    m.emit(ExplorerFreed(seat=seat, rule=rule))
    put_back(m, held)


def put_back(m: Machine, held: Held | None) -> None:
    """The event that held somebody who is free, dead or gone is discarded.

    Not while it holds somebody else as well, or is still being read: then that discards it.
    """
    if held is None or held.card not in m.rules.pack.decks["event"]:
        return
    if any(one.held is not None and one.held.card == held.card for one in m.state.explorers):
        return
    if not any(frame.block is EVENT and frame.vars["card"] == held.card for frame in m.stack):
        discard(m, "event", held.card)


# -- who has what -------------------------------------------------------------------------------------------------------------


def holder(figure: Figure) -> str:
    """A character as the one to whom a card goes: `seat:2`, `monster:rat-1`."""
    return f"seat:{figure}" if is_explorer(figure) else f"monster:{figure}"


def seat_of(figure: Figure) -> int:
    """The seat of an explorer, -1 for a monster."""
    return figure if is_explorer(figure) else -1


# -- items and omens ----------------------------------------------------------------------------------------------------------


class GainingCard(Sparing):
    """Bindings of `gain-card`."""

    seat: Figure
    card: str
    drawn: NotRequired[bool]
    """It comes from the stack: what is printed on it happens."""
    spent: NotRequired[bool]
    """Changing hands was its action for this turn."""


def possess(m: Machine, f: Frame[GainingCard]) -> None:
    """It is face up in front of the player; what it gives while held begins."""
    seat, card = f.vars["seat"], f.vars["card"]
    pack = m.rules.pack
    if not is_explorer(seat):
        m.emit(MonsterTook(monster=seat, card=card, rule=m.rules.cite.carriers))
        m.emit(Used(key=f"card:{card}", per="turn", rule=m.rules.cite.one_item_action))
        f.finish()
        return
    sheet = pack.card(card)
    kept = sheet.keeps_state and card in m.state.card_states and not f.vars.get("drawn")
    first = sheet.states[0] if sheet.states and not kept else ""
    m.emit(CardGained(card=card, seat=seat, state=first, rule=_keeping(m, seat, card)))
    if f.vars.get("spent") and m.rules.edition.cards.one_action:
        m.emit(Used(key=f"card:{card}", per="turn", seat=seat, rule=m.rules.cite.one_item_action))
    if card not in m.rules.pack.cards:
        m.emit(RuleApplied(source=f"card:{card}", rule=m.rules.cite.haunt_item))
    for maker, cards in pack.sets.get(card, ()):
        if cards.issubset(m.state.explorers[seat].cards):
            m.call(f"card/{maker}#set.whole", you=seat, src=f"card:{maker}", bonus=maker)
    fire(m, f"card:{card}", "gained", seat, bonus=card)


def _keeping(m: Machine, seat: int, card: str) -> str:
    cite = m.rules.cite
    if card in m.rules.pack.decks["omen"]:
        return cite.keep_omen
    return (cite.carry_any if m.state.explorers[seat].cards else "") or cite.keep_card


def instruct(m: Machine, f: Frame[GainingCard]) -> bool | None:
    """Instructions on a drawn omen are followed at once (2E-CARD-008); the traitor may decline the Bite (2E-TPOW-005)."""
    seat, card = f.vars["seat"], f.vars["card"]
    if not f.vars.get("drawn") or not is_explorer(seat) or not m.rules.pack.card(card).do:
        return None
    spared = m.rules.pack.card(card).declinable and declines(m, f, seat, card)
    if spared is None:
        return WAIT
    if not spared:
        m.emit(RuleApplied(source=f"card:{card}", rule=m.rules.cite.omen_at_once))
        m.call(m.rules.pack.card_block(card), you=seat, drawer=seat, src=f"card:{card}")
    return None


def owe_roll(m: Machine, f: Frame[GainingCard]) -> None:
    """An omen drawn before the haunt calls for a haunt roll, now or when the turn ends (2E-HROLL-001, 3E-HROLL-001)."""
    card, seat = f.vars["card"], f.vars["seat"]
    if not f.vars.get("drawn") or not is_explorer(seat) or card not in m.rules.pack.decks["omen"]:
        return
    if has_begun(m):
        m.emit(RuleApplied(source=f"card:{card}", rule=m.rules.cite.no_more_haunt_rolls))
        return
    m.emit(OmenOwed(seat=seat, omen=card, room=m.state.explorers[seat].room, rule=m.rules.cite.haunt_roll_due))
    if not m.rules.edition.haunt_roll.at_turn_end:
        m.call("haunt-roll", seat=seat)


def has_begun(m: Machine) -> bool:
    """Whether the haunt has begun, or begins as soon as the turn has ended."""
    return m.state.haunt is not None or m.nearest("begin-haunt") is not None


GAIN_CARD = procedure("gain-card", possess, instruct, owe_roll)


class LosingCard(Waiting):
    """Bindings of `lose-card`."""

    seat: Figure
    card: str
    to: str
    room: NotRequired[str]
    """Where the pile is, if it is not here."""
    stolen: NotRequired[bool]


def part_with(m: Machine, f: Frame[LosingCard]) -> None:
    """It changes hands; what it gave is taken back. Monsters get nothing from what they carry (2E-ITEM-002)."""
    seat, card = f.vars["seat"], f.vars["card"]
    if not is_explorer(seat):
        m.emit(MonsterParted(monster=seat, card=card))
        return
    if card not in m.state.explorers[seat].cards:
        f.finish()
        return
    explorer = m.state.explorers[seat]
    sets = m.rules.pack.sets.get(card, ()) if explorer.alive else ()
    whole = [maker for maker, cards in sets if cards.issubset(explorer.cards)]
    m.emit(CardLost(card=card, seat=seat))
    for maker in whole:
        m.call(f"card/{maker}#set.broken", you=seat, src=f"card:{maker}", bonus=maker)
    fire(m, f"card:{card}", "lost", seat, bonus=card)
    if f.vars.get("stolen"):
        fire(m, f"card:{card}", "stolen", seat)


def pass_on(m: Machine, f: Frame[LosingCard]) -> None:
    """Where it goes: `discard`, `bury`, `deck`, `pile` (here, or in a `room`), `seat:N`, `monster:NAME`."""
    seat, card, to = f.vars["seat"], f.vars["card"], f.vars["to"]
    deck = m.rules.pack.deck_of(card)
    _forget_notes(m, seat, card)
    kind, name = split_id(to)
    if kind == "seat":
        m.call("gain-card", seat=int(name), card=card, spent=True)
    elif kind == "monster":
        m.call("gain-card", seat=name, card=card, spent=True)
    elif to == "pile":
        room, part = m.state.place_of(seat)
        if f.vars.get("room"):
            room, part = f.vars["room"], 0
        cards = [*pile_at(m.state, room, part), card]
        m.emit(PileChanged(room=room, part=part, cards=cards, rule=m.rules.cite.drop))
    elif deck and to == "deck":
        faces = m.rules.pack.in_order(deck, [*known_faces(m, deck), card])
        m.emit(StackShuffled(deck=deck, order=faces))
    elif to == "nowhere":
        return  # the caller puts it where it belongs
    elif deck and to == "bury":
        m.emit(CardDiscarded(deck=deck, card=card, bury=True, rule=m.rules.cite.bury_card))
    elif deck:
        discard(m, deck, card)


def _forget_notes(m: Machine, figure: Figure, card: str) -> None:
    """Remove the notes for a card that is lost (2E-ITEM-016)."""
    surplus = m.state.explorers[figure].surplus if is_explorer(figure) else {}
    for note in [one for one in surplus if one.startswith(f"{card}/")]:
        trait = note.partition("/")[2]
        m.emit(SurplusNoted(seat=seat_of(figure), card=card, trait=trait, spaces=0, rule=m.rules.cite.surplus_first))


def known_faces(m: Machine, name: str) -> list[str]:
    """All faces still in a stack, known to somebody or not."""
    deck = m.state.decks[name]
    return [*deck.pool, *[slot.face for slot in (*deck.top, *deck.bottom) if slot.face]]


LOSE_CARD = procedure("lose-card", part_with, pass_on)
