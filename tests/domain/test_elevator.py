"""The Mystic Elevator: when it goes, where to, and when it stays (rulebook: Special Rooms)."""

import pytest

from domain.events import DamageTaken, DiceRolled, HarmIgnored, TileMoved
from tests.support.table import Table, events, the


def with_elevator() -> Table:
    """The elevator lies to the east of the Entrance Hall; its door is the west one there."""
    table = Table()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    return table


@pytest.mark.rule("2E-ROOM-028")
def test_entering_it_rolls_two_dice_and_the_tile_goes_to_a_door_of_that_floor() -> None:
    table = with_elevator()

    told = table.rolls([1, 0]).move("mystic-elevator")
    assert len(the(told, DiceRolled).faces) == 2
    assert table.asked(0).options == ["basement:0:1@2", "basement:1:0@3", "basement:0:-1@0", "basement:-1:0@1"]
    table.choose(0, "basement:0:1@2")

    room = table.view(1).rooms["mystic-elevator"]
    assert (room.floor, room.near[2]) == ("basement", "basement-landing")
    assert table.explorer(0).room == "mystic-elevator"
    assert table.view(1).rooms["entrance-hall"].near[1] == ""


@pytest.mark.rule("2E-ROOM-029")
def test_a_floor_without_a_free_doorway_does_not_get_it() -> None:
    table = with_elevator()
    for tile, x, y, turns in (
        ("storeroom", 1, 0, 3),
        ("crypt", 0, 1, 2),
        ("vault", 0, -1, 0),
        ("pentagram-chamber", -1, 0, 0),
    ):
        table.lay(tile, "basement", x, y, turns=turns)
    table.turn(0)

    told = table.rolls([1, 0]).move("mystic-elevator")

    assert not events(told, TileMoved)
    assert table.view(0).rooms["mystic-elevator"].floor == "ground"


@pytest.mark.rule("2E-ROOM-030")
def test_on_its_own_floor_it_may_stay_or_go_to_another_door() -> None:
    table = with_elevator()

    table.rolls([1, 1]).move("mystic-elevator")
    assert table.asked(0).options == ["ground:-1:0@1", "ground:1:1@3", "ground:-1:1@1", "stay"]
    told = table.choose(0, "stay")
    assert not events(told, TileMoved)

    table.turn(0)
    table.put(0, "entrance-hall")
    table.turn(0)
    table.rolls([1, 1]).move("mystic-elevator")
    told = table.choose(0, "ground:-1:1@1")
    assert table.view(0).rooms["mystic-elevator"].near[1] == "foyer"


@pytest.mark.rule("2E-ROOM-031")
def test_it_goes_once_a_turn() -> None:
    table = with_elevator()
    table.rolls([1, 1]).move("mystic-elevator")
    table.choose(0, "stay")

    told = table.move("entrance-hall", "mystic-elevator")

    assert not events(told, DiceRolled)
    assert not table.state.open


@pytest.mark.rule("2E-ROOM-032")
def test_the_traitor_chooses_where_it_goes_and_rolls_nothing() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=0)

    told = table.move("mystic-elevator")

    assert not events(told, DiceRolled)
    floors = {option.partition(":")[0] for option in table.asked(0).options}
    assert floors == {"basement", "ground", "upper", "stay"}


@pytest.mark.rule("2E-ROOM-033")
def test_without_the_traitor_the_first_monster_rides_and_the_second_does_not() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.monster("sexton-2", "entrance-hall")
    for seat in range(3):
        table.put(seat, "foyer")
    table.turn(2, monsters=True)
    table.let_move(3, "sexton-1", "sexton-2")

    table.move("mystic-elevator", monster="sexton-1")
    table.choose(2, "stay")
    table.move("mystic-elevator", monster="sexton-2")

    assert not table.state.open


@pytest.mark.rule("2E-ROOM-034")
def test_a_hero_who_spends_a_whole_turn_in_it_rolls_at_the_end() -> None:
    table = with_elevator()
    table.put(0, "mystic-elevator")
    table.haunt("the-bell-below", traitor=1)

    told = table.rolls([1, 1]).end_turn()

    assert len(the(told, DiceRolled).faces) == 2


def test_a_hero_who_rode_this_turn_rolls_no_second_time_at_its_end() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=1)
    table.rolls([1, 1]).move("mystic-elevator")
    table.choose(0, "stay")

    told = table.end_turn()

    assert not events(told, DiceRolled)


def test_before_the_haunt_nobody_rolls_for_staying_in_it() -> None:
    table = with_elevator()
    table.put(0, "mystic-elevator")
    table.turn(0)

    assert not events(table.end_turn(), DiceRolled)


@pytest.mark.rule("2E-ROOM-035")
def test_a_result_of_zero_hurts_everybody_in_it_each_by_a_roll_of_their_own() -> None:
    table = with_elevator()
    table.put(1, "mystic-elevator")
    table.put(2, "mystic-elevator")
    table.turn(0)

    told = table.rolls([0, 0], [1], [1], [1]).move("mystic-elevator")
    told += table.choose(0, table.asked(0).options[0])
    for seat in (0, 1, 2):
        told += table.allocate(seat, might=1)

    assert sorted(one.seat for one in events(told, DamageTaken)) == [0, 1, 2]


@pytest.mark.rule("2E-TPOW-002")
def test_a_traitor_whom_the_elevator_shakes_chooses_whether_it_hurts() -> None:
    table = with_elevator()
    table.put(1, "mystic-elevator")
    table.put(2, "mystic-elevator")
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)

    table.rolls([0, 0], [1], [1]).move("mystic-elevator")
    table.choose(0, table.asked(0).options[0])
    told = table.allocate(0, might=1)
    told += table.choose(1, "ignore")
    told += table.allocate(2, might=1)

    assert sorted(one.seat for one in events(told, DamageTaken)) == [0, 2]
    assert the(told, HarmIgnored).source == "tile:mystic-elevator"


@pytest.mark.rule("2E-ROOM-036")
def test_a_passage_on_it_rides_along() -> None:
    table = with_elevator()
    table.lay("organ-room", "basement", 0, 1)
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "underground-lake")
    table.stack("event", "secret-passage")
    table.rolls([1, 1, 0]).explore("east")
    table.lay_anyhow()
    table.choose(0, "mystic-elevator")
    table.choose(0, "no")
    table.turn(1)

    table.rolls([2, 1]).move("mystic-elevator")
    table.choose(1, table.asked(1).options[0])

    assert table.view(0).rooms["mystic-elevator"].floor == "upper"
    assert "underground-lake" in table.goals(1)


@pytest.mark.rule("2E-ROOM-037")
def test_it_does_not_take_the_last_free_doorway_of_a_floor() -> None:
    table = with_elevator()
    for tile, x, y, turns in (("storeroom", 1, 0, 3), ("crypt", 0, 1, 2), ("vault", 0, -1, 0)):
        table.lay(tile, "basement", x, y, turns=turns)
    table.turn(0)

    told = table.rolls([1, 0]).move("mystic-elevator")

    assert not table.state.open
    assert not events(told, TileMoved)


def test_traitor_and_monsters_have_one_ride_together() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.put(0, "foyer")
    table.put(1, "foyer")
    table.turn(2)
    table.move("mystic-elevator")
    table.choose(2, "stay")
    table.rolls([1, 1, 1, 1]).end_turn()

    told = table.move("mystic-elevator", monster="sexton-1")

    assert not table.state.open
    assert not events(told, TileMoved)
