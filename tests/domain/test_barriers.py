"""Rooms in two parts: the Chasm, the Catacombs, the Tower (rulebook: Special Rooms)."""

import pytest

from domain.commands import Attack, Cross, Trade
from domain.events import DiceRolled, Moved, Stopped
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

WEST, EAST = 1, 0
"""The parts of the Chasm, as its tile names them."""


def at_the_chasm() -> Table:
    """Basement Landing, the Chasm to its east, the Larder beyond; seat 0 stands on the Chasm's near side."""
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    table.put(0, "basement-landing")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("chasm")
    return table


@pytest.mark.rule("2E-ROOM-004", asserts=True)
def test_who_is_in_the_chasm_is_on_one_side_and_has_the_doors_of_that_side() -> None:
    table = at_the_chasm()

    assert (table.explorer(0).room, table.explorer(0).part) == ("chasm", WEST)
    assert table.goals(0) == ["basement-landing"]


@pytest.mark.rule("2E-ROOM-005")
def test_the_far_door_asks_for_the_crossing_first() -> None:
    table = at_the_chasm()

    with table.refuses("2E-ROOM-005"):
        table.move("larder")


@pytest.mark.rule("2E-ROOM-007")
def test_a_crossing_uses_no_space() -> None:
    table = at_the_chasm()

    told = table.rolls([1, 1, 1]).cross()

    assert (the(told, DiceRolled).trait, the(told, Moved).part, the(told, Moved).spent) == ("speed", EAST, 0)
    assert table.goals(0) == ["larder"]
    table.move("larder")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-ROOM-008")
def test_a_failed_crossing_ends_movement_and_nothing_else() -> None:
    table = at_the_chasm()
    table.hold(0, "smelling-salts")
    table.turn(0)

    told = table.rolls([1, 1, 0]).cross()

    assert the(told, Stopped).figure == 0
    with table.refuses("2E-MOVE-004"):
        table.move("basement-landing")
    table.act("card:smelling-salts", "HEAL", target=0)


@pytest.mark.rule("2E-ROOM-006")
def test_a_barrier_is_attempted_once_a_turn() -> None:
    table = at_the_chasm()
    table.rolls([1, 1, 1]).cross()

    assert not table.offers(0, Cross)
    with table.refuses("2E-ROOM-006"):
        table.cross()


@pytest.mark.rule("2E-ROOM-009")
def test_in_the_next_turn_one_may_try_again_or_go_back() -> None:
    table = at_the_chasm()
    table.rolls([0, 0, 0]).cross()
    table.turn(0)

    assert table.offers(0, Cross)
    assert table.goals(0) == ["basement-landing"]
    told = table.rolls([2, 2, 2]).cross()
    assert the(told, Moved).part == EAST


@pytest.mark.rule("2E-ROOM-009")
def test_after_two_failures_one_goes_back() -> None:
    table = at_the_chasm()
    for _ in range(2):
        table.rolls([0, 0, 0]).cross()
        with table.refuses("2E-MOVE-004"):
            table.move("basement-landing")
        table.turn(0)

    table.move("basement-landing")

    assert table.explorer(0).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-010")
def test_nobody_trades_fights_or_picks_up_across_a_barrier() -> None:
    table = at_the_chasm()
    table.hold(0, "axe", "revolver")
    table.pile("chasm", "armor", part=EAST)
    table.put(1, "chasm", part=EAST)
    table.haunt("the-bell-below", traitor=1)

    assert not table.offers(0, Trade)
    assert not table.offers(0, Attack)
    with table.refuses("2E-ROOM-010"):
        table.trade(1, ["axe"])
    with table.refuses("2E-ROOM-010"):
        table.attack(1)
    with table.refuses("2E-ROOM-010"):
        table.attack(1, "revolver")
    with table.refuses("2E-ROOM-010"):
        table.pick_up("armor")


@pytest.mark.rule("2E-ROOM-010")
def test_a_monster_beyond_the_barrier_is_out_of_reach_and_slows_nobody() -> None:
    table = at_the_chasm()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "chasm", part=EAST)
    assert not table.offers(0, Attack)
    with table.refuses("2E-ROOM-010"):
        table.attack("sexton-1")
    table.move("basement-landing")
    table.move("chasm")

    table.move("basement-landing")

    assert table.explorer(0).spent == 3


@pytest.mark.rule("2E-ROOM-011")
def test_monsters_pass_a_barrier_without_a_roll() -> None:
    table = at_the_chasm()
    table.haunt("the-bell-below", traitor=1)
    table.put(0, "foyer")
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(2, "sexton-1")

    told = table.move("chasm", "larder", monster="sexton-1")

    assert not events(told, DiceRolled)
    assert table.view(0).monsters["sexton-1"].room == "larder"


