"""The third edition's monsters: their turn, their way, what hurts them (rulebook 2022, Controlling Monsters)."""

from functools import cache

import pytest

from domain.engine.rules import Rules
from domain.facts.commands import Attack, Choose, Explore, Loot, Move
from domain.facts.events import (
    AttackDecided,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    Fizzled,
    HarmIgnored,
    MonsterKilled,
    MonsterRecovered,
    MonstersRolled,
    MonsterStunned,
    Moved,
    RuleApplied,
    SideTold,
    TraitChanged,
    TurnStarted,
)
from domain.facts.state import MODERATOR, UNNAMED, MonsterId
from projections.view.game import view_of
from tests.support.packs import rules_with
from tests.support.table import Table, events, the
from tests.support.third import FRIENDS, settle

THE_BURIED = """
  id: buried
  title: The Buried
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    zombie: {title: Zombie, speed: 3, might: 3, sanity: 2}
    spirit: {title: Spirit, speed: 2, might: 2, sanity: 3, attack: {trait: sanity, damage: mental}}
    husk: {title: Husk, speed: 2, might: 2, dies: true}
    statue: {title: Statue, speed: 2, might: 2, stuns: false}
    digger: {title: Digger, speed: 3, might: 2, explores: true}
  heroes:
    story: S
    goal: G
    actions:
      - {word: TIRE, do: [{lose: {trait: speed}, who: {each: character, in: here}}]}
      - {word: GLARE, do: [{damage: {kind: mental, points: 2}, who: {each: monster, in: here}}]}
  traitor-book: {story: S, goal: G, plays-on: {count: {monsters: any}, at-least: 1}}
"""
ROUNDS = (0, 1, 2)


@cache
def buried() -> Rules:
    return rules_with("third-edition", haunt=THE_BURIED)


def haunted(*monsters: str, traitor: int = 2) -> Table:
    """The heroes stand in the Entrance Hall with these monsters, at the turn of seat 0; the traitor is upstairs."""
    table = settle(buried(), "buried", traitor=traitor)
    table.put(traitor, "upper-landing")
    for name in monsters:
        table.monster(name, "entrance-hall")
    table.turn(0)
    return table


def monsters_turn(*monsters: str, roll: tuple[int, ...] = (1, 1, 1), room: str = "entrance-hall") -> Table:
    """The monsters' turn has begun by the end of the traitor's; all explorers are upstairs, the monsters of one kind in this room."""
    table = haunted()
    for seat in ROUNDS:
        table.put(seat, "upper-landing")
    for name in monsters:
        table.monster(name, room)
    table.turn(2)
    table.rolls(roll).end_turn()
    assert table.state.turn.monsters
    return table


def meet(table: Table, room: str = "entrance-hall") -> Table:
    """A hero comes into this room."""
    table.put(0, room)
    return table


# -- control and turns ----------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MON-001", case=1)
def test_the_traitor_commands_the_monsters_and_no_hero_does() -> None:
    table = monsters_turn("zombie-1")
    move = Move(decision=table.now, to="hallway", monster=MonsterId("zombie-1"))

    with table.refuses("3E-TURN-001"):
        table.play(0, move)

    assert the(table.play(2, move), Moved).figure == "zombie-1"


@pytest.mark.rule("3E-MON-001")
def test_a_dead_traitor_still_runs_the_monsters() -> None:
    table = haunted("zombie-1")
    table.die(2)
    table.turn(1)

    told = table.rolls([1, 1, 1]).end_turn()

    started = the(told, TurnStarted)
    assert (started.seat, started.monsters, started.rule) == (2, True, "3E-MON-001")
    assert the(table.move("hallway", monster="zombie-1"), Moved).figure == "zombie-1"


@pytest.mark.rule("3E-MON-001")
def test_when_the_objective_cannot_be_reached_any_more_a_dead_traitor_has_no_turn() -> None:
    rules = rules_with(
        "third-edition", haunt=THE_BURIED.replace("{monsters: any}, at-least: 1", "{monsters: spirit}, at-least: 1")
    )
    table = settle(rules, "buried", traitor=2)
    table.monster("zombie-1", "hallway")
    table.die(2)
    table.turn(1)

    started = the(table.end_turn(), TurnStarted)

    assert (started.seat, started.monsters, started.rule) == (0, False, "3E-MON-001")


