"""Monsters: their turn, their movement, what they may and may not do (rulebook: Monsters)."""

from functools import cache

import pytest

from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS
from domain.facts.commands import Act, AnswerChance, Attack, Choose, Drop, EndTurn, Explore, Move
from domain.facts.events import (
    AttackDecided,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    HarmIgnored,
    MonsterKilled,
    MonsterRecovered,
    MonstersRolled,
    MonsterStunned,
    Moved,
    RuleApplied,
    TraitChanged,
)
from domain.facts.state import MODERATOR, MonsterId
from tests.support.editions import in_each
from tests.support.packs import rules_with
from tests.support.table import FOUR, THREE, Table, events, the

THE_DEAD = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    zombie: {title: Zombie, speed: 3, might: 3, sanity: 2}
    bat: {title: Bat, speed: 4, might: 1}
    wisp: {title: Wisp, speed: 3, might: 2, dies: true}
    ghost: {title: Ghost, speed: 3, might: 2, sanity: 4, attack: {trait: sanity, damage: mental}}
    archer: {title: Archer, speed: 3, might: 4, attack: {range: line-of-sight}}
    thief: {title: Thief, speed: 3, might: 3, carries: true, attack: {steals: true}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: SCREAM, do: [{damage: {kind: mental, points: 2}, who: {each: monster, in: here}}]}
      - {word: PINCH, do: [{damage: {kind: physical, points: 1}, who: {each: monster, in: here}}]}
      - {word: WHISPER, do: [{damage: {kind: mental, dice: 1}, who: {each: monster, in: here}}]}
      - {word: STARE, do: [{stun: {kind: any, in: here}}]}
  traitor-book: {story: S, goal: G}
"""
FLASH = """
  id: flash
  deck: item
  title: Flash
  text: Whatever looks into it sees nothing else for a while.
  actions: [{word: BLIND, do: [{stun: {kind: any, in: here}}]}]
"""
SPIKES = """
  id: spikes
  title: Spikes
  floors: [ground]
  doors: [east, west]
  on: [{when: entered, for: everyone, harmful: true, do: [{damage: {kind: physical, dice: 1}}]}]
