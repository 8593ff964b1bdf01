"""The haunt roll: when it is made, with how many dice, and against what (rulebook: The Haunt Begins)."""

import pytest

from domain.facts.events import CardDrawn, CardGained, DiceRolled, HauntBegun, HauntRolled, Told
from projections.view.game import view_of
from tests.domain.rulebook.cards.test_drawing import BUILDS
from tests.support.editions import in_each
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, the


def draw_omen(table: Table, *, drawn_before: int = 0, omen: str = "ring") -> list[Told]:
    """The active explorer discovers the Charred Room and draws an omen, after so many others."""
    others = sorted((card for card in table.state.decks["omen"].pool if card != omen), key=lambda card: card == "bite")
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in others[:drawn_before]])
    table.stack("tiles", "charred-room")
    table.stack("omen", omen)
    return table.explore("east")


@pytest.mark.rule("2E-HROLL-001", case=1)
def test_an_omen_brings_a_haunt_roll_at_the_end_of_the_turn() -> None:
    table = Table()
    assert not events(draw_omen(table), HauntRolled), "not before the end of the turn"
    told = table.rolls([1, 0, 0, 0, 0, 0]).end_turn()
    assert the(told, HauntRolled).seat == 0


@pytest.mark.rule("2E-HROLL-001", case=2, asserts=True)
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


@pytest.mark.rule("2E-HROLL-001", case=3)
@pytest.mark.parametrize("rolls, rolled", [(([2, 0], [1, 0]), [(2, False), (1, True)]), (([1, 0],), [(1, True)])])
def test_of_the_first_two_omens_the_one_whose_roll_is_below_two_begins_the_haunt(
    rolls: tuple[list[int], ...], rolled: list[tuple[int, bool]]
) -> None:
    table = Table()
    draw_omen(table)
    table.draw(0, "omen", "spear")
    assert table.explorer(0).cards == ["ring", "spear"]

    told = table.rolls(*[[*faces, 0, 0, 0, 0] for faces in rolls]).end_turn()

    assert [(one.total, one.begins) for one in events(told, HauntRolled)] == rolled
    assert len(events(told, HauntBegun)) == 1


@pytest.mark.rule("2E-HROLL-001", case=4)
def test_an_omen_drawn_in_anothers_turn_is_rolled_for_at_the_end_of_the_drawers_own() -> None:
    table = Table()
    table.draw(1, "omen", "ring")

    assert not events(table.end_turn(), HauntRolled)
    told = table.rolls([1] * 6).end_turn()

    assert (the(told, HauntRolled).seat, the(told, HauntRolled).omens) == (1, 1)


@pytest.mark.rule("2E-HROLL-001", case=5)
def test_an_omen_that_was_traded_away_is_rolled_for_all_the_same() -> None:
    table = Table()
    draw_omen(table, omen="spear")
    table.put(1, "charred-room")
    table.swap(1, ["spear"])
    assert (table.explorer(0).cards, table.explorer(1).cards) == ([], ["spear"])

    assert the(table.rolls([1] * 6).end_turn(), HauntRolled).seat == 0
    assert not events(table.end_turn(), HauntRolled), "who was given it owes none"


@pytest.mark.rule("2E-HROLL-001", case=6, asserts=True)
def test_an_omen_that_was_picked_up_brings_no_roll() -> None:
    table = Table()
    table.pile("entrance-hall", "ring")
    assert events(table.pick_up("ring"), CardGained)
    assert not events(table.end_turn(), HauntRolled)


@pytest.mark.rule("2E-HROLL-001", case=7)
def test_a_roll_that_is_owed_lapses_when_anothers_begins_the_haunt() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    table.draw(1, "omen", "girl")
    draw_omen(table)
    assert the(table.rolls([0] * 6).end_turn(), HauntRolled).seat == 0
    table.all_ready()
    assert table.seat == 1

    told = table.end_turn()

    assert not events(told, HauntRolled)
    assert not events(told, DiceRolled)


