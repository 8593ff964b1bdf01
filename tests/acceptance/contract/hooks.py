"""Hooks for schemathesis: requests get the token that their operation needs, in a game that exists.

Tokens belong to games, which a generator can't guess. So where it made a valid id, the id of a real game is put in its place, and
the game's host, referee, or whichever seat is awaited makes the request. Invalid ids and bodies are left as they are.
"""

from __future__ import annotations

import os
import uuid
from typing import Any

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.generation.meta import TestPhase

OPENING: dict[str, Any] = {"edition": "second", "seats": [{}, {}, {}], "options": {"turn_limit": 40}}
HOST = {"startGame", "closeGame", "replaceSeat", "rotateToken"}
PLAYING = {"getDecisions", "postCommand", "getView", "getOdds", "dryRun", "forkGame"}
Case = schemathesis.Case[Any]
CONDITIONAL = {"postCommand", "ruleDispute"}
PUBLIC = {"openGame", "claimSeat", "joinSpectators", "joinReferee", "getGame", "getHeads"}

TOKENS: dict[str, dict[str, Any]] = {}
"""By game: the tokens that an answer has shown."""


DESK = {"openDispute", "giveEvidence", "withdrawDispute", "ruleDispute"}
"""What is disputed in a game that is played: by its first seat, and ruled by the referee."""

WEBHOOKS = {"subscribe", "listSubscriptions", "getSubscription", "unsubscribe", "redeliver", "rotateKey"}
SUBSCRIPTIONS: dict[str, str] = {}
"""By id: the token that asked for a subscription. The latest last."""

PLAYABLE: list[str] = []
"""Games that were started and not closed, the latest last."""


def operation_of(case: Case) -> str:
    return str(case.operation.definition.raw.get("operationId", ""))


def valid(case: Case, part: ParameterLocation) -> bool:
    """Whether a part of a request was made to be valid, or the request comes from a link."""
    found = None if case.meta is None else case.meta.components.get(part)
    return found is None or found.mode == GenerationMode.POSITIVE


def linked(case: Case) -> bool:
    """Whether a request follows from another one's answer."""
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


def fresh(address: str) -> str:
    """Open and start a game."""
    opened = requests.post(f"{address}/v1/games", json={**OPENING, "hotseat": True}, timeout=10).json()
    game: str = opened["game"]["id"]
    TOKENS[game] = {name: _secrets(one) for name, one in opened["tokens"].items()}
    headers = {"Authorization": f"Bearer {TOKENS[game]['host']}"}
    requests.post(f"{address}/v1/games/{game}/start", headers=headers, timeout=10).raise_for_status()
    PLAYABLE.append(game)
    return game


