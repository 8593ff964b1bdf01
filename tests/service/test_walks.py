"""The walks that ARCHITECTURE.md draws: which files of `service/` a command passes, and which an event on its way to a reader."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest
from litestar import Litestar

from service.app import make_app
from service.bootstrap import Service
from service.http import commands
from service.server import prepare
from service.settings import Settings
from tests.acceptance.driving import OPENING
from tests.support.packs import pack
from tests.support.running import listed
from tests.support.tracing import ROOT, Tracing

PAGE = ROOT / "ARCHITECTURE.md"
MOST = {"A command's walk": 10, "An event's walk": 6}
STEPS = 6
"""Commands that are posted; what happens only once, as when a game is loaded, is no part of the walk of the later ones."""


class Running(NamedTuple):
    """A service behind its own server, in this process."""

    tracing: Tracing
    service: Service
    client: httpx.AsyncClient


@pytest.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    addresses: asyncio.Queue[str] = asyncio.Queue()
    built: list[Service] = []

    def build(service: Service) -> Litestar:
        built.append(service)
        return make_app(service)

    monkeypatch.setattr("service.server.make_app", build)
    settings = Settings(store=f"sqlite:///{tmp_path}/log.db", packs="second-edition", port=0, anonymous_rate=0)
    with Tracing() as tracing:
        server = await prepare(settings, ready=addresses.put_nowait)
        serving = asyncio.create_task(server.serve())
        async with httpx.AsyncClient(base_url=await addresses.get()) as client:
            yield Running(tracing, built[0], client)
        server.should_exit = True
        await serving


def drawn(title: str) -> list[str]:
    """The files that a section of the page lists."""
    section = PAGE.read_text().partition(f"## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^[0-9]+\. `(service/[a-z_/]+\.py)`", section, re.MULTILINE)


def compare(title: str, passed: list[str]) -> None:
    page, most = drawn(title), MOST[title]
    missing, strange = sorted(set(passed) - set(page)), sorted(set(page) - set(passed))
    assert not missing, f'ARCHITECTURE.md, "{title}", leaves out {", ".join(missing)}, which it passes.'
    assert not strange, f'ARCHITECTURE.md, "{title}", draws {", ".join(strange)}, which it does not pass.'
    assert len(page) == len(set(page)) <= most, f'"{title}" passes {len(page)} files of service/; {most} are allowed.'


async def open_and_start(running: Running) -> tuple[str, dict[str, str]]:
    """A game's id, and tokens by role."""
    made = (await running.client.post("/v1/games", json=OPENING | {"hotseat": True})).json()
    game, tokens = made["game"]["id"], made["tokens"]
    secrets = {f"seat:{seat}": one["secret"] for seat, one in enumerate(tokens["seats"])}
    secrets["referee"] = tokens["referee"]["secret"]
    started = await running.client.post(f"/v1/games/{game}/start", headers=bearer(tokens["host"]["secret"]))
    assert started.status_code == 201, started.text
    return game, secrets


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def post(running: Running, game: str, secrets: dict[str, str], number: int) -> None:
    caller, legal = await listed(running.service, game)
    headers = {**bearer(secrets[caller.name]), "Content-Type": "application/json", "Idempotency-Key": f"k{number}"}
    body = msgspec.json.encode(legal[0])
    answer = await running.client.post(f"/v1/games/{game}/commands", content=body, headers=headers)
    assert answer.status_code == 201, answer.text


async def test_a_command_passes_the_files_that_the_page_draws(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the route's handler, which has the command and who sent it, to the store's word that it is durable."""
    game, secrets = await open_and_start(running)
    tracing, store, handler = running.tracing, running.service.store, commands.handle_command
    append = store.append
    passed: list[str] = []

    async def handled(*arguments: Any) -> Any:  # noqa: ANN401 -- the handler's
        tracing.begin()
        return await handler(*arguments)

    async def stored(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 -- the store's
        answer = await append(*arguments, **named)
        passed[:] = tracing.end()
        return answer

    monkeypatch.setattr(commands, "handle_command", handled)
    monkeypatch.setattr(store, "append", stored)
    for number in range(STEPS):
        await asyncio.sleep(0.1)  # what looks for webhooks has come to rest
        await post(running, game, secrets, number)
    compare("A command's walk", passed)


async def test_an_event_passes_the_files_that_the_page_draws(running: Running) -> None:
    """From the store, which the game's feed asks how far the game has come, to the bytes that are handed to the connection."""
    game, secrets = await open_and_start(running)
    events = f"/v1/games/{game}/events?after=0"
    headers = {**bearer(secrets["referee"]), "Accept": "text/event-stream"}
    passed: list[str] = []
    async with running.client.stream("GET", events, headers=headers) as answer:
        lines = answer.aiter_lines()
        version = await running.service.store.version(game) or 0
        for number in range(STEPS):
            while await anext(lines) != f"id: {version + number}":
                pass
            await asyncio.sleep(0.1)  # the stream is at the end of the log, and waits
            running.tracing.begin()
            await post(running, game, secrets, number)
            await asyncio.sleep(0.1)
            passed = running.tracing.end_of_tasks_that_ran("service/http/live.py")
    compare("An event's walk", [file for file in passed if not file.startswith("service/store/")])
