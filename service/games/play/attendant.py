"""The attendant: carries out standing orders and deadlines, each as a commit of the game, by the actors `auto` and `clock`.

Nothing that it knows is in memory alone: orders are in the store, deadlines follow from the log. After a crash it looks at all games that go on.

Each process has an attendant for all games. Each thing is still done only once, as a commit at the version (and for orders at the revision of
the records) that it was decided for: one attendant is quicker, and the others find nothing due. Every `SWEEP` seconds each looks for games
that it has not heard of, so that what a process that has died was attending to goes on.
"""

from __future__ import annotations

import asyncio
import logging

import msgspec

from domain.decide import decide
from domain.default_actions import default_of, lapse_dispute, take_default
from domain.facts.audience import REFEREE, seat_bit
from domain.facts.commands import AnyCommand
from domain.facts.events import Told
from domain.facts.lifecycle_commands import Closed, Expired, Lapsed
from domain.facts.refusal import Refused
from domain.game import close_game
from domain.rulebook.desk.disputing import timed_as
from domain.rulebook.turn.options import answering_seat
from domain.rulebook.turn.standing_orders import Orders, after, ended, proceed
from service.games.orders import ORDERS, encode
from service.games.play.submit import Act, Play
from service.games.refusals import Refusals
from service.games.tables import Hints, LiveGame, Tables
from service.log.deadlines import due_at, seconds_between
from service.log.facts import OVER, is_fork, read_facts
from service.log.reader import AUTO, CLOCK
from service.outside import Outside
from service.problems import ProblemError
from service.store.port import GameRecord, Head, NoSuchGame, RecordChanges, StoreError

PAGE = 200
"""Games looked at at once when the service starts."""
SWEEP = 60.0
"""Seconds after which all games that go on are looked at again, for what other processes have left."""
DAY = 86_400
AGAIN = 1.0
"""Seconds after which what the store refused is tried again."""

log = logging.getLogger(__name__)


