"""Contestant: what a referee asks on the terminal of a game of 500 commits in SQLite, each answer printed in full.

In this process and without Python's start; everything else that a command does is part of it: opening the store, loading the pack, folding the log.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from service.bootstrap import Service
from service.cli import main
from service.games.desk.disputes import AskDispute, AskRuling
from service.identity import Caller
from tests.bench.folder import FOLDER
from tests.bench.games import SEATS
from tests.bench.plans import enact, plans, serve
from tests.bench.sample import Round, Sample, checksum

COMMITS = 500
DISPUTES = 6
"""Disputes, ruled one after the other at the end of the game; each cites a rule."""
BESIDE = 2 + SEATS + 2 * DISPUTES
"""Commits that are no planned command: by which a game is opened, seats are taken, the game starts; disputes and rulings."""
RULE = "2E-MOVE-001"
FILTERS = (
    ("--turn", "40"),
    ("--round", "0", "--no-legal"),
    ("--seat", "1"),
    ("--rule", "2E-CARD-004"),
    ("--room", "entrance-hall", "--names"),
    ("--card", "spear"),
    ("--grep", "basement"),
)
AGAIN = 2
"""How often each is asked in a round."""


@contextmanager
def sqlite(_scale: int) -> Iterator[Round]:
    """The game lies in a SQLite file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        store = f"sqlite:///{Path(folder) / 'find.db'}"
        game = asyncio.run(_played(store))
        yield lambda: _ask(store, game, str(Path(folder) / "boards.svg"))


async def _played(store: str) -> str:
    (game,) = plans(1, least=COMMITS - BESIDE, haunted=False)
    service = await serve(store)
    name = await enact(service, game)
    await _dispute(service, name)
    version = (await service.tables.live(name)).version
    await service.close()
    if version != COMMITS:
        raise AssertionError(f"the game has {version} commits")
    return name


async def _dispute(service: Service, game: str) -> None:
    seat, referee = Caller(game, "seat-1", "seat", 1), Caller(game, "referee", "referee")
    for number in range(1, DISPUTES + 1):
        await service.disputing.open(seat, AskDispute(first=10, last=10 * number, claim="It was not allowed."), "")
        ruling = AskRuling(outcome="stands", reasons="It was.", rules=[RULE], precedent=bool(number % 2))
        await service.disputing.rule(referee, number, ruling, "")


def _ask(store: str, game: str, picture: str) -> Sample:
    beside = ("diff", game, "--from", str(COMMITS // 2), "--as", "referee", "--side-by-side")
    asked = {
        "find": [("trace", game, *one) for one in FILTERS],
        "disputes": [("disputes", game, "--rule", RULE), ("disputes", "--all", "--precedents", "--rule", RULE)],
        "beside": [beside, (*beside, "--output", picture)],
    }
    costs: dict[str, list[float]] = {what: [] for what in asked}
    told: list[bytes] = []
    for what, commands in asked.items():
        for command in commands * AGAIN:
            begun = time.perf_counter()
            result = CliRunner().invoke(
                main, list(command), env={"OMENLOG_STORE": store, "OMENLOG_PACKS": "second-edition"}
            )
            costs[what].append(time.perf_counter() - begun)
            if result.exit_code:
                raise AssertionError(f"{command}: {result.output}")
            told.append(result.stdout_bytes)
    told.append(Path(picture).read_bytes())
    every = [cost for found in costs.values() for cost in found]
    return Sample(
        count=len(every),
        seconds=sum(every),
        proofs={"what a referee is answered": checksum(told)},
        notes={f"{what} slowest ms": 1000 * max(found) for what, found in costs.items()},
    )
