"""Answers: entity tags, caching, problems. Every answer about a game carries its version as `ETag`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from content.patterns import told
from domain.refusal import Refused
from service.api.incoming import none_match
from service.games.acting import Done, problem_of
from service.games.play import answer
from service.identity import Caller
from service.ports.log import ArchiveMissing, NoSuchGame, StoreDamaged, StoreError, StoreFull
from service.problems import FieldError, ProblemError, cited

PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"
PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization, Accept"}
"""Of every answer that depends on who asks: no cache may keep it for anybody else."""
REPLAYED = "Idempotent-Replayed"

AnyRequest = Request[Any, Any, Any]

log = logging.getLogger(__name__)


def versioned(if_none_match: str | None, content: Any, version: int) -> Response[Any]:  # noqa: ANN401 -- any answer, encoded by its type
    """A read as of a version, or 304 for a caller who has that version already."""
    headers = {"ETag": f'"{version}"', **PRIVATE}
    if none_match(if_none_match, version):
        return Response(None, status_code=304, headers=headers)
    return Response(content, headers=headers)


def created(content: Any, version: int | None, location: str, *, replayed: bool = False) -> Response[Any]:  # noqa: ANN401 -- as above
    """Something new, in a game at a version where it is a commit."""
    headers = {"Location": location, **PRIVATE}
    if version is not None:
        headers["ETag"] = f'"{version}"'
    if replayed:
        headers[REPLAYED] = "true"
    return Response(content, status_code=201, headers=headers)


def committed(caller: Caller, done: Done) -> Response[Any]:
    """A commit that the caller made."""
    location = f"/v1/games/{caller.game}/events?after={done.number - 1}&limit=1"
    answered = created(answer(caller, done), done.number, location, replayed=done.replayed)
    answered.media_type = MediaType.JSON
    return answered


async def behind(first: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A piece of a stream that is there already, then the others."""
    yield first
    async for piece in pieces:
        yield piece


# -- problems -----------------------------------------------------------------------------------------------------------


def to_problem(error: Exception) -> ProblemError:
    """The problem that an exception is for the caller. What is no caller's business is logged and told to nobody."""
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
    405: ("method-not-allowed", "The methods that are offered here stand in Allow."),
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


def _invalid(error: ValidationException) -> ProblemError:
    extra = error.extra if isinstance(error.extra, list) else []
    errors = [  # a parameter whose name Python keeps for itself has an underscore behind it in our code
        FieldError(str(one.get("key", "")).rstrip("_"), told(str(one.get("message", ""))))
        for one in extra
        if isinstance(one, dict)
    ]
    detail = "; ".join(f"{one.pointer}: {one.detail}" for one in errors) or "A parameter doesn't fit."
    return ProblemError("invalid-parameter", detail, errors=errors)


def answer_problem(_request: AnyRequest, error: Exception) -> Response[bytes]:
    """Litestar's handler for whatever is raised."""
    problem = to_problem(error)
    return Response(
        problem.body(), status_code=problem.status, media_type=PROBLEM, headers={**PRIVATE, **problem.headers}
    )


HANDLERS: ExceptionHandlersMap = {
    Exception: answer_problem,
    HTTPException: answer_problem,
    ProblemError: answer_problem,
    Refused: answer_problem,
    StoreError: answer_problem,
}
