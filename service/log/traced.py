"""Stored commits, and lines of exports, as a trace takes them: what one role was told, with the command read."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.facts.audience import EVERYBODY, Mask
from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import AnyDeskCommand, GiveEvidence, OpenDispute, RuleDispute, WithdrawDispute
from domain.facts.events import Told
from domain.facts.lifecycle_commands import (
    AnyLife,
    AnyRecorded,
    Claimed,
    Closed,
    Expired,
    Forked,
    Lapsed,
    Opened,
    Replaced,
    Started,
)
from projections.naming.questions import VERDICTS
from projections.trace.steps import Committed
from service.log.exported import Export, NotAnExport, read_line
from service.log.upcasting import read_event, read_told


class _Stored(msgspec.Struct, frozen=True):
    """What is read of a stored commit."""

    number: int
    at: str
    actor: str
    actor_to: Mask
    command: msgspec.Raw
    command_to: Mask
    events: list[Told]


class _StoredOld(msgspec.Struct, frozen=True):
    """The same but for the events, which `service.log.upcasting` reads."""

    number: int
    at: str
    actor: str
    actor_to: Mask
    command: msgspec.Raw
    command_to: Mask


class _Header(msgspec.Struct, frozen=True):
    """What is read of the public header of a commit."""

    number: int
    at: str


_stored = msgspec.json.Decoder(_Stored).decode
_stored_old = msgspec.json.Decoder(_StoredOld).decode
_header = msgspec.json.Decoder(_Header).decode
_command = msgspec.json.Decoder(AnyRecorded).decode


def committed(stored: bytes, principal: Mask) -> Committed:
    """A stored commit as a role was told of it.

    Raises:
        msgspec.DecodeError: the bytes are no commit, or hold an event that this version doesn't know.
    """
    events: list[Told]
    try:
        found = _stored(stored)
        number, at, events = found.number, found.at, found.events
        actor, actor_to, command, command_to = found.actor, found.actor_to, found.command, found.command_to
    except msgspec.ValidationError:
        old = _stored_old(stored)
        number, at, events = old.number, old.at, read_told(stored)
        actor, actor_to, command, command_to = old.actor, old.actor_to, old.command, old.command_to
    told = [one for one in events if one.to & principal]
    seen = bytes(command) if command_to & principal else b""
    return _committed(number, at, actor if actor_to & principal else "", seen, told)


def commit_of(export: Export, line: bytes, principal: Mask) -> Committed:
    """A line of an export as a role was told of it.

    Raises:
        NotAnExport: it can't be read.
    """
    try:
        if export.full:
            return committed(line, principal)
        row = read_line(line)
        header = _header(row.header)
        actor = msgspec.json.decode(row.actor) or ""
        command = b"" if bytes(row.command) == b"null" else bytes(row.command)
        told = [Told(EVERYBODY, read_event(event)) for event in row.events]
        return _committed(header.number, header.at, actor, command, told)
    except (msgspec.DecodeError, ValueError) as error:
        raise NotAnExport(f"a commit can't be read: {error}") from None


def _committed(number: int, at: str, actor: str, command: bytes, told: list[Told]) -> Committed:
    raw: Any = None
    done: AnyCommand | None = None
    desk: AnyDeskCommand | None = None
    said = ""
    if command:
        raw = msgspec.json.decode(command)
        found = _command(command)
        if isinstance(found, AnyDeskCommand):
            said, desk = at_desk(found), found
        else:
            said, done = _said(found) if isinstance(found, AnyLife) else ("", found)
    return Committed(number=number, at=at, actor=actor, command=done, desk=desk, raw=raw, said=said, told=told)


def _said(life: AnyLife) -> tuple[str, AnyCommand | None]:
    """What was done to the game as a whole, in words, with the command that a deadline brought."""
    match life:
        case Expired():
            return f"Time ran out at {life.due}: ", life.command
        case Lapsed():
            return f"Time ran out at {life.due} for dispute {life.dispute}", None
        case _:
            return _whole(life), None


def _whole(life: Opened | Claimed | Replaced | Started | Closed | Forked) -> str:
    """What was done to the game as a whole."""
    match life:
        case Opened():
            return "Open the game"
        case Claimed():
            return f"Take seat {life.seat}"
        case Replaced():
            return f"Free seat {life.seat} for somebody else"
        case Started():
            return "Start the game"
        case Closed():
            return f"Abandon the game: {life.because}"
        case Forked():
            return f"Begin a sandbox of game {life.of} as of commit {life.at}"


def at_desk(command: AnyDeskCommand) -> str:
    """What was done at the referee's desk, in words."""
    match command:
        case OpenDispute():
            span = f"commits {command.first} to {command.last}"
            return f"Dispute {span if command.last > command.first else f'commit {command.first}'}"
        case GiveEvidence():
            return f"Give evidence in dispute {command.number}"
        case WithdrawDispute():
            return f"Withdraw dispute {command.number}"
        case RuleDispute():
            return (
                f"Rule on dispute {command.number}, {VERDICTS[command.outcome].format(to=command.to)}: {command.text}"
            )
