"""Signatures by Standard Webhooks: `v1a` (ed25519), and `v1` (HMAC-SHA256) for receivers that know no other.

What is signed is `id.timestamp.body`. A message carries one signature of each kind for every key that holds, so that a receiver
that knows any of them can check it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.webhooks.subscription import Key

CONTENT = "application/cloudevents+json"


def headers(keys: Iterable[Key], name: str, at: float, now: str, body: bytes) -> dict[str, str]:
    """The headers of a message.

    Args:
        keys: of the subscription.
        name: the message's id, the same at every attempt.
        at: Unix time of this attempt, in seconds.
        now: the same, ISO 8601 in UTC: keys that held until then sign no more.
        body: the very bytes that are sent.
    """
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
    """Of its own, so that whoever is told it can't sign `v1a`."""
    return hashlib.sha256(b"omenlog webhook v1\x00" + key.secret).digest()


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
