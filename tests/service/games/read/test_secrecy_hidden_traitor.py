"""Games that are equal but for who is the hidden traitor give everybody else the same bytes, from every endpoint and stream."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from content.load.packs import builtin_packs
from domain.engine.block import Frame
from domain.engine.machine import Machine
from domain.facts.audience import EVERYBODY, REFEREE, Mask, seat_bit
from domain.facts.state import Decision
from domain.rulebook.table.sparing import reveal_window
from openapi.writer.outside import Fixed
from service.audit.verdict import Outcome
from service.identity import Caller
from tests.support.courses import END, Course, act, explore, move, settle, waiting
from tests.support.forging import audited, forged
from tests.support.running import service_on
from tests.support.sampling import sampled
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

        async def begin(*traitors: int, haunt: str = GUEST, **how: object) -> Course:
            worlds = []
            for number in range(len(traitors)):
                where = f"sqlite:///{tmp_path / str(number)}.db"
                clock = Fixed()
                service = await service_on(where, outside=clock, anonymous_rate=0, token_rate=0, games_in_memory=1)
                worlds.append(await stack.enter_async_context(world(service)))
                worlds[-1].clock = clock
            course = Course(worlds, traitors)
            await course.begin(haunt, **how)  # type: ignore[arg-type]  # as given
            return course

        yield begin


# -- who it is ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("one, other", sampled(list(combinations(range(3), 2)), every=2))
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


async def test_nor_in_a_game_by_post(begin: Begin) -> None:
    """Whoever is asked may not know whether that is for the traitor's sake; posts of all say the same."""
    course = await begin(1, 2, edition="play-by-post", deadline={"seconds": 3600})
    for seat in (0, 1):
        await course.turn(seat, END)
    await course.look("seat:0", "spectator", PUBLIC)
    for one in course.worlds:
        await one.ask("seat:0", "PUT", "seats/0/orders", {"orders": []})
        one.clock.leap(4000)
        await one.service.attendant.look(one.path.rpartition("/")[2])
        await one.ask("seat:0", "GET", "post", status=200)
    await course.look("seat:0", "host")
    await course.look("seat:0", "spectator", PUBLIC)
    await course.hang_up()
    assert course.apart(0, 1, "seat:0", *OPEN) == {}


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


# -- the monsters that it runs --------------------------------------------------------------------------------------------

PROWL = """
id: prowling
title: Prowling
stage: draft
kind: hidden-traitor
story: Something prowls here, and one of you has called it.
counters:
  howls: {title: Howls, start: 0, max: 9}
monsters:
  wolf: {title: Wolf, speed: 4, might: 1, sanity: 2, dies: true}
heroes:
  story: One of you runs the wolf, and nobody sees who does.
  goal: As you like.
  right-now:
    - place-monster: {kind: wolf, at: upper-landing}
  actions:
    - word: HOWL
      title: Howl
      for: monsters
      do:
        - roll: {one-of: [might, sanity]}
          outcomes:
            0+: [{count: {counter: howls, by: 1}}]
  on:
    - when: round-started
      if: {counter: howls, at-least: 9}
      do: [{win: {side: traitor, because: The wolf has howled too often.}}]
  wins-when: {dead: traitor}
  because: The wolf has nobody left to run for.
"""
"""No haunt of the pack has monsters before its traitor is revealed."""


@pytest.fixture
async def prowl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Begin) -> Begin:
    """Begins a haunt whose monsters a hidden traitor runs."""
    folder = tmp_path / "pack"
    shutil.copytree(builtin_packs()["second-edition"], folder)
    (folder / "haunts" / "prowling.yaml").write_text(PROWL)
    monkeypatch.setattr("content.load.offers.builtin_packs", lambda: {"second-edition": folder})

    async def prowl(*traitors: int, **how: object) -> Course:
        return await begin(*traitors, haunt="prowling", **how)

    return prowl


async def wolf(course: Course, command: dict[str, Any], *, status: int = 201) -> None:
    """The traitor has the wolf do something; what comes of it is not answered yet."""
    for one, traitor in zip(course.worlds, course.traitors, strict=True):
        turn = (await one.arbiter("view"))["turn"]
        body = {**command, "decision": turn["decision"]}
        await one.ask(f"seat:{traitor}", "POST", "commands", body, status=status)


async def what_if(course: Course, role: str) -> None:
    """A role tries to move the wolf, posts the state of the game, and makes a fork in which every seat looks around."""
    for one in course.worlds:
        turn = (await one.arbiter("view"))["turn"]["decision"]
        for body in (END, {**move("grand-staircase"), "monster": "wolf-1"}):
            await one.ask(role, "POST", "dry-runs", {**body, "decision": turn})
            await one.ask(role, "POST", "commands", {**body, "decision": turn}, status=400)
        await one.ask(role, "GET", "post", status=200)
        await one.ask(role, "GET", "heads")
        await one.ask(role, "POST", "disputes", {"claim": "Who was that?", "from": 1, "to": 2})
        made = (await one.ask(role, "POST", "forks", {})).json()
        path = f"/v1/games/{made['game']['id']}"
        for token in made["tokens"]["seats"]:
            own = f"by {role}: {token['id']}"
            one.tokens[own] = token["secret"]
            for what in ("view", "decisions", "events?limit=1000", "export", "trace"):
                await one.ask(own, "GET", f"{path}/{what}", status=200)
            del one.tokens[own]


