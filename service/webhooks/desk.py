"""Subscriptions as owners ask for them, see them and change them. `service.webhooks.delivery` sends what comes of them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from domain.facts.events import EVENT_TYPES
from service.games.follow.accounts import Accounts
from service.games.read.reading import Reading
from service.identity import Caller
from service.outside import Outside
from service.problems import FieldError, ProblemError
from service.store.port import AccountRecord, LogStore, RecordStore
from service.webhooks import message
from service.webhooks.answers import (
    Attempts,
    AttemptShown,
    KeyMade,
    Redeliver,
    Subscribe,
    SubscriptionMade,
    Subscriptions,
    SubscriptionShown,
    show,
    show_attempt,
)
from service.webhooks.owners import AccountOwner, Owner, TokenOwner, unfit
from service.webhooks.sender import EndpointRefused, Sender, SendOutcome
from service.webhooks.subscription import (
    Attempt,
    Clock,
    Key,
    Owned,
    Subscription,
    noted,
    read,
    record,
    redelivered,
    rewrite,
    rotated,
)

TYPES = frozenset(kind.__struct_config__.tag for kind in EVENT_TYPES)  # what a filter can name
TRYING = 8  # test messages under way at once; more wait
REFUSING = 1.0  # seconds: a refusal comes after one of them, or two …
REFUSED = (
    "The endpoint must have an https:// URL at a public address, and answer OPTIONS with a 2xx status and `WebHook-Allowed-Origin`. "
    "For safety, this answer does not say which of these failed."
)


class Webhooks:
    """The desks of all owners."""

    def __init__(
        self,
        records: RecordStore,
        games: LogStore,
        reading: Reading,
        accounts: Accounts,
        issuer: Issuer,
        hint: Callable[[str], None],
    ) -> None:
        """`hint` is told of games of which there is something to send now."""
        self._records = records
        self._games = games
        self._reading = reading
        self._accounts = accounts
        self._issuer = issuer
        self._hint = hint

    def of_token(self, caller: Caller, holder: bytes) -> Desk:
        """The desk of a caller who shows the token with the digest `holder`."""
        return Desk(self._records, self._issuer, self._hint, TokenOwner(self._reading, caller, holder))

    def of_account(self, account: AccountRecord) -> Desk:
        owner = AccountOwner(self._records, self._games, self._accounts, account)
        return Desk(self._records, self._issuer, self._hint, owner)


class Desk:
    """The subscriptions of one owner."""

    def __init__(self, records: RecordStore, issuer: Issuer, hint: Callable[[str], None], owner: Owner) -> None:
        self._records = records
        self._issuer = issuer
        self._hint = hint
        self._owner = owner

    async def subscribe(self, asked: Subscribe) -> tuple[SubscriptionMade, bool]:
        """Register an endpoint, after asking whether it agrees; whether it was there already: asked again, the answer is the same.

        Raises:
            ProblemError: `endpoint-refused`, `subscription-exists`, `too-many-subscriptions`, `unfit-subscription`, `ahead-of-log`; for an
                account `invalid-cursor` too.
        """
        for index, name in enumerate(asked.types):
            if name not in TYPES:
                raise unfit("Unknown event type.", f"/types/{index}", f"no type `{name}`")
        starts = await self._owner.starts(asked)
        theirs = await self._mine()
        known = next((one for one in theirs if one.url == asked.url), None)
        if known is None:
            await self._issuer.agree(asked.url, len(theirs))
            known = self._owner.new(asked, starts, self._issuer.key(), self._issuer.now())
            if await self._records.add(record(known, 0)):
                await self._look_after(known)
                return await self._made(known), False
            known = await self._own(known.id)
        settings = (asked.payload, sorted(set(asked.types)), sorted(set(asked.games)))
        if (known.payload, known.types, known.games) != settings:
            raise ProblemError("subscription-exists", f"Subscription {known.id} has this URL and other settings.")
        return await self._made(known), True

    async def shown(self) -> Subscriptions:
        return Subscriptions([await self._show(one) for one in await self._mine()])

    async def get(self, name: str) -> SubscriptionShown:
        """Raises the problem `forbidden`, whether another owner has one of that id or nobody."""
        return await self._show(await self._own(name))

    async def remove(self, name: str) -> None:
        """Forget a subscription. Raises as `get` does. If this is broken off, parts that are left over remove themselves."""
        parts = await self._owner.parts(await self._own(name))
        await self._records.remove(name)
        for part in parts:
            if part.id != name:
                await self._records.remove(part.id)

    async def redeliver(self, name: str, asked: Redeliver) -> SubscriptionShown:
        """Send again: these commits or messages, or all dead letters; and what waits, at once. A disabled endpoint is asked first.

        Raises the problems `endpoint-refused`, `ahead-of-log`, `unfit-subscription`, or as `get` does.
        """
        it = await self._own(name)
        self._owner.check_redelivery(asked)
        parts = [one for one in await self._owner.parts(it) if asked.game in (None, one.game)]
        if asked.game is not None and not parts:
            raise unfit("The subscription does not cover this game.", "/game", f"no game `{asked.game}`")
        wanted = _wanted(parts, asked)
        for part in parts:
            for number in wanted.get(part.id) or ():
                if number > part.cursor:
                    detail = f"Commit {number} was not sent yet: the latest is {part.cursor}."
                    raise ProblemError("ahead-of-log", detail)
        if it.state == "disabled":
            await self._issuer.ask(it.url)
            it = await self._change(name, lambda it: replace(it, state="active", reason=""))
        now = self._issuer.clock()
        for line, numbers in wanted.items():
            await rewrite(self._records, line, read, lambda it: redelivered(it, numbers, now))  # noqa: B023 -- used in this turn
        await self._look_after(it)
        return await self.get(name)

    async def test(self, name: str) -> AttemptShown:
        """Send a message that tells of nothing, once and now, whatever state the subscription is in. Raises as `get` does."""
        it = await self._own(name)
        attempt = await self._issuer.try_out(it)
        await self._change(name, lambda it: noted(it, attempt))
        return show_attempt(attempt, it.id)

    async def attempts(self, name: str) -> Attempts:
        """What became of the latest messages. Raises as `get` does."""
        it = await self._own(name)
        found = [show_attempt(one, it.id) for one in reversed(it.tried)]
        for part in await self._owner.parts(it):
            if part.id != it.id:
                found += [show_attempt(one, part.id, part) for one in reversed(part.tried)]
        return Attempts(sorted(found, key=lambda one: one.at, reverse=True))

    async def rotate(self, name: str) -> KeyMade:
        """Sign with a new key, for some time beside the old one. Raises as `get` does."""
        now, new = self._issuer.now(), self._issuer.key()
        until = self._issuer.overlap(now)
        changed = await self._change(name, lambda it: replace(it, keys=rotated(it.keys, new, until, now)))
        return KeyMade(subscription=await self._show(changed), secret=message.shared_secret(new))

    async def _look_after(self, it: Owned) -> None:
        for game in await self._owner.games(it):
            self._hint(game)

    async def _show(self, it: Owned) -> SubscriptionShown:
        return show(it, await self._owner.parts(it), self._issuer.clock())

    async def _made(self, it: Owned) -> SubscriptionMade:
        return SubscriptionMade(subscription=await self._show(it), secret=message.shared_secret(it.keys[0]))

    async def _mine(self) -> list[Owned]:
        found = [self._owner.read(one) for one in await self._records.of_owners(self._owner.name)]
        return [one for one in found if self._owner.owns(one)]

    async def _own(self, name: str) -> Owned:
        found = await self._records.get(name)
        it = None if found is None or found.owner != self._owner.name else self._owner.read(found)
        return self._theirs(it)

    async def _change(self, name: str, step: Callable[[Owned], Owned]) -> Owned:
        await self._own(name)
        return self._theirs(await rewrite(self._records, name, self._owner.read, step))

    def _theirs(self, it: Owned | None) -> Owned:
        """The subscription, if it is the owner's: another's is answered like one that doesn't exist."""
        if it is None or not self._owner.owns(it):
            raise ProblemError("forbidden", "No such subscription.")
        return it


