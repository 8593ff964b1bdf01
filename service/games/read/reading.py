"""Facts, views, decisions and pages of events, each from what the caller's role was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.chance import Misfit, Request, check
from domain.facts.state import State
from domain.past import Passed
from projections.books.setup import setup_of
from projections.choices.brief import Brief, brief_of
from projections.choices.decisions import Decisions, decisions_of
from projections.naming.names import counted
from projections.text.post import PassedOver
from projections.trace.shapes import TraceStep
from projections.trace.sifting import Wanted
from projections.view.game import GameView, view_of
from projections.view.waiting import TIMELESS, Times
from service.games.folds import latest_played
from service.games.horizon import Horizon, Page, lags, names_shown
from service.games.lobby.answers import GameDetails, GameList, GameShown, show, with_details
from service.games.lobby.catalogue import Catalogue
from service.games.read.tracing import Tracing
from service.games.tables import LiveGame, Tables
from service.identity import Caller
from service.log.facts import NAME, Facts, Secret, names_in, no_sandbox, read_facts
from service.log.reader import commits
from service.log.recorded import committed
from service.problems import ProblemError, ahead
from service.store.port import GameRecord

FIRST_STEPS = 40
"""Steps on a screen that has none yet."""
MOST_STEPS = 200
"""Steps that a screen is told at once."""


class TapeTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """Why an open request of chance was not answered by the tape."""

    code: Literal["tape-misfit", "tape-ended"]
    decision: str
    """The decision that waits for the referee's answer in its place."""
    detail: str


def tape_trouble(secret: Secret, state: State) -> TapeTrouble | None:
    """Compare the tape with the request that is open, if one is; it is the same whenever it is asked."""
    asked = next((decision for decision in state.open.values() if decision.kind == "chance"), None)
    if asked is None:
        return None
    index = int(asked.id.removeprefix("c")) - 1
    if index >= len(secret.tape):
        detail = f"The tape has {counted(len(secret.tape), 'answer')}; this is request {index + 1}."
        return TapeTrouble(code="tape-ended", decision=asked.id, detail=detail)
    try:
        check(Request(index, asked.about, dice=asked.total, options=tuple(asked.options)), secret.tape[index])
    except Misfit as misfit:
        return TapeTrouble(code="tape-misfit", decision=asked.id, detail=f"Answer {index + 1} of the tape: {misfit}")
    return None


class Seen(msgspec.Struct, frozen=True):
    """What a role knows as of a commit, for a projection that is made before anything else is awaited."""

    rules: Rules
    state: State
    principal: Mask
    version: int
    facts: Facts
    tape: TapeTrouble | None = None
    """For the referee: why the tape waits."""
    passed: Sequence[Passed] = ()
    """The latest commits of play up to it, for what can be taken back."""
    times: Times = TIMELESS
    """Of what the game waits for, if it is the latest commit of all that is shown."""
    passed_over: Sequence[PassedOver] = ()
    """Whose deadlines ran out in the last round, under the same condition."""

    @property
    def deadlines(self) -> Times:
        """Of these times only when each decision runs out."""
        return Times(due=self.times.due)

    @property
    def beside(self) -> tuple[object, ...]:
        """What else than the role and the version decides what is shown of it: times are shown at the head of the log alone."""
        return dict(self.times.due), self.passed_over, self.tape

    def beside_decisions(self, *, since: bool) -> tuple[object, ...]:
        """The same of its decisions, told with the times since which they are awaited or without."""
        return (*self.beside, dict(self.times.since) if since else None)

    def players(self, names: Mapping[int, str]) -> list[str]:
        """The players' names by seat, empty where none was told up to this commit."""
        told = names_shown(self.facts, dict(names), self.version)
        return [told.get(seat, "") for seat in range(self.state.seats)]


class DecisionsShown(Decisions, frozen=True, kw_only=True, omit_defaults=True):
    """What the game is waiting for, and what the caller may do about it."""

    tape: TapeTrouble | None = None
    """For the referee of a game with a tape: why the tape did not answer an open request of chance."""


class Screen(msgspec.Struct, frozen=True):
    """What a role sees and may do as of one commit, and what led there."""

    version: int
    view: GameView
    decisions: DecisionsShown
    steps: list[TraceStep]
    """The latest that it did not have, in their order."""


