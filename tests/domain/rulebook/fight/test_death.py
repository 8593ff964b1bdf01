"""Death and what the dead leave behind (rulebook: Death)."""

import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.commands import Move, PickUp
from domain.facts.events import (
    CardDrawn,
    CompanionLeft,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    ExplorerDied,
    PileChanged,
    RuleApplied,
)
from tests.support.packs import rules_with
from tests.support.table import FIVE, FOUR, Table, events, the


def strike_down(table: Table, seat: int) -> None:
    """Seat 0 attacks a hero whose Might hangs by a thread, and wins by 2."""
    table.clips(seat, might=1)
    dice = [table.value(one, "might") for one in (0, seat)]
    table.rolls([1, 1, *[0] * (dice[0] - 2)], [0] * dice[1]).attack(seat)
    if table.is_asked(0):
        table.choose(0, "damage")
    table.allocate(seat, might=2)


WANING = """
  id: waning
  title: Waning
  stage: draft
  kind: one-traitor
  story: S
  monsters: {wolf: {title: Wolf, speed: 3, might: 2}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: TWO, do: [{lose: {trait: sanity, steps: 2}}]}
      - {word: THREE, do: [{lose: {trait: sanity, steps: 3}}]}
  traitor-book: {story: S, goal: G, plays-on: {count: {monsters: wolf}, at-least: 1}}
"""


@pytest.mark.rule("2E-DEATH-001", case=1, asserts=True)
@pytest.mark.parametrize("word, lives", [("TWO", True), ("THREE", False)])
def test_of_sanity_five_zoe_loses_two_and_lives_with_three_or_loses_three_and_dies(word: str, lives: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = Table(("zoe-ingstrom", "ox-bellows", "jenny-leclerc"), game=rules_with(haunt=WANING))
    table.traits(0, sanity=5)
    table.haunt("waning", traitor=1)

    table.act("haunt:heroes", word)

    assert table.explorer(0).alive == lives
    assert table.value(0, "sanity") == (3 if lives else 0)
    died = [one.seat for one in events(table.commits[-1], ExplorerDied)]
    assert died == ([] if lives else [0])
    if not lives:
        assert the(table.commits[-1], ExplorerDied).rule == "2E-DEATH-001"


@pytest.mark.rule("2E-DEATH-001", case=2)
def test_an_event_that_lowers_knowledge_to_the_skull_kills_without_damage() -> None:
    """Rotten takes a space of every trait."""
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.clips(0, might=5, speed=5, sanity=5, knowledge=1)
    table.stack("event", "rotten")
    table.rolls([0] * table.value(0, "sanity"))

    table.draw(0, "event")

    told = table.commits[-1]
    assert not events(told, DamageTaken)
    assert the(told, ExplorerDied).seat == 0
    assert table.explorer(0).at[3] == 0


@pytest.mark.rule("2E-DEATH-001", case=3)
def test_a_traitor_dies_of_might_on_the_skull_and_the_monsters_keep_their_turn() -> None:
    table = Table(game=rules_with(haunt=WANING))
    table.haunt("waning", traitor=2)
    table.monster("wolf-1", "upper-landing")

    strike_down(table, 2)

    assert the(table.commits[-1], ExplorerDied).seat == 2
    table.end_turn()
    table.rolls([1, 1, 1]).end_turn()
    assert (table.state.turn.monsters, table.seat) == (True, 2)
    table.move("grand-staircase", monster="wolf-1")


@pytest.mark.rule("2E-DEATH-001", case=4)
def test_a_trait_on_its_lowest_number_when_the_haunt_begins_kills_when_it_drops_once_more() -> None:
    table = Table(game=rules_with(haunt=WANING.replace("steps: 2", "steps: 1")))
    table.clips(0, sanity=1)
    table.haunt("waning", traitor=1)
    assert table.explorer(0).alive

    table.act("haunt:heroes", "TWO")

    assert not table.explorer(0).alive


@pytest.mark.rule("2E-DEATH-001", case=5)
def test_who_dies_in_the_own_turn_does_nothing_more_and_gets_no_further_turn() -> None:
    table = Table(FOUR, game=rules_with(haunt=WANING))
    table.haunt("waning", traitor=3)
    table.clips(0, sanity=1)
    turn = table.now

    table.act("haunt:heroes", "TWO")

    assert table.seat == 1
    assert not table.offers(0)
    for decision in (turn, table.now):
        with table.refuses("2E-TURN-001"):
            table.play(0, Move(decision=decision, to="foyer"))
    order = []
    for _ in range(4):
        order.append(table.seat)
        table.end_turn()
    assert order == [1, 2, 3, 1]


@pytest.mark.rule("2E-DEATH-001")
def test_in_the_haunt_a_trait_on_the_skull_kills() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=0)

    strike_down(table, 1)

    assert not table.explorer(1).alive
    assert the(table.commits[-1], ExplorerDied).seat == 1


