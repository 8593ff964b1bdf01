"""The ways through the steps of a haunt: what is done, and what was certainly done before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from content.errors import Trail
from content.survey import Spot, Survey
from content.vocabulary.abilities import Action, Trigger
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Book, Haunt

Steps = list[Spot[Effect]]


class Root(NamedTuple):
    """A list of steps of a haunt that stands in no other step and is no block."""

    home: Spot[Any]
    """The action, trigger, book or haunt that has it."""
    field: str
    steps: Steps
    haunt: Spot[Haunt]


class Way(NamedTuple):
    """A step, and what is done before it in the same root whenever it is done."""

    step: Spot[Effect]
    before: tuple[Spot[Effect], ...]


def roots(survey: Survey) -> Iterator[Root]:
    """All lists of steps that something in a haunt leads to."""
    for haunt in survey.of(Haunt):
        yield from roots_of(haunt, survey)


def roots_of(haunt: Spot[Haunt], survey: Survey) -> Iterator[Root]:
    """All lists of steps that something in one haunt leads to."""
    homes: list[tuple[Spot[Any], str]] = [(haunt, "revealed")]
    homes += [(book, field) for book in survey.inside(haunt, Book) for field in ("right-now", "instead-of-death")]
    homes += [(deed, "do") for deed in (*survey.inside(haunt, Action), *survey.inside(haunt, Trigger))]
    for home, field in homes:
        steps = getattr(home.value, field.replace("-", "_"))
        if steps:
            yield Root(home, field, _spots(home.at(field), steps, home), haunt)


def ways(root: Root) -> list[Way]:
    """All steps of a root, those of blocks, results and options among them."""
    found: list[Way] = []
    _walk(root.steps, (), root.haunt, found, frozenset())
    return found


def _walk(
    steps: Steps, before: tuple[Spot[Effect], ...], haunt: Spot[Haunt], found: list[Way], ran: frozenset[str]
) -> tuple[Spot[Effect], ...]:
    for step in steps:
        effect = step.value
        found.append(Way(step, before))
        sure = effect.if_ is None and effect.may is None
        after = (*before, step) if sure else before
        for branch in _branches(step):
            _walk(branch, after, haunt, found, ran)
        if effect.run is not None and effect.run in haunt.value.blocks and effect.run not in ran:
            trail = haunt.at("blocks", effect.run)
            block = _spots(trail, haunt.value.blocks[effect.run], haunt)
            done = _walk(block, after, haunt, found, ran | {effect.run})
            after = done if sure else after
        before = after
    return before


def _branches(step: Spot[Effect]) -> Iterator[Steps]:
    effect = step.value
    for field, branch in (("then", effect.then), ("else", effect.else_)):
        yield _spots(step.at(field), branch or [], step)
    for key, branch in (effect.outcomes or {}).items():
        yield _spots(step.at("outcomes", key), branch, step)
    for index, option in enumerate(effect.choose or ()):
        chosen = Spot(step.at("choose", index), option, step)
        yield _spots(chosen.at("do"), option.do, chosen)


def _spots(trail: Trail, steps: list[Effect], above: Spot[Any]) -> Steps:
    return [Spot((*trail, index), step, above) for index, step in enumerate(steps)]