"""


@cache
def the_dead(edition: str = "second") -> Rules:
    """An edition with a haunt of the dead, a card that stuns and a room that hurts."""
    return rules_with(haunt=THE_DEAD, card=FLASH, tile=SPIKES, edition=edition)


def haunted(*monsters: str, explorers: tuple[str, ...] = THREE, edition: str = "second") -> Table:
    """The heroes stand in the Entrance Hall with these monsters, at the turn of seat 0; the last seat is the traitor, upstairs."""
    table = Table(explorers, game=the_dead(edition))
    table.put(len(explorers) - 1, "upper-landing")
    table.haunt("h", traitor=len(explorers) - 1)
    for name in monsters:
        table.monster(name, "entrance-hall")
    return table


def monsters_turn(*monsters: str, spaces: int = 3, edition: str = "second") -> Table:
    """The monsters, in the Entrance Hall, have their turn and so many spaces each; all explorers are upstairs."""
    table = haunted(*monsters, edition=edition)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.turn(2, monsters=True)
    table.let_move(spaces, *monsters)
    return table


def stunned(table: Table) -> list[str]:
    """The monsters that everybody sees lie stunned."""
    return [name for name, one in table.roles[SPECTATORS].monsters.items() if one.stunned]


# -- 2E-MON-001: one monster after the other -----------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-001", case=1)
def test_a_monster_that_was_left_for_another_acts_no_more() -> None:
    table = monsters_turn("zombie-1", "zombie-2")
    table.put(0, "foyer")
    table.turn(2, monsters=True)
    table.let_move(3, "zombie-1", "zombie-2")
    table.move("foyer", monster="zombie-1")
    table.move("foyer", monster="zombie-2")

    with table.refuses("2E-MON-001"):
        table.attack(0, monster="zombie-1")


# -- 2E-MON-002: monster movement roll -----------------------------------------------------------------------------------


@in_each(pytest.mark.rule("2E-MON-002", case=1), pytest.mark.rule("PBP-MON-001", case=1))
def test_a_monster_moves_as_far_as_its_speed_dice_say(edition: str, rule: str) -> None:
    table = monsters_turn("zombie-1", edition=edition)
    table.turn(2)

    told = table.rolls([2, 1, 1]).end_turn()

    rolled = the(told, DiceRolled)
    by_post = edition == "play-by-post"
    assert (rolled.notation, rolled.total) == ("3d3-3", 4) if by_post else rolled.faces == [2, 1, 1]
    assert the(told, MonstersRolled).rule == rule
    table.move("foyer", "entrance-hall", "foyer", "entrance-hall", monster="zombie-1")
    with table.refuses("PBP-MOVE-001" if by_post else "2E-MOVE-001"):
        table.move("foyer", monster="zombie-1")


# -- 2E-MON-003: one roll for a group ------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-003", case=1)
def test_three_zombies_share_one_roll_and_there_is_no_second() -> None:
    table = monsters_turn("zombie-1", "zombie-2", "zombie-3")
    table.turn(2)
    table.fate.pending = True
    table.end_turn()
    roll = table.asked(MODERATOR)
    assert (roll.about, roll.total) == ("dice:movement", 3)

    told = table.moderate([1, 1, 1])

    assert the(told, MonstersRolled).monsters == ["zombie-1", "zombie-2", "zombie-3"]
    assert not table.is_asked(MODERATOR)
    with table.refuses(problem="decision-closed"):
        table.play(MODERATOR, AnswerChance(decision=roll.id, faces=[2, 2, 2]))
    for name in ("zombie-1", "zombie-2", "zombie-3"):
        table.move("foyer", "entrance-hall", "foyer", monster=name)
        with table.refuses("2E-MOVE-001"):
            table.move("entrance-hall", monster=name)


@pytest.mark.rule("2E-MON-003", case=2)
def test_what_one_of_a_group_spends_the_others_still_have() -> None:
    table = monsters_turn("zombie-1", "zombie-2")
    table.put(0, "entrance-hall")
    table.turn(2)
    table.rolls([1, 1, 1]).end_turn()

    assert the(table.move("foyer", monster="zombie-1"), Moved).spent == 2

    view = table.view(2).monsters
    assert (view[MonsterId("zombie-1")].left, view[MonsterId("zombie-2")].left) == (1, 3)


@pytest.mark.rule("2E-MON-003", case=3)
def test_each_kind_has_a_roll_of_its_own() -> None:
    table = monsters_turn("zombie-1", "zombie-2", "zombie-3", "bat-1")
    table.turn(2)

    told = table.rolls([1, 1, 1], [2, 2, 1, 0]).end_turn()

    assert [(one.kind, one.spaces) for one in events(told, MonstersRolled)] == [("zombie", 3), ("bat", 5)]
    assert len(events(told, DiceRolled)) == 2


# -- 2E-MON-004: damage stuns --------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-004", case=1)
@pytest.mark.parametrize("attack", [[1, 0, 0, 0, 0], [2, 2, 2, 0, 0]])
def test_a_monster_that_a_hero_defeats_is_stunned_whatever_the_difference(attack: list[int]) -> None:
    table = haunted("zombie-1")
    before = dict(table.seen(1, "zombie-1").traits)

    told = table.rolls(attack, [0, 0, 0]).attack("zombie-1")

    assert the(told, AttackDecided).attack == sum(attack)
    assert the(told, MonsterStunned).rule == "2E-MON-004"
    assert stunned(table) == ["zombie-1"]
    assert table.seen(1, "zombie-1").traits == before


@pytest.mark.rule("2E-MON-004", case=2)
def test_a_monster_whose_attack_is_beaten_by_one_is_stunned() -> None:
    table = haunted("zombie-1")
    table.turn(2, monsters=True)

    told = table.rolls([1, 0, 0], [2, 0, 0, 0, 0]).attack(0, monster="zombie-1")

    assert the(told, MonsterStunned).monster == "zombie-1"


@in_each(pytest.mark.rule("2E-MON-004", case=3), pytest.mark.rule("PBP-MON-003", case=2))
def test_damage_by_an_effect_stuns_a_monster_too(edition: str, rule: str) -> None:
    table = haunted("zombie-1", edition=edition)
    before = dict(table.seen(1, "zombie-1").traits)

    told = table.act("haunt:heroes", "SCREAM" if edition == "second" else "PINCH")

    assert (the(told, MonsterStunned).monster, the(told, MonsterStunned).rule) == ("zombie-1", rule)
    assert table.seen(1, "zombie-1").traits == before


@pytest.mark.rule("2E-MON-004", case=4, asserts=True)
def test_a_tie_stuns_no_monster_and_neither_does_damage_of_nothing() -> None:
    table = haunted("zombie-1")
    table.rolls([2, 0, 0, 0, 0], [2, 0, 0]).attack("zombie-1")
    assert stunned(table) == []

    told = table.rolls([0]).act("haunt:heroes", "WHISPER")

    assert the(told, DiceRolled).total == 0
    assert stunned(table) == []
    assert not events(told, MonsterStunned)
    table.turn(0)
    table.rolls([1]).act("haunt:heroes", "WHISPER")
    assert stunned(table) == ["zombie-1"]


@pytest.mark.rule("2E-MON-004", case=5, asserts=True)
def test_a_monster_that_dies_of_damage_is_out_of_the_game() -> None:
    table = haunted("wisp-1")

    told = table.rolls([1, 0, 0, 0, 0], [0, 0]).attack("wisp-1")

    assert the(told, MonsterKilled).monster == "wisp-1"
    assert table.roles[SPECTATORS].monsters == {}


# -- 2E-MON-005: a stunned monster loses a turn --------------------------------------------------------------------------


def go_on_to_the_monsters(table: Table) -> None:
    """Turns end until the monsters' turn begins, in which those that can move may move 3 spaces."""
    table.fate.dice = [(1, 1, 1)]
    while True:
        table.end_turn()
        if table.state.turn.monsters:
            return


