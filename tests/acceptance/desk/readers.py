"""Readers of a game's stream, each in its own way, who write down what they were told until the game is over."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tests.acceptance.driving import bearer

PATIENCE = 60.0
"""Seconds that a reader may take for all of it."""


@dataclass
class Reader:
    """One reader of one role; all its processes serve the same store."""

    path: str
    token: str
    clients: Sequence[httpx.AsyncClient]
    """What it reads from, in turn where it comes again."""
    told: list[str] = field(default_factory=list)
    """The events, as they came."""
    resumed: int = 0
    """How often it came again."""

    @property
    def headers(self) -> dict[str, str]:
        return bearer(self.token)

    def take(self, event: str) -> None:
        """Write an event down, which must be the next one."""
        number = json.loads(event)["data"]["number"]
        assert number == len(self.told) + 1, f"{number} was told after {len(self.told)}"
        self.told.append(event)

    async def listen(self, *, upto: int | None = None) -> bool:
        """Listen by server-sent events from where it is, up to so many; whether more may come."""
        last = {"Last-Event-ID": str(len(self.told))} if self.told else {}
        client = self.clients[self.resumed % len(self.clients)]
        headers = {**self.headers, "Accept": "text/event-stream", **last}
        async with client.stream("GET", f"{self.path}/events", headers=headers) as answer:
            if answer.status_code == 204:
                return False
            assert answer.status_code == 200, (await answer.aread()).decode()
            kind, taken = "", 0
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind == "end":
                    assert json.loads(line[6:])["reason"] == "game-over", line
                    return False
                elif line.startswith("data: ") and kind == "commit":
                    self.take(line[6:])
                    taken += 1
                    if taken == upto:
                        return True
        raise AssertionError("the stream broke off without an end")


async def steady(reader: Reader) -> None:
    """Stay for all of it."""
    assert not await reader.listen()


async def fickle(reader: Reader) -> None:
    """Leave after an event or two, and come again to another process with `Last-Event-ID`."""
    lot = random.Random(reader.token)
    while await reader.listen(upto=lot.choice((1, 1, 2, 3))):
        reader.resumed += 1


async def socket(reader: Reader) -> None:
    """Read a WebSocket, and come again behind every fifth event."""
    while True:
        base = str(reader.clients[reader.resumed % len(reader.clients)].base_url).replace("http", "ws").rstrip("/")
        url = f"{base}{reader.path}/socket?after={len(reader.told)}"
        async with connect(url, additional_headers=reader.headers, open_timeout=PATIENCE) as connection:
            for _ in range(5):
                frame = json.loads(await connection.recv())
                while frame["type"] != "event":
                    if frame["type"] == "end":
                        assert frame["reason"] == "game-over"
                        return
                    frame = json.loads(await connection.recv())
                reader.take(json.dumps(frame["event"], separators=(",", ":"), ensure_ascii=False))
        reader.resumed += 1


async def lines(reader: Reader) -> None:
    """Ask again and again for what is new, line by line, until the game is over."""
    while True:
        client = reader.clients[reader.resumed % len(reader.clients)]
        over = (await client.get(reader.path)).json()["status"] not in ("open", "started")
        query = f"{reader.path}/events?after={len(reader.told)}"
        answer = await client.get(query, headers={**reader.headers, "Accept": "application/x-ndjson"})
        assert answer.status_code == 200, answer.text
        for line in answer.text.splitlines():
            reader.take(line)
        if over:
            return
        reader.resumed += 1
        await asyncio.sleep(0.05)


WAYS: dict[str, Callable[[Reader], Coroutine[Any, Any, None]]] = {
    "steady": steady,
    "fickle": fickle,
    "socket": socket,
    "lines": lines,
}
