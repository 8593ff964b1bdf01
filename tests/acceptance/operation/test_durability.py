"""What was acknowledged stays: through a restart, and through `kill -9` under load."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from openapi.writer.outside import Fixed
from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.driving import Table, serving, settings

KILLS = 2
GAMES = 6


def test_a_restart_in_the_middle_of_a_game_changes_nothing(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    chosen = settings(store, snapshot_every=10)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client, seats=[{"name": "Ann"}, {}, {}])
        table.play(37)
        token = table.awaited()
        command = table.listed(token)[0]
        first = table.command(token, command, Idempotency_Key="the-last-one")
        before = _everything(table)
    with serving(chosen, Fixed("again")) as address, httpx.Client(base_url=address, timeout=20) as client:
        table.client = client
        assert _everything(table) == before
        again = table.command(token, command, Idempotency_Key="the-last-one")
        assert (again.status_code, again.content) == (201, first.content)
        table.play(10)
        table.post("close", table.host)
        assert _verdict(table) is Outcome.EXACT


def test_opening_can_be_retried_after_a_restart_and_gives_the_same_tokens(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db")
    body = {"edition": "second", "seats": [{"name": "Ann"}, {}, {}], "hotseat": True, "options": {"listed": True}}
    key = {"Idempotency-Key": "a-key-that-nobody-guesses"}
    with serving(chosen) as address:
        first = httpx.post(f"{address}/v1/games", json=body, headers=key)
    with serving(chosen, Fixed("again")) as address:
        again = httpx.post(f"{address}/v1/games", json=body, headers=key)
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["idempotent-replayed"] == "true"
        other = httpx.post(f"{address}/v1/games", json={**body, "hotseat": False}, headers=key)
        assert other.json()["code"] == "key-reused"
        short = httpx.post(f"{address}/v1/games", json=body, headers={"Idempotency-Key": "short"})
        assert short.json()["code"] == "invalid-idempotency-key"
        assert len(httpx.get(f"{address}/v1/games").json()["games"]) == 1


def _everything(table: Table) -> list[bytes]:
    """Whatever anybody can read of a game."""
    tokens = (*table.seats, table.spectator, table.referee)
    reads = [table.get(what, token).content for what in ("view", "decisions", "events", "export") for token in tokens]
    return [*reads, table.client.get(table.path).content]


def _verdict(table: Table) -> Outcome:
    return audit(read_export(table.get("export", table.referee).content.splitlines())).outcome


# -- kill -9 ------------------------------------------------------------------------------------------------------------

SERVE = """
import sys
from service.server import serve
from service.settings import Settings
serve(Settings(store=sys.argv[1], packs="second-edition", port=0, log_level="critical", snapshot_every=7),
      ready=lambda address: print(address, flush=True))
"""


@contextmanager
def process(store: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, which is killed in the end without a warning."""
    command = [sys.executable, "-c", SERVE, f"sqlite:///{store}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            yield running, running.stdout.readline().strip()
        finally:
            running.kill()


class Walker:
    """Walks to and fro in one game, turn by turn; whatever happens, it knows what was acknowledged."""

    def __init__(self, client: httpx.Client) -> None:
        self.table = Table.open(client)
        self.seat: int = self.table.get("view", self.table.referee).json()["turn"]["seat"]
        self.steps = 0
        self.enough = False
        """Set by whoever has it stop."""
        self.acknowledged: dict[int, bytes] = {}
        """By step: the answer."""

    def run(self, address: str) -> None:
        """Go on until it was enough or the server is gone; the step that failed is tried again next time, with its key."""
        try:
            with httpx.Client(base_url=address, timeout=20) as client:
                self.table.client = client
                while not self.enough:
                    self._step()
        except httpx.TransportError:
            return

    def _step(self) -> None:
        turn, part = divmod(self.steps, 3)
        command = {"decision": f"turn-{turn + 1}", "type": "end-turn"}
        if part < 2:
            command |= {"type": "move", "to": ("foyer", "entrance-hall")[part]}
        token = self.table.seats[(self.seat + turn) % 3]
        answer = self.table.command(token, command, Idempotency_Key=f"step-{self.steps}")
        assert answer.status_code == 201, answer.text
        self.acknowledged[self.steps] = answer.content
        self.steps += 1


@pytest.mark.prove
def test_nothing_acknowledged_is_lost_or_done_twice_when_the_server_is_killed_under_load(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    with process(store) as (_, address), httpx.Client(base_url=address, timeout=20) as client:
        walkers = [Walker(client) for _ in range(GAMES)]
    for kill in range(KILLS):
        before = sum(walker.steps for walker in walkers)
        with process(store) as (running, address):
            threads = [threading.Thread(target=walker.run, args=(address,)) for walker in walkers]
            for thread in threads:
                thread.start()
            # killed after so many acknowledgements, not after so long: a slow machine needs its time
            wanted, end = before + 20 + 17 * kill, time.monotonic() + 30
            while sum(walker.steps for walker in walkers) < wanted and time.monotonic() < end:
                time.sleep(0.005)
            running.kill()
            for thread in threads:
                thread.join()
        assert sum(walker.steps for walker in walkers) > before, "there was no load"
    with process(store) as (_, address), httpx.Client(base_url=address, timeout=20) as client:
        for walker in walkers:
            walker.table.client = client
            check_walker(walker)


def check_walker(walker: Walker) -> None:
    """What was acknowledged is in the log, in order, each once."""
    table = walker.table
    lines = [
        json.loads(row) for row in table.get("events", table.referee, Accept="application/x-ndjson").text.splitlines()
    ]
    numbers = [line["data"]["number"] for line in lines]
    assert numbers == list(range(1, len(numbers) + 1))
    steps = [line for line in lines if line["data"]["actor"].startswith("seat:")]
    # One more may have been stored whose answer was on its way.
    assert walker.steps <= len(steps) <= walker.steps + 1
    for step, answer in walker.acknowledged.items():
        commit = json.loads(answer)["commit"]
        assert commit["data"]["events"] == [one for one in steps[step]["data"]["events"] if one["type"] != "Suspended"]
        assert commit["id"] == steps[step]["id"]
    table.post("close", table.host)
    assert _verdict(table) is Outcome.EXACT
