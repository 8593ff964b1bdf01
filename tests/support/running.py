"""A service without HTTP, and games in it."""

from __future__ import annotations

import msgspec

from domain.facts.commands import AnyCommand
from domain.rulebook.turn.options import legal
from openapi.writer.outside import Fixed
from service.bootstrap import Service, open_service
from service.games.play.submit import Done
from service.identity import Caller
from service.log.requests import OpenGame, SeatWish
from service.settings import Settings

HOST, REFEREE, SPECTATOR = "host", "referee", "spectator-1"


async def service_on(
    store: str = "memory:", *, salt: str = "", seed: str = "", outside: Fixed | None = None, **changes: object
) -> Service:
    """A service whose clock and secrets are the same each time."""
    settings = msgspec.structs.replace(Settings(store=store, packs="second-edition"), **changes)
    return await open_service(settings, outside or Fixed(salt, seed))


async def open_game(service: Service, **asked: object) -> str:
    """Open and start a hotseat game."""
    given = {"edition": "second", "seats": [SeatWish(), SeatWish(), SeatWish()], "hotseat": True}
    made = await service.opening.open(OpenGame(**{**given, **asked}), "", b"")  # type: ignore[arg-type]  # as given
    game = made.answer.game.id
    await service.life.start(Caller(game, HOST, "host"), "", b"")
    return game


def seat(game: str, number: int) -> Caller:
    return Caller(game, f"seat-{number}", "seat", number)


def referee(game: str) -> Caller:
    return Caller(game, REFEREE, "referee")


def spectator(game: str) -> Caller:
    return Caller(game, SPECTATOR, "spectator")


async def awaited(service: Service, game: str) -> Caller:
    """The seat that is awaited first."""
    state = (await service.tables.live(game)).state
    number = next((one.seat for one in state.open.values()), state.turn.seat)
    return seat(game, number)


async def listed(service: Service, game: str) -> tuple[Caller, list[AnyCommand]]:
    """Who is awaited, and the legal commands."""
    caller = await awaited(service, game)
    live = await service.tables.live(game)
    return caller, legal(live.rules, live.state, caller.seat)


async def step(service: Service, game: str, *, pick: int = 0, key: str = "") -> Done:
    """Do one of the legal commands."""
    caller, commands = await listed(service, game)
    return await service.play.submit_command(caller, commands[pick % len(commands)], key=key)


async def play(service: Service, game: str, steps: int) -> None:
    """Do legal commands, not always the first."""
    for number in range(steps):
        if (await service.tables.live(game)).facts.over():
            return
        await step(service, game, pick=number * 7)
