"""`omenlog mcp`: a seat served to MCP clients, played by the official SDK's own client."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from mcp import Client, StdioServerParameters

from projections.choices.brief import BUDGET, tokens_at_most
from service.bots.client import Api
from service.bots.seat_tools import server_of
from tests.acceptance.driving import Table, serving, settings
from tests.cli.invoking import omenlog
from tests.docs.pages import blocks

OMENLOG = Path(sys.executable).with_name("omenlog")


async def call(client: Client, tool: str, **arguments: object) -> tuple[str, bool]:
    """What a tool says, and whether it is an error."""
    found = await client.call_tool(tool, arguments)
    assert found.structured_content is None, "a model is told everything once"
    return "\n".join(one.text for one in found.content if one.type == "text"), bool(found.is_error)


async def said(client: Client, tool: str, **arguments: object) -> str:
    text, refused = await call(client, tool, **arguments)
    assert not refused, text
    return text


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    text, refused = await call(client, tool, **arguments)
    assert refused, text
    return text


@asynccontextmanager
async def beside(address: str, table: Table, token: str) -> AsyncIterator[Client]:
    """A client of the tools for a seat, in this process."""
    with Api(address, token, patience=0) as api:
        async with Client(server_of(api, table.id)) as client:
            yield client


async def play(client: Client, chooser: random.Random) -> int:
    """Play to the end by the words of the tools alone; how often it acted."""
    acted = 0
    told = await said(client, "brief")
    while "\nThe game is over: " not in told:
        text = told.rpartition("\n\nTurn ")[2]
        assert tokens_at_most(text) < BUDGET
        version = re.search(r"^Options .*?at version (\d+):$", text, re.MULTILINE)
        numbers = re.findall(r"^(\d+)\. (?!Take back|Reveal|.*\[with )", text, re.MULTILINE)
        if not version or not numbers:
            told = await said(client, "brief")
            continue
        told, refused = await call(client, "act", number=int(chooser.choice(numbers)), version=int(version[1]))
        acted += not refused
        if refused:  # somebody else was asked as well, and was faster
            assert "stale-version" in told, told
            told = await said(client, "brief")
    return acted


async def test_a_model_reads_acts_and_asks(address: str, table: Table) -> None:
    async with beside(address, table, table.awaited()) as client:
        assert {one.name for one in (await client.list_tools()).tools} == {
            "brief",
            "act",
            "rules",
            "why_not",
            "history",
        }
        text = await said(client, "brief")
        assert "\nIt is your turn.\n" in text
        assert "\nOptions at version 5:\n1. Move to the Foyer (1 space)\n" in text
        told = await said(client, "act", number=1, version=5)
        assert " goes to the Foyer. 1 of " in told
        assert "at version 6:\n1. " in told, "the next brief comes with it"
        assert "\n6: " in f"\n{await said(client, 'history', after=5)}"
        assert (await said(client, "history", after=5)).endswith("Up to version 6. That is all.")
        assert (await said(client, "rules", about="2e-move-001")).startswith("2E-MOVE-001, Movement allowance: ")
        assert "\n2E-" in await said(client, "rules", about="haunt roll")
        assert (await said(client, "rules", about="entrance")).startswith("Entrance Hall (room): ")
        no = await said(client, "why_not", command={"type": "move", "to": "attic"})
        assert no.startswith("Not legal: there is no way from the Foyer to the Attic (2E-DOOR-001, Passing doors: ")
        assert await said(client, "why_not", command={"type": "end-turn"}) == "It is legal."
        assert table.version() == 6


async def test_rules_by_post_are_looked_up_with_those_that_they_change(address: str, client: httpx.Client) -> None:
    table = Table.open(client, edition="play-by-post")
    async with beside(address, table, table.seats[0]) as model:
        found = await said(model, "rules", about="haunt roll")
    assert "\nPBP-" in f"\n{found}"
    assert "\n2E-HROLL-" in found


async def test_what_is_refused_is_a_tools_error_in_the_words_of_the_problem(address: str, table: Table) -> None:
    token = table.awaited()
    idle = next(one for one in table.seats if one != token)
    async with beside(address, table, token) as client:
        await said(client, "act", number=1, version=5)
        assert "412 stale-version: The game is at version 6" in await refusal(client, "act", number=1, version=5)
        assert "There is no option 99 at version 6: yours are 1 to " in await refusal(
            client, "act", number=99, version=6
        )
        assert "takes nothing with its number" in await refusal(
            client, "act", number=1, version=6, chosen={"points": {"might": 1}}
        )
        assert "404 not-found: There is no such rule." in await refusal(client, "rules", about="2E-MOVE-999")
        assert "There is no book to read: the haunt has not begun." in await refusal(client, "rules", about="book")
        assert "Nothing is called or mentions 'xyzzy'" in await refusal(client, "rules", about="xyzzy")
        assert "it is one of act, allocate" in await refusal(client, "why_not", command={"type": "fly"})
        assert "409 ahead-of-log" in await refusal(client, "history", after=99)
        async with beside(address, table, idle) as other:
            assert "you have nothing to decide now" in await refusal(other, "act", number=1, version=6)
        assert table.version() == 6
        table.post("close", table.host, {})
        assert "\nThe game is over: nobody won. The host closed the game." in await said(client, "brief")
        assert "409 game-over" in await refusal(client, "act", number=1, version=7)
    async with beside("http://127.0.0.1:9", table, token) as lost:
        assert "The service does not answer (" in await refusal(lost, "brief")
    async with beside(address, table, "omen_nobody") as stranger:
        for tool, arguments in (("brief", {}), ("history", {}), ("rules", {"about": "book"})):
            answer = await refusal(stranger, tool, **arguments)
            assert "401 unauthorized" in answer
            assert "omen_nobody" not in answer


async def test_three_models_play_a_short_game_to_its_end(address: str, client: httpx.Client) -> None:
    table = Table.open(client, options={"turn_limit": 3})
    async with AsyncExitStack() as stack:
        models = [await stack.enter_async_context(beside(address, table, token)) for token in table.seats]
        acted = await asyncio.gather(*(play(one, random.Random(seat)) for seat, one in enumerate(models)))
    assert all(acted)
    assert "The turn limit of 3 is reached." in table.get("brief", table.host).text


async def test_pages_of_other_sites_cannot_reach_it_over_http(address: str, table: Table) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with Api(address, table.seats[0]) as api:
        server = server_of(api, table.id)
        app = server.streamable_http_app(host="127.0.0.1", stateless_http=True)
        async with (
            server.session_manager.run(),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8080") as browser,
        ):
            for headers, status in (
                ({"Host": "rebound.example:8080"}, 421),
                ({"Origin": "https://evil.example"}, 403),
                ({"Content-Type": "text/plain"}, 400),
                ({"Origin": "http://localhost:6274"}, 200),
            ):
                sent = {"Accept": "application/json, text/event-stream", **headers}
                assert (await browser.post("/mcp", json=ping, headers=sent)).status_code == status, headers


def test_the_command_needs_its_extra_and_a_seats_token(
    address: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(token: str, *more: str) -> str:
        ran = omenlog("mcp", table.id, "--url", address, *more, env={"OMENLOG_TOKEN": token})
        assert ran.exit_code == 2
        assert token not in ran.output or not token
        return " ".join(ran.output.replace("│", " ").split())

    assert "no token: set OMENLOG_TOKEN, or name a file by --token-file" in start("")
    assert "this is the token of referee: a seat's is needed" in start(table.referee)
    file = tmp_path / "token"
    file.write_text(f"{table.spectator}\n")
    assert "this is the token of spectators: a seat's is needed" in start(table.seats[0], "--token-file", str(file))
    file.write_bytes(b"\xff not one")
    assert "a token consists of ASCII letters" in start(table.seats[0], "--token-file", str(file))
    monkeypatch.setattr("service.cli.mcp.find_spec", lambda _: None)
    assert "pip install 'omenlog[mcp]'" in start(table.seats[0])


@pytest.mark.prove
@pytest.mark.parametrize("edition,options", [("second", {}), ("third", {"scenario": "cursed"})])
async def test_a_game_is_played_to_its_end_over_stdio_and_http(
    tmp_path: Path, edition: str, options: dict[str, str]
) -> None:
    (configured,) = json.loads(blocks("docs/bots.md", "json", "Language models")[0])["mcpServers"].values()
    chosen = settings(tmp_path / "log.db", packs=f"{edition}-edition", token_rate=0)
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client, edition=edition, options={"turn_limit": 60, **options})
        began = table.version()
        mine = {"2eaazyiqh4qcyy4kd72w": table.id, "http://127.0.0.1:8000": address}
        here = [str(OMENLOG), *(mine.get(word, word) for word in configured["args"])]
        stdio = [
            StdioServerParameters(command=here[0], args=here[1:], env=dict.fromkeys(configured["env"], token))
            for token in table.seats[:2]
        ]
        over_http = await asyncio.create_subprocess_exec(
            *here, "--transport", "http", "--port", "0", stderr=PIPE, env={"OMENLOG_TOKEN": table.seats[2]}
        )
        try:
            assert over_http.stderr is not None
            told = (await over_http.stderr.readline()).decode()
            served = re.fullmatch(rf"seat:2 of {table.id} is served at (http://127\.0\.0\.1:\d+/mcp)\n", told)
            assert served is not None, told
            async with AsyncExitStack() as stack:
                models = [await stack.enter_async_context(Client(one)) for one in [*stdio, served[1]]]
                acted = await asyncio.gather(*(play(one, random.Random(seat)) for seat, one in enumerate(models)))
            assert sum(acted) == table.version() - began > 50
            over_http.terminate()
            assert await asyncio.wait_for(over_http.wait(), 10) in (0, -signal.SIGTERM)
            assert await over_http.stderr.read() == b""
        finally:
            if over_http.returncode is None:
                over_http.kill()
