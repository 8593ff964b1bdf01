"""Shafts that monsters climb: the Coal Chute, the Collapsed Room, the Gallery (rulebook: Monsters, Special Rooms)."""

import pytest

from domain.commands import Act, Explore, Move
from domain.events import CardDrawn, DamageTaken, DiceRolled, MonsterKilled, TileDrawn, TokenPlaced
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def in_the_shafts(*, token: bool = True) -> Table:
    """The chute and the hole are in the house, and the Sexton of seat 1 waits on the Basement Landing with 3 spaces."""
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.lay("coal-chute", "ground", -1, 0, turns=1)
    table.lay("larder", "basement", 0, 1)
    if token:
        table.token("below-collapsed-room", "basement-landing")
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(3, "sexton-1")
    return table


def moves(table: Table, monster: str) -> set[str]:
    """Where a monster is offered to go."""
    return {one.to for one in table.offers(table.seat) if isinstance(one, Move) and one.monster == monster}


@pytest.mark.rule("2E-MON-013")
def test_a_monster_climbs_up_the_coal_chute_and_leaves_it() -> None:
    table = in_the_shafts()

    table.move("coal-chute", monster="sexton-1")
    assert table.view(0).monsters["sexton-1"].room == "coal-chute"
    table.move("entrance-hall", monster="sexton-1")

    sexton = table.view(0).monsters["sexton-1"]
    assert (sexton.room, sexton.left) == ("entrance-hall", 1)


def test_a_monster_that_stays_in_the_coal_chute_slides_down_when_its_turn_ends() -> None:
    table = in_the_shafts()
    table.move("coal-chute", monster="sexton-1")

    table.end_turn()

    assert table.view(0).monsters["sexton-1"].room == "basement-landing"


def test_a_monster_that_comes_in_from_above_slides_down() -> None:
    table = in_the_shafts()
    table.monster("sexton-2", "entrance-hall")
    table.let_move(2, "sexton-2")

    table.move("coal-chute", monster="sexton-2")

    sexton = table.view(0).monsters["sexton-2"]
    assert (sexton.room, sexton.left) == ("basement-landing", 1)


@pytest.mark.rule("2E-MON-013")
def test_a_monster_climbs_from_the_token_up_to_the_collapsed_room() -> None:
    table = in_the_shafts()

    table.move("collapsed-room", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "collapsed-room"


def test_without_the_token_nobody_climbs_to_the_collapsed_room() -> None:
    table = in_the_shafts(token=False)

    assert "coal-chute" in moves(table, "sexton-1")
    assert "collapsed-room" not in moves(table, "sexton-1")
    with table.refuses("2E-DOOR-001"):
        table.move("collapsed-room", monster="sexton-1")


def test_the_token_of_a_first_fall_lets_monsters_climb() -> None:
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.stack("tiles", "crypt")
    table.stack("event", "drip-drip-drip")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    table.rolls([0]).choose(0, table.asked(0).options[0])
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "crypt")
    table.turn(1, monsters=True)
    table.let_move(2, "sexton-1")

    assert "collapsed-room" in moves(table, "sexton-1")


def test_heroes_and_the_traitor_climb_nothing() -> None:
    table = in_the_shafts()
    for seat in (0, 1):
        table.put(seat, "basement-landing")
        table.turn(seat)
        assert not {"coal-chute", "collapsed-room"} & set(table.goals(seat))
        with table.refuses("2E-DOOR-001"):
            table.move("coal-chute")


@pytest.mark.rule("2E-MON-014")
def test_monsters_climb_from_the_ballroom_to_the_gallery() -> None:
    table = Table()
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.put(1, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "ballroom")
    table.put(0, "upper-landing")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("gallery", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "gallery"


@pytest.mark.rule("2E-ROOM-026")
def test_where_a_monster_is_the_first_to_go_down_the_traitor_picks_a_room_and_no_tile_is_drawn() -> None:
    table = in_the_shafts(token=False)
    table.monster("sexton-2", "collapsed-room")
    table.let_move(0, "sexton-2")
    before = table.view(0).decks["tiles"].size()
    fall = Act(decision=table.now, source="tile:collapsed-room", word="FALL", monster="sexton-2")
    assert fall in table.offers(1)

    told = table.act("tile:collapsed-room", "FALL", monster="sexton-2")
    assert set(table.asked(1).options) == {"basement-landing", "larder"}
    told += table.choose(1, "larder")

    assert table.view(0).monsters["sexton-2"].room == "larder"
    assert table.view(0).decks["tiles"].size() == before
    for kind in (TileDrawn, TokenPlaced, DiceRolled, DamageTaken):
        assert not events(told, kind)


def test_an_explorer_who_falls_after_a_monster_still_finds_a_room() -> None:
    table = in_the_shafts(token=False)
    table.monster("sexton-2", "collapsed-room")
    table.act("tile:collapsed-room", "FALL", monster="sexton-2")
    table.choose(1, "larder")
    table.put(0, "collapsed-room")
    table.stack("tiles", "crypt")
    table.turn(0)

    table.act("tile:collapsed-room", "FALL")

    assert table.asked(0).about == "place:crypt"


@pytest.mark.rule("2E-MON-013")
def test_a_monster_goes_down_to_where_others_fell_without_a_space_and_unhurt() -> None:
    table = in_the_shafts()
    table.monster("sexton-2", "collapsed-room")
    table.let_move(2, "sexton-2")

    told = table.act("tile:collapsed-room", "FALL", monster="sexton-2")

    sexton = table.view(0).monsters["sexton-2"]
    assert (sexton.room, sexton.left, sexton.stunned) == ("basement-landing", 2, False)
    assert not events(told, DiceRolled)


@pytest.mark.rule("2E-ROOM-012")
def test_the_traitor_names_the_side_of_a_monster_that_drops_into_a_barrier_room() -> None:
    table = in_the_shafts(token=False)
    table.lay("catacombs", "basement", 0, -1)
    table.monster("sexton-2", "collapsed-room")
    table.act("tile:collapsed-room", "FALL", monster="sexton-2")
    table.choose(1, "catacombs")

    assert table.asked(1).about == "part:catacombs"
    table.choose(1, "1")

    assert table.view(0).monsters["sexton-2"].part == 1


def in_the_cellar() -> Table:
    """The Sexton is in the basement, everybody else upstairs; it is the traitor's turn, seat 1."""
    table = Table()
    table.lay("larder", "basement", 0, 1)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "larder")
    table.turn(1)
    return table


