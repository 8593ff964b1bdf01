"""`omenlog view`, `board` and `diff`: the same from a file and from a store, and the same as the API answers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from domain.facts.audience import principal_name
from projections.board import board_of, phone_board_of
from projections.view.game import GameView
from service.games.read.reading import decisions, view
from service.identity import Caller
from tests.cli.invoking import omenlog
from tests.support.packs import pack
from tests.support.running import open_game, play, referee, seat, service_on, spectator

AT = 20


class Kept(NamedTuple):
    """A game in a store and in two files, and what the API answered of it."""

    game: str
    full: str
    own: str
    views: dict[str, bytes]
    decisions: dict[str, bytes]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("moments")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.log.packs.load_pack", lambda path, **_: pack(path.name))
        return asyncio.run(_keep(folder))


async def _keep(folder: Path) -> Kept:
    service = await service_on(f"sqlite:///{folder / 'log.db'}")
    game = await open_game(service)
    await play(service, game, 30)
    files: dict[str, str] = {}
    views: dict[str, bytes] = {}
    found: dict[str, bytes] = {}
    callers: list[Caller] = [*[seat(game, number) for number in range(3)], spectator(game), referee(game)]
    for caller in callers:
        role = principal_name(caller.principal)
        file = folder / f"{role.replace(':', '-')}.ndjson"
        file.write_bytes(b"".join([line async for line in service.exporting.lines(caller)]))
        files[role] = str(file)
        seen = await service.reading.seen(caller, at=AT)
        views[role], found[role] = msgspec.json.encode(view(seen)), msgspec.json.encode(decisions(seen))
    await service.close()
    return Kept(game, files["referee"], files["seat:1"], views, found)


@pytest.fixture
def places(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Where the game lies: in a file, and in the store that is set."""
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{Path(kept.full).parent / 'log.db'}")
    return kept.full, kept.game


def test_every_role_is_shown_what_the_api_answered_from_file_and_store(kept: Kept, places: tuple[str, str]) -> None:
    for role, body in kept.views.items():
        shown = omenlog("view", places[1], "--at", str(AT), "--as", role, "--show", "view")
        assert json.loads(shown.output) == json.loads(body), shown.output
    for place in places:
        able = omenlog("view", place, "--at", str(AT), "--as", "seat:2", "--show", "decisions")
        assert json.loads(able.output) == json.loads(kept.decisions["seat:2"])
        drawn = omenlog("board", place, "--at", str(AT), "--as", "seat:2")
        view = msgspec.json.decode(kept.views["seat:2"], type=GameView)
        assert drawn.stdout == board_of(view)
        phone = omenlog("board", place, "--at", str(AT), "--as", "seat:2", "--layout", "phone")
        assert phone.stdout == phone_board_of(view)
    public = omenlog("view", places[1], "--at", str(AT)).output
    assert public == omenlog("view", places[0], "--at", str(AT), "--as", "spectator").output
    assert "Entrance Hall" in public


def test_a_difference_is_told_in_words_and_as_data(kept: Kept, places: tuple[str, str], tmp_path: Path) -> None:
    told = [omenlog("diff", place, "--from", "6", "--to", str(AT), "--as", "seat:1").output for place in places]
    assert told[0] == told[1]
    assert told[0].startswith("## Commits 6 to 20, as seat 1 saw it\n")
    data = json.loads(omenlog("diff", kept.own, "--from", "6", "--to", str(AT), "--json").output)
    assert (data["from"], data["to"], data["role"]) == (6, AT, "seat:1")
    texts = [change["text"] for change in data["changes"] if change["text"]]
    assert told[0].count("\n- ") == len(texts)
    output = tmp_path / "board.svg"
    assert omenlog("board", kept.own, "--output", str(output)).output == ""
    assert output.read_text().startswith("<svg ")


