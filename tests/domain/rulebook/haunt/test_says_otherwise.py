"""What a haunt may bar or order otherwise: revealing, attacks among explorers, the order of Right Now."""

import pytest

from domain.facts.commands import Attack, Reveal
from domain.facts.events import TokenPlaced
from tests.support.packs import rules_with
from tests.support.table import Table, events

MASKS = """
  id: masks
  title: Masks
  stage: draft
  kind: hidden-traitor
  story: S
  reveal-if: {round-at-least: 2}
  truce: true
  heroes: {story: S, goal: G}
"""


def masked() -> Table:
    """Seat 1 is the hidden traitor; everybody is in the Entrance Hall."""
    table = Table(game=rules_with(haunt=MASKS))
    table.haunt("masks", traitor=1)
    return table


@pytest.mark.rule("2E-HID-005")
def test_where_the_haunt_bars_it_the_hidden_traitor_has_to_wait() -> None:
    table = masked()
    assert not table.offers(1, Reveal)
    with table.refuses("2E-HID-005"):
        table.reveal(1)
    with table.refuses("2E-HID-008"):
        table.reveal(0)
    for _ in range(6):
        table.end_turn()

    assert table.offers(1, Reveal)
    table.reveal(1)

    assert table.explorer(1).side == "traitor"


def test_where_revealing_is_barred_it_is_no_answer_to_harm_either() -> None:
    table = masked()
    table.lay("furnace-room", "basement", 0, 1)
    table.put(1, "furnace-room")
    table.turn(1)

    table.end_turn()

    assert table.asked(1).options == ["pass"]


@pytest.mark.rule("2E-HID-009", case=5)
def test_a_truce_holds_until_the_traitor_is_known() -> None:
    table = masked()
    assert not table.offers(0, Attack)
    with table.refuses("2E-HID-009"):
        table.attack(1)
    for _ in range(6):
        table.end_turn()
    table.reveal(1)
    table.turn(0)

    assert [one.target for one in table.offers(0) if isinstance(one, Attack)] == [1]


FIRST = """
  id: first
  title: First
  stage: draft
  kind: one-traitor
  traitor: {revealer: true}
  story: S
  traitor-first: true
  tokens: [{id: bait, title: Bait}, {id: trap, title: Trap}]
  heroes: {story: S, goal: G, right-now: [{place-token: {token: bait}}]}
  traitor-book: {story: S, goal: G, right-now: [{place-token: {token: trap}}]}
"""


@pytest.mark.rule("2E-HSET-006")
def test_a_haunt_may_have_the_traitors_right_now_done_first() -> None:
    table = Table(game=rules_with(haunt=FIRST), options={"haunt": "first"})
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.lay_anyhow()
    table.rolls([0] * 6).end_turn()

    table.all_ready()

    told = [one for commit in table.commits for one in commit]
    assert [one.token for one in events(told, TokenPlaced)] == ["trap", "bait"]
