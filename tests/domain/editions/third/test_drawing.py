"""Drawing cards, and the haunt roll, before the haunt (rulebook 2022, pp. 8, 10 and 12)."""

from collections.abc import Sequence

import pytest

from content.survey import Spot, walk
from content.vocabulary.cards import Card
from content.vocabulary.effects import Effect
from domain.facts.commands import Choose, EndTurn, Move
from domain.facts.events import (
    CardDiscarded,
    CardDrawn,
    CardGained,
    DiceRolled,
    HauntRolled,
    RowRead,
    Stopped,
    Told,
    TraitChanged,
    TurnEnded,
)
from domain.facts.state import MODERATOR
from projections.view.game import GameView, view_of
from projections.view.stacks import CardView
from projections.wording.rows import as_read
from tests.support.fate import showing
from tests.support.packs import pack, rules
from tests.support.table import Table, events, heard, kinds, the
from tests.support.third import discover, third


def views(table: Table) -> list[GameView]:
    """What each role sees."""
    return [view_of(table.rules, state, mask) for mask, state in table.roles.items()]


def shown(table: Table, card: str) -> CardView:
    """A card as everybody sees it."""
    found = [view.cards[card] for view in views(table)]
    assert all(one == found[0] for one in found)
    return found[0]


def held_up(table: Table, tile: str, **cards: str) -> list[Told]:
    """Seat 0 discovers a tile; the dice have yet to be thrown, and everything else happens as usual."""
    table.fate.pending = True
    told = discover(table, tile, **cards)
    while table.is_asked(MODERATOR) and not table.asked(MODERATOR).about.startswith("dice:"):
        told += table.moderate(pick=table.asked(MODERATOR).options[0])
    return told


# -- what brings the haunt ------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-CARD-001", case=1, asserts=True)
def test_an_item_asks_for_no_haunt_roll() -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    told = discover(table, "conservatory", item="map")
    assert not events(told, HauntRolled)
    assert not events(told, DiceRolled)


@pytest.mark.rule("3E-CARD-001", case=2, asserts=True)
def test_an_event_asks_for_its_own_roll_alone() -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    table.rolls([1, 1, 1])
    told = discover(table, "kitchen", event="funeral")
    assert (the(told, DiceRolled).kind, the(told, DiceRolled).trait) == ("trait", "sanity")
    assert not events(told, HauntRolled)


@pytest.mark.rule("3E-CARD-001", case=3, asserts=True)
@pytest.mark.rule("3E-META-002", asserts=True)
@pytest.mark.parametrize(
    "event, number",
    [
        ("a-splash-of-crimson", 1),
        ("a-vial-of-dust", 3),
        ("eerie-mirror", 7),
        ("the-house-is-hungry", 12),
        ("say-cheese", 33),
    ],
)
def test_five_events_offer_a_haunt_roll_because_they_say_so(event: str, number: int) -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    discover(table, "kitchen", event=event)
    assert table.asked(0).options == ["yes", "no"]
    table.stack("item", "machete")
    rolled = the(table.rolls([2, 2]).choose(0, "yes"), HauntRolled)
    assert (rolled.number, rolled.omens, rolled.begins) == (number, 2, False)


# -- events ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-CARD-002", case=1)
def test_an_event_is_read_out_to_all_without_its_table() -> None:
    table = third()
    told = held_up(table, "kitchen", event="funeral")
    for seat in range(3):
        assert the(heard(told, seat), CardDrawn).card == "funeral"
    card = shown(table, "funeral")
    assert card.title == "Funeral"
    assert card.text.startswith("There is one empty seat")
    assert card.rules == ["Roll Sanity."]


@pytest.mark.rule("3E-CARD-003", case=1)
def test_a_resolved_event_lies_at_the_bottom_of_its_deck() -> None:
    table = third()
    size = table.state.decks["event"].size()
    table.rolls([0, 0, 0, 0])
    told = discover(table, "kitchen", event="alien-geometry")
    buried = the(told, CardDiscarded)
    assert (buried.card, buried.bury) == ("alien-geometry", True)
    deck = table.view(1).decks["event"]
    assert (deck.size(), deck.bottom[-1].face) == (size, "alien-geometry")


