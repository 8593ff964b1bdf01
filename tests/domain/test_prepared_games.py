"""A game that somebody prepared says so to everybody: its result proves nothing about luck."""

import pytest

from domain.evolve import fold, redact
from domain.facts.audience import REFEREE
from domain.facts.events import BackSeen, GameOpened, StackArranged
from domain.facts.pieces import Deck
from domain.facts.state import State
from domain.game import open_game
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


def test_a_stack_laid_over_a_top_back_that_was_read_keeps_every_tile() -> None:
    deck = Deck(pool=["attic", "crypt", "vault"], unknown=3)
    state = State(decks={"tiles": deck})
    BackSeen(deck="tiles", back="upper").apply(state)

    StackArranged(deck="tiles", faces=["vault", "attic"]).apply(state)

    assert (deck.size(), deck.unknown, deck.pool) == (3, 1, ["crypt"])
    assert [slot.face for slot in deck.top] == ["vault", "attic"]


def test_a_stack_laid_anew_takes_back_what_was_laid_before() -> None:
    deck = Deck(pool=["attic", "crypt", "vault"], unknown=3)
    state = State(decks={"tiles": deck})
    StackArranged(deck="tiles", faces=["vault"]).apply(state)

    StackArranged(deck="tiles", faces=["crypt"]).apply(state)

    assert (deck.size(), deck.unknown, sorted(deck.pool)) == (3, 2, ["attic", "vault"])
