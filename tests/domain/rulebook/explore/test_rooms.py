"""Rooms with a text: what they do, to whom, and how often (rulebook: Special Rooms)."""

import pytest

from domain.facts.commands import EndTurn, Explore, Trade
from domain.facts.events import (
    CardDiscarded,
    CardDrawn,
    DamageTaken,
    DiceRolled,
    HarmIgnored,
    Moved,
    OmenOwed,
    Stopped,
    TileDrawn,
    TilePlaced,
    Told,
    TraitChanged,
)
from tests.support.fate import showing
from tests.support.packs import pack, rules_with
from tests.support.table import Table, events, the

AKIMOTO = ("peter-akimoto", "zoe-ingstrom", "jenny-leclerc")

EXITS = [
    ("attic", "upper", "upper-landing", "speed", 3, "might"),
    ("graveyard", "ground", "foyer", "sanity", 4, "knowledge"),
    ("junk-room", "ground", "entrance-hall", "might", 3, "speed"),
    ("pentagram-chamber", "basement", "basement-landing", "knowledge", 4, "sanity"),
]
"""Rooms that ask for a roll on the way out: where they lie in these tests, the room beside, the trait rolled, its target, what is lost."""


def rolls(table: Table, seat: int, trait: str, total: int) -> Table:
    """Prepare a trait roll of this seat that comes to so much."""
    return table.rolls(showing(table.value(seat, trait), total))


def in_room(room: str, floor: str, *, options: dict[str, object] | None = None) -> Table:
    """Seat 0 begins its turn in this room, east of the landing or the Entrance Hall (the Graveyard lies east of the Foyer)."""
    table = Table(options=options)
    doors = next(tile.doors for tile in pack("second-edition").tiles if tile.id == room)
    turns = (3 - ["north", "east", "south", "west"].index(doors[0])) % 4  # its first door towards the west
    table.lay(room, floor, 1, 1 if room == "graveyard" else 0, turns=turns)
    table.put(0, room)
    table.turn(0)
    return table


def draws(table: Table, card: str) -> list[Told]:
    """Seat 0 draws this event."""
    before = len(table.commits)
    table.draw(0, "event", card)
    return table.since(before)


# -- 2E-ROOM-001: rooms with an asterisk ---------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-001", case=1, asserts=True)
def test_tiles_say_of_which_rooms_the_rulebook_says_more() -> None:
    marked = {tile.id for tile in pack("second-edition").tiles if tile.asterisk}
    assert marked >= {
        "chasm",
        "catacombs",
        "vault",
        "tower",
        "coal-chute",
        "collapsed-room",
        "junk-room",
        "mystic-elevator",
    }
    assert "crypt" not in marked


@pytest.mark.rule("2E-ROOM-001", case=2, asserts=True)
def test_the_text_of_a_room_without_asterisk_is_in_force_all_the_same() -> None:
    table = in_room("crypt", "basement")

    told = table.end_turn()
    told += table.allocate(0, sanity=1)

    assert (the(told, DamageTaken).kind, the(told, DamageTaken).amount) == ("mental", 1)


# -- 2E-ROOM-002: room text works every time -----------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-002", case=1)
def test_whoever_leaves_the_graveyard_rolls_each_time() -> None:
    table = Table()
    table.stack("tiles", "graveyard")
    table.stack("event", "closet-door")
    table.explore("east")
    for _ in range(2):
        table.turn(0)
        told = rolls(table, 0, "sanity", 4).move("entrance-hall")
        assert the(told, DiceRolled).trait == "sanity"
        table.move("graveyard")

    table.turn(1)
    table.move("graveyard")
    told = rolls(table, 1, "sanity", 4).move("entrance-hall")
    assert (the(told, DiceRolled).who, the(told, DiceRolled).trait) == (1, "sanity")


@pytest.mark.rule("2E-ROOM-002", case=2, asserts=True)
def test_the_coal_chute_slides_whoever_enters_it_again() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    for _ in range(2):
        table.put(0, "entrance-hall")
        table.turn(0)
        table.move("coal-chute")
        assert table.explorer(0).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-002", case=3)
def test_an_event_takes_one_out_of_the_junk_room_by_its_roll_and_in_any_case() -> None:
    table = in_room("junk-room", "ground")
    rolls(table, 0, "sanity", 2)
    rolls(table, 0, "might", 0)

    told = draws(table, "burning-man")

    assert [one.trait for one in events(told, DiceRolled)] == ["sanity", "might"]
    assert [(one.trait, one.by) for one in events(told, TraitChanged)] == [("speed", -1)]
    assert not table.state.open, "whoever is taken out cannot stay"
    assert table.explorer(0).room == "entrance-hall"


