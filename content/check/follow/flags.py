"""What is kept to be asked for: values that are never set, marks that nothing heeds, clocks and flags that never go back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from content.check.form.amounts import by_players
from content.check.sense.aims import RHYTHMS
from content.check.sense.goals import guards, wants_of
from content.check.sense.lists import conjuncts, moves, steps_below
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt, Trigger
from content.vocabulary.values import Condition, Count, Place, Rooms, Value

SLIGHT = ("roll", "stop", "damage", "lose", "lose_card", "discard", "tell", "run")
"""Verbs of a deed that is done for nothing but the mark that it leaves."""

TOGETHER = 2
"""A goal that asks for so much is not reached by what can be done once."""


def never_set(survey: Survey) -> Iterator[Finding]:
    """What a counter is compared with it can be: some step sets it to that."""
    for haunt in survey.of(Haunt):
        for name, counter in haunt.value.counters.items():
            tables = [by_players(step.value.count.to) for step in _counting(haunt, survey, name) if step.value.count]
            if not tables or any(table is None for table in tables):
                continue  # something moves it, or sets it to what can't be told
            values = {counter.start}.union(*((table or {}).values() for table in tables))
            for spot in survey.of(Condition):
                if spot.trail[:2] != haunt.trail or spot.value.counter != name or "seek" in spot.trail:
                    continue
                low, high = _bounds(spot.value)
                if low is not None and high is not None and not any(low <= value <= high for value in values):
                    wanted = f"{low}" if low == high else f"{low} to {high}"
                    told = ", ".join(map(str, sorted(values)))
                    message = f"`{name}` is never {wanted}: it is set to {told}"
                    yield Finding(spot.at("counter"), message, f"set it to {low} somewhere", severity="warning")


def _bounds(condition: Condition) -> tuple[int | None, int | None]:
    """Between what a counter is asked to be, where that is the same with any number of players."""

    def alone(value: Value | None, default: int) -> int | None:
        if value is None:
            return default
        return value if isinstance(value, int) else None

    return alone(condition.at_least, 0), alone(condition.at_most, 10**9)


def _counting(haunt: Spot[Haunt], survey: Survey, counter: str) -> list[Spot[Effect]]:
    """The steps that move a counter."""
    steps = survey.inside(haunt, Effect)
    return [step for step in steps if step.value.count is not None and step.value.count.counter == counter]


def heeded_by_nothing(survey: Survey) -> Iterator[Finding]:
    """A token does something, or something else depends on it, not only what puts it there and takes it away."""
    for haunt in survey.of(Haunt):
        for index, token in enumerate(haunt.value.tokens):
            if token.on or token.actions or token.always or token.links or token.links_alike:
                continue
            asked = [spot for spot in survey.spots if spot.trail[:2] == haunt.trail and _asks(spot.value, token.id)]
            asked = [spot for spot in asked if "seek" not in spot.trail]
            if asked and not any(_matters(spot, token.id) for spot in asked) and not _named(haunt, survey, token.id):
                message = f"nothing depends on `{token.id}` but what places it and takes it away"
                hint = "ask for it where it is to help or to hinder"
                yield Finding(haunt.at("tokens", index, "id"), message, hint, severity="warning")


def _asks(value: object, token: str) -> bool:
    match value:
        case Condition():
            return token in {value.token, value.token_in_house}
        case Count():
            return value.tokens == token
        case Rooms():
            return token in {value.with_token, value.without_token}
    return False


def _named(haunt: Spot[Haunt], survey: Survey, token: str) -> bool:
    """Whether a place is given by the token."""
    return any(spot.trail[:2] == haunt.trail and text == f"token:{token}" for spot, _, text in survey.strings(Place))


def _matters(spot: Spot[Any], token: str) -> bool:
    """Whether more depends on a question for a token than where such tokens lie."""
    step = spot.inside(Effect)
    if isinstance(spot.value, Rooms) and step is not None and _only(step.value, token):
        return False
    deed = spot.inside(Action, Trigger)
    return deed is None or not all(_only(one.value, token) for one in steps_below(deed))


def _only(effect: Effect, token: str) -> bool:
    """Whether a step does nothing that matters but to put such a token somewhere, or take it away."""
    placed, gone = effect.place_token, effect.remove_token
    if placed is not None:
        return placed.token == token
    if gone is not None:
        return gone.token == token
    verb = effect.verb()
    return verb is None or verb[0] in SLIGHT


class Bolt(NamedTuple):
    """Something that a deed asks for and undoes for good: a counter that has to be low, a token that must not be there."""

    kind: str
    name: str


def once_for_all(survey: Survey) -> Iterator[Finding]:
    """What has to be done several times does not bar itself for ever."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        for name in haunt.value.counters:
            steps = [
                step for step in _counting(haunt, survey, name) if step.value.count and moves(step.value.count) > 0
            ]
            bolts = [_bolts(step, haunt, survey) for step in steps]
            shared = sorted(set.intersection(*bolts)) if bolts else []
            goal = f"counter {name}" in wants["heroes"].high | wants["traitor"].high
            if goal and shared and _goal(haunt, survey, name) >= TOGETHER and max(map(_by, steps)) < TOGETHER:
                bolt = shared[0]
                back = (
                    f"`{bolt.name}` never goes back" if bolt.kind == "counter" else f"nothing takes `{bolt.name}` away"
                )
                message = f"`{name}` can be counted only once: {back}"
                hint = (
                    f"set `{bolt.name}` back"
                    if bolt.kind == "counter"
                    else f"write `remove-token: {{token: {bolt.name}}}`"
                )
                yield Finding(steps[0].at("count"), message, hint, key=True, severity="warning")


