"""A client of the HTTP API, as a bot needs it: it waits where waiting helps, and tells what was refused."""

import secrets
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self, TypeVar

import httpx
import msgspec

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions
from projections.view.game import GameView

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds to go on trying while the service can't be reached or has too much to do."""
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
"""Seconds between two tries: doubled each time, up to the longest."""
UPLOAD = 300.0
"""Seconds that the service may take to look through a file."""
LATER = frozenset({429, 502, 503, 504})
"""Statuses that say: try again."""


UNNAMED = "unknown"
"""The code of a refusal that is no problem of the service's own: a proxy's, say."""


class Refusal(Exception):
    """The service answered a request with a problem that waiting does not solve."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail

    @property
    def unanswered(self) -> bool:
        """Whether a proxy says so that doesn't reach the service."""
        return self.status in LATER and self.code == UNNAMED


class NotAToken(ValueError):
    """What was given as a token can be none, and is not sent. The message has nothing of it."""


class _Problem(msgspec.Struct):
    """What is read of `application/problem+json`."""

    code: str = UNNAMED
    title: str = ""
    detail: str = ""


class Api:
    """Calls of one service. Requests are retried as long as that is safe: every POST carries an Idempotency-Key."""

    def __init__(self, url: str, *, patience: float = PATIENCE, transport: httpx.BaseTransport | None = None) -> None:
        """Talk to the service at this base address (`http://127.0.0.1:8000`).

        Args:
            url: the base address.
            patience: seconds to go on trying while it does not answer, or answers that it has too much to do.
            transport: another way than the network, for tests.
        """
        self.url = url
        self._http = httpx.Client(base_url=url, timeout=30.0, transport=transport)
        self._patience = patience

    def __enter__(self) -> Self:
        """Use it in a `with`: connections are closed at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of connections."""
        self._http.close()

    def get(self, path: str, token: str = "", **parameters: int | str) -> bytes:
        """The body of an answer.

        Raises:
            Refusal: the service says no.
            httpx.TransportError: it could not be reached for as long as patience lasts.
        """
        return self._call(self._http.build_request("GET", path, headers=_bearer(token), params=parameters))

    def post(
        self, path: str, token: str = "", body: object = None, *, if_match: int | None = None, key: str = ""
    ) -> bytes:
        """Post once, however often it has to be tried.

        Args:
            path: where to.
            token: sent with it, unless empty.
            body: sent as JSON, unless None.
            if_match: the version that it is meant for.
            key: the Idempotency-Key, for whoever goes on trying when patience is at its end; by default a new one.

        Raises:
            Refusal: the service says no.
            httpx.TransportError: it could not be reached for as long as patience lasts.
        """
        headers = {"Idempotency-Key": key or new_key(), **_bearer(token)}
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = msgspec.json.encode(body)
        return self._call(self._http.build_request("POST", path, headers=headers, content=content))

    def delete(self, path: str, token: str) -> None:
        """Delete. Raises as `get` does."""
        self._call(self._http.build_request("DELETE", path, headers=_bearer(token)))

    def upload(self, path: str, content: bytes, kind: str, token: str = "") -> bytes:
        """Post a file once, however often it has to be tried.

        Args:
            path: where to.
            content: the file.
            kind: its media type.
            token: sent with it, unless empty.

        Raises:
            Refusal: the service says no.
            httpx.TransportError: it could not be reached for as long as patience lasts.
        """
        headers = {"Idempotency-Key": new_key(), "Content-Type": kind, **_bearer(token)}
        return self._call(self._http.build_request("POST", path, headers=headers, content=content, timeout=UPLOAD))

    def view(self, game: str, token: str, at: int) -> GameView:
        """What the token's seat saw as of a commit."""
        return _decode(self.get(f"/v1/games/{game}/view", token, at=at), GameView)

    def decisions(self, game: str, token: str) -> Decisions:
        """What the game waits for, and what the token's seat may do."""
        return _decode(self.get(f"/v1/games/{game}/decisions", token), Decisions)

    def command(self, game: str, token: str, command: AnyCommand, version: int) -> None:
        """Give a command to the game as it was at a version."""
        self.post(f"/v1/games/{game}/commands", token, command, if_match=version)

    def _call(self, request: httpx.Request) -> bytes:
        for pause in self._pauses():
            try:
                answer = self._http.send(request)
            except httpx.TransportError as fault:
                if not pause or isinstance(fault, httpx.UnsupportedProtocol):  # no waiting makes an address of it
                    raise
                time.sleep(pause)
                continue
            if answer.is_success:
                return answer.content
            if answer.status_code not in LATER or not pause:
                problem = _problem(answer)
                told = problem.detail or problem.title or f"HTTP {answer.status_code} {answer.reason_phrase}".strip()
                raise Refusal(answer.status_code, problem.code, told)
            time.sleep(max(pause, _retry_after(answer)))
        raise AssertionError("the last try either answers or raises")

    def _pauses(self) -> Iterator[float]:
        """The pause after each try if it fails; 0 for the last one, when patience is at its end."""
        end, pause = time.monotonic() + self._patience, FIRST_PAUSE
        while time.monotonic() < end:
            yield pause
            pause = min(2 * pause, LONGEST_PAUSE)
        yield 0.0


def new_key() -> str:
    """An Idempotency-Key: one for each deed, which all its attempts carry."""
    return secrets.token_urlsafe(24)


def _bearer(token: str) -> dict[str, str]:
    if not all("!" <= sign <= "~" for sign in token):
        raise NotAToken("a token has letters, digits and signs of ASCII, and no spaces")
    return {"Authorization": f"Bearer {token}"} if token else {}


def _decode(body: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(body, type=kind)


def _retry_after(answer: httpx.Response) -> float:
    wanted = answer.headers.get("Retry-After", "")
    return float(wanted) if wanted.isdecimal() else 0.0


def _problem(answer: httpx.Response) -> _Problem:
    try:
        return _decode(answer.content, _Problem)
    except msgspec.MsgspecError:
        return _Problem(detail=answer.text[:200])
