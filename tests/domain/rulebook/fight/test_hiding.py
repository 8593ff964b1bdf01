"""Monsters whose place only their own side knows (`hidden`)."""

from functools import cache

from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS
from domain.facts.commands import Act, Attack
from domain.facts.events import (
    CounterMoved,
    DecisionOpened,
    MonsterHid,
    MonsterPlaced,
    MonsterShown,
    Moved,
    OptionsTold,
)
from domain.facts.state import MonsterId
from tests.support.packs import rules_with
from tests.support.table import Table, events, heard, the

EELS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  counters: {stabs: {title: Stabs, public: true}, bites: {title: Bites, public: true}}
  monsters:
    eel: {title: Eel, speed: 5, might: 3, hidden: true}
    dog: {title: Dog, speed: 3, might: 2}
  heroes:
    story: S
    goal: G
    actions:
      - {word: STAB, do: [{if: {with: {each: monster}}, then: [{count: {counter: stabs, by: 1}}]}]}
      - {word: SHOOT, target: {each: monster}, do: [{kill: target}]}
      - {word: PURGE, do: [{kill: {}}]}
      - {word: DEFECT, do: [{change-side: traitor}]}
  traitor-book:
    story: S
    goal: G
    actions:
      - {word: BREED, do: [{place-monster: {kind: eel, at: {on: [ground]}}}]}
      - {word: SEND, target: {each: monster, kind: eel}, do: [{who: target, move: {to: {on: [ground]}}}]}
      - {word: SPIT, for: monsters, target: {each: hero, in: here}, do: [{count: {counter: bites, by: 1}}]}
    on:
      - {when: turn-ended, for: heroes, if: {with: {each: monster, kind: eel}}, do: [{count: {counter: bites, by: 1}}]}
"""
MIRE = """
  id: mire
  floors: [ground]
  doors: [north, east, south, west]
  title: Mire
  text: Whatever comes in is stuck for a while.
  on: [{when: entered, for: everyone, do: [{stop: moving}]}]
"""
TRAITOR = 2
EEL = MonsterId("eel-1")


@cache
def eels() -> Rules:
    """The second edition and a haunt of eels that hide, and dogs that don't."""
    return rules_with(haunt=EELS, tile=MIRE)


def scene() -> Table:
    """The monsters' turn; seats 0 and 1 are heroes in the Entrance Hall, the traitor is upstairs, an eel is seen in the Foyer."""
    table = Table(game=eels())
    table.haunt("h", traitor=TRAITOR)
    table.put(TRAITOR, "upper-landing")
    table.monster(EEL, "foyer")
    table.turn(TRAITOR, monsters=True)
    table.let_move(5, EEL)
    return table


def hidden_with_the_heroes() -> Table:
    """The same, and the eel has hidden where the heroes stand; it is the turn of seat 0."""
    table = scene()
    table.move("entrance-hall", monster=EEL)
    table.turn(0)
    return table


def test_with_its_step_it_hides_and_only_its_side_is_told_where() -> None:
    table = scene()

    told = table.move("entrance-hall", monster=EEL)

    assert the(heard(told, TRAITOR), MonsterHid).room == "entrance-hall"
    assert the(heard(told, 0), MonsterHid) == MonsterHid(monster=EEL)
    assert not events(told, Moved)
    assert table.seen(TRAITOR, EEL).known_place() == ("entrance-hall", 0)
    for role in (1 << 0, SPECTATORS):
        known = table.roles[role].monsters[EEL]
        assert known.hides
        assert known.known_place() == ("", 0)
        assert known.left == 5, "what the step cost would tell who stood in its way"


def test_heroes_slow_it_as_ever_and_its_side_alone_is_told() -> None:
    table = hidden_with_the_heroes()
    table.turn(TRAITOR, monsters=True)
    table.let_move(5, EEL)

    told = table.move("foyer", monster=EEL)

    assert the(heard(told, TRAITOR), MonsterHid).spent == 3
    assert the(heard(told, 1), MonsterHid).spent == 0


def test_it_slows_nobody() -> None:
    table = hidden_with_the_heroes()

    assert the(table.move("foyer"), Moved).spent == 1


def test_it_can_be_neither_attacked_nor_chosen() -> None:
    table = hidden_with_the_heroes()

    assert not table.offers(0, Attack)
    assert "SHOOT" not in [one.word for one in table.offers(0, Act) if isinstance(one, Act)]
    with table.refuses("2E-ATK-003"):
        table.attack(EEL)
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "SHOOT", EEL)


def test_steps_of_the_heroes_do_not_find_it() -> None:
    table = hidden_with_the_heroes()

    assert not events(table.act("haunt:heroes", "STAB"), CounterMoved)
    table.act("haunt:heroes", "PURGE")
    assert EEL in table.state.monsters


def test_steps_of_its_own_side_find_it() -> None:
    table = hidden_with_the_heroes()

    assert the(table.end_turn(), CounterMoved).counter == "bites"


def test_when_it_attacks_everybody_sees_it_until_its_next_step() -> None:
    table = hidden_with_the_heroes()
    table.turn(TRAITOR, monsters=True)
    table.let_move(5, EEL)

    told = table.rolls([1, 1, 1], [1, 1, 1, 0, 0]).attack(0, monster=EEL)

    assert the(heard(told, 1), MonsterShown).room == "entrance-hall"
    assert table.seen(1, EEL).known_place() == ("entrance-hall", 0)
    table.move("foyer", monster=EEL)
    assert table.seen(1, EEL).known_place() == ("", 0)


def test_an_action_shows_it() -> None:
    table = hidden_with_the_heroes()
    table.turn(TRAITOR, monsters=True)

    told = table.act("haunt:traitor", "SPIT", 0, monster=EEL)

    assert the(heard(told, 1), MonsterShown).room == "entrance-hall"


def test_a_room_does_nothing_to_it() -> None:
    table = scene()
    table.lay("mire", "ground", 1, 1)

    table.move("mire", monster=EEL)

    assert table.state.monsters[EEL].left == 4
    assert table.seen(0, EEL).hides


def test_its_side_moves_it_in_secret() -> None:
    table = hidden_with_the_heroes()
    table.turn(TRAITOR)

    asked = table.act("haunt:traitor", "SEND", EEL)
    told = table.choose(TRAITOR, "grand-staircase")

    assert the(heard(asked, 0), DecisionOpened).decision.options == []
    assert not events(heard(asked, 0), OptionsTold)
    assert the(heard(told, TRAITOR), MonsterHid).room == "grand-staircase"
    assert the(heard(told, 0), MonsterHid).room == ""


def test_it_comes_into_the_house_in_secret() -> None:
    table = hidden_with_the_heroes()
    table.turn(TRAITOR)

    asked = table.act("haunt:traitor", "BREED")
    told = table.choose(TRAITOR, "foyer")

    assert the(heard(asked, 0), DecisionOpened).decision.options == []
    assert the(told, MonsterPlaced).room == ""
    assert the(heard(told, TRAITOR), MonsterHid).room == "foyer"
    assert the(heard(told, 0), MonsterHid).room == ""


def test_whoever_joins_its_side_is_told_where_it_hides() -> None:
    table = hidden_with_the_heroes()

    table.act("haunt:heroes", "DEFECT")

    assert table.seen(0, EEL).known_place() == ("entrance-hall", 0)
    assert table.seen(1, EEL).known_place() == ("", 0)
