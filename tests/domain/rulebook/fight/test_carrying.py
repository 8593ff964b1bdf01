"""Monsters that carry: what they take up, drop, hand over, lose and use (rulebook: Monsters, Use Item and Omen Cards)."""

import msgspec
import pytest

from domain.facts.commands import Attack, Drop, PickUp, Trade
from domain.facts.events import (
    AttackDecided,
    CardGained,
    ExplorerAttacked,
    MonsterKilled,
    MonsterParted,
    MonsterRecovered,
    MonsterStunned,
    MonsterTook,
    PileChanged,
    RuleApplied,
    Told,
)
from domain.facts.state import MonsterId
from tests.support.editions import in_each
from tests.support.packs import rules_with
from tests.support.table import Table, events, heard, the

MAGPIES = """
  id: magpies
  title: Magpies
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: bauble, deck: item, title: Bauble, text: It glitters.}
    - {id: shears, deck: item, title: Shears, text: They snip., attack: {kills: [miser]}}
  monsters:
    magpie: {title: Magpie, speed: 4, might: 3, carries: true}
    ape: {title: Ape, speed: 3, might: 4, carries: true, uses-items: true}
    miser: {title: Miser, speed: 3, might: 3, carries: true, keeps: true}
    thief: {title: Thief, speed: 3, might: 3, carries: true, attack: {steals: true}}
    wolf: {title: Wolf, speed: 3, might: 3}
  heroes:
    story: S
    goal: G
    actions:
      - {word: DAZZLE, do: [{stun: {kind: any}}]}
      - {word: SMITE, do: [{kill: {kind: any}}]}
      - {word: HIDE, do: [{who: {each: monster}, give: bauble}]}
      - {word: NAME, if: {in-play: bauble}, do: [{stun: {kind: wolf}}]}
  traitor-book: {story: S, goal: G}
"""


def magpies(*monsters: str, turn: bool = True, edition: str = "second") -> Table:
    """Monsters in the Entrance Hall; seat 2 is the traitor and upstairs, seat 1 too, seat 0 is with the monsters."""
    table = Table(game=rules_with(haunt=MAGPIES, edition=edition))
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.haunt("magpies", traitor=2)
    for name in monsters:
        table.monster(name, "entrance-hall")
    if turn:
        table.turn(2, monsters=True)
    return table


@pytest.mark.rule("2E-MON-018")
@pytest.mark.rule("2E-ITEM-010", case=1)
def test_a_monster_that_may_carry_picks_up_what_lies_in_its_room_and_another_may_not() -> None:
    table = magpies("magpie-1", "wolf-1")
    table.pile("entrance-hall", "axe", "idol")
    table.turn(2, monsters=True)
    assert PickUp(decision=table.now, cards=["axe"], monster=MonsterId("magpie-1")) in table.offers(2)

    told = table.pick_up("axe", monster="magpie-1")

    assert the(told, MonsterTook).card == "axe"
    assert table.seen(0, "magpie-1").cards == ["axe"]
    assert table.view(0).piles[0].cards == ["idol"]
    assert not any(one for one in table.offers(2) if isinstance(one, PickUp))
    with table.refuses("2E-ITEM-010"):
        table.pick_up("idol", monster="magpie-1")
    with table.refuses("2E-MON-018"):
        table.pick_up("idol", monster="wolf-1")


@pytest.mark.rule("2E-ITEM-010", "2E-ITEM-013")
def test_each_carrier_drops_once_a_turn_and_a_thing_just_taken_not_at_all() -> None:
    table = magpies("magpie-1")
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)
    table.pick_up("axe", monster="magpie-1")
    with table.refuses("2E-ITEM-013"):
        table.drop("axe", monster="magpie-1")
    table.turn(2, monsters=True)
    assert Drop(decision=table.now, cards=["axe"], monster=MonsterId("magpie-1")) in table.offers(2)

    told = table.drop("axe", monster="magpie-1")

    assert the(told, PileChanged).cards == ["axe"]
    assert not table.seen(0, "magpie-1").cards
    with table.refuses("2E-ITEM-010"):
        table.drop("axe", monster="magpie-1")


@pytest.mark.rule("2E-ITEM-010")
def test_a_monster_hands_things_to_its_own_side_in_its_room_without_asking_who_runs_it() -> None:
    table = magpies("magpie-1")
    carry(table, "magpie-1", "axe")
    assert not any(isinstance(one, Trade) for one in table.offers(2)), "a hero is no partner"
    with table.refuses("2E-ITEM-010"):
        table.trade(0, ["axe"], monster="magpie-1")
    table.put(2, "entrance-hall")
    table.turn(2, monsters=True)
    assert Trade(decision=table.now, partner=2, gives=["axe"], monster=MonsterId("magpie-1")) in table.offers(2)

    table.trade(2, ["axe"], monster="magpie-1")

    assert table.explorer(2).cards == ["axe"]
    assert not table.seen(0, "magpie-1").cards
    with table.refuses("2E-ITEM-010"):
        table.trade(2, [], ["axe"], monster="magpie-1")


