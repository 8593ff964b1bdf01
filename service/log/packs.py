"""The packs that games are played with: those offered now, and those that older games have pinned.

A game pins the digest of its pack. The canonical bytes are kept in the store under it, so that the game can be played,
viewed and audited after the pack on disk has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from content.errors import ContentErrors, Mistake
from content.load.digest import decode_pack, digest
from content.load.offers import Offered, Source, offered
from content.load.packs import load_pack
from domain.engine.rules import Rules
from domain.game import rules_for
from service.store.port import LogStore, StoreDamaged

log = logging.getLogger(__name__)

COMPILED = 64
"""Packs whose rules are kept, the latest used; games in memory keep their own."""


class Loaded(NamedTuple):
    """A pack that was read and compiled."""

    stamp: object
    """Of its files when it was read."""
    offer: Offered
    rules: Rules


def load(source: Source) -> Loaded:
    """Read a pack, check and compile it. Raises `ContentErrors`."""
    stamp = source.stamp()  # before it is read: what changes meanwhile is noticed next time
    one = offered(load_pack(source.path, base=source.base, taken=source.taken()))
    return Loaded(stamp, one, rules_for(one.pack, one.pack.head.edition))


def check_name(source: Source, one: Offered, taken: Collection[str]) -> None:
    """Raise `ContentErrors` if another pack is offered by this name."""
    if one.name in taken:
        raise ContentErrors([Mistake(str(source.path), 1, 1, f"another pack that is offered has the id `{one.name}`")])


class Library:
    """Packs by name, and rules by pack digest and edition."""

    def __init__(self, store: LogStore, *, reload: bool = False) -> None:
        """Begin without any pack; with `reload`, `refresh` takes in what has changed."""
        self._store = store
        self._reload = reload
        self._offered: dict[str, Offered] = {}
        self._read: dict[Source, tuple[str, object]] = {}
        """Under which name each pack is offered, and its stamp when it was read."""
        self._rules: dict[tuple[str, str], Rules] = {}
        """By pack digest and edition: a pack is played by the edition that it was written for, and by those that build on it."""

    @property
    def offered(self) -> Mapping[str, Offered]:
        """What a new game can take, by name."""
        return self._offered

    async def offer(self, source: Source, loaded: Loaded | None = None) -> None:
        """Load a pack if that is not done, keep it in the store under its digest, and offer it from now on. Raises `ContentErrors`."""
        before, _ = self._read.get(source, ("", None))
        self._read[source] = (before, source.stamp())  # should it have mistakes, it is not read again before it changes
        stamp, one, rules = await asyncio.to_thread(load, source) if loaded is None else loaded
        if one.name != before:
            check_name(source, one, self._offered)
        await self._store.put_pack(one.digest, one.body)
        self._keep(one.digest, one.pack.head.edition, rules)
        if before != one.name:
            self._offered.pop(before, None)
        self._offered[one.name] = one
        self._read[source] = (one.name, stamp)

    async def refresh(self) -> None:
        """Take in packs whose files have changed, if this process reloads packs; games go on with what they have pinned.

        A pack with mistakes is offered as it was before; they are logged.
        """
        for source, (_, stamp) in list(self._read.items()) if self._reload else ():
            if source.stamp() != stamp:
                try:
                    await self.offer(source)
                    log.info("%s was read anew for games that are opened from now on", source.path)
                except ContentErrors as errors:
                    log.warning("%s is offered as it was before:\n%s", source.path, errors)

    async def rules(self, pinned: str, edition: str) -> Rules:
        """The rules by which an edition plays the pack with this digest. Raises `StoreDamaged` if the store has no such pack."""
        if (pinned, edition) not in self._rules:
            return self._keep(pinned, edition, rules_for(decode_pack(await self.body(pinned)), edition))
        return self._keep(pinned, edition, self._rules[pinned, edition])

    def rules_of(self, one: Offered, edition: str = "") -> Rules:
        """The rules by which an edition, by default its own, plays a pack that may not be in the store."""
        edition = edition or one.pack.head.edition
        return self._keep(one.digest, edition, self._rules.get((one.digest, edition)) or rules_for(one.pack, edition))

    def _keep(self, pinned: str, edition: str, rules: Rules) -> Rules:
        self._rules.pop((pinned, edition), None)
        self._rules[pinned, edition] = rules
        if len(self._rules) > COMPILED:
            del self._rules[next(iter(self._rules))]
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


async def open_library(
    store: LogStore,
    sources: Iterable[Source],
    *,
    reload: bool = False,
    loaded: Mapping[Source, Loaded] = MappingProxyType({}),
) -> Library:
    """Offer the packs that lie there, some of which may be loaded. Raises `ContentErrors`."""
    library = Library(store, reload=reload)
    for source in sources:
        await library.offer(source, loaded.get(source))
    return library
