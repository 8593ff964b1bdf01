"""A game that somebody prepared says so to everybody: its result proves nothing about luck."""

import pytest

from domain.audience import REFEREE
from domain.events import GameOpened
from domain.evolve import fold, redact
from domain.game import open_game
from domain.state import State
from tests.laws.playout import principals
from tests.support.packs import rules


@pytest.mark.parametrize("arranged", [True, False])
def test_everybody_learns_whether_a_game_was_prepared_and_the_referee_alone_how(*, arranged: bool) -> None:
    opened = GameOpened(
        game="g",
        edition="second",
        pack="second-edition",
        pack_digest="",
        seats=3,
        options={},
        source="seeded",
        arranged=arranged,
    )
    _, told = open_game(rules("second-edition"), opened, {"omen": ["skull"]} if arranged else None)

    for principal in principals(3):
        known = fold(State(), [redact(told, principal)])
        assert known.arranged == arranged
        assert bool(known.setup) == (arranged and principal == REFEREE)
