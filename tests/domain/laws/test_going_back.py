"""The laws at tables that take back, dispute, and are ruled upon."""

import pytest

from domain.facts.events import DisputeClosed, TakenBack
from tests.laws import desk, going_back, informing, replay
from tests.laws.playout import Game, play
from tests.support.packs import HAUNTS, HIDDEN, THIRD, haunts, rules

SAMPLE = [
    ("second-edition", 11, 4, "the-gnawing-tide"),
    ("second-edition", 12, 3, "the-hollow-guest"),
    ("third-edition", 13, 3, "the-night-shift"),
    ("second-edition", 16, 3, "external"),
]
LONG = [
    *[("second-edition", seed, 3 + seed % 4, HAUNTS[seed]) for seed in range(len(HAUNTS))],
    *[("second-edition", seed, 3 + seed % 4, "external") for seed in range(4)],
    *[("third-edition", seed, 3 + seed % 4, haunt) for seed, haunt in enumerate(THIRD)],
]
MANY = 250
"""Commits of such a game; a past is read for each time that it goes back, so that whole games take minutes."""


def check(pack: str, seed: int, seats: int, haunt: str, most: int) -> Game:
    """Hold a game to the laws; one that ends before anything went back is followed by another, up to three."""
    for attempt in range(3):
        game = going_back.play_going_back(rules(pack), seed + 1000 * attempt, seats=seats, haunt=haunt, most=most)
        if going_back.everybody_knows_what_they_knew(game) > 0:
            break
    else:
        pytest.fail("nothing ever goes back")
    going_back.no_die_is_dealt_twice(game)
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    going_back.redeciding_gives_the_log(game)
    assert desk.talk_is_talk_to_everybody(game) > 0
    desk.talk_takes_nobodys_take_backs(game)
    desk.nobody_holds_up_play_for_nothing(game)
    assert desk.no_box_speaks_where_play_goes_back(game) > 0
    desk.talk_is_traced_to_no_box(game)
    desk.nobody_wins_time(game)
    return game


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_going_back_at_any_moment_breaks_no_law(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = check(pack, seed, seats, haunt, 170)
    kinds = [type(one.event) for commit in game.commits for one in commit]
    assert DisputeClosed in kinds
    assert desk.what_the_referee_tries_is_what_comes_of_it(game) > 0
    assert desk.talk_is_traced_to_no_box(game) > 0


def test_what_can_be_taken_back_is_taken_back_and_clocks_go_on() -> None:
    game = going_back.play_going_back(rules("third-edition"), 13, seats=3, most=170)
    assert any(isinstance(one.event, TakenBack) for commit in game.commits for one in commit)
    assert desk.nobody_wins_time(game) > 0


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", LONG)
def test_the_same_over_many_games(pack: str, seed: int, seats: int, haunt: str) -> None:
    desk.what_the_referee_tries_is_what_comes_of_it(check(pack, seed, seats, haunt, MANY))


@pytest.mark.prove
def test_a_game_that_goes_back_time_and_again_comes_to_its_end() -> None:
    game = going_back.play_going_back(rules("second-edition"), 6, seats=3, haunt="the-candle-clock")
    assert game.state.status == "finished"
    going_back.redeciding_gives_the_log(game)


@pytest.mark.parametrize("seed", range(4))
def test_what_a_role_learns_first_it_learns_by_an_event_that_says_so(seed: int) -> None:
    second = informing.worlds_differ(rules("second-edition"), seed, haunt=HAUNTS[seed])
    third = informing.worlds_differ(rules("third-edition"), seed, haunt=THIRD[seed])
    assert {"BackSeen", "DiceRolled", "TileDrawn", "CardDrawn"} <= second | third


@pytest.mark.parametrize(
    "pack,haunt",
    [
        *[("second-edition", haunt) for haunt in HIDDEN],
        *[("third-edition", haunt) for haunt in haunts("third-edition", kind="hidden-traitor")],
    ],
)
def test_a_hidden_traitor_is_learned_of_by_such_an_event(pack: str, haunt: str) -> None:
    assert "SideTold" in informing.traitors_differ(rules(pack), 1, haunt)


@pytest.mark.parametrize("seed", range(6))
def test_whoever_acts_is_told_of_what_anybody_learns(seed: int) -> None:
    assert informing.who_acts_is_told(play(rules("second-edition"), seed, haunt=HAUNTS[seed])) > 10
    assert informing.who_acts_is_told(play(rules("third-edition"), seed, haunt=THIRD[-1 - seed])) > 10


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(100, 115))
def test_the_same_over_many_pairs(seed: int) -> None:
    haunt = HAUNTS[seed % len(HAUNTS)]
    informing.worlds_differ(rules("second-edition"), seed, haunt=haunt)
    informing.who_acts_is_told(play(rules("second-edition"), seed, haunt=haunt))


@pytest.mark.prove
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("haunt", THIRD)
def test_the_same_in_every_haunt_of_the_third_edition(haunt: str, seats: int) -> None:
    informing.worlds_differ(rules("third-edition"), seats, seats=seats, haunt=haunt)
    informing.who_acts_is_told(play(rules("third-edition"), seats, seats=seats, haunt=haunt))