@pytest.mark.parametrize(
    "phase",
    [
        pytest.param("exploration", marks=pytest.mark.rule("2E-TRAIT-006")),
        pytest.param("haunt", marks=pytest.mark.rule("2E-DEATH-001")),
    ],
)
def test_zoe_with_sanity_five_loses_three_spaces_and_dies_in_the_haunt_alone(phase: str) -> None:
    table = Table(("zoe-ingstrom", "ox-bellows", "jenny-leclerc"))
    table.hold(0, "amulet-of-the-ages")
    table.traits(0, sanity=5)
    table.clips(0, might=5, speed=5, knowledge=2)
    if phase == "haunt":
        table.clips(0, knowledge=5)
        table.haunt("the-bell-below", traitor=1)
    table.turn(0)

    table.drop("amulet-of-the-ages")

    assert table.explorer(0).alive == (phase == "exploration")
    assert table.value(0, "sanity") == (3 if phase == "exploration" else 0)


@pytest.mark.rule("2E-DEATH-001")
def test_what_kills_in_the_own_turn_goes_on_for_the_others_before_that_turn_ends() -> None:
    table = Table(FOUR)
    table.haunt("the-bell-below", traitor=3)
    table.clips(0, sanity=1)
    table.stack("tiles", "gardens")
    table.stack("event", "hideous-shriek")
    table.turn(0)
    lost, kept = [2, 0], [2, 2]
    sanity = [table.value(seat, "sanity") for seat in range(3)]
    table.rolls([0] * sanity[0], lost, kept + [0] * (sanity[1] - 2), kept + [0] * (sanity[2] - 2)).explore("east")

    told = table.allocate(0, sanity=2)

    assert the(told, ExplorerDied).seat == 0
    assert [one.who for one in events(told, DiceRolled)] == [1, 2]
    assert table.seat == 0, "the traitor has yet to say whether to be spared"
    table.choose(3, table.asked(3).options[-1])
    assert table.seat == 1


def test_the_dead_get_no_further_turn() -> None:
    table = Table(FOUR)
    table.haunt("the-bell-below", traitor=0)
    strike_down(table, 1)
    table.turn(3)
    table.turn(0, monsters=True)
    table.end_turn()
    assert table.seat == 2


@pytest.mark.rule("2E-DEATH-003")
def test_the_dead_count_where_a_haunt_asks_for_as_many_as_there_are_explorers() -> None:
    table = Table(FIVE)
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    table.die(3, 4)
    table.counter("verses", 4)
    table.act("haunt:heroes", "CHANT")
    table.rolls([2, 2, 1]).choose(0, "sanity")
    assert table.view(0).status == "started", "five verses of six are spoken"
    table.turn(0)
    table.act("haunt:heroes", "CHANT")
    table.rolls([2, 2, 1]).choose(0, "sanity")
    assert table.view(0).winner == "heroes"


