"""Who asks for a verification of a game, and what each role is told of it."""

from __future__ import annotations

import msgspec

from service.audit.jobs import AuditJob, Audits, Status
from service.audit.redecide import Difference
from service.audit.verdict import Outcome
from service.games.tables import Tables
from service.identity import Caller
from service.jobs import JobsUnavailable
from service.problems import ProblemError, forbidden


class Verification(msgspec.Struct, kw_only=True):
    """The service's own audit of a game's whole log: its chain, every command decided again, every die."""

    id: str
    game: str
    status: Status
    """`queued`, `running`, `done`, or `failed` (no verdict; request it again)."""
    checked: int
    """How many commits were checked so far and hold."""
    version: int
    """The number of the latest commit when it was asked for; what came since may be checked too."""
    outcome: Outcome | None = None
    """Once it is done: `EXACT`, `UNVERIFIED` (nothing contradicts the log, but not all could be checked) or `DIVERGED`."""
    commit: int | None = None
    """The first commit that differs."""
    because: str = ""
    """What differs, or couldn't be checked; why it failed. Of a game with secrets the referee alone is told."""
    dice: str = ""
    """Where dice and cards came from, and whether they were rolled again. Told as `because` is."""
    differs: Difference | None = None
    """The first event that differs, side by side. Told as `because` is."""


class Verifying:
    """Has games audited for those who play them."""

    def __init__(self, tables: Tables, audits: Audits) -> None:
        self._tables = tables
        self._audits = audits

    async def ask(self, caller: Caller) -> Verification:
        """Ask for an audit of the caller's game as it stands; asked for twice, it is one.

        Raises:
            ProblemError: `forbidden`, or `jobs-unavailable`.
        """
        live = await self._tables.live(caller.game)
        _check(caller, disclosed=live.facts.disclosed())
        try:
            job = await self._audits.begin(caller.game, live.version)
        except JobsUnavailable as fault:
            raise _unavailable() from fault
        return _shown(caller, live.version, job, disclosed=live.facts.disclosed())

    async def show(self, caller: Caller, name: str) -> Verification:
        """An audit that was asked for.

        Raises:
            ProblemError: `forbidden`, `not-found`, or `jobs-unavailable`.
        """
        live = await self._tables.live(caller.game)
        _check(caller, disclosed=live.facts.disclosed())
        version = int(name)
        try:
            job = await self._audits.look(caller.game, version)
        except JobsUnavailable as fault:
            raise _unavailable() from fault
        if job is None:
            raise ProblemError(
                "not-found", f"Nobody asked for verification {name}, or it is too long ago: ask for one."
            )
        return _shown(caller, version, job, disclosed=live.facts.disclosed())

    async def close(self) -> None:
        """Break off what is under way here."""
        await self._audits.close()


def _check(caller: Caller, *, disclosed: bool) -> None:
    """Whoever may lag behind a game that goes on learns nothing of how far it is."""
    if caller.role in ("seat", "referee") or disclosed:
        return
    raise forbidden()


def _shown(caller: Caller, version: int, job: AuditJob, *, disclosed: bool) -> Verification:
    """The verdict, in full to whoever may see the whole log."""
    verdict = job.verdict
    shown = Verification(id=str(version), game=caller.game, status=job.status, checked=job.checked, version=version)
    if verdict is not None:
        shown.outcome, shown.commit = verdict.outcome, verdict.commit
    if caller.role == "referee" or disclosed:
        shown.because = job.because if verdict is None else verdict.because
        if verdict is not None:
            shown.dice, shown.differs = verdict.dice, verdict.differs
    return shown


def _unavailable() -> ProblemError:
    retry = {"Retry-After": "5"}
    return ProblemError(
        "jobs-unavailable",
        "The queue of audits does not answer, or is full; try again later.",
        headers=retry,
        retry_after=5,
    )
