"""The document: what Litestar generates, finished by what it can't know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme

from domain.commands import AnyCommand
from service.api.parameters import GAME
from service.api.routes import DEPENDENCIES, ROUTES
from service.games.answers import CommitAnswer, CommitEvent, EventPage
from service.openapi.contract import CONDITIONAL, HEADERS, LINKS, TAGS, UNVERSIONED, by_status
from service.openapi.fields import field_docs
from service.problems import Kind, Problem

Json = dict[str, Any]
Examples = Mapping[str, Mapping[str, Any]]
"""By operation: `request`, and statuses, each with a body."""

REF = "#/components/schemas/"
PROBLEM = "application/problem+json"


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
        security_schemes={"token": SecurityScheme(type="http", scheme="bearer", description="A token of one game.")}
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
    document["paths"]["/v1/games/{game}/commands"] = {"post": _post_command()}
    types = _Types()
    for operation in _operations(document):
        _describe(operation, examples.get(operation["operationId"], {}), types)
    bodies = {handler.operation_id: handler.opt["body"] for handler in _handlers(app) if "body" in handler.opt}
    for operation in _operations(document):
        if operation["operationId"] in bodies:
            body = types.ref(bodies[operation["operationId"]])
            operation["requestBody"] = _content(body, examples.get(operation["operationId"], {}).get("request"))
    document["components"]["schemas"] = _reachable(document, types.all(_handlers(app)))
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    document["paths"] = dict(sorted(document["paths"].items()))
    return document


# -- types --------------------------------------------------------------------------------------------------------------


class _Types:
    """Schemas by msgspec, which knows docstrings, bounds, unknown fields and discriminators; Litestar's lose them."""

    def __init__(self) -> None:
        self._bodies: list[Any] = [Problem, AnyCommand, CommitAnswer, CommitEvent, EventPage]

    def ref(self, kind: type) -> Json:
        """A reference to the schema of a Struct."""
        self._bodies.append(kind)
        return {"$ref": REF + kind.__name__}

    def all(self, handlers: Iterator[HTTPRouteHandler]) -> Json:
        """All schemas by name."""
        answers = [handler.parsed_return_field.inner_types[0].annotation for handler in handlers if _typed(handler)]
        _, found = msgspec.json.schema_components(
            [*self._bodies, *answers], ref_template=REF + "{name}", schema_hook=_anything
        )
        docs = {kind.__name__: field_docs(kind) for kind in _structs([*self._bodies, *answers])}
        return {name: _strict(schema, docs.get(name, {})) for name, schema in found.items()}


def _anything(kind: type) -> Json:
    """The schema of `object`, which is any JSON."""
    if kind is not object:
        raise NotImplementedError
    return {"description": "Any JSON."}


def _typed(handler: HTTPRouteHandler) -> bool:
    inner = handler.parsed_return_field.inner_types
    return bool(inner) and isinstance(inner[0].annotation, type) and issubclass(inner[0].annotation, msgspec.Struct)


def _structs(kinds: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """All Structs that some types are made of."""
    found: set[type[msgspec.Struct]] = set()
    waiting = list(msgspec.inspect.multi_type_info(kinds))
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in found:
                continue
            found.add(info.cls)
            waiting += [field.type for field in info.fields]
        else:
            waiting += [getattr(info, name) for name in PARTS if hasattr(info, name)]
            waiting += getattr(info, "types", ()) or getattr(info, "item_types", ())
    return found


PARTS = ("item_type", "key_type", "value_type", "type")
"""Where the parts of a type are, by `msgspec.inspect`."""


def _strict(schema: Json, docs: Mapping[str, str]) -> Json:
    """Say what fields mean, and that our own answers have no more of them, as bodies may not."""
    for name, text in docs.items():
        if name in schema.get("properties", ()):
            # Beside a reference a description stands too, since OpenAPI 3.1.
            schema["properties"][name].setdefault("description", text)
    if schema.get("type") == "object" and "properties" in schema:
        schema.setdefault("additionalProperties", False)
    return schema


def _reachable(document: Json, schemas: Json) -> Json:
    """The schemas that the paths use, directly or not, by name."""
    wanted = set(_refs(document["paths"]))
    missing = list(wanted)
    while missing:
        for name in _refs(schemas[missing.pop()]):
            if name not in wanted:
                wanted.add(name)
                missing.append(name)
    return {name: schemas[name] for name in sorted(wanted)}


def _refs(node: Any) -> Iterator[str]:  # noqa: ANN401 -- any piece of JSON
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].removeprefix(REF)
        for key, value in node.items():
            if key not in ("example", "examples"):
                yield from _refs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _refs(value)


