"""Events that change the house or the ways through it: Mystic Slide, Revolving Wall, What The...?"""

import pytest

from domain.facts.commands import Act, Attack
from domain.facts.events import CardDrawn, DiceRolled, Fizzled, Moved, TileMoved, TilePlaced
from tests.support.fate import showing
from tests.support.packs import pack
from tests.support.table import Table, events, the


def draws(table: Table, card: str, seat: int = 0) -> None:
    """An explorer draws this event."""
    table.draw(seat, "event", card)


def sliding(table: Table, result: int, seat: int = 0) -> None:
    """The slide befalls this seat when seat 0 draws it, and its Might roll comes to so much."""
    table.rolls(showing(table.value(seat, "might"), result))
    draws(table, "mystic-slide")


def test_a_strong_explorer_chooses_any_room_below() -> None:
    table = Table()
    table.put(0, "upper-landing")
    sliding(table, 5)

    assert set(table.asked(0).options) == {"entrance-hall", "foyer", "grand-staircase", "basement-landing"}
    table.choose(0, "foyer")

    assert table.explorer(0).room == "foyer"
    assert [(here.token, here.room) for here in table.view(1).tokens] == [("slide", "upper-landing")]


@pytest.mark.rule("2E-CARD-009")
def test_a_weak_one_lands_in_a_new_room_of_the_basement_and_draws_for_it() -> None:
    table = Table()
    table.stack("event", "mystic-slide")
    table.stack("tiles", "larder")
    table.stack("item", "axe")
    table.rolls(showing(table.value(0, "might"), 4), [2])
    table.draw(0, "event")
    table.choose(0, table.asked(0).options[0])
    table.allocate(0, might=2)

    assert table.explorer(0).room == "larder"
    assert table.explorer(0).cards == ["axe"]


def test_drawn_in_the_basement_it_befalls_the_next_on_the_left_who_is_not_there() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.put(1, "basement-landing")
    table.stack("event", "mystic-slide")
    table.stack("tiles", "larder")
    table.rolls(showing(table.value(2, "might"), 0), [1])
    table.draw(0, "event")
    told = table.choose(2, table.asked(2).options[0])
    table.allocate(2, speed=1)

    assert table.explorer(2).room == "larder"
    assert not events(told, CardDrawn)  # it is not the turn of seat 2
    assert [here.room for here in table.state.tokens] == ["entrance-hall"]


def test_with_everybody_in_the_basement_nothing_slides() -> None:
    table = Table()
    for seat in range(3):
        table.put(seat, "basement-landing")
    draws(table, "mystic-slide")
    assert not table.state.tokens
    assert table.view(1).decks["event"].discard == ["mystic-slide"], "it has left nothing"


def test_a_wall_with_no_room_behind_it_is_left_alone_and_the_card_is_discarded() -> None:
    """Every tile for the upper floor is in the house, and nothing lies behind any wall or corner of the Bedroom."""
    table = Table()
    for place, tile in enumerate(table.rules.pack.tiles_for["upper"]):
        table.lay(tile, "upper", 10 + 4 * place, 10)
    table.put(0, "bedroom")
    table.turn(0)
    table.stack("event", "revolving-wall")

    table.draw(0, "event")

    assert table.explorer(0).room == "bedroom"
    assert table.view(1).tokens == []
    assert table.view(1).decks["event"].discard == ["revolving-wall"]


def test_the_slide_stays_for_others_once_in_an_own_turn() -> None:
    table = Table()
    table.token("slide", "entrance-hall")
    table.turn(1)
    table.rolls(showing(table.value(1, "might"), 5))
    table.act("token:slide", "SLIDE")
    assert table.explorer(1).room == "basement-landing"


def test_by_another_ruling_riding_at_once_may_be_declined() -> None:
    table = Table(options={"rulings": {"mystic-slide": "mystic-slide-may"}})
    draws(table, "mystic-slide")
    table.choose(0, "no")
    assert table.explorer(0).room == "entrance-hall"
    assert [here.token for here in table.state.tokens] == ["slide"]


def turning(table: Table, wall: str, *tiles: str) -> None:
    """Seat 0 draws the Revolving Wall and leans on this wall."""
    table.stack("event", "revolving-wall")
    if tiles:
        table.stack("tiles", *tiles)
    table.draw(0, "event")
    table.choose(0, wall)


def test_a_wall_leads_to_the_room_that_lies_behind_it() -> None:
    table = Table()
    table.lay("larder", "basement", 0, 1)
    table.lay("chasm", "basement", 1, 0, turns=1)
    table.put(0, "larder")
    turning(table, "south-east")
    assert table.asked(0).about == "part:chasm"
    table.choose(0, "0")

    assert table.explorer(0).room == "chasm"
    assert {here.room for here in table.state.tokens} == {"larder", "chasm"}


@pytest.mark.rule("2E-CARD-009")
def test_behind_a_wall_where_nothing_is_a_room_is_found_doors_or_not() -> None:
    table = Table()
    table.stack("item", "axe")
    table.put(0, "upper-landing")
    turning(table, "north-west", "attic", "master-bedroom")
    table.choose(0, table.asked(0).options[0])

    placed = table.state.rooms["attic"]
    landing = table.state.rooms["upper-landing"]
    assert (placed.x - landing.x, placed.y - landing.y) == (-1, 1)
    assert table.explorer(0).room == "attic"


