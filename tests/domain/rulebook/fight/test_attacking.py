"""Attacks: who may attack whom, the rolls, the outcome (rulebook: Make an Attack)."""

import pytest

from domain.facts.commands import Act, Attack
from domain.facts.events import (
    AttackDecided,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    MonsterKilled,
    MonsterStunned,
    TraitChanged,
)
from tests.support.editions import in_each
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def duel(*, traitor: int = 1, edition: str = "second") -> Table:
    """Ox (seat 0, Might 5) and Zoe (seat 1, Might 3) stand in the Entrance Hall on different sides, Jenny elsewhere."""
    table = Table(game=rules_with(edition=edition))
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=traitor)
    return table


@in_each(pytest.mark.rule("2E-ATK-001", case=1), pytest.mark.rule("PBP-ATK-001", case=1))
def test_nobody_attacks_before_the_haunt(edition: str, rule: str) -> None:
    table = Table(game=rules_with(edition=edition))
    assert not table.offers(0, Attack)
    with table.refuses(rule):
        table.attack(1)


@pytest.mark.rule("2E-ATK-001", case=2, asserts=True)
def test_the_bite_attacks_before_the_haunt_and_kills_nobody() -> None:
    table = Table()
    table.clips(0, might=1, speed=1)
    table.stack("tiles", "charred-room")
    table.stack("omen", "bite")

    told = table.rolls([2, 2, 2, 1], [1, 0, 0, 0], [0]).explore("east")

    bite, defense = events(told, DiceRolled)
    assert [len(bite.faces), len(defense.faces)] == [4, table.value(0, "might")]
    assert table.asked(0).total == bite.total - defense.total == 6
    told = table.allocate(0, might=3, speed=3)
    assert the(told, DamageTaken).kind == "physical"
    assert table.explorer(0).alive
    assert (table.explorer(0).at[0], table.explorer(0).at[1]) == (1, 1)


@pytest.mark.rule("2E-ATK-002", case=(1, 2))
def test_a_second_attack_in_a_turn_is_refused_also_on_another_or_with_another_trait() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.put(2, "upper-landing")
    table.haunt("h", traitor=1)
    table.monster("golem-1", "entrance-hall")
    table.act("haunt:heroes", "FIND")
    table.turn(0)

    table.rolls([0] * 5, [0] * 3).attack(1)

    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-002"):
        table.attack(1)
    with table.refuses("2E-ATK-002"):
        table.attack("golem-1", "whip")


@pytest.mark.rule("2E-ATK-002", case=3, asserts=True)
def test_nobody_attacks_in_the_turn_of_another_player() -> None:
    table = duel()
    with table.refuses("2E-TURN-001"):
        table.play(1, Attack(decision=table.now, target=0))


@pytest.mark.rule("2E-ATK-002", case=4, asserts=True)
def test_the_traitor_attacks_and_then_each_of_two_monsters() -> None:
    table = duel()
    for name in ("sexton-1", "sexton-2"):
        table.monster(name, "entrance-hall", might=4)
    table.turn(1)

    told = table.rolls([0] * 3, [0] * 5).attack(0)
    table.rolls([0] * 4).end_turn()
    assert table.state.turn.monsters
    for name in ("sexton-1", "sexton-2"):
        told += table.rolls([0] * 4, [0] * 5).attack(0, monster=name)

    assert [one.figure for one in events(told, ExplorerAttacked)] == [1, "sexton-1", "sexton-2"]


@in_each(pytest.mark.rule("2E-ATK-003", case=(1, 2)), pytest.mark.rule("PBP-ATK-002", case=1))
@pytest.mark.parametrize("there", ["kitchen", "foyer"])
def test_an_opponent_in_the_next_room_is_out_of_reach(edition: str, rule: str, there: str) -> None:
    table = duel(edition=edition)
    table.lay("kitchen", "ground", 1, 0, turns=2)  # its doors: south and west
    table.put(1, there)
    table.turn(0)
    assert not table.offers(0, Attack)
    with table.refuses(rule):
        table.attack(1)


