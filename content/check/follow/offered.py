"""What is offered and can't be done, or is never chosen: too late, without the card that is taken, with nobody left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.form.amounts import by_players
from content.check.sense.goals import side_of
from content.check.sense.lists import conjuncts
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect, Option
from content.vocabulary.pack import Action, Card, Haunt, PackHead, Trigger
from content.vocabulary.values import Condition, Each, Value

_COMPARED = ("counter", "count", "number")
_GOOD = ("heal", "gain", "give", "draw", "extra_turn")


def when_it_is_over(survey: Survey) -> Iterator[Finding]:
    """Nothing waits for what ends the game."""
    players = [str(count) for head in survey.of(PackHead) for count in head.value.players]
    deeds: list[Spot[Any]] = [*survey.of(Action), *survey.of(Trigger)]
    for deed in deeds:
        haunt = deed.inside(Haunt)
        if haunt is None or deed.value.if_ is None or not players:
            continue
        asked = list(conjuncts(deed.value.if_))
        for book, side in ((haunt.value.heroes, "heroes"), (haunt.value.traitor_book, "traitor")):
            goal = book.wins_when if book is not None else None
            ways = [] if goal is None else (goal.any or []) if goal.stated().keys() == {"any"} else [goal]
            if all(any(_follows(way, asked, number) for way in ways) for number in players):
                wins = "the heroes have won" if side == "heroes" else "the traitor has won"
                message = f"the game is over when this holds, for {wins}"
                yield Finding(deed.at("if"), message, "ask for less", key=True, severity="warning")


def _follows(goal: Condition, asked: list[Condition], players: str) -> bool:
    """Whether a goal holds wherever some conditions hold."""
    return all(_said(part, asked, players) for part in conjuncts(goal))


def _said(part: Condition, asked: list[Condition], players: str) -> bool:
    for field, value in part.stated().items():
        if field in _COMPARED:
            alike = [one for one in asked if getattr(one, field) == value]
            if not any(_as_much(part, one, players) for one in alike):
                return False
        elif field not in {"all", "at_least", "at_most"} and not any(getattr(one, field) == value for one in asked):
            return False
    return True


def _as_much(goal: Condition, asked: Condition, players: str) -> bool:
    """Whether a comparison asks for as much as that of the goal."""
    least, most = _number(goal.at_least, players), _number(goal.at_most, players)
    low, high = _number(asked.at_least, players), _number(asked.at_most, players)
    enough = goal.at_least is None or (least is not None and low is not None and low >= least)
    return enough and (goal.at_most is None or (most is not None and high is not None and high <= most))


def _number(value: Value | None, players: str) -> int | None:
    table = by_players(value) or {}
    return table.get(players, table.get(""))


def without_the_card(survey: Survey) -> Iterator[Finding]:
    """An action that does nothing but take a card is offered to whoever has such a card."""
    items = {spot.value.id for spot in survey.of(Card) if spot.value.deck == "item"}
    for action in survey.of(Action):
        deed = action.value
        if action.inside(Haunt) is None or deed.for_ != "explorers" or action.inside(Card) is not None:
            continue
        lost = [
            one.lose_card for one in deed.do if one.lose_card is not None and not {"who", "if_"} & one.stated().keys()
        ]
        if not lost or len(lost) < len(deed.do) or any(one.card is not None or one.kind == "any" for one in lost):
            continue
        if not any(_has(lost[0].kind, part, items) for part in conjuncts(deed.if_)):
            has = "has-item: not-weapon" if lost[0].kind == "not-weapon" else "has-item: true"
            message = "this is offered to explorers without such a card as well, and does nothing then"
            yield Finding(action.at("do"), message, f"ask `if: {{{has}}}`", key=True, severity="warning")


def _has(kind: str, condition: Condition, items: set[str]) -> bool:
    """Whether a condition holds only for who has an item of a kind."""
    if condition.any is not None and all(
        any(_has(kind, part, items) for part in conjuncts(way)) for way in condition.any
    ):
        return True
    if kind == "item":
        return bool(condition.has_item) or condition.carrying in items
    return condition.has_item == "not-weapon"


def nobody_left(survey: Survey) -> Iterator[Finding]:
    """Whoever acts is alive, and so is whom they name as their target."""
    for action in survey.of(Action):
        deed = action.value
        if action.inside(Haunt) is None or deed.for_ != "explorers":
            continue
        target = deed.target
        heroes = int(side_of(action) == "heroes")
        if isinstance(target, Each) and target.each == "hero" and (target.besides_you or not heroes):
            heroes += 1
        alive = {"living-heroes": heroes, "heroes": heroes, "living": max(heroes, 1), "all": max(heroes, 1)}
        for part in conjuncts(deed.if_):
            there = alive.get(part.count.explorers or "", 0) if part.count is not None else 0
            most = by_players(part.at_most)
            if most and max(most.values()) < there:
                message = f"this never holds: at least {there} of them {'is' if there == 1 else 'are'} alive here"
                yield Finding(action.at("if"), message, f"write `at-most: {there}`?", key=True, severity="warning")
            elif part.dead == "all-heroes" and heroes:
                message = "this never holds: at least 1 hero is alive here"
                yield Finding(action.at("if"), message, "leave it out", key=True, severity="warning")


def outdone(survey: Survey) -> Iterator[Finding]:
    """No option does all that another one does, and more good besides."""
    for step in survey.of(Effect):
        haunt, options = step.inside(Haunt), step.value.choose or []
        if haunt is None:
            continue
        side: Side | None = "heroes" if haunt.value.kind == "no-traitor" else side_of(step)
        for index, option in enumerate(options):
            better = next((one for one in options if one is not option and _is_more(one, option, side)), None)
            if better is not None:
                message = f"nobody chooses this: `{better.id}` does the same, and more good besides"
                trail = step.at("choose", index)
                yield Finding(trail, message, f"let `{better.id}` do less, or cost something", severity="warning")


def _is_more(better: Option, option: Option, side: Side | None) -> bool:
    if not option.do or (better.if_ is not None and better.if_ != option.if_):
        return False
    more = list(better.do)
    for step in option.do:
        if step not in more:
            return False
        more.remove(step)
    return bool(more) and all(_does_good(step, side) for step in more)


def _does_good(step: Effect, side: Side | None) -> bool:
    own = isinstance(step.who, Each) and side is not None and step.who.each == {"heroes": "hero"}.get(side, side)
    return (step.who in (None, "you") or own) and any(getattr(step, verb) is not None for verb in _GOOD)
