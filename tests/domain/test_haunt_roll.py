"""The haunt roll: when it is made, with how many dice, and against what (rulebook: The Haunt Begins)."""

import pytest

from domain.events import CardDrawn, DiceRolled, HauntBegun, HauntRolled
from tests.domain.test_cards import BUILDS
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def draw_omen(table: Table, *, drawn_before: int = 0, omen: str = "ring") -> None:
    """The active explorer discovers the Charred Room and draws an omen, after so many others."""
    others = [card for card in table.state.decks["omen"].pool if card not in (omen, "bite")]
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in others[:drawn_before]])
    table.stack("tiles", "charred-room")
    table.stack("omen", omen)
    table.explore("east")


@pytest.mark.rule("2E-HROLL-001")
def test_an_omen_brings_a_haunt_roll_at_the_end_of_the_turn() -> None:
    table = Table()
    draw_omen(table)
    told = table.rolls([1, 0, 0, 0, 0, 0]).end_turn()
    assert the(told, HauntRolled).seat == 0


def test_an_event_brings_no_haunt_roll() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")
    table.explore("east")
    assert not events(table.end_turn(), HauntRolled)


@pytest.mark.rule("2E-HROLL-001")
def test_two_omens_in_one_turn_are_two_rolls_in_draw_order() -> None:
    table = Table()
    table.lay("gallery", "upper", 0, 1)
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring", "spear")
    table.explore("east")
    table.draw(0, "omen")

    told = table.rolls([1, 1, 1, 0, 0, 0], [2, 2, 0, 0, 0, 0]).end_turn()

    assert [(one.total, one.omens) for one in events(told, HauntRolled)] == [(3, 2), (4, 2)]


@pytest.mark.rule("2E-HROLL-002")
@pytest.mark.parametrize(
    "drawn_before, faces, begins",
    [(4, [2, 2, 0, 0, 0, 0], True), (4, [2, 2, 1, 0, 0, 0], False), (0, [0] * 6, True), (0, [1, 0, 0, 0, 0, 0], False)],
)
def test_the_haunt_begins_below_the_number_of_omens(drawn_before: int, faces: list[int], begins: bool) -> None:  # noqa: FBT001 -- a parameter of the example
    table = Table()
    draw_omen(table, drawn_before=drawn_before)

    told = table.rolls(faces).end_turn()

    rolled = the(told, HauntRolled)
    assert (rolled.omens, rolled.begins) == (drawn_before + 1, begins)
    assert bool(events(told, HauntBegun)) == begins


@pytest.mark.rule("2E-HROLL-003", asserts=True)
def test_with_two_omens_drawn_six_dice_are_rolled_and_not_two() -> None:
    table = Table()
    draw_omen(table, drawn_before=1)
    assert len(the(table.rolls([1] * 6).end_turn(), DiceRolled).faces) == 6


@pytest.mark.rule("2E-HROLL-004")
def test_omens_of_all_players_count_wherever_they_are_now() -> None:
    table = Table()
    table.hold(1, "spear")
    table.hold(2, "girl", "ring")
    table.turn(1)
    table.drop("spear")
    table.turn(0)
    draw_omen(table, omen="book")

    told = table.rolls([1] * 6).end_turn()

    assert the(told, HauntRolled).omens == 4


@pytest.mark.rule("2E-PREC-004", case=1, asserts=True)
def test_the_haunt_roll_has_six_dice_and_a_symbol_is_for_the_discoverer_alone() -> None:
    """The glossary has other dice, and a card for the first who enters a room that a haunt has added."""
    table = Table()
    draw_omen(table, drawn_before=1)
    assert len(the(table.rolls([1] * 6).end_turn(), DiceRolled).faces) == 6

    table = Table(game=rules_with(haunt=BUILDS))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "BUILD")
    table.choose(0, "ground:1:0@0")
    table.turn(2)
    assert not events(table.move("charred-room"), CardDrawn)


@pytest.mark.rule("2E-PREC-004")
def test_an_omen_that_left_the_game_counts_although_the_glossary_speaks_of_those_in_play() -> None:
    table = Table()
    draw_omen(table, drawn_before=3)  # held by nobody

    told = table.rolls([2, 1, 0, 0, 0, 0]).end_turn()

    assert len(the(told, DiceRolled).faces) == 6
    assert (the(told, HauntRolled).omens, the(told, HauntRolled).begins) == (4, True)


@pytest.mark.rule("2E-HROLL-005", asserts=True)
def test_the_roller_is_the_haunt_revealer() -> None:
    table = Table(first=2)
    draw_omen(table)
    table.rolls([0] * 6).end_turn()
    haunt = table.view(0).haunt
    assert haunt is not None
    assert haunt.revealer == 2


@pytest.mark.rule("2E-HROLL-006")
def test_in_the_haunt_an_omen_is_kept_and_no_haunt_roll_made() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    draw_omen(table)

    told = table.end_turn()

    assert table.explorer(0).cards == ["ring"]
    assert not events(told, HauntRolled)
