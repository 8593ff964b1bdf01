"""The laws of traces over a fixed sample of games."""

import pytest
from msgspec.structs import replace

from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.events import ActionTaken, Told
from tests.laws import tracing
from tests.laws.playout import play, principals
from tests.support.packs import EVERY_HAUNT, rules

SAMPLE = [(pack, seed, 3 + seed % 4, haunt) for seed, (pack, haunt) in enumerate(EVERY_HAUNT)]


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


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[5::24])
def test_steps_are_found_by_turn_round_and_seat_as_the_whole_trace_tells_them(
    pack: str, seed: int, seats: int, haunt: str
) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    for who in (REFEREE, seat_bit(0), SPECTATORS):
        assert tracing.a_filter_changes_no_step(game, who) > 40


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[1::9])
def test_the_referee_is_shown_the_step_behind_an_event(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    assert tracing.steps_are_found_in_their_boxes(game) > 10


def test_what_an_older_revision_decided_otherwise_is_told_without_its_steps_and_the_rest_as_ever() -> None:
    game = play(rules("second-edition"), 3, haunt="the-bell-below")
    commits = list(tracing.commits_of(game, REFEREE))
    number = next(place for place, commit in enumerate(commits) if isinstance(commit.told[0].event, ActionTaken))
    first, *others = commits[number].told
    otherwise = Told(first.to, replace(first.event, rule="2E-TERM-001"))
    recorded = [*commits[:number], replace(commits[number], told=[otherwise, *others]), *commits[number + 1 :]]
    told, whole = (tracing.trace(game.rules, one, REFEREE) for one in (recorded, commits))
    assert [step.number for step in told if step != whole[step.number - 1]] == [number + 1]
    assert told[number].changes == whole[number].changes
    assert told[number].happened[0].rule == "2E-TERM-001"
    assert not any(one.at for one in told[number].happened)


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_every_haunt_is_traced_with_rules_and_from_anywhere(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    for who in principals(seats):
        tracing.everything_cites(game, who)
        tracing.a_trace_begins_anywhere(game, who, every=29)
        tracing.a_filter_changes_no_step(game, who)
    assert tracing.steps_are_found_in_their_boxes(game) > 3
