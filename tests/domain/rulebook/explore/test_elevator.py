"""The Mystic Elevator: when it goes, where to, and when it stays (rulebook: Special Rooms)."""

import pytest

from domain.facts.commands import Explore
from domain.facts.events import (
    DamageTaken,
    DiceRolled,
    Fizzled,
    HarmIgnored,
    Moved,
    RuleApplied,
    TileMoved,
    TilePlaced,
    Told,
)
from tests.support.table import Table, events, the


def with_elevator() -> Table:
    """The elevator lies to the east of the Entrance Hall; its door is the west one there."""
    table = Table()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    return table


def full_basement(table: Table, *, free: int = 0) -> Table:
    """One-door rooms take all doorways of the basement but so many."""
    ends = [("storeroom", 1, 0, 3), ("crypt", 0, 1, 2), ("vault", 0, -1, 0), ("pentagram-chamber", -1, 0, 0)]
    for tile, x, y, turns in ends[: len(ends) - free]:
        table.lay(tile, "basement", x, y, turns=turns)
    return table


def floor(table: Table) -> str:
    """Where everybody sees the elevator."""
    return table.view(1).rooms["mystic-elevator"].floor


def stood_still(told: list[Told]) -> bool:
    """Whether the tile stayed where it was."""
    return not events(told, TileMoved)


# -- 2E-ROOM-028: the Mystic Elevator moves on entry ---------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-028", case=1)
def test_whoever_enters_sets_it_off_and_it_takes_everybody_in_it_along() -> None:
    table = with_elevator()
    table.put(1, "mystic-elevator")
    table.turn(0)

    told = table.rolls([2, 1]).move("mystic-elevator")
    told += table.choose(0, table.asked(0).options[0])

    assert (the(told, DiceRolled).faces, the(told, TileMoved).floor) == ([2, 1], "upper")
    room = table.view(1).rooms["mystic-elevator"]
    assert (room.floor, [near for near in room.near if near]) == ("upper", ["upper-landing"])
    assert [table.explorer(seat).room for seat in (0, 1)] == ["mystic-elevator"] * 2
    assert [table.explorer(seat).spent for seat in (0, 1)] == [1, 0]


@pytest.mark.rule("2E-ROOM-028", case=2)
def test_whoever_rode_moves_on_with_the_spaces_left() -> None:
    table = with_elevator()
    table.traits(0, speed=3)
    table.rolls([2, 1]).move("mystic-elevator")
    table.choose(0, table.asked(0).options[0])

    table.move("upper-landing", "grand-staircase")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("grand-staircase", 3)


@pytest.mark.rule("2E-ROOM-028", case=3)
def test_who_discovers_it_enters_it_and_it_rolls_at_once() -> None:
    table = Table()
    table.stack("tiles", "mystic-elevator")

    told = table.rolls([1, 0]).explore("east")

    kinds = [type(one.event) for one in told]
    assert kinds.index(TilePlaced) < kinds.index(Moved) < kinds.index(DiceRolled)
    assert the(told, TilePlaced).floor == "ground"
    assert {option.partition(":")[0] for option in table.asked(0).options} == {"basement"}


@pytest.mark.rule("2E-ROOM-028", case=4)
def test_the_doorway_that_it_left_is_free_again() -> None:
    table = with_elevator()
    assert "east" not in [one.door for one in table.offers(0) if isinstance(one, Explore)]
    table.rolls([1, 0]).move("mystic-elevator")
    table.choose(0, table.asked(0).options[0])
    table.turn(1)
    table.stack("tiles", "creaky-hallway")

    told = table.explore("east")

    assert the(told, TilePlaced).tile == "creaky-hallway"


@pytest.mark.rule("2E-ROOM-028", case=5)
@pytest.mark.parametrize("goal", ["basement", "ground", "upper"])
def test_on_a_four_any_floor_may_be_chosen(goal: str) -> None:
    table = with_elevator()
    table.rolls([2, 2]).move("mystic-elevator")

    table.choose(0, next(option for option in table.asked(0).options if option.startswith(goal)))

    assert floor(table) == goal


