"""The haunt as a role sees it: what everybody knows, and the book of its own side, never the other's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from content.vocabulary.base import Side as BookSide
from content.vocabulary.pack import Bar, Book
from content.vocabulary.pack import Haunt as HauntSheet
from domain.engine.books import SIDES
from domain.engine.external import EXTERNAL
from domain.engine.parts import side_of_part
from domain.engine.rules import Rules
from domain.facts.ids import id_kind, id_name
from domain.facts.state import Explorer, Haunt, Sandbox, State
from domain.rulebook.haunt.demanding import demandable
from projections.naming.names import Names, readable
from projections.shapes import Id, Name, Number, Seat, Shape, Side, Text, Title, reader_of
from projections.view.entries import EntryView, proposed
from projections.view.identification import (
    IdentificationView,
    LocationView,
    NeededView,
    identification,
    is_opened,
    locations,
    needed,
    traitor_rule,
)
from projections.view.reminders import powers_and_monsters
from projections.view.wording import goal_of, knows_part, printed_rules, rules_of_part
from projections.wording import GameNumbers
from projections.wording.words.filled import filled
from projections.wording.words.numbers import Known

SHOWN = {
    "State": ("haunt", "texts", "options", "scenario", "seats", "sandbox", "explorers"),
    "Explorer": ("id",),
    "Haunt": (
        "id",
        "number",
        "omen",
        "room",
        "revealer",
        "hidden",
        "traitor",
        "round",
        "started",
        "counters",
        "maxima",
        "entries",
        "proposed",
        "notes",
        "secrets",
        "used",
        "disclosed",
    ),
}
"""The fields of a role's state that are read here; all others stay hidden.

Texts that a haunt keeps for later stay hidden too: a state doesn't say which of them were told.
"""


HAUNTS_KEPT = 1024
"""Haunts whose views are cached as long as nothing in them changes."""
BOOKS_KEPT = 256
"""Books that are cached as long as no number in them changes."""

RuleId = Annotated[str, Meta(max_length=20)]


class CounterView(Shape, frozen=True, kw_only=True):
    """A counter of the haunt."""

    name: Id
    title: Title
    seat: Seat | None
    """Whose it is, where every explorer has one."""
    value: Number
    max: Number | None
    track: bool
    """It is kept on the Turn/Damage track."""


class WordView(Shape, frozen=True, kw_only=True):
    """Something that a book lets its side do; the decisions tell when."""

    word: Annotated[str, Meta(max_length=40)]
    title: Text
    side: Side
    """Of a book that everybody reads: the side that may do it; empty: both."""
    rule: Text
    """Where and how often it may be done, what it rolls, costs and does, in words."""


class NoteView(Shape, frozen=True, kw_only=True):
    """A note entered from a printed haunt book."""

    name: Name
    text: Text


class AloudView(Shape, frozen=True, kw_only=True):
    """What was read aloud from a book as the haunt began (3E-START-009)."""

    side: Side
    """Whose book it is."""
    story: Text
    """Its introduction."""
    setup: Text
    """What it sets up, in words; empty before that is read, or if there is nothing to set up."""


class BookView(Shape, frozen=True, kw_only=True):
    """What a side reads (with a hidden traitor: everybody)."""

    side: Side
    story: Text
    goal: Text
    """When the side wins, in words."""
    locations: list[LocationView]
    """Rooms that matter to the side, with their regions."""
    rules: list[Text]
    """What else the book says, in words and in this game's numbers: what is done right now, when the side wins, what happens by itself."""
    actions: list[WordView]
    seek: Annotated[list[Id], Meta(max_length=0, extra_json_schema={"deprecated": True})]
    """Always empty. Bots get their hints from `getDecisions`, with `hints=true`."""
    notes: list[NoteView]
    """What was entered for the side to know, if the haunt is from the players' own book."""


class BarView(Shape, frozen=True, kw_only=True):
    """What this haunt forbids although a card, room or token permits it (2E-PREC-003)."""

    source: Name
    """`card:crystal-ball`, `tile:vault`, `token:safe`, or `kind:weapon` for all cards of a kind."""
    word: Annotated[str, Meta(max_length=40)]
    """Only this action; empty: all that it permits."""
    side: Side
    """Only for this side; empty: for both."""


class StealingView(Shape, frozen=True, kw_only=True):
    """What this haunt says about stealing, in place of the rules (2E-STEAL-004)."""

    barred: bool
    """Nobody can steal anything."""
    granted: bool
    """Explorers may steal, where the edition's rules let nobody."""
    cards: dict[str, int]
    """By card: the least physical damage for which it may be taken; other cards follow the rules."""


class SecretView(Shape, frozen=True, kw_only=True):
    """Something that was chosen in secret."""

    name: Id
    title: Title
    value: Name
    """The room or word; empty for those who were not told."""


class PartView(Shape, frozen=True, kw_only=True):
    """A part of a side's book that was used for all to see."""

    part: Name
    """Its id, as the command `demand` takes it: `heroes.actions.LIGHT`, `traitor.on.2`, `monster.ghoul`."""
    title: Title
    side: Side
    """Whose book has it."""
    disclosed: bool
    """It was read out to everybody."""
    demandable: bool
    """This role's player may have it read out, by `demand`."""
    text: list[Text]
    """What it says, in words; empty where this role has not read it."""


