"""Heads of games that need not be asked for again: SQLite proves that nobody else has written since.

The write-ahead log has an index in memory that all connections share, of whatever process and program. Its header
(https://sqlite.org/walformat.html) counts the transactions, and counts each before whoever wrote it can say so. While the count has grown by
nothing but appends that were made here, what was known of a game still holds, and looking takes no lock of the file, no system call and no
turn of the interpreter's other threads.

The memory is read where SQLite has it in this process, as the system tells: a file of one's own on it, once closed, would take SQLite's
locks with it. Where the system doesn't tell, or the layout is another one, every head is asked for.
"""

import ctypes
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from service.store.port import Head

MAPS = Path("/proc/self/maps")
LAYOUT = 3_007_000
"""The version of the index's layout, its first number; all processes that have a file open at once must agree on it."""
COUNT = 8
"""Where the count of transactions lies: an unsigned number of 32 bits, as the machine orders its bytes."""
MOST = 50_000
"""Heads remembered at once."""


class Heads:
    """Heads of a file's games as of some count of transactions; used by the loop's thread and the writer's."""

    def __init__(self, path: str) -> None:
        """Begin without any; a connection of this process has the file open until the last call."""
        self._count = _transactions(path)
        self._as_of = -1
        self._heads: dict[str, Head] = {}
        self._begun = 0
        self._lock = threading.Lock()

    def find(self, game: str, ask: Callable[[str], Head | None], *, writing: bool) -> Head | None:
        """A game's head, asked for where it isn't known; `writing`: this process may have written what isn't noted yet."""
        count = self._count
        if count is None:
            return ask(game)
        with self._lock:
            now = count.value
            if now != self._as_of and not writing:
                self._begin_anew(now)
            if now == self._as_of and game in self._heads:
                return self._heads[game]
        head = ask(game)
        with self._lock:
            if head is not None and now == self._as_of == count.value:  # as of this count, and of no later one
                if len(self._heads) >= MOST:
                    self._heads.clear()
                self._heads[game] = head
        return head

    def appended(self, appends: Iterable[tuple[str, int, bytes, str | None, bytes]]) -> None:
        """This process has appended commits of several games, in one transaction that changed nothing else."""
        if self._count is None:
            return
        with self._lock:
            now = self._count.value
            if now == self._as_of + 1:
                self._as_of = now
                for game, expected, *_ in appends:
                    known = self._heads.get(game)
                    if known is not None:
                        self._heads[game] = Head(expected + 1, known.revision)
            elif now == self._as_of:  # it isn't the count after all
                self._count = None
            else:
                self._begin_anew(now)

    def others(self, *, writing: bool) -> int | None:
        """A number that is another one as soon as anything but such appends was written; None: it can't be told now."""
        if self._count is None:
            return None
        with self._lock:
            now = self._count.value
            if now != self._as_of:
                if writing:
                    return None
                self._begin_anew(now)
            return self._begun

    def _begin_anew(self, count: int) -> None:
        self._begun += 1
        self._heads.clear()
        self._as_of = count


def _transactions(path: str) -> ctypes.c_uint32 | None:
    """How many transactions a file has seen, as SQLite counts them now and from now on."""
    name = f"{os.path.realpath(path)}-shm"
    try:
        maps = MAPS.read_text(errors="surrogateescape")
    except OSError:
        return None
    for line in maps.splitlines():
        where, _, begin, *_, mapped = line.split(maxsplit=5)
        if mapped == name and not int(begin, 16):
            address = int(where.partition("-")[0], 16)
            known = ctypes.c_uint32.from_address(address).value == LAYOUT
            return ctypes.c_uint32.from_address(address + COUNT) if known else None
    return None
