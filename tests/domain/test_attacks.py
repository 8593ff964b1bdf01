"""Attacks: who may attack whom, the rolls, the outcome (rulebook: Make an Attack)."""

import pytest

from domain.commands import Attack
from domain.events import (
    AttackDecided,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    MonsterKilled,
    MonsterStunned,
    TraitChanged,
)
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def duel(*, traitor: int = 1) -> Table:
    """Ox (seat 0, Might 5) and Zoe (seat 1, Might 3) stand in the Entrance Hall on different sides, Jenny elsewhere."""
    table = Table()
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=traitor)
    return table


@pytest.mark.rule("2E-ATK-001")
def test_nobody_attacks_before_the_haunt() -> None:
    table = Table()
    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-001"):
        table.attack(1)


@pytest.mark.rule("2E-ATK-002", "2E-ATK-007")
def test_equal_results_harm_nobody_and_the_attack_is_spent() -> None:
    table = duel()

    told = table.rolls([2, 2, 0, 0, 0], [2, 2, 0]).attack(1)

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (4, 4)
    assert not events(told, DamageTaken)
    with table.refuses("2E-ATK-002"):
        table.attack(1)


@pytest.mark.rule("2E-ATK-003")
def test_an_opponent_in_the_next_room_is_out_of_reach() -> None:
    table = duel()
    table.put(1, "foyer")
    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-003"):
        table.attack(1)


@pytest.mark.rule("2E-ATK-004", asserts=True)
def test_heroes_oppose_traitor_and_monsters_and_these_oppose_heroes() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall")

    assert {one.target for one in table.offers(0) if isinstance(one, Attack)} == {1, "sexton-1"}
    table.turn(1)
    assert {one.target for one in table.offers(1) if isinstance(one, Attack)} == {0, 2}
    table.turn(1, monsters=True)
    assert {one.target for one in table.offers(1) if isinstance(one, Attack)} == {0, 2}


def test_a_hero_does_not_attack_a_hero_in_an_ordinary_haunt() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    with table.refuses("2E-ATK-004"):
        table.attack(2)


@pytest.mark.rule("2E-ATK-005")
def test_both_roll_as_many_dice_as_their_own_might() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.traits(0, might=4)
    table.monster("sexton-1", "entrance-hall", might=8)

    told = table.rolls([0] * 4, [0] * 8).attack("sexton-1")

    assert [(one.kind, len(one.faces)) for one in events(told, DiceRolled)] == [("attack", 4), ("defense", 8)]


@pytest.mark.rule("2E-ATK-006")
def test_six_against_five_costs_the_loser_one_point() -> None:
    table = duel()

    table.rolls([2, 2, 2, 0, 0], [2, 2, 1]).attack(1)

    told = table.allocate(1, might=1)
    assert (the(told, DamageTaken).seat, the(told, DamageTaken).amount) == (1, 1)


@pytest.mark.rule("2E-ATK-006")
def test_an_attacker_who_does_worse_takes_the_difference() -> None:
    """Jenny LeClerc attacks with 5, the monster gets 8: she takes 3."""
    table = Table(("jenny-leclerc", "zoe-ingstrom", "ox-bellows"))
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall", might=6)

    table.rolls([2, 2, 1, 0], [2, 2, 2, 2, 0, 0]).attack("sexton-1")

    assert (table.asked(0).total, set(table.asked(0).caps)) == (3, {"might", "speed"})


SPEED_AND_SANITY = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: whip, deck: item, title: Whip, text: T, attack: {trait: speed}}
  monsters:
    ghost: {title: Ghost, speed: 3, might: 2, sanity: 4, attack: {trait: sanity, damage: mental}}
    golem: {title: Golem, speed: 3, might: 4}
    archer: {title: Archer, speed: 3, might: 4, attack: {range: line-of-sight}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: FIND, do: [{give: whip}]}
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("2E-ATK-008", "2E-ATK-009")
def test_a_speed_attack_is_rolled_with_speed_by_both_and_its_damage_is_physical() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "FIND")
    table.turn(0)

    told = table.rolls([2, 2, 0, 0], [2, 0, 0, 0]).attack(1, "whip")

    assert {one.trait for one in events(told, DiceRolled)} == {"speed"}
    assert (table.asked(1).total, set(table.asked(1).caps)) == (2, {"might", "speed"})
    table.allocate(1, might=2)


@pytest.mark.rule("2E-ATK-010")
def test_the_damage_of_a_sanity_attack_is_mental() -> None:
    table = duel()
    table.hold(0, "ring")

    told = table.rolls([2, 2, 0], [2, 0, 0, 0, 0]).attack(1, "ring")

    assert {one.trait for one in events(told, DiceRolled)} == {"sanity"}
    assert (table.asked(1).total, set(table.asked(1).caps)) == (2, {"sanity", "knowledge"})
    table.allocate(1, sanity=2)


