"""Law: whatever is killed and whenever, nothing acknowledged is lost, nothing is done twice, no stream has a gap, every webhook arrives.

A service with workers, one without, and `omenlog work` over one Redis that syncs what it acknowledges. Players race in several games, take steps
back, and dispute what the referee then lets stand or undoes; followers listen and endpoints are sent to; while processes and Redis are
killed without warning and come back (`tests.laws.rig`). As good clients do, everybody sends what got no answer again, under its
idempotency key and to whichever process; and follows on behind the last event that arrived.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.laws.hooked import SLOW, Hooks, by_recipient, check_line, hooks
from tests.laws.retrying import PATIENCE, Client, Tally
from tests.laws.rig import Rig, kills

GAMES = 4
"""Games that are played at once; when one is over the next is opened."""
PLAYERS = 2
"""Of each game: they want to do whatever can be done, and race."""
GAP = (1, 40)
"""Acknowledgements from one kill to the next, drawn at random."""
STRETCH = 25
"""Rounds after which games come to their end and everything is checked, before others begin."""
SSE = "text/event-stream"
REFEREE = "moderator"
"""As the log names the referee."""
LEAST, FAR = 6, 12
"""The first commit to which play goes back at the earliest, and how far back it goes at the most."""
DESK = 0.12
"""How often a player goes to the referee's desk instead of playing."""
ALL = "account"
"""The endpoint that is sent all games."""
OPENING: dict[str, Any] = {"edition": "second", "seats": [{}, {}, {}], "hotseat": True, "options": {"listed": True}}

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Deed:
    """A request that became a commit."""

    actor: str
    """As the log names it."""
    what: str
    """Where it was posted."""
    key: str
    body: dict[str, Any]
    answer: bytes


