"""What playtests say: why a side won, in which rounds, and what of a haunt nobody used."""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from content.authoring.first import write_first_haunt
from content.authoring.playtests import record_playtest
from content.load.packs import load_pack
from domain.engine.rules import Rules
from domain.facts.chance import Seeded
from domain.facts.events import GameEnded
from domain.game import rules_for
from domain.pack.reach import watch
from projections.text.doubts import doubts
from projections.text.playtests import (
    Played,
    Report,
    Tally,
    Why,
    curve,
    findings,
    reasons_told,
    unused_told,
    why_won,
)
from service.bots.playtest import local_game, play_game, play_out
from tests.cli.invoking import omenlog
from tests.support.packs import rules


def play(by: Rules, seed: str, seats: int, haunt: str) -> Played:
    return play_game(by, ["steady"], seed=seed, seats=seats, options={"haunt": haunt})


def won(haunt: str) -> set[tuple[str, str, str]]:
    """Who wins a game with each number of players, and why."""
    games = [play(rules("second-edition"), f"why-{seats - 3}", seats, haunt) for seats in (3, 4, 5, 6)]
    return {(game.winner, game.why, game.because) for game in games}


def test_a_haunt_is_won_by_a_goal_by_a_clock_and_by_deaths() -> None:
    assert won("the-gnawing-tide") == {
        ("heroes", "goal", "The last verse is spoken, and the tide runs back into the walls."),
        ("traitor", "clock", "The tide has waited long enough, and the house belongs to it."),
        ("traitor", "deaths", "All heroes are dead."),
    }


def test_a_step_that_says_win_is_told_from_a_goal_and_as_a_round_begins_from_both() -> None:
    assert ("heroes", "step", "The clapper breaks, and the bell swings without a sound.") in won("the-bell-below")
    (clock,) = {one for one in won("the-house-dreams") if one[0] == "house"}
    assert clock[1] == "clock"  # by a step, too


def test_heroes_who_got_out_without_being_enough_are_not_called_dead() -> None:
    game = local_game(rules("second-edition"), Seeded(b"out", "g"), 3, {"haunt": "the-last-carriage"}, "g")
    for _ in play_out(game, ["steady"] * 3, "out"):
        pass
    told = [one for one in game.log[-1].told if isinstance(one.event, GameEnded)]
    (ended,) = told
    for explorer in game.state.explorers:
        explorer.alive, explorer.removed = False, explorer.side != "traitor"
    left = GameEnded(winner="traitor", because="No hero is left in the house.")

    assert why_won(game.rules, game.state, [msgspec.structs.replace(ended, event=left)], 1) == "too few out"
    nobody = GameEnded(winner="", because="The turn limit of 400 is reached.")
    assert why_won(game.rules, game.state, [msgspec.structs.replace(ended, event=nobody)], 1) == ""


def test_a_curve_has_a_line_for_each_round_and_its_longest_bar_for_the_most_wins() -> None:
    tally = Tally(by_round={"heroes": Counter({2: 12, 3: 1}), "traitor": Counter({3: 6, 5: 2})})
    assert curve(tally) == [
        "                     heroes  round  traitor",
        "12 ████████████████████████    2",
        "                       1 ██    3    ████████████ 6",
        f"{'':27}    4",
        f"{'':27}    5    ████ 2",
    ]
    assert curve(tally, "house")[0].split() == ["heroes", "round", "house"]
    assert curve(Tally()) == []


def test_what_heroes_of_a_haunt_without_a_traitor_lose_the_house_wins() -> None:
    report = Report(rules("second-edition"))
    assert report.against_heroes("the-house-dreams") == "house"
    assert report.against_heroes("the-bell-below") == "traitor"


UNUSED = {
    "tokens:\n": "tokens:\n  - {id: grave, title: Grave, text: Somebody lies here.}\n",
    "  on:\n": "  on:\n    - {when: died, for: everyone, do: [{place-token: {token: grave, at: here}}]}\n",
}


def test_what_of_a_haunt_nobody_used_is_told_by_topic(tmp_path: Path) -> None:
    file, _ = write_first_haunt("first", tmp_path / "first.yaml")
    text = file.read_text("utf-8")
    for old, new in UNUSED.items():
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, "utf-8")
    made = rules_for(load_pack(file))
    report = Report(made)
    steps = watch(made)
    game = play(made, "calm", 3, "first")
    game.reached.update(steps)
    report.add(game)
    found = report.unused("first")

    assert found["tokens"] == ["grave"]
    assert found["triggers"] == ["died (traitor.on.0)"]
    assert (found["actions"], found["items"], found["monsters"]) == ([], [], [])
    assert not [step for step in found["steps"] if step.startswith("traitor.on.0.")]
    assert unused_told(report, "first")[:3] == [
        "of first no game used",
        "triggers: died (traitor.on.0)",
        "tokens: grave",
    ]


def test_what_a_monsters_box_offers_is_used_by_its_kind() -> None:
    haunt = "grandmothers-footsteps"
    report = Report(rules("third-edition"))
    assert f"action haunt:{haunt}:monsters.grandmother#TURN" in report.never()

    report.add(play(rules("third-edition"), "box", 3, haunt))
    assert report.reached[f"action haunt:{haunt}:monsters.grandmother#TURN"]
    assert "monsters.grandmother#TURN" not in report.unused(haunt)["actions"]


