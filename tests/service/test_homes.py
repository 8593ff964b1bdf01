"""Connections handed on between workers."""

from __future__ import annotations

import asyncio
import mmap
import socket
import zlib
from contextlib import ExitStack

from service.homes import ROOM, Homes

GAME = next(b"game%d" % number for number in range(99) if zlib.crc32(b"game%d" % number) % 2)
"""At home at the second of two."""
ASKED = b"GET /v1/games/%b/decisions HTTP/1.1\r\n" % GAME


def test_what_is_handed_on_arrives_in_order_and_what_finds_no_room_stays() -> None:
    with ExitStack() as stack:
        ways = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(2)]
        for end in [end for way in ways for end in way]:
            stack.enter_context(end).settimeout(0)
        beats = mmap.mmap(-1, 64)
        here, there = (Homes(index, ways[index][1], [into for into, _ in ways], beats) for index in range(2))
        client, accepted = map(stack.enter_context, socket.socketpair())
        assert not here.hand_on(ASKED, accepted.fileno()), "nobody takes it yet"
        there.beat()
        assert not there.hand_on(ASKED, accepted.fileno()), "it is at home already"
        assert not here.hand_on(ASKED.replace(b"games", b"packs"), accepted.fileno()), "it is for no game"
        assert not here.hand_on(ASKED.ljust(ROOM + 1), accepted.fileno())
        sent = [ASKED.ljust(ROOM)]
        while here.hand_on(sent[-1], accepted.fileno()):
            sent.append(b"%b%d" % (ASKED, len(sent)))
            assert len(sent) < 10_000, "there is always room"
        sent.pop()
        taken: list[bytes] = []

        async def receive() -> None:
            over = asyncio.get_running_loop().create_future()

            def take(connection: socket.socket, head: bytes) -> None:
                with connection:
                    connection.sendall(b".")
                taken.append(head)
                if len(taken) == len(sent) and not over.done():
                    over.set_result(None)

            there.listen(take)
            async with asyncio.timeout(20):
                await over
            assert taken == sent
            sent.append(ASKED)
            assert here.hand_on(ASKED, accepted.fileno())
            there.close()
            assert not here.hand_on(ASKED, accepted.fileno()), "it has gone"
            accepted.close()
            await asyncio.sleep(0.05)
            assert len(taken) < len(sent), "it is left to the next worker, if there is one"
            there.receive(take)

        asyncio.run(receive())
        assert taken == sent
        assert len(sent) > 20
        assert client.recv(10_000) == b"." * len(sent), "each was the client's connection"
        assert client.recv(1) == b"", "which nobody has kept open"
