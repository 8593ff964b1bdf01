"""The OpenAPI document: what Litestar generates, finished by what it cannot know, with the hot route, which it does not serve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, OpenAPIType, Schema, SecurityScheme
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from content.patterns import published
from domain.facts.commands import AnyCommand
from service.games.follow.streams import EndData
from service.games.lobby.answers import CommitEvent
from service.http.incoming import GAME, LONGEST_KEY
from service.http.routes.table import DEPENDENCIES, ROUTES
from service.openapi.contract import HEADERS, RATES, TAGS, UNVERSIONED, by_status
from service.openapi.hooks import LINKS, first_event, webhooks
from service.openapi.schemas import REF, Json, Types, named, reachable
from service.problems import Kind


def post_command() -> Json:
    """Describe the operation as Litestar would: `service.openapi.document` finishes it like the others."""
    alternatives = [kind.__name__ for kind in AnyCommand.__args__]
    tags = {kind.__struct_config__.tag: REF + kind.__name__ for kind in AnyCommand.__args__}
    command: Json = {
        "oneOf": [{"$ref": REF + name} for name in alternatives],
        "discriminator": {"propertyName": "type", "mapping": tags},
    }
    text = {"type": "string"}
    return {
        "tags": ["play"],
        "summary": "Post a command",
        "description": (
            "Do what `getDecisions` lists, or anything else that the rules allow. The answer comes when the commit is "
            "durable. A command is valid as long as the decision that it names is open; with `If-Match` only at that version. "
            "Where no rule answers, any seat and the referee may `propose-ruling` and `flip-coin` at any time, by the decision "
            "`table`; these are never listed, but whoever is asked to agree to a ruling is told so by `getDecisions`. "
            "In a haunt from the players' own printed books (`options.haunt` is `external`) whoever may, as `getDecisions` says, "
            "enters parts of it by `enter`; such a command is never listed."
        ),
        "operationId": "postCommand",
        "parameters": [
            {
                "name": "game",
                "in": "path",
                "required": True,
                "description": "The game's id.",
                "schema": {**text, "pattern": GAME},
            },
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": False,
                "description": "Makes a retry safe: the same key and command get the first answer again, for ever.",
                "schema": {**text, "minLength": 1, "maxLength": LONGEST_KEY},
            },
            {
                "name": "If-Match",
                "in": "header",
                "required": False,
                "description": 'Entity tags, of which one must begin with the game\'s version (`"140.x"` or `"140"`), else 412.',
                "schema": text,
            },
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": command}}},
        "responses": {
            "201": {"description": "", "content": {"application/json": {"schema": {"$ref": REF + "CommitAnswer"}}}}
        },
    }


Examples = Mapping[str, Mapping[str, Any]]
"""By operation: `request`, and statuses, each with a body."""

PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"
MARKDOWN = "text/markdown"
HTML = "text/html"
IF_NONE_MATCH = "If-None-Match"

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
    app = Litestar(
        route_handlers=ROUTES,
        dependencies=DEPENDENCIES,
        openapi_config=CONFIG,
        logging_config=None,
        plugins=[_OnlyNames()],
    )
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
    document["components"]["headers"] = {name: HEADERS[name] for name in RATES}
    for path in document["paths"].values():
        if "get" in path:
            path["head"] = _head_of(path["get"])
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    document["paths"] = dict(sorted(document["paths"].items()))
    found: Json = published(document)
    return found


class _OnlyNames(OpenAPISchemaPlugin):
    """Names Structs and leaves out what is in them: `Types` describes that better, and Litestar takes a second over it."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return not field_definition.is_union and field_definition.is_subclass_of(msgspec.Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:  # noqa: ANN401 -- its type is private to Litestar
        named: Schema = schema_creator.create_component_schema(
            field_definition, required=[], property_fields={}, openapi_type=OpenAPIType.OBJECT, title=None
        )
        return named


def _head_of(read: Json) -> Json:
    """HEAD beside a GET."""
    name, summary = read["operationId"], read["summary"]
    answers = {
        status: {key: value for key, value in one.items() if key not in ("content", "links")}
        for status, one in read["responses"].items()
    }
    return {
        **read,
        "operationId": f"{name}Head",
        "summary": f"{summary}: the head alone",
        "description": f"What `{name}` would answer, without the body.",
        "responses": answers,
    }


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
    conditional = any(one["name"] == IF_NONE_MATCH for one in operation.get("parameters", ()))
    if conditional:
        responses["304"] = {"description": "The caller has this already.", "headers": _headers(name, "304")}
    for code, kinds in by_status(name, *(("invalid-precondition",) if conditional else ())).items():
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
    headers: Json = {rate: {"$ref": f"#/components/headers/{rate}"} for rate in RATES}
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
    if status == 429:  # noqa: PLR2004 -- too many requests
        response["headers"] |= {rate: {"$ref": f"#/components/headers/{rate}"} for rate in RATES}
    if status == 401:  # noqa: PLR2004 -- unauthorized
        response["headers"] = {"WWW-Authenticate": {**HEADERS["WWW-Authenticate"], "required": True}}
    return response


def _exemplify(content: Json, example: Any) -> None:  # noqa: ANN401 -- a real body
    if example is not None:
        content["examples"] = {"real": {"value": example}}


def _texts(name: str, response: Json, examples: Mapping[str, Any]) -> None:
    """Media types that Litestar knows nothing of; an example of Markdown stands under its name."""
    if name == "getProblem":
        response["content"][HTML] = {"schema": {"type": "string"}}
        _exemplify(response["content"][HTML], examples.get("html"))
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