@pytest.mark.rule("3E-MON-002", case=1)
def test_a_monster_moves_as_many_tiles_as_its_speed_dice_show() -> None:
    table = monsters_turn("zombie-1", roll=(2, 1, 1))
    table.move("hallway", "entrance-hall", "hallway", "entrance-hall", monster="zombie-1")
    with table.refuses("3E-MON-008"):
        table.move("hallway", monster="zombie-1")


def _order(table: Table, turns: int) -> list[tuple[int, bool]]:
    """Whose turns follow, and whether they are the monsters'."""
    found = []
    for _ in range(turns):
        table.fate.dice = [(1, 1, 1)]
        table.end_turn()
        found.append((table.state.turn.seat, table.state.turn.monsters))
    return found


@pytest.mark.rule("3E-MON-002", case=2)
def test_the_monsters_act_between_the_traitor_and_the_next_player() -> None:
    table = haunted("zombie-1", traitor=0)
    assert _order(table, 5) == [(0, True), (1, False), (2, False), (0, False), (0, True)]
    assert table.state.haunt is not None
    assert table.state.haunt.round == 1  # the haunt revealer's turn is the last of a round


@pytest.mark.rule("3E-MON-002", case=3)
def test_the_monsters_keep_the_place_of_a_dead_traitor() -> None:
    table = haunted("zombie-1", traitor=0)
    table.turn(1)
    table.die(0)
    assert _order(table, 4) == [(2, False), (0, True), (1, False), (2, False)]


def test_a_round_that_a_dead_traitors_monsters_begin_is_counted_once() -> None:
    table = settle(buried(), "buried", traitor=1, revealer=0)
    table.monster("zombie-1", "hallway")
    table.die(1)
    table.turn(0)
    assert table.state.haunt is not None
    before = table.state.haunt.round

    assert _order(table, 3) == [(1, True), (2, False), (0, False)]
    assert table.state.haunt.round == before + 1


@pytest.mark.rule("3E-MON-002")
def test_each_monster_is_done_before_the_next_begins() -> None:
    table = monsters_turn("zombie-1", "zombie-2")
    table.move("hallway", monster="zombie-1")
    table.move("hallway", monster="zombie-2")
    with table.refuses("3E-MON-002"):
        table.move("entrance-hall", monster="zombie-1")


@pytest.mark.rule("3E-MON-003", case=1)
def test_monsters_of_one_kind_share_a_roll() -> None:
    table = haunted("zombie-1", "zombie-2", "zombie-3")
    table.put(0, "upper-landing")
    table.put(1, "upper-landing")
    table.turn(2)
    told = table.rolls([1, 1, 1]).end_turn()
    assert the(told, MonstersRolled).rule == "3E-MON-003"
    for name in ("zombie-1", "zombie-2", "zombie-3"):
        table.move("hallway", "entrance-hall", "hallway", monster=name)
        with table.refuses("3E-MON-008"):
            table.move("entrance-hall", monster=name)


@pytest.mark.rule("3E-MON-003", case=2)
def test_each_kind_has_a_roll_of_its_own() -> None:
    table = haunted("zombie-1", "zombie-2", "spirit-1")
    table.turn(2)
    told = table.rolls([1, 1, 1], [2, 2]).end_turn()
    assert [(one.kind, one.spaces) for one in events(told, MonstersRolled)] == [("zombie", 3), ("spirit", 4)]
    assert len(events(told, DiceRolled)) == 2


# -- damage ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MON-004", case=1, asserts=True)
def test_a_beaten_monster_keeps_its_might() -> None:
    table = haunted("zombie-1")
    table.rolls([2, 2, 1, 0][: table.value(0, "might")], [1, 1, 0]).attack("zombie-1")
    assert table.seen(0, "zombie-1").stunned
    assert table.seen(2, "zombie-1").traits["might"] == 3
    table.turn(1)
    told = table.rolls([1, *[0] * (table.value(1, "might") - 1)], [1, 0, 0]).attack("zombie-1")
    assert [len(one.faces) for one in events(told, DiceRolled)][1] == 3, "it rolls as many dice as before"


