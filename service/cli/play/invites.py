"""Invites, and the places that this machine's player holds; their tokens are kept in private files, never on a command line."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import rich_click as click

from service.identity import CO_REFEREE

HOST, SPECTATOR, REFEREE = "host", "spectator", "referee"
INVITED = re.compile(
    r"(?P<url>https?://[^\s#]+?)/?#/g/(?P<game>[a-z2-7]{20})/join/(?P<place>[^/\s]+)/(?P<secret>[A-Za-z0-9_-]+)"
)
EXAMPLE = "http://127.0.0.1:8000/#/g/GAME/join/seat-0/SECRET"


class NotAnInvite(ValueError):
    """The text is not an invite. The message shows what one looks like, and no secret."""


class Invite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything needed to take a place: the service, the game, the place, and a secret for one claim."""

    url: str
    game: str
    place: str
    """A seat's number, `spectator` or `referee`."""
    secret: str

    def __str__(self) -> str:
        """One address, which a browser can open too; it does not send what follows `#`."""
        place = f"seat-{self.place}" if self.place.isdecimal() else self.place
        return f"{self.url.rstrip('/')}/#/g/{self.game}/join/{place}/{self.secret}"


def read_invite(text: str) -> Invite:
    """Read an invite as somebody has pasted it; raises NotAnInvite."""
    found = INVITED.fullmatch(text.strip().strip("<>"))
    if found is None or not is_address(found["url"]):
        raise NotAnInvite(f"incomplete or invalid invite; it should look like {EXAMPLE}")
    place = found["place"]
    if place not in (SPECTATOR, REFEREE, CO_REFEREE) and not re.fullmatch(r"(seat-)?[0-5]", place):
        expected = f"seat-0 to seat-5, {SPECTATOR}, {REFEREE} or {CO_REFEREE}"
        raise NotAnInvite(f"invalid place `{place}` in this invite: expected {expected}")
    place = REFEREE if place == CO_REFEREE else place.removeprefix("seat-")
    return Invite(url=found["url"], game=found["game"], place=place, secret=found["secret"])


def is_address(text: str) -> bool:
    """Whether this can be the address of a service: a host, perhaps with a port and a path, and nothing more."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # an impossible port, or unbalanced brackets
        return False
    fits = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    return fits and port != 0 and re.fullmatch(r"[^\s#?]+", text) is not None


class SavedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place at a table, and the token that holds it."""

    url: str
    game: str
    place: str
    """A seat's number, `spectator`, `referee` or `host`."""
    name: str = ""
    """The player's name at the table."""
    token: str
    public: str = ""
    """The host's: the address in the invites."""
    over: bool = False
    """The game has ended."""

    @property
    def seat(self) -> int | None:
        return int(self.place) if self.place.isdecimal() else None

    @property
    def file(self) -> Path:
        return folder() / f"{self.game}-{self.place}.json"

    def save(self) -> None:
        """Write it to a file that only the user can read."""
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self.file.with_name(f".{secrets.token_hex(8)}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(msgspec.json.encode(self))
        part.replace(self.file)


def folder() -> Path:
    """`$XDG_STATE_HOME/omenlog`."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state.startswith("/") else Path.home() / ".local" / "state") / "omenlog"


def saved_places() -> list[SavedPlace]:
    """The places of this machine's player, the latest first."""
    return [_read(file) for file in sorted(folder().glob("*.json"), key=lambda file: -file.stat().st_mtime_ns)]


def saved_place(game: str, place: str) -> SavedPlace | None:
    """One of these places."""
    return next((one for one in saved_places() if (one.game, one.place) == (game, place)), None)


def _read(file: Path) -> SavedPlace:
    try:
        return msgspec.json.decode(file.read_bytes(), type=SavedPlace)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{file} is not a saved place ({error}): move it away") from None
