"""Death and what the dead leave behind (rulebook: Death)."""

import pytest

from domain.audience import SPECTATORS
from domain.commands import PickUp
from domain.events import CompanionLeft, DiceRolled, ExplorerDied, PileChanged
from tests.support.table import FIVE, FOUR, Table, events, the


def strike_down(table: Table, seat: int) -> None:
    """Seat 0 attacks a hero whose Might hangs by a thread, and wins by 2."""
    table.clips(seat, might=1)
    dice = [table.value(one, "might") for one in (0, seat)]
    table.rolls([1, 1, *[0] * (dice[0] - 2)], [0] * dice[1]).attack(seat)
    if table.is_asked(0):
        table.choose(0, "damage")
    table.allocate(seat, might=2)


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
