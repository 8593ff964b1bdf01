"""Damage: its kinds, its division, what answers it (rulebook: Damage)."""

import msgspec
import pytest

from domain.facts.commands import Allocate
from domain.facts.events import DamageReduced, DamageTaken, TraitChanged
from tests.support.packs import rules_with
from tests.support.table import Table, events, the


def debris(table: Table, *faces: int) -> None:
    """Seat 0 falls under the Debris: two dice of physical damage."""
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0] * table.value(0, "speed"), list(faces)).explore("east")


def hurt(*faces: int) -> Table:
    """Seat 0 lies under the Debris."""
    table = Table()
    table.clips(0, might=5, speed=5)
    debris(table, *faces)
    return table


# -- 2E-DMG-001: its taker divides physical damage ------------------------------------------------------------------------


@pytest.mark.rule("2E-DMG-001", case=1)
@pytest.mark.parametrize("might", [0, 1, 2, 3])
def test_three_physical_damage_is_divided_freely(might: int) -> None:
    table = hurt(2, 1)
    before = list(table.explorer(0).at)

    told = table.allocate(0, might=might, speed=3 - might)

    assert the(told, DamageTaken).amount == 3
    assert [new - old for new, old in zip(table.explorer(0).at, before, strict=True)] == [-might, might - 3, 0, 0]


@pytest.mark.rule("2E-DMG-001", case=2)
def test_a_division_that_uses_sanity_is_refused() -> None:
    table = hurt(2, 1)
    with table.refuses("2E-DMG-001"):
        table.allocate(0, might=2, sanity=1)


@pytest.mark.rule("2E-DMG-001", case=3, asserts=True)
@pytest.mark.rule("2E-DMG-002")
def test_a_division_that_comes_to_two_of_three_points_is_refused() -> None:
    table = hurt(2, 1)
    with table.refuses("2E-DMG-002"):
        table.allocate(0, might=1, speed=1)


@pytest.mark.rule("2E-DMG-001", case=4)
def test_nobody_else_divides_the_damage_and_neither_does_the_attacker() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=0)
    table.rolls([2, 2, 0, 0, 0], [0, 0, 1]).attack(1)
    division = Allocate(decision=table.asked(1).id, points={"might": 2, "speed": 1})
    for other in (0, 2):
        with table.refuses("2E-DMG-001", problem="not-your-decision"):
            table.play(other, division)

    assert the(table.play(1, division), DamageTaken).amount == 3


@pytest.mark.rule("2E-DMG-001", case=5)
def test_a_division_with_a_negative_part_is_refused() -> None:
    table = hurt(2, 1)
    with table.refuses("2E-DMG-001"):
        table.allocate(0, might=4, speed=-1)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"decision": "d-1", "points": {"might": 4, "speed": -1}}, Allocate)


@pytest.mark.rule("2E-DMG-001", case=6)
def test_one_point_goes_to_either_trait_and_nobody_divides_nothing() -> None:
    table = hurt(1, 0)
    offered = [one.points for one in table.offers(0) if isinstance(one, Allocate)]
    assert sorted(offered, key=str) == [{"might": 1}, {"speed": 1}]
    for points in ({}, {"might": 1, "speed": 1}):
        with table.refuses("2E-DMG-002"):
            table.allocate(0, **points)
    told = table.allocate(0, speed=1)
    assert the(told, DamageTaken).amount == 1

    table = hurt(0, 0)
    assert not table.state.open
    assert not [told for commit in table.commits for told in events(commit, DamageTaken)]


# -- 2E-DMG-002: a space for each point -----------------------------------------------------------------------------------


@pytest.mark.rule("2E-DMG-002", case=1, asserts=True)
def test_in_the_haunt_three_physical_damage_moves_the_clips_three_spaces_in_all() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    before = list(table.explorer(0).at)
    debris(table, 2, 1)

    table.allocate(0, might=1, speed=2)

    assert [new - old for new, old in zip(table.explorer(0).at, before, strict=True)] == [-1, -2, 0, 0]


@pytest.mark.rule("2E-DMG-002", case=2, asserts=True)
@pytest.mark.parametrize("might, speed, moved", [(3, 0, 0), (1, 2, -2)])
def test_points_on_a_trait_that_cannot_fall_any_further_are_lost(might: int, speed: int, moved: int) -> None:
    table = Table()
    table.clips(0, might=1)
    before = list(table.explorer(0).at)
    debris(table, 2, 1)

    told = table.allocate(0, might=might, speed=speed)

    assert [new - old for new, old in zip(table.explorer(0).at, before, strict=True)] == [0, moved, 0, 0]
    stays = next(one for one in events(told, TraitChanged) if one.trait == "might")
    assert (stays.by, stays.rule) == (0, "2E-TRAIT-006"), "it is told that the clip stays, and why"


@pytest.mark.rule("2E-DMG-002", case=3, asserts=True)
def test_jenny_takes_two_points_on_might_and_one_on_speed() -> None:
    table = Table(("jenny-leclerc", "ox-bellows", "zoe-ingstrom"))
    assert (table.value(0, "might"), table.value(0, "speed")) == (4, 4)
    debris(table, 2, 1)

    table.allocate(0, might=2, speed=1)

    assert (table.value(0, "might"), table.value(0, "speed")) == (3, 4)


# -- 2E-DMG-003: mental damage --------------------------------------------------------------------------------------------


