"""With an open traitor each side reads its own book: neither it nor what it is told later is in any byte that the other gets."""

import json
import random
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from content.load.packs import builtin_packs
from content.vocabulary.base import Side
from content.vocabulary.pack import Book, Pack
from tests.laws.secrecy import rewritten
from tests.support.courses import END, REVEALER, Course, act, explore, move
from tests.support.packs import TWO_BOOKS, haunts, pack
from tests.support.running import service_on
from tests.support.sampling import sampled
from tests.support.worlds import PUBLIC, World, world

TIDE = "the-gnawing-tide"
HEROES = ("seat:0", "seat:1")
TRAITOR = f"seat:{REVEALER}"
SIDES: tuple[Side, Side] = ("heroes", "traitor")
NEITHER = ("spectator", "host", PUBLIC)

HEROES_OTHERWISE = {
    "A rhyme in the margin of an old ledger: a tide turns": "Nothing but a name in a bible, and a hymn: a tide turns",
    "Win when enough verses of the rite have been spoken at the nest (4,": "Win when the hymn was sung often enough (4,",
    "title: Speak a verse of the rite at the nest": "title: Sing",
    "    - place-token: {token: nest, at: room-of-haunt}\n": (
        "    - place-token: {token: nest, at: room-of-haunt}\n    - tell: {side: heroes, text: the-name}\n"
    ),
    "  actions:\n    - word: CHANT\n": (
        "  texts: {the-name: It is yours.}\n"
        "  actions:\n    - {word: HYMN, title: Hum it, do: [{tell: {side: heroes, text: the-name}}]}\n    - word: CHANT\n"
    ),
    "    - {token: nest}\n  ending: Silence, and": "    - {explore: true}\n  ending: Noise, and",
}
"""Another book for the heroes, with a deed and a text more. What it places in the house and when it wins is the same."""

TRAITOR_OTHERWISE = {
    "They were hungry, and you were kind. You left": "You keep them as others keep bees, and they keep you. You left",
    "  goal: Win when all heroes are dead, or when the tide has": "  goal: Win when nobody is left, or the tide has",
    "title: Call another rat to your feet": "title: Call",
    "    - heal: {traits: [might, speed, sanity, knowledge]}\n  actions:\n": (
        "    - heal: {traits: [might, speed, sanity, knowledge]}\n    - tell: {side: traitor, text: the-door}\n"
        "  texts: {the-door: It is open.}\n"
        "  actions:\n    - {word: HUSH, title: Hush them, do: [{tell: {side: traitor, text: the-door}}]}\n"
    ),
    "    - {foes: true}\n  ending: You open": "    - {explore: true}\n  ending: You close",
}
"""The same for the traitor's."""

FOREIGN = {
    TRAITOR: [act("haunt:heroes", word) for word in ("CHANT", "HYMN", "NONE")],
    HEROES[0]: [act("haunt:traitor", word) for word in ("WHISTLE", "HUSH", "NONE")],
}
"""Deeds of the other book, real, only in the changed one, and none at all: refused alike."""


def changed(folder: Path, changes: Mapping[str, str]) -> Path:
    """A copy of the pack whose haunt says something else."""
    shutil.copytree(builtin_packs()["second-edition"], folder)
    file = folder / "haunts" / f"{TIDE}.yaml"
    text = file.read_text()
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text)
    return folder


@pytest.fixture
async def worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[World, World, World]]:
    """As it is; with another heroes' book; with another traitor's book.

    The API arranges no such pair, for books are content: each world offers a pack of its own, told apart by its digest alone,
    which is public and masked.
    """
    packs = {
        "as-it-is": changed(tmp_path / "as-it-is", {}),
        "heroes": changed(tmp_path / "heroes", HEROES_OTHERWISE),
        "traitor": changed(tmp_path / "traitor", TRAITOR_OTHERWISE),
    }
    async with AsyncExitStack() as stack:
        made = []
        for name, folder in packs.items():
            monkeypatch.setattr("content.load.offers.builtin_packs", lambda folder=folder: {"second-edition": folder})
            service = await service_on(f"sqlite:///{tmp_path / name}.db", anonymous_rate=0)
            made.append(await stack.enter_async_context(world(service)))
            made[-1].own_pack = True
        yield made[0], made[1], made[2]


