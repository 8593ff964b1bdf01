"""Damage: its kinds, its division, what answers it (rulebook: Damage)."""

import pytest

from domain.events import DamageReduced, DamageTaken, TraitChanged
from tests.support.table import Table, events, the


def physical(table: Table, *faces: int) -> None:
    """Seat 0 falls under the Debris: two dice of physical damage."""
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0, 0, 0, 0], list(faces)).explore("east")


@pytest.mark.rule("2E-DMG-001", "2E-DMG-002")
@pytest.mark.parametrize("might", [0, 1, 2, 3])
def test_three_physical_damage_is_divided_freely_and_moves_the_clips_three_spaces(might: int) -> None:
    table = Table()
    table.clips(0, might=5, speed=5)
    physical(table, 2, 1)
    before = list(table.explorer(0).at)

    with table.refuses("2E-DMG-002"):
        table.allocate(0, might=1, speed=1)
    told = table.allocate(0, might=might, speed=3 - might)

    assert the(told, DamageTaken).amount == 3
    assert [new - old for new, old in zip(table.explorer(0).at, before, strict=True)] == [-might, might - 3, 0, 0]


@pytest.mark.rule("2E-DMG-001")
def test_a_division_that_uses_sanity_is_refused() -> None:
    table = Table()
    physical(table, 2, 1)

    with table.refuses("2E-DMG-001"):
        table.allocate(0, might=2, sanity=1)


@pytest.mark.rule("2E-DMG-001", "2E-TRAIT-006")
def test_points_on_a_trait_that_cannot_fall_any_further_are_lost() -> None:
    table = Table()
    table.clips(0, might=1)
    physical(table, 2, 1)

    told = table.allocate(0, might=3)

    assert the(told, TraitChanged).by == 0, "it is told that the clip stays, and why"
    assert table.explorer(0).at[0] == 1


@pytest.mark.rule("2E-DMG-003")
def test_mental_damage_is_divided_between_knowledge_and_sanity() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "angry-being")
    table.rolls([1, 1, 0, 0], [2]).explore("east")

    with table.refuses("2E-DMG-003"):
        table.allocate(0, knowledge=1, speed=1)
    told = table.allocate(0, knowledge=1, sanity=1)

    assert sorted(one.trait for one in events(told, TraitChanged)) == ["knowledge", "sanity"]


@pytest.mark.rule("2E-DMG-004", asserts=True)
def test_every_damage_is_physical_or_mental() -> None:
    table = Table()
    physical(table, 1, 0)
    told = table.allocate(0, speed=1)
    damage = the(told, DamageTaken)
    assert (damage.kind, damage.source) == ("physical", "card:debris")


def test_armor_takes_a_point_of_physical_damage_each_time() -> None:
    table = Table()
    table.hold(0, "armor")
    table.turn(0)
    physical(table, 1, 1)

    assert table.asked(0).total == 1
    told = table.allocate(0, might=1)
    assert the(told, DamageTaken).amount == 1


def test_the_skull_turns_mental_damage_into_physical_damage() -> None:
    table = Table()
    table.hold(0, "skull")
    table.turn(0)
    table.stack("tiles", "gardens")
    table.stack("event", "angry-being")
    table.rolls([1, 1, 0, 0], [2]).explore("east")

    assert table.asked(0).options == ["pass", "card:skull#CONVERT"]
    told = table.choose(0, "card:skull#CONVERT")
    assert the(told, DamageReduced).kind == "physical"
    assert set(table.asked(0).caps) == {"might", "speed"}


def test_the_skull_does_so_every_time_and_spends_no_action() -> None:
    table = Table()
    table.hold(0, "skull")
    table.turn(0)
    for spaces in (1, 2):
        table.stack("event", "angry-being")
        table.rolls([1, 1, 0, 0, 0, 0, 0, 0][: table.value(0, "speed")], [1])
        table.draw(0, "event")
        table.choose(0, "card:skull#CONVERT")
        table.allocate(0, might=1)
        assert table.explorer(0).at[0] == 3 - spaces

    table.trade(1, ["skull"])
    table.choose(1, "yes")

    assert table.explorer(1).cards == ["skull"]


def test_no_damage_asks_for_no_division() -> None:
    table = Table()
    physical(table, 0, 0)
    assert not table.state.open
