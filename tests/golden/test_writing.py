"""The command: what a person writes is filled in, differences are told by line, mistakes by what would be right."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from tests.golden import library
from tests.golden.__main__ import main
from tests.golden.script import Script, Unfit
from tests.golden.stage import played

WRITTEN = """\
title: A step and a fight
explorers: [ox-bellows, zoe-ingstrom, jenny-leclerc]
covers: [2E-ATK-006]
options: {turn_limit: 90}
setup: {first_seat: 1}
scene:
- {do: hold, seat: 0, cards: [axe]}
- {do: put, seat: 2, room: upper-landing}
- {do: haunt, haunt: the-bell-below, traitor: 1}
steps:
- by: seat 0
  tries: {type: attack, target: 2}
  refused: 2E-ATK-004
- note: The dice are prepared.
  by: seat 0
  does: {type: attack, target: 1}
  dice: [[2, 2, 0, 0, 0], [2, 1, 0]]
- by: seat 1
  does: {type: allocate, points: {might: 1}}
- by: seat 0
  does: {type: move, to: foyer}
"""


def mistake(text: str) -> str:
    """What is said of a file that can't be played as written."""
    with pytest.raises(Unfit) as caught:
        played(Script(Path("mine.yaml"), text))
    return str(caught.value)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file as an author leaves it."""
    path = tmp_path / "mine.yaml"
    path.write_text(WRITTEN)
    return path


def test_what_happens_is_filled_in_and_what_was_written_stays(mine: Path) -> None:
    assert library.write(mine)

    game = Script(mine).game
    assert game.steps[0].because == "Jenny LeClerc can't be attacked now"
    assert game.steps[1].note == "The dice are prepared."
    assert "Ox Bellows defeats Zoe Ingstrom, 4 to 3. (2E-ATK-006)" in game.steps[1].saw["everybody"]
    assert game.picks == ["basement+ground"], "what nobody named was filled in"
    assert "Ox Bellows (seat 0) in Foyer, might 5, speed 4, sanity 3, knowledge 3; has Axe." in game.end["everybody"]
    assert not library.write(mine), "once written, it stays"
    assert not library.difference(mine)


def test_the_first_line_that_differs_is_told(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library.write(mine)
    text = mine.read_text()
    mine.write_text(text.replace("4 to 3. (2E-ATK-006)", "5 to 3. (2E-ATK-006)"))
    line = text[: text.index("4 to 3.")].count("\n") + 1

    assert main([str(mine)]) == 1

    out = capsys.readouterr().out
    assert out.startswith(
        f"{mine}:{line}: there stands '- Ox Bellows defeats Zoe Ingstrom, 5 to 3. (2E-ATK-006)', and played"
    )


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("cards: [axe]", "cards: [ax]", "mine.yaml:7:3: there is no card `ax`: did you mean `axe`?"),
        (
            "room: upper-landing",
            "room: uper-landing",
            "8:3: there is no room in the house `uper-landing`: did you mean",
        ),
        ("do: put", "do: putt", "8:3: no arrangement: `do: putt`: did you mean `put`?"),
        ("seat: 2, room", "seat: 6, room", "8:3: there is no seat 6: the seats are 0 to 2"),
        (
            "haunt: the-bell-below",
            "haunt: the-bell",
            "9:3: there is no haunt `the-bell`: did you mean `the-bell-below`?",
        ),
        ("[2E-ATK-006]", "[2E-ATK-060]", "3:10: `2E-ATK-060` is no rule of the ledger: did you mean `2E-ATK-0"),
        ("[2E-ATK-006]", "[2E-ATK-013]", "3:10: 2E-ATK-013 is covered, but never cited: no event and no refusal"),
        (
            "{turn_limit: 90}",
            "{haunt: the-ball}",
            "4:18: There is no haunt the-ball: did you mean `the-bell-below`? Haunts of this pack: the-bell-below, ",
        ),
        ("jenny-leclerc]", "jenny]", "2:39: This pack has no explorer jenny."),
        ("first_seat: 1", "first_seat: 3", "5:21: The game has the seats 0 to 2."),
        ("target: 2}", "target: 1}", "12:10: step 1: this is accepted, and should be refused by 2E-ATK-004"),
        (
            "refused: 2E-ATK-004",
            "refused: 2E-ATK-003",
            "step 1: refused by 2E-ATK-004, not by 2E-ATK-003: seat 2 can't be",
        ),
        (
            "to: foyer",
            "to: attic",
            "21:9: step 4: refused by 2E-DOOR-001: there is no way from entrance-hall to attic: legal",
        ),
        ("type: move, to: foyer", "type: fork, at: 99", "21:9: step 4: no fork: the game has the commits 1 to 16"),
        ("type: move, to: foyer", "type: fork", "21:9: step 4: no fork: Object missing required field `at`"),
        ("type: move", "type: walk", "21:9: step 4: no command: Invalid value 'walk' - at `$.type`"),
        (", [2, 1, 0]]", "]", "14:3: step 2: 3 dice are rolled for `dice:defense`, and no more are in the file"),
        ("[2, 1, 0]", "[2, 1]", "3 dice with faces 0 to 2 are rolled for `dice:defense`, not [2, 1]"),
        ("[2, 1, 0]]", "[2, 1, 0], [1]]", "14:3: step 2: the roll [1] was not asked for"),
        (
            "by: seat 1",
            "by: seat 0",
            "19:9: step 3: refused by decision-closed: the decision `none` is not open: nothing is legal for it",
        ),
        ("might: 1}", "sanity: 1}", "step 3: refused by 2E-DMG-001: divide the points among Might (up to"),
        ("tries:", "does:", "11:3: `refused` goes with `tries`: the rule or problem by which that is refused"),
        ("by: seat 1", "by: seat one", "18:7: `seat one` is not one of `everybody`, `moderator`"),
        ("by: seat 1", "by: seat 3", "18:7: there is no seat 3: the seats are 0 to 2"),
        ("turn_limit: 90", "turn_limits: 90", "4:10: no game can be opened like this: Object contains unknown field"),
        ("steps:", "picks: [axe]\nsteps:", "10:8: the pick `axe` was not asked for"),
        ("steps:", "step:", "10:1: unknown field `step` in Game: did you mean `steps`?"),
        ("title: A step", "title: 'A step", "not YAML"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(old: str, new: str, told: str) -> None:
    assert old in WRITTEN
    assert told in mistake(WRITTEN.replace(old, new, 1))


def places(data: object, trail: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to all parts of a file's data."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield (*trail, key)
        yield from places(part, (*trail, key))


OTHERS: tuple[object, ...] = (None, -1, 99, "zzz", [], {}, ["zzz"], {"zzz": 1}, "seat 5", [[5]], True)


def test_whatever_else_is_written_somewhere_is_played_or_told() -> None:
    """Every place of the file in turn; anything but `Unfit` fails the test."""
    for (*way, last), other in zip(places(yaml.safe_load(WRITTEN)), cycle(OTHERS), strict=False):
        data = yaml.safe_load(WRITTEN)
        above = data
        for key in way:
            above = above[key]
        above[last] = other
        with suppress(Unfit):
            played(Script(Path("mine.yaml"), yaml.safe_dump(data, sort_keys=False)))


def test_a_file_that_can_not_be_played_stays_as_it_was(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = WRITTEN.replace("to: foyer", "to: attic")
    mine.write_text(text)

    assert main(["--write", str(mine)]) == 2

    assert mine.read_text() == text
    assert f"{mine}:21:9: step 4: refused by 2E-DOOR-001" in capsys.readouterr().err


def test_of_what_is_written_only_the_names_of_changed_files_are_printed(
    mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = mine.with_name("GAMES.md")
    monkeypatch.setattr(library, "LIST", listed)
    monkeypatch.setattr(library, "list_text", lambda: "One game.\n")

    assert main(["--write", str(mine)]) == 0
    assert capsys.readouterr().out == f"{mine}\n{listed}\n"

    assert main(["--write", str(mine)]) == 0
    assert capsys.readouterr().out == "nothing changed\n"


def test_a_comment_would_be_lost_and_is_refused(mine: Path) -> None:
    mine.write_text(WRITTEN.replace("steps:", "# my thoughts\nsteps:"))
    with pytest.raises(Unfit, match=r"mine\.yaml:10:1: a comment would be lost by writing: say it in a `note:`"):
        library.write(mine)


def test_a_pick_that_is_not_in_the_file_is_no_matter_of_luck_when_it_is_checked() -> None:
    with pytest.raises(Unfit, match="`tile-back` asks for a pick that is not in the file: one of basement"):
        played(Script(Path("mine.yaml"), WRITTEN), strict=True)


def test_a_file_that_is_not_there_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.yaml"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_example_of_contributing_can_be_played() -> None:
    told = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    lines = dedent(told[told.index("    title: Equal results") :].split("\n\n")[0])
    game, _ = played(Script(Path("CONTRIBUTING.md"), lines))
    assert "Ox Bellows and Zoe Ingstrom tie at 4. (2E-ATK-007)" in game.steps[0].saw["everybody"]
    assert game.steps[1].because
