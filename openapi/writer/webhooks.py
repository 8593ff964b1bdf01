"""Webhooks in both documents, signed by Standard Webhooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from openapi.writer.schemas import Json, Types
from service.webhooks.message import CONTENT, FullEvent, TestEvent, ThinEvent, full, test_body, thin

SUMMARY = "Tell an endpoint of a commit."
TEXT = (
    "By Standard Webhooks, at least once and in the order of the commits of each game (for each token, where an account subscribed). "
    "The same `webhook-id` is the same message, however often it comes. Check the signature over `id.timestamp.body`, the bytes as they "
    "came, and that the timestamp is not older than some minutes; answer with any 2xx within 15 seconds (a setting), then work. "
    "Anything else is a failure and comes again by a schedule; `Retry-After` puts that off, and 410 ends the subscription. Before the "
    "first message the endpoint is asked by OPTIONS with `WebHook-Request-Origin` and agrees by `WebHook-Allowed-Origin` (CloudEvents' "
    "HTTP webhooks)."
)
HEADERS: dict[str, Json] = {
    "webhook-id": {
        "type": "string",
        "pattern": "^msg_[a-z2-7]{20}_(test_)?[0-9]+$",
        "description": "The message's id, the same at every attempt: whoever keeps the ids does nothing twice.",
    },
    "webhook-timestamp": {
        "type": "string",
        "pattern": "^[0-9]+$",
        "description": "When this attempt was signed: Unix time in seconds.",
    },
    "webhook-signature": {
        "type": "string",
        "pattern": "^v1a?,[A-Za-z0-9+/=]+( v1a?,[A-Za-z0-9+/=]+)*$",
        "description": (
            "Signatures, separated by blanks: `v1a,` and base 64 of ed25519 (checked by the `public_key` of the subscription), `v1,` and base "
            "64 of HMAC-SHA256 (checked by its `secret`); one of each for every key that holds."
        ),
    },
}
SIGNED = {
    "webhook-id": "msg_qfmzs4hk2mxvq5ohq2vd_71",
    "webhook-timestamp": "1767225600",
    "webhook-signature": "v1a," + "x" * 86 + "== v1," + "x" * 43 + "=",
}
ANSWERS = {
    "2XX": {"description": "The message was taken. Nothing of the answer is read but its status."},
    "410": {"description": "No more of these: the subscription is disabled, until its owner asks for redelivery."},
}
KINDS: dict[str, type[msgspec.Struct]] = {"thinMessage": ThinEvent, "fullMessage": FullEvent, "testMessage": TestEvent}
"""What can be sent: by the subscription's `payload`, and on demand."""
TRIED = ("qfmzs4hk2mxvq5ohq2vd", "msg_qfmzs4hk2mxvq5ohq2vd_test_20260101000000000", "2026-01-01T00:00:00.000Z")


def first_event(examples: Mapping[str, Mapping[str, Any]], operation: str = "getEvents") -> Any:  # noqa: ANN401 -- JSON
    """A real event of the examples; None if they have none."""
    events = examples.get(operation, {}).get("200", {}).get("events", ())
    return events[0] if events else None


def payload(name: str, event: Any) -> Any:  # noqa: ANN401 -- JSON
    """What is sent of a real event to the subscription of a token.

    Args:
        name: of `KINDS`.
        event: as a stream tells it, decoded.
    """
    if name == "testMessage":
        return json.loads(test_body(*TRIED))
    make = thin if name == "thinMessage" else full
    return json.loads(make(msgspec.json.encode(event), ""))


def examples(event: Any) -> dict[str, Any]:  # noqa: ANN401 -- as above
    """A message of each kind, made of a real event; none without one."""
    return {} if event is None else {name: payload(name, event) for name in KINDS}


def webhooks(types: Types, event: Any) -> Json:  # noqa: ANN401 -- as above
    """The section `webhooks` of the OpenAPI document.

    Args:
        types: is told of the messages.
        event: a real event for the examples, or None.
    """
    shown = {name: {"value": one} for name, one in examples(event).items()}
    content: Json = {"schema": {"anyOf": [types.ref(kind) for kind in KINDS.values()]}}
    if shown:
        content["examples"] = shown
    return {
        "commit": {
            "post": {
                "operationId": "receiveCommit",
                "summary": SUMMARY.removesuffix("."),
                "description": TEXT,
                "tags": ["webhooks"],
                "security": [],
                "parameters": [
                    {
                        "name": name,
                        "in": "header",
                        "required": True,
                        "description": schema["description"],
                        "schema": {key: value for key, value in schema.items() if key != "description"},
                        "example": SIGNED[name],
                    }
                    for name, schema in HEADERS.items()
                ],
                "requestBody": {"required": True, "content": {CONTENT: content}},
                "responses": ANSWERS,
            }
        }
    }


def header_schema() -> Json:
    """The headers of a message, for AsyncAPI."""
    return {"type": "object", "required": list(HEADERS), "properties": HEADERS}
