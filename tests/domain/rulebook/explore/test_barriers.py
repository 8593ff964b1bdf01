"""Rooms in two parts: the Chasm, the Catacombs, the Tower, the Vault (rulebook: Special Rooms)."""

import pytest

from domain.facts.commands import Act, Attack, Cross, Trade
from domain.facts.events import DamageTaken, DiceRolled, HarmIgnored, Moved, Stopped, TilePlaced, TokenPlaced
from domain.facts.state import MonsterId
from tests.support.fate import showing
from tests.support.packs import heroes_may, pack, rules_with
from tests.support.table import FOUR, Table, events, the

WEST, EAST = 1, 0
"""The parts of the Chasm, as its tile names them."""
NORTH, SOUTH = 0, 1
"""The parts of the Catacombs."""
OUTSIDE, INSIDE = 0, 1
"""The parts of the Vault: before its door and behind it."""


def chasm(*, explorers: tuple[str, ...] = FOUR, game: str = "") -> Table:
    """Basement Landing, the Chasm to its east, the Larder beyond; everybody is in the Entrance Hall."""
    table = Table(explorers, game=rules_with(haunt=game)) if game else Table(explorers)
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    return table


def slide(table: Table, seat: int, room: str) -> None:
    """An explorer on the Upper Landing draws the Mystic Slide, and masters it into this room of a floor below."""
    table.put(seat, "upper-landing")
    table.turn(seat)
    table.rolls(showing(table.value(seat, "might"), 5))
    table.draw(seat, "event", "mystic-slide")
    table.choose(seat, room)


def at_the_chasm() -> Table:
    """Seat 0, with a Speed of 3, has just walked from the landing into the near side."""
    table = chasm()
    table.put(0, "basement-landing")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("chasm")
    return table


def across(*, haunt: bool = True) -> Table:
    """Seat 0, a hero, stands west of the barrier, seat 1 east of it; in the haunt seat 1 is the traitor."""
    table = chasm()
    table.put(0, "chasm", part=WEST)
    table.put(1, "chasm", part=EAST)
    if haunt:
        table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    return table


# -- 2E-ROOM-004: barrier rooms ------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-004", case=1, asserts=True)
def test_who_is_in_the_chasm_is_on_one_side_and_has_the_doors_of_that_side() -> None:
    table = at_the_chasm()

    assert (table.explorer(0).room, table.explorer(0).part) == ("chasm", WEST)
    assert table.goals(0) == ["basement-landing"]


@pytest.mark.rule("2E-ROOM-004", case=2, asserts=True)
def test_who_discovers_the_catacombs_by_the_south_door_has_not_the_north_doorway() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "catacombs", "larder")
    table.stack("omen", "ring")
    table.explore("north")
    table.choose(0, "basement:0:1@0")
    assert (table.explorer(0).room, table.explorer(0).part) == ("catacombs", SOUTH)

    table.turn(0)
    with table.refuses("2E-ROOM-005"):
        table.explore("north")
    table.lay("wine-cellar", "basement", 0, 2)
    with table.refuses("2E-ROOM-005"):
        table.move("wine-cellar")


@pytest.mark.rule("2E-ROOM-004", case=3, asserts=True)
def test_four_rooms_have_a_barrier() -> None:
    tiles = pack("second-edition").tiles
    assert {tile.id for tile in tiles if tile.barrier is not None} == {"chasm", "catacombs", "vault", "tower"}


# -- 2E-ROOM-005: crossing needs a trait roll ----------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-005", case=1)
def test_the_far_door_of_the_catacombs_asks_for_a_successful_roll_first() -> None:
    table = Table()
    table.lay("catacombs", "basement", 0, 1)
    table.lay("larder", "basement", 0, 2)
    table.put(0, "catacombs", part=SOUTH)
    table.turn(0)

    with table.refuses("2E-ROOM-005"):
        table.move("larder")

    told = table.rolls(showing(table.value(0, "sanity"), 5)).cross()
    assert (the(told, DiceRolled).trait, events(told, Moved)) == ("sanity", [])
    table.turn(0)
    with table.refuses("2E-ROOM-005"):
        table.move("larder")

    told = table.rolls(showing(table.value(0, "sanity"), 6)).cross()
    assert the(told, Moved).part == NORTH
    assert "larder" in table.goals(0)