def _by(step: Spot[Effect]) -> int:
    table = by_players(step.value.count.by) if step.value.count is not None else None
    return max(table.values()) if table else TOGETHER


def _goal(haunt: Spot[Haunt], survey: Survey, counter: str) -> int:
    """The most of a counter that a goal asks for."""
    asked = [spot.value for spot in survey.inside(haunt, Condition) if spot.value.counter == counter]
    return max([0, *(number for one in asked for number in (by_players(one.at_least) or {}).values())])


def _bolts(step: Spot[Effect], haunt: Spot[Haunt], survey: Survey) -> set[Bolt]:
    """What is asked before a step, and undone beside it, and never made good again."""
    beside = [one.value for one in survey.of(Effect) if one.trail[:-1] == step.trail[:-1] and one.value.if_ is None]
    found = set()
    for part in (part for condition in guards(step) for part in conjuncts(condition)):
        raised = [one.count for one in beside if one.count is not None and one.count.counter == part.counter]
        most = (by_players(part.at_most) or {}).values()
        name = part.counter or ""
        shut = bool(raised and most) and part.at_least is None and max(most) <= haunt.value.counters[name].start
        if shut and not _goes_back(haunt, survey, name, max(most)):
            found.add(Bolt("counter", name))
        absent = part.not_.token_in_house if part.not_ is not None else None
        placed = {one.place_token.token for one in beside if one.place_token is not None}
        if absent is not None and absent in placed and not _removed(haunt, survey, absent):
            found.add(Bolt("token", absent))
    return found


def _goes_back(haunt: Spot[Haunt], survey: Survey, counter: str, low: int) -> bool:
    """Whether some step lowers a counter, or sets it so low."""
    for step in _counting(haunt, survey, counter):
        change = step.value.count
        if change is not None and change.to is not None:
            values = (by_players(change.to) or {"": 0}).values()
            if min(values) <= low:
                return True
        elif change is not None and moves(change) <= 0:
            return True
    return False


def _removed(haunt: Spot[Haunt], survey: Survey, token: str) -> bool:
    gone = [one.value.remove_token for one in survey.inside(haunt, Effect)]
    return any(one is not None and one.token == token for one in gone)


def goes_on(survey: Survey) -> Iterator[Finding]:
    """A clock that measures two stretches of the game starts anew between them."""
    for step in survey.of(Effect):
        haunt, trigger = step.inside(Haunt), step.inside(Trigger)
        if haunt is None or trigger is None or trigger.value.when not in RHYTHMS or step.value.if_ is None:
            continue
        first, second = _struck(step, "then"), _struck(step, "else")
        for name in sorted(first.keys() & second.keys()):
            if _goes_back(haunt, survey, name, 0) or name in {part.counter for part in conjuncts(step.value.if_)}:
                continue
            early, late = sorted((first[name], second[name]))
            if late - early < early:
                message = f"`{name}` never starts anew: from {early} it is {late - early} more to {late}"
                hint = f"write `count: {{counter: {name}, to: 0}}` when the first is over"
                yield Finding(step.at("else"), message, hint, key=True, severity="warning")


def _struck(step: Spot[Effect], field: str) -> dict[str, int]:
    """The counters that have to have come to something in a branch of a step, and to what."""
    found = {}
    for effect in (step.value.then if field == "then" else step.value.else_) or ():
        for part in conjuncts(effect.if_):
            if part.counter is not None and isinstance(part.at_least, int) and part.at_most is None:
                found[part.counter] = part.at_least
    return found


def after_the_last_hour(survey: Survey) -> Iterator[Finding]:
    """What waits for a round comes before the clock has ended the game."""
    for haunt in survey.of(Haunt):
        last = _last_round(haunt, survey)
        for spot in survey.of(Condition):
            asked = spot.value.round_at_least
            if spot.trail[:2] == haunt.trail and asked is not None and last is not None and asked > last:
                message = f"the game is over by then: the clock ends it in round {last}"
                yield Finding(spot.at("round-at-least"), message, "name an earlier round", severity="warning")


def _last_round(haunt: Spot[Haunt], survey: Survey) -> int | None:
    """The round in which a clock has ended the game with any number of players, where it does."""
    ends = []
    for name, counter in haunt.value.counters.items():
        steps = _counting(haunt, survey, name)
        ticks = [step for step in steps if step.above is not None and _ticks(step.above) and step.value.if_ is None]
        if len(steps) != 1 or len(ticks) != 1 or _by(steps[0]) != 1 or steps[0].value.count is None:
            continue
        goals = [goal for book in haunt.value.books.values() for goal in (book.wins_when, book.loses_when)]
        alone = [one for goal in goals if goal is not None for one in goal.any or [goal] if one.counter == name]
        tables = [by_players(one.at_least) for one in alone if one.stated().keys() == {"counter", "at_least"}]
        ends += [max(table.values()) - counter.start for table in tables if table]
    return min(ends, default=None)


def _ticks(above: Spot[Any]) -> bool:
    return isinstance(above.value, Trigger) and above.value.when == "round-started" and above.value.if_ is None