RITES = """
  id: rites
  title: Rites
  stage: draft
  kind: one-traitor
  story: S
  counters: {rites: {title: Rites}}
  heroes:
    story: S
    goal: G
    actions: [{word: RITE, do: [{count: {counter: rites, by: 1}}]}]
    wins-when: {counter: rites, at-least: {players: {3: 3, 4: 4, 5: 5, 6: 6}}}
    because: One for each.
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("2E-DEATH-003", case=1)
def test_of_five_explorers_two_are_dead_and_five_rites_are_needed() -> None:
    table = Table(FIVE, game=rules_with(haunt=RITES))
    table.haunt("rites", traitor=1)
    table.die(3, 4)
    for _ in range(4):
        table.act("haunt:heroes", "RITE")
    assert table.view(0).status == "started"

    told = table.act("haunt:heroes", "RITE")

    assert table.view(0).winner == "heroes"
    assert "2E-DEATH-003" in {one.rule for one in events(told, RuleApplied)}


@pytest.mark.rule("2E-DEATH-004", case=1)
def test_the_girl_stays_in_the_chapel_where_her_custodian_died() -> None:
    table = Table()
    table.lay("chapel", "ground", 1, 0)
    table.put(1, "chapel")
    table.hold(1, "girl")
    table.haunt("the-bell-below", traitor=0)

    table.die(1)

    assert table.view(2).companions == {"girl": "chapel"}
    assert not any("girl" in one.cards for one in table.state.explorers)


def bereft(*, beside: str = "foyer") -> Table:
    """Seat 1 has died in the Entrance Hall, where the Girl waits; seat 2, a hero with a Speed of 3, is next door or beside her."""
    table = Table(FOUR)
    table.put(0, "upper-landing")
    table.put(3, "upper-landing")
    table.put(2, beside)
    table.traits(2, speed=3)
    table.hold(1, "girl")
    table.haunt("the-bell-below", traitor=0)
    table.die(1)
    table.turn(2)
    return table


@pytest.mark.rule("2E-DEATH-005", case=(1, 5))
def test_a_hero_who_enters_has_the_girl_at_no_cost_and_goes_on() -> None:
    table = bereft()
    table.put(2, "grand-staircase")
    table.turn(2)
    omens = table.state.omens_drawn
    table.move("foyer")

    told = table.move("entrance-hall")

    assert the(told, CompanionLeft).rule == "2E-DEATH-005"
    assert table.explorer(2).cards == ["girl"]
    assert not events(told, CardDrawn)
    assert table.explorer(2).spent == 2
    table.move("foyer")
    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")
    assert table.state.omens_drawn == omens == 1


@pytest.mark.rule("2E-DEATH-005", case=1)
def test_custody_of_a_companion_is_no_action() -> None:
    table = Table(FOUR)
    table.put(2, "foyer")
    table.put(0, "upper-landing")
    table.hold(1, "madman")
    table.hold(2, "bottle", "idol")
    table.haunt("the-bell-below", traitor=0)
    table.monster("sexton-1", "entrance-hall", might=4)
    table.pile("entrance-hall", "axe")
    table.die(1)
    table.turn(2)
    told = table.move("entrance-hall")
    assert the(told, CompanionLeft).card == "madman"
    table.pick_up("axe")
    table.drop("bottle")
    table.swap(3, ["idol"])
    dice = table.value(2, "might")
    told = table.rolls([0] * dice, [0] * 4).attack("sexton-1")
    assert the(told, ExplorerAttacked).figure == 2, "each of the turn's actions is left"


@pytest.mark.rule("2E-DEATH-005", case=2)
def test_the_traitor_who_enters_first_has_custody() -> None:
    table = bereft()
    table.put(0, "foyer")
    table.put(2, "upper-landing")
    table.turn(0)
    told = table.move("entrance-hall")
    assert the(told, CompanionLeft).card == "girl"
    assert table.explorer(0).cards == ["girl"]


@pytest.mark.rule("2E-DEATH-005", case=3, asserts=True)
def test_a_monster_that_enters_leaves_the_girl_where_she_is() -> None:
    table = bereft()
    table.monster("sexton-1", "foyer")
    table.turn(0, monsters=True)
    table.let_move(3, "sexton-1")
    table.move("entrance-hall", monster="sexton-1")
    assert table.view(2).companions == {"girl": "entrance-hall"}
    assert table.seen(2, "sexton-1").cards == []


@pytest.mark.rule("2E-DEATH-005", case=4)
def test_who_stood_there_has_custody_only_after_leaving_and_returning() -> None:
    table = bereft(beside="entrance-hall")
    assert table.explorer(2).cards == []

    table.move("foyer")
    told = table.move("entrance-hall")

    assert the(told, CompanionLeft).room == ""
    assert table.explorer(2).cards == ["girl"]


def heir() -> Table:
    """Seat 1 has died in the Entrance Hall with three items, one of which nobody may drop or trade; seat 2 stands there."""
    table = Table(FOUR)
    table.hold(1, "healing-salve", "blood-dagger", "puzzle-box")
    assert not table.rules.pack.can("blood-dagger", "trade")
    table.haunt("the-bell-below", traitor=0)
    table.die(1)
    table.turn(2)
    return table


@pytest.mark.rule("2E-DEATH-006", case=1)
def test_all_three_items_of_the_dead_lie_in_the_room() -> None:
    table = heir()
    (pile,) = table.view(2).piles
    assert (pile.room, pile.cards) == ("entrance-hall", ["healing-salve", "blood-dagger", "puzzle-box"])
    died = next(commit for commit in table.commits if events(commit, ExplorerDied))
    assert the(died, PileChanged).rule == "2E-DEATH-006"


@pytest.mark.rule("2E-DEATH-006", case=2, asserts=True)
def test_a_hero_picks_up_one_of_the_three_and_two_remain() -> None:
    table = heir()
    table.pick_up("puzzle-box")
    assert table.explorer(2).cards == ["puzzle-box"]
    assert table.view(0).piles[0].cards == ["healing-salve", "blood-dagger"]


@pytest.mark.rule("2E-DEATH-006", case=3, asserts=True)
def test_the_traitor_picks_up_from_it_and_a_monster_that_carries_nothing_does_not() -> None:
    table = heir()
    table.turn(0)
    table.pick_up("blood-dagger")
    assert table.explorer(0).cards == ["blood-dagger"]

    table.monster("sexton-1", "entrance-hall")
    table.turn(0, monsters=True)
    with table.refuses("2E-MON-018"):
        table.pick_up("puzzle-box", monster="sexton-1")


@pytest.mark.rule("2E-DEATH-006", case=4, asserts=True)
def test_an_item_picked_up_there_is_not_used_in_the_same_turn() -> None:
    table = heir()
    table.pick_up("puzzle-box")
    with table.refuses("2E-ITEM-013"):
        table.act("card:puzzle-box", "OPEN")


@pytest.mark.rule("2E-DEATH-004")
def test_a_companion_stays_where_its_custodian_died() -> None:
    table = Table()
    table.hold(1, "girl")
    table.haunt("the-bell-below", traitor=0)

    strike_down(table, 1)

    assert table.view(2).companions == {"girl": "entrance-hall"}
    assert table.explorer(1).cards == []


@pytest.mark.rule("2E-DEATH-005")
def test_who_enters_that_room_gets_the_companion_and_who_is_there_already_does_not() -> None:
    table = Table()
    table.hold(1, "girl")
    table.haunt("the-bell-below", traitor=0)
    strike_down(table, 1)
    assert table.explorer(0).cards == []
    assert table.explorer(2).cards == []

    table.turn(2)
    table.move("foyer")
    told = table.move("entrance-hall")

    assert the(told, CompanionLeft).room == ""
    assert table.explorer(2).cards == ["girl"]


@pytest.mark.rule("2E-DEATH-006")
def test_the_goods_of_the_dead_fall_in_a_pile_that_others_take_from() -> None:
    table = Table()
    table.hold(1, "axe", "bottle", "puzzle-box")
    table.haunt("the-bell-below", traitor=0)

    strike_down(table, 1)

    assert the(table.commits[-1], PileChanged).cards == ["axe", "bottle", "puzzle-box"]
    table.turn(2)
    assert table.offers(2, PickUp)
    table.pick_up("bottle")
    assert table.view(0).piles[0].cards == ["axe", "puzzle-box"]


def test_the_bite_leaves_the_game_with_its_owner_and_still_counts() -> None:
    table = Table()
    table.hold(1, "bite")
    table.haunt("the-bell-below", traitor=0)
    strike_down(table, 1)
    assert table.view(0).piles == []
    assert table.roles[SPECTATORS].omens_drawn == 1
    assert not events(table.commits[-1], CompanionLeft)