# -- 2E-ROOM-006: one crossing attempt a turn ----------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-006", case=1)
def test_after_a_failure_there_is_no_second_attempt_in_the_turn() -> None:
    table = at_the_chasm()
    table.rolls([1, 1, 0]).cross()

    assert not table.offers(0, Cross)
    with table.refuses("2E-ROOM-006"):
        table.cross()


@pytest.mark.rule("2E-ROOM-006", case=2)
def test_who_has_crossed_does_not_cross_back_in_the_turn_but_goes_on() -> None:
    table = at_the_chasm()
    table.rolls([1, 1, 1]).cross()

    assert not table.offers(0, Cross)
    with table.refuses("2E-ROOM-006"):
        table.cross()
    assert the(table.move("larder"), Moved).room == "larder"


@pytest.mark.rule("2E-ROOM-006", case=3)
def test_after_the_chasm_the_catacombs_may_be_tried_in_the_same_turn() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.lay("catacombs", "basement", 2, 0, turns=1)
    table.put(0, "basement-landing")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("chasm")
    table.rolls([1, 1, 1]).cross()
    table.move("catacombs")
    assert table.explorer(0).spent == 2

    told = table.rolls(showing(table.value(0, "sanity"), 6)).cross()

    assert the(told, DiceRolled).trait == "sanity"
    assert the(told, Moved).room == "catacombs"


@pytest.mark.rule("2E-ROOM-006", case=4)
def test_one_failure_leaves_the_others_their_own_attempt() -> None:
    table = chasm()
    for seat in (0, 1):
        table.put(seat, "chasm", part=WEST)
    table.turn(0)
    table.rolls([0] * table.value(0, "speed")).cross()
    table.end_turn()
    assert table.seat == 1

    told = table.rolls(showing(table.value(1, "speed"), 3)).cross()

    assert (the(told, Moved).figure, the(told, Moved).part) == (1, EAST)


def test_the_traitor_who_makes_no_roll_crosses_as_often_as_it_can_move() -> None:
    table = at_the_chasm()
    table.haunt("the-bell-below", traitor=0)

    for part in (EAST, WEST, EAST):
        assert table.offers(0, Cross)
        told = table.cross()
        assert (the(told, Moved).part, events(told, DiceRolled)) == (part, [])

    table.happen(Stopped(figure=0))
    assert not table.offers(0, Cross)
    with table.refuses("2E-MOVE-004"):
        table.cross()


def test_a_monster_crosses_back_in_the_same_turn() -> None:
    table = across()
    table.monster("sexton-1", "chasm", part=EAST)
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    for part in (WEST, EAST):
        assert Cross(decision=table.now, monster=MonsterId("sexton-1")) in table.offers(1)
        assert the(table.cross(monster="sexton-1"), Moved).part == part


# -- 2E-ROOM-007: crossing is free ---------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-007", case=1)
def test_a_crossing_leaves_the_last_space_for_the_next_step() -> None:
    table = at_the_chasm()
    table.happen(Moved(figure=0, room="chasm", part=WEST, spent=1))
    assert (table.value(0, "speed"), table.explorer(0).spent) == (3, 2)

    told = table.rolls([1, 1, 1]).cross()

    assert (the(told, DiceRolled).trait, the(told, Moved).part, the(told, Moved).spent) == ("speed", EAST, 0)
    assert table.explorer(0).spent == 2
    assert table.goals(0) == ["larder"]
    table.move("larder")
    with table.refuses("2E-MOVE-001"):
        table.move("chasm")


@pytest.mark.rule("2E-ROOM-007", case=2)
def test_with_no_space_left_a_barrier_may_still_be_crossed() -> None:
    table = at_the_chasm()
    table.happen(Moved(figure=0, room="chasm", part=WEST, spent=2))
    assert table.goals(0) == []
    assert table.offers(0, Cross)

    told = table.rolls([1, 1, 1]).cross()

    assert the(told, Moved).part == EAST
    assert table.explorer(0).part == EAST


# -- 2E-ROOM-008: failure ends movement ----------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-008", case=1)
def test_a_failed_crossing_ends_movement_and_nothing_else() -> None:
    table = chasm()
    table.hold(0, "smelling-salts")
    table.clips(0, knowledge=1)
    table.put(0, "basement-landing")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("chasm")
    assert table.explorer(0).spent == 1

    told = table.rolls([1, 1, 0]).cross()

    assert the(told, Stopped).figure == 0
    assert table.goals(0) == []
    for room in ("basement-landing", "larder"):
        with table.refuses("2E-MOVE-004" if room == "basement-landing" else "2E-ROOM-005"):
            table.move(room)
    table.act("card:smelling-salts", "HEAL", target=0)