def test_before_a_game_is_played_nothing_was_used() -> None:
    found = Report(rules("second-edition")).unused("the-bell-below")

    assert found["actions"] == ["heroes#SEARCH", "heroes#SOUND", "heroes#BREAK"]
    assert found["items"] == ["clapper"]
    assert found["tokens"] == ["hiding-place", "bell-rope"]
    assert found["monsters"] == ["sexton"]
    assert all("(heroes.on." in one or "(traitor.on." in one for one in found["triggers"])


def test_reasons_are_counted_over_all_numbers_of_players() -> None:
    report = Report(rules("second-edition"))
    report.add(_played(3, "heroes", "goal"))
    report.add(_played(4, "heroes", "goal"))
    report.add(_played(4, "traitor", "clock"))

    assert reasons_told(report, "the-bell-below") == [
        "why the-bell-below was won",
        "heroes won 2 games: 2 by goal",
        "traitor won 1 game: 1 by clock",
        "(goal: what `wins-when` asks for came about in play; clock: it came about as a round began)",
    ]


def _played(seats: int, winner: str, why: Why) -> Played:
    return Played(
        seed="s",
        seats=seats,
        haunt="the-bell-below",
        winner=winner,
        because="",
        why=why,
        turns=9,
        rounds=2,
        turn_of_haunt=5,
        commands=80,
        reached=Counter(),
    )


@pytest.fixture(scope="module")
def haunt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_first_haunt("first", tmp_path_factory.mktemp("first") / "first.yaml")[0]


def test_a_file_is_played_with_its_haunt_and_the_curve_is_drawn(haunt: Path) -> None:
    told = omenlog("content", "playtest", str(haunt), "--games", "2", "--seats", "3..4", "--jobs", "1")

    assert told.exit_code == 0, told.output
    lines = told.stdout.splitlines()
    assert lines[0].split() == ["haunt", "seats", "games", "heroes", "traitor", "begins", "rounds", "commands"]
    assert [line.split()[:3] for line in lines[1:3]] == [["first", "3", "2"], ["first", "4", "2"]]
    assert "why first was won" in lines
    assert "first, 3 seats: games won in which round" in lines
    assert "first, 4 seats: games won in which round" in lines
    assert told.output.count("█") >= 4


def test_json_says_what_the_text_says(haunt: Path) -> None:
    told = omenlog("content", "playtest", str(haunt), "--games", "4", "--seats", "3", "--jobs", "1", "--json")
    found = json.loads(told.stdout)
    (row,) = found["rows"]

    assert (row["haunt"], row["seats"], row["games"]) == ("first", 3, 4)
    assert row["heroes"] + row["traitor"] == 4
    for side in ("heroes", "traitor"):
        assert sum(row["why"][side].values()) == sum(row["wins_by_round"][side].values()) == row[side]
    assert sum(row["because"].values()) == 4
    assert set(found["unused"]) == {"first"}
    assert found["given_up"] == []


def test_by_the_chart_there_is_no_curve() -> None:
    told = omenlog("content", "playtest", "--games", "1", "--seats", "3", "--jobs", "1")

    assert told.exit_code == 0, told.output
    assert "games won in which round" not in told.output
    assert "no game used" not in told.output


# -- everybody against everybody ----------------------------------------------------------------------------------------


def seats_won(*places: int, seats: int = 3) -> Report:
    """A report of games of a free-for-all, won at these places clockwise from the revealer, and as many without a winner as are -1."""
    report = Report(rules("third-edition"))
    for number, place in enumerate(places):
        played = Played(
            seed=str(number),
            seats=seats,
            haunt="keep-it-fed",
            winner=f"seat:{place}" if place >= 0 else "",
            because="It is over.",
            place=place,
            why="goal" if place >= 0 else "",
            turns=9,
            rounds=2,
            turn_of_haunt=5,
            commands=80,
            reached=Counter(),
        )
        report.add(played)
    return report


def test_the_figures_of_a_free_for_all_are_by_place_from_the_revealer(tmp_path: Path) -> None:
    report = seats_won(0, 0, 1, 2, 2)
    assert report.figures("keep-it-fed").winners == {"3": [40, 20, 40]}
    assert report.figures("keep-it-fed").heroes == {}
    assert reasons_told(report, "keep-it-fed")[1] == "somebody won 5 games: 5 by goal"
    assert curve(report.tallies["keep-it-fed", 3])[-1] == "by place, clockwise from the revealer: 2, 1, 2"
    (row,) = findings(report, []).rows
    assert (row.places, row.heroes, row.traitor) == ([2, 1, 2], 0, 0)

    file = tmp_path / "keep-it-fed.yaml"
    file.write_text("id: keep-it-fed\nstage: draft\nkind: free-for-all\n")
    record_playtest(file, "keep-it-fed", report.figures("keep-it-fed"))
    assert "playtest: {games: 5, winners: {3: [40, 20, 40]}, rounds: {3: 2}}\n" in file.read_text()


def test_a_place_that_hardly_ever_wins_is_doubtful() -> None:
    report = seats_won(*[0] * 10, *[1] * 9, 2)
    assert doubts(report, "keep-it-fed")[0] == "with 3 players place 3 from the revealer won 1 of 20 games"
