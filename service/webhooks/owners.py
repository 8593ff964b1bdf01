"""Who subscribes: a token, to its game, or an account, to all games of its tokens.

The parts of an account's subscription follow from the places of the account, in their order (`LogStore.account_places`), so whoever finds more places
than parts makes the missing ones. Before each message `Granting` says whether the owner may still be told, and with which keys it is signed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from service.games.follow.accounts import Accounts
from service.games.read.reading import Reading
from service.identity import Caller, caller_of
from service.outside import Outside
from service.problems import FieldError, ProblemError
from service.store.port import AccountRecord, LogStore, Place, Record, RecordStore, TokenRecord
from service.webhooks.answers import Redeliver, Subscribe
from service.webhooks.subscription import (
    AccountSubscription,
    Clock,
    Hold,
    Key,
    Owned,
    Subscription,
    account_owner,
    disabled,
    is_account,
    name_of,
    read,
    read_account,
    record,
    rested,
    rewrite,
    woken,
)


class Owner(Protocol):
    """Whose subscriptions a request is about."""

    name: str

    def read(self, found: Record) -> Owned: ...

    def owns(self, it: Owned) -> bool:
        """Whether it is this owner's, and not that of another token of the game."""

    async def starts(self, asked: Subscribe) -> list[int]:
        """Behind which commit each game begins. Refuses sandboxes, and raises `unfit-subscription`, `ahead-of-log` or `invalid-cursor`."""

    def new(self, asked: Subscribe, starts: list[int], key: Key, now: str) -> Owned:
        """A subscription, whose id is the same for the same owner and URL, so that there is never a second one."""

    async def parts(self, it: Owned) -> list[Subscription]:
        """The lines of messages of a subscription, in the order of the owner's games."""

    async def games(self, it: Owned) -> list[str]:
        """The games that a subscription covers, each of them with a part from now on."""

    def check_redelivery(self, asked: Redeliver) -> None:
        """Check that the request says which game its commits are of. Raises the problem `unfit-subscription`."""


def unfit(detail: str, where: str, why: str) -> ProblemError:
    """A member of the body is well formed, but makes no sense for this caller."""
    return ProblemError("unfit-subscription", detail, errors=[FieldError(where, why)])


class TokenOwner:
    """`Owner` that shows a token: what its role is told is sent."""

    def __init__(self, reading: Reading, caller: Caller, holder: bytes) -> None:
        self.name = caller.game
        self._reading = reading
        self._caller = caller
        self._holder = holder  # the digest of the token

    def read(self, found: Record) -> Subscription:
        return read(found)

    def owns(self, it: Owned) -> bool:
        return isinstance(it, Subscription) and it.belongs(self._holder)

    async def starts(self, asked: Subscribe) -> list[int]:
        if asked.games or asked.cursor is not None:
            where = "/games" if asked.games else "/cursor"
            raise unfit("Only an account can name games or a cursor.", where, "an account's")
        await self._reading.check_no_sandbox(self._caller)
        head = await self._reading.version(self._caller)
        if asked.after is not None and asked.after > head:
            raise ProblemError("ahead-of-log", f"The game is at version {head}.", current_version=head)
        return [head if asked.after is None else asked.after]

    def new(self, asked: Subscribe, starts: list[int], key: Key, now: str) -> Subscription:
        return Subscription(
            id=name_of(self._holder + asked.url.encode()),
            game=self._caller.game,
            token=self._caller.token,
            holder=self._holder,
            url=asked.url,
            payload=asked.payload,
            types=sorted(set(asked.types)),
            created=now,
            keys=[key],
            cursor=starts[0],
        )

    async def parts(self, it: Owned) -> list[Subscription]:
        return [it] if isinstance(it, Subscription) else []

    async def games(self, it: Owned) -> list[str]:
        return [it.owner]

    def check_redelivery(self, asked: Redeliver) -> None:
        if asked.game not in (None, self.name):
            raise unfit("This token is for another game.", "/game", "another game")


