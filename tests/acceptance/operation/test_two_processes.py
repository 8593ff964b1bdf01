"""Two processes over one store: clients that go now to one and now to the other notice nothing, whatever they race for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.driving import OPENING, bearer, version_of

GAMES = 2
PLAYERS = 3
"""Clients of each game, who all want to do whatever can be done."""
ROUNDS = 14
"""Commands that each of them tries."""
SSE = "text/event-stream"


class Game:
    """A game that both processes serve."""

    def __init__(self, clients: list[httpx.AsyncClient], opened: dict[str, Any], seed: int) -> None:
        self.clients = clients
        self.path = f"/v1/games/{opened['game']['id']}"
        self.host: str = opened["tokens"]["host"]["secret"]
        self.seats: list[str] = [one["secret"] for one in opened["tokens"]["seats"]]
        self.referee: str = opened["tokens"]["referee"]["secret"]
        self.lot = random.Random(seed)
        self.known = 0
        """The highest version that anybody was answered."""
        self.won: dict[int, str] = {}
        """By version: the key of the request that became it."""

    @property
    def client(self) -> httpx.AsyncClient:
        return self.lot.choice(self.clients)

    async def get(self, what: str, token: str, **headers: str) -> httpx.Response:
        """Read from either; what comes back is no older than what anybody has been answered."""
        known = self.known
        answer = await self.client.get(f"{self.path}/{what}", headers={**bearer(token), **headers})
        assert answer.status_code == 200, answer.text
        assert version_of(answer) >= known, "an answer from before what was answered already"
        return answer

    async def post(
        self, client: httpx.AsyncClient, what: str, token: str, body: object, **headers: str
    ) -> httpx.Response:
        answer = await client.post(f"{self.path}/{what}", json=body, headers={**bearer(token), **headers})
        if answer.status_code == 201:
            self.known = max(self.known, answer.json()["version"])
        return answer

    async def play(self, player: int) -> None:
        """Try what can be done, sometimes at both processes at once, with and without a condition."""
        for number in range(ROUNDS):
            shown = await self.get("decisions", self.referee)
            waiting = shown.json()["waiting"]
            if not waiting:
                return
            token = self.seats[waiting[0]["seat"]]
            listed = await self.get("decisions", token)
            commands = [one["command"] for each in listed.json()["yours"] for one in each["commands"]]
            commands = [one for one in commands if one["type"] != "reveal"]
            if not commands:
                continue  # another player was quicker
            headers = {"Idempotency-Key": f"key-{player}-{number}"}
            if self.lot.random() < 0.5:
                headers["If-Match"] = listed.headers["etag"]
            to = self.lot.choice([self.clients, [self.client], [self.client, self.client]])
            command = self.lot.choice(commands)
            answers = await asyncio.gather(*(self.post(one, "commands", token, command, **headers) for one in to))
            self.judge(answers, headers)

    def judge(self, answers: list[httpx.Response], headers: dict[str, str]) -> None:
        """The same request has one outcome; each version was won by one request."""
        key = headers["Idempotency-Key"]
        versions = {answer.json()["version"] for answer in answers if answer.status_code == 201}
        others = [answer for answer in answers if answer.status_code != 201]
        assert len(versions) <= 1, "one key, two commits"
        assert all(answer.status_code in (409, 412) for answer in others), [one.text for one in others]
        if "If-Match" in headers:
            # Without it one may be refused, then another player acts, and then the other is legal: a refusal is not kept.
            assert not (versions and others), "the same request was done and refused"
        if versions:
            done = [answer for answer in answers if answer.status_code == 201]
            fresh = [answer for answer in done if "idempotent-replayed" not in answer.headers]
            assert len(fresh) == 1, "all answers but one say that they are repeated"
            assert self.won.setdefault(versions.pop(), key) == key

    async def follow(self, client: httpx.AsyncClient) -> list[tuple[str, str]]:
        """Ids and data of all commits that one process tells of, until the game is over."""
        found, number, kind = [], "", ""
        async with client.stream(
            "GET", f"{self.path}/events", headers={**bearer(self.referee), "Accept": SSE}
        ) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("id: "):
                    number = line[4:]
                if line.startswith("event: "):
                    kind = line[7:]
                if line.startswith("data: ") and kind == "commit":
                    found.append((number, line[6:]))
                if not line:
                    kind = ""
        return found


@pytest.fixture
async def clients(addresses: list[str]) -> AsyncIterator[list[httpx.AsyncClient]]:
    found = [httpx.AsyncClient(base_url=address, timeout=30) for address in addresses]
    yield found
    for client in found:
        await client.aclose()


async def test_clients_alternate_between_two_processes_and_notice_nothing(clients: list[httpx.AsyncClient]) -> None:
    games = []
    for number in range(GAMES):
        opened = await clients[number % 2].post("/v1/games", json=OPENING)
        games.append(Game(clients, opened.json(), seed=number))
    for game in games:
        started = await game.post(game.client, "start", game.host, None)
        assert started.status_code == 201, started.text
    following = [[asyncio.create_task(game.follow(client)) for client in clients] for game in games]
    await asyncio.gather(*(game.play(player) for game in games for player in range(PLAYERS)))
    for game, followers in zip(games, following, strict=True):
        closed = await game.post(game.client, "close", game.host, None)
        assert closed.status_code == 201, closed.text
        async with asyncio.timeout(30):
            told = await asyncio.gather(*followers)
        assert told[0] == told[1], "both tell the same"
        numbers = [int(number) for number, _ in told[0]]
        assert numbers == list(range(1, game.known + 1)), "each commit once, in order"
        assert len(game.won) > ROUNDS, "there was a race"
        exported = await game.get("export", game.referee)
        assert audit(read_export(exported.content.splitlines())).outcome is Outcome.EXACT


async def test_opening_with_one_key_at_both_opens_one_game(clients: list[httpx.AsyncClient]) -> None:
    headers = {"Idempotency-Key": "a-key-that-nobody-guesses"}
    asked = {**OPENING, "options": {"listed": True}}
    opening = [clients[number % 2].post("/v1/games", json=asked, headers=headers) for number in range(6)]
    answers = await asyncio.gather(*opening)
    assert [answer.status_code for answer in answers] == [201] * 6
    assert len({answer.content for answer in answers}) == 1, "all get the same tokens"
    opened = answers[0].json()["game"]["id"]
    listed = [(await client.get("/v1/games")).json()["games"] for client in clients]
    assert listed[0] == listed[1]
    assert [one["id"] for one in listed[0]].count(opened) == 1


async def test_a_token_ended_at_one_is_refused_at_the_other_at_once(clients: list[httpx.AsyncClient]) -> None:
    opened = (await clients[0].post("/v1/games", json=OPENING)).json()
    game = Game(clients, opened, seed=1)
    for number in range(6):
        here, there = clients[number % 2], clients[1 - number % 2]
        old = bearer(game.seats[0])
        assert (await there.get(f"{game.path}/view", headers=old)).status_code == 200
        rotated = await here.post(f"{game.path}/tokens/seat-0/rotate", headers=old)
        assert rotated.status_code in (200, 201), rotated.text
        assert (await there.get(f"{game.path}/view", headers=old)).status_code == 401
        game.seats[0] = rotated.json()["token"]["secret"]
