"""A receiver of webhooks: agrees to be sent to, checks signatures, and takes each commit once and in order.

    python examples/webhook_receiver.py 9000 --key whpk_... [--key whpk_...]

A key is the `public_key` that registering answers; while keys are rotated give the old one and the new one. Until you have one leave
them out: then nothing is taken but the question whether you agree. Needs `cryptography` and nothing else.
"""

import argparse
import base64
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TOLERANCE = 300
"""Seconds that a message may be old: what is older somebody may have recorded, and sends again."""

seen: set[str] = set()  # a real receiver keeps these with its data, in one transaction


def genuine(keys: list[Ed25519PublicKey], headers, body: bytes) -> bool:
    """Whether one of the keys signed this body, just now, under this id."""
    name, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs(time.time() - int(sent)) > TOLERANCE:
        return False
    for signature in headers.get("webhook-signature", "").split():
        version, _, text = signature.partition(",")
        for key in keys if version == "v1a" else ():
            try:
                key.verify(base64.b64decode(text), f"{name}.{sent}.".encode() + body)
            except (InvalidSignature, ValueError):
                continue
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    keys: list[Ed25519PublicKey] = []

    def do_OPTIONS(self) -> None:
        self.answer(204, ("WebHook-Allowed-Origin", self.headers.get("WebHook-Request-Origin", "*")))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not genuine(self.keys, self.headers, body):
            return self.answer(401)
        if self.headers["webhook-id"] not in seen:  # at least once: the same message may come again
            event = json.loads(body)
            print(
                event["source"],
                event["data"]["number"],
                *[one["type"] for one in event["data"].get("events", ())],
                flush=True,
            )
            seen.add(self.headers["webhook-id"])
        return self.answer(204)

    def answer(self, status: int, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("port", type=int)
    options.add_argument("--key", action="append", default=[])
    given = options.parse_args()
    raw = [base64.b64decode(key.removeprefix("whpk_")) for key in given.key]
    Receiver.keys = [Ed25519PublicKey.from_public_bytes(key) for key in raw]
    with ThreadingHTTPServer(("127.0.0.1", given.port), Receiver) as server:
        print(f"receiving at http://127.0.0.1:{server.server_address[1]}/", flush=True)
        server.serve_forever()
