"""A dispute as a page to be pasted into a forum, as a role knows it."""

from __future__ import annotations

from contextlib import aclosing

import msgspec

from domain.facts.audience import Mask, principal_name
from domain.rulebook.desk.disputing import disputes
from projections.naming.questions import Asking
from projections.sentences.history import amended
from projections.trace.ruling import Disputed, commits_told, ruling_as_markdown
from projections.trace.shapes import TraceStep
from projections.trace.steps import Telling
from service.games.desk.disputes import CLAIM, DisputeShown, known, numbered, shown
from service.games.read.reading import Reading
from service.games.read.tracing import Tracing
from service.identity import Caller
from service.store.port import LogStore


class RulingPages:
    """Writes what was claimed, what happened, and what was ruled."""

    def __init__(self, reading: Reading, tracing: Tracing, store: LogStore) -> None:
        self._reading = reading
        self._tracing = tracing
        self._store = store

    async def page(self, caller: Caller, number: int, as_: Mask | None = None) -> tuple[str, int, DisputeShown]:
        """One dispute as Markdown, with the commit as of which, and the dispute. Raises `not-found`."""
        seen = await self._reading.seen(caller, as_=as_)
        dispute = numbered(disputes(seen.state), number)
        # All that is read of the state is read before anything is awaited: it goes on with the game.
        view, digests = known(seen.state, dispute)
        asking = Asking(seen.rules.of(seen.state), seen.state)
        words = amended(asking, dispute)
        called = [asking.names.figure(seat) for seat in range(seen.state.seats)]
        found = shown(view, digests, await self._store.get_texts(caller.game, CLAIM), words)
        it = Disputed(
            game=caller.game,
            role=principal_name(seen.principal),
            version=seen.version,
            dispute=view,
            texts={one.digest: one.text for one in found.texts},
            amended=words,
            called=called,
        )
        return ruling_as_markdown(it, await self._steps(caller, commits_told(view), as_)), seen.version, found

    async def _steps(self, caller: Caller, wanted: list[int], as_: Mask | None) -> list[TraceStep]:
        if not wanted:
            return []
        span = await self._tracing.span(caller, wanted[0], wanted[-1], as_)
        span = msgspec.structs.replace(span, telling=Telling(commits=frozenset(wanted), legal=False))
        async with aclosing(self._tracing.parts(span, span.first, span.last)) as parts:
            return [step async for part in parts for step in part.steps]
