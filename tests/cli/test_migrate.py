"""`omenlog migrate` and what else the command line says of stores."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.settings import Settings
from service.store.open import open_records, open_store
from service.store.port import AccountRecord, Record
from service.webhooks.subscription import account_owner
from tests.cli.invoking import omenlog
from tests.support.running import open_game, play, service_on
from tests.support.shared_stores import empty_store


async def fill(path: str) -> None:
    service = await service_on(path)
    await play(service, await open_game(service), 5)
    await service.close()


async def lengthen(store: str) -> None:
    opened = await open_store(Settings(store=store))
    (record,) = await opened.list_games(None, 2)
    await opened.append(record.id, record.version, b"more")
    await opened.close()


ACCOUNT = AccountRecord(id="account", hash=b"h" * 32, created="2026-01-01T00:00:00.000Z")


async def subscribe(store: str) -> list[Record | None]:
    """A subscription to a game, and one to all games of an account, if they are not there; both as they are."""
    chosen = Settings(store=store)
    games, webhooks = await open_store(chosen), await open_records(chosen)
    (game,) = await games.list_games(None, 2)
    await webhooks.add(Record(id="hook", owner=game.id, body=b"\x00cursor", ready=1.5))
    if await games.find_account(ACCOUNT.hash) is None:
        await games.create_account(ACCOUNT)
    await webhooks.add(Record(id="whole", owner=account_owner(ACCOUNT.id), body=b"\x00keys", ready=0.0))
    found = [await webhooks.get(name) for name in ("hook", "whole")]
    await webhooks.close()
    await games.close()
    assert None not in found
    return found


def test_subscriptions_of_webhooks_move_with_their_games_and_accounts(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source, redis = f"sqlite:///{tmp_path}/log.db", empty_store("redis", request, tmp_path)
    asyncio.run(fill(source))
    there = asyncio.run(subscribe(source))
    assert "Webhook subscriptions copied now: 2." in omenlog("migrate", source, redis).output
    assert "subscriptions" not in omenlog("migrate", source, redis).output
    assert asyncio.run(subscribe(redis)) == there, "it is there already"


def test_games_move_to_redis_and_it_is_told_what_was_proven(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    source, redis = f"sqlite:///{tmp_path}/log.db", empty_store("redis", request, tmp_path)
    asyncio.run(fill(source))
    first = omenlog("migrate", source, redis)
    assert first.exit_code == 0, first.output
    assert "In both stores: 1 game, 10 commits" in first.output
    assert "Copied now: 10 commits." in first.output
    again = omenlog("migrate", source, redis)
    assert "Copied now: 0 commits." in again.output
    assert again.output.splitlines()[-1] == first.output.splitlines()[-1], "the same proof"
    asyncio.run(lengthen(redis))
    refused = omenlog("migrate", source, redis)
    assert refused.exit_code == 1
    assert "it was continued there" in refused.output


@pytest.mark.parametrize(
    "arguments, told",
    [
        (("memory:", "sqlite:///x.db"), "in memory"),
        (("sqlite:///nowhere.db", "sqlite:///x.db"), "no such file: nowhere.db"),
        (("sqlite:///x.db", "sqlite:///x.db"), "the same store"),
        (("sqlite:///x.db", "sqlite:///./folder/../x.db"), "the same store"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[str, str], told: str) -> None:
    result = omenlog("migrate", *arguments)
    assert result.exit_code == 2
    assert told in result.output


def test_settings_do_not_show_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMENLOG_STORE", "redis://ann:hunter2@db:6379/0")
    shown = omenlog("settings").output
    assert "hunter2" not in shown
    assert "OMENLOG_STORE=redis://ann:***@db:6379/0" in shown