class Reading:
    """Reads games."""

    def __init__(self, tables: Tables, horizon: Horizon) -> None:
        self._tables = tables
        self._horizon = horizon
        self._store = tables.store
        self.catalogue = Catalogue(tables.store)

    async def game(self, game: str, caller: Caller | None = None) -> GameDetails:
        """A game's public facts, and the players' names where the caller has a token of that game. Raises `not-found`."""
        record = await self._store.get_game(game)
        if record is None:
            raise ProblemError("not-found", "There is no such game.")
        return with_details(await self._show(record, caller))

    async def games(
        self,
        caller: Caller | None = None,
        *,
        status: str | None = None,
        newest: bool = False,
        after: str | None = None,
        limit: int,
    ) -> GameList:
        """A page of the games that their makers have listed: see `Catalogue.page`."""
        records, following = await self.catalogue.page(status, newest=newest, after=after, limit=limit)
        return GameList(games=[await self._show(record, caller) for record in records], next=following)

    async def _show(self, record: GameRecord, caller: Caller | None) -> GameShown:
        facts = read_facts(record.facts)
        version = record.version
        if lags(facts):
            version = min(version, await self._horizon.public(await self._tables.live(record.id)))
        names: dict[int, str] = {}
        if caller is not None and caller.game == record.id:
            names = await self.names(record.id)
        return show(facts, version=version, created=record.created, names=names_shown(facts, names, version))

    async def facts(self, caller: Caller, number: int) -> bytes:
        """The caller's facts of a commit, as members of its data."""
        return await self._horizon.facts(await self._tables.live(caller.game), caller.principal, number)

    async def seen(self, caller: Caller, *, at: int | None = None, as_: Mask | None = None) -> Seen:
        """What the caller, or another role (`as_`) that it may look as, knows as of the commit `at`, by default the latest that it may see.

        Raises `ahead-of-log`.
        """
        live = await self._tables.live(caller.game)
        version = await self._version(live, caller, at, as_)
        principal = as_ or caller.principal
        times = TIMELESS
        passed_over: list[PassedOver] = []
        is_late = principal == SPECTATORS and lags(live.facts)
        # Before anything is awaited: clocks are told as of the same commit. To who lags behind they would tell that nothing has followed.
        if version == live.version and not is_late:
            times = Times(dict(live.waiting_since), live.due())
            passed_over = [
                PassedOver(one.seat, one.turn, one.at) for one in live.clocks.missed_lately(len(live.facts.seats))
            ]
        latest = await latest_played(self._store, live, version) if principal < SPECTATORS else ()
        state = await self._tables.fold_for(caller.game, live, principal, version)
        tape = None
        if live.facts.source == "tape" and principal == REFEREE:
            tape = tape_trouble(live.secret, state)
        return Seen(live.rules, state, principal, version, live.facts, tape, latest, times, passed_over)

    async def setup(self, game: str, seen: Seen) -> list[str]:
        """What was done as the haunt began, in words, as far as the role was told."""
        if seen.state.haunt is None:
            return []
        told = [committed(body, seen.principal) async for _, body in commits(self._store, game, seen.version)]
        return setup_of(seen.rules, seen.state, ((one.number, [each.event for each in one.told]) for one in told))

    async def version(self, caller: Caller, *, at: int | None = None, as_: Mask | None = None) -> int:
        """The commit `at`, by default the latest that the caller may see, or that it may see as another role (`as_`). Raises `ahead-of-log`."""
        return await self._version(await self._tables.live(caller.game), caller, at, as_)

    async def _version(self, live: LiveGame, caller: Caller, at: int | None, as_: Mask | None) -> int:
        head = await self._horizon.head(live, caller)
        if at is not None and at > head:
            raise ahead(head)
        return at or (head if as_ is None else await self._horizon.head(live, caller.looking_as(as_)))

    async def check_no_sandbox(self, caller: Caller) -> None:
        """Raise `is-fork` for a sandbox, where something would lead out of it."""
        no_sandbox((await self._tables.live(caller.game)).facts)

    async def due(self, caller: Caller) -> float | None:
        """Seconds until the caller may see more although nothing happens; None if that can't be."""
        return await self._horizon.due(await self._tables.live(caller.game), caller)

    async def disclosed(self, caller: Caller) -> bool:
        """Whether everybody may know all of the caller's game. It stays so: no rewind leads out of the end of a game."""
        return (await self._tables.live(caller.game)).facts.disclosed()

    async def seats(self, caller: Caller) -> int:
        return len((await self._tables.live(caller.game)).facts.seats)

    async def names(self, game: str) -> dict[int, str]:
        """The players' names by seat, as far as they were given and not erased. Ask before `seen`: its state goes on with the game."""
        return names_in(await self._store.get_texts(game, NAME))

    async def page(self, caller: Caller, after: int, limit: int) -> Page:
        """The caller's events behind a cursor. Raises `ahead-of-log`."""
        return await self._horizon.page(await self._tables.live(caller.game), caller, after, limit)


async def screen(
    reading: Reading,
    tracing: Tracing,
    caller: Caller,
    *,
    at: int | None = None,
    as_: Mask | None = None,
    after: int | None = None,
    since: bool = False,
) -> tuple[Screen, Seen]:
    """What the screen shows of a commit to the caller or to another role, with the steps behind `after`, and what it is made of.

    Raises `ahead-of-log`.
    """
    version = await reading.version(caller, at=at, as_=as_)
    first = max(version - (FIRST_STEPS if after is None else MOST_STEPS), after or 0) + 1
    steps: list[TraceStep] = []
    if first <= version:  # before the role's fold goes on, as it mostly stands where the steps begin
        span = await tracing.span(caller, first, version, as_)
        span = await tracing.narrowed(span, Wanted(), legal=False, names=True)
        steps = (await tracing.page(span, 0, MOST_STEPS)).steps
    seen = await reading.seen(caller, at=version, as_=as_)
    return Screen(version, view(seen), decisions(seen, since=since), steps), seen


def view(seen: Seen) -> GameView:
    """The house as the role sees it."""
    return view_of(seen.rules, seen.state, seen.principal, seen.deadlines)


def brief(seen: Seen, page: int = 1) -> Brief:
    """The role's situation and numbered options, in few words."""
    return brief_of(view(seen), every_decision(seen), page)


def every_decision(seen: Seen) -> Decisions:
    """What the role may do, listed whole: what options are numbered by."""
    return decisions_of(seen.rules, seen.state, seen.principal, seen.passed, seen.deadlines, whole=True)


def is_asked(seen: Seen) -> bool:
    """Whether the role has something to answer."""
    return every_decision(seen).asked


def decisions(seen: Seen, *, hints: bool = False, since: bool = False) -> DecisionsShown:
    """What the game waits for, and with `since` from when on, and what the role may do, for a bot with `hints`."""
    times = seen.times if since else seen.deadlines
    found = decisions_of(seen.rules, seen.state, seen.principal, seen.passed, times, hints=hints)
    return DecisionsShown(**msgspec.structs.asdict(found), tape=seen.tape)
