"""The sums in sentences add up to what was rolled and moved, and name what the figure has at that moment.

They are held against the engine itself: its state right before each event, and the frame of the procedure that tells it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from domain.decide import decide
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import Mask
from domain.facts.events import AttackDecided, DamageReduced, DiceRolled, Moved
from domain.facts.events.base import Event
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import cards_of
from domain.rulebook.explore.moving import spaces_left
from domain.rulebook.turn.options import legal
from projections.naming.names import Names
from projections.sentences.sums import made_of
from tests.laws.playout import Game, awaited, pick

DICE = re.compile(
    r"(?P<thrown>\d+) (?:die|dice): (?P<parts>.*?)(?:, (?P<limit>\d+) at the (?:most|least))?(?:; added (?P<points>.*))?\."
)
STEP = re.compile(r"(?P<spent>\d+) (?:of (?P<left>\d+) )?spaces?(?P<parts>.*?)(?:; only (?P<only>\d+) left, but .*)?\.")
LESS = re.compile(r"(?P<from>\d+) - (?P<less>\d+) = (?P<rest>\d+)(?: points?)?\.")
PART = re.compile(r"(?P<title>.+?) (?P<dice>-?\d+)(?:, |$)|(?P<unknown>\d+) (?P<more>more|fewer)(?:, |$)")
FOR = re.compile(r"(?:, |^| and )(?P<number>-?\d+) for (?P<title>.+?)(?=, -?\d+ for | and -?\d+ for |$)")


class Sum(NamedTuple):
    """A sum, read from a sentence."""

    whole: int
    parts: dict[str, int]
    unknown: int = 0
    """What nothing is named for."""
    limited: bool = False
    points: dict[str, int] = {}


def dice_of(said: str) -> Sum | None:
    """The sum of a roll; None where a text counts the dice in words."""
    found = DICE.fullmatch(said)
    assert found is not None, said
    parts, unknown, end = Counter[str](), 0, 0
    for one in PART.finditer(found["parts"]):
        assert one.start() == end, said
        end = one.end()
        if one["more"]:
            unknown += int(one["unknown"]) * (1 if one["more"] == "more" else -1)
        else:
            parts[one["title"]] += int(one["dice"])
    if end != len(found["parts"]) or "”" in found["parts"]:
        return None
    points = {one["title"]: int(one["number"]) for one in FOR.finditer(found["points"] or "")}
    return Sum(int(found["thrown"]), dict(parts), unknown, limited=bool(found["limit"]), points=points)


def adds_up(said: str, event: Event) -> None:
    """Whatever a role knows: the sum is that of the event, and of its parts."""
    match event:
        case DiceRolled() if (found := dice_of(said)) is not None:
            assert found.whole == len(event.faces), (said, event)
            assert found.limited or sum(found.parts.values()) + found.unknown == found.whole, (said, event)
            assert not found.points or sum(found.points.values()) == event.bonus, (said, event)
        case Moved():
            step = STEP.fullmatch(said)
            assert step is not None, said
            more = sum(int(one["number"]) for one in FOR.finditer(step["parts"]))
            assert int(step["spent"]) == event.spent, (said, event)
            assert more in (0, event.spent - 1), (said, event)
        case AttackDecided() | DamageReduced():
            less = LESS.fullmatch(said)
            assert less is not None, said
            assert int(less["from"]) - int(less["less"]) == int(less["rest"]), said


def _hold(machine: Machine, said: str, event: Event) -> None:
    vars_ = machine.stack[-1].vars if machine.stack else {}
    match event:
        case DiceRolled() if (found := dice_of(said)) is not None:
            trait = event.trait.capitalize()
            if event.trait:
                assert found.parts[trait] == vars_["dice"], said  # a card that answered may have cost some since
            assert not found.unknown, f"the engine knows all: {said}, {event}"
            has = set(_had(machine.rules, machine.state, event.who, event.about))
            assert {*found.parts, *found.points} - {trait, "Omens drawn"} <= has, (said, event, has)
        case Moved():
            step, names = STEP.fullmatch(said), Names(machine.rules, machine.state)
            assert step is not None
            assert event.spent == 1 or step["parts"], f"the engine knows all: {said}, {event}"
            assert int(step["left"] or step["only"]) == spaces_left(machine.rules, machine.state, event.figure), said
            here = {title.removesuffix(".") for title in _standing(names, machine.state, event.figure)}
            for one in FOR.finditer(step["parts"]):
                assert any(title in one["title"] for title in here), (said, here)
        case AttackDecided():
            assert {vars_["attack"], vars_["defense"]} == {int(one) for one in re.findall(r"\d+", said)[:2]}, said
        case DamageReduced():
            assert vars_["amount"] == event.amount, said


def _had(rules: Rules, state: State, who: Figure, about: str) -> Iterator[str]:
    """Titles of what may have changed a roll: what the figure holds or has used this turn, what lies where it stands, itself, the text."""
    names = Names(rules, state)
    yield names.about(about)
    if not is_explorer(who):
        yield names.figure(who)
        return
    yield from map(names.card, cards_of(state, who))
    used = [*state.used, *state.explorers[who].used]
    yield from (names.card(key.partition("#")[0].removeprefix("card:")) for key in used if key.startswith("card:"))
    place = state.place_of(who)
    yield from (names.token(one.token) for one in state.tokens if (one.room, one.part) == place)


def _standing(names: Names, state: State, figure: Figure) -> Iterator[str]:
    """Titles of who and what stands where a figure does."""
    place = state.stands_at(figure)
    others: Iterable[Figure] = [*range(len(state.explorers)), *state.monsters]
    yield from (names.figure(one) for one in others if one != figure and state.stands_at(one) == place)
    yield from (names.token(one.token) for one in state.tokens if (one.room, one.part) == place)


def hold_sums(game: Game, seed: int) -> Counter[str]:
    """Play a game to its end at random, every sum held against the engine. Returns how many there were of each kind."""
    sums = Counter[str]()

    def hold(machine: Machine, event: Event, place: int) -> None:
        said = made_of(machine.rules, machine.state, event)
        if said:
            adds_up(said, event)
            _hold(machine, said, event)
            sums[type(event).__name__] += 1

    lot = random.Random(seed)
    while game.state.status == "started":
        actor = awaited(game.state)
        command = pick(lot, legal(game.rules, game.state, actor))
        game.commit(decide(game.rules, game.state, actor, command, game.chance, watch=[hold]))
    return sums


def sums_add_up(game: Game, who: Mask) -> int:
    """Whatever a role knows of a game, the sums that it is told add up. Returns how many there were."""
    state, found = State(), 0
    for commit in game.commits:
        for one in redact(commit, who):
            if said := made_of(game.rules, state, one.event):
                adds_up(said, one.event)
                found += 1
            fold(state, [[one]])
    return found