@pytest.mark.rule("2E-ROOM-008", case=2, asserts=True)
def test_whom_a_card_has_stopped_does_not_cross_before_the_next_turn() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "ring")
    table.explore("north")
    table.choose(0, "basement:0:1@0")

    assert not table.offers(0, Cross)
    with table.refuses("2E-MOVE-004"):
        table.cross()

    table.turn(0)
    told = table.rolls(showing(table.value(0, "sanity"), 6)).cross()
    assert the(told, Moved).part == NORTH


@pytest.mark.rule("2E-ROOM-008", case=3, asserts=True)
def test_who_discovers_the_chasm_with_the_last_space_may_cross_it_at_once() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.turn(0)
    table.traits(0, speed=3)
    table.happen(Moved(figure=0, room="basement-landing", spent=2))
    table.stack("tiles", "chasm")
    table.explore("east")
    table.choose(0, "basement:1:0@0")
    assert (table.explorer(0).room, table.explorer(0).part, table.explorer(0).spent) == ("chasm", WEST, 3)

    told = table.rolls([1, 1, 1]).cross()

    assert the(told, Moved).part == EAST


@pytest.mark.rule("2E-ROOM-008", case=4)
def test_who_failed_to_cross_does_not_go_back_in_that_turn() -> None:
    table = at_the_chasm()
    told = table.rolls([0, 0, 0]).cross()

    assert the(told, Stopped).rule == "2E-ROOM-008"
    with table.refuses("2E-MOVE-004"):
        table.move("basement-landing")


# -- 2E-ROOM-009: after a failed crossing --------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-009", case=1)
def test_in_the_turn_after_a_failure_one_tries_again_or_goes_back() -> None:
    again = at_the_chasm()
    again.rolls([0, 0, 0]).cross()
    again.turn(0)
    assert again.goals(0) == ["basement-landing"]
    assert the(again.rolls([2, 2, 2]).cross(), Moved).part == EAST

    back = at_the_chasm()
    back.rolls([0, 0, 0]).cross()
    back.turn(0)
    assert back.offers(0, Cross)
    assert the(back.move("basement-landing"), Moved).room == "basement-landing"


def test_after_two_failures_one_goes_back() -> None:
    table = at_the_chasm()
    for _ in range(2):
        table.rolls([0, 0, 0]).cross()
        table.turn(0)

    table.move("basement-landing")

    assert table.explorer(0).room == "basement-landing"


# -- 2E-ROOM-010: no dealings across a barrier ---------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-010", case=1)
def test_nobody_attacks_across_a_barrier() -> None:
    table = across()
    table.hold(0, "revolver")
    table.monster("sexton-1", "chasm", part=EAST)
    table.turn(0)

    assert not table.offers(0, Attack)
    for target in (1, "sexton-1"):
        with table.refuses("2E-ROOM-010"):
            table.attack(target)
        with table.refuses("2E-ROOM-010"):
            table.attack(target, "revolver")


@pytest.mark.rule("2E-ROOM-010", case=2)
def test_nobody_trades_across_a_barrier() -> None:
    table = across(haunt=False)
    table.hold(0, "axe")
    table.turn(0)

    assert not table.offers(0, Trade)
    with table.refuses("2E-ROOM-010"):
        table.trade(1, ["axe"])


@pytest.mark.rule("2E-ROOM-010", case=3)
def test_a_pile_beyond_the_barrier_is_out_of_reach() -> None:
    table = across(haunt=False)
    table.pile("chasm", "armor", part=EAST)
    table.turn(0)

    with table.refuses("2E-ROOM-010"):
        table.pick_up("armor")
    table.turn(1)
    table.pick_up("armor")


CAVE_IN = """
  id: cave-in
  deck: event
  title: Cave-In
  text: Stones fall on everybody in the room.
  do: [{damage: {kind: physical, points: 1}, who: {each: explorer, in: here}}]
"""


