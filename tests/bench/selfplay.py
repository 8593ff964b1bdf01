"""Contestants: whole games at random through the library, with and without views, and clones of a table."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import msgspec

import omenlog
from tests.bench.sample import Round, Sample, checksum, share

GAMES = 20
"""Games in a full round."""
EVERY = 20
"""A clone after so many commands."""


def legal(scale: int) -> AbstractContextManager[Round]:
    """Legal lists alone."""
    return _play(scale, seen=False)


def seen(scale: int) -> AbstractContextManager[Round]:
    """And what the seat sees before every command."""
    return _play(scale, seen=True)


@contextmanager
def _play(scale: int, *, seen: bool) -> Iterator[Round]:
    omenlog.contents("second")

    def play_round() -> Sample:
        ends: list[omenlog.Table] = []
        begun = time.perf_counter()
        for seed in range(share(GAMES, scale)):
            table, lot = omenlog.Table("second", seats=4, seed=seed), random.Random(seed)
            while not table.over:
                seat = table.awaited()[0]
                if seen:
                    table.view(seat)
                actions = table.legal(seat)
                table.do(seat, actions[int(lot.random() * len(actions))])
            ends.append(table)
        seconds = time.perf_counter() - begun
        commands = sum(table.version for table in ends)
        return Sample(
            count=len(ends),
            seconds=seconds,
            proofs={"what seat 0 sees at the end of the library's games": checksum(map(_sight, ends))},
            notes={"commands": commands, "us a command": 1e6 * seconds / commands},
        )

    yield play_round


@contextmanager
def clones(scale: int) -> Iterator[Round]:
    """A clone of a table now and then in whole games."""

    def play_round() -> Sample:
        costs: list[float] = []
        for seed in range(share(GAMES, scale)):
            table, lot = omenlog.Table("second", seats=4, seed=seed), random.Random(seed)
            while not table.over:
                seat = table.awaited()[0]
                table.do(seat, lot.choice(table.legal(seat)))
                if table.version % EVERY == 0:
                    begun = time.perf_counter()
                    table.clone()
                    costs.append(time.perf_counter() - begun)
        mean, worst = statistics.fmean(costs), max(costs)
        return Sample(count=len(costs), seconds=sum(costs), notes={"mean ms": 1e3 * mean, "slowest ms": 1e3 * worst})

    yield play_round


def _sight(table: omenlog.Table) -> bytes:
    return msgspec.json.encode(table.view(0))
