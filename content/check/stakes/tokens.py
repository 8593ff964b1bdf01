"""Tokens: they work for the side that puts them down, they change something, and an action asks for the one that it places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.sense.aims import changed
from content.check.sense.goals import OTHER, Wants, side_of, succeeding, wants_of
from content.check.sense.lists import asked_in, conjuncts, steps_below
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt, Trigger
from content.vocabulary.values import Condition, Rooms

_WHO: dict[Side, str] = {"heroes": "the heroes", "traitor": "the traitor"}
_DOES: dict[Side, str] = {"heroes": "put", "traitor": "puts"}


def turned(survey: Survey) -> Iterator[Finding]:
    """A token does not work for the side that takes it away, nor against the side that puts it down."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        friends = _friends(haunt, survey)
        for step in _of(haunt, survey, Effect):
            if step.inside(Trigger) is None:
                continue
            for token, lies, name, way in _by_tokens(step):
                side = friends.get(token)
                if side is None:
                    continue
                foe = OTHER[side] if lies else side
                if _wins_by(name, way, foe, haunt, wants) and not _wins_by(name, way, OTHER[foe], haunt, wants):
                    kind, _, thing = name.partition(" ")
                    where = "lies" if lies else "is gone"
                    message = f"where the `{token}` {where} there is {'more' if way > 0 else 'less'} of the {kind} `{thing}`, which helps {_WHO[foe]}"
                    hint = f"and it is {_WHO[side]} who {_DOES[side]} the `{token}` down: turn the condition round?"
                    yield Finding(step.trail, message, hint, severity="warning")


def another(survey: Survey) -> Iterator[Finding]:
    """Who asks that no token of a kind lies here places one of that kind, not of another."""
    for haunt in survey.of(Haunt):
        actions = _of(haunt, survey, Action)
        for action in actions:
            asked = {one.value for one in asked_in(action.value.if_) if one.field in {"token", "token_in_house"}}
            absent = {one.value for one in asked_in(action.value.if_) if one.field == "token" and not one.holds}
            here = _placed_here(action)
            others = {token for one in actions if one is not action for token in _placed_here(one)}
            for token in sorted(here - asked):
                strange = sorted(str(name) for name in (absent & others) - here)
                if strange and absent and not here & absent:
                    message = f"this asks that no `{strange[0]}` lies here, and places a `{token}`"
                    yield Finding(
                        action.at("if"), message, f"ask `not: {{token: {token}}}`", key=True, severity="warning"
                    )


def _friends(haunt: Spot[Haunt], survey: Survey) -> dict[str, Side]:
    """By token: the side that alone puts it down, while the other alone takes it away."""
    makers: dict[str, set[Side | None]] = {}
    for action in _of(haunt, survey, Action):
        side = side_of(action)
        for step in succeeding(action, action.value.do):
            if step.value.place_token is not None:
                makers.setdefault(step.value.place_token.token, set()).add(side)
            if step.value.remove_token is not None:
                makers.setdefault(step.value.remove_token.token, set()).add(OTHER[side] if side else None)
    found = {token: next(iter(sides)) for token, sides in makers.items() if len(sides) == 1}
    return {token: side for token, side in found.items() if side is not None}


def _by_tokens(step: Spot[Effect]) -> Iterator[tuple[str, bool, str, int]]:
    """Which token lies or is gone where a step brings more or less of what."""
    for name, way in changed(step.value):
        at = getattr(step.value.place_monster or step.value.place_token, "at", None)
        if isinstance(at, Rooms):
            yield from (
                (token, lies, name, way) for token, lies in ((at.with_token, True), (at.without_token, False)) if token
            )
        elif isinstance(at, str) and at.startswith("token:"):
            yield at.removeprefix("token:"), True, name, way
        inner = step.trail
        above: Spot[Any] | None = step
        while above is not None:
            asks = getattr(above.value, "if_", None)
            if isinstance(asks, Condition):
                holds = len(inner) <= len(above.trail) or inner[len(above.trail)] != "else"
                yield from ((token, lies == holds, name, way) for token, lies in _tokens_in(asks))
            above = above.above


def _tokens_in(condition: Condition) -> Iterator[tuple[str, bool]]:
    for part in conjuncts(condition):
        for one, lies in ((part, True), (part.not_, False)):
            if one is not None:
                yield from ((token, lies) for token in (one.token, one.token_in_house) if token)


def _placed_here(action: Spot[Action]) -> set[str]:
    steps = (step.value.place_token for step in steps_below(action))
    return {placed.token for placed in steps if placed is not None and placed.at == "here"}


def _of(haunt: Spot[Haunt], survey: Survey, kind: type[Any]) -> list[Spot[Any]]:
    return survey.inside(haunt, kind)


def _wins_by(name: str, way: int, side: Side, haunt: Spot[Haunt], wants: dict[Side, Wants]) -> bool:
    kind, _, thing = name.partition(" ")
    monster = haunt.value.monsters.get(thing) if kind == "monster" else None
    return name in (wants[side].high if way > 0 else wants[side].low) or (monster is not None and monster.side == side)
