"""Messages: a commit, as its subscriber's role was told it, as one signed CloudEvent.

A full message is byte for byte what the event stream gives that role, with a `recipient` where it goes to an account; a thin one says that there
is a commit, which is public. Standard Webhooks wants a `timestamp`, which to CloudEvents is an extension. Signatures are `v1a` (ed25519), and
`v1` (HMAC-SHA256) for receivers that know no other, over `id.timestamp.body`: one of each kind for every key that holds, so that a receiver that
knows any of them can check it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable
from typing import Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET, UnsetType

from service.games.lobby.answers import CommitEvent
from service.webhooks.subscription import Key, Subscription

CONTENT = "application/cloudevents+json"


def headers(keys: Iterable[Key], name: str, at: float, now: str, body: bytes) -> dict[str, str]:
    """The headers of a message. `at` is the Unix time of this attempt, `now` the same in ISO 8601: keys that held until then sign no more."""
    signed = b"%b.%d.%b" % (name.encode(), at, body)
    signatures = [
        signature for key in keys if not key.until or key.until > now for signature in _signatures(key, signed)
    ]
    return {
        "content-type": CONTENT,
        "webhook-id": name,
        "webhook-timestamp": str(int(at)),
        "webhook-signature": " ".join(signatures),
    }


def public_key(key: Key) -> str:
    """What checks `v1a`: `whpk_…`."""
    return "whpk_" + _text(_private(key).public_key().public_bytes_raw())


def shared_secret(key: Key) -> str:
    """What checks `v1`, and could sign it: `whsec_…`."""
    return "whsec_" + _text(_shared(key))


def _signatures(key: Key, signed: bytes) -> tuple[str, str]:
    return (
        "v1a," + _text(_private(key).sign(signed)),
        "v1," + _text(hmac.digest(_shared(key), signed, "sha256")),
    )


def _private(key: Key) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(key.secret)


def _shared(key: Key) -> bytes:
    """Derived, so that whoever knows it can't sign `v1a`."""
    return hashlib.sha256(b"omenlog webhook v1\x00" + key.secret).digest()


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


LONGEST_NUMBER = 9  # digits of a commit's number


class _Typed(msgspec.Struct):
    type: str


class _Data(msgspec.Struct):
    number: int
    turn: int
    round: int
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
    """The commit's, 1, 2, 3 within its game."""
    turn: int
    """The turn in which it began, as in `CommitData`."""
    round: int
    """The round of the haunt in which it began, as in `CommitData`."""


class ThinEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a thin message: a CloudEvent that says that there is a commit, but not what is in it."""

    timestamp: str
    """When it happened: the same as `time`, as Standard Webhooks asks."""
    specversion: Literal["1.0"] = "1.0"
    id: str
    """The commit's number; unique together with `source`."""
    source: str
    """The game: `/v1/games/<id>`."""
    type: Literal["omenlog.committed.v1"] = "omenlog.committed.v1"
    dataschema: Literal["urn:omenlog:committed:v1"] = "urn:omenlog:committed:v1"
    """What `data` adheres to: the `$id` of `GET /v1/schemas/events/committed`."""
    time: str
    sequence: str
    recipient: str | UnsetType = UNSET
    """To an account: the name of the token that is told."""
    data: ThinData


class FullEvent(CommitEvent, kw_only=True, omit_defaults=True):
    """The body of a full message: what the event stream tells the role. To an account it names the `recipient`, and has no `cursor`."""

    timestamp: str
    """When it happened: the same as `time`, as Standard Webhooks asks."""


def wanted(subscription: Subscription, event: bytes) -> bool:
    """Whether a commit, as the role was told it, is to be sent."""
    return not subscription.types or any(one.type in subscription.types for one in _read(event).data.events)


def body(subscription: Subscription, event: bytes) -> bytes:
    """What is sent of a commit, from what the role was told of it."""
    # A token's subscription knows who it is for; an account's may come from several tokens of one game.
    whom = subscription.token if subscription.whole else ""
    return (thin if subscription.payload == "thin" else full)(event, whom)


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
            data=ThinData(told.data.number, told.data.turn, told.data.round),
        )
    )


def name(subscription: Subscription, number: int) -> str:
    """The message's id: the same at every attempt and redelivery, and another for every subscription and commit."""
    return f"msg_{subscription.id}_{number}"


class TestData(msgspec.Struct, frozen=True):
    """For which subscription it is."""

    subscription: str


class TestEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a test message: a CloudEvent about no commit."""

    timestamp: str
    """When it was sent, as `time`."""
    specversion: Literal["1.0"] = "1.0"
    id: str
    """As `webhook-id`."""
    source: str
    """The subscription: `/v1/subscriptions/<id>`."""
    type: Literal["omenlog.test.v1"] = "omenlog.test.v1"
    dataschema: Literal["urn:omenlog:test:v1"] = "urn:omenlog:test:v1"
    """What `data` adheres to: the `$id` of `GET /v1/schemas/events/test`."""
    time: str
    data: TestData


def test_name(subscription: str, now: str) -> str:
    return f"msg_{subscription}_test_{''.join(sign for sign in now if sign.isdigit())}"


def test_body(subscription: str, name: str, now: str) -> bytes:
    source = f"/v1/subscriptions/{subscription}"
    return _encode(TestEvent(timestamp=now, id=name, source=source, time=now, data=TestData(subscription)))


def commit_of(subscription: str, name: str) -> int | None:
    """The commit that the message with this id tells; None if this subscription sent no such message of a commit."""
    number = name.removeprefix(f"msg_{subscription}_")
    short = number != name and number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER
    return int(number) if short and number[0] != "0" else None
