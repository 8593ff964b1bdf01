"""No card and no tile is lost or doubled, over a sample of games (see `tests/laws/conservation.py`)."""

import pytest

from tests.laws import conservation
from tests.support.packs import HAUNTS, THIRD, rules


@pytest.mark.parametrize("seed", range(15))
def test_every_card_and_tile_of_the_second_edition_is_in_one_place(seed: int) -> None:
    assert (
        conservation.check_game(
            rules("second-edition"), seed, seats=3 + seed % 4, haunt=HAUNTS[seed % len(HAUNTS)], every=4
        )
        > 100
    )


@pytest.mark.parametrize("seed", range(9))
def test_every_card_and_tile_of_the_third_edition_is_in_one_place(seed: int) -> None:
    haunt = THIRD[2 * seed % len(THIRD)]
    assert conservation.check_game(rules("third-edition"), seed, seats=3 + seed % 4, haunt=haunt, every=4) > 100
