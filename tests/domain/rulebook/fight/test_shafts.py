"""Shafts that monsters climb: the Coal Chute, the Collapsed Room, the Gallery (rulebook: Monsters, Special Rooms)."""

import pytest

from domain.facts.commands import Act, Explore, Move
from domain.facts.events import (
    CardDrawn,
    DamageTaken,
    DiceRolled,
    MonsterKilled,
    Moved,
    StackShuffled,
    TileDrawn,
    TokenPlaced,
    Told,
    WayClosed,
)
from domain.facts.state import MonsterId
from tests.support.editions import in_each
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def in_the_shafts(*, token: bool = True, spaces: int = 3, edition: str = "second") -> Table:
    """The chute and the hole are in the house, and the Sexton of seat 1 waits on the Basement Landing with so many spaces."""
    table = Table(game=rules_with(edition=edition))
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
    table.let_move(spaces, "sexton-1")
    return table


def moves(table: Table, monster: str) -> set[str]:
    """Where a monster is offered to go."""
    return {one.to for one in table.offers(table.seat) if isinstance(one, Move) and one.monster == monster}


# -- 2E-MON-013: monsters climb shafts -----------------------------------------------------------------------------------


@in_each(pytest.mark.rule("2E-MON-013", case=1), pytest.mark.rule("PBP-MON-007", case=1))
def test_with_two_spaces_a_monster_climbs_up_the_coal_chute_and_out_of_it(edition: str, rule: str) -> None:
    table = in_the_shafts(spaces=2, edition=edition)

    told = table.move("coal-chute", "entrance-hall", monster="sexton-1")

    assert [(one.room, one.spent) for one in events(told, Moved)] == [("coal-chute", 1), ("entrance-hall", 1)]
    assert table.seen(0, "sexton-1").left == 0


@pytest.mark.rule("2E-MON-013", case=2)
def test_with_one_space_a_monster_climbs_up_the_coal_chute_and_ends_its_turn_below() -> None:
    table = in_the_shafts(spaces=1)
    table.move("coal-chute", monster="sexton-1")
    assert table.seen(0, "sexton-1").left == 0
    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall", monster="sexton-1")

    table.end_turn()

    assert table.seen(0, "sexton-1").room == "basement-landing"


@pytest.mark.rule("2E-MON-013", case=3, asserts=True)
def test_heroes_and_the_traitor_climb_nothing() -> None:
    table = in_the_shafts()
    for seat in (0, 1):
        table.put(seat, "basement-landing")
        table.turn(seat)
        assert not {"coal-chute", "collapsed-room"} & set(table.goals(seat))
        for room in ("coal-chute", "collapsed-room"):
            with table.refuses("2E-DOOR-001"):
                table.move(room)


@pytest.mark.rule("2E-MON-013", case=4)
def test_a_monster_climbs_from_the_token_up_to_the_collapsed_room_and_without_it_nobody_does() -> None:
    table = in_the_shafts()

    told = table.move("collapsed-room", monster="sexton-1")

    assert (the(told, Moved).room, the(told, Moved).spent) == ("collapsed-room", 1)
    bare = in_the_shafts(token=False)
    assert "coal-chute" in moves(bare, "sexton-1")
    assert "collapsed-room" not in moves(bare, "sexton-1")
    with bare.refuses("2E-DOOR-001"):
        bare.move("collapsed-room", monster="sexton-1")


@pytest.mark.rule("2E-MON-013", case=5, asserts=True)
def test_a_monster_goes_down_to_where_others_fell_without_a_space_and_unhurt() -> None:
    table = in_the_shafts()
    table.monster("sexton-2", "collapsed-room")
    table.let_move(2, "sexton-2")

    told = table.act("tile:collapsed-room", "FALL", monster="sexton-2")

    sexton = table.seen(0, "sexton-2")
    assert (sexton.room, sexton.left, sexton.stunned) == ("basement-landing", 2, False)
    assert not events(told, DiceRolled)


def test_a_monster_that_comes_in_from_above_slides_down() -> None:
    table = in_the_shafts()
    table.monster("sexton-2", "entrance-hall")
    table.let_move(2, "sexton-2")

    table.move("coal-chute", monster="sexton-2")

    sexton = table.seen(0, "sexton-2")
    assert (sexton.room, sexton.left) == ("basement-landing", 1)


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


