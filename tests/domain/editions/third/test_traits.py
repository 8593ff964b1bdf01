"""Traits, damage and dice before the haunt (rulebook 2022, Traits, Damage, Dice, pp. 8-10)."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from domain.facts.commands import Allocate
from domain.facts.events import DamageTaken, DiceRolled, ExplorerDied, RuleApplied, Told, TraitChanged
from domain.queries.characters import critical
from domain.queries.spread import spread
from tests.support.fate import showing
from tests.support.packs import rules_with
from tests.support.table import Table, events, the
from tests.support.third import FRIENDS, discover, haunted, third

MIGHT = [3, 3, 4, 4, 5, 6, 6, 7]
"""Oliver's row, which the rulebook shows; he sits at seat 0."""


def event_that(*steps: str) -> Table:
    """A table with an event of its own that does this; seat 0 has the turn."""
    card = f"{{id: trouble, deck: event, title: Trouble, text: T, do: [{', '.join(steps)}]}}"
    return Table(FRIENDS, game=rules_with("third-edition", card=card))


def suffers(table: Table) -> list[Told]:
    """Seat 0 draws that event."""
    return table.draw(0, "event", "trouble")


def in_haunt(*steps: str) -> Table:
    """A haunt in which seat 0 can have something done to itself."""
    return haunted(f"{{word: SUFFER, title: S, do: [{', '.join(steps)}]}}", monsters="{}")


# -- traits ---------------------------------------------------------------------------------------------------------


def might(space: int) -> Table:
    """Oliver's Might on a space, counted from 1."""
    table = third()
    assert table.view(0).explorers[0].tracks[0] == [0, *MIGHT]
    table.clips(0, might=space)
    return table


@pytest.mark.rule("3E-TRAIT-002", case=1, asserts=True)
def test_a_clip_may_move_and_the_value_stay() -> None:
    table = event_that("{lose: {trait: might}}")
    table.clips(0, might=4)
    assert table.value(0, "might") == 4
    suffers(table)
    assert (table.explorer(0).at[0], table.value(0, "might")) == (3, 4)


@pytest.mark.rule("3E-TRAIT-003", case=1, asserts=True)
def test_everybody_sees_the_traits_of_everybody_the_traitor_included() -> None:
    table = in_haunt("{lose: {trait: might}}")
    table.clips(1, might=5)
    values = [
        [one.value(trait) for trait in ("might", "speed", "sanity", "knowledge")] for one in table.state.explorers
    ]
    for role in table.roles.values():
        assert [
            [one.value(trait) for trait in ("might", "speed", "sanity", "knowledge")] for one in role.explorers
        ] == values


@pytest.mark.rule("3E-TRAIT-004", case=1)
def test_a_gain_moves_the_clip_a_space_up() -> None:
    table = event_that("{gain: {trait: might}}")
    table.clips(0, might=5)
    told = the(suffers(table), TraitChanged)
    assert (told.to, told.by, table.value(0, "might")) == (6, 1, 6)


@pytest.mark.rule("3E-TRAIT-005", case=1)
def test_a_loss_moves_the_clip_a_space_down() -> None:
    table = event_that("{lose: {trait: might}}")
    table.clips(0, might=5)
    told = the(suffers(table), TraitChanged)
    assert (told.to, told.by, table.value(0, "might")) == (4, -1, 4)


@pytest.mark.rule("3E-TRAIT-006", case=1)
def test_a_gain_past_the_top_is_lost_and_a_loss_counts_from_the_top() -> None:
    table = event_that("{gain: {trait: might, steps: 2}}", "{lose: {trait: might}}")
    table.clips(0, might=7)
    told = events(suffers(table), TraitChanged)
    assert [(one.to, one.by) for one in told] == [(8, 1), (7, -1)]
    assert table.explorer(0).surplus == {}


@pytest.mark.rule("3E-TRAIT-006", case=2, asserts=True)
def test_the_last_space_is_the_top_even_where_its_number_is_no_higher() -> None:
    card = "{id: trouble, deck: event, title: Trouble, text: T, do: [{gain: {trait: might}}]}"
    table = Table(("josef-brosef-hooper", *FRIENDS[1:]), game=rules_with("third-edition", card=card))
    assert table.view(0).explorers[0].tracks[0] == [0, 4, 4, 4, 5, 6, 7, 8, 8]
    table.clips(0, might=7)
    suffers(table)
    assert (table.explorer(0).at[0], table.value(0, "might")) == (8, 8)