@pytest.mark.rule("2E-ATK-003", case=(3, 4), asserts=True)
@pytest.mark.rule("2E-ATK-004", case=1, asserts=True)
def test_heroes_oppose_traitor_and_monsters_and_these_oppose_heroes() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall")

    assert {one.target for one in table.offers(0) if isinstance(one, Attack)} == {1, "sexton-1"}
    with table.refuses("2E-ATK-004"):
        table.attack(2)
    table.turn(1)
    assert {one.target for one in table.offers(1) if isinstance(one, Attack)} == {0, 2}
    with table.refuses("2E-ATK-004"):
        table.attack("sexton-1")
    table.turn(1, monsters=True)
    assert {one.target for one in table.offers(1) if isinstance(one, Attack)} == {0, 2}
    with table.refuses("2E-ATK-004"):
        table.attack(1, monster="sexton-1")


@pytest.mark.rule("2E-ATK-003", case=5)
def test_a_dead_explorer_is_not_attacked() -> None:
    table = duel()
    table.die(1)
    table.turn(0)
    with table.refuses("2E-ATK-003"):
        table.attack(1)


@pytest.mark.rule("2E-ATK-005", case=(1, 2))
@pytest.mark.parametrize("explorer, might, defends", [("ox-bellows", 4, 8), ("brandon-jaspers", 3, 8)])
def test_both_roll_as_many_dice_as_their_own_might(explorer: str, might: int, defends: int) -> None:
    """Brandon Jaspers began with a Might of 4."""
    table = Table((explorer, "zoe-ingstrom", "jenny-leclerc"))
    table.haunt("the-bell-below", traitor=1)
    table.traits(0, might=might)
    table.monster("sexton-1", "entrance-hall", might=defends)

    told = table.rolls([0] * might, [0] * defends).attack("sexton-1")

    assert [(one.kind, len(one.faces)) for one in events(told, DiceRolled)] == [("attack", might), ("defense", defends)]


@pytest.mark.rule("2E-ATK-006", case=1)
def test_six_against_five_costs_the_loser_one_point() -> None:
    table = duel()

    table.rolls([2, 2, 2, 0, 0], [2, 2, 1]).attack(1)

    told = table.allocate(1, might=1)
    assert (the(told, DamageTaken).seat, the(told, DamageTaken).amount) == (1, 1)


@pytest.mark.rule("2E-ATK-006", case=2)
def test_an_attacker_who_does_worse_takes_the_difference_and_divides_it() -> None:
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      monsters: {werewolf: {title: Werewolf, might: 6, speed: 4}}
      heroes: {story: S, goal: G}
      traitor-book: {story: S, goal: G}
    """
    table = Table(("jenny-leclerc", "zoe-ingstrom", "ox-bellows"), game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.monster("werewolf-1", "entrance-hall")
    assert (table.value(0, "might"), table.value(0, "speed")) == (4, 4)

    told = table.rolls([2, 2, 1, 0], [2, 2, 2, 2, 0, 0]).attack("werewolf-1")

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (5, 8)
    assert (table.asked(0).total, set(table.asked(0).caps)) == (3, {"might", "speed"})
    table.allocate(0, might=2, speed=1)
    assert (table.value(0, "might"), table.value(0, "speed")) == (3, 4)


@pytest.mark.rule("2E-ATK-006", case=3)
def test_a_defender_who_does_worse_takes_the_difference_and_divides_it() -> None:
    table = duel()

    told = table.rolls([2, 2, 2, 2, 0], [2, 2, 1]).attack(1)

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (8, 5)
    before = list(table.explorer(1).at)
    assert (table.asked(1).total, set(table.asked(1).caps)) == (3, {"might", "speed"})
    table.allocate(1, might=1, speed=2)
    assert [was - now for was, now in zip(before, table.explorer(1).at, strict=True)] == [1, 2, 0, 0]


@pytest.mark.rule("2E-ATK-007", case=1)
@pytest.mark.rule("2E-ATK-002")
@pytest.mark.parametrize("target", [1, "sexton-1"])
def test_equal_results_harm_nobody_and_the_attack_is_spent(target: int | str) -> None:
    table = duel()
    table.monster("sexton-1", "entrance-hall", might=3)

    told = table.rolls([2, 2, 0, 0, 0], [2, 2, 0]).attack(target)

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (4, 4)
    assert not events(told, DamageTaken)
    assert not events(told, MonsterStunned)
    assert not table.state.open
    with table.refuses("2E-ATK-002"):
        table.attack(target)


SPEED_AND_SANITY = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: whip, deck: item, title: Whip, text: T, attack: {trait: speed}}
    - {id: riddle, deck: item, title: Riddle, text: T, attack: {trait: knowledge, damage: mental}}
  monsters:
    ghost: {title: Ghost, speed: 3, might: 2, sanity: 4, attack: {trait: sanity, damage: mental}}
    golem: {title: Golem, speed: 3, might: 4}
    archer: {title: Archer, speed: 3, might: 4, attack: {range: line-of-sight}}
    statue: {title: Statue, speed: 1, might: 6, attacks: false}
  heroes:
    story: S
    goal: G
    actions:
      - {word: FIND, do: [{give: whip}]}
      - {word: ASK, do: [{give: riddle}]}
  traitor-book: {story: S, goal: G}
"""


