"""Worlds: games behind the real application, and every byte that each of their roles was answered.

Two worlds are told apart by a role where an answer differs in status, header, body or chunk. Masked is what the design excepts
by name, the commitment to the seed and the salted digests of a proof, but never their number or size; the digest of what the
role itself was told stays, for it must be the same. Masked too is the digest of the pack: it says openly what is played with.
"""

import copy
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx
from litestar import Litestar
from litestar.datastructures import State

from domain.facts.audience import SPECTATORS
from openapi.writer.outside import Fixed
from service.app import make_app
from service.bootstrap import Service
from service.log.chain import position
from tests.support.streams import Stream

SEATS = ("zoe-ingstrom", "ox-bellows", "madame-zostra")
OPENING: dict[str, Any] = {"edition": "second", "seats": [{"character": name} for name in SEATS], "hotseat": True}
PUBLIC = "public"
"""Whoever shows no token."""
NOBODY = -1
"""In the place of the principal whose digests stay."""

Headers = tuple[tuple[str, str], ...]

READS: tuple[tuple[str, Headers], ...] = (
    ("", ()),
    ("", (("If-None-Match", "{tag}"),)),
    ("view", ()),
    ("view", (("If-None-Match", "{tag}"),)),
    ("view", (("If-None-Match", "nonsense"),)),
    ("view?at={before}", ()),
    ("view?at={ahead}", ()),
    ("view?as=seat:1", ()),
    ("decisions", ()),
    ("decisions", (("If-None-Match", "{tag}"),)),
    ("decisions?at={before}", ()),
    ("decisions?hints=true", ()),
    ("decisions?hints=true&as=seat:1", ()),
    ("decisions?hints=perhaps", ()),
    ("screen?after={before}", ()),
    ("board.svg", ()),
    ("board.svg?at={ahead}", ()),
    ("book", ()),
    ("book", (("Accept", "text/markdown"),)),
    ("book?at={before}", (("Accept", "text/html"),)),
    ("book?as=seat:1", ()),
    ("diff?from={before}", ()),
    ("diff?from={before}&format=markdown", ()),
    ("diff?from={before}&to={ahead}", ()),
    ("events", ()),
    ("events?after={before}&limit=2", ()),
    ("events?after={ahead}", ()),
    ("events?after={before}", (("Accept", "application/x-ndjson"),)),
    ("events", (("Accept", "text/csv"),)),
    ("events", (("Accept", "text/event-stream"), ("Last-Event-ID", "{ahead}"))),
    ("events", (("Accept", "text/event-stream"), ("Last-Event-ID", "x"))),
    ("export", ()),
    ("trace?from={before}", ()),
    ("trace?to={ahead}", ()),
    ("trace?from={before}&as=seat:1", ()),
    ("trace?from={before}", (("Accept", "text/markdown"),)),
)
"""What every role reads; the numbers are commits, one before the latest and one ahead of it, and the tag is that of the answer before."""

MORE_READS: tuple[tuple[str, Headers], ...] = (
    ("brief", ()),
    ("brief?at={before}&page=2", (("Accept", "text/plain"),)),
    ("brief?as=seat:1", (("Accept", "text/markdown"),)),
    ("decisions?as=seat:1&wait=0", ()),
    ("decisions?since=true", ()),
    ("brief?wait=0", ()),
    ("screen", ()),
    ("screen?since=true", ()),
    ("screen?at={before}&after=1&as=seat:1", ()),
    ("board.svg?as=seat:1&layout=phone", ()),
    ("book?side=heroes", ()),
    ("book?side=traitor", (("Accept", "text/html"),)),
    ("diff?from=1&format=markdown", ()),
    ("diff?from={before}&format=svg", ()),
    ("diff?from={before}&as=seat:1", ()),
    ("events?sentences=true&limit=1000", ()),
    ("events?sentences=true", (("Accept", "application/x-ndjson"),)),
    ("events?as=seat:1", ()),
    ("events?as=referee&after={before}", (("Accept", "application/x-ndjson"),)),  # where it is not refused, it ends
    ("view?at={before}&as=referee", ()),
    ("view?as=spectator", ()),
    ("invites", ()),
    ("forks", ()),
    ("heads?after={before}&limit=2", ()),
    ("proofs?after={before}&limit=2", ()),
    ("messages", ()),
    ("post", ()),
    ("post?format=bbcode&at={before}&as=seat:1", ()),
    ("reminders?at={before}&as=seat:1", ()),
    ("seats/1/orders", ()),
    ("disputes", ()),
    ("disputes/1", ()),
    ("disputes/1", (("Accept", "text/markdown"),)),
    ("disputes/1?as=seat:1", ()),
    ("/v1/precedents", ()),
    ("/v1/precedents?rule=2E-MOVE-001&limit=1", ()),
    ("/v1/precedents?after={game}:1", ()),
    ("/v1/games?status=started&order=newest&limit=5", ()),
    ("/v1/games?after={game}", ()),
    ("trace", ()),
    ("trace?names=true&legal=false", ()),
    ("trace?told=true", ()),
    ("trace?from={before}&as=referee&told=true", ()),
    ("trace?after={before}&limit=2", ()),
    ("trace?turn=2", ()),
    ("trace?round=1", (("Accept", "application/x-ndjson"),)),
    ("trace?seat=1", ()),
    ("trace?rule=2E-MOVE-001", ()),
    ("trace?room=foyer", ()),
    ("trace?card=skull", ()),
    ("trace?card=otherwise", ()),
    ("trace?grep=traitor", ()),
)
"""What else there is to read: of these each look reads some, the next look the next ones, and every role all in the course of a test."""
SHARE = 3
"""One of so many of them is read in a look."""