def test_the_front_door_is_no_wall_and_a_door_is_none() -> None:
    table = Table()
    draws(table, "revolving-wall")
    assert set(table.asked(0).options) == {"north-east", "north-west", "south-east", "south-west"}


def test_by_another_ruling_a_corner_will_not_do() -> None:
    table = Table(options={"rulings": {"revolving-wall": "revolving-wall-no-corners"}})
    draws(table, "revolving-wall")
    assert not table.state.open
    assert not table.state.tokens


def with_switch() -> Table:
    """A wall turns between the Upper Landing and the Basement Landing."""
    table = Table()
    table.token("wall-switch", "upper-landing")
    table.token("wall-switch", "foyer")
    return table


@pytest.mark.parametrize("result, room", [(3, "upper-landing"), (2, "foyer")])
def test_the_wall_turns_for_a_knowledge_of_3_or_more(result: int, room: str) -> None:
    table = with_switch()
    table.put(1, "foyer")
    table.turn(1)
    table.rolls(showing(table.value(1, "knowledge"), result))
    table.act("token:wall-switch", "TURN")
    assert table.explorer(1).room == room
    assert Act not in {type(one) for one in table.offers(1)} or room != "foyer"


@pytest.mark.rule("2E-ROOM-041", case=1)
def test_a_hero_does_not_get_through_the_wall_without_a_roll() -> None:
    table = with_switch()
    table.put(1, "foyer")
    table.haunt("the-bell-below", traitor=0)
    table.turn(1)
    assert "upper-landing" not in table.goals(1)
    with table.refuses("2E-ROOM-041"):
        table.move("upper-landing")
    with table.refuses("2E-ROOM-041"):
        table.act("token:wall-switch", "PASS")

    told = table.rolls(showing(table.value(1, "knowledge"), 2)).act("token:wall-switch", "TURN")

    assert the(told, DiceRolled).trait == "knowledge"
    assert table.explorer(1).room == "foyer"


@pytest.mark.rule("2E-ROOM-041", case=2, asserts=True)
def test_the_revolving_wall_is_no_room() -> None:
    names = {tile.id for tile in pack("second-edition").tiles} | {tile.title for tile in pack("second-edition").tiles}
    assert not [name for name in names if "wall" in name.lower()]


@pytest.mark.rule("2E-ROOM-041", case=3, asserts=True)
def test_who_stands_behind_the_wall_is_in_another_room() -> None:
    """North of the Larder lies the Chasm, with a wall between them that turns."""
    table = Table()
    table.lay("larder", "basement", 1, 0)
    table.lay("chasm", "basement", 1, 1)
    table.token("wall-switch", "larder")
    table.token("wall-switch", "chasm", part=0)
    table.hold(0, "axe")
    table.put(0, "larder")
    table.put(1, "chasm", part=0)
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    assert "chasm" not in table.view(0).rooms["larder"].near
    assert table.explorer(0).room != table.explorer(1).room

    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-003"):
        table.attack(1)
    with table.refuses("2E-ITEM-006"):
        table.trade(1, ["axe"])


@pytest.mark.rule("2E-MON-012")
def test_a_monster_goes_through_the_wall_without_a_roll_once_in_its_turn() -> None:
    table = with_switch()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "foyer")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    told = table.act("token:wall-switch", "PASS", monster="sexton-1")

    assert not events(told, DiceRolled)
    assert table.seen(0, "sexton-1").room == "upper-landing"
    assert Act not in {type(one) for one in table.offers(1)}


@pytest.mark.rule("2E-TPOW-003")
def test_the_traitor_turns_the_wall_without_a_roll() -> None:
    table = with_switch()
    table.put(1, "foyer")
    table.haunt("the-bell-below", traitor=1)
    table.turn(1)
    told = table.act("token:wall-switch", "TURN")
    assert not events(told, DiceRolled)
    assert the(told, Moved).room == "upper-landing"


def test_a_room_moves_to_another_doorway_of_its_floor_with_all_who_are_in_it() -> None:
    table = Table()
    table.lay("larder", "basement", 0, 1)
    table.put(0, "larder")
    table.put(1, "larder")
    table.token("drip", "larder")
    draws(table, "what-the")
    assert "stay" not in table.asked(0).options
    told = table.choose(0, table.asked(0).options[0])

    moved = the(told, TileMoved)
    assert (moved.tile, moved.floor) == ("larder", "basement")
    assert (moved.x, moved.y) != (0, 1)
    assert {table.explorer(seat).room for seat in (0, 1)} == {"larder"}
    assert [here.room for here in table.state.tokens] == ["larder"]


def test_a_room_from_the_start_never_moves() -> None:
    table = Table()
    table.stack("event", "what-the")
    told_before = len(table.commits)
    table.draw(0, "event")
    told = [one for commit in table.commits[told_before:] for one in commit]
    assert the(told, Fizzled).what == "move-tile"
    assert not events(told, TilePlaced)