class Attendant:
    """Does what is due in games without anybody's command."""

    def __init__(
        self, tables: Tables, play: Play, outside: Outside, refusals: Refusals, due: Hints, *, open_lifetime: int = 0
    ) -> None:
        """Attend to these games once `start` was called.

        A game that has not begun is abandoned after `open_lifetime` seconds; 0: never. `due` names games in which something may be due.
        """
        self._open_lifetime = open_lifetime
        self._tables = tables
        self._refusals = refusals
        self._play = play
        self.hints = due
        self._outside = outside
        self._due: dict[str, str] = {}
        """By game: when its next deadline runs out."""
        self._waiting: set[str] = set()
        self._seen: dict[str, tuple[Head, bool]] = {}
        """How far games had come when they were swept, and whether anything could fall due in them."""
        self._over: str | None = None
        """The last of the games that come first in the list and are all over."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at all games that are going on, and from then on at those that are hinted at."""
        self._task = asyncio.create_task(self._run())

    async def sweep(self) -> None:
        """Look once at all games that are going on, and do what is due in them. Raises as `look` does."""
        await self._find()
        self._waiting |= self.hints.take()
        for game in [*self._waiting, *self._overdue()]:
            self._waiting.discard(game)
            await self.look(game)

    async def close(self) -> None:
        """Stop; what is due is done after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        sweep = loop.time()
        while True:
            self.hints.news.clear()
            if loop.time() >= sweep:
                sweep = loop.time() + SWEEP
                try:
                    await self._find()
                except StoreError as fault:
                    log.warning("games with something due could not be looked for: %s", fault)
                    sweep = loop.time() + AGAIN
            put_off = set()
            self._waiting |= self.hints.take()
            for game in [*self._waiting, *self._overdue()]:
                self._waiting.discard(game)
                try:
                    await self.look(game)
                except StoreError as fault:
                    log.warning("game %s: what is due is put off: %s", game, fault)
                    put_off.add(game)
                except NoSuchGame:  # a sandbox that has expired
                    self._due.pop(game, None)
                except (ProblemError, Refused, LookupError):
                    log.exception("game %s: what is due could not be done", game)
                    self._due.pop(game, None)
            if put_off:
                await asyncio.sleep(AGAIN)
                self._waiting |= put_off
            else:
                await self._sleep(sweep - loop.time())

    async def _sleep(self, most: float) -> None:
        left = max(0.0, most)
        if self._due:
            left = min(left, max(0.0, seconds_between(self._outside.now(), min(self._due.values()))))
        try:
            async with asyncio.timeout(left):
                await self.hints.news.wait()
        except TimeoutError:
            return

    def _overdue(self) -> list[str]:
        now = self._outside.now()
        return [game for game, due in self._due.items() if due <= now and game not in self._waiting]

    async def _find(self) -> None:
        """All games that go on and have a deadline or orders, if something has happened there since the last sweep."""
        store, last, all_over = self._tables.store, self._over, True
        before, self._seen = self._seen, {}
        while True:
            try:
                page = await store.list_games(last, PAGE)
            except NoSuchGame:  # the last of the page was a fork, and was removed meanwhile: go on at the next sweep
                return
            going = [record for record in page if record.status not in OVER]
            for record in page:
                all_over = all_over and record.status in OVER
                if all_over and not is_fork(record.facts):  # forks are removed, and can be no place to go on behind
                    self._over = record.id
            for record in going:
                head, (then, timed) = Head(record.version, record.revision), before.get(record.id, (None, False))
                if then is None or then.revision != head.revision:
                    timed = await self._is_timed(record)
                self._seen[record.id] = head, timed
                if self._given_up(record) or (timed and then != head):
                    self._waiting.add(record.id)
            if len(page) < PAGE:
                return
            last = page[-1].id

    def _given_up(self, record: GameRecord) -> bool:
        """Whether nobody has started the game for too long; sandboxes have an end of their own."""
        if record.status != "open" or not self._open_lifetime:
            return False
        try:
            sandbox = read_facts(record.facts).fork is not None
        except msgspec.DecodeError:
            return False  # nothing can be done in it
        return not sandbox and due_at(record.created, self._open_lifetime) <= self._outside.now()

    async def _is_timed(self, record: GameRecord) -> bool:
        """Whether anything can fall due in the game, as long as nothing changes beside its log."""
        try:
            options = read_facts(record.facts).options
        except msgspec.DecodeError as fault:
            log.warning("game %s: nothing is done in it, its record can't be read: %s", record.id, fault)
            return False
        disputes = options.disputes
        timed = disputes is not None and (disputes.pause or disputes.seconds is not None)
        return options.deadline is not None or timed or bool(await self._tables.store.get_texts(record.id, ORDERS))

    # -- one game -------------------------------------------------------------------------------------------------------

    async def look(self, game: str) -> None:
        """Do all that is due in a game now: orders first, then what ran out."""
        while await self._order(game) or await self._deadline(game):
            pass
        await self._abandon(game)

    async def _settled(self, game: str) -> LiveGame:
        """The game as it is in the store, to be looked at before anything else is awaited.

        While a command is on its way to the store, what it does is in `LiveGame.state` already, and may yet come to nothing.
        """
        table = self._tables.table(game)
        async with table.lock:
            return await self._tables.load(table, fresh=True)

    async def _order(self, game: str) -> bool:
        """Do the next step of somebody's orders, or note their progress; tells whether there may be more."""
        live = await self._settled(game)
        for seat, orders in list(live.orders.items()):
            if not orders.active():
                continue
            now, command = proceed(orders, live.state, seat)
            if command is not None:
                return await self._step(game, live, seat, now, command)
            if now != orders:
                await self._keep(game, seat, orders, now)
                return True
        return False

    async def _step(self, game: str, live: LiveGame, seat: int, orders: Orders, command: AnyCommand) -> bool:
        behind, given = after(orders, command), live.orders[seat]
        act = Act(
            actor=AUTO,
            command=command,
            command_to=seat_bit(seat) | REFEREE,
            decision=command.decision,
            decide=lambda live: _do_step(live, seat, given, command),
            expected=[live.version],
            texts={f"{ORDERS}{seat}": encode(behind).decode()},
            orders={seat: behind},
        )
        try:
            await self._do(game, act)
        except Refused as found:
            refusal = await self._play.worded(game, seat_bit(seat), found)
            why = f"step {orders.next + 1}: {refusal.detail}" + (f" ({refusal.rule})" if refusal.rule else "")
            await self._keep(game, seat, given, ended(orders, "stopped", why))
            await self._refusals.note(game, by=AUTO, seat=seat, number=live.version, command=command, refusal=refusal)
        return True

    async def _keep(self, game: str, seat: int, before: Orders, now: Orders) -> None:
        """Note the progress of orders, unless their player has left others meanwhile."""

        async def noted(live: LiveGame) -> tuple[None, RecordChanges | None]:
            if live.orders.get(seat) != before:
                return None, None
            return None, RecordChanges(texts={f"{ORDERS}{seat}": encode(now).decode()})

        await self._play.change_records(game, noted)

    async def _deadline(self, game: str) -> bool:
        """Do what the deadline that ran out first brings; tells whether there was one."""
        live = await self._settled(game)
        if live.facts.over() or not live.clocks.since:
            self._due.pop(game, None)
            return False
        due, decision = min((_due(live, decision), decision) for decision in live.clocks.since)
        self._due[game] = due
        if due > self._outside.now():
            return False
        dispute = timed_as(live.state, decision)
        await self._do(game, _expire(live, decision, due) if dispute is None else _lapse(live, dispute.number, due))
        return True

    async def _abandon(self, game: str) -> None:
        live = await self._settled(game)
        if live.facts.status != "open":
            return
        version = live.version  # somebody may start it while its record is read
        record = await self._tables.store.get_game(game)
        if record is not None and self._given_up(record):
            await self._do(game, _give_up(version, self._open_lifetime))

    async def _do(self, game: str, act: Act) -> None:
        """Do it, unless somebody was quicker: then it is looked at again."""
        try:
            await self._play.append_commit(game, act)
        except ProblemError as problem:
            if problem.code not in ("stale-version", "conflict"):
                raise


