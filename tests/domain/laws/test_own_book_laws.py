"""The laws over games whose haunt is entered from people's own books."""

import random
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from content.survey import Spot, walk
from content.vocabulary.effects import Effect
from domain.engine.external import EXTERNAL
from tests.laws import completeness, entering, replay
from tests.laws.playout import open_table
from tests.support.packs import pack, rules
from tests.support.sampling import sampled

SAMPLE = [(seed, 3 + seed % 4) for seed in range(24)]


@pytest.mark.parametrize("seed,seats", sampled(SAMPLE, every=3))
def test_replay_equals_live(seed: int, seats: int) -> None:
    game = entering.play(rules("second-edition"), seed, seats=seats)
    assert game.state.status == "finished"
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)


@pytest.mark.parametrize("seed,seats", SAMPLE[::8])
def test_tape_and_moderator_give_the_same_game(seed: int, seats: int) -> None:
    game = entering.play(rules("second-edition"), seed, seats=seats)
    replay.tape_gives_the_log(game)
    replay.moderator_gives_the_log(game)


def test_either_side_wins_some_of_these_games() -> None:
    winners = Counter(entering.play(rules("second-edition"), seed, seats=4).state.winner for seed in range(30, 36))
    assert winners["heroes"] > 0
    assert winners["traitor"] > 0


@pytest.mark.parametrize("seed,seats", SAMPLE[1::6])
def test_what_a_role_may_do_is_told_by_what_it_was_told(seed: int, seats: int) -> None:
    game = open_table(rules("second-edition"), seed, seats=seats, haunt=EXTERNAL)
    assert completeness.legality_is_the_roles_own(game, entering.steps(game, random.Random(seed))) > 100


@pytest.mark.parametrize("seeds", [(2, 5), pytest.param((0, 1, 3, 4), marks=pytest.mark.prove)])
def test_every_step_that_the_pack_knows_can_be_entered_or_is_refused(seeds: Sequence[int]) -> None:
    """Whatever holds of a pack's own steps leaves a game that goes on, and is the same when it is replayed."""
    base = pack("second-edition")
    pieces = [*base.tiles, *base.cards, *base.haunts, *base.tokens]
    found = [spot.value for piece in pieces for spot in walk(Spot((), piece)) if isinstance(spot.value, Effect)]

    said = [msgspec.to_builtins(one) for one in found]
    total = 0

    for seed in seeds:
        game, held = entering.anything_entered(rules("second-edition"), seed, said)
        total += held
        replay.fold_equals_live(game)
        replay.redeciding_gives_the_log(game)

    assert total > 60, "most games take in many entries before they end"


@pytest.mark.parametrize("seed", sampled(range(6), every=3))
def test_secret_entries_of_the_heroes_tell_the_traitor_nothing(seed: int) -> None:
    assert entering.secret_entries_tell_nothing(rules("second-edition"), seed) > 200
