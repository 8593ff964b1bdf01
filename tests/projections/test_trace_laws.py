"""The laws of traces over a fixed sample of games."""

import pytest

from domain.audience import REFEREE, SPECTATORS, seat_bit
from tests.laws import tracing
from tests.laws.playout import play, principals
from tests.support.packs import HAUNTS, rules

SAMPLE = [
    *[("second-edition", seed, 3 + seed % 4, haunt) for seed, haunt in enumerate(HAUNTS)],
    *[("third-edition", seed, 4, "") for seed in range(3)],
]


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[::6])
def test_everything_that_happens_cites_its_rule(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    for who in (REFEREE, seat_bit(1), SPECTATORS):
        assert tracing.everything_cites(game, who) > 40


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[3::12])
def test_a_trace_can_begin_anywhere(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    for who in (REFEREE, seat_bit(0), SPECTATORS):
        tracing.a_trace_begins_anywhere(game, who, every=97)


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[1::9])
def test_the_referee_is_shown_the_step_behind_an_event(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    assert tracing.steps_are_found_in_their_boxes(game) > 10


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_every_haunt_is_traced_with_rules_and_from_anywhere(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    for who in principals(seats):
        tracing.everything_cites(game, who)
        tracing.a_trace_begins_anywhere(game, who, every=29)
    assert tracing.steps_are_found_in_their_boxes(game) > 3
