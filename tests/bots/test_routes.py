"""Ways through the house as a bot finds them."""

from domain.facts.commands import Cross, Move
from service.bots.steady.sight import CROSSING, Routes, SeatSight, unexplored
from tests.bots.seated import sees
from tests.support.table import Table


def sight(table: Table, seat: int = 0) -> SeatSight:
    return SeatSight(sees(table, seat)[0])


def test_stairs_and_passages_count_one_space() -> None:
    routes = Routes(sight(Table()), ("entrance-hall", 0))

    assert routes.cost["foyer", 0] == 1
    assert routes.cost["grand-staircase", 0] == 2
    assert routes.cost["upper-landing", 0] == 3
    assert ("basement-landing", 0) not in routes.cost


def test_the_first_step_is_one_of_the_commands() -> None:
    table = Table()
    commands = table.offers(0)

    step = Routes(sight(table), ("entrance-hall", 0)).step(("upper-landing", 0), commands)

    assert step == Move(decision="turn-1", to="foyer")
    assert Routes(sight(table), ("entrance-hall", 0)).step(("basement-landing", 0), commands) is None


def test_a_barrier_is_crossed_where_there_is_no_other_way() -> None:
    table = Table()
    table.lay("tower", "upper", 1, 0)
    table.lay("balcony", "upper", 2, 0, turns=1)
    table.put(0, "tower", part=1)
    table.turn(0)

    routes = Routes(sight(table), ("tower", 1))

    assert routes.cost["balcony", 0] == CROSSING + 1
    assert isinstance(routes.step(("balcony", 0), table.offers(0)), Cross)


def test_monsters_mind_no_barrier() -> None:
    table = Table()
    table.lay("tower", "upper", 1, 0)
    table.lay("balcony", "upper", 2, 0, turns=1)

    assert Routes(sight(table), ("upper-landing", 0), monster=True).cost["balcony", 0] == 2


def test_the_careful_go_round_a_room_with_an_opponent() -> None:
    table = Table()
    table.lay("dusty-hallway", "ground", 1, 0)
    table.lay("creaky-hallway", "ground", 1, 1)
    table.haunt("the-bell-below", traitor=1)
    table.put(1, "foyer")

    straight = Routes(sight(table), ("entrance-hall", 0))
    careful = Routes(sight(table), ("entrance-hall", 0), careful=True)

    assert straight.cost["creaky-hallway", 0] == careful.cost["creaky-hallway", 0] == 2
    assert careful.cost["grand-staircase", 0] > straight.cost["grand-staircase", 0]


def test_doorways_into_the_unknown_are_where_exploring_goes_on() -> None:
    table = Table()
    table.lay("tower", "upper", 1, 0)

    places = unexplored(sight(table))

    assert ("entrance-hall", 0) in places
    assert ("grand-staircase", 0) not in places
    assert [place for place in places if place[0] == "tower"] == [("tower", 0)]
