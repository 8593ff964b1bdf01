"""Moving: what a step costs, how far Speed goes, what ends movement, which rooms are adjacent (rulebook: Move)."""

import pytest

from domain.facts.audience import seat_bit
from domain.facts.commands import Act, Cross, Explore, Move
from domain.facts.events import CardDrawn, Declined, DiceRolled, Moved, Stopped, Told
from projections.view.game import view_of
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

TRUMPET = """
  id: ear-trumpet
  deck: item
  title: Ear Trumpet
  text: You hear what goes on in the next room.
  actions: [{word: LISTEN, room: {adjacent: true}, do: []}]
"""


def wing(table: Table) -> None:
    """A row of rooms to the west of the Foyer: Kitchen, and the Dining Room north of it."""
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -1, 2, turns=1)


def walker(explorer: str = "ox-bellows", **traits: int) -> Table:
    """Seat 0, alone in a house with a wing, at the beginning of its turn."""
    table = Table((explorer, "zoe-ingstrom", "vivian-lopez"))
    wing(table)
    table.traits(0, **traits)
    return table


def spaces_left(table: Table) -> int:
    """What everybody sees of the movement that is left."""
    shown = {view_of(table.rules, role, mask).turn.spaces_left for mask, role in table.roles.items()}
    assert len(shown) == 1
    return shown.pop()


# -- 2E-MOVE-001: the allowance -------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MOVE-001", case=1)
def test_speed_three_pays_for_three_moves_and_not_for_a_fourth() -> None:
    table = walker(speed=3)
    table.move("foyer", "kitchen", "foyer")
    assert table.goals(0) == []
    with table.refuses("2E-MOVE-001"):
        table.move("kitchen")


@pytest.mark.rule("2E-MOVE-001", case=2)
def test_the_current_speed_counts_and_not_the_starting_value() -> None:
    table = walker("father-rhinehardt")
    assert table.value(0, "speed") == 3
    table.traits(0, speed=4)
    table.move("foyer", "kitchen", "foyer", "kitchen")
    with table.refuses("2E-MOVE-001"):
        table.move("foyer")


@pytest.mark.rule("2E-MOVE-001", case=3)
def test_heather_granville_loses_a_space_of_speed_on_the_way() -> None:
    table = walker("heather-granville")
    assert table.value(0, "speed") == 4
    table.move("foyer", "kitchen")
    table.clips(0, speed=2)
    assert table.value(0, "speed") == 3
    table.move("foyer")
    with table.refuses("2E-MOVE-001"):
        table.move("kitchen")


@pytest.mark.rule("2E-MOVE-001", case=4)
def test_speed_lost_below_what_was_spent_owes_nothing_and_takes_no_move_back() -> None:
    table = walker(speed=4)
    table.move("foyer", "kitchen", "foyer")
    table.traits(0, speed=2)

    assert spaces_left(table) == 0
    assert table.explorer(0).room == "foyer"
    assert not table.offers(0, Explore)
    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-MOVE-001", case=5)
def test_ox_bellows_gains_a_space_of_speed_when_all_is_spent() -> None:
    table = walker("ox-bellows")
    assert table.value(0, "speed") == 4
    table.move("foyer", "kitchen", "foyer", "kitchen")
    assert spaces_left(table) == 0
    table.traits(0, speed=5)

    table.move("foyer")

    with table.refuses("2E-MOVE-001"):
        table.move("kitchen")


@pytest.mark.rule("2E-MOVE-001", case=6)
def test_spaces_that_were_not_used_are_gone_in_the_next_turn() -> None:
    table = walker(speed=3)
    table.move("foyer")
    for _ in range(3):
        table.end_turn()
    assert table.seat == 0
    table.move("kitchen", "foyer", "kitchen")
    with table.refuses("2E-MOVE-001"):
        table.move("foyer")


# -- 2E-MOVE-002: a room is a space ---------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MOVE-002", case=1)
def test_from_the_entrance_hall_to_the_dining_room_are_three_spaces() -> None:
    table = walker(speed=3)
    told = table.move("foyer", "kitchen", "dining-room")
    assert [step.spent for step in events(told, Moved)] == [1, 1, 1]
    assert spaces_left(table) == 0


