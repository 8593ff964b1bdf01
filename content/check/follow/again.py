"""What can be done again and again, what is counted for nothing, and what is counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.follow.ways import Root, Way, roots, roots_of, ways
from content.check.form.amounts import by_players
from content.check.play.possible import UNBOUNDED
from content.check.sense.goals import OTHER, Wants, best_of, side_of, wants_of
from content.check.sense.lists import asked_in, conditions_around, conjuncts, moves, steps_below
from content.errors import Finding, Trail
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, Option
from content.vocabulary.pack import Action, Book, Haunt
from content.vocabulary.values import Condition, Rooms
from content.vocabulary.verbs import Token

Gain = tuple[str, int]
"""A counter, and 1 if it goes up, -1 if it goes down."""

PAYS = ("lose_card", "discard", "take", "fetch", "give", "win", "escape")
"""Verbs that take something out of somebody's hands, or end it all."""


def stays_and_counts(survey: Survey) -> Iterator[Finding]:
    """Of several things that are there to be done away with, each serves once."""
    for haunt in survey.of(Haunt):
        wants = _wanted(haunt, survey)
        many = _many(haunt, survey)
        for action in survey.of(Action):
            if action.trail[:2] != haunt.trail or action.value.once is not None:
                continue
            steps = list(steps_below(action))
            for token in sorted(many & _asked_tokens(action.value.if_)):
                title = next((one.title for one in haunt.value.tokens if one.id == token), "")
                counts = [one for one in steps if _names(haunt, one.value, title) & wants]
                if counts and not _spent(token, action, steps):
                    message = f"the `{token}` stays where it is, and counts again and again"
                    hint = f"write `remove-token: {{token: {token}}}` beside it"
                    yield Finding(counts[0].at("count"), message, hint, severity="warning")


def _names(haunt: Spot[Haunt], effect: Effect, title: str) -> set[Gain]:
    """The counter that a step moves, if its title speaks of several such things."""
    last = title.lower().rpartition(" ")[2]
    several = {f"{last}s", f"{last}es", f"{last.removesuffix('y')}ies"}
    counter = haunt.value.counters.get(effect.count.counter) if effect.count is not None else None
    return _gain(effect) if counter is not None and several.intersection(counter.title.lower().split()) else set()


def _spent(token: str, action: Spot[Action], steps: list[Spot[Effect]]) -> bool:
    """Whether a deed takes the token away, or leaves something that keeps it from being done here again."""
    barred = {str(one.value) for one in asked_in(action.value.if_) if not one.holds}
    for step in (one.value for one in steps):
        if step.remove_token is not None and step.remove_token.token == token:
            return True
        if step.place_token is not None and step.place_token.token in barred:
            return True
        if step.move is not None or any(getattr(step, verb) is not None for verb in PAYS):
            return True
    return False


def _many(haunt: Spot[Haunt], survey: Survey) -> set[str]:
    """Tokens of which there can be several in the house."""
    placed: dict[str, int] = {}
    for step in survey.of(Effect):
        found = step.value.place_token
        if step.trail[:2] == haunt.trail and found is not None:
            table = by_players(found.count) or {"": 2}
            once = "right-now" in step.trail and not isinstance(found.at, Rooms)
            placed[found.token] = placed.get(found.token, 0) + (max(table.values()) if once else 2)
    return {name for name, count in placed.items() if count > 1}


def _asked_tokens(condition: Condition | None) -> set[str]:
    return {part.token for part in conjuncts(condition) if part.token is not None}


def spoilt(survey: Survey) -> Iterator[Finding]:
    """A failed roll takes away nothing of which there are only as many as the goal needs."""
    for haunt in survey.of(Haunt):
        laid = survey.inside(haunt, Token)
        for action in survey.of(Action):
            if action.trail[:2] != haunt.trail or (side := side_of(action)) is None:
                continue
            needed = _needed(haunt.value.heroes if side == "heroes" else haunt.value.traitor_book)
            for token in sorted(_asked_tokens(action.value.if_)):
                own = [one for one in laid if one.value.token == token]
                first = [one for one in own if "right-now" in one.trail]
                most = sum(max((by_players(one.value.count) or {"": UNBOUNDED}).values()) for one in first)
                later = [one for one in own if one not in first and side_of(one) != OTHER[side]]
                if not first or later or most > needed:
                    continue
                for step, key in _losing(action, token):
                    message = f"a failed roll takes the `{token}` away as well, and the goal needs every one of them"
                    hint = "leave it where it is"
                    yield Finding(step.at("outcomes", key), message, hint, key=True, severity="warning")


def _needed(book: Book | None) -> int:
    """How many the goal of a book asks for, at most."""
    goal = book.wins_when if book is not None else None
    parts = [] if goal is None else [part for way in (goal.any or [goal]) for part in conjuncts(way)]
    numbers = [number for part in parts for number in (by_players(part.at_least) or {}).values()]
    return max(numbers, default=0)


def _losing(action: Spot[Action], token: str) -> Iterator[tuple[Spot[Effect], str]]:
    """Rolls that take a token away whether they succeed or fail, each with the result that fails."""
    for step in steps_below(action):
        outcomes = step.value.outcomes or {}
        best = best_of(outcomes)
        if step.value.roll is None or not any(_takes(token, one) for one in outcomes.get(best, ())):
            continue
        for key, steps in outcomes.items():
            if key != best and steps and all(_takes(token, one) for one in steps) and len(outcomes[best]) > 1:
                yield step, key