@pytest.mark.rule("2E-ROOM-012")
def test_the_traitor_names_the_side_on_which_a_monster_stops() -> None:
    table = at_the_chasm()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("chasm", monster="sexton-1")
    assert table.view(0).monsters["sexton-1"].part == WEST
    table.end_turn()

    assert (table.asked(1).about, table.asked(1).options) == ("part:chasm", ["0", "1"])
    with table.refuses(problem="decision-closed"):
        table.end_turn()
    table.choose(1, str(EAST))
    assert table.view(0).monsters["sexton-1"].part == EAST
    assert not table.state.turn.monsters


def test_a_monster_that_did_not_move_keeps_its_side() -> None:
    table = at_the_chasm()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "chasm", part=EAST)
    table.turn(1, monsters=True)

    table.end_turn()

    assert not table.state.open
    assert table.view(0).monsters["sexton-1"].part == EAST


@pytest.mark.rule("2E-ROOM-012")
def test_a_monster_that_a_bell_calls_into_the_chasm_stops_on_a_side_that_the_traitor_names() -> None:
    call = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      monsters:
        ogre: {title: Ogre, might: 5, speed: 2}
      heroes:
        story: S
        goal: G
        actions: [{word: CALL, do: [{shift: {monsters: each}}]}]
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=call))
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    table.put(0, "basement-landing")
    table.haunt("h", traitor=1)
    table.monster("ogre-1", "larder")

    table.act("haunt:heroes", "CALL")
    table.choose(1, str(WEST))

    assert (table.view(0).monsters["ogre-1"].room, table.view(0).monsters["ogre-1"].part) == ("chasm", WEST)


@pytest.mark.rule("2E-ROOM-013")
def test_whoever_is_put_into_a_barrier_room_chooses_the_side() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.stack("tiles", "organ-room")
    table.stack("event", "secret-passage")
    table.rolls([0, 1, 0]).explore("east")
    table.choose(0, table.asked(0).options[0])

    assert table.asked(0).about == "token:secret-passage"
    table.choose(0, "chasm")
    assert table.asked(0).about == "part:chasm"
    assert table.asked(0).options == ["0", "1"]


@pytest.mark.rule("2E-ROOM-013")
def test_who_falls_into_the_catacombs_chooses_the_side() -> None:
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "ring")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    table.choose(0, table.asked(0).options[0])

    assert (table.asked(0).about, table.asked(0).options) == ("part:catacombs", ["0", "1"])
    table.rolls([0]).choose(0, "1")

    assert (table.explorer(0).room, table.explorer(0).part) == ("catacombs", 1)


@pytest.mark.rule("2E-ROOM-014")
def test_who_falls_later_arrives_on_the_side_of_the_token() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.lay("collapsed-room", "ground", 1, 0)
    table.token("below-collapsed-room", "chasm", part=WEST)
    table.move("collapsed-room")

    table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert not table.state.open, "the side is not asked for again"
    assert (table.explorer(0).room, table.explorer(0).part) == ("chasm", WEST)


@pytest.mark.rule("2E-ROOM-014")
def test_a_passage_begins_and_ends_on_the_side_of_its_token() -> None:
    """The second token of a Secret Passage was put on the west side of the Chasm."""
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.stack("tiles", "organ-room")
    table.stack("event", "secret-passage")
    table.rolls([0, 1, 0]).explore("east")
    table.choose(0, table.asked(0).options[0])
    table.choose(0, "chasm")
    table.choose(0, str(WEST))
    table.choose(0, "no")
    table.put(1, "organ-room")
    table.put(2, "chasm", part=EAST)
    table.turn(2)
    assert "organ-room" not in table.goals(2), "the token lies beyond the barrier"
    with table.refuses("2E-ROOM-005"):
        table.move("organ-room")
    table.turn(1)

    table.move("chasm")

    assert (table.explorer(1).room, table.explorer(1).part) == ("chasm", WEST)
    assert "organ-room" in table.goals(1)


@pytest.mark.rule("2E-ROOM-014")
@pytest.mark.parametrize("part", [EAST, WEST])
def test_a_revolving_wall_turns_to_the_side_of_its_token(part: int) -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 2)
    table.token("wall-switch", "chasm", part=part)
    table.token("wall-switch", "larder")
    table.put(0, "larder")
    table.turn(0)

    table.rolls([1, 1, 1]).act("token:wall-switch", "TURN")

    assert not table.state.open, "the side is not asked for"
    assert (table.explorer(0).room, table.explorer(0).part) == ("chasm", part)


def test_a_hero_needs_the_roll_and_the_revealed_traitor_none() -> None:
    table = at_the_chasm()
    table.haunt("the-bell-below", traitor=0)

    told = table.cross()

    assert not events(told, DiceRolled)
    assert table.explorer(0).part == EAST