@schemathesis.hook
def before_call(_context: schemathesis.HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Give keys and games that make sense: a key that was used is refused for another body."""
    del kwargs
    if case.headers and "Idempotency-Key" in case.headers and valid(case, ParameterLocation.HEADER):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if operation_of(case) == "getDecisions" and valid(case, ParameterLocation.QUERY) and len(case.query or ()) > 1:
        case.query = {}  # so that a link finds commands of now
    if operation_of(case) in CONDITIONAL and case.headers and valid(case, ParameterLocation.HEADER):
        case.headers.pop("If-Match", None)  # entity tags can't be guessed
    body = case.body
    if operation_of(case) == "subscribe" and valid(case, ParameterLocation.BODY) and isinstance(body, dict):
        mine = {name: value for name, value in body.items() if name not in ("cursor", "games")}  # are for accounts
        case.body = {**mine, "url": f"{os.environ['RECEIVER']}/{uuid.uuid4()}", "types": [], "after": None}
    opening = operation_of(case) == "openGame" and valid(case, ParameterLocation.BODY)
    if opening and isinstance(body, dict) and "setup" not in body:
        case.body = {**OPENING, "hotseat": not body.get("hotseat", False)}


@schemathesis.hook
def after_call(_context: schemathesis.HookContext, case: Case, response: schemathesis.Response) -> None:
    """Remember tokens."""
    if response.status_code != requests.codes.created:
        return
    operation = operation_of(case)
    found = response.json()
    if operation == "subscribe":
        SUBSCRIPTIONS[found["subscription"]["id"]] = case.headers["Authorization"].removeprefix("Bearer ")
    if operation == "startGame":
        PLAYABLE.append(case.path_parameters["game"])
    elif operation == "closeGame":
        PLAYABLE[:] = [game for game in PLAYABLE if game != case.path_parameters["game"]]
    elif operation == "openGame":
        TOKENS[found["game"]["id"]] = {name: _secrets(one) for name, one in found["tokens"].items()}
    elif operation in ("claimSeat", "joinReferee"):
        place = "referee" if operation == "joinReferee" else "seats"
        secret = found["token"]["secret"]
        known = TOKENS.get(case.path_parameters["game"], {})
        known[place] = secret if place == "referee" else [*known.get(place, ()), secret]
    elif operation == "rotateToken":
        TOKENS.get(case.path_parameters["game"], {})["host"] = found["token"]["secret"]


def _secrets(found: list[dict[str, str]] | dict[str, str]) -> object:
    return [one["secret"] for one in found] if isinstance(found, list) else found["secret"]


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """The token for a request."""

    def get(self, case: Case, _context: schemathesis.AuthContext) -> str:
        """Find it, and a game for it."""
        operation = operation_of(case)
        parameters = case.path_parameters
        if operation in WEBHOOKS:
            return self._subscriber(case)
        if "game" not in parameters:
            return ""
        if valid(case, ParameterLocation.PATH) and not linked(case):
            if operation in PLAYING | DESK:
                parameters["game"] = PLAYABLE[-1] if PLAYABLE else fresh(str(case.operation.base_url))
            elif parameters["game"] not in TOKENS and TOKENS:
                parameters["game"] = next(reversed(TOKENS))
        known = TOKENS.get(parameters["game"], {})
        if operation in PUBLIC or not known:
            return ""
        if operation in HOST:
            return str(known["host"])
        if operation in ("openDispute", "withdrawDispute") and known.get("seats"):
            return str(known["seats"][0])
        if operation in PLAYING and known.get("referee") and known.get("seats"):
            return self._awaited(case, known)
        return str(known.get("referee") or known["host"])

    def set(self, case: Case, data: str, _context: schemathesis.AuthContext) -> None:
        """Send it."""
        if data:
            case.headers["Authorization"] = f"Bearer {data}"

    def _subscriber(self, case: Case) -> str:
        """The token of a subscription, or for a new one that of a referee."""
        parameters = case.path_parameters
        if "subscription" not in parameters:
            game = PLAYABLE[-1] if PLAYABLE else fresh(str(case.operation.base_url))
            return str(TOKENS[game].get("referee") or TOKENS[game]["host"])
        if valid(case, ParameterLocation.PATH) and parameters["subscription"] not in SUBSCRIPTIONS and SUBSCRIPTIONS:
            parameters["subscription"] = next(reversed(SUBSCRIPTIONS))
        return SUBSCRIPTIONS.get(parameters["subscription"], "")

    def _awaited(self, case: Case, known: dict[str, Any]) -> str:
        """The token of whoever is awaited; every third valid command becomes one that is listed."""
        waiting = self._decisions(case, known["referee"]).get("waiting")
        seat = waiting[0]["seat"] if waiting else None
        token = str(known["referee"] if seat is None else known["seats"][seat % len(known["seats"])])
        if operation_of(case) == "postCommand" and valid(case, ParameterLocation.BODY):
            self._commands += 1
            yours = self._decisions(case, token).get("yours") if self._commands % 3 == 0 else None
            if yours:
                case.body = yours[0]["commands"][-1]["command"]
        return token

    _commands = 0

    def _decisions(self, case: Case, token: str) -> dict[str, Any]:
        url = f"{case.operation.base_url}/v1/games/{case.path_parameters['game']}/decisions"
        answer = requests.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=10)
        found: dict[str, Any] = answer.json() if answer.ok else {}
        return found
