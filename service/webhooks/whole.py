"""A subscription to all games of an account: where to and how, and a *part* for each game that says how far.

A part is a `Subscription` like any other, with its own cursor, lease and letters, so that a game whose messages are refused holds up no other.
What all parts share, above all the keys, lies in the whole. Parts follow from the places of the account, in their order
(`LogStore.account_places`), so whoever finds more places than parts makes those that are missing. `Granting` says, before each message, who
asked for a subscription, whether they may still be told, and with which keys.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from service.identity import Caller, caller_of
from service.outside import Outside
from service.store.port import LogStore, Place, TokenRecord
from service.store.records import WebhookRecord, WebhookStore
from service.webhooks import subscription
from service.webhooks.holding import Clock, Hold, rewrite
from service.webhooks.subscription import Attempt, Key, Payload, State, Subscription, disabled, name_of, rested, woken

ACCOUNT = "account:"
"""Stands before the id of an account where a record names a game: it is a whole."""


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """All that the parts have in common."""

    id: str
    account: str
    """The account's id."""
    url: str
    payload: Payload = "thin"
    types: list[str] = []
    games: list[str] = []
    """Only these games; empty for all."""
    created: str
    keys: list[Key]
    """Newest first."""
    state: State = "active"
    reason: str = ""
    """Why it was disabled."""
    starts: list[int]
    """Behind which commits parts begin, for the places that there were when it was asked for; those that came later begin with their first."""
    tried: list[Attempt] = []
    """The latest test messages, the newest last; each part has its own attempts."""
    places: int = 0
    """For how many places of the account parts were made."""


_decode_whole = msgspec.json.Decoder(Whole).decode
_encode = msgspec.json.Encoder().encode


def is_whole(record: WebhookRecord) -> bool:
    """Whether a record is that of a whole."""
    return record.game.startswith(ACCOUNT)


def owner(account: str) -> str:
    """What stands in the place of a game in the records of an account's wholes."""
    return ACCOUNT + account


def read_whole(record: WebhookRecord) -> Whole:
    """The whole in a record."""
    return _decode_whole(record.body)


def whole_record(whole: Whole, revision: int) -> WebhookRecord:
    """The record of a whole that takes the place of the one at this revision."""
    ready = 0.0 if whole.state == "active" else None
    return WebhookRecord(id=whole.id, game=owner(whole.account), body=_encode(whole), ready=ready, revision=revision)


def part_name(whole: Whole, place: Place) -> str:
    """The id of a part. One that is left over from a whole that was removed has another than its successor's."""
    return name_of(f"{whole.id} {whole.created} {place.game} {place.token}".encode())


def covered(whole: Whole, places: list[Place]) -> list[Place]:
    """The places that have a part, or are to have one."""
    return [place for place in places if not whole.games or place.game in whole.games]


def is_part(it: Subscription, whole: Whole) -> bool:
    """Whether this is a part of that whole, and not of one that was there before it."""
    return it.id == part_name(whole, Place(it.game, it.token))


async def make_parts(store: WebhookStore, games: LogStore, whole: Whole) -> None:
    """Make the parts that are missing. May be done by anybody, at any time, and several times at once.

    Raises:
        StoreError: a store failed; what is missing is made by whoever comes next.
    """
    places = await games.account_places(whole.account)
    if whole.state != "active" or len(places) <= whole.places:
        return
    wanted = set(covered(whole, places))
    for index, place in enumerate(places[whole.places :], whole.places):
        if place in wanted:
            start = whole.starts[index] if index < len(whole.starts) else 0
            await store.add(subscription.record(_part(whole, place, start), 0))

    def counted(found: WebhookRecord) -> WebhookRecord:
        now = read_whole(found)
        if now.created != whole.created:
            return found  # somebody has removed it and asked again: its parts are others
        return whole_record(replace(now, places=max(now.places, len(places))), found.revision)

    await rewrite(store, whole.id, counted)


def _part(whole: Whole, place: Place, start: int) -> Subscription:
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


REST = 300.0
"""Seconds after which it is looked again whether the token of a part is bound to the account anew, if nobody has said so."""


class Grant(msgspec.Struct, frozen=True):
    """Leave to send."""

    caller: Caller
    """Who is told: what their role sees is what is sent."""
    keys: list[Key]
    """What messages are signed with."""


class Granting:
    """Knows to whom subscriptions belong."""

    def __init__(self, store: WebhookStore, games: LogStore, outside: Outside, clock: Clock) -> None:
        self._store = store
        self._games = games
        self._outside = outside
        self._clock = clock

    async def grant(self, it: Subscription) -> Grant | None:
        """Leave to send, unless the token, or what the subscription is a part of, holds no longer."""
        if not it.whole:
            caller = await self._caller(it, lambda token: it.belongs(token.hash))
            return None if caller is None else Grant(caller, it.keys)
        whole = await self._whole(it)
        if whole is None or whole.state != "active":
            return None
        caller = await self._caller(it, lambda token: token.account == whole.account)
        return None if caller is None else Grant(caller, whole.keys)

    async def withdrawn(self, hold: Hold) -> None:
        """Do what is to be done without a grant: a token that ended will not come back, but a binding may.

        Raises:
            LeaseLost: the subscription is not held any more.
        """
        if not hold.it.whole:
            await hold.change(lambda it: disabled(it, "the token that asked for it holds no longer"))
        elif await self._whole(hold.it) is None:
            await self._store.remove(hold.it.id)
        else:
            await hold.change(lambda it: rested(it, self._clock() + REST))
            # Whoever bound the token meanwhile may have woken it before it was put to rest.
            if await self.grant(hold.it) is not None:
                await hold.change(woken)

    async def gone(self, hold: Hold, reason: str) -> None:
        """The endpoint wants no more: of a part, none of any game.

        Raises:
            LeaseLost: the subscription is not held any more.
        """
        if not hold.it.whole:
            await hold.change(lambda it: disabled(it, reason))
            return

        def ended(found: WebhookRecord) -> WebhookRecord:
            whole = read_whole(found)
            if not is_part(hold.it, whole):
                return found
            return whole_record(msgspec.structs.replace(whole, state="disabled", reason=reason), found.revision)

        await rewrite(self._store, hold.it.whole, ended)

    async def _whole(self, it: Subscription) -> Whole | None:
        """What it is a part of, if that is there still."""
        found = await self._store.get(it.whole)
        if found is None or not is_whole(found):
            return None
        whole = read_whole(found)
        return whole if is_part(it, whole) else None

    async def _caller(self, it: Subscription, theirs: Callable[[TokenRecord], bool]) -> Caller | None:
        """Whoever has the token by that name, if it holds and is theirs: else nothing is theirs to see."""
        for token in await self._games.list_tokens(it.game):
            if token.id == it.token and theirs(token):
                caller = caller_of(token)
                expired = caller is None or (caller.expires and caller.expires <= self._outside.now())
                return None if expired else caller
        return None
