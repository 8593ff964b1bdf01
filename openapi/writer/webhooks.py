"""Webhooks in both documents, signed by Standard Webhooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from openapi.writer.schemas import Json, Types
from service.webhooks.message import CONTENT, FullEvent, TestEvent, ThinEvent, full, test_body, thin

SUMMARY = "Tell an endpoint about a commit."
TEXT = (
    "Messages follow Standard Webhooks. They are delivered at least once, in the order of the commits of each game (for an account: "
    "of each token). Messages with the same `webhook-id` are the same message. Check the signature over `id.timestamp.body`, using the "
    "raw bytes, and reject timestamps that are more than a few minutes old. Answer with any 2xx within 15 seconds (a setting), then do "
    "the work. Any other answer is a failure and is retried on a schedule; `Retry-After` delays the retry, and 410 ends the subscription. "
    "Before the first message, the service asks the endpoint by OPTIONS with `WebHook-Request-Origin`, and the endpoint agrees with "
    "`WebHook-Allowed-Origin` (HTTP webhooks of CloudEvents)."
)
HEADERS: dict[str, Json] = {
    "webhook-id": {
        "type": "string",
        "pattern": "^msg_[a-z2-7]{20}_(test_)?[0-9]+$",
        "description": "The message's id, the same at every attempt. Keep the ids to handle each message once.",
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
            "Signatures, separated by spaces: `v1a,` and a base64 ed25519 signature (check it with the subscription's `public_key`), "
            "`v1,` and a base64 HMAC-SHA256 (check it with its `secret`); one of each for every valid key."
        ),
    },
}
SIGNED = {
    "webhook-id": "msg_qfmzs4hk2mxvq5ohq2vd_71",
    "webhook-timestamp": "1767225600",
    "webhook-signature": "v1a," + "x" * 86 + "== v1," + "x" * 43 + "=",
}
ANSWERS = {
    "2XX": {"description": "The message was accepted. The service reads only the status of the answer."},
    "410": {"description": "Send no more: the subscription is disabled until its owner asks for redelivery."},
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
