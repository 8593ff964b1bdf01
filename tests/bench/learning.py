"""Contestant: whole games of the PettingZoo environment with random actions of the mask."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

import omenlog
from tests.bench.sample import Round, Sample, checksum, share

GAMES = 20
"""Games in a full round."""


@contextmanager
def environment(scale: int) -> Iterator[Round]:
    """Observe, choose, step; what is computed is what the last agent observes at the end of each game."""
    env = omenlog.env("second", seats=4)

    def play_round() -> Sample:
        steps, ends = 0, []
        begun = time.perf_counter()
        games = share(GAMES, scale)
        for seed in range(games):
            env.reset(seed=seed)
            lot, vector = random.Random(seed), np.zeros(0, np.float32)
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                assert seen is not None
                vector = seen["observation"]
                actions = np.flatnonzero(seen["action_mask"].view(bool))
                env.step(actions[int(lot.random() * len(actions))])
                steps += 1
            ends.append(vector)
        seconds = time.perf_counter() - begun
        return Sample(
            count=games,
            seconds=seconds,
            proofs={"the last observations of the environment's games": checksum(one.tobytes() for one in ends)},
            notes={"steps": steps, "steps/s": steps / seconds},
        )

    yield play_round