@pytest.mark.parametrize(
    "space, healed",
    [
        pytest.param(1, 3, marks=pytest.mark.rule("3E-TRAIT-007", case=1)),
        pytest.param(4, 4, marks=pytest.mark.rule("3E-TRAIT-007", case=2, asserts=True)),
    ],
)
def test_healing_brings_a_clip_up_to_its_starting_space(space: int, healed: int) -> None:
    table = event_that("{heal: {traits: [might]}}")
    assert table.explorer(0).starts[0] == 3
    table.clips(0, might=space)
    told = events(suffers(table), TraitChanged)
    assert (len(told), table.explorer(0).at[0]) == (int(space < healed), healed)


@pytest.mark.rule("3E-TRAIT-007", case=3)
def test_healing_moves_a_clip_even_to_a_space_with_the_same_number() -> None:
    """Oliver's Sanity is the row of the example."""
    table = event_that("{heal: {traits: [sanity]}}")
    explorer = table.explorer(0)
    assert (explorer.tracks[2], explorer.starts[2]) == ([0, 2, 3, 3, 4, 5, 5, 6, 7], 3)
    table.clips(0, sanity=2)
    assert table.value(0, "sanity") == 3
    suffers(table)
    assert (table.explorer(0).at[2], table.value(0, "sanity")) == (3, 3)


@pytest.mark.rule("3E-TRAIT-008", case=1, asserts=True)
def test_only_the_space_next_to_the_skull_is_critical() -> None:
    table = might(1)
    assert (table.value(0, "might"), critical(table.state, 0)) == (3, ["might"])
    table = might(2)
    assert (table.value(0, "might"), critical(table.state, 0)) == (3, [])


# -- damage ---------------------------------------------------------------------------------------------------------


def damaged(kind: str, points: int, **clips: int) -> Table:
    """Seat 0 is asked to divide damage, before the haunt, with its clips on these spaces."""
    table = event_that(f"{{damage: {{kind: {kind}, points: {points}}}}}")
    table.clips(0, **clips)
    suffers(table)
    return table


@pytest.mark.rule("3E-DMG-002", case=1)
def test_physical_damage_goes_to_might_and_speed() -> None:
    table = damaged("physical", 3, might=5, speed=5)
    with table.refuses("3E-DMG-002"):
        table.allocate(0, might=2, sanity=1)
    told = table.allocate(0, might=2, speed=1)
    assert (the(told, DamageTaken).kind, table.explorer(0).at[:2]) == ("physical", [3, 4])


@pytest.mark.rule("3E-DMG-003", case=1)
def test_mental_damage_goes_to_knowledge_and_sanity() -> None:
    table = damaged("mental", 2, sanity=5, knowledge=5)
    with table.refuses("3E-DMG-003"):
        table.allocate(0, speed=2)
    table.allocate(0, knowledge=1, sanity=1)
    assert table.explorer(0).at[2:] == [4, 4]


@pytest.mark.rule("3E-DMG-004", case=1)
def test_general_damage_goes_to_any_traits() -> None:
    table = damaged("general", 3)
    told = table.allocate(0, might=1, knowledge=1, sanity=1)
    assert (the(told, DamageTaken).kind, len(events(told, TraitChanged))) == ("general", 3)


@pytest.mark.rule("3E-DMG-005", case=1)
def test_damage_counts_spaces_and_not_numbers() -> None:
    table = damaged("physical", 2, might=4, speed=5)
    table.allocate(0, might=2)
    assert (table.explorer(0).at[0], table.value(0, "might")) == (2, 3)


@pytest.mark.rule("3E-DMG-006", case=1, asserts=True)
@pytest.mark.parametrize("might", range(5))
def test_damage_is_divided_in_any_way(might: int) -> None:
    table = damaged("physical", 4, might=8, speed=8)
    table.allocate(0, might=might, speed=4 - might)
    assert table.explorer(0).at[:2] == [8 - might, 4 + might]


