"""The `searching` bot: in the haunt it plays on in worlds that agree with what its seat knows, and does what promises most; before, it is steady.

It tries what the steady bot would do and a few things beside it, each in the same worlds with the same dice, and leaves the steady bot's
choice only for something clearly better. Where no world can be sampled, because what is under way may depend on what the seat doesn't know,
it is steady too. The best way of a turn it keeps in mind until it has arrived or come to harm; a bot that loses that searches once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

import msgspec

from domain.facts.commands import Act, AnyCommand, Attack, Choose, Cross, EndTurn, Explore, Move
from domain.facts.ids import stance
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MonsterId
from domain.local import LocalGame
from domain.worlds import NoWorld
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots import steady
from service.bots.brain import Memory
from service.bots.playout import SameDice, playout
from service.bots.steady.sight import MENTAL, PHYSICAL, TRAITS, Moment, Routes, Spot, endurance, trait, wanted
from service.bots.steady.turn import step_to, worth

Worlds = Callable[[bytes], LocalGame]
"""Samples a world that agrees with what a seat knows now; the same for the same seed. Raises Refused where there is none to be had."""


class Effort(msgspec.Struct, frozen=True):
    """How much a searching bot thinks about one command."""

    candidates: int = 7
    """It tries so many commands at most."""
    first: int = 4
    """It tries each in so many worlds, and all in the same."""
    worlds: int = 12
    """What was best there, and better than what the steady bot does, it tries in so many more, beside that."""
    rounds: float = 2.0
    """It plays on for so many rounds."""
    margin: float = 0.012
    """By so much, of the way from a lost game to a won one, a command has to be better."""
    detour: float = 0.03
    """And by so much where a hero would leave the way to its goal: what lies at its end is further than a search sees."""


EFFORTS = {"heroes": Effort(rounds=3.0), "traitor": Effort()}
"""By side: a hero's goal lies further ahead than the next fight."""
BEST = 2
"""How many commands it tries in more worlds."""
FOES, ACTS, NEAREST, GOALS, DOORS = 2, 2, 2, 3, 3
"""How many attacks, actions, spots of a kind, spots in all, and doorways it tries at most."""
WEAK = 3
"""Spaces above the skull from which an explorer thinks of running away."""
FAR = 99
"""Spaces to where nobody comes."""


class Way(msgspec.Struct, frozen=True):
    """Where a turn leads: the explorer's, or a monster's."""

    turn: int
    goal: Spot
    monster: MonsterId | None
    health: int
    """The explorer's when it set out."""


class Candidate(msgspec.Struct, frozen=True):
    """A command to try, and where it leads to."""

    command: AnyCommand
    goal: Spot | None = None

    @property
    def monster(self) -> MonsterId | None:
        found: MonsterId | None = getattr(self.command, "monster", None)
        return found

    def go_on(self, moment: Moment) -> AnyCommand | None:
        return None if self.goal is None else step_to(moment, self.goal, self.monster)


