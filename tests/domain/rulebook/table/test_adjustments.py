"""Standing adjustments with a condition: each counts while it holds, and not before or after (2E-ITEM-003)."""

import pytest

from domain.facts.events import CardDrawn, CardTurned, DamageReduced, DiceRolled, HarmIgnored, TileSetAside
from tests.support.packs import rules_with
from tests.support.table import Table, events

CHARM = """
  id: charm
  deck: item
  title: Charm
  text: It helps whoever has the Bell as well.
  always: [{{if: {{carrying: bell}}, {word}}}]
"""

both = pytest.mark.parametrize("counts", [True, False])


def charmed(word: str, *, counts: bool) -> Table:
    """Seat 0 has a card with this word for those who have the Bell, and has the Bell itself if it is to count."""
    table = Table(game=rules_with(card=CHARM.format(word=word)))
    table.hold(0, "charm", *(["bell"] if counts else []))
    return table


@both
def test_a_roll_is_changed_while_the_condition_holds(counts: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = charmed("modify: {rolls: [trait], traits: [speed], dice: 1}", counts=counts)
    dice = table.value(0, "speed") + counts
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.turn(0)
    (rolled,) = events(table.rolls([2] * dice).explore("east"), DiceRolled)
    assert len(rolled.faces) == dice


@both
def test_damage_is_reduced_while_the_condition_holds(counts: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = charmed("reduce-damage: {kind: mental, points: 1}", counts=counts)
    table.lay("crypt", "basement", 1, 0, turns=1)
    table.put(0, "crypt")
    table.turn(0)
    told = table.end_turn()
    assert [(one.by, one.amount) for one in events(told, DamageReduced)] == ([("card:charm", 0)] if counts else [])
    assert table.is_asked(0) != counts, "who takes damage divides it"


@both
def test_a_room_spares_the_holder_while_the_condition_holds(counts: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = charmed("spared: [crypt]", counts=counts)
    table.lay("crypt", "basement", 1, 0, turns=1)
    table.put(0, "crypt")
    table.turn(0)
    assert bool(events(table.end_turn(), HarmIgnored)) == counts


@both
def test_movement_is_limited_while_the_condition_holds(counts: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = charmed("move-limit: 1", counts=counts)
    table.traits(0, speed=4)
    table.turn(0)
    table.move("foyer")
    assert (table.goals(0) == []) == counts


@both
def test_a_card_is_passed_over_while_the_condition_holds(counts: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = charmed("may-pass-over: event", counts=counts)
    table.turn(0)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    told = table.rolls([2] * table.value(0, "speed")).explore("east")
    assert bool(events(told, CardDrawn)) != counts
    assert not counts or table.asked(0).options == ["draw", "pass-over"]


@both
def test_a_tile_is_buried_while_the_condition_holds(counts: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = charmed("may-bury-tile: true", counts=counts)
    table.turn(0)
    table.stack("tiles", "patio", "gardens")
    table.explore("east")
    assert (table.is_asked(0) and table.asked(0).about == "bury-tile:patio") == counts
    assert not counts or events(table.choose(0, "bury"), TileSetAside)


def test_a_condition_that_no_longer_holds_ends_the_adjustment_at_once() -> None:
    table = charmed("move-limit: 1", counts=True)
    table.traits(0, speed=4)
    table.turn(0)
    table.move("foyer")
    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")
    table.drop("bell")
    table.move("entrance-hall")


def test_a_condition_may_ask_the_state_of_the_card_itself() -> None:
    card = (
        CHARM.format(word="move-limit: 1").replace("carrying: bell", "card-state: heavy") + "  states: [light, heavy]\n"
    )
    table = Table(game=rules_with(card=card))
    table.hold(0, "charm")
    table.traits(0, speed=4)
    table.turn(0)
    table.move("foyer")
    assert table.goals(0) != []
    table.happen(CardTurned(card="charm", state="heavy"))
    assert table.goals(0) == []


FOG = """
  id: fog
  title: Fog
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: mist, title: Mist, text: T, always: [{if: {moved: false}, modify: {rolls: [attack, defense], dice: -1, whose: in-room}}]}
  monsters: {ghoul: {title: Ghoul, speed: 3, might: 4, color: red}}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.parametrize("moved", [True, False])
def test_a_token_asks_its_condition_of_explorers_and_leaves_monsters_alone(moved: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = Table(game=rules_with(haunt=FOG))
    table.haunt("fog", traitor=1)
    table.put(0, "foyer" if moved else "entrance-hall")
    table.token("mist", "entrance-hall")
    table.monster("ghoul-1", "entrance-hall")
    table.traits(0, might=4)
    table.turn(0)
    if moved:
        table.move("entrance-hall")
    told = table.rolls([0] * (4 if moved else 3), [0] * 4).attack("ghoul-1")
    assert [len(one.faces) for one in events(told, DiceRolled)] == [4 if moved else 3, 4]
