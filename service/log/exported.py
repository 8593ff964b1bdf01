"""Reading an exported game (`service.games.read.proof` writes it), and folding it as any role saw it. From the file alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from domain.evolve import fold_commit
from domain.facts.audience import MAX_SEATS, REFEREE, SPECTATORS, Mask, principal_name, seat_bit
from domain.facts.events import AnyEvent, GameOpened, SandboxBegun, Told
from domain.facts.state import State
from domain.past import Passed
from service.log.chain import Broken, Digest, Proof, Salts, position, prove, unlike
from service.log.commits import cut, read_event
from service.log.facts import ForkFacts, encode
from service.log.reader import actor_number, latest_told, passed

FORMAT = 1
"""The version of the file format."""


NOTHING = msgspec.Raw(b"null")
"""In the place of bytes that aren't there. (msgspec 0.22 can't decode `Raw | None`.)"""


class Disclosure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is revealed when a game is disclosed."""

    seed: Digest
    salt: Digest
    """SHA-256 of salt and seed is the commitment. Both have 32 bytes: else the border between them could be moved."""


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line of an export."""

    omenlog: str
    """`full` or `role`."""
    format: int = FORMAT
    game: str
    principal: str
    """`referee` for a full export, else whose it is: `seat:1`, `spectators`."""
    version: int
    """How many commits follow."""
    edition: str
    rules: int
    pack_id: str
    pack_digest: str
    randomness: str
    commitment: str
    created: str
    pack: msgspec.Raw = NOTHING
    """The canonical pack: the digest is of these bytes."""
    salt_key: Digest | None = None
    disclosed: Disclosure | None = None
    fork: ForkFacts | None = None
    """Of a sandbox: what it is a fork of. Nothing that the file tells has happened."""


class RoleLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A commit as a role was told of it. The bytes of its members are those that were stored."""

    header: msgspec.Raw
    actor: msgspec.Raw = NOTHING
    command: msgspec.Raw = NOTHING
    events: list[msgspec.Raw]
    proof: Proof


def role_line(stored: bytes, principal: int, salts: Salts) -> RoleLine:
    """A commit as a seat or the spectators were told of it, with the proof."""
    _, parts = cut(stored)
    return RoleLine(
        header=msgspec.Raw(parts.header),
        actor=msgspec.Raw(parts.actor.body) if parts.actor.to & principal else NOTHING,
        command=msgspec.Raw(parts.command.body) if parts.command.to & principal else NOTHING,
        events=[msgspec.Raw(part.body) for part in parts.events if part.to & principal],
        proof=prove(stored, position(principal), salts),
    )


PRINCIPALS: dict[str, Mask] = {
    principal_name(bit): bit for bit in (*map(seat_bit, range(MAX_SEATS)), SPECTATORS, REFEREE)
}
"""Every principal by its name."""


