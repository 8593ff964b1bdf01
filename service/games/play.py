"""Playing: a seat's command, or the moderator's answer of chance, becomes a commit."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from domain.audience import REFEREE
from domain.commands import AnyCommand, TakeBack
from domain.decide import decide, goes_back
from domain.desk_commands import AnyDeskCommand
from domain.events import Told
from domain.past import Past
from domain.refusal import Refused
from domain.state import MODERATOR
from domain.turn.taking_back import BEHIND, offered
from service.commits import wire_parts
from service.games.acting import Act, Acting, Done
from service.games.life import scoped_key
from service.games.live import Live
from service.games.refusals import Refusals
from service.identity import CO_REFEREE, Caller
from service.past import past_of
from service.ports.log import LogStore
from service.problems import ProblemError

_encode = msgspec.json.Encoder().encode
MODERATORS = {"referee": "moderator", CO_REFEREE: "co-moderator"}
"""Referees as the log names those who answer for chance."""


class Play:
    """Does commands."""

    def __init__(self, acting: Acting, refusals: Refusals, store: LogStore) -> None:
        """Act in these games; what is refused by the rules or the situation is kept for traces."""
        self._acting = acting
        self._refusals = refusals
        self._store = store

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
        seat = MODERATOR if caller.role == "referee" else caller.seat
        decision = Deciding(seat, command, self._store)
        act = Act(
            actor=MODERATORS.get(caller.name, caller.name),
            command=command,
            command_to=caller.principal | REFEREE,
            decision=command.decision,
            decide=decision,
            prepare=decision.prepare,
            key=scoped_key(caller.name, key),
            fingerprint=hashlib.sha256(_encode(command)).digest() if key else b"",
            expected=expected,
        )
        try:
            return await self._acting.do(caller.game, act)
        except Refused as refusal:
            await self._refusals.note(
                caller.game, by=caller.name, seat=seat, number=decision.at, command=command, refusal=refusal
            )
            raise


class Deciding:
    """The decision on one command, with what the log says of the commit to which it goes back."""

    __slots__ = ("actor", "at", "command", "past", "store")

    def __init__(self, actor: int, command: AnyCommand | AnyDeskCommand, store: LogStore) -> None:
        """Decide for a seat or the moderator."""
        self.actor = actor
        self.command = command
        self.at = 0
        """The version at which it was decided last."""
        self.store = store
        self.past: Past | None = None

    async def prepare(self, live: Live) -> None:
        """Read the log, where play is to go back."""
        to = goes_back(live.state, self.command)
        if to > 0 and not (isinstance(self.command, TakeBack) and _surely_not(live, self.actor, to)):
            self.past = await past_of(self.store, live.facts.id, to, live.state.seats, live.version)

    def __call__(self, live: Live) -> list[Told]:
        """The events; raises `Refused`."""
        self.at = live.version
        status = live.state.status
        if status != "started":
            over = live.facts.over()
            raise Refused(f"the game is {status}", problem="game-over" if over else "not-started")
        return decide(live.rules, live.state, self.actor, self.command, live.chance, self.past)


def _surely_not(live: Live, seat: int, to: int) -> bool:
    """Whether the latest commits in memory show that a seat can't take play back so far: the log need not be read to refuse it."""
    tail = live.tail
    whole = bool(tail) and (len(tail) >= BEHIND or tail[0].number == 1)
    return whole and to not in offered(list(tail), seat)


def answer(caller: Caller, done: Done) -> bytes:
    """What the caller is answered: the new version, and the commit as the caller may see it."""
    commit = wire_parts(caller.game, done.number, done.at, done.parts, caller.principal)
    return b'{"version":%d,"commit":%b}' % (done.number, commit)
