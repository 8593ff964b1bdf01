"""A recorded game: an exported file, or a game in a store. Folded for any role as of any commit, and traced."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from content.load.digest import decode_pack, digest, pack_bytes
from content.load.packs import Reading, builtin_packs
from domain.engine.rules import Rules
from domain.evolve import fold_commit
from domain.facts.audience import EVERYBODY, SPECTATORS, Mask, principal_name
from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import (
    AnyDeskCommand,
    GiveEvidence,
    OpenDispute,
    ReopenDispute,
    RuleDispute,
    WithdrawDispute,
)
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
from domain.facts.state import State
from domain.game import rules_for
from domain.past import Passed
from projections.choices.decisions import decisions_of
from projections.diff.compare import Moment
from projections.naming.names import commits_between, counted
from projections.naming.questions import in_words
from projections.trace.steps import Committed
from projections.view.game import view_of
from service.identity import GAME_ID
from service.log.commits import PublicHeader, read, read_event, read_folded
from service.log.exported import PRINCIPALS, Export, NotAnExport, latest, open_export, read_line, replay
from service.log.facts import read_facts
from service.log.packs import Library
from service.log.reader import commits, latest_told, passed
from service.store.port import LogStore, StoreDamaged


class NotRecorded(ValueError):
    """There is no such game, role, commit or pack. The message says which, and what would be right."""


class Recorded(msgspec.Struct, frozen=True):
    """A game that was recorded, up to some commit."""

    rules: Rules
    seats: int
    version: int
    """The number of its last commit."""
    principal: Mask
    """Whose eyes to look through unless others are asked for: whose export it is; of a full one, and in a store, the spectators'."""
    fold: Callable[[Mask, int], State]
    latest: Callable[[Mask, int], Sequence[Passed]]
    """The commits before one, as a role was told of them, as many as are looked at for what can be taken back."""

    def known(self, principal: Mask, at: int | None = None) -> State:
        """What a role knew as of a commit (the last). Raises `NotRecorded` for a missing seat or commit, or `NotAnExport`."""
        if at is not None and not 1 <= at <= self.version:
            raise NotRecorded(f"there is no commit {at}: the game has {self.version}")
        if principal < SPECTATORS and principal.bit_length() > self.seats:
            raise NotRecorded(
                f"there is no {principal_name(principal)}: the game has {counted(self.seats, 'seat')}, counted from 0"
            )
        return self.fold(principal, self.version if at is None else at)

    def moment(self, principal: Mask, at: int | None = None) -> Moment:
        """What a role saw then, and what it might do. Raises as `known` does."""
        state = self.known(principal, at)
        return Moment(
            view_of(self.rules, state, principal),
            decisions_of(self.rules, state, principal, self.passed(principal, at)),
        )

    def passed(self, principal: Mask, at: int | None = None) -> Sequence[Passed]:
        """The latest commits as of one, for what can be taken back then. Raises as `known` does."""
        return self.latest(principal, self.version if at is None else at)


def principal_of(role: str) -> Mask:
    """The principal of a role's name: `seat:2`, `referee`, `spectators` or `spectator`. Raises `NotRecorded`."""
    found = PRINCIPALS.get("spectators" if role == "spectator" else role)
    if found is None:
        raise NotRecorded(f"{role!r} is not a role: seat:0 to seat:5, spectator or referee")
    return found


def names_a_game(game: str) -> bool:
    """Whether this is a game's id, and not the path of a file."""
    return re.fullmatch(GAME_ID, game) is not None and not Path(game).exists()


def from_file(path: Path) -> Recorded:
    """An exported game. Raises `NotAnExport`, `OSError`, or `NotRecorded` if its pack is not known."""
    export = open_export(path)
    first = replay(export, export.principal, 1) if export.lines else State()
    return Recorded(
        rules=rules_of(export),
        seats=first.seats,
        version=len(export.lines),
        principal=SPECTATORS if export.full else export.principal,
        fold=lambda principal, at: replay(export, principal, at),
        latest=lambda principal, at: latest(export, principal, at),
    )


