"""A client that sends again until it is answered, and what is counted meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from tests.laws.rig import Part

PATIENCE = 90.0
"""Seconds after which something that is tried again and again must have worked."""


@dataclass
class Tally:
    """What happened."""

    rounds: int = 0
    acknowledged: int = 0
    """Commands."""
    refused: int = 0
    """Commands that lost a race."""
    unanswered: int = 0
    """Requests that had to be sent again: nobody answered, or nothing could be written."""
    went_back: int = 0
    """Steps taken back, and rulings that took play back."""
    games: int = 0
    events: int = 0
    """Told to followers."""
    killed: Counter[Part] = field(default_factory=Counter)
    """By what it was."""
    delivered: int = 0
    """Messages that endpoints have taken."""
    again: int = 0
    """Of these, messages that they had taken before."""
    faulty: int = 0
    """Messages that endpoints answered 500 on purpose."""
    seconds: float = 0.0
    """Since the first request."""

    def __str__(self) -> str:
        killed = ", ".join(f"{part} {count}" for part, count in sorted(self.killed.items()))
        return (
            f"{self.rounds} rounds in {self.seconds:,.0f} s: {self.killed.total()} killed ({killed}); "
            f"{self.acknowledged:,} commands acknowledged in {self.games} games, {self.refused:,} lost "
            f"races, {self.went_back:,} went back, {self.unanswered:,} requests sent again, {self.events:,} events followed; "
            f"{self.delivered:,} webhooks taken, {self.again:,} of them again, {self.faulty:,} answered 500"
        )


class Client:
    """Sends requests to any process until there is an answer that tells what became of them."""

    def __init__(self, urls: Sequence[str], lot: random.Random, tally: Tally) -> None:
        self._clients = [httpx.AsyncClient(base_url=url, timeout=20) for url in urls]
        self._lot = lot
        self._tally = tally

    def any(self) -> httpx.AsyncClient:
        """One of the processes."""
        return self._lot.choice(self._clients)

    async def send(
        self, method: str, path: str, token: str = "", body: object = None, **headers: str
    ) -> httpx.Response:
        """The first answer that isn't a server's trouble."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    answer = await self.any().request(method, path, json=body, headers=headers)
                except httpx.TransportError:
                    answer = None
                if answer is not None and answer.status_code < 500:
                    return answer
                assert answer is None or answer.status_code == 503, answer.text
                self._tally.unanswered += 1
                await asyncio.sleep(0.02)

    async def subscribe(self, token: str, **asked: object) -> str:
        """Subscribe an endpoint; the public key that checks what it will get."""
        made = await self.send("POST", "/v1/subscriptions", token, asked)
        assert made.status_code == 201, made.text
        key: str = made.json()["subscription"]["keys"][0]["public_key"]
        return key

    async def bind(self, path: str, name: str, token: str, account: str) -> None:
        """Bind a token to the account with this key."""
        bound = await self.send("PUT", f"{path}/tokens/{name}/account", token, {"key": account})
        assert bound.status_code == 200, bound.text

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            await client.aclose()