@pytest.mark.rule("3E-DMG-006")
def test_damage_goes_nowhere_else() -> None:
    table = damaged("general", 2)
    with table.refuses("3E-DMG-006"):
        table.play(0, Allocate(decision=table.asked(0).id, points={"luck": 2}))


@pytest.mark.parametrize(
    "points",
    [
        pytest.param({"might": 2}, marks=pytest.mark.rule("3E-DMG-007", case=1)),
        pytest.param({"might": 2, "speed": 2}, marks=pytest.mark.rule("3E-DMG-007", case=2)),
    ],
)
def test_no_more_and_no_less_than_the_damage_is_assigned(points: dict[str, int]) -> None:
    table = damaged("physical", 3, might=5, speed=5)
    with table.refuses("3E-DMG-007"):
        table.allocate(0, **points)


@pytest.mark.rule("3E-DMG-007", case=3, asserts=True)
def test_in_the_haunt_a_point_to_each_critical_trait_is_a_full_assignment() -> None:
    table = in_haunt("{damage: {kind: physical, points: 5}}")
    table.clips(0, might=1, speed=1)
    table.turn(0)
    told = table.act("haunt:heroes", "SUFFER")
    assert (the(told, DamageTaken).amount, table.explorer(0).at[:2]) == (5, [0, 0])


@pytest.mark.rule("3E-DMG-008", case=1)
def test_the_attacker_does_not_divide_the_defenders_damage() -> None:
    table = haunted()
    table.traits(0, might=7)
    table.traits(1, might=2)
    table.turn(0)
    table.rolls(showing(7, 4), showing(2, 2))
    table.attack(1)
    decision = table.asked(1)
    assert decision.about == "damage:physical"
    with table.refuses("3E-DMG-008", problem="not-your-decision"):
        table.play(0, Allocate(decision=decision.id, points={"might": 2}))
    table.allocate(1, might=1, speed=1)


@pytest.mark.rule("3E-DMG-009", case=1)
def test_ten_points_before_the_haunt_kill_nobody() -> None:
    table = event_that("{damage: {kind: physical, points: 10}}")
    told = suffers(table)
    assert not events(told, ExplorerDied)
    assert (table.explorer(0).alive, table.explorer(0).at[:2]) == (True, [1, 1])


@pytest.mark.rule("3E-DMG-010", case=1)
def test_surplus_damage_before_the_haunt_vanishes() -> None:
    table = event_that("{damage: {kind: physical, points: 3}}")
    table.clips(0, might=1, speed=2)
    told = suffers(table)
    assert [(one.trait, one.by) for one in events(told, TraitChanged)] == [("speed", -1)]
    assert table.explorer(0).at[:2] == [1, 1]


@pytest.mark.rule("3E-DMG-010", case=2)
def test_a_loss_before_the_haunt_ends_at_critical() -> None:
    table = event_that("{lose: {trait: might, steps: 2}}")
    table.clips(0, might=2)
    suffers(table)
    assert (table.explorer(0).at[0], table.explorer(0).alive) == (1, True)


def test_damage_that_is_taken_in_full_is_no_surplus() -> None:
    table = damaged("physical", 2, might=5, speed=5)
    told = table.allocate(0, might=2)
    assert not {one.rule for one in events(told, RuleApplied)} & {"3E-DMG-009", "3E-DMG-010"}


@pytest.mark.rule("3E-DMG-011", case=1, asserts=True)
def test_a_critical_trait_is_spared_while_the_other_takes_all() -> None:
    table = damaged("physical", 2, might=1, speed=3)
    assert not table.is_asked(0), "there is only one way to divide it"
    assert table.explorer(0).at[:2] == [1, 1]


@pytest.mark.rule("3E-DMG-011", case=2)
def test_a_trait_that_becomes_critical_takes_no_further_point() -> None:
    table = damaged("physical", 2, might=2, speed=4)
    with table.refuses("3E-DMG-011"):
        table.allocate(0, might=2)
    for points, left in (({"might": 1, "speed": 1}, [1, 3]), ({"speed": 2}, [2, 2])):
        table = damaged("physical", 2, might=2, speed=4)
        table.allocate(0, **points)
        assert table.explorer(0).at[:2] == left


