"""Deciding an exported game again: every link of the chain, every command, every die."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

import msgspec

from content.load.digest import decode_pack, digest
from domain.decide import goes_back
from domain.engine.rules import REVISION, Rules
from domain.engine.witness import TABLE
from domain.facts.audience import EVERYBODY, REFEREE, seat_bit
from domain.facts.chance import Chance, Seeded, commitment
from domain.facts.events import GameArranged, GameOpened, SandboxBegun, SeatClaimed, Told
from domain.facts.lifecycle_commands import AnyRecorded, Claimed, Forked, Life, Opened, Replaced, Started
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.game import claim, open_game, rules_for
from domain.past import Past
from domain.redecide import RecordedChance, redecide
from domain.rulebook.turn.options import is_unnamed
from domain.sandbox import begun_again
from projections.naming.names import counted
from service.log.chain import FIRST, Broken, Salts, verify
from service.log.commits import Stored, read, read_folded
from service.log.exported import UNREADABLE, Export, differs_from_opening
from service.log.facts import OVER
from service.log.reader import AUTO, MODERATORS, TRAITOR, actor_of, past_in

SHORT = 160
"""Characters of an event that a message shows."""
SHOWN = 4_000
"""Characters of an event shown side by side; of longer ones the beginning."""

_command = msgspec.json.Decoder(AnyRecorded)
_encode = msgspec.json.Encoder().encode


class Difference(msgspec.Struct, frozen=True):
    """The first event of a commit that differs, side by side."""

    event: int
    """Its place in the commit, counted from 1."""
    recorded: str
    """What the log has: `[audience, event]` as JSON, or empty if the log has fewer events."""
    decided: str
    """What the rules decide, or empty if they decide fewer events."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a record is worth in which nothing was altered."""

    doubt: str
    """What couldn't be checked."""
    dice: str = ""
    """Where the dice and cards came from, and what that is worth."""
    redecided: bool = False
    """Whether every command was decided again, to the same bytes."""
    running: bool = False
    """Whether the record ends before the game does."""
    differs: Difference | None = None
    """The first events that an older revision of the rules decided differently."""


class Diverged(Exception):
    """A commit differs from what the rules decide."""

    def __init__(self, because: str, commit: int | None = None, events: Difference | None = None) -> None:
        """`commit` is the first that differs (None: the one that is being looked at), `events` the first events that do."""
        super().__init__(because)
        self.commit = commit
        self.events = events


