"""The laws over games in which the table settles things by itself."""

import pytest

from domain.facts.events import CoinFlipped, RulingAgreed
from tests.laws import replay
from tests.laws.playout import Game
from tests.laws.talking import play_talking, talk_is_talk_whatever_is_half_done
from tests.support.packs import THIRD, rules

SAMPLE = [
    ("second-edition", 3, 3, "the-gnawing-tide"),
    ("second-edition", 4, 4, "the-hollow-guest"),
    ("second-edition", 5, 5, "the-bell-below"),
    ("second-edition", 7, 3, "the-hollow-guest"),
    ("third-edition", 6, 3, "the-night-shift"),
    ("third-edition", 7, 4, "going-once"),
]
LONG = [("third-edition", seed, 3 + seed % 4, haunt) for seed, haunt in enumerate(THIRD)]


def keeps_the_laws(game: Game) -> None:
    assert game.state.status == "finished"
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)
    replay.tape_gives_the_log(game)
    replay.moderator_gives_the_log(game)


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_talking_at_any_moment_breaks_no_law(pack: str, seed: int, seats: int, haunt: str) -> None:
    game, said = play_talking(rules(pack), seed, seats=seats, haunt=haunt)
    kinds = [type(one.event) for commit in game.commits for one in commit]
    assert said > 20
    assert kinds.count(CoinFlipped) > 3
    assert RulingAgreed in kinds
    keeps_the_laws(game)


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", LONG)
def test_talking_breaks_no_law_in_any_haunt(pack: str, seed: int, seats: int, haunt: str) -> None:
    """Whether a ruling is agreed upon in one of these games is up to chance."""
    game, said = play_talking(rules(pack), seed, seats=seats, haunt=haunt)
    assert said
    keeps_the_laws(game)


@pytest.mark.parametrize("source", ["seeded", "moderator", "table"])
@pytest.mark.parametrize("seed,haunt", [(1, "the-hollow-guest"), (2, "the-collectors"), (3, "the-borrowed-face")])
def test_whatever_is_half_done_talk_is_no_play(seed: int, haunt: str, source: str) -> None:
    assert talk_is_talk_whatever_is_half_done(rules("second-edition"), seed, haunt=haunt, source=source) > 12
