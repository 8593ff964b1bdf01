"""The referee's desk on the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.games.desk.disputes import AskDispute, AskEvidence, AskReopening, AskRuling
from service.log.reader import commits
from service.log.requests import ForkGame
from tests.cli.invoking import omenlog
from tests.support.running import open_game, play, referee, seat, service_on
from tests.support.shared_stores import empty_store


async def disputed(path: str) -> str:
    """A game in which the referee has taken play back, and the table has something to decide."""
    service = await service_on(path)
    game = await open_game(service)
    await play(service, game, 4)
    asked = AskDispute(first=6, last=7, claim="The Bell was used twice.")
    await service.disputing.open(seat(game, 1), asked, "")
    await service.disputing.give(seat(game, 1), 1, AskEvidence(commits=[6], rules=["2E-MOVE-001"], note="Look."), "")
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="rewind", to=5, reasons="Once is enough."), "")
    await service.disputing.open(seat(game, 2), AskDispute(first=3, last=3, claim="No.", addressed="table"), "")
    await service.close()
    return game


def test_disputes_are_listed_as_the_referee_sees_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    game = asyncio.run(disputed(path))
    monkeypatch.setenv("OMENLOG_STORE", path)

    lines = omenlog("disputes", game).output.splitlines()

    assert (
        lines[0]
        == "dispute 1: seat 1 to the referee, commits 6 to 7; the referee ruled in commit 12: play goes back to commit 5"
    )
    assert lines[1:4] == [
        '  "The Bell was used twice."',
        '  evidence by seat 1: commit 6, 2E-MOVE-001 and "Look."',
        '  reasons: "Once is enough."',
    ]
    assert lines[-2:] == [
        "dispute 2: seat 2 to the table, commit 3; open, to be decided within 12 new turns",
        '  "No."',
    ]


def test_one_dispute_is_written_to_be_pasted_as_a_role_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    game = asyncio.run(disputed(path))
    monkeypatch.setenv("OMENLOG_STORE", path)

    page = omenlog("disputes", game, "1", "--format", "markdown").stdout

    assert [line for line in page.splitlines() if line.startswith(("# ", "## "))] == [
        f"# Dispute 1 of game {game}",
        *["## Claim", "## What happened", "## Evidence", "## Rules", "## Ruling"],
    ]
    assert "\n> The Bell was used twice.\n" in page
    assert "commit 6, 2E-MOVE-001 and “Look.”\n" in page
    public = omenlog("disputes", game, "1", "--format", "markdown", "--as", "spectator").stdout
    assert "The Bell" not in public
    assert "\n### Reasons\n\n> Once is enough.\n" in public  # of a rewind, for everybody
    (line, *others) = omenlog("disputes", game, "1", "--as", "spectator").stdout.splitlines()
    assert line == "dispute 1: seat 1 to the referee; the referee ruled in commit 12: play goes back to commit 5"
    assert others == ['  reasons: "Once is enough."']


def test_what_was_undone_and_reopened_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ruled_again(path: str) -> str:
        service = await service_on(path)
        game, rule = await open_game(service), service.disputing.rule
        await play(service, game, 4)
        asked = AskDispute(first=6, last=7, claim="The Bell was used twice.")
        await service.disputing.open(seat(game, 1), asked, "")
        gain = [{"gain": {"trait": "might"}}]
        await rule(referee(game), 1, AskRuling(outcome="amend", reasons="Less.", you=1, do=gain), "")
        await service.disputing.open(seat(game, 2), asked, "")
        await rule(referee(game), 2, AskRuling(outcome="rewind", to=5, reasons="Anew."), "")
        await service.disputing.reopen(referee(game), 1, AskReopening(reasons="It is gone."), "")
        asked = AskDispute(first=3, last=3, claim="No.", addressed="table")
        await service.disputing.open(seat(game, 2), asked, "")
        await rule(seat(game, 2), 3, AskRuling(outcome="amend", reasons="Yes.", you=1, do=gain), "")
        await service.close()
        return game

    path = f"sqlite:///{tmp_path}/omenlog.db"
    game = asyncio.run(ruled_again(path))
    monkeypatch.setenv("OMENLOG_STORE", path)

    lines = omenlog("disputes", game).output.splitlines()

    assert lines[:7] == [
        "dispute 1: seat 1 to the referee, commits 6 to 7; open, to be decided within 12 new turns",
        '  "The Bell was used twice."',
        "  before that the referee ruled in commit 11: it is corrected",
        '  Amended for Darrin "Flash" Williams: gain 1 Might.',
        '  reasons: "Less."',
        "  undone by the ruling on dispute 2, in commit 13",
        '  reopened in commit 14: "It is gone."',
    ]
    assert lines[-5:] == [
        "dispute 3: seat 2 to the table, commit 3; open, to be decided within 12 new turns",
        '  "No."',
        "  seat 2 proposes: it is corrected; seats 0 and 1 must agree",
        '  Amended for Darrin "Flash" Williams: gain 1 Might.',
        '  reasons: "Yes."',
    ]


async def ruled(store: str) -> list[str]:
    """Three games and a sandbox of the first: precedents in the first two, of which the second cites another rule."""
    service = await service_on(store)
    games = [await open_game(service) for _ in range(3)]
    for game, rule, precedent in (
        (games[0], "2E-MOVE-001", False),
        (games[0], "2E-MOVE-001", True),
        (games[1], "2E-TURN-001", True),
    ):
        await service.disputing.open(seat(game, 1), AskDispute(first=5, last=5, claim="No."), "")
        number = len((await service.disputing.list(referee(game)))[0].disputes)
        ruling = AskRuling(outcome="stands", reasons=f"By {rule}.", rules=[rule], precedent=precedent)
        await service.disputing.rule(referee(game), number, ruling, "")
    await service.fork_maker.fork(referee(games[0]), ForkGame(at=7), "", b"")
    await service.close()
    return games


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_precedents_are_found_in_all_games_of_a_store(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = empty_store(kind, request, tmp_path)
    first, second, _third = asyncio.run(ruled(store))
    monkeypatch.setenv("OMENLOG_STORE", store)

    lines = omenlog("disputes", "--all").stdout.splitlines()
    heads = [line.partition(":")[0] for line in lines if not line.startswith(" ")]
    assert heads == [f"{first}, dispute 1", f"{first}, dispute 2", f"{second}, dispute 1"], "no sandbox repeats them"

    lines = omenlog("disputes", "--all", "--precedents", "--rule", "2E-MOVE-001").stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[::3]] == [f"{first}, dispute 2"]
    assert '  reasons: "By 2E-MOVE-001." (2E-MOVE-001)' in lines
    lines = omenlog("disputes", first, "--precedents").stdout.splitlines()
    assert lines[0].startswith("dispute 2: ")
    none = omenlog("disputes", "--all", "--precedents", "--rule", "2E-DOOR-001")
    assert (none.exit_code, none.stdout) == (0, "3 games: no precedents about 2E-DOOR-001\n")
    assert omenlog("disputes", second, "--rule", "2E-DOOR-001").stdout == f"{second}: no disputes about 2E-DOOR-001\n"


def test_a_game_that_can_not_be_read_does_not_keep_others_from_being_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _third = asyncio.run(ruled(f"sqlite:///{tmp_path}/omenlog.db"))
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{tmp_path}/omenlog.db")
    monkeypatch.setattr("service.cli.disputes.EVERY", 0.0)

    async def damaged(store: object, game: str, upto: int) -> AsyncIterator[tuple[int, bytes]]:
        async for number, body in commits(store, game, upto):  # type: ignore[arg-type]  # as it comes
            yield number, body[:-9] if game == first else body

    monkeypatch.setattr("service.cli.disputes.commits", damaged)
    result = omenlog("disputes", "--all")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{second}, dispute 1: ")
    assert f"{first} could not be read: commit 1 can't be read" in result.stderr
    assert "3 games searched so far, 1 found" in result.stderr


@pytest.mark.parametrize(
    "arguments, said",
    [
        ((), "name a GAME, or search all of them by --all"),
        (("a" * 20, "--all"), "name a GAME, or search all of them by --all"),
        (
            ("--all", "--rule", "2E-MOVE-999"),
            "2E-MOVE-999 is not a rule of any edition, whose rules begin with 2E-, 3E-, LEG- or PBP-",
        ),
        (("a" * 20, "--format", "markdown"), "writes one dispute: name a GAME and its NUMBER"),
        (("a" * 20, "1", "--precedents"), "NUMBER is one dispute: leave out --precedents and --rule"),
        (("--all", "--as", "seat:1"), "--as is for one GAME: leave out --all"),
        (("a" * 20, "1", "--as", "nobody"), "'nobody' is not a role"),
    ],
)
def test_what_can_not_be_searched_for(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{tmp_path}/omenlog.db")
    result = omenlog("disputes", *arguments)
    assert (result.exit_code, said in result.output) == (2, True), result.output


def test_a_game_that_is_not_there_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    game = asyncio.run(disputed(path))
    monkeypatch.setenv("OMENLOG_STORE", path)
    result = omenlog("disputes", "none")
    assert result.exit_code == 2
    assert "no game none in the store" in result.output
    result = omenlog("disputes", "none", "1", "--format", "markdown")
    assert (result.exit_code, "no game none in the store" in result.output) == (2, True)
    for form in ("text", "markdown"):
        result = omenlog("disputes", game, "3", "--format", form)
        assert (result.exit_code, "dispute" in result.stderr) == (2, True), result.output
        result = omenlog("disputes", game, "1", "--format", form, "--as", "seat:5")
        assert (result.exit_code, "the game has seats 0 to 2" in result.output) == (2, True), result.output
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{tmp_path}/elsewhere.db")
    assert omenlog("disputes", "none").exit_code == 2