@pytest.mark.rule("2E-ROOM-028", case=6)
def test_its_door_has_to_face_the_doorway() -> None:
    table = with_elevator()
    table.rolls([1, 0]).move("mystic-elevator")
    assert table.asked(0).options == ["basement:0:1@2", "basement:1:0@3", "basement:0:-1@0", "basement:-1:0@1"]

    for walled in ("basement:0:1@0", "basement:0:1@1", "basement:0:1@3"):
        with table.refuses("2E-ROOM-028", problem="not-an-option"):
            table.choose(0, walled)
    table.choose(0, "basement:0:1@2")

    room = table.view(1).rooms["mystic-elevator"]
    assert (room.floor, room.near[2]) == ("basement", "basement-landing")


# -- 2E-ROOM-029: no door for the elevator -------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-029", case=1)
def test_a_floor_without_a_free_doorway_does_not_get_it() -> None:
    table = full_basement(with_elevator())
    table.turn(0)
    before = table.view(0).rooms["mystic-elevator"]

    told = table.rolls([1, 0]).move("mystic-elevator")

    assert the(told, Fizzled).rule == "2E-ROOM-029"
    assert stood_still(told)
    after = table.view(0).rooms["mystic-elevator"]
    assert (after.floor, after.x, after.y, after.turns) == (before.floor, before.x, before.y, before.turns)
    assert not table.state.open


# -- 2E-ROOM-030: the result is the present floor ------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-030", case=1)
def test_on_its_own_floor_it_may_stay_or_go_to_another_door() -> None:
    table = with_elevator()
    table.rolls([1, 1]).move("mystic-elevator")
    assert table.asked(0).options == ["ground:-1:0@1", "ground:1:1@3", "ground:-1:1@1", "stay"]
    assert stood_still(table.choose(0, "stay"))

    table.put(0, "entrance-hall")
    table.turn(0)
    table.rolls([1, 1]).move("mystic-elevator")
    table.choose(0, "ground:-1:1@1")

    assert table.view(0).rooms["mystic-elevator"].near[1] == "foyer"


# -- 2E-ROOM-031: elevator once a turn -----------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-031", case=1)
def test_who_leaves_it_and_comes_back_in_the_turn_rides_once() -> None:
    table = with_elevator()
    table.rolls([1, 1]).move("mystic-elevator")
    table.choose(0, "stay")

    told = table.move("entrance-hall", "mystic-elevator")

    assert not events(told, DiceRolled)
    assert stood_still(told)
    assert not table.state.open


@pytest.mark.rule("2E-ROOM-031", case=2, asserts=True)
def test_who_enters_it_in_the_next_turn_rolls_anew() -> None:
    table = with_elevator()
    table.rolls([1, 1]).move("mystic-elevator")
    table.choose(0, "stay")
    table.end_turn()
    assert table.seat == 1

    told = table.rolls([1, 0]).move("mystic-elevator")

    assert (the(told, DiceRolled).who, the(told, DiceRolled).faces) == (1, [1, 0])


@pytest.mark.rule("2E-ROOM-031", case=3)
def test_who_comes_back_to_it_by_a_passage_rides_once_too() -> None:
    table = with_elevator()
    table.token("secret-passage", "mystic-elevator")
    table.token("secret-passage", "foyer")
    table.turn(0)
    table.rolls([2, 1]).move("mystic-elevator")
    table.choose(0, table.asked(0).options[0])

    told = table.move("foyer", "mystic-elevator")

    assert not events(told, DiceRolled)
    assert stood_still(told)
    assert (table.explorer(0).room, floor(table)) == ("mystic-elevator", "upper")


# -- 2E-ROOM-032: traitor and monsters steer the elevator ----------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-032", case=1)
def test_the_traitor_is_asked_for_a_floor_and_door_and_rolls_nothing() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=0)

    told = table.move("mystic-elevator")

    assert not events(told, DiceRolled)
    assert table.asked(0).about == "move-tile:mystic-elevator"
    floors = {option.partition(":")[0] for option in table.asked(0).options}
    assert floors == {"basement", "ground", "upper", "stay"}
    table.choose(0, "upper:1:0@3")
    assert floor(table) == "upper"