@in_each(
    pytest.mark.rule("2E-ATK-008", case=1),
    pytest.mark.rule("2E-ATK-009", case=1),
    pytest.mark.rule("PBP-ATK-004", case=1),
)
def test_a_speed_attack_is_rolled_with_speed_by_both_and_its_damage_is_physical(edition: str, rule: str) -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY, edition=edition))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "FIND")
    table.turn(0)

    told = table.rolls([2, 2, 0, 0], [2, 0, 0, 0]).attack(1, "whip")

    rolled = [(one.who, one.trait, len(one.faces)) for one in events(told, DiceRolled)]
    assert rolled == [(0, "speed", table.value(0, "speed")), (1, "speed", table.value(1, "speed"))]
    assert (table.asked(1).total, set(table.asked(1).caps)) == (2, {"might", "speed"})
    assert the(table.allocate(1, might=2), DamageTaken).kind == "physical"


@pytest.mark.rule("2E-ATK-010", case=(1, 2))
@pytest.mark.parametrize(
    "attack, defense, loser", [([2, 2, 2, 0], [2, 2, 0, 0, 0], 1), ([2, 2, 0, 0], [2, 2, 2, 0, 0], 0)]
)
def test_whoever_loses_a_sanity_attack_takes_mental_damage(attack: list[int], defense: list[int], loser: int) -> None:
    table = duel()
    table.hold(0, "ring")
    table.traits(0, sanity=4)

    told = table.rolls(attack, defense).attack(1, "ring")

    assert {one.trait for one in events(told, DiceRolled)} == {"sanity"}
    assert (table.asked(loser).total, set(table.asked(loser).caps)) == (2, {"sanity", "knowledge"})
    told = table.allocate(loser, sanity=2)
    assert (the(told, DamageTaken).kind, the(told, DamageTaken).seat) == ("mental", loser)


@pytest.mark.rule("2E-ATK-010", case=3, asserts=True)
def test_a_monster_that_loses_a_sanity_attack_is_stunned() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.hold(0, "ring")
    table.turn(0)
    table.monster("ghost-1", "entrance-hall")

    told = table.rolls([2, 1, 0], [2, 0, 0, 0]).attack("ghost-1", "ring")

    assert {one.trait for one in events(told, DiceRolled)} == {"sanity"}
    assert the(told, MonsterStunned).monster == "ghost-1"


@pytest.mark.rule("2E-ATK-010", case=4)
def test_the_damage_of_a_knowledge_attack_is_not_put_on_might() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "ASK")
    table.turn(0)
    table.rolls([2, 0, 0], [0, 0, 0]).attack(1, "riddle")

    with table.refuses("2E-DMG-003"):
        table.allocate(1, might=2)
    table.allocate(1, knowledge=1, sanity=1)