@dataclass
class Match:
    """A game as its players and its follower know it."""

    client: Client
    tally: Tally
    lot: random.Random
    hooks: Hooks
    path: str
    tokens: dict[str, Any]
    key: str = ""
    """What checks the messages of the endpoint."""
    known: int = 0
    """The highest version that anybody was answered."""
    acknowledged: dict[int, Deed] = field(default_factory=dict)
    """By version: what it came from, and what was answered."""
    told: list[tuple[int, str]] = field(default_factory=list)
    """Number and data of what the follower was told."""
    over: bool = False

    @classmethod
    async def open(cls, client: Client, tally: Tally, lot: random.Random, hooks: Hooks, account: str) -> Match:
        """Open a game, subscribe an endpoint to what its first seat sees, bind two of its tokens to an account, and start it."""
        keys = [f"{lot.getrandbits(128):032x}" for _ in range(2)]
        opened = await client.send("POST", "/v1/games", body=OPENING, **{"Idempotency-Key": keys[0]})
        assert opened.status_code == 201, opened.text
        game = opened.json()
        match = cls(client, tally, lot, hooks, f"/v1/games/{game['game']['id']}", game["tokens"])
        match.key = await client.subscribe(match.seat, url=hooks.url(match.id), payload="full", after=0)
        for name, token in match.bound.items():
            await client.bind(match.path, name, token, account)
        started = await match.post("start", match.tokens["host"]["secret"], None, keys[1])
        assert started.status_code == 201, started.text
        tally.games += 1
        return match

    @property
    def id(self) -> str:
        """The game's id."""
        return self.path.rpartition("/")[2]

    @property
    def bound(self) -> dict[str, str]:
        """The tokens that are bound to the account, by their names."""
        return {"referee": self.tokens["referee"]["secret"], "seat-1": self.tokens["seats"][1]["secret"]}

    @property
    def seat(self) -> str:
        """The token of the first seat."""
        found: str = self.tokens["seats"][0]["secret"]
        return found

    async def post(self, what: str, token: str, body: object, key: str, **headers: str) -> httpx.Response:
        """Send under a key; whoever is answered knows how far the game is."""
        headers["Idempotency-Key"] = key
        answer = await self.client.send("POST", f"{self.path}/{what}", token, body, **headers)
        if answer.status_code == 201:
            self.known = max(self.known, answer.json()["version"])
        return answer

    async def get(self, what: str, token: str) -> httpx.Response:
        """Read; nobody is shown less than anybody was answered before."""
        known = self.known
        answer = await self.client.send("GET", f"{self.path}/{what}", token)
        assert answer.status_code == 200, answer.text
        assert int(answer.headers["etag"].strip('"').partition(".")[0]) >= known, (
            f"{self.path} went back behind version {known}"
        )
        return answer

    async def play(self, enough: asyncio.Event) -> None:
        """Do what can be done until the game is over or it was enough."""
        while not enough.is_set():
            waiting = (await self.get("decisions", self.tokens["referee"]["secret"])).json()["waiting"]
            if not waiting:
                self.over = True
                return
            if self.lot.random() < DESK:
                await self._go_to_the_desk(self.lot.randrange(len(self.tokens["seats"])))
            else:
                await self._try(waiting[0]["seat"])

    async def _try(self, seat: int) -> None:
        token = self.tokens["seats"][seat]["secret"]
        listed = await self.get("decisions", token)
        commands = [one["command"] for each in listed.json()["yours"] for one in each["commands"]]
        commands = [one for one in commands if one["type"] != "reveal"]
        if not commands:
            return  # another player was quicker
        condition = {"If-Match": listed.headers["etag"]} if self.lot.random() < 0.5 else {}
        await self._do(f"seat:{seat}", "commands", self.lot.choice(commands), **condition)

    async def _go_to_the_desk(self, seat: int) -> None:
        """Take back what can be taken back; else dispute the latest commit, and have whatever is open ruled on."""
        back = (await self.get("decisions", self._token(f"seat:{seat}"))).json()["take_back"]
        if back is not None:
            self.tally.went_back += await self._do(f"seat:{seat}", "commands", back["command"])
            return
        asked = {"from": self.known, "to": self.known, "claim": f"Of {self.lot.random()}."}
        await self._do(f"seat:{seat}", "disputes", asked)
        shown = (await self.get("disputes", self._token(REFEREE))).json()["disputes"]
        for number in [one["dispute"]["number"] for one in shown if not one["dispute"]["outcome"]]:
            ruling: dict[str, Any] = {"outcome": "stands", "reasons": "So it was."}
            if self.known > LEAST and self.lot.random() < 0.5:
                to = self.lot.randint(max(LEAST, self.known - FAR), self.known - 1)
                ruling = {"outcome": "rewind", "reasons": "Again.", "to": to}
            ruled = await self._do(REFEREE, f"disputes/{number}/ruling", ruling)
            self.tally.went_back += ruled and "to" in ruling

    def _token(self, actor: str) -> str:
        token = self.tokens["referee"] if actor == REFEREE else self.tokens["seats"][int(actor.removeprefix("seat:"))]
        found: str = token["secret"]
        return found

    async def _do(self, actor: str, what: str, body: dict[str, Any], **condition: str) -> bool:
        """Post something, sometimes to several processes at once; whether it became a commit."""
        key, token = f"{self.lot.getrandbits(128):032x}", self._token(actor)
        times = self.lot.choice((1, 1, 2))
        answers = await asyncio.gather(*(self.post(what, token, body, key, **condition) for _ in range(times)))
        for answer in answers:
            if answer.status_code != 201:
                assert answer.status_code in (409, 412), answer.text
                self.tally.refused += 1
                continue
            found = Deed(actor, what, key, body, answer.content)
            version = answer.json()["version"]
            assert self.acknowledged.setdefault(version, found) == found, (
                f"{self.path}: version {version} was won twice"
            )
        versions = {answer.json()["version"] for answer in answers if answer.status_code == 201}
        assert len(versions) <= 1, f"{self.path}: one key, two commits: {versions}"
        self.tally.acknowledged += len(versions)
        return bool(versions)

    async def follow(self) -> None:
        """Listen as the referee until the game is over and everything has been told, now by a stream and now by a WebSocket."""
        over = False
        while not over:
            with contextlib.suppress(httpx.TransportError, OSError, WebSocketException):
                over = await (self._follow_by_socket() if self.lot.random() < 0.5 else self._follow_by_stream())
            await asyncio.sleep(0.02)

    async def _follow_by_stream(self) -> bool:
        """Listen until the stream ends; whether there is nothing left to tell."""
        last = {"Last-Event-ID": str(self.told[-1][0])} if self.told else {}
        headers = {"Accept": SSE, "Authorization": f"Bearer {self.tokens['referee']['secret']}", **last}
        async with self.client.any().stream("GET", f"{self.path}/events", headers=headers) as answer:
            assert answer.status_code in (200, 204, 503), answer.status_code
            if answer.status_code == 200:
                await self._listen(answer)
            return answer.status_code == 204

    async def _follow_by_socket(self) -> bool:
        """The same, over a WebSocket."""
        url = f"{self.client.any().base_url}{self.path}/socket?after={len(self.told)}".replace("http", "ws", 1)
        asked = {"Authorization": f"Bearer {self.tokens['referee']['secret']}"}
        frame: dict[str, Any] = {}
        async with connect(url, additional_headers=asked, open_timeout=20) as connection:
            async for text in connection:
                frame = json.loads(text)
                if frame["type"] == "event":
                    self._take(frame["cursor"], json.dumps(frame["event"]))
        return frame.get("reason") == "game-over"

    async def _listen(self, answer: httpx.Response) -> None:
        event: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
            elif event.pop("event", "") == "commit":
                self._take(int(event["id"]), event["data"])
                event = {}

    def _take(self, number: int, data: str) -> None:
        assert number == len(self.told) + 1, f"{self.path}: {number} was told after {len(self.told)}"
        self.told.append((number, data))
        self.tally.events += 1

    async def finish(self) -> None:
        """End the game if it isn't over."""
        if self.over:
            return
        closed = await self.post("close", self.tokens["host"]["secret"], None, f"{self.lot.getrandbits(128):032x}")
        assert closed.status_code == 201, closed.text

    async def check(self) -> None:
        """What was acknowledged is what stands in the log, and what was told."""
        referee = self.tokens["referee"]["secret"]
        exported = await self.get("export", referee)
        assert audit(read_export(exported.content.splitlines())).outcome is Outcome.EXACT
        assert [number for number, _ in self.told] == list(range(1, self.known + 1)), (
            "each commit was told once, in order"
        )
        played = {}
        for number, data in self.told:
            commit = json.loads(data)["data"]
            assert commit["number"] == number
            if commit["actor"] != "host":
                played[number] = commit
        assert played.keys() == self.acknowledged.keys(), "commands in the log are those that were acknowledged"
        for number, deed in self.acknowledged.items():
            assert played[number]["actor"] == deed.actor
            assert deed.what != "commands" or played[number]["command"] == deed.body
        for deed in self.lot.sample(sorted(self.acknowledged.values(), key=str), k=min(10, len(played))):
            again = await self.post(deed.what, self._token(deed.actor), deed.body, deed.key)
            assert (again.status_code, again.content) == (201, deed.answer), "a retry gets the first answer, for ever"
        check_line(self.hooks.taken(self.id), await self.events(self.seat), self.key, full=True)

    async def events(self, token: str) -> list[dict[str, Any]]:
        """All that a token's stream tells."""
        found: list[dict[str, Any]] = []
        while len(found) < self.known:
            page = await self.get(f"events?limit=1000&after={len(found)}", token)
            found += page.json()["events"]
        return found