async def from_store(store: LogStore, game: str) -> Recorded:
    """A game of a store, as it is now. Raises `StoreError`, or `NotRecorded` if the store has no such game."""
    record = await store.get_game(game)
    if record is None:
        raise NotRecorded(f"the store has no game {game}")
    facts = read_facts(record.facts)
    bodies = [body async for _, body in commits(store, game, record.version)]

    def fold(principal: Mask, at: int) -> State:
        state = State()
        for number, body in enumerate(bodies[:at], start=1):
            try:
                told = read_folded(body).events
            except (msgspec.DecodeError, ValueError) as error:
                raise StoreDamaged(f"commit {number} of game {game} can't be read: {error}") from error
            fold_commit(state, number, told, principal)
        return state

    rules = await Library(store).rules(facts.pack_digest, facts.edition)
    return Recorded(
        rules=rules,
        seats=len(facts.seats),
        version=record.version,
        principal=SPECTATORS,
        fold=fold,
        latest=lambda principal, at: latest_told(map(passed, reversed(bodies[:at])), principal),
    )


def rules_of(export: Export) -> Rules:
    """The rules that a game was played by: of the pack in the file, or of the built-in one with its digest. Raises `NotRecorded`."""
    header = export.header
    if digest(bytes(header.pack)) == header.pack_digest:
        return rules_for(decode_pack(bytes(header.pack)), header.edition)
    built_in = rules_built_in(header.pack_digest, header.edition)
    if built_in is None:
        raise NotRecorded(f"the pack {header.pack_id} ({header.pack_digest}) is neither in the file nor built in")
    return built_in


def rules_built_in(pack_digest: str, edition: str) -> Rules | None:
    """The rules of the built-in pack with this digest, or None where there is none.

    It was checked when the game was opened, and its digest says that it is the same.
    """
    for folder in builtin_packs().values():
        body = pack_bytes(Reading(folder).pack())
        if digest(body) == pack_digest:
            return rules_for(decode_pack(body), edition)
    return None


# -- as a trace takes it ------------------------------------------------------------------------------------------------

_header = msgspec.json.Decoder(PublicHeader).decode
_command = msgspec.json.Decoder(AnyRecorded).decode


def committed(stored: bytes, principal: Mask) -> Committed:
    """A stored commit as a role was told of it. Raises `msgspec.DecodeError`, also for an event that this version doesn't know."""
    commit = read(stored)
    told = [one for one in read_folded(stored).events if one.to & principal]
    actor = commit.actor if commit.actor_to & principal else ""
    command = bytes(commit.command) if commit.command_to & principal else b""
    return _committed(commit.number, commit.at, actor, command, told)


def commit_of(export: Export, line: bytes, principal: Mask) -> Committed:
    """A line of an export as a role was told of it. Raises `NotAnExport` if it can't be read."""
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
        case Opened():
            return "Opened the game", None
        case Claimed():
            return f"Took seat {life.seat}", None
        case Replaced():
            return f"Freed seat {life.seat} for somebody else", None
        case Started():
            return "Started the game", None
        case Closed():
            return f"Abandoned the game: {life.because}", None
        case Forked():
            return f"Began a sandbox of game {life.of} as of commit {life.at}", None


def at_desk(command: AnyDeskCommand) -> str:
    """What was done at the referee's desk, in words."""
    match command:
        case OpenDispute():
            return f"Dispute {commits_between(command.first, command.last)}"
        case GiveEvidence():
            return f"Give evidence in dispute {command.number}"
        case WithdrawDispute():
            return f"Withdraw dispute {command.number}"
        case RuleDispute():
            verdict = in_words(command.outcome, command.to, command.reapply)
            return f"Rule on dispute {command.number}, {verdict}: {command.text}"
        case ReopenDispute():
            return f"Reopen dispute {command.number}: {command.text}"
