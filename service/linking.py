"""Checking the chain of a long export in processes of its own, while the decisions are taken again in this one.

Each process takes a stretch of the commits, and the hash that stands in the commit before it; whether that one is right
is for the stretch before to say. So the stretches together check what one walk along the chain would.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import msgspec

from service.log.chain import FIRST, Broken, Salts, verify
from service.log.commits import hash_of

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

PATIENCE = 600.0
"""Seconds that a stretch may take."""


class Break(msgspec.Struct, frozen=True):
    """Where the chain breaks first."""

    commit: int
    because: str


class Linking:
    """The chain of an export being checked elsewhere."""

    def __init__(self, lines: Sequence[bytes], salts: Salts, processes: int) -> None:
        """Begin to check.

        Args:
            lines: the commits.
            salts: of the game.
            processes: how many to start, 1 or more. They are forked, so this one should have no other threads.
        """
        context = multiprocessing.get_context("fork")
        borders = [len(lines) * part // processes for part in range(processes + 1)]
        self._at_work: list[tuple[ForkProcess, Connection]] = []
        for first, last in pairwise(borders):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(lines, salts, first, last, theirs), daemon=True)
            process.start()
            theirs.close()
            self._at_work.append((process, ours))

    def first(self) -> Break | None:
        """Where the chain breaks first, or None if it holds. Waits until that is known.

        Raises:
            RuntimeError: a process came to no end.
        """
        found: list[Break] = []
        for process, ours in self._at_work:
            try:
                if not ours.poll(PATIENCE):
                    raise RuntimeError("a process that checks the chain is silent")
                answer = ours.recv()
            except EOFError:
                raise RuntimeError("a process that checks the chain has died") from None
            finally:
                ours.close()
            process.join()
            if isinstance(answer, Break):
                found.append(answer)
        return min(found, key=lambda one: one.commit, default=None)


def _work(lines: Sequence[bytes], salts: Salts, first: int, last: int, pipe: Connection) -> None:
    """In the other process."""
    pipe.send(broken(lines, salts, first, last))


def broken(lines: Sequence[bytes], salts: Salts, first: int, last: int) -> Break | None:
    """Where the chain breaks first in a stretch.

    Args:
        lines: all commits.
        salts: of the game.
        first: how many lie before the stretch.
        last: how many lie before its end.
    """
    try:
        before = FIRST if first == 0 else hash_of(lines[first - 1])
    except ValueError:
        return None  # the stretch before has more to say about it
    for at in range(first, last):
        try:
            before = verify(lines[at], before, salts).hash
        except Broken as difference:
            return Break(at + 1, str(difference))
    return None
