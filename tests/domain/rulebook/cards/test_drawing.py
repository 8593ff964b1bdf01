"""Drawing cards: when, how often, and what becomes of them (rulebook: Drawing Event, Item, and Omen Cards)."""

import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.commands import Act
from domain.facts.events import (
    ActionTaken,
    CardDiscarded,
    CardDrawn,
    CardGained,
    DiceRolled,
    Fizzled,
    OmenOwed,
    RuleApplied,
    StackShuffled,
    Stopped,
)
from projections.view.game import view_of
from tests.support.fate import showing
from tests.support.packs import heroes_may, rules_with
from tests.support.table import Table, events, the


def found(tile: str, deck: str = "", *cards: str) -> Table:
    """Seat 0 is about to find this room east of the Entrance Hall, and these cards lie on that stack."""
    table = Table()
    table.stack("tiles", tile)
    if deck:
        table.stack(deck, *cards)
    return table


def emptied(deck: str) -> Table:
    """All cards of a stack have been drawn."""
    table = Table()
    stack = table.state.decks[deck].pool.copy()
    table.stack(deck, *stack)
    table.happen(*[CardDrawn(deck=deck, card=card, seat=0) for card in stack])
    return table


# -- 2E-CARD-001: symbols ------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-001", case=1, asserts=True)
@pytest.mark.parametrize(
    "tile, deck, card",
    [("charred-room", "omen", "book"), ("bloody-room", "item", "axe"), ("gardens", "event", "drip-drip-drip")],
)
def test_raven_bulls_head_and_spiral_give_omen_item_and_event(tile: str, deck: str, card: str) -> None:
    drawn = the(found(tile, deck, card).explore("east"), CardDrawn)

    assert (drawn.deck, drawn.card, drawn.seat) == (deck, card, 0)


# -- 2E-CARD-002: symbol on discovery ------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-002", case=1)
def test_a_discovered_item_room_gives_an_item_unasked_and_ends_movement() -> None:
    table = found("bloody-room", "item", "axe")

    told = table.explore("east")

    assert (the(told, CardDrawn).card, table.state.open) == ("axe", {})
    assert the(told, Stopped).rule == "2E-CARD-002"
    assert table.goals(0) == []
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")
    with table.refuses("2E-MOVE-004"):
        table.explore("north")


@pytest.mark.rule("2E-CARD-002", case=2)
def test_who_discovers_the_vault_draws_one_event_and_no_item() -> None:
    table = found("vault", "event", "closet-door")
    table.put(0, "basement-landing")
    table.turn(0)

    told = table.explore("east")

    assert [(one.deck, one.card) for one in events(told, CardDrawn)] == [("event", "closet-door")]
    assert table.explorer(0).cards == []


@pytest.mark.rule("2E-CARD-002", case=3)
def test_an_empty_item_stack_gives_nothing_and_ends_movement() -> None:
    table = emptied("item")
    table.stack("tiles", "bloody-room")

    told = table.explore("east")

    assert not events(told, CardDrawn)
    assert (the(told, Fizzled).what, the(told, Stopped).figure) == ("draw:item", 0)
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")


def offered(table: Table, source: str) -> list[str]:
    """Words that a source offers seat 0."""
    return [one.word for one in table.offers(0) if isinstance(one, Act) and one.source == source]


@pytest.mark.rule("2E-TURN-002")
def test_the_puzzle_box_is_not_opened_once_no_item_is_left_to_draw() -> None:
    for table, words in ((Table(), ["OPEN"]), (emptied("item"), [])):
        table.hold(0, "puzzle-box")
        table.turn(0)
        assert offered(table, "card:puzzle-box") == words
    with table.refuses("2E-TURN-002"):
        table.act("card:puzzle-box", "OPEN")


def test_the_closet_is_looked_into_also_without_items_for_it_holds_events() -> None:
    table = emptied("item")
    table.token("closet", "entrance-hall")
    table.turn(0)
    assert offered(table, "token:closet") == ["OPEN"]


