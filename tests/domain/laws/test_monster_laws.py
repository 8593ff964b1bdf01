"""The laws over games with monsters that carry, steal, explore and act, a traitor without a figure and heroes who change sides."""

import random

import pytest

from tests.laws import completeness, replay
from tests.laws.playout import open_table, steps
from tests.support.menagerie import MENAGERIE
from tests.support.packs import rules_with


@pytest.mark.parametrize("seed", range(3))
def test_listed_commands_are_exactly_the_accepted_ones_and_replay_equals_live(seed: int) -> None:
    rules = rules_with(haunt=MENAGERIE)

    game, accepted, refused = completeness.check_game(rules, seed, seats=3 + seed, haunt="menagerie", every=4)

    assert game.state.status == "finished"
    assert accepted > 50
    assert refused > 50
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)


@pytest.mark.parametrize("seed", range(10, 12))
def test_legality_for_a_role_is_a_function_of_its_view(seed: int) -> None:
    game = open_table(rules_with(haunt=MENAGERIE), seed, haunt="menagerie")
    assert completeness.legality_is_the_roles_own(game, steps(game, random.Random(seed)), every=3) > 100
