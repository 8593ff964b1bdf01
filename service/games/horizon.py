"""How far whoever is not at the table may see: spectators, the host and the public may lag behind while a game goes on.

What lags is the position: everything they are answered is answered as of that commit. A seat's name is a text beside the
log and tells of the commit that brought it, so it lags too; that a name was erased shows at once, as erasing can't wait.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from domain.facts.audience import SPECTATORS, Mask
from projections.facts import CommitFacts
from projections.view.ending import EndingView, ending_of
from service.games.tables import LiveGame, Tables
from service.identity import Caller
from service.log.commits import moment_of, wire, wire_parts
from service.log.deadlines import due_at, seconds_between
from service.log.facts import Facts
from service.log.reader import PAGE, pages, passed
from service.outside import Outside
from service.problems import ahead
from service.store.port import StoreDamaged


class _When(msgspec.Struct):
    at: str


_encode = msgspec.json.Encoder().encode
_when = msgspec.json.Decoder(_When).decode


class Page(msgspec.Struct, frozen=True):
    """Commits as the caller may see them."""

    events: list[bytes]
    """CloudEvents, encoded."""
    next: int
    """The cursor behind them."""
    version: int
    """The head of the log, as far as the caller may see."""


class Horizon:
    """Knows the latest commit for each caller."""

    def __init__(self, tables: Tables, outside: Outside) -> None:
        self._tables = tables
        self._outside = outside

    async def head(self, live: LiveGame, caller: Caller) -> int:
        return await self.public(live) if caller.principal == SPECTATORS else live.version

    async def public(self, live: LiveGame) -> int:
        if not lags(live.facts):
            return live.version
        number, options = live.version, live.facts.options
        if options.spectator_delay:
            await self._follow(live)
            number = live.course.shown
        if options.spectator_delay_seconds:
            await self._advance(live)
            number = min(number, live.lag.number)
        return max(live.facts.started_at, number)

    async def due(self, live: LiveGame, caller: Caller) -> float | None:
        """Seconds until the caller may see more although nothing happens; None if that can't be."""
        if caller.principal != SPECTATORS or not (lags(live.facts) and live.facts.options.spectator_delay_seconds):
            return None
        await self._advance(live)
        if not live.lag.times:
            return None
        age = seconds_between(live.lag.times[0], self._outside.now())
        return live.facts.options.spectator_delay_seconds - age

    async def hears(self, live: LiveGame, caller: Caller, commit: int, at: str) -> bool:
        """Whether the caller may read by now what was said to it behind a commit: whoever lags behind hears it as late as it sees the game."""
        if caller.principal != SPECTATORS or not lags(live.facts):
            return True
        delay = live.facts.options.spectator_delay_seconds
        late = not delay or at <= due_at(self._outside.now(), -delay)
        return late and commit <= await self.public(live)

    def old_enough_in(self, live: LiveGame, at: str) -> float:
        """Seconds until what was said at a time is old enough for whoever lags behind by time."""
        return live.facts.options.spectator_delay_seconds - seconds_between(at, self._outside.now())

    async def page(self, live: LiveGame, caller: Caller, after: int, limit: int) -> Page:
        """The caller's events behind a cursor. Raises `ahead-of-log`."""
        head = await self.head(live, caller)
        if after > head:
            raise ahead(head)
        count = min(limit, head - after)
        if not count:
            return Page([], after, head)
        bodies = live.bodies(after, count)
        if bodies is None:
            bodies = await self._tables.store.read(caller.game, after, count)
        found = {
            number: await self.facts(live, caller.principal, number)
            for number in range(after + 1, after + 1 + len(bodies))
            if number in live.fact_fold.found
        }
        try:
            events = [
                wire(body, caller.principal, moment_of(live.moments, number), found.get(number, b""))
                for number, body in enumerate(bodies, after + 1)
            ]
        except ValueError as error:
            raise StoreDamaged(f"a commit of game {caller.game} after {after} can't be read: {error}") from error
        return Page(events, after + len(events), head)

    def latest(self, live: LiveGame) -> Callable[[Mask], bytes] | None:
        """Makes the event of the latest commit for whoever lags behind nothing, of the pieces at hand; None if it has to be read."""
        game, number, found = live.facts.id, live.version, live.fact_fold.found.get(live.version)
        if live.made is None or (found is not None and found.ended):
            return None
        at, parts = live.made
        moment, told = moment_of(live.moments, number), b"" if found is None else members(found, None)
        return lambda principal: wire_parts(game, number, at, parts, principal, moment, found=told)

    async def facts(self, live: LiveGame, principal: Mask, number: int) -> bytes:
        """What a principal is told of a commit besides its events, as members of its `data`; empty of most commits."""
        found = live.fact_fold.found.get(number)
        if found is None:
            return b""
        ending = None
        if found.ended:
            state = await self._tables.fold_for(live.facts.id, live, principal, number)
            ending = ending_of(live.rules.of(state), state)
        return members(found, ending)

    async def _follow(self, live: LiveGame) -> None:
        """Read on in the course of the game; each commit is read once, and those in memory not at all."""
        course, delay = live.course, live.facts.options.spectator_delay
        while course.number < live.version:
            if live.tail and live.tail[0].number <= course.number + 1:
                for commit in live.tail:
                    course.advance(commit, delay)
                continue
            # No further than `live`: what another process has stored meanwhile is shown by nobody who has not folded it.
            async for bodies in pages(self._tables.store, live.facts.id, live.version, after=course.number):
                for body in bodies:
                    course.advance(passed(body), delay)

    async def _advance(self, live: LiveGame) -> None:
        """Take over what has become old enough; each commit is read once, and what is too new is not looked behind."""
        lag, version = live.lag, live.version
        limit = due_at(self._outside.now(), -live.facts.options.spectator_delay_seconds)
        while lag.number < version:
            if not lag.times:
                after = lag.number
                bodies = await self._tables.store.read(live.facts.id, after, PAGE)
                if lag.times or lag.number != after:
                    continue  # somebody else has read on meanwhile
                if not bodies:
                    return
                lag.times.extend(_when(body).at for body in bodies)
            if lag.times[0] > limit:
                return
            lag.times.popleft()
            lag.number += 1


def members(found: CommitFacts, ending: EndingView | None) -> bytes:
    """Facts of a commit as members of its data, each behind a comma; how the game ended is told to each role by what it knows."""
    told = b',"deaths":%b' % _encode(found.deaths) if found.deaths else b""
    told += b',"placed":%b' % _encode(found.placed) if found.placed else b""
    told += b',"marks":%b' % _encode(found.marks) if found.marks else b""
    return told if ending is None else b'%b,"ended":%b' % (told, _encode(ending))


def lags(facts: Facts) -> bool:
    """Whether the public lags behind, by commits of play or by time."""
    late = facts.options.spectator_delay or facts.options.spectator_delay_seconds
    return bool(late) and facts.status == "started"


def names_shown(facts: Facts, names: dict[int, str], version: int) -> dict[int, str]:
    """The names that had been given as of a commit."""
    return {seat: name for seat, name in names.items() if facts.seats[seat].named_at <= version}