def _takes(token: str, effect: Effect) -> bool:
    return effect.remove_token is not None and effect.remove_token.token == token


def _wanted(haunt: Spot[Haunt], survey: Survey) -> set[Gain]:
    """Moves of counters that bring either side nearer to its goal."""
    sides: list[Wants] = list(wants_of(haunt, survey).values())
    high = {(name.removeprefix("counter "), 1) for side in sides for name in side.high if name.startswith("counter ")}
    return high | {
        (name.removeprefix("counter "), -1) for side in sides for name in side.low if name.startswith("counter ")
    }


def _gain(effect: Effect) -> set[Gain]:
    """The counter that a step moves, and which way."""
    way = moves(effect.count)
    return {(effect.count.counter, way)} if effect.count is not None and way else set()


def all_for_one(survey: Survey) -> Iterator[Finding]:
    """Who does away with one thing, and counts one, leaves the others."""
    for haunt in survey.of(Haunt):
        wants, many = _wanted(haunt, survey), _many(haunt, survey)
        for root in roots_of(haunt, survey):
            asked = _asked_tokens(getattr(root.home.value, "if_", None))
            found = ways(root)
            counted = {gain for one in found for gain in _gain(one.step.value)}
            for way in found:
                gone = way.step.value.remove_token
                if gone is None or not gone.all or gone.token not in many & asked:
                    continue
                if counted & wants:
                    message = f"this takes every `{gone.token}` of the house away, and one is counted"
                    hint = "leave `all` out"
                    yield Finding(way.step.at("remove-token"), message, hint, key=True, severity="warning")


def counted_twice(survey: Survey) -> Iterator[Finding]:
    """On one way through the steps, a counter moves once."""
    told = set[Trail]()
    for root in roots(survey):
        for way in ways(root):
            change = way.step.value.count
            if change is None or not moves(change) or way.step.trail in told or way.step.value.if_ is not None:
                continue
            for one in way.before:
                before = one.value.count
                if before is None or before.counter != change.counter or moves(before) != moves(change):
                    continue
                if one.trail[:-1] == way.step.trail[:-1] and one.value == way.step.value:
                    continue  # `order.twice` tells of it
                if _level(one, way.before) & _level(way.step, way.before):
                    told.add(way.step.trail)
                    message = f"`{change.counter}` was moved before on this way, so it counts twice"
                    yield Finding(way.step.at("count"), message, "leave one of them out", severity="warning")
                    break


def _level(step: Spot[Effect], before: tuple[Spot[Effect], ...]) -> set[Trail]:
    """The lists in which a step stands, or the block in which it stands is run."""
    runs = [one for one in before if step.trail[2:4] == ("blocks", one.value.run)]
    return {step.trail[:-1]}.union(*(_level(one, before) for one in runs if one.trail[:4] != step.trail[:4]))


def paid_by_nobody(survey: Survey) -> Iterator[Finding]:
    """Who has no card to lose gains nothing by losing it."""
    for root in roots(survey):
        for way in ways(root):
            change = way.step.value.count
            if change is None or not moves(change) or not way.before:
                continue
            price = way.before[-1]
            lost = price.value.lose_card
            beside = price.trail[:-1] == way.step.trail[:-1]
            if lost is not None and lost.card is None and beside and price.value.who is None and not _has(way):
                message = "who has no card to lose pays nothing, and this is counted all the same"
                yield Finding(way.step.at("count"), message, "write it under `then` of that step", severity="warning")


def _has(way: Way) -> bool:
    asked = list(conditions_around(way.step))
    return any(one.field in {"has_item", "carrying"} and one.holds for one in asked)


def put_down(survey: Survey) -> Iterator[Finding]:
    """What is given up for a goal does not lie there to be picked up and given up again."""
    for haunt in survey.of(Haunt):
        wants = _wanted(haunt, survey)
        for root in roots_of(haunt, survey):
            for way in ways(root):
                lost = way.step.value.lose_card
                if lost is not None and lost.to == "floor" and _counted_for(way, root) & wants:
                    message = "the card can be picked up again, and counted again"
                    hint = "leave `to: floor` out"
                    yield Finding(way.step.at("lose-card", "to"), message, hint, severity="warning")


def _counted_for(way: Way, root: Root) -> set[Gain]:
    """What is counted because of a step: under its `then`, or after it."""
    return {gain for one in ways(root) if way.step in one.before for gain in _gain(one.step.value)}


def keeps_the_price(survey: Survey) -> Iterator[Finding]:
    """A deed that asks for an item takes one."""
    deeds: list[Spot[Any]] = [*survey.of(Action), *survey.of(Option)]
    for spot in deeds:
        asks = [part.has_item for part in conjuncts(spot.value.if_)]
        steps = [step.value for step in steps_below(spot)]
        if spot.inside(Haunt) is None or not any(asks) or not steps:
            continue
        if not any(getattr(step, verb) is not None for step in steps for verb in PAYS):
            message = "this asks for an item, and takes none"
            yield Finding(spot.at("if"), message, "write `lose-card: {kind: item}`", key=True, severity="warning")
