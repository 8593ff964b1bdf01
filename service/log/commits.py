"""The stored commit: one JSON object, encoded once, and cut for each role without being encoded again.

The layout is fixed (docs/proof.md, "The file"; golden bytes in the tests):

    {"v":1,"game":…,"number":…,"at":…,"rules":…,"pack":…,
     "actor":…,"actor_to":…,"key":…,"decision":…,"command":…,"command_to":…,"events":[[mask,event],…],"prev":…,
     "root":…,"hash":…}

The first line is public, the last one is made by `service.log.chain`. Stored bytes are sliced and hashed, never encoded
again: no library promises to write the same bytes tomorrow.

Events that an older Omenlog wrote are read as if today's had written them. An event's tag carries its version: `Moved` is the first,
`Moved.2` the next one, for a change that today's fields can't hold (a field with another name or meaning). A new field with a default is no
new version. Stored bytes stay as they are, for the chain covers them; whoever folds a log reads it through here. Every version that was
ever written has its golden log in `tests/golden/events`.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from domain.facts.audience import EVERYBODY, Mask
from domain.facts.events import AnyEvent, Told

VERSION = 1
"""The version of the layout."""

HEADER_ENDS = b',"actor":'
"""What follows the public header; the first ones in a commit, for no id, time or digest can hold these bytes."""
HASH_BEGINS = b'","hash":"'
"""What comes before the hash, the last thing in a commit."""
BODY_ENDS = b',"root":"'
"""What follows all that is hashed; the last ones in a commit, for behind them are only two digests."""

_encode = msgspec.json.Encoder().encode


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """All that a commit says, before it is encoded."""

    game: str
    number: int
    """1, 2, 3 within the game."""
    at: str
    """ISO 8601 in UTC, milliseconds; for people, never read by a fold."""
    rules: int
    """The revision of the rules that the game was opened with."""
    pack: str
    """The digest of the content that decided."""
    actor: str
    """`host`, `seat:1`, `moderator`, `referee`, `auto` or `clock`."""
    actor_to: Mask = EVERYBODY
    command: object
    """What was accepted: a command of the domain or of a game's life."""
    command_to: Mask
    key: str = ""
    """The digest of the idempotency key, or nothing."""
    decision: str = ""
    """The decision that the command answers."""
    told: Sequence[Told] = ()


class Part(msgspec.Struct, frozen=True):
    """A piece of a commit that is shown to some principals."""

    to: Mask
    body: bytes


class Parts(msgspec.Struct, frozen=True):
    """A commit cut into pieces; in this order they are hashed."""

    header: bytes
    """The public header, as an object of its own."""
    actor: Part
    command: Part
    events: list[Part]


class PublicHeader(msgspec.Struct, kw_only=True):
    """What everybody may know of a commit, as it was hashed."""

    v: int
    game: str
    number: int
    at: str
    rules: int
    pack: str


class Stored(msgspec.Struct, frozen=True):
    """A commit as stored; what is only passed on is left as bytes."""

    v: int
    game: str
    number: int
    at: str
    rules: int
    pack: str
    actor: str
    actor_to: Mask
    key: str
    decision: str
    command: msgspec.Raw
    command_to: Mask
    events: list[tuple[Mask, msgspec.Raw]]
    prev: str
    root: str
    hash: str


class Folded(msgspec.Struct, frozen=True):
    """What a fold needs of a stored commit; everything else is skipped while decoding."""

    number: int
    at: str
    actor: str
    events: list[Told]
    prev: str
    hash: str


read = msgspec.json.Decoder(Stored).decode
"""Reads a stored commit. Raises `msgspec.DecodeError`."""
_decode_folded = msgspec.json.Decoder(Folded).decode


def encode_body(draft: Draft, prev: str) -> tuple[bytes, Parts]:
    """Encode a commit, up to what the chain adds: the bytes before `root`, and the pieces in them."""
    header = b'{"v":%d,"game":"%b","number":%d,"at":"%b","rules":%d,"pack":"%b"' % (
        VERSION,
        draft.game.encode(),
        draft.number,
        draft.at.encode(),
        draft.rules,
        draft.pack.encode(),
    )
    actor = Part(draft.actor_to, b'"%b"' % draft.actor.encode())
    command = Part(draft.command_to, _encode(draft.command))
    events = [Part(told.to, _encode(told.event)) for told in draft.told]
    parts = Parts(header + b"}", actor, command, events)
    return _laid_out(header, parts, draft.key, draft.decision, prev), parts


def joined(commit: Stored, parts: Parts) -> bytes:
    """The bytes before `root` of a commit that was read and cut, laid out as `encode_body` does: those stored, or it was altered."""
    header = b'{"v":%d,"game":"%b","number":%d,"at":"%b","rules":%d,"pack":"%b"' % (
        commit.v,
        commit.game.encode(),
        commit.number,
        commit.at.encode(),
        commit.rules,
        commit.pack.encode(),
    )
    return _laid_out(header, parts, commit.key, commit.decision, commit.prev)


def _laid_out(header: bytes, parts: Parts, key: str, decision: str, prev: str) -> bytes:
    return (
        b'%b,"actor":%b,"actor_to":%d,"key":"%b","decision":"%b","command":%b,"command_to":%d,"events":[%b],"prev":"%b"'
    ) % (
        header,
        parts.actor.body,
        parts.actor.to,
        key.encode(),
        decision.encode(),
        parts.command.body,
        parts.command.to,
        b",".join([b"[%d,%b]" % (part.to, part.body) for part in parts.events]),
        prev.encode(),
    )