@pytest.mark.rule("3E-MON-004", case=2)
def test_a_loss_for_all_leaves_a_monsters_speed_as_printed() -> None:
    table = haunted("zombie-1")
    told = table.act("haunt:heroes", "TIRE")
    assert {one.seat for one in events(told, TraitChanged)} == {0, 1}
    assert any(one.rule == "3E-MON-004" for one in events(told, Fizzled))
    assert table.seen(2, "zombie-1").traits["speed"] == 3


@pytest.mark.rule("3E-META-003", case=1)
def test_characters_are_heroes_traitor_and_monsters() -> None:
    table = haunted("zombie-1")
    table.put(2, "entrance-hall")
    told = table.act("haunt:heroes", "TIRE")
    assert {one.seat for one in events(told, TraitChanged)} == {0, 1, 2}
    assert len(events(told, Fizzled)) == 1  # the monster, whose traits are fixed
    assert "3E-META-003" in {one.rule for one in events(told, RuleApplied)}


@pytest.mark.rule("3E-MON-005", case=1)
def test_a_monster_beaten_by_one_is_stunned_where_it_stands() -> None:
    table = haunted("zombie-1")
    before = dict(table.seen(2, "zombie-1").traits)
    told = table.rolls([2, *[0] * (table.value(0, "might") - 1)], [1, 0, 0]).attack("zombie-1")
    assert the(told, MonsterStunned).rule == "3E-MON-005"
    beaten = table.seen(2, "zombie-1")
    assert (beaten.stunned, beaten.room, beaten.traits) == (True, "entrance-hall", before)


@pytest.mark.rule("3E-MON-005", case=2)
def test_mental_damage_stuns_as_well() -> None:
    table = haunted("zombie-1")
    table.hold(0, "ring")
    table.turn(0)
    told = table.rolls([2, *[0] * (table.value(0, "sanity") - 1)], [1, 0]).attack("zombie-1", "ring")
    decided = the(told, AttackDecided)
    assert decided.attack - decided.defense == 2
    assert the(told, ExplorerAttacked).trait == "sanity"
    assert (the(told, MonsterStunned).monster, the(told, MonsterStunned).rule) == ("zombie-1", "3E-MON-005")


@pytest.mark.rule("3E-MON-005", case=3)
def test_a_stunned_monster_defends_and_hurts_whom_it_beats() -> None:
    table = haunted("zombie-1")
    table.stun("zombie-1")
    table.turn(0)
    attack = Attack(decision=table.now, target=MonsterId("zombie-1"))
    assert attack in table.offers(0)

    told = table.rolls([2, *[0] * (table.value(0, "might") - 1)], [2, 2, 1]).attack("zombie-1")
    while table.is_asked(0):
        told += table.allocate(0, might=1, speed=2)

    assert the(told, ExplorerAttacked).rule == "3E-MON-005"
    taken = the(told, DamageTaken)
    assert (taken.seat, taken.kind, taken.amount) == (0, "physical", 3)
    assert table.seen(0, "zombie-1").stunned


@pytest.mark.rule("3E-MON-005")
def test_further_damage_leaves_a_stunned_monster_stunned() -> None:
    table = haunted("zombie-1")
    table.stun("zombie-1")
    table.turn(0)
    told = table.rolls([2, 2, *[0] * (table.value(0, "might") - 2)], [1, 0, 0]).attack("zombie-1")
    assert the(told, Fizzled).rule == "3E-MON-005"
    assert table.seen(0, "zombie-1").stunned


@pytest.mark.rule("3E-MON-005", case=4)
def test_a_monster_that_loses_its_own_attack_is_stunned() -> None:
    table = meet(monsters_turn("zombie-1"))
    table.turn(2)
    table.rolls([1, 1, 1]).end_turn()
    told = table.rolls([0, 0, 0], [1, *[0] * (table.value(0, "might") - 1)]).attack(0, monster="zombie-1")
    assert the(told, MonsterStunned).monster == "zombie-1"


