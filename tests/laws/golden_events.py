"""Golden logs: for every version of every event, how it was written, so that it can be read for ever.

One file for each tag, `tests/golden/events/Moved.ndjson`: first the event with all its fields, made from its type; then how games
wrote it, at most three times. `python -m tests.laws.golden_events` writes those that are missing and touches no other: what was
written once stays. A field that is added later gets a line of its own, with `--add`.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from domain.facts.events import EVENT_TYPES
from domain.facts.events.base import Event
from tests.laws.playout import play
from tests.support.packs import rules
from tests.support.renewing import tell

FOLDER = Path(__file__).parents[1] / "golden" / "events"
GAMES: tuple[tuple[str, int, str], ...] = (
    ("second-edition", 1, "the-gnawing-tide"),
    ("second-edition", 2, "the-hollow-guest"),
    ("second-edition", 3, "the-collectors"),
    ("second-edition", 4, "the-brood-in-the-walls"),
    ("second-edition", 5, "the-last-carriage"),
    ("second-edition", 6, "the-room-that-listens"),
    ("second-edition", 7, "the-long-fever"),
    ("second-edition", 8, "the-unquiet-name"),
    ("third-edition", 9, ""),
)
PLAYED = 3
"""Lines from games, at most."""

encode = msgspec.json.Encoder().encode


def tag_of(kind: type[Event]) -> str:
    """What a stored event calls itself."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


KINDS = {tag_of(kind): kind for kind in EVENT_TYPES}


def golden(tag: str) -> Path:
    """The golden log of a tag."""
    return FOLDER / f"{tag}.ndjson"


def exemplar(kind: type[Event]) -> Event:
    """The event with every field set, and none to its default."""
    made = _made(inspect.type_info(kind), 0)
    return msgspec.json.decode(encode(made), type=kind)


def fields_in(kind: type[Event], lines: list[bytes]) -> set[str]:
    """The fields that some lines show."""
    shown = set(itertools.chain.from_iterable(msgspec.json.decode(line) for line in lines))
    return shown & set(kind.__struct_encode_fields__)


def _made(info: inspect.Type, depth: int) -> Any:  # noqa: ANN401 -- any JSON
    if isinstance(info, inspect.Metadata):  # a type of which the contract says more
        words = (info.extra_json_schema or {}).get("enum")
        info = inspect.LiteralType(tuple(words)) if words else info.type
    if isinstance(info, inspect.StructType):
        return _struct(info, depth)
    if isinstance(info, inspect.UnionType):
        kinds = [one for one in info.types if not isinstance(one, inspect.NoneType)]
        return _made(kinds[0], depth)
    if isinstance(info, inspect.LiteralType):
        return info.values[-1]
    if isinstance(info, inspect.EnumType):
        return list(info.cls)[-1].value
    if isinstance(info, inspect.TupleType):
        return [_made(one, depth + 1) for one in info.item_types]
    if isinstance(info, inspect.DictType):
        return {_made(info.key_type, depth + 1): _made(info.value_type, depth + 1)}
    if isinstance(info, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType):
        return [_made(info.item_type, depth + 1)]
    return _plain(info)


def _plain(info: inspect.Type) -> Any:  # noqa: ANN401 -- any JSON
    if isinstance(info, inspect.BoolType):
        return True
    if isinstance(info, inspect.IntType):
        return max(info.ge or 0, min(7, info.le if info.le is not None else 7))
    if isinstance(info, inspect.BytesType):
        return "AAAA"
    if isinstance(info, inspect.StrType | inspect.AnyType | inspect.CustomType | inspect.RawType):
        return "said"
    raise TypeError(f"no example of {info}: say here how one is made")


def _struct(info: inspect.StructType, depth: int) -> Any:  # noqa: ANN401 -- any JSON
    found: dict[str, Any] = {} if info.tag_field is None else {info.tag_field: info.tag}
    for field in info.fields:
        if field.required or depth < 3:  # deeper down only what must be there: some types hold themselves
            found[field.encode_name] = _made(field.type, depth + 1)
            if field.encode_name != "type" and found[field.encode_name] == field.default:
                found[field.encode_name] = _other(field.default)
    return list(found.values()) if info.array_like else found


def _other(default: Any) -> Any:  # noqa: ANN401 -- any JSON
    return not default if isinstance(default, bool) else default + 1 if isinstance(default, int) else default


def _played(missing: set[str]) -> Iterator[tuple[str, bytes]]:
    """How games wrote the events with these tags, each line once."""
    seen: dict[str, set[tuple[str, ...]]] = {}
    for pack, seed, haunt in GAMES:
        for told in itertools.chain.from_iterable(play(rules(pack), seed, seats=4, haunt=haunt).commits):
            tag = tag_of(type(told.event))
            body = encode(told.event)
            shape = tuple(msgspec.json.decode(body))
            shapes = seen.setdefault(tag, set())
            if tag in missing and shape not in shapes and len(shapes) < PLAYED:
                shapes.add(shape)
                yield tag, body


def write() -> Iterator[Path]:
    """Write the logs that are missing; gives their files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = {tag: kind for tag, kind in KINDS.items() if not golden(tag).exists()}
    lines = {tag: [encode(exemplar(missing[tag]))] for tag in sorted(missing)}
    for tag, body in _played(set(missing)) if missing else ():
        lines[tag].append(body)
    for tag, bodies in lines.items():
        golden(tag).write_bytes(b"".join(body + b"\n" for body in bodies))
        yield golden(tag)


def add() -> Iterator[Path]:
    """Add a line to each log in which a field of its event is missing; gives their files."""
    for tag, kind in KINDS.items():
        if fields_in(kind, golden(tag).read_bytes().splitlines()) != set(kind.__struct_encode_fields__):
            with golden(tag).open("ab") as file:
                file.write(encode(exemplar(kind)) + b"\n")
            yield golden(tag)


def main() -> None:
    """Write what is missing."""
    tell(itertools.chain(write(), add() if "--add" in sys.argv else ()))


if __name__ == "__main__":
    main()
