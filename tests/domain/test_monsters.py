"""Monsters: their turn, their movement, what they may and may not do (rulebook: Monsters)."""

import pytest

from domain.commands import Act, Drop, EndTurn, Explore, Move
from domain.events import DiceRolled, HarmIgnored, MonsterRecovered, MonstersRolled, MonsterStunned, TraitChanged
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def rats(*rooms: str) -> Table:
    """Rats of the traitor, seat 2, in these rooms; the explorers are upstairs, and it is the traitor's turn."""
    table = Table()
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-gnawing-tide", traitor=2)
    for number, room in enumerate(rooms):
        table.monster(f"rat-{number + 1}", room)
    table.turn(2)
    return table


def sexton(room: str) -> Table:
    """The Sexton in a room, and it is the monsters' turn of seat 2."""
    table = Table()
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", room)
    table.turn(2, monsters=True)
    table.let_move(3, "sexton-1")
    return table


@pytest.mark.rule("2E-MON-001")
def test_a_monster_that_was_left_for_another_acts_no_more() -> None:
    table = rats("foyer", "foyer")
    table.put(0, "entrance-hall")
    table.rolls([1, 1, 1]).end_turn()
    table.move("entrance-hall", monster="rat-1")
    table.move("entrance-hall", monster="rat-2")

    with table.refuses("2E-MON-001"):
        table.attack(0, monster="rat-1")


@pytest.mark.rule("2E-MON-002")
def test_a_monster_moves_as_far_as_its_speed_dice_say() -> None:
    table = rats("foyer")

    told = table.rolls([2, 1, 1]).end_turn()

    assert len(the(told, DiceRolled).faces) == 3
    assert table.view(0).monsters["rat-1"].left == 4


@pytest.mark.rule("2E-MON-003")
def test_monsters_of_a_kind_share_one_roll() -> None:
    table = rats("foyer", "foyer", "entrance-hall")

    told = table.rolls([1, 1, 1]).end_turn()

    assert the(told, MonstersRolled).monsters == ["rat-1", "rat-2", "rat-3"]
    assert [table.view(0).monsters[name].left for name in ("rat-1", "rat-2", "rat-3")] == [3, 3, 3]


@pytest.mark.rule("2E-MON-005")
def test_a_stunned_monster_misses_the_next_monsters_turn_and_no_more() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.stun("sexton-1")
    table.turn(2)
    table.end_turn()

    with table.refuses("2E-MON-005"):
        table.move("foyer", monster="sexton-1")
    told = table.end_turn()

    assert the(told, MonsterRecovered).monster == "sexton-1"


def test_a_monster_stunned_in_its_own_turn_misses_the_next_one() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall", might=2)
    table.turn(2, monsters=True)
    table.rolls([0, 0], [2, 2, 0, 0, 0]).attack(0, monster="sexton-1")
    assert table.view(0).monsters["sexton-1"].stunned

    assert not events(table.end_turn(), MonsterRecovered)
    for _ in range(3):
        table.end_turn()
    assert table.state.turn.monsters
    assert the(table.end_turn(), MonsterRecovered).monster == "sexton-1"


KILLS_AND_STUNS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    wolf: {title: Wolf, speed: 3, might: 2, dies: true}
  heroes:
    story: S
    goal: G
    actions:
      - {word: DAZZLE, do: [{stun: {kind: wolf}}]}
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("2E-MON-006")
def test_an_effect_that_stuns_works_even_where_damage_kills() -> None:
    table = Table(game=rules_with(haunt=KILLS_AND_STUNS))
    table.haunt("h", traitor=1)
    table.monster("wolf-1", "entrance-hall")

    told = table.act("haunt:heroes", "DAZZLE")

    assert the(told, MonsterStunned).monster == "wolf-1"
    assert table.view(0).monsters["wolf-1"].stunned