@pytest.mark.rule("3E-DMG-011", case=3)
@pytest.mark.parametrize("trait", ["speed", "knowledge", "sanity"])
def test_general_damage_spares_a_critical_trait_too(trait: str) -> None:
    table = damaged("general", 1, might=1)
    with table.refuses("3E-DMG-011"):
        table.allocate(0, might=1)
    assert the(table.allocate(0, **{trait: 1}), TraitChanged).trait == trait


@pytest.mark.rule("3E-DMG-011", case=4, asserts=True)
def test_damage_of_a_kind_whose_traits_are_critical_moves_no_clip() -> None:
    table = event_that("{damage: {kind: physical, points: 2}}")
    table.clips(0, might=1, speed=1, sanity=3)
    assert not events(suffers(table), TraitChanged)
    assert not table.is_asked(0)


@pytest.mark.rule("3E-DMG-011", case=5, asserts=True)
def test_in_the_haunt_a_critical_trait_may_take_damage_and_kill() -> None:
    table = in_haunt("{damage: {kind: physical, points: 1}}")
    table.clips(0, might=1, speed=3)
    table.turn(0)
    table.act("haunt:heroes", "SUFFER")
    told = table.allocate(0, might=1)
    assert the(told, ExplorerDied).seat == 0


# -- dice -----------------------------------------------------------------------------------------------------------


def rolled(dice: int, faces: Sequence[int]) -> DiceRolled:
    """A roll of so many dice, that an event asks for."""
    table = event_that(f"{{roll: {{dice: {dice}}}, outcomes: {{0+: []}}}}")
    table.rolls(faces)
    return the(suffers(table), DiceRolled)


@pytest.mark.rule("3E-DICE-001", case=1, asserts=True)
def test_each_face_of_a_die_is_as_likely_as_the_others() -> None:
    assert spread(1) == {face: Fraction(1, 3) for face in (0, 1, 2)}
    told = rolled(3, [0, 1, 2])
    assert (told.faces, set(told.faces) <= {0, 1, 2}) == ([0, 1, 2], True)


@pytest.mark.rule("3E-DICE-002", case=1)
def test_the_result_is_what_all_dice_show_together() -> None:
    assert rolled(4, [2, 0, 1, 1]).total == 4


@pytest.mark.rule("3E-DICE-002")
def test_more_than_eight_dice_are_all_thrown() -> None:
    table = event_that("{roll: {trait: might}, outcomes: {0+: []}}")
    table.hold(0, "flashlight")
    table.clips(0, might=8)
    table.turn(0)
    table.rolls([2] * 9)
    suffers(table)
    told = the(table.choose(0, "card:flashlight#SHINE"), DiceRolled)
    assert (len(told.faces), told.total, told.rule) == (9, 18, "3E-DICE-002")


def test_a_roll_of_no_dice_comes_to_0() -> None:
    table = third()
    table.draw(0, "item")  # nothing is rolled for it
    table.draw(0, "event", "eerie-mirror")
    told = table.rolls([]).choose(0, "yes")
    assert [(one.faces, one.total) for one in events(told, DiceRolled)] == [([], 0)]


@pytest.mark.rule("3E-DICE-003", case=1)
def test_a_trait_roll_has_as_many_dice_as_the_trait_is_worth() -> None:
    table = Table(("michelle-monroe", *FRIENDS[:2]), game=third().rules)
    table.traits(0, sanity=5)
    table.rolls([1] * 5)
    told = discover(table, "kitchen", event="funeral")
    rolled = the(told, DiceRolled)
    assert (len(rolled.faces), rolled.trait, rolled.rule) == (5, "sanity", "3E-DICE-003")


@pytest.mark.rule("3E-DICE-007", case=1, asserts=True)
@pytest.mark.parametrize("total, met", [(5, True), (6, True), (4, False)])
def test_5_or_more_is_met_by_5_and_by_6_and_not_by_4(total: int, met: bool) -> None:  # noqa: FBT001 -- parametrized
    table = event_that("{roll: {dice: 3}, outcomes: {5+: [{gain: {trait: might}}], 0-4: [{lose: {trait: might}}]}}")
    table.rolls(showing(3, total))
    assert the(suffers(table), TraitChanged).by == (1 if met else -1)