@pytest.mark.rule("2E-MOVE-002", case=2, asserts=True)
def test_without_a_space_left_nobody_goes_through_an_unexplored_doorway() -> None:
    table = walker(speed=2)
    table.move("foyer", "entrance-hall")
    with table.refuses("2E-MOVE-001"):
        table.explore("east")


@pytest.mark.rule("2E-MOVE-002", case=3)
def test_the_last_space_may_be_a_discovery() -> None:
    table = walker(speed=3)
    table.move("foyer", "entrance-hall")
    table.stack("tiles", "dusty-hallway")
    told = table.explore("east")
    assert the(told, Moved).spent == 1
    assert spaces_left(table) == 0


@pytest.mark.rule("2E-MOVE-002", case=4)
def test_a_room_entered_a_second_time_costs_a_space_again() -> None:
    table = walker(speed=3)
    told = table.move("foyer", "entrance-hall", "foyer")
    assert [step.spent for step in events(told, Moved)] == [1, 1, 1]
    assert spaces_left(table) == 0


# -- 2E-MOVE-003: actions in between --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MOVE-003", case=1)
def test_movement_is_interrupted_by_an_item_and_resumed() -> None:
    table = walker(speed=3)
    table.hold(0, "healing-salve")
    table.turn(0)

    table.move("foyer")
    table.act("card:healing-salve", "HEAL", target=0)
    table.move("kitchen", "dining-room")

    assert table.explorer(0).room == "dining-room"


@pytest.mark.rule("2E-MOVE-003", case=2, asserts=True)
def test_in_the_haunt_movement_is_interrupted_by_an_attack_and_resumed() -> None:
    table = walker(speed=3)
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer", might=2)

    table.move("foyer")
    table.rolls([2, 2, 0, 0, 0], [0, 0]).attack("sexton-1")
    assert table.seen(0, "sexton-1").stunned, "so it slows nobody"
    table.move("kitchen", "dining-room")

    assert table.explorer(0).room == "dining-room"


# -- 2E-MOVE-004: drawing a card ends movement ----------------------------------------------------------------------------


@pytest.mark.rule("2E-MOVE-004", case=1)
def test_a_new_event_room_ends_movement_with_two_spaces_left() -> None:
    table = walker(speed=3)
    table.stack("tiles", "game-room")
    table.stack("event", "drip-drip-drip")

    table.explore("east")
    told = table.lay_anyhow() or table.commits[-1]

    assert the(told, Stopped).figure == 0
    assert table.explorer(0).spent == 1
    assert not table.offers(0, Move)
    assert not table.offers(0, Explore)
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")
    view = view_of(table.rules, table.view(0), seat_bit(0))
    doors = next(room.doors for room in view.rooms if room.id == "game-room")
    free = [side for side in ("north", "east", "south", "west") if getattr(doors, side) == "free"]
    assert free
    with table.refuses("2E-MOVE-004"):
        table.explore(free[0])


def box(*faces: int) -> Table:
    """Seat 0 has moved one of its three spaces and opens the Puzzle Box in an old room."""
    table = walker(speed=3)
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.move("foyer")
    table.stack("item", "axe", "armor")
    table.rolls(faces).act("card:puzzle-box", "OPEN")
    return table


@pytest.mark.rule("2E-MOVE-004", case=2)
def test_two_items_from_the_puzzle_box_end_movement() -> None:
    table = box(2, 2, 2)
    assert table.explorer(0).cards == ["axe", "armor"]
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-MOVE-004", case=3, asserts=True)
def test_a_puzzle_box_that_stays_shut_does_not() -> None:
    table = box(2, 2, 1)
    assert table.explorer(0).cards == ["puzzle-box"]
    table.move("kitchen", "dining-room")
    assert table.explorer(0).room == "dining-room"