@pytest.mark.rule("2E-MON-005", case=1)
def test_a_monster_that_a_hero_stuns_misses_one_turn_and_is_active_from_its_end() -> None:
    table = haunted("zombie-1", explorers=FOUR)
    table.turn(2)
    table.rolls([1, 0, 0, 0], [0, 0, 0]).attack("zombie-1")
    go_on_to_the_monsters(table)

    assert table.offers(3) == [EndTurn(decision=table.now)]
    with table.refuses("2E-MON-005"):
        table.move("foyer", monster="zombie-1")
    with table.refuses("2E-MON-005"):
        table.attack(0, monster="zombie-1")
    assert stunned(table) == ["zombie-1"]
    assert the(table.end_turn(), MonsterRecovered).monster == "zombie-1"

    assert stunned(table) == []
    assert table.seat == 0
    assert the(table.move("foyer"), Moved).spent == 2
    go_on_to_the_monsters(table)
    table.rolls([0] * 3, [0] * table.value(1, "might")).attack(1, monster="zombie-1")
    table.move("foyer", monster="zombie-1")


@pytest.mark.rule("2E-MON-005", case=2)
def test_a_monster_stunned_by_its_own_attack_stops_at_once_and_misses_the_next_turn() -> None:
    table = haunted("zombie-1")
    table.turn(2)
    table.rolls([2, 0, 0]).end_turn()
    assert table.seen(0, "zombie-1").left == 2
    table.rolls([0, 0, 0], [1, 0, 0, 0, 0]).attack(0, monster="zombie-1")

    with table.refuses("2E-MON-005"):
        table.move("foyer", monster="zombie-1")
    assert not events(table.end_turn(), MonsterRecovered)
    go_on_to_the_monsters(table)
    with table.refuses("2E-MON-005"):
        table.move("foyer", monster="zombie-1")
    table.end_turn()
    go_on_to_the_monsters(table)
    table.move("foyer", monster="zombie-1")


@pytest.mark.rule("2E-MON-005", case=3)
def test_a_monster_that_is_stunned_twice_in_a_round_misses_one_turn() -> None:
    table = haunted("zombie-1", explorers=FOUR)
    table.turn(1)
    table.rolls([1, 0, 0], [0, 0, 0]).attack("zombie-1")
    table.end_turn()
    assert table.seat == 2
    table.act("haunt:heroes", "STARE")
    go_on_to_the_monsters(table)
    table.end_turn()

    assert stunned(table) == []
    go_on_to_the_monsters(table)
    table.move("foyer", monster="zombie-1")


# -- 2E-MON-006: stun effects always work --------------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-006", case=1)
def test_a_card_that_stuns_works_on_a_monster_that_damage_kills() -> None:
    table = haunted("wisp-1")
    table.hold(0, "flash")
    table.turn(0)

    told = table.act("card:flash", "BLIND")

    assert the(told, MonsterStunned).rule == "2E-MON-006"
    assert stunned(table) == ["wisp-1"]


# -- 2E-MON-007: monsters attack once ------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-007", case=1)
def test_each_monster_attacks_once() -> None:
    table = haunted("zombie-1", "zombie-2")
    table.turn(2, monsters=True)
    table.rolls([0] * 3, [0] * 5).attack(0, monster="zombie-1")

    with table.refuses("2E-MON-007"):
        table.attack(0, monster="zombie-1")
    told = table.rolls([0] * 3, [0] * 5).attack(0, monster="zombie-2")
    assert the(told, ExplorerAttacked).figure == "zombie-2"


# -- 2E-MON-008: monsters attack with other traits -----------------------------------------------------------------------


