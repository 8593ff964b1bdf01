"""Games that are equal but for who is the hidden traitor give everybody else the same bytes, from every endpoint and stream."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import combinations
from pathlib import Path

import pytest

from domain.audience import EVERYBODY, REFEREE, Mask, seat_bit
from domain.effects.machine import Frame, Machine
from domain.state import Decision
from domain.turn.sparing import reveal_window
from service.identity import Caller
from tests.service.games import service_on
from tests.support.courses import END, Course, act, explore, move, settle, waiting
from tests.support.worlds import PUBLIC, REVEAL, World, world

GUEST = "the-hollow-guest"
OPEN = ("spectator", "host", PUBLIC)
"""Who has no seat, and learns nothing before all do."""

SECRET_TO_SOME = (
    "GET view ",
    "GET view?at=",
    "GET decisions ",
    "GET events ",
    "GET export ",
    "stream held",
)
"""Reads that tell the one who may know it who the traitor is."""

Begin = Callable[..., Awaitable[Course]]
Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncIterator[Begin]:
    """Begins the haunt in worlds on SQLite, each in a file of its own."""
    async with AsyncExitStack() as stack:

        async def begin(*traitors: int, **how: object) -> Course:
            worlds = []
            for number in range(len(traitors)):
                where = f"sqlite:///{tmp_path / str(number)}.db"
                service = await service_on(where, anonymous_rate=0, token_rate=0, games_in_memory=1)
                worlds.append(await stack.enter_async_context(world(service)))
            course = Course(worlds, traitors)
            await course.begin(GUEST, **how)  # type: ignore[arg-type]  # as given
            return course

        yield begin


# -- who it is ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("one, other", list(combinations(range(3), 2)))
async def test_no_innocent_can_tell_who_the_traitor_is(begin: Begin, one: int, other: int) -> None:
    """Two games, another traitor in each: through harms before which the traitor is asked, or an innocent, and through turns.

    The traitor itself tells them apart everywhere, so that the comparison isn't one of nothing.
    """
    course = await begin(one, other)
    await course.turn(0, explore("west"), until="0 before-harm:card:debris")
    await course.look()
    await course.settle()
    await course.turn(0, END)
    await course.turn(1, move("foyer"), explore("east"), until="1 before-harm:tile:collapsed-room")
    await course.settle()
    await course.turn(1, END)
    await course.turn(2, explore("east"), until="0 before-harm:card:hideous-shriek")
    await course.look("seat:0", "seat:1", "seat:2", "spectator")
    await course.settle()
    await course.turn(2, END)
    await course.turn(0, act("haunt:heroes", "LIGHT"))
    await course.look("seat:0", "seat:1", "seat:2", "spectator")
    await course.hang_up()

    innocent = 3 - one - other
    assert course.apart(0, 1, f"seat:{innocent}", *OPEN) == {}
    (labels,) = course.apart(0, 1, f"seat:{one}").values()
    assert {read for read in SECRET_TO_SOME if not any(label.startswith(read) for label in labels)} == set()
    assert not any(label.startswith(("GET  ", "POST start")) for label in labels), "what is public is the same to all"


async def test_a_tape_that_deals_another_traitor_tells_nothing_even_after_the_end(begin: Begin) -> None:
    """All that differs is one answer on the tape; spectators lag behind, and nothing is ever disclosed."""
    course = await begin(1, 2, tape=True, disclosure="never", spectator_delay=2)
    await course.turn(0, explore("west"), until="0 before-harm")
    await course.look("seat:0", "spectator", PUBLIC)
    await course.close()
    await course.hang_up()
    for one in course.worlds:
        await one.crowd_out()
    await course.look("seat:0", "spectator", PUBLIC)
    for one in course.worlds:
        assert (await one.arbiter("view"))["status"] == "abandoned"
        follow = {"Accept": "text/event-stream", "Last-Event-ID": str(await one.version())}
        await one.ask("spectator", "GET", "events", status=204, headers=follow)
    assert course.apart(0, 1, "seat:0", *OPEN) == {}


async def test_after_a_disclosure_everybody_may_know(begin: Begin) -> None:
    course = await begin(1, 2)
    await course.close()
    await course.hang_up()
    for one in course.worlds:
        await one.ask("spectator", "GET", "export", status=200)
        await one.ask("spectator", "GET", "events", status=200)
    (labels,) = course.apart(0, 1, "spectator").values()
    assert [label for label in labels if label.startswith("GET")] == ["GET export null {} #1"]


# -- reveal inside a harm, or pass --------------------------------------------------------------------------------------------


async def past(one: World, role: str, at: int) -> list[bytes]:
    """What a role is told later of how things stood at a commit."""
    reads = (f"view?at={at}", f"decisions?at={at}", f"events?after=0&limit={at}")
    return [(await one.ask(role, "GET", read, status=200)).content for read in reads]


async def test_before_harm_nobody_can_tell_whether_the_one_asked_could_reveal(begin: Begin) -> None:
    """Three games: the traitor, asked before harm, reveals; the traitor passes; an innocent is asked and passes."""
    course = await begin(0, 0, 1)
    reveals, passes, innocent = course.worlds
    await course.turn(0, explore("west"), until="0 before-harm")
    await course.look("seat:0", "seat:2", "spectator", PUBLIC)
    assert course.apart(0, 1, "seat:0", "seat:1", "seat:2", *OPEN) == {}
    assert course.apart(1, 2, "seat:2", *OPEN) == {}

    asked = (await waiting(passes))[0]
    now = await passes.version()
    for one, option in ((reveals, "reveal"), (passes, "pass"), (innocent, "pass")):
        await one.command(0, {"type": "choose", "decision": asked["decision"], "option": option})

    for role in ("seat:2", "spectator"):
        then = [await past(one, role, now) for one in course.worlds]
        assert then[0] == then[1] == then[2], "a reveal doesn't change what was told before it"
    for one in (passes, innocent):
        await settle(one, 0)
    passing = Course((passes, innocent), (0, 1))
    await passing.turn(0, END)
    await passing.look("seat:2", "spectator", PUBLIC)
    await course.hang_up()
    assert passing.apart(0, 1, "seat:2", *OPEN) == {}
    assert course.apart(0, 1, "seat:2", "spectator").keys() == {"seat:2", "spectator"}, "the reveal is public"


async def test_a_traitor_may_reveal_inside_anothers_harm_and_until_then_nobody_knows(begin: Begin) -> None:
    """The window waits for its own answer, whoever holds the token and whoever shows it meanwhile."""
    course = await begin(1, 2)
    shows, stays = course.worlds
    await course.turn(0, explore("west"), until="0 before-harm")
    await course.look("seat:0", "spectator", PUBLIC)
    assert course.apart(0, 1, "seat:0", *OPEN) == {}

    now = await shows.version()
    await shows.command(1, REVEAL)

    assert await waiting(shows) == await waiting(stays)
    for role in ("seat:0", "spectator"):
        seen = [(await one.ask(role, "GET", f"view?at={now}", status=200)).content for one in course.worlds]
        assert seen[0] == seen[1]
        views = [(await one.ask(role, "GET", "view", status=200)).json()["haunt"]["traitor"] for one in course.worlds]
        assert views == [1, None]
    await course.hang_up()


# -- planted leaks ------------------------------------------------------------------------------------------------------------


def dealt_openly(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("domain.turn.haunting.seat_bit", lambda _seat: EVERYBODY)


def options_shown(patch: pytest.MonkeyPatch) -> None:
    kept = Machine.open

    def to_all(m: Machine, decision: Decision, *, secret: bool = False, rule: str = "") -> str:
        return kept(m, decision, rule=rule)

    patch.setattr(Machine, "open", to_all)


def only_the_traitor_asked(patch: pytest.MonkeyPatch) -> None:
    def window(m: Machine, f: Frame, seat: int, source: str) -> bool | None:
        return reveal_window(m, f, seat, source) if m.state.explorers[seat].side == "traitor" else False

    patch.setattr("domain.turn.sparing.reveal_window", window)


def a_public_that_sees_all(patch: pytest.MonkeyPatch) -> None:
    def sees(one: Caller) -> Mask:
        return seat_bit(one.seat) if one.role == "seat" else REFEREE

    patch.setattr(Caller, "principal", property(sees))


@pytest.mark.parametrize(
    "leak, told_by",
    [
        (dealt_openly, ("GET view ", "GET view?at=", "GET events ", "GET export ", "stream held")),
        (options_shown, ("GET events ", "GET export ", "stream held", "stream behind")),
        (only_the_traitor_asked, ("GET view ", "GET decisions ", "stream held", "stream behind")),
        (a_public_that_sees_all, ("GET view ", "GET events ", "GET export ", "stream held")),
    ],
    ids=["dealt-openly", "options-shown", "only-the-traitor-asked", "public-sees-all"],
)
async def test_a_leak_would_be_found(
    leak: Plant, told_by: tuple[str, ...], begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mistakes planted into the engine and the service, each of which gives the secret away."""
    leak(monkeypatch)
    course = await begin(0, 1)
    for one in course.worlds:
        turn = (await one.arbiter("view"))["turn"]["decision"]
        await one.command(0, {**explore("west"), "decision": turn})
    await course.look("spectator")
    await course.hang_up()
    (labels,) = course.apart(0, 1, "spectator").values()
    for read in told_by:
        assert any(label.startswith(read) for label in labels), f"{read} keeps the secret: {labels}"
