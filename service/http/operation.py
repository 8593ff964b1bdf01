"""`@operation`: a route, with all that the contract says of it beyond its signature and its docstring.

`openapi.writer` reads these facts. What calls of a kind have in common it adds by itself: that a body may be malformed, that a token may be
unknown, that the store may be full; `PROBLEMS` in `openapi/writer/facts.py` lists it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from litestar.enums import HttpMethod
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler

FACTS = "facts"
"""In a handler's `opt`: its `OperationFacts`."""
SECRETS = "secrets"
"""In a handler's `opt`: its answer shows a token or an invite. Compressed together with what somebody else may choose, the length
of an answer would tell it piece by piece (BREACH)."""

Security = Sequence[dict[str, list[str]]]
"""Any of these is enough. Without it a token of the game is needed."""
ANYBODY: Security = [{}]
OPENING_KEY: Security = [{}, {"opening": []}]
"""Anybody, or holders of the opening key: the operator chooses."""
PERHAPS: Security = [{}, {"token": []}]
"""Anybody; a token of the game shows more."""
TICKET: Security = [{"token": []}, {"ticket": []}]
ACCOUNT: Security = [{"account": []}]
ANY: Security = [{}, {"token": []}, {"account": []}]
"""Anybody; a token or an account shows more."""
EITHER: Security = [{"token": []}, {"account": []}]

MADE = {"game": "$response.body#/game/id"}
"""In links: the game that the answer shows."""
SAME = {"game": "$request.path.game"}
"""In links: the game of the request."""


def link(to: str, parameters: Mapping[str, str], *, body: object = None, says: str = "") -> Mapping[str, object]:
    """Say that an answer leads to operation `to`; parameters (`query.from`) and body are runtime expressions of OpenAPI."""
    found: dict[str, object] = {"operationId": to, "parameters": parameters}
    return found | ({} if body is None else {"requestBody": body}) | ({"description": says} if says else {})


class Example(msgspec.Struct, frozen=True):
    """A request whose answer becomes the example, asked in the first turn of a game by whoever may."""

    url: str
    """With `{game}` for the game's id."""
    body: Any = None
    lines: int | None = None
    """Of a text that is the answer; by default all."""


class OperationFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the contract says of an operation."""

    body: Any = None
    """The type of its body, a union of Structs, or a media type where the body is no JSON."""
    body_needed: bool = True
    """False where a call without a body is one with its defaults."""
    problems: str = ""
    """Codes of the problems that it can answer beside those of all calls of its kind, with blanks between them."""
    never: str = ""
    """Codes of problems that calls of its kind can answer, and this one can't."""
    headers: Mapping[str, bool] = {}
    """Headers of its answers beside those of all calls of its kind, and whether each is always there."""
    media: Sequence[str] = ()
    """Media types that it offers beside the first."""
    others: Mapping[str, str | tuple[str, type]] = {}
    """Answers with other statuses, and when they are given; with the type of the body, where there is one."""
    links: Mapping[str, Any] = {}
    """What an answer feeds, as `link` says it."""
    example: Example | None = None
    no_example: str = ""
    """Why there can be none."""


def operation(
    call: str,
    summary: str,
    tag: str,
    *,
    security: Security | None = None,
    secrets: bool = False,
    litestar: Mapping[str, Any] | None = None,
    **facts: Any,  # noqa: ANN401 -- the fields of `OperationFacts`, which checks them
) -> Callable[[Callable[..., Any]], HTTPRouteHandler]:
    """Serve a call: `GET /v1/games/{game:str}/view`. The handler's name becomes the id (`open_game`: `openGame`), its docstring the description.

    By default a token of the game is needed. `TAGS` in `openapi/writer/facts.py` lists the tags; `litestar` goes to Litestar's own decorator.
    """
    method, _, path = call.partition(" ")
    verb = HttpMethod(method)
    said = OperationFacts(**facts)

    def decorate(handler: Callable[..., Any]) -> HTTPRouteHandler:
        first, *others = handler.__name__.split("_")
        return HTTPRouteHandler(
            path,
            http_method=verb,
            operation_id=first + "".join(word.title() for word in others),
            summary=summary,
            tags=[tag],
            security=security,
            opt={FACTS: said, SECRETS: secrets},
            **(litestar or {}),
        )(handler)

    return decorate


def facts_of(handler: BaseRouteHandler) -> OperationFacts:
    found: OperationFacts = handler.opt[FACTS]
    return found