@pytest.mark.rule("2E-MOVE-004", case=4)
def test_an_event_that_gives_an_item_too_ends_movement_when_both_are_done() -> None:
    table = walker(speed=3)
    table.stack("tiles", "gardens")
    table.stack("event", "image-in-the-mirror-a")
    table.stack("item", "axe")

    told = table.explore("east")

    assert [one.card for one in events(told, CardDrawn)] == ["image-in-the-mirror-a", "axe"]
    assert table.explorer(0).cards == ["axe"]
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-MOVE-004", case=5)
def test_an_event_may_take_its_drawer_elsewhere_and_movement_is_over_there() -> None:
    table = walker(speed=4)
    table.move("foyer")
    table.stack("tiles", "game-room")
    table.stack("event", "burning-man")
    table.explore("east")
    told = table.rolls([1, 1, 0]).lay_anyhow()

    assert [one.room for one in events(told, Moved)] == ["game-room", "entrance-hall"]
    assert table.explorer(0).room == "entrance-hall"
    with table.refuses("2E-MOVE-004"):
        table.move("foyer")


@pytest.mark.rule("2E-MOVE-004", case=6, asserts=True)
def test_a_card_drawn_in_another_players_turn_costs_no_movement_of_the_own() -> None:
    """Jonah's Turn, drawn by seat 0: seat 1 trades the Puzzle Box for another item."""
    table = walker()
    table.hold(1, "puzzle-box")
    table.traits(1, speed=5)
    table.stack("tiles", "gardens")
    table.stack("event", "jonahs-turn")
    table.stack("item", "axe")
    table.explore("east")
    assert table.explorer(1).cards == ["axe"]

    table.end_turn()

    assert spaces_left(table) == 5
    told = table.move("foyer", "kitchen", "foyer", "kitchen", "foyer")
    assert len(events(told, Moved)) == 5


@pytest.mark.rule("2E-MOVE-004", case=7)
def test_an_event_that_the_traitor_declines_ends_movement_all_the_same() -> None:
    table = walker(speed=3)
    table.haunt("the-bell-below", traitor=0)
    table.stack("tiles", "gardens")
    table.stack("event", "night-view")
    table.explore("east")

    told = table.choose(0, "be-spared")

    assert the(told, Declined).seat == 0
    assert not events(told, DiceRolled)
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")


def over() -> Table:
    """Seat 0 stands in the Foyer, and a card has ended its movement."""
    table = walker(speed=3)
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    table.lay("ballroom", "ground", 1, 0)
    return table


@pytest.mark.rule("2E-MOVE-004")
@pytest.mark.parametrize(
    "room, source, word",
    [
        ("collapsed-room", "tile:collapsed-room", "FALL"),
        ("gallery", "tile:gallery", "FALL"),
        ("kitchen", "token:slide", "SLIDE"),
        ("kitchen", "token:wall-switch", "TURN"),
    ],
)
def test_whoever_has_drawn_a_card_does_not_jump_slide_or_go_through_the_wall(room: str, source: str, word: str) -> None:
    table = over()
    table.lay("collapsed-room", "ground", -2, 1)
    table.lay("gallery", "upper", 0, 1)
    for token, here in (("slide", "kitchen"), ("wall-switch", "kitchen"), ("wall-switch", "foyer")):
        table.token(token, here)
    table.put(0, room)
    table.turn(0)
    assert (source, word) in {(one.source, one.word) for one in table.offers(0) if isinstance(one, Act)}

    table.draw(0, "event", "smoke")

    assert not [one for one in table.offers(0) if isinstance(one, Act | Move | Explore)]
    with table.refuses("2E-MOVE-004"):
        table.act(source, word)


@pytest.mark.rule("2E-MOVE-004")
def test_whoever_has_drawn_a_card_crosses_no_barrier() -> None:
    table = over()
    table.put(0, "chasm")
    table.turn(0)
    assert table.offers(0, Cross)
    table.draw(0, "event", "smoke")

    assert not table.offers(0, Cross)
    with table.refuses("2E-MOVE-004"):
        table.cross()


def test_whoever_has_drawn_a_card_may_still_try_the_dials_of_the_vault() -> None:
    table = walker(speed=3)
    table.put(0, "upper-landing")
    table.turn(0)
    table.stack("tiles", "vault")
    table.stack("event", "smoke")
    table.explore("north")
    told: list[Told] = table.lay_anyhow() or table.commits[-1]
    assert events(told, Stopped)

    told = table.rolls([1]).act("tile:vault", "OPEN")

    assert the(told, DiceRolled).trait == "knowledge"


# -- 2E-MOVE-005, 2E-MOVE-006: after a card, and after a room without one -------------------------------------------------


