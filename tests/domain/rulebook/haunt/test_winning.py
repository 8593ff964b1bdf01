"""Winning: who reaches its goal first, and what can no longer be won (rulebook: Winning the Game)."""

import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.commands import EndTurn, Enter
from domain.facts.events import Disclosed, GameEnded, TextTold, TurnStarted
from domain.facts.state import MODERATOR
from domain.rulebook.haunt.entering import BOOK
from projections.view.haunts import haunt_of
from tests.support.desk import Desk
from tests.support.packs import rules_with
from tests.support.table import FIVE, Table, events, the


def last_verse() -> Table:
    """The heroes are one verse of the rite short, and seat 0 stands at the nest."""
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    table.counter("verses", 3)
    table.act("haunt:heroes", "CHANT")
    return table


@pytest.mark.rule("2E-WIN-001", case=1)
def test_the_side_that_completes_its_goal_wins_and_nothing_more_can_be_done() -> None:
    table = last_verse()

    told = table.rolls([2, 2, 1]).choose(0, "sanity")

    assert the(told, GameEnded).winner == "heroes"
    for role in table.roles.values():
        assert (role.status, role.winner) == ("finished", "heroes")
    with table.refuses(problem="decision-closed"):
        table.play(0, EndTurn(decision=table.now))
    assert not table.offers(0)


@pytest.mark.rule("2E-WIN-002", case=1, asserts=True)
def test_a_goal_of_the_haunt_is_won_with_everybody_alive() -> None:
    table = last_verse()
    table.rolls([2, 2, 1]).choose(0, "sanity")
    assert all(one.alive for one in table.state.explorers)
    assert (table.view(0).winner, bool(table.view(0).because)) == ("heroes", True)


@pytest.mark.rule("2E-WIN-002", case=2, asserts=True)
def test_the_death_of_the_traitor_alone_wins_nothing_where_the_goal_is_another() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.turn(0)
    table.die(1)
    assert (table.view(0).status, table.view(0).winner) == ("started", "")
    told = table.end_turn()
    assert not events(told, GameEnded)
    assert (the(told, TurnStarted).seat, bool(table.goals(2))) == (2, True), "the heroes still have theirs to reach"


@pytest.mark.rule("2E-WIN-003", case=2)
def test_when_all_heroes_are_dead_the_traitor_has_won() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.die(0, 2)
    assert (table.view(1).status, table.view(1).winner) == ("finished", "traitor")


WOLVES = """
  id: wolves
  title: Wolves
  stage: draft
  kind: one-traitor
  story: S
  counters: {signs: {title: Signs}}
  monsters: {wolf: {title: Wolf, speed: 3, might: 2}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: SIGN, do: [{count: {counter: signs, by: 1}}]}
      - {word: SIGN-AND-DIE, do: [{count: {counter: signs, by: 1}}, {lose: {trait: sanity, steps: 8}}]}
      - {word: DIE-AND-SIGN, do: [{lose: {trait: sanity, steps: 8}}, {count: {counter: signs, by: 1}}]}
    wins-when: {counter: signs, at-least: 1}
  traitor-book: {story: S, goal: G, plays-on: {count: {monsters: wolf}, at-least: 1}}
"""


@pytest.mark.rule("2E-WIN-003", case=3, asserts=True)
def test_the_last_hero_dies_when_the_traitor_is_dead_and_its_monsters_can_win() -> None:
    table = Table(game=rules_with(haunt=WOLVES))
    table.haunt("wolves", traitor=1)
    table.monster("wolf-1", "upper-landing")
    table.die(1)
    table.turn(2)
    table.die(0)
    assert table.view(2).status == "started"

    table.die(2)

    assert (table.view(1).status, table.view(1).winner) == ("finished", "traitor")


@pytest.mark.rule("2E-WIN-003", case=4, asserts=True)
def test_the_fourth_hero_wins_for_three_who_are_dead() -> None:
    table = Table(FIVE, game=rules_with(haunt=WOLVES))
    table.haunt("wolves", traitor=4)
    table.die(1, 2, 3)
    assert table.view(0).status == "started"

    told = table.act("haunt:heroes", "SIGN")

    assert (the(told, GameEnded).winner, the(told, GameEnded).rule) == ("heroes", "2E-WIN-001")


@pytest.mark.rule("2E-WIN-003", case=1)
@pytest.mark.parametrize("word", ["SIGN-AND-DIE", "DIE-AND-SIGN"])
def test_an_act_that_reaches_the_goal_and_kills_the_last_hero_is_no_victory_of_heroes(word: str) -> None:
    table = Table(game=rules_with(haunt=WOLVES))
    table.haunt("wolves", traitor=1)
    table.monster("wolf-1", "upper-landing")
    table.die(2)

    told = table.act("haunt:heroes", word)

    assert (the(told, GameEnded).winner, the(told, GameEnded).rule) == ("traitor", "2E-WIN-003")


@pytest.mark.rule("2E-WIN-005", case=1, asserts=True)
def test_after_the_victory_the_winners_ending_is_read_to_all() -> None:
    table = last_verse()
    told = table.rolls([2, 2, 1]).choose(0, "sanity")
    assert the(told, Disclosed).traitor == 1
    ending = [one for one in told if isinstance(one.event, TextTold)]
    assert [one.event.text for one in ending if isinstance(one.event, TextTold)] == ["heroes.ending"]
    assert all(one.to & SPECTATORS for one in ending)
    text = table.rules.pack.haunts["the-gnawing-tide"].book("heroes").ending
    for role in table.roles.values():
        haunt = haunt_of(table.rules, role)
        assert haunt is not None
        assert haunt.ending == text


CLAIM = {"win": {"side": "heroes", "because": "We have seen enough."}}


@pytest.mark.rule("2E-OBJ-002", case=1, asserts=True)
def test_before_the_haunt_nobody_can_claim_a_victory() -> None:
    table = Desk(options={"haunt": "external"})
    for book in ("haunt:heroes", "haunt:traitor"):
        with table.refuses("2E-SETUP-001"):
            table.act(book, "WIN")
    for actor in (0, MODERATOR):
        with table.refuses(problem="nothing-to-enter"):
            table.play(actor, Enter(decision=BOOK, book="heroes", entry={"do": [CLAIM]}))
    table.dispute(0)
    with table.refuses(problem="unfit-amendment"):
        table.rule("amend", do=[CLAIM])
    assert table.state.status == "started"
