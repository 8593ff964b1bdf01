"""The document: what Litestar generates, finished by what it can't know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme

from service.api.routes import DEPENDENCIES, ROUTES
from service.games.answers import CommitEvent
from service.games.news import EndData
from service.openapi.command import post_command
from service.openapi.contract import CONDITIONAL, HEADERS, TAGS, UNVERSIONED, by_status
from service.openapi.hooks import first_event, webhooks
from service.openapi.links import LINKS
from service.openapi.schemas import REF, Json, Types, reachable
from service.openapi.unions import named
from service.problems import Kind

Examples = Mapping[str, Mapping[str, Any]]
"""By operation: `request`, and statuses, each with a body."""

PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"
MARKDOWN = "text/markdown"

CONFIG = OpenAPIConfig(
    title="Omenlog",
    version="1",
    description=(
        "A rules service for *Betrayal at House on the Hill*: the referee, the scorekeeper and the memory of a game. "
        "Positions (versions, entity tags, cursors) are numbers of commits. Errors are problems by RFC 9457; their "
        "`code` is stable."
    ),
    license=License(name="MIT", identifier="MIT"),
    components=Components(
        security_schemes={
            "token": SecurityScheme(type="http", scheme="bearer", description="A token of one game."),
            "account": SecurityScheme(type="http", scheme="bearer", description="The key of an account."),
            "opening": SecurityScheme(
                type="http",
                scheme="bearer",
                description="The key of whoever runs the service, if games are opened by it alone.",
            ),
            "ticket": SecurityScheme(
                type="apiKey", name="ticket", security_scheme_in="query", description="See `makeTicket`."
            ),
        }
    ),
    security=[{"token": []}],
    use_handler_docstrings=True,
)


def build(examples: Examples = MappingProxyType({})) -> Json:
    """Build the document.

    Args:
        examples: real requests and answers, or none.
    """
    # Never served: Litestar's own pages would show the document before it is finished.
    app = Litestar(route_handlers=ROUTES, dependencies=DEPENDENCIES, openapi_config=CONFIG, logging_config=None)
    document: Json = msgspec.json.decode(msgspec.json.encode(app.openapi_schema.to_schema()))
    document["paths"]["/v1/games/{game}/commands"] = {"post": post_command()}
    types = Types()
    for operation in _operations(document):
        _describe(operation, examples.get(operation["operationId"], {}), types)
    bodies = {handler.operation_id: handler.opt["body"] for handler in _handlers(app) if "body" in handler.opt}
    for operation in _operations(document):
        name = operation["operationId"]
        if name in bodies:
            schema = types.body(bodies[name])
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        if name == "importGame":
            operation["requestBody"] = {"required": True, "content": {NDJSON: {"schema": {"type": "string"}}}}
        elif "requestBody" in operation:
            _exemplify(operation["requestBody"]["content"]["application/json"], examples.get(name, {}).get("request"))
    document["webhooks"] = webhooks(types, first_event(examples))
    whole = types.all(_handlers(app))
    unions: Json = {}
    schemas = {name: named(schema, unions, REF) for name, schema in whole.items()}
    document["paths"] = named(document["paths"], unions, REF)
    document["components"]["schemas"] = reachable(document, {**schemas, **unions})
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    document["paths"] = dict(sorted(document["paths"].items()))
    return document


# -- operations ---------------------------------------------------------------------------------------------------------


def _handlers(app: Litestar) -> Iterator[HTTPRouteHandler]:
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and handler.operation_id:
                yield handler


def _operations(document: Json) -> Iterator[Json]:
    for path in document["paths"].values():
        yield from path.values()


def _describe(operation: Json, examples: Mapping[str, Any], types: Types) -> None:
    name = operation["operationId"]
    operation.pop("deprecated", None)
    if operation.get("security") == [{}]:
        operation["security"] = []  # the usual way to say that nothing is needed; generators take the other for a token
    for parameter in operation.get("parameters", ()):
        _parameter(parameter)
    responses = {status: one for status, one in operation["responses"].items() if status < "400"}
    for status, response in responses.items():
        response["description"] = operation["summary"] + "."
        response["headers"] = _headers(name, status)
        for content in response.get("content", {}).values():
            _exemplify(content, examples.get(status))
        if name in LINKS:
            response["links"] = LINKS[name]
    if name in ("getEvents", "getAccountEvents"):
        _streams(responses["200"], types)
    if name == "getEvents":
        responses["204"] = {"description": "To a live stream: the game is over and nothing is left."}
    _texts(name, responses.get("200", {}), examples)
    if name in CONDITIONAL:
        responses["304"] = {"description": "The caller has this version already.", "headers": _headers(name, "304")}
    for code, kinds in by_status(name).items():
        responses[str(code)] = _problem(code, kinds, examples.get(str(code)))
    operation["responses"] = dict(sorted(responses.items()))


def _parameter(parameter: Json) -> None:
    """Bounds as whole numbers, optional without null, the description once."""
    schema = parameter["schema"]
    for alternative in schema.pop("oneOf", ()):
        if alternative != {"type": "null"}:
            schema.update({**alternative, **schema})
    schema.pop("description", None)
    for bound in ("minimum", "maximum"):
        if bound in schema:
            schema[bound] = int(schema[bound])
    for noise in ("deprecated", "allowEmptyValue", "allowReserved"):
        parameter.pop(noise, None)
    example = EXAMPLES.get(parameter["name"])
    if example is not None:
        parameter["example"] = example


EXAMPLES: dict[str, object] = {"from": 5, "seat": 0, "token": "host", "pack": "second-edition", "rule": "2E-MOVE-001"}
"""Parameters for which anything else is most likely not there."""


def _headers(name: str, status: str) -> Json:
    headers: Json = {}
    if name not in UNVERSIONED:
        headers["ETag"] = {**HEADERS["ETag"], "required": status != "204"}
    if name in ("openGame", "forkGame"):
        headers["ETag"] = HEADERS["ETag"]
    if name == "askVerification":
        headers["Location"] = {**HEADERS["Location"], "required": True}
    if status == "201":
        headers["Location"] = {**HEADERS["Location"], "required": True}
        headers["Idempotent-Replayed"] = HEADERS["Idempotent-Replayed"]
    return headers


def _problem(status: int, kinds: list[Kind], example: Any) -> Json:  # noqa: ANN401 -- a real answer
    content: Json = {"schema": {"$ref": REF + "Problem"}}
    _exemplify(content, example)
    response: Json = {
        "description": "\n".join(f"`{kind.code}`: {kind.title}." for kind in kinds),
        "content": {PROBLEM: content},
    }
    if status in (429, 503):
        response["headers"] = {"Retry-After": {**HEADERS["Retry-After"], "required": True}}
    if status == 401:  # noqa: PLR2004 -- unauthorized
        response["headers"] = {"WWW-Authenticate": {**HEADERS["WWW-Authenticate"], "required": True}}
    return response


def _exemplify(content: Json, example: Any) -> None:  # noqa: ANN401 -- a real body
    if example is not None:
        content["examples"] = {"real": {"value": example}}


def _texts(name: str, response: Json, examples: Mapping[str, Any]) -> None:
    """Media types that Litestar knows nothing of; an example of Markdown stands under its name."""
    if name == "exportGame":
        response["content"] = {NDJSON: {"schema": {"type": "string"}}}
    if name == "getTrace":
        response["content"][NDJSON] = {"schema": {"type": "string"}}
    if name in ("getTrace", "getDiff"):
        response["content"][MARKDOWN] = {"schema": {"type": "string"}}
        _exemplify(response["content"][MARKDOWN], examples.get("markdown"))


def _streams(response: Json, types: Types) -> None:
    """The other two media types of events."""
    response["content"]["application/x-ndjson"] = {"schema": {"type": "string"}}
    response["content"]["text/event-stream"] = {
        "schema": {
            "type": "object",
            "description": (
                "One server-sent event: its id is the cursor behind it (of a game: the commit's number), its data a "
                "`CommitEvent`. The last event is `end`: it says why, and where to go on."
            ),
            "properties": {
                "id": {"type": "string", "description": "The cursor."},
                "event": {"type": "string", "enum": ["commit", "end"]},
                "data": {
                    "type": "string",
                    "contentMediaType": "application/json",
                    "contentSchema": {"anyOf": [types.ref(CommitEvent), types.ref(EndData)]},
                },
            },
        }
    }
