"""What is tried agrees with what is done, in games played at random."""

import pytest

from tests.laws.playout import play
from tests.laws.trying import the_referee_knows_what_the_engine_does, tried_is_done, worlds_agree
from tests.support.packs import HAUNTS, by_post, rules


@pytest.mark.parametrize("seed, haunt", [(1, "the-hollow-guest")])
def test_a_dry_run_says_what_the_command_asks_first(seed: int, haunt: str) -> None:
    assert tried_is_done(rules("second-edition"), seed, haunt=haunt) > 30


@pytest.mark.parametrize("seed, haunt", [(5, "the-room-that-listens")])
def test_worlds_agree_with_what_roles_know(seed: int, haunt: str) -> None:
    assert worlds_agree(rules("second-edition"), seed, haunt=haunt) > 5


def test_the_referee_is_told_of_everything() -> None:
    the_referee_knows_what_the_engine_does(play(rules("second-edition"), 6, haunt="the-hollow-guest"))


@pytest.mark.prove
@pytest.mark.parametrize("haunt", HAUNTS)
@pytest.mark.parametrize("seats", [3, 6])
def test_in_every_haunt_what_is_tried_agrees_with_what_is_done(haunt: str, seats: int) -> None:
    for seed in range(2):
        tried_is_done(rules("second-edition"), seed, seats=seats, haunt=haunt)
        worlds_agree(rules("second-edition"), seed, seats=seats, haunt=haunt)
        the_referee_knows_what_the_engine_does(play(rules("second-edition"), seed, seats=seats, haunt=haunt))


@pytest.mark.prove
def test_in_other_editions_what_is_tried_agrees_with_what_is_done() -> None:
    for edition in (rules("third-edition"), by_post()):
        for seed in range(6):
            tried_is_done(edition, seed)
            worlds_agree(edition, seed)