@pytest.mark.rule("2E-ROOM-032", case=2)
def test_the_traitor_does_not_use_up_the_last_doorway_of_a_floor() -> None:
    table = full_basement(with_elevator(), free=1)
    table.haunt("the-bell-below", traitor=0)
    table.move("mystic-elevator")

    with table.refuses("2E-ROOM-028", problem="not-an-option"):
        table.choose(0, "basement:-1:0@1")
    table.choose(0, "upper:1:0@3")

    assert floor(table) == "upper"


@pytest.mark.rule("2E-ROOM-032", case=3)
def test_the_traitor_may_leave_it_where_it_is() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=0)
    table.move("mystic-elevator")

    told = table.choose(0, "stay")

    assert stood_still(told)
    assert (table.explorer(0).room, floor(table)) == ("mystic-elevator", "ground")


# -- 2E-ROOM-033: one ride for traitor and monsters together -------------------------------------------------------------


def haunted() -> Table:
    """Seat 2 is the traitor; it and two monsters stand in the Entrance Hall, both heroes in the Foyer."""
    table = with_elevator()
    for seat in (0, 1):
        table.put(seat, "foyer")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.monster("sexton-2", "entrance-hall")
    return table


@pytest.mark.rule("2E-ROOM-033", case=1)
def test_where_the_traitor_has_ridden_it_stays_for_a_monster() -> None:
    table = haunted()
    table.turn(2)
    table.move("mystic-elevator")
    table.choose(2, "ground:1:1@3")
    table.rolls([1, 1, 1, 1]).end_turn()
    assert table.state.turn.monsters

    told = table.move("foyer", "mystic-elevator", monster="sexton-1")

    assert table.seen(0, "sexton-1").room == "mystic-elevator"
    assert not table.state.open
    assert stood_still(told)


@pytest.mark.rule("2E-ROOM-033", case=2)
def test_without_the_traitor_the_first_monster_rides_and_the_second_does_not() -> None:
    table = haunted()
    table.turn(2)
    table.rolls([1, 1, 1, 1]).end_turn()
    assert table.state.turn.monsters

    table.move("mystic-elevator", monster="sexton-1")
    told = table.choose(2, "ground:1:1@3")
    assert (the(told, TileMoved).x, the(told, TileMoved).y) == (1, 1)
    told = table.move("foyer", "mystic-elevator", monster="sexton-2")

    assert table.seen(0, "sexton-2").room == "mystic-elevator"
    assert not table.state.open
    assert stood_still(told)


# -- 2E-ROOM-034: heroes roll each turn ----------------------------------------------------------------------------------


def inside(*, haunt: bool = True) -> Table:
    """Seat 0 begins its turn in the elevator; in the haunt seat 1 is the traitor."""
    table = with_elevator()
    table.put(0, "mystic-elevator")
    if haunt:
        table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    return table


@pytest.mark.rule("2E-ROOM-034", case=1)
def test_a_hero_who_spends_a_whole_turn_in_it_rolls_at_the_end() -> None:
    table = inside()

    told = table.rolls([1, 1]).end_turn()

    assert [one.faces for one in events(told, DiceRolled)] == [[1, 1]]


@pytest.mark.rule("2E-ROOM-034", case=2, asserts=True)
def test_a_hero_who_began_in_it_and_ended_elsewhere_does_not_roll() -> None:
    table = inside()
    table.move("entrance-hall")

    assert not events(table.end_turn(), DiceRolled)


@pytest.mark.rule("2E-ROOM-034", case=3, asserts=True)
def test_a_hero_who_entered_it_in_the_turn_rolls_on_entry_alone() -> None:
    table = with_elevator()
    table.haunt("the-bell-below", traitor=1)
    told = table.rolls([1, 1]).move("mystic-elevator")
    assert [one.faces for one in events(told, DiceRolled)] == [[1, 1]]
    table.choose(0, "stay")

    assert not events(table.end_turn(), DiceRolled)


@pytest.mark.rule("2E-ROOM-034", case=4, asserts=True)
def test_a_hero_who_moved_out_and_came_back_rolls_on_entry_alone() -> None:
    table = inside()
    table.move("entrance-hall")
    told = table.rolls([1, 1]).move("mystic-elevator")
    assert [one.faces for one in events(told, DiceRolled)] == [[1, 1]]
    table.choose(0, "stay")

    assert not events(table.end_turn(), DiceRolled)


