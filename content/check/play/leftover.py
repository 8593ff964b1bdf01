"""What is left over in a haunt: steps after the end, words that nobody reads, things that are kept and never asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.form.amounts import by_players
from content.check.sense.lists import conjuncts
from content.errors import Finding, Trail, did_you_mean, listed
from content.survey import Spot, Survey
from content.vocabulary.effects import ChooseSecret, Effect, RemoveToken, Tell
from content.vocabulary.pack import Action, Bar, Book, Card, Haunt, PackHead
from content.vocabulary.values import Condition, Count, Number, Place, Rooms, SecretIs, Who


def after_the_end(survey: Survey) -> Iterator[Finding]:
    """Nothing is done after a side has won, or after the block has stopped."""
    ended: dict[tuple[str | int, ...], str] = {}
    for spot in survey.of(Effect):
        here = spot.trail[:-1]
        if here in ended:
            yield Finding(spot.trail, f"this is never done: {ended.pop(here)}", "write it before that, or leave it out")
        effect = spot.value
        if effect.if_ is None and effect.may is None:
            if effect.win is not None and spot.inside(Haunt) is not None:
                ended[here] = "the game is over at the step before it"
            elif effect.stop == "block":
                ended[here] = "the step before it stops the block"


def goals(survey: Survey) -> Iterator[Finding]:
    """Only a goal has a `because`, and the two sides don't win by the same."""
    for spot in survey.of(Book):
        if spot.value.because and spot.value.wins_when is None:
            hint = "write `wins-when`, or the words at the step that says `win`"
            yield Finding(spot.at("because"), "nobody reads this: there is no `wins-when` beside it", hint, key=True)
    for haunt in survey.of(Haunt):
        heroes, other = haunt.value.heroes, haunt.value.traitor_book
        if heroes is None:
            continue
        if other is not None and heroes.wins_when is not None and heroes.wins_when == other.wins_when:
            yield Finding(haunt.at("traitor-book", "wins-when"), "the heroes win by the same", key=True)
        if heroes.wins_when is not None:
            lost = [part for part in conjuncts(heroes.wins_when) if part.dead == "all-heroes"]
            if lost:
                yield Finding(haunt.at("heroes", "wins-when"), "when all heroes are dead the traitor wins", key=True)


def secrets(survey: Survey) -> Iterator[Finding]:
    """A secret that is chosen is asked for or told, and a word is one of those that can be chosen."""
    chosen = {(spot.trail[:2], spot.value.name): spot for spot in survey.of(ChooseSecret)}
    used = {(spot.trail[:2], spot.value.name) for spot in survey.of(SecretIs)}
    used |= {(spot.trail[:2], spot.value.secret) for spot in survey.of(Tell) if spot.value.secret is not None}
    for key, spot in chosen.items():
        if key not in used:
            message = f"nothing asks for the secret `{spot.value.name}`"
            yield Finding(spot.at("name"), message, f"`if: {{secret: {{name: {spot.value.name}, is: here}}}}`")
    for secret in survey.of(SecretIs):
        choice = chosen.get((secret.trail[:2], secret.value.name))
        words = choice.value.words if choice is not None else None
        if words is not None and secret.value.is_ not in words:
            hint = did_you_mean(secret.value.is_, words) or f"it is one of {listed(words)}"
            yield Finding(secret.at("is"), f"the secret is never `{secret.value.is_}`", hint)


def unread(survey: Survey) -> Iterator[Finding]:
    """What a haunt counts, places and gives, something in it asks for."""
    names = [*survey.strings(Who), *survey.strings(Place)]
    for haunt in survey.of(Haunt):
        asked = _Asked(haunt, survey, names)
        steps = [spot.value for spot in survey.inside(haunt, Effect)]
        counted = {step.count.counter for step in steps if step.count is not None}
        placed = {step.place_token.token for step in steps if step.place_token is not None}
        given = {step.give for step in steps}
        for name, counter in haunt.value.counters.items():
            if name in counted - asked.counters:
                most = max((by_players(counter.max) or {"": 1}).values())
                hint = f"`wins-when: {{counter: {name}, at-least: {most}}}`"
                message = f"nothing asks for the counter `{name}`"
                yield Finding(haunt.at("counters", name), message, hint, key=True, severity="warning")
        for index, token in enumerate(haunt.value.tokens):
            rules = (token.on, token.actions, token.always, token.links, token.links_alike)
            if token.id in placed - asked.tokens and not any(rules):
                message = f"nothing asks for the token `{token.id}`, and it has no rule"
                yield Finding(haunt.at("tokens", index, "id"), message, severity="warning")
        for index, item in enumerate(haunt.value.items):
            effects = (item.on, item.actions, item.always, item.attack, item.set, item.do)
            if item.id in given - asked.items and not any(effects):
                message = f"nothing asks for the item `{item.id}`, and it has no rule"
                yield Finding(haunt.at("items", index, "id"), message, severity="warning")


