"""What calls of a kind have in common, and what the facts on a handler lack."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from litestar.handlers import HTTPRouteHandler

from service.http.operation import OperationFacts, facts_of
from service.problems import KINDS, Kind

ROOT = Path(__file__).parents[2]
IF_NONE_MATCH = "if_none_match"
KEY = "idempotency_key_"
"""Names of parameters of handlers."""


def method_of(handler: HTTPRouteHandler) -> str:
    """`GET`, `POST`, `PUT` or `DELETE`."""
    return next(str(one) for one in handler.http_methods)


def path_of(handler: HTTPRouteHandler) -> str:
    """The path with `{game}`, as it stands in the document."""
    (path,) = handler.paths
    return re.sub(r":\w+}", "}", path)


def takes(handler: HTTPRouteHandler, *names: str) -> bool:
    """Whether the handler has one of these parameters."""
    return not handler.parsed_fn_signature.parameters.keys().isdisjoint(names)


def problems_of(handler: HTTPRouteHandler) -> list[str]:
    """The codes of all problems that an operation can answer: those of calls of its kind, and those that it names."""
    facts, path, schemes = facts_of(handler), path_of(handler), _schemes(handler)
    found = [
        *(["invalid-parameter"] if path.startswith("/v1/") else ()),
        *(BODY if facts.body is not None and not isinstance(facts.body, str) else ()),
        *(["invalid-idempotency-key", "key-reused"] if takes(handler, KEY) else ()),
        *(["unauthorized"] if schemes else ()),
        *(["forbidden"] if "token" in schemes else ()),
        *facts.problems.split(),
        *(["store-full"] if method_of(handler) != "GET" else ()),
        *(["damaged-log", "archive-missing"] if "{game}" in path else ()),
        *(
            ["too-many-requests", "internal", "store-unavailable"]
            if takes(handler, "service", "caller", "desk")
            else ()
        ),
        *(["invalid-precondition"] if takes(handler, IF_NONE_MATCH) else ()),
    ]
    return [code for code in found if code not in facts.never.split()]


BODY = ("invalid-body", "too-deep", "request-timeout", "body-too-large", "unsupported-media-type")


def _schemes(handler: HTTPRouteHandler) -> set[str]:
    """By what a caller may be known, where somebody must be; the opening key is asked for where there is one."""
    security = [{"token": []}] if handler.security is None else handler.security
    names = {name for one in security for name in one}
    return names - {"token"} if {} in security else names


def by_status(codes: Iterable[str]) -> dict[int, list[Kind]]:
    """Problems by their status."""
    found: dict[int, list[Kind]] = {}
    for code in codes:
        found.setdefault(KINDS[code].status, []).append(KINDS[code])
    return found


HEADERS: dict[str, dict[str, object]] = {
    "ETag": {
        "description": (
            "For a view of a game: its version as the caller may see it (a commit's number), a dot, and a digest of "
            "everything else that determines the bytes. For a commit: its number. For public documents: a digest."
        ),
        "schema": {"type": "string", "pattern": '^"[0-9A-Za-z._-]+"$'},
    },
    "Location": {"description": "Where the new resource is.", "schema": {"type": "string"}},
    "Idempotent-Replayed": {
        "description": "`true` if the request was accepted before with the same key; this is the first answer.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {"description": "Seconds to wait before trying again.", "schema": {"type": "integer", "minimum": 1}},
    "RateLimit-Policy": {
        "description": (
            "The caller's limit: a burst of `q` requests, refilled evenly within `w` seconds. It applies to the token; without one, to "
            "the address, or to the accounts that the address opens. Absent if there is no limit."
        ),
        "schema": {"type": "string"},
        "example": '"token";q=2000;w=2',
    },
    "RateLimit": {
        "description": "What is left of it: `r` requests now, and all of them again after `t` seconds without a request.",
        "schema": {"type": "string"},
        "example": '"token";r=1999;t=1',
    },
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}

RATES = ("RateLimit-Policy", "RateLimit")
"""Headers of every answer; the document refers to them."""

TAGS = {
    "accounts": "One key for the tokens of many games, and one stream over all of them.",
    "games": "Open, list, start and close games.",
    "seats": "Seats, other places, and tokens.",
    "play": "What a role sees and may do, and doing it.",
    "what if": "Odds, dry runs and sandboxes. Nothing here changes the game.",
    "disputes": "The referee's desk: disputes and rulings.",
    "side": "Beside the log: messages and standing orders.",
    "referee": "Looking back: what happened, by which rule, and what each role knew.",
    "events": "The log, as the caller's role was told of it.",
    "webhooks": "Commits sent to endpoints, by Standard Webhooks.",
    "proof": "Check that the service keeps to its log, during a game and after it.",
    "content": "Packs, the rule ledger, and what problems mean.",
    "health": "Whether the service runs and can store what it accepts.",
}


# -- what is missing ----------------------------------------------------------------------------------------------------


class Incomplete(Exception):
    """Operations lack facts that the contract needs, or their examples fail. The message has a line for each."""


def gaps(handlers: Iterable[HTTPRouteHandler], examples: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What operations lack for a complete contract, a sentence each.

    Args:
        handlers: all that are served.
        examples: real requests and answers by operation.
    """
    known = {str(one.operation_id): one for one in handlers}
    return [
        f"{named(one)} {lack}"
        for name, one in known.items()
        for lack in _lacks(one, facts_of(one), known, examples.get(name, {}))
    ]


def named(handler: HTTPRouteHandler) -> str:
    """An operation in a sentence: its call, and the file and line of its handler."""
    code = inspect.unwrap(handler.fn).__code__
    place = f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_firstlineno}"
    return f"`{method_of(handler)} {path_of(handler)}` ({place})"


def _lacks(
    handler: HTTPRouteHandler, facts: OperationFacts, known: Mapping[str, object], example: Mapping[str, Any]
) -> Iterator[str]:
    if not inspect.getdoc(handler.fn):
        yield "has no description: add a docstring to its handler."
    for tag in set(handler.tags or ()) - TAGS.keys():
        yield f"has the unknown tag `{tag}`: add it to `TAGS` in openapi/writer/facts.py."
    for code in {*facts.problems.split(), *facts.never.split()} - KINDS.keys():
        yield f"names the unknown problem `{code}`: add it to service/problems.toml."
    for link in facts.links.values():
        if link["operationId"] not in known:
            yield f"links to `{link['operationId']}`, which no operation is called."
    if facts.no_example:
        return
    if handler.status_code != NO_CONTENT and not any(status < "300" for status in example):
        yield f'lists no example: add `example=Example("{path_of(handler)}")` to its `@operation`.'
    elif facts.body is not None and "request" not in example:
        yield "lists no example of its body: add a body to the `example=` of its `@operation`."


NO_CONTENT = 204
