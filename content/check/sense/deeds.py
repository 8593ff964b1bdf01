"""Deeds: what an action or a trigger is good for, how often it can be done, and on whom it falls."""

from __future__ import annotations

from collections.abc import Iterator

from content.check.sense.lists import asked_in, conditions_around, moves, steps_below, wanted
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Book, Card, Haunt
from content.vocabulary.values import Each

USING_UP = ("discard", "lose_card", "remove_token", "place_token", "escape", "damage", "lose", "roll", "stop", "choose")
"""Verbs that keep something from being done again and again: a cost, a roll, a mark that is left."""


def used_for_nothing(survey: Survey) -> Iterator[Finding]:
    """An item is used up for something."""
    for action in _actions(survey):
        steps = list(steps_below(action))
        if action.inside(Card) is not None and steps and all(step.value.discard is not None for step in steps):
            yield Finding(
                steps[0].at("discard"),
                "the item is used up for nothing",
                "add what it does",
                key=True,
                severity="warning",
            )


def again_at_once(survey: Survey) -> Iterator[Finding]:
    """An item that brings a goal nearer costs a roll, itself or a token, or has a limit."""
    for action in _actions(survey):
        haunt = action.inside(Haunt)
        if haunt is None or action.inside(Card) is None or action.value.once is not None:
            continue
        goals = wanted(haunt.value.heroes) | wanted(haunt.value.traitor_book)
        steps = list(steps_below(action))
        if any(getattr(step.value, verb) is not None for step in steps for verb in USING_UP):
            continue
        for step in steps:
            change = step.value.count
            if change is not None and change.counter in goals and moves(change) > 0:
                message = f"nothing is rolled or used up, so one item can raise `{change.counter}` in each turn"
                yield Finding(step.at("count"), message, "write `discard: this`, or `once`", severity="warning")


def lies_here(survey: Survey) -> Iterator[Finding]:
    """Where an action asks for a token, it places no second one."""
    for action in _actions(survey):
        here = {one.value for one in asked_in(action.value.if_) if one.field == "token" and one.holds}
        steps = list(steps_below(action))
        for step in steps:
            placed = step.value.place_token
            if placed is None or placed.token not in here or placed.at != "here":
                continue
            if not any(one.value.remove_token is not None for one in steps):
                message = f"a `{placed.token}` lies here already, for the action asks for it"
                yield Finding(step.at("place-token"), message, "write `remove-token`?", severity="warning")


def harms_its_own(survey: Survey) -> Iterator[Finding]:
    """The harm of an action falls on the target that it names, and the target is on the other side."""
    for action in _actions(survey):
        target, book = action.value.target, action.inside(Book)
        harms = [step for step in steps_below(action) if step.value.damage is not None or step.value.lose is not None]
        if not isinstance(target, Each) or book is None or not harms:
            continue
        own = "hero" if book.trail[-1] == "heroes" else "traitor"
        haunt = action.inside(Haunt)
        if target.each == own and haunt is not None and haunt.value.traitor_book is not None:
            message = f"this harms `{own}`, the side that does it"
            yield Finding(action.at("target", "each"), message, "name the other side", severity="warning")
        for step in harms:
            named = step.value.who is not None or any(getattr(up.value, "who", None) for up in _above(step))
            if not named and "outcomes" not in step.trail:
                message = "this harms whoever does it, and not the target"
                yield Finding(step.trail, message, "write `who: target`", severity="warning")


def helps_its_enemies(survey: Survey) -> Iterator[Finding]:
    """A book of the traitor does no hero good as the haunt begins, and nothing that reveals the traitor weakens it."""
    for step in survey.of(Effect):
        effect, haunt = step.value, step.inside(Haunt)
        if haunt is None:
            continue
        good = effect.heal is not None or effect.gain is not None
        if good and step.trail[2:4] == ("traitor-book", "right-now") and _heroes(effect):
            yield Finding(
                step.at("who"), "the traitor's book does the heroes good", "leave `who` out", severity="warning"
            )
        if step.trail[2] == "revealed" and effect.lose is not None and effect.who is None:
            message = "the traitor who is revealed gets weaker"
            yield Finding(step.at("lose"), message, "write `gain`", key=True, severity="warning")


def own_death(survey: Survey) -> Iterator[Finding]:
    """The heroes do not win by a death that may be one of theirs."""
    for book in survey.of(Book):
        if book.trail[-1] != "heroes":
            continue
        for one in asked_in(book.value.wins_when):
            if one.field == "dead" and one.holds and one.value != "traitor":
                message = f"the heroes win by `dead: {one.value}`, and may be those who died"
                yield Finding(book.at("wins-when"), message, "write `dead: traitor`", key=True, severity="warning")


def shared_task(survey: Survey) -> Iterator[Finding]:
    """A task with a name of its own is attempted in several ways."""
    for haunt in survey.of(Haunt):
        named: dict[str, list[Spot[Effect]]] = {}
        for step in survey.of(Effect):
            if step.trail[:2] == haunt.trail and step.value.roll is not None and step.value.roll.task_name is not None:
                named.setdefault(step.value.roll.task_name, []).append(step)
        for name, steps in named.items():
            actions = {found.trail for step in steps if (found := step.inside(Action)) is not None}
            if len(actions) == len(steps) == 1:
                message = f"no other action attempts the task `{name}`"
                yield Finding(
                    steps[0].at("roll", "task-name"), message, "give it to the others too", severity="warning"
                )


def told_to_the_wrong(survey: Survey) -> Iterator[Finding]:
    """A secret room is told to everybody where it was found, not where it is not."""
    for step in survey.of(Effect):
        tell = step.value.tell
        if tell is None or tell.secret is None or tell.side == "traitor":
            continue
        for one in conditions_around(step):
            if one.field == "secret" and getattr(one.value, "name", "") == tell.secret and not one.holds:
                message = f"`{tell.secret}` is told where it was not found"
                yield Finding(step.at("tell"), message, "turn the condition round?", key=True, severity="warning")


def _actions(survey: Survey) -> list[Spot[Action]]:
    return [spot for spot in survey.of(Action) if spot.inside(Haunt) is not None]


def _heroes(effect: Effect) -> bool:
    return isinstance(effect.who, Each) and effect.who.each == "hero"


def _above(step: Spot[Effect]) -> Iterator[Spot[Effect]]:
    above = step.above
    while above is not None and isinstance(above.value, Effect):
        yield above
        above = above.above
