"""The schemas of a document, by msgspec: it knows what Litestar loses (bounds, unknown fields, discriminators).

Words of content have names of their own, since some commands are called as they are; unions that integrators speak of have names too, so that a
generated client has a type `Command` and one `Event`. Descriptions are the docstrings behind the fields, which Python does not keep.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, get_args

import msgspec
from litestar.handlers import HTTPRouteHandler

from content.vocabulary.base import Word
from content.vocabulary.entry import Entry
from domain.facts.commands import AnyCommand
from domain.facts.events import AnyEvent
from projections.choices.odds_asked import AnyAsked
from service.games.lobby.answers import CommitAnswer, CommitEvent, EventPage
from service.http.commands import AnyPosted
from service.problems import Problem
from service.webhooks.message import FullEvent, TestEvent, ThinEvent

CONTENT = "Content"


def schema_name(kind: type[msgspec.Struct]) -> str:
    """The name of a Struct's schema: `Move` for the command, `ContentMove` for the word of content."""
    return f"{CONTENT}{kind.__name__}" if issubclass(kind, Word) else kind.__name__


def renamed(found: dict[str, Any], kinds: Iterable[type[msgspec.Struct]], ref: str) -> dict[str, Any]:
    """Schemas with the names that `schema_name` gives, where msgspec has class names or, for namesakes, whole paths.

    Args:
        found: by the names of msgspec.
        kinds: all Structs among them.
        ref: what references begin with.
    """
    names = {}
    for kind in kinds:
        for theirs in (kind.__name__, f"{kind.__module__}.{kind.__qualname__}"):
            if theirs in found and (theirs != kind.__name__ or _is(found[theirs], kind)):
                names[theirs] = schema_name(kind)
    changed = {f"{ref}{old}": f"{ref}{new}" for old, new in names.items()}
    schemas = {names.get(name, name): _rewritten(schema, changed) for name, schema in found.items()}
    # Generators of clients name classes by titles: two that are the same would be one class too few.
    return {name: {**schema, "title": name} if "title" in schema else schema for name, schema in schemas.items()}


def _is(schema: dict[str, Any], kind: type[msgspec.Struct]) -> bool:
    """Whether a schema describes this Struct and no namesake: it has just its fields, and perhaps a tag."""
    config = kind.__struct_config__
    fields = {*kind.__struct_encode_fields__, *([config.tag_field] if config.tag_field is not None else [])}
    return set(schema.get("properties", ())) == fields


def _rewritten(node: Any, changed: dict[str, str]) -> Any:  # noqa: ANN401 -- any piece of a schema
    if isinstance(node, dict):
        return {key: _rewritten(value, changed) for key, value in node.items()}
    if isinstance(node, list):
        return [_rewritten(one, changed) for one in node]
    return changed.get(node, node) if isinstance(node, str) else node


UNIONS: dict[str, Any] = {"Command": AnyCommand, "Posted": AnyPosted, "Event": AnyEvent, "OddsAsked": AnyAsked}
SAYS = {
    "Command": "A command. `type` tells which.",
    "Posted": "A command, or the number of an option. `type` tells which.",
    "OddsAsked": "The odds to compute. `of` tells which.",
    "Event": "An event, as far as the caller's role is told of it. `type` tells which.",
}


def named(node: Any, schemas: dict[str, Any], ref: str) -> Any:  # noqa: ANN401 -- any piece of JSON
    """A piece of a document, with references where it spells out a union that has a name.

    Args:
        node: the piece, which stays as it is.
        schemas: all schemas by name; a union that is found is added.
        ref: what references begin with.
    """
    if isinstance(node, list):
        return [named(one, schemas, ref) for one in node]
    if not isinstance(node, dict):
        return node
    name = _name(node, ref)
    if name is None:
        return {key: named(value, schemas, ref) for key, value in node.items()}
    alternatives = node.get("oneOf") or node["anyOf"]
    union = {"oneOf": alternatives, "discriminator": node["discriminator"]}
    schemas.setdefault(name, {"title": name, "description": SAYS[name], **union})
    beside = {key: value for key, value in node.items() if key not in ("oneOf", "anyOf", "discriminator")}
    return {"$ref": ref + name, **beside}


def _name(node: dict[str, Any], ref: str) -> str | None:
    mapping = node.get("discriminator", {}).get("mapping") if isinstance(node.get("discriminator"), dict) else None
    if mapping is None:
        return None
    return next(
        (name for name, union in _MEMBERS.items() if {ref + one for one in union} == set(mapping.values())), None
    )


_MEMBERS = {name: {kind.__name__ for kind in get_args(union)} for name, union in UNIONS.items()}


@cache
def field_docs(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The docstrings behind a Struct's fields, those of its bases included, by the fields' names on the wire."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found.update(_docs_in(base))
    wire = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    return {wire[name]: text for name, text in found.items() if name in wire}


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by their names; `inspect.getsource` would parse it anew for each of them."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    return {one.name: one for one in body if isinstance(one, ast.ClassDef)}


def _docs_in(kind: type[msgspec.Struct]) -> dict[str, str]:
    definition = _classes(kind.__module__).get(kind.__qualname__)
    if definition is None:
        return {}
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


Json = dict[str, Any]
REF = "#/components/schemas/"


class Types:
    """Schemas of bodies and answers."""

    def __init__(self) -> None:
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
        growing = {schema_name(kind) for kind in told_structs()}
        return {name: _completed(schema, docs.get(name, {}), growing=name in growing) for name, schema in found.items()}


@cache
def told_structs() -> frozenset[type[msgspec.Struct]]:
    """What streams and webhooks tell of commits, whose members may become more: all but what a request may hold and nothing else."""
    told = _structs([CommitEvent, ThinEvent, FullEvent, TestEvent])
    return frozenset(kind for kind in told if not kind.__struct_config__.forbid_unknown_fields)


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


def _completed(schema: Json, docs: Mapping[str, str], *, growing: bool) -> Json:
    """Say what fields mean, and whether there may be others: bodies and most answers have no more, what is told of a commit may."""
    for name, text in docs.items():
        if name in schema.get("properties", ()):
            # Beside a reference a description stands too, since OpenAPI 3.1. A field's own goes before that of its type.
            schema["properties"][name]["description"] = text
    for name, field in schema.get("properties", {}).items():
        _name_columns(name, field)
    if schema.get("type") == "object" and "properties" in schema:
        schema.setdefault("additionalProperties", growing)
    _type_enums(schema)
    return schema


def _name_columns(name: str, field: Json) -> None:
    """Give the columns of a seat or a name the names that they have in a table: those of the field, with what each holds."""
    for one in [*field.get("anyOf", ()), field]:
        if columns := one.pop("x-columns", None):
            field["x-columns"] = {f"{name}_{ending}": kind for ending, kind in columns.items()}
            if one is not field:  # it may be left out, too: one union, in place of one within another
                field["anyOf"] = [*one["anyOf"], *(other for other in field["anyOf"] if other is not one)]
            return


def _type_enums(node: Any) -> None:  # noqa: ANN401 -- any piece of a schema
    """Say that words are strings: msgspec leaves it out, and generators then make `unknown` of them. Make arrays of tuples."""
    if isinstance(node, list):
        for one in node:
            _type_enums(one)
    elif isinstance(node, dict):
        if "prefixItems" in node:
            # Generators stop at tuples, or make two types of one: an array has as many by its bounds.
            node["items"], *others = node.pop("prefixItems")
            if any(one != node["items"] for one in others):
                raise ValueError(f"Make a Struct of a tuple of several kinds: {[node['items'], *others]}")
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
