"""How many audits may wait: nobody takes the places of all others by asking again after each commit."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from service.audit.jobs import KEPT_FOR, MAY_WAIT, OF_A_GAME, Auditor, AuditsHere
from service.audit.verdict import Outcome, Progress, Verdict, quietly
from service.jobs import JobsUnavailable

PATIENCE = 10.0


class Endless(Auditor):
    """An auditor that comes to no end."""

    async def audit(self, body: bytes, progress: Progress = quietly) -> Verdict:
        del body, progress
        await asyncio.Event().wait()
        raise AssertionError


class Prompt(Auditor):
    """An auditor that finds nothing wrong."""

    async def audit(self, body: bytes, progress: Progress = quietly) -> Verdict:
        del body, progress
        return Verdict(Outcome.EXACT, 1)


async def nothing(_game: str) -> bytes:
    return b""


async def test_of_one_game_a_few_audits_wait_and_of_all_of_them_not_too_many() -> None:
    audits = AuditsHere(Endless(1.0), nothing)
    for version in range(OF_A_GAME):
        await audits.begin("mine", version)
    with pytest.raises(JobsUnavailable, match=f"{OF_A_GAME} audits of game mine wait already"):
        await audits.begin("mine", OF_A_GAME)
    assert (await audits.begin("mine", 0)).status == "queued", "asked for twice, it is one"
    for number in range(MAY_WAIT - OF_A_GAME):
        await audits.begin(f"theirs{number}", 1)
    with pytest.raises(JobsUnavailable, match=f"{MAY_WAIT} audits wait already"):
        await audits.begin("another", 1)
    await audits.close()


async def test_as_many_wait_at_all_workers_of_a_service_together(tmp_path: Path) -> None:
    workers = [AuditsHere(Endless(1.0), nothing, tmp_path) for _ in range(2)]
    for version in range(OF_A_GAME):
        await workers[version % 2].begin("mine", version)
    for one in workers:
        with pytest.raises(JobsUnavailable, match="of game mine wait already"):
            await one.begin("mine", OF_A_GAME)
        await one.close()


async def test_what_a_worker_has_left_is_known_for_a_day_however_it_ended(tmp_path: Path) -> None:
    before, after = (AuditsHere(Prompt(1.0), nothing, tmp_path) for _ in range(2))
    await before.begin("mine", 1)
    (left,) = list(tmp_path.iterdir())  # noqa: ASYNC240 -- in memory
    async with asyncio.timeout(PATIENCE):
        while (job := await after.look("mine", 1)) is None or job.status != "done":  # noqa: ASYNC110 -- a file tells nobody
            await asyncio.sleep(0)
    for ago, known in ((KEPT_FOR - 60, True), (KEPT_FOR + 60, False)):
        os.utime(left, (time.time() - ago,) * 2)
        await after.begin(f"another{ago}", 1)
        assert left.exists() is known
    await after.close()
