"""Which worker a game is at home at: who connects to ask for a game is handed on to that one, whichever the kernel gave the connection to.

Where players of one game are at several workers, each of these loads it, holds it in memory, and folds the commits of the others. So a
connection whose first request is for a game is handed on, as a file descriptor with what has arrived, to the worker at home in the
game, and so is who opens a WebSocket over a used one. Any worker can serve it, and does where the one at home has no room, or has not been
heard of for a while, or where a connection asks for several games.
"""

from __future__ import annotations

import asyncio
import contextlib
import mmap
import os
import re
import socket
import struct
import time
import zlib
from collections.abc import Callable, Sequence

ROOM = 131_072
"""Bytes of a request that is handed on."""
AWAY = 3.0
"""Seconds without a beat after which a worker is handed nothing. One that was killed is replaced sooner."""
_BEAT = struct.Struct("d")
_OWNER = struct.Struct("q")
"""The process that listens, so that one that is being replaced takes nothing from the next."""
_CELL = _BEAT.size + _OWNER.size
_GAME = re.compile(rb"[A-Z]+ /v1/games/([^/? ]+)[/? ]")


class Boxes:
    """A way to each worker, made by their parent: what is put in while a worker is replaced waits for the next one."""

    def __init__(self, workers: int) -> None:
        self._ways = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(workers)]
        self._beats = mmap.mmap(-1, workers * _CELL)
        for way in self._ways:
            for end in way:
                end.settimeout(0)

    def of(self, index: int) -> Homes:
        """What the worker of an index has of them, who keeps nothing else open."""
        for other, (_, out) in enumerate(self._ways):
            if other != index:
                out.close()
        return Homes(index, self._ways[index][1], [into for into, _ in self._ways], self._beats)

    def close(self) -> None:
        for way in self._ways:
            for end in way:
                end.close()


class Homes:
    """The ways to all workers, as one of them knows them."""

    def __init__(self, index: int, own: socket.socket, ways: Sequence[socket.socket], beats: mmap.mmap) -> None:
        self._index = index
        self._own = own
        self._ways = ways
        self._beats = beats

    def hand_on(self, request: bytes, connection: int) -> bool:
        """Give a connection, with what has arrived, to the worker at home in its game; False if that is this one, or can't be done now."""
        found = _GAME.match(request)
        home = self._index if found is None else zlib.crc32(found[1]) % len(self._ways)
        if home == self._index or len(request) > ROOM or self._is_away(home):
            return False
        try:
            socket.send_fds(self._ways[home], [request], [connection])
        except OSError:
            return False
        return True

    def listen(self, take: Callable[[socket.socket, bytes], None]) -> None:
        """From now on let `take` have what others hand on, with what has arrived of its request."""
        self.beat()
        _OWNER.pack_into(self._beats, self._index * _CELL + _BEAT.size, os.getpid())
        asyncio.get_running_loop().add_reader(self._own, self.receive, take)

    def beat(self) -> None:
        """Tell the others that this worker takes what they hand on."""
        _BEAT.pack_into(self._beats, self._index * _CELL, time.monotonic())

    def close(self) -> None:
        """Listen no longer. Unless the next worker does already, the others hand nothing on; what they have until now is left to `receive`."""
        asyncio.get_running_loop().remove_reader(self._own)
        if _OWNER.unpack_from(self._beats, self._index * _CELL + _BEAT.size)[0] == os.getpid():
            _BEAT.pack_into(self._beats, self._index * _CELL, -AWAY)

    def receive(self, take: Callable[[socket.socket, bytes], None]) -> None:
        """Let `take` have what has been handed on until now."""
        with contextlib.suppress(BlockingIOError):  # a worker that is being replaced shares it, and was quicker
            while True:
                request, connections, _, _ = socket.recv_fds(self._own, ROOM, 1)
                for one in connections:
                    connection = socket.socket(fileno=one)
                    connection.settimeout(0)
                    take(connection, request)

    def _is_away(self, home: int) -> bool:
        beat: float = _BEAT.unpack_from(self._beats, home * _CELL)[0]
        return time.monotonic() - beat > AWAY
