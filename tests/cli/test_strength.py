"""`omenlog strength`: a page of tables from matches, which can be stopped and gone on with."""

from pathlib import Path

import pytest

from tests.cli.invoking import omenlog

SHORT = ("strength", "--edition", "second", "--haunt", "the-bell-below", "--seats", "3", "--games", "1", "--jobs", "1")


def test_it_prints_a_page_with_a_row_for_each_side(tmp_path: Path) -> None:
    file, page = tmp_path / "results.ndjson", tmp_path / "page.md"

    told = omenlog(*SHORT, "--bots", "random,steady", "--results", str(file), "--output", str(page))

    assert told.exit_code == 0, told.output
    text = page.read_text("utf-8")
    assert "the seed `strength`: 4 games" in text
    assert "| edition | side | random | steady |" in text
    assert "| second | the-bell-below | traitor |" in text
    assert len(file.read_bytes().splitlines()) == 4


def test_games_that_were_kept_are_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "results.ndjson"
    first = omenlog(*SHORT, "--bots", "steady", "--results", str(file))
    kept = file.read_bytes().replace(b'"won":false', b'"won":true')
    file.write_bytes(kept)

    again = omenlog(*SHORT, "--bots", "steady", "--results", str(file))

    assert first.exit_code == again.exit_code == 0
    assert "100 % (21 to 100) of 1" in again.stdout
    assert file.read_bytes() == kept


def test_the_difference_is_told_where_both_bots_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "results.ndjson"
    lines = [
        f'{{"match":{{"edition":"second","haunt":"the-bell-below","seats":3,"side":"{side}","bot":"{bot}",'
        f'"seed":"strength-0"}},"won":{"true" if bot == "searching" else "false"}}}'
        for side in ("heroes", "traitor")
        for bot in ("steady", "searching")
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")

    told = omenlog(*SHORT, "--bots", "steady,searching", "--results", str(file))

    assert "| second | heroes | 0 % (0 to 79) of 1 | 100 % (21 to 100) of 1 | +100 (" in told.stdout


@pytest.mark.parametrize(
    "asked, said",
    [
        (("--bots", "steedy"), "no bot 'steedy': did you mean `steady`?"),
        (("--haunt", "the-bell-belov"), "no haunt 'the-bell-belov': did you mean `the-bell-below`?"),
        (("--seats", "7"), "these packs seat 3 to 6"),
        (("--results", "README.md"), "README.md holds no results of matches"),
    ],
)
def test_what_does_not_exist_is_refused_in_a_sentence(asked: tuple[str, str], said: str) -> None:
    told = omenlog("strength", "--games", "1", *asked)

    assert told.exit_code == 2
    assert said in told.stderr
