"""The OpenAPI document: what Litestar generates, completed by the facts of the operations."""

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
from openapi.writer.facts import HEADERS, IF_NONE_MATCH, RATES, TAGS, by_status, problems_of, takes
from openapi.writer.schemas import REF, Json, Types, named, reachable
from openapi.writer.webhooks import first_event, webhooks
from service.app import DEPENDENCIES, ROUTES
from service.games.follow.streams import EndData
from service.games.lobby.answers import CommitAnswer, CommitEvent
from service.http.commands import CommandAnswer
from service.http.live import SSE
from service.http.operation import OperationFacts, facts_of
from service.problems import Kind

Examples = Mapping[str, Mapping[str, Any]]
"""By operation: `request`, and statuses, each with a body."""

PROBLEM = "application/problem+json"
JSON = "application/json"

CONFIG = OpenAPIConfig(
    title="Omenlog",
    version="1",
    description=(
        "A rules service for *Betrayal at House on the Hill*: it referees, keeps score and remembers every game. "
        "Positions (versions, entity tags, cursors) are commit numbers. Errors are problem details (RFC 9457) with a "
        "stable `code`."
    ),
    license=License(name="MIT", identifier="MIT"),
    components=Components(
        security_schemes={
            "token": SecurityScheme(type="http", scheme="bearer", description="A token of one game."),
            "account": SecurityScheme(type="http", scheme="bearer", description="The key of an account."),
            "opening": SecurityScheme(
                type="http",
                scheme="bearer",
                description="The operator's key, if only its holders may open games.",
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
    types = Types()
    handlers = {str(one.operation_id): one for one in operations()}
    for operation in _operations(document):
        name = operation["operationId"]
        _describe(operation, handlers[name], examples.get(name, {}), types)
    document["webhooks"] = webhooks(types, first_event(examples))
    whole = types.all(iter(handlers.values()))
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
        "summary": f"{summary} (headers only)",
        "description": f"The headers that `{name}` would answer with, without a body.",
        "responses": answers,
    }


# -- operations ---------------------------------------------------------------------------------------------------------


def operations() -> list[HTTPRouteHandler]:
    """All operations that the service has."""
    return [one for one in ROUTES if one.operation_id]


def _operations(document: Json) -> Iterator[Json]:
    for path in document["paths"].values():
        yield from path.values()


def _describe(operation: Json, handler: HTTPRouteHandler, examples: Mapping[str, Any], types: Types) -> None:
    facts = facts_of(handler)
    operation.pop("deprecated", None)
    if operation.get("security") == [{}]:
        operation["security"] = []  # the usual way to say that nothing is needed; generators take the other for a token
    for parameter in operation.get("parameters", ()):
        _parameter(parameter)
    responses = {status: one for status, one in operation["responses"].items() if status < "400"}
    for status, response in responses.items():
        response["description"] = operation["summary"] + "."
        response["headers"] = _headers(handler, facts, status)
        for media, content in response.get("content", {}).items():
            if media != JSON:
                content["schema"] = {"type": "string"}
            _exemplify(content, examples.get(status))
        if facts.links:
            response["links"] = dict(facts.links)
    for media in facts.media:
        responses["200"]["content"][media] = {"schema": _sse(types) if media == SSE else {"type": "string"}}
        _exemplify(responses["200"]["content"][media], examples.get(media))
    responses |= {status: _other(said, examples.get(status), types) for status, said in facts.others.items()}
    if takes(handler, IF_NONE_MATCH):
        responses["304"] = {
            "description": "The caller already has this.",
            "headers": _headers(handler, facts, "304"),
        }
    for code, kinds in by_status(problems_of(handler)).items():
        responses[str(code)] = _problem(code, kinds, examples.get(str(code)))
    operation["responses"] = dict(sorted(responses.items()))
    if isinstance(facts.body, str):
        file = {"type": "string", "contentMediaType": facts.body}  # by which tools offer to choose a file
        operation["requestBody"] = {"required": True, "content": {facts.body: {"schema": file}}}
    elif facts.body is not None:
        content = {"schema": types.body(facts.body)}
        _exemplify(content, examples.get("request"))
        operation["requestBody"] = {"required": facts.body_needed, "content": {JSON: content}}


def _other(said: str | tuple[str, type], example: Any, types: Types) -> Json:  # noqa: ANN401 -- a real answer
    """An answer with another status than the usual one."""
    if isinstance(said, str):
        return {"description": said}
    when, kind = said
    content: Json = {"schema": types.ref(kind)}
    _exemplify(content, example)
    rates = {rate: {"$ref": f"#/components/headers/{rate}"} for rate in RATES}
    return {"description": when, "headers": rates, "content": {JSON: content}}


def _parameter(parameter: Json) -> None:
    """Bounds as whole numbers, optional without null, the description once, the example beside the schema."""
    schema = parameter["schema"]
    for alternative in schema.pop("oneOf", ()):
        if alternative != {"type": "null"}:
            schema.update({**alternative, **schema})
    schema.pop("description", None)
    for bound in ("minimum", "maximum"):
        if bound in schema:
            schema[bound] = int(schema[bound])
    for noise in ("deprecated", "allowEmptyValue", "allowReserved", "examples"):
        parameter.pop(noise, None)
    for example in schema.pop("examples", ()):
        parameter["example"] = example


def _headers(handler: HTTPRouteHandler, facts: OperationFacts, status: str) -> Json:
    always = dict(facts.headers)
    if takes(handler, IF_NONE_MATCH) or _answers(handler) in (CommitAnswer, CommandAnswer):
        always["ETag"] = True
    if status == "201":
        always |= {"Location": True, "Idempotent-Replayed": False}
    headers: Json = {rate: {"$ref": f"#/components/headers/{rate}"} for rate in RATES}
    return headers | {
        name: {**HEADERS[name], "required": True} if held else HEADERS[name] for name, held in always.items()
    }


def _answers(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 -- any type
    """What is in the `Response` that a handler returns."""
    inner = handler.parsed_return_field.inner_types
    return inner[0].annotation if inner else None


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


def _sse(types: Types) -> Json:
    """One message of a stream of events."""
    return {
        "type": "object",
        "description": (
            "One server-sent event. Its id is the cursor behind it (for a game: the commit's number), its data a "
            "`CommitEvent`. The last event is `end`, which says why the stream ends and where to go on."
        ),
        "properties": {
            "id": {"type": "string", "description": "The cursor."},
            "event": {"type": "string", "enum": ["commit", "end"]},
            "data": {
                "type": "string",
                "contentMediaType": JSON,
                "contentSchema": {"anyOf": [types.ref(CommitEvent), types.ref(EndData)]},
            },
        },
    }
