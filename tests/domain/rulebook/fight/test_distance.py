"""Distance attacks and lines of sight (rulebook: Special Attacks)."""

import pytest

from domain.facts.commands import Attack, Choose
from domain.facts.events import AttackDecided, DamageTaken, ExplorerAttacked, Fizzled, MonsterStunned, RuleApplied
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def shooter() -> Table:
    """Seat 0 holds the Revolver in the Entrance Hall; the traitor is two rooms away, behind the Foyer."""
    table = Table()
    table.hold(0, "revolver")
    table.put(1, "grand-staircase")
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    return table


@pytest.mark.rule("2E-DIST-001", case=1)
def test_the_revolver_reaches_along_a_straight_line_of_doors() -> None:
    table = shooter()
    assert [one.weapon for one in table.offers(0) if isinstance(one, Attack)] == ["revolver"]

    told = table.rolls([0] * 5, [0] * 4).attack(1, "revolver")

    assert the(told, AttackDecided).target == 1


@pytest.mark.rule("2E-DIST-001", case=3, asserts=True)
@pytest.mark.rule("2E-ATK-003")
def test_without_such_a_weapon_nobody_reaches_another_room() -> None:
    table = shooter()
    with table.refuses("2E-ATK-003"):
        table.attack(1)
    table.bereave(0, "revolver")
    assert not table.offers(0, Attack)
    with table.refuses("2E-ITEM-019"):
        table.attack(1, "revolver")


@pytest.mark.rule("2E-DIST-001", case=4, asserts=True)
def test_no_hero_aims_at_a_hero() -> None:
    table = shooter()
    table.put(2, "foyer")
    table.turn(0)
    assert [one.target for one in table.offers(0) if isinstance(one, Attack)] == [1]
    with table.refuses("2E-ATK-004"):
        table.attack(2, "revolver")


@pytest.mark.rule("2E-DIST-001", case=5)
def test_after_a_shot_there_is_no_other_attack() -> None:
    table = shooter()
    table.monster("sexton-1", "entrance-hall")
    table.rolls([0] * 5, [0] * 4).attack(1, "revolver")

    assert not table.offers(0, Attack)
    with table.refuses("2E-ATK-002"):
        table.attack("sexton-1")


@pytest.mark.rule("2E-DIST-001", case=2, asserts=True)
@pytest.mark.rule("2E-DIST-002", case=5)
@pytest.mark.parametrize(
    "here, there",
    [
        ("entrance-hall", "kitchen"),
        ("grand-staircase", "upper-landing"),
        ("foyer", "stairs-from-basement"),
        ("coal-chute", "basement-landing"),
    ],
)
def test_nothing_reaches_around_a_corner_over_a_staircase_or_down_a_slide(here: str, there: str) -> None:
    table = shooter()
    table.lay("kitchen", "ground", -1, 1)
    table.lay("stairs-from-basement", "basement", 0, 1)
    table.lay("coal-chute", "ground", 1, 1)
    table.put(0, here)
    table.put(1, there)
    table.turn(0)
    assert not table.offers(0, Attack)
    with table.refuses("2E-DIST-002"):
        table.attack(1, "revolver")


def three_rooms(*spots: tuple[str, tuple[int, int]], doors: dict[str, int] | None = None) -> Table:
    """The shooter stands in the basement at (0, 0), others lie there on these cells."""
    table = shooter()
    for tile, (x, y) in spots:
        table.lay(tile, "basement", x, y, turns=(doors or {}).get(tile, 0))
    table.put(0, "basement-landing")
    table.put(1, spots[-1][0])
    table.turn(0)
    return table


@pytest.mark.rule("2E-DIST-002", case=1, asserts=True)
@pytest.mark.rule("2E-DIST-002", case=6, asserts=True)
def test_a_straight_row_of_doors_is_a_line_of_sight() -> None:
    table = three_rooms(("creaky-hallway", (1, 0)), ("dusty-hallway", (2, 0)))
    assert Attack(decision=table.now, target=1, weapon="revolver") in table.offers(0, Attack)
    table.rolls([0] * 5, [0] * 4).attack(1, "revolver")

    table = shooter()  # passages of the entrance tile count as doors
    table.rolls([0] * 5, [0] * 4).attack(1, "revolver")


@pytest.mark.rule("2E-DIST-002", case=(2, 3))
@pytest.mark.parametrize(
    "spots, turns",
    [
        ((("creaky-hallway", (1, 0)), ("dusty-hallway", (1, 1))), {}),
        (
            (("creaky-hallway", (1, 0)), ("chasm", (2, 0))),
            {"chasm": 1},
        ),  # a false door: the chasm's lie north and south
        (
            (("kitchen", (1, 0)), ("chasm", (2, 0))),
            {"kitchen": 3, "chasm": 1},
        ),  # a wall: the kitchen's lie west and north
    ],
)
def test_a_corner_a_wall_or_a_false_door_ends_the_line_of_sight(
    spots: tuple[tuple[str, tuple[int, int]], ...], turns: dict[str, int]
) -> None:
    table = three_rooms(*spots, doors=turns)
    assert not table.offers(0, Attack)
    with table.refuses("2E-DIST-002"):
        table.attack(1, "revolver")