# -- 2E-MON-014: monsters climb to the Gallery ---------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-014", case=1)
def test_monsters_alone_climb_from_the_ballroom_to_the_gallery() -> None:
    table = Table()
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.haunt("the-bell-below", traitor=1)
    for seat in (0, 1):
        table.put(seat, "ballroom")
        table.turn(seat)
        assert "gallery" not in table.goals(seat)
        with table.refuses("2E-DOOR-001"):
            table.move("gallery")
        table.put(seat, "upper-landing")
    table.monster("sexton-1", "ballroom")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    told = table.move("gallery", monster="sexton-1")

    assert the(told, Moved).spent == 1
    assert table.seen(0, "sexton-1").room == "gallery"


# -- 2E-ROOM-026: a monster falls first ----------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-026", case=1)
def test_where_a_monster_is_the_first_to_go_down_the_traitor_picks_a_room_and_no_tile_is_drawn() -> None:
    table = in_the_shafts(token=False)
    table.monster("sexton-2", "collapsed-room")
    table.let_move(0, "sexton-2")
    before = table.view(0).decks["tiles"].size()
    fall = Act(decision=table.now, source="tile:collapsed-room", word="FALL", monster=MonsterId("sexton-2"))
    assert fall in table.offers(1)

    told = table.act("tile:collapsed-room", "FALL", monster="sexton-2")
    assert set(table.asked(1).options) == {"basement-landing", "larder"}
    told += table.choose(1, "larder")

    assert table.seen(0, "sexton-2").room == "larder"
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


@pytest.mark.rule("2E-ROOM-012")
def test_the_traitor_names_the_side_of_a_monster_that_drops_into_a_barrier_room() -> None:
    table = in_the_shafts(token=False)
    table.lay("catacombs", "basement", 0, -1)
    table.monster("sexton-2", "collapsed-room")
    table.act("tile:collapsed-room", "FALL", monster="sexton-2")
    table.choose(1, "catacombs")

    assert table.asked(1).about == "part:catacombs"
    table.choose(1, "1")

    assert table.seen(0, "sexton-2").part == 1


# -- 2E-MON-021: monster stuck in the basement ---------------------------------------------------------------------------

CELLAR = """
  id: cellar
  title: Cellar
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    toad: {title: Toad, speed: 3, might: 2}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G, plays-on: {count: {monsters: any}, at-least: 1}}
"""


def in_the_cellar(*, aside: bool = False, edition: str = "second") -> Table:
    """A toad is in the basement, everybody else upstairs, and it is the traitor's turn, seat 1; the stairs lie in the stack or aside."""
    table = Table(game=rules_with(haunt=CELLAR, edition=edition))
    table.lay("larder", "basement", 0, 1)
    if aside:
        table.stack("tiles", "stairs-from-basement", "dusty-hallway")
        table.explore("east")
        table.lay_anyhow()
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("cellar", traitor=1)
    table.monster("toad-1", "larder")
    table.turn(1)
    return table


def may_fetch(table: Table, seat: int) -> bool:
    """Whether the stairs are offered."""
    return any(isinstance(one, Act) and one.word == "FETCH" for one in table.offers(seat))


def fetch(table: Table) -> list[Told]:
    """Send for the stairs."""
    return table.act("tile:stairs-from-basement", "FETCH")


def fetch_to(table: Table, spot: str) -> list[Told]:
    """Send for the stairs and have them put there."""
    told = fetch(table)
    return told + table.choose(1, spot)


def refused(table: Table, seat: int, rule: str = "2E-MON-021") -> bool:
    """The stairs are neither offered to the seat nor fetched by it."""
    with table.refuses(rule):
        fetch(table)
    return not may_fetch(table, seat)


def after_the_traitors_death() -> Table:
    """The traitor, seat 1, is dead, and the toad has begun its turn with 3 spaces."""
    table = in_the_cellar()
    table.turn(2)
    table.die(1)
    table.turn(0)
    table.rolls([1, 1, 1]).end_turn()
    assert table.state.turn.monsters
    return table