class AccountOwner:
    """`Owner` that shows the key of an account: each of its tokens is told what its role is told."""

    def __init__(self, records: RecordStore, games: LogStore, accounts: Accounts, account: AccountRecord) -> None:
        self.name = account_owner(account.id)
        self._records = records
        self._games = games
        self._accounts = accounts
        self._account = account

    def read(self, found: Record) -> AccountSubscription:
        return read_account(found)

    def owns(self, it: Owned) -> bool:
        return it.owner == self.name

    async def starts(self, asked: Subscribe) -> list[int]:
        if asked.after is not None:
            detail = "An account begins behind a `cursor` of its stream, as it has many games."
            raise unfit(detail, "/after", "a token's")
        if asked.cursor is None:
            return await self._accounts.heads(self._account)
        positions = await self._accounts.positions(self._account, asked.cursor, "/cursor")
        await self._accounts.page(self._account, positions, 1)  # a cursor ahead of a log is refused
        return positions

    def new(self, asked: Subscribe, starts: list[int], key: Key, now: str) -> AccountSubscription:
        return AccountSubscription(
            id=name_of(self._account.hash + asked.url.encode()),
            account=self._account.id,
            url=asked.url,
            payload=asked.payload,
            types=sorted(set(asked.types)),
            games=sorted(set(asked.games)),
            created=now,
            keys=[key],
            starts=starts,
        )

    async def parts(self, it: Owned) -> list[Subscription]:
        places = covered(it, await self._accounts.places(self._account))
        found = await asyncio.gather(*(self._records.get(part_name(it, place)) for place in places))
        return [read(one) for one in found if one is not None]

    async def games(self, it: Owned) -> list[str]:
        if isinstance(it, AccountSubscription):
            await make_parts(self._records, self._games, it)
        return [place.game for place in covered(it, await self._accounts.places(self._account))]

    def check_redelivery(self, asked: Redeliver) -> None:
        if asked.commits is not None and asked.game is None:
            raise unfit("Name the game of these commits: each game has its own.", "/game", "missing")


# -- parts --------------------------------------------------------------------------------------------------------------


def part_name(whole: Owned, place: Place) -> str:
    """The id of a part. A part left over from a subscription that was removed has another id than its successor's."""
    return name_of(f"{whole.id} {whole.created} {place.game} {place.token}".encode())


def covered(whole: Owned, places: Sequence[Place]) -> list[Place]:
    """The places that have a part, or are to have one."""
    return [place for place in places if not whole.games or place.game in whole.games]


def is_part(it: Subscription, whole: Owned) -> bool:
    """Whether this is a part of that subscription, and not of one that was there before it."""
    return it.id == part_name(whole, Place(it.game, it.token))


async def make_parts(records: RecordStore, games: LogStore, whole: AccountSubscription) -> None:
    """Make the parts that are missing. Anybody may do it, at any time, and several at once. After a `StoreError`, whoever comes next does it."""
    places = await games.account_places(whole.account)
    if whole.state != "active" or len(places) <= whole.places:
        return
    wanted = set(covered(whole, places))
    for index, place in enumerate(places[whole.places :], whole.places):
        if place in wanted:
            start = whole.starts[index] if index < len(whole.starts) else 0
            await records.add(record(_part(whole, place, start), 0))

    def counted(now: AccountSubscription) -> AccountSubscription:
        if now.created != whole.created:
            return now  # somebody has removed it and asked again: it has other parts
        return replace(now, places=max(now.places, len(places)))

    await rewrite(records, whole.id, read_account, counted)


def _part(whole: AccountSubscription, place: Place, start: int) -> Subscription:
    return Subscription(
        id=part_name(whole, place),
        game=place.game,
        token=place.token,
        holder=b"",
        whole=whole.id,
        url=whole.url,
        payload=whole.payload,
        types=whole.types,
        created=whole.created,
        keys=[],
        cursor=start,
    )


# -- tokens that change -------------------------------------------------------------------------------------------------