class Searching:
    """A brain for one seat of one game."""

    def __init__(self, worlds: Worlds, effort: Effort | None = None) -> None:
        self._worlds = worlds
        self._given = effort
        self._way: Way | None = None
        self._settled: tuple[int, MonsterId | None, int] | None = None

    def __call__(self, view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
        usual = steady.choose(view, decisions, memory)
        if usual is None or view.haunt is None or not view.haunt.started:
            return usual
        decision = next(one for one in decisions.yours if one.id == usual.decision)
        moment = Moment(view, decision, memory, decisions.hints or [])
        return self._gone_on(moment) or self._searched(moment, usual)

    def _gone_on(self, moment: Moment) -> AnyCommand | None:
        """The next step of the way that was chosen in this turn."""
        way, self._way = self._way, None
        if way is None or moment.decision.kind != "turn":
            return None
        if (way.turn, way.health) != (moment.view.turn.number, _health(moment)):
            return None
        step = step_to(moment, way.goal, way.monster)
        self._way = way if step is not None else None
        return step

    def _searched(self, moment: Moment, usual: AnyCommand) -> AnyCommand:
        tried = list(candidates(moment, usual))[: self._effort(moment).candidates]
        now = moment.view.turn.number, tried[0].monster, _health(moment)
        steps = isinstance(usual, Move | Cross)
        if len(tried) == 1 or (steps and now == self._settled):
            return usual
        best = self._best(moment, tried)
        self._settled = now if steps and best is tried[0] else None
        if best.goal is not None:
            self._way = Way(moment.view.turn.number, best.goal, best.monster, _health(moment))
        return best.command

    def _best(self, moment: Moment, tried: Sequence[Candidate]) -> Candidate:
        usual, effort = tried[0], self._effort(moment)
        on_the_way = moment.side == "heroes" and isinstance(usual.command, Move | Cross | Explore)
        margin = effort.detour if on_the_way else effort.margin
        try:
            found = self._gains(moment, tried, range(effort.first))
            best = _better(found, margin)[:BEST]
            if best:
                more = self._gains(moment, [usual, *best], range(effort.first, effort.first + effort.worlds))
                best = _better({one: found[one] + gains for one, gains in more.items()}, margin)
        except (Refused, NoWorld):
            return usual
        return best[0] if best else usual

    def _effort(self, moment: Moment) -> Effort:
        return self._given or EFFORTS[stance(moment.side)]

    def _gains(self, moment: Moment, tried: Sequence[Candidate], numbers: range) -> dict[Candidate, list[float]]:
        """By how much commands are better than the first, in each of some worlds; only those that none of them refuses."""
        seeds = [f"{moment.memory.seed}:{moment.view.version}:{number}" for number in numbers]
        worlds = [(self._worlds(seed.encode()), seed) for seed in seeds]
        usual = [self._tried(*world, moment, tried[0]) for world in worlds]
        found = {}
        for one in tried[1:]:
            gains: list[float] = []
            for world, before in zip(worlds, usual, strict=True):
                after = self._tried(*world, moment, one)
                if after is None or before is None:
                    break
                gains.append(after - before)
            else:
                found[one] = gains
        return found

    def _tried(self, world: LocalGame, seed: str, moment: Moment, candidate: Candidate) -> float | None:
        """What a command promises in a world; None if it is refused there."""
        dice, seat = SameDice(seed), moment.me.seat
        dice.game = game = world.clone(dice)
        try:
            game.give(seat, candidate.command)
        except (Refused, Endless):
            return None
        memory = moment.memory.after(moment.view, candidate.command)
        return playout(game, seat, self._effort(moment).rounds, candidate.go_on, memory)


def _better(gains: dict[Candidate, list[float]], margin: float) -> list[Candidate]:
    """What gains more than the margin on average, the best first."""
    means = {one: fmean(each) for one, each in gains.items()}
    return sorted((one for one in means if means[one] > margin), key=lambda one: -means[one])


def candidates(moment: Moment, usual: AnyCommand) -> Iterator[Candidate]:
    """What is worth a try, each once: the steady bot's command first."""
    met = [Candidate(usual)]
    yield met[0]
    for one in _others(moment, usual):
        if one not in met:
            met.append(one)
            yield one


def _others(moment: Moment, usual: AnyCommand) -> Iterator[Candidate]:
    if moment.decision.kind != "turn":
        yield from map(
            Candidate, (one for one in moment.commands if isinstance(one, Choose) or moment.decision.kind == "reveal")
        )
        return
    foes = moment.foes()
    attacks = sorted(moment.listed(Attack), key=lambda one: -worth(moment, one))
    if moment.view.turn.monsters:
        yield from map(Candidate, attacks[: 2 * FOES])
        name = getattr(usual, "monster", None)
        if name is not None:
            yield from _ways(moment, [(foe.room, foe.part) for foe in foes], name)
        return
    yield from map(Candidate, [one for one in attacks if moment.figure(one.target) in foes][:FOES])
    acts = [one for one in moment.listed(Act) if not moment.memory.times(moment.view, one)]
    yield from map(Candidate, acts[:ACTS])
    if isinstance(usual, Attack):
        yield Candidate(EndTurn(decision=moment.decision.id))
    yield from _ways(moment, destinations(moment))
    if isinstance(usual, Explore):
        yield from map(Candidate, list(moment.listed(Explore))[:DOORS])
    yield from map(Candidate, acts[ACTS:])


def _ways(moment: Moment, goals: Sequence[Spot], monster: MonsterId | None = None) -> Iterator[Candidate]:
    for goal in dict.fromkeys(goals):
        step = step_to(moment, goal, monster)
        if step is not None:
            yield Candidate(step, goal)


def destinations(moment: Moment) -> list[Spot]:
    """Where to go: the two nearest spots of each kind that the book asks for, the nearest opponent, and when weak away from all."""
    routes = Routes(moment, moment.here)
    goals: list[Spot] = []
    for spots in wanted(moment):
        goals += sorted((spot for spot in dict.fromkeys(spots) if spot in routes.cost), key=routes.cost.__getitem__)[
            :NEAREST
        ]
    nearest = routes.nearest([(foe.room, foe.part) for foe in moment.foes()])
    weak = min(endurance(moment.me, PHYSICAL), endurance(moment.me, MENTAL)) <= WEAK
    away = refuge(moment, routes) if weak else None
    return [*list(dict.fromkeys(goals))[:GOALS], *filter(None, (nearest, away))]


def refuge(moment: Moment, routes: Routes) -> Spot | None:
    """Of what can be reached in this turn, where opponents have the longest way."""
    far: dict[Spot, int] = {}
    for foe in moment.foes():
        for spot, cost in Routes(moment, (foe.room, foe.part), monster=True).cost.items():
            far[spot] = min(far.get(spot, FAR), cost)
    within = [spot for spot, cost in routes.cost.items() if cost <= moment.view.turn.spaces_left]
    return max(within, key=lambda spot: (far.get(spot, FAR), -routes.cost[spot])) if far and within else None


def _health(moment: Moment) -> int:
    return sum(trait(moment.me, name).position for name in TRAITS)
