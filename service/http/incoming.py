"""Headers and parameters of requests: a token, conditions, an idempotency key. Litestar enforces and documents only what is declared here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, cast

from litestar.di import NamedDependency
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.types import HTTPScope, Scope

from content.patterns import whole
from service.bootstrap import Service
from service.identity import GAME_ID, LENGTH, PREFIX, Caller
from service.limits import customer
from service.problems import ProblemError, unauthorized
from service.webhooks.desk import Desk

TOKEN = re.compile(rf"Bearer +({PREFIX}[A-Za-z0-9_-]{{{LENGTH - len(PREFIX)}}})", re.IGNORECASE)
KEY = re.compile(r'"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255})')
"""An idempotency key: bare, or a quoted string as the draft on the header has it; no blanks, quotes and backslashes."""
TAG = re.compile(r'\s*(W/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)')
"""An entity tag in a list (RFC 9110, section 8.8.3)."""
QUALITY = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")
VERSION = re.compile(r"([1-9][0-9]{0,8})(\.[A-Za-z0-9_-]{1,64})?")
"""An entity tag of ours: a commit's number, and mostly a digest of what else decides the bytes."""
STRONG_KEY = 16
"""Characters that an idempotency key needs where it protects tokens."""
HEADERS = "omenlog.headers"
"""Under this key a scope has its headers by name, each once."""
LONGEST_KEY = 257
"""Characters of the header, quotes included."""


def bearer(header: str | None) -> str:
    """The token in an `Authorization` header. Raises `unauthorized`."""
    found = TOKEN.fullmatch(header) if header else None
    if found is None:
        raise unauthorized()
    return found[1]


def address(scope: Scope) -> str:
    """Where a request comes from, as its limits go by it: an address, or of IPv6 a network."""
    client = cast("HTTPScope", scope).get("client")
    return customer(client[0]) if client else ""


# -- headers ------------------------------------------------------------------------------------------------------------


def header(scope: Scope, name: bytes) -> bytes | None:
    """A header as it came; the name in small letters, as servers hand them on."""
    value: bytes | None = cast("Any", scope)[HEADERS].get(name)
    return value


def idempotency_key(header: str | None) -> str:
    """The key in an `Idempotency-Key` header, empty without one. Raises `invalid-idempotency-key`."""
    if header is None:
        return ""
    found = KEY.fullmatch(header)
    if found is None:
        raise ProblemError("invalid-idempotency-key", "1 to 255 visible characters of ASCII, no quotes, no blanks.")
    return found[1] or found[2]


def strong_key(header: str | None) -> str:
    """The key, where it protects tokens: it must be long, and ought to be random. Raises `invalid-idempotency-key`."""
    key = idempotency_key(header)
    if key and len(key) < STRONG_KEY:
        raise ProblemError(
            "invalid-idempotency-key",
            f"Here the key protects tokens: {STRONG_KEY} characters at least, and not to be guessed.",
        )
    return key


def if_match(header: str | None) -> Sequence[int] | None:
    """The versions that `If-Match` allows, or None for any (RFC 9110, section 13.1.1). Raises `invalid-precondition`.

    A condition is about the game, not about one picture of it: of `"140.x"` the number alone is compared. A weak tag, or one that we never gave,
    matches nothing.
    """
    if header is not None and not header.strip():
        raise ProblemError("invalid-precondition", 'Expected *, or entity tags: "12", "13".')
    tags = _tags(header)
    if tags is None:
        return None
    found = [VERSION.fullmatch(tag) for weak, tag in tags if not weak]
    return [int(one[1]) for one in found if one is not None]


def none_match(header: str | None, tag: str) -> bool:
    """Whether `If-None-Match` names this tag, given without quotes (RFC 9110, section 13.1.2). Raises `invalid-precondition`."""
    if header is None or not header.strip():
        return False
    tags = _tags(header)
    return tags is None or tag in [one for _, one in tags]


def _tags(header: str | None) -> list[tuple[bool, str]] | None:
    """The entity tags of a list; None for no list, or `*`."""
    if header is None or header.strip() in ("", "*"):
        return None
    tags: list[tuple[bool, str]] = []
    at = 0
    while at < len(header):
        found = TAG.match(header, at)
        if found is None:
            raise ProblemError("invalid-precondition", 'Expected *, or entity tags: "12", "13".')
        tags.append((found[1] is not None, found[2]))
        at = found.end()
    return tags


