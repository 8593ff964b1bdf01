"""Contestants: what a command costs in a haunt, and what one costs while the house is explored; every haunt of the pack."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from domain.decide import decide
from domain.facts.state import State
from domain.rulebook.turn.options import legal
from tests.bench.games import exact, table
from tests.bench.sample import Round, Sample, checksum, share
from tests.support.packs import rules

GAMES = 4
"""Games of each haunt in a full round."""


@contextmanager
def haunts(scale: int) -> Iterator[Round]:
    """Legal list, choice, decide, evolve; complete games of each haunt, every command timed alone."""
    names = list(rules("second-edition").pack.haunts)
    seeds = range(share(GAMES, scale))

    def play_round() -> Sample:
        exploring: list[float] = []
        haunted: dict[str, list[float]] = {}
        ends: list[State] = []
        for name in names:
            costs = haunted[name] = []
            ends += [_timed(name, seed, exploring, costs) for seed in seeds]
        every = [cost for costs in haunted.values() for cost in costs]
        means = {name: statistics.fmean(costs) for name, costs in haunted.items()}
        return Sample(
            count=len(every),
            seconds=sum(every),
            proofs={"final states of each haunt's games": checksum(exact(state) for state in ends)},
            notes={
                "exploring us": 1e6 * statistics.fmean(exploring),
                "haunted us": 1e6 * statistics.fmean(every),
                "cheapest haunt us": 1e6 * min(means.values()),
                "dearest haunt us": 1e6 * max(means.values()),
                "haunts": len(names),
                "exploring commands": len(exploring),
            },
        )

    yield play_round


def _timed(haunt: str, seed: int, exploring: list[float], haunted: list[float]) -> State:
    """Play one game to its end at random; each command's seconds are noted by the phase in which it was given."""
    pack = rules("second-edition")
    state, chance, _ = table(pack, seed, haunt=haunt)
    lot = random.Random(seed)
    while state.status == "started":
        costs = exploring if state.haunt is None else haunted
        actor = next(iter(state.open.values())).seat if state.open else state.turn.seat
        begun = time.perf_counter()
        listed = legal(pack, state, actor)
        command = listed[int(lot.random() * len(listed))]
        decide(pack, state, actor, command, chance)
        costs.append(time.perf_counter() - begun)
        state.commit += 1
    return state
