"""Standings: how a game ended, in words."""

from domain.events import GameEnded
from domain.game import close_game
from domain.state import State
from projections.standings import verdict
from tests.projections.driver import play
from tests.support.table import Table


def test_while_a_game_goes_on_nothing_is_decided() -> None:
    table = Table()
    assert verdict(table.rules, table.state) == ""


def test_the_winner_the_reason_the_traitor_and_the_living_are_named() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.die(1)
    table.happen(GameEnded(winner="heroes", because="The clapper breaks."))
    assert verdict(table.rules, table.view(0)) == (
        "The heroes have won in turn 2: The clapper breaks. Haunt: The Bell Below. The traitor was Jenny LeClerc. "
        "Alive: Ox Bellows and Jenny LeClerc."
    )


def test_an_abandoned_game_has_no_winner() -> None:
    game = next(play("second-edition", 1))
    game.tell(close_game(game.rules, game.state, "Closed by the host."))
    assert verdict(game.rules, game.state).startswith("The game was abandoned: Closed by the host. Alive: ")
    assert verdict(game.rules, State()) == ""
