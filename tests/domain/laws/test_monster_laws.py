"""The laws over games with monsters that carry, steal, explore and act, a traitor without a figure and heroes who change sides."""

import random

import pytest

from domain.evolve import fold, redact
from domain.state import State
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
    known: dict[int, State] = {seat: State() for seat in range(4)}
    folded = 0
    for number, _ in enumerate(steps(game, random.Random(seed))):
        for commit in game.commits[folded:]:
            for seat, state in known.items():
                fold(state, [redact(commit, 1 << seat)])
        folded = len(game.commits)
        if number % 3 == 0:
            completeness.legality_is_the_roles_own(game, known)