@pytest.mark.rule("2E-ROOM-010", case=4, asserts=True)
def test_an_event_that_hits_everybody_in_the_room_does_not_reach_beyond_the_barrier() -> None:
    table = Table(game=rules_with(card=CAVE_IN))
    table.lay("chasm", "basement", 1, 0)
    table.put(0, "chasm", part=WEST)
    table.put(1, "chasm", part=EAST)
    table.put(2, "chasm", part=WEST)
    table.turn(0)
    table.draw(0, "event", "cave-in")

    told = table.allocate(0, might=1)
    told += table.allocate(2, might=1)

    assert sorted(one.seat for one in events(told, DamageTaken)) == [0, 2]
    assert not table.state.open


@pytest.mark.rule("2E-ROOM-010")
@pytest.mark.parametrize("card", ["healing-salve", "smelling-salts", "medical-kit"])
def test_nobody_heals_across_a_barrier(card: str) -> None:
    table = across()
    table.hold(0, card)
    table.put(2, "chasm", part=EAST)
    table.clips(2, might=1, knowledge=1)
    table.turn(0)

    assert all(one.target == 0 for one in table.offers(0) if isinstance(one, Act))
    with table.refuses("2E-ROOM-010"):
        table.act(f"card:{card}", "HEAL", target=2)


def music(*, part: int = EAST) -> Table:
    """The open Music Box of seat 1 stands on one side of the Chasm, and seat 0 is on the Basement Landing."""
    table = chasm()
    table.put(0, "basement-landing")
    table.put(1, "chasm", part=part)
    table.hold(1, "music-box")
    table.turn(1)
    table.act("card:music-box", "TURN")
    return table


def test_an_open_music_box_does_not_reach_who_comes_in_beyond_the_barrier() -> None:
    table = music()
    table.turn(0)

    assert not events(table.move("chasm"), DiceRolled)


def test_an_open_music_box_does_not_reach_a_turn_that_begins_beyond_the_barrier() -> None:
    table = music()
    table.put(2, "chasm", part=WEST)
    table.rolls([2] * table.value(1, "sanity"))

    told = table.begin_turn(2)

    assert not [one for one in events(told, DiceRolled) if one.who == 2]


def test_an_open_music_box_that_lies_on_the_floor_reaches_its_own_side_alone() -> None:
    for lies, rolls in ((EAST, 0), (WEST, 1)):
        table = music(part=lies)
        table.turn(1)
        table.drop("music-box")
        table.turn(0)
        told = table.rolls([2] * table.value(0, "sanity")).move("chasm")
        assert len(events(told, DiceRolled)) == rolls


def test_who_crosses_to_the_side_of_an_open_music_box_has_come_to_it() -> None:
    table = music()
    table.turn(0)
    table.move("chasm")

    crossing, waltz, bearer = (table.value(seat, trait) for seat, trait in ((0, "speed"), (0, "sanity"), (1, "sanity")))
    told = table.rolls([2] * crossing, [0] * waltz, [2] * bearer).cross()

    assert [(one.who, one.trait) for one in events(told, DiceRolled)][:2] == [(0, "speed"), (0, "sanity")]
    assert table.seat == 1, "spellbound, the turn of seat 0 is over"


def test_a_bloody_vision_finds_nobody_beyond_the_barrier() -> None:
    for part, found in ((EAST, False), (WEST, True)):
        table = chasm()
        table.put(0, "chasm", part=WEST)
        table.put(1, "chasm", part=part)
        table.turn(0)
        table.stack("event", "bloody-vision")
        table.rolls([0] * table.value(0, "sanity"))
        if found:
            table.rolls([0] * table.value(0, "might"), [0] * table.value(1, "might"))
        table.draw(0, "event")
        assert not table.fate.dice


def test_dynamite_thrown_through_a_door_does_not_burst_beyond_the_barrier() -> None:
    table = chasm()
    table.hold(0, "dynamite")
    table.put(0, "basement-landing")
    table.put(1, "chasm", part=WEST)
    table.put(2, "chasm", part=EAST)
    table.haunt("the-bell-below", traitor=3)
    table.monster("sexton-1", "chasm", part=EAST)
    table.turn(0)

    told = table.rolls([2] * table.value(1, "speed")).act("card:dynamite", "THROW", target="chasm")

    assert [one.who for one in events(told, DiceRolled)] == [1]