@pytest.mark.rule("2E-ATK-011")
def test_who_lacks_the_trait_is_not_attacked_with_it() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.hold(0, "ring")
    table.turn(0)
    table.monster("golem-1", "entrance-hall")

    with table.refuses("2E-ATK-011"):
        table.attack("golem-1", "ring")


@pytest.mark.rule("2E-MON-008")
def test_a_monster_attacks_with_the_trait_of_its_haunt() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.monster("ghost-1", "entrance-hall")
    table.turn(1, monsters=True)

    told = table.rolls([2, 2, 0, 0], [1, 0, 0]).attack(0, monster="ghost-1")

    assert {one.trait for one in events(told, DiceRolled)} == {"sanity"}
    assert set(table.asked(0).caps) == {"sanity", "knowledge"}


@pytest.mark.rule("2E-DIST-004", "2E-MON-009")
def test_a_monster_shoots_only_where_its_haunt_lets_it() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.monster("archer-1", "grand-staircase")
    table.monster("golem-1", "grand-staircase")
    table.turn(1, monsters=True)

    with table.refuses("2E-MON-009"):
        table.attack(0, monster="golem-1")
    told = table.rolls([0] * 4, [0] * 5).attack(0, monster="archer-1")
    assert the(told, ExplorerAttacked).target == 0


@pytest.mark.rule("2E-ATK-013")
def test_a_pointless_attack_on_a_stunned_monster_is_refused() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall")
    table.stun("sexton-1")

    assert "sexton-1" not in {one.target for one in table.offers(0) if isinstance(one, Attack)}
    with table.refuses("2E-ATK-013"):
        table.attack("sexton-1")


STUNNED = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    wolf: {title: Wolf, might: 4, speed: 3, dies: true}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


def stunned_wolf() -> Table:
    """A wolf that damage kills lies stunned before seat 0."""
    table = Table(game=rules_with(haunt=STUNNED))
    table.haunt("h", traitor=1)
    table.monster("wolf-1", "entrance-hall")
    table.stun("wolf-1")
    return table


@pytest.mark.rule("2E-ATK-014")
def test_a_stunned_monster_hurts_nobody_who_loses_to_it() -> None:
    table = stunned_wolf()

    told = table.rolls([1, 0, 0, 0, 0], [2, 2, 0, 0]).attack("wolf-1", gain="kill")

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (1, 4)
    assert not events(told, DamageTaken)
    assert not table.state.open


def test_a_stunned_monster_that_damage_kills_may_be_attacked_and_dies() -> None:
    table = stunned_wolf()
    assert "wolf-1" in {one.target for one in table.offers(0) if isinstance(one, Attack)}

    told = table.rolls([2, 2, 0, 0, 0], [1, 0, 0, 0]).attack("wolf-1", gain="kill")

    assert the(told, MonsterKilled).monster == "wolf-1"


@pytest.mark.rule("2E-ATK-015")
def test_a_task_and_an_attack_go_into_one_turn() -> None:
    table = Table()
    table.put(2, "upper-landing")
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    table.act("haunt:heroes", "CHANT")
    table.rolls([1, 0, 0]).choose(0, "sanity")

    told = table.rolls([0] * 5, [0] * 3).attack(1)

    assert the(told, ExplorerAttacked).target == 1
    table.turn(0)
    table.rolls([0] * 5, [0] * 3).attack(1)
    table.act("haunt:heroes", "CHANT")
    assert table.asked(0).about == "roll-trait"


@pytest.mark.rule("2E-MON-004")
@pytest.mark.parametrize("by", [1, 6])
def test_a_defeated_monster_is_stunned_whatever_the_difference(by: int) -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall", might=4)

    told = table.rolls([2, 2, 2, 0, 0] if by == 6 else [1, 0, 0, 0, 0], [0] * 4).attack("sexton-1")

    assert the(told, MonsterStunned).monster == "sexton-1"
    assert table.view(1).monsters["sexton-1"].traits["might"] == 4


@pytest.mark.rule("2E-PREC-002")
def test_a_haunt_may_let_damage_kill() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.monster("rat-1", "entrance-hall")

    told = table.rolls([2, 0, 0, 0, 0], [0, 0]).attack("rat-1")

    assert the(told, MonsterKilled).monster == "rat-1"
    assert table.view(0).monsters == {}


def test_a_weapon_that_fails_its_bearer_may_cost_the_attack() -> None:
    table = duel()
    table.hold(0, "sacrificial-dagger")
    table.turn(0)
    table.rolls([0, 0, 0], [0, 0]).attack(1, "sacrificial-dagger")
    assert table.explorer(0).attacked
    assert not table.offers(0, Attack)


def test_the_blood_dagger_costs_speed_at_each_attack() -> None:
    table = duel()
    table.hold(0, "blood-dagger")
    table.turn(0)
    told = table.rolls([0] * 8, [0] * 3).attack(1, "blood-dagger")
    assert the(told, TraitChanged).trait == "speed"