@pytest.mark.rule("2E-DIST-002", case=4)
def test_a_wall_between_two_adjacent_rooms_is_not_seen_through() -> None:
    table = shooter()
    table.lay("kitchen", "ground", 1, 2)
    table.put(0, "grand-staircase")
    table.put(1, "kitchen")
    table.turn(0)
    assert not table.offers(0, Attack)
    with table.refuses("2E-DIST-002"):
        table.attack(1, "revolver")


def test_smoke_is_not_seen_through() -> None:
    table = shooter()
    table.token("smoke", "foyer")
    assert not table.offers(0, Attack)


@pytest.mark.rule("2E-DIST-003", case=1)
def test_a_lost_distance_attack_hurts_nobody() -> None:
    table = shooter()
    table.put(1, "foyer")
    before = list(table.explorer(0).at)

    told = table.rolls([2, 0, 0, 0, 0], [2, 2, 1, 0]).attack(1, "revolver")

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (2, 5)
    assert the(told, Fizzled).what == "counter-damage"
    assert not events(told, DamageTaken)
    assert not table.state.open
    assert table.explorer(0).at == before


@pytest.mark.rule("2E-DIST-003", case=3, asserts=True)
def test_in_the_same_room_a_lost_shot_hurts_like_any_attack() -> None:
    table = shooter()
    table.put(1, "entrance-hall")
    table.rolls([2, 0, 0, 0, 0], [2, 2, 1, 0]).attack(1, "revolver")
    assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 3)


@pytest.mark.rule("2E-DIST-003", case=4, asserts=True)
def test_a_shot_from_the_next_room_that_wins_hurts_its_target() -> None:
    table = shooter()
    table.put(1, "foyer")
    table.rolls([2, 2, 1, 0, 0], [2, 0, 0, 0]).attack(1, "revolver")
    assert (table.asked(1).about, table.asked(1).total) == ("damage:physical", 3)


ARCHERS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    archer: {title: Archer, speed: 3, might: 4, carries: true, attack: {range: line-of-sight}}
    golem: {title: Golem, speed: 3, might: 4}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


def archers(room: str) -> Table:
    """An archer and a golem in a room, seat 0 in the Entrance Hall; it is the turn of the monsters."""
    table = Table(game=rules_with(haunt=ARCHERS))
    table.hold(0, "axe")
    table.put(2, "upper-landing")
    table.put(1, "upper-landing")
    table.haunt("h", traitor=1)
    table.monster("archer-1", room)
    table.monster("golem-1", room)
    table.turn(1, monsters=True)
    return table


@pytest.mark.rule("2E-DIST-003", case=2)
def test_a_monster_whose_distance_attack_is_lost_is_not_stunned() -> None:
    table = archers("grand-staircase")

    told = table.rolls([2, 0, 0, 0], [2, 2, 1, 0, 0]).attack(0, monster="archer-1")

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (2, 5)
    assert not events(told, MonsterStunned)
    assert not table.seen(0, "archer-1").stunned


@pytest.mark.rule("2E-DIST-004", case=1)
@pytest.mark.rule("2E-MON-009")
def test_a_monster_shoots_only_where_its_haunt_lets_it() -> None:
    table = archers("grand-staircase")

    with table.refuses("2E-MON-009"):
        table.attack(0, monster="golem-1")
    told = table.rolls([0] * 4, [0] * 5).attack(0, monster="archer-1")
    assert the(told, ExplorerAttacked).target == 0


@pytest.mark.rule("2E-DIST-004", case=2, asserts=True)
@pytest.mark.rule("2E-MON-009")
def test_a_monster_that_shoots_does_not_steal_for_all_that() -> None:
    table = archers("entrance-hall")

    told = table.rolls([2, 1, 0, 0], [0] * 5).attack(0, monster="archer-1")

    assert "2E-MON-009" in {one.rule for one in events(told, RuleApplied)}
    assert not table.is_asked(1)
    harm = table.asked(0)
    assert (harm.kind, harm.total) == ("allocation", 3)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(1, Choose(decision=harm.id, option="axe"))
    table.allocate(0, might=2, speed=1)
    assert table.explorer(0).cards == ["axe"]


@pytest.mark.rule("2E-STEAL-003", case=1)
def test_nobody_steals_at_a_distance() -> None:
    table = shooter()
    table.hold(1, "axe")
    table.turn(0)

    told = table.rolls([2, 2, 0, 0, 0], [0] * 4).attack(1, "revolver")

    assert "2E-STEAL-003" in {one.rule for one in events(told, RuleApplied)}
    assert not table.is_asked(0)
    assert (table.asked(1).kind, table.asked(1).total) == ("allocation", 4)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(0, Choose(decision=table.asked(1).id, option="axe"))
    assert the(table.allocate(1, might=2, speed=2), DamageTaken).amount == 4
    assert table.explorer(1).cards == ["axe"]


@pytest.mark.rule("2E-STEAL-003", case=2, asserts=True)
def test_a_shot_in_the_same_room_may_win_a_card() -> None:
    table = shooter()
    table.hold(1, "axe")
    table.put(1, "entrance-hall")
    table.turn(0)

    table.rolls([2, 0, 0, 0, 0], [0] * 4).attack(1, "revolver")
    assert table.asked(0).options == ["damage", "axe"]
    table.choose(0, "axe")

    assert table.explorer(0).cards == ["revolver", "axe"]
