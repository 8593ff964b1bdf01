"""A synchronous client of the HTTP API, which retries where that is safe, and a runner that plays bots' seats through it."""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Self, TypeVar

import httpx
import msgspec

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots.brain import Brain, Memory

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds to keep retrying while the service is unreachable or overloaded."""
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
"""Seconds between two attempts: doubled each time, up to the longest."""
UPLOAD = 300.0
"""Seconds that the service may take to process a file."""
LATER = frozenset({429, 502, 503, 504})
"""Statuses after which a request is retried."""
UNNAMED = "unknown"
"""The code of an error that did not come from the service itself, but from a proxy, say."""
POLL = 0.25
MOST_REFUSALS = 8
"""Refusals in a row after which the bot must be wrong."""
RACES = frozenset({409, 412})
"""Statuses of a command that came too late because somebody else was faster."""
OVER = frozenset({"finished", "abandoned"})


class ApiError(Exception):
    """The service refused a request, and retrying would not help."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail

    @property
    def unanswered(self) -> bool:
        """Whether a proxy answered because it could not reach the service."""
        return self.status in LATER and self.code == UNNAMED


class NotAToken(ValueError):
    """A token that cannot be valid, and is not sent. The message does not show it."""


class _Rule(msgspec.Struct):
    id: str


class _Problem(msgspec.Struct):
    code: str = UNNAMED
    title: str = ""
    detail: str = ""
    rule: _Rule | None = None


class Api:
    """Calls to one service, as a context manager that closes its connections. Every POST carries an Idempotency-Key.

    Every call raises `ApiError` if the service refuses, and `httpx.TransportError` if it stays unreachable.
    """

    def __init__(
        self, url: str, token: str = "", *, patience: float = PATIENCE, transport: httpx.BaseTransport | None = None
    ) -> None:
        """Talk to the service at a base address (`http://127.0.0.1:8000`).

        `token` is sent with every request that names no other; `patience` is seconds of retries; tests pass a `transport`.
        """
        self.url = url
        self._token = token
        self._http = httpx.Client(base_url=url, timeout=30.0, transport=transport)
        self._patience = patience

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, token: str = "", **parameters: int | str) -> bytes:
        return self._call(self._http.build_request("GET", path, headers=self._bearer(token), params=parameters))

    def read(self, kind: type[T], path: str, token: str = "", **parameters: int | str) -> T:
        return msgspec.json.decode(self.get(path, token, **parameters), type=kind)

    def post(
        self, path: str, token: str = "", body: object = None, *, if_match: int | None = None, key: str = ""
    ) -> bytes:
        """Post once, however often the request is retried; pass a `key` to go on retrying when this call has given up."""
        headers = {"Idempotency-Key": key or new_key(), **self._bearer(token)}
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = msgspec.json.encode(body)
        return self._call(self._http.build_request("POST", path, headers=headers, content=content))

    def send(self, kind: type[T], path: str, token: str = "", body: object = None) -> T:
        return msgspec.json.decode(self.post(path, token, body), type=kind)

    def delete(self, path: str, token: str = "") -> None:
        self._call(self._http.build_request("DELETE", path, headers=self._bearer(token)))

    def upload(self, path: str, content: bytes, media_type: str, token: str = "") -> bytes:
        headers = {"Idempotency-Key": new_key(), "Content-Type": media_type, **self._bearer(token)}
        return self._call(self._http.build_request("POST", path, headers=headers, content=content, timeout=UPLOAD))

    def view(self, game: str, token: str, at: int) -> GameView:
        return self.read(GameView, f"/v1/games/{game}/view", token, at=at)

    def decisions(self, game: str, token: str, **asked: str) -> Decisions:
        return self.read(Decisions, f"/v1/games/{game}/decisions", token, **asked)

    def command(self, game: str, token: str, command: AnyCommand, version: int) -> None:
        self.post(f"/v1/games/{game}/commands", token, command, if_match=version)

    def _bearer(self, token: str) -> dict[str, str]:
        token = token or self._token
        if not all("!" <= sign <= "~" for sign in token):
            raise NotAToken("a token consists of ASCII letters, digits and punctuation, without spaces")
        return {"Authorization": f"Bearer {token}"} if token else {}

    def _call(self, request: httpx.Request) -> bytes:
        for pause in self._pauses():
            try:
                answer = self._http.send(request)
            except httpx.TransportError as fault:
                if not pause or isinstance(fault, httpx.UnsupportedProtocol):  # retrying cannot mend an address
                    raise
                time.sleep(pause)
                continue
            if answer.is_success:
                return answer.content
            if answer.status_code not in LATER or not pause:
                raise _error(answer)
            wanted = answer.headers.get("Retry-After", "")
            time.sleep(max(pause, float(wanted) if wanted.isdecimal() else 0.0))
        raise AssertionError("the last attempt either answers or raises")

    def _pauses(self) -> Iterator[float]:
        """The pause after each failed attempt; 0 after the last."""
        end, pause = time.monotonic() + self._patience, FIRST_PAUSE
        while time.monotonic() < end:
            yield pause
            pause = min(2 * pause, LONGEST_PAUSE)
        yield 0.0