class HauntView(Shape, frozen=True, kw_only=True):
    """The haunt in play."""

    id: Id
    number: Number
    """Its number on the chart."""
    title: Title
    story: Text
    """Read aloud to everybody. Where introductions are read aloud it is all of them, as far as they have been read."""
    aloud: list[AloudView]
    """What was read aloud from the books, in this order; empty where everybody reads for themselves."""
    omen: Name
    room: Name
    """The room in which the omen that began it was drawn."""
    revealer: Seat
    hidden: bool
    """A traitor was dealt in secret and has not been revealed."""
    traitor: Seat | None
    """Null if there is none, or if this role was not told."""
    round: Number
    started: bool
    """Both sides have read their books, and the first turn has begun."""
    counters: list[CounterView]
    notes: list[NoteView]
    """Notes entered from a printed book that this role was told later, whichever book it reads."""
    traitor_rule: Text
    """Of a haunt from the players' own books: whom the printed chart names as its traitor, in words."""
    proposed: EntryView | None
    """What was entered and waits for consent, as far as this role may read it."""
    secrets: list[SecretView]
    books: list[BookView]
    """The book of the role's own side; both for the referee, none for those who read neither."""
    ending: Text
    """What the winners have read aloud from their book (2E-WIN-005); empty before somebody has won."""
    bars: list[BarView]
    stealing: StealingView | None
    """Null if the haunt leaves the rules on stealing as they are."""
    identification: IdentificationView
    needed: list[NeededView]
    """Tokens that the haunt needs, where everybody reads the list."""
    parts: list[PartView]
    """Parts of the books that were used for all to see, in this order."""
    must_know: list[RuleId]
    """Rules of the ledger on traitor powers and monsters: for those who read the traitor's book (2E-HSET-002)."""


_Told = tuple[list[str], dict[str, Any], str, int, Sandbox | None, list[str]]
"""What of a state decides how a haunt is told, besides the haunt itself and how far its goals have come; of explorers their ids."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Told).decode
_decode_haunt = reader_of(Haunt, SHOWN["Haunt"])


def haunt_of(rules: Rules, state: State, seat: int | None = None) -> HauntView | None:
    """The haunt in play, with the books that the role has read; `seat` is the role's own, if it has one."""
    haunt = state.haunt
    if haunt is None:
        return None
    people = [one.id for one in state.explorers]
    told: _Told = (state.texts, state.options, state.scenario, state.seats, state.sandbox, people)
    goals = tuple(goal_of(rules, state, haunt.id, _side(side)) for side in sides_read(state))
    mine = tuple(demandable(state, seat)) if seat is not None and haunt.used else ()
    return _haunt(rules, mine, _encode(haunt), _encode(told), goals)


@lru_cache(maxsize=HAUNTS_KEPT)
def _haunt(rules: Rules, mine: tuple[str, ...], encoded: bytes, told: bytes, goals: tuple[str, ...]) -> HauntView:
    """A function of bytes, so that whatever a view depends on is part of the key."""
    haunt = _decode_haunt(encoded)
    texts, options, scenario, seats, sandbox, people = _decode(told)
    state = State(
        haunt=haunt,
        texts=texts,
        options=options,
        scenario=scenario,
        seats=seats,
        sandbox=sandbox,
        explorers=[Explorer(seat=at, id=name, tracks=[], starts=[], at=[], room="") for at, name in enumerate(people)],
    )
    sheet = rules.pack.haunts[haunt.id]
    numbers, called = GameNumbers(state), Names(rules, state)
    aloud, opened = read_aloud(rules, state), is_opened(rules, state)
    return HauntView(
        id=haunt.id,
        number=haunt.number,
        title=sheet.title,
        story="\n\n".join([one.story for one in aloud]) or filled(sheet.story, sheet, numbers),
        aloud=aloud,
        omen=haunt.omen,
        room=haunt.room,
        revealer=haunt.revealer,
        hidden=haunt.hidden,
        traitor=haunt.traitor if haunt.traitor >= 0 else None,
        round=haunt.round,
        started=haunt.started,
        counters=[
            CounterView(
                name=name,
                title=called.owned(name, filled(sheet.counters[id_kind(name)].title, sheet, numbers)),
                seat=int(id_name(name)) if id_name(name) else None,
                value=value,
                max=haunt.maxima.get(name),
                track=sheet.counters[id_kind(name)].track,
            )
            for name, value in haunt.counters.items()
            if opened
        ],
        notes=[NoteView(name=name, text=text) for name, text in haunt.notes.items()],
        traitor_rule=traitor_rule(rules, sheet.traitor) if sheet.id == EXTERNAL and sheet.traitor is not None else "",
        proposed=proposed(state),
        secrets=[SecretView(name=name, title=readable(name), value=value) for name, value in haunt.secrets.items()],
        books=[_book(rules, state, sheet, side, goal) for side, goal in zip(sides_read(state), goals, strict=True)],
        ending="".join(filled(text, sheet, numbers) for text in _endings(sheet, state)),
        bars=[_bar(bar) for bar in sheet.bars if opened],
        stealing=_stealing(sheet) if opened else None,
        identification=identification(rules, state),
        needed=needed(rules, state),
        parts=_parts(rules, state, mine),
        must_know=_must_know(rules, state, sheet),
    )