def test_a_monster_gets_something_back_for_what_it_gives() -> None:
    table = magpies("magpie-1")
    carry(table, "magpie-1", "axe")
    table.hold(2, "ring")
    table.put(2, "entrance-hall")
    table.turn(2, monsters=True)

    table.trade(2, ["axe"], ["ring"], monster="magpie-1")

    assert table.seen(0, "magpie-1").cards == ["ring"]
    assert table.explorer(2).cards == ["axe"]


def carry(table: Table, monster: str, card: str) -> None:
    """Let a monster pick a card up in an earlier turn."""
    table.pile("entrance-hall", card)
    table.turn(2, monsters=True)
    table.pick_up(card, monster=monster)
    table.turn(2, monsters=True)


@in_each(pytest.mark.rule("2E-MON-019", case=1), pytest.mark.rule("PBP-MON-012", case=1))
def test_a_carrier_that_is_stunned_drops_everything(edition: str, rule: str) -> None:
    table = magpies("magpie-1", edition=edition)
    carry(table, "magpie-1", "axe")
    table.pile("entrance-hall", "idol")
    table.turn(0)

    told = table.rolls([2, 2, 0, 0, 0], [0, 0, 0]).attack("magpie-1")
    told += table.choose(0, "damage")

    assert the(told, MonsterStunned).monster == "magpie-1"
    assert not table.seen(1, "magpie-1").cards
    assert table.view(1).piles[0].cards == ["idol", "axe"]


def test_an_effect_that_stuns_makes_it_drop_everything_too_and_so_does_death() -> None:
    for word in ("DAZZLE", "SMITE"):
        table = magpies("magpie-1")
        carry(table, "magpie-1", "axe")
        table.turn(0)
        told = table.act("haunt:heroes", word)
        assert the(told, MonsterParted).card == "axe"
        assert table.view(1).piles[0].cards == ["axe"]


@in_each(pytest.mark.rule("2E-MON-020", case=1), pytest.mark.rule("PBP-MON-012", case=2))
def test_it_takes_nothing_up_in_the_turn_it_misses_and_may_in_the_next(edition: str, rule: str) -> None:
    table = magpies("magpie-1", edition=edition)
    carry(table, "magpie-1", "axe")
    table.turn(0)
    table.act("haunt:heroes", "DAZZLE")
    table.turn(2, monsters=True)
    assert not any(isinstance(one, PickUp) for one in table.offers(2))
    with table.refuses(rule):
        table.pick_up("axe", monster="magpie-1")
    table.end_turn()
    table.turn(2, monsters=True)

    table.pick_up("axe", monster="magpie-1")

    assert table.seen(0, "magpie-1").cards == ["axe"]


@pytest.mark.rule("2E-ITEM-002")
def test_a_carrier_fights_with_a_weapon_only_where_its_haunt_lets_it() -> None:
    table = magpies("magpie-1", "ape-1")
    carry(table, "magpie-1", "axe")
    with table.refuses("2E-ITEM-002"):
        table.attack(0, "axe", monster="magpie-1")
    with table.refuses("2E-ITEM-002"):
        table.act("card:axe", "USE", monster="magpie-1")
    table.drop("axe", monster="magpie-1")
    table.turn(2, monsters=True)
    table.pick_up("axe", monster="ape-1")
    table.turn(2, monsters=True)
    assert Attack(decision=table.now, target=0, weapon="axe", monster=MonsterId("ape-1")) in table.offers(2)

    told = table.rolls([1] * 5, [2] * 5).attack(0, "axe", monster="ape-1")

    assert the(told, ExplorerAttacked).weapon == "axe"


@pytest.mark.rule("2E-STEAL-001", case=8)
def test_a_hero_who_wins_by_three_takes_something_from_a_carrier_instead_of_stunning_it() -> None:
    table = magpies("magpie-1")
    table.pile("entrance-hall", "axe", "idol")
    table.turn(2, monsters=True)
    table.pick_up("axe", "idol", monster="magpie-1")
    table.turn(0)
    table.rolls([2, 2, 1, 0, 0], [0, 0, 2]).attack("magpie-1")
    assert table.asked(0).options == ["damage", "axe", "idol"]

    told = table.choose(0, "axe")

    assert table.explorer(0).cards == ["axe"]
    assert not events(told, MonsterStunned)
    magpie = table.seen(0, "magpie-1")
    assert (magpie.stunned, magpie.cards) == (False, ["idol"])


