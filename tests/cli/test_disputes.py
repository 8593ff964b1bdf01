"""The referee's desk on the terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.games.desk.disputes import AskDispute, AskEvidence, AskReopening, AskRuling
from tests.cli.invoking import omenlog
from tests.support.running import open_game, play, referee, seat, service_on


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
        await service.close()
        return game

    path = f"sqlite:///{tmp_path}/omenlog.db"
    game = asyncio.run(ruled_again(path))
    monkeypatch.setenv("OMENLOG_STORE", path)

    lines = omenlog("disputes", game).output.splitlines()

    assert lines[:6] == [
        "dispute 1: seat 1 to the referee, commits 6 to 7; open, to be decided within 12 new turns",
        '  "The Bell was used twice."',
        "  before that the referee ruled in commit 11: it is corrected",
        '  reasons: "Less."',
        "  undone by the ruling on dispute 2, in commit 13",
        '  reopened in commit 14: "It is gone."',
    ]


def test_a_game_that_is_not_there_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    asyncio.run(disputed(path))
    monkeypatch.setenv("OMENLOG_STORE", path)
    result = omenlog("disputes", "none")
    assert result.exit_code == 2
    assert "no game none in the store" in result.output
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{tmp_path}/elsewhere.db")
    assert omenlog("disputes", "none").exit_code == 2
