"""Erase what people wrote: the names and free texts stored beside a game's log.

Salted digests stay in the log and the side streams, so that every chain still verifies; the salts are erased too, so that
nobody can find a name by guessing.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from service.games.desk.disputes import CLAIM
from service.games.orders import ORDERS
from service.games.talk import MESSAGE, TEXT, changed, changes_in, entry_in, place_in
from service.log.facts import NAME, OPENER, SALT, read_facts
from service.store.port import LogStore, RecordChanges, RecordStore, StoreError, StoreUnavailable

AT_ONCE = 500
"""Texts erased in one transaction."""
ATTEMPTS = 20
"""Retries while others write to the game."""


class NothingToErase(StoreError):
    """The store has no such game, or the game no such seat."""


class Erased(msgspec.Struct, kw_only=True):
    """How much was erased."""

    names: int = 0
    messages: int = 0
    orders: int = 0
    claims: int = 0
    """Claims and notes of disputes."""
    refusals: int = 0

    def count(self, keys: list[str]) -> None:
        self.names += sum(key.startswith(NAME) for key in keys)
        self.messages += sum(key.startswith(TEXT) for key in keys)
        self.claims += sum(key.startswith(CLAIM) for key in keys)
        self.orders += sum(key.startswith(ORDERS) for key in keys)


async def erase_texts(store: LogStore, records: RecordStore, game: str, seat: int | None = None) -> Erased:
    """Erase names, texts of messages and disputes, standing orders and refused attempts of a game or a seat for good, even during play.

    Raises NothingToErase for a missing game or seat, and StoreError if the store fails; texts erased before that stay erased.
    """
    record = await store.get_game(game)
    if record is None:
        raise NothingToErase(f"no game {game} in the store")
    seats = len(read_facts(record.facts).seats)
    if seat is not None and seat >= seats:
        raise NothingToErase(f"game {game} has no seat {seat}: its seats are 0 to {seats - 1}")
    erased, attempts = Erased(refusals=await records.erase_refusals(game, seat)), 0
    while attempts < ATTEMPTS:
        head = await store.head(game)
        texts = await store.get_texts(game)
        keys = _written(texts, seat)[:AT_ONCE]
        if not keys or head is None:
            return erased
        gone: dict[str, str | None] = dict.fromkeys(keys)
        messages = [place_in(key) for key in keys if key.startswith(TEXT)]
        if messages:
            gone |= changed(changes_in(texts), messages)  # so that live streams tell of it
        if await store.update_game(game, RecordChanges(texts=gone), revision=head.revision):
            erased.count(keys)
        else:
            attempts += 1
    raise StoreUnavailable(
        f"game {game}: it is being written to all the time. Run this again; erased texts stay erased"
    )


def _written(texts: Mapping[str, str], seat: int | None) -> list[str]:
    """The keys of the texts to erase, names before their salts, so that every remaining name has its salt."""
    if seat is None:
        mine = {key for key in texts if key.startswith((NAME, SALT, ORDERS, TEXT, CLAIM, OPENER))}
    else:
        mine = {key for key in (f"{NAME}{seat}", f"{SALT}{seat}", f"{ORDERS}{seat}") if key in texts}
        mine |= {key for key in texts if key.startswith(f"{CLAIM}seat:{seat}:")}
        places = [key for key in texts if key.startswith(MESSAGE) and entry_in(texts[key]).sender == f"seat:{seat}"]
        mine |= {key for key in (f"{TEXT}{place.removeprefix(MESSAGE)}" for place in places) if key in texts}
    return sorted(mine)
