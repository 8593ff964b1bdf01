"""Two games that differ only in what a role may not know give that role the same bytes, from every endpoint."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
import pytest

from service.app import make_app
from service.bootstrap import Service
from tests.acceptance.driving import OPENING, bearer
from tests.service.games import service_on

READS = ("view", "decisions", "events", "view?at=6", "decisions?at=6", "events?after=3&limit=2", "export", "")
BAD = (
    {"type": "move", "decision": "turn-1", "to": "attic"},
    {"type": "explore", "decision": "turn-1", "door": "up"},
    {"type": "choose", "decision": "d9", "option": "no"},
    {"type": "reveal", "decision": "reveal"},
    {"type": "answer-chance", "decision": "c1", "faces": [1, 2]},
    {"type": "end-turn", "decision": "turn-7"},
)
WALK = (
    {"type": "move", "to": "foyer"},
    {"type": "move", "to": "grand-staircase"},
    {"type": "end-turn"},
)


class Twin:
    """One of two games, and all that its roles were answered."""

    def __init__(self, service: Service, client: httpx.AsyncClient) -> None:
        self.service = service
        self.client = client
        self.answers: dict[str, list[bytes]] = {}
        self.game: dict[str, Any] = {}

    async def open(self, **asked: object) -> None:
        chosen = [{"character": name} for name in ("zoe-ingstrom", "ox-bellows", "madame-zostra")]
        answer = await self.client.post("/v1/games", json={**OPENING, "seats": chosen, **asked})
        self.game = answer.json()
        await self.note("everybody", answer)
        await self.client.post(f"{self.path}/start", headers=bearer(self.game["tokens"]["host"]["secret"]))

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game['game']['id']}"

    def tokens(self) -> dict[str, str]:
        """Of all roles but the referee, who may know everything."""
        tokens = self.game["tokens"]
        seats = {f"seat:{seat}": one["secret"] for seat, one in enumerate(tokens["seats"])}
        return {**seats, "spectator": tokens["spectators"][0]["secret"], "host": tokens["host"]["secret"]}

    async def look(self) -> None:
        """Every role reads all that it can, and is refused what it can't."""
        for role, token in self.tokens().items():
            for what in READS:
                await self.note(role, await self.client.get(f"{self.path}/{what}".rstrip("/"), headers=bearer(token)))
            for command in BAD:
                await self.note(
                    role, await self.client.post(f"{self.path}/commands", json=command, headers=bearer(token))
                )

    async def walk(self, turns: int) -> None:
        """Turns without chance."""
        seat = (await self._view())["turn"]["seat"]
        for turn in range(turns):
            for step in WALK:
                token = self.tokens()[f"seat:{(seat + turn) % 3}"]
                command = {**step, "decision": f"turn-{turn + 1}"}
                answer = await self.client.post(f"{self.path}/commands", json=command, headers=bearer(token))
                await self.note(f"seat:{(seat + turn) % 3}", answer)
            await self.look()

    async def _view(self) -> dict[str, Any]:
        answer = await self.client.get(f"{self.path}/view", headers=bearer(self.tokens()["spectator"]))
        return cast("dict[str, Any]", answer.json())

    async def note(self, role: str, answer: httpx.Response) -> None:
        headers = b"\n".join(b": ".join(header) for header in answer.headers.raw)
        body = re.sub(rb'"commitment":"[0-9a-f]{64}"', b'"commitment":""', answer.content)
        # The proofs of an export are salted digests: what they are made of differs, how many and how long they are must not.
        body = re.sub(rb"[0-9a-f]{64}", b"x" * 64, body)
        self.answers.setdefault(role, []).append(b"%d\n%b\n%b" % (answer.status_code, headers, body))


@pytest.fixture
async def twins() -> AsyncIterator[tuple[Twin, Twin]]:
    services = [await service_on(seed=seed) for seed in ("one", "two")]
    clients = [
        httpx.AsyncClient(transport=httpx.ASGITransport(cast("Any", make_app(service))), base_url="http://omenlog")
        for service in services
    ]
    yield Twin(services[0], clients[0]), Twin(services[1], clients[1])
    for client, service in zip(clients, services, strict=True):
        await client.aclose()
        await service.close()


async def upstairs(twin: Twin) -> list[str]:
    """Tiles with one and the same back."""
    pack = (await twin.client.get("/v1/packs/second-edition")).json()
    return [tile["id"] for tile in pack["tiles"] if tile["floors"] == ["upper"] and not tile["id"].startswith("upper")]


async def test_nobody_can_tell_two_seeds_apart_before_chance_has_spoken(twins: tuple[Twin, Twin]) -> None:
    """The back of the top tile is public, so it is prepared alike."""
    for twin in twins:
        await twin.open(setup={"tiles": (await upstairs(twin))[:1], "first_seat": 1})
        await twin.look()
        await twin.walk(4)
    first, second = twins
    assert len(first.answers["seat:0"]) > 60
    for role, answers in first.answers.items():
        for mine, theirs in zip(answers, second.answers[role], strict=True):
            assert mine == theirs, role


async def test_nobody_but_the_referee_can_tell_two_prepared_stacks_apart(twins: tuple[Twin, Twin]) -> None:
    for twin, first_tile in zip(twins, (0, 2), strict=True):
        tiles = (await upstairs(twin))[first_tile : first_tile + 2]
        await twin.open(setup={"tiles": tiles, "first_seat": 1})
        await twin.walk(2)
    first, second = twins
    for role, answers in first.answers.items():
        assert answers == second.answers[role], role
    referees = [
        (await twin.client.get(f"{twin.path}/events", headers=bearer(twin.game["tokens"]["referee"]["secret"]))).json()
        for twin in twins
    ]
    assert json.dumps(referees[0]) != json.dumps(referees[1])
