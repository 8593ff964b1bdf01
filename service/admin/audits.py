"""All games of a store: listed, their hash chains checked, and audited in processes of their own or by workers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from service.audit.jobs import AuditJob, Audits
from service.audit.verdict import Verdict, audit
from service.bootstrap import Service
from service.log.chain import FIRST, Broken, Salts, verify
from service.log.commits import Stored
from service.log.exported import parse_export
from service.log.facts import is_fork, read_secret
from service.log.reader import commits
from service.store.port import GameRecord, LogStore, StoreDamaged, StoreError

PAGE = 200
"""Games read at a time."""
PAUSE = 0.25
"""Seconds between two looks at a worker's job."""
AHEAD = 4
"""Exports in memory that wait for each process."""


async def all_games(store: LogStore, *, forks: bool = False) -> AsyncIterator[GameRecord]:
    """The records of all games in the order of their opening; forks, which can be removed at any moment, only if asked for."""
    last = None
    while page := await store.list_games(last, PAGE):
        found = page if forks else [record for record in page if not is_fork(record.facts)]
        for record in found:
            yield record
        last = (found or page)[-1].id  # a fork may be gone by now


async def check_chains(store: LogStore) -> tuple[int, int]:
    """Check the hash chain of every game; returns the numbers of games and commits. Raises as `follow_chain` does."""
    games = commits = 0
    async for record in all_games(store, forks=True):
        games += 1
        async for _ in follow_chain(store, record.id, record.version):
            commits += 1
    return games, commits


async def follow_chain(store: LogStore, game: str, version: int) -> AsyncIterator[tuple[bytes, Stored]]:
    """The commits of a game up to a version, each checked along the chain: the stored bytes, and the decoded commit.

    Raises StoreDamaged for a commit that is missing, altered or out of place, and for a lost secret.
    """
    secret = await store.secret(game)
    if secret is None:
        raise StoreDamaged(f"game {game} has lost its secret")
    salts, link = Salts(read_secret(secret).salt_key), FIRST
    async for number, body in commits(store, game, version):
        try:
            commit = verify(body, link, salts)
        except (Broken, ValueError) as broken:
            raise StoreDamaged(f"game {game}, commit {number}: {broken}") from broken
        if commit.number != number or commit.game != game:
            raise StoreDamaged(
                f"game {game}: commit {commit.number} of game {commit.game} is in place of commit {number}"
            )
        link = commit.hash
        yield body, commit


class AuditsInProcesses:
    """Audits games in processes of its own."""

    def __init__(self, service: Service, processes: int = 0) -> None:
        """0 processes: one per processor."""
        size = processes or os.cpu_count() or 1
        self.most = size * AHEAD
        self._service = service
        self._pool = ProcessPoolExecutor(size, mp_context=get_context("spawn"))

    async def of(self, game: str) -> AuditJob:
        try:
            body = await self._service.exporting.whole(game)
        except StoreError as fault:
            return AuditJob(status="failed", because=str(fault))
        verdict = await asyncio.get_running_loop().run_in_executor(self._pool, _audit, body)
        return AuditJob(status="done", checked=verdict.commits, verdict=verdict)

    async def aclose(self) -> None:
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)


def _audit(body: bytes) -> Verdict:
    return audit(parse_export(body))


class AuditsByWorkers:
    """Has games audited by `omenlog work`."""

    most = 200

    def __init__(self, service: Service, audits: Audits) -> None:
        self._service = service
        self._audits = audits

    async def of(self, game: str) -> AuditJob:
        version = await self._service.store.version(game) or 0
        job: AuditJob | None = await self._audits.begin(game, version)
        while job is not None and job.status in ("queued", "running"):
            await asyncio.sleep(PAUSE)
            job = await self._audits.look(game, version)
        return job or AuditJob(status="failed", because="the job was lost; run the audit again")

    async def aclose(self) -> None:
        """Leave the workers running."""


async def audit_all(
    service: Service, audits: AuditsInProcesses | AuditsByWorkers, games: Iterable[str] = ()
) -> AsyncGenerator[tuple[str, AuditJob]]:
    """Audit these games, or all, several at once; yields each with its verdict as soon as it is done."""
    wanted = list(games) or [record.id async for record in all_games(service.store)]
    waiting: set[asyncio.Task[tuple[str, AuditJob]]] = set()

    async def one(game: str) -> tuple[str, AuditJob]:
        return game, await audits.of(game)

    try:
        for game in wanted:
            waiting.add(asyncio.create_task(one(game)))
            if len(waiting) >= audits.most:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        for finished in asyncio.as_completed(waiting):
            yield await finished
    finally:
        for task in waiting:
            task.cancel()
