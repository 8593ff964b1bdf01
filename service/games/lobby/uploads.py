"""Packs that people send: checked in a process of their own, known by their digest, and gone after a while if no game pins them.

A small record beside the games holds each until then. Opening a game puts its pack into the store for good, as any other.
"""

from __future__ import annotations

import asyncio
import sys
import time
import zlib
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from content.errors import Mistake
from content.load.digest import decode_pack, digest
from content.load.offers import CUSTOM, Offered, name_of, offered
from content.load.strangers import Judged
from service.audit.jobs import run_beside
from service.log.facts import ADDRESS
from service.log.packs import Library
from service.problems import ProblemError
from service.settings import Settings
from service.store.port import LogStore, Record, RecordStore

JUDGE = (sys.executable, "-m", "content.load.strangers")
OWNER = "packs"
"""Of all records of packs."""
MOST = 500
"""Packs that are kept at once, whoever sent them."""
LATER = 3600
"""Seconds after which somebody who has sent too many may try again."""


class Sent(msgspec.Struct, frozen=True):
    """A pack that somebody has sent, as it is recorded."""

    by: str
    """A keyed digest of the sender's address, as beside a game that was opened from there."""
    at: float
    pack: bytes
    """The canonical bytes, compressed."""


class Uploads:
    """Takes packs, and knows them by name."""

    def __init__(self, records: RecordStore, store: LogStore, library: Library, settings: Settings) -> None:
        self._records = records
        self._store = store
        self._library = library
        self._settings = settings
        self._turn = asyncio.Semaphore(1)

    async def take(
        self, archive: bytes, base: str, who: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[Offered, list[Mistake]]:
        """Check a zipped pack and keep it for a while; returns it with what its author may want to know.

        Sent again, it is kept for as long again. Raises `uploads-off`, `unfit-pack` or `too-many-packs`.
        """
        if not self._settings.pack_uploads:
            raise ProblemError("uploads-off", "This service takes no packs (OMENLOG_PACK_UPLOADS).")
        async with self._turn:
            judged = await self._judge(archive, base)
            body = bytes(judged.pack)
            one = offered(decode_pack(body), name_of(digest(body)))
            self._library.rules_of(
                one
            )  # whatever can't be compiled is noticed now, and not by a table that opens a game
            kept = await self._kept()
            mine = [name for name, sent in kept.items() if sent.by == who.get(ADDRESS, "") and name != one.name]
            if 0 < self._settings.packs_per_address <= len(mine) or len(kept) >= MOST + (one.name in kept):
                detail = "Too many packs are waiting to be played: those that nobody plays are forgotten after a while."
                raise ProblemError("too-many-packs", detail, headers={"Retry-After": str(LATER)}, retry_after=LATER)
            sent = Sent(who.get(ADDRESS, ""), time.time(), zlib.compress(body))
            await self._records.remove(_record(one.name))
            await self._records.add(
                Record(id=_record(one.name), owner=OWNER, body=msgspec.msgpack.encode(sent), ready=None)
            )
        return one, judged.findings

    async def offers(self, name: str | None = None) -> Mapping[str, Offered]:
        """What a game can be opened with, by name; what people have sent is there for those who name it."""
        await self._library.refresh()
        if name is None or not name.startswith(CUSTOM) or not self._settings.pack_uploads:
            return self._library.offered
        body = await self._body(name)
        return self._library.offered if body is None else {name: offered(decode_pack(body), name)}

    async def pin(self, one: Offered) -> None:
        """Keep a pack for good, because a game is about to be opened with it."""
        if one.name.startswith(CUSTOM):
            await self._store.put_pack(one.digest, one.body)

    async def _body(self, name: str) -> bytes | None:
        record = await self._records.get(_record(name))
        sent = None if record is None else _read(record)
        if sent is not None and not self._is_over(sent):
            return zlib.decompress(sent.pack)
        pinned = next((one for one in await self._store.list_packs() if name_of(one) == name), None)
        return None if pinned is None else await self._store.get_pack(pinned)

    async def _kept(self) -> dict[str, Sent]:
        """What is recorded, by name; what has been there for too long is removed."""
        found = {record.id: _read(record) for record in await self._records.of_owners(OWNER)}
        for name in [name for name, sent in found.items() if self._is_over(sent)]:
            await self._records.remove(name)
            del found[name]
        return {name.partition(":")[2]: sent for name, sent in found.items()}

    def _is_over(self, sent: Sent) -> bool:
        return 0 < self._settings.pack_lifetime < time.time() - sent.at

    async def _judge(self, archive: bytes, base: str) -> Judged:
        seconds = self._settings.pack_seconds
        try:
            judged = msgspec.json.decode(await run_beside((*JUDGE, base), archive, seconds), type=Judged)
        except (TimeoutError, msgspec.DecodeError):
            detail = f"It can't be checked within {seconds:g} s and the memory that a pack may take."
            raise ProblemError("unfit-pack", detail) from None
        if bytes(judged.pack) == b"null":
            first, *others = judged.findings
            detail = f"{first}{f' (and {len(others)} more)' if others else ''}"
            raise ProblemError("unfit-pack", detail, findings=judged.findings)
        return judged


def _record(name: str) -> str:
    return f"pack:{name}"


def _read(record: Record) -> Sent:
    return msgspec.msgpack.decode(record.body, type=Sent)
