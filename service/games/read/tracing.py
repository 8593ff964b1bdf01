"""Traces of the games in the store: a span, through one role's eyes, step by step."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

import msgspec

from domain.engine.rules import Rules
from domain.evolve import redact
from domain.facts.audience import Mask, principal_name
from domain.facts.events import AnyEvent
from domain.facts.state import State
from domain.worlds import copied
from projections.books.book import book_of
from projections.naming.questions import Asking
from projections.sentences.history import worded
from projections.sentences.sums import made_of
from projections.trace.markdown import Markdown
from projections.trace.shapes import InForce, Player, TracePage, TraceStep
from projections.trace.sifting import Unfit, Wanted, names_of
from projections.trace.steps import EVERYTHING, Telling, Tracer
from service.games.horizon import Horizon, names_shown
from service.games.refusals import Refusals
from service.games.tables import Tables
from service.identity import Caller
from service.log.commits import read_folded
from service.log.facts import NAME, names_in
from service.log.reader import pages
from service.log.recorded import committed
from service.problems import FieldError, ProblemError, ahead
from service.store.port import StoreDamaged

PIECE = 64
"""Commits that are read from the store, told, and in memory at once."""
STRIDE = 16
"""Commits that are told before others get their turn; a commit takes about half a millisecond."""
LOOKED_AT = 1_000
"""Commits that are looked at for one page: where few are wanted it may be short, and still not be the last."""

_encode = msgspec.json.Encoder().encode


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be traced, through whose eyes."""

    game: str
    rules: Rules
    principal: Mask
    first: int
    last: int
    version: int
    """The latest commit that could be asked for."""
    telling: Telling = EVERYTHING

    @property
    def role(self) -> str:
        """`seat:1`, `spectators` or `referee`."""
        return principal_name(self.principal)


class TracePart(msgspec.Struct, frozen=True):
    """A part of a trace: the rulings in force before it, and its steps."""

    rulings: list[InForce]
    steps: list[TraceStep]


class _Data(msgspec.Struct):
    number: int
    events: list[AnyEvent]


class _Commit(msgspec.Struct):
    data: _Data


_read = msgspec.json.Decoder(_Commit).decode


class Narrator:
    """Adds to what a role was told of each commit the words of its trace: `sentences`, one for each of `events`."""

    def __init__(self, rules: Rules, state: State) -> None:
        """Begin behind some commit; `state` is what the role knew by then, and goes on with what it is told."""
        self._rules = rules
        self._state = state

    def add(self, event: bytes) -> bytes:
        """The next commit, encoded as the stream has it, with its sentences. Raises `StoreDamaged`."""
        try:
            commit = _read(event).data
        except msgspec.DecodeError as error:
            raise StoreDamaged(f"a commit can't be read to be worded: {error}") from error
        sums, asked = [], dict(self._state.open)
        for one in commit.events:
            sums.append(made_of(self._rules, self._state, one))
            one.apply(self._state)
        self._state.commit = commit.number
        asking = Asking(self._rules, self._state)
        words = _encode([worded(asking, *each, asked) for each in zip(commit.events, sums, strict=True)])
        return b'%b,"sentences":%b}}' % (event.removesuffix(b"}}"), words)

    async def add_all(self, events: Sequence[bytes]) -> list[bytes]:
        """The next commits; others get their turn in between."""
        found = []
        for place, event in enumerate(events, 1):
            found.append(self.add(event))
            if place % STRIDE == 0:
                await asyncio.sleep(0)
        return found


async def narrator(tables: Tables, caller: Caller, after: int) -> Narrator:
    """Words for what the caller is told behind a commit that it may see."""
    live = await tables.live(caller.game)
    known = await tables.fold_for(caller.game, live, caller.principal, after)
    return Narrator(live.rules, copied(known))