def test_a_blow_against_all_monsters_in_the_room_does_not_reach_beyond_the_barrier() -> None:
    shout = "{word: SHOUT, do: [{stun: {kind: ogre, in: here}}]}"
    table = chasm(game=heroes_may(shout, monsters="{ogre: {title: Ogre, might: 5, speed: 2}}"))
    table.put(0, "chasm", part=WEST)
    table.haunt("h", traitor=1)
    table.monster("ogre-1", "chasm", part=WEST)
    table.monster("ogre-2", "chasm", part=EAST)

    table.act("haunt:heroes", "SHOUT")

    assert [one.stunned for one in table.view(0).monsters.values()] == [True, False]


def test_a_companion_waits_for_whoever_comes_to_its_side() -> None:
    table = across()
    table.hold(1, "girl")
    table.die(1)
    table.put(2, "basement-landing")
    table.turn(2)

    table.move("chasm")
    assert table.explorer(2).cards == []
    table.rolls([2] * table.value(2, "speed")).cross()

    assert table.explorer(2).cards == ["girl"]
    assert not table.state.companions


def test_a_companion_does_not_wait_beyond_the_barrier() -> None:
    table = across()
    table.hold(1, "girl")
    table.die(1)
    table.put(2, "larder")
    table.turn(2)

    table.move("chasm")

    assert table.explorer(2).cards == ["girl"]


def test_an_opponent_beyond_the_barrier_slows_nobody() -> None:
    table = across()
    table.monster("sexton-1", "chasm", part=EAST)

    assert the(table.move("basement-landing"), Moved).spent == 1


# -- 2E-ROOM-011: monsters ignore barriers -------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-011", case=1)
def test_a_monster_passes_through_the_tower_without_a_roll() -> None:
    table = Table()
    table.lay("tower", "upper", 1, 0)
    table.lay("bedroom", "upper", 2, 0)
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "upper-landing")
    table.turn(1, monsters=True)
    table.let_move(2, "sexton-1")

    told = table.move("tower", "bedroom", monster="sexton-1")

    assert not events(told, DiceRolled)
    assert table.seen(0, "sexton-1").room == "bedroom"


@pytest.mark.rule("2E-ROOM-011", case=2)
def test_a_monster_goes_into_the_closed_vault_and_leaves_it_closed() -> None:
    table = vault()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    told = table.move("vault", monster="sexton-1")
    told += table.cross(monster="sexton-1")
    told += table.end_turn()
    told += table.choose(1, str(INSIDE))

    assert (table.seen(0, "sexton-1").room, table.seen(0, "sexton-1").part) == ("vault", INSIDE)
    assert not events(told, DiceRolled)
    assert not events(told, TokenPlaced)
    assert table.seen(0, "sexton-1").cards == []
    table.turn(0)
    assert not table.offers(0, Cross)
    with table.refuses("2E-ROOM-005"):
        table.cross()
    with table.refuses("2E-ROOM-010"):
        table.attack("sexton-1")


# -- 2E-ROOM-012: side of a monster --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-012", case=1)
def test_a_monsters_move_does_not_end_in_the_chasm_before_its_side_is_named() -> None:
    table = chasm()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("chasm", monster="sexton-1")
    assert table.seen(0, "sexton-1").part == WEST
    table.end_turn()

    assert (table.asked(1).about, table.asked(1).options) == ("part:chasm", ["0", "1"])
    with table.refuses(problem="decision-closed"):
        table.end_turn()
    assert table.state.turn.monsters
    table.choose(1, str(EAST))
    assert table.seen(0, "sexton-1").part == EAST
    assert not table.state.turn.monsters


def test_a_monster_that_did_not_move_keeps_its_side() -> None:
    table = chasm()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "chasm", part=EAST)
    table.turn(1, monsters=True)

    table.end_turn()

    assert not table.state.open
    assert table.seen(0, "sexton-1").part == EAST


