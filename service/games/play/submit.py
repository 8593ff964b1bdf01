"""Submitting a command: a seat's, a referee's, or a moderator's answer of chance. It becomes a commit, or a refusal kept for traces."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from domain.decide import decide, goes_back
from domain.facts.audience import REFEREE
from domain.facts.commands import AnyCommand, TakeBack
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.events import Told
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR
from domain.past import Past
from service.games.known import latest_played
from service.games.live import Live
from service.games.play.append import Act, Acting, Done
from service.games.refusals import Refusals
from service.identity import CO_REFEREE, Caller, scoped_key
from service.log.commits import wire_parts
from service.log.facts import OVER
from service.log.past import past_of
from service.problems import ProblemError
from service.store.port import LogStore

MODERATORS = {"referee": "moderator", CO_REFEREE: "co-moderator"}
"""Referees as the log names those who answer for chance."""

_encode = msgspec.json.Encoder().encode


class Attempting:
    """Does what seats and referees want done."""

    def __init__(self, acting: Acting, refusals: Refusals, store: LogStore) -> None:
        """Act in these games; what is refused by the rules or the situation is kept."""
        self._acting = acting
        self._refusals = refusals
        self._store = store

    async def do(
        self,
        caller: Caller,
        command: AnyCommand | AnyDeskCommand,
        *,
        key: str = "",
        asked: object = None,
        expected: Sequence[int] | None = None,
        texts: Mapping[str, str | None] | None = None,
    ) -> Done:
        """Do a command, of the game or of the desk.

        Args:
            caller: a seat, or a referee.
            command: what is to be done.
            key: the idempotency key as it came, or nothing.
            asked: what a retry has to ask for again; by default the command.
            expected: versions of which the game must be at one, or None for any.
            texts: what is kept beside the log with it.

        Raises:
            ProblemError: as `Acting.do` raises.
            Refused: a rule or the situation forbids it.
            StoreError: the store failed.
        """
        seat = MODERATOR if caller.role == "referee" else caller.seat
        deciding = Deciding(seat, command, self._store)
        act = Act(
            actor=MODERATORS.get(caller.name, caller.name),
            command=command,
            command_to=caller.principal | REFEREE,
            decision=command.decision,
            decide=deciding,
            prepare=deciding.prepare,
            key=scoped_key(caller.name, key),
            fingerprint=hashlib.sha256(_encode(command if asked is None else asked)).digest() if key else b"",
            expected=expected,
            texts=texts or {},
        )
        try:
            return await self._acting.do(caller.game, act)
        except Refused as refusal:
            await self._refusals.note(
                caller.game, by=caller.name, seat=seat, number=deciding.at, command=command, refusal=refusal
            )
            raise


class Deciding:
    """The decision on one command, with what the log says of the commit to which it goes back."""

    __slots__ = ("actor", "at", "command", "past", "store")

    def __init__(self, actor: int, command: AnyCommand | AnyDeskCommand, store: LogStore) -> None:
        self.actor = actor
        self.command = command
        self.at = 0
        """The version at which it was decided last."""
        self.store = store
        self.past: Past | None = None

    async def prepare(self, live: Live) -> None:
        """Read the log, where play is to go back; raises `Refused` where that shows to be in vain."""
        self.at = live.version
        self.past = None
        check_goes_on(live.state.status)
        latest = None
        if isinstance(self.command, TakeBack):
            latest = await latest_played(self.store, live, live.version)
        to = goes_back(live.state, self.actor, self.command, latest, live.facts.started_at)
        if to:
            self.past = await past_of(self.store, live.facts.id, to, live.state.seats, live.version)

    def __call__(self, live: Live) -> list[Told]:
        """The events; raises `Refused`."""
        return decide(live.rules, live.state, self.actor, self.command, live.chance, self.past)


def check_goes_on(status: str) -> None:
    """Check that a game goes on.

    Raises:
        Refused: `game-over`, or `not-started`.
    """
    if status != "started":
        raise Refused(f"the game is {status}", problem="game-over" if status in OVER else "not-started")


class Play:
    """Does commands."""

    def __init__(self, attempting: Attempting) -> None:
        self._attempting = attempting

    async def command(
        self, caller: Caller, command: AnyCommand, *, key: str = "", expected: Sequence[int] | None = None
    ) -> Done:
        """Do a command.

        Args:
            caller: a seat, or the referee, who answers chance.
            command: what is to be done.
            key: the idempotency key as it came, or nothing.
            expected: versions of which the game must be at one, or None for any.

        Raises:
            ProblemError: the caller can't command, or as `Acting.do` raises.
            Refused: a rule or the situation forbids it.
            StoreError: the store failed.
        """
        if caller.role not in ("seat", "referee"):
            raise ProblemError("forbidden", "Only seats and the referee can command.")
        return await self._attempting.do(caller, command, key=key, expected=expected)


def answer(caller: Caller, done: Done) -> bytes:
    """What the caller is answered: the new version, and the commit as the caller may see it."""
    commit = wire_parts(caller.game, done.number, done.at, done.parts, caller.principal)
    return b'{"version":%d,"commit":%b}' % (done.number, commit)