@pytest.mark.rule("2E-ROOM-002", case=4, asserts=True)
def test_whom_an_effect_moves_into_the_coal_chute_slides() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.hold(0, "dark-dice")
    table.turn(0)

    table.rolls([1, 1, 1]).act("card:dark-dice", "THROW")
    told = table.choose(0, "coal-chute")

    assert [one.room for one in events(told, Moved)] == ["coal-chute", "basement-landing"]
    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 0)


@pytest.mark.rule("2E-ROOM-002", case=5, asserts=True)
def test_the_larder_raises_might_once_for_each_explorer() -> None:
    table = Table()
    table.lay("larder", "basement", 0, 1)
    gains = []
    for seat in (0, 0, 1):
        table.put(seat, "larder")
        table.turn(seat)
        gains.append([(one.seat, one.trait) for one in events(table.end_turn(), TraitChanged)])

    assert gains == [[(0, "might")], [], [(1, "might")]]


@pytest.mark.rule("2E-ROOM-002")
def test_a_text_for_the_end_of_a_turn_works_each_time() -> None:
    table = Table()
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    for _ in range(2):
        table.turn(0)
        told = table.end_turn()
        told += table.allocate(0, speed=1)
        assert the(told, DamageTaken).amount == 1


# -- 2E-ROOM-003: card before text ---------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-003", case=1)
def test_the_card_comes_before_the_text() -> None:
    parlor = """
      id: parlor
      title: Parlor
      floors: [ground]
      doors: [east, west]
      symbols: [event]
      on: [{when: discovered, do: [{gain: {trait: might}}]}]
    """
    table = Table(game=rules_with(tile=parlor))
    table.stack("tiles", "parlor")
    table.stack("event", "night-view")

    told = table.rolls([0, 0, 0]).explore("east")
    told += table.lay_anyhow()

    kinds = [type(one.event) for one in told]
    assert kinds.index(CardDrawn) < kinds.index(CardDiscarded) < kinds.index(TraitChanged)


@pytest.mark.rule("2E-ROOM-003", case=2, asserts=True)
def test_who_discovers_the_junk_room_draws_its_omen_and_rolls_when_leaving_it() -> None:
    table = Table()
    table.stack("tiles", "junk-room")
    table.stack("omen", "ring")

    told = table.explore("east")
    assert (the(told, CardDrawn).deck, events(told, DiceRolled)) == ("omen", [])
    assert the(told, OmenOwed).room == "junk-room"
    table.turn(0)
    told = rolls(table, 0, "might", 3).move("entrance-hall")

    assert the(told, DiceRolled).trait == "might"


@pytest.mark.rule("2E-ROOM-003", case=3, asserts=True)
def test_whom_the_card_takes_out_of_the_chapel_gets_nothing_from_it() -> None:
    table = Table()
    table.stack("tiles", "chapel")
    table.stack("event", "burning-man")
    rolls(table, 0, "sanity", 2).explore("east")
    assert table.explorer(0).room == "entrance-hall"

    assert not events(table.end_turn(), TraitChanged)


@pytest.mark.rule("2E-ROOM-003", case=4, asserts=True)
def test_whom_the_card_takes_out_of_the_graveyard_rolls_on_leaving_it() -> None:
    table = Table()
    table.stack("tiles", "graveyard")
    table.stack("event", "burning-man")
    rolls(table, 0, "sanity", 2)

    told = rolls(table, 0, "sanity", 0).explore("east")

    assert [one.about for one in events(told, DiceRolled)] == ["card/burning-man#do", "tile/graveyard#on.0"]
    assert [(one.trait, one.by) for one in events(told, TraitChanged)] == [("knowledge", -1)]
    assert table.explorer(0).room == "entrance-hall"


# -- 2E-ROOM-015: three rooms on the starting tile -----------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-015", case=1, asserts=True)
def test_the_grand_staircase_is_two_spaces_from_the_entrance_hall() -> None:
    table = Table()

    table.move("foyer", "grand-staircase")

    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-ROOM-015", case=(2, 3), asserts=True)
