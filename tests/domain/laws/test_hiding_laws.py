"""The laws over games with monsters that hide from the heroes."""

import random
from itertools import product

import pytest

from tests.laws import completeness, informing, replay, secrecy, tracing
from tests.laws.playout import open_table, play, principals, steps
from tests.laws.trying import the_referee_knows_what_the_engine_does, tried_is_done, worlds_agree
from tests.support.lurking import LURKING, SILENT
from tests.support.packs import rules_with
from tests.support.sampling import sampled


@pytest.mark.parametrize("seed,source", sampled(list(product(range(8), secrecy.SOURCES)), every=12))
def test_nobody_on_the_other_side_finds_out_where_a_monster_hides(seed: int, source: str) -> None:
    rules, seats = rules_with(haunt=SILENT), 3 + seed % 4
    assert secrecy.hideouts_tell_nothing(rules, seed, "lurking", seats=seats, source=source) > 20


@pytest.mark.parametrize("seed", range(3))
def test_listed_commands_are_exactly_the_accepted_ones_and_replay_equals_live(seed: int) -> None:
    game, accepted, refused = completeness.check_game(
        rules_with(haunt=LURKING), seed, seats=3 + seed, haunt="lurking", every=4
    )

    assert game.state.status == "finished"
    assert accepted > 50
    assert refused > 50
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)
    the_referee_knows_what_the_engine_does(game)


@pytest.mark.parametrize("seed", range(10, 13))
def test_legality_for_a_role_is_a_function_of_its_view(seed: int) -> None:
    game = open_table(rules_with(haunt=LURKING), seed, haunt="lurking")
    assert completeness.legality_is_the_roles_own(game, steps(game, random.Random(seed)), every=3) > 100


@pytest.mark.parametrize("seed", range(3))
def test_what_is_tried_agrees_with_what_is_done(seed: int) -> None:
    assert tried_is_done(rules_with(haunt=LURKING), seed, haunt="lurking") > 20


@pytest.mark.parametrize("seed", range(3))
def test_worlds_are_made_for_those_who_know_where_it_hides(seed: int) -> None:
    assert worlds_agree(rules_with(haunt=LURKING), seed, haunt="lurking") > 5


@pytest.mark.parametrize("seed", range(3))
def test_whoever_acts_is_told_what_that_tells_and_traces_cite(seed: int) -> None:
    game = play(rules_with(haunt=LURKING), seed, haunt="lurking")
    informing.who_acts_is_told(game)
    for who in principals(4):
        tracing.everything_cites(game, who)
