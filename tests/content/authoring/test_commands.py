"""The command line's part: what it prints, and what it returns."""

import io
import json
from functools import cache, partial
from pathlib import Path

import pytest

from content.authoring import commands, schema
from content.authoring.commands import OK, WRONG, docs_command
from projections.wording import manual as writing
from tests.content.planting import Plant

manual = cache(writing.manual)
check_command = partial(commands.check_command, manual=manual)


def test_a_pack_without_mistakes_is_summed_up(small: Path) -> None:
    out = io.StringIO()
    assert check_command([small], out) == OK
    assert out.getvalue().startswith(
        "small 1.0.0: 5 tiles, 8 explorers, 6 cards, 1 tokens, 1 scenarios, 2 haunts, sha256:"
    )


def test_mistakes_come_a_line_each_with_a_count(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant("cards/deck.yaml", "gain: {trait: rolled}", "gian: {trait: rolled}")
    folder = plant("chart.yaml", "omens: [mask, skull]", "omens: mask")
    monkeypatch.chdir(folder.parent)
    out = io.StringIO()
    assert check_command([folder], out) == WRONG
    assert out.getvalue().splitlines() == [
        "small/cards/deck.yaml:8:15: unknown field `gian` in Effect: did you mean `gain`?",
        "small/chart.yaml:1:8: expected a list of texts, found `mask`: write `[mask]`",
        "small: 2 mistakes",
    ]


def test_programs_get_an_object_a_line_and_nothing_else(plant: Plant, small: Path) -> None:
    folder = plant("cards/deck.yaml", "gain: {trait: rolled}", "gian: {trait: rolled}")
    out = io.StringIO()
    assert check_command([small, folder], out, "json") == WRONG
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        {
            "file": str(folder / "cards/deck.yaml"),
            "line": 8,
            "column": 15,
            "message": "unknown field `gian` in Effect",
            "suggestion": "did you mean `gain`?",
            "severity": "error",
        }
    ]


def test_a_file_stands_for_the_pack_that_it_belongs_to(small: Path) -> None:
    out = io.StringIO()
    assert check_command([small / "cards/deck.yaml", small / "pack.yaml", small / "haunts"], out) == WRONG
    assert out.getvalue().count("small 1.0.0: ") == 1, "checked once for both files"
    assert "pack.yaml:1:1: missing: a pack cannot do without it: " in out.getvalue(), "a folder is taken for a pack"


def test_one_wrong_pack_among_others_is_wrong(small: Path, tmp_path: Path) -> None:
    out = io.StringIO()
    assert check_command([small, tmp_path / "none"], out) == WRONG
    assert "small 1.0.0: " in out.getvalue()
    assert out.getvalue().endswith("none: 1 mistake\n")


def test_without_paths_everything_that_comes_with_omenlog_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_command() == OK
    told = capsys.readouterr().out
    assert "second-edition 0." in told
    assert "third-edition 0." in told
    assert "the rule ledger: 953 rules, 33 of them sealed\n" in told


def test_stale_generated_files_are_told_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "FOLDER", tmp_path / "schema")
    monkeypatch.setattr(commands, "MANUAL", tmp_path / "MANUAL.md")
    out = io.StringIO()
    assert check_command([], out) == WRONG
    assert "MANUAL.md:1:1: not what would be generated now: run `./dev docs`" in out.getvalue()

    assert docs_command(manual, out) == OK
    assert check_command([], io.StringIO()) == OK

    (tmp_path / "schema" / "left-over.json").write_text("{}")
    again = io.StringIO()
    assert docs_command(manual, again) == OK
    assert again.getvalue() == f"removed {tmp_path}/schema/left-over.json\n"


def test_a_warning_is_told_and_fails_only_the_strict(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = plant("haunts/the-lantern.yaml", "might: {players: {3: 2, 4: 3}}", "might: {players: {3: 3, 4: 2}}")
    monkeypatch.chdir(folder.parent)
    out = io.StringIO()
    assert check_command([folder], out) == OK
    warning, count, summary = out.getvalue().splitlines()
    assert warning == (
        "small/haunts/the-lantern.yaml:14:60: warning: 2 with 4 explorers is less than 3 with 3: write `4: 3` or more"
    )
    assert count == "small: 1 warning"
    assert summary.startswith("small 1.0.0: "), "a pack with warnings is one"
    assert check_command([folder], io.StringIO(), strict=True) == WRONG

    told = io.StringIO()
    assert check_command([folder], told, "json") == OK
    assert json.loads(told.getvalue())["severity"] == "warning"


def test_warnings_stand_beside_errors(plant: Plant) -> None:
    plant("haunts/the-lantern.yaml", "might: {players: {3: 2, 4: 3}}", "might: {players: {3: 3, 4: 2}}")
    folder = plant("haunts/the-lantern.yaml", "count: 2}", "count: 0}")
    out = io.StringIO()
    assert check_command([folder], out) == WRONG
    assert out.getvalue().splitlines()[-1].endswith("small: 1 mistake and 1 warning")