class Tracing:
    """Traces games."""

    def __init__(self, tables: Tables, horizon: Horizon, refusals: Refusals) -> None:
        self._tables = tables
        self._horizon = horizon
        self._refusals = refusals

    async def span(self, caller: Caller, first: int | None, last: int | None, as_: Mask | None) -> Span:
        """What the caller asks for: by default from commit 1 to the latest that it may see. The referee may look as another principal.

        Raises `ahead-of-log`, or `unfit-span` for one that ends before it begins.
        """
        live = await self._tables.live(caller.game)
        head = await self._horizon.head(live, caller)
        principal = as_ or caller.principal
        begin, end = first or 1, last or await self._horizon.head(live, caller.looking_as(principal))
        if first is not None and last is not None and first > last:
            detail = f"A span goes forward: from {last} to {first}, not from {first} to {last}."
            raise ProblemError("unfit-span", detail, errors=[FieldError("from", detail)])
        furthest = head if last else end
        if max(begin, end) > furthest:
            raise ahead(furthest)
        return Span(game=caller.game, rules=live.rules, principal=principal, first=begin, last=end, version=furthest)

    async def narrator(self, caller: Caller, after: int) -> Narrator:
        return await narrator(self._tables, caller, after)

    async def narrowed(
        self, span: Span, wanted: Wanted, *, legal: bool = True, names: bool = False, told: bool = False
    ) -> Span:
        """The same span, told as the caller asks: only the steps that are wanted, without what was legal, with the players' names, with who was told.

        Raises `unknown-rule`, or `unfit-filter` for what the game does not have.
        """
        live = await self._tables.live(span.game)
        facts = live.facts
        try:
            if wanted:
                doubt = wanted.in_doubt(span.rules, span.principal)
                heard = await self._told(span) if doubt else set[str]()
                known = await self._tables.fold_for(span.game, live, span.principal, span.last)
                heard |= cards_in_books(span.rules, known, span.principal) if doubt else set()
                wanted = wanted.settled(span.rules, known, span.principal, len(facts.seats), heard)
        except Unfit as unfit:
            code = "unknown-rule" if unfit.field == "rule" else "unfit-filter"
            raise ProblemError(code, str(unfit), errors=[FieldError(unfit.field, str(unfit))]) from None
        texts = await self._tables.store.get_texts(span.game, NAME) if names else {}
        shown = names_shown(facts, names_in(texts), span.last)  # a tag tells of no later one either
        players = {seat: Player(name, facts.seats[seat].named_at) for seat, name in shown.items()}
        return msgspec.structs.replace(span, telling=Telling(wanted=wanted, legal=legal, players=players, told=told))

    async def _told(self, span: Span) -> set[str]:
        """All names in what the role was told up to the end of a span. It takes as long whether the name that is looked for is there or not."""
        found: set[str] = set()
        async for bodies in pages(self._tables.store, span.game, span.last, size=PIECE):
            for body in bodies:
                try:
                    events = redact(read_folded(body).events, span.principal)
                except (msgspec.DecodeError, ValueError) as error:
                    raise StoreDamaged(f"a commit of game {span.game} can't be read: {error}") from error
                found |= names_of([one.event for one in events])
            await asyncio.sleep(0)
        return found

    async def page(self, span: Span, after: int, limit: int) -> TracePage:
        """The steps of a span after a cursor. Raises `unfit-span` for a cursor beyond the span."""
        first = _first_behind(span, after)
        last = min(span.last, first + (LOOKED_AT if span.telling.wanted else limit) - 1)
        rulings: list[InForce] | None = None
        steps: list[TraceStep] = []
        async with aclosing(self.parts(span, first, last)) as parts:
            async for part in parts:
                rulings = part.rulings if rulings is None else rulings
                steps += part.steps
                if len(steps) >= limit:
                    del steps[limit:]
                    last = steps[-1].number
                    break
        return TracePage(
            game=span.game,
            role=span.role,
            first=span.first,
            last=span.last,
            rulings=rulings or [],
            steps=steps,
            next=last if last < span.last else None,
            version=span.version,
        )

    async def parts(self, span: Span, first: int, last: int) -> AsyncGenerator[TracePart, None]:
        """The steps of some commits of a span, a few at a time, to limit memory. Raises `StoreError`."""
        tracer = Tracer(span.rules, await self._before(span, first), span.principal, span.telling)
        number = first - 1
        async for bodies in self._stored(span.game, number, last):
            refused = await self._refusals.between(span.game, span.principal, number + 1, number + len(bodies))
            rulings, steps = tracer.in_force(), list[TraceStep]()
            for body in bodies:
                number += 1
                try:
                    commit = committed(body, span.principal)
                except (msgspec.DecodeError, ValueError) as error:
                    raise StoreDamaged(f"commit {number} of game {span.game} can't be read: {error}") from error
                step = tracer.wanted(commit, refused.get(number, ()))
                steps += [] if step is None else [step]
                if number % STRIDE == 0:
                    await asyncio.sleep(0)
            yield TracePart(rulings, steps)

    async def _stored(self, game: str, after: int, last: int) -> AsyncIterator[list[bytes]]:
        """The stored commits behind one, up to another, a few at a time; the latest are in memory."""
        at_hand = (await self._tables.live(game)).bodies(after, last - after)
        if at_hand:
            yield at_hand
            return
        async for bodies in pages(self._tables.store, game, last, after=after, size=PIECE):
            yield bodies

    async def beside(self, span: Span) -> object:
        """What of a trace may change without a commit: what was refused, as far as its role may see it, and players' names."""
        found = await self._refusals.between(span.game, span.principal, span.first, span.last)
        return sorted(found.items()), sorted(span.telling.players.items())

    async def _before(self, span: Span, first: int) -> State:
        """What the role knew right before a commit: a copy, for the one that is held goes on with the game."""
        live = await self._tables.live(span.game)
        known = await self._tables.fold_for(span.game, live, span.principal, first - 1)
        return copied(known)

    async def lines(self, span: Span, after: int) -> AsyncIterator[bytes]:
        async for part in self.parts(span, _first_behind(span, after), span.last):
            yield b"".join([_encode(step) + b"\n" for step in part.steps])

    async def markdown(self, span: Span, after: int = 0) -> AsyncIterator[bytes]:
        """The steps of a span behind a cursor, piece by piece."""
        page, first = markdown_of(span.telling), _first_behind(span, after)
        head = True
        async for part in self.parts(span, first, span.last):
            begun = page.head(span.game, span.role, first, span.last, part.rulings) if head else ""
            head = False
            yield "".join([begun, *[page.step(step) for step in part.steps]]).encode()
        yield page.foot().encode()


def cards_in_books(rules: Rules, state: State, principal: Mask) -> set[str]:
    """The cards of the haunt in play that are in the books which a role has read."""
    read = book_of(rules, state, principal)
    return set() if read is None else {item.id for book in read.books for item in book.items}


def markdown_of(telling: Telling) -> Markdown:
    """A page in which this is told."""
    return Markdown(str(telling.wanted), {f"seat:{seat}": player for seat, player in telling.players.items()})


def _first_behind(span: Span, after: int) -> int:
    """The first commit of a span behind a cursor. Raises `unfit-span`."""
    if after > span.last:
        detail = f"The span ends with commit {span.last}, and the cursor is beyond it."
        raise ProblemError("unfit-span", detail, errors=[FieldError("after", detail)])
    return max(span.first, after + 1)
