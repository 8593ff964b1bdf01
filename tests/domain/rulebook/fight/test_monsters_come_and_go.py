"""Monsters that come, fall over, get up and are gone, by what a haunt says (rulebook: Monsters)."""

from functools import cache

import pytest

from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS
from domain.facts.commands import Attack
from domain.facts.events import ExplorerDied, MonsterKilled, MonsterPlaced, MonsterStunned
from domain.facts.state import MonsterId
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

PACK_OF_WOLVES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    wolf: {title: Wolf, speed: 3, might: 2}
    crow: {title: Crow, speed: 3, might: 1}
  heroes:
    story: S
    goal: G
    actions:
      - {word: HOWL, do: [{place-monster: {kind: wolf, at: here, count: 2}}]}
      - {word: STARE, do: [{stun: {kind: wolf, in: here}}]}
      - {word: CULL, do: [{kill: {kind: wolf, in: here}}]}
      - {word: PURGE, do: [{kill: {}}]}
      - {word: SHOOT, target: {each: monster, in: here}, do: [{kill: target}]}
      - {word: HANG, target: {each: explorer, in: here}, do: [{kill: target}]}
      - {word: LEAP, do: [{kill: you}]}
  traitor-book: {story: S, goal: G}
"""
MIRE = """
  id: mire
  floors: [ground]
  doors: [north, east, south, west]
  title: Mire
  text: Whatever comes in is stuck for a while.
  on: [{when: entered, for: everyone, do: [{stop: moving}]}]
"""
SNARE = """
  id: snare
  floors: [ground]
  doors: [north, east, south, west]
  title: Snare
  text: Whoever comes in thinks better of fighting.
  on: [{when: entered, for: everyone, do: [{stop: attacking}]}]