def _wanted(parts: Sequence[Subscription], asked: Redeliver) -> dict[str, list[int] | None]:
    """What is to be sent again of which part: commits, or None for all dead letters. Raises the problem `unfit-subscription`."""
    if asked.messages is None:
        return {part.id: asked.commits for part in parts}
    if asked.commits is not None or asked.game is not None:
        raise unfit("`messages` stand alone, as each names its commit.", "/messages", "with `commits` or `game`")
    found: dict[str, list[int] | None] = {}
    for name in asked.messages:
        ours = [(part.id, message.commit_of(part.id, name)) for part in parts]
        one = next(((part, number) for part, number in ours if number is not None), None)
        if one is None:
            raise unfit("The subscription has sent no such message.", "/messages", f"no message `{name}`")
        found[one[0]] = [*(found.get(one[0]) or []), one[1]]
    return found


class Issuer:
    """Checks endpoints and makes keys."""

    def __init__(
        self, sender: Sender, outside: Outside, *, most: int, overlap: int, timeout: float, clock: Clock
    ) -> None:
        """An owner may have `most` subscriptions. A key signs `overlap` seconds beside its successor; a test message may take `timeout` seconds."""
        self._sender = sender
        self._outside = outside
        self._most = most
        self._overlap = overlap
        self._timeout = timeout
        self._trying = asyncio.Semaphore(TRYING)
        self.clock = clock

    async def agree(self, url: str, count: int) -> None:
        """`ask` for an owner, given its number of subscriptions. May raise the problem `too-many-subscriptions` too."""
        if count >= self._most:
            detail = f"A token or account may have {self._most} subscriptions at most."
            raise ProblemError("too-many-subscriptions", detail)
        await self.ask(url)

    async def ask(self, url: str) -> None:
        """Ask an endpoint whether it agrees. Raises the problem `endpoint-refused`.

        Whatever is wrong with it, the answer is the same, and comes a whole number of `REFUSING` seconds after the question: what is
        reachable from here, and which names lead where, is nobody's business.
        """
        clock = asyncio.get_running_loop().time
        asked = clock()
        try:
            await self._sender.ask(url)
        except EndpointRefused:
            await asyncio.sleep(-(clock() - asked) % REFUSING)
            raise ProblemError("endpoint-refused", REFUSED, errors=[FieldError("/url", "refused")]) from None

    async def try_out(self, it: Owned) -> Attempt:
        """Send a test message to an endpoint that agreed once."""
        now = self.now()
        name = message.test_name(it.id, now)
        body = message.test_body(it.id, name, now)
        signed = message.headers(it.keys, name, self.clock(), now, body)
        try:
            async with self._trying, asyncio.timeout(self._timeout), self._sender.line(it.url) as line:
                outcome = await line.send(signed, body)
        except EndpointRefused as refused:
            outcome = SendOutcome(error=str(refused))
        except TimeoutError:
            outcome = SendOutcome(error=f"no answer within {self._timeout:g} s")
        return Attempt(name, now, outcome.status, outcome.error)

    def key(self) -> Key:
        secret = self._outside.secret("webhook-key")
        return Key(id=hashlib.sha256(b"id" + secret).hexdigest()[:12], secret=secret)

    def now(self) -> str:
        return self._outside.now()

    def overlap(self, now: str) -> str:
        """Until when a key that gets a successor now goes on signing."""
        until = datetime.fromisoformat(now) + timedelta(seconds=self._overlap)
        return until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