@pytest.mark.rule("3E-MON-006", case=1)
def test_a_stunned_monster_spends_its_turn_getting_up() -> None:
    table = haunted("zombie-1")
    table.stun("zombie-1")
    table.turn(2)
    told = table.end_turn()
    assert the(told, MonsterRecovered).rule == "3E-MON-006"
    assert not table.seen(0, "zombie-1").stunned
    assert not events(told, MonstersRolled)
    assert view_of(table.rules, table.view(0), 1).turn.finished == ["zombie-1"]
    for refused in (
        Move(decision=table.now, to="hallway", monster=MonsterId("zombie-1")),
        Attack(decision=table.now, target=0, monster=MonsterId("zombie-1")),
    ):
        assert refused not in table.offers(2)
        with table.refuses("3E-MON-006"):
            table.play(2, refused)

    table.turn(2)
    table.rolls([2, 1, 1]).end_turn()
    assert the(table.move("hallway", monster="zombie-1"), Moved).room == "hallway"


@pytest.mark.rule("3E-MON-007", case=1)
def test_stunned_monsters_slow_nobody() -> None:
    table = haunted("zombie-1")
    table.stun("zombie-1")
    table.turn(0)
    assert the(table.move("hallway"), Moved).spent == 1

    table.put(0, "entrance-hall")
    table.monster("zombie-2", "entrance-hall")
    table.turn(0)
    assert the(table.move("hallway"), Moved).spent == 2


# -- movement -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MON-008", case=1)
def test_a_roll_of_nothing_is_one_tile() -> None:
    table = monsters_turn("zombie-1", roll=(0, 0, 0))
    table.move("hallway", monster="zombie-1")
    with table.refuses("3E-MON-008"):
        table.move("entrance-hall", monster="zombie-1")


def slowed(roll: tuple[int, ...]) -> Table:
    """A hero stands beside the zombie, which has the turn with this movement roll."""
    table = monsters_turn("zombie-1")
    meet(table)
    table.turn(2)
    table.rolls(roll).end_turn()
    return table


@pytest.mark.rule("3E-MON-008", case=2)
def test_with_one_to_spend_an_obstacle_does_not_keep_it() -> None:
    table = slowed((1, 0, 0))
    assert the(table.move("hallway", monster="zombie-1"), Moved).rule == "3E-MON-008"
    with table.refuses("3E-MON-008"):
        table.move("ground-floor-staircase", monster="zombie-1")


@pytest.mark.rule("3E-MON-008", case=3)
def test_with_two_to_spend_an_obstacle_takes_both() -> None:
    table = slowed((1, 1, 0))
    assert the(table.move("hallway", monster="zombie-1"), Moved).spent == 2
    with table.refuses("3E-MON-008"):
        table.move("ground-floor-staircase", monster="zombie-1")


@pytest.mark.rule("3E-MON-008", case=4)
def test_the_first_step_is_not_free() -> None:
    table = slowed((1, 1, 1))
    assert the(table.move("hallway", monster="zombie-1"), Moved).spent == 2
    table.move("ground-floor-staircase", monster="zombie-1")
    with table.refuses("3E-MON-008"):
        table.move("hallway", monster="zombie-1")


@pytest.mark.rule("3E-MON-008", case=5)
def test_after_a_plain_tile_an_obstacle_has_to_be_paid() -> None:
    table = monsters_turn("zombie-1")
    meet(table, "hallway")
    table.turn(2)
    table.rolls([1, 1, 0]).end_turn()
    table.move("hallway", monster="zombie-1")
    with table.refuses("3E-MON-008"):
        table.move("entrance-hall", monster="zombie-1")


# -- killed, or neither ---------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MON-009", case=1)
def test_a_monster_that_can_be_killed_leaves_the_house_and_its_token_is_free() -> None:
    table = haunted("husk-1")
    table.act("haunt:heroes", "GLARE")
    told = table.commits[-1]
    assert the(told, MonsterKilled).rule == "3E-MON-009"
    assert MonsterId("husk-1") not in table.view(0).monsters
    table.monster("husk-1", "hallway")  # the token is at hand again
    assert table.seen(0, "husk-1").room == "hallway"