def _endings(sheet: HauntSheet, state: State) -> Iterator[str]:
    """What was read aloud as the game ended."""
    for side, book in sheet.books.items():
        told = {"ending": book.ending, "ending-lost": book.ending_lost}
        yield from (text for name, text in told.items() if f"{side}.{name}" in state.texts)


def read_aloud(rules: Rules, state: State) -> list[AloudView]:
    """What was read aloud of the books, as far as the beginning of the haunt has come."""
    if state.haunt is None:
        return []
    sheet, numbers = rules.pack.haunts[state.haunt.id], GameNumbers(state)
    found = []
    for side, book in sheet.books.items():
        if f"{side}.story" in state.texts:
            setup = f"{side}.setup" in state.texts
            words = printed_rules(rules, state, sheet.id, side).get("right-now", "") if setup else ""
            found.append(AloudView(side=side, story=filled(book.story, sheet, numbers), setup=words))
    return found


def _bar(bar: Bar) -> BarView:
    named = (("card", bar.card), ("kind", bar.kind), ("tile", bar.tile), ("token", bar.token))
    source = next((f"{what}:{name}" for what, name in named if name is not None), "")
    return BarView(source=source, word=bar.word or "", side=bar.side or "")


def _stealing(sheet: HauntSheet) -> StealingView | None:
    told = sheet.stealing
    return None if told is None else StealingView(barred=told.barred, granted=told.granted, cards=told.cards)


def _parts(rules: Rules, state: State, mine: Sequence[str]) -> list[PartView]:
    """Those that were used, in this order; `mine` are those that the role's player may have read out."""
    if state.haunt is None or not state.haunt.used:
        return []
    names = Names(rules, state)
    return [
        PartView(
            part=part,
            title=names.part(part),
            side=side_of_part(part),
            disclosed=part in state.haunt.disclosed,
            demandable=part in mine,
            text=rules_of_part(rules, state, part) if knows_part(rules, state, part) else [],
        )
        for part in state.haunt.used
    ]


def _must_know(rules: Rules, state: State, sheet: HauntSheet) -> list[str]:
    """What the traitor has to know, for the traitor, the referee, and for everybody if all read one book."""
    one_book = sheet.kind == "hidden-traitor"
    if not one_book and "traitor" not in sides_read(state):
        return []
    return list(_powers(rules))


@lru_cache(maxsize=64)
def _powers(rules: Rules) -> tuple[str, ...]:
    return tuple(powers_and_monsters(rules.edition))


def sides_read(state: State) -> list[str]:
    """Whose books a role has read: one for all (2E-HID-004), its own side's (2E-HSET-003), or both, as the referee."""
    return [side for side in SIDES if f"{side}.book" in state.texts]


def text_open(rules: Rules, state: State, token: str) -> bool:
    """Whether the role may read what is printed on a token: of a haunt's it may once it has read a book."""
    found = rules.pack.tokens.get(token)
    return found is not None and (found in rules.pack.source.tokens or bool(sides_read(state)))


def _book(rules: Rules, state: State, sheet: HauntSheet, side: str, goal: str) -> BookView:
    told = dict(printed_rules(rules, state, sheet.id, _side(side)))
    if goal:
        told["wins-when"] = goal
    counters = state.haunt.counters if state.haunt is not None else {}
    return _told_book(rules, sheet.id, side, state.seats, tuple(counters.items()), tuple(told.items()))


@lru_cache(maxsize=BOOKS_KEPT)
def _told_book(
    rules: Rules,
    haunt: str,
    side: str,
    seats: int,
    counters: tuple[tuple[str, int], ...],
    told: tuple[tuple[str, str], ...],
) -> BookView:
    """A function of all that a book depends on: its rules in words, and the numbers in its other texts."""
    sheet, numbers, rule = rules.pack.haunts[haunt], Known(seats, dict(counters)), dict(told)
    book = book_of(sheet, side)
    return BookView(
        side=side,
        story=filled(book.story, sheet, numbers),
        goal=filled(book.goal, sheet, numbers),
        locations=locations((rules.pack.tiles[name] for name in book.locations), book),
        rules=[text for part, text in told if not part.startswith("actions.")],
        actions=[
            WordView(
                word=action.word,
                title=filled(action.title, sheet, numbers),
                side=action.side or "",
                rule=rule.get(f"actions.{action.word}", ""),
            )
            for action in book.actions
        ],
        seek=[],
        notes=[NoteView(name=name, text=text) for name, text in book.texts.items()] if sheet.id == EXTERNAL else [],
    )


def _side(side: str) -> BookSide:
    return "traitor" if side == "traitor" else "heroes"


def book_of(sheet: HauntSheet, side: str) -> Book:
    """The book that a side reads: its own, or the only one."""
    return sheet.book(side)