@pytest.mark.parametrize("here, there", [("entrance-hall", "foyer"), ("grand-staircase", "upper-landing")])
def test_who_stands_in_the_next_room_of_the_entrance_is_in_another_room(here: str, there: str) -> None:
    table = Table()
    table.hold(0, "axe")
    table.put(0, here)
    table.put(1, there)
    table.put(2, "basement-landing")
    table.turn(0)
    assert table.explorer(0).room != table.explorer(1).room

    assert not table.offers(0, Trade)
    with table.refuses("2E-ITEM-006"):
        table.trade(1, ["axe"])
    table.move(there)
    assert table.offers(0, Trade)


# -- 2E-ROOM-027: the Junk Room never traps ------------------------------------------------------------------------------


def akimoto(*, spent: int) -> Table:
    """Peter Akimoto stands in the Junk Room, east of the Entrance Hall, with a Speed of 4 and so many spaces spent."""
    table = Table(AKIMOTO)
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "junk-room")
    table.turn(0)
    table.traits(0, speed=4)
    table.happen(Moved(figure=0, room="junk-room", spent=spent))
    return table


def left(table: Table) -> int:
    """Spaces of movement that seat 0 has left."""
    return max(0, table.value(0, "speed") - table.explorer(0).spent)


@pytest.mark.rule("2E-ROOM-027", case=1)
def test_who_fails_on_the_last_space_stands_next_door_with_none_left() -> None:
    table = akimoto(spent=3)

    rolls(table, 0, "might", 2).move("entrance-hall")
    table.choose(0, "leave")

    assert (table.value(0, "speed"), table.explorer(0).room, left(table)) == (3, "entrance-hall", 0)
    assert table.goals(0) == []


@pytest.mark.rule("2E-ROOM-027", case=2, asserts=True)
def test_who_fails_earlier_stands_next_door_with_what_is_left() -> None:
    table = akimoto(spent=1)

    rolls(table, 0, "might", 2).move("entrance-hall")
    table.choose(0, "leave")

    assert (table.value(0, "speed"), table.explorer(0).room, left(table)) == (3, "entrance-hall", 1)
    table.move("foyer")
    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-ROOM-027", case=3, asserts=True)
def test_who_succeeds_leaves_the_junk_room_for_one_space() -> None:
    table = akimoto(spent=1)

    told = rolls(table, 0, "might", 3).move("entrance-hall")

    assert (the(told, Moved).room, the(told, Moved).spent) == ("entrance-hall", 1)
    assert (table.value(0, "speed"), left(table)) == (4, 2)


@pytest.mark.rule("2E-ROOM-027", case=4)
def test_who_fails_on_the_last_space_still_discovers_the_next_room() -> None:
    table = akimoto(spent=3)
    table.stack("tiles", "creaky-hallway")

    rolls(table, 0, "might", 0).explore("east")
    told = table.choose(0, "leave")

    assert the(told, TilePlaced).tile == "creaky-hallway"
    assert (table.value(0, "speed"), table.explorer(0).room, left(table)) == (3, "creaky-hallway", 0)


@pytest.mark.rule("2E-ROOM-027", case=5, asserts=True)
def test_without_a_space_nobody_leaves_the_junk_room_and_no_roll_is_made() -> None:
    table = akimoto(spent=4)

    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")
    with table.refuses("2E-MOVE-001"):
        table.explore("east")


# -- rooms that ask for a roll on the way out ----------------------------------------------------------------------------


@pytest.mark.parametrize("room, floor, beside, trait, target, lost", EXITS)
def test_who_fails_on_the_way_out_leaves_with_the_loss_or_stays_without_it(
    room: str, floor: str, beside: str, trait: str, target: int, lost: str
) -> None:
    for answer, changes, where in (("leave", [(lost, -1)], beside), ("stay", [], room)):
        table = in_room(room, floor)
        told = rolls(table, 0, trait, target - 1).move(beside)
        assert [(one.trait, one.total) for one in events(told, DiceRolled)] == [(trait, target - 1)]
        assert (table.asked(0).options, events(told, Moved)) == (["leave", "stay"], [])
        told = table.choose(0, answer)
        assert [(one.trait, one.by) for one in events(told, TraitChanged)] == changes
        assert table.explorer(0).room == where

    table = in_room(room, floor)
    rolls(table, 0, trait, target).move(beside)
    assert (table.explorer(0).room, table.state.open) == (beside, {})


