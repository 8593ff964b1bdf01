"""A secret that is told to more people: who learns it, and that it is news to nobody who knew (rulebook: Hidden Traitors)."""

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.events import Disclosed, SideTold
from domain.facts.state import State
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, the

LANTERN = """
  id: h
  title: H
  stage: draft
  kind: hidden-traitor
  story: S
  heroes:
    story: S
    goal: G
    texts: {clue: It was somebody with cold hands.}
    actions:
      - {word: SHINE, do: [{reveal: traitor}]}
      - {word: SEARCH, do: [{tell: {side: all, text: clue}}]}
"""
SIDES = ["heroes", "traitor", "heroes", "heroes"]


def hidden() -> Table:
    """Seat 1 is the traitor, which nobody else knows."""
    table = Table(FOUR)
    table.haunt("the-hollow-guest", traitor=1)
    return table


def lantern() -> Table:
    """Seat 1 is the traitor, which nobody else knows, and the haunt has means to find out."""
    table = Table(FOUR, game=rules_with(haunt=LANTERN))
    table.haunt("h", traitor=1)
    return table


def sides(state: State) -> list[str]:
    """The sides of all explorers, as far as they are known."""
    return [one.side for one in state.explorers]


@pytest.mark.rule("2E-HID-005")
def test_a_revealed_traitor_clears_all_others_before_everybody() -> None:
    table = hidden()
    assert sides(table.roles[SPECTATORS]) == [""] * 4
    assert sides(table.view(0)) == ["heroes", "", "", ""]

    told = table.reveal(1)

    assert the(told, Disclosed).innocents == [0, 2, 3]
    for role in table.roles.values():
        assert sides(role) == SIDES
        assert role.haunt is not None
        assert (role.haunt.traitor, role.haunt.hidden) == (1, False)


def test_at_the_end_everybody_learns_who_the_traitor_was_though_it_never_revealed() -> None:
    table = hidden()

    table.die(0, 2, 3)

    for role in table.roles.values():
        assert (role.status, role.winner) == ("finished", "traitor")
        assert sides(role) == SIDES
        assert role.haunt is not None
        assert role.haunt.traitor == 1


def test_what_is_disclosed_is_news_to_nobody_who_knew() -> None:
    table = hidden()
    table.reveal(1)
    before = {mask: msgspec.json.encode(role) for mask, role in table.roles.items()}

    for role in table.roles.values():
        Disclosed(traitor=1, innocents=[0, 2, 3]).apply(role)

    assert {mask: msgspec.json.encode(role) for mask, role in table.roles.items()} == before


def test_to_name_the_innocent_alone_names_no_traitor() -> None:
    table = hidden()
    spectator = table.roles[SPECTATORS]

    Disclosed(innocents=[2]).apply(spectator)

    assert sides(spectator) == ["", "", "heroes", ""]
    assert spectator.haunt is not None
    assert spectator.haunt.traitor == -1


def test_a_traitor_in_the_first_seat_is_disclosed_like_any_other() -> None:
    table = Table(FOUR)
    table.haunt("the-hollow-guest", traitor=0)
    spectator = table.roles[SPECTATORS]

    Disclosed(traitor=0).apply(spectator)

    assert sides(spectator) == ["traitor", "", "", ""]
    assert spectator.haunt is not None
    assert spectator.haunt.traitor == 0


def test_a_side_told_to_one_is_no_secret_to_the_referee_and_leaves_the_haunt_hidden() -> None:
    table = hidden()
    assert sides(table.roles[REFEREE]) == SIDES
    assert [role.haunt.hidden for role in table.roles.values() if role.haunt is not None] == [True] * len(table.roles)

    SideTold(seat=3, side="heroes", revealed=True).apply(table.roles[SPECTATORS])

    haunt = table.roles[SPECTATORS].haunt
    assert haunt is not None
    assert haunt.hidden, "an explorer that is cleared does not reveal the traitor"


def test_a_text_may_turn_up_the_token_of_a_hidden_traitor_once() -> None:
    table = lantern()
    told = table.act("haunt:heroes", "SHINE")
    assert [one.seat for one in events(told, SideTold)] == [1]
    assert sides(table.roles[SPECTATORS]) == SIDES

    table.turn(0)

    assert not events(table.act("haunt:heroes", "SHINE"), SideTold), "there is nobody left to reveal"


def test_what_was_told_can_be_read_again_and_stands_there_once() -> None:
    table = lantern()
    assert table.view(2).texts == ["story", "heroes.book"]
    for _ in range(2):
        table.act("haunt:heroes", "SEARCH")
        table.turn(0)
    for role in table.roles.values():
        assert role.texts == ["story", "heroes.book", "clue"]