@pytest.mark.rule("2E-TURN-002")
def test_the_spirit_board_is_asked_where_there_is_a_tile_to_see_or_a_monster_to_hear() -> None:
    table = Table()
    table.hold(0, "spirit-board")
    table.turn(0)
    assert offered(table, "card:spirit-board") == ["ASK"]
    table.happen(StackShuffled(deck="tiles", order=[]))
    assert table.view(0).decks["tiles"].size() == 0
    assert offered(table, "card:spirit-board") == []
    with table.refuses("2E-TURN-002"):
        table.act("card:spirit-board", "ASK")

    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    assert offered(table, "card:spirit-board") == []
    table.monster("sexton-1", "foyer")
    table.turn(0)
    assert offered(table, "card:spirit-board") == ["ASK"]


@pytest.mark.rule("2E-TURN-002")
def test_the_bell_is_not_rung_where_nobody_could_come() -> None:
    table = Table()
    table.hold(0, "bell")
    table.haunt("the-bell-below", traitor=0)
    table.turn(0)
    assert offered(table, "card:bell") == [], "all are here"
    with table.refuses("2E-TURN-002"):
        table.act("card:bell", "RING")
    table.put(1, "foyer")
    table.turn(0)
    assert offered(table, "card:bell") == ["RING"]


@pytest.mark.rule("2E-TURN-002")
def test_a_wall_that_leads_nowhere_any_more_is_not_turned() -> None:
    table = Table()
    table.token("wall-switch", "entrance-hall")
    table.turn(0)
    assert offered(table, "token:wall-switch") == []
    with table.refuses("2E-TURN-002"):
        table.act("token:wall-switch", "TURN")


@pytest.mark.rule("2E-CARD-002")
def test_an_empty_event_stack_is_made_anew_from_the_discards() -> None:
    table = emptied("event")
    table.happen(CardDiscarded(deck="event", card="drip-drip-drip"))
    table.stack("tiles", "gardens")

    told = table.explore("east")

    assert the(told, StackShuffled).order == ["drip-drip-drip"]
    assert the(told, CardDrawn).card == "drip-drip-drip"


# -- 2E-CARD-003: symbol works once --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-003", case=1)
def test_a_second_visitor_draws_nothing_and_walks_on() -> None:
    table = found("charred-room", "omen", "book")
    table.explore("east")
    table.turn(1)

    told = table.move("charred-room", "entrance-hall")

    assert not events(told, CardDrawn)
    assert table.explorer(1).spent == 2


@pytest.mark.rule("2E-CARD-003", case=2)
def test_the_discoverer_who_comes_back_draws_nothing_and_walks_on() -> None:
    table = found("charred-room", "omen", "book")
    table.explore("east")
    table.turn(0)

    told = table.move("entrance-hall", "charred-room", "entrance-hall")

    assert not events(told, CardDrawn)
    assert table.explorer(0).spent == 3


# -- 2E-CARD-004: cards are read out -------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-004", case=1)
@pytest.mark.parametrize(
    "tile, deck, card",
    [("gardens", "event", "closet-door"), ("bloody-room", "item", "axe"), ("charred-room", "omen", "book")],
)
def test_a_drawn_card_is_in_everybodys_view(tile: str, deck: str, card: str) -> None:
    table = found(tile, deck, card)

    told = table.explore("east")

    drawn = next(one for one in told if isinstance(one.event, CardDrawn))
    for role, state in table.roles.items():
        assert drawn.to & role, "everybody is read the card"
        shown = view_of(table.rules, state, role)
        assert shown.turn.drawn == [card]
        assert shown.cards[card].title == table.rules.pack.titles[card]
        assert shown.cards[card].text == table.rules.pack.cards[card].text


@pytest.mark.rule("2E-CARD-004")
def test_a_drawn_event_is_in_view_while_its_drawer_is_asked_and_until_the_next_turn() -> None:
    table = found("gardens", "event", "phone-call")
    table.rolls([1, 0], [1]).explore("east")
    assert table.asked(0).about == "damage:mental"

    for expected in (["phone-call"], ["phone-call"], []):
        for role, state in table.roles.items():
            assert view_of(table.rules, state, role).turn.drawn == expected
        if table.is_asked(0):
            table.allocate(0, sanity=1)
        else:
            table.turn(1)