@pytest.mark.rule("2E-MOVE-005", case=1)
def test_after_a_card_an_item_held_before_can_still_be_used() -> None:
    table = Table()
    table.hold(0, "smelling-salts")
    for _ in range(3):
        table.end_turn()
    table.traits(0, knowledge=2)
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")
    assert the(table.explore("east"), CardDrawn).card == "axe"
    assert table.goals(0) == [], "the card has ended movement"

    table.act("card:smelling-salts", "HEAL", target=0)

    assert table.value(0, "knowledge") == 3


@pytest.mark.rule("2E-MOVE-006", case=1)
def test_a_room_without_a_symbol_lets_its_discoverer_go_on() -> None:
    table = walker(speed=3)
    table.stack("tiles", "dusty-hallway")

    told = table.explore("east")
    assert not events(told, CardDrawn)
    table.move("entrance-hall", "foyer")

    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")


# -- 2E-MOVE-007: adjacency -----------------------------------------------------------------------------------------------


def listener() -> Table:
    """Seat 0 hears what goes on in adjacent rooms."""
    table = Table(game=rules_with(card=TRUMPET))
    table.hold(0, "ear-trumpet")
    return table


def heard_from(table: Table, room: str) -> set[str]:
    """The rooms that an effect on adjacent rooms reaches from here."""
    table.put(0, room)
    table.turn(0)
    return {str(one.target) for one in table.offers(0) if isinstance(one, Act) and one.word == "LISTEN"}


@pytest.mark.rule("2E-MOVE-007", case=1, asserts=True)
def test_rooms_side_by_side_are_adjacent() -> None:
    table = listener()
    table.lay("ballroom", "ground", 1, 0)
    assert "ballroom" in heard_from(table, "entrance-hall")
    assert "entrance-hall" in heard_from(table, "ballroom")


@pytest.mark.rule("2E-MOVE-007", case=2, asserts=True)
def test_rooms_that_meet_at_a_corner_are_not_adjacent() -> None:
    table = listener()
    table.lay("ballroom", "ground", 1, 1)
    assert "ballroom" not in heard_from(table, "entrance-hall")
    assert "entrance-hall" not in heard_from(table, "ballroom")


@pytest.mark.rule("2E-MOVE-007", case=3, asserts=True)
def test_of_the_three_rooms_on_one_tile_the_foyer_is_adjacent_to_both_others() -> None:
    table = listener()
    assert heard_from(table, "foyer") == {"entrance-hall", "grand-staircase"}
    assert heard_from(table, "entrance-hall") == {"foyer"}
    assert heard_from(table, "grand-staircase") == {"foyer"}


@pytest.mark.rule("2E-MOVE-007", case=4, asserts=True)
def test_a_room_at_the_foyers_east_door_is_adjacent_to_the_foyer_alone() -> None:
    table = listener()
    table.lay("ballroom", "ground", 1, 1)
    assert heard_from(table, "ballroom") == {"foyer"}
    assert "ballroom" in heard_from(table, "foyer")


@pytest.mark.rule("2E-MOVE-007", case=5, asserts=True)
def test_rooms_on_different_floors_are_never_adjacent() -> None:
    """Entrance Hall, Basement Landing and Upper Landing have equal coordinates, the Foyer's are one apart."""
    table = listener()
    rooms = table.state.rooms
    assert len({(rooms[room].x, rooms[room].y) for room in ("entrance-hall", "basement-landing", "upper-landing")}) == 1
    assert rooms["foyer"].y == rooms["upper-landing"].y + 1
    assert heard_from(table, "upper-landing") == set()
    assert heard_from(table, "basement-landing") == set()
    assert "upper-landing" not in heard_from(table, "grand-staircase")
    assert not heard_from(table, "entrance-hall") & {"upper-landing", "basement-landing"}


@pytest.mark.rule("2E-MOVE-007", case=6, asserts=True)
def test_a_wall_or_a_false_door_between_two_rooms_leaves_them_adjacent() -> None:
    table = listener()
    table.lay("gardens", "ground", 1, 1)  # its doors lie north and south: the Foyer's east door is false
    table.lay("graveyard", "ground", 1, 2)  # no door on either side to the Grand Staircase
    assert "gardens" in heard_from(table, "foyer")
    assert "gardens" not in table.goals(0)
    assert "graveyard" in heard_from(table, "grand-staircase")