def struck_at_heart(**clips: int) -> Table:
    """Seat 0 has met the Angry Being: two points of mental damage to divide."""
    table = Table()
    table.clips(0, **clips)
    table.stack("tiles", "gardens")
    table.stack("event", "angry-being")
    table.rolls([1, 1, 0, 0], [2]).explore("east")
    assert (table.asked(0).about, table.asked(0).total) == ("damage:mental", 2)
    return table


@pytest.mark.rule("2E-DMG-003", case=1)
def test_two_mental_damage_is_divided_between_knowledge_and_sanity() -> None:
    table = struck_at_heart()
    told = table.allocate(0, knowledge=1, sanity=1)
    assert sorted((one.trait, one.by) for one in events(told, TraitChanged)) == [("knowledge", -1), ("sanity", -1)]


@pytest.mark.rule("2E-DMG-003", case=2)
def test_speed_takes_no_mental_damage() -> None:
    table = struck_at_heart()
    with table.refuses("2E-DMG-003"):
        table.allocate(0, knowledge=1, speed=1)


@pytest.mark.rule("2E-DMG-003", case=3)
def test_mental_damage_is_divided_in_full_and_without_negative_parts() -> None:
    table = struck_at_heart()
    with table.refuses("2E-DMG-002"):
        table.allocate(0, knowledge=1, sanity=0)
    with table.refuses("2E-DMG-003"):
        table.allocate(0, knowledge=3, sanity=-1)


@pytest.mark.rule("2E-DMG-003", case=4)
def test_before_the_haunt_mental_damage_on_the_lowest_numbers_moves_nothing() -> None:
    table = struck_at_heart(sanity=1, knowledge=1)
    before = list(table.explorer(0).at)

    told = table.allocate(0, knowledge=1, sanity=1)

    assert the(told, DamageTaken).amount == 2
    assert (table.explorer(0).at, table.explorer(0).alive) == (before, True)


# -- 2E-DMG-005: a loss is no damage --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-DMG-005", case=1, asserts=True)
def test_a_loss_of_sanity_is_not_divided() -> None:
    table = Table()
    before = list(table.explorer(0).at)
    table.stack("tiles", "gardens")
    table.stack("event", "creepy-crawlies")

    told = table.rolls([1, 0, 0]).explore("east")

    assert not table.state.open
    assert not events(told, DamageTaken)
    assert [new - old for new, old in zip(table.explorer(0).at, before, strict=True)] == [0, 0, -1, 0]


@pytest.mark.rule("2E-DMG-005", case=2, asserts=True)
def test_armor_does_not_help_against_a_loss_of_might_and_does_against_damage() -> None:
    table = Table()
    table.hold(0, "armor")
    before = list(table.explorer(0).at)
    table.rolls([1, 0, 0, 0])
    table.draw(0, "event", "something-slimy")
    assert [new - old for new, old in zip(table.explorer(0).at, before, strict=True)] == [-1, 0, 0, 0]

    before = list(table.explorer(0).at)
    table.draw(0, "event", "spider")
    told = table.rolls([1, 0, 0], [1]).choose(0, "sanity")
    assert the(told, DamageReduced).amount == 0
    assert not table.state.open
    assert table.explorer(0).at == before


@pytest.mark.rule("2E-DMG-005", case=3, asserts=True)
def test_damage_of_both_kinds_is_divided_twice() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "burning-man")
    table.rolls([0, 0, 0], [2], [1]).explore("east")

    assert (table.asked(0).total, set(table.asked(0).caps)) == (2, {"might", "speed"})
    table.allocate(0, might=1, speed=1)
    assert (table.asked(0).total, set(table.asked(0).caps)) == (1, {"sanity", "knowledge"})
    table.allocate(0, knowledge=1)
    assert not table.state.open


# -- what answers damage --------------------------------------------------------------------------------------------------


def test_armor_takes_a_point_of_physical_damage_each_time() -> None:
    table = Table()
    table.hold(0, "armor")
    table.turn(0)
    debris(table, 1, 1)

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
        table.rolls([1, 1, 0, 0, 0, 0, 0, 0][: table.value(0, "speed")], [1])
        table.draw(0, "event", "angry-being")
        table.choose(0, "card:skull#CONVERT")
        table.allocate(0, might=1)
        assert table.explorer(0).at[0] == 3 - spaces

    table.swap(1, ["skull"])

    assert table.explorer(1).cards == ["skull"]


@pytest.mark.parametrize("points, left", [(1, 0), (2, 1)])
def test_what_a_damage_came_to_is_told_after_reductions(points: int, left: int) -> None:
    """A haunt that asks what the damage came to hears of what the Armor has left of it."""
    haunt = f"""
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      heroes:
        story: S
        goal: G
        actions:
          - word: FALL
            do:
              - damage: {{kind: physical, points: {points}}}
              - if: {{number: {{result: damage}}, at-least: 1}}
                then: [{{lose: {{trait: sanity}}}}]
      traitor-book: {{story: S, goal: G}}
    """
    table = Table(game=rules_with(haunt=haunt))
    table.hold(0, "armor")
    table.haunt("h", traitor=1)

    told = table.act("haunt:heroes", "FALL")
    if left:
        told = table.allocate(0, speed=left)

    assert bool([one for one in events(told, TraitChanged) if one.trait == "sanity"]) == bool(left)
