"""Unions that integrators speak of have names: a generated client then has a type `Command`, and one `Event`."""

from __future__ import annotations

from typing import Any, get_args

from domain.commands import AnyCommand
from domain.events import AnyEvent
from projections.odds_asked import AnyAsked

UNIONS: dict[str, Any] = {"Command": AnyCommand, "Event": AnyEvent, "OddsAsked": AnyAsked}
SAYS = {
    "Command": "What can be wanted. `type` tells which.",
    "OddsAsked": "What odds can be asked for. `of` tells which.",
    "Event": "What can happen, as far as the caller's role is told of it. `type` tells which.",
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
