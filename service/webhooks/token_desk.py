"""The subscriptions of a token, to its one game: for whoever shows it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from service.games.read.reading import Reading
from service.identity import Caller
from service.problems import ProblemError
from service.store.records import WebhookStore
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
    newest_first,
    show,
    show_attempt,
)
from service.webhooks.desk import Issuing, ahead, check_one_way, mine, no_message, not_yours, unfit
from service.webhooks.holding import Step, rewrite
from service.webhooks.subscription import Subscription, name_of, noted, read, record, redelivered, rotated


class TokenDesk:
    """`Desk` of a token."""

    def __init__(
        self,
        store: WebhookStore,
        reading: Reading,
        issuing: Issuing,
        hint: Callable[[str], None],
        caller: Caller,
        holder: bytes,
    ) -> None:
        """Serve a caller.

        Args:
            store: where subscriptions are kept.
            reading: says how far a caller sees.
            issuing: asks endpoints, makes keys.
            hint: told of games of which there is something to send now.
            caller: who asks; what their role is told is what is sent.
            holder: the digest of the token that they show.
        """
        self._store = store
        self._reading = reading
        self._issuing = issuing
        self._hint = hint
        self._caller = caller
        self._holder = holder

    async def subscribe(self, asked: Subscribe) -> tuple[SubscriptionMade, bool]:
        """See `Desk.subscribe`."""
        self._issuing.check_types(asked)
        if asked.games or asked.cursor is not None:
            what = "games" if asked.games else "cursor"
            raise unfit("A token is good for its own game: that is for accounts.", f"/{what}", "an account's")
        await self._reading.check_no_sandbox(self._caller)
        head = await self._reading.version(self._caller)
        if asked.after is not None and asked.after > head:
            raise ProblemError("ahead-of-log", f"The game is at version {head}.", current_version=head)
        theirs = await self._mine()
        known = next((one for one in theirs if one.url == asked.url), None)
        if known is None:
            self._issuing.check_room(len(theirs))
            await self._issuing.ask(asked.url)
            known = self._new(asked, head)
            if await self._store.add(record(known, 0)):
                self._hint(known.game)
                return self._made(known), False
            known = await self._own(known.id)
        self._issuing.check_same(known, asked)
        return self._made(known), True

    async def shown(self) -> Subscriptions:
        """See `Desk.shown`."""
        return Subscriptions([self._show(one) for one in await self._mine()])

    async def get(self, name: str) -> SubscriptionShown:
        """See `Desk.get`."""
        return self._show(await self._own(name))

    async def remove(self, name: str) -> None:
        """See `Desk.remove`."""
        await self._own(name)
        await self._store.remove(name)

    async def redeliver(self, name: str, asked: Redeliver) -> SubscriptionShown:
        """See `Desk.redeliver`."""
        found = await self._own(name)
        if asked.game not in (None, found.game):
            raise unfit("A token is good for its own game.", "/game", "another game")
        check_one_way(asked)
        numbers = asked.commits
        if asked.messages is not None:
            numbers = [_numbered(found, one) for one in asked.messages]
        for number in numbers or ():
            if number > found.cursor:
                raise ahead(found.cursor, number)
        if found.state == "disabled":
            await self._issuing.ask(found.url)
        changed = await self._change(name, lambda it: redelivered(it, numbers, self._issuing.clock()))
        self._hint(changed.game)
        return self._show(changed)

    async def test(self, name: str) -> AttemptShown:
        """See `Desk.test`."""
        found = await self._own(name)
        attempt = await self._issuing.try_out(found.id, found.url, found.keys)
        await self._change(name, lambda it: noted(it, attempt))
        return show_attempt(attempt, found.id)

    async def attempts(self, name: str) -> Attempts:
        """See `Desk.attempts`."""
        found = await self._own(name)
        return newest_first([show_attempt(one, found.id) for one in reversed(found.tried)])

    async def rotate(self, name: str) -> KeyMade:
        """See `Desk.rotate`."""
        new = self._issuing.rotation()
        changed = await self._change(name, lambda it: replace(it, keys=rotated(it.keys, new.key, new.until, new.now)))
        return KeyMade(subscription=self._show(changed), secret=message.shared_secret(new.key))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _new(self, asked: Subscribe, head: int) -> Subscription:
        return Subscription(
            # The same for the same token and URL, so that there is never a second one.
            id=name_of(self._holder + asked.url.encode()),
            game=self._caller.game,
            token=self._caller.token,
            holder=self._holder,
            url=asked.url,
            payload=asked.payload,
            types=sorted(set(asked.types)),
            created=self._issuing.now(),
            keys=[self._issuing.key()],
            cursor=head if asked.after is None else asked.after,
        )

    def _show(self, it: Subscription) -> SubscriptionShown:
        return show(it, self._issuing.clock())

    def _made(self, it: Subscription) -> SubscriptionMade:
        return SubscriptionMade(subscription=self._show(it), secret=message.shared_secret(it.keys[0]))

    async def _mine(self) -> list[Subscription]:
        found = [read(one) for one in await self._store.of_games(self._caller.game)]
        return [one for one in found if one.belongs(self._holder)]

    async def _own(self, name: str) -> Subscription:
        it = read(mine(await self._store.get(name), self._caller.game))
        if not it.belongs(self._holder):
            raise not_yours()
        return it

    async def _change(self, name: str, step: Step) -> Subscription:
        await self._own(name)
        changed = await rewrite(self._store, name, lambda found: record(step(read(found)), found.revision))
        return read(mine(changed, self._caller.game))


def _numbered(it: Subscription, name: str) -> int:
    number = message.commit_of(it.id, name)
    if number is None:
        raise no_message(name)
    return number
