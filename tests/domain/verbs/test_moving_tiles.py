"""Who says where a tile goes that an effect moves."""

from domain.facts.events import TileMoved
from tests.support.table import Table, the


def carousel() -> Table:
    """Seat 0 stands in the Kitchen, one of several places on the ground floor to which it could swing; seat 1 is the traitor."""
    table = Table()
    table.lay("kitchen", "ground", -1, 0)
    table.put(0, "kitchen")
    table.put(2, "foyer")
    table.haunt("the-carousel", traitor=1, room="entrance-hall")
    table.turn(1)
    return table


def falls(table: Table) -> int:
    haunt = table.state.haunt
    assert haunt is not None
    return haunt.counters["falls"]


def test_who_turns_the_crank_says_where_the_room_swings() -> None:
    table = carousel()

    table.rolls([2] * table.value(0, "speed"))
    table.act("haunt:traitor", "CRANK", 0)

    assert not table.is_asked(0)
    told = table.choose(1, table.asked(1).options[0])
    assert the(told, TileMoved).tile == "kitchen"
    assert falls(table) == 0


def test_a_hero_may_fall_even_where_the_crank_can_swing_no_room() -> None:
    table = carousel()
    table.rolls([0] * table.value(2, "speed"))

    told = table.act("haunt:traitor", "CRANK", 2)  # in the Foyer, which never moves

    assert not [one for one in told if isinstance(one.event, TileMoved)]
    assert falls(table) == 1


def test_a_hero_whose_room_swings_as_a_round_begins_says_where() -> None:
    table = carousel()

    table.begin_turn(2)

    assert table.asked(0).about == "move-tile:kitchen"
