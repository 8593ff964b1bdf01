"""Courses: the same things done in several worlds, so that these differ in nothing but what a test makes different.

Whatever is asked by the way is answered alike everywhere: dice show 1, a choice is its first option, which is `pass` where
somebody may reveal. Who holds the traitor's token is the one answer that is a world's own; only where there will be one do
the dice of the haunt roll show nothing, so that the haunt begins.
"""

import random
from collections.abc import Collection, Sequence
from typing import Any

from tests.support.worlds import World, tell_apart

REVEALER = 2
"""The seat that begins, and in whose first turn the haunt does."""

SETUP: dict[str, Any] = {
    "first_seat": REVEALER,
    "tiles": ["charred-room", "gardens", "collapsed-room", "dusty-hallway", "ballroom", "patio", "creaky-hallway"],
    "omen": ["skull"],
    "event": ["debris", "hideous-shriek", "angry-being", "creepy-crawlies"],
}
"""An omen first, then events, and a room that lets its discoverer fall."""

NOBODY = -1
"""In the place of a traitor: no haunt begins."""

STEPS = 60
"""Questions that are answered in a row at the most."""


def move(room: str) -> dict[str, Any]:
    """Walk to the next room."""
    return {"type": "move", "to": room}


def explore(door: str) -> dict[str, Any]:
    """Go into the unknown."""
    return {"type": "explore", "door": door}


def act(source: str, word: str) -> dict[str, Any]:
    """Do what a card, a room or the haunt offers."""
    return {"type": "act", "source": source, "word": word}


END: dict[str, Any] = {"type": "end-turn"}


async def waiting(world: World) -> list[dict[str, Any]]:
    """What a world waits for."""
    found: list[dict[str, Any]] = (await world.arbiter("decisions"))["waiting"]
    return found


async def settle(world: World, traitor: int = NOBODY, until: str = "", *, suspects: Collection[int] = ()) -> None:
    """Answer what is asked until somebody may act, or until something is asked.

    Args:
        world: where.
        traitor: the seat that is, or will be, the traitor.
        suspects: seats that are the traitor in some world; they hold the lowest tokens in all of them.
        until: the beginning of what is asked, after the seat: `0 before-harm`.
    """
    asked = ""
    for _ in range(STEPS):
        first = (await waiting(world))[0]
        asked = f"{first['seat']} {first['about']}"
        if until and asked.startswith(until):
            return
        if first["kind"] == "turn":
            assert not until, f"{until} was never asked"
            return
        if first["seat"] is None:
            await world.answer_chance(await _chance(world, first["about"], traitor, suspects))
        else:
            await _first_answer(world, first["seat"])
    raise AssertionError(f"the questions don't end: {asked}")


async def _chance(world: World, about: str, traitor: int, suspects: Collection[int]) -> dict[str, Any]:
    listed = (await world.arbiter("decisions"))["yours"][0]["commands"]
    command: dict[str, Any] = listed[0]["command"]
    if about == "roles":
        command["pick"] = f"seat:{traitor}"
    elif about.startswith("tokens:"):
        picks = [one["command"]["pick"] for one in listed]
        command["pick"] = min(picks, key=lambda pick: (int(pick.partition(":")[2]) not in suspects, pick))
    elif "faces" in command:
        begins = about == "dice:haunt" and traitor != NOBODY
        command["faces"] = [0 if begins else 1] * len(command["faces"])
    return command


async def _first_answer(world: World, seat: int) -> None:
    answer = await world.ask(f"seat:{seat}", "GET", "decisions", status=200)
    await world.command(seat, answer.json()["yours"][0]["commands"][0]["command"])


class Course:
    """Worlds in which the same is done."""

    def __init__(self, worlds: Sequence[World], traitors: Sequence[int] = ()) -> None:
        """Bind.

        Args:
            worlds: before their games are opened.
            traitors: by world, the seat that is the traitor, once there is one.
        """
        self.worlds = worlds
        self.traitors = traitors or [NOBODY] * len(worlds)

    async def begin(self, haunt: str, *, tape: bool = False, edition: str = "second", **options: object) -> None:
        """Open the games and play to the haunt's first turn; from the start every role follows.

        Args:
            haunt: the haunt's id.
            tape: the haunt roll and the deal lie on a tape, and only what comes later is answered by the referee.
            edition: the second, or one with its cards.
            options: of the game.
        """
        for world, traitor in zip(self.worlds, self.traitors, strict=True):
            randomness: dict[str, Any] = {"source": "moderator"}
            if tape:
                answers = [{"faces": [0] * 6}, {"pick": f"seat:{traitor}"}]
                randomness = {"source": "tape", "answers": answers}
            chosen = {"haunt": haunt, **options}
            await world.open(edition=edition, randomness=randomness, options=chosen, setup=SETUP)
            world.follow()
        await self.settle()
        await self.turn(REVEALER, explore("east"), END)

    async def turn(self, seat: int, *commands: dict[str, Any], until: str = "") -> None:
        """Do commands, and answer what they ask; after the last one, until something is asked."""
        for number, command in enumerate(commands, 1):
            for world in self.worlds:
                turn = (await world.arbiter("view"))["turn"]
                await world.command(seat, {**command, "decision": turn["decision"]})
            await self.settle(until if number == len(commands) else "")

    async def wander(self, lot: random.Random, most: int = 400) -> None:
        """Do what is listed in the first world, whatever it is, until the first turn of the haunt."""
        first = self.worlds[0]
        for _ in range(most):
            haunt = (await first.arbiter("view"))["haunt"]
            if haunt is not None and haunt["started"]:
                return
            seat = (await waiting(first))[0]["seat"]
            lists = [await world.ask(f"seat:{seat}", "GET", "decisions", status=200) for world in self.worlds]
            commands = [one["command"] for one in lists[0].json()["yours"][0]["commands"]]
            eager = [one for one in commands if one["type"] == "explore"] or commands
            command = lot.choice(eager)
            for world in self.worlds:
                await world.command(seat, command)
        raise AssertionError("no haunt has begun")

    async def settle(self, until: str = "") -> None:
        """Answer what is asked."""
        for world, traitor in zip(self.worlds, self.traitors, strict=True):
            await settle(world, traitor, until, suspects=self.traitors)

    async def look(self, *roles: str) -> None:
        """Every role (or those named) reads all it can, and is refused what it can't."""
        for world, traitor in zip(self.worlds, self.traitors, strict=True):
            await world.look(traitor=traitor, roles=roles)

    async def close(self) -> None:
        """The hosts close their games."""
        for world in self.worlds:
            await world.ask("host", "POST", "close", status=201)

    async def hang_up(self) -> None:
        """The streams have brought all, and are closed."""
        for world in self.worlds:
            await world.hang_up()

    def apart(self, one: int, other: int, *roles: str) -> dict[str, list[str]]:
        """By role, if there is something: what was answered differently in two of the worlds."""
        found = {role: tell_apart(self.worlds[one], self.worlds[other], role) for role in roles}
        return {role: labels for role, labels in found.items() if labels}