def new_key() -> str:
    """An Idempotency-Key: one for each request, shared by all its attempts."""
    return secrets.token_urlsafe(24)


def _error(answer: httpx.Response) -> ApiError:
    try:
        problem = msgspec.json.decode(answer.content, type=_Problem)
    except msgspec.MsgspecError:
        problem = _Problem(detail=answer.text[:200])
    detail = problem.detail or problem.title or f"HTTP {answer.status_code} {answer.reason_phrase}".strip()
    if problem.rule is not None:
        detail = f"{detail} ({problem.rule.id})"
    return ApiError(answer.status_code, problem.code, detail)


class Player(msgspec.Struct):
    """A bot in its seat."""

    seat: int
    token: str
    brain: Brain
    memory: Memory


class AcceptedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that the service accepted from a bot."""

    seat: int
    label: str
    """What it does, in the words of the API."""
    command: AnyCommand
    view: GameView
    """What the seat saw when it gave the command."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended, by its public facts."""

    id: str
    status: str
    version: int
    winner: str
    because: str

    def __str__(self) -> str:
        won = f"{self.winner.replace(':', ' ')} won" if self.winner else "nobody won"
        return f"{self.status}: {won}. {self.because}"


class Runner:
    """Plays seats of one game. It may be stopped and replaced at any time: it holds nothing that matters."""

    def __init__(
        self,
        api: Api,
        game: str,
        players: Sequence[Player],
        *,
        watch: Callable[[AcceptedCommand], None] | None = None,
        poll: float = POLL,
    ) -> None:
        """Play some or all seats; call `watch` after each accepted command, and look every `poll` seconds while others have to act."""
        self._api = api
        self._game = game
        self._players = {player.seat: player for player in players}
        self._watch = watch
        self._poll = poll
        self._refused = 0

    def play(self) -> Ended:
        """Play until the game is over. Raises as `Api` does, unless somebody else was merely faster."""
        while True:
            if not self._act_once():
                ended = self._api.read(Ended, f"/v1/games/{self._game}")
                if ended.status in OVER:
                    return ended
                time.sleep(self._poll)

    def _act_once(self) -> bool:
        """Let one awaited player act; False if none has anything to do."""
        asked: set[int] = set()
        ahead = list(self._players)
        while ahead:
            seat = ahead.pop(0)
            asked.add(seat)
            player = self._players[seat]
            decisions = self._api.decisions(self._game, player.token, hints="true")
            if decisions.yours and self._act(player, decisions):
                return True
            # ask the others in the order in which the game waits for them
            awaited = [one.seat for one in decisions.waiting if one.seat is not None]
            waiting = [one for one in awaited if one in self._players and one not in asked]
            ahead = list(dict.fromkeys([*waiting, *ahead]))
        return False

    def _act(self, player: Player, decisions: Decisions) -> bool:
        """Let a player choose and post; False if it has no command."""
        view = self._api.view(self._game, player.token, decisions.version)
        command = player.brain(view, decisions, player.memory)
        if command is None:
            return False
        try:
            self._api.command(self._game, player.token, command, decisions.version)
        except ApiError as error:
            self._note_refusal(player, view, command, error)
            return True
        self._refused = 0
        player.memory = player.memory.after(view, command)
        if self._watch is not None:
            label = label_of(decisions, command)
            self._watch(AcceptedCommand(seat=player.seat, label=label, command=command, view=view))
        return True

    def _note_refusal(self, player: Player, view: GameView, command: AnyCommand, error: ApiError) -> None:
        """Keep the player from repeating a refused command at this version; give up if it is always refused."""
        self._refused += 1
        if error.status not in RACES or self._refused >= MOST_REFUSALS:
            raise error
        if error.code != "stale-version":
            player.memory = player.memory.after_refusal(view, command)


def label_of(decisions: Decisions, command: AnyCommand) -> str:
    """What a command does, in the words of the API if it lists the command."""
    for decision in decisions.yours:
        for listed in decision.commands:
            if listed.command == command:
                return listed.label
        if decision.id == command.decision:
            return decision.text
    return type(command).__name__