# -- 2E-CARD-005: event cards --------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-005", case=1)
def test_an_event_is_followed_at_once_and_then_discarded() -> None:
    table = found("gardens", "event", "creepy-crawlies")

    told = table.rolls([1, 0, 0]).explore("east")

    kinds = [type(one.event) for one in told]
    assert kinds.index(CardDrawn) < kinds.index(DiceRolled) < kinds.index(CardDiscarded)
    assert table.value(0, "sanity") == 2
    for state in table.roles.values():
        assert state.decks["event"].discard == ["creepy-crawlies"]


@pytest.mark.rule("2E-CARD-005", case=2, asserts=True)
@pytest.mark.parametrize("card", ["drip-drip-drip", "lights-out"])
def test_an_event_that_lasts_stays_in_play_with_its_room_or_explorer(card: str) -> None:
    table = found("gardens", "event", card)

    told = table.explore("east")

    assert not events(told, CardDiscarded)
    for state in table.roles.values():
        assert state.decks["event"].discard == []
        if card == "lights-out":
            assert state.explorers[0].cards == [card]
        else:
            assert [(here.token, here.room) for here in state.tokens] == [("drip", "gardens")]


def test_an_event_that_holds_somebody_back_stays_in_play_until_it_lets_go() -> None:
    table = found("gardens", "event", "webs")
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


# -- 2E-CARD-006: item cards ---------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-006", case=1)
def test_a_drawn_item_lies_before_its_explorer_for_all_to_see() -> None:
    table = found("bloody-room", "item", "axe")

    table.explore("east")

    for role in (1, 2, 4, SPECTATORS):
        assert view_of(table.rules, table.roles[role], role).explorers[0].cards == ["axe"]


# -- 2E-CARD-007: use of a new item --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-007", case=1)
def test_a_new_item_can_be_used_at_once() -> None:
    table = found("bloody-room", "item", "puzzle-box")
    table.explore("east")

    told = table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    assert the(told, ActionTaken).rule == "2E-CARD-007"


@pytest.mark.rule("2E-CARD-007", case=2)
def test_a_new_item_is_not_used_twice_in_the_turn() -> None:
    table = found("bloody-room", "item", "puzzle-box")
    table.explore("east")
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    with table.refuses("2E-ITEM-003"):
        table.act("card:puzzle-box", "OPEN")


def shrieks(table: Table, *order: int) -> None:
    """The player in turn draws a Hideous Shriek. Who rolls in which order: seat 1 with the 2 dice of the Idol, the others a 4."""
    table.stack("event", "hideous-shriek")
    for seat in order:
        sanity = table.value(seat, "sanity")
        table.rolls([1] * (sanity + 2) if seat == 1 else showing(sanity, 4))
    table.draw(table.seat, "event")


@pytest.mark.rule("2E-CARD-007", case=3)
def test_an_item_gained_in_anothers_turn_is_used_at_once_and_again_in_the_next_own_turn() -> None:
    """Seat 0 draws Jonah's Turn: seat 1 gives up the Puzzle Box and draws the Idol, which works before any roll of its holder."""
    table = Table()
    table.hold(1, "puzzle-box")
    table.stack("event", "jonahs-turn")
    table.stack("item", "idol")
    table.draw(0, "event")
    assert (table.seat, table.explorer(1).cards) == (0, ["idol"])

    shrieks(table, 0, 1, 2)
    told = table.choose(1, "card:idol#PRAY")
    assert (the(told, ActionTaken).figure, the(told, ActionTaken).rule) == (1, "2E-CARD-007")

    table.begin_turn(1)
    shrieks(table, 1, 2, 0)
    told = table.choose(1, "card:idol#PRAY")
    assert the(told, ActionTaken).figure == 1


