"""A game as one file: NDJSON, a header first, then a line for each commit. `service.audit.verdict` reads it.

A *full* export holds the stored bytes of every commit, the canonical pack and the key of the salts, and once the game
is disclosed the seed. It is the referee's, and everybody's after the disclosure. Before, a role gets its *own* export:
what it was told, each commit with the proof that it stands in the chain.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from domain.facts.audience import REFEREE, principal_name
from service.games.horizon import Horizon
from service.games.tables import LiveGame, Tables
from service.identity import Caller
from service.log.exported import NOTHING, Disclosure, Header, role_line
from service.log.facts import encode, read_facts
from service.log.reader import pages


class ExportStream(msgspec.Struct, frozen=True):
    """An export that can be read."""

    version: int
    """The latest commit in it."""
    full: bool
    """Whether it is the whole log, and no role's part of it."""
    lines: AsyncIterator[bytes]
    """All lines. Raises a `StoreError` if the store fails, or what it holds is damaged."""


class Exporting:
    """Writes exports."""

    def __init__(self, tables: Tables, horizon: Horizon) -> None:
        self._tables = tables
        self._horizon = horizon
        self._store = tables.store

    async def begin(self, caller: Caller) -> ExportStream:
        """The caller's export, as of now.

        Raises:
            StoreError: the store fails.
        """
        live = await self._tables.live(caller.game)
        full = caller.principal == REFEREE or live.facts.disclosed()
        version = await self._horizon.head(live, caller)
        header = encode(await self._header(live, caller, version, full=full)) + b"\n"
        return ExportStream(version, full, self._lines(live, caller, version, header, full=full))

    async def _lines(
        self, live: LiveGame, caller: Caller, version: int, header: bytes, *, full: bool
    ) -> AsyncIterator[bytes]:
        """All lines, the header first. Raises a `StoreError` if the store fails, or what it holds is damaged."""
        # Read before anything is said: a store that fails is then told as a problem, and not by a file that breaks off.
        rest = pages(self._store, caller.game, version)
        bodies = await anext(rest, None)
        yield header
        while bodies is not None:
            for body in bodies:
                line = body if full else encode(role_line(body, caller.principal, live.salts))
                yield line + b"\n"
            bodies = await anext(rest, None)

    async def lines(self, caller: Caller) -> AsyncIterator[bytes]:
        """The lines of the caller's export, as of now. Raises as `begin` and its lines do."""
        async for line in (await self.begin(caller)).lines:
            yield line

    async def is_public(self, game: str) -> bool:
        """Whether anybody may have the game's export: it is finished and disclosed, and its maker has chosen so."""
        record = await self._store.get_game(game)
        if record is None or record.status != "finished":
            return False
        facts = read_facts(record.facts)
        return facts.options.public_record and facts.disclosed()

    async def whole(self, game: str) -> bytes:
        """A game's full export, for an audit. Raises as `lines` does."""
        return b"".join([line async for line in self.lines(Caller(game, "audit", "referee"))])

    async def _header(self, live: LiveGame, caller: Caller, version: int, *, full: bool) -> Header:
        facts, secret = live.facts, live.secret
        record = await self._store.get_game(caller.game)
        disclosed = None
        if full and facts.disclosed() and facts.source == "seeded":
            disclosed = Disclosure(seed=secret.seed.hex(), salt=secret.seed_salt.hex())
        return Header(
            omenlog="full" if full else "role",
            game=facts.id,
            principal="referee" if full else principal_name(caller.principal),
            version=version,
            edition=facts.edition,
            rules=facts.rules,
            pack_id=facts.pack,
            pack_digest=facts.pack_digest,
            randomness=facts.source,
            commitment=facts.commitment,
            created="" if record is None else record.created,
            pack=msgspec.Raw(await self._tables.library.body(facts.pack_digest)) if full else NOTHING,
            salt_key=secret.salt_key.hex() if full else None,
            disclosed=disclosed,
            fork=facts.fork,
        )
