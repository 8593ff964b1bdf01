"""What each side's book keeps from the other: which counters it names, and a haunt as known to a reader of one book (2E-SEC-001).

Texts, deeds and goals come with `TextTold`, counters with `CountersTold`, to the side whose book names them; monsters, tokens and items
become known as they enter the house. Once a counter moves everybody sees its value, but only those who were told of it know how far it goes.
A refusal names a source that the seat does not have in the words of the command alone.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from content.survey import Spot, walk
from content.vocabulary.base import Word
from content.vocabulary.effects import CounterChange, Effect
from content.vocabulary.pack import Book, Haunt
from content.vocabulary.values import Condition, Each, Number
from domain.engine.external import EXTERNAL
from domain.facts.state import State

SIDES = ("heroes", "traitor")
CLOSED = Book(story="", goal="")
"""The empty book, in place of an unread one."""


def one_book(haunt: Haunt) -> bool:
    """Whether everybody reads the same book."""
    return haunt.one_book


def known_to_all(haunt: Haunt, *, aloud: bool = False) -> list[str]:
    """Counters that everybody knows from the start; `aloud`: what a book tells first and sets up is read to all."""
    if one_book(haunt):
        return list(haunt.counters)
    common = msgspec.structs.replace(without(haunt, SIDES, aloud=aloud), blocks={})
    named = _counters_in(common, haunt)
    return [name for name, counter in haunt.counters.items() if counter.public or counter.track or name in named]


def with_known_end(haunt: Haunt, known: Iterable[str]) -> list[str]:
    """Those of the counters known to all whose end everybody knows: the track is in the open, but not what a book uses it for."""
    hidden = {name for name, counter in haunt.counters.items() if counter.track and not counter.public}
    return [name for name in known if one_book(haunt) or name not in hidden]


def named_in(haunt: Haunt, side: str) -> list[str]:
    """Counters that a side's book names, by itself or in blocks that it runs."""
    book = haunt.books.get(haunt.read_by(side)) if haunt.one_book else haunt.book(side)
    named = set() if book is None else _counters_in(book, haunt)
    return [name for name in haunt.counters if name in named]


def _counters_in(piece: Haunt | Book, haunt: Haunt) -> set[str]:
    """Counters that a piece names, and those of the haunt's blocks that it runs."""
    found: set[str] = set()
    waiting: list[Word] = [piece]
    run: set[str] = set()
    while waiting:
        for spot in walk(Spot((), waiting.pop())):
            word = spot.value
            if isinstance(word, Condition | Number | CounterChange) and word.counter is not None:
                found.add(word.counter)
            if isinstance(word, Each) and word.most is not None:
                found.add(word.most)
            if isinstance(word, Effect) and word.run in haunt.blocks and word.run not in run:
                run.add(word.run)
                waiting += haunt.blocks[word.run]
    return found


def unread(haunt: Haunt, state: State) -> list[str]:
    """Sides whose book a role has not read; none where everybody reads one, or where the players have the books themselves."""
    if haunt.id == EXTERNAL or one_book(haunt):
        return []
    return [side for side in SIDES if f"{side}.book" not in state.texts]


def without(haunt: Haunt, sides: Iterable[str], *, aloud: bool = False) -> Haunt:
    """The haunt with nothing in the books of these sides, but for what is read `aloud` from them."""
    closed = {"heroes": "heroes", "traitor": "traitor_book"}
    return msgspec.structs.replace(haunt, **{closed[side]: _closed(haunt, side, aloud=aloud) for side in sides})


def _closed(haunt: Haunt, side: str, *, aloud: bool) -> Book:
    book = haunt.heroes if side == "heroes" else haunt.traitor_book
    if book is None or not aloud:
        return CLOSED
    return msgspec.structs.replace(CLOSED, story=book.story, right_now=book.right_now)


def starts(haunt: Haunt, names: Iterable[str], players: int) -> dict[str, int]:
    """Where these counters begin."""
    return {key: haunt.counters[name].start for name in names for key in haunt.counters[name].keys(name, players)}


def maxima(haunt: Haunt, names: Iterable[str], players: int) -> dict[str, int]:
    """How far these counters go with so many players, of those that have an end."""
    kept = ((key, haunt.counters[name]) for name in names for key in haunt.counters[name].keys(name, players))
    return {key: end for key, counter in kept if (end := counter.end(players)) is not None}
