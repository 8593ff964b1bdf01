"""Answers: entity tags, caching, problems. Every answer about a game carries its version as `ETag`."""

from __future__ import annotations

import base64
import hashlib
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from content.patterns import told
from domain.facts.refusal import Refused
from service.bootstrap import Service
from service.games.play.submit import Done, answer
from service.http.incoming import none_match, takes_gzip
from service.identity import Caller
from service.problems import FieldError, ProblemError, cited, problem_of
from service.store.port import ArchiveMissing, NoSuchGame, StoreDamaged, StoreError, StoreFull

PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"
MARKDOWN = "text/markdown"
HTML = "text/html"
PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization, Accept, Accept-Encoding"}
"""Of every answer that depends on who asks: no cache may keep it for anybody else."""
PUBLIC = {"Cache-Control": "public, max-age=300", "Vary": "Accept, Accept-Encoding"}
"""Of answers that are the same for everybody, until a new version of the service starts."""
HARMLESS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
"""A picture or page that is opened is a document of this service's origin: whatever it contains, nothing in it may run."""
REPLAYED = "Idempotent-Replayed"

AnyRequest = Request[Any, Any, Any]

log = logging.getLogger(__name__)


_decisive = msgspec.json.Encoder(order="deterministic").encode


def versioned(
    request: AnyRequest, if_none_match: str | None, version: int, content: Callable[[], Any], *decides: object
) -> Response[Any]:
    """A read as of a version, or 304 for a caller who has those very bytes already.

    The entity tag begins with the version; after the dot comes a digest of what else decides the bytes: the query, the coding, and `decides`: whose
    answer it is, in which format, and all in it that may change without a commit. `content` makes the answer, if it is wanted.
    """
    return _conditional(if_none_match, _tag(request, version, decides), content, PRIVATE)


async def versioned_later(
    request: AnyRequest,
    if_none_match: str | None,
    version: int,
    content: Callable[[], Awaitable[Any]],
    *decides: object,
) -> Response[Any]:
    """The same of what is waited for, if it is wanted."""
    tag = _tag(request, version, decides)
    made = None if none_match(if_none_match, tag) else await content()
    return _conditional(if_none_match, tag, lambda: made, PRIVATE)


def _tag(request: AnyRequest, version: int, decides: tuple[object, ...]) -> str:
    query = sorted((name, value) for name, value in request.query_params.multi_items() if name != "ticket")
    told = _decisive((query, takes_gzip(request.headers.get("Accept-Encoding")), decides))
    return f"{version}.{_short(told)}"


def published(request: AnyRequest, if_none_match: str | None, body: bytes, media_type: str) -> Response[Any]:
    """What is the same for everybody and may be kept by caches, or 304 for a caller who has it already."""
    told = body + (b"gzip" if takes_gzip(request.headers.get("Accept-Encoding")) else b"")
    return _conditional(if_none_match, _short(told), lambda: Response(body, media_type=media_type), PUBLIC)


def _conditional(
    if_none_match: str | None, tag: str, content: Callable[[], Any], headers: dict[str, str]
) -> Response[Any]:
    headers = {"ETag": f'"{tag}"', **headers}
    if none_match(if_none_match, tag):
        return Response(b"", status_code=304, headers=headers)
    made = content()
    answer: Response[Any] = made if isinstance(made, Response) else Response(made)
    answer.headers.update(headers)
    return answer


def _short(told: bytes) -> str:
    """A digest that fits into a tag: 72 bits."""
    return base64.urlsafe_b64encode(hashlib.sha256(told).digest()[:9]).decode()


def created(content: Any, version: int | None, location: str, *, replayed: bool = False) -> Response[Any]:  # noqa: ANN401 -- as above
    """Something new, in a game at a version where it is a commit."""
    headers = {"Location": location, **PRIVATE}
    if version is not None:
        headers["ETag"] = f'"{version}"'
    if replayed:
        headers[REPLAYED] = "true"
    return Response(content, status_code=201, headers=headers)


async def committed(service: Service, caller: Caller, done: Done, location: str = "") -> Response[Any]:
    """A commit that the caller made; what was created is the commit itself, unless it has an address of its own."""
    location = location or f"/v1/games/{caller.game}/events?after={done.number - 1}&limit=1"
    found = await service.reading.facts(caller, done.number)
    answered = created(answer(caller, done, found), done.number, location, replayed=done.replayed)
    answered.media_type = MediaType.JSON
    return answered


async def behind(first: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A piece of a stream that is there already, then the others."""
    yield first
    async for piece in pieces:
        yield piece


# -- problems -----------------------------------------------------------------------------------------------------------


def to_problem(error: Exception) -> ProblemError:
    """The problem that an exception is for the caller. What is not the caller's business is logged and told to nobody."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, Refused):
        return problem_of(error, cited(error.rule), None)
    if isinstance(error, NoSuchGame):
        return ProblemError("not-found", "There is no such game.")
    if isinstance(error, StoreError):
        return _store_problem(error)
    if isinstance(error, ValidationException):
        return _invalid(error)
    if isinstance(error, HTTPException) and error.status_code in BY_STATUS:
        code, detail = BY_STATUS[error.status_code]
        return ProblemError(code, detail, headers=dict(error.headers or {}))
    log.error("a request failed", exc_info=error)
    return ProblemError("internal", "The fault is ours, and it is in the service's log.")


BY_STATUS = {
    400: ("invalid-body", "The request can't be read."),
    404: ("not-found", "There is nothing here."),
    405: ("method-not-allowed", "The header Allow lists the methods offered here."),
    413: ("body-too-large", "The body is larger than this service takes."),
}
"""Litestar's own errors by status."""


def _store_problem(error: StoreError) -> ProblemError:
    log.error("the store failed: %s", error)
    if isinstance(error, StoreFull):
        return ProblemError("store-full", "There is no room to write. Reading works.")
    if isinstance(error, StoreDamaged):
        return ProblemError("damaged-log", "What is stored of this game is damaged; its log says more to the operator.")
    if isinstance(error, ArchiveMissing):
        detail = (
            "This game is archived, and its archive can't be read now; the service's log says more to the operator."
        )
        return ProblemError("archive-missing", detail)
    retry = {"Retry-After": "5"}
    return ProblemError("store-unavailable", "Nothing can be read or written now.", headers=retry, retry_after=5)


MISSING = re.compile(r"Missing required \w+ parameter '([^']+)'")
"""What Litestar says of a parameter that was left out, without naming it anywhere else."""


def _invalid(error: ValidationException) -> ProblemError:
    extra = error.extra if isinstance(error.extra, list) else []
    errors = [  # a parameter whose name Python keeps for itself has an underscore behind it in our code
        FieldError(str(one.get("key", "")).rstrip("_"), told(str(one.get("message", ""))))
        for one in extra
        if isinstance(one, dict)
    ]
    missing = MISSING.match(str(error.detail))
    errors += [FieldError(missing[1], "This parameter is required.")] if missing else []
    detail = "; ".join(f"{one.pointer}: {one.detail}" for one in errors) or "A parameter doesn't fit."
    return ProblemError("invalid-parameter", detail, errors=errors)


def answer_problem(_request: AnyRequest, error: Exception) -> Response[bytes]:
    """Litestar's handler for whatever is raised."""
    problem = to_problem(error)
    return Response(
        problem.body(), status_code=problem.status, media_type=PROBLEM, headers={**PRIVATE, **problem.headers}
    )


HANDLERS: ExceptionHandlersMap = {Exception: answer_problem}