@pytest.mark.rule("3E-MON-010", case=1)
def test_a_monster_that_cannot_be_stunned_acts_on() -> None:
    table = haunted("statue-1")
    table.traits(0, might=4)
    table.turn(0)
    told = table.rolls([2, 2, 1, 0], [1, 0]).attack("statue-1")
    decided = the(told, AttackDecided)
    assert decided.attack - decided.defense == 4
    assert the(told, Fizzled).rule == "3E-MON-010"
    assert not table.seen(0, "statue-1").stunned
    table.turn(2)
    table.rolls([1, 1]).end_turn()
    assert the(table.move("hallway", monster="statue-1"), Moved).figure == "statue-1"


# -- ways -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MON-011", case=1)
def test_monsters_alone_go_from_the_basement_landing_to_the_staircase() -> None:
    table = monsters_turn("zombie-1", room="basement-landing")
    told = the(table.move("ground-floor-staircase", monster="zombie-1"), Moved)
    assert (told.spent, told.rule) == (1, "3E-MON-011")
    for seat in (0, 2):
        table.put(seat, "basement-landing")
        table.turn(seat)
        assert "ground-floor-staircase" not in table.goals(seat)
        with table.refuses("3E-MON-011"):
            table.move("ground-floor-staircase")
    table.put(0, "ground-floor-staircase")
    table.turn(0)
    with table.refuses("3E-MON-011"):
        table.move("basement-landing")


def test_a_mask_drives_monsters_alone_to_the_basement_and_explorers_alone_through_a_passage() -> None:
    table = haunted("zombie-1")
    table.hold(0, "mask")
    table.token("secret-passage", "ground-floor-staircase")
    table.token("secret-passage", "entrance-hall")
    for figure in (0, 1, MonsterId("zombie-1")):
        table.happen(Moved(figure=figure, room="ground-floor-staircase"))
    table.turn(0)
    table.act("card:mask", "FRIGHTEN")
    ways: dict[str, list[str]] = {}
    while table.is_asked(0):
        ways[table.asked(0).about] = sorted(table.asked(0).options)
        table.choose(0, "hallway")
    assert ways == {
        "move-other:seat:1": ["entrance-hall", "hallway", "upper-landing"],
        "move-other:zombie-1": ["basement-landing", "hallway", "upper-landing"],
    }


@pytest.mark.rule("3E-MON-016", case=1)
def test_a_monster_does_not_loot_the_corpse_beside_it() -> None:
    table = haunted("zombie-1")
    table.hold(0, "dagger")
    table.turn(1)
    table.die(0)
    table.turn(2)
    table.rolls([1, 1, 1]).end_turn()
    loot = Loot(decision=table.now, corpse=0, card="dagger", monster=MonsterId("zombie-1"))
    assert loot not in table.offers(2)
    with table.refuses("3E-MON-016"):
        table.play(2, loot)


@pytest.mark.rule("3E-MON-017", case=1)
def test_a_monster_does_not_explore() -> None:
    table = monsters_turn("zombie-1")
    explore = Explore(decision=table.now, door="east", monster=MonsterId("zombie-1"))
    assert explore not in table.offers(2)
    with table.refuses("3E-MON-017"):
        table.play(2, explore)


@pytest.mark.rule("3E-META-002", case=1, asserts=True)
def test_where_the_haunt_says_so_a_monster_explores() -> None:
    table = monsters_turn("digger-1")
    explore = Explore(decision=table.now, door="east", monster=MonsterId("digger-1"))
    assert explore in table.offers(2)
    table.stack("tiles", "dining-room")
    table.play(2, explore)
    table.lay_anyhow()
    assert table.seen(0, "digger-1").room == "dining-room"


# -- attacks --------------------------------------------------------------------------------------------------------


def at_hand(*monsters: str) -> Table:
    """The monsters have the turn, all of one kind, in the room of both heroes."""
    table = haunted(*monsters)
    table.turn(2)
    table.rolls([1, 1, 1]).end_turn()
    return table


