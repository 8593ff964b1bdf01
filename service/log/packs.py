"""The packs that games are played with: those offered now, and those that older games have pinned.

A game pins the digest of its pack. The canonical bytes are kept in the store under it, so that the game can be played,
viewed and audited after the pack on disk has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from content.load.digest import decode_pack, digest, pack_bytes
from content.load.packs import load_pack
from content.vocabulary.pack import Pack
from domain.engine.rules import Rules
from domain.game import rules_for
from projections.wording import rules_in_words
from service.store.port import LogStore, StoreDamaged


class Offered(msgspec.Struct, frozen=True, dict=True):
    """A pack that a new game can take."""

    pack: Pack
    digest: str
    body: bytes
    """Its canonical bytes."""

    @cached_property
    def words(self) -> Mapping[str, list[str]]:
        """The rules of its rooms and cards, by `tile:crypt` and `card:bell`; made when they are first asked for."""
        return rules_in_words(self.pack)


class Library:
    """Packs by id, and rules by pack digest and edition, each compiled once."""

    def __init__(self, store: LogStore, offered: Iterable[Offered]) -> None:
        self._store = store
        self._offered = {one.pack.head.id: one for one in offered}
        self._rules: dict[tuple[str, str], Rules] = {}
        """By pack digest and edition: a pack is played by the edition that it was written for, and by those that build on it."""
        for one in self._offered.values():
            self._rules[one.digest, one.pack.head.edition] = rules_for(one.pack)

    @property
    def offered(self) -> Mapping[str, Offered]:
        """What a new game can take, by id."""
        return self._offered

    async def rules(self, pinned: str, edition: str) -> Rules:
        """The rules by which an edition plays the pack with this digest. Raises `StoreDamaged` if the store has no such pack."""
        rules = self._rules.get((pinned, edition))
        if rules is None:
            rules = self._rules[pinned, edition] = rules_for(decode_pack(await self.body(pinned)), edition)
        return rules

    async def body(self, pinned: str) -> bytes:
        """The canonical bytes of the pack with this digest. Raises `StoreDamaged` if the store has no such pack."""
        for one in self._offered.values():
            if one.digest == pinned:
                return one.body
        body = await self._store.get_pack(pinned)
        if body is None or digest(body) != pinned:
            raise StoreDamaged(f"the pack {pinned} is missing from the store, or is not what it was")
        return body


async def open_library(store: LogStore, folders: Iterable[Path]) -> Library:
    """Load and check the packs in these folders and keep each in the store under its digest. Raises `ContentErrors`."""
    offered = []
    for folder in folders:
        pack = load_pack(folder)
        body = pack_bytes(pack)
        offered.append(Offered(pack, digest(body), body))
        await store.put_pack(digest(body), body)
    return Library(store, offered)
