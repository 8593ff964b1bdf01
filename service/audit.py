"""Auditing an exported game, offline and from the file alone.

Every commit's place in the hash chain is checked, then every command is decided again, with the seed if it is disclosed
and else with the recorded answers of chance, and the events are compared byte for byte. The outcome is one of three:
`EXACT`, `UNVERIFIED` (nothing contradicts the record, but something in it can't be checked) or `DIVERGED`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import msgspec

from content.digest import decode_pack, digest
from domain.audience import REFEREE
from domain.chance import Answer, Chance, Request, Seeded, commitment
from domain.commands import AnyCommand
from domain.decide import decide
from domain.events import ChanceAnswered, GameArranged, GameOpened, SeatClaimed, Told
from domain.game import claim, close_game, open_game, rules_for, start_game
from domain.refusal import Refused
from domain.rules import REVISION, Rules
from domain.state import MODERATOR, State
from service.chain import FIRST, Broken, Salts, check_proof, position, verify
from service.commits import Stored, read_folded
from service.exported import Export, read_line
from service.games.requests import AnyLife, Claimed, Closed, Expired, Opened, Replaced, Started
from service.games.unattended import AUTO, addressee, run_out

SHORT = 160
"""Characters of an event that a message shows."""

_command = msgspec.json.Decoder(AnyCommand | AnyLife)
_encode = msgspec.json.Encoder().encode


class Outcome(Enum):
    """What an audit can find."""

    EXACT = "EXACT"
    """The record is whole, unaltered, and decided by the rules from first to last."""
    UNVERIFIED = "UNVERIFIED"
    """Nothing contradicts the record, but not all of it could be checked."""
    DIVERGED = "DIVERGED"
    """The record was altered, or the rules decide otherwise."""


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of an audit."""

    outcome: Outcome
    commits: int
    """Commits that were checked and hold."""
    commit: int | None = None
    """The first that differs."""
    because: str = ""
    """What differs, or what couldn't be checked."""


class Differs(Exception):
    """A commit differs from what the rules decide."""


def audit(export: Export) -> Verdict:
    """Audit an exported game.

    Args:
        export: full, for the whole audit; of a role's own export only the chain can be checked.
    """
    checker = _Decided(export) if export.full else _Linked(export)
    held = 0
    try:
        checker.begin()
        for number, line in enumerate(export.lines, 1):
            checker.check(number, line)
            held = number
    except (Broken, Differs) as difference:
        return Verdict(Outcome.DIVERGED, held, held + 1, str(difference))
    if held != export.header.version:
        because = f"the header speaks of {export.header.version} commits, the file has {held}"
        return Verdict(Outcome.DIVERGED, held, held + 1, because)
    doubt = checker.doubt()
    return Verdict(Outcome.UNVERIFIED if doubt else Outcome.EXACT, held, None, doubt)


