"""The bodies of requests: read strictly, and refused with what would have been right."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException
from msgspec import inspect

from content.errors import did_you_mean
from content.patterns import told, told_at
from service.bootstrap import Service
from service.http.operation import facts_of
from service.problems import FieldError, ProblemError


def choices(kind: Any, path: Sequence[str]) -> list[str]:  # noqa: ANN401 -- whatever a decoder is made for
    """The words allowed at a place in a body, sorted. `path` has fields and places in arrays, from the outside in."""
    here = _at(kind, path[:-1])
    found: set[str] = set()
    for outer in here:
        if isinstance(outer, inspect.StructType) and path[-1:] == [outer.tag_field]:
            found.add(str(outer.tag))
        inner = _inside(outer, path[-1]) if path else iter([outer])
        found.update(str(word) for one in inner if isinstance(one, inspect.LiteralType) for word in one.values)
    return sorted(found)


def members(kind: Any, path: Sequence[str], body: Any) -> list[str]:  # noqa: ANN401 -- whatever a decoder is made for, any JSON
    """Find the fields that the object at a place in this body may have, by its tag where it has one; `kind` and `path` as in `choices`."""
    for part in path:
        if isinstance(body, dict):
            body = body.get(part)
        elif isinstance(body, list):
            body = body[int(part)]
    objects = [one for one in _at(kind, path) if isinstance(one, inspect.StructType)]
    tagged = [one for one in objects if isinstance(body, dict) and one.tag and body.get(one.tag_field) == one.tag]
    return sorted({field.encode_name for one in tagged or objects for field in one.fields})


def _at(kind: Any, path: Sequence[str]) -> list[inspect.Type]:  # noqa: ANN401 -- as above
    here = list(_plain(inspect.type_info(kind)))
    for part in path:
        here = [one for outer in here for one in _inside(outer, part)]
    return here


def _plain(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The members of a union; anything else as it is, without its constraints."""
    if isinstance(kind, inspect.Metadata):
        yield from _plain(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _plain(one)
    else:
        yield kind


def _inside(kind: inspect.Type, part: str) -> Iterator[inspect.Type]:
    """What a field or place of it may hold."""
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            if field.encode_name == part:
                yield from _plain(field.type)
    elif isinstance(kind, inspect.ListType) and part.isdecimal():
        yield from _plain(kind.item_type)
    elif isinstance(kind, inspect.DictType):
        yield from _plain(kind.value_type)


JSON = "application/json"

NOT_JSON = {"Input data was truncated": "it ends too early"}
"""What the decoder says of bytes that are no JSON, in words, unless it says it well itself."""
UNKNOWN_FIELD = re.compile(r"There is no field `(.*)`")
"""What is said of a field that nobody knows."""


def check_media_type(header: str | None, coding: str | None, wanted: str = JSON) -> None:
    """Check `Content-Type` and `Content-Encoding` (RFC 9110, section 15.5.16). Raises `unsupported-media-type`."""
    if coding is not None and coding.strip().lower() not in ("", "identity"):
        detail = f"Send the body as it is, without Content-Encoding: {coding}."
        raise ProblemError("unsupported-media-type", detail, headers={"Accept-Encoding": "identity"})
    if (header or "").partition(";")[0].strip().lower() != wanted:
        raise ProblemError("unsupported-media-type", f"Send {wanted}.", headers={"Accept": wanted})


def check_json(body: bytes, depth: int, *, around: int = 0) -> None:
    """Check what typed decoding doesn't: nesting, in so many levels more, and keys that occur twice. Raises `too-deep` or `invalid-body`."""
    # Counting brackets is enough for all but hostile bodies, and those within strings are rare.
    if body.count(b"{") + body.count(b"[") > depth + around and _depth(body) > depth + around:
        raise ProblemError("too-deep", f"Nest {depth} levels at the most.")
    if _has_unique_keys(body):
        return
    try:
        _pairs.decode(body.decode())
    except _Twice as error:
        raise ProblemError("invalid-body", f"The key {error.args[0]!r} occurs twice in one object.") from None
    except ValueError:
        pass  # the typed decoder has more to say about it


def _has_unique_keys(body: bytes) -> bool:
    """Whether no more colons than distinct keys are there, which is quickly seen of most commands."""
    try:
        found = msgspec.json.decode(body)
    except ValueError:
        return False
    return type(found) is dict and _keys(found) == body.count(b":")


def _keys(found: Any) -> int:  # noqa: ANN401 -- any JSON
    """How many keys an object or array has, with all that lie in it."""
    inner = found.values() if type(found) is dict else found
    own = len(found) if type(found) is dict else 0
    return own + sum([_keys(one) for one in inner if type(one) is dict or type(one) is list])


def decode(body: bytes, decoder: msgspec.json.Decoder[Any], depth: int, *, around: int = 0) -> Any:  # noqa: ANN401 -- what the decoder makes
    """Decode a body strictly; `around` is how many levels are not the caller's. Raises `too-deep` or `invalid-body`."""
    check_json(body, depth, around=around)
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        try:  # once more with 2.0 read as 2, which to JSON is the same number and to the decoder isn't
            return msgspec.convert(_whole(msgspec.json.decode(body)), decoder.type)
        except ValueError:
            raise malformed(error, body, decoder) from None
    except ValueError as error:
        raise malformed(error, body, decoder) from None


def _whole(found: Any) -> Any:  # noqa: ANN401 -- any JSON
    if isinstance(found, float) and found.is_integer():
        return int(found)
    if isinstance(found, list):
        return [_whole(one) for one in found]
    return {key: _whole(one) for key, one in found.items()} if isinstance(found, dict) else found


def malformed(error: Exception, body: bytes, decoder: msgspec.json.Decoder[Any]) -> ProblemError:
    """What is wrong with a body that a typed decoder refused, and which words would be right where it expects one of a few."""
    if not isinstance(error, msgspec.ValidationError):
        why = NOT_JSON.get(str(error), str(error).removeprefix("JSON is malformed: "))
        return ProblemError("invalid-body", f"Not JSON: {why}." if body else "The body is empty.")
    found = field_error(str(error))
    path = found.pointer.split("/")[1:]
    words = choices(decoder.type, path) if found.detail.startswith("Invalid value ") else []
    right = f": it is one of {', '.join(words)}" if words else ""
    strange = UNKNOWN_FIELD.fullmatch(found.detail)
    if strange is not None:
        near = did_you_mean(strange[1], members(decoder.type, path, msgspec.json.decode(body)))
        right = f": {near}" if near else ""
    detail = f"{told(str(error))}{right}{'' if right.endswith('?') else '.'}"
    return ProblemError("invalid-body", detail, errors=[FieldError(found.pointer, f"{found.detail}{right}")])


async def read_body(request: Request[Any, Any, Any], service: Service) -> Any:  # noqa: ANN401 -- of the type that the operation names
    """Read a request's body as the type that its `@operation` names. Raises as `check_media_type` and `decode` do."""
    facts = facts_of(request.route_handler)
    with arriving():
        body = await request.body()
    if not body and not facts.body_needed:
        return facts.body()
    check_media_type(request.headers.get("Content-Type"), request.headers.get("Content-Encoding"))
    return decode(body, _decoder(facts.body), service.settings.depth_limit)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401 -- a Struct, or a union of Structs
    return msgspec.json.Decoder(kind)


async def read_bytes(request: Request[Any, Any, Any], limit: int, setting: str) -> bytes:
    """Read a body that is no JSON and has a limit of its own. Raises `body-too-large` or `request-timeout`."""
    parts: list[bytes] = []
    size = 0
    with arriving():
        async for part in request.stream():
            size += len(part)
            if size > limit:
                raise ProblemError("body-too-large", f"This may have {limit} bytes here ({setting}).")
            parts.append(part)
    return b"".join(parts)


@contextmanager
def arriving() -> Iterator[None]:
    """Answer `request-timeout` if the sender of a body hangs up or is too slow: Litestar takes that for a fault of ours."""
    try:
        yield
    except InternalServerException:
        raise ProblemError("request-timeout", "The body did not arrive.") from None


def field_error(message: str) -> FieldError:
    """A decoder's message as a pointer and what is wrong there, in words: ``Expected `int` - at `$.seats[0]` ``."""
    words, pointer = told_at(message)
    return FieldError(pointer, words)


def fingerprint(route: str, asked: object) -> bytes:
    """What tells a retry from another request: a digest of where and what, however the body was spelt."""
    return hashlib.sha256(route.encode() + b"\x00" + msgspec.json.encode(asked)).digest()


class _Twice(Exception):
    """A key occurs twice."""


def _unique(pairs: list[tuple[str, Any]]) -> None:
    seen = {key for key, _ in pairs}
    if len(seen) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for index, key in enumerate(keys) if key in keys[:index]))


_pairs = json.JSONDecoder(object_pairs_hook=_unique)


def _depth(body: bytes) -> int:
    """How deeply a JSON text nests, brackets in strings not counted."""
    bare = re.sub(rb'"(?:[^"\\]|\\.)*"', b"", body, flags=re.DOTALL)
    depth = deepest = 0
    for byte in bare:
        if byte in b"{[":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"}]":
            depth -= 1
    return deepest
