"""How a game ended, as each role knows it: when, who has won, and why, in the words of a book that the role has read."""

from __future__ import annotations

import pytest

from domain.evolve import fold_commit
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.state import State
from domain.game import close_game
from projections.view.ending import EndingView, ending_of
from projections.view.game import view_of
from tests.laws.playout import Game, open_table, play
from tests.support.packs import rules


def ending(game: Game, principal: Mask) -> EndingView:
    state = State()
    for number, told in enumerate(game.commits, 1):
        fold_commit(state, number, told, principal)
    found = ending_of(game.rules.of(state), state)
    assert found is not None
    assert view_of(game.rules, state, principal).ending == found
    return found


@pytest.fixture(scope="module")
def brood() -> Game:
    """The traitor wins by the goal of its own book."""
    return play(rules("second-edition"), 1102, seats=5, haunt="the-brood-in-the-walls")


def test_it_tells_the_turn_the_round_the_haunt_who_won_and_what_became_of_the_others(brood: Game) -> None:
    found = ending(brood, REFEREE)
    assert (found.turn, found.round, found.haunt, found.winner, found.seats) == (
        83,
        7,
        "the-brood-in-the-walls",
        "traitor",
        [4],
    )
    assert found.because == brood.state.because
    assert found.summary == (
        "The traitor has won in turn 83, round 7 of The Brood in the Walls. The brood comes out of the walls in its new skin, and "
        "the house has as many hands as it has rooms. Winner: Madame Zostra. "
        'Dead: Darrin "Flash" Williams and Heather Granville.'
    )


def test_why_is_what_the_book_says_for_those_alone_who_have_read_it(brood: Game) -> None:
    told = "The traitor's side wins as soon as there are at least 10 Hatchlings in the house."
    assert [ending(brood, principal).why for principal in (REFEREE, seat_bit(4))] == [told, told]
    unread = "The traitor's book, which this role has not read, says so."
    assert [ending(brood, principal).why for principal in (seat_bit(0), SPECTATORS)] == [unread, unread]


@pytest.mark.parametrize(
    "pack,seed,seats,haunt,why",
    [
        (
            "second-edition",
            1101,
            4,
            "the-borrowed-face",
            "The traitor's side wins at the start of each round if “Hours of fading” has reached 9.",
        ),
        ("second-edition", 1100, 3, "the-bell-below", "All heroes are dead."),
        ("third-edition", 1212, 3, "the-music-stops", "You win as soon as there is at most 1 explorer alive."),
    ],
)
def test_a_clock_the_rulebook_and_a_free_for_all_say_why_too(
    pack: str, seed: int, seats: int, haunt: str, why: str
) -> None:
    assert ending(play(rules(pack), seed, seats=seats, haunt=haunt), REFEREE).why == why


def test_a_game_that_was_closed_tells_nobody_who_has_won() -> None:
    game = open_table(rules("second-edition"), 1)
    assert ending_of(game.rules, game.state) is None
    game.commit(close_game(game.rules, game.state, "The host has closed it."))
    found = ending(game, SPECTATORS)
    assert (found.winner, found.seats, found.haunt, found.round) == ("", [], "", 0)
    assert found.summary == "The game was abandoned in turn 1. The host has closed it."
    assert found.why == "The host has closed it."
