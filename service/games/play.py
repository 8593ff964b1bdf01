"""Playing: a seat's command, or the moderator's answer of chance, becomes a commit."""

from __future__ import annotations

from collections.abc import Sequence

from domain.commands import AnyCommand
from service.games.acting import Done
from service.games.attempting import Attempting
from service.identity import Caller
from service.log.commits import wire_parts
from service.problems import ProblemError


class Play:
    """Does commands."""

    def __init__(self, attempting: Attempting) -> None:
        """Act in these games."""
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
