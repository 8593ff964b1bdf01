"""Real requests and answers for the document: a short game, played over the application itself."""

from __future__ import annotations

import asyncio
import re
from typing import Any, cast

import httpx
from litestar import Litestar

Examples = dict[str, dict[str, Any]]

LONGEST = 3
"""Items that a list in an example has at the most; real ones go on."""
SECRETS = re.compile(r"^(omen_|ticket_[a-z0-9-]+\.[0-9]+\.).*")
KEEP = {"seats", "faces"}
"""Lists that are shown whole."""

OPENING = {
    "edition": "second",
    "pack": "second-edition",
    "seats": [{"name": "Ann", "character": "zoe-ingstrom"}, {"name": "Bo"}, {}],
    "randomness": {"source": "seeded"},
    "options": {"disclosure": "end", "turn_limit": 400, "listed": True},
}


async def collect(app: Litestar, elsewhere: Litestar) -> Examples:
    """Play and note what was asked and answered, by operation and status.

    Args:
        app: where the game is played.
        elsewhere: another service, which imports it in the end.
    """
    async with _client(app) as client, _client(elsewhere) as other:
        return await _Player(client, other).play()


def _client(app: Litestar) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(cast("Any", app)), base_url="http://omenlog", timeout=60)


class _Player:
    """Plays the first turn of a game and looks at everything."""

    def __init__(self, client: httpx.AsyncClient, other: httpx.AsyncClient) -> None:
        self._client = client
        self._other = other
        self._noted: Examples = {}

    async def play(self) -> Examples:
        opened = await self._post("openGame", "/v1/games", OPENING, key="an-example-key-of-mine")
        path = f"/v1/games/{opened['game']['id']}"
        host = opened["tokens"]["host"]["secret"]
        seats = [await self._claim(path, seat, one["secret"]) for seat, one in enumerate(opened["invites"]["seats"])]
        referee = ""
        for place, operation in (("spectators", "joinSpectators"), ("referee", "joinReferee")):
            invites = opened["invites"][place]
            one = invites[0] if isinstance(invites, list) else invites
            joined = await self._post(operation, f"{path}/{place}", {"invite": one["secret"]})
            referee = str(joined["token"]["secret"])
        await self._post("startGame", f"{path}/start", None, token=host)
        await self._turn(path, seats)
        await self._look(path, seats[0], host)
        await self._what_if(path, seats)
        await self._beside(path, seats[0])
        await self._dispute(path, seats[0], referee)
        await self._trace(path, seats[1])
        await self._post("replaceSeat", f"{path}/seats/1/replace", None, token=host)
        await self._post("closeGame", f"{path}/close", None, token=host)
        await self._import(path, host)
        rotated = await self._post("rotateToken", f"{path}/tokens/host/rotate", None, token=host)
        assert rotated["token"]["secret"] != host  # noqa: S101 -- an example that shows the wrong thing is worse than none
        return self._noted

    async def _claim(self, path: str, seat: int, invite: str) -> str:
        body = {"invite": invite, "name": ("Ann", "Bo", "Cy")[seat], "entropy": "Um9sbCB3ZWxsIQ=="}
        answer = await self._post("claimSeat", f"{path}/seats/{seat}/claim", body)
        return str(answer["token"]["secret"])

    async def _turn(self, path: str, seats: list[str]) -> None:
        """Whose turn it is does the first thing that is listed, then something that isn't."""
        for token in seats:
            listed = (await self._get("getDecisions", f"{path}/decisions", token))["yours"]
            if listed:
                command = listed[0]["commands"][0]["command"]
                await self._post("postCommand", f"{path}/commands", command, token=token, key="turn-1-step-1")
                await self._post(
                    "postCommand", f"{path}/commands", {**command, "to": "attic"}, token=token, key="", status=409
                )
                stale = {"If-Match": '"1"'}
                await self._post("postCommand", f"{path}/commands", command, token=token, status=412, headers=stale)
                return

    async def _look(self, path: str, seat: str, host: str) -> None:
        await self._get("getGame", path, seat)
        await self._get("listGames", "/v1/games")
        await self._get("getView", f"{path}/view", seat)
        await self._get("getView", f"{path}/view?at=99", seat, status=409)
        await self._get("getView", f"{path}/view", "", status=401)
        await self._get("getView", f"{path}/view?as=seat:1", host, status=403)
        await self._get("getView", f"{path}/view?at=0", seat, status=400)
        await self._get("getDiff", f"{path}/diff?from=5&to=6", seat)
        await self._get("getDiff", f"{path}/diff?from=6&to=5", seat, status=422)
        await self._get("getDiff", f"{path}/diff?from=99", seat, status=409)
        await self._get("getDiff", f"{path}/diff?from=5&as=seat:1", seat, status=403)
        await self._drawn(path, seat)
        await self._get("getEvents", f"{path}/events?after=4&limit=2", seat)
        await self._subscribe(seat)
        page = await self._client.get("/v1/proof")
        self._noted["getProofPage"] = {"200": page.text.partition("\n\n")[0]}
        await self._get("getHeads", f"{path}/heads?after=4&limit=2")
        await self._get("getProofs", f"{path}/proofs?after=4&limit=1", seat)
        account = await self._post("openAccount", "/v1/accounts", None)
        key = account["key"]["secret"]
        body = {"key": key}
        bound = await self._client.put(f"{path}/tokens/seat-0/account", json=body, headers=_bearer(seat))
        self._note("bindToken", bound, 200)
        self._noted["bindToken"]["request"] = _shortened(body)
        await self._get("getAccount", "/v1/account", key)
        await self._get("getAccountEvents", "/v1/account/events?limit=2", key)
        await self._post("makeTicket", f"{path}/tickets", None, token=seat)
        await self._get("listPacks", "/v1/packs")
        await self._get("getPack", "/v1/packs/second-edition")
        await self._get("getPack", "/v1/packs/none", status=404)
        await self._get("listRules", "/v1/rules?edition=second&limit=2")
        await self._get("getRule", "/v1/rules/2E-MOVE-001")
        await self._get("getRule", "/v1/rules/2E-NONE-001", status=404)
        await self._get("getProblem", "/v1/problems/illegal-command")
        await self._get("getProblem", "/v1/problems/none", status=404)
        page = await self._client.get("/v1/problems/illegal-command", headers={"Accept": "text/html"})
        self._noted["getProblem"]["html"] = page.text
        await self._get("getReady", "/health/ready")
        await self._get("getLive", "/health/live")

    async def _trace(self, path: str, seat: str) -> None:
        """The first deed of the game, and what was refused after it."""
        url = f"{path}/trace?from=6&to=6"
        await self._get("getTrace", url, seat)
        await self._get("getTrace", f"{path}/trace?from=6&to=5", seat, status=422)
        await self._get("getTrace", f"{url}&as=referee", seat, status=403)
        await self._get("getTrace", f"{path}/trace?to=99", seat, status=409)
        page = await self._client.get(url, headers={**_bearer(seat), "Accept": "text/markdown"})
        self._noted["getTrace"]["markdown"] = page.text

    async def _drawn(self, path: str, seat: str) -> None:
        """What has changed as Markdown, and the first lines of a picture."""
        diff = await self._client.get(f"{path}/diff?from=5&to=6&format=markdown", headers=_bearer(seat))
        self._noted["getDiff"]["markdown"] = diff.text
        picture = await self._client.get(f"{path}/board.svg", headers=_bearer(seat))
        self._noted["getBoard"] = {"200": "".join(picture.text.splitlines(keepends=True)[:3])}
        await self._get("getBoard", f"{path}/board.svg?at=99", seat, status=409)

    async def _what_if(self, path: str, seats: list[str]) -> None:
        """Whoever's turn it is tries something; a fork is made twice, the second time of the fork itself."""
        asked = {"of": "trait", "who": 0, "trait": "might", "at_least": 4, "outcomes": ["5+", "2-4", "0-1"]}
        await self._post("getOdds", f"{path}/odds", asked, token=seats[0], status=200)
        self._noted["getOdds"]["request"] = asked
        await self._post("getOdds", f"{path}/odds", {**asked, "who": 5}, token=seats[0], status=422)
        for token in seats:
            listed = (await self._get("getDecisions", f"{path}/decisions", token))["yours"]
            tries = [
                one["command"] for mine in listed for one in mine["commands"] if one["command"]["type"] == "explore"
            ]
            for command in tries[:1]:
                await self._post("dryRun", f"{path}/dry-runs", command, token=token, status=200)
                self._noted["dryRun"]["request"] = command
        made = await self._post("forkGame", f"{path}/forks", {"at": 5}, token=seats[0], key="a-fork-of-my-own-game")
        await self._get("listForks", f"{path}/forks", seats[0])
        fork = f"/v1/games/{made['game']['id']}"
        await self._post("forkGame", f"{fork}/forks", {}, token=made["tokens"]["seats"][0]["secret"], status=409)

    async def _subscribe(self, seat: str) -> None:
        """An endpoint for what a seat is told."""
        url = "/v1/subscriptions"
        asked = {"url": "https://example.com/omenlog", "payload": "full", "types": ["HauntBegun", "GameEnded"]}
        made = await self._post("subscribe", url, asked, token=seat)
        mine = f"{url}/{made['subscription']['id']}"
        refused = {**asked, "url": "https://localhost/omenlog"}
        await self._post("subscribe", url, refused, token=seat, status=422)
        await self._post("rotateKey", f"{mine}/rotate", None, token=seat)
        await self._post("redeliver", f"{mine}/redeliver", {}, token=seat, status=202)
        self._noted["redeliver"]["request"] = {}
        await self._post("testSubscription", f"{mine}/test", None, token=seat, status=200)
        await self._get("listAttempts", f"{mine}/attempts", seat)
        await self._get("listSubscriptions", url, seat)
        await self._get("getSubscription", mine, seat)

    async def _import(self, path: str, host: str) -> None:
        """The closed game is imported by the other service, and a second time in vain."""
        export = await self._client.get(f"{path}/export", headers=_bearer(host))
        await self._verify(path, host)
        for status in (201, 409):
            kind = {"Content-Type": "application/x-ndjson"}
            answer = await self._other.post("/v1/games/import", content=export.content, headers=kind)
            self._note("importGame", answer, status)

    async def _dispute(self, path: str, seat: str, referee: str) -> None:
        """A dispute with evidence, which the referee decides, and one that is withdrawn."""
        url = f"{path}/disputes"
        claim = {"from": 6, "to": 6, "claim": "The step cost one space too few."}
        await self._post("openDispute", url, claim, token=seat)
        await self._post("openDispute", url, claim, token=seat, status=409)
        mine = {"commits": [6], "rules": ["2E-MOVE-001"], "note": "Somebody stands in the way there."}
        await self._post("giveEvidence", f"{url}/1/evidence", mine, token=seat)
        ruling = {
            "outcome": "stands",
            "reasons": "An explorer is nobody's opponent before the haunt.",
            "rules": ["2E-MOVE-002"],
            "precedent": True,
        }
        back = {"outcome": "rewind", "to": 1, "reasons": "All anew."}
        await self._post("ruleDispute", f"{url}/1/ruling", back, token=referee, status=422)
        await self._post("ruleDispute", f"{url}/1/ruling", ruling, token=referee)
        await self._get("listDisputes", url, seat)
        await self._get("getDispute", f"{url}/1", referee)
        await self._get("getDispute", f"{url}/2", referee, status=404)
        await self._post("openDispute", url, claim, token=seat)
        await self._post("withdrawDispute", f"{url}/2/withdrawal", None, token=seat)

    async def _verify(self, path: str, host: str) -> None:
        """The closed game is audited by the service."""
        asked = await self._post("askVerification", f"{path}/verifications", None, token=host, status=202)
        where = f"{path}/verifications/{asked['id']}"
        while (await self._client.get(where, headers=_bearer(host))).json()["status"] in ("queued", "running"):  # noqa: ASYNC110 -- as a client does
            await asyncio.sleep(0.05)
        await self._get("getVerification", where, host)

    async def _beside(self, path: str, seat: str) -> None:
        """A message to the referee, and orders for the next turn."""
        said = {"to": "referee", "text": "I am away until Monday; my orders stand."}
        sent = await self._post("postMessage", f"{path}/messages", said, token=seat)
        await self._get("getMessages", f"{path}/messages", seat)
        erased = await self._client.delete(f"{path}/messages/{sent['id']}", headers=_bearer(seat))
        assert erased.status_code == httpx.codes.NO_CONTENT  # noqa: S101 -- as above
        orders = {
            "steps": [
                {"command": {"type": "move", "decision": "turn", "to": "foyer"}, "when": {"room": ["entrance-hall"]}},
                {"command": {"type": "end-turn", "decision": "turn"}},
            ]
        }
        left = await self._client.put(f"{path}/seats/0/orders", json=orders, headers=_bearer(seat))
        self._note("leaveOrders", left, 200)
        self._noted["leaveOrders"]["request"] = orders
        await self._get("getOrders", f"{path}/seats/0/orders", seat)
        post = await self._client.get(f"{path}/post", headers=_bearer(seat))
        self._noted["getPost"] = {"200": post.text}

    async def _get(self, operation: str, url: str, token: str = "", *, status: int = 200) -> Any:  # noqa: ANN401 -- any answer
        answer = await self._client.get(url, headers=_bearer(token))
        return self._note(operation, answer, status)

    async def _post(
        self,
        operation: str,
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
        found = self._note(operation, answer, status)
        if body is not None and status == httpx.codes.CREATED:
            self._noted[operation].setdefault("request", body)
        return found

    def _note(self, operation: str, answer: httpx.Response, status: int) -> Any:  # noqa: ANN401 -- any answer
        if answer.status_code != status:
            raise RuntimeError(f"{operation} answered {answer.status_code}: {answer.text}")
        found = answer.json()
        noted = self._noted.setdefault(operation, {})
        noted.setdefault(str(status), _shortened(found))
        return found


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _shortened(found: Any, name: str = "") -> Any:  # noqa: ANN401 -- any JSON
    """An answer with its long lists cut, and secrets that nobody can mistake for real ones."""
    if isinstance(found, dict):
        return {key: _shortened(value, key) for key, value in found.items()}
    if isinstance(found, list):
        return [_shortened(one) for one in (found if name in KEEP else found[:LONGEST])]
    if isinstance(found, str):
        return re.sub(r"^whsec_.*", "whsec_" + "x" * 43 + "=", SECRETS.sub(lambda secret: secret[1] + "x" * 43, found))
    return found
