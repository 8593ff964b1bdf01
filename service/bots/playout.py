"""Playing on in a sampled world: what it is worth to a seat when all others are steady.

A sampled world is a game like any other, so nothing here sees more than a seat of it would; and nothing in it is the truth of the game that
it was sampled from (`domain.worlds`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from content.vocabulary.values import Condition, Number
from domain.engine.bindings import Bound
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.audience import Mask, seat_bit
from domain.facts.chance import Answer, Request, Seeded
from domain.facts.commands import AnyCommand
from domain.facts.ids import is_own_side, stance
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MODERATOR, Explorer, State
from domain.local import LocalGame
from domain.queries.characters import winning_seats
from domain.queries.conditions import test
from domain.queries.numbers import number
from domain.rulebook.turn.options import monster_turn, own_turn, turn_decision
from projections.choices.decisions import Decisions, Listed, OpenDecision, decisions_of
from projections.choices.hints import hints_of
from projections.view.game import GameView, view_of
from service.bots import steady
from service.bots.brain import Memory
from service.bots.steady.sight import Moment, Routes, wanted
from service.bots.steady.turn import hunt

LONGEST = 200
"""Commands after which a playout is judged, however far the round has come."""


class Stakes(NamedTuple):
    """What things count for, between a lost game and a won one."""

    begin: float
    """A goal not begun, and everybody sound."""
    goal: float
    friends: float
    foes: float


STAKES = {"heroes": Stakes(0.35, 0.6, 0.15, 0.05), "traitor": Stakes(0.4, 0.3, 0.1, 0.45)}
"""By side: heroes run a race, and a traitor has won when no hero is left."""
LEAST, MOST = 0.03, 0.97
"""Nothing but the end of a game is certain."""
SOUND = 8
"""Spaces above the skull from which more of them make no explorer safer."""
NEARBY, REACH, LESSER = 0.04, 5.0, 0.7
"""What it counts for to stand where the book sends a seat; the spaces by which that falls to a third; and by how much less for its next wish."""
ROOM = 0.006
"""What each room that is known counts for."""


class SameDice:
    """Chance that rolls the same in the same turn, and draws the same next of each kind, whatever else has happened.

    So two commands that are compared in one world differ by what they do, more than by luck.
    """

    def __init__(self, seed: str) -> None:
        self.game: LocalGame | None = None
        """The one that asks."""
        self._seed = seed.encode()
        self._asked: Counter[str] = Counter()

    def ask(self, request: Request) -> Answer:
        turn = self.game.state.turn.number if request.dice and self.game is not None else 0
        of = f"{request.what}:{turn}"
        self._asked[of] += 1
        return Seeded(self._seed, of).ask(replace(request, index=self._asked[of]))


Plan = Callable[[Moment], AnyCommand | None]
"""What a seat does before it goes on steadily."""


def playout(game: LocalGame, seat: int, rounds: float, plan: Plan, memory: Memory) -> float | None:
    """Play on with steady bots for some rounds, and judge it for a seat: from 0 (lost) to 1 (won); None where a step is refused.

    In the turn in which it begins, the seat does what `plan` says as long as that says something. A traitor whose book the seat has not read
    hunts the heroes.
    """
    memories = {seat: memory}
    turn = game.state.turn.number
    last = turn + rounds * (len(game.state.living()) + bool(game.state.monsters))
    for _ in range(LONGEST):
        if game.over or game.state.turn.number > last:
            break
        chosen = _next(game, seat, turn, plan, memories)
        if chosen is None:
            return None
        try:
            game.give(*chosen)
        except (Refused, Endless):
            return None
    return outlook(game.rules, game.state, seat) + (0.0 if game.over else _placed(game, seat, memory))


def _next(
    game: LocalGame, seat: int, turn: int, plan: Plan, memories: dict[int, Memory]
) -> tuple[int, AnyCommand] | None:
    for actor in game.awaited():
        if actor == MODERATOR:
            return None
        view, decisions = glimpse(game.rules, game.known(seat_bit(actor)), seat_bit(actor))
        memory = memories.get(actor) or Memory(seed=f"world/{actor}")
        command = None
        if [one.kind for one in decisions.yours] == ["turn"]:
            moment = Moment(view, decisions.yours[0], memory, decisions.hints or [])
            if actor == seat and view.turn.number == turn:
                command = plan(moment)
            elif moment.me.side == "traitor" and not moment.hints and not view.turn.monsters:
                command = hunt(moment)
        command = command or steady.choose(view, decisions, memory)
        if command is not None:
            memories[actor] = memory.after(view, command)
            return actor, command
    return None


def glimpse(rules: Rules, state: State, role: Mask) -> tuple[GameView, Decisions]:
    """A seat's view and decisions, on its turn without labels and whatever else a steady bot does not look at, which halves the work."""
    view = view_of(rules, state, role)
    if state.open or state.haunt is None or state.haunt.hidden:
        return view, decisions_of(rules, state, role, hints=True)
    rules, turn, seat, name = rules.of(state), state.turn, role.bit_length() - 1, turn_decision(state)
    yours: list[OpenDecision] = []
    if name and state.seat_of(turn.seat) == seat:
        legal = (monster_turn if turn.monsters else own_turn)(rules, state, name, seat)
        yours.append(turn_asked(name, [Listed("", command) for command in legal]))
    hints = hints_of(rules, state, role) if yours else []
    return view, Decisions(
        game=state.game,
        version=state.commit,
        you=seat,
        waiting=[],
        yours=yours,
        enter=None,
        take_back=None,
        hints=hints,
    )


