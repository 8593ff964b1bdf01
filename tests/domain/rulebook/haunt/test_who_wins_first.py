"""Who has won when several things come at once, and what is told at the end (rulebook: Winning the Game)."""

import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.commands import Choose
from domain.facts.events import CounterMoved, Disclosed, GameEnded, SideChanged, TextTold, TurnStarted
from domain.game import close_game
from domain.queries.characters import winning_seats
from projections.board import board_of
from projections.naming.standings import verdict
from projections.view.game import view_of
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

BOTH_AT_ONCE = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  traitor: {revealer: true}
  story: S
  counters: {bell: {title: Bell, start: 0, max: 3}}
  monsters:
    wolf: {title: Wolf, speed: 3, might: 2}
  heroes:
    story: S
    goal: G
    actions: [{word: TOLL, do: [{count: {counter: bell, by: 1}}]}]
    wins-when: {counter: bell, at-least: 1}
    because: For whom it tolls.
    ending: Light.
  traitor-book:
    story: S
    goal: G
    actions:
      - {word: TOLL, do: [{count: {counter: bell, by: 1}}]}
      - {word: HOWL, for: monsters, do: [{count: {counter: bell, by: 1}}]}
    on: [{when: monsters-ended, for: everyone, do: [{count: {counter: bell, by: 1}}]}]
    wins-when: {counter: bell, at-least: 1}
    because: For them it tolls.
    ending: Dark.
"""
NO_TRAITOR = """
  id: h
  title: H
  stage: draft
  kind: no-traitor
  story: S
  heroes:
    story: S
    goal: G
    actions: [{word: FLEE, do: [{win: {side: heroes, because: They are out.}}, {gain: {trait: might}}]}]
    ending: Light.
