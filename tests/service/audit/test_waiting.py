"""How many audits may wait: nobody takes the places of all others by asking again after each commit."""

from __future__ import annotations

import asyncio

import pytest

from service.audit.jobs import MAY_WAIT, OF_A_GAME, Auditor, AuditsHere
from service.audit.verdict import Progress, Verdict, quietly
from service.jobs import JobsUnavailable


class Endless(Auditor):
    """An auditor that comes to no end."""

    async def audit(self, body: bytes, progress: Progress = quietly) -> Verdict:
        del body, progress
        await asyncio.Event().wait()
        raise AssertionError


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
