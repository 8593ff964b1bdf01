"""Signatures by Standard Webhooks, checked by its own library and by the standard's words."""

import base64
import time

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from service.webhooks.message import headers, public_key, shared_secret
from service.webhooks.subscription import Key

OLD = Key(id="old", secret=bytes(range(32)), until="2026-01-02T00:00:00.000Z")
NEW = Key(id="new", secret=bytes(range(1, 33)))
BODY = b'{"type":"omenlog.commit.v1"}'
DURING, AFTER = "2026-01-01T12:00:00.000Z", "2026-01-02T00:00:00.001Z"


def signed(now: str) -> dict[str, str]:
    return headers([NEW, OLD], "msg_1", time.time(), now, BODY)


def holds(key: Key, sent: dict[str, str], body: bytes = BODY) -> bool:
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key(key).removeprefix("whpk_")))
    for one in sent["webhook-signature"].split(" "):
        version, text = one.split(",")
        try:
            if version == "v1a":
                public.verify(
                    base64.b64decode(text), f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + body
                )
                return True
        except InvalidSignature:
            continue
    return False


def test_the_official_library_takes_v1_and_passes_over_v1a() -> None:
    assert Webhook(shared_secret(NEW)).verify(BODY, signed(DURING)) == {"type": "omenlog.commit.v1"}


@pytest.mark.parametrize("change", [{"webhook-id": "msg_2"}, {"webhook-timestamp": str(int(time.time()) - 5)}])
def test_id_time_and_body_are_all_signed(change: dict[str, str]) -> None:
    sent = signed(DURING)
    assert holds(NEW, sent)
    assert not holds(NEW, {**sent, **change})
    assert not holds(NEW, sent, BODY + b" ")
    with pytest.raises(WebhookVerificationError):
        Webhook(shared_secret(NEW)).verify(BODY, {**sent, **change})


def test_an_older_key_signs_until_its_time_is_over() -> None:
    assert holds(OLD, signed(DURING))
    assert holds(NEW, signed(DURING))
    assert not holds(OLD, signed(AFTER))
    assert holds(NEW, signed(AFTER))


def test_who_knows_the_shared_secret_can_not_sign_as_the_key() -> None:
    forged = Key(id="x", secret=base64.b64decode(shared_secret(NEW).removeprefix("whsec_")))
    assert public_key(forged) != public_key(NEW)
    assert shared_secret(replace(NEW, until=AFTER)) == shared_secret(NEW)
