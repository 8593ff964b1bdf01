"""The laws at tables that take back."""

import pytest

from tests.laws import going_back, replay
from tests.support.packs import rules

GAMES = (("second-edition", 11, ""), ("second-edition", 12, "the-hollow-guest"), ("third-edition", 13, ""))


@pytest.mark.parametrize("pack, seed, haunt", GAMES)
def test_a_game_with_take_backs_is_a_game_like_any_other(pack: str, seed: int, haunt: str) -> None:
    game, taken = going_back.play_taking_back(rules(pack), seed, haunt=haunt)

    assert taken > 10
    assert going_back.everybody_knows_what_they_knew(game) == taken
    going_back.no_die_is_dealt_twice(game)
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    going_back.redeciding_gives_the_log(game)