@pytest.mark.parametrize("room, floor, beside, trait, target, _lost", EXITS)
def test_who_stays_has_spent_nothing_moves_no_further_and_rolls_again_in_a_later_turn(
    room: str, floor: str, beside: str, trait: str, target: int, _lost: str
) -> None:
    table = in_room(room, floor)
    table.hold(0, "smelling-salts")
    table.clips(0, knowledge=1)
    table.turn(0)
    rolls(table, 0, trait, 0).move(beside)
    told = table.choose(0, "stay")

    assert the(told, Stopped).figure == 0
    assert (table.explorer(0).spent, table.explorer(0).moved, table.goals(0)) == (0, False, [])
    with table.refuses("2E-MOVE-004"):
        table.move(beside)
    table.act("card:smelling-salts", "HEAL", target=0)
    assert EndTurn(decision=table.now) in table.offers(0)

    table.turn(0)
    rolls(table, 0, trait, target).move(beside)
    assert table.explorer(0).room == beside


def test_who_stays_does_not_find_the_room_behind_the_doorway() -> None:
    table = in_room("junk-room", "ground")
    before = table.state.decks["tiles"].size()
    rolls(table, 0, "might", 0).explore("east")

    told = table.choose(0, "stay")

    assert not events(told, TileDrawn)
    assert table.state.decks["tiles"].size() == before
    assert table.explorer(0).room == "junk-room"
    table.turn(0)
    assert table.offers(0, Explore)


def test_who_rides_a_slide_out_of_the_graveyard_may_stay_too() -> None:
    table = in_room("graveyard", "ground")
    table.token("slide", "graveyard")
    table.turn(0)
    rolls(table, 0, "might", 5)
    rolls(table, 0, "sanity", 0).act("token:slide", "SLIDE")

    told = table.choose(0, "stay")

    assert not events(told, Moved)
    assert table.explorer(0).room == "graveyard"


@pytest.mark.parametrize("way", ["secret-passage", "secret-stairs"])
def test_who_agrees_to_take_a_way_just_found_leaves_by_choice_and_may_stay(way: str) -> None:
    """The event was drawn in the Graveyard; where the stairs are not taken, no event is drawn for taking them."""
    for answer, where in (("stay", "graveyard"), ("leave", "basement-landing")):
        table = in_room("graveyard", "ground")
        table.stack("event", way, "rotten")
        if way == "secret-passage":
            table.rolls([0, 0, 0])
        table.draw(0, "event")
        if table.asked(0).about.startswith("token:"):
            table.choose(0, "basement-landing")
        told = rolls(table, 0, "sanity", 0).choose(0, "yes")
        assert (table.asked(0).options, events(told, Moved)) == (["leave", "stay"], [])

        told = rolls(table, 0, "sanity", 0).choose(0, answer)

        assert table.explorer(0).room == where
        assert [one.card for one in events(told, CardDrawn)] == (
            ["rotten"] if (way, answer) == ("secret-stairs", "leave") else []
        )


def test_for_whom_a_slide_has_brought_a_room_it_is_too_late_to_stay() -> None:
    table = in_room("graveyard", "ground")
    table.token("slide", "graveyard")
    table.stack("tiles", "larder")
    table.stack("item", "axe")
    table.turn(0)
    rolls(table, 0, "might", 4).act("token:slide", "SLIDE")
    rolls(table, 0, "sanity", 0).rolls([0]).choose(0, table.asked(0).options[0])

    assert not table.state.open
    assert table.explorer(0).room == "larder"


@pytest.mark.parametrize("room, floor, beside, trait, target, lost", EXITS)
def test_by_another_ruling_who_fails_bears_the_loss_and_leaves(
    room: str, floor: str, beside: str, trait: str, target: int, lost: str
) -> None:
    table = in_room(room, floor, options={"rulings": {room: f"{room}-no-staying"}})

    told = rolls(table, 0, trait, target - 1).move(beside)

    assert not table.state.open
    assert [(one.trait, one.by) for one in events(told, TraitChanged)] == [(lost, -1)]
    assert table.explorer(0).room == beside


@pytest.mark.parametrize("room, floor, beside, trait, target, lost", EXITS)
def test_the_traitor_leaves_without_roll_or_loss(
    room: str, floor: str, beside: str, trait: str, target: int, lost: str
) -> None:
    table = in_room(room, floor)
    table.haunt("the-bell-below", traitor=0)
    table.turn(0)

    told = table.move(beside)
    told += table.choose(0, "ignore")

    assert the(told, HarmIgnored).source == f"tile:{room}"
    assert not events(told, DiceRolled)
    assert table.explorer(0).room == beside