@pytest.mark.rule("2E-MON-009")
def test_monsters_steal_only_where_their_haunt_says_so() -> None:
    for monster, steals in (("magpie-1", False), ("thief-1", True)):
        table = magpies(monster)
        table.hold(0, "axe")
        table.turn(2, monsters=True)
        told = table.rolls([2, 2, 0], [0] * 5).attack(0, monster=monster)
        if not steals:
            assert "2E-MON-009" in {one.rule for one in events(told, RuleApplied)}
            assert table.asked(0).kind == "allocation"
            continue
        assert table.asked(2).options == ["damage", "axe"]
        table.choose(2, "axe")
        assert table.seen(0, monster).cards == ["axe"]
        assert not table.explorer(0).cards


def test_what_a_monster_carries_is_in_play() -> None:
    table = magpies("magpie-1", "wolf-1")
    table.turn(0)
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "NAME")
    table.pile("entrance-hall", "bauble")
    table.turn(2, monsters=True)
    table.pick_up("bauble", monster="magpie-1")
    table.turn(0)

    assert events(table.act("haunt:heroes", "NAME"), MonsterStunned)


def test_a_haunt_gives_its_things_to_monsters_that_carry_alone() -> None:
    table = magpies("wolf-1", "magpie-1")
    table.turn(0)

    told = table.act("haunt:heroes", "HIDE")

    assert [(one.monster, one.card) for one in events(told, MonsterTook)] == [("magpie-1", "bauble")]
    assert table.seen(1, "magpie-1").cards == ["bauble"]


@pytest.mark.rule("2E-ATK-013", case=1)
def test_a_stunned_monster_is_attacked_for_what_it_holds_on_to() -> None:
    table = magpies("miser-1")
    carry(table, "miser-1", "axe")
    table.turn(0)
    table.act("haunt:heroes", "DAZZLE")
    assert table.seen(0, "miser-1").cards == ["axe"]
    assert Attack(decision=table.now, target=MonsterId("miser-1")) in table.offers(0, Attack)

    told = table.rolls([2, 2, 0, 0, 0], [1, 0, 0]).attack("miser-1")

    assert the(told, ExplorerAttacked).target == "miser-1"
    assert table.explorer(0).cards == ["axe"]
    assert table.seen(0, "miser-1").stunned


@pytest.mark.rule("2E-ATK-013", case=3)
def test_a_stunned_monster_with_nothing_is_not_attacked() -> None:
    table = magpies("miser-1", turn=False)
    table.stun("miser-1")
    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-013"):
        table.attack("miser-1")


@pytest.mark.rule("2E-ATK-013", case=4)
def test_a_monster_defeated_again_while_stunned_misses_no_further_turn() -> None:
    table = Table(game=rules_with(haunt=MAGPIES))
    table.put(2, "upper-landing")
    table.haunt("magpies", traitor=2)
    table.monster("miser-1", "entrance-hall")
    carry(table, "miser-1", "axe")
    table.turn(0)
    table.rolls([2, 2, 0, 0, 0], [0, 0, 0]).attack("miser-1")
    table.choose(0, "damage")
    table.end_turn()
    told = table.rolls([1, 0, 0], [0, 0, 0]).attack("miser-1")  # by 1: nothing is stolen
    assert the(told, AttackDecided).figure == 1
    assert table.seen(0, "miser-1").stunned
    table.end_turn()
    table.end_turn()
    assert table.state.turn.monsters
    with table.refuses("2E-MON-005"):
        table.drop("axe", monster="miser-1")

    told = table.end_turn()

    assert the(told, MonsterRecovered).monster == "miser-1"
    assert not table.seen(0, "miser-1").stunned


STAKES = """
  id: stakes
  title: Stakes
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: stake, deck: item, title: Stake, text: Ash wood., attack: {kills: [vampire]}}
  monsters:
    vampire: {title: Vampire, speed: 3, might: 4}
    bat: {title: Bat, speed: 3, might: 2}
  heroes:
    story: S
    goal: G
    right-now: [{give: stake}]
    actions: [{word: DAZZLE, do: [{stun: {kind: bat}}]}]
    on: [{when: monster-stunned, for: everyone, do: [{count: {counter: falls, by: 1}}]}]
  counters: {falls: {title: Falls}}
  traitor-book: {story: S, goal: G}
"""


