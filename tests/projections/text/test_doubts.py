"""What many games make doubtful in a haunt, told by piece."""

from collections import Counter

import msgspec

from domain.pack.reach import Reached
from projections.text.doubts import doubts, doubts_told
from projections.text.playtests import TURN_LIMIT, Played, Report
from tests.support.packs import rules

HAUNT = "the-bell-below"
GOAL = {"goal the-bell-below:traitor": 1}
SEARCH = "step haunt/the-bell-below#heroes.actions.SEARCH.0"
BREAK = "action haunt:the-bell-below:heroes#BREAK"


def _report(heroes: int, games: int, reached: dict[str, int]) -> Report:
    report = Report(rules("second-edition"))
    for number in range(games):
        report.add(_played("heroes" if number < heroes else "traitor", Counter(reached) if number == 0 else Counter()))
    return report


def _played(winner: str, reached: Reached, turns: int = 9) -> Played:
    return Played(
        seed="s",
        seats=4,
        haunt=HAUNT,
        winner=winner,
        because="",
        turns=turns,
        rounds=2,
        turn_of_haunt=5,
        commands=80,
        reached=reached,
    )


def test_a_side_that_hardly_ever_wins_is_told() -> None:
    assert doubts(_report(1, 20, GOAL), HAUNT) == ["with 4 players heroes won 1 of 20 games"]
    assert doubts(_report(2, 20, GOAL), HAUNT) == []
    assert doubts(_report(0, 19, GOAL), HAUNT) == []


def test_games_without_an_end_are_told() -> None:
    report = Report(rules("second-edition"))
    report.add(_played("", Counter(), turns=TURN_LIMIT))
    assert doubts(report, HAUNT) == ["with 4 players 1 game had no end"]


def test_a_goal_by_which_no_game_is_won_is_told() -> None:
    assert doubts(_report(10, 20, {}), HAUNT) == ["no game was won by the goal of the traitor"]


def test_a_free_for_all_has_one_goal_of_all() -> None:
    report = Report(rules("third-edition"))
    for number in range(20):
        report.add(msgspec.structs.replace(_played(f"seat:{number % 4}", Counter()), haunt="going-once"))
    assert doubts(report, "going-once")[-1] == "no game was won by its goal"


def test_a_deed_that_never_changes_anything_is_told() -> None:
    vain = {**GOAL, BREAK: 20, BREAK.replace("action", "vain"): 20}
    assert doubts(_report(10, 20, vain), HAUNT) == ["heroes#BREAK was done 20 times and changed nothing"]
    assert doubts(_report(10, 20, {**vain, BREAK: 21}), HAUNT) == []


def test_a_roll_that_always_comes_to_the_same_is_told() -> None:
    same = {**GOAL, SEARCH: 20, f"{SEARCH}.0-4": 20}
    assert doubts(_report(10, 20, same), HAUNT) == ["all 20 rolls of heroes.actions.SEARCH.0 came to `0-4`"]
    assert doubts(_report(10, 20, {**same, f"{SEARCH}.5+": 1}), HAUNT) == []


def test_lines_have_a_heading_only_where_something_is_doubtful() -> None:
    assert doubts_told(_report(10, 20, GOAL), HAUNT) == []
    assert doubts_told(_report(10, 20, {}), HAUNT)[0] == "doubtful in the-bell-below"