@pytest.mark.rule("2E-MON-021", case=1)
def test_the_traitor_has_the_stairs_put_at_an_open_doorway_of_the_basement() -> None:
    table = in_the_cellar()
    assert may_fetch(table, 1)
    before = table.view(0).decks["tiles"].size()

    told = fetch_to(table, "basement:0:2@0")

    view = table.view(0)
    stairs = view.rooms["stairs-from-basement"]
    assert "larder" in stairs.near
    assert "foyer" in {link.to for link in view.links["stairs-from-basement"]}
    assert events(told, StackShuffled)
    assert view.decks["tiles"].size() == before - 1
    assert not any(slot.face for slot in view.decks["tiles"].top)
    assert table.explorer(1).room == "upper-landing"


@pytest.mark.rule("2E-MON-021", case=2)
def test_the_stairs_are_fetched_from_among_the_tiles_set_aside_too() -> None:
    table = in_the_cellar(aside=True)
    assert [slot.back for slot in table.view(0).decks["tiles"].aside] == ["basement"]
    assert may_fetch(table, 1)

    told = fetch_to(table, "basement:0:2@0")

    assert table.view(0).rooms["stairs-from-basement"].floor == "basement"
    assert events(told, StackShuffled)
    assert table.view(0).decks["tiles"].aside == []


@in_each(pytest.mark.rule("2E-MON-021", case=3), pytest.mark.rule("PBP-MON-013", case=3))
def test_the_stairs_that_are_in_play_stay_where_they_are(edition: str, rule: str) -> None:
    table = in_the_cellar(edition=edition)
    table.lay("stairs-from-basement", "basement", 0, 2)
    table.happen(WayClosed(room="foyer", by="tile:stairs-from-basement"))
    table.turn(1)

    assert refused(table, 1, rule)


@pytest.mark.rule("2E-MON-021", case=4)
@pytest.mark.parametrize("way", ["coal-chute", "mystic-elevator", "collapsed-room"])
def test_a_shaft_that_a_monster_climbs_and_the_elevator_below_are_ways_to_the_heroes(way: str) -> None:
    table = in_the_cellar()
    if way == "coal-chute":
        table.lay("coal-chute", "ground", -1, 0, turns=1)
    elif way == "mystic-elevator":
        table.lay("mystic-elevator", "basement", 0, -1)
    else:
        table.lay("collapsed-room", "ground", 1, 0)
        table.token("below-collapsed-room", "larder")
    table.turn(1)

    assert refused(table, 1)


@pytest.mark.rule("2E-MON-021", case=5)
def test_a_hero_in_the_basement_whom_the_monster_reaches_is_enough() -> None:
    table = in_the_cellar()
    table.put(2, "basement-landing")
    table.turn(1)

    assert refused(table, 1)


@in_each(pytest.mark.rule("2E-MON-021", case=6), pytest.mark.rule("PBP-MON-013", case=2))
def test_nobody_fetches_the_stairs_in_a_heros_turn_or_in_the_monsters(edition: str, rule: str) -> None:
    table = in_the_cellar(edition=edition)
    table.turn(0)
    assert refused(table, 0, rule)
    table.turn(1, monsters=True)
    table.let_move(3, "toad-1")
    assert refused(table, 1, rule)


@pytest.mark.rule("2E-MON-021", case=7)
def test_a_dead_traitors_player_fetches_the_stairs_before_the_first_monster_moves() -> None:
    table = after_the_traitors_death()
    assert may_fetch(table, 1)
    assert {one.source for one in table.offers(1) if isinstance(one, Act)} == {"tile:stairs-from-basement"}

    fetch_to(table, "basement:0:2@0")
    table.move("stairs-from-basement", "foyer", monster="toad-1")

    late = after_the_traitors_death()
    late.move("basement-landing", monster="toad-1")
    assert refused(late, 1)


def test_where_no_monster_is_in_the_basement_nobody_needs_the_stairs() -> None:
    table = in_the_cellar()
    table.happen(MonsterKilled(monster=MonsterId("toad-1")))
    table.monster("toad-2", "foyer")
    table.turn(1)

    assert refused(table, 1)


# -- 2E-MON-022: not where monsters explore ------------------------------------------------------------------------------

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


@pytest.mark.rule("2E-MON-022", case=1)
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
    assert Explore(decision=table.now, door="north", monster=MonsterId("mole-1")) in table.offers(1)

    told = table.explore("north", monster="mole-1")
    if table.is_asked(1):
        told += table.choose(1, table.asked(1).options[0])

    mole = table.seen(0, "mole-1")
    assert (mole.room, mole.left) == ("crypt", 1)
    assert the(told, TileDrawn).tile == "crypt"
    assert not events(told, CardDrawn)
