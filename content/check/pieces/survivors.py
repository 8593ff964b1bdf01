"""What a pack asks of its haunts beyond their shape: their sections, and what follows when nobody is left on a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from content.check.pieces.haunts import FIELDS
from content.check.sense.goals import guards
from content.errors import Finding
from content.survey import Spot, Survey, walk
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.haunts import Kind
from content.vocabulary.pack import Haunt, HauntForm, PackHead, Trigger
from content.vocabulary.values import Condition, Each, Number, Value

Gone = Literal["heroes", "traitor", "all but one", "all"]
"""Of whom nobody is alive in the house any more."""

SECTIONS = {"story": "introduction", "goal": "objective", "ending": "closing text"}

LIVING: dict[Gone, int] = {"heroes": 1, "all but one": 1, "all": 0}
"""How many explorers are alive then at the most."""


def sections(survey: Survey) -> Iterator[Finding]:
    """Every book has the sections that the pack asks for (3E-ANAT-001)."""
    for form in _forms(survey):
        for haunt in survey.of(Haunt):
            for side, book in haunt.value.books.items():
                for section in form.sections:
                    if not getattr(book, section).strip():
                        message = f"the {SECTIONS[section]} is missing: `{section}`"
                        yield Finding(haunt.at(FIELDS[side]), message, "every book of this pack has one", key=True)
            heroes = haunt.value.heroes
            hidden = haunt.value.kind == "hidden-traitor" and "ending" in form.sections
            if hidden and heroes is not None and not heroes.ending_lost.strip():
                message = "the closing text for the traitor is missing: `ending-lost`"
                yield Finding(haunt.at("heroes"), message, "every book of this pack has one", key=True)


def nobody_left(survey: Survey) -> Iterator[Finding]:
    """Each haunt of a pack that asks for it says what follows when nobody is left on a side (3E-END-002)."""
    if not any(form.nobody_left for form in _forms(survey)):
        return
    for haunt in survey.of(Haunt):
        for side, gone, who, hint in LEFT[haunt.value.kind]:
            field = FIELDS[side]
            if side in haunt.value.books and not any(_ends(haunt, one) for one in gone):
                if gone == ("traitor",) and _minds_the_traitor(haunt):
                    continue
                yield Finding(haunt.at(field), f"nothing says what follows when {who}", hint, key=True)


LEFT: Mapping[Kind, tuple[tuple[Side, tuple[Gone, ...], str, str], ...]] = {
    "one-traitor": (
        (
            "traitor",
            ("heroes",),
            "no hero is left",
            "let `wins-when` hold then, as by `{count: {explorers: living-heroes}, at-most: 0}`",
        ),
        (
            "traitor",
            ("traitor",),
            "the traitor is dead",
            "write `plays-on` here, or let the heroes' `wins-when` hold by `{dead: traitor}`",
        ),
    ),
    "hidden-traitor": (
        ("heroes", ("heroes",), "no hero is left", "let `loses-when` hold then"),
        (
            "heroes",
            ("traitor",),
            "the traitor is dead",
            "let `wins-when` hold by `{dead: traitor}`, or write `plays-on`",
        ),
    ),
    "no-traitor": (("heroes", ("all",), "nobody is left", "let `loses-when` hold then"),),
    "free-for-all": (
        (
            "traitor",
            ("all but one", "all"),
            "nobody is left, or only one",
            "let `wins-when` hold of the last, or `loses-when` if nobody is left",
        ),
    ),
}
"""By kind: whose book has to say it, whoever is gone, in words, and how it can be said."""


def _forms(survey: Survey) -> list[HauntForm]:
    return [head.value.haunts for head in survey.of(PackHead) if head.value.haunts is not None]


def _ends(haunt: Spot[Haunt], gone: Gone) -> bool:
    """Whether the game certainly ends once nobody of a side is left."""
    case = _Case(haunt.value, gone)
    for book in haunt.value.books.values():
        if case.holds(book.wins_when) or case.holds(book.loses_when):
            return True
    steps = [spot for spot in walk(haunt) if isinstance(spot.value, Effect) and spot.value.win is not None]
    return any(spot.inside(Trigger) is not None and all(case.holds(guard) for guard in guards(spot)) for spot in steps)


def _minds_the_traitor(haunt: Spot[Haunt]) -> bool:
    """Whether something in the haunt asks for the traitor's death, or says how monsters go on after it."""
    if any(book.plays_on is not None for book in haunt.value.books.values()):
        return True
    asked = [spot.value for spot in walk(haunt) if isinstance(spot.value, Condition)]
    return any(one.dead == "traitor" or one.traitor == "dead" for one in asked)


class _Case:
    """What is certain of conditions while nobody of a side is alive in the house."""

    def __init__(self, haunt: Haunt, gone: Gone) -> None:
        self._kind = haunt.kind
        self._gone = gone
        steps = [spot.value for spot in walk(Spot(("haunts", 0), haunt)) if isinstance(spot.value, Effect)]
        self._leaving = any(step.escape is not None or step.remove is not None for step in steps)

    def holds(self, condition: Condition | None) -> bool:
        """Whether a condition certainly holds."""
        return condition is not None and self._told(condition) is True

    def _told(self, condition: Condition) -> bool | None:
        """Whether a condition holds; None if that is open."""
        parts = [self._part(condition, field, value) for field, value in _parts(condition)]
        return _and(parts)

    def _part(self, condition: Condition, field: str, value: object) -> bool | None:
        told: bool | None = None
        match field, value:
            case "all", list():
                told = _and([self._told(one) for one in value])
            case "any", list():
                parts = [self._told(one) for one in value]
                told = True if True in parts else None if None in parts else False
            case "not_", Condition():
                inner = self._told(value)
                told = None if inner is None else not inner
            case "phase", str():
                told = value == "haunt"
            case "dead", str():
                told = self._dead(value)
            case "traitor", "dead":
                told = True if self._gone == "traitor" and self._kind == "one-traitor" else None
            case "count", _:
                told = self._counted(condition)
            case "there_is", Each(each="hero" | "explorer" as each):
                told = False if self._gone == "all" or (self._gone, each) == ("heroes", "hero") else None
        return told

    def _dead(self, who: str) -> bool | None:
        if who == "traitor":
            return True if self._gone == "traitor" else None
        if self._leaving:
            return None  # they may have left the house alive
        if who == "any-explorer":
            return True
        return True if self._gone in {"heroes", "all"} else None

    def _counted(self, condition: Condition) -> bool | None:
        most = self._most(condition.count.explorers) if condition.count is not None else None
        if most is None:
            return None
        if condition.at_most is not None and condition.at_least is None:
            return True if most <= _number(condition.at_most, min) else None
        least = 1 if condition.at_least is None else _number(condition.at_least, max)
        return False if most < least else None

    def _most(self, explorers: str | None) -> int | None:
        """How many explorers of those can still be there."""
        if explorers == "living-heroes" and self._gone in {"heroes", "all"}:
            return 0
        return LIVING.get(self._gone) if explorers == "living" else None


def _parts(condition: Condition) -> list[tuple[str, object]]:
    """What a condition asks for, without the numbers that belong to `count`."""
    return [(field, value) for field, value in condition.stated().items() if field not in {"at_least", "at_most"}]


def _and(told: list[bool | None]) -> bool | None:
    return False if False in told else None if None in told else True


def _number(value: Value, worst: Callable[[list[int]], int]) -> int:
    """The number, for whichever number of players it is hardest to reach; one that nothing reaches if it is counted in play."""
    if isinstance(value, Number):
        return worst(list(value.players.values())) if value.players else (-1 if worst is min else 1_000_000)
    return value