async def test_nobody_can_tell_who_runs_the_monsters(prowl: Begin) -> None:
    """Two games: the wolf walks, is asked what it rolls with, attacks, and at last is passed over as its player is absent."""
    course = await prowl(0, 1, deadline={"seconds": 3600})
    for seat in range(3):
        await course.turn(seat, END)
    watchers = ("seat:2", "spectator", PUBLIC)
    for one in course.worlds:
        view = (await one.ask("seat:2", "GET", "view", status=200)).json()
        assert (view["turn"]["monsters"], view["turn"]["seat"], view["waiting"][0]["unnamed"]) == (True, None, True)
    await course.look()
    await wolf(course, {**move("grand-staircase"), "monster": "wolf-1"})
    await wolf(course, {**act("haunt:heroes", "HOWL"), "monster": "wolf-1"})
    for one in course.worlds:
        (asked,) = (await one.ask("seat:2", "GET", "decisions", status=200)).json()["waiting"]
        assert (asked["seat"], asked["unnamed"], asked["about"]) == (None, True, "roll-trait")
    await course.look()
    await course.settle()
    await wolf(course, {**move("foyer"), "monster": "wolf-1"})
    await what_if(course, "seat:2")
    for one in course.worlds:
        one.clock.leap(4000)
        await one.service.attendant.look(one.path.rpartition("/")[2])
        assert not (await one.arbiter("view"))["turn"]["monsters"]
        post = (await one.ask("seat:2", "GET", "post", status=200)).text
        assert "- the hidden traitor: turn" in post
    await course.look()
    for one in course.worlds:
        await one.crowd_out()
    await course.look(*watchers)
    await course.hang_up()

    forks = [role for role in course.worlds[0].answers if role.startswith("by seat:2")]
    assert len(forks) == 3
    assert course.apart(0, 1, "seat:2", *OPEN, *forks) == {}
    for one, traitor in zip(course.worlds, course.traitors, strict=True):
        for role in watchers:
            assert b'"actor":"traitor"' in one.told(role) or role == PUBLIC
        (mine,) = [
            step for step in await steps_of(one, f"seat:{traitor}") if "Wolf 1: Move to the Foyer" in step["did"]
        ]
        assert mine["who"].endswith(f"(seat {traitor})")
        assert {step["who"] for step in await steps_of(one, "seat:2") if step["by"] == "traitor"} == {
            "the hidden traitor"
        }


async def steps_of(one: World, role: str) -> list[dict[str, Any]]:
    """A trace as a role is told it."""
    steps: list[dict[str, Any]] = (await one.ask(role, "GET", "trace", status=200)).json()["steps"]
    return steps


async def test_the_log_of_monsters_run_unseen_is_verified(prowl: Begin) -> None:
    """Decided again it is the same; a log that names the seat is found, and so is one that hides another's."""
    course = await prowl(0)
    (one,) = course.worlds
    for seat in range(3):
        await course.turn(seat, END)
    await wolf(course, {**move("grand-staircase"), "monster": "wolf-1"})
    unseen = await one.version()
    await wolf(course, END)
    await course.turn(0, END)
    await course.hang_up()
    show = {"Authorization": f"Bearer {one.referee}"}
    whole = (await one.client.get(f"{one.path}/export", headers=show)).content.splitlines()
    mine = (await one.ask("seat:2", "GET", "export", status=200)).content.splitlines()
    assert (audited(whole).outcome, audited(mine).commit) == (Outcome.EXACT, None)
    hidden, named = b'"actor":"traitor","actor_to":255', b'"actor":"seat:0","actor_to":255'
    assert hidden in whole[unseen]
    assert named in whole[unseen + 2]
    for number, old, new in ((unseen, hidden, named), (unseen + 2, named, hidden)):
        verdict = audited(forged(whole, number, lambda line, old=old, new=new: line.replace(old, new)))  # type: ignore[misc]  # bound now
        assert (verdict.commit, verdict.outcome) == (number, Outcome.DIVERGED), verdict
        assert "its actor is named where" in verdict.because


# -- planted leaks ------------------------------------------------------------------------------------------------------------


def dealt_openly(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("domain.rulebook.haunt.traitor.seat_bit", lambda _seat: EVERYBODY)


def options_shown(patch: pytest.MonkeyPatch) -> None:
    kept = Machine.open

    def to_all(m: Machine, decision: Decision, *, secret: bool = False, rule: str = "") -> str:
        return kept(m, decision, rule=rule)

    patch.setattr(Machine, "open", to_all)


def only_the_traitor_asked(patch: pytest.MonkeyPatch) -> None:
    def window(m: Machine, f: Frame, seat: int, source: str) -> bool | None:
        return reveal_window(m, f, seat, source) if m.state.explorers[seat].side == "traitor" else False

    patch.setattr("domain.rulebook.table.sparing.reveal_window", window)


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