@pytest.mark.rule("2E-MON-008", case=1)
def test_a_monster_attacks_with_the_trait_of_its_haunt() -> None:
    table = haunted("ghost-1")
    table.turn(2, monsters=True)

    told = table.rolls([2, 2, 0, 0], [1, 0, 0]).attack(0, monster="ghost-1")

    assert [(one.who, one.trait) for one in events(told, DiceRolled)] == [("ghost-1", "sanity"), (0, "sanity")]
    assert (table.asked(0).about, table.asked(0).total) == ("damage:mental", 3)


# -- 2E-MON-009: monsters make no special attacks ------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-009", case=1)
def test_a_monster_that_wins_steals_nothing() -> None:
    table = haunted("zombie-1")
    table.hold(0, "axe")
    table.turn(2, monsters=True)

    told = table.rolls([2, 1, 0], [0] * 5).attack(0, monster="zombie-1")

    assert "2E-MON-009" in {one.rule for one in events(told, RuleApplied)}
    harm = table.asked(0)
    assert (harm.kind, harm.total) == ("allocation", 3)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(2, Choose(decision=harm.id, option="axe"))
    assert the(table.allocate(0, might=2, speed=1), DamageTaken).amount == 3
    assert table.explorer(0).cards == ["axe"]


@pytest.mark.rule("2E-MON-009", case=2)
def test_a_monster_attacks_nobody_in_the_next_room() -> None:
    table = haunted("zombie-1")
    table.put(0, "foyer")
    table.turn(2, monsters=True)

    assert 0 not in {one.target for one in table.offers(2, Attack) if isinstance(one, Attack)}
    with table.refuses("2E-MON-009"):
        table.attack(0, monster="zombie-1")


@pytest.mark.rule("2E-MON-009", case=3, asserts=True)
def test_a_monster_shoots_and_steals_where_its_haunt_says_so() -> None:
    table = haunted("archer-1", "thief-1")
    table.put(0, "foyer")
    table.hold(1, "axe")
    table.turn(2, monsters=True)

    told = table.rolls([0] * 4, [0] * 5).attack(0, monster="archer-1")
    assert (the(told, ExplorerAttacked).figure, the(told, ExplorerAttacked).target) == ("archer-1", 0)

    table.rolls([2, 2, 0], [0] * 3).attack(1, monster="thief-1")
    table.choose(2, "axe")
    assert table.seen(0, "thief-1").cards == ["axe"]


# -- 2E-MON-010: monsters ignore harmful rooms ---------------------------------------------------------------------------


@in_each(pytest.mark.rule("2E-MON-010", case=1), pytest.mark.rule("PBP-MON-004", case=1))
def test_a_monster_ignores_what_a_room_does_to_those_who_enter_it(edition: str, rule: str) -> None:
    table = haunted("zombie-1", edition=edition)
    table.lay("spikes", "ground", 1, 0)
    table.turn(2, monsters=True)
    table.let_move(3, "zombie-1")

    told = table.move("spikes", monster="zombie-1")
    told += table.choose(2, "ignore")

    assert the(told, HarmIgnored).figure == "zombie-1"
    assert not events(told, DiceRolled)
    assert stunned(table) == []


@pytest.mark.rule("2E-MON-010", case=2, asserts=True)
def test_a_monster_goes_down_by_the_collapsed_room_unhurt() -> None:
    table = haunted("zombie-1")
    table.lay("collapsed-room", "ground", 1, 0)
    table.token("below-collapsed-room", "basement-landing")
    table.turn(2, monsters=True)
    table.let_move(3, "zombie-1")
    table.move("collapsed-room", monster="zombie-1")

    told = table.act("tile:collapsed-room", "FALL", monster="zombie-1")

    assert table.seen(0, "zombie-1").room == "basement-landing"
    assert stunned(table) == []
    assert not events(told, DiceRolled)


@pytest.mark.rule("2E-MON-010", case=3, asserts=True)
def test_a_monster_leaves_the_junk_room_as_fast_as_ever() -> None:
    table = haunted("zombie-1")
    table.lay("junk-room", "ground", 1, 0)
    table.monster("zombie-2", "junk-room")
    table.turn(2, monsters=True)
    table.let_move(3, "zombie-2")

    told = table.move("entrance-hall", monster="zombie-2")

    assert not events(told, DiceRolled)
    assert table.seen(0, "zombie-2").traits["speed"] == 3
    assert table.seen(0, "zombie-2").left == 2


# -- 2E-MON-011: monsters slide too --------------------------------------------------------------------------------------


