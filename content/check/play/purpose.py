"""What works against its purpose: steps that help the other side, results turned round, the same said twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, PlaceMonster
from content.vocabulary.outcomes import parse
from content.vocabulary.pack import Haunt
from content.vocabulary.values import Condition, Number, Place, Rooms


def sent_by_the_others(survey: Survey) -> Iterator[Finding]:
    """A monster comes by the book of its side."""
    for spot in survey.of(PlaceMonster):
        haunt = spot.inside(Haunt)
        monster = haunt.value.monsters.get(spot.value.kind) if haunt is not None else None
        if monster is not None and monster.side == "heroes" and spot.trail[2] == "traitor-book":
            message = f"the traitor's book brings `{spot.value.kind}`, which is on the side `heroes`"
            yield Finding(spot.at("kind"), message, "write `side: traitor`, or leave it out", severity="warning")


def turned(survey: Survey) -> Iterator[Finding]:
    """Of a task it is the high roll that succeeds, and somebody who changes sides was on the other one."""
    for spot in survey.of(Effect):
        effect = spot.value
        if effect.roll is not None and effect.roll.task and effect.outcomes:
            spans = {key: span.low for key in effect.outcomes if (span := parse(key)) is not None}
            best = max(spans, key=lambda key: spans[key], default="")
            lower = [key for key in spans if key != best and any(map(_succeeds, effect.outcomes[key]))]
            if best and not effect.outcomes[best] and lower:
                message = f"a low roll succeeds here, and `{best}` leads to nothing"
                yield Finding(
                    spot.at("outcomes", best), message, "let the high roll succeed", key=True, severity="warning"
                )
        if effect.change_side is not None and effect.who is None and "instead-of-death" in spot.trail:
            side = "heroes" if spot.trail[2] == "heroes" else "traitor"
            if effect.change_side == side:
                other = "traitor" if side == "heroes" else "heroes"
                yield Finding(spot.at("change-side"), f"they are on the side `{side}` already", f"write `{other}`")


def _succeeds(effect: Effect) -> bool:
    return any(verb is not None for verb in (effect.win, effect.give, effect.count, effect.place_token))


def same(survey: Survey) -> Iterator[Finding]:
    """Branches differ, and nothing is counted or asked twice."""
    for spot in survey.of(Effect):
        outcomes = spot.value.outcomes or {}
        if (
            any(outcomes.values())
            and len(outcomes) > 1
            and all(branch == next(iter(outcomes.values())) for branch in outcomes.values())
        ):
            message = "every result leads to the same: the roll decides nothing"
            yield Finding(spot.at("outcomes"), message, key=True, severity="warning")
        if spot.value.then is not None and spot.value.then == spot.value.else_:
            yield Finding(spot.at("else"), "this is the same as `then`", key=True, severity="warning")
    for number in survey.of(Number):
        yield from _twice(number, "sum", number.value.sum or [])
    for condition in survey.of(Condition):
        yield from _twice(condition, "all", condition.value.all or [])
        yield from _twice(condition, "any", condition.value.any or [])


def _twice(spot: Spot[Any], field: str, parts: list[Any]) -> Iterator[Finding]:
    for index, part in enumerate(parts):
        if part in parts[:index]:
            yield Finding(spot.at(field, index), f"this stands in `{field}` already", severity="warning")


def too_soon(survey: Survey) -> Iterator[Finding]:
    """As the haunt begins, nothing goes to a token that is placed later only."""
    names = list(survey.strings(Place))
    for haunt in survey.of(Haunt):
        own = {token.id for token in haunt.value.tokens}
        steps = survey.inside(haunt, Effect)
        first = [spot for spot in steps if "right-now" in spot.trail]
        if any(spot.value.run is not None for spot in first):
            first += [spot for spot in steps if spot.trail[2] == "blocks"]
        placed = {spot.value.place_token.token for spot in first if spot.value.place_token is not None}
        for spot, trail, text in names:
            name = text.removeprefix("token:")
            if spot.trail[:2] == haunt.trail and "right-now" in trail and text != name and name in own - placed:
                yield Finding(
                    trail, f"no `{name}` lies in the house yet: nothing happens", "place one before this step"
                )
        for rooms in survey.of(Rooms):
            named = {"with-token": rooms.value.with_token, "next-to-token": rooms.value.next_to_token}
            for field, wanted in named.items():
                if rooms.trail[:2] == haunt.trail and "right-now" in rooms.trail and wanted in own - placed:
                    message = f"no `{wanted}` lies in the house yet: nothing happens"
                    yield Finding(rooms.at(field), message, "place one before this step")
