"""`decisions?hints=true`: whoever asks gets the hints of the own book, and nobody any others."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.courses import REVEALER, Course
from tests.support.packs import pack
from tests.support.running import service_on
from tests.support.worlds import World, world

TRAITOR = f"seat:{REVEALER}"


@pytest.fixture
async def table(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The Gnawing Tide, begun: seat 2 is the traitor, and the nest lies where the omen was."""
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    async with world(await service_on(anonymous_rate=0)) as one:
        await Course([one], [REVEALER]).begin("the-gnawing-tide")
        yield one


async def asked(table: World, token: str, what: str = "decisions?hints=true") -> httpx.Response:
    return await table.client.get(f"{table.path}/{what}", headers={"Authorization": f"Bearer {token}"})


async def hints(table: World, role: str, what: str = "decisions?hints=true") -> list[dict[str, Any]]:
    answer = await asked(table, table.referee if role == "referee" else table.tokens[role], what)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["hints"]
    return found


async def test_a_seat_gets_the_hints_of_its_own_side_and_no_others(table: World) -> None:
    heroes, traitor = await hints(table, "seat:0"), await hints(table, TRAITOR)
    assert {one["side"] for one in heroes} == {"heroes"}
    assert {"room": "charred-room", "part": 0} in [place for one in heroes for place in one["places"]]
    assert {one["side"] for one in traitor} == {"traitor"}
    assert traitor[-1]["foes"]
    assert heroes == await hints(table, "seat:1")


async def test_spectators_and_the_referee_get_none(table: World) -> None:
    assert await hints(table, "spectator") == []
    assert await hints(table, "referee") == []
    assert await hints(table, "referee", f"decisions?hints=true&as={TRAITOR}") == await hints(table, TRAITOR)


async def test_nobody_gets_another_seats_hints(table: World) -> None:
    other = await asked(table, table.tokens["seat:0"], f"decisions?hints=true&as={TRAITOR}")
    assert (other.status_code, other.json()["code"]) == (403, "forbidden")
    stranger = await asked(table, "omen_" + "x" * 43)
    assert (stranger.status_code, stranger.json()["code"]) == (401, "unauthorized")
    unknown = await asked(table, table.referee, "decisions?hints=true&as=seat:9")
    assert (unknown.status_code, unknown.json()["code"]) == (400, "invalid-parameter")


@pytest.mark.parametrize("what", ["decisions", "decisions?hints=false", "view", "post", "board.svg", "diff?from=5"])
async def test_who_does_not_ask_is_given_none(table: World, what: str) -> None:
    for token in (*table.tokens.values(), table.referee):
        answer = await asked(table, token, what)
        assert answer.status_code == 200
        assert '"hints"' not in answer.text
        assert '"seek":[{' not in answer.text


async def test_only_the_referees_export_has_the_pack_and_so_what_its_books_say_to_bots(table: World) -> None:
    for token in table.tokens.values():
        assert '"seek"' not in (await asked(table, token, "export")).text
    header, *commits = (await asked(table, table.referee, "export")).text.splitlines()
    assert '"seek"' in header
    assert not [line for line in commits if '"seek"' in line]


async def test_before_the_haunt_hints_are_empty(table: World) -> None:
    assert await hints(table, "seat:0", "decisions?hints=true&at=5") == []


@pytest.mark.parametrize("value", ["perhaps", "", "null", "2", "true&hints=true"])
async def test_what_is_neither_true_nor_false_is_refused(table: World, value: str) -> None:
    answer = await asked(table, table.tokens["seat:0"], f"decisions?hints={value}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-parameter")
    assert [one["pointer"] for one in answer.json()["errors"]] == ["hints"]


async def test_an_answer_with_hints_has_a_tag_of_its_own(table: World) -> None:
    token = table.tokens["seat:0"]
    tags = [(await asked(table, token, what)).headers["etag"] for what in ("decisions", "decisions?hints=true")]
    assert len(set(tags)) == 2
