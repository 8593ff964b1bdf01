"""The schemas of a document, by msgspec: it knows what Litestar loses (bounds, unknown fields, discriminators)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

import msgspec
from litestar.handlers import HTTPRouteHandler

from content.vocabulary.entry import Entry
from domain.commands import AnyCommand
from service.games.lobby.answers import CommitAnswer, CommitEvent, EventPage
from service.openapi.fields import field_docs
from service.openapi.naming import renamed, schema_name
from service.problems import Problem

Json = dict[str, Any]
REF = "#/components/schemas/"


class Types:
    """Schemas of bodies and answers."""

    def __init__(self) -> None:
        """Begin with those that no handler names."""
        self._bodies: list[Any] = [Problem, AnyCommand, CommitAnswer, CommitEvent, EventPage]

    def ref(self, kind: type) -> Json:
        """A reference to the schema of a Struct."""
        self._bodies.append(kind)
        return {"$ref": REF + kind.__name__}

    def body(self, kind: Any) -> Json:  # noqa: ANN401 -- a Struct, or a union of Structs with tags
        """A reference to the schema of a Struct, or all references of a union."""
        members = get_args(kind)
        if not members:
            return self.ref(kind)
        config = members[0].__struct_config__
        return {
            "oneOf": [self.ref(one) for one in members],
            "discriminator": {
                "propertyName": config.tag_field,
                "mapping": {one.__struct_config__.tag: REF + one.__name__ for one in members},
            },
        }

    def all(self, handlers: Iterator[HTTPRouteHandler]) -> Json:
        """All schemas by name."""
        answers = [handler.parsed_return_field.inner_types[0].annotation for handler in handlers if _typed(handler)]
        _, found = msgspec.json.schema_components(
            [*self._bodies, *answers], ref_template=REF + "{name}", schema_hook=_anything
        )
        kinds = _structs([*self._bodies, *answers])
        found = renamed(found, kinds, REF)
        _with_entries(found)
        docs = {schema_name(kind): field_docs(kind) for kind in kinds}
        return {name: _strict(schema, docs.get(name, {})) for name, schema in found.items()}


def _with_entries(found: Json) -> None:
    """What is entered of a printed haunt book is any object to the decoder, as the checker says better what is wrong with it.

    In the request its parts are named, but not what is in them: schemas that hold themselves bring generators of requests to a halt.
    """
    whole = schema_name(Entry)
    if "EntryView" in found:  # streams have no views
        found["EntryView"]["properties"]["entry"] = {"$ref": REF + whole}
    parts = {name: _shallow(schema) for name, schema in found[whole]["properties"].items()}
    text = f"Part of a haunt in the words of content files: a `{whole}`."
    found["Enter"]["properties"]["entry"] = {"type": "object", "description": text, "properties": parts}


def _shallow(schema: Any) -> Any:  # noqa: ANN401 -- any piece of a schema
    """The schema with mere objects where it refers to others."""
    if isinstance(schema, list):
        return [_shallow(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"type": "object", "description": f"A `{schema['$ref'].removeprefix(REF)}`."}
    return {key: _shallow(value) for key, value in schema.items()}


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
    _type_enums(schema)
    return schema


def _type_enums(node: Any) -> None:  # noqa: ANN401 -- any piece of a schema
    """Say that words are strings: msgspec leaves it out, and generators then make `unknown` of them."""
    if isinstance(node, list):
        for one in node:
            _type_enums(one)
    elif isinstance(node, dict):
        words = node.get("enum")
        if isinstance(words, list) and "type" not in node and all(isinstance(word, str) for word in words):
            node["type"] = "string"
        for one in node.values():
            _type_enums(one)


def reachable(document: Json, schemas: Json) -> Json:
    """The schemas that paths and webhooks use, directly or not, by name."""
    wanted = {*_refs(document["paths"]), *_refs(document.get("webhooks", {}))}
    missing = list(wanted)
    while missing:
        for name in _refs(schemas[missing.pop()]):
            if name not in wanted:
                wanted.add(name)
                missing.append(name)
    return {name: schemas[name] for name in sorted(wanted)}


def _refs(node: Any) -> Iterator[str]:  # noqa: ANN401 -- any piece of JSON
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str) and node["$ref"].startswith(REF):
            yield node["$ref"].removeprefix(REF)
        for key, value in node.items():
            if key not in ("example", "examples"):
                yield from _refs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _refs(value)
