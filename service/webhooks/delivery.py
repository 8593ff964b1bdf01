"""Deliver one subscription: send what is due, until nothing is.

Messages arrive at least once, because the cursor moves after a message was sent, under a lease that outlasts the request. A process that is killed
in between leaves a message that nobody recorded; it is sent again with the same id.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack

import httpx
import msgspec

from service.games.read.reading import Reading
from service.games.read.tracing import narrator
from service.games.tables import Tables
from service.identity import Caller
from service.outside import Outside
from service.problems import ProblemError
from service.settings import BadSetting, Settings
from service.store.port import RecordStore
from service.webhooks import message
from service.webhooks.owners import Grant, Granting
from service.webhooks.sender import EndpointRefused, Line, Sender, SendOutcome
from service.webhooks.subscription import (
    Attempt,
    Clock,
    Hold,
    LeaseLost,
    Letter,
    Subscription,
    arrived,
    delivered,
    disabled,
    failed,
    finished,
    lost,
    noted,
    passed,
    read,
)

BATCH = 50  # commits read at once
SLICE = 10.0  # seconds after which a look ends even if more is due, so that others get their turn
GONE = "the endpoint answered 410 Gone"

log = logging.getLogger(__name__)


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """When a message that did not arrive is tried again."""

    retries: list[float]
    """Seconds before the second attempt, the third …; after the last one it is a dead letter."""
    timeout: float
    """Seconds that a request may take."""

    @property
    def lease(self) -> float:
        """Seconds: longer than a request, and for a third of it nobody may be sending at all."""
        return self.timeout * 4 / 3

    def due(self, attempts: int, outcome: SendOutcome, now: float) -> float | None:
        """When the next attempt is, after a number of failed ones; None for never.

        Up to a tenth is added at random, so that messages that failed together don't come back together.
        """
        if attempts > len(self.retries):
            return None
        chance = 1 + secrets.randbelow(1000) / 10_000
        return now + max(self.retries[attempts - 1] * chance, outcome.retry_after)


def pace(settings: Settings) -> Pace:
    """The pace that the settings name. Raises `BadSetting` for one out of its range."""
    try:
        retries = [float(one) for one in settings.webhook_retries.split(",") if one.strip()]
    except ValueError:
        retries = [-1.0]
    if not all(0 <= one < float("inf") for one in retries):
        raise BadSetting(f"OMENLOG_WEBHOOK_RETRIES={settings.webhook_retries}: write seconds, separated by commas")
    if not 0 < settings.webhook_timeout <= 120:  # noqa: PLR2004 -- two minutes, far below `jobs.LONGEST`
        raise BadSetting(
            f"OMENLOG_WEBHOOK_TIMEOUT={settings.webhook_timeout:g}: write seconds, more than 0, at most 120"
        )
    if settings.webhook_sweep <= 0:
        raise BadSetting(f"OMENLOG_WEBHOOK_SWEEP={settings.webhook_sweep:g}: write seconds, more than 0")
    return Pace(retries=retries, timeout=settings.webhook_timeout)


class Delivery:
    """Looks after subscriptions, one at each call."""

    def __init__(
        self,
        store: RecordStore,
        reading: Reading,
        tables: Tables,
        sender: Sender,
        outside: Outside,
        granting: Granting,
        *,
        pace: Pace,
        clock: Clock = time.time,
    ) -> None:
        self._store = store
        self._reading = reading
        self._tables = tables
        self._sender = sender
        self._outside = outside
        self._granting = granting
        self._pace = pace
        self._clock = clock
        self._stopped = False

    def stop(self) -> None:
        """Let looks end as soon as the request under way is answered."""
        self._stopped = True

    async def look(self, name: str) -> bool:
        """Send what is due; whether more may be due at once. A subscription that is unknown, or that somebody else looks after, is left alone.

        Raises `StoreError` if the store failed; the subscription is where its cursor says.
        """
        found = await self._store.get(name)
        if found is None or await self._idle(read(found)):
            return False
        hold = await Hold.take(self._store, name, self._pace.lease, self._clock)
        if hold is None:
            return False
        end = self._clock() + SLICE
        try:
            async with AsyncExitStack() as stack:
                way, more = _Way(self._sender, hold.it.url, stack), True
                while more and self._clock() < end and not self._stopped:
                    more = await self._step(hold, way)
        except LeaseLost:
            return False
        finally:
            await hold.release()
        # A hint that came while we held it led nobody here: what it told of we must see now.
        return not self._stopped and (more or not await self._idle(hold.it))

    async def _idle(self, it: Subscription) -> bool:
        """Whether nothing is due now. Writes nothing."""
        if it.state != "active":
            return True
        grant = await self._granting.grant(it)
        if it.again(self._clock()) is not None or (grant is None and not it.whole):
            return False
        if it.due > self._clock():
            return True
        if grant is None:
            return False
        await self._tables.fresh(it.game)  # other processes may have acted in it
        return it.cursor == await self._reading.version(grant.caller) and not await self._done(it)

    async def _done(self, it: Subscription) -> bool:
        """Whether the game is over and all of it was sent."""
        live = await self._tables.live(it.game)
        return live.facts.over() and it.cursor >= live.version and not any(one.due is not None for one in it.letters)

    async def _step(self, hold: Hold, way: _Way) -> bool:
        """Do some of what is due; whether there may be more."""
        if hold.it.state != "active":
            return False
        grant = await self._granting.grant(hold.it)
        if grant is None:
            await self._granting.withdrawn(hold)
            return False
        letter = hold.it.again(self._clock())
        if letter is None and hold.it.due > self._clock():
            return False
        try:
            if letter is not None:
                await self._redeliver(hold, grant, way, letter)
                return True
            return await self._go_on(hold, grant, way)
        except ProblemError as problem:
            # A cursor ahead of the log. Of the log as this process knows it, or really?
            if hold.it.cursor > (await self._tables.store.version(hold.it.game) or 0):
                log.warning("subscription %s ends: %s", hold.it.id, problem.code)
                reason = "the log is shorter than what was delivered: it was set back"
                await hold.change(lambda it: disabled(it, reason))
            return False

    async def _page(self, it: Subscription, caller: Caller, after: int, limit: int) -> list[bytes]:
        """What the role was told after a commit, as the event stream shows it."""
        await self._tables.fresh(it.game)  # other processes may have acted in it
        events = (await self._reading.page(caller, after, limit)).events
        if it.payload != "sentences" or not events:
            return events
        return await (await narrator(self._tables, caller, after)).add_all(events)

    async def _send(
        self, hold: Hold, grant: Grant, way: _Way, number: int, event: bytes
    ) -> tuple[SendOutcome, Attempt]:
        await hold.renew()
        body = message.body(hold.it, event)
        name = message.name(hold.it, number)
        now = self._outside.now()
        signed = message.headers(grant.keys, name, self._clock(), now, body)
        try:
            async with asyncio.timeout(self._pace.timeout):
                outcome = await way.send(signed, body)
        except TimeoutError:
            outcome = SendOutcome(error=f"no answer within {self._pace.timeout:g} s")
        return outcome, Attempt(name, now, outcome.status, outcome.error)

    # -- in line ------------------------------------------------------------------------------------------------------

    async def _go_on(self, hold: Hold, grant: Grant, way: _Way) -> bool:
        """Send what comes after the cursor, up to a batch; whether there may be more."""
        page = await self._page(hold.it, grant.caller, hold.it.cursor, BATCH)
        first = hold.it.cursor + 1
        for number, event in enumerate(page, first):
            if not message.wanted(hold.it, event):
                continue
            # The page was read after the grant was given: what it holds may come after the token ended.
            if self._stopped or await self._granting.grant(hold.it) != grant:
                return True
            outcome, attempt = await self._send(hold, grant, way, number, event)
            if not await self._settle(hold, number, outcome, attempt):
                return hold.it.due <= self._clock()
        if page:
            await hold.change(lambda it: passed(it, first - 1 + len(page)))
            return True
        if await self._done(hold.it):
            await hold.change(finished)
        return False

    async def _settle(self, hold: Hold, number: int, outcome: SendOutcome, attempt: Attempt) -> bool:
        """Record what became of the next message; whether it arrived."""
        if not outcome.error:
            await hold.change(lambda it: noted(delivered(it, number), attempt))
            return True
        if outcome.status == httpx.codes.GONE:
            await hold.change(lambda it: noted(it, attempt))
            await self._granting.gone(hold, GONE)
            return False
        log.info("subscription %s: commit %d was not delivered: %s", hold.it.id, number, outcome.error)
        due = self._pace.due(hold.it.attempts + 1, outcome, self._clock())
        await hold.change(lambda it: noted(failed(it, number, outcome.error, due), attempt))
        return False

    # -- out of line --------------------------------------------------------------------------------------------------

    async def _redeliver(self, hold: Hold, grant: Grant, way: _Way, letter: Letter) -> None:
        page = await self._page(hold.it, grant.caller, letter.number - 1, 1)
        if not page:
            await hold.change(lambda it: arrived(it, letter))
            return
        if await self._granting.grant(hold.it) != grant:
            return
        outcome, attempt = await self._send(hold, grant, way, letter.number, page[0])
        if not outcome.error:
            await hold.change(lambda it: noted(arrived(it, letter), attempt))
        elif outcome.status == httpx.codes.GONE:
            await hold.change(lambda it: noted(lost(it, letter, outcome.error, None), attempt))
            await self._granting.gone(hold, GONE)
        else:
            due = self._pace.due(letter.attempts + 1, outcome, self._clock())
            await hold.change(lambda it: noted(lost(it, letter, outcome.error, due), attempt))


class _Way:
    """The way to an endpoint, opened when the first message is sent."""

    def __init__(self, sender: Sender, url: str, stack: AsyncExitStack) -> None:
        self._sender = sender
        self._url = url
        self._stack = stack
        self._line: Line | None = None

    async def send(self, headers: Mapping[str, str], body: bytes) -> SendOutcome:
        if self._line is None:
            try:
                self._line = await self._stack.enter_async_context(self._sender.line(self._url))
            except EndpointRefused as refused:
                return SendOutcome(error=str(refused))
        return await self._line.send(headers, body)