class _Linked:
    """Checks a role's own export: that what the role was told stands in the chain."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._hash = FIRST

    def begin(self) -> None:
        """There is nothing to prepare."""

    def check(self, number: int, line: bytes) -> None:
        """Check one commit; raises `Broken`."""
        row = read_line(line)
        pieces = [row.header, *[piece for piece in (row.actor, row.command) if bytes(piece) != b"null"], *row.events]
        if row.proof.prev != self._hash:
            raise Broken(f"commit {number} follows on another commit than the one before it")
        header = msgspec.json.decode(row.header, type=_Head)
        if (header.number, header.game) != (number, self._export.header.game):
            raise Broken(f"commit {header.number} of game {header.game} stands in the place of commit {number}")
        told = b"\n".join([bytes(piece) for piece in pieces])
        check_proof(told, number, position(self._export.principal), row.proof)
        self._hash = row.proof.hash

    def doubt(self) -> str:
        """A role was not told enough to decide again."""
        return "what this role was told stands in the chain; only a full export can be decided again"


class _Head(msgspec.Struct):
    """What a public header says of its place."""

    game: str
    number: int


class _Decided:
    """Checks a full export: the chain, and every decision."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._header = export.header
        self._hash = FIRST
        self._salts = Salts(bytes.fromhex(export.header.salt_key))
        self._state = State()
        self._rules: Rules | None = None
        self._entropy: dict[int, str] = {}
        self._seeded: Chance | None = None
        self._otherwise = ""
        """The first decision that this engine takes otherwise than the older one that recorded it; none is taken after it."""

    def begin(self) -> None:
        """Check what the header claims of the pack and the seed; raises `Differs`."""
        header = self._header
        body = bytes(header.pack)
        if digest(body) != header.pack_digest:
            raise Differs("the pack in the header is not the one that the game pinned")
        try:
            self._rules = rules_for(decode_pack(body), header.edition)
        except (msgspec.DecodeError, KeyError, ValueError) as error:
            raise Differs(f"the pack in the header can't be used: {error}") from None
        disclosed = header.disclosed
        if disclosed is not None and header.commitment != commitment(
            bytes.fromhex(disclosed.seed), bytes.fromhex(disclosed.salt)
        ):
            raise Differs("the seed in the header is not the one that was promised when the game opened")

    def check(self, number: int, line: bytes) -> None:
        """Check one commit; raises `Broken` or `Differs`."""
        stored = verify(line, self._hash, self._salts)
        header = self._header
        place = (stored.number, stored.game, stored.pack, stored.rules)
        if place != (number, header.game, header.pack_digest, header.rules):
            raise Differs(f"commit {number} belongs to another game, or another place")
        try:
            recorded = read_folded(line).events
            command = _command.decode(stored.command)
        except (msgspec.DecodeError, ValueError) as error:
            raise Differs(f"commit {number} can't be read: {error}") from None
        self._hash = stored.hash
        if self._otherwise:
            return
        try:
            self._compare(stored, self._decide(stored, command, recorded))
        except Differs as difference:
            if header.rules == REVISION:
                raise
            self._otherwise = str(difference)
        self._state.commit = number

    def _decide(self, stored: Stored, command: AnyCommand | AnyLife, recorded: Sequence[Told]) -> list[Told]:
        try:
            return self._again(stored.actor, command, recorded)
        except Refused as refusal:
            raise Differs(f"commit {stored.number}: the rules refuse it: {refusal.detail}") from None
        except Differs:
            raise
        except Exception as error:
            raise Differs(f"commit {stored.number}: the engine fails on it: {error!r}") from error

    def _again(self, actor: str, command: AnyCommand | AnyLife, recorded: Sequence[Told]) -> list[Told]:
        """Decide a command again on the state so far."""
        rules, state = self._rules, self._state
        if rules is None:
            raise Differs("the audit has not begun")
        if isinstance(command, Opened):
            self._state, told = _open(rules, self._header.commitment, recorded)
            return told
        if isinstance(command, Claimed):
            claimed = [one.event for one in recorded if isinstance(one.event, SeatClaimed)]
            for event in claimed:
                self._entropy[event.seat] = event.entropy
            return [one for event in claimed for one in claim(rules, state, event)]
        if isinstance(command, Replaced):
            return []
        if isinstance(command, Closed):
            return close_game(rules, state, command.because)
        chance = self._chance(recorded)
        if isinstance(command, Started):
            return start_game(rules, state, chance, command.today)
        if isinstance(command, Expired):
            return run_out(rules, state, command, chance)
        seat = addressee(state, command.decision) if actor == AUTO else _seat(actor)
        return decide(rules, state, seat, command, chance)

    def _chance(self, recorded: Sequence[Told]) -> Chance:
        disclosed = self._header.disclosed
        if disclosed is None:
            return Recorded(recorded)
        if self._seeded is None:
            entropy = [self._entropy.get(seat, "") for seat in range(self._state.seats)]
            self._seeded = Seeded(bytes.fromhex(disclosed.seed), self._header.game, entropy)
        return self._seeded

    def _compare(self, stored: Stored, told: Sequence[Told]) -> None:
        decided = [b"[%d,%b]" % (one.to, _encode(one.event)) for one in told]
        recorded = [b"[%d,%b]" % (to, event) for to, event in stored.events]
        for place, (mine, theirs) in enumerate(zip(decided, recorded, strict=False), 1):
            if mine != theirs:
                raise Differs(
                    f"commit {stored.number}, event {place}: recorded {_short(theirs)}, decided again {_short(mine)}"
                )
        if len(decided) != len(recorded):
            raise Differs(f"commit {stored.number}: {len(recorded)} events recorded, {len(decided)} decided again")

    def doubt(self) -> str:
        """What couldn't be checked."""
        header = self._header
        if header.rules != REVISION:
            since = f"; from here on only the chain was checked: {self._otherwise}" if self._otherwise else ""
            return f"the game was opened by revision {header.rules} of the rules, this engine has {REVISION}{since}"
        if header.randomness == "seeded" and header.disclosed is None:
            return "the seed is not disclosed, so the dice were taken as recorded"
        if header.randomness == "table":
            return "the dice and cards were the players' own; all else was decided again, exactly"
        return ""


class Recorded:
    """Chance that answers what was recorded in one commit, and waits where the record waited."""

    def __init__(self, recorded: Sequence[Told]) -> None:
        """Take the answers out of a commit's events."""
        answers = [one.event for one in recorded if isinstance(one.event, ChanceAnswered)]
        self._answers = {one.index: Answer(faces=tuple(one.faces), pick=one.pick) for one in answers}

    def ask(self, request: Request) -> Answer | None:
        """The answer that was recorded, or pending."""
        return self._answers.get(request.index)


def _open(rules: Rules, promised: str, recorded: Sequence[Told]) -> tuple[State, list[Told]]:
    opened = recorded[0].event if recorded else None
    if not isinstance(opened, GameOpened) or opened.commitment != promised:
        raise Differs("commit 1 doesn't open the game, or promises another seed than the header")
    arranged = [one.event for one in recorded if isinstance(one.event, GameArranged) and one.to == REFEREE]
    return open_game(rules, opened, arranged[0].setup if arranged else None)


def _seat(actor: str) -> int:
    """Who acted, as the rules count: either moderator is the one who answers for chance."""
    return MODERATOR if actor in ("moderator", "co-moderator") else int(actor.removeprefix("seat:"))


def _short(event: bytes) -> str:
    text = event.decode(errors="replace")
    return text if len(text) <= SHORT else text[:SHORT] + "…"