@pytest.mark.rule("3E-CARD-004", case=1)
@pytest.mark.parametrize(
    "faces, row",
    [
        ([2, 2, 0], "4+: gain 1 Sanity."),
        ([2, 0, 0], "2 or 3: lose 1 Sanity."),
        ([0, 0, 0], "0 or 1: lose 1 Sanity; lose 1 Might; if the Graveyard"),
    ],
)
def test_of_an_events_results_only_the_one_that_came_is_read(faces: list[int], row: str) -> None:
    table = third()
    told = table.rolls(faces).draw(0, "event", "funeral")
    read = the(told, RowRead)
    assert (read.card, read.rule) == ("funeral", "3E-CARD-004")
    (rules,) = shown(table, "funeral").rules
    assert rules.startswith(f"Roll Sanity. {row}")
    assert rules.count(":") == 1, "no other row"


def test_what_an_event_said_when_it_was_drawn_before_is_unread_again() -> None:
    table = third()
    table.rolls([2, 2, 0]).draw(0, "event", "funeral")
    table.fate.pending = True
    table.draw(0, "event", "funeral")
    assert shown(table, "funeral").rules == ["Roll Sanity."]


def test_while_a_roll_can_still_change_nothing_of_the_table_is_read() -> None:
    table = third()
    table.hold(0, "creepy-doll")
    table.turn(0)
    told = table.rolls([2, 2, 0]).draw(0, "event", "funeral")
    assert table.asked(0).about.startswith("after-roll")
    assert not events(told, RowRead)
    assert shown(table, "funeral").rules == ["Roll Sanity."]
    table.choose(0, "pass")
    assert shown(table, "funeral").rules == ["Roll Sanity. 4+: gain 1 Sanity."]


def test_of_four_rolls_the_rows_that_came_are_read() -> None:
    table = third()
    table.rolls(*[showing(table.value(0, trait), 3) for trait in ("might", "speed", "sanity", "knowledge")])
    table.draw(0, "event", "hanged-man")
    (rules,) = shown(table, "hanged-man").rules
    assert "2+" in rules
    assert "0 or 1" not in rules
    assert "all of these" in rules


def test_whoever_chooses_the_trait_reads_its_row_alone() -> None:
    table = third()
    table.draw(0, "event", "the-stars-at-night")
    (rules,) = shown(table, "the-stars-at-night").rules
    assert "+" not in rules
    table.rolls([2, 2, 0]).choose(0, "sanity")
    (rules,) = shown(table, "the-stars-at-night").rules
    assert "roll Sanity (4: lose 1 Sanity)" in rules
    assert rules.count("(") == 1, "of the other traits nothing is read"


EVENTS = [card for card in pack("third-edition").cards if card.deck == "event"]


@pytest.mark.parametrize("event", EVENTS, ids=lambda one: one.id)
def test_no_event_shows_a_row_before_it_is_read(event: Card) -> None:
    """By the places of all its tables, as the engine has them: each row alone can be shown, and none is by itself."""
    block = rules("third-edition").blocks[f"card/{event.id}#do"]
    tables = [path.removesuffix("!outcome") for path in block.paths if path.endswith("!outcome")]

    def rows(card: Card) -> list[str]:
        found = [spot.value.outcomes for spot in walk(Spot((), card)) if isinstance(spot.value, Effect)]
        return [key for one in found if one is not None for key in one]

    assert rows(as_read(event, [])) == []
    keys = set(rows(event))
    for place in tables:
        shown = [rows(as_read(event, [f"{place}.{key}"])) for key in sorted(keys)]
        assert all(found in ([key], []) for key, found in zip(sorted(keys), shown, strict=True))
        assert any(shown), f"the rows of {place}"


# -- items and omens ------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-CARD-005", case=1)
def test_a_drawn_item_is_seen_with_its_holder_and_its_text() -> None:
    table = third()
    discover(table, "conservatory", item="map")
    assert all(view.explorers[0].cards == ["map"] for view in views(table))
    assert shown(table, "map").text


def test_an_empty_stack_of_items_gives_nothing() -> None:
    table = third()
    stack = table.state.decks["item"].pool.copy()
    table.stack("item", *stack)
    table.happen(*[CardDrawn(deck="item", card=card, seat=0) for card in stack])
    told = discover(table, "conservatory")
    assert not events(told, CardDrawn)
    assert (table.explorer(0).cards, table.seat) == ([], 1)