class _Format(msgspec.Struct):
    """What is read of a header that can't be read."""

    format: int = FORMAT


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What bytes that are no JSON of ours raise; the last one where they are nested more deeply than any of ours."""

_header = msgspec.json.Decoder(Header)
_format = msgspec.json.Decoder(_Format)
_line = msgspec.json.Decoder(RoleLine)
_object = msgspec.json.Decoder(dict[str, Any])


class NotAnExport(ValueError):
    """The file is not an export that this version can read. The message says why."""


class Damaged(NotAnExport):
    """It was an export, but its first line is no longer a header. The message says what is wrong with it."""


class Export(msgspec.Struct, frozen=True):
    """An exported game: its header and a line for each commit."""

    header: Header
    lines: list[bytes]
    cut_off: bool = False
    """Whether the last line lacks its line feed."""

    @property
    def full(self) -> bool:
        """Whether it holds every commit whole; else what one role was told."""
        return self.header.omenlog == "full"

    @property
    def principal(self) -> Mask:
        """Whose export it is."""
        return PRINCIPALS[self.header.principal]


def parse_export(body: bytes) -> Export:
    """Read the bytes of an export. Raises as `read_export` does."""
    *rows, rest = body.split(b"\n")
    return msgspec.structs.replace(read_export([*rows, rest] if rest else rows), cut_off=bool(rest))


def read_export(rows: Sequence[bytes]) -> Export:
    """Read the lines of an export, given without line feeds. Raises `Damaged` if the header was altered, else `NotAnExport`."""
    first = rows[0] if rows else b""
    try:
        header = _header.decode(first)
    except UNREADABLE as error:
        raise _unreadable(next(filter(None, rows), b""), str(error)) from None
    if header.format != FORMAT:
        raise NotAnExport(f"an export of format {header.format}; this version reads format {FORMAT}")
    if header.omenlog not in ("full", "role"):
        raise Damaged(f"an export that is {header.omenlog}, neither full nor a role's")
    if header.principal not in PRINCIPALS:
        raise Damaged(f"an export of {header.principal}, who is nobody")
    if (header.omenlog == "full") != (PRINCIPALS[header.principal] == REFEREE):
        raise Damaged(f"an export that is {header.omenlog}, and of {header.principal}")
    if (header.omenlog == "full") == (header.salt_key is None):
        raise Damaged("the key of the salts belongs into a full export, and into no other")
    if header.omenlog == "role" and (header.pack is not NOTHING or header.disclosed is not None):
        raise Damaged("the pack and the seed belong into a full export, and into no other")
    place = unlike(first, encode(header))
    if place:
        raise Damaged(f"its first line differs from an export's {place}")
    return Export(header, list(rows[1:]))


def _unreadable(first: bytes, why: str) -> NotAnExport:
    """What is wrong with a first line: two of its names are looked for, so that damage to one leaves the other."""
    try:
        newer = _format.decode(first).format
    except UNREADABLE:
        newer = FORMAT
    if newer > FORMAT:
        return NotAnExport(f"an export of format {newer}; this version reads format {FORMAT}")
    if b'"omenlog":' in first or b'"pack_digest":' in first:
        return Damaged(f"its first line is no longer a header ({why})")
    return NotAnExport(f"not an export: its first line is not a header ({why})")


def differs_from_opening(header: Header, opened: AnyEvent | None, at: str) -> str:
    """Where a header contradicts the game's first event or the time of its commit; empty if nowhere."""
    if isinstance(opened, SandboxBegun):
        return _differs_from_sandbox(header, opened.state)
    if not isinstance(opened, GameOpened):
        return "commit 1 doesn't open the game"
    if header.fork is not None:
        return "the header speaks of a sandbox, and commit 1 opens a game"
    for what, claimed, recorded in (
        ("the game", header.game, opened.game),
        ("the edition", header.edition, opened.edition),
        ("the pack", header.pack_id, opened.pack),
        ("the pack's digest", header.pack_digest, opened.pack_digest),
        ("the source of chance", header.randomness, opened.source),
        ("the commitment to the seed", header.commitment, opened.commitment),
        ("the time of the opening", header.created, at),
    ):
        if claimed != recorded:
            return f"{what} is {claimed!r} in the header, and {recorded!r} in commit 1"
    return ""


def _differs_from_sandbox(header: Header, state: State) -> str:
    fork, sandbox = header.fork, state.sandbox
    told_of = None if fork is None else (fork.of, fork.at, fork.sampled)
    if state.game != header.game or sandbox is None or told_of != (sandbox.of, sandbox.at, sandbox.sampled):
        return "commit 1 begins another sandbox than the header speaks of"
    return ""


def open_export(path: Path) -> Export:
    """Read an export from a file. Raises as `read_export` does, or `OSError`."""
    return parse_export(path.read_bytes())


def read_line(line: bytes) -> RoleLine:
    """Read a commit of a role's export. Raises `Broken`, also if it is not written as the service writes it: more than its pieces counts."""
    try:
        row, whole = _line.decode(line), _object.decode(line)
    except UNREADABLE as error:
        raise Broken(f"no commit: {error}") from None
    place = unlike(line, encode(row)) or unlike(line, encode(whole))
    if place or None in whole.values():
        raise Broken(f"its line differs from an export's {place or 'by a null'}")
    return row


def replay(export: Export, principal: Mask, at: int | None = None) -> State:
    """Fold an export as a role saw it, up to a commit (the last). Raises `NotAnExport`, also for another role's export."""
    if not export.full and principal != export.principal:
        raise NotAnExport(f"this export shows what {export.header.principal} saw, not {principal_name(principal)}")
    state = State()
    try:
        for number, line in enumerate(export.lines if at is None else export.lines[:at], start=1):
            fold_commit(state, number, _passed(export, line, principal, number).told, principal)
    except (msgspec.DecodeError, ValueError) as error:
        raise NotAnExport(f"commit {state.commit + 1} can't be read: {error}") from None
    except Exception as error:  # noqa: BLE001 -- a fold checks nothing, so an altered file may break it anywhere
        why = f"commit {state.commit + 1} doesn't follow on what is before it ({error!r}); `omenlog verify` tells what was altered"
        raise NotAnExport(why) from None
    return state


def latest(export: Export, principal: Mask, at: int | None = None) -> list[Passed]:
    """A role's latest commits of play up to one: what it might take back is among them. Raises `NotAnExport`."""
    last = len(export.lines) if at is None else at
    backwards = (_passed(export, export.lines[number - 1], principal, number) for number in range(last, 0, -1))
    try:
        return latest_told(backwards, principal)
    except (*UNREADABLE, ValueError) as error:
        raise NotAnExport(f"one of the latest commits up to {last} can't be read: {error}") from None


def _passed(export: Export, line: bytes, principal: Mask, number: int) -> Passed:
    if export.full:
        return passed(line)
    row = read_line(line)
    actor = msgspec.json.decode(row.actor) or ""
    return Passed(number, actor_number(actor), [Told(principal, read_event(event)) for event in row.events])
