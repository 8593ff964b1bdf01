"""The laws over games by post: the same content, another policy."""

import random

import pytest

from tests.laws import completeness, replay, secrecy
from tests.laws.playout import open_table, play, steps
from tests.support.packs import HAUNTS, by_post

SAMPLE = [(seed, 3 + seed % 4, HAUNTS[seed % len(HAUNTS)]) for seed in range(1000, 1030)]


@pytest.mark.parametrize("seed,seats,haunt", SAMPLE)
def test_replay_equals_live_and_every_game_ends(seed: int, seats: int, haunt: str) -> None:
    game = play(by_post(), seed, seats=seats, haunt=haunt)
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)
    assert game.state.status == "finished"


@pytest.mark.parametrize("seed,seats,haunt", SAMPLE[::6])
def test_a_moderator_with_the_same_throws_gives_the_same_game(seed: int, seats: int, haunt: str) -> None:
    game = play(by_post(), seed, seats=seats, haunt=haunt)
    replay.tape_gives_the_log(game)
    replay.moderator_gives_the_log(game)


@pytest.mark.parametrize("seed,seats,haunt", SAMPLE[1::8])
def test_listed_commands_are_exactly_the_accepted_ones(seed: int, seats: int, haunt: str) -> None:
    game, accepted, refused = completeness.check_game(by_post(), seed, seats=seats, haunt=haunt, every=3)
    assert game.state.status == "finished"
    assert accepted > 20
    assert refused > 20


@pytest.mark.parametrize("seed,seats,haunt", SAMPLE[2::8])
def test_legality_for_a_role_is_a_function_of_its_view(seed: int, seats: int, haunt: str) -> None:
    game = open_table(by_post(), seed, seats=seats, haunt=haunt)
    assert completeness.legality_is_the_roles_own(game, steps(game, random.Random(seed))) > 100


@pytest.mark.parametrize("seed", range(3))
def test_a_hidden_traitor_cannot_be_told_from_the_outside(seed: int) -> None:
    assert secrecy.hidden_roles_tell_nothing(by_post(), seed, "the-hollow-guest") > 10
