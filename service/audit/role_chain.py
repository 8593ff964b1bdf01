"""A role's own export and witnessed heads, checked against the hash chain.

A head is the number and the hash of a commit, and `omenlog witness` writes a file with one on each line. Whoever keeps some can show later
whether a log is the one that was played: a hash covers its commit and all commits before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from service.audit.redecide import Found
from service.log.chain import FIRST, Broken, Digest, check_proof, position
from service.log.commits import VERSION, PublicHeader, read_event
from service.log.exported import UNREADABLE, Export, differs_from_opening, read_line


class Linked:
    """Checks a role's own export, commit by commit."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self.hash = FIRST
        """Of the last commit that was checked."""

    def check(self, number: int, line: bytes) -> None:
        """Check one commit. Raises `Broken` if the role was told something else, or the commit is in another place."""
        try:
            row = read_line(line)
        except Broken as fault:
            raise Broken(f"commit {number}: {fault}") from None
        actor, command = bytes(row.actor), bytes(row.command)
        pieces = [
            bytes(row.header),
            *[piece for piece in (actor, command) if piece != b"null"],
            *map(bytes, row.events),
        ]
        if row.proof.prev != self.hash:
            raise Broken(f"commit {number} follows on another commit than the one before it")
        try:
            head = _head.decode(row.header)
            names = [_named.decode(event).type for event in row.events]
            commanded = "" if command == b"null" else _named.decode(command).type
            _actor.decode(actor)
        except UNREADABLE as error:
            raise Broken(f"commit {number} can't be read: {error}") from None
        if head.v != VERSION:
            raise Broken(f"commit {number} is of version {head.v}, not {VERSION}")
        if (head.number, head.game) != (number, self._export.header.game):
            raise Broken(f"commit {head.number} of game {head.game} is in the place of commit {number}")
        # A digest covers the pieces in their order, not what each of them is called in the file.
        if commanded[:1].isupper() or not all(name[:1].isupper() for name in names):
            raise Broken(f"commit {number}: a command is in the place of an event, or an event in that of the command")
        if (head.pack, head.rules) != (self._export.header.pack_digest, self._export.header.rules):
            raise Broken(f"commit {number} was decided by other rules, or another pack, than the header says")
        check_proof(b"\n".join(pieces), number, position(self._export.principal), row.proof)
        if number == 1:
            self._opening(row.events, head.at)
        self.hash = row.proof.hash

    def _opening(self, events: list[msgspec.Raw], at: str) -> None:
        try:
            opened = read_event(events[0]) if events else None
        except UNREADABLE as error:
            raise Broken(f"commit 1 can't be read: {error}") from None
        different = differs_from_opening(self._export.header, opened, at)
        if different:
            raise Broken(different)

    def end(self) -> Found:
        """A role was not told enough to decide again, or to see whether the record is whole."""
        return Found(doubt="what this role was told is in the chain; only a full export can be decided again")


class _Head(PublicHeader, forbid_unknown_fields=True):
    """As the service writes it, and nothing more."""


class _Named(msgspec.Struct):
    """What an event or a command is called: events begin with a capital, commands don't."""

    type: str


_head = msgspec.json.Decoder(_Head)
_actor = msgspec.json.Decoder(str | None)
_named = msgspec.json.Decoder(_Named)


Number = Annotated[int, msgspec.Meta(ge=1)]


class WitnessedHead(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commit's place in the chain."""

    game: str
    number: Number
    hash: Digest


class NoHeads(ValueError):
    """A file holds something else than heads, or those of several games. The message says where."""


_witnessed = msgspec.json.Decoder(WitnessedHead)


def read_heads(lines: Iterable[bytes], game: str) -> list[WitnessedHead]:
    """The heads in a file, in its order. Raises `NoHeads` if a line is not a head, is of another game, or contradicts an earlier one."""
    found: dict[int, WitnessedHead] = {}
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            head = _witnessed.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NoHeads(f"line {place} is not a valid head: {error}") from None
        if head.game != game:
            raise NoHeads(f"line {place} is a head of game {head.game}, not of {game}")
        if found.setdefault(head.number, head).hash != head.hash:
            raise NoHeads(f"line {place} tells another hash of commit {head.number} than a line before it")
    return list(found.values())


def open_heads(path: Path, game: str) -> list[WitnessedHead]:
    """The heads in a file. Raises as `read_heads` does, or `OSError`."""
    try:
        return read_heads(path.read_bytes().splitlines(), game)
    except NoHeads as error:
        raise NoHeads(f"{path}: {error}") from None