@pytest.mark.rule("3E-MON-012", case=1)
def test_each_monster_attacks_once() -> None:
    table = at_hand("zombie-1", "zombie-2")
    table.rolls([1, 0, 0], [1, *[0] * (table.value(0, "might") - 1)]).attack(0, monster="zombie-1")
    with table.refuses("3E-MON-012"):
        table.attack(1, monster="zombie-1")
    table.rolls([1, 0, 0], [1, *[0] * (table.value(1, "might") - 1)]).attack(1, monster="zombie-2")


@pytest.mark.rule("3E-MON-012", case=2)
def test_a_monster_attacks_neither_the_traitor_nor_its_like() -> None:
    table = haunted("zombie-1", "zombie-2")
    table.put(2, "entrance-hall")
    table.turn(2)
    table.rolls([1, 1, 1]).end_turn()
    assert {one.target for one in table.offers(2) if isinstance(one, Attack)} == {0, 1}
    for target in (2, "zombie-2"):
        with table.refuses("3E-MON-012"):
            table.attack(target, monster="zombie-1")


@pytest.mark.rule("3E-MON-012", case=3, asserts=True)
def test_a_monster_that_loses_its_attack_by_two_is_stunned() -> None:
    table = at_hand("zombie-1")
    told = table.rolls([0, 0, 0], [2, *[0] * (table.value(0, "might") - 1)]).attack(0, monster="zombie-1")
    decided = the(told, AttackDecided)
    assert decided.defense - decided.attack == 2
    assert the(told, MonsterStunned).rule == "3E-MON-005"
    assert table.seen(0, "zombie-1").stunned
    with table.refuses("3E-MON-006"):
        table.attack(0, monster="zombie-1")


@pytest.mark.rule("3E-MON-012")
def test_a_monster_attacks_on_its_own_tile_alone() -> None:
    table = at_hand("zombie-1")
    table.put(0, "hallway")
    with table.refuses("3E-MON-012"):
        table.attack(0, monster="zombie-1")


@pytest.mark.rule("3E-MON-013", case=1)
def test_a_monster_attacks_with_might_unless_its_rules_say_otherwise() -> None:
    table = at_hand("zombie-1")
    table.traits(0, might=4)
    told = table.rolls([1, 1, 0], [1, 1, 0, 0]).attack(0, monster="zombie-1")
    attacked = the(told, ExplorerAttacked)
    assert (attacked.trait, attacked.rule) == ("might", "3E-MON-013")
    assert [len(one.faces) for one in events(told, DiceRolled)] == [3, 4]


# -- tiles ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MON-014", case=1)
def test_the_furnace_room_does_not_stun_a_monster_that_ignores_it() -> None:
    table = monsters_turn("zombie-1")
    table.lay("furnace-room", "basement", 1, 0)
    table.monster("zombie-2", "furnace-room")
    table.end_turn()
    assert table.asked(2).options == ["ignore", "suffer"]
    told = table.choose(2, "ignore")
    ignored = the(told, HarmIgnored)
    assert (ignored.figure, ignored.rule) == ("zombie-2", "3E-MON-014")
    assert not table.seen(0, "zombie-2").stunned


@pytest.mark.rule("3E-MON-014")
def test_a_monster_may_suffer_the_furnace_room() -> None:
    table = monsters_turn("zombie-1")
    table.lay("furnace-room", "basement", 1, 0)
    table.monster("zombie-2", "furnace-room")
    table.end_turn()
    table.choose(2, "suffer")
    assert table.seen(0, "zombie-2").stunned


@pytest.mark.rule("3E-MON-015", case=1)
def test_a_monster_that_rides_the_mystic_elevator_rolls_for_it() -> None:
    table = monsters_turn("zombie-1")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.move("mystic-elevator", monster="zombie-1")
    assert "3E-MON-015" in {one.rule for one in events(table.commits[-1], RuleApplied)}
    table.fate.pending = True
    table.choose(2, "yes")
    roll = table.asked(MODERATOR)
    assert roll.total == 2
    with table.refuses():
        table.play(2, Choose(decision=roll.id, option="upper"))
    table.moderate([1, 2])
    assert {option.split(":")[0] for option in table.asked(2).options} == {"upper"}


