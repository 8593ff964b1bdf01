"""Redis goes and comes back while the service runs: what is due meanwhile is put off, not forgotten, and not tried without a pause."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from service.bootstrap import open_service
from service.log.requests import Deadline
from service.settings import Settings
from tests.service.games.play.test_unattended import Watch, actors, by_post
from tests.support.redis import server

AWAY = 0.5
"""Seconds without a Redis."""
SOON = 20.0


async def test_a_deadline_that_runs_out_while_redis_is_away_is_kept_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("service.games.play.attendant.AGAIN", 0.1)
    caplog.set_level(logging.WARNING, logger="service.games.play.attendant")
    watch = Watch()
    with server(tmp_path / "redis") as redis:
        service = await open_service(Settings(store=redis.url, packs="second-edition", heartbeat=0.2), watch)
        service.attendant.start()
        game = await by_post(service, deadline=Deadline(seconds=3600))
        await service.attendant.look(game)  # it knows of the deadline
        redis.kill()
        watch.time = "2026-02-03T01:00:01.000Z"
        service.attendant.hints.add(game)
        await asyncio.sleep(AWAY)
        told = [record for record in caplog.records if record.name == "service.games.play.attendant"]
        assert 0 < len(told) <= AWAY / 0.1 + 1, "tried again, with pauses"
        assert all("is put off: " in record.message and record.exc_info is None for record in told)
        redis.start()
        async with asyncio.timeout(SOON):
            while "clock" not in await actors(service, game):  # noqa: ASYNC110 -- whoever does it does so by itself
                await asyncio.sleep(0.05)
        await service.close()
