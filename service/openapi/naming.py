"""Names of schemas: the words of content have names of their own, for some commands are called as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from content.vocabulary.base import Word

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
