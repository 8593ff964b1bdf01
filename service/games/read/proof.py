"""What shows that the log is true: exports, heads and proofs of its chain, and audits that players ask for.

A *full* export (NDJSON: a header, then a line for each commit; `service.audit.verdict` reads it) holds the stored bytes of every commit, the
canonical pack and the key of the salts, and once the game is disclosed the seed. It is the referee's, and everybody's after the disclosure.
Before, a role gets its *own* export: what it was told, each commit with the proof that it is in the chain.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import msgspec

from domain.facts.audience import REFEREE, principal_name
from domain.facts.commands import AnyCommand
from domain.facts.events import AnyEvent
from domain.facts.lifecycle_commands import AnyLife
from service.audit.jobs import AuditJob, Audits, Status
from service.audit.redecide import Difference
from service.audit.verdict import Outcome
from service.games.horizon import Horizon
from service.games.read.reading import Reading
from service.games.tables import LiveGame, Tables
from service.identity import Caller
from service.jobs import JobsUnavailable
from service.log.chain import Digest, Proof
from service.log.commits import PublicHeader, hash_of
from service.log.exported import NOTHING, Disclosure, Header, role_line
from service.log.facts import encode, read_facts
from service.log.reader import pages
from service.problems import ProblemError, ahead, forbidden
from service.store.port import StoreDamaged

T = TypeVar("T")


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
        """The caller's export, as of now. Raises `StoreError`."""
        live = await self._tables.live(caller.game)
        full = caller.principal == REFEREE or live.facts.disclosed()
        version = await self._horizon.head(live, caller)
        header = encode(await self._header(live, caller, version, full=full)) + b"\n"
        return ExportStream(version, full, self._lines(live, caller, version, header, full=full))

    async def _lines(
        self, live: LiveGame, caller: Caller, version: int, header: bytes, *, full: bool
    ) -> AsyncIterator[bytes]:
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


class HeadShown(msgspec.Struct, kw_only=True):
    """A commit's place in the chain: its hash covers it and all before it, and reveals nothing of them."""

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


class ProvedCommit(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a role was told of a commit, byte for byte as it was hashed, and the proof that it is in the chain."""

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
        """Heads behind a cursor, as far as the public may see the game. Raises `not-found` or `ahead-of-log`."""
        version = (await self._reading.game(game)).version
        found = await self._rows(game, after, limit, version, hash_of)
        heads = [HeadShown(game=game, number=number, hash=one) for number, one in enumerate(found, after + 1)]
        return HeadPage(heads=heads, next=after + len(heads), version=version)

    async def proofs(self, caller: Caller, after: int, limit: int) -> tuple[bytes, int]:
        """A `ProofPage` of what the caller was told behind a cursor, encoded, and the version as of which it is. Raises `ahead-of-log`."""
        version = await self._reading.version(caller)
        live = await self._tables.live(caller.game)
        lines = await self._rows(
            caller.game, after, limit, version, lambda body: role_line(body, caller.principal, live.salts)
        )
        return encode({"commits": lines, "next": after + len(lines), "version": version}), version

    async def _rows(self, game: str, after: int, limit: int, version: int, row: Callable[[bytes], T]) -> list[T]:
        if after > version:
            raise ahead(version)
        try:
            return [row(body) for body in await self._store.read(game, after, min(limit, version - after))]
        except ValueError as error:
            raise StoreDamaged(f"a commit of game {game} after {after} can't be read: {error}") from error


class Verification(msgspec.Struct, kw_only=True):
    """The service's own audit of a game's whole log: its chain, every command decided again, every die."""

    id: str
    game: str
    status: Status
    """`queued`, `running`, `done`, or `failed` (no verdict; request it again)."""
    checked: int
    """How many commits were checked so far and hold."""
    version: int
    """The number of the latest commit when it was asked for; what came since may be checked too."""
    outcome: Outcome | None = None
    """Once it is done: `EXACT`, `UNVERIFIED` (nothing contradicts the log, but not all could be checked) or `DIVERGED`."""
    commit: int | None = None
    """The first commit that differs."""
    because: str = ""
    """What differs, or couldn't be checked; why it failed. Of a game with secrets the referee alone is told."""
    dice: str = ""
    """Where dice and cards came from, and whether they were rolled again. Told as `because` is."""
    differs: Difference | None = None
    """The first event that differs, side by side. Told as `because` is."""


class Verifying:
    """Has games audited for those who play them."""

    def __init__(self, tables: Tables, audits: Audits) -> None:
        self._tables = tables
        self._audits = audits

    async def ask(self, caller: Caller) -> Verification:
        """Ask for an audit of the caller's game as it is now; asked for twice, it is one. Raises `forbidden` or `jobs-unavailable`."""
        live = await self._tables.live(caller.game)
        _check(caller, disclosed=live.facts.disclosed())
        try:
            job = await self._audits.begin(caller.game, live.version)
        except JobsUnavailable as fault:
            raise _unavailable() from fault
        return _shown(caller, live.version, job, disclosed=live.facts.disclosed())

    async def show(self, caller: Caller, name: str) -> Verification:
        """An audit that was asked for. Raises `forbidden`, `not-found` or `jobs-unavailable`."""
        live = await self._tables.live(caller.game)
        _check(caller, disclosed=live.facts.disclosed())
        version = int(name)
        try:
            job = await self._audits.look(caller.game, version)
        except JobsUnavailable as fault:
            raise _unavailable() from fault
        if job is None:
            raise ProblemError(
                "not-found",
                f"Nobody asked for verification {name}, or its verdict is no longer kept: ask for a new one.",
            )
        return _shown(caller, version, job, disclosed=live.facts.disclosed())

    async def close(self) -> None:
        await self._audits.close()


def _check(caller: Caller, *, disclosed: bool) -> None:
    """A role that may lag behind a running game learns nothing of how far it is."""
    if caller.role in ("seat", "referee") or disclosed:
        return
    raise forbidden()


def _shown(caller: Caller, version: int, job: AuditJob, *, disclosed: bool) -> Verification:
    """The verdict, in full to those who may see the whole log."""
    verdict = job.verdict
    shown = Verification(id=str(version), game=caller.game, status=job.status, checked=job.checked, version=version)
    if verdict is not None:
        shown.outcome, shown.commit = verdict.outcome, verdict.commit
    if caller.role == "referee" or disclosed:
        shown.because = job.because if verdict is None else verdict.because
        if verdict is not None:
            shown.dice, shown.differs = verdict.dice, verdict.differs
    return shown


def _unavailable() -> ProblemError:
    retry = {"Retry-After": "5"}
    return ProblemError(
        "jobs-unavailable",
        "The queue of audits does not answer, or is full; try again later.",
        headers=retry,
        retry_after=5,
    )
