"""What a view tells of monsters, and of explorers who are out of the house."""

import pytest

from content.ledger import rule_ids
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from projections.choices.decisions import decisions_of
from projections.view.game import view_of
from tests.support.menagerie import MENAGERIE
from tests.support.packs import rules_with
from tests.support.table import Table


def menagerie(edition: str = "") -> Table:
    """Seat 2 is the traitor; a magpie and a stunned ape are with seat 0, and an Axe lies there."""
    table = Table(game=rules_with(haunt=MENAGERIE, edition=edition))
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.haunt("menagerie", traitor=2)
    table.monster("magpie-1", "entrance-hall")
    table.monster("ape-1", "entrance-hall")
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)
    return table


def test_a_monsters_token_has_a_color_and_a_number_and_what_it_carries_can_be_seen() -> None:
    table = menagerie()
    table.pick_up("axe", monster="magpie-1")

    view = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS)

    assert [(one.title, one.color, one.cards) for one in view.monsters] == [
        ("Magpie 1", "blue", ["axe"]),
        ("Ape 1", "red", []),
    ]


def test_what_monsters_may_do_has_labels() -> None:
    table = menagerie()
    table.put(2, "entrance-hall")
    table.turn(2, monsters=True)
    table.pick_up("axe", monster="magpie-1")
    table.turn(2, monsters=True)

    labels = {one.label for one in decisions_of(table.rules, table.view(2), seat_bit(2)).yours[0].commands}

    assert {"Magpie 1: Drop Axe", "Magpie 1: Offer Axe to Jenny LeClerc", "Ape 1: Bite on Ox Bellows"} <= labels


@pytest.mark.rule("2E-HSET-002", case=1, asserts=True)
def test_the_traitor_is_told_which_rules_it_has_to_know_and_heroes_are_not() -> None:
    table = menagerie()

    def told(mask: int) -> list[str]:
        haunt = view_of(table.rules, table.roles[mask], mask).haunt
        assert haunt is not None
        return haunt.must_know

    powers = {rule for rule in rule_ids() if rule.startswith(("2E-TPOW-", "2E-MON-"))}
    assert set(told(seat_bit(2))) == powers >= {"2E-TPOW-002", "2E-MON-013"}
    assert told(REFEREE) == told(seat_bit(2))
    assert told(seat_bit(0)) == told(SPECTATORS) == []


def test_by_post_the_traitor_has_to_know_the_books_rules_too_where_the_variant_restates_none() -> None:
    table = menagerie(edition="play-by-post")

    haunt = view_of(table.rules, table.roles[REFEREE], REFEREE).haunt

    assert haunt is not None
    assert {"PBP-TPOW-001", "PBP-MON-007", "2E-TPOW-001"} <= set(haunt.must_know)
    assert not {"2E-TPOW-002", "2E-MON-013"} & set(haunt.must_know)
