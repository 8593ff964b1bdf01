"""Messages: a commit, as its subscriber's role was told it, as one CloudEvent.

Full, it is byte for byte what the event stream gives that role, to an account with a `recipient` as in its stream; thin, it says that there
is a commit, which is public. Standard Webhooks wants a `timestamp`, which to CloudEvents is an extension.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from service.games.lobby.answers import CommitEvent
from service.webhooks.subscription import Subscription

LONGEST_NUMBER = 9
"""Digits of a commit's number."""


class _Typed(msgspec.Struct):
    type: str


class _Data(msgspec.Struct):
    number: int
    events: list[_Typed]


class Told(msgspec.Struct):
    """What is read of an encoded `CommitEvent`."""

    source: str
    time: str
    sequence: str
    data: _Data


_read = msgspec.json.Decoder(Told).decode
_encode = msgspec.json.Encoder().encode


class ThinData(msgspec.Struct, frozen=True):
    """That there is a commit."""

    number: int


class ThinEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a thin message: a CloudEvent that says that there is a commit, and not what is in it."""

    timestamp: str
    """When it happened, as `time`: Standard Webhooks wants it so."""
    specversion: Literal["1.0"] = "1.0"
    id: str
    """The commit's number; with `source` unique."""
    source: str
    """The game: `/v1/games/<id>`."""
    type: Literal["omenlog.committed.v1"] = "omenlog.committed.v1"
    time: str
    sequence: str
    recipient: str | UnsetType = UNSET
    """To an account: the name of the token that is told."""
    data: ThinData


class FullEvent(CommitEvent, kw_only=True, omit_defaults=True):
    """The body of a full message: what the event stream tells the role. To an account it names the `recipient`, and has no `cursor`."""

    timestamp: str
    """When it happened, as `time`: Standard Webhooks wants it so."""


def wanted(subscription: Subscription, event: bytes) -> bool:
    """Whether a commit is to be sent.

    Args:
        subscription: with its filter.
        event: the commit as the role was told it.
    """
    if not subscription.types:
        return True
    return any(one.type in subscription.types for one in _read(event).data.events)


def body(subscription: Subscription, event: bytes) -> bytes:
    """What is sent of a commit, from what the role was told of it."""
    # A token's subscription knows who it is for; an account's may come from several tokens of one game.
    whom = subscription.token if subscription.whole else ""
    return (full if subscription.payload == "full" else thin)(event, whom)


def full(event: bytes, whom: str) -> bytes:
    """A `FullEvent` of what a role was told, to this recipient or to nobody in particular."""
    recipient = b'"recipient":"%b",' % whom.encode() if whom else b""
    return b'{"timestamp":%b,%b%b' % (_encode(_read(event).time), recipient, event[1:])


def thin(event: bytes, whom: str) -> bytes:
    """A `ThinEvent`, as `full`."""
    told = _read(event)
    return _encode(
        ThinEvent(
            timestamp=told.time,
            id=str(told.data.number),
            source=told.source,
            time=told.time,
            sequence=told.sequence,
            recipient=whom or UNSET,
            data=ThinData(told.data.number),
        )
    )


def name(subscription: Subscription, number: int) -> str:
    """The message's id: the same at every attempt and redelivery, and another for every subscription and commit."""
    return f"msg_{subscription.id}_{number}"


class TestData(msgspec.Struct, frozen=True):
    """For which subscription it is."""

    subscription: str


class TestEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a test message: a CloudEvent that tells of nothing."""

    timestamp: str
    """When it was sent, as `time`."""
    specversion: Literal["1.0"] = "1.0"
    id: str
    """As `webhook-id`."""
    source: str
    """The subscription: `/v1/subscriptions/<id>`."""
    type: Literal["omenlog.test.v1"] = "omenlog.test.v1"
    time: str
    data: TestData


def test_name(subscription: str, now: str) -> str:
    """The id of a test message that is sent now."""
    return f"msg_{subscription}_test_{''.join(sign for sign in now if sign.isdigit())}"


def test_body(subscription: str, name: str, now: str) -> bytes:
    """A `TestEvent`."""
    source = f"/v1/subscriptions/{subscription}"
    return _encode(TestEvent(timestamp=now, id=name, source=source, time=now, data=TestData(subscription)))


def commit_of(subscription: str, name: str) -> int | None:
    """The commit of which a message with this id tells; None if it is none of this subscription's."""
    number = name.removeprefix(f"msg_{subscription}_")
    short = number != name and number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER
    return int(number) if short and number[0] != "0" else None