@pytest.mark.rule("2E-ATK-011", case=1)
def test_who_lacks_the_trait_is_not_attacked_with_it() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.hold(0, "ring")
    table.turn(0)
    table.monster("golem-1", "entrance-hall")

    with table.refuses("2E-ATK-011"):
        table.attack("golem-1", "ring")


@pytest.mark.rule("2E-ITEM-013")
def test_a_weapon_that_has_had_its_action_is_refused_by_that_rule() -> None:
    table = duel()
    table.pile("entrance-hall", "axe")
    table.turn(0)
    table.pick_up("axe")
    with table.refuses("2E-ITEM-013"):
        table.attack(1, "axe")


@pytest.mark.rule("2E-PREC-002")
def test_a_monster_that_its_haunt_lets_attack_nobody_is_refused_by_the_haunt() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.monster("statue-1", "entrance-hall")
    table.turn(1, monsters=True)
    with table.refuses("2E-PREC-002"):
        table.attack(0, monster="statue-1")


@pytest.mark.rule("2E-MON-008")
def test_a_monster_attacks_with_the_trait_of_its_haunt() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY))
    table.haunt("h", traitor=1)
    table.monster("ghost-1", "entrance-hall")
    table.turn(1, monsters=True)

    told = table.rolls([2, 2, 0, 0], [1, 0, 0]).attack(0, monster="ghost-1")

    assert {one.trait for one in events(told, DiceRolled)} == {"sanity"}
    assert set(table.asked(0).caps) == {"sanity", "knowledge"}


@pytest.mark.rule("2E-ATK-013", case=3)
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


@pytest.mark.rule("2E-ATK-014", case=1)
def test_a_stunned_monster_hurts_nobody_who_loses_to_it() -> None:
    table = stunned_wolf()

    told = table.rolls([2, 1, 0, 0, 0], [2, 2, 2, 0]).attack("wolf-1")

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (3, 6)
    assert not events(told, DamageTaken)
    assert not table.state.open


@pytest.mark.rule("2E-ATK-014", case=2, asserts=True)
def test_an_active_monster_hurts_whoever_loses_to_it() -> None:
    table = Table(game=rules_with(haunt=STUNNED))
    table.haunt("h", traitor=1)
    table.monster("wolf-1", "entrance-hall")

    table.rolls([2, 1, 0, 0, 0], [2, 2, 2, 0]).attack("wolf-1")

    assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 3)


def test_a_stunned_monster_that_damage_kills_may_be_attacked_and_dies() -> None:
    table = stunned_wolf()
    assert "wolf-1" in {one.target for one in table.offers(0) if isinstance(one, Attack)}

    told = table.rolls([2, 2, 0, 0, 0], [1, 0, 0, 0]).attack("wolf-1")

    assert the(told, MonsterKilled).monster == "wolf-1"


@pytest.mark.rule("2E-ATK-015", case=1)
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


@pytest.mark.rule("2E-ATK-015", case=2)
def test_the_action_of_another_haunt_is_refused() -> None:
    table = duel()
    table.token("nest", "entrance-hall")
    assert "CHANT" not in {one.word for one in table.offers(0, Act) if isinstance(one, Act)}
    with table.refuses("2E-ATK-015"):
        table.act("haunt:heroes", "CHANT")


@pytest.mark.rule("2E-MON-004")
@pytest.mark.parametrize("by", [1, 6])
def test_a_defeated_monster_is_stunned_whatever_the_difference(by: int) -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall", might=4)

    told = table.rolls([2, 2, 2, 0, 0] if by == 6 else [1, 0, 0, 0, 0], [0] * 4).attack("sexton-1")

    assert the(told, MonsterStunned).monster == "sexton-1"
    assert table.seen(1, "sexton-1").traits["might"] == 4


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
