"""The cursor of an account's stream: how far each of its games was told.

There is no order among the commits of different games that all processes would agree on, short of a counter that every
append to every game waits for. So the cursor is a vector: for each place of the account, in the order in which the places
were given, the number of the last commit that was told. It is exact whoever serves the next request, needs nothing
of the store but the order of the places, and costs one to three bytes for a game.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Sequence

from service.problems import FieldError, ProblemError

CHECK = 9
"""Bytes that tell a cursor of this account from any other text."""
FORM = re.compile(r"[A-Za-z0-9_-]+")


def encode_cursor(key: bytes, positions: Sequence[int]) -> str:
    """Write a cursor.

    Args:
        key: the digest of the account's key, which only the service and the account's holder know.
        positions: by place.
    """
    written = bytearray()
    for position in positions:
        while position > 0x7F:  # noqa: PLR2004 -- seven bits to a byte, the eighth says that more follow
            written.append(position & 0x7F | 0x80)
            position >>= 7  # noqa: PLW2901 -- what is left of it
        written.append(position)
    return base64.urlsafe_b64encode(_check(key, written) + written).decode().rstrip("=")


def decode_cursor(key: bytes, text: str, places: int, where: str) -> list[int]:
    """Read a cursor; an empty text is the beginning.

    Args:
        key: as it was written with.
        text: the cursor.
        places: how many the account has: a cursor may know fewer, of which the others begin.
        where: the parameter or header in which it came.

    Raises:
        ProblemError: `invalid-cursor`.
    """
    if not text:
        return [0] * places
    found = _bytes(text)
    written = found[CHECK:]
    positions: list[int] = []
    value = shift = 0
    for byte in written:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            positions.append(value)
            value = shift = 0
    if not hmac.compare_digest(found[:CHECK], _check(key, written)) or shift or len(positions) > places:
        detail = "That is no cursor of this account: send one as it was given, or none to begin."
        raise ProblemError("invalid-cursor", detail, errors=[FieldError(where, detail)])
    return positions + [0] * (places - len(positions))


def _bytes(text: str) -> bytes:
    if not FORM.fullmatch(text) or len(text) % 4 == 1:
        return b""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _check(key: bytes, written: bytes | bytearray) -> bytes:
    return hmac.digest(key, b"account-cursor\x00" + written, "sha256")[:CHECK]
