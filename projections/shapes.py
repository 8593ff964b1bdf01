"""The small types that shapes share: bounds and word lists, as they stand in the published schema."""

from collections.abc import Callable, Collection
from types import FunctionType
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import Meta

from content.patterns import whole
from content.vocabulary.base import FLOORS, TRAITS
from domain.facts.audience import MAX_SEATS
from domain.facts.commands import Id, Seat
from domain.facts.ids import own_side

Name = Annotated[str, Meta(max_length=80)]
"""An id, or empty where there is none."""
Title = Annotated[str, Meta(min_length=1, max_length=120)]
"""What a thing is called, for people."""
Text = Annotated[str, Meta(max_length=4000)]
"""Sentences for people."""
Moment = Annotated[
    str, Meta(pattern=whole(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z$"), extra_json_schema={"format": "date-time"})
]
"""A time as RFC 3339 writes it, in UTC."""
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Spaces = Annotated[int, Meta(ge=0, le=1000)]
"""Spaces of movement."""
Part = Annotated[int, Meta(ge=0, le=1)]
"""The part of a room that a barrier divides; 0 everywhere else."""
Floor = Annotated[str, Meta(extra_json_schema={"enum": list(FLOORS)})]
FloorOrNone = Annotated[str, Meta(extra_json_schema={"enum": ["", *FLOORS]})]
Compass = Annotated[str, Meta(extra_json_schema={"enum": ["north", "east", "south", "west"]})]
Trait = Annotated[str, Meta(extra_json_schema={"enum": list(TRAITS)})]
Side = Annotated[str, Meta(extra_json_schema={"enum": ["", "heroes", "traitor"]})]
"""`heroes` or `traitor`; empty where this role was not told."""
AnySide = Annotated[
    str, Meta(extra_json_schema={"enum": ["", "heroes", "traitor", *[own_side(seat) for seat in range(MAX_SEATS)]]})
]
"""`heroes`, `traitor`, or in a free-for-all the explorer's own, such as `seat:2`; empty where this role was not told."""


class Shape(msgspec.Struct, frozen=True, gc=False):
    """Base of everything that is shown. A shape holds only shapes, so none is ever part of a cycle that would need collecting."""


T = TypeVar("T", bound=msgspec.Struct)


def reader_of(whole: type[T], shown: Collection[str]) -> Callable[[bytes], T]:
    """A decoder of MessagePack that reads these fields of a struct alone: what is made of the others fails, whatever they hold."""
    fields = [(one.name, one.type, _default(one)) for one in msgspec.structs.fields(whole) if one.name in shown]
    methods = {name: value for name, value in vars(whole).items() if isinstance(value, FunctionType)}
    part = msgspec.defstruct(whole.__name__, fields, kw_only=True, namespace=methods)
    return cast("Callable[[bytes], T]", msgspec.msgpack.Decoder(part).decode)


def _default(field: msgspec.structs.FieldInfo) -> Any:  # noqa: ANN401 -- as msgspec gives and takes it
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    return msgspec.field(default=field.default)


__all__ = [
    "AnySide",
    "Compass",
    "Floor",
    "FloorOrNone",
    "Id",
    "Moment",
    "Name",
    "Number",
    "Part",
    "Seat",
    "Shape",
    "Side",
    "Spaces",
    "Text",
    "Title",
    "Trait",
    "reader_of",
]