async def crashes(folder: Path, *, rounds: int, seed: int, tell: Tell = lambda _: None) -> Tally:
    """Play on through so many rounds of crashes, then check everything.

    Args:
        folder: where Redis keeps its files, and where processes say what they have to say.
        rounds: how often something is killed.
        seed: of what is drawn at random, what is killed first of all; not of when things happen.
        tell: is told how far it is.

    Raises:
        AssertionError: something was lost, done twice or not told.
    """
    run = Run(folder, seed)
    with hooks(seed) as run.hooks:
        async with run.rig.running():
            await run.open()
            while left := rounds - run.tally.rounds:
                await run.through(min(left, STRETCH), tell)
                await run.check()
                tell(f"all is well so far: {run.counted()}")
            await run.close()
            return run.counted()


class Run:
    """Crashes, and those who live through them."""

    hooks: Hooks

    def __init__(self, folder: Path, seed: int) -> None:
        self.rig = Rig(folder, seed)
        self.tally = Tally()
        self._kills = kills(seed)
        self._gaps = random.Random(f"{seed} gaps")
        self._paths: list[str] = []
        """Of all games, also of stretches before."""
        self._lot = random.Random(seed)
        self._client = Client([api.url for api in self.rig.apis], self._lot, self.tally)
        self._matches: list[Match] = []
        self._following: list[asyncio.Task[None]] = []
        self._enough = asyncio.Event()
        self._began = time.monotonic()
        self._account = ""
        """The key of the account that is sent all games."""
        self._checks = ""
        """The key that checks what it is sent."""

    async def open(self) -> None:
        """Open the account, and subscribe an endpoint to all its games."""
        opened = await self._client.send("POST", "/v1/accounts")
        self._account = opened.json()["key"]
        self._checks = await self._client.subscribe(self._account, url=self.hooks.url(ALL))

    async def through(self, rounds: int, tell: Tell) -> None:
        """Play new games while things are killed, to the end of all of them and of what is told of them."""
        self._matches, self._following = [], []
        self.hooks.slow = SLOW
        self._enough.clear()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._kill(rounds, tell))
            for _ in range(GAMES):
                group.create_task(self._play())
        for match in self._matches:
            await match.finish()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self._following)
        await self._all_delivered()

    async def _play(self) -> None:
        while not self._enough.is_set():
            match = await Match.open(self._client, self.tally, self._lot, self.hooks, self._account)
            self._matches.append(match)
            self._paths.append(match.path)
            self._following.append(asyncio.create_task(match.follow()))
            await asyncio.gather(*(match.play(self._enough) for _ in range(PLAYERS)))

    async def _kill(self, rounds: int, tell: Tell) -> None:
        for victims in itertools.islice(self._kills, rounds):
            wanted = self.tally.acknowledged + self._gaps.randint(*GAP)
            async with asyncio.timeout(PATIENCE):
                while self.tally.acknowledged < wanted:  # noqa: ASYNC110 -- any moment will do, also one amid a request
                    await asyncio.sleep(0.001 * self._gaps.random())
            await self.rig.crash(victims)
            self.tally.rounds += 1
            tell(str(self.counted()))
        self._enough.set()

    async def _all_delivered(self) -> None:
        """Wait for what is still to come to the endpoints, as long as anything comes; nobody is killed, so answers need not be slow."""
        self.hooks.slow = 0.0
        lines = [(match.id, match.path, "") for match in self._matches]
        lines += [(ALL, match.path, name) for match in self._matches for name in match.bound]
        heads = {match.path: match.known for match in self._matches}
        missing = {(*line, number) for line in lines for number in range(1, heads[line[1]] + 1)}
        came, since = self.hooks.count, time.monotonic()
        while missing := missing - self.hooks.reached():
            if self.hooks.count != came:
                came, since = self.hooks.count, time.monotonic()
            assert time.monotonic() - since < PATIENCE, f"{len(missing)} messages never came, as {sorted(missing)[:5]}"
            await asyncio.sleep(0.2)

    async def check(self) -> None:
        """Hold everything that this stretch has brought against everything."""
        for match in self._matches:
            await match.check()
        sent = by_recipient(self.hooks.taken(ALL))
        assert sent.keys() == {(path, name) for path in self._paths for name in self._matches[0].bound}
        for match in self._matches:
            for name, token in match.bound.items():
                check_line(sent[match.path, name], await match.events(token), self._checks, full=False)
        await _every_game_is_listed_once(self._client, self._paths)

    async def close(self) -> None:
        """Nobody asks any more."""
        await self._client.close()

    def counted(self) -> Tally:
        """What has happened so far."""
        self.tally.killed = self.rig.killed
        self.tally.delivered, self.tally.again = self.hooks.count, self.hooks.again()
        self.tally.faulty = self.hooks.refused
        self.tally.seconds = time.monotonic() - self._began
        return self.tally


async def _every_game_is_listed_once(client: Client, paths: Sequence[str]) -> None:
    listed: list[str] = []
    query = "limit=100"
    while query:
        page = (await client.send("GET", f"/v1/games?{query}")).json()
        listed += [f"/v1/games/{one['id']}" for one in page["games"]]
        query = f"limit=100&after={page['next']}" if page.get("next") else ""
    assert sorted(listed) == sorted(paths), "every opening that was answered is there, once"
