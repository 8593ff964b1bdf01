"""Contestants in processes of their own, and their rounds taken in turns."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from tests.bench.sample import Contestant, Sample
from tests.support.compiling import compiled, is_compiled

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

PATIENCE = 300.0
"""Seconds that preparing, or a round, may take."""

COMPILED = "compiled "
"""Before the place of a contestant that plays by the compiled domain."""

Rounds = dict[str, list[Sample]]
"""The samples of each contestant, round by round."""


class ContestFailed(Exception):
    """A contestant failed, or computed something else than it should have. The message says which and what."""


class Arena:
    """A contestant at work in another process."""

    def __init__(self, name: str, place: str, scale: int) -> None:
        """Start its process and begin to prepare. `place` is `module:function`, perhaps after `compiled `."""
        context = multiprocessing.get_context("spawn")  # a fresh interpreter: a fork would share our heap
        self.name = name
        self._ours, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_attend, args=(place, scale, theirs), name=name)
        path = sys.path[:]
        try:
            if place.startswith(COMPILED):
                sys.path.insert(0, str(compiled()))  # the process takes over our path
            self._process.start()
        finally:
            sys.path[:] = path
        theirs.close()

    def answer(self) -> Sample | None:
        """What it says next: nothing once it is prepared, then a sample for each round.

        Raises:
            ContestFailed: it failed, died or is silent.
        """
        try:
            if not self._ours.poll(PATIENCE):
                raise ContestFailed(f"{self.name}: no answer in {PATIENCE:.0f} s")
            answer = self._ours.recv()
        except EOFError:
            raise ContestFailed(f"{self.name}: its process ended") from None
        if isinstance(answer, str):
            raise ContestFailed(f"{self.name}: {answer}")
        return answer if isinstance(answer, Sample) else None

    def round(self) -> Sample:
        """Run one round."""
        self._ours.send("round")
        sample = self.answer()
        if sample is None:
            raise ContestFailed(f"{self.name}: no sample")
        return sample

    def close(self) -> None:
        """Let it clean up, and wait until it has."""
        self._ours.close()
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()


def _attend(place: str, scale: int, pipe: Connection) -> None:
    """In the other process: prepare, then a round each time that one is asked for."""
    module, _, name = place.removeprefix(COMPILED).partition(":")
    try:
        assert is_compiled() or not place.startswith(COMPILED)
        contestant: Contestant = getattr(importlib.import_module(module), name)
        with contestant(scale) as play_round:
            pipe.send(None)
            while True:
                try:
                    pipe.recv()
                except EOFError:
                    return
                pipe.send(play_round())
    except Exception:  # noqa: BLE001 -- whatever it is, the parent prints it and stops
        pipe.send(traceback.format_exc())


@contextmanager
def arenas(places: Mapping[str, str], scale: int) -> Iterator[list[Arena]]:
    """All contestants prepared, one after another; closed in the end."""
    # Sets and dicts of strings in the peers: their games are the same ones in every process.
    os.environ["PYTHONHASHSEED"] = "0"
    with ExitStack() as stack:
        found = []
        for name, place in places.items():
            arena = Arena(name, place, scale)
            stack.callback(arena.close)
            arena.answer()
            found.append(arena)
        yield found


def contest(
    places: Mapping[str, str], *, rounds: int, scale: int, tell: Callable[[str, int, Sample], None]
) -> tuple[Rounds, dict[str, str]]:
    """Interleaved rounds: each contestant once, then each once more. A first round of each warms up and does not count.

    Args:
        places: by name, `module:function` of each contestant, in the order in which they take turns.
        rounds: how many count.
        scale: how much of its work each does, in tenths.
        tell: called after each round with name, number (0 warms up) and sample.

    Returns:
        All samples, and all checksums by what they cover.

    Raises:
        ContestFailed: a contestant failed, or did other work in one round than in another.
    """
    samples: Rounds = {name: [] for name in places}
    proofs: dict[str, str] = {}
    with arenas(places, scale) as playing:
        for number in range(rounds + 1):
            for arena in playing:
                time.sleep(0.02)  # lets the one before fall asleep
                sample = arena.round()
                _check(arena.name, sample, proofs)
                if number:
                    samples[arena.name].append(sample)
                tell(arena.name, number, sample)
    return samples, proofs


def _check(name: str, sample: Sample, proofs: dict[str, str]) -> None:
    for what, digest in sample.proofs.items():
        if proofs.setdefault(what, digest) != digest:
            raise ContestFailed(f"{name}: {what} has checksum {digest}, before it had {proofs[what]}")


def rates(samples: Sequence[Sample]) -> list[float]:
    """Units a second, round by round."""
    return [sample.rate for sample in samples]
