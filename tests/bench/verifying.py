"""Contestant: a seeded game of 2,000 commands, exported by the service and verified offline, every die rolled again."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from domain.facts.commands import AnyCommand, Explore
from domain.rulebook.turn.options import legal
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service
from service.identity import Caller
from service.log.commits import read_folded
from service.log.exported import parse_export
from service.log.requests import OpenGame, Options, SeatWish, Setup
from tests.bench.games import SEATS
from tests.bench.plans import ENDLESS, FIRST, serve
from tests.bench.sample import Round, Sample, checksum, share

COMMANDS = 2000
"""Of the game in a full round."""
PROCESSES = 2
"""One decides again, one checks the chain."""
ATTEMPTS = 40
"""Games that are tried."""
ROOMS = 16
"""Rooms that are discovered: the haunt, which comes with omens, lets so long a game be then."""


@contextmanager
def export_and_verify(scale: int) -> Iterator[Round]:
    """Export from the store in memory; check the chain, decide every command again, compare every byte."""
    with asyncio.Runner() as runner:
        service, game = runner.run(_played(share(COMMANDS, scale)))
        referee = Caller(game, "referee", "referee")

        async def export() -> bytes:
            return b"".join([line async for line in service.exporting.lines(referee)])

        def play_round() -> Sample:
            begun = time.perf_counter()
            body = runner.run(export())
            exported = time.perf_counter()
            export_ = parse_export(body)
            verdict = audit(export_, processes=PROCESSES)
            ended = time.perf_counter()
            alone = audit(export_)
            ended_alone = time.perf_counter()
            if verdict.outcome is not Outcome.EXACT or alone != verdict:
                raise AssertionError(verdict)
            events = sum(len(read_folded(line).events) for line in export_.lines)
            return Sample(
                count=events,
                seconds=ended - begun,
                proofs={"the game that is exported and verified": checksum(export_.lines)},
                notes={
                    "commits": verdict.commits,
                    "export ms": 1000 * (exported - begun),
                    "verify ms": 1000 * (ended - exported),
                    "verify in one process ms": 1000 * (ended_alone - ended),
                    "in one process events/s": events / (exported - begun + ended_alone - ended),
                },
            )

        yield play_round
        runner.run(service.close())


async def _played(commands: int) -> tuple[Service, str]:
    """A game of so many commands whose dice come from a seed, closed and so disclosed: the first that lasts so long."""
    service = await serve("memory:")
    game = await long_game(service, commands)
    await service.life.close(Caller(game, "host", "host"), "", b"")
    return service, game


async def long_game(service: Service, commands: int) -> str:
    """A game of so many commands that goes on: the first that lasts so long."""
    for attempt in range(ATTEMPTS):
        game = await _play(service, commands, random.Random(attempt))
        if game:
            return game
    raise AssertionError(f"none of {ATTEMPTS} games lasted for {commands} commands")


async def _play(service: Service, commands: int, lot: random.Random) -> str:
    """Play so many commands of a new game; its id, or nothing if it ended before."""
    asked = OpenGame(
        edition="second",
        seats=[SeatWish()] * SEATS,
        options=Options(turn_limit=ENDLESS),
        setup=Setup(first_seat=FIRST),
        hotseat=True,
    )
    game = (await service.opening.open(asked, "", b"")).answer.game.id
    await service.life.start(Caller(game, "host", "host"), "", b"")
    live = await service.tables.live(game)
    for _ in range(commands):
        if live.state.status != "started":
            return ""
        seat = next(iter(live.state.open.values())).seat if live.state.open else live.state.turn.seat
        command = _chosen(legal(live.rules, live.state, seat), lot, explore=len(live.state.rooms) < ROOMS)
        await service.play.submit_command(Caller(game, f"seat-{seat}", "seat", seat), command)
    return game if live.state.status == "started" else ""


def _chosen(listed: Sequence[AnyCommand], lot: random.Random, *, explore: bool) -> AnyCommand:
    """Any of the legal commands, each as likely as any other."""
    allowed = [one for one in listed if explore or not isinstance(one, Explore)]
    return lot.choice(allowed or list(listed))