UNREAD: dict[str, str] = {
    "GET /v1/games/{game}/events ticket": "stands for a token, in the place of a header",
    "GET /v1/games/{game}/verifications/{verification}": "what an audit of public digests has found: masked anyway",
    "GET /v1/games/{game}/presence": "who is connected at the time, and nothing of the game",
}
"""Reads of a game that are not compared, and why."""

REFUSED: tuple[dict[str, Any], ...] = (
    {"type": "move", "decision": "turn-1", "to": "attic"},
    {"type": "explore", "decision": "turn-1", "door": "up"},
    {"type": "end-turn", "decision": "turn-99"},
    {"type": "choose", "decision": "d99", "option": "reveal"},
    {"type": "choose", "decision": "d1", "option": "pass"},
    {"type": "answer-chance", "decision": "c1", "pick": "seat:1"},
)
"""Commands that nobody can do."""

REVEAL = {"type": "reveal", "decision": "reveal"}
"""What only a hidden traitor can do."""

DENIED: tuple[tuple[str, dict[str, Any] | None], ...] = (
    ("start", None),
    ("seats/5/replace", None),
    ("invites/invite-seat-1/rotate", None),
    ("tokens/referee/rotate", None),
    ("seats/1/claim", {"invite": "omen_no-such-invite"}),
    ("referee", {"invite": "omen_no-such-invite"}),
)
"""What else nobody can have once the game has started."""

_HEX = re.compile(rb"[0-9a-f]")
_DIGESTS = re.compile(rb'"digests":\[([^\]]*)\]')
_COMMITMENT = re.compile(rb'"commitment":"[0-9a-f]{64}"')
_LINKS = re.compile(rb'"(commitment|prev|root|hash)":"[0-9a-f]{64}"')


SAME_ID = {"X-Request-Id": "twins", "Accept-Encoding": "identity"}
"""Else each answer would bear an id of its own, drawn by the machine before it looks at anything, and salted digests would be compressed
to other lengths."""