def with_stake() -> Table:
    """Seat 0 has a stake; a vampire and a bat lie stunned before it."""
    table = Table(game=rules_with(haunt=STAKES))
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.haunt("stakes", traitor=2)
    for name in ("vampire-1", "bat-1"):
        table.monster(name, "entrance-hall")
        table.stun(name)
    table.hold(0, "stake")
    table.turn(0)
    return table


@pytest.mark.rule("2E-ATK-013", case=2)
def test_a_special_item_kills_a_stunned_monster_of_the_kind_it_is_for() -> None:
    table = with_stake()
    offered = [(one.target, one.weapon) for one in table.offers(0) if isinstance(one, Attack)]
    assert offered == [("vampire-1", "stake")]
    for weapon in (None, "stake"):
        with table.refuses("2E-ATK-013"):
            table.attack("bat-1", weapon)
    with table.refuses("2E-ATK-013"):
        table.attack("vampire-1")

    told = table.rolls([2, 2, 0, 0, 0], [1, 0, 0, 0]).attack("vampire-1", "stake")

    assert list(table.view(1).monsters) == ["bat-1"]
    attack = the([one for one in told if one in heard(told, 2)], ExplorerAttacked)
    assert msgspec.to_builtins(attack) == {
        "type": "ExplorerAttacked",
        "rule": "2E-ATK-013",
        "figure": 0,
        "target": "vampire-1",
        "trait": "might",
        "weapon": "stake",
    }


HOARD = """
  id: hoard
  title: Hoard
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: stake, deck: item, title: Stake, text: Ash wood., attack: {kills: [miser]}}
  monsters:
    miser: {title: Miser, speed: 3, might: 3, carries: true, keeps: true}
  heroes: {story: S, goal: G, right-now: [{give: stake}]}
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("2E-SEC-002", case=2, asserts=True)
def test_why_a_stunned_monster_is_attacked_shows_only_when_it_takes_effect() -> None:
    """Killed with the stake, or robbed with it: to the traitor both attacks are the same until the one or the other happens."""

    def attack(attacker: list[int]) -> tuple[Table, list[Told]]:
        table = Table(game=rules_with(haunt=HOARD))
        table.put(2, "upper-landing")
        table.haunt("hoard", traitor=2)
        table.monster("miser-1", "entrance-hall")
        carry(table, "miser-1", "axe")
        table.stun("miser-1")
        table.hold(0, "stake")
        table.turn(0)
        return table, table.rolls(attacker, [1, 1, 0]).attack("miser-1", "stake")

    for who in (2, 1):
        (killing, first), (robbing, second) = (attack([2] * 5) for _ in range(2))
        assert heard(first, who) == heard(second, who)
        killed, robbed = heard(killing.choose(0, "damage"), who), heard(robbing.choose(0, "axe"), who)

        assert (the(heard(first, who), ExplorerAttacked).figure, the(killed, MonsterKilled).monster) == (0, "miser-1")
        assert events(robbed, CardGained)
        assert not events(killed, CardGained)
        assert not killing.view(who).monsters
        assert robbing.explorer(0).cards == ["stake", "axe"]


@pytest.mark.rule("2E-ATK-014")
def test_losing_to_a_stunned_monster_harms_nobody() -> None:
    table = with_stake()
    before = table.explorer(0).at

    table.rolls([0] * 5, [2, 2, 0, 0]).attack("vampire-1", "stake")

    assert table.explorer(0).at == before
    assert not table.state.open


def test_a_stunned_monster_that_the_weapon_kills_may_be_robbed_instead() -> None:
    table = Table(game=rules_with(haunt=MAGPIES))
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.haunt("magpies", traitor=2)
    table.hold(0, "shears")
    table.monster("miser-1", "entrance-hall")
    carry(table, "miser-1", "axe")
    table.turn(0)
    table.act("haunt:heroes", "DAZZLE")

    table.rolls([2, 2, 0, 0, 0], [1, 0, 0]).attack("miser-1", "shears")
    assert table.asked(0).options == ["damage", "axe"]
    table.choose(0, "damage")

    assert not table.view(0).monsters
    assert table.view(0).piles[0].cards == ["axe"]


def test_a_monster_that_is_stunned_once_more_is_stunned_no_longer_and_it_counts_once() -> None:
    table = with_stake()
    table.counter("falls", 0)
    stunned_in = table.state.monsters[MonsterId("bat-1")].stunned_in_turn

    table.act("haunt:heroes", "DAZZLE")

    assert table.state.monsters[MonsterId("bat-1")].stunned_in_turn == stunned_in
    haunt = table.view(0).haunt
    assert haunt is not None
    assert haunt.counters["falls"] == 0
