"""Two games that differ only in what a role may not know give that role the same bytes, from every endpoint."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from tests.support.courses import END, Course, act, explore, move
from tests.support.packs import pack
from tests.support.running import service_on
from tests.support.worlds import PUBLIC, World, world

EVERYBODY = ("seat:0", "seat:1", "seat:2", "spectator", "host", PUBLIC)
"""All roles but the referee, who may know everything."""


@pytest.fixture
async def twins() -> AsyncIterator[tuple[World, World]]:
    """Two worlds with different seeds."""
    async with AsyncExitStack() as stack:
        services = [await service_on(seed=seed, anonymous_rate=0) for seed in ("one", "two")]
        first, second = [await stack.enter_async_context(world(service)) for service in services]
        yield first, second


def upstairs() -> list[str]:
    """Tiles with one and the same back."""
    return [
        tile.id for tile in pack("second-edition").tiles if tile.floors == ["upper"] and not tile.id.startswith("upper")
    ]


async def walk(course: Course, seats: tuple[int, ...]) -> None:
    """Turns without chance; everybody follows."""
    for one in course.worlds:
        one.follow()
    for seat in seats:
        await course.turn(seat, move("foyer"), move("grand-staircase"), END)


async def test_nobody_can_tell_two_seeds_apart_before_chance_has_spoken(twins: tuple[World, World]) -> None:
    """The back of the top tile is public, so it is prepared alike."""
    course = Course(twins)
    for one in twins:
        await one.open(setup={"tiles": upstairs()[:1], "first_seat": 1})
    await course.look("seat:1", "spectator")
    await walk(course, (1, 2, 0))
    await course.look()
    await course.hang_up()
    assert course.apart(0, 1, *EVERYBODY) == {}
    assert all(len(twins[0].answers[role]) > 30 for role in EVERYBODY)


async def test_nobody_but_the_referee_can_tell_two_prepared_stacks_apart(twins: tuple[World, World]) -> None:
    course = Course(twins)
    for one, first_tile in zip(twins, (0, 2), strict=True):
        await one.open(setup={"tiles": upstairs()[first_tile : first_tile + 2], "first_seat": 1})
    await walk(course, (1, 2))
    await course.look()
    await course.hang_up()
    assert course.apart(0, 1, *EVERYBODY) == {}
    referees = [await one.arbiter("events") for one in twins]
    assert json.dumps(referees[0]) != json.dumps(referees[1])


async def test_what_one_was_shown_in_secret_tells_the_others_nothing_until_it_comes(twins: tuple[World, World]) -> None:
    """The spirit board shows its holder the next tile, which is another one in each game."""
    course = Course(twins)
    for one, hidden in zip(twins, ("gardens", "ballroom"), strict=True):
        setup = {"tiles": ["charred-room", hidden], "omen": ["spirit-board"], "first_seat": 2}
        await one.open(randomness={"source": "moderator"}, setup=setup)
        one.follow()
    await course.turn(2, explore("east"), END)
    await course.turn(0, END)
    await course.turn(1, END)
    await course.turn(2, act("card:spirit-board", "ASK"))
    await course.look()
    await course.hang_up()
    assert course.apart(0, 1, "seat:0", "seat:1", "spectator", "host", PUBLIC) == {}
    (labels,) = course.apart(0, 1, "seat:2").values()
    assert any(label.startswith("GET view ") for label in labels)
    assert any(label.startswith("stream held") for label in labels)

    await course.turn(2, explore("east"))
    await course.look("seat:0")
    assert course.apart(0, 1, "seat:0").keys() == {"seat:0"}, "the tile lies in the house"
