"""A subscription to an account's whole set of games: where to and how, and a *part* for each game that says how far.

A part is a `Subscription` like any other, with a cursor, a lease and letters of its own, so that a game whose messages are refused
holds up no other. What is the same for all of them, above all the keys, lies in the whole. Parts follow from the places of the
account, in their order (`LogStore.account_places`), so whoever finds that there are more places than parts makes those that are missing.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from service.store.port import LogStore, Place
from service.store.records import WebhookRecord, WebhookStore
from service.webhooks import subscription
from service.webhooks.holding import rewrite
from service.webhooks.subscription import Attempt, Key, Payload, State, Subscription, name_of

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
    """The newest first."""
    state: State = "active"
    reason: str = ""
    """Why it was disabled."""
    starts: list[int]
    """Behind which commits parts begin, for the places that there were when it was asked for; those that came later begin with their first."""
    tried: list[Attempt] = []
    """The latest test messages, the newest last; each part has its own attempts."""
    places: int = 0
    """For how many places of the account parts were made."""


_decode = msgspec.json.Decoder(Whole).decode
_encode = msgspec.json.Encoder().encode


def is_whole(record: WebhookRecord) -> bool:
    """Whether a record is that of a whole."""
    return record.game.startswith(ACCOUNT)


def owner(account: str) -> str:
    """What stands in the place of a game in the records of an account's wholes."""
    return ACCOUNT + account


def read_whole(record: WebhookRecord) -> Whole:
    """The whole in a record."""
    return _decode(record.body)


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
