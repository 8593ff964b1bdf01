"""Real requests and answers for the document: a short game, played over the application itself.

Which operation an answer is an example of follows from its method and path. What is read without a story before it stands on its
handler, as `example=` of `@operation`; the game tells the rest, and what is refused.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any, cast

import httpx
import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from openapi.writer.facts import Incomplete, method_of, named, path_of
from openapi.writer.lasting import Lasting
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots.brain import Memory
from service.bots.steady import choose
from service.http.operation import facts_of

Examples = dict[str, dict[str, Any]]

GAME = "the game in openapi/writer/examples.py"
"""Who asks what stands on no handler, as messages say it."""
LONG = 2000
"""Steps of a game that bots play, whether the seat has something to do or not."""
LONGEST = 200
"""Characters of an answer in a message."""

OPENING = {
    "edition": "second",
    "pack": "second-edition",
    "seats": [{"name": "Ann", "character": "zoe-ingstrom"}, {"name": "Bo"}, {}],
    "randomness": {"source": "seeded"},
    "options": {"disclosure": "end", "turn_limit": 400, "listed": True},
}


async def collect(
    app: Litestar, elsewhere: Litestar, operations: Sequence[HTTPRouteHandler], lasting: Lasting
) -> Examples:
    """Play and note what was asked and answered, by operation and status.

    Args:
        app: where the game is played.
        elsewhere: another service, which imports it in the end.
        operations: what the service has.
        lasting: makes examples of answers.

    Raises:
        Incomplete: something asked gets another answer than it should, or no operation answers it.
    """
    async with _client(app) as client, _client(elsewhere) as other:
        return await _Player(client, other, operations, lasting).play()


def _client(app: Litestar) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(cast("Any", app)), base_url="http://omenlog", timeout=60)


class _Player:
    """Plays the first turn of a game and looks at everything."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        other: httpx.AsyncClient,
        operations: Sequence[HTTPRouteHandler],
        lasting: Lasting,
    ) -> None:
        self._client = client
        self._other = other
        self._operations = operations
        self._lasting = lasting
        self._noted: Examples = {}

    async def play(self) -> Examples:
        opened = await self._post("/v1/games", OPENING, key="an-example-key-of-mine")
        path = f"/v1/games/{opened['game']['id']}"
        host = opened["tokens"]["host"]["secret"]
        seats = [await self._claim(path, seat, one["secret"]) for seat, one in enumerate(opened["invites"]["seats"])]
        referee = ""
        for place in ("spectators", "referee"):
            invites = opened["invites"][place]
            one = invites[0] if isinstance(invites, list) else invites
            joined = await self._post(f"{path}/{place}", {"invite": one["secret"]})
            referee = str(joined["token"]["secret"])
        await self._post(f"{path}/start", {}, token=host)
        await self._get(f"{path}/book", seats[0], status=404)
        await self._turn(path, seats)
        await self._look(path, seats[0], host)
        await self._what_if(path, seats)
        await self._beside(path, seats[0])
        await self._dispute(path, seats[0], referee)
        await self._trace(path, seats[1])
        await self._post(f"{path}/seats/1/replace", None, token=host)
        await self._post(f"{path}/invites/invite-seat-1/rotate", None, token=host)
        await self._post(f"{path}/close", None, token=host)
        await self._import(path, host)
        await self._read()
        rotated = await self._post(f"{path}/tokens/host/rotate", None, token=host)
        assert rotated["token"]["secret"] != host  # noqa: S101 -- an example that shows the wrong thing is worse than none
        return self._noted

    async def _claim(self, path: str, seat: int, invite: str) -> str:
        body = {"invite": invite, "name": ("Ann", "Bo", "Cy")[seat], "entropy": "Um9sbCB3ZWxsIQ=="}
        answer = await self._post(f"{path}/seats/{seat}/claim", body)
        return str(answer["token"]["secret"])

    async def _turn(self, path: str, seats: list[str]) -> None:
        """Whose turn it is does the first thing that is listed, then something that isn't."""
        for token in seats:
            listed = (await self._get(f"{path}/decisions", token))["yours"]
            if listed:
                command = listed[0]["commands"][0]["command"]
                await self._post(f"{path}/commands", command, token=token, key="turn-1-step-1")
                await self._post(f"{path}/commands", {**command, "to": "attic"}, token=token, key="", status=409)
                stale = {"If-Match": '"1"'}
                await self._post(f"{path}/commands", command, token=token, status=412, headers=stale)
                return

    async def _look(self, path: str, seat: str, host: str) -> None:
        await self._get(f"{path}/view?at=99", seat, status=409)
        await self._get(f"{path}/view", "", status=401)
        await self._get(f"{path}/view?as=seat:1", host, status=403)
        await self._get(f"{path}/view?at=0", seat, status=400)
        await self._get(f"{path}/invites", host)
        await self._get(f"{path}/diff?from=6&to=5", seat, status=422)
        await self._get(f"{path}/diff?from=99", seat, status=409)
        await self._get(f"{path}/diff?from=5&as=seat:1", seat, status=403)
        await self._get(f"{path}/diff?from=5&to=6&format=markdown", seat)
        await self._get(f"{path}/diff?from=5&to=6&format=svg", seat, lines=3)
        await self._get(f"{path}/board.svg?at=99", seat, status=409)
        await self._subscribe(seat)
        account = await self._post("/v1/accounts", None)
        key = account["key"]
        await self._put(f"{path}/tokens/seat-0/account", {"key": key}, seat)
        await self._post(f"{path}/tickets", None, token=seat)
        for handler in self._operations:
            example = facts_of(handler).example
            if example is not None:
                url = example.url.replace("{game}", path.rpartition("/")[2])
                token = {"account": key, "token": seat}.get(_shown(handler), "")
                asked = self._client.build_request(method_of(handler), url, json=example.body, headers=_bearer(token))
                if self._operation(asked) is not handler:
                    raise Incomplete(
                        f"{named(handler)} has `{_call(asked)}` as its example, which is not a call of its own path: "
                        "correct the `example=` of its `@operation`."
                    )
                answer = await self._client.send(asked)
                self._note(
                    answer, handler.status_code, example.body, example.lines, "the `example=` of its `@operation`"
                )
        await self._get("/v1/packs/none", status=404)
        await self._get("/v1/rules/2E-NONE-001", status=404)
        await self._get("/v1/problems/none", status=404)
        await self._get("/v1/problems/illegal-command", accept="text/html")

    async def _read(self) -> None:
        """The book of a haunt, in a game that bots have played up to it."""
        wish = {"edition": "second", "seats": [{}, {}, {}], "hotseat": True, "options": {"haunt": "the-bell-below"}}
        opened = (await self._client.post("/v1/games", json=wish)).json()
        path, tokens = f"/v1/games/{opened['game']['id']}", opened["tokens"]
        await self._client.post(f"{path}/start", headers=_bearer(tokens["host"]["secret"]))
        seats = [one["secret"] for one in tokens["seats"]]
        memories = [Memory(seed=str(seat)) for seat in range(len(seats))]
        for step in range(LONG):
            seat = step % len(seats)
            view, decisions = await self._seen(path, seats[seat])
            if view.haunt is not None and view.haunt.started:
                for media in ("application/json", "text/markdown", "text/html"):
                    await self._get(f"{path}/book", seats[seat], accept=media)
                return
            command = choose(view, decisions, memories[seat])
            if command is not None:
                body = msgspec.to_builtins(command)
                self._expect(await self._client.post(f"{path}/commands", json=body, headers=_bearer(seats[seat])), 201)
                memories[seat] = memories[seat].after(view, command)
        raise Incomplete(
            f"No haunt begins within {LONG} steps of the second game that {GAME} plays: let it play longer."
        )

    async def _seen(self, path: str, seat: str) -> tuple[GameView, Decisions]:
        """What a bot is shown."""
        view = await self._client.get(f"{path}/view", headers=_bearer(seat))
        decisions = await self._client.get(f"{path}/decisions", headers=_bearer(seat))
        return msgspec.json.decode(view.content, type=GameView), msgspec.json.decode(decisions.content, type=Decisions)

    async def _trace(self, path: str, seat: str) -> None:
        """The first deed of the game, and what was refused after it."""
        url = f"{path}/trace?from=6&to=6"
        await self._get(url, seat)
        await self._get(f"{path}/trace?from=6&to=5", seat, status=422)
        await self._get(f"{path}/trace?room=hall", seat, status=422)
        await self._get(f"{url}&as=referee", seat, status=403)
        await self._get(f"{path}/trace?to=99", seat, status=409)
        await self._get(url, seat, accept="text/markdown")

    async def _what_if(self, path: str, seats: list[str]) -> None:
        """Whoever's turn it is tries something; a fork is made twice, the second time of the fork itself."""
        asked = {"of": "trait", "who": 0, "trait": "might", "at_least": 4, "outcomes": ["5+", "2-4", "0-1"]}
        await self._post(f"{path}/odds", asked, token=seats[0], status=200)
        await self._post(f"{path}/odds", {**asked, "who": 5}, token=seats[0], status=422)
        for token in seats:
            listed = (await self._get(f"{path}/decisions", token))["yours"]
            tries = [
                one["command"] for mine in listed for one in mine["commands"] if one["command"]["type"] == "explore"
            ]
            for command in tries[:1]:
                await self._post(f"{path}/dry-runs", command, token=token, status=200)
        made = await self._post(f"{path}/forks", {"at": 5}, token=seats[0], key="a-fork-of-my-own-game")
        await self._get(f"{path}/forks", seats[0])
        fork = f"/v1/games/{made['game']['id']}"
        await self._post(f"{fork}/forks", {}, token=made["tokens"]["seats"][0]["secret"], status=409)

    async def _subscribe(self, seat: str) -> None:
        """An endpoint for what a seat is told."""
        url = "/v1/subscriptions"
        asked = {"url": "https://example.com/omenlog", "payload": "full", "types": ["HauntBegun", "GameEnded"]}
        made = await self._post(url, asked, token=seat)
        mine = f"{url}/{made['subscription']['id']}"
        refused = {**asked, "url": "https://localhost/omenlog"}
        await self._post(url, refused, token=seat, status=422)
        await self._post(f"{mine}/rotate", None, token=seat)
        await self._post(f"{mine}/redeliver", {}, token=seat, status=202)
        await self._post(f"{mine}/test", None, token=seat, status=200)
        await self._get(f"{mine}/attempts", seat)
        await self._get(url, seat)
        await self._get(mine, seat)

    async def _import(self, path: str, host: str) -> None:
        """The closed game is imported by the other service, and a second time in vain."""
        export = await self._client.get(f"{path}/export", headers=_bearer(host))
        await self._verify(path, host)
        for status in (201, 409):
            kind = {"Content-Type": "application/x-ndjson"}
            answer = await self._other.post("/v1/games/import", content=export.content, headers=kind)
            self._note(answer, status)

    async def _dispute(self, path: str, seat: str, referee: str) -> None:
        """A dispute with evidence, which the referee decides, and one that is withdrawn."""
        url = f"{path}/disputes"
        claim = {"from": 6, "to": 6, "claim": "The step cost one space too few."}
        await self._post(url, claim, token=seat)
        await self._post(url, claim, token=seat, status=409)
        mine = {"commits": [6], "rules": ["2E-MOVE-001"], "note": "Somebody stands in the way there."}
        await self._post(f"{url}/1/evidence", mine, token=seat)
        ruling = {
            "outcome": "stands",
            "reasons": "An explorer is nobody's opponent before the haunt.",
            "rules": ["2E-MOVE-002"],
            "precedent": True,
        }
        back = {"outcome": "rewind", "to": 1, "reasons": "All anew."}
        await self._post(f"{url}/1/ruling", back, token=referee, status=422)
        await self._post(f"{url}/1/ruling", ruling, token=referee)
        why = {"reasons": "The rule was another one."}
        await self._post(f"{url}/1/reopening", why, token=referee)
        await self._post(f"{url}/1/ruling", {**ruling, "dry_run": True}, token=referee, status=200)
        await self._post(f"{url}/1/ruling", ruling, token=referee)
        await self._get(url, seat)
        await self._get(f"{url}/1", referee)
        await self._get(f"{url}/1", referee, accept="text/markdown")
        await self._get(f"{url}/2", referee, status=404)
        await self._get("/v1/precedents?rule=2E-MOVE-002", referee)
        await self._get("/v1/precedents?rule=2E-MOVE-999", referee, status=422)
        await self._post(url, claim, token=seat)
        await self._post(f"{url}/2/withdrawal", None, token=seat)

    async def _verify(self, path: str, host: str) -> None:
        """The closed game is audited by the service."""
        asked = await self._post(f"{path}/verifications", None, token=host, status=202)
        where = f"{path}/verifications/{asked['id']}"
        while (await self._client.get(where, headers=_bearer(host))).json()["status"] in ("queued", "running"):  # noqa: ASYNC110 -- as a client does
            await asyncio.sleep(0.05)
        await self._get(where, host)

    async def _beside(self, path: str, seat: str) -> None:
        """A message to the referee, and orders for the next turn."""
        said = {"to": "referee", "text": "I am away until Monday; my orders stand."}
        sent = await self._post(f"{path}/messages", said, token=seat)
        await self._get(f"{path}/messages", seat)
        erased = await self._client.delete(f"{path}/messages/{sent['id']}", headers=_bearer(seat))
        self._expect(erased, 204)
        orders = {
            "steps": [
                {"command": {"type": "move", "decision": "turn", "to": "foyer"}, "when": {"room": ["entrance-hall"]}},
                {"command": {"type": "end-turn", "decision": "turn"}},
            ]
        }
        await self._put(f"{path}/seats/0/orders", orders, seat)
        await self._get(f"{path}/seats/0/orders", seat)
        await self._get(f"{path}/post", seat)
        for media in ("text/plain", "text/markdown"):
            await self._get(f"{path}/brief", seat, accept=media)

    async def _get(
        self, url: str, token: str = "", *, status: int = 200, accept: str = "*/*", lines: int | None = None
    ) -> Any:  # noqa: ANN401 -- any answer
        answer = await self._client.get(url, headers={**_bearer(token), "Accept": accept})
        return self._note(answer, status, lines=lines)

    async def _put(self, url: str, body: dict[str, Any], token: str) -> None:
        self._note(await self._client.put(url, json=body, headers=_bearer(token)), 200, body)

    async def _post(
        self,
        url: str,
        body: dict[str, Any] | None,
        *,
        token: str = "",
        key: str = "",
        status: int = 201,
        headers: dict[str, str] | None = None,
    ) -> Any:  # noqa: ANN401 -- any answer
        sent = {**_bearer(token), **(headers or {}), **({"Idempotency-Key": key} if key else {})}
        answer = await self._client.post(url, json=body, headers=sent)
        return self._note(answer, status, body)

    def _note(
        self, answer: httpx.Response, status: int, body: object = None, lines: int | None = None, by: str = GAME
    ) -> Any:  # noqa: ANN401 -- any answer
        handler = self._expect(answer, status, body, by)
        media = answer.headers["Content-Type"].partition(";")[0]
        found = answer.json() if media.endswith("json") else "".join(answer.text.splitlines(keepends=True)[:lines])
        noted = self._noted.setdefault(str(handler.operation_id), {})
        noted.setdefault(media if media in facts_of(handler).media else str(status), self._lasting.example(found))
        if body is not None and answer.is_success:
            noted.setdefault("request", self._lasting.example(body))
        return found

    def _expect(self, answer: httpx.Response, status: int, body: object = None, by: str = GAME) -> HTTPRouteHandler:
        """The operation that gave an answer; refuses one with another status."""
        handler = self._operation(answer.request)
        if handler is None:
            raise Incomplete(f"No operation serves `{_call(answer.request)}`, which {GAME} asks: correct it there.")
        if answer.status_code != status:
            sent = "" if body is None else f" with {json.dumps(body)}"
            raise Incomplete(
                f"{named(handler)} should answer {status} to {by}: "
                f"`{_call(answer.request)}`{sent} got {answer.status_code}: {_reason(answer)}"
            )
        return handler

    def _operation(self, request: httpx.Request) -> HTTPRouteHandler | None:
        """The operation that a request is for, if any; `/v1/games/import` goes before `/v1/games/{game}`."""
        found = [
            handler
            for handler in self._operations
            if method_of(handler) == request.method
            and re.fullmatch(re.sub(r"{\w+}", "[^/]+", path_of(handler)), request.url.path)
        ]
        return min(found, key=lambda handler: path_of(handler).count("{"), default=None)


def _call(request: httpx.Request) -> str:
    return f"{request.method} {request.url.raw_path.decode()}"


def _reason(answer: httpx.Response) -> str:
    """What an answer says: of a problem its detail, else its beginning."""
    if answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        return str(answer.json()["detail"])
    return answer.text if len(answer.text) <= LONGEST else f"{answer.text[:LONGEST]}…"


def _shown(handler: HTTPRouteHandler) -> str:
    """What an example shows: a token wherever it tells more of the game."""
    schemes = [name for one in handler.security or [{"token": []}] for name in one]
    return next(
        (name for name in schemes if name != "token" or handler.security is None or "{game}" in path_of(handler)), ""
    )


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