class _Asked:
    """What the conditions, numbers and places of a haunt ask for; a hint for bots asks for nothing."""

    def __init__(self, haunt: Spot[Haunt], survey: Survey, names: list[tuple[Spot[Any], Trail, str]]) -> None:
        self.counters: set[str | None] = set()
        self.tokens: set[str | None] = set()
        self.items: set[str | None] = set()
        for kind in (Condition, Number, Count, Rooms, RemoveToken, Bar):
            for spot in survey.of(kind):
                if spot.trail[:2] == haunt.trail and "seek" not in spot.trail:
                    self._note(spot.value, excluded="not" in spot.trail)
        for spot, _, text in names:
            if spot.trail[:2] == haunt.trail:
                word, _, name = text.removeprefix("room-of:").partition(":")
                (self.tokens if word == "token" else self.items).add(name)

    def _note(self, value: Any, *, excluded: bool) -> None:  # noqa: ANN401 - one of several Structs
        match value:
            case Condition():
                self.counters.add(value.counter)
                self.tokens |= {value.token, value.token_in_house}
                # Who gives an item asks that it is not in play yet: that is no use of it.
                self.items |= {value.carrying} if excluded else {value.carrying, value.in_play, value.held}
            case Number():
                self.counters.add(value.counter)
            case Count():
                self.tokens.add(value.tokens)
            case Rooms():
                self.tokens |= {value.with_token, value.without_token, value.next_to_token}
            case RemoveToken():
                self.tokens.add(value.token)


def box(survey: Survey) -> Iterator[Finding]:
    """A haunt has no more kinds of item tokens than lie in the box (2E-COMP-004)."""
    for head in survey.of(PackHead):
        most = head.value.components.tokens.get("item") if head.value.components is not None else None
        for haunt in survey.of(Haunt):
            if most is not None and len(haunt.value.items) > most:
                message = f"the haunt has {len(haunt.value.items)} items: there are {most} item tokens"
                yield Finding(haunt.at("items", most), message, severity="warning")


def without_end(survey: Survey) -> Iterator[Finding]:
    """An action that changes the game can't be done again and again in the same turn."""
    for spot in survey.of(Action):
        action = spot.value
        if spot.inside(Haunt) is None or action.once is not None or action.when != "own-turn" or action.spaces:
            continue
        steps = list(_steps(survey, spot))
        if any(step.value.roll is not None and step.value.roll.task for step in steps) or not steps:
            continue
        if (roll := _free_roll(spot)) is not None:
            message = "who fails here can try again at once, until it succeeds"
            yield Finding(
                roll, message, "make it a `task: true`, or write `once: {per: turn}`", key=True, severity="warning"
            )
        elif not _spends(spot, steps, survey) and (verb := _repeats(steps)):
            message = f"this can be done any number of times in a turn: nothing limits `{verb}`"
            hint = "write `once: {per: own-turn}`, or make its roll a `task: true`"
            yield Finding(spot.at("do"), message, hint, key=True, severity="warning")


REPEATED = ("count", "damage", "gain", "heal", "draw", "give", "roll", "place_monster", "kill", "stun")
"""Verbs that matter each time."""

SPENDING = (
    "discard",
    "lose_card",
    "escape",
    "remove",
    "set_state",
    "change_side",
    "win",
    "remove_token",
    "remove_tile",
)
"""Verbs that leave something different, so that the action may not be possible again."""


def _steps(survey: Survey, home: Spot[Any]) -> Iterator[Spot[Effect]]:
    """Return all steps that stand in something, and in the blocks that they run."""
    waiting, seen = [home.trail], set[tuple[str | int, ...]]()
    while waiting:
        trail = waiting.pop()
        if trail in seen:
            continue
        seen.add(trail)
        for spot in survey.of(Effect):
            if spot.trail[: len(trail)] == trail:
                yield spot
                if spot.value.run is not None:
                    waiting += [(*home.trail[:2], "blocks", spot.value.run), ("head", "blocks", spot.value.run)]


def _free_roll(action: Spot[Action]) -> tuple[str | int, ...] | None:
    """Return the place of a roll of which a result costs nothing, where nothing was spent before it."""
    if action.value.leaves or action.inside(Card) is not None:
        return None  # an item has one action a turn (2E-ITEM-013)
    for index, step in enumerate(action.value.do):
        if step.verb() is None or any(getattr(step, verb) is not None for verb in SPENDING):
            return None
        if step.roll is not None and any(not branch for branch in (step.outcomes or {}).values()):
            return action.at("do", index, "roll")
    return None


def _spends(action: Spot[Action], steps: list[Spot[Effect]], survey: Survey) -> bool:
    """Tell whether doing it uses something up, ends the turn, or changes what it asks for."""
    if action.inside(Card) is not None:
        return True  # an item has one action a turn (2E-ITEM-013)
    asks_where = [part for part in conjuncts(action.value.if_) if part.in_ is not None or part.token is not None]
    if asks_where and any(step.value.move is not None for step in steps):
        return True
    if any(getattr(step.value, verb) is not None for step in steps for verb in SPENDING):
        return True
    asked = {part.counter for part in conjuncts(action.value.if_)} | {
        one.counter
        for spot in survey.of(Condition)
        if spot.trail[: len(action.trail)] == action.trail
        for one in [spot.value]
    }
    moved = {step.value.count.counter for step in steps if step.value.count is not None}
    excluded = [
        spot for spot in survey.of(Condition) if spot.trail[: len(action.trail)] == action.trail and "not" in spot.trail
    ]
    marks = {spot.value.token for spot in excluded} | {spot.value.token_in_house for spot in excluded}
    items = {spot.value.in_play for spot in excluded} | {spot.value.carrying for spot in excluded}
    placed = {step.value.place_token.token for step in steps if step.value.place_token is not None}
    given = {step.value.give for step in steps if step.value.give is not None}
    counted = any(spot.value.count is not None for spot in survey.of(Condition) if spot.trail[:-1] == action.trail)
    stops = any(step.value.stop == "turn" for step in steps)
    return bool((asked & moved - {None}) or (marks & placed) or (items & given) or counted or stops)


def _repeats(steps: list[Spot[Effect]]) -> str:
    for step in steps:
        for verb in REPEATED:
            if getattr(step.value, verb) is not None:
                return verb.replace("_", "-")
    return ""
