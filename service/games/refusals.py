"""What was tried and refused: kept beside the log for those who trace a game, and nowhere in it.

A refused attempt is nobody else's business (its very existence may tell what somebody thinks), so it is no commit. The referee sees all, a
seat its own: each was answered to that seat in full, from what it knew, so showing it again tells nothing, even to whoever plays it later.
What was refused for the form of the request, a stale version or an unfit token was never put to the rules, and is not kept.
"""

from __future__ import annotations

import logging

import msgspec

from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR
from projections.trace.steps import Refusal
from service.log.recorded import at_desk
from service.outside import Outside
from service.store.port import RecordStore, RefusalRecord, StoreDamaged, StoreError

LONGEST = 4_000
"""Bytes of a command that are kept, and characters of a reason; of a longer command (an entry of a haunt book) only that it was refused."""

log = logging.getLogger(__name__)


class _Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept of a refusal beside its place."""

    at: str
    by: str
    problem: str
    because: str
    rule: str = ""
    command: msgspec.Raw = msgspec.Raw(b"null")


_kept = msgspec.json.Decoder(_Kept)
_command = msgspec.json.Decoder(AnyCommand | AnyDeskCommand)
_encode = msgspec.json.Encoder().encode


class Refusals:
    """Keeps refusals, and finds them for a role."""

    def __init__(self, store: RecordStore, outside: Outside, *, per_game: int, per_seat: int) -> None:
        self._store = store
        self._outside = outside
        self._per_game = per_game
        self._per_seat = per_seat

    async def note(
        self, game: str, *, by: str, seat: int, number: int, command: AnyCommand | AnyDeskCommand, refusal: Refused
    ) -> None:
        """Keep a refusal after the commit `number`; if that can't be, play goes on without.

        `by` tried it (`seat:1`, `referee`, `co-referee`, `auto`), in the name of `seat` or of `MODERATOR`. Claims and notes are digests in it.
        """
        if not self._per_game or not self._per_seat:
            return
        encoded = _encode(command)
        kept = _Kept(
            at=self._outside.now(),
            by=by,
            problem=refusal.problem,
            because=refusal.detail[:LONGEST],
            rule=refusal.rule,
            command=msgspec.Raw(encoded if len(encoded) <= LONGEST else b"null"),
        )
        record = RefusalRecord(game=game, number=number, seat=seat, body=_encode(kept))
        try:
            await self._store.add_refusal(record, per_game=self._per_game, per_seat=self._per_seat)
        except StoreError as fault:
            log.warning("game %s: a refusal after commit %d was not kept: %s", game, number, fault)

    async def between(self, game: str, principal: Mask, first: int, last: int) -> dict[int, list[Refusal]]:
        """The refusals after the commits `first` to `last` that a role may see, by the number of the commit. Raises `StoreError`."""
        found: dict[int, list[Refusal]] = {}
        if principal == SPECTATORS:
            return found
        for record in await self._store.refusals(game, first, last):
            if principal == REFEREE or (record.seat != MODERATOR and principal == 1 << record.seat):
                found.setdefault(record.number, []).append(_read(game, record))
        return found

    async def erase(self, game: str) -> None:
        """Forget all that was refused in a game. Raises `StoreError`."""
        await self._store.erase_refusals(game)


def _read(game: str, record: RefusalRecord) -> Refusal:
    try:
        kept = _kept.decode(record.body)
        raw = msgspec.json.decode(kept.command)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StoreDamaged(f"a refusal of game {game} can't be read: {error}") from error
    try:
        command = None if raw is None else _command.decode(kept.command)
    except msgspec.DecodeError:
        command = None  # an older version kept what this one takes for no command any more
    return Refusal(
        at=kept.at,
        by=kept.by,
        command=None if isinstance(command, AnyDeskCommand) else command,
        raw=raw,
        said=at_desk(command) if isinstance(command, AnyDeskCommand) else "",
        problem=kept.problem,
        because=kept.because,
        rule=kept.rule,
    )
