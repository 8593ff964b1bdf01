"""What holds the service to its log while a game goes on: the heads of its chain, and a role's proofs of what it was told."""

from __future__ import annotations

import msgspec

from domain.facts.commands import AnyCommand
from domain.facts.events import AnyEvent
from domain.facts.lifecycle_commands import AnyLife
from service.games.read.reading import Reading
from service.games.tables import Tables
from service.identity import Caller
from service.log.chain import Digest, Proof
from service.log.commits import hash_of
from service.log.exported import RoleLine, role_line
from service.log.facts import encode
from service.problems import ahead
from service.store.port import StoreDamaged


class HeadShown(msgspec.Struct, kw_only=True):
    """A commit's place in the chain: its hash stands for it and for all before it, and tells nothing of them."""

    game: str
    number: int
    hash: Digest


class HeadPage(msgspec.Struct, kw_only=True):
    """A page of heads."""

    heads: list[HeadShown]
    next: int
    """Pass it as `after` to get the next page."""
    version: int
    """The number of the latest commit that the public may see."""


class PublicHeader(msgspec.Struct, kw_only=True):
    """What everybody may know of a commit, as it was hashed."""

    v: int
    game: str
    number: int
    at: str
    rules: int
    pack: str


class ProvedCommit(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a role was told of a commit, byte for byte as it was hashed, and what shows that it stands in the chain."""

    header: PublicHeader
    actor: str | None = None
    command: AnyCommand | AnyLife | None = None
    events: list[AnyEvent]
    proof: Proof


class ProofPage(msgspec.Struct, kw_only=True):
    """A page of commits with their proofs."""

    commits: list[ProvedCommit]
    next: int
    """Pass it as `after` to get the next page."""
    version: int
    """The number of the latest commit that the caller may see."""


class Proving:
    """Shows heads and proofs."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._store = tables.store
        self._reading = reading

    async def heads(self, game: str, after: int, limit: int) -> HeadPage:
        """Heads behind a cursor, as far as the public may see the game.

        Raises:
            ProblemError: `not-found` or `ahead-of-log`.
        """
        version = (await self._reading.game(game)).version
        bodies = await self._bodies(game, after, limit, version)
        try:
            heads = [
                HeadShown(game=game, number=number, hash=hash_of(body)) for number, body in enumerate(bodies, after + 1)
            ]
        except ValueError as error:
            raise StoreDamaged(f"a commit of game {game} after {after} can't be read: {error}") from error
        return HeadPage(heads=heads, next=after + len(heads), version=version)

    async def proofs(self, caller: Caller, after: int, limit: int) -> tuple[bytes, int]:
        """A `ProofPage` of what the caller was told behind a cursor, encoded, and the version as of which it is.

        Raises:
            ProblemError: `ahead-of-log`.
        """
        version = await self._reading.version(caller)
        live = await self._tables.live(caller.game)
        bodies = await self._bodies(caller.game, after, limit, version)
        try:
            lines: list[RoleLine] = [role_line(body, caller.principal, live.salts) for body in bodies]
        except ValueError as error:
            raise StoreDamaged(f"a commit of game {caller.game} after {after} can't be read: {error}") from error
        page = encode({"commits": lines, "next": after + len(lines), "version": version})
        return page, version

    async def _bodies(self, game: str, after: int, limit: int, version: int) -> list[bytes]:
        if after > version:
            raise ahead(version)
        return await self._store.read(game, after, min(limit, version - after))
