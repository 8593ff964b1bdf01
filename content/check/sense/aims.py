"""Deeds and goals: no side works against itself, goals exclude each other, and none holds from the start."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.check.form.amounts import by_players
from content.check.sense.goals import OTHER, Wants, guards, side_of, succeeding, wants_of
from content.check.sense.lists import conjuncts, moves
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Book, Card, Haunt, Trigger
from content.vocabulary.values import Condition, Each


def against_itself(survey: Survey) -> Iterator[Finding]:
    """A deed that succeeds brings its own side no further from its goal, and the other side no nearer."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        for action in _actions(haunt, survey):
            side = side_of(action)
            if side is None:
                continue
            own, other = wants[side], wants[OTHER[side]]
            for step in succeeding(action, action.value.do, surely=True):
                for name, way in changed(step.value):
                    if _counts(own, name, -way) and not _counts(own, name, way):
                        message = f"the {side} do this, and it takes them further from their goal: {_way(name, way)}"
                        yield Finding(step.trail, _said(message, side), _hint(name), severity="warning")
                    elif _counts(other, name, way) and not _counts(own, name, way):
                        message = (
                            f"the {side} do this, and it brings the others nearer to their goal: {_way(name, way)}"
                        )
                        yield Finding(step.trail, _said(message, side), _hint(name), severity="warning")


