"""What is tried agrees with what is done, in games played at random."""

import pytest

from tests.laws.playout import play
from tests.laws.trying import the_referee_knows_what_the_engine_does, tried_is_done, worlds_agree
from tests.support.packs import EVERY_HAUNT, by_post, rules


@pytest.mark.parametrize(
    "pack, seed, haunt", [("second-edition", 1, "the-hollow-guest"), ("third-edition", 1, "the-anatomy-lesson")]
)
def test_a_dry_run_says_what_the_command_asks_first(pack: str, seed: int, haunt: str) -> None:
    assert tried_is_done(rules(pack), seed, haunt=haunt) > 30


@pytest.mark.parametrize(
    "pack, seed, haunt", [("second-edition", 5, "the-room-that-listens"), ("third-edition", 5, "the-night-shift")]
)
def test_worlds_agree_with_what_roles_know(pack: str, seed: int, haunt: str) -> None:
    assert worlds_agree(rules(pack), seed, haunt=haunt) > 5


def test_the_referee_is_told_of_everything() -> None:
    the_referee_knows_what_the_engine_does(play(rules("second-edition"), 6, haunt="the-hollow-guest"))


@pytest.mark.prove
@pytest.mark.parametrize("pack, haunt", EVERY_HAUNT)
@pytest.mark.parametrize("seats", [3, 6])
def test_in_every_haunt_what_is_tried_agrees_with_what_is_done(pack: str, haunt: str, seats: int) -> None:
    for seed in range(2):
        tried_is_done(rules(pack), seed, seats=seats, haunt=haunt)
        worlds_agree(rules(pack), seed, seats=seats, haunt=haunt)
        the_referee_knows_what_the_engine_does(play(rules(pack), seed, seats=seats, haunt=haunt))


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(6))
def test_by_post_what_is_tried_agrees_with_what_is_done(seed: int) -> None:
    tried_is_done(by_post(), seed)
    worlds_agree(by_post(), seed)
