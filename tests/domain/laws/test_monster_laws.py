"""The laws over games with monsters that carry, steal, explore and act, a traitor without a figure and heroes who change sides."""

import random

import pytest

from domain.engine.rules import Rules
from tests.laws import completeness, replay, secrecy
from tests.laws.playout import open_table, steps
from tests.support.menagerie import AVIARY, MENAGERIE
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


def third(haunt: str) -> Rules:
    """The third edition with one of these haunts."""
    return rules_with("third-edition", haunt=haunt)


THIRD = [
    (MENAGERIE, "menagerie"),
    (AVIARY.replace("RUN-BY", "traitor"), "aviary"),
    (AVIARY.replace("RUN-BY", "right-of-revealer"), "aviary"),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("haunt, name", THIRD)
def test_the_laws_hold_for_monsters_that_act_after_the_traitor(haunt: str, name: str, seed: int) -> None:
    game, accepted, refused = completeness.check_game(third(haunt), seed, seats=3 + seed, haunt=name, every=4)

    assert game.state.status == "finished"
    assert accepted > 50
    assert refused > 50
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)


@pytest.mark.parametrize("haunt, name", THIRD)
def test_what_third_edition_monsters_may_do_is_a_function_of_their_players_view(haunt: str, name: str) -> None:
    game = open_table(third(haunt), 10, haunt=name)
    assert completeness.legality_is_the_roles_own(game, steps(game, random.Random(10)), every=3) > 100


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("haunt, name", THIRD[1:])
def test_neither_monsters_nor_powers_give_a_hidden_traitor_away(haunt: str, name: str, seed: int) -> None:
    assert secrecy.hidden_roles_tell_nothing(third(haunt), seed, name) > 10