def turn_asked(name: str, commands: list[Listed]) -> OpenDecision:
    return OpenDecision(
        id=name, kind="turn", about="turn", text="", count=len(commands), commands=commands, families=[]
    )


# -- how it stands --------------------------------------------------------------------------------------------------------


def outlook(rules: Rules, state: State, seat: int) -> float:
    """What a game promises a seat, from 0 (lost) to 1 (won): how near its book's goal is, and whose lives are left."""
    if state.status != "started":
        return float(seat in winning_seats(state)) if state.winner else 0.5
    if state.haunt is None:
        return 0.5
    side = state.explorers[seat].side or "heroes"
    wins, loses = _goals(rules, state.haunt.id, stance(side))
    glance = Glance(rules, state)
    asked = Frame[Bound](rules.block("act"), {"you": seat, "src": f"haunt:{stance(side)}"})
    near = wins(glance, asked) - loses(glance, asked)
    friends: list[float] = []
    others: list[float] = []
    for one in state.explorers:
        friend = one.seat == seat if is_own_side(side) else (one.side or "heroes") == side
        (friends if friend else others).append(_life(one))
    stakes = STAKES[stance(side)]
    lost = stakes.foes * (1 - _mean(others)) - stakes.friends * (1 - _mean(friends))
    return min(MOST, max(LEAST, stakes.begin + stakes.goal * near + lost))


Measure = Callable[[Glance, Frame], float]
"""How far a condition has come, from 0 to 1, which means that it holds."""


@lru_cache(maxsize=256)
def _goals(rules: Rules, haunt: str, side: str) -> tuple[Measure, Measure]:
    """How near a side is to winning by the book that it reads, and to losing."""
    sheet = rules.pack.haunts.get(haunt)
    if sheet is None:  # from the players' own books
        return measure(None), measure(None)
    book = sheet.book(side)
    wins, loses = measure(book.wins_when), measure(book.loses_when)
    return (wins, loses) if sheet.read_by(side) == side else (loses, wins)


def measure(condition: Condition | None) -> Measure:
    """Compile how far a condition has come: of a number that has to be reached, the share."""
    if condition is None:
        return lambda _m, _f: 0.0
    if condition.all is not None:
        parts = [measure(one) for one in condition.all]
        return lambda m, f: _mean([part(m, f) for part in parts])
    if condition.any is not None:
        parts = [measure(one) for one in condition.any]
        return lambda m, f: max(part(m, f) for part in parts)
    if condition.at_least is not None and (condition.counter is not None or condition.count is not None):
        have, need = number(Number(counter=condition.counter, count=condition.count)), number(condition.at_least)
        return lambda m, f: min(1.0, max(0, have(m, f)) / max(1, need(m, f)))
    holds = test(condition)
    return lambda m, f: float(holds(m, f))


def _life(explorer: Explorer) -> float:
    """From 0 (dead) to 1 (sound): what it can lose before its weaker half reaches the skull."""
    if not explorer.alive:
        return float(explorer.escaped)
    might, speed, sanity, knowledge = (max(0, at - 1) for at in explorer.at)
    return 0.5 + 0.5 * min(1.0, min(might + speed, sanity + knowledge) / SOUND)


def _mean(found: list[float]) -> float:
    return sum(found) / len(found) if found else 0.0


def _placed(game: LocalGame, seat: int, memory: Memory) -> float:
    """What it counts for how near the seat stands to what its book sends it for, and how much of the house is known."""
    known = ROOM * len(game.state.rooms)
    if not game.state.explorers[seat].alive:
        return known
    role = seat_bit(seat)
    state = game.known(role)
    view, _ = glimpse(game.rules, state, role)
    moment = Moment(view, turn_asked("", []), memory, hints_of(game.rules, state, role))
    cost, weight = Routes(moment, moment.here).cost, NEARBY
    for spots in wanted(moment):
        near = [cost[spot] for spot in spots if spot in cost]
        if near:
            return known + weight * math.exp(-min(near) / REACH)
        weight *= LESSER
    return known
