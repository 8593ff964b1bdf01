"""Audits as jobs: whoever does them, they are begun and looked at alike."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from service.audit import Verdict

Status = Literal["queued", "running", "done", "failed"]


class AuditJob(msgspec.Struct, frozen=True, kw_only=True):
    """How far an audit is."""

    status: Status
    checked: int = 0
    """Commits checked so far."""
    verdict: Verdict | None = None
    """Once it is done."""
    because: str = ""
    """Why it came to no verdict, if it failed."""


class Audits(Protocol):
    """Does audits. A job is named by its game and the version at which it was asked for: asked for twice, it is one."""

    async def begin(self, game: str, asked: int) -> AuditJob:
        """Begin an audit of a game, unless the same is waiting, under way or done.

        Raises:
            JobsUnavailable: nobody takes jobs now.
        """

    async def look(self, game: str, asked: int) -> AuditJob | None:
        """How far it is; None if nobody asked for it, or it is too long ago.

        Raises:
            JobsUnavailable: nobody can say now.
        """

    async def close(self) -> None:
        """Break off what is under way here."""