"""
WON_ALREADY = BOTH_AT_ONCE.replace("start: 0", "start: 1")


def both(traitor: int = 0) -> Table:
    """One stroke of the bell fulfills both goals; seat 0 has the turn."""
    table = Table(game=rules_with(haunt=BOTH_AT_ONCE))
    table.haunt("h", traitor=traitor)
    return table


@pytest.mark.rule("2E-WIN-001", case=2)
@pytest.mark.parametrize("traitor, winner", [(0, "traitor"), (1, "heroes")])
def test_where_both_goals_are_reached_at_once_the_side_that_acts_has_won(traitor: int, winner: str) -> None:
    table = both(traitor)
    told = table.act("haunt:traitor" if traitor == 0 else "haunt:heroes", "TOLL")
    assert the(told, GameEnded).winner == winner
    assert [one.text for one in events(told, TextTold)] == [f"{winner}.ending"]


@pytest.mark.rule("2E-WIN-003")
def test_where_there_is_no_traitor_the_house_wins_with_whom_it_has_turned() -> None:
    table = Table(game=rules_with(haunt=NO_TRAITOR))
    table.haunt("h")
    table.happen(SideChanged(figure=1, side="traitor"))
    table.die(0)
    assert table.state.status == "started"

    table.die(2)

    assert (table.state.winner, winning_seats(table.state)) == ("house", [1])
    assert verdict(table.rules, table.state).startswith("The house has won in turn")
    assert "The house has won" in board_of(view_of(table.rules, table.state, SPECTATORS))


@pytest.mark.rule("2E-WIN-001", case=2)
def test_an_act_of_a_monster_that_fulfills_both_goals_is_the_traitors_victory() -> None:
    table = both(0)
    table.monster("wolf-1", "upper-landing")
    table.turn(0, monsters=True)

    told = table.act("haunt:traitor", "HOWL", monster="wolf-1")

    assert (the(told, GameEnded).winner, the(told, GameEnded).because) == ("traitor", "For them it tolls.")


@pytest.mark.rule("2E-WIN-004", case=1)
def test_monsters_that_play_on_complete_the_goal_of_a_dead_traitor() -> None:
    haunt = BOTH_AT_ONCE.replace(
        "traitor-book:\n    story: S",
        "traitor-book:\n    plays-on: {count: {monsters: wolf}, at-least: 1}\n    story: S",
    ).replace("    on: [{when: monsters-ended, for: everyone, do: [{count: {counter: bell, by: 1}}]}]\n", "")
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=2)
    table.monster("wolf-1", "upper-landing")
    table.die(2)
    table.end_turn()
    table.rolls([1, 1, 1]).end_turn()
    assert (table.state.turn.monsters, table.seat) == (True, 2)

    told = table.act("haunt:traitor", "HOWL", monster="wolf-1")

    assert (the(told, GameEnded).winner, the(told, GameEnded).rule) == ("traitor", "2E-WIN-004")


@pytest.mark.rule("2E-WIN-004")
@pytest.mark.parametrize("traitor", [0, 2])
def test_in_the_monsters_turn_the_traitors_goal_comes_first_even_of_a_dead_traitor(traitor: int) -> None:
    table = both(traitor)
    table.monster("wolf-1", "upper-landing")
    table.turn(1)
    table.die(traitor)
    table.turn(traitor, monsters=True)

    told = table.end_turn()

    ended = the(told, GameEnded)
    assert (ended.winner, ended.because) == ("traitor", "For them it tolls.")


@pytest.mark.rule("2E-WIN-004", case=2, asserts=True)
def test_a_goal_that_needs_the_living_traitor_is_not_won_by_its_monsters() -> None:
    haunt = BOTH_AT_ONCE.replace(
        "wins-when: {counter: bell, at-least: 1}\n    because: For them",
        "plays-on: {count: {monsters: wolf}, at-least: 1}\n"
        "    wins-when: {counter: bell, at-least: 1, not: {dead: traitor}}\n    because: For them",
    ).replace(
        "counter: bell, at-least: 1}\n    because: For whom", "counter: bell, at-least: 3}\n    because: For whom"
    )
    for dead in (False, True):
        table = Table(game=rules_with(haunt=haunt))
        table.haunt("h", traitor=2)
        table.monster("wolf-1", "upper-landing")
        table.turn(1 if dead else 2)
        if dead:
            table.die(2)
        assert the(table.rolls([1, 1, 1]).end_turn(), TurnStarted).monsters

        told = table.act("haunt:traitor", "HOWL", monster="wolf-1")

        assert the(told, CounterMoved).to == 1, "what the goal counts is there"
        assert [one.winner for one in events(told, GameEnded)] == ([] if dead else ["traitor"])
        assert table.view(1).status == ("started" if dead else "finished")
        if dead:
            assert not events(table.end_turn(), GameEnded)
            assert (table.seat, table.state.turn.monsters) == (0, False)


@pytest.mark.parametrize("traitor", [0, 2])
def test_the_end_discloses_every_side_whichever_seat_the_traitor_has(traitor: int) -> None:
    table = both(traitor)
    told = table.act("haunt:traitor" if traitor == 0 else "haunt:heroes", "TOLL")

    disclosed = the(told, Disclosed)
    assert (disclosed.traitor, disclosed.innocents) == (traitor, [seat for seat in range(3) if seat != traitor])
    sides = [one.side for one in table.roles[SPECTATORS].explorers]
    assert sides == ["traitor" if seat == traitor else "heroes" for seat in range(3)]


def test_a_game_without_a_traitor_discloses_none_and_reads_the_one_ending() -> None:
    table = Table(game=rules_with(haunt=NO_TRAITOR))
    table.haunt("h")

    told = table.act("haunt:heroes", "FLEE")

    assert not events(told, Disclosed)
    assert [one.text for one in events(told, TextTold)] == ["heroes.ending"]
    assert isinstance(told[-1].event, GameEnded), "what follows in the text no longer happens"
    assert (table.view(0).winner, table.view(0).because) == ("heroes", "They are out.")


def test_a_goal_that_holds_from_the_start_is_won_when_everybody_is_ready_and_not_before() -> None:
    table = Table(game=rules_with(haunt=WON_ALREADY), options={"haunt": "h"})
    reveal(table)
    assert table.view(0).status == "started"

    table.all_ready()

    assert (table.view(0).status, table.view(0).winner) == ("finished", "heroes")


def test_after_the_end_nothing_more_happens() -> None:
    """The last hero dies in the own turn, which would else end now, with the monsters next."""
    table = both(traitor=2)
    table.monster("wolf-1", "entrance-hall")
    table.die(1)
    table.hold(0, "axe")

    table.die(0)

    told = table.commits[-1]
    assert isinstance(told[-1].event, GameEnded)
    assert the(told, GameEnded).because == "All heroes are dead."
    assert table.state.frames == []
    assert table.state.open == {}


def test_a_game_that_reaches_its_turn_limit_is_over_with_no_winner() -> None:
    table = Table(options={"turn_limit": 2})
    assert not events(table.end_turn(), GameEnded), "the second turn is still played"

    ended = the(table.end_turn(), GameEnded)

    assert ended.winner == ""
    assert "2" in ended.because
    assert [role.status for role in table.roles.values()] == ["finished"] * len(table.roles)
    with table.refuses(problem="decision-closed"):
        table.end_turn()


def test_no_ending_is_read_where_nobody_has_won() -> None:
    table = Table(options={"turn_limit": 1})
    table.haunt("the-bell-below", traitor=1)

    told = table.end_turn()

    assert the(told, GameEnded).winner == ""
    assert not events(told, TextTold)


def test_a_game_that_is_given_up_waits_for_nobody_any_more() -> None:
    table = Table()
    table.hold(0, "axe")
    table.turn(0)
    table.trade(1, ["axe"])
    offer = table.asked(1).id

    table.commit(close_game(table.rules, table.state, "They went home."))

    for role in table.roles.values():
        assert (role.status, role.open, role.frames) == ("abandoned", {}, [])
    with table.refuses(problem="decision-closed"):
        table.play(1, Choose(decision=offer, option="yes"))
    assert not table.offers(1)
    with table.refuses(problem="game-over"):
        close_game(table.rules, table.state, "They went home again.")