def may_fetch(table: Table, seat: int) -> bool:
    """Whether the stairs are offered."""
    return any(isinstance(one, Act) and one.word == "FETCH" for one in table.offers(seat))


@pytest.mark.rule("2E-MON-021")
def test_the_traitor_fetches_the_stairs_for_a_monster_that_is_stuck_in_the_basement() -> None:
    table = in_the_cellar()
    assert may_fetch(table, 1)
    before = table.view(0).decks["tiles"].size()

    table.act("tile:stairs-from-basement", "FETCH")
    table.choose(1, table.asked(1).options[0])

    view = table.view(0)
    assert view.rooms["stairs-from-basement"].floor == "basement"
    assert view.decks["tiles"].size() == before - 1
    assert not any(slot.face for slot in view.decks["tiles"].top), "the stack was shuffled"
    assert "foyer" in {link.to for link in view.links["stairs-from-basement"]}
    assert table.explorer(1).room == "upper-landing"


@pytest.mark.rule("2E-MON-021")
def test_nobody_fetches_the_stairs_in_a_heros_turn() -> None:
    table = in_the_cellar()
    table.turn(0)
    assert not may_fetch(table, 0)
    with table.refuses("2E-MON-021"):
        table.act("tile:stairs-from-basement", "FETCH")


@pytest.mark.parametrize("way", ["stairs", "hero-below", "chute", "hole", "elevator", "upstairs"])
def test_the_stairs_stay_where_they_are_while_the_monster_has_a_way(way: str) -> None:
    table = in_the_cellar()
    if way == "stairs":
        table.lay("stairs-from-basement", "basement", 0, 2)
    elif way == "hero-below":
        table.put(2, "basement-landing")
    elif way == "chute":
        table.lay("coal-chute", "ground", -1, 0, turns=1)
    elif way == "hole":
        table.lay("collapsed-room", "ground", 1, 0)
        table.token("below-collapsed-room", "larder")
    elif way == "elevator":
        table.lay("mystic-elevator", "basement", 0, -1)
    else:
        table.happen(MonsterKilled(monster="sexton-1"))
        table.monster("sexton-2", "foyer")
    table.turn(1)
    assert not may_fetch(table, 1)
    with table.refuses("2E-MON-021"):
        table.act("tile:stairs-from-basement", "FETCH")


EXPLORERS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    mole: {title: Mole, speed: 3, might: 2, explores: true}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


def moles() -> Table:
    """Monsters that discover rooms: one in the basement, everybody else upstairs."""
    table = Table(game=rules_with(haunt=EXPLORERS))
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("h", traitor=1)
    table.monster("mole-1", "basement-landing")
    return table


@pytest.mark.rule("2E-MON-022")
def test_where_monsters_explore_nobody_fetches_the_stairs() -> None:
    table = moles()
    table.turn(1)
    assert not may_fetch(table, 1)
    with table.refuses("2E-MON-022"):
        table.act("tile:stairs-from-basement", "FETCH")


def test_a_monster_that_may_discover_finds_a_room_and_draws_no_card() -> None:
    table = moles()
    table.stack("tiles", "charred-room", "crypt")
    table.turn(1, monsters=True)
    table.let_move(2, "mole-1")
    assert Explore(decision=table.now, door="north", monster="mole-1") in table.offers(1)

    told = table.explore("north", monster="mole-1")
    if table.is_asked(1):
        told += table.choose(1, table.asked(1).options[0])

    mole = table.view(0).monsters["mole-1"]
    assert (mole.room, mole.left) == ("crypt", 1)
    assert the(told, TileDrawn).tile == "crypt"
    assert not events(told, CardDrawn)