def by_anybody(survey: Survey) -> Iterator[Finding]:
    """What brings one side nearer to its goal is that side's alone, where both could do it."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        if haunt.value.kind in {"no-traitor", "free-for-all"}:
            continue
        for action in _actions(haunt, survey):
            if side_of(action) is not None or action.value.for_ == "monsters":
                continue
            if haunt.value.kind != "hidden-traitor" and action.inside(Card) is None:
                continue
            done = {change for step in succeeding(action, action.value.do) for change in changed(step.value)}
            for side in OTHER:
                gains = [(name, way) for name, way in sorted(done) if _counts(wants[side], name, way)]
                if gains and not any(_counts(wants[OTHER[side]], *change) for change in done):
                    whose = "heroes" if side == "heroes" else "traitor"
                    message = f"either side can do this, and only the {whose} gain by it: {_way(*gains[0])}"
                    yield Finding(action.at("word"), _said(message, side), f"write `side: {side}`", severity="warning")


def same_aim(survey: Survey) -> Iterator[Finding]:
    """The sides do not want the same, and the traitor does not win by dying."""
    for haunt in survey.of(Haunt):
        book, other = haunt.value.traitor_book, haunt.value.heroes
        if book is None or book.wins_when is None or other is None:
            continue
        wants, heroes = wants_of(haunt, survey), other.wins_when
        shared = sorted(wants["heroes"].high & wants["traitor"].high)
        if shared and heroes != book.wins_when:
            message = f"both sides win by more of the {shared[0].replace(' ', ' `')}`"
            yield Finding(
                haunt.at("traitor-book", "wins-when"), message, "is another one meant?", key=True, severity="warning"
            )
        parts = [part for one in (book.wins_when.any or [book.wins_when]) for part in conjuncts(one)]
        if any(part.dead == "traitor" for part in parts):
            message = "the traitor wins by `dead: traitor`"
            yield Finding(
                haunt.at("traitor-book", "wins-when"),
                message,
                "this is a goal of the heroes",
                key=True,
                severity="warning",
            )


def few_enough(survey: Survey) -> Iterator[Finding]:
    """A goal asks for many, or for none: few enough there are from the start."""
    for spot in survey.of(Condition):
        goal = next((word for word in ("wins-when", "plays-on") if word in spot.trail), "")
        most, count = by_players(spot.value.at_most), spot.value.count
        if not goal or not most or spot.value.at_least is not None or "not" in spot.trail or count is None:
            continue
        if count.explorers is None and max(most.values()) > 0:
            message = f"this asks for at most {max(most.values())}, which is so while there are few"
            yield Finding(spot.at("at-most"), message, "write `at-least`?", key=True, severity="warning")


def won_at_once(survey: Survey) -> Iterator[Finding]:
    """A step that wins is not done the first time that it is come to."""
    for step in survey.of(Effect):
        haunt = step.inside(Haunt)
        if haunt is None or step.value.win is None or step.inside(Trigger) is None:
            continue
        for condition in guards(step):
            for part in conjuncts(condition):
                counter = haunt.value.counters.get(part.counter or "")
                most, least = by_players(part.at_most), by_players(part.at_least)
                if counter is None or (least and min(least.values()) > counter.start):
                    continue
                rises = any(
                    moves(one.value.count) > 0 for one in survey.of(Effect) if _moves_it(one, haunt, part.counter)
                )
                if (
                    most
                    and least is None
                    and rises
                    and min(most.values()) >= counter.start
                    and len(list(guards(step))) == 1
                ):
                    message = f"`{part.counter}` starts at {counter.start}, so this wins at once"
                    yield Finding(step.at("win"), message, "write `at-least`?", key=True, severity="warning")


def head_start(survey: Survey) -> Iterator[Finding]:
    """A counter that has to be raised to a number starts at 0, so that the goal says how often."""
    for haunt in survey.of(Haunt):
        for book in survey.of(Book):
            goal = book.value.wins_when
            if book.trail[:2] != haunt.trail or goal is None:
                continue
            for part in [one for any_ in (goal.any or [goal]) for one in conjuncts(any_)]:
                counter = haunt.value.counters.get(part.counter or "")
                steps = [one.value.count for one in survey.of(Effect) if _moves_it(one, haunt, part.counter)]
                set_to = any(step is not None and step.to is not None for step in steps)
                if counter is not None and counter.start > 0 and part.at_least is not None and not set_to:
                    message = (
                        f"`{part.counter}` starts at {counter.start}, so that much less is needed than the goal says"
                    )
                    hint = "write `start: 0`, and a goal of what is left"
                    yield Finding(haunt.at("counters", part.counter or "", "start"), message, hint, severity="warning")


_CLOCK = re.compile(r"\b(?:hours?|rounds?|nights?|days?|minutes?)\b", re.IGNORECASE)
RHYTHMS = ("round-started", "monsters-ended", "turn-started", "turn-ended")


def clocks(survey: Survey) -> Iterator[Finding]:
    """What is called hours or rounds moves with the rounds, not when somebody dies or finds a room."""
    for haunt in survey.of(Haunt):
        for name, counter in haunt.value.counters.items():
            up = [one for one in survey.of(Effect) if _moves_it(one, haunt, name) and moves(one.value.count) != 0]
            triggers = [found for one in up if (found := one.inside(Trigger)) is not None]
            odd = [trigger for trigger in triggers if trigger.value.when not in RHYTHMS]
            if _CLOCK.search(counter.title) and len(odd) == len(up) > 0:
                message = f"`{name}` ({counter.title}) moves only at `{odd[0].value.when}`"
                yield Finding(odd[0].at("when"), message, "write `when: round-started`", severity="warning")


def helps_the_target(survey: Survey) -> Iterator[Finding]:
    """A deed does good to friends: a target of the other side is not healed for nothing."""
    for action in survey.of(Action):
        target, side, haunt = action.value.target, side_of(action), action.inside(Haunt)
        if haunt is None or side is None or not isinstance(target, Each):
            continue
        foe = "traitor" if side == "heroes" else "hero"
        steps = [step.value for step in succeeding(action, action.value.do)]
        if target.each == foe and not any(step.count is not None or step.lose_card is not None for step in steps):
            for step in succeeding(action, action.value.do):
                good = next((word for word in ("heal", "gain", "give") if getattr(step.value, word) is not None), "")
                if good and step.value.who == "target":
                    message = f"this does good to the other side (`each: {foe}`)"
                    yield Finding(step.at(good), message, "name the own side, or a harm", key=True, severity="warning")


def oneself(survey: Survey) -> Iterator[Finding]:
    """Where there is one traitor, it is not its own target; and monsters hold no cards and have no choice."""
    turning = {spot.trail[:2] for spot in survey.of(Effect) if spot.value.change_side is not None}
    for action in survey.of(Action):
        target, haunt = action.value.target, action.inside(Haunt)
        if haunt is None or not isinstance(target, Each) or haunt.value.kind == "no-traitor":
            continue
        if target.each == "traitor" and side_of(action) == "traitor" and haunt.trail not in turning:
            if action.value.for_ == "explorers":
                message = "the only traitor is whoever does this"
                yield Finding(action.at("target", "each"), message, "write `each: hero`", severity="warning")
        elif target.each == "monster":
            for step in succeeding(action, action.value.do):
                word = next(
                    (
                        word
                        for word in ("lose_card", "give", "heal", "tell", "draw")
                        if getattr(step.value, word) is not None
                    ),
                    "",
                )
                carries = any(monster.carries for monster in haunt.value.monsters.values())
                if word and step.value.who == "target" and not carries:
                    message = f"`{word.replace('_', '-')}` does nothing to a monster"
                    yield Finding(
                        step.at(word.replace("_", "-")), message, "name an explorer", key=True, severity="warning"
                    )


def changed(effect: Effect) -> Iterator[tuple[str, int]]:
    """What a step brings more (1) or less (-1) of."""
    if effect.count is not None and (way := moves(effect.count)):
        yield f"counter {effect.count.counter}", way
    if effect.place_token is not None:
        yield f"token {effect.place_token.token}", 1
    if effect.remove_token is not None:
        yield f"token {effect.remove_token.token}", -1
    if effect.place_monster is not None:
        yield f"monster {effect.place_monster.kind}", 1


def _counts(wants: Wants, name: str, way: int) -> bool:
    return name in (wants.high if way > 0 else wants.low)


def _way(name: str, way: int) -> str:
    kind, _, thing = name.partition(" ")
    return f"{'more' if way > 0 else 'less'} of the {kind} `{thing}`"


def _hint(name: str) -> str:
    return "write `by` the other way round?" if name.startswith("counter") else "is another one meant?"


def _said(message: str, side: Side) -> str:
    if side == "heroes":
        return message
    return (
        message.replace("the traitor do this", "the traitor does this")
        .replace("takes them further from their", "takes its side further from the")
        .replace("brings the others nearer to their", "brings the heroes nearer to their")
        .replace("only the traitor gain by", "only the traitor gains by")
    )


def _actions(haunt: Spot[Haunt], survey: Survey) -> list[Spot[Action]]:
    return survey.inside(haunt, Action)


def _moves_it(step: Spot[Effect], haunt: Spot[Haunt], counter: str | None) -> bool:
    change = step.value.count
    return step.trail[:2] == haunt.trail and change is not None and change.counter == counter
