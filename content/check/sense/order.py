"""Steps in their order, and whom they come to: done twice, asked just after they are settled, done to nobody in particular."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from content.check.sense.goals import guards
from content.check.sense.lists import asked_in, conjuncts, steps_below
from content.errors import Finding
from content.survey import Spot, Survey, walk
from content.vocabulary.effects import Effect, Monsters
from content.vocabulary.pack import Action, Haunt, Trigger
from content.vocabulary.values import Rooms

ONCE = (
    "count",
    "heal",
    "gain",
    "lose",
    "move",
    "tell",
    "give",
    "stop",
    "choose_secret",
    "lose_card",
    "kill",
    "damage",
    "win",
)
"""Verbs that say how much: nobody writes one of them twice alike."""

PERSONAL = (
    "damage",
    "heal",
    "gain",
    "lose",
    "set_trait",
    "draw",
    "lose_card",
    "move",
    "trap",
    "attacked",
    "choose",
)
"""Verbs that are about one explorer."""

OF_ALL = ("round-started", "monsters-ended")
"""Moments that come to one explorer for everybody."""


def twice(survey: Survey) -> Iterator[Finding]:
    """No two steps of a list are the same, where one could say as much."""
    for steps in _lists(survey):
        for index, step in enumerate(steps):
            effect = step.value
            telling = any(getattr(effect, verb) is not None for verb in ONCE) or _placed_here(effect)
            if telling and effect in [one.value for one in steps[:index]]:
                message = "the same step stands in this list already"
                yield Finding(step.trail, message, "leave it out, or say a higher number once", severity="warning")


def settled(survey: Survey) -> Iterator[Finding]:
    """What a step has just set is not asked for by the next, nor by a later one while nothing has moved it."""
    for steps in _lists(survey):
        for index, step in enumerate(steps):
            asked = {part.counter for part in conjuncts(step.value.if_)} - {None}
            for place, before in enumerate(steps[:index]):
                between = steps[place + 1 : index]
                if before.value.if_ is not None or before.value.may is not None:
                    continue
                if between and any(_may_move(one, asked) for one in between):
                    continue
                name = _settles(before.value, step.value, at_once=not between)
                if name:
                    message = (
                        f"{'a' if between else 'the'} step before it has just settled the {name} that this asks for"
                    )
                    yield Finding(step.at("if"), message, "exchange the steps?", key=True, severity="warning")


def _may_move(step: Spot[Effect], counters: set[str | None]) -> bool:
    """Whether a step, with all that stands in it, may move one of some counters."""
    inside = [one.value for one in walk(step) if isinstance(one.value, Effect)]
    return any(one.run is not None or (one.count is not None and one.count.counter in counters) for one in inside)


def _settles(before: Effect, step: Effect, *, at_once: bool) -> str:
    """What a step settles that another one asks for; only counters stay as they are for long."""
    change, gone, placed = before.count, before.remove_token, before.place_token
    for part in conjuncts(step.if_):
        if change is not None and change.to is not None and part.counter == change.counter:
            return f"counter `{change.counter}`"
        if not at_once:
            continue
        if gone is not None and gone.at in {None, "here"} and part.token == gone.token:
            return f"token `{gone.token}`"
        if placed is not None and placed.at == "here" and part.not_ is not None and part.not_.token == placed.token:
            return f"token `{placed.token}`"
    return ""


def cleared_at_once(survey: Survey) -> Iterator[Finding]:
    """What a step places is not taken away everywhere by the next."""
    for steps in _lists(survey):
        placed: dict[str, Spot[Effect]] = {}
        for step in steps:
            effect = step.value
            if effect.if_ is not None or effect.may is not None:
                placed.clear()
                continue
            for name in [name for name in placed if _clears(effect, name)]:
                what = f"`{name.partition(' ')[2]}`"
                message = f"a later step of this list takes every {what} away again"
                yield Finding(placed.pop(name).trail, message, "exchange the steps?", severity="warning")
            if effect.place_monster is not None:
                placed[f"monster {effect.place_monster.kind}"] = step
            elif effect.place_token is not None:
                placed[f"token {effect.place_token.token}"] = step
            elif effect.kill is None and effect.remove_token is None:
                placed.clear()


def _clears(effect: Effect, name: str) -> bool:
    """Whether a step leaves none of some monsters or tokens: `monster rat`, `token seal`."""
    kill, gone = effect.kill, effect.remove_token
    if isinstance(kill, Monsters) and kill.in_ is None:
        return name == f"monster {kill.kind}" or (kill.kind == "any" and name.startswith("monster "))
    return gone is not None and gone.all and name == f"token {gone.token}"


def after_leaving(survey: Survey) -> Iterator[Finding]:
    """Nothing is done to somebody who has died or left the house."""
    for steps in _lists(survey):
        gone = False
        for step in steps:
            effect = step.value
            verb = next((verb for verb in (*PERSONAL, "give") if getattr(effect, verb) is not None), "")
            if gone and effect.who is None and verb:
                message = "whoever does this is dead or out of the house already"
                yield Finding(
                    step.at(verb.replace("_", "-")), message, "write it before that step", key=True, severity="warning"
                )
            gone = gone or (
                effect.if_ is None and effect.who is None and "you" in {effect.kill, effect.escape, effect.remove}
            )


def to_one(survey: Survey) -> Iterator[Finding]:
    """What a round does to explorers it does to those who are named, not to whoever comes first."""
    for trigger in survey.of(Trigger):
        if trigger.inside(Haunt) is None or trigger.value.when not in OF_ALL:
            continue
        told = set[tuple[str | int, ...]]()
        for step in steps_below(trigger):
            if "who" in step.value.stated() or _named_above(step) or step.trail in told:
                continue
            verb = next((verb for verb in PERSONAL if getattr(step.value, verb) is not None), "")
            trait_roll = step.value.roll is not None and step.value.roll.dice is None
            here = step.value.place_token is not None and step.value.place_token.at == "here"
            if (verb or trait_roll or here) and not _run_for_somebody(step, trigger):
                told.add(step.trail)
                word = verb.replace("_", "-") or ("roll" if trait_roll else "place-token")
                message = f"`{trigger.value.when}` comes to one explorer, so this is done to that one only"
                yield Finding(
                    step.at(word), message, "say `who`, as in `who: {each: hero}`", key=True, severity="warning"
                )


def nothing_there(survey: Survey) -> Iterator[Finding]:
    """What an action takes away is there, and what it gives or where it leads is not had already."""
    for action in survey.of(Action):
        haunt = action.inside(Haunt)
        if haunt is None:
            continue
        asked = list(asked_in(action.value.if_))
        for step in steps_below(action):
            around = [*asked, *(one for condition in guards(step) for one in asked_in(condition))]
            holds = {(one.field, str(one.value)) for one in around if one.holds}
            fails = {(one.field, str(one.value)) for one in around if not one.holds}
            yield from _missing(step, action, holds, fails)


def _missing(
    step: Spot[Effect], action: Spot[Action], holds: set[tuple[str, str]], fails: set[tuple[str, str]]
) -> Iterator[Finding]:
    effect = step.value
    gone, lost, going = effect.remove_token, effect.lose_card, effect.move
    if gone is not None and gone.at in {None, "here"} and not gone.all:
        fields = {("token", gone.token), ("token_in_house", gone.token)}
        if fields & fails and not fields & holds:
            message = f"this is done where no `{gone.token}` lies, and takes one away"
            yield Finding(step.at("remove-token"), message, "leave `not` out", key=True, severity="warning")
        elif not fields & holds and _token_of(action) != gone.token and effect.who is None:
            message = f"nothing asks whether a `{gone.token}` lies here"
            yield Finding(
                step.at("remove-token"), message, f"ask `if: {{token: {gone.token}}}`", key=True, severity="warning"
            )
    if lost is not None and lost.card is not None and ("carrying", lost.card) in fails - holds and effect.who is None:
        message = f"this is done by who does not carry `{lost.card}`, and takes it away"
        yield Finding(step.at("lose-card"), message, "leave `not` out", key=True, severity="warning")
    if effect.give is not None and ("carrying", effect.give) in holds - fails and effect.who is None:
        message = f"whoever does this has `{effect.give}` already"
        yield Finding(step.at("give"), message, f"ask `not: {{in-play: {effect.give}}}`", severity="warning")
    if going is not None and isinstance(going.to, str) and ("in_", going.to) in holds and effect.who is None:
        message = f"whoever does this is in `{going.to}` already"
        yield Finding(step.at("move"), message, "name another room", key=True, severity="warning")


def for_free(survey: Survey) -> Iterator[Finding]:
    """A deed without a roll costs something, or has a limit."""
    for action in survey.of(Action):
        haunt, deed = action.inside(Haunt), action.value
        if haunt is None or deed.once is not None or deed.when != "own-turn" or deed.spaces:
            continue
        steps = [step.value for step in steps_below(action)]
        free = ("move", "choose_secret", "move_tile", "shift", "tell")
        verb = next((verb for step in steps for verb in free if getattr(step, verb) is not None), "")
        costs = any(
            getattr(step, verb) is not None
            for step in steps
            for verb in (
                "roll",
                "lose",
                "damage",
                "lose_card",
                "discard",
                "stop",
                "remove_token",
                "place_token",
                "escape",
                "win",
            )
        )
        if verb and not costs:
            message = f"`{verb.replace('_', '-')}` can be done any number of times in a turn"
            yield Finding(action.at("do"), message, "write `once: {per: own-turn}`", key=True, severity="warning")


def other_book(survey: Survey) -> Iterator[Finding]:
    """A text of one side's book is not told to the other side."""
    for step in survey.of(Effect):
        haunt, tell = step.inside(Haunt), step.value.tell
        if haunt is None or tell is None or tell.text is None or haunt.value.one_book:
            continue
        own = {str(side): book.texts for side, book in haunt.value.books.items()}
        other = "traitor" if tell.side == "heroes" else "heroes"
        if tell.side in own and tell.text in own[other] and tell.text not in own[tell.side]:
            message = f"the text `{tell.text}` stands in the book of the other side"
            yield Finding(step.at("tell", "side"), message, f"write `side: {other}`", severity="warning")