CALL = """
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


@pytest.mark.rule("2E-ROOM-012")
def test_a_monster_that_a_bell_calls_into_the_chasm_stops_on_a_side_that_the_traitor_names() -> None:
    table = chasm(game=CALL)
    table.put(0, "basement-landing")
    table.haunt("h", traitor=1)
    table.monster("ogre-1", "larder")

    table.act("haunt:heroes", "CALL")
    table.choose(1, str(WEST))

    assert (table.seen(0, "ogre-1").room, table.seen(0, "ogre-1").part) == ("chasm", WEST)


# -- 2E-ROOM-013: landing in a barrier room ------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-013", case=1)
def test_who_falls_into_the_catacombs_is_asked_for_the_side() -> None:
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "ring")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    table.choose(0, table.asked(0).options[0])

    assert (table.asked(0).about, table.asked(0).options) == ("part:catacombs", ["0", "1"])
    table.rolls([0]).choose(0, str(SOUTH))

    assert (table.explorer(0).room, table.explorer(0).part) == ("catacombs", SOUTH)


@pytest.mark.rule("2E-ROOM-013")
def test_whoever_lays_a_passage_into_a_barrier_room_names_the_side() -> None:
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


# -- 2E-ROOM-014: arrival token keeps its side ---------------------------------------------------------------------------


def fallen_into_the_chasm(side: int) -> Table:
    """Seat 0 has fallen into the Chasm first, and chosen this side for itself and the token."""
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.stack("tiles", "chasm")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    table.choose(0, table.asked(0).options[0])
    table.rolls([0]).choose(0, str(side))
    assert (table.explorer(0).room, table.explorer(0).part) == ("chasm", side)
    return table


@pytest.mark.rule("2E-ROOM-014", case=1)
@pytest.mark.parametrize("side", [EAST, WEST])
def test_who_falls_later_arrives_on_the_side_of_the_token(side: int) -> None:
    table = fallen_into_the_chasm(side)
    table.turn(1)
    table.move("collapsed-room")

    told = table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert not table.state.open, "the side is not asked for again"
    assert the(told, Moved).rule == "2E-ROOM-014"
    assert (table.explorer(1).room, table.explorer(1).part) == ("chasm", side)


@pytest.mark.rule("2E-ROOM-014", case=2, asserts=True)
def test_whom_another_card_puts_into_that_room_is_asked_for_the_side() -> None:
    table = fallen_into_the_chasm(EAST)
    slide(table, 1, "chasm")

    assert (table.asked(1).about, table.asked(1).options) == ("part:chasm", ["0", "1"])
    table.choose(1, str(WEST))

    assert (table.explorer(1).room, table.explorer(1).part) == ("chasm", WEST)


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


# -- 2E-ROOM-038: landing in the Vault -----------------------------------------------------------------------------------


def vault() -> Table:
    """Seat 0 stands before the Vault, north of the Basement Landing."""
    table = Table()
    table.lay("vault", "basement", 0, 1, turns=2)
    table.put(0, "vault")
    table.turn(0)
    return table


def opened_vault() -> Table:
    """Seat 0 has opened it in an earlier turn and is the one before its door."""
    table = vault()
    table.stack("item", "axe", "armor")
    table.rolls([2, 2, 2]).act("tile:vault", "OPEN")
    table.turn(0)
    return table


@pytest.mark.rule("2E-ROOM-038", case=1)
def test_who_falls_into_the_vault_stands_before_its_door_without_a_choice() -> None:
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.stack("tiles", "vault")
    table.stack("event", "drip-drip-drip")
    table.move("collapsed-room")

    table.act("tile:collapsed-room", "FALL")
    told = table.rolls([0]).choose(0, table.asked(0).options[0])

    assert not table.state.open
    assert (the(told, Moved).room, the(told, Moved).part, the(told, Moved).rule) == ("vault", OUTSIDE, "2E-ROOM-038")
    assert [here.part for here in table.state.tokens if here.token == "below-collapsed-room"] == [OUTSIDE]
    assert Act(decision=table.now, source="tile:vault", word="OPEN") in table.offers(0)


# -- 2E-ROOM-039: opened Vault -------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-039", case=1)
def test_who_opens_the_vault_gets_two_items_and_moves_no_further() -> None:
    table = vault()
    table.stack("item", "axe", "armor")

    told = table.rolls([2, 2, 2]).act("tile:vault", "OPEN")

    assert table.explorer(0).cards == ["axe", "armor"]
    assert (the(told, TokenPlaced).token, the(told, TokenPlaced).room) == ("vault-empty", "vault")
    assert table.goals(0) == []
    assert not table.offers(0, Cross)
    with table.refuses("2E-MOVE-004"):
        table.move("basement-landing")
    with table.refuses("2E-MOVE-004"):
        table.cross()


@pytest.mark.rule("2E-ROOM-039", case=2)
def test_in_a_later_turn_the_opened_vault_is_entered_without_roll_or_card() -> None:
    table = opened_vault()

    for part in (INSIDE, OUTSIDE, INSIDE):
        told = table.cross()
        assert [type(one.event) for one in told] == [Moved]
        assert (the(told, Moved).part, the(told, Moved).spent, the(told, Moved).rule) == (part, 0, "2E-ROOM-039")
    assert table.explorer(0).part == INSIDE
    assert table.explorer(0).cards == ["axe", "armor"]


@pytest.mark.rule("2E-ROOM-039", case=3)
def test_nobody_rolls_for_the_vault_once_it_is_open() -> None:
    table = opened_vault()
    table.put(1, "vault")
    table.turn(1)

    assert not table.offers(1, Act)
    with table.refuses("2E-ROOM-039"):
        table.act("tile:vault", "OPEN")


@pytest.mark.rule("2E-ROOM-039", case=4, asserts=True)
@pytest.mark.parametrize("side", [OUTSIDE, INSIDE])
def test_whom_a_card_puts_into_the_opened_vault_goes_to_either_part(side: int) -> None:
    table = opened_vault()
    slide(table, 1, "vault")

    assert (table.asked(1).about, table.asked(1).options) == ("part:vault", ["0", "1"])
    table.choose(1, str(side))

    assert (table.explorer(1).room, table.explorer(1).part) == ("vault", side)


def test_the_opened_vault_is_no_barrier_for_anything() -> None:
    """Its parts are one room: one goes out by its door from either, and deals with whoever is in the other."""
    table = opened_vault()
    table.put(1, "vault", part=INSIDE)
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "vault", part=INSIDE)
    table.pile("vault", "bell")
    table.turn(0)

    assert Trade(decision=table.now, partner=1, gives=["axe"]) in table.offers(0)
    assert Attack(decision=table.now, target=MonsterId("sexton-1")) in table.offers(0)
    table.turn(1)
    table.pick_up("bell")
    assert the(table.move("basement-landing"), Moved).spent == 2, "the monster slows it"


def test_what_lay_behind_the_door_of_the_vault_is_at_hand_once_it_is_open() -> None:
    table = vault()
    table.pile("vault", "bell", part=INSIDE)
    table.turn(0)
    with table.refuses("2E-ROOM-010"):
        table.pick_up("bell")
    table.rolls([2, 2, 2]).act("tile:vault", "OPEN")

    table.pick_up("bell")

    assert "bell" in table.explorer(0).cards


def test_a_dog_does_not_fetch_what_lies_behind_the_door_of_the_vault() -> None:
    for part in (OUTSIDE, INSIDE):
        table = vault()
        table.hold(0, "dog", "axe", "armor")
        table.pile("vault", "bell", part=part)
        table.put(0, "basement-landing")
        table.turn(0)
        table.act("card:dog", "FETCH")
        assert any("bell" in option for option in table.asked(0).options) == (part == OUTSIDE)


def test_a_vault_that_lies_there_from_an_older_game_has_one_part_and_is_opened_as_before() -> None:
    table = Table()
    table.happen(TilePlaced(tile="vault", floor="basement", x=0, y=1, turns=2, doors=0b0100))
    table.put(0, "vault")
    table.turn(0)
    table.stack("item", "axe", "armor")
    table.rolls([2, 2, 2]).act("tile:vault", "OPEN")
    assert table.explorer(0).cards == ["axe", "armor"]

    table.turn(0)
    assert not table.offers(0, Cross)
    with table.refuses("2E-ROOM-005", problem="no-barrier"):
        table.cross()
    table.move("basement-landing")


# -- 2E-ROOM-040: traitor and Vault door ---------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-040", case=1)
def test_the_traitor_does_not_get_through_the_door_of_the_vault_without_a_roll() -> None:
    table = vault()
    table.haunt("the-bell-below", traitor=0)

    assert not table.offers(0, Cross)
    with table.refuses("2E-ROOM-040"):
        table.cross()

    told = table.rolls([1, 1, 1]).act("tile:vault", "OPEN")
    assert the(told, DiceRolled).trait == "knowledge"
    assert not events(told, HarmIgnored)
    assert table.explorer(0).cards == []
    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")
    with table.refuses("2E-ROOM-040"):
        table.cross()


@pytest.mark.rule("2E-ROLL-003")
def test_the_vault_is_tried_once_a_turn_and_again_in_the_next() -> None:
    table = vault()
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")

    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")
    table.turn(0)
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")
