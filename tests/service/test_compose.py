"""`compose.yaml`: no Docker is needed to see that its commands and settings exist, and that the service takes its Redis."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from service.cli import main
from service.settings import Settings
from service.store.redis.log import RedisLogStore
from tests.support.gaps import report
from tests.support.redis import SERVER, server

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service["image"] == "omenlog"]
THEIRS = [name for name in SERVICES if name not in OURS]


def test_there_are_the_service_with_workers_one_for_webhooks_and_two_redis() -> None:
    started = [SERVICES[name]["command"] for name in OURS]
    assert sorted(one[:2] for one in started) == [["omenlog", "serve"], ["omenlog", "work"]]
    assert ["--workers", "auto"] in [one[-2:] for one in started]
    assert [SERVICES[name]["command"][0] for name in THEIRS] == [SERVER] * 2
    published = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert sorted(published) == ["127.0.0.1:8000:8000"], "no Redis is open to the world"


@pytest.mark.parametrize("name", OURS)
def test_every_command_can_be_read(name: str) -> None:
    program, *arguments = SERVICES[name]["command"]
    assert program == "omenlog"
    with main.make_context(program, list(arguments)) as context:
        _, command, rest = main.resolve_command(context, arguments)
        assert command is not None
        command.make_context(command.name, rest, parent=context)


@pytest.mark.parametrize("name", OURS)
def test_every_setting_exists_and_names_a_redis_that_is_waited_for(name: str) -> None:
    service = SERVICES[name]
    fields = {f"OMENLOG_{field.upper()}" for field in Settings.__struct_fields__}
    report(
        f"compose.yaml sets {variable} of {name}, which is not a setting: correct it (service/settings.py has all)."
        for variable in service["environment"]
        if variable not in fields
    )
    hosts = {urlsplit(value).hostname for value in service["environment"].values()}
    assert hosts == set(THEIRS) == set(service["depends_on"])
    assert {one["condition"] for one in service["depends_on"].values()} == {"service_healthy"}


@pytest.mark.parametrize("name", list(SERVICES))
def test_every_health_can_be_asked(name: str) -> None:
    asked = SERVICES[name]["healthcheck"]
    if name == "worker":
        assert asked == {"disable": True}, "or it would be asked over HTTP"
    elif name in OURS:
        (line,) = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if "urlopen" in line]
        assert asked["test"][-1] in line, "the image asks alike"
    else:
        assert asked["test"] == ["CMD-SHELL", "redis-cli ping | grep -qx PONG"]


@pytest.mark.parametrize("name", THEIRS)
async def test_every_redis_keeps_its_files_and_drops_nothing(name: str, tmp_path: Path) -> None:
    with server(tmp_path / name, *SERVICES[name]["command"][1:]) as running:
        kept = running.client().config_get("*")
        assert (kept["appendonly"], kept["maxmemory-policy"], kept["save"]) == ("yes", "noeviction", "")
    volume, _, place = SERVICES[name]["volumes"][0].partition(":")
    assert place == "/data", "where this image keeps its files"
    assert volume in COMPOSE["volumes"]


async def test_the_service_takes_the_redis_that_is_to_keep_the_games(tmp_path: Path) -> None:
    log = urlsplit(SERVICES["api"]["environment"]["OMENLOG_STORE"]).hostname
    assert log is not None
    with server(tmp_path / "log", *SERVICES[log]["command"][1:]) as running:
        store = await RedisLogStore.open(running.url)
        assert (await store.check()).durable
        await store.close()
