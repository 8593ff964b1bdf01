"""Distance attacks and lines of sight (rulebook: Special Attacks)."""

import pytest

from domain.commands import Attack
from domain.events import AttackDecided, DamageTaken, Fizzled
from domain.house.sight import in_sight
from tests.support.table import Table, events, the


def shooter() -> Table:
    """Seat 0 holds the Revolver in the Entrance Hall; the traitor is two rooms away, behind the Foyer."""
    table = Table()
    table.hold(0, "revolver")
    table.put(1, "grand-staircase")
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    return table


@pytest.mark.rule("2E-DIST-001")
def test_the_revolver_reaches_along_a_straight_line_of_doors() -> None:
    table = shooter()
    assert [one.weapon for one in table.offers(0) if isinstance(one, Attack)] == ["revolver"]

    told = table.rolls([0] * 5, [0] * 4).attack(1, "revolver")

    assert the(told, AttackDecided).target == 1


@pytest.mark.rule("2E-ATK-003")
def test_without_such_a_weapon_nobody_reaches_another_room() -> None:
    table = shooter()
    with table.refuses("2E-ATK-003"):
        table.attack(1)


@pytest.mark.rule("2E-DIST-002")
def test_nothing_reaches_around_a_corner_or_over_a_staircase() -> None:
    table = shooter()
    table.lay("kitchen", "ground", -1, 1)
    table.put(1, "kitchen")
    with table.refuses("2E-DIST-002"):
        table.attack(1, "revolver")
    table.put(0, "grand-staircase")
    table.put(1, "upper-landing")
    table.turn(0)
    with table.refuses("2E-DIST-002"):
        table.attack(1, "revolver")


@pytest.mark.rule("2E-DIST-002")
def test_a_false_door_ends_the_line_of_sight() -> None:
    table = shooter()
    table.lay("kitchen", "ground", 1, 0)  # doors north and east: a wall faces the Entrance Hall
    table.put(1, "kitchen")
    assert in_sight(table.state, "entrance-hall") == ["foyer", "grand-staircase"]
    with table.refuses("2E-DIST-002"):
        table.attack(1, "revolver")


def test_smoke_is_not_seen_through() -> None:
    table = shooter()
    table.token("smoke", "foyer")
    assert not table.offers(0, Attack)


@pytest.mark.rule("2E-DIST-003")
def test_a_lost_distance_attack_hurts_nobody() -> None:
    table = shooter()

    told = table.rolls([2, 0, 0, 0, 0], [2, 2, 1, 0]).attack(1, "revolver")

    assert the(told, Fizzled).what == "counter-damage"
    assert not events(told, DamageTaken)
    assert not table.state.open


def test_in_the_same_room_a_lost_shot_hurts_like_any_attack() -> None:
    table = shooter()
    table.put(1, "entrance-hall")
    table.rolls([2, 0, 0, 0, 0], [2, 2, 1, 0]).attack(1, "revolver")
    assert table.asked(0).total == 3


@pytest.mark.rule("2E-STEAL-003")
def test_nobody_steals_at_a_distance() -> None:
    table = shooter()
    table.hold(1, "idol")
    table.turn(0)

    table.rolls([2, 2, 0, 0, 0]).attack(1, "revolver")
    table.rolls([0, 0, 0, 0]).choose(1, "pass")  # the Idol could be prayed to

    assert table.asked(1).kind == "allocation"
    assert table.asked(1).total == 4
    table.allocate(1, might=4)