def _lists(survey: Survey) -> Iterator[list[Spot[Effect]]]:
    spots = [step for step in survey.of(Effect) if step.inside(Haunt) is not None]
    ordered = sorted(enumerate(spots), key=lambda one: (str(one[1].trail[:-1]), one[0]))
    for _, group in groupby(ordered, key=lambda one: one[1].trail[:-1]):
        yield [step for _, step in group]


def _placed_here(effect: Effect) -> bool:
    placed = effect.place_token
    return placed is not None and not isinstance(placed.at, Rooms)


def _named_above(step: Spot[Effect]) -> bool:
    above = step.above
    while above is not None and not isinstance(above.value, Trigger):
        if isinstance(above.value, Effect) and above.value.who is not None:
            return True
        above = above.above
    return False


def _run_for_somebody(step: Spot[Effect], trigger: Spot[Trigger]) -> bool:
    """Whether a step of a block is run for somebody who was named."""
    if step.trail[: len(trigger.trail)] == trigger.trail:
        return False
    runs = [one for one in steps_below(trigger) if one.value.run is not None]
    return any(one.value.who is not None or _named_above(one) for one in runs)


def _token_of(action: Spot[Any]) -> str:
    above = action.above
    return getattr(above.value, "id", "") if above is not None and not isinstance(above.value, Haunt) else ""
