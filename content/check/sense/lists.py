"""Lists of steps as a whole, the blocks that they run included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from content.check.form.amounts import by_players
from content.errors import Trail
from content.survey import Spot, walk
from content.vocabulary.effects import CounterChange, Effect
from content.vocabulary.pack import Book, Haunt
from content.vocabulary.values import Condition


class Asked(NamedTuple):
    """One thing that a condition asks for, or excludes."""

    field: str
    value: object
    holds: bool


def steps_below(spot: Spot[Any]) -> Iterator[Spot[Effect]]:
    """Every step in a Struct of a haunt, and in the blocks that it runs, each block once."""
    haunt = spot.inside(Haunt)
    blocks = dict(haunt.value.blocks) if haunt is not None else {}
    waiting = [spot]
    while waiting:
        for one in walk(waiting.pop()):
            if isinstance(one.value, Effect):
                yield one
                if haunt is not None and one.value.run in blocks:
                    name = one.value.run or ""
                    steps = blocks.pop(name)
                    waiting += [Spot(haunt.at("blocks", name, index), step, haunt) for index, step in enumerate(steps)]


def placed_first(haunt: Haunt, players: str) -> Counter[str]:
    """How many monsters and tokens have certainly come when both sides have done what they do *Right now*.

    Left out is what goes to a room that may not be there, and what may be gone again: `monster rat`, `monster any`, `token seal`.
    """
    begun = [step for book in (haunt.heroes, haunt.traitor_book) if book is not None for step in book.right_now]
    gone = set[str]()
    for step in [*begun, *(step for block in haunt.blocks.values() for step in block)]:
        effects = [one.value for one in walk(Spot((), step)) if isinstance(one.value, Effect)]
        gone |= {f"token {one.remove_token.token}" for one in effects if one.remove_token is not None}
        gone |= {"monster" for one in effects if one.kill is not None}
    found = _placed(begun, haunt, players, {})
    return Counter({name: number for name, number in found.items() if not gone & {name, name.split()[0]}})


def _placed(steps: list[Effect], haunt: Haunt, players: str, ran: dict[str, Counter[str]]) -> Counter[str]:
    """What steps place whatever happens; each block is gone through once."""
    found = Counter[str]()
    for step in steps:
        if step.if_ is not None or step.may is not None or step.who is not None:
            continue
        for placed, names in (
            (step.place_monster, [f"monster {step.place_monster.kind}", "monster any"] if step.place_monster else []),
            (step.place_token, [f"token {step.place_token.token}"] if step.place_token else []),
        ):
            if placed is not None and isinstance(placed.at, str) and not placed.at.startswith("token:"):
                table = by_players(placed.count) or {}
                found.update(dict.fromkeys(names, table.get(players, table.get("", 0))))
        if step.run is not None and step.run in haunt.blocks:
            if step.run not in ran:
                ran[step.run] = Counter()
                ran[step.run] = _placed(haunt.blocks[step.run], haunt, players, ran)
            found.update(ran[step.run])
    return found


def asked_in(condition: Condition | None, *, holds: bool = True) -> Iterator[Asked]:
    """Everything that a condition names, in each of its parts; what stands under an odd number of `not` is excluded."""
    if condition is None:
        return
    for field, value in condition.stated().items():
        if field == "not_":
            yield from asked_in(condition.not_, holds=not holds)
        elif field in {"all", "any"}:
            for part in getattr(condition, field):
                yield from asked_in(part, holds=holds)
        else:
            yield Asked(field, value, holds)


def conditions_around(spot: Spot[Any]) -> Iterator[Asked]:
    """Everything that is asked for before a step is done: by itself, and by what it stands in."""
    inner: Trail = spot.trail
    above: Spot[Any] | None = spot
    while above is not None:
        asks = getattr(above.value, "if_", None)
        if isinstance(asks, Condition):
            depth = len(above.trail)
            yield from asked_in(asks, holds=len(inner) <= depth or inner[depth] != "else")
        above = above.above


def moves(change: CounterChange | None) -> int:
    """1 if a counter goes up, -1 if it goes down, 0 if it is set or stays."""
    table = by_players(change.by) if change is not None and change.by is not None else None
    values = list(table.values()) if table else []
    return 1 if any(value > 0 for value in values) else -1 if any(value < 0 for value in values) else 0


def wanted(book: Book | None) -> set[str]:
    """Counters that a book's goal wants high."""
    goal = book.wins_when if book is not None else None
    parts = [] if goal is None else _parts(goal)
    return {part.counter for part in parts if part.counter is not None and part.at_least is not None}


def _parts(condition: Condition) -> list[Condition]:
    inner = [*(condition.all or ()), *(condition.any or ())]
    return [condition, *(part for one in inner for part in _parts(one))]


def conjuncts(condition: Condition | None) -> Iterator[Condition]:
    """Return a condition and those that have to hold with it."""
    if condition is not None:
        yield condition
        for part in condition.all or ():
            yield from conjuncts(part)
