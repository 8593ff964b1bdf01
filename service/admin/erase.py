"""Erasing what people wrote: the names and free texts that lie beside a game's log.

Their salted digests stay where they are, in the log and in the side streams, so that every chain still verifies; as the salts go too,
a digest can't be used to try names. What the game was decided by stays: texts of rulings, what a coin was flipped for, entries of a haunt.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from service.games.desk.disputes import CLAIM
from service.games.desk.side import MESSAGE, TEXT, sender_of
from service.games.orders import ORDERS
from service.log.facts import NAME, OPENER, SALT, read_facts
from service.store.port import LogStore, RecordChanges, StoreError, StoreUnavailable
from service.store.records import RecordStore

AT_ONCE = 500
"""Texts that are erased in one transaction."""
ATTEMPTS = 20
"""How often it is looked again, where somebody else writes to the game meanwhile."""


class NothingToErase(StoreError):
    """There is no such game, or no such seat in it."""


class Erased(msgspec.Struct, kw_only=True):
    """How much was erased."""

    names: int = 0
    messages: int = 0
    orders: int = 0
    claims: int = 0
    """Claims and notes of disputes."""
    refusals: int = 0

    def count(self, keys: list[str]) -> None:
        """Add texts that are gone, by their keys."""
        self.names += sum(key.startswith(NAME) for key in keys)
        self.messages += sum(key.startswith(TEXT) for key in keys)
        self.claims += sum(key.startswith(CLAIM) for key in keys)
        self.orders += sum(key.startswith(ORDERS) for key in keys)


async def erase(store: LogStore, records: RecordStore, game: str, seat: int | None = None) -> Erased:
    """Erase names, texts of messages and disputes, standing orders and refused attempts of a game, durably; people may go on playing.

    Done again, it does nothing.

    Args:
        store: that has the game.
        records: what was refused in it.
        game: its id.
        seat: of this seat alone: its name, what was written from it, its orders, what it was refused.

    Returns:
        How much was there.

    Raises:
        NothingToErase: no such game, or no such seat.
        StoreError: the store fails. What was erased until then stays erased.
    """
    record = await store.get_game(game)
    if record is None:
        raise NothingToErase(f"there is no game {game} in the store")
    seats = len(read_facts(record.facts).seats)
    if seat is not None and seat >= seats:
        raise NothingToErase(f"game {game} has no seat {seat}: its seats are 0 to {seats - 1}")
    erased, attempts = Erased(refusals=await records.erase_refusals(game, seat)), 0
    while attempts < ATTEMPTS:
        head = await store.head(game)
        keys = _written(await store.get_texts(game), seat)[:AT_ONCE]
        if not keys or head is None:
            return erased
        if await store.update_game(game, RecordChanges(texts=dict.fromkeys(keys)), revision=head.revision):
            erased.count(keys)
        else:
            attempts += 1
    raise StoreUnavailable(f"game {game}: others write to it all the time. Run this again: what is erased stays erased")


def _written(texts: Mapping[str, str], seat: int | None) -> list[str]:
    """The keys of the texts to erase; a name before its salt, so that no salt is missing while its name is there."""
    if seat is None:
        mine = {key for key in texts if key.startswith((NAME, SALT, ORDERS, TEXT, CLAIM, OPENER))}
    else:
        mine = {key for key in (f"{NAME}{seat}", f"{SALT}{seat}", f"{ORDERS}{seat}") if key in texts}
        mine |= {key for key in texts if key.startswith(f"{CLAIM}seat:{seat}:")}
        places = [key for key in texts if key.startswith(MESSAGE) and sender_of(texts[key]) == f"seat:{seat}"]
        mine |= {key for key in (f"{TEXT}{place.removeprefix(MESSAGE)}" for place in places) if key in texts}
    return sorted(mine)
