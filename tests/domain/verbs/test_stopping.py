"""What a text may end: movement, the attack, the turn, or itself."""

from functools import cache

from domain.engine.rules import Rules
from domain.facts.commands import Attack
from domain.facts.events import PileChanged, Stopped, TraitChanged, TurnEnded, TurnStarted
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

BAUBLE = """
  id: bauble
  deck: item
  title: Bauble
  text: It does nothing that anybody would want.
  actions:
    - {word: NAP, do: [{stop: turn}]}
    - {word: DREAM, do: [{stop: turn}, {gain: {trait: might}}]}
    - {word: SIT, do: [{stop: moving}, {gain: {trait: might}}]}
    - {word: QUIT, do: [{gain: {trait: might}}, {stop: block}, {gain: {trait: might}}]}
    - {word: SWEAR, do: [{stop: attacking}]}
    - {word: LULL, target: {each: explorer, in: here}, do: [{stop: turn, who: target}]}
"""

LULLABY = """
  id: lullaby
  floors: [ground]
  doors: [north, east, south, west]
  title: Lullaby
  text: Whatever comes in has done enough for now.
  on: [{when: entered, for: everyone, do: [{stop: turn}]}]
"""


@cache
def game() -> Rules:
    """The second edition and a bauble."""
    return rules_with(card=BAUBLE)


def owner() -> Table:
    """Seat 0 has the bauble, an axe and the turn."""
    table = Table(game=game())
    table.hold(0, "bauble", "axe")
    table.turn(0)
    return table


def test_a_text_that_ends_the_turn_gives_it_to_the_next_player_with_movement_left() -> None:
    table = owner()
    table.move("foyer")

    told = table.act("card:bauble", "NAP")

    assert the(told, TurnEnded).seat == 0
    assert the(told, TurnStarted).seat == 1
    assert not table.offers(0)
    with table.refuses("2E-TURN-001"):
        table.play(0, Attack(decision=table.now, target=1))


def test_duties_of_the_end_of_a_turn_are_done_when_a_text_ends_it() -> None:
    table = owner()
    table.lay("larder", "basement", 0, -1)
    table.put(0, "larder")
    table.turn(0)
    might = table.explorer(0).at[0]

    table.act("card:bauble", "NAP")

    assert table.explorer(0).at[0] == might + 1


def test_a_text_ends_the_turn_of_whoever_has_it_and_nobody_elses() -> None:
    table = owner()

    told = table.act("card:bauble", "LULL", target=1)
    assert not events(told, TurnEnded)
    assert table.offers(0)
    table.turn(0)

    assert the(table.act("card:bauble", "LULL", target=0), TurnEnded).seat == 0


def test_a_text_that_ends_movement_leaves_the_rest_of_the_turn_and_of_itself() -> None:
    table = owner()
    might = table.explorer(0).at[0]

    told = table.act("card:bauble", "SIT")

    assert the(told, Stopped).figure == 0
    assert table.explorer(0).at[0] == might + 1
    assert table.goals(0) == []
    with table.refuses("2E-MOVE-004"):
        table.move("foyer")
    assert the(table.drop("axe"), PileChanged).cards == ["axe"]
    table.turn(0)
    assert table.goals(0) == ["foyer"]


def test_a_text_may_skip_the_rest_of_itself() -> None:
    table = owner()
    might = table.explorer(0).at[0]
    table.act("card:bauble", "QUIT")
    assert table.explorer(0).at[0] == might + 1
    assert table.goals(0) == ["foyer"]


def test_a_text_that_ends_attacking_takes_the_attack_of_this_turn_and_no_other() -> None:
    table = owner()
    table.haunt("the-bell-below", traitor=1)
    assert table.offers(0, Attack)

    table.act("card:bauble", "SWEAR")

    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-002"):
        table.attack(1)
    table.turn(0)
    assert table.offers(0, Attack)


def test_what_follows_in_a_text_that_ends_the_turn_still_happens_in_that_turn() -> None:
    table = owner()

    told = table.act("card:bauble", "DREAM")

    kinds = [type(one.event) for one in told]
    assert the(told, TraitChanged).seat == 0
    assert kinds.index(TraitChanged) < kinds.index(TurnEnded) < kinds.index(TurnStarted)


def test_a_monster_whose_turn_a_text_ends_leaves_the_others_theirs() -> None:
    table = Table(game=rules_with(tile=LULLABY))
    table.lay("lullaby", "ground", 1, 1)
    table.haunt("the-gnawing-tide", traitor=2)
    table.put(0, "lullaby")
    table.monster("rat-1", "foyer")
    table.monster("rat-2", "entrance-hall")
    table.turn(2, monsters=True)
    table.let_move(3, "rat-1", "rat-2")

    told = table.move("lullaby", monster="rat-1")

    assert not events(told, TurnEnded)
    with table.refuses("2E-PAST-001"):
        table.move("foyer", monster="rat-1")
    with table.refuses("2E-MON-007"):
        table.attack(0, monster="rat-1")
    table.move("foyer", monster="rat-2")
