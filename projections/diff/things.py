"""A view and the decisions beside it, cut into the things that can change: explorers, rooms, cards, counters, decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from content.vocabulary.base import TRAITS
from projections.choices.decisions import Decisions
from projections.naming.names import readable
from projections.shapes import Shape
from projections.view.game import GameView
from projections.view.haunts import BookView, HauntView, NoteView
from projections.view.waiting import who_is_awaited
from projections.wording.words.english import the

TOPICS = (
    "game",
    "turn",
    "seat",
    "explorer",
    "trait",
    "card",
    "room",
    "token",
    "monster",
    "haunt",
    "counter",
    "book",
    "note",
    "secret",
    "ruling",
    "stack",
    "awaited",
    "decision",
    "enter",
)
"""Kinds of things, in the order in which they are told."""

Topic = Annotated[str, Meta(extra_json_schema={"enum": list(TOPICS)})]
Members = dict[str, Any]
Things = dict[tuple[str, str], "Thing"]
"""By topic and id."""

ELSEWHERE: Mapping[str, tuple[str, ...]] = {
    "GameView": (
        *("game", "edition", "pack", "role", "you"),  # never change
        "version",  # is what the two moments are named by
        *("turn", "seats", "waiting", "explorers", "monsters", "rooms", "tokens", "piles", "companions", "cards"),
        *("companion_parts", "decks", "haunt", "rulings"),
    ),
    "TurnView": ("drawn",),
    "SeatView": ("seat",),
    "ExplorerView": ("seat", "character", "title", "traits", "cards"),
    "MonsterView": ("id", "title", "cards"),
    "RoomView": ("id", "title"),
    "TokenView": ("token", "title"),
    "DeckView": ("discard", "titles"),
    "HauntView": ("id", "title", "counters", "notes", "secrets", "books"),
    "BookView": ("side", "seek", "notes", "rules"),  # what is new in its rules is how far counters and tokens have come
    "CounterView": ("name", "title"),
    "SecretView": ("name", "title"),
    "NoteView": ("name",),
    "RulingView": ("number",),
    "ProposalView": ("number",),
    "Awaited": ("decision",),
    "Decisions": ("game", "version", "you", "waiting", "yours", "enter", "hints"),
    "OpenDecision": ("id", "commands", "families"),
}
"""Members that are no fact of the thing itself: they name it, or are things of their own. Every other member is compared."""


class Thing(msgspec.Struct, frozen=True):
    """Something that can come, go or change."""

    title: str
    members: Members


def things_of(view: GameView, decisions: Decisions) -> Things:
    """All things that a role saw at one moment, in the order of a view."""
    return {
        (topic, name): Thing(title, members)
        for part in (_table, _people, _house, _cards, _haunt)
        for topic, name, title, members in part(view)
    } | {(topic, name): Thing(title, members) for topic, name, title, members in _decisions(decisions)}


Found = Iterator[tuple[str, str, str, Members]]
"""Topic, id, title, members."""


def _own(shape: Shape) -> Members:
    """The members of a shape that are facts of its own, as JSON has them."""
    left_out = ELSEWHERE.get(type(shape).__name__, ())
    return {
        name: msgspec.to_builtins(value)
        for name, value in msgspec.structs.asdict(shape).items()
        if name not in left_out and value is not msgspec.UNSET
    }


def _table(view: GameView) -> Found:
    yield "game", "", "The game", _own(view)
    yield "turn", "", "The turn", _own(view.turn)
    for seat in view.seats:
        yield "seat", f"seat:{seat.seat}", f"Seat {seat.seat}", _own(seat)
    for ruling in view.rulings.agreed:
        yield "ruling", str(ruling.number), f"Ruling {ruling.number}", {**_own(ruling), "agreed": True}
    proposed = view.rulings.proposed
    if proposed is not None:
        yield "ruling", str(proposed.number), f"Ruling {proposed.number}", {**_own(proposed), "agreed": False}
    titles = {one.seat: one.title for one in view.explorers}
    for one in view.waiting:
        who = who_is_awaited(one, lambda seat: titles.get(seat, f"Seat {seat}"))
        yield "awaited", one.decision, who, _own(one)


def _people(view: GameView) -> Found:
    for explorer in view.explorers:
        name = f"seat:{explorer.seat}"
        yield "explorer", name, explorer.title, _own(explorer)
        for trait in TRAITS:
            title = f"{readable(trait)} of {explorer.title}"
            yield "trait", f"{name}/{trait}", title, _own(getattr(explorer.traits, trait))
    for monster in view.monsters:
        yield "monster", monster.id, monster.title, _own(monster)


def _house(view: GameView) -> Found:
    for room in view.rooms:
        yield "room", room.id, room.title, _own(room)
    rooms = {room.id: room.title for room in view.rooms}
    for token in view.tokens:
        part = f":{token.part}" if token.part else ""
        yield (
            "token",
            f"{token.token}@{token.room}{part}",
            f"{token.title} in {the(rooms.get(token.room, readable(token.room)))}",
            _own(token),
        )


def _cards(view: GameView) -> Found:
    """Where cards are: with somebody, on the floor, waiting, or thrown away; and the stacks without those."""
    for card, place in _places(view):
        sheet = view.cards.get(card)
        title, state = (sheet.title, sheet.state) if sheet is not None else (readable(card), "")
        yield "card", card, title, {**place, "state": state}
    for name, deck in view.decks.items():
        yield "stack", name, "The room stack" if name == "tiles" else f"The {name} deck", _own(deck)


def _places(view: GameView) -> Iterator[tuple[str, Members]]:
    for explorer in view.explorers:
        yield from ((card, {"where": f"seat:{explorer.seat}"}) for card in explorer.cards)
    for monster in view.monsters:
        yield from ((card, {"where": f"monster:{monster.id}"}) for card in monster.cards)
    for pile in view.piles:
        where = {"where": f"floor:{pile.room}", "part": pile.part, "pile": pile.number}
        yield from ((card, where) for card in pile.cards)
    yield from (
        (card, {"where": f"waiting:{room}", "part": view.companion_parts.get(card, 0)})
        for card, room in view.companions.items()
    )
    for name, deck in view.decks.items():
        yield from ((card, {"where": f"discard:{name}"}) for card in deck.discard)


def _haunt(view: GameView) -> Found:
    haunt = view.haunt
    if haunt is None:
        return
    yield "haunt", haunt.id, haunt.title, _own(haunt)
    for counter in haunt.counters:
        yield "counter", counter.name, counter.title, _own(counter)
    for secret in haunt.secrets:
        yield "secret", secret.name, secret.title, _own(secret)
    yield from _notes("", haunt)
    for book in haunt.books:
        yield "book", book.side, f"The book of the {book.side}", _own(book)
        yield from _notes(f"{book.side}/", book)


def _notes(prefix: str, of: HauntView | BookView) -> Found:
    notes: list[NoteView] = of.notes
    for note in notes:
        yield "note", f"{prefix}{note.name}", f"Note {readable(note.name)}", _own(note)


def _decisions(decisions: Decisions) -> Found:
    for one in decisions.yours:
        yield "decision", one.id, one.text, {**_own(one), "commands": [listed.label for listed in one.commands]}
    if decisions.enter is not None:
        yield "enter", "", "The haunt book", msgspec.to_builtins(decisions.enter)
