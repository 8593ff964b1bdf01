"""The main job from end to end: a whole game over HTTP, its export, replay and audit. One game serves all tests here.

It is played with a haunt from a file; with one that is built in a game is played as README shows it (`tests/docs`).
"""

import re
from pathlib import Path

import pytest

from tests.acceptance.packs.writing import haunt_file
from tests.cli.invoking import omenlog


class Demo:
    """What one `omenlog demo` has printed and left behind."""

    def __init__(self, data: Path) -> None:
        command = ("demo", "--seats", "3", "--seed", "early")
        result = omenlog(*command, "--haunt", str(haunt_file(data)), "--data", str(data))
        assert result.exit_code == 0, result.output
        self.output = result.output
        self.export = next(data.glob("*.ndjson"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return Demo(tmp_path_factory.mktemp("demo"))


def test_a_game_is_played_to_its_end_and_found_exact(demo: Demo) -> None:
    assert re.search(r"the service listens on http://127\.0\.0\.1:\d+", demo.output)
    assert "the haunt begins: Our Bell" in demo.output
    assert re.search(r"the game is finished: (heroes|traitor) won\. \w+", demo.output)
    assert "Ground floor" in demo.output
    assert "for 5 roles: 120 of 120 answers of the API are the same bytes" in demo.output
    assert re.search(r"^EXACT: (\d+) of \1 commits with \d+ events are in the hash chain", demo.output, re.MULTILINE)


def test_a_demonstration_in_a_folder_that_goes_names_no_file_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Played to the third turn only: what is printed before and after is at stake."""
    monkeypatch.setattr("service.cli.play.demo.TURN_LIMIT", 3)
    result = omenlog("demo", "--seats", "3", "--temporary")

    assert result.exit_code == 0, result.output
    assert "the game is finished" in result.output
    assert "omenlog-demo-" not in result.output
    assert "verify" not in result.output


def test_a_haunt_file_with_a_mistake_is_not_played(tmp_path: Path) -> None:
    file = haunt_file(tmp_path)
    file.write_text(file.read_text("utf-8").replace("story:", "sotry:", 1), "utf-8")
    result = omenlog("demo", "--haunt", str(file), "--data", str(tmp_path / "data"))

    assert result.exit_code == 1
    assert f"{file}:8:1: unknown field `sotry` in Haunt: did you mean `story`?" in "".join(result.output.split("\n"))


def test_a_haunt_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = omenlog("demo", "--haunt", str(tmp_path / "none.yaml"), "--data", str(tmp_path / "data"))

    assert result.exit_code == 1
    assert "none.yaml" in result.output


def test_the_export_is_audited_again_from_the_file_alone(demo: Demo) -> None:
    result = omenlog("verify", str(demo.export))

    assert result.exit_code == 0
    assert re.match(r"EXACT, (\d+) of \1 commits hold\n  chain +EXACT\n  rules +EXACT: every command", result.output)


def test_the_export_shows_what_a_seat_saw_then_and_now(demo: Demo) -> None:
    then = omenlog("replay", str(demo.export), "--as", "seat:1", "--at", "6")
    now = omenlog("replay", str(demo.export), "--as", "seat:1")

    assert then.exit_code == now.exit_code == 0
    assert "Entrance Hall" in then.output
    assert len(now.output) > len(then.output)
    assert '"role": "seat:1"' in omenlog("replay", str(demo.export), "--as", "seat:1", "--show", "view").output
    assert '"yours": []' in omenlog("replay", str(demo.export), "--show", "decisions").output


def test_a_commit_that_the_game_does_not_have_is_refused(demo: Demo) -> None:
    result = omenlog("replay", str(demo.export), "--at", "9999")

    assert result.exit_code == 2
    assert "the game has" in result.output


def test_a_damaged_export_diverges_at_the_commit_that_was_changed(demo: Demo, tmp_path: Path) -> None:
    lines = demo.export.read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.ndjson"
    damaged.write_bytes(b"".join([*lines[:12], lines[12].replace(b'"type":"', b'"type" :"', 1), *lines[13:]]))

    result = omenlog("verify", str(damaged))

    assert result.exit_code == 1
    assert result.output.startswith("DIVERGED at commit 12, 11 of ")


def test_an_export_that_breaks_off_diverges(demo: Demo, tmp_path: Path) -> None:
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes(b"".join(demo.export.read_bytes().splitlines(keepends=True)[:20]))

    result = omenlog("verify", str(cut))

    assert result.exit_code == 1
    assert "DIVERGED at commit 20" in result.output


def test_a_haunt_file_is_told_what_it_lacks_for_the_edition_that_is_asked_for(tmp_path: Path) -> None:
    command = ("content", "playtest", "--games", "1", "--seats", "3")
    result = omenlog(*command, str(haunt_file(tmp_path)), "--edition", "third")

    assert result.exit_code == 1, result.output
    assert "nothing says what follows when no hero is left" in result.output
    assert "listens" not in result.output
    assert "Traceback" not in result.output