@pytest.mark.rule("2E-HROLL-002", case=(1, 2, 3, 4))
@pytest.mark.parametrize(
    "drawn_before, faces, begins",
    [
        (4, [2, 2, 0, 0, 0, 0], True),
        (4, [2, 2, 1, 0, 0, 0], False),
        (0, [0] * 6, True),
        (0, [1, 0, 0, 0, 0, 0], False),
        (12, [2] * 6, True),
    ],
)
def test_the_haunt_begins_below_the_number_of_omens(drawn_before: int, faces: list[int], begins: bool) -> None:  # noqa: FBT001 -- a parameter of the example
    table = Table()
    draw_omen(table, drawn_before=drawn_before)

    told = table.rolls(faces).end_turn()

    rolled = the(told, HauntRolled)
    assert (rolled.omens, rolled.begins) == (drawn_before + 1, begins)
    assert bool(events(told, HauntBegun)) == begins


@pytest.mark.rule("2E-HROLL-002", case=5)
def test_neither_a_blessing_nor_a_trait_changes_the_six_dice() -> None:
    table = Table()
    table.traits(0, knowledge=6)
    draw_omen(table)
    table.token("blessing", "charred-room")

    assert len(the(table.rolls([1] * 6).end_turn(), DiceRolled).faces) == 6


@pytest.mark.rule("2E-HROLL-003", case=1, asserts=True)
def test_with_two_omens_drawn_six_dice_are_rolled_and_not_two() -> None:
    table = Table()
    draw_omen(table, drawn_before=1)
    assert len(the(table.rolls([1] * 6).end_turn(), DiceRolled).faces) == 6


@pytest.mark.rule("2E-HROLL-004", case=(1, 4))
def test_omens_of_all_players_count_and_so_does_the_one_just_drawn() -> None:
    table = Table()
    table.hold(1, "spear")
    table.hold(2, "girl")
    table.hold(0, "mask")
    draw_omen(table, omen="book")
    assert [len(table.explorer(seat).cards) for seat in range(3)] == [2, 1, 1]

    assert the(table.rolls([1] * 6).end_turn(), HauntRolled).omens == 4


@pytest.mark.rule("2E-HROLL-004", case=2, asserts=True)
def test_an_omen_that_was_dropped_or_discarded_still_counts() -> None:
    table = Table()
    table.hold(0, "spear")
    table.drop("spear")
    table.hold(1, "ring")
    table.bereave(1, "ring", to="discard")
    assert table.view(0).decks["omen"].discard == ["ring"]
    draw_omen(table, omen="book")

    assert the(table.rolls([1] * 6).end_turn(), HauntRolled).omens == 3


@pytest.mark.rule("2E-HROLL-004", case=3)
def test_an_omen_that_changed_hands_by_the_floor_counts_once() -> None:
    table = Table()
    table.hold(1, "spear")
    table.turn(1)
    table.drop("spear")
    table.turn(0)
    table.pick_up("spear")
    draw_omen(table, omen="book")

    assert the(table.rolls([2] * 6).end_turn(), HauntRolled).omens == 2


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


@pytest.mark.rule("2E-HROLL-005", case=1, asserts=True)
def test_the_roller_is_the_haunt_revealer() -> None:
    table = Table(FOUR, first=2)
    draw_omen(table)
    table.rolls([0] * 6).end_turn()
    for role, state in table.roles.items():
        haunt = view_of(table.rules, state, role).haunt
        assert haunt is not None
        assert haunt.revealer == 2


@in_each(pytest.mark.rule("2E-HROLL-006", case=1), pytest.mark.rule("PBP-HROLL-001", case=5, asserts=True))
def test_in_the_haunt_an_omen_is_kept_and_no_haunt_roll_made(edition: str, rule: str) -> None:
    table = Table(game=rules_with(edition=edition))
    table.haunt("the-bell-below", traitor=1)
    draw_omen(table)

    told = table.end_turn()

    assert table.explorer(0).cards == ["ring"]
    assert not events(told, HauntRolled)
    assert not events(told, DiceRolled)
