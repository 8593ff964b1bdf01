"""Two games that differ only in what a role may not know give that role the same bytes, from every endpoint."""

import ast
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.courses import END, Course, act, explore, move
from tests.support.packs import pack
from tests.support.running import service_on
from tests.support.worlds import MORE_READS, PUBLIC, READS, UNREAD, World, world

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


async def test_the_end_of_a_game_that_is_never_disclosed_opens_no_eyes_but_ones_own(twins: tuple[World, World]) -> None:
    course = Course(twins)
    for one, first_tile in zip(twins, (0, 2), strict=True):
        await one.open(
            setup={"tiles": upstairs()[first_tile : first_tile + 2], "first_seat": 1}, options={"disclosure": "never"}
        )
    await course.turn(1, END)
    looking = [(what, headers) for what, headers in READS + MORE_READS if "as=" in what]
    roles = ("seat:0", "spectator", "host")
    for one in twins:
        await one.ask("host", "POST", "close", status=201)
        for number, (what, headers) in enumerate(looking):
            role = roles[number % 3]
            eyes = what.format(before=3).replace("as=spectator", "as=seat:2")
            told = {name: value.format(before=3) for name, value in headers}
            await one.ask(role, "GET", eyes, headers=told, status=403)
    assert course.apart(0, 1, *roles) == {}


async def test_who_was_replaced_reads_nothing_more_by_no_token_and_no_account(twins: tuple[World, World]) -> None:
    """What was told is told; whatever comes later is other in each game, and the one who left gets the same of both."""
    course = Course(twins)
    keys = []
    for one in twins:
        await one.open(setup={"tiles": upstairs()[:1], "first_seat": 1})
        keys.append((await one.client.post("/v1/accounts")).json()["key"])
        await one.ask("seat:1", "PUT", "tokens/seat-1/account", {"key": keys[-1]}, status=200)
    await walk(course, (1,))
    for one, command, key in zip(twins, (move("foyer"), END), keys, strict=True):
        await one.ask("host", "POST", "seats/1/replace", status=201)
        turn = (await one.arbiter("view"))["turn"]["decision"]
        await one.command(2, {**command, "decision": turn})
        one.tokens["account"] = key
        for role in ("seat:1", "account"):
            answered = len(one.answers.get(role, {}))
            await one.read(role, 3, 40)
            await one.ask(role, "POST", "commands", {**END, "decision": turn}, status=401 if role == "seat:1" else 400)
            later = list(one.answers[role].values())[answered:]
            assert not any(what in answer for answer in later for what in (b'"events":[{', b'"steps":[{')), role
        for what in ("/v1/account", "/v1/account/events"):
            told = (await one.ask("account", "GET", what, status=200)).json()
            assert not [*told.get("tokens", ()), *told.get("events", ())]
    await course.hang_up()
    apart = course.apart(0, 1, "seat:1", "account")
    assert {label for labels in apart.values() for label in labels} <= {"GET /v1/account/events null {} #1"}, apart


# -- whatever there will be to read -----------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[4]
ANYWHERE = ("/v1/games", "/v1/precedents")
"""Where else than below a game something of it is read."""
NUMBERED = {"disputes": "number", "seats": "seat"}
FORMATS = {"markdown": "text/markdown", "svg": "image/svg+xml"}
"""Forms that are not chosen by `Accept`."""
MADE_BESIDE = {
    "command_of": "the command of an option by its number: the brief has them all",
    "options_of": "the same",
    "pack_details": "public, and of no game",
    "pack_shown": "public, and of no game",
    "shown_of": "public, and of no game",
    "reminders_of": "of the edition alone",
    "commits_told": "the numbers in a dispute that is compared",
    "ruling_as_markdown": "a dispute with steps of the trace, both of which are compared",
    "board_of": "drawn from the view alone, and one half of what `boards_of` draws",
    "phone_board_of": "drawn from the view alone",
    "view_after": "what `view_of` makes, which a law of tests/projections/view holds it against",
    "ending_of": "a part of the view",
    "foreseen": "words for what a tried ruling would ask: twin games try rulings in tests/domain/rulebook/desk",
    "in_names": "names in a refusal, by the role's own state: twin worlds compare what refuses each role's commands",
    "counted": "words",
    "enumerated": "words",
}
"""What the service makes by functions of `projections` and the laws don't compare, and why."""


def read_by_contract() -> Iterator[str]:
    """Every read of a game, every query parameter and every form of it."""
    contract = json.loads((ROOT / "openapi" / "openapi.json").read_text())
    for path, item in contract["paths"].items():
        operation = item.get("get")
        if operation is None or not (path.startswith("/v1/games/{game}") or path in ANYWHERE):
            continue
        yield f"GET {path}"
        for one in [*item.get("parameters", ()), *operation.get("parameters", ())]:
            found = contract["components"]["parameters"][one["$ref"].rpartition("/")[2]] if "$ref" in one else one
            if found["in"] == "query":
                yield f"GET {path} {found['name']}"
        yield from (f"GET {path} as {kind}" for kind in list(operation["responses"]["200"].get("content", ()))[1:])


def read_here() -> Iterator[str]:
    """The same of what roles read in these tests."""
    for what, headers in READS + MORE_READS:
        where, _, query = what.partition("?")
        path = where if where.startswith("/") else f"/v1/games/{{game}}/{where}".rstrip("/")
        path = re.sub(r"(disputes|seats)/1", lambda found: f"{found[1]}/{{{NUMBERED[found[1]]}}}", path)
        yield f"GET {path}"
        for name, _, value in (one.partition("=") for one in query.split("&") if one):
            yield f"GET {path} {name}"
            yield f"GET {path} as {FORMATS.get(value)}"
        yield from (f"GET {path} as {value}" for name, value in headers if name == "Accept")


def test_every_read_that_the_contract_has_is_compared() -> None:
    assert set(read_by_contract()) - set(read_here()) - UNREAD.keys() == set(), (
        "add it to MORE_READS in tests/support/worlds.py, or to UNREAD with a reason"
    )


def made(*folders: str) -> set[str]:
    """The functions of `projections` that modules use."""
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))] or [ROOT / folders[0]]
    found = set[str]()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("projections"):
                found |= {one.name for one in node.names if one.name[0].islower()}
    return found


def test_the_laws_compare_whatever_is_made_of_what_a_role_knows() -> None:
    told = made("service/games", "service/http", "omenlog")
    compared = made("tests/laws") | {"made_of", "worded"}  # by a narrator
    assert told - compared - MADE_BESIDE.keys() == set(), (
        "add it to tests/laws/secrecy.py, or to MADE_BESIDE with a reason"
    )
    assert MADE_BESIDE.keys() - told == set(), "nothing makes it any more: take it out"