async def through_a_round(worlds: tuple[World, World, World]) -> Course:
    """The heroes chant, the traitor whistles, the monsters move; all look, and try what only the others can do."""
    course = Course(worlds, [REVEALER] * len(worlds))
    await course.begin(TIDE)
    for one in worlds:
        await one.ask(PUBLIC, "GET", "/v1/packs/second-edition", status=200)
        await one.ask(PUBLIC, "GET", "/v1/games", status=200)
    await course.turn(0, move("charred-room"), act("haunt:heroes", "CHANT"))
    await course.look(HEROES[0], TRAITOR)
    await overreach(course, HEROES[0])
    await try_out(course, 0)
    await course.turn(0, END)
    await course.turn(1, explore("west"), END)
    await course.turn(REVEALER, act("haunt:traitor", "WHISTLE"))
    await overreach(course, TRAITOR)
    await try_out(course, REVEALER)
    await course.turn(REVEALER, END)
    await course.look()
    await course.hang_up()
    return course


async def try_out(course: Course, seat: int) -> None:
    """A seat asks what if: it tries commands, and makes a fork in which it ends its turn and reads everything."""
    role = f"seat:{seat}"
    for one in course.worlds:
        turn = (await one.arbiter("view"))["turn"]["decision"]
        for deed in (END, *FOREIGN[role]):
            await one.ask(role, "POST", "dry-runs", {**deed, "decision": turn}, status=200)
        await one.ask(role, "POST", "odds", {"of": "attack", "attacker": seat, "target": (seat + 1) % 3})
        made = (await one.ask(role, "POST", "forks", {}, status=201)).json()
        path = f"/v1/games/{made['game']['id']}"
        for token in made["tokens"]["seats"]:
            own = f"by {role}: {token['id']}"
            one.tokens[own] = token["secret"]
            found = (await one.ask(own, "GET", f"{path}/decisions", status=200)).json()
            if found["yours"]:
                await one.ask(own, "POST", f"{path}/commands", {**END, "decision": turn})
            for what in ("view", "events?limit=1000", "export", "trace"):
                await one.ask(own, "GET", f"{path}/{what}", status=200)
            del one.tokens[own]


async def overreach(course: Course, role: str) -> None:
    for one in course.worlds:
        turn = (await one.arbiter("view"))["turn"]["decision"]
        for deed in FOREIGN[role]:
            await one.ask(role, "POST", "commands", {**deed, "decision": turn}, status=409)


def words(book: Book) -> list[str]:
    """All that a book says, as it stands in an answer."""
    said = [book.story, book.goal, book.because, book.ending, *(action.title for action in book.actions)]
    return [json.dumps(one, ensure_ascii=False)[1:-1] for one in said]


def found(one: World, role: str, texts: list[str]) -> list[str]:
    """Which of the texts a role was ever told, in whatever answer."""
    told = one.told(role)
    return [text for text in texts if text.encode() in told]


def in_forks(one: World, *roles: str) -> list[str]:
    """Roles, and all that they were in forks that they made."""
    return [name for name in one.answers if name in roles or name.startswith(tuple(f"by {role}:" for role in roles))]


async def test_no_side_ever_gets_a_byte_of_the_others_book(worlds: tuple[World, World, World]) -> None:
    course = await through_a_round(worlds)
    as_it_is, other_heroes, other_traitor = worlds

    (sheet,) = [haunt for haunt in pack("second-edition").haunts if haunt.id == TIDE]
    assert sheet.traitor_book is not None
    heroes, traitor = words(sheet.book("heroes")), words(sheet.traitor_book)
    for role in HEROES:
        assert found(as_it_is, role, traitor) == []
        assert set(heroes) - set(found(as_it_is, role, heroes)) == set(heroes[2:4]), "the end hasn't come"
    assert found(as_it_is, TRAITOR, heroes) == []
    assert set(traitor) - set(found(as_it_is, TRAITOR, traitor)) == set(traitor[2:4])
    for role in NEITHER:
        assert found(as_it_is, role, [*heroes, *traitor, "heroes.book", "traitor.book"]) == []
    assert found(other_heroes, TRAITOR, ["heroes.book", "the-name"]) == []
    assert found(other_heroes, HEROES[0], ["heroes.book", "the-name"]) == ["heroes.book", "the-name"]
    assert found(other_traitor, HEROES[0], ["traitor.book", "the-door"]) == []
    assert found(other_traitor, TRAITOR, ["traitor.book", "the-door"]) == ["traitor.book", "the-door"]

    assert course.apart(0, 1, *in_forks(as_it_is, TRAITOR), *NEITHER) == {}, "another heroes' book"
    assert course.apart(0, 2, *in_forks(as_it_is, *HEROES), *NEITHER) == {}, "another traitor's book"
    assert len(in_forks(as_it_is, TRAITOR, HEROES[0])) > 3, "forks were made"
    assert course.apart(0, 1, *HEROES).keys() == set(HEROES)
    assert course.apart(0, 2, TRAITOR).keys() == {TRAITOR}