@pytest.mark.rule("2E-CARD-007", case=4, asserts=True)
def test_a_medical_kit_gained_in_anothers_turn_waits_for_the_own_turn() -> None:
    table = Table()
    table.hold(1, "puzzle-box")
    table.stack("event", "jonahs-turn")
    table.stack("item", "medical-kit")
    table.draw(0, "event")
    table.clips(1, might=1)
    assert table.explorer(1).cards == ["medical-kit"]

    assert table.offers(1) == []
    with table.refuses("2E-TURN-001"):
        table.play(1, Act(decision=table.now, source="card:medical-kit", word="HEAL", target=1))

    table.turn(1)
    table.rolls(showing(table.value(1, "knowledge"), 0)).act("card:medical-kit", "HEAL", target=1)


@pytest.mark.rule("2E-CARD-007", case=5, asserts=True)
def test_an_item_just_drawn_and_not_used_may_be_traded() -> None:
    table = found("bloody-room", "item", "axe")
    table.put(1, "foyer")
    table.explore("east")
    table.put(1, "bloody-room")

    table.swap(1, ["axe"])

    assert (table.explorer(0).cards, table.explorer(1).cards) == ([], ["axe"])


# -- 2E-CARD-008: omen cards ---------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-008", case=1)
def test_what_a_drawn_omen_says_is_done_right_after_the_draw() -> None:
    table = found("charred-room", "omen", "bite")

    told = table.rolls([0, 0, 0, 0], [1, 1, 0, 0, 0]).explore("east")

    kinds = [type(one.event) for one in told]
    assert kinds.index(CardDrawn) < kinds.index(CardGained) < kinds.index(DiceRolled)
    assert table.explorer(0).cards == ["bite"]
    assert the(told, OmenOwed).omen == "bite"


# -- 2E-CARD-009: discovery through an effect ----------------------------------------------------------------------------


@pytest.mark.rule("2E-CARD-009", case=1)
def test_who_falls_first_into_a_new_room_with_a_spiral_draws_an_event() -> None:
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.stack("tiles", "underground-lake")
    table.stack("event", "drip-drip-drip")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")

    told = table.rolls([0]).choose(0, table.asked(0).options[0])

    assert "2E-CARD-009" in [one.rule for one in events(told, RuleApplied)]
    drawn = the(told, CardDrawn)
    assert (drawn.deck, drawn.card, drawn.seat) == ("event", "drip-drip-drip", 0)


TRAPDOOR = """
  id: trapdoor
  deck: event
  title: Trapdoor
  text: The others fall into a room that nobody knows.
  do:
    - {place-tile: {floor: basement}}
    - {move: {to: placed-room}, who: {each: explorer, besides-you: true}}
"""


@pytest.mark.rule("2E-CARD-009", case=2)
def test_of_two_who_are_moved_into_a_new_room_the_first_from_the_active_player_on_draws() -> None:
    table = Table(game=rules_with(card=TRAPDOOR))
    table.turn(2)
    table.stack("tiles", "larder")
    table.stack("item", "axe", "armor")
    table.draw(2, "event", "trapdoor")

    told = table.choose(2, table.asked(2).options[0])

    assert [table.explorer(seat).room for seat in range(3)] == ["larder", "larder", "entrance-hall"]
    assert [(one.seat, one.card) for one in events(told, CardDrawn)] == [(0, "axe")]
    assert [table.explorer(seat).cards for seat in range(3)] == [["axe"], [], []]


# -- 2E-CARD-010: rooms added otherwise give no card ---------------------------------------------------------------------


BUILDS = heroes_may("{word: BUILD, do: [{place-tile: {tile: charred-room, discovered: false}}]}")


@pytest.mark.rule("2E-CARD-010", case=1)
def test_a_room_that_a_haunt_adds_gives_no_card() -> None:
    table = Table(game=rules_with(haunt=BUILDS))
    table.haunt("h", traitor=1)
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.act("haunt:heroes", "BUILD")
    table.choose(0, "ground:1:0@0")

    told = table.move("charred-room", "entrance-hall")

    assert not events(told, CardDrawn)
    assert table.explorer(0).spent == 2
