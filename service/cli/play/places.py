"""Invites, and the places at tables that this machine's player has: tokens lie in files of the user's own, never on a command line."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

HOST, SPECTATOR, REFEREE = "host", "spectator", "referee"
INVITED = re.compile(
    r"(?P<url>https?://[^\s#]+?)/?#/g/(?P<game>[a-z2-7]{20})/join/(?P<place>[^/\s]+)/(?P<secret>[A-Za-z0-9_-]+)"
)
EXAMPLE = "http://127.0.0.1:8000/#/g/GAME/join/0/SECRET"


class NoInvite(ValueError):
    """What was given is no invite. The message says what one looks like, and shows no secret."""


class NoPlace(ValueError):
    """A file that should hold a place can't be read. The message names it."""


class Invite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that takes a place: where the service is, which game, which place, and the secret that is good for one claim."""

    url: str
    game: str
    place: str
    """A seat's number, `spectator` or `referee`."""
    secret: str

    def __str__(self) -> str:
        """One address, which a browser opens too: what is behind `#` it sends to nobody."""
        return f"{self.url.rstrip('/')}/#/g/{self.game}/join/{self.place}/{self.secret}"


def read_invite(text: str) -> Invite:
    """Read an invite as somebody has pasted it.

    Raises:
        NoInvite: it is none.
    """
    found = INVITED.fullmatch(text.strip().strip("<>"))
    if found is None or not is_address(found["url"]):
        raise NoInvite(f"this is not a whole invite; one looks like {EXAMPLE}")
    place = found["place"]
    if place not in (SPECTATOR, REFEREE) and not re.fullmatch(r"[0-5]", place):
        raise NoInvite(f"this invite is for `{place}`, which is no place: a seat's number, {SPECTATOR} or {REFEREE} is")
    return Invite(url=found["url"], game=found["game"], place=place, secret=found["secret"])


def is_address(text: str) -> bool:
    """Whether a service may be reached there, and an invite be made of it: a host, maybe a port and a path, and nothing behind."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # a port beyond all, or brackets that do not fit
        return False
    fits = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    return fits and port != 0 and re.fullmatch(r"[^\s#?]+", text) is not None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place at a table, and the token that holds it."""

    url: str
    game: str
    place: str
    """A seat's number, `spectator`, `referee` or `host`."""
    name: str = ""
    """Of the player, as the table was told."""
    token: str
    public: str = ""
    """Of the host: the address in the invites."""
    over: bool = False
    """The game has ended."""

    @property
    def seat(self) -> int | None:
        """The seat, or None for whoever only looks on."""
        return int(self.place) if self.place.isdecimal() else None

    @property
    def file(self) -> Path:
        """Where it lies."""
        return folder() / f"{self.game}-{self.place}.json"

    def keep(self) -> None:
        """Write it where nobody but the user can read it.

        Raises:
            OSError: it can't be written.
        """
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self.file.with_name(f".{secrets.token_hex(8)}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(msgspec.json.encode(self))
        part.replace(self.file)


def folder() -> Path:
    """`$XDG_STATE_HOME/omenlog`."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state.startswith("/") else Path.home() / ".local" / "state") / "omenlog"


def places() -> list[Place]:
    """The places of this machine's player, the latest first.

    Raises:
        NoPlace: one can't be read.
    """
    return list(_read(sorted(folder().glob("*.json"), key=lambda file: file.stat().st_mtime_ns, reverse=True)))


def place_in(game: str, place: str) -> Place | None:
    """One of them."""
    return next((one for one in places() if (one.game, one.place) == (game, place)), None)


def _read(files: list[Path]) -> Iterator[Place]:
    for file in files:
        try:
            yield msgspec.json.decode(file.read_bytes(), type=Place)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise NoPlace(f"{file} holds no place at a table ({error}): move it away") from None
