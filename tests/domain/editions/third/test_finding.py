"""Looking through the stack of tiles in the haunt, and shuffling it (rulebook 2022, Finding Specific Tiles)."""

import msgspec
import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.commands import LookThrough
from domain.facts.events import StackContents, StackLookedThrough, StackShuffled, TilePlaced
from domain.rulebook.turn.options import legal
from projections.view.game import view_of
from tests.support.packs import heroes_may, rules_with
from tests.support.table import Table, events, heard, the
from tests.support.third import discover, haunted, third

OTHERS = (1 << 1, 1 << 2, SPECTATORS)


def look(table: Table) -> LookThrough:
    return LookThrough(decision=table.now)


@pytest.mark.rule("3E-FIND-001", case=1)
def test_a_player_sees_every_tile_of_the_stack_with_its_regions_and_no_order() -> None:
    table = haunted()
    table.stack("tiles", "library", "armory")

    told = table.play(0, look(table))

    seen = the(heard(told, 0), StackContents)
    assert sorted(seen.faces) == sorted(face for face in table.rules.pack.decks["tiles"])
    stack = view_of(table.rules, table.view(0), 1).decks["tiles"]
    assert [one.tile for one in stack.contents] == table.rules.pack.in_order("tiles", seen.faces)
    assert all(one.floors == table.rules.pack.tiles[one.tile].floors for one in stack.contents)
    assert not any(slot.face for slot in stack.known)


@pytest.mark.rule("3E-FIND-001", case=2)
def test_the_others_see_that_somebody_looked_and_nothing_of_what_was_there() -> None:
    table = haunted()

    told = table.play(0, look(table))

    for other in OTHERS:
        assert the(heard(told, other.bit_length() - 1), StackLookedThrough).seat == 0
        text = msgspec.json.encode([one.event for one in told if one.to & other]).decode()
        assert not [face for face in table.rules.pack.decks["tiles"] if f'"{face}"' in text]
        assert view_of(table.rules, table.roles[other], other).decks["tiles"].contents == []


@pytest.mark.rule("3E-FIND-001", case=3)
def test_nobody_looks_through_the_stack_in_exploration() -> None:
    table = third()
    assert not table.offers(0, LookThrough)
    with table.refuses("3E-FIND-001"):
        table.play(0, look(table))


@pytest.mark.rule("3E-FIND-002", case=1)
def test_the_stack_is_shuffled_before_anybody_discovers_another_room() -> None:
    table = haunted()
    table.stack("tiles", "armory")
    size = table.state.decks["tiles"].size()

    told = table.play(0, look(table))

    assert the(told, StackShuffled).rule == "3E-FIND-002"
    deck = table.state.decks["tiles"]
    assert deck.size() == size == len(deck.pool)
    assert not any(slot.face for slot in (*deck.top, *deck.bottom)), "nobody knows where any of them is"
    assert events(discover(table, "library"), TilePlaced), "and only then somebody discovers a room"


def test_it_is_done_once_in_a_turn_and_again_in_the_next() -> None:
    table = haunted()
    table.play(0, look(table))
    assert not table.offers(0, LookThrough)
    with table.refuses("3E-FIND-001"):
        table.play(0, look(table))
    table.turn(1)
    assert table.offers(1, LookThrough)


def test_what_leaves_the_stack_is_no_longer_shown_to_those_who_looked() -> None:
    table = haunted()
    table.play(0, look(table))
    table.lay("armory", "ground", 3, 3)
    assert "armory" not in [one.tile for one in view_of(table.rules, table.view(0), 1).decks["tiles"].contents]


def test_the_list_is_the_same_from_what_the_seat_knows() -> None:
    table = haunted()
    table.play(0, look(table))
    assert legal(table.rules, table.state, 0) == legal(table.rules, table.view(0), 0)


def test_the_second_edition_does_not_know_it() -> None:
    table = Table(game=rules_with(haunt=heroes_may()))
    table.haunt("h", traitor=1)
    assert not table.offers(0, LookThrough)
    with table.refuses("2E-DISC-003"):
        table.play(0, look(table))
