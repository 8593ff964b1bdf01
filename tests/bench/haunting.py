"""Contestants: what a command costs in a haunt, and what one costs while the house is explored; and what both books of a haunt cost."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from domain.decide import decide
from domain.facts.audience import REFEREE
from domain.facts.state import State
from domain.rulebook.turn.options import legal
from projections.books.book import book_of
from projections.books.pages import as_html, sections
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


@contextmanager
def books(scale: int) -> Iterator[Round]:
    """Both books of every haunt as a page, anew after each command, for the referee; one game of each haunt, or fewer."""
    pack = rules("second-edition")
    names = list(pack.pack.haunts)[: share(len(pack.pack.haunts), scale)]

    def read_round() -> Sample:
        costs: list[float] = []
        pages: list[bytes] = []
        for name in names:
            for state in _played(name, 0):
                if state.haunt is not None:
                    begun = time.perf_counter()
                    book = book_of(pack, state, REFEREE)
                    page = as_html(name, sections(book)) if book is not None else ""
                    costs.append(time.perf_counter() - begun)
                    pages.append(page.encode())
        return Sample(
            count=len(costs),
            seconds=sum(costs),
            proofs={"pages of both books": checksum(pages)},
            notes={"mean ms": 1000 * statistics.fmean(costs), "p95 ms": 1000 * sorted(costs)[len(costs) * 95 // 100]},
        )

    yield read_round


def _played(haunt: str, seed: int) -> Iterator[State]:
    """The state after each command of a game that is played to its end at random."""
    pack = rules("second-edition")
    state, chance, _ = table(pack, seed, haunt=haunt)
    lot = random.Random(seed)
    while state.status == "started":
        actor = next(iter(state.open.values())).seat if state.open else state.turn.seat
        listed = legal(pack, state, actor)
        decide(pack, state, actor, listed[int(lot.random() * len(listed))], chance)
        state.commit += 1
        yield state


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