"""


@cache
def wolves() -> Rules:
    """The second edition and a haunt of wolves and crows."""
    return rules_with(haunt=PACK_OF_WOLVES)


def scene(*monsters: str) -> Table:
    """Seat 0, a hero, has the turn in the Entrance Hall; the named monsters stand there too, `wolf-9` in the Foyer."""
    table = Table(game=wolves())
    table.haunt("h", traitor=2)
    for name in monsters:
        table.monster(name, "foyer" if name.endswith("-9") else "entrance-hall")
    return table


def seen(table: Table) -> list[str]:
    """The monsters that everybody sees."""
    return sorted(table.roles[SPECTATORS].monsters)


def test_new_monsters_get_numbers_that_none_in_the_house_has() -> None:
    table = scene("wolf-1", "crow-5")
    told = table.act("haunt:heroes", "HOWL")
    assert [one.monster for one in events(told, MonsterPlaced)] == ["wolf-2", "wolf-3"]
    assert seen(table) == ["crow-5", "wolf-1", "wolf-2", "wolf-3"]


def test_a_gap_in_the_numbers_is_not_filled_so_that_no_monster_takes_anothers_name() -> None:
    table = scene("wolf-2", "wolf-9", "wolf-4")
    told = table.act("haunt:heroes", "HOWL")
    assert [one.monster for one in events(told, MonsterPlaced)] == ["wolf-10", "wolf-11"]
    assert [one.room for one in events(told, MonsterPlaced)] == ["entrance-hall"] * 2


def test_what_stuns_a_kind_in_a_room_stuns_no_other_kind_and_none_elsewhere() -> None:
    table = scene("wolf-1", "wolf-2", "crow-1", "wolf-9")
    told = table.act("haunt:heroes", "STARE")
    assert [one.monster for one in events(told, MonsterStunned)] == ["wolf-1", "wolf-2"]
    assert [name for name in seen(table) if table.seen(1, name).stunned] == ["wolf-1", "wolf-2"]


def test_what_kills_a_kind_in_a_room_leaves_the_others() -> None:
    table = scene("wolf-1", "wolf-2", "crow-1", "wolf-9")
    told = table.act("haunt:heroes", "CULL")
    assert [one.monster for one in events(told, MonsterKilled)] == ["wolf-1", "wolf-2"]
    assert seen(table) == ["crow-1", "wolf-9"]


def test_what_kills_any_monster_anywhere_leaves_none() -> None:
    table = scene("wolf-1", "crow-1", "wolf-9")
    table.act("haunt:heroes", "PURGE")
    assert seen(table) == []
    assert table.view(0).status == "started"


def test_a_monster_that_is_aimed_at_is_gone_and_no_other() -> None:
    table = scene("wolf-1", "crow-1")
    told = table.act("haunt:heroes", "SHOOT", target="crow-1")
    assert the(told, MonsterKilled).monster == "crow-1"
    assert seen(table) == ["wolf-1"]
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "SHOOT", target="crow-1")


@pytest.mark.parametrize("word, target, dead", [("HANG", 1, 1), ("HANG", 0, 0), ("LEAP", None, 0)])
def test_an_explorer_that_a_text_kills_is_dead_whatever_its_traits(word: str, target: int | None, dead: int) -> None:
    table = scene()
    told = table.act("haunt:heroes", word, target=target)
    assert the(told, ExplorerDied).seat == dead
    assert [one.alive for one in table.roles[SPECTATORS].explorers] == [seat != dead for seat in range(3)]
    assert table.seat == (1 if dead == 0 else 0), "the turn of the dead is over"


def test_a_stunned_monster_has_no_movement_left_and_none_to_offer() -> None:
    table = scene("wolf-1")
    table.turn(2, monsters=True)
    table.let_move(4, "wolf-1")
    assert table.goals(2)
    table.stun("wolf-1")
    assert table.seen(0, "wolf-1").left == 0
    assert table.goals(2) == []


@pytest.mark.rule("2E-MON-005")
def test_a_monster_that_has_recovered_moves_and_attacks_again() -> None:
    table = scene("wolf-1")
    table.stun("wolf-1")
    table.turn(2)
    table.end_turn()
    table.end_turn()
    assert not table.seen(0, "wolf-1").stunned
    table.turn(2)

    table.rolls([1, 1, 0]).end_turn()

    assert table.seen(0, "wolf-1").left == 2
    assert [one.target for one in table.offers(2, Attack) if isinstance(one, Attack)] == [0, 1]
    table.move("foyer", monster="wolf-1")


@pytest.mark.rule("2E-MON-005")
def test_a_monster_stunned_anew_after_it_recovered_misses_another_turn() -> None:
    table = scene("wolf-1")
    for _ in range(2):
        table.stun("wolf-1")
        table.turn(2)
        table.end_turn()
        with table.refuses("2E-MON-005"):
            table.move("foyer", monster="wolf-1")
        table.end_turn()
        assert not table.seen(0, "wolf-1").stunned


@pytest.mark.rule("2E-MON-001")
def test_the_death_of_another_monster_does_not_bring_back_one_that_is_finished() -> None:
    table = scene("wolf-1", "wolf-2", "crow-1")
    table.turn(2, monsters=True)
    table.let_move(4, "wolf-1", "wolf-2", "crow-1")
    table.move("foyer", monster="wolf-1")
    table.happen(MonsterKilled(monster=MonsterId("wolf-2")))
    table.move("foyer", monster="crow-1")

    with table.refuses("2E-MON-001"):
        table.move("entrance-hall", monster="wolf-1")


def test_a_text_that_ends_attacking_holds_for_monsters_too() -> None:
    table = Table(game=rules_with(tile=SNARE))
    table.lay("snare", "ground", 1, 1)
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.put(0, "snare")
    table.turn(2, monsters=True)
    table.let_move(4, "sexton-1")

    table.move("snare", monster="sexton-1")

    assert not table.offers(2, Attack)
    with table.refuses("2E-MON-007"):
        table.attack(0, monster="sexton-1")


def test_a_text_that_ends_movement_holds_for_monsters_too_until_their_next_turn() -> None:
    table = Table(game=rules_with(tile=MIRE))
    table.lay("mire", "ground", 1, 1)
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.turn(2, monsters=True)
    table.let_move(4, "sexton-1")

    table.move("mire", monster="sexton-1")

    assert table.goals(2) == []
    with table.refuses("2E-MOVE-001"):
        table.move("foyer", monster="sexton-1")
    table.turn(2)
    table.rolls([0, 0, 0, 0]).end_turn()
    assert table.goals(2) == ["foyer"]
