"""Reading an exported game (`service.games.export` writes it), and folding it as any role saw it. From the file alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from domain.audience import MAX_SEATS, REFEREE, SPECTATORS, Mask, principal_name, seat_bit
from domain.events import AnyEvent
from domain.state import State
from service.chain import Broken
from service.commits import read_folded
from service.games.export import FORMAT, Header, RoleLine
from service.upcasting import read_event

PRINCIPALS: dict[str, Mask] = {
    principal_name(bit): bit for bit in (*map(seat_bit, range(MAX_SEATS)), SPECTATORS, REFEREE)
}
"""Every principal by its name."""

_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(RoleLine)


class NotAnExport(ValueError):
    """The file is no export that this version can read. The message says why."""


class Export(msgspec.Struct, frozen=True):
    """An exported game: its header and a line for each commit."""

    header: Header
    lines: list[bytes]

    @property
    def full(self) -> bool:
        """Whether it holds every commit whole; else what one role was told."""
        return self.header.omenlog == "full"

    @property
    def principal(self) -> Mask:
        """Whose export it is."""
        return PRINCIPALS[self.header.principal]


def read_export(lines: Iterable[bytes]) -> Export:
    """Read an export, line by line.

    Raises:
        NotAnExport: the header is missing, damaged, or of a format that isn't known here.
    """
    rows = [line for line in (raw.rstrip(b"\r\n") for raw in lines) if line]
    try:
        header = _header.decode(rows[0] if rows else b"")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotAnExport(f"no export: its first line is no header ({error})") from None
    if header.format != FORMAT or header.omenlog not in ("full", "role"):
        raise NotAnExport(f"an export of format {header.format} ({header.omenlog}), which this version can't read")
    if header.principal not in PRINCIPALS:
        raise NotAnExport(f"an export of {header.principal}, who is nobody")
    return Export(header, rows[1:])


def open_export(path: Path) -> Export:
    """Read an export from a file.

    Raises:
        NotAnExport: see `read_export`.
        OSError: the file can't be read.
    """
    with path.open("rb") as file:
        return read_export(file)


def read_line(line: bytes) -> RoleLine:
    """Read a commit of a role's export.

    Raises:
        Broken: it is none.
    """
    try:
        return _line.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Broken(f"no commit: {error}") from None


def replay(export: Export, principal: Mask, at: int | None = None) -> State:
    """Fold an export as a role saw it.

    Args:
        export: full, or the role's own.
        principal: the role's bit.
        at: as of this commit; by default the last.

    Returns:
        What the role knew then: the same as the service's own fold, so views and decisions can be made from it.

    Raises:
        NotAnExport: another role's export, or a commit that can't be read.
    """
    if not export.full and principal != export.principal:
        raise NotAnExport(f"this export shows what {export.header.principal} saw, not {principal_name(principal)}")
    state = State()
    try:
        for line in export.lines if at is None else export.lines[:at]:
            for event in _told(export, line, principal):
                event.apply(state)
            state.commit += 1
    except (msgspec.DecodeError, ValueError) as error:
        raise NotAnExport(f"commit {state.commit + 1} can't be read: {error}") from None
    return state


def _told(export: Export, line: bytes, principal: Mask) -> list[AnyEvent]:
    if export.full:
        return [told.event for told in read_folded(line).events if told.to & principal]
    return [read_event(event) for event in read_line(line).events]