@in_each(pytest.mark.rule("2E-MON-011", case=1), pytest.mark.rule("PBP-MON-005", case=1))
def test_a_monster_slides_down_the_coal_chute(edition: str, rule: str) -> None:
    table = monsters_turn("zombie-1", edition=edition)
    table.lay("coal-chute", "ground", 1, 0, turns=3)

    told = table.move("coal-chute", monster="zombie-1")

    assert [one.room for one in events(told, Moved)] == ["coal-chute", "basement-landing"]
    assert table.seen(0, "zombie-1").room == "basement-landing"


# -- 2E-MON-012: monsters and Revolving Wall -----------------------------------------------------------------------------


@in_each(pytest.mark.rule("2E-MON-012", case=1), pytest.mark.rule("PBP-MON-006", case=1))
def test_a_monster_goes_through_the_revolving_wall_without_a_roll(edition: str, rule: str) -> None:
    table = monsters_turn("zombie-1", edition=edition)
    for room in ("upper-landing", "entrance-hall"):
        table.token("wall-switch", room)

    told = table.act("token:wall-switch", "PASS", monster="zombie-1")

    assert not events(told, DiceRolled)
    assert table.seen(0, "zombie-1").room == "upper-landing"


# -- 2E-MON-015: no trait gains for monsters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edition, room, floor",
    [
        pytest.param("second", "larder", "basement", marks=pytest.mark.rule("2E-MON-015", case=1)),
        pytest.param("play-by-post", "gymnasium", "upper", marks=pytest.mark.rule("PBP-MON-008", case=1)),
    ],
)
def test_a_monster_gets_nothing_from_a_room_that_gives_a_point(edition: str, room: str, floor: str) -> None:
    table = monsters_turn("zombie-1", edition=edition)
    table.lay(room, floor, 0, 1)
    table.monster("zombie-2", room)
    before = dict(table.seen(0, "zombie-2").traits)

    told = table.end_turn()

    assert not events(told, TraitChanged)
    assert table.seen(0, "zombie-2").traits == before


# -- 2E-MON-016: special routes ------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-MON-016", case=1)
def test_monsters_use_passages_that_cards_made() -> None:
    table = Table(game=the_dead())
    table.stack("tiles", "organ-room")
    table.stack("event", "secret-passage")
    table.rolls([2, 1, 0]).explore("east")
    table.lay_anyhow()
    table.choose(0, "foyer")
    table.choose(0, "no")
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("h", traitor=2)
    table.monster("zombie-1", "foyer")
    table.turn(2, monsters=True)
    table.let_move(1, "zombie-1")

    table.move("organ-room", monster="zombie-1")

    assert table.seen(0, "zombie-1").room == "organ-room"


# -- 2E-MON-017 and 018: monsters do not explore and do not carry --------------------------------------------------------


@in_each(pytest.mark.rule("2E-MON-017", case=1), pytest.mark.rule("PBP-MON-010", case=1))
def test_a_monster_discovers_nothing(edition: str, rule: str) -> None:
    table = monsters_turn("zombie-1", edition=edition)

    assert not table.offers(2, Explore)
    with table.refuses(rule):
        table.explore("east", monster="zombie-1")


@in_each(pytest.mark.rule("2E-MON-018", case=1), pytest.mark.rule("PBP-MON-011", case=1))
def test_a_monster_picks_nothing_up(edition: str, rule: str) -> None:
    table = monsters_turn("zombie-1", edition=edition)
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)

    assert {type(one) for one in table.offers(2)} <= {Move, EndTurn}
    with table.refuses(rule):
        table.pick_up("axe", monster="zombie-1")


# -- in their turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ITEM-002", case=1)
def test_a_monster_uses_no_item() -> None:
    table = monsters_turn("zombie-1")
    table.hold(2, "axe", "healing-salve")
    table.put(0, "entrance-hall")
    table.turn(2, monsters=True)

    with table.refuses("2E-ITEM-002"):
        table.attack(0, "axe", monster="zombie-1")
    with table.refuses("2E-ITEM-002"):
        table.play(2, Act(decision=table.now, source="card:healing-salve", word="HEAL", monster=MonsterId("zombie-1")))


def test_in_the_monsters_turn_explorers_do_nothing() -> None:
    table = monsters_turn("zombie-1")
    table.hold(2, "axe")
    assert not table.offers(2, Drop)
    with table.refuses("2E-MON-018"):
        table.drop("axe")


def test_monsters_of_a_kind_have_numbers_of_their_own() -> None:
    table = Table(options={"haunt": "the-gnawing-tide"})
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.rolls([0] * 6).end_turn()
    table.fate.dice = [(1, 1, 1)]
    table.all_ready()
    assert list(table.view(1).monsters) == ["rat-1", "rat-2", "rat-3"]
