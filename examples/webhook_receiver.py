"""A receiver of webhooks: agrees to be sent to, checks signatures, and takes each commit once and in order.

    python examples/webhook_receiver.py 9000 --key whpk_... [--key whpk_...]

A key is the `public_key` that registering answers; while keys are rotated give the old one and the new one. Until you have one leave
them out: then nothing is taken but the question whether you agree. Needs `cryptography` and nothing else.
"""

import argparse
import base64
import json
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TOLERANCE = 300  # seconds that a message may be old: what is older somebody may have recorded, and sends again
seen: set[str] = set()  # a real receiver keeps these with its data, in one transaction


def genuine(keys: list[Ed25519PublicKey], headers, body: bytes) -> bool:
    """Whether one of the keys signed this body, just now, under this id."""
    name, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs(time.time() - int(sent)) > TOLERANCE:
        return False
    signatures = [one[4:] for one in headers.get("webhook-signature", "").split() if one.startswith("v1a,")]
    for key, signature in product(keys, signatures):
        with suppress(InvalidSignature, ValueError):
            key.verify(base64.b64decode(signature), f"{name}.{sent}.".encode() + body)
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    keys: list[Ed25519PublicKey] = []

    def do_OPTIONS(self) -> None:
        self.answer(204, self.headers.get("WebHook-Request-Origin", "*"))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not genuine(self.keys, self.headers, body):
            return self.answer(401)
        if self.headers["webhook-id"] not in seen:  # at least once: the same message may come again
            event = json.loads(body)
            types = [one["type"] for one in event["data"].get("events", ())]
            line = " ".join([event["source"], str(event["data"]["number"]), *types])
            print(f"{line}\n", end="", flush=True)  # whole, since several threads print
            seen.add(self.headers["webhook-id"])
        return self.answer(204)

    def answer(self, status: int, agreeing: str = "") -> None:
        self.send_response(status)
        if agreeing:
            self.send_header("WebHook-Allowed-Origin", agreeing)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("port", type=int)
    options.add_argument("--key", action="append", default=[])
    given = options.parse_args()
    for key in given.key:
        Receiver.keys.append(Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_"))))
    with ThreadingHTTPServer(("127.0.0.1", given.port), Receiver) as server:
        print(f"receiving at http://127.0.0.1:{server.server_address[1]}/", flush=True)
        server.serve_forever()
