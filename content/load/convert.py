"""Fitting a file's plain data into the vocabulary's Structs; what does not fit is told in full, in an author's words.

`msgspec.convert` decides. It stops at the first slip, and its paths do not name keys of a mapping (`outcomes[...]`);
where it refuses, data and type are walked side by side once more, to collect every slip with its exact place.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from content.describe import examples, in_words
from content.errors import Finding, Trail, did_you_mean, listed
from content.vocabulary.base import Word

W = TypeVar("W", bound=Word)

FEW = 12
"""At most this many known words are listed if one resembles what was written, and this many fields if none resembles the one that was written."""

MOST_SHOWN = 60
"""Characters that are shown of what was written."""


def fit(data: object, piece: type[W], trail: Trail) -> W | list[Finding]:
    """Make a piece of content from plain data, or say everything that keeps it from fitting.

    Args:
        data: what a `Document` holds at `trail`.
        piece: the Struct that is expected there.
        trail: put before the trails of findings.
    """
    try:
        return msgspec.convert(data, piece)
    except msgspec.ValidationError as error:
        findings = list(_findings(_type_info(piece), data, trail))
        return findings or [Finding(trail, str(error))]


def empty(data: object, trail: Trail) -> Iterator[Finding]:
    """Find keys after which nothing stands: what they would say was begun and forgotten."""
    if isinstance(data, list):
        for index, value in enumerate(data):
            yield from empty(value, (*trail, index))
    elif isinstance(data, dict):
        for key, value in data.items():
            if value is None:
                yield Finding((*trail, key), f"nothing stands after `{key}`", "say it, or leave the key out", key=True)
            yield from empty(value, (*trail, key))


@cache
def _type_info(piece: type[Word]) -> inspect.Type:
    return inspect.type_info(piece)


def _findings(expected: inspect.Type, data: object, trail: Trail) -> Iterator[Finding]:
    """Walk type and data side by side."""
    match _chosen(expected, data), data:
        case inspect.AnyType(), _:
            return
        case inspect.StructType() as struct, dict():
            yield from _struct_findings(struct, data, trail)
        case inspect.DictType(value_type=inner), dict():
            for key, value in data.items():
                yield from _findings(inner, value, (*trail, key))
        case inspect.ListType(item_type=inner), list():
            for index, value in enumerate(data):
                yield from _findings(inner, value, (*trail, index))
        case inspect.LiteralType(values=words), str() | int():
            if data not in words:
                options = [str(word) for word in words]
                hint = did_you_mean(str(data), options)
                known = f"the {len(options)} words known here" if hint and len(options) > FEW else listed(options)
                yield Finding(trail, f"{_shown(data)} is not one of {known}", hint)
        case None, _:
            message = f"expected {in_words(expected)}, found {_shown(data)}"
            yield Finding(trail, message, _reshaped(expected, data))


def _struct_findings(struct: inspect.StructType, data: dict[str, object], trail: Trail) -> Iterator[Finding]:
    fields = {field.encode_name: field for field in struct.fields}
    for key, value in data.items():
        if key in fields:
            yield from _findings(fields[key].type, value, (*trail, key))
        elif key == struct.tag_field:
            continue
        else:
            message = f"unknown field {_shown(key)} in {struct.cls.__name__}"
            yield Finding((*trail, key), message, _field_meant(key, struct), key=True)
    before: str | None = None
    for name, field in fields.items():
        if name in data:
            before = name
        elif field.required:
            message = f"{struct.cls.__name__} lacks `{name}` ({in_words(field.type)})"
            # where it would stand: after the field that comes before it in the manual
            yield Finding(trail, message) if before is None else Finding((*trail, before), message, key=True)


def _chosen(expected: inspect.Type, data: object) -> inspect.Type | None:
    """Pick the member of a union that is of the data's kind (there is at most one of each, or each has a tag); None: no member is."""
    members = expected.types if isinstance(expected, inspect.UnionType) else (expected,)
    literals = [word for member in members if isinstance(member, inspect.LiteralType) for word in member.values]
    for member in members:
        match member, data:
            case inspect.AnyType(), _:
                return member
            case inspect.LiteralType(), str():
                return inspect.LiteralType(tuple(literals))
            case inspect.StructType(tag_field=str() as field, tag=tag), dict():
                if data.get(field) == tag:
                    return member
            case (
                (inspect.StructType() | inspect.DictType(), dict())
                | (inspect.ListType(), list())
                | (inspect.BoolType(), bool())
                | (inspect.StrType(), str())
                | (inspect.NoneType(), None)
            ):
                return member
            case inspect.IntType(), int() if not isinstance(data, bool):
                return member
    return None


def _shown(data: object) -> str:
    match data:
        case None:
            return "nothing"
        case bool():
            return f"`{str(data).lower()}`"
        case dict():
            return "a mapping"
        case list():
            return "a list"
    text = str(data)
    return f"`{text}`" if len(text) <= MOST_SHOWN else f"`{text[:MOST_SHOWN]}…`"


def _field_meant(key: str, struct: inspect.StructType) -> str:
    """Find the field that was meant: a near name, one that takes this word as its value, or one of a few."""
    names = [field.encode_name for field in struct.fields]
    if near := did_you_mean(key, names):
        return near
    for field in struct.fields:
        members = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        if any(isinstance(member, inspect.LiteralType) and key in member.values for member in members):
            return f"did you mean `{field.encode_name}: {key}`?"
    return f"known here: {listed(names)}" if len(names) <= FEW else ""


def _reshaped(expected: inspect.Type, data: Any) -> str:  # noqa: ANN401 - plain data of any kind
    """Show how the same data would fit, where that is plain to see."""
    members = expected.types if isinstance(expected, inspect.UnionType) else (expected,)
    for member in members:
        match member, data:
            case inspect.ListType(), dict():
                return "put it into a list: start it with `- `, or write `[{...}]`"
            case inspect.ListType(), str() | int():
                return f"write `[{data}]`"
            case inspect.StrType(), bool() | int():
                return f'put it in quotes: `"{str(data).lower()}"`'
            case inspect.IntType(), str() if data.isdecimal():
                return f"take off the quotes: `{data}`"
            case inspect.BoolType(), "yes" | "on":
                return "write `true`"
            case inspect.BoolType(), "no" | "off":
                return "write `false`"
            case inspect.StructType(cls=cls), _ if found := examples(cls):
                return f"for example `{found[0]}`"
    return ""
