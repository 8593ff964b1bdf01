"""Contestants: commands of 50 games at once over HTTP, to the service, to a bare echo, and to a server that does nothing.

Server and client are processes of their own; this one is the client. The games were decided beforehand (`plans`), so that the
client has no rules to think about; after the clock has stopped, each answer is held against what the domain alone had told.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import msgspec

from tests.bench.folder import FOLDER, ROOT
from tests.bench.load import Outcome, percentile, request, run
from tests.bench.plans import Plan, encode, plans
from tests.bench.sample import Round, Sample, checksum, share

GAMES = 50
COMMANDS = 120
"""Commands of each game in a full round."""


@contextmanager
def running(kind: str, *arguments: str) -> Iterator[tuple[str, int]]:
    """A server in another process; gives its address and the process's id."""
    command = [sys.executable, "-m", f"tests.bench.servers.{kind}", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                raise RuntimeError(f"the server {kind} did not start")
            yield address, process.pid
        finally:
            process.terminate()


@contextmanager
def server(kind: str, *arguments: str) -> Iterator[str]:
    """A server in another process; gives its address."""
    with running(kind, *arguments) as (address, _):
        yield address


def omenlog(scale: int) -> AbstractContextManager[Round]:
    """Each round opens 50 new games and posts their commands, every one answered after its fsync."""
    return _omenlog(scale, workers=1)


def by_workers(scale: int) -> AbstractContextManager[Round]:
    """The same, answered by two processes."""
    return _omenlog(scale, workers=2)


@contextmanager
def _omenlog(scale: int, *, workers: int) -> Iterator[Round]:
    games = _games(scale)
    told = [b'"events":[%b]' % step.told for game in games for step in game.steps]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=FOLDER) as folder,
        server("omenlog", str(Path(folder) / "http.db"), str(workers)) as address,
        httpx.Client(base_url=address) as client,
    ):
        health = client.get("/health/ready").json()
        if not health["durable"]:
            raise RuntimeError(f"the store is not durable: {health}")

        def play_round() -> Sample:
            outcome = run(address, [_requests(client, game) for game in games])
            answers = [body for row in outcome.bodies for body in row]
            for body, events in zip(answers, told, strict=True):
                if events not in body:
                    raise AssertionError(f"answered {body!r}, but the domain told {events!r}")
            sample = _sample(outcome, {"events answered over HTTP": checksum(told)})
            sample.notes["processes"] = answering(address, "/commands")
            return sample

        yield play_round


COUNTED = re.compile(r'omenlog_requests_total\{.*route="([^"]*)".*worker="(\d+)"')


def answering(address: str, route: str) -> int:
    """How many processes have answered at the route that ends so."""
    found = COUNTED.finditer(httpx.get(f"{address}/metrics").text)
    return len({one[2] for one in found if one[1].endswith(route)})


@contextmanager
def echo(scale: int) -> Iterator[Round]:
    """The same requests to a Litestar handler that gives the body back."""
    with server("echo") as address:
        yield _repeated(address, scale)


@contextmanager
def reflex(scale: int) -> Iterator[Round]:
    """The same requests to a server that answers without reading: what the client can do at all."""
    with server("reflex") as address:
        yield _repeated(address, scale)


def _repeated(address: str, scale: int) -> Round:
    games = _games(scale)
    bodies = [[encode(step.command) for step in game.steps] for game in games]
    path = "/v1/games/aaaaaaaaaaaaaaaaaaaa/commands"
    rows = [
        [request(path, f"omen_{'a' * 43}", f"{number}-{index}", body) for index, body in enumerate(row)]
        for number, row in enumerate(bodies)
    ]

    def play_round() -> Sample:
        return _sample(
            run(address, rows), {"commands sent over HTTP": checksum(body for row in bodies for body in row)}
        )

    return play_round


def _games(scale: int) -> list[Plan]:
    return plans(GAMES, least=share(COMMANDS, scale))


def _requests(client: httpx.Client, game: Plan) -> list[bytes]:
    """Open a game, start it, and make all requests that it will take."""
    opened = post_json(client, "/v1/games", msgspec.json.encode(game.asked), "")
    path, tokens = f"/v1/games/{opened['game']['id']}", opened["tokens"]
    post_json(client, f"{path}/start", b"", tokens["host"]["secret"])
    seats = [seat["secret"] for seat in tokens["seats"]]
    return [
        request(f"{path}/commands", seats[step.seat], f"step-{number}", encode(step.command))
        for number, step in enumerate(game.steps)
    ]


def post_json(client: httpx.Client, path: str, body: bytes, token: str) -> Any:  # noqa: ANN401 -- whatever JSON comes
    """Post, as a token; the answer must be a good one."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    answer = client.post(path, content=body, headers=headers)
    answer.raise_for_status()
    return answer.json()


def _sample(outcome: Outcome, proofs: dict[str, str]) -> Sample:
    return Sample(
        count=len(outcome.latencies),
        seconds=outcome.seconds,
        proofs=proofs,
        notes={
            "p50 ms": 1000 * percentile(outcome.latencies, 0.50),
            "p99 ms": 1000 * percentile(outcome.latencies, 0.99),
        },
    )
