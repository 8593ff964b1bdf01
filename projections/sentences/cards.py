"""Sentences for stacks, cards, piles, and what was used."""

from __future__ import annotations

from domain.facts.events import (
    BackSeen,
    CardDiscarded,
    CardDrawn,
    CardGained,
    CardLost,
    CardPicked,
    CardTurned,
    CompanionLeft,
    CorpseLooted,
    PileChanged,
    RowRead,
    SlotSeen,
    StackContents,
    StackLookedThrough,
    StackReordered,
    StackShuffled,
    TileDrawn,
    TileSearched,
    TileSetAside,
    Used,
)
from domain.facts.ids import id_kind
from projections.naming.names import counted, enumerated
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences, capital
from projections.wording.words.english import quoted

A_CARD = {"event": "an event", "item": "an item", "omen": "an omen"}

SPANS = {"turn": "this turn", "own-turn": "this turn", "game": "this game"}

LEVELS = {"basement": "the basement", "ground": "the ground floor", "upper": "the upper floor"}

DEEDS = {
    "trade": "trade",
    "drop": "drop items",
    "pick-up": "pick items up",
    "loot": "take a card from a corpse",
    "task": "make a task roll",
    "free": "try to break free",
    "look-through": "look through the stack of tiles",
}
"""By the head of a `Used` key: what somebody has done who can't do it again, when it is not a piece of content."""


def _back_seen(_a: Asking, e: BackSeen) -> str:
    return f"The back of the next tile shows {enumerated(e.back.split('+'))}."


def _slot_seen(a: Asking, e: SlotSeen) -> str:
    place = "on top" if e.index == 0 else f"number {e.index + 1} from the top"
    face = a.names.the_room(e.face) if e.deck == "tiles" else a.names.card(e.face)
    return f"{face} is {place} of the {a.names.deck(e.deck)}."


def _shuffled(a: Asking, e: StackShuffled) -> str:
    joined = ", with its discard pile" if e.with_discard else ", with the tiles set aside" if e.with_aside else ""
    chosen = f"; {counted(e.top, 'chosen card')} on top" if e.top else ""
    return f"The {a.names.deck(e.deck)} is shuffled{joined}{chosen}."


def _reordered(a: Asking, e: StackReordered) -> str:
    what = "tile" if e.deck == "tiles" else "card"
    return f"The next {counted(e.count, what)} of the {a.names.deck(e.deck)} may be in a different order now."


def _looked_through(a: Asking, e: StackLookedThrough) -> str:
    return f"{a.names.figure(e.seat)} looks through the {a.names.deck(e.deck)}."


def _contents(a: Asking, e: StackContents) -> str:
    faces = enumerated([a.names.face(e.deck, face) for face in e.faces])
    return f"The {a.names.deck(e.deck)} holds, in no particular order, {faces}."


def _set_aside(a: Asking, e: TileSetAside) -> str:
    what = (
        f"{a.names.the_room(e.face)}"
        if e.face
        else f"A tile for {enumerated([LEVELS.get(floor, floor) for floor in e.back.split('+')], 'or')}"
    )
    return f"{what} {'goes under the stack' if e.bury else 'fits nowhere and is set aside'}."


def _tile_drawn(a: Asking, e: TileDrawn) -> str:
    return f"{a.names.figure(e.seat)} turns up {a.names.the_room(e.tile)}."


def _searched(a: Asking, e: TileSearched) -> str:
    return f"{a.names.the_room(e.tile)} is taken {'from the rooms not in the house' if e.loose else f'out of the {a.names.deck(e.deck)}'}."


def _drawn(a: Asking, e: CardDrawn) -> str:
    return f"{a.names.figure(e.seat)} draws {A_CARD.get(e.deck, 'a card')}: {a.names.card(e.card)}."


def _row_read(a: Asking, e: RowRead) -> str:
    card = a.names.card(e.card)
    row = f"What follows if every roll of {card} is high enough" if e.row == "all" else f"The result {e.row} of {card}"
    return f"{row} is read out."


def _gained(a: Asking, e: CardGained) -> str:
    return f"{a.names.figure(e.seat)} gets {a.names.card(e.card)}."


def _lost(a: Asking, e: CardLost) -> str:
    return f"{a.names.figure(e.seat)} loses {a.names.card(e.card)}."


def _picked(a: Asking, e: CardPicked) -> str:
    return f"Chance picks {a.names.card(e.card)} among the cards of {a.names.figure(e.figure)}."


def _looted(a: Asking, e: CorpseLooted) -> str:
    return f"{a.names.figure(e.figure)} takes {a.names.card(e.card)} from the corpse of {a.names.figure(e.corpse)}."


def _discarded(a: Asking, e: CardDiscarded) -> str:
    return f"{a.names.card(e.card)} {'goes under its deck' if e.bury else 'is discarded'}."


def _pile(a: Asking, e: PileChanged) -> str:
    where = f"on the floor of {a.names.the_room(e.room)}"
    if not e.cards:
        return f"Nothing is left {where}."
    return f"{a.names.cards(e.cards)} {'lies' if len(e.cards) == 1 else 'lie'} {where}."


def _companion(a: Asking, e: CompanionLeft) -> str:
    card = a.names.card(e.card)
    return (
        f"{card} waits in {a.names.the_room(e.room)} for a new custodian." if e.room else f"{card} has a new custodian."
    )


def _turned(a: Asking, e: CardTurned) -> str:
    if e.state.isdigit():
        return f"{a.names.card(e.card)} keeps the result {e.state}."
    return f"{a.names.card(e.card)} is now {e.state}."


def _next_roll(a: Asking, e: Used) -> str:
    _, _, trait = e.key.partition("@")[0].partition(":")
    roll = f"The next trait roll of {a.names.figure(e.seat)} this turn"
    return f"{roll} is made with {trait}, unless it is an attack." if trait else f"{roll} is being made."


def _used(a: Asking, e: Used) -> str:
    key, _, by = e.key.partition("@")
    if id_kind(key) == "next-roll":
        return _next_roll(a, e)
    what, _, word = key.partition("#")
    if word == "FAILED":
        return f"The failed attempt to cross {a.names.source(what)} is noted."
    deed, span = DEEDS.get(id_kind(what), ""), SPANS.get(e.per, e.per)
    if word == "CROSS":
        deed = f"try to cross {a.names.source(what)}"
    elif word.isupper():
        deed = f"do {quoted(a.deed(what, word))}"
    if not deed and (not by or e.seat == -1):
        return f"{capital(a.names.source(what))} can't be used again {span}."
    who = a.names.someone(by) if e.seat == -1 else a.names.figure(e.seat)
    return f"{who} can't {deed or f'use {a.names.source(what)}'} again {span}."


SENTENCES: Sentences = {
    BackSeen: _back_seen,
    SlotSeen: _slot_seen,
    StackShuffled: _shuffled,
    StackLookedThrough: _looked_through,
    StackContents: _contents,
    StackReordered: _reordered,
    TileSetAside: _set_aside,
    TileDrawn: _tile_drawn,
    TileSearched: _searched,
    CardDrawn: _drawn,
    RowRead: _row_read,
    CardGained: _gained,
    CardLost: _lost,
    CardDiscarded: _discarded,
    CardPicked: _picked,
    CorpseLooted: _looted,
    PileChanged: _pile,
    CompanionLeft: _companion,
    CardTurned: _turned,
    Used: _used,
}