def test_a_monster_may_leave_the_button_alone() -> None:
    table = monsters_turn("zombie-1")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.move("mystic-elevator", monster="zombie-1")
    table.choose(2, "no")
    assert table.state.rooms["mystic-elevator"].floor == "ground"


def test_the_traitors_ride_uses_up_nothing_of_the_monsters() -> None:
    table = haunted("zombie-1")
    table.lay("mystic-elevator", "upper", 0, 1, turns=2)
    table.put(2, "upper-landing")
    table.turn(2)
    table.move("mystic-elevator")
    table.rolls([0, 2]).choose(2, "yes")
    table.choose(2, table.asked(2).options[0])
    for seat in (0, 1):
        table.put(seat, "hallway")
    table.monster("zombie-2", next(filter(None, table.state.rooms["mystic-elevator"].near)))
    table.rolls([1, 1, 1]).end_turn()
    table.move("mystic-elevator", monster="zombie-2")
    assert table.asked(2).options == ["yes", "no"]


def test_each_monster_rides_once_in_its_own_turn() -> None:
    table = monsters_turn("zombie-1", "zombie-2")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.let_move(6, "zombie-1", "zombie-2")
    table.move("mystic-elevator", monster="zombie-1")
    table.choose(2, "no")
    table.move("entrance-hall", "mystic-elevator", monster="zombie-1")
    assert not [one for one in table.state.open.values() if one.kind == "consent"], "once in its turn"
    table.move("mystic-elevator", monster="zombie-2")
    assert table.asked(2).options == ["yes", "no"]


@pytest.mark.rule("3E-MON-015")
def test_the_laundry_chute_takes_monsters_down() -> None:
    table = monsters_turn("zombie-1")
    table.lay("laundry-chute", "ground", 1, 0, turns=3)
    table.move("laundry-chute", monster="zombie-1")
    table.end_turn()
    assert table.seen(0, "zombie-1").room == "basement-landing"


# -- numbers --------------------------------------------------------------------------------------------------------

HOARD = """
  id: hoard
  title: Hoard
  stage: draft
  kind: one-traitor
  story: S
  counters:
    coins: {title: Coins, public: true}
    dawn: {title: Dawn, track: true}
  heroes:
    story: S
    goal: G
    actions:
      - {word: COUNT, do: [{count: {counter: coins, to: {players: {3: 1, 4: 5, 5: 7, 6: 9}}}}]}
      - {word: WAIT, do: [{count: {counter: dawn, by: 1}}]}
  traitor-book: {story: S, goal: G}
"""
SIX = (*FRIENDS, "father-warren-leung", "stephanie-richter", "sammy-angler")


@pytest.mark.rule("3E-VPC-001", case=1)
@pytest.mark.parametrize("players, coins", [(3, 1), (4, 5), (5, 7), (6, 9)])
def test_a_group_of_four_values_is_for_three_to_six_players(players: int, coins: int) -> None:
    table = settle(rules_with("third-edition", haunt=HOARD), "hoard", traitor=1, explorers=SIX[:players])
    table.die(2)  # the dead count
    table.act("haunt:heroes", "COUNT")
    assert table.state.haunt is not None
    assert table.state.haunt.counters["coins"] == coins


@pytest.mark.rule("3E-TRACK-001", case=1)
def test_everybody_sees_where_the_number_track_stands() -> None:
    table = settle(rules_with("third-edition", haunt=HOARD), "hoard", traitor=1)
    told = table.act("haunt:heroes", "WAIT")
    assert [one.event.rule for one in told if type(one.event).__name__ == "CounterMoved"] == ["3E-TRACK-001"]
    for role in table.roles.values():
        assert role.haunt is not None
        assert role.haunt.counters["dawn"] == 1


# -- whose turn it is without a known traitor -----------------------------------------------------------------------

