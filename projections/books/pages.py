"""A book as Markdown, and as a page for a browser or a printer.

A page runs nothing and loads nothing: all that a pack says is escaped, for a pack may be a stranger's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from content.vocabulary.pack import Haunt, Pack
from domain.editions import Edition
from projections.books.book import HauntBook, MonsterText, PieceText, SideBook, public_rules, side_book, told_in
from projections.naming.names import BOOKS, SHARED_BOOK, enumerated
from projections.text.post import plain
from projections.view.identification import LocationView
from projections.wording import Wording
from projections.wording.words.english import capital
from projections.wording.words.filled import filled
from projections.wording.words.numbers import Known

SHOWN: dict[str, tuple[str, ...]] = {}
"""The fields of a role's state that are read here: none. It writes what was made before."""


class Section(NamedTuple):
    """A part of a book under its heading."""

    level: int
    heading: str
    story: Sequence[str] = ()
    """Paragraphs to be read aloud."""
    lines: Sequence[str] = ()
    """Paragraphs."""
    items: Sequence[str] = ()
    """A list."""


def sections(book: HauntBook) -> Iterator[Section]:
    """A role's books, part by part."""
    number = f" (haunt {book.number})" if book.number else ""
    known = book.identification
    came = [known.scenario and f"Scenario: {known.scenario}.", known.trigger and f"Trigger: {known.trigger}."]
    came += [f"Traitor: {known.traitor}."] if known.scenario else []
    yield Section(
        1,
        f"{book.title}{number}",
        story=[] if book.aloud else [book.story],
        lines=came if known.scenario else [],
        items=book.rules,
    )
    if book.needed:
        said = [f"{one.title}{f': {one.text}' if one.text else ''}" for one in book.needed]
        yield Section(2, "Tokens needed", items=said)
    own = {one.side for one in book.books}
    for part in book.aloud:
        if part.side not in own:
            yield Section(2, f"{BOOKS[part.side]}, as far as it was read aloud", story=[part.story])
            yield from _right_now(part.setup)
    if book.setup:
        yield Section(2, "Set up so far", items=book.setup)
    for side in book.books:
        yield from _side(side)
    if book.disclosed:
        items = [f"{one.title}: {' '.join(one.text)}" for one in book.disclosed]
        yield Section(2, "Read out from the other side's book", items=items)
    if book.monsters:
        yield Section(2, "Other monsters in the house", items=[_monster(one) for one in book.monsters])
    if book.tokens:
        yield Section(2, "Other tokens in the house", items=[_piece(one) for one in book.tokens])
    if book.counters:
        kept = [f"{one.title}: {one.value}{f' of {one.max}' if one.max is not None else ''}" for one in book.counters]
        yield Section(2, "Counters", items=kept)
    if book.notes:
        yield Section(2, "Notes", items=book.notes)


def all_sections(pack: Pack, haunt: Haunt, players: int = 0, edition: Edition | None = None) -> Iterator[Section]:
    """Both books of a haunt that nobody plays yet; with `players` in the numbers of a game for so many.

    They are worded for an `edition` that plays the pack, if that is not its own.
    """
    w = Wording(pack, within=haunt, numbers=Known(players) if players else None, edition=edition)
    yield Section(1, haunt.title, story=[filled(haunt.story, haunt, w.numbers)], items=public_rules(w, haunt))
    for side in haunt.books:
        yield from _side(told_in(side_book(w, haunt, side), haunt, w.numbers))


def _side(book: SideBook) -> Iterator[Section]:
    yield Section(2, SHARED_BOOK if book.shared else BOOKS[book.side], story=[book.story])
    yield from _right_now(book.right_now)
    yield Section(3, "Who wins" if book.shared else "How you win", lines=[book.goal, *book.wins])
    if book.actions:
        yield Section(3, "What you can do", items=[f"{one.title}: {one.text}" for one in book.actions])
    if book.locations:
        yield Section(3, "Important locations", items=[_location(one) for one in book.locations])
    if book.rules:
        yield Section(3, "What happens by itself", items=book.rules)
    if book.monsters:
        yield Section(3, "Monsters", items=[_monster(one) for one in book.monsters])
    if book.tokens:
        yield Section(3, "Tokens", items=[_piece(one) for one in book.tokens])
    if book.items:
        yield Section(3, "Items", items=[_piece(one) for one in book.items])
    if book.left:
        yield Section(3, "When nobody is left on a side", items=book.left)


def _location(one: LocationView) -> str:
    return f"{one.title} ({enumerated(list(one.floors), 'or')})"


def _right_now(words: str) -> Iterator[Section]:
    if words:
        yield Section(3, "Right now", lines=[capital(words.removeprefix("Right now: "))])


def _monster(one: MonsterText) -> str:
    named = one.rules[:1] if one.rules[:1] and one.rules[0].startswith(one.title) else [f"{one.title}.", *one.rules[:1]]
    return " ".join([*named, *one.rules[1:], one.text]).strip()


def _piece(one: PieceText) -> str:
    return " ".join([f"{one.title}.", *one.rules, one.text]).strip()


def as_markdown(parts: Iterable[Section]) -> str:
    """Markdown, with everything in it escaped."""
    lines: list[str] = []
    for part in parts:
        lines += [f"{'#' * part.level} {plain(part.heading)}", ""]
        for paragraph in filter(None, part.story):
            lines += [f"> {plain(paragraph)}", ""]
        for paragraph in filter(None, part.lines):
            lines += [plain(paragraph), ""]
        if part.items:
            lines += [*(f"- {plain(item)}" for item in part.items), ""]
    return "\n".join(lines).rstrip() + "\n"


STYLE = """
body { font: 11pt/1.45 Georgia, "Times New Roman", serif; max-width: 42em; margin: 2em auto; padding: 0 1em; color: #1c1c1c; background: #fff; }
h1, h2, h3 { font-weight: 600; line-height: 1.2; break-after: avoid; }
h2 { margin-top: 2em; border-bottom: 1px solid #999; break-before: page; }
h1 + * + h2, h2:first-of-type { break-before: auto; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid #999; font-style: italic; }
li { margin: .35em 0; break-inside: avoid; }
@media print { body { margin: 0; max-width: none; } }
"""


def as_html(title: str, parts: Iterable[Section]) -> str:
    """A page of its own: no script, no link, no picture, nothing from elsewhere."""
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
    ]
    for part in parts:
        lines.append(f"<h{part.level}>{escape(part.heading)}</h{part.level}>")
        lines += [f"<blockquote>{escape(paragraph)}</blockquote>" for paragraph in filter(None, part.story)]
        lines += [f"<p>{escape(paragraph)}</p>" for paragraph in filter(None, part.lines)]
        if part.items:
            lines += ["<ul>", *(f"<li>{escape(item)}</li>" for item in part.items), "</ul>"]
    return "\n".join(lines) + "\n"