class World:
    """One game, whose every token is in the test's hand."""

    def __init__(self, service: Service, client: httpx.AsyncClient, app: Any) -> None:  # noqa: ANN401 -- litestar's, with our route before it
        self.service = service
        self.client = client
        self.app = app
        self.path = ""
        self.clock = Fixed()
        """The service's own, where a test has given it one."""
        self.tokens: dict[str, str] = {}
        self.referee = ""
        self.own_pack = False
        """It is played with another pack than its twin: what a role was told names it, and so the role's own digests differ."""
        self.answers: dict[str, dict[str, bytes]] = {}
        """By role, and by what was asked; the same question asked again is numbered."""
        self._asked: Counter[tuple[str, str]] = Counter()
        self._looks = 0
        self._pack = b"-"
        self._followers: dict[str, Stream] = {}

    # -- the game -----------------------------------------------------------------------------------------------------

    async def open(self, **asked: object) -> None:
        """Open a hotseat game, which everybody finds in the list, and start it."""
        options = {"listed": True, **cast("dict[str, object]", asked.pop("options", {}))}
        answer = await self.client.post("/v1/games", json={**OPENING, **asked, "options": options})
        assert answer.status_code == 201, answer.text
        game = answer.json()
        tokens = game["tokens"]
        self.path = f"/v1/games/{game['game']['id']}"
        self._pack = game["game"]["pack_digest"].encode()
        seats = {f"seat:{seat}": one["secret"] for seat, one in enumerate(tokens["seats"])}
        self.tokens = {**seats, "spectator": tokens["spectators"][0]["secret"], "host": tokens["host"]["secret"]}
        self.referee = tokens["referee"]["secret"]
        self._keep(PUBLIC, "open", answer.status_code, answer.headers.raw, answer.content)
        await self.ask("host", "POST", "start", status=201)

    async def version(self) -> int:
        """The number of the latest commit."""
        return int((await self.arbiter("view"))["version"])

    async def arbiter(self, what: str) -> dict[str, Any]:
        """What the referee reads, who is nobody's twin: what is asked here is compared with nothing."""
        answer = await self.client.get(f"{self.path}/{what}", headers=_bearer(self.referee))
        assert answer.status_code == 200, answer.text
        return cast("dict[str, Any]", answer.json())

    async def answer_chance(self, command: dict[str, Any]) -> None:
        """Say what the dice showed, or which card came."""
        answer = await self.client.post(f"{self.path}/commands", json=command, headers=_bearer(self.referee))
        assert answer.status_code == 201, answer.text

    async def command(self, seat: int, command: dict[str, Any]) -> None:
        """Do something that is accepted."""
        await self.ask(f"seat:{seat}", "POST", "commands?screen=true&sentences=true", command, status=201)

    async def crowd_out(self) -> None:
        """Another game takes this one's place in a memory for one, so that it has to be loaded from its log again."""
        other = (await self.client.post("/v1/games", json=OPENING)).json()
        started = await self.client.post(
            f"/v1/games/{other['game']['id']}/start", headers=_bearer(other["tokens"]["host"]["secret"])
        )
        assert started.status_code == 201, started.text

    # -- asking -------------------------------------------------------------------------------------------------------

    async def ask(
        self,
        role: str,
        method: str,
        what: str,
        body: dict[str, Any] | None = None,
        *,
        status: int = 0,
        headers: Mapping[str, str] = {},
    ) -> httpx.Response:
        """Ask as a role, and keep the answer.

        Args:
            role: `seat:0`, `spectator`, `host` or `PUBLIC`.
            method: of HTTP.
            what: the path below the game's, or a whole one from `/` on.
            body: sent as JSON.
            status: the one expected; 400 for any refusal, 0 for any at all.
            headers: besides the token.
        """
        path = what if what.startswith("/") else f"{self.path}/{what}".rstrip("/")
        answer = await self.client.request(method, path, json=body, headers={**self._shown(role), **headers})
        fits = answer.status_code >= 400 if status == 400 else answer.status_code == status or not status
        assert fits, f"{role}: {method} {what} {body}: {answer.status_code} {answer.text}"
        label = f"{method} {what} {json.dumps(body)} {dict(headers)}"
        self._keep(role, label, answer.status_code, answer.headers.raw, answer.content)
        return answer

    async def look(self, *, traitor: int = -1, roles: Collection[str] = ()) -> None:
        """Roles read all that they can, and are refused what they can't.

        Args:
            traitor: the seat that could reveal itself, and therefore doesn't try to.
            roles: by default all, the public among them.
        """
        now = await self.version()
        waiting = (await self.arbiter("decisions"))["waiting"]
        share = self._looks % SHARE
        self._looks += 1
        for role in roles or (*self.tokens, PUBLIC):
            await self.read(role, max(1, now - 3), now + 7, share)
            for what, body in DENIED:
                await self.ask(role, "POST", what, body, status=400)
            stale = {"If-Match": f'"{now - 1}"'}
            await self.ask(role, "POST", "commands", REFUSED[0], status=400, headers=stale)
            for command in (*REFUSED, *_meddling(role, waiting)):
                await self.ask(role, "POST", "commands", command, status=400)
            if role != f"seat:{traitor}":
                await self.ask(role, "POST", "commands", REVEAL, status=400)
            else:  # something in its place, for the clock ticks at whatever is refused
                await self.client.post(f"{self.path}/commands", json=REFUSED[2], headers=self._shown(role))
            if role != PUBLIC:
                await self._resume(role, max(1, now - 3))

    async def read(self, role: str, before: int, ahead: int, share: int | None = None) -> None:
        """A role reads all that it can, and what more there is whole or a share of it; `before` and `ahead` are commits."""
        numbers = {"before": before, "ahead": ahead, "game": self.path.rpartition("/")[2]}
        tag = ""
        for what, headers in READS + (MORE_READS if share is None else MORE_READS[share::SHARE]):
            told = {name: value.format(**numbers, tag=tag) for name, value in headers}
            answer = await self.ask(role, "GET", what.format(**numbers), headers=told)
            tag = answer.headers.get("etag", tag)

    async def _resume(self, role: str, after: int) -> None:
        """A browser connects again and reads what it missed."""
        head = json.loads((await self.ask(role, "GET", f"events?after={after}&limit=1")).content)["version"]
        headers = {**self._shown(role), "Last-Event-ID": str(after)}
        stream = Stream(self.app, f"{self.path}/events", {**SAME_ID, **headers})
        await stream.until(head, after)
        await stream.leave()
        self._keep_stream(role, f"stream behind {after}", stream)

    # -- following ----------------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Every role opens a stream, in which events are told in sentences, too, and holds it until `hang_up`."""
        for role in self.tokens:
            path = f"{self.path}/events?sentences=true"
            self._followers[role] = Stream(self.app, path, {**SAME_ID, **self._shown(role)})

    async def hang_up(self) -> None:
        """The streams have brought all, and are closed."""
        now = await self.version()
        for role, stream in self._followers.items():
            await stream.until(now)
            await stream.leave()
            self._keep_stream(role, "stream held", stream)
        self._followers.clear()

    # -- what was told ------------------------------------------------------------------------------------------------

    def told(self, role: str) -> bytes:
        """All that a role was answered, in one piece."""
        return b"\n".join(self.answers[role].values())

    def _shown(self, role: str) -> dict[str, str]:
        return _bearer(self.tokens[role]) if role != PUBLIC else {}

    def _keep_stream(self, role: str, label: str, stream: Stream) -> None:
        # Who is connected is alike in all worlds; when that is told is a matter of time.
        chunks = [chunk for chunk in stream.chunks if not chunk.startswith(b"event: presence")]
        self._keep(role, label, stream.status, stream.headers, b"\n--\n".join(chunks))

    def _keep(self, role: str, label: str, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        # How many requests are left is a matter of time, and the tag of a pack's page is a digest with that of the pack in it.
        left_out = {b"ratelimit", b"etag" if self.own_pack and " /v1/packs" in label else b""}
        raw = b"\n".join(b": ".join(header) for header in headers if header[0].lower() not in left_out)
        own = NOBODY if self.own_pack else int(role[5:]) if role.startswith("seat:") else position(SPECTATORS)
        body = b"\n".join([_masked(line, own) for line in body.split(b"\n")]).replace(self._pack, b"digest of the pack")
        self._asked[role, label] += 1
        mine = self.answers.setdefault(role, {})
        mine[f"{label} #{self._asked[role, label]}"] = b"%d\n%b\n%b" % (status, raw, body)


def _meddling(role: str, waiting: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Answers to what others are asked."""
    for one in waiting:
        if role != f"seat:{one['seat']}":
            for option in ("pass", "reveal"):
                yield {"type": "choose", "decision": one["decision"], "option": option}


def _masked(line: bytes, own: int) -> bytes:
    """A line without what is excepted. A role's own digest stays, unless it was told a commitment and so the digest is of that."""
    committed = _COMMITMENT.search(line) is not None

    def masked(found: re.Match[bytes]) -> bytes:
        digests = found[1].split(b",")
        shown = [
            one if principal == own and not committed else _HEX.sub(b"x", one) for principal, one in enumerate(digests)
        ]
        return b'"digests":[%b]' % b",".join(shown)

    return _LINKS.sub(rb'"\1":"masked"', _DIGESTS.sub(masked, line))


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


_registered: dict[int, Litestar] = {}
"""By the limit of a request's body: an application with all routes. To register them takes longer than most tests."""


def _litestar(*, state: State, request_max_body_size: int, **given: Any) -> Litestar:  # noqa: ANN401 -- as Litestar takes them
    """An application that differs from others in its state alone. It is never started, so that it needs no lifespan of its own."""
    if request_max_body_size not in _registered:
        _registered[request_max_body_size] = Litestar(request_max_body_size=request_max_body_size, **given)
    app = copy.copy(_registered[request_max_body_size])
    app.state = state
    return app


@asynccontextmanager
async def world(service: Service) -> AsyncIterator[World]:
    """A world on a service, which is closed with it."""
    app = make_app(service, _litestar)
    transport = httpx.ASGITransport(cast("Any", app))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://omenlog", headers=SAME_ID) as client:
            yield World(service, client, app)
    finally:
        await service.close()


def tell_apart(one: World, other: World, role: str) -> list[str]:
    """What was answered to a role in one world and not in the other, by what was asked."""
    mine, theirs = one.answers[role], other.answers[role]
    return [label for label in {**mine, **theirs} if mine.get(label) != theirs.get(label)]
