"""What the workers of one service share, so that limits hold for each caller and not for each process: numbers by name, and a folder.

The numbers are in memory that workers inherit from their parent, under a lock that the kernel takes back from a worker that dies. A service of
one process keeps them in the same way, and locks nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
import struct
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

ROW = struct.Struct("16sdd")
"""A name's digest and two numbers of it."""
PER_GROUP = 8
"""Rows that a name may lie in; of more names that fall together the least important is forgotten."""
GROUP = PER_GROUP * ROW.size
GROUPS = 2048
TABLE = GROUPS * GROUP
"""Bytes: 16,384 rows."""


class WorkerFailed(Exception):
    """A worker can't start. The message says why."""


class Lock:
    """Held by one process at a time; it ends with its holder, however that ends."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT)

    def __enter__(self) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN)


class Shared:
    """Made by the parent before it forks, or by the one process that serves."""

    def __init__(self, tables: int, *, numbers: int = 1, folder: Path | None = None) -> None:
        """There are `tables` tables of all workers, and one for each of the numbers by which workers are known."""
        self.folder = folder
        """Where workers leave files for each other; None: there is one process."""
        self.number = 1
        """Which worker this is: no two that live have the same."""
        self._tables = tables
        self._numbers = numbers
        self._memory = mmap.mmap(-1, (tables + numbers) * TABLE)
        self.lock: AbstractContextManager[None] = nullcontext() if folder is None else Lock(folder / "lock")

    def table(self, index: int) -> Rows:
        return Rows(self._memory, index * TABLE)

    def counts(self) -> Counts:
        of_all = [self.table(self._tables + number) for number in range(self._numbers)]
        return Counts(of_all[self.number - 1], of_all)

    def forget(self, number: int) -> None:
        """Take back what a worker that has ended had counted."""
        begin = (self._tables + number - 1) * TABLE
        self._memory[begin : begin + TABLE] = bytes(TABLE)


class Rows:
    """Two numbers for each of many names."""

    def __init__(self, memory: mmap.mmap, begin: int) -> None:
        self._memory = memory
        self._begin = begin

    def find(self, name: bytes) -> int:
        """The row of a name, as `key` gives it; -1: it has none."""
        first = self._group(name)
        return self._memory.find(name, first, first + GROUP)

    def group(self, name: bytes) -> list[int]:
        """The rows that a name may lie in."""
        first = self._group(name)
        return list(range(first, first + GROUP, ROW.size))

    def get(self, row: int) -> tuple[float, float]:
        _, one, other = ROW.unpack_from(self._memory, row)
        return one, other

    def put(self, row: int, name: bytes, one: float, other: float = 0.0) -> None:
        self._memory[row : row + ROW.size] = ROW.pack(name, one, other)

    def _group(self, name: bytes) -> int:
        return self._begin + int.from_bytes(name[:4], "big") % GROUPS * GROUP


class Counts:
    """How many of something each name has: counted by each worker in a table of its own, and looked up in all."""

    def __init__(self, own: Rows, of_all: list[Rows]) -> None:
        self._own = own
        self._of_all = of_all

    def of(self, name: bytes) -> int:
        rows = [(table, table.find(name)) for table in self._of_all]
        return round(sum(table.get(row)[0] for table, row in rows if row >= 0))

    def add(self, name: bytes, change: int) -> None:
        """Count more or fewer; what finds no room is not counted, which errs in the caller's favor."""
        row, before = self._own.find(name), 0.0
        if row >= 0:
            before, _ = self._own.get(row)
        else:
            row = next((one for one in self._own.group(name) if not self._own.get(one)[0]), -1)
        if row >= 0 and before + change >= 0:
            self._own.put(row, name, before + change)


def key(name: str | bytes) -> bytes:
    """What stands in a table for a name, or for a digest."""
    return name[:16] if isinstance(name, bytes) else hashlib.blake2b(name.encode(), digest_size=16).digest()