def _give_up(version: int, seconds: int) -> Act:
    days, rest = divmod(seconds, DAY)
    span = f"{seconds} s" if rest or not days else f"{days} days" if days > 1 else "a day"
    because = f"Nobody started the game within {span}."
    return Act(
        actor=CLOCK,
        command=Closed(because=because),
        decide=lambda live: close_game(live.rules, live.state, because),
        expected=[version],
    )


def _due(live: LiveGame, decision: str) -> str:
    dispute = timed_as(live.state, decision)
    return live.due()[decision] if dispute is None else due_at(live.clocks.since[decision], dispute.seconds)


def _lapse(live: LiveGame, number: int, due: str) -> Act:
    command = Lapsed(dispute=number, due=due)
    return Act(
        actor=CLOCK,
        command=command,
        decide=lambda live: lapse_dispute(live.rules, live.state, command, live.chance),
        expected=[live.version],
    )


def _expire(live: LiveGame, decision: str, due: str) -> Act:
    seat = answering_seat(live.state, decision)
    expired = Expired(decision=decision, due=due, command=default_of(live.rules, live.state, decision))
    return Act(
        actor=CLOCK,
        command=expired,
        command_to=seat_bit(seat) | REFEREE,
        decision=decision,
        decide=lambda live: take_default(live.rules, live.state, expired, live.chance),
        expected=[live.version],
    )


def _do_step(live: LiveGame, seat: int, orders: Orders, command: AnyCommand) -> list[Told]:
    if live.orders.get(seat) != orders:
        raise ProblemError("conflict", "The orders have changed.")
    return decide(live.rules, live.state, seat, command, live.chance)
