"""Standings: how a game ended, in words."""

import re

from domain.facts.events import ExplorerDied, ExplorerEscaped, ExplorerRemoved, GameEnded
from domain.facts.state import State
from domain.game import close_game
from projections.board import board_of
from projections.naming.standings import verdict
from projections.text.picture import house_as_text
from projections.text.post import status_post
from service.cli.play.show import news
from tests.bots.seated import sees
from tests.projections.driver import play
from tests.support.packs import rules
from tests.support.table import FOUR, Table


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


def test_who_got_away_is_not_called_dead() -> None:
    table = Table(FOUR)
    table.haunt("the-bell-below", traitor=1)
    before, _ = sees(table, 0)
    table.happen(ExplorerEscaped(seat=0), ExplorerRemoved(seat=2))

    plan, post = house_as_text(table.rules, table.view(0)), status_post(table.rules, table.view(0), "markdown")

    assert re.search(r"^OB +Ox Bellows \(seat 0\) +escaped$", plan, re.MULTILINE)
    assert re.search(r"^JL +Jenny LeClerc \(seat 2\) +out of the house$", plan, re.MULTILINE)
    assert "- **Ox Bellows**: escaped" in post
    assert "- Jenny LeClerc: out of the house" in post
    assert news(before, sees(table, 0)[0]) == [
        "Ox Bellows has escaped (Entrance Hall)",
        "Jenny LeClerc is out of the house (Entrance Hall)",
    ]
    table.happen(ExplorerDied(seat=1), ExplorerDied(seat=3))
    table.happen(GameEnded(winner="heroes", because="They are out!"))
    assert verdict(table.rules, table.view(0)).endswith(
        ": They are out! Haunt: The Bell Below. The traitor was Zoe Ingstrom. Escaped: Ox Bellows."
    )


def test_a_name_that_ends_with_a_stop_gets_no_second_one() -> None:
    table = Table(["dan-nguyen-md", "oliver-swift", "anita-hernandez"], game=rules("third-edition"))
    assert "Dan Nguyen, M.D." in board_of(sees(table, 0)[0])
    assert "M.D.." not in board_of(sees(table, 0)[0])
    for seat in (1, 2):
        table.happen(ExplorerDied(seat=seat))
    table.happen(GameEnded(winner="", because="Closed by the host.", status="abandoned"))
    assert verdict(table.rules, table.view(0)).endswith(" Alive: Dan Nguyen, M.D.")