class Decided:
    """Checks a full export: the chain, every decision, every die."""

    def __init__(self, export: Export, *, linked: bool = False) -> None:
        """With `linked` the chain is checked elsewhere, and only the decisions are here."""
        self._header = export.header
        self._salts = Salts(bytes.fromhex(export.header.salt_key or ""))
        self._linked = linked
        self._state = State()
        self._rules: Rules | None = None
        self._lines = export.lines
        self._entropy: dict[int, str] = {}
        self._seeded: Chance | None = None
        self._opened_at = ""
        self._otherwise = ""
        """The first decision on which this engine differs from the older one that recorded it; none is taken after it."""
        self._differs: Difference | None = None
        """The events of that decision that differ."""
        self.hash = FIRST
        """Of the last commit that was checked."""

    # -- begin, commit by commit, end ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Check what the header claims of the pack and the seed; raises `Diverged`."""
        header = self._header
        body = bytes(header.pack)
        if digest(body) != header.pack_digest:
            raise Diverged("the pack in the header is not the one that the game pinned")
        try:
            self._rules = _rules(body, header.edition)
        except (*UNREADABLE, KeyError, ValueError) as error:
            raise Diverged(f"the pack in the header can't be used: {error}") from None
        disclosed = header.disclosed
        if disclosed is not None and header.commitment != commitment(
            bytes.fromhex(disclosed.seed), bytes.fromhex(disclosed.salt)
        ):
            raise Diverged("the seed in the header is not the one that was promised when the game opened")

    def check(self, number: int, line: bytes) -> None:
        """Check one commit; raises `Broken` or `Diverged`."""
        stored = self._read(number, line)
        header = self._header
        place = (stored.number, stored.game, stored.pack, stored.rules)
        if place != (number, header.game, header.pack_digest, header.rules):
            raise Diverged(f"commit {number} belongs to another game, or another place")
        try:
            command = self._command(stored)
            recorded = read_folded(line).events if self._seeded is None or isinstance(command, Life) else []
        except (*UNREADABLE, ValueError) as error:
            raise Diverged(f"commit {number} can't be read: {error}") from None
        if number == 1:
            self._opened_at = stored.at
        if command is not None and not self._otherwise:
            self._decide_again(stored, command, recorded)
        self._state.commit = number
        self.hash = stored.hash

    def _command(self, stored: Stored) -> AnyRecorded | None:
        """The command; None for one of an older revision that this one would not read, which ends the decisions."""
        try:
            command: AnyRecorded = _command.decode(stored.command)
        except msgspec.ValidationError as error:
            if self._header.rules == REVISION:
                raise
            self._otherwise = self._otherwise or f"commit {stored.number} holds no command of today: {error}"
            return None
        return command

    def _read(self, number: int, line: bytes) -> Stored:
        if not self._linked:
            return verify(line, self.hash, self._salts)
        try:
            return read(line)
        except UNREADABLE as error:
            raise Broken(f"commit {number} can't be read: {error}") from None

    def end(self) -> Found:
        """Check that the record ends where the header says it does; raises `Diverged`."""
        self._check_disclosure()
        return Found(
            doubt=self._doubt(),
            dice=self._dice(),
            redecided=not self._otherwise,
            running=self._state.status not in OVER,
            differs=self._differs,
        )

    def _check_disclosure(self) -> None:
        state, disclosed = self._state, self._header.disclosed
        if self._otherwise or state.source != "seeded":
            return
        over = state.status in OVER and state.options.get("disclosure", "end") == "end"
        if over and disclosed is None:
            raise Diverged("the game is over and to be disclosed, but its seed was taken out of the header", 1)
        if disclosed is not None and state.status not in OVER:
            raise Diverged("the seed is disclosed, but the record ends before the game does", state.commit + 1)

    # -- what is found ------------------------------------------------------------------------------------------------

    def _doubt(self) -> str:
        header = self._header
        if header.rules != REVISION:
            since = f"; from here on only the chain was checked: {self._otherwise}" if self._otherwise else ""
            return f"the game was opened by revision {header.rules} of the rules, this engine has {REVISION}{since}"
        if self._state.sandbox is not None:
            return (
                "it is a sandbox: what it began with was taken as told; all that came after was decided again, exactly"
            )
        if self._state.source == "seeded" and header.disclosed is None:
            return "the seed is not disclosed, so the dice were taken as recorded"
        if self._state.source == TABLE:
            return "the dice and cards were the players' own; all else was decided again, exactly"
        return ""

    def _dice(self) -> str:
        state = self._state
        if state.source == "seeded" and self._header.disclosed is not None and not self._otherwise:
            givers = sum(bool(one) for one in self._entropy.values())
            seats = (
                f"the entropy of {givers} of {counted(state.seats, 'seat')}" if givers else "no entropy from any seat"
            )
            return (
                f"EXACT: {counted(state.chances, 'answer')} of chance rolled again from the promised seed, with {seats}"
            )
        if state.source == "seeded" and state.status not in OVER and not self._otherwise:
            return "taken as recorded until the seed is disclosed"
        if state.source == "seeded":
            return "UNVERIFIED: taken as recorded, the seed is not known here"
        if state.source == TABLE:
            return "UNVERIFIED: the players' own, told by one seat and confirmed by another"
        if state.source == "tape":
            return "prepared on a tape, as the game was publicly marked from its opening on"
        return "told by the moderator, whose word they are"

    # -- deciding again -----------------------------------------------------------------------------------------------

    def _decide_again(self, stored: Stored, command: AnyRecorded, recorded: Sequence[Told]) -> None:
        try:
            self._check_audience(stored, command)
            self._compare(stored, self._decide(stored, command, recorded))
        except Diverged as difference:
            if self._header.rules == REVISION:
                raise
            self._otherwise, self._differs = str(difference), difference.events

    def _check_audience(self, stored: Stored, command: AnyRecorded) -> None:
        """That who acted was told to everybody, and what a seat commanded to nobody but that seat and the referee."""
        number, actor = stored.number, stored.actor
        if (number == 1) != isinstance(command, Opened | Forked):
            raise Diverged(f"commit {number}: a game is opened by its first commit and by no other")
        if (actor == TRAITOR or actor.startswith("seat:")) and not isinstance(command, Life):
            if (actor == TRAITOR) != is_unnamed(self._state, command.decision):
                raise Diverged(
                    f"commit {number}: its actor is named where it must not be, or not named where it must be"
                )
            told = seat_bit(actor_of(self._state, actor, command)) | REFEREE
        elif actor in MODERATORS:
            told = REFEREE
        else:
            told = stored.command_to
        if (stored.actor_to, stored.command_to) != (EVERYBODY, told):
            raise Diverged(f"commit {number}: who did what was told to others than it should have been")

    def _decide(self, stored: Stored, command: AnyRecorded, recorded: Sequence[Told]) -> list[Told]:
        try:
            return self._again(stored.actor, command, recorded)
        except Refused as refusal:
            raise Diverged(f"commit {stored.number}: the rules refuse it: {refusal.detail}") from None
        except Diverged:
            raise
        except Exception as error:
            raise Diverged(f"commit {stored.number}: the engine fails on it: {error!r}") from error

    def _again(self, actor: str, command: AnyRecorded, recorded: Sequence[Told]) -> list[Told]:
        rules, state = self._rules, self._state
        if rules is None:
            raise Diverged("the audit has not begun")
        if isinstance(command, Opened):
            return self._open(rules, recorded)
        if isinstance(command, Forked):
            return self._fork(rules, recorded)
        if isinstance(command, Claimed):
            claimed = [one.event for one in recorded if isinstance(one.event, SeatClaimed)]
            for event in claimed:
                self._entropy[event.seat] = event.entropy
            return [one for event in claimed for one in claim(rules, state, event)]
        if isinstance(command, Replaced):
            return []
        if isinstance(command, Started) and command.today != self._opened_at[5:10]:
            raise Diverged(f"the game was not opened on {command.today}, the day that decides who begins")
        past, chance = self._past(actor, command), self._chance(recorded)
        return redecide(rules, state, actor_of(state, actor, command), command, chance, past)

    def _past(self, actor: str, command: AnyRecorded) -> Past | None:
        """What the commits so far say of the one to which a command goes back; neither clock nor orders ever go back."""
        if isinstance(command, Life) or actor == AUTO:
            return None
        state = self._state
        to = goes_back(state, actor_of(state, actor, command), command)
        return past_in(self._lines[: state.commit], to, state.seats) if to else None

    def _fork(self, rules: Rules, recorded: Sequence[Told]) -> list[Told]:
        """A sandbox begins with states that nothing here can vouch for; what follows on them is decided."""
        self._state, told = begun_again(rules, recorded, self._chance(recorded))
        begun = [one.event for one in recorded if isinstance(one.event, SandboxBegun)]
        different = differs_from_opening(self._header, begun[-1] if begun else None, self._opened_at)
        if different:
            raise Diverged(different)
        return told

    def _open(self, rules: Rules, recorded: Sequence[Told]) -> list[Told]:
        opened = recorded[0].event if recorded else None
        if not isinstance(opened, GameOpened):
            raise Diverged("commit 1 doesn't open the game")
        different = differs_from_opening(self._header, opened, self._opened_at)
        if different:
            raise Diverged(different)
        arranged = [one.event for one in recorded if isinstance(one.event, GameArranged) and one.to == REFEREE]
        if opened.arranged != (bool(arranged) or opened.source == "tape"):
            raise Diverged("commit 1 is wrong about whether somebody prepared the game")
        self._state, told = open_game(rules, opened, arranged[0].setup if arranged else None)
        return told

    def _chance(self, recorded: Sequence[Told]) -> Chance:
        disclosed = self._header.disclosed
        if disclosed is None:
            return RecordedChance(recorded)
        if self._seeded is None:
            entropy = [self._entropy.get(seat, "") for seat in range(self._state.seats)]
            self._seeded = Seeded(bytes.fromhex(disclosed.seed), self._header.game, entropy)
        return self._seeded

    def _compare(self, stored: Stored, told: Sequence[Told]) -> None:
        decided = [(one.to, _encode(one.event)) for one in told]
        recorded = [(to, bytes(event)) for to, event in stored.events]
        if decided == recorded:
            return
        pairs = enumerate(zip_longest(recorded, decided), 1)
        place, (theirs, mine) = next((place, pair) for place, pair in pairs if pair[0] != pair[1])
        events = Difference(place, _text(theirs)[:SHOWN], _text(mine)[:SHOWN])
        because = f"commit {stored.number}: {counted(len(recorded), 'event')} recorded, {len(decided)} decided again"
        if theirs and mine:
            shown = f"recorded {_short(events.recorded)}, decided again {_short(events.decided)}"
            because = f"commit {stored.number}, event {place}: {shown}"
        raise Diverged(because, events=events)


@lru_cache(maxsize=2)
def _rules(pack: bytes, edition: str) -> Rules:
    """The rules of a pack; kept, because games audited together mostly have the same pack."""
    return rules_for(decode_pack(pack), edition)


def _text(event: tuple[int, bytes] | None) -> str:
    return f"[{event[0]},{event[1].decode(errors='replace')}]" if event else ""


def _short(text: str) -> str:
    return text if len(text) <= SHORT else text[:SHORT] + "…"
