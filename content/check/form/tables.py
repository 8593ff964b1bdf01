"""Outcome tables and tables by player count: whole, without gap or overlap (2E-ROLL-004, 2E-DEATH-003)."""

from collections.abc import Iterator, Mapping

from content.errors import Finding, listed
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, Roll
from content.vocabulary.outcomes import AT_LEAST, LESS, Span, parse
from content.vocabulary.pack import PackHead
from content.vocabulary.values import Number

FACES = 2
"""The highest face of a die (2E-ROLL-001)."""

HIGHEST = 8 * FACES
"""What a trait roll can come to before additions: 8 dice (2E-COMP-004), as many as the highest trait of all."""


def outcomes(survey: Survey) -> Iterator[Finding]:
    """`outcomes` is beside a roll, and covers every result of it exactly once."""
    for spot in survey.of(Effect):
        effect = spot.value
        if effect.outcomes is None:
            continue
        if effect.roll is None and effect.roll_each is None:
            yield Finding(spot.at("outcomes"), "`outcomes` needs `roll` or `roll-each` beside it", key=True)
        elif effect.roll is not None and effect.roll.against is not None:
            yield from _against(spot, effect.outcomes)
        else:
            yield from _spans(spot, effect.outcomes, _highest(effect.roll))


def players(survey: Survey) -> Iterator[Finding]:
    """A table by players names every number of players that the pack is for, and no other."""
    counts = {str(count) for head in survey.of(PackHead) for count in head.value.players}
    for spot in survey.of(Number):
        if spot.value.players is None:
            continue
        for key in spot.value.players:
            if key not in counts:
                message = f"the pack is not played by `{key}`: its numbers of players are {listed(sorted(counts))}"
                yield Finding(spot.at("players", key), message, key=True)
        if missing := sorted(counts - spot.value.players.keys()):
            yield Finding(spot.at("players"), f"nothing is said for {listed(missing)} players", key=True)


def _highest(roll: Roll | None) -> int:
    """Return the highest result that a table must answer."""
    if roll is None or roll.dice is None:
        return HIGHEST
    extra = max(roll.extra_dice, 0)
    match roll.dice:
        case int(dice):
            return FACES * (dice + extra)
        case Number(players=dict(table)) if table:
            return FACES * (max(table.values()) + extra)
    return HIGHEST


def _against(spot: Spot[Effect], table: Mapping[str, object]) -> Iterator[Finding]:
    for key in table:
        if key not in {AT_LEAST, LESS}:
            message = f"`{key}` is no outcome of a roll against a number: they are `{AT_LEAST}` and `{LESS}`"
            yield Finding(spot.at("outcomes", key), message, key=True)
    if missing := [key for key in (AT_LEAST, LESS) if key not in table]:
        yield Finding(spot.at("outcomes"), f"the outcome {listed(missing)} is missing", key=True)


def _spans(spot: Spot[Effect], table: Mapping[str, object], highest: int) -> Iterator[Finding]:
    spans: list[tuple[Span, str]] = []
    for key in table:
        if (span := parse(key)) is None:
            yield Finding(spot.at("outcomes", key), f"`{key}` is no outcome", _meant(key), key=True)
        elif span.low > highest:
            message = f"`{key}` never happens: this roll comes to at most {highest}"
            yield Finding(spot.at("outcomes", key), message, key=True)
        else:
            spans.append((span, key))
    if len(spans) < len(table):
        return  # gaps would only repeat what was said
    following, before = 0, ""
    for span, key in sorted(spans, key=lambda pair: pair[0].low):
        if span.low < following:
            yield Finding(spot.at("outcomes", key), f"`{key}` overlaps `{before}`", key=True)
        elif span.low > following:
            message = f"no outcome for {_gap(following, span.low - 1)}, below `{key}`"
            yield Finding(spot.at("outcomes", key), message, key=True)
        reach = highest if span.high is None else span.high
        if reach >= following:
            following, before = reach + 1, key
    if following <= highest:
        hint = f"write `{before.split('-')[0]}+`" if before else ""
        yield Finding(spot.at("outcomes"), f"no outcome for {following} and more", hint, key=True)


def _gap(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _meant(key: str) -> str:
    """Turn what people write for a span into what is read: `5 +`, `>=5`, `2 - 4`, `4-2`, `2..4`."""
    plain = key.replace(" ", "").replace("..", "-").replace("–", "-")  # noqa: RUF001 - people do type a dash
    if plain.startswith((">=", "≥")):
        plain = plain.lstrip(">=≥") + "+"
    low, dash, high = plain.partition("-")
    if dash and low.isdecimal() and high.isdecimal() and int(low) > int(high):
        plain = f"{high}-{low}"
    return f"did you mean `{plain}`?" if plain != key and parse(plain) else "write `5+`, `2-4` or `0`"