class TokenChanges:
    """What tokens that are rotated or bound to an account mean for subscriptions."""

    def __init__(self, records: RecordStore, games: LogStore, hint: Callable[[str], None]) -> None:
        """`hint` is told of games of which there is something to send now."""
        self._records = records
        self._games = games
        self._hint = hint

    async def pass_on(self, game: str, token: str, old: bytes, new: bytes) -> None:
        """A token is about to be rotated: its subscriptions belong to both digests from now on.

        Nobody else ever gets the old digest. If the rotation is lost, the subscriptions go on as they were.
        """

        def inherited(it: Subscription) -> Subscription:
            return replace(it, holder=old, heir=new) if it.belongs(old) else it

        for found in await self._records.of_owners(game):
            it = read(found)
            if it.token == token and it.belongs(old):
                await rewrite(self._records, it.id, read, inherited)

    async def bound(self, account: str, place: Place) -> None:
        """A token was bound to an account, whose subscriptions cover its game from now on. If this is lost, a sweep finds it."""
        for found in await self._records.of_owners(account_owner(account)):
            whole = read_account(found)
            await make_parts(self._records, self._games, whole)
            await rewrite(self._records, part_name(whole, place), read, woken)
        self._hint(place.game)


# -- leave to send ------------------------------------------------------------------------------------------------------

REST = 300.0  # seconds after which a part whose token was unbound is looked at again, unless somebody binds it anew


class Grant(msgspec.Struct, frozen=True):
    """Leave to send."""

    caller: Caller
    """Who is told: what their role sees is what is sent."""
    keys: list[Key]


class Granting:
    """Knows whether the owners of subscriptions may still be told."""

    def __init__(self, records: RecordStore, games: LogStore, outside: Outside, clock: Clock) -> None:
        self._records = records
        self._games = games
        self._outside = outside
        self._clock = clock

    async def grant(self, it: Subscription) -> Grant | None:
        """Leave to send; None if the token, or the account's subscription, no longer holds."""
        if not it.whole:
            caller = await self._caller(it, lambda token: it.belongs(token.hash))
            return None if caller is None else Grant(caller, it.keys)
        whole = await self._whole(it)
        if whole is None or whole.state != "active":
            return None
        caller = await self._caller(it, lambda token: token.account == whole.account)
        return None if caller is None else Grant(caller, whole.keys)

    async def withdrawn(self, hold: Hold) -> None:
        """Stop, or rest, without a grant: a token that ended does not come back, but a binding may. Raises `LeaseLost`."""
        if not hold.it.whole:
            await hold.change(lambda it: disabled(it, "its token is no longer valid"))
        elif await self._whole(hold.it) is None:
            await self._records.remove(hold.it.id)
        else:
            await hold.change(lambda it: rested(it, self._clock() + REST))
            # Whoever bound the token meanwhile may have woken it before it was put to rest.
            if await self.grant(hold.it) is not None:
                await hold.change(woken)

    async def gone(self, hold: Hold, reason: str) -> None:
        """The endpoint wants no more: of a part, none of any game. Raises `LeaseLost`."""

        def ended(whole: AccountSubscription) -> AccountSubscription:
            return disabled(whole, reason) if is_part(hold.it, whole) else whole

        if hold.it.whole:
            await rewrite(self._records, hold.it.whole, read_account, ended)
        else:
            await hold.change(lambda it: disabled(it, reason))

    async def _whole(self, it: Subscription) -> AccountSubscription | None:
        """What it is a part of, if that is still there."""
        found = await self._records.get(it.whole)
        if found is None or not is_account(found):
            return None
        whole = read_account(found)
        return whole if is_part(it, whole) else None

    async def _caller(self, it: Subscription, theirs: Callable[[TokenRecord], bool]) -> Caller | None:
        """Who has the token of that name, if it holds and is theirs."""
        for token in await self._games.list_tokens(it.game):
            if token.id == it.token and theirs(token):
                caller = caller_of(token)
                expired = caller is None or (caller.expires and caller.expires <= self._outside.now())
                return None if expired else caller
        return None