def read_folded(stored: bytes) -> Folded:
    """Read what a fold needs; events of older versions are read as today's. Raises `msgspec.DecodeError`, also for an unknown event."""
    try:
        return _decode_folded(stored)
    except msgspec.ValidationError:
        events = read_told(stored)  # all tags of today were tried, and logs of today are not to pay for old ones
        old = read(stored)
        return Folded(number=old.number, at=old.at, actor=old.actor, events=events, prev=old.prev, hash=old.hash)


def cut(stored: bytes) -> tuple[Stored, Parts]:
    """Cut stored bytes into their pieces. Raises `ValueError`."""
    commit = read(stored)
    parts = Parts(
        stored[: stored.index(HEADER_ENDS)] + b"}",
        Part(commit.actor_to, b'"%b"' % commit.actor.encode()),
        Part(commit.command_to, bytes(commit.command)),
        [Part(to, bytes(event)) for to, event in commit.events],
    )
    return commit, parts


def hash_of(stored: bytes) -> str:
    """The hash at the end of a stored commit. Raises `ValueError`."""
    start = stored.rindex(HASH_BEGINS) + len(HASH_BEGINS)
    return stored[start:-2].decode("ascii")


def body_of(stored: bytes) -> bytes:
    """All bytes of a stored commit that are hashed. Raises `ValueError`."""
    body, ends, _ = stored.rpartition(BODY_ENDS)
    if not ends:
        raise ValueError("`root` does not stand where it has to")
    return body


# -- events of older versions -------------------------------------------------------------------------------------------

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


_decode_events = msgspec.json.Decoder(_Events).decode
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_object = msgspec.json.Decoder(EventObject).decode


def version_of(tag: str) -> tuple[str, int]:
    """The name and version in an event's tag. Raises `ValueError`."""
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
    """The events of a stored commit of any version, at three times the cost of decoding: ask only where that fails."""
    found = _decode_events(stored).events
    return msgspec.convert([(mask, upcast(event)) for mask, event in found], list[Told])


def read_event(stored: bytes) -> AnyEvent:
    """One event of any version. Raises `msgspec.DecodeError`."""
    event: AnyEvent
    try:
        event = _decode_event(stored)
    except msgspec.ValidationError:
        event = _decode_event(_encode(upcast(_decode_object(stored))))
    return event


# -- on the wire --------------------------------------------------------------------------------------------------------

DATA_SCHEMA = "urn:omenlog:commit:v1"
"""Names the schema of a commit's data, which the service answers. CloudEvents wants an absolute URI, and SDKs refuse a path; no address is
the same for whoever asks, wherever the service runs."""
_DATA_SCHEMA = DATA_SCHEMA.encode()


class Moment(NamedTuple):
    """Turn and round from a commit on, until there is another: public, and not stored in commits but folded from them."""

    behind: int = 0
    """The commit that brought it: the next one is the first in it."""
    turn: int = 0
    """1, 2, 3 from the start of the game, 0 before it."""
    round: int = 0
    """1, 2, 3 from the haunt's beginning, 0 before it."""


def moment_of(moments: Sequence[Moment], number: int) -> Moment:
    """The moment in which a commit began. Moments are in order, and one behind commit 0 is the first."""
    return moments[bisect_left(moments, number, key=lambda one: one.behind) - 1]


def wire(stored: bytes, principal: Mask, moment: Moment, found: bytes = b"") -> bytes:
    """A stored commit as one principal may see it: a CloudEvents 1.0 object, its pieces byte for byte those stored.

    Turn and round are those in which it began; `found` are the principal's facts of it, as members of `data`. A commit of which the
    principal was told nothing goes out too: that it exists is public. Raises `ValueError`.
    """
    commit, parts = _cut_for_all(stored)
    return wire_parts(commit.game, commit.number, commit.at, parts, principal, moment, found=found)


_cut_for_all = lru_cache(maxsize=64)(cut)
"""The roles that follow a game ask for the same commit, one right after the other."""


def wire_parts(
    game: str, number: int, at: str, parts: Parts, principal: Mask, moment: Moment, *, found: bytes = b""
) -> bytes:
    """See `wire`: the same from the pieces, for a commit that was encoded just now."""
    subject = actor = command = b""
    if parts.actor.to & principal:
        subject = b',"subject":%b' % parts.actor.body
        actor = b',"actor":%b' % parts.actor.body
    if parts.command.to & principal:
        command = b',"command":%b' % parts.command.body
    return (
        b'{"specversion":"1.0","id":"%d","source":"/v1/games/%b","type":"omenlog.commit.v1","dataschema":"%b","time":"%b"%b,'
        b'"sequence":"%010d","data":{"number":%d,"turn":%d,"round":%d%b%b%b,"events":[%b]}}'
    ) % (
        number,
        game.encode(),
        _DATA_SCHEMA,
        at.encode(),
        subject,
        number,
        number,
        moment.turn,
        moment.round,
        actor,
        command,
        found,
        b",".join([part.body for part in parts.events if part.to & principal]),
    )
