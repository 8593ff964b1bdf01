"""`examples/bot.py`, beyond what README shows: its service may be killed meanwhile."""

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from service.cli.play.demo import ServiceProcess
from tests.acceptance.driving import Table

BOT = Path(__file__).parents[2] / "examples" / "bot.py"
PATIENCE = 120


@pytest.mark.prove
def test_bots_play_on_when_the_service_has_been_killed_and_started_anew(tmp_path: Path) -> None:
    with ExitStack() as stack:
        service = stack.enter_context(ServiceProcess(tmp_path))
        port = int(service.url.rpartition(":")[2])
        client = stack.enter_context(httpx.Client(base_url=service.url, timeout=20))
        table = Table.open(client, options={"turn_limit": 30})
        command = [sys.executable, str(BOT), service.url, table.id]
        bots = [subprocess.Popen([*command, seat], stdout=subprocess.PIPE, text=True) for seat in table.seats]
        for version in (10, 20):
            until(table, version)
            service.kill()
            service = stack.enter_context(ServiceProcess(tmp_path, port))
        assert len({bot.communicate(timeout=PATIENCE)[0] for bot in bots}) == 1
        assert [bot.returncode for bot in bots] == [0, 0, 0]
        public = client.get(table.path).json()
        assert public["status"] == "finished"
        assert public["version"] > 20


def until(table: Table, version: int) -> None:
    """Wait until the game has come so far."""
    end = time.monotonic() + PATIENCE
    while table.version() < version:
        assert time.monotonic() < end
        time.sleep(0.02)