def test_two_moments_side_by_side_are_the_same_from_file_and_store(
    kept: Kept, places: tuple[str, str], tmp_path: Path
) -> None:
    asked = ("--from", "6", "--to", str(AT), "--as", "seat:1", "--side-by-side")
    told = [omenlog("diff", place, *asked).output for place in places]
    assert told[0] == told[1]
    first, _, second, *_ = told[0].splitlines()
    assert (first, second.split()) == ("» marks what differs.", ["Commit", "6", "│", "Commit", "20"])
    drawn = [tmp_path / f"{number}.svg" for number in range(2)]
    for place, output in zip(places, drawn, strict=True):
        assert omenlog("diff", place, *asked, "--output", str(output)).output == ""
    assert drawn[0].read_bytes() == drawn[1].read_bytes()
    assert "commits 6 and 20 side by side" in drawn[0].read_text()
    for wrong, said in (
        (("--side-by-side", "--json"), "leave out --side-by-side"),
        (("--output", str(tmp_path / "x.svg")), "--output is for the picture that --side-by-side draws"),
    ):
        result = omenlog("diff", places[0], "--from", "6", *wrong)
        assert (result.exit_code, said in result.output) == (2, True), result.output
    assert not (tmp_path / "x.svg").exists()


def test_the_store_in_a_data_folder_is_looked_at(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMENLOG_STORE", "sqlite:///nowhere/at/all.db")
    (tmp_path / "omenlog.db").write_bytes((Path(kept.full).parent / "log.db").read_bytes())
    folder = str(tmp_path)

    for command in ("view", "trace", "board", "disputes"):
        assert omenlog(command, kept.game, "--data", folder).exit_code == 0, command
    assert omenlog("audit", "--data", folder, "--processes", "1").stdout == "1 game: 1 RUNNING\n"
    assert omenlog("backup", str(tmp_path / "copy.db"), "--data", folder).exit_code == 0
    assert f"no such file: {folder}/none/omenlog.db" in omenlog("audit", "--data", f"{folder}/none").output


@pytest.mark.parametrize("role", ["spectator", "spectators"])
def test_a_spectator_may_be_called_either_way(kept: Kept, places: tuple[str, str], role: str) -> None:
    for place in places:
        told = omenlog("trace", place, "--as", role)
        assert told.exit_code == 0, told.output
        assert "as spectators" in told.output.splitlines()[0]
    assert omenlog("replay", kept.full, "--as", role).output == omenlog("replay", kept.full).output
    refused = omenlog("trace", kept.full, "--as", "ghost")
    assert (refused.exit_code, "'ghost' is not a role: seat:0 to seat:5, spectator or referee" in refused.output) == (
        2,
        True,
    )


def test_what_is_not_there_is_said_in_one_line(
    kept: Kept, places: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, game = places
    for arguments, code, said in (
        (("view", file, "--at", "900"), 2, "there is no commit 900: the game has"),
        (("view", game, "--at", "0"), 2, "0 is not in the range x>=1"),
        (("view", game, "--as", "seat:4"), 2, "there is no seat:4: the game has 3 seats, counted from 0"),
        (("board", game, "--as", "ghost"), 2, "'ghost' is not a role"),
        (("board", "a" * 20), 2, "the store has no game"),
        (("diff", game, "--from", "9", "--to", "4"), 2, "--from 9 is after --to 4"),
        (("diff", game, "--from", "9000"), 2, "there is no commit 9000"),
        (("view", "nothing.ndjson"), 1, "no such file"),
        (("view", kept.own, "--as", "seat:0"), 1, "this export shows what seat:1 saw, not seat:0"),
    ):
        told = omenlog(*arguments)
        assert told.exit_code == code, (arguments, told.output)
        assert said in told.output, (arguments, told.output)
    monkeypatch.setenv("OMENLOG_STORE", "sqlite:///nowhere/at/all.db")
    assert "no such file: nowhere/at/all.db" in omenlog("view", game).output
    assert not Path("nowhere").exists()
