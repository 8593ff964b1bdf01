"""Events that an older Omenlog wrote, read as if today's had written them.

An event's tag carries its version: `Moved` is the first, `Moved.2` the next one, for a change that today's fields can't
hold (a field with another name or meaning). A new field with a default is no new version. Stored bytes stay as they are,
for the chain covers them; whoever folds a log reads it through here. Every version that was ever written has its
golden log in `tests/golden/events`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from domain.facts.audience import Mask
from domain.facts.events import AnyEvent, Told

EventObject = dict[str, Any]
"""An event as JSON has it."""

Upcaster = Callable[[EventObject], EventObject]
"""Makes an event of one version one of the next: another `type`, and the fields that it has there."""

UPCASTERS: Mapping[str, Upcaster] = MappingProxyType({})
"""By the tag that is read. Every event is of its first version so far."""

TAG = re.compile(r"([A-Z][A-Za-z]*)(?:\.([2-9]|[1-9][0-9]+))?")
"""A tag: the event's name, and from the second version on its number."""


class _Events(msgspec.Struct):
    events: list[tuple[Mask, EventObject]]


_decode = msgspec.json.Decoder(_Events).decode
_encode = msgspec.json.Encoder().encode
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_object = msgspec.json.Decoder(EventObject).decode


def version_of(tag: str) -> tuple[str, int]:
    """The name and the version that a tag says.

    Raises:
        ValueError: it is no tag of an event.
    """
    found = TAG.fullmatch(tag)
    if found is None:
        raise ValueError(f"{tag!r} is no tag of an event")
    return found[1], int(found[2] or 1)


def upcast(event: EventObject) -> EventObject:
    """An event as the latest version would have written it; one that needs nothing is returned as it is."""
    while (step := UPCASTERS.get(event.get("type", ""))) is not None:
        event = step(event)
    return event


def read_told(stored: bytes) -> list[Told]:
    """The events of a stored commit of any version.

    It costs about three times what decoding costs, so ask for it only where that fails.

    Raises:
        msgspec.DecodeError: the bytes are no commit, or hold an event that no version has.
    """
    found = _decode(stored).events
    return msgspec.convert([(mask, upcast(event)) for mask, event in found], list[Told])


def read_event(stored: bytes) -> AnyEvent:
    """One event of any version.

    Raises:
        msgspec.DecodeError: no version has it.
    """
    event: AnyEvent
    try:
        event = _decode_event(stored)
    except msgspec.ValidationError:
        event = _decode_event(_encode(upcast(_decode_object(stored))))
    return event
