"""A haunt from the players' own printed books: its number, title and traitor come from the chart, everything else is what was entered.

The haunt's sheet is made from a state's entries, so that each role has the sheet of what it was told, and replay,
snapshots and folds need nothing else. An entry replaces an earlier one of the same name; triggers add up.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from content.survey import Spot, walk
from content.vocabulary.effects import HauntRoll
from content.vocabulary.entry import Entry
from content.vocabulary.haunts import Kind
from content.vocabulary.pack import Action, Book, Chart, Haunt, Pack, Trigger
from domain.facts import state as domain_state
from domain.facts.state import Entered, State

EXTERNAL = "external"
"""The id of such a haunt, and the value of the game's option `haunt` that asks for it."""

ON_THE_TABLE = ("monsters", "tokens", "counters", "items")
"""Parts of an entry that everybody learns, because the pieces are in the open (2E-SEC-002)."""

IDENTIFICATION = ("number", "scenario", "trigger", "traitor_rule")
"""Parts of an entry that are compared with what led to the haunt, and not kept (3E-START-002)."""

IN_THE_BOOK = tuple(name for name in Entry.__struct_fields__ if name not in {*ON_THE_TABLE, *IDENTIFICATION, "traitor"})
"""Parts that only the book's side reads; other events tell who the traitor is."""

READ_IT = "Read it in your own book, and enter what it asks for."


def is_external(state: State) -> bool:
    """Whether the haunt in play is one from the players' own books."""
    return state.haunt is not None and state.haunt.id == EXTERNAL


def kind_of(chart: Chart, number: int, traitor: int = -1) -> Kind:
    """The haunt's kind by the printed chart; where the chart names nobody, a traitor may be named later."""
    rule = chart.traitors[str(number)]
    if rule.hidden:
        return "hidden-traitor"
    if rule.free_for_all:
        return "free-for-all"
    return "no-traitor" if rule.none and traitor < 0 else "one-traitor"


def empty_sheet(chart: Chart, number: int, traitor: int = -1) -> Haunt:
    """The haunt of a number before anything was entered."""
    kind = kind_of(chart, number, traitor)
    empty = Book(story=READ_IT, goal="As your book says.")
    return Haunt(
        id=EXTERNAL,
        title=chart.titles.get(str(number), f"Haunt {number}"),
        stage="stable",
        kind=kind,
        traitor=chart.traitors[str(number)],
        story=f"Haunt {number} of your own books.",
        heroes=None if kind == "free-for-all" else empty,
        traitor_book=empty if kind in ("one-traitor", "free-for-all") else None,
    )


def key_of(chart: Chart, haunt: domain_state.Haunt) -> bytes:
    """What tells one sheet from another."""
    kind = kind_of(chart, haunt.number, haunt.traitor)
    return msgspec.json.encode((haunt.number, kind, haunt.entries))


def sheet_of(chart: Chart, haunt: domain_state.Haunt) -> Haunt:
    """The haunt as far as it was entered: later parts replace earlier ones of the same name."""
    sheet = empty_sheet(chart, haunt.number, haunt.traitor)
    entries = [one.entry for one in haunt.entries]
    books = {side: _book(book, haunt.entries, side, one_book=sheet.one_book) for side, book in sheet.books.items()}
    return msgspec.structs.replace(
        sheet,
        counters={name: counter for entry in entries for name, counter in entry.counters.items()},
        monsters={name: kind for entry in entries for name, kind in entry.monsters.items()},
        tokens=list({token.id: token for entry in entries for token in entry.tokens}.values()),
        items=list({card.id: card for entry in entries for card in entry.items}.values()),
        blocks={block_name(one.number): one.entry.do for one in haunt.entries if one.entry.do},
        heroes=books.get("heroes"),
        traitor_book=books.get("traitor"),
    )


def event_of(pack: Pack, number: int) -> str:
    """The event that begins the haunt of this number; empty if none does."""
    for card in pack.cards:
        if any(isinstance(spot.value, HauntRoll) and spot.value.number == number for spot in walk(Spot((), card))):
            return card.id
    return ""


def block_name(number: int) -> str:
    """The block of the haunt that holds the steps of an entry."""
    return f"entry-{number}"


def _book(empty: Book, entries: Iterable[Entered], side: str, *, one_book: bool) -> Book:
    found = [one.entry for one in entries if one_book or one.book == side]
    actions: dict[str, Action] = {action.word: action for entry in found for action in entry.actions}
    on: list[Trigger] = [trigger for entry in found for trigger in entry.on]
    goal = next((entry.goal for entry in reversed(found) if entry.goal), empty.goal)
    winning = next((entry for entry in reversed(found) if entry.wins_when is not None), None)
    plays_on = next((entry.plays_on for entry in reversed(found) if entry.plays_on is not None), None)
    return msgspec.structs.replace(
        empty,
        goal=goal,
        actions=list(actions.values()),
        on=on,
        wins_when=winning.wins_when if winning is not None else None,
        because=winning.because if winning is not None else "",
        plays_on=plays_on,
        texts={name: text for entry in found for name, text in entry.notes.items()},
    )


def part_of(entry: Entry, names: Iterable[str]) -> Entry:
    """The entry with these fields alone."""
    written = msgspec.structs.asdict(entry)
    return Entry(**{name: written[name] for name in names})


def is_empty(entry: Entry) -> bool:
    """Whether it says nothing."""
    return entry == Entry()