@pytest.mark.rule("3E-CARD-006", case=1)
def test_a_drawn_omen_is_seen_with_its_holder_and_its_text() -> None:
    table = third()
    discover(table.rolls([0]), "ballroom", omen="book")
    assert all(view.explorers[0].cards == ["book"] for view in views(table))
    assert shown(table, "book").text


@pytest.mark.rule("3E-CARD-007", case=1, asserts=True)
def test_a_buried_item_is_the_last_card_of_its_deck() -> None:
    table = third()
    table.hold(0, "mirror")
    table.clips(0, sanity=1)
    table.turn(0)
    told = table.act("card:mirror", "HEAL")
    assert the(told, CardDiscarded).bury
    assert table.view(1).decks["item"].bottom[-1].face == "mirror"
    assert not [one for one in table.state.explorers if "mirror" in one.cards]


# -- the haunt roll -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HROLL-001", case=1)
def test_nothing_else_is_accepted_until_the_haunt_roll_is_made() -> None:
    table = third()
    number = table.now
    held_up(table, "ballroom", omen="book")
    dice = table.asked(MODERATOR)
    assert (dice.about, dice.total) == ("dice:haunt", 1)
    for command in (
        Move(decision=number, to="hallway"),
        EndTurn(decision=number),
        Choose(decision=number, option="yes"),
    ):
        with table.refuses("3E-HROLL-001", problem="decision-closed"):
            table.play(0, command)
    assert not any(table.offers(seat) for seat in range(3))
    told = table.moderate([1])
    assert the(told, HauntRolled).total == 1
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


def test_the_card_comes_first_and_the_haunt_roll_just_before_the_turn_ends() -> None:
    told = discover(third().rolls([0]), "ballroom", omen="book")
    assert kinds(told).index(CardGained) < kinds(told).index(HauntRolled) < kinds(told).index(TurnEnded)


@pytest.mark.rule("3E-HROLL-002", case=1)
def test_the_third_omen_is_rolled_with_three_dice_whoever_has_the_others() -> None:
    table = third()
    table.hold(1, "mask")
    table.hold(2, "ring")
    table.turn(0)
    told = discover(table.rolls([1, 1, 0]), "ballroom", omen="book")
    assert (the(told, HauntRolled).omens, len(the(told, DiceRolled).faces)) == (3, 3)
    assert the(told, DiceRolled).rule == "3E-HROLL-002"


@pytest.mark.rule("3E-HROLL-002", case=2)
def test_an_events_haunt_roll_counts_no_omen_for_itself() -> None:
    table = third()
    table.hold(1, "mask", "ring", "book")
    table.turn(0)
    table.draw(0, "event", "eerie-mirror")
    told = table.rolls([1, 1, 1]).choose(0, "yes")
    assert (len(the(told, DiceRolled).faces), the(told, HauntRolled).begins) == (3, False)


@pytest.mark.rule("3E-HROLL-002", case=3)
def test_an_omen_that_was_buried_since_is_counted() -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.bereave(1, "ring", to="bury")
    assert table.view(0).decks["omen"].bottom[-1].face == "ring"
    table.turn(0)
    told = discover(table.rolls([1, 1, 0]), "ballroom", omen="book")
    assert len(the(told, DiceRolled).faces) == 3


@pytest.mark.rule("3E-HROLL-003", case=1)
@pytest.mark.parametrize("faces, begins", [([2, 2, 1], True), ([2, 2, 0], False)])
def test_5_or_more_starts_the_haunt(faces: Sequence[int], begins: bool) -> None:  # noqa: FBT001 -- parametrized
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    told = discover(table.rolls(faces), "ballroom", omen="book")
    assert the(told, HauntRolled).begins == begins


@pytest.mark.rule("3E-HROLL-006", case=1)
def test_an_omen_tile_after_the_last_omen_gives_none_and_the_turn_ends() -> None:
    table = third()
    stack = table.state.decks["omen"].pool.copy()
    table.stack("omen", *stack)
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in stack])
    told = discover(table, "ballroom")
    assert not events(told, CardDrawn)
    assert not events(told, HauntRolled)
    assert not events(told, Stopped)
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


def test_a_roll_with_bonuses_is_read_by_its_result() -> None:
    table = third()
    table.hold(0, "ring")
    table.turn(0)
    table.rolls(showing(3, 3))
    told = discover(table, "kitchen", event="funeral")
    assert (the(told, DiceRolled).total, the(told, TraitChanged).by) == (4, 1)
