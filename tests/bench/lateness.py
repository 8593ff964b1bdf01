"""Contestant: what a command costs among the first 100 of a game, and among the last 100 of 1,000.

The service runs in this process and keeps its games in memory, so that no disk and no socket hides what grows with a game.
The games go on so long because their haunt rolls always hold the haunt off; in the end nearly the whole house is known.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from domain.facts.commands import Move
from service.bootstrap import Service
from tests.bench.plans import Plan, moves, open_planned, plans, serve
from tests.bench.sample import Round, Sample, checksum, share

COMMANDS = 1_000
EDGE = 100
"""Commands at the beginning and at the end that are compared."""
GAMES = 8
"""Games in a full round."""


@contextmanager
def long_games(scale: int) -> Iterator[Round]:
    """Decide, seal and store, as the service does it, each command timed alone."""
    games = plans(share(GAMES, scale), least=COMMANDS, haunted=False)
    with asyncio.Runner() as runner:
        yield lambda: runner.run(_play(games))


async def _play(games: list[Plan]) -> Sample:
    service = await serve("memory:")
    early: list[float] = []
    late: list[float] = []
    early_moves: list[float] = []
    late_moves: list[float] = []
    bodies: list[bytes] = []
    for game in games:
        name, costs = await _timed(service, game)
        early += costs[:EDGE]
        late += costs[-EDGE:]
        walked = [isinstance(step.command, Move) for step in game.steps]
        early_moves += [cost for cost, move in zip(costs[:EDGE], walked[:EDGE], strict=True) if move]
        late_moves += [cost for cost, move in zip(costs[-EDGE:], walked[-EDGE:], strict=True) if move]
        bodies += await service.store.read(name, 0, COMMANDS * 2)
    await service.close()
    return Sample(
        count=len(late),
        seconds=sum(late),
        proofs={"logs of the long games": checksum(bodies)},
        notes={
            "early us": _mean_us(early),
            "late us": _mean_us(late),
            "early move us": _mean_us(early_moves),
            "late move us": _mean_us(late_moves),
        },
    )


async def _timed(service: Service, game: Plan) -> tuple[str, list[float]]:
    name = await open_planned(service, game)
    costs = []
    for caller, command in moves(name, game):
        begun = time.perf_counter()
        await service.play.submit_command(caller, command)
        costs.append(time.perf_counter() - begun)
    return name, costs


def _mean_us(costs: list[float]) -> float:
    return 1e6 * sum(costs) / len(costs)