@pytest.mark.rule("2E-MON-007")
def test_each_monster_attacks_once() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=2)
    table.monster("rat-1", "entrance-hall")
    table.monster("rat-2", "entrance-hall")
    table.turn(2, monsters=True)
    table.rolls([0, 0], [0] * 5).attack(0, monster="rat-1")

    with table.refuses("2E-MON-007"):
        table.attack(0, monster="rat-1")
    table.rolls([0, 0], [0] * 5).attack(0, monster="rat-2")


@pytest.mark.rule("2E-MON-010")
def test_a_monster_ignores_what_a_room_does_to_those_who_enter_it() -> None:
    trap = """
      id: spikes
      title: Spikes
      floors: [ground]
      doors: [east, west]
      on: [{when: entered, for: everyone, harmful: true, do: [{damage: {kind: physical, dice: 1}}]}]
    """
    table = Table(game=rules_with(tile=trap))
    table.lay("spikes", "ground", 1, 0)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.turn(2, monsters=True)
    table.let_move(3, "sexton-1")

    table.move("spikes", monster="sexton-1")
    told = table.choose(2, "ignore")

    assert the(told, HarmIgnored).figure == "sexton-1"
    assert not events(told, DiceRolled)
    assert not table.view(0).monsters["sexton-1"].stunned


@pytest.mark.rule("2E-MON-015")
def test_a_monster_gets_nothing_from_the_larder() -> None:
    table = sexton("basement-landing")
    table.lay("larder", "basement", 0, 1)
    table.move("larder", monster="sexton-1")

    told = table.end_turn()

    assert not events(told, TraitChanged)
    assert table.view(0).monsters["sexton-1"].traits["might"] == table.state.monsters["sexton-1"].traits["might"]


@pytest.mark.rule("2E-MON-016")
def test_monsters_use_passages_that_cards_made() -> None:
    table = Table()
    table.put(0, "entrance-hall")
    table.stack("tiles", "organ-room")
    table.stack("event", "secret-passage")
    table.rolls([2, 1, 0]).explore("east")
    table.lay_anyhow()
    table.choose(0, "foyer")
    table.choose(0, "no")
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.turn(2, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("organ-room", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "organ-room"


@pytest.mark.rule("2E-MON-017")
def test_a_monster_discovers_nothing() -> None:
    table = sexton("entrance-hall")
    assert not table.offers(2, Explore)
    with table.refuses("2E-MON-017"):
        table.explore("east", monster="sexton-1")


@pytest.mark.rule("2E-MON-018")
def test_a_monster_carries_nothing() -> None:
    table = sexton("entrance-hall")
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)

    assert {type(one) for one in table.offers(2)} <= {Move, EndTurn}
    with table.refuses("2E-MON-018"):
        table.pick_up("axe")


@pytest.mark.rule("2E-ITEM-002")
def test_a_monster_uses_no_item() -> None:
    table = sexton("entrance-hall")
    table.hold(2, "axe", "healing-salve")
    table.put(0, "entrance-hall")
    table.turn(2, monsters=True)

    with table.refuses("2E-ITEM-002"):
        table.attack(0, "axe", monster="sexton-1")
    with table.refuses("2E-ITEM-002"):
        table.play(2, Act(decision=table.now, source="card:healing-salve", word="HEAL", monster="sexton-1"))


def test_in_the_monsters_turn_explorers_do_nothing() -> None:
    table = sexton("entrance-hall")
    table.hold(2, "axe")
    assert not table.offers(2, Drop)
    with table.refuses("2E-MON-018"):
        table.drop("axe")


@pytest.mark.rule("2E-COMP-007", asserts=True)
def test_monsters_of_a_kind_have_numbers_of_their_own() -> None:
    table = Table(options={"haunt": "the-gnawing-tide"})
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.rolls([0] * 6).end_turn()
    table.fate.dice = [(1, 1, 1)]
    table.all_ready()
    assert list(table.view(1).monsters) == ["rat-1", "rat-2", "rat-3"]