def accepted(header: str | None, offered: Sequence[str]) -> str:
    """The media type that is wanted most, the first of equals (RFC 9110, section 12.5.1). Raises `not-acceptable`."""
    qualities = _qualities(header or "*/*")
    best, weight = "", 0.0
    for kind in offered:
        ranges = (kind, f"{kind.partition('/')[0]}/*", "*/*")  # the most precise one counts
        wanted = next((qualities[name] for name in ranges if name in qualities), 0.0)
        if wanted > weight:
            best, weight = kind, wanted
    if not best:
        raise ProblemError("not-acceptable", f"Offered are {', '.join(offered)}.")
    return best


@lru_cache(maxsize=64)
def takes_gzip(header: str | None) -> bool:
    """Whether an `Accept-Encoding` header wants gzip at least as much as the bytes as they are (RFC 9110, section 12.5.3)."""
    if not header:
        return False
    found = _qualities(header)
    gzip = found.get("gzip", found.get("x-gzip", found.get("*", 0.0)))
    return gzip > 0 and gzip >= found.get("identity", 0.0)


def _qualities(header: str) -> dict[str, float]:
    """How much each thing that a header lists is wanted, from 0 to 1."""
    found = {}
    for part in header.split(","):
        name, *parameters = [piece.strip().lower() for piece in part.split(";")]
        quality = next((one[2:].strip() for one in parameters if one.startswith("q=")), "1")
        found[name] = float(quality) if QUALITY.fullmatch(quality) else 0.0
    return found


GAME = GAME_ID
MOST = 999_999_999
"""The highest commit number that anybody can speak of."""
FROM_ZERO: dict[str, Any] = {"ge": 0, "schema_extra": {"minimum": 0}}
"""For a number that may be left out: of such, Litestar keeps no bound of 0 in the contract."""


def shown(value: object) -> list[Example]:
    """The example of a parameter for which anything else is most likely not there."""
    return [Example(value=value)]


FromService = NamedDependency[Service]
FromCaller = NamedDependency[Caller]
FromDesk = NamedDependency[Desk]
Game = Annotated[str, PathParameter(pattern=GAME, description="The game's id.")]
SeatNumber = Annotated[int, PathParameter(examples=shown(0), ge=0, le=5, description="The seat, counted from 0.")]
_NAME = whole(r"^[a-z][a-z0-9-]{0,39}$")
TokenName = Annotated[str, PathParameter(examples=shown("host"), pattern=_NAME, description="The token's public name.")]
InviteName = Annotated[
    str, PathParameter(examples=shown("invite-seat-1"), pattern=_NAME, description="The invite's public name.")
]
At = Annotated[
    int | None,
    QueryParameter(ge=1, le=MOST, description="As of this commit. Default: the latest that the caller may see."),
]
As = Annotated[
    str | None,
    QueryParameter(
        name="as",
        pattern=whole(r"^(seat:[0-5]|spectator|referee)$"),
        description="For the referee, and after the disclosure for all: whose view is shown. For an account: the bound role that reads.",
    ),
]
After = Annotated[int, QueryParameter(ge=0, le=MOST, description="The cursor: only later commits.")]
Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="The most items on a page.")]
Sentences = Annotated[
    bool,
    QueryParameter(description="Also tell each event in a sentence, as the role's trace does: `sentences` in `data`."),
]
KEY_TEXT = "Makes a retry safe: the same key and request always get the first answer. Bare or quoted."
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", description=KEY_TEXT, schema_extra={"min_length": 1, "max_length": LONGEST_KEY}
    ),
]
StrongKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description=f"{KEY_TEXT} It protects tokens, so make it long and random.",
        schema_extra={"min_length": STRONG_KEY, "max_length": LONGEST_KEY},
    ),
]
"""Bounds are documented here and enforced by `service.http.incoming`, which answers `invalid-idempotency-key`."""
IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description='Entity tags. Unless one begins with the game\'s version (`"140.x"` or `"140"`), the answer is 412.',
        schema_extra={"min_length": 1},
    ),
]
IfNoneMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-None-Match", description="Entity tags that the caller has: 304 if one of them is current."
    ),
]
LastEventId = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", description="For a live stream: the cursor, in place of `after`.")
]
AccountAfter = Annotated[
    str,
    QueryParameter(description="The cursor, exactly as received; empty to start from the beginning.", max_length=2000),
]
Ticket = Annotated[
    str | None,
    QueryParameter(
        description="A ticket in place of a token, for clients that can't send headers (see `makeTicket`). It takes precedence."
    ),
]