@pytest.mark.rule("2E-ROOM-034", case=5, asserts=True)
def test_before_the_haunt_nobody_rolls_for_staying_in_it() -> None:
    assert not events(inside(haunt=False).end_turn(), DiceRolled)


# -- 2E-ROOM-035: elevator result 0 --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-035", case=1)
def test_on_entry_a_result_of_zero_hurts_everybody_in_it_each_by_a_roll_of_their_own() -> None:
    table = with_elevator()
    table.put(1, "mystic-elevator")
    table.put(2, "mystic-elevator")
    table.turn(0)

    told = table.rolls([0, 0], [1], [2], [1]).move("mystic-elevator")
    told += table.choose(0, table.asked(0).options[0])
    told += table.allocate(0, might=1)
    told += table.allocate(1, might=2)
    told += table.allocate(2, might=1)

    assert [one.who for one in events(told, DiceRolled) if one.kind == "damage"] == [0, 1, 2]
    assert [(one.seat, one.amount) for one in events(told, DamageTaken)] == [(0, 1), (1, 2), (2, 1)]


@pytest.mark.rule("2E-ROOM-035", case=2)
def test_alone_in_it_one_is_hurt_alone() -> None:
    table = with_elevator()

    told = table.rolls([0, 0], [1]).move("mystic-elevator")
    told += table.choose(0, table.asked(0).options[0])
    told += table.allocate(0, might=1)

    assert [one.seat for one in events(told, DamageTaken)] == [0]


@pytest.mark.rule("2E-ROOM-035", case=3)
def test_the_roll_at_the_end_of_a_turn_hurts_its_roller_alone() -> None:
    table = inside()
    table.put(2, "mystic-elevator")

    table.rolls([0, 0], [1]).end_turn()
    told = table.choose(0, table.asked(0).options[0])
    told += table.allocate(0, might=1)

    assert the(told, TileMoved).floor == "basement"
    assert [one.seat for one in events(told, DamageTaken)] == [0]
    assert table.seat == 1, "the turn has ended"


@pytest.mark.rule("2E-ROOM-035", case=4)
def test_a_result_of_zero_hurts_also_where_the_tile_cannot_move() -> None:
    table = full_basement(with_elevator())
    table.turn(0)

    told = table.rolls([0, 0], [1]).move("mystic-elevator")
    told += table.allocate(0, might=1)

    assert stood_still(told)
    assert (the(told, DamageTaken).seat, the(told, DamageTaken).amount) == (0, 1)


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


# -- 2E-ROOM-036: tokens ride along --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-036", case=1)
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
    told = table.choose(1, table.asked(1).options[0])

    assert "2E-ROOM-036" in [one.rule for one in events(told, RuleApplied)]
    assert floor(table) == "upper"
    assert "underground-lake" in table.goals(1)
    table.put(2, "underground-lake")
    table.turn(2)
    table.rolls([1, 1]).move("mystic-elevator")
    assert table.explorer(2).room == "mystic-elevator"


@pytest.mark.rule("2E-ROOM-036", case=2, asserts=True)
def test_who_falls_to_the_token_on_it_arrives_where_it_is_now_and_rides() -> None:
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.lay("mystic-elevator", "upper", 1, 0, turns=3)
    table.token("below-collapsed-room", "mystic-elevator")
    table.put(0, "collapsed-room")
    table.turn(0)

    told = table.rolls([1, 1], [0]).act("tile:collapsed-room", "FALL")
    assert (the(told, Moved).room, floor(table)) == ("mystic-elevator", "upper")
    assert the(told, DiceRolled).faces == [1, 1]
    told = table.choose(0, table.asked(0).options[0])

    assert the(told, TileMoved).floor == "ground"
    assert table.explorer(0).room == "mystic-elevator"


# -- 2E-ROOM-037: the elevator may not seal off a floor ------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-037", case=1)
def test_it_does_not_take_the_last_free_doorway_of_a_floor() -> None:
    table = full_basement(with_elevator(), free=1)
    table.turn(0)

    told = table.rolls([1, 0]).move("mystic-elevator")

    assert the(told, Fizzled).rule == "2E-ROOM-037"
    assert stood_still(told)
    assert not table.state.open