PACK_OF_DOGS = """
  id: dogs
  title: Dogs
  stage: draft
  kind: KIND
  story: S
  monsters: {dog: {title: Dog, speed: 3, might: 2}}
  ALSO
  BOOK: {story: S, goal: G}
"""


def loose(kind: str, also: str = "", *, traitor: int = -1) -> Table:
    """Four explorers, seat 1 is the haunt revealer, and a dog walks about; it is the turn of seat 0."""
    book = "traitor-book" if kind == "free-for-all" else "heroes"
    haunt = PACK_OF_DOGS.replace("KIND", kind).replace("ALSO", also).replace("BOOK", book)
    table = settle(rules_with("third-edition", haunt=haunt), "dogs", traitor=traitor, revealer=1, explorers=SIX[:4])
    table.monster("dog-1", "upper-landing")
    table.turn(0)
    return table


@pytest.mark.parametrize("kind", ["no-traitor", "free-for-all"])
def test_without_a_traitor_the_revealer_runs_the_monsters_after_the_own_turn(kind: str) -> None:
    table = loose(kind)
    assert _order(table, 5) == [(1, False), (1, True), (2, False), (3, False), (0, False)]


@pytest.mark.parametrize("kind", ["no-traitor", "free-for-all", "hidden-traitor"])
def test_a_haunt_may_name_another_player_and_another_place(kind: str) -> None:
    also = "monsters-turn: {after: left-of-revealer, run-by: right-of-revealer}"
    table = loose(kind, also, traitor=3 if kind == "hidden-traitor" else -1)
    assert _order(table, 5) == [(1, False), (2, False), (0, True), (3, False), (0, False)]


def test_a_hidden_traitor_may_run_the_monsters_unnamed() -> None:
    table = loose("hidden-traitor", "monsters-turn: {after: revealer, run-by: traitor}", traitor=3)
    assert _order(table, 3) == [(1, False), (UNNAMED, True), (2, False)]
    table.turn(1)
    table.rolls([1, 1, 1]).end_turn()
    assert the(table.move("ground-floor-staircase", monster="dog-1"), Moved).figure == "dog-1"


def test_a_traitor_who_is_revealed_in_the_monsters_turn_does_not_upset_the_round() -> None:
    table = loose("hidden-traitor", traitor=3)
    assert _order(table, 2) == [(1, False), (1, True)]
    table.happen(SideTold(seat=3, side="traitor", revealed=True))
    assert table.rules.runs_monsters(table.state) == 1  # until this turn is over
    assert _order(table, 5) == [(2, False), (3, False), (3, True), (0, False), (1, False)]


@pytest.mark.rule("3E-MON-002")
def test_monsters_keep_their_turn_in_the_round_in_which_a_traitor_is_revealed_too_late() -> None:
    table = loose("hidden-traitor", traitor=2)  # whose turn comes first of all in a round
    assert _order(table, 4) == [(1, False), (1, True), (2, False), (3, False)]
    table.happen(SideTold(seat=2, side="traitor", revealed=True))
    assert _order(table, 5) == [(0, False), (1, False), (2, True), (2, False), (2, True)]


@pytest.mark.rule("3E-MON-002")
def test_monsters_that_have_acted_wait_for_the_next_round_when_the_traitor_is_revealed() -> None:
    table = loose("hidden-traitor", "monsters-turn: {after: left-of-revealer, run-by: right-of-revealer}", traitor=0)
    assert _order(table, 4) == [(1, False), (2, False), (0, True), (3, False)]
    table.happen(SideTold(seat=0, side="traitor", revealed=True))
    assert _order(table, 6) == [(0, False), (1, False), (2, False), (3, False), (0, False), (0, True)]


@pytest.mark.rule("3E-MON-002")
def test_monsters_act_right_after_the_turn_in_which_a_traitor_is_revealed() -> None:
    table = loose("hidden-traitor", traitor=3)
    assert _order(table, 4) == [(1, False), (1, True), (2, False), (3, False)]
    table.happen(SideTold(seat=3, side="traitor", revealed=True))
    assert _order(table, 4) == [(3, True), (0, False), (1, False), (2, False)]
