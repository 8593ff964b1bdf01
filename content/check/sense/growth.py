"""What grows, comes back and pays: monsters that come only where there are many, tokens that are gone for good, low rolls that help."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from content.check.form.amounts import by_players
from content.check.sense.lists import asked_in, conditions_around, moves, steps_below
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import CounterChange, Effect, Roll
from content.vocabulary.outcomes import parse
from content.vocabulary.pack import Action, Haunt
from content.vocabulary.values import Condition, Number


def more_of_many(survey: Survey) -> Iterator[Finding]:
    """Monsters come where there are few of them, not only where there are many."""
    for spot in survey.of(Condition):
        count, most = spot.value.count, spot.value.at_most
        least = by_players(spot.value.at_least) if spot.value.at_least is not None else None
        holder = spot.inside(Effect, Action)
        if count is None or count.monsters is None or not least or most is not None or "not" in spot.trail:
            continue
        if holder is None or spot.trail[:-1] != holder.trail or max(least.values()) <= 1:
            continue
        placed = {one.value.place_monster.kind for one in steps_below(holder) if one.value.place_monster is not None}
        if count.monsters in placed:
            message = f"`{count.monsters}` comes only where there are many already"
            yield Finding(spot.at("at-least"), message, "write `at-most`?", key=True, severity="warning")


def gone_for_good(survey: Survey) -> Iterator[Finding]:
    """A token that is taken away can come back by what places it later."""
    for haunt in survey.of(Haunt):
        steps = survey.inside(haunt, Effect)
        removed = {step.value.remove_token.token for step in steps if step.value.remove_token is not None}
        placing: dict[str, list[Spot[Effect]]] = {}
        for step in steps:
            if step.value.place_token is not None and "right-now" not in step.trail and "blocks" not in step.trail:
                placing.setdefault(step.value.place_token.token, []).append(step)
        for token in sorted(removed & placing.keys()):
            if all(_asks_for(step, token) for step in placing[token]):
                message = f"this asks for a `{token}`, so once all are gone none is placed again"
                yield Finding(
                    placing[token][0].at("place-token"), message, "ask for its absence?", key=True, severity="warning"
                )


def stays_behind(survey: Survey) -> Iterator[Finding]:
    """A counter that goes up with each token that is placed goes down with each that is taken away."""
    for haunt in survey.of(Haunt):
        actions = survey.inside(haunt, Action)
        lists = [(action, [step.value for step in steps_below(action)]) for action in actions]
        pairs = {
            (change.counter, effect.place_token.token)
            for _, steps in lists
            for effect in steps
            for change in _changes(steps, 1)
            if effect.place_token is not None
        }
        for action, steps in lists:
            here = {one.value for one in asked_in(action.value.if_) if one.field == "token" and one.holds}
            gone = {effect.remove_token.token for effect in steps if effect.remove_token is not None}
            for change in _changes(steps, -1):
                for token in sorted(token for counter, token in pairs if counter == change.counter):
                    if token in here - gone:
                        message = f"`{change.counter}` goes down, and the `{token}` that it counts stays"
                        hint = f"add `remove-token: {{token: {token}}}`"
                        yield Finding(action.at("do"), message, hint, key=True, severity="warning")


def low_helps(survey: Survey) -> Iterator[Finding]:
    """Of a task, no low result helps where a higher one does not."""
    for step in survey.of(Effect):
        roll, outcomes = step.value.roll, step.value.outcomes
        if roll is None or not roll.task or not outcomes:
            continue
        spans = {key: span.low for key in outcomes if (span := parse(key)) is not None}
        keys = sorted(spans, key=lambda key: spans[key])
        for index, key in enumerate(keys[:-1]):
            if any(map(_helps, outcomes[key])) and any(not outcomes[higher] for higher in keys[index + 1 :]):
                message = f"`{key}` helps, and a higher result does nothing"
                yield Finding(
                    step.at("outcomes", key), message, "let the high roll succeed", key=True, severity="warning"
                )


def lacking_helps(survey: Survey) -> Iterator[Finding]:
    """More dice are for those who have something, not for those who lack it."""
    for spot in survey.of(Roll):
        if (spot.value.extra_dice or 0) <= 0:
            continue
        for one in asked_in(spot.value.extra_if):
            if one.field == "carrying" and not one.holds:
                message = f"whoever lacks `{one.value}` rolls more dice"
                yield Finding(spot.at("extra-if"), message, "leave `not` out", key=True, severity="warning")


def strikes_each_turn(survey: Survey) -> Iterator[Finding]:
    """A clock strikes with the rounds, not with each turn of everybody."""
    for spot in survey.of(CounterChange):
        from_trigger = spot.trail[3:4] == ("on",)
        haunt = spot.inside(Haunt)
        if haunt is None or not from_trigger:
            continue
        book = haunt.value.heroes if spot.trail[2] == "heroes" else haunt.value.traitor_book
        trigger = book.on[int(spot.trail[4])] if book is not None else None
        if trigger is None or trigger.when not in {"turn-started", "turn-ended"} or trigger.if_ is not None:
            continue
        if trigger.for_ == "everyone" and trigger.once is None:
            message = f"`{spot.value.counter}` moves in everybody's turn, so more explorers make it go faster"
            yield Finding((*spot.trail[:5], "when"), message, "write `when: round-started`", severity="warning")


def jumps(survey: Survey) -> Iterator[Finding]:
    """With one player more a number does not get more than twice as high."""
    for spot in survey.of(Number):
        table = spot.value.players
        if table is None or spot.inside(Haunt) is None or not all(key.isdecimal() for key in table):
            continue
        for key, following in pairwise(sorted(table, key=int)):
            if table[following] > 2 * table[key] + 2:
                message = f"this jumps from {table[key]} with {key} explorers to {table[following]} with {following}"
                yield Finding(spot.at("players", following), message, "is a digit too much?", severity="warning")


def _asks_for(step: Spot[Effect], token: str) -> bool:
    asked = [one for one in conditions_around(step) if one.field in {"token", "token_in_house"} and one.value == token]
    return bool(asked) and all(one.holds for one in asked)


def _changes(steps: list[Effect], way: int) -> list[CounterChange]:
    return [effect.count for effect in steps if effect.count is not None and moves(effect.count) == way]


def _helps(effect: Effect) -> bool:
    return effect.gain is not None or effect.heal is not None or effect.give is not None or moves(effect.count) > 0
