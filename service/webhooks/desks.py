"""Subscriptions of a token, to its one game, and of an account, to all games of its tokens: for whoever shows the token or the key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from service.games.follow.accounts import Accounts
from service.games.read.reading import Reading
from service.identity import Caller
from service.problems import ProblemError
from service.store.port import AccountRecord, LogStore
from service.store.records import RecordStore
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
    show_whole,
)
from service.webhooks.desk import Issuing, ahead, check_one_way, mine, no_message, not_yours, unfit
from service.webhooks.holding import Step, rewrite
from service.webhooks.subscription import TRIED, Subscription, name_of, noted, read, record, redelivered, rotated
from service.webhooks.whole import (
    Whole,
    covered,
    make_parts,
    owner,
    part_name,
    read_whole,
    whole_record,
)


class TokenDesk:
    """`Desk` of a token."""

    def __init__(
        self,
        store: RecordStore,
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
        return Subscriptions([self._show(one) for one in await self._mine()])

    async def get(self, name: str) -> SubscriptionShown:
        return self._show(await self._own(name))

    async def remove(self, name: str) -> None:
        await self._own(name)
        await self._store.remove(name)

    async def redeliver(self, name: str, asked: Redeliver) -> SubscriptionShown:
        found = await self._own(name)
        if asked.game not in (None, found.game):
            raise unfit("A token is good for its own game.", "/game", "another game")
        check_one_way(asked)
        numbers = asked.commits
        if asked.messages is not None:
            numbers = [_commit_named(found, one) for one in asked.messages]
        for number in numbers or ():
            if number > found.cursor:
                raise ahead(found.cursor, number)
        if found.state == "disabled":
            await self._issuing.ask(found.url)
        changed = await self._change(name, lambda it: redelivered(it, numbers, self._issuing.clock()))
        self._hint(changed.game)
        return self._show(changed)

    async def test(self, name: str) -> AttemptShown:
        found = await self._own(name)
        attempt = await self._issuing.try_out(found.id, found.url, found.keys)
        await self._change(name, lambda it: noted(it, attempt))
        return show_attempt(attempt, found.id)

    async def attempts(self, name: str) -> Attempts:
        found = await self._own(name)
        return newest_first([show_attempt(one, found.id) for one in reversed(found.tried)])

    async def rotate(self, name: str) -> KeyMade:
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
        found = [read(one) for one in await self._store.of_owners(self._caller.game)]
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


def _commit_named(it: Subscription, name: str) -> int:
    number = message.commit_of(it.id, name)
    if number is None:
        raise no_message(name)
    return number


class AccountDesk:
    """`Desk` of an account."""

    def __init__(
        self,
        store: RecordStore,
        games: LogStore,
        accounts: Accounts,
        issuing: Issuing,
        hint: Callable[[str], None],
        account: AccountRecord,
    ) -> None:
        """Serve an account: arguments as of `TokenDesk`; `games` has the accounts' places, `accounts` knows their cursors."""
        self._store = store
        self._games = games
        self._accounts = accounts
        self._issuing = issuing
        self._hint = hint
        self._account = account

    async def subscribe(self, asked: Subscribe) -> tuple[SubscriptionMade, bool]:
        self._issuing.check_types(asked)
        if asked.after is not None:
            detail = "An account has many games: it begins behind a `cursor` of its stream."
            raise unfit(detail, "/after", "a token's")
        starts = await self._starts(asked.cursor)
        theirs = await self._mine()
        known = next((one for one in theirs if one.url == asked.url), None)
        if known is None:
            self._issuing.check_room(len(theirs))
            await self._issuing.ask(asked.url)
            known = self._new(asked, starts)
            if await self._store.add(whole_record(known, 0)):
                await self._begin(known)
                return await self._made(known), False
            known = await self._own(known.id)
        self._issuing.check_same(known, asked, same=known.games == sorted(set(asked.games)))
        return await self._made(known), True

    async def shown(self) -> Subscriptions:
        return Subscriptions([await self._show(one) for one in await self._mine()])

    async def get(self, name: str) -> SubscriptionShown:
        return await self._show(await self._own(name))

    async def remove(self, name: str) -> None:
        """See `Desk.remove`: parts that are left over when this is broken off remove themselves."""
        whole = await self._own(name)
        parts = await self._parts(whole)
        await self._store.remove(name)
        for part in parts:
            await self._store.remove(part.id)

    async def redeliver(self, name: str, asked: Redeliver) -> SubscriptionShown:
        """See `Desk.redeliver`: in one game, or in all."""
        whole = await self._own(name)
        if asked.commits is not None and asked.game is None:
            raise unfit("Commits are counted for each game: name it.", "/game", "missing")
        check_one_way(asked)
        parts = [one for one in await self._parts(whole) if asked.game in (None, one.game)]
        wanted = {one.id: asked.commits for one in parts}
        if asked.messages is not None:
            wanted = _commits_named(parts, asked.messages)
            parts = [one for one in parts if one.id in wanted]
        if asked.game is not None and not parts:
            raise unfit("The subscription covers no such game.", "/game", f"no game `{asked.game}`")
        for part in parts:
            for number in wanted[part.id] or ():
                if number > part.cursor:
                    raise ahead(part.cursor, number)
        if whole.state == "disabled":
            await self._issuing.ask(whole.url)
            whole = await self._change(name, lambda it: replace(it, state="active", reason=""))
        now = self._issuing.clock()
        for part in parts:
            numbers = wanted[part.id]
            again = lambda found: record(redelivered(read(found), numbers, now), found.revision)  # noqa: B023, E731 -- used in this turn
            await rewrite(self._store, part.id, again)
        await self._begin(whole)
        return await self._show(whole)

    async def test(self, name: str) -> AttemptShown:
        whole = await self._own(name)
        attempt = await self._issuing.try_out(whole.id, whole.url, whole.keys)
        await self._change(name, lambda it: replace(it, tried=[*it.tried, attempt][-TRIED:]))
        return show_attempt(attempt, whole.id)

    async def attempts(self, name: str) -> Attempts:
        whole = await self._own(name)
        found = [show_attempt(one, whole.id) for one in reversed(whole.tried)]
        for part in await self._parts(whole):
            found += [show_attempt(one, part.id, part) for one in reversed(part.tried)]
        return newest_first(found)

    async def rotate(self, name: str) -> KeyMade:
        new = self._issuing.rotation()
        await self._own(name)
        changed = await self._change(name, lambda it: replace(it, keys=rotated(it.keys, new.key, new.until, new.now)))
        return KeyMade(subscription=await self._show(changed), secret=message.shared_secret(new.key))

    # -- inside -------------------------------------------------------------------------------------------------------

    async def _starts(self, cursor: str | None) -> list[int]:
        """Behind which commit each place begins: behind a cursor, or with what happens from now on."""
        if cursor is not None:
            positions = await self._accounts.positions(self._account, cursor, "/cursor")
            await self._accounts.page(self._account, positions, 1)  # a cursor ahead of a log is refused
            return positions
        return await self._accounts.heads(self._account)

    def _new(self, asked: Subscribe, starts: list[int]) -> Whole:
        return Whole(
            # The same for the same account and URL, so that there is never a second one.
            id=name_of(self._account.hash + asked.url.encode()),
            account=self._account.id,
            url=asked.url,
            payload=asked.payload,
            types=sorted(set(asked.types)),
            games=sorted(set(asked.games)),
            created=self._issuing.now(),
            keys=[self._issuing.key()],
            starts=starts,
        )

    async def _begin(self, whole: Whole) -> None:
        """See that there are parts, and that somebody looks after them."""
        await make_parts(self._store, self._games, whole)
        for place in covered(whole, await self._accounts.places(self._account)):
            self._hint(place.game)

    async def _parts(self, whole: Whole) -> list[Subscription]:
        """The parts that there are, in the order of their places."""
        places = covered(whole, await self._accounts.places(self._account))
        found = await asyncio.gather(*(self._store.get(part_name(whole, place)) for place in places))
        return [read(one) for one in found if one is not None]

    async def _show(self, whole: Whole) -> SubscriptionShown:
        return show_whole(whole, await self._parts(whole), self._issuing.clock())

    async def _made(self, whole: Whole) -> SubscriptionMade:
        return SubscriptionMade(subscription=await self._show(whole), secret=message.shared_secret(whole.keys[0]))

    async def _mine(self) -> list[Whole]:
        return [read_whole(one) for one in await self._store.of_owners(owner(self._account.id))]

    async def _own(self, name: str) -> Whole:
        return read_whole(mine(await self._store.get(name), owner(self._account.id)))

    async def _change(self, name: str, step: Callable[[Whole], Whole]) -> Whole:
        changed = await rewrite(self._store, name, lambda found: whole_record(step(read_whole(found)), found.revision))
        return read_whole(mine(changed, owner(self._account.id)))


def _commits_named(parts: Sequence[Subscription], names: Sequence[str]) -> dict[str, list[int] | None]:
    """By part: the commits of the messages that are named."""
    found: dict[str, list[int] | None] = {}
    for name in names:
        ours = [(part.id, message.commit_of(part.id, name)) for part in parts]
        one = next(((part, number) for part, number in ours if number is not None), None)
        if one is None:
            raise no_message(name)
        found[one[0]] = [*(found.get(one[0]) or []), one[1]]
    return found
