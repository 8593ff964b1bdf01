"""What was copied and not changed: the same title or deed twice, both sides' words alike, one of several that breaks the row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from content.check.sense.data import TEXTS
from content.check.sense.lists import asked_in
from content.errors import Finding, Trail
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Book, Haunt
from content.vocabulary.values import Condition

ROW = 3
"""So many pieces of the same shape are a row."""

Leaf = tuple[Trail, Any]


def titles(survey: Survey) -> Iterator[Finding]:
    """Things of a haunt have titles of their own, and so have the actions of a book."""
    for haunt in survey.of(Haunt):
        value = haunt.value
        named: list[tuple[Trail, str, str]] = []
        named += [(haunt.at("tokens", index, "title"), "thing", one.title) for index, one in enumerate(value.tokens)]
        named += [(haunt.at("items", index, "title"), "thing", one.title) for index, one in enumerate(value.items)]
        named += [(haunt.at("monsters", name, "title"), "thing", one.title) for name, one in value.monsters.items()]
        named += [(haunt.at("counters", name, "title"), "counter", one.title) for name, one in value.counters.items()]
        for action in survey.of(Action):
            if action.trail[:2] == haunt.trail and action.value.title:
                named.append(
                    (action.at("title"), f"action {action.trail[2:-1]} {action.value.for_}", action.value.title)
                )
        seen = set[tuple[str, str]]()
        for trail, kind, title in named:
            if (kind, title.lower()) in seen:
                yield Finding(
                    trail, f"another {kind.split()[0]} has the title `{title}`", "tell them apart", severity="warning"
                )
            seen.add((kind, title.lower()))


def both_books(survey: Survey) -> Iterator[Finding]:
    """The sides read different stories, goals and endings."""
    for haunt in survey.of(Haunt):
        book, heroes = haunt.value.traitor_book, haunt.value.heroes
        if book is None or heroes is None:
            continue
        for field in ("story", "goal", "because", "ending"):
            text = getattr(book, field)
            if text and text == getattr(heroes, field):
                message = f"the heroes' book has the same `{field}`"
                yield Finding(haunt.at("traitor-book", field), message, "write the traitor's own", severity="warning")
        wins = [step for step in survey.inside(haunt, Effect) if step.value.win is not None]
        said = {heroes.because: "heroes", book.because: "traitor"}
        for step in wins:
            win = step.value.win
            if win is not None and said.setdefault(win.because, win.side) != win.side:
                message = "the other side wins by the same words"
                yield Finding(step.at("win", "because"), message, "say how this side wins", severity="warning")


def deeds(survey: Survey) -> Iterator[Finding]:
    """No two actions of a book ask for the same and do the same."""
    seen: dict[tuple[Trail, bytes], Spot[Action]] = {}
    for action in survey.of(Action):
        if action.inside(Haunt) is None:
            continue
        bare = msgspec.structs.replace(action.value, word="", title="")
        first = seen.setdefault((action.trail[:-1], msgspec.json.encode(bare)), action)
        if first is not action:
            message = f"this does the same as `{first.value.word}`"
            yield Finding(action.at("word"), message, "change what was copied", severity="warning")


def given(survey: Survey) -> Iterator[Finding]:
    """Who asks that one item is not in play gives that item."""
    for step in survey.of(Effect):
        haunt = step.inside(Haunt)
        if haunt is None or step.value.give is None:
            continue
        above: Spot[Any] | None = step
        while above is not None and not isinstance(getattr(above.value, "if_", None), Condition):
            above = above.above
        if above is None or "else" in step.trail[len(above.trail) :]:
            continue
        absent = [
            str(one.value) for one in asked_in(above.value.if_) if one.field in {"in_play", "held"} and not one.holds
        ]
        if absent and step.value.give not in absent:
            message = f"this asks whether `{absent[0]}` is in play, and gives `{step.value.give}`"
            yield Finding(step.at("give"), message, f"write `give: {absent[0]}`", severity="warning")


def hints(survey: Survey) -> Iterator[Finding]:
    """No hint stands in a book twice."""
    for book in survey.of(Book):
        for index, seek in enumerate(book.value.seek):
            if seek in book.value.seek[:index]:
                yield Finding(
                    book.at("seek", index),
                    "this hint stands here already",
                    "leave it out, or name what was meant",
                    severity="warning",
                )


def rows(survey: Survey) -> Iterator[Finding]:
    """Of several that are alike but for one name each has its own, and where all others agree none stands apart."""
    for haunt in survey.of(Haunt):
        known = _names(haunt.value)
        for trail, row in _rows(haunt):
            told = set[int]()
            for place in range(len(row[0])):
                yield from _odd(trail, row, place, known, told)


def _odd(
    trail: Trail, row: Sequence[Sequence[Leaf]], place: int, known: dict[str, str], told: set[int]
) -> Iterator[Finding]:
    column = [member[place] for member in row]
    values = [value for _, value in column]
    if not all(isinstance(value, str) and value in known for value in values) or len({known[v] for v in values}) > 1:
        return
    counts = Counter(values)
    lone = [value for value, count in counts.items() if count == 1]
    missing = sorted(name for name, kind in known.items() if kind == known[values[0]] and name not in counts)
    if len(counts) == len(values) - 1 and missing and len(values) > ROW - 1 and len(lone) >= 1:
        index = next(at for at, value in enumerate(values) if value in values[:at])
        if index not in told:
            told.add(index)
            message = f"`{values[index]}` stands in this row twice, and `{missing[0]}` never"
            yield Finding((*trail, *column[index][0]), message, f"write `{missing[0]}`?", severity="warning")
    elif len(counts) == 2 and len(lone) == 1 and len(values) > ROW:  # noqa: PLR2004 - one and all others
        index = values.index(lone[0])
        usual = next(value for value in counts if value != lone[0])
        others = [[value for _, value in member] for member in row]
        changed = [usual if at == place else value for at, value in enumerate(others[index])]
        if index not in told and changed not in others:  # else it says what no other does, and means it
            told.add(index)
            message = f"all others in this row say `{usual}`, and this says `{lone[0]}`"
            yield Finding((*trail, *column[index][0]), message, f"write `{usual}`?", severity="warning")


def _rows(haunt: Spot[Haunt]) -> Iterator[tuple[Trail, list[list[Leaf]]]]:
    """Lists of which all members have the same shape, each member as its leaves."""
    waiting: list[tuple[Trail, Any]] = [(haunt.trail, msgspec.to_builtins(haunt.value))]
    while waiting:
        trail, value = waiting.pop(0)
        if isinstance(value, dict):
            waiting += [((*trail, key), one) for key, one in value.items() if key not in TEXTS]
        elif isinstance(value, list):
            waiting += [((*trail, index), one) for index, one in enumerate(value)]
            members = [list(_leaves((index,), one)) for index, one in enumerate(value)]
            shapes = {tuple(path[1:] for path, _ in member) for member in members}
            if len(members) >= ROW and len(shapes) == 1 and next(iter(shapes)):
                yield trail, members


def _leaves(trail: Trail, value: Any) -> Iterator[Leaf]:  # noqa: ANN401 - plain data
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in TEXTS:
                yield from _leaves((*trail, key), one)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _leaves((*trail, index), one)
    else:
        yield trail, value


def _names(haunt: Haunt) -> dict[str, str]:
    names = {token.id: "token" for token in haunt.tokens} | {item.id: "item" for item in haunt.items}
    return names | dict.fromkeys(haunt.monsters, "monster") | dict.fromkeys(haunt.counters, "counter")
