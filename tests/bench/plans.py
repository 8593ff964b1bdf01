"""Games decided beforehand: the commands and the tape of chance with which a service plays them again.

A plan holds nothing that is known only inside the service: it opens a game by the public API, with a tape as its chance.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import msgspec

from domain.facts.audience import seat_bit
from domain.facts.chance import Chance, Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import Told
from service.bootstrap import Service, open_service
from service.identity import Caller
from service.log.requests import Dice, OpenGame, Options, SeatWish, Setup, TapeChance
from service.outside import SECRET_BYTES, Purpose
from service.server import settle_garbage
from service.settings import Settings
from tests.bench.games import SEATS, NoHaunt, Recorded, play_out, table
from tests.support.packs import rules

ENDLESS = 10_000
"""A turn limit that no planned game reaches."""
FIRST = 0
"""The seat that begins: else it would depend on the day."""

encode = msgspec.json.Encoder().encode


class Step(msgspec.Struct, frozen=True):
    """A command that will be accepted, and what its seat is told of the commit."""

    seat: int
    command: AnyCommand
    told: bytes
    """Events, encoded, with commas between."""


class Plan(msgspec.Struct, frozen=True):
    """A game from its opening to some command."""

    asked: OpenGame
    steps: Sequence[Step]


def plan(seed: int, *, most: int = 1_000_000, haunted: bool = True) -> Plan:
    """Play a game at random and write down how.

    Args:
        seed: which game.
        most: commands at the most.
        haunted: False keeps the haunt from beginning, so that the game goes on and on.
    """
    pack = rules("second-edition")
    source: Chance = Seeded(b"plan %d" % seed, "plan")
    chance = Recorded(source if haunted else NoHaunt(source))
    state, _, _ = table(pack, seed, chance=chance, turn_limit=ENDLESS, first=FIRST)
    steps: list[Step] = []

    def note(actor: int, command: AnyCommand, told: list[Told]) -> None:
        seen = b",".join(encode(one.event) for one in told if one.to & seat_bit(actor))
        steps.append(Step(actor, command, seen))

    play_out(pack, state, chance, random.Random(seed), tell=note, most=most)
    asked = OpenGame(
        edition="second",
        seats=[SeatWish()] * SEATS,
        randomness=TapeChance(answers=[Dice(faces=list(one.faces), pick=one.pick) for one in chance.answers]),
        options=Options(turn_limit=ENDLESS),
        setup=Setup(first_seat=FIRST),
        hotseat=True,
    )
    return Plan(asked, steps)


def plans(number: int, *, least: int, haunted: bool = True) -> list[Plan]:
    """The first so many games, from seed 0, that have at least so many commands; cut there."""
    found = (plan(seed, most=least, haunted=haunted) for seed in itertools.count())
    return list(itertools.islice((one for one in found if len(one.steps) == least), number))


class Fixed:
    """An outside without surprises: the same bytes in every run."""

    def __init__(self) -> None:
        self._asked = 0

    def now(self) -> str:
        return "2026-01-01T00:00:00.000Z"

    def game_id(self) -> str:
        self._asked += 1
        return f"{self._asked:x}".rjust(20, "a").translate(str.maketrans("0123456789", "ghijklmnop"))

    def secret(self, purpose: Purpose) -> bytes:
        self._asked += 1
        return f"{purpose} {self._asked}".encode().ljust(SECRET_BYTES)


async def serve(store: str, *, snapshot_every: int = 1_000_000, **changes: int) -> Service:
    """The service in this process, which is a contestant's own, without HTTP; garbage is collected as where it is served."""
    settings = Settings(store=store, packs="second-edition", snapshot_every=snapshot_every)
    settings = msgspec.structs.replace(settings, **changes)
    service = await open_service(settings, Fixed())
    settle_garbage()
    return service


async def open_planned(service: Service, game: Plan) -> str:
    """Open a planned game and start it; returns its id."""
    made = await service.opening.open(game.asked, "", b"")
    name = made.answer.game.id
    await service.life.start(Caller(name, "host", "host"), "", b"")
    return name


async def enact(service: Service, game: Plan) -> str:
    """Play a planned game from its opening on; returns its id."""
    name = await open_planned(service, game)
    for caller, command in moves(name, game):
        await service.play.submit_command(caller, command)
    return name


def moves(name: str, game: Plan) -> Iterator[tuple[Caller, AnyCommand]]:
    """Who commands what."""
    callers = [Caller(name, f"seat-{seat}", "seat", seat) for seat in range(SEATS)]
    for step in game.steps:
        yield callers[step.seat], step.command
