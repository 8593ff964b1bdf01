"""The service as a client meets it: a server on a port of its own, and a game driven over HTTP alone."""

from __future__ import annotations

import asyncio
import queue
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx

from openapi.writer.outside import Fixed
from service.outside import Outside
from service.server import Server, prepare
from service.settings import Settings

PATIENCE = 60.0
"""Seconds that a server may take to start or to stop."""
READS = (
    "view",
    "decisions",
    "screen",
    "board.svg",
    "diff?from=1",
    "post",
    "trace",
    "disputes",
    "events",
    "export",
    "proofs",
)
"""What is read of a game by a seat."""


def settings(store: Path | str, **changes: object) -> Settings:
    """Settings for a test: one pack, a free port, a store on disk, quiet, and games enough for all tests of a server."""
    where = store if isinstance(store, str) else f"sqlite:///{store}"
    given: dict[str, Any] = {"store": where, "packs": "second-edition", "port": 0, "log_level": "critical"}
    return Settings(**{**given, "open_games_per_address": 0, "accounts_per_address": 0, **changes})


@contextmanager
def serving(
    chosen: Settings, outside: Outside | None = None, *, buffer: int = 0, patience: float = PATIENCE
) -> Iterator[str]:
    """A server in a thread of its own; gives its address, and stops it in the end.

    It may take so many seconds to start. With a `buffer` the kernel holds only about so many bytes for each reader.
    Clock, ids and seeds are the same each time; a second server on one store needs an `outside` with another salt.
    """
    found: queue.Queue[str | BaseException] = queue.Queue()
    servers: list[Server] = []
    left = threading.Event()

    async def run() -> None:
        server = await prepare(chosen, ready=found.put, outside=outside or Fixed())
        servers.append(server)
        # Whoever gave up while it was starting could not tell it to stop, and it would go on until the end of the process, or beyond.
        server.should_exit = left.is_set()
        if buffer:
            server.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        await server.serve()

    def main() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:  # noqa: BLE001 -- it belongs to the test, which waits for the address
            found.put(error)

    thread = threading.Thread(target=main, name="omenlog-server")
    thread.start()
    try:
        address = found.get(timeout=patience)
        if isinstance(address, BaseException):
            raise address
        yield address
    finally:
        left.set()
        for server in servers:
            server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the server did not stop"


def version_of(answer: httpx.Response) -> int:
    """The commit with whose number an answer's entity tag begins."""
    return int(answer.headers["etag"].strip('"').partition(".")[0])


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


OPENING: dict[str, Any] = {"edition": "second", "seats": [{}, {}, {}], "hotseat": True}


class Table:
    """A game whose tokens are all in one hand."""

    def __init__(self, client: httpx.Client, opened: dict[str, Any]) -> None:
        self.client = client
        self.opened = opened
        self.id: str = opened["game"]["id"]
        self.path = f"/v1/games/{self.id}"
        tokens = opened["tokens"]
        self.host: str = tokens["host"]["secret"]
        self.seats: list[str] = [one["secret"] for one in tokens["seats"]]
        self.referee: str = tokens["referee"]["secret"]
        self.spectator: str = tokens["spectators"][0]["secret"]

    @classmethod
    def open(cls, client: httpx.Client, *, start: bool = True, **asked: object) -> Self:
        """Open a hotseat game, and start it."""
        answer = client.post("/v1/games", json={**OPENING, **asked})
        assert answer.status_code == 201, answer.text
        table = cls(client, answer.json())
        if start:
            started = table.post("start", table.host)
            assert started.status_code == 201, started.text
        return table

    @classmethod
    def gather(cls, client: httpx.Client, **asked: object) -> Self:
        """Open a game of people with devices of their own: everybody takes a place by an invite; then start it."""
        answer = client.post("/v1/games", json={**OPENING, "hotseat": False, **asked})
        assert answer.status_code == 201, answer.text
        game, tokens, invites = (answer.json()[name] for name in ("game", "tokens", "invites"))

        def claim(place: str, invite: dict[str, Any]) -> dict[str, Any]:
            taken = client.post(f"/v1/games/{game['id']}/{place}", json={"invite": invite["secret"]})
            assert taken.status_code == 201, taken.text
            token: dict[str, Any] = taken.json()["token"]
            return token

        seats = [claim(f"seats/{seat}/claim", one) for seat, one in enumerate(invites["seats"])]
        referee, spectator = claim("referee", invites["referee"]), claim("spectators", invites["spectators"][0])
        tokens = {**tokens, "seats": seats, "referee": referee, "spectators": [spectator]}
        table = cls(client, {**answer.json(), "tokens": tokens})
        started = table.post("start", table.host)
        assert started.status_code == 201, started.text
        return table

    def get(self, what: str, token: str, **headers: str) -> httpx.Response:
        return self.client.get(f"{self.path}/{what}", headers={**bearer(token), **headers})

    def post(self, what: str, token: str, body: dict[str, Any] | None = None, **headers: str) -> httpx.Response:
        sent = {**bearer(token), **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.client.post(f"{self.path}/{what}", json=body, headers=sent)

    def command(self, token: str, command: dict[str, Any], **headers: str) -> httpx.Response:
        return self.post("commands", token, command, **headers)

    def awaited(self) -> str:
        """The token of whoever is awaited first."""
        seat = self.get("decisions", self.referee).json()["waiting"][0]["seat"]
        return self.referee if seat is None else self.seats[seat]

    def listed(self, token: str) -> list[dict[str, Any]]:
        """The commands that are listed for a token, ready to be posted."""
        yours = self.get("decisions", token).json()["yours"]
        return [one["command"] for decision in yours for one in decision["commands"]]

    def version(self) -> int:
        version = self.client.get(self.path).json()["version"]
        assert isinstance(version, int)
        return version

    def play(self, commands: int, seed: int = 1) -> int:
        """Do random listed commands; returns how many, fewer if the game ended."""
        chooser = random.Random(seed)
        for done in range(commands):
            waiting = self.get("decisions", self.referee).json()["waiting"]
            if not waiting:
                return done
            seat = waiting[0]["seat"]
            token = self.referee if seat is None else self.seats[seat]
            options = [one for one in self.listed(token) if one["type"] != "reveal"]
            answer = self.command(token, chooser.choice(options))
            assert answer.status_code == 201, answer.text
        return commands


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check that an answer is this problem, in the form of RFC 9457; returns it."""
    found: dict[str, Any] = answer.json()
    assert (answer.status_code, found.get("code")) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert found["type"] == f"/v1/problems/{code}"
    assert found["status"] == status
    assert found["title"]
    assert found["detail"]
    return found
