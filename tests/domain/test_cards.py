"""Drawing cards: when, how often, and what becomes of them (rulebook: Drawing Event, Item, and Omen Cards)."""

import pytest

from domain.audience import SPECTATORS
from domain.events import CardDiscarded, CardDrawn, CardGained, DiceRolled, Fizzled, OmenOwed, StackShuffled, Stopped
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


@pytest.mark.rule("2E-CARD-001", asserts=True)
@pytest.mark.parametrize(
    "tile, deck, card",
    [("charred-room", "omen", "book"), ("bloody-room", "item", "axe"), ("gardens", "event", "drip-drip-drip")],
)
def test_raven_bulls_head_and_spiral_give_omen_item_and_event(tile: str, deck: str, card: str) -> None:
    table = Table()
    table.stack("tiles", tile)
    table.stack(deck, card)

    drawn = the(table.explore("east"), CardDrawn)

    assert (drawn.deck, drawn.card, drawn.seat) == (deck, card, 0)


@pytest.mark.rule("2E-CARD-002", "2E-CARD-006")
def test_a_discovered_item_room_gives_an_item_unasked_and_ends_movement() -> None:
    table = Table()
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    table.explore("east")

    assert table.goals(0) == []
    for role in (1, 2, 4, SPECTATORS):
        assert table.roles[role].explorers[0].cards == ["axe"]


@pytest.mark.rule("2E-CARD-002")
def test_an_empty_event_stack_is_made_anew_from_the_discards() -> None:
    table = Table()
    stack = table.state.decks["event"].pool.copy()
    table.stack("event", *stack)
    table.happen(*[CardDrawn(deck="event", card=card, seat=0) for card in stack])
    table.happen(CardDiscarded(deck="event", card="drip-drip-drip"))
    table.stack("tiles", "gardens")

    told = table.explore("east")

    assert the(told, StackShuffled).order == ["drip-drip-drip"]
    assert the(told, CardDrawn).card == "drip-drip-drip"


@pytest.mark.rule("2E-CARD-002")
def test_an_empty_item_stack_gives_nothing_and_ends_movement() -> None:
    table = Table()
    stack = table.state.decks["item"].pool.copy()
    table.stack("item", *stack)
    table.happen(*[CardDrawn(deck="item", card=card, seat=0) for card in stack])
    table.stack("tiles", "bloody-room")

    told = table.explore("east")

    assert not events(told, CardDrawn)
    assert the(told, Fizzled).what == "draw:item"
    assert the(told, Stopped).figure == 0


@pytest.mark.rule("2E-CARD-003")
def test_a_second_visitor_draws_nothing_and_walks_on() -> None:
    table = Table()
    table.stack("tiles", "charred-room")
    table.stack("omen", "book")
    table.explore("east")
    table.turn(1)

    told = table.move("charred-room", "entrance-hall")

    assert not events(told, CardDrawn)


@pytest.mark.rule("2E-CARD-004", asserts=True)
def test_a_drawn_card_is_shown_to_everybody() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")

    told = table.explore("east")

    drawn = next(one for one in told if isinstance(one.event, CardDrawn))
    assert all(drawn.to & role for role in table.roles)


@pytest.mark.rule("2E-CARD-005")
def test_an_event_is_followed_at_once_and_then_discarded() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "creepy-crawlies")

    told = table.rolls([1, 0, 0]).explore("east")

    assert the(told, DiceRolled).trait == "sanity"
    assert table.view(1).decks["event"].discard == ["creepy-crawlies"]
    assert table.value(0, "sanity") == 2


def test_an_event_that_holds_somebody_back_stays_in_play_until_it_lets_go() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "webs")
    table.rolls([0, 0, 0, 1, 1]).explore("east")

    assert table.view(1).decks["event"].discard == []
    held = table.explorer(0).held
    assert held is not None
    assert held.card == "webs"
    with table.refuses("2E-PREC-001"):
        table.move("entrance-hall")

    table.turn(0)
    table.rolls([2, 2, 0, 0, 0]).break_free(0)
    assert table.explorer(0).held is None
    assert table.view(1).decks["event"].discard == ["webs"]


@pytest.mark.rule("2E-CARD-007")
def test_a_new_item_can_be_used_at_once_and_not_again_in_that_turn() -> None:
    table = Table()
    table.stack("tiles", "bloody-room")
    table.stack("item", "puzzle-box")
    table.explore("east")

    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    with table.refuses("2E-ITEM-013"):
        table.act("card:puzzle-box", "OPEN")


@pytest.mark.rule("2E-CARD-008")
def test_what_a_drawn_omen_says_is_done_right_after_the_draw() -> None:
    table = Table()
    table.stack("tiles", "charred-room")
    table.stack("omen", "bite")

    told = table.rolls([0, 0, 0, 0], [1, 1, 0, 0, 0]).explore("east")

    kinds = [type(one.event) for one in told]
    assert kinds.index(CardDrawn) < kinds.index(CardGained) < kinds.index(DiceRolled)
    assert table.explorer(0).cards == ["bite"]
    assert the(told, OmenOwed).omen == "bite"


@pytest.mark.rule("2E-CARD-010")
def test_a_room_that_a_haunt_adds_gives_no_card() -> None:
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      heroes:
        story: S
        goal: G
        actions:
          - word: BUILD
            do: [{place-tile: {tile: charred-room, discovered: false}}]
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "BUILD")
    table.choose(0, "ground:1:0@0")

    told = table.move("charred-room", "entrance-hall")

    assert not events(told, CardDrawn)