# -- every other haunt ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("haunt", sampled([one for one in TWO_BOOKS if one != TIDE], every=10))
async def test_in_no_haunt_a_side_gets_a_byte_of_the_others_book(haunt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The books are rewritten by the law that holds it for events; here it is all that the service answers."""
    await no_byte_of_the_others_book("second-edition", haunt, monkeypatch)


@pytest.mark.parametrize("haunt", sampled(haunts("third-edition", kind="one-traitor", two_books=True), every=9))
async def test_nor_in_the_third_edition(haunt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await no_byte_of_the_others_book("third-edition", haunt, monkeypatch)


async def no_byte_of_the_others_book(name: str, haunt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    as_it_is = pack(name)
    packs = [as_it_is, *(rewritten(as_it_is, haunt, side, titles=False) for side in SIDES)]
    async with AsyncExitStack() as stack:
        worlds = []
        for played in packs:
            monkeypatch.setattr("service.log.packs.load_pack", lambda _, played=played, **__: played)
            service = await service_on(anonymous_rate=0, packs=name)
            worlds.append(await stack.enter_async_context(world(service)))
            worlds[-1].own_pack = True
        course = await begun(worlds, as_it_is, haunt)
        sides = [one["side"] for one in (await worlds[0].arbiter("view"))["explorers"]]
        assert set(sides) == set(SIDES), "the sides are known to all"
        told = {side: [f"seat:{seat}" for seat, its in enumerate(sides) if its == side] for side in SIDES}
        acted = set[int]()
        for _ in range(len(sides) + 1):  # the monsters may have a turn of their own
            if acted == {0, 1, 2}:
                break
            seat = (await worlds[0].arbiter("view"))["turn"]["seat"]
            acted.add(seat)
            for one in worlds:
                turn = (await one.arbiter("view"))["turn"]["decision"]
                for word in ("OTHERWISE", "NONE"):
                    deed = act(f"haunt:{SIDES[sides[seat] == SIDES[0]]}", word)
                    await one.ask(f"seat:{seat}", "POST", "dry-runs", {**deed, "decision": turn}, status=200)
                    await one.ask(f"seat:{seat}", "POST", "commands", {**deed, "decision": turn}, status=409)
            await course.turn(seat, END)
        assert acted == {0, 1, 2}
        await course.look(told["heroes"][0], told["traitor"][0], "spectator", PUBLIC)
        await course.hang_up()
    heroes, traitor = told["heroes"], told["traitor"]
    assert course.apart(0, 1, *traitor, *NEITHER) == {}, "another heroes' book"
    assert course.apart(0, 2, *heroes, *NEITHER) == {}, "another traitor's book"
    assert course.apart(0, 1, *heroes).keys() == set(heroes)
    assert course.apart(0, 2, *traitor).keys() == set(traitor)


async def begun(worlds: list[World], played: Pack, haunt: str) -> Course:
    """A haunt begins in all worlds: where nobody chooses a scenario in the first turn, by its revealer, and else in any."""
    if not played.scenarios:
        course = Course(worlds, [REVEALER] * len(worlds))
        await course.begin(haunt)
        return course
    course = Course(worlds)
    rooms = [one.id for one in played.tiles if "omen" in one.symbols]
    for one in worlds:
        options = {"haunt": haunt, "scenario": played.scenarios[0].id}
        await one.open(edition=played.head.edition, seats=[{}] * 3, options=options, setup={"tiles": rooms})
        one.follow()
    await course.wander(random.Random(1))
    return course