# -- operations ---------------------------------------------------------------------------------------------------------


def _handlers(app: Litestar) -> Iterator[HTTPRouteHandler]:
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and handler.operation_id:
                yield handler


def _operations(document: Json) -> Iterator[Json]:
    for path in document["paths"].values():
        yield from path.values()


def _describe(operation: Json, examples: Mapping[str, Any], types: _Types) -> None:
    name = operation["operationId"]
    operation.pop("deprecated", None)
    for parameter in operation.get("parameters", ()):
        _parameter(parameter)
    responses = {status: one for status, one in operation["responses"].items() if status < "400"}
    for status, response in responses.items():
        response["description"] = operation["summary"] + "."
        response["headers"] = _headers(name, status)
        if status in examples:
            for content in response["content"].values():
                content["examples"] = {"real": {"value": examples[status]}}
        if name in LINKS:
            response["links"] = LINKS[name]
    if name == "getEvents":
        _streams(responses["200"], types)
    if name == "exportGame":
        responses["200"]["content"] = {"application/x-ndjson": {"schema": {"type": "string"}}}
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


EXAMPLES: dict[str, object] = {"seat": 0, "token": "host", "pack": "second-edition", "rule": "2E-MOVE-001"}
"""Parameters for which anything else is most likely not there."""


def _headers(name: str, status: str) -> Json:
    headers: Json = {}
    if name not in UNVERSIONED:
        headers["ETag"] = {**HEADERS["ETag"], "required": status != "204"}
    if name == "openGame":
        headers["ETag"] = HEADERS["ETag"]
    if status == "201":
        headers["Location"] = {**HEADERS["Location"], "required": True}
        headers["Idempotent-Replayed"] = HEADERS["Idempotent-Replayed"]
    return headers


def _problem(status: int, kinds: list[Kind], example: Any) -> Json:  # noqa: ANN401 -- a real answer
    content: Json = {"schema": {"$ref": REF + "Problem"}}
    if example is not None:
        content["examples"] = {"real": {"value": example}}
    response: Json = {
        "description": "\n".join(f"`{kind.code}`: {kind.title}." for kind in kinds),
        "content": {PROBLEM: content},
    }
    if status in (429, 503):
        response["headers"] = {"Retry-After": {**HEADERS["Retry-After"], "required": True}}
    if status == 401:  # noqa: PLR2004 -- unauthorized
        response["headers"] = {"WWW-Authenticate": {**HEADERS["WWW-Authenticate"], "required": True}}
    return response


def _content(schema: Json, example: Any) -> Json:  # noqa: ANN401 -- a real body
    content: Json = {"schema": schema}
    if example is not None:
        content["examples"] = {"real": {"value": example}}
    return {"required": True, "content": {"application/json": content}}


def _streams(response: Json, types: _Types) -> None:
    """The other two media types of events."""
    response["content"]["application/x-ndjson"] = {"schema": {"type": "string"}}
    response["content"]["text/event-stream"] = {
        "schema": {
            "type": "object",
            "description": "One server-sent event: its id is the commit's number, its data a `CommitEvent`.",
            "properties": {
                "id": {"type": "string", "pattern": "^[0-9]+$"},
                "event": {"type": "string", "enum": ["commit"]},
                "data": {
                    "type": "string",
                    "contentMediaType": "application/json",
                    "contentSchema": types.ref(CommitEvent),
                },
            },
        }
    }


def _post_command() -> Json:
    """The hot route, which Litestar doesn't know (see `service.api.commands`)."""
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
            "durable. A command is valid as long as the decision that it names is open; with `If-Match` only at that version."
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
                "schema": text,
            },
            {
                "name": "If-Match",
                "in": "header",
                "required": False,
                "description": "Entity tags (versions) of which one must be the game's, else 412.",
                "schema": text,
            },
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": command}}},
        "responses": {
            "201": {"description": "", "content": {"application/json": {"schema": {"$ref": REF + "CommitAnswer"}}}}
        },
    }
