"""Events that others may have to bear: who is meant, who pays, and who is attacked."""

import pytest

from domain.facts.events import (
    AttackDecided,
    CardLost,
    ExplorerAttacked,
    MonsterStunned,
    PileChanged,
    StackShuffled,
    Told,
    TraitChanged,
)
from domain.facts.state import MonsterId
from tests.support.fate import showing
from tests.support.table import Table, events, the


def draws(table: Table, card: str, seat: int = 0) -> list[Told]:
    """An explorer draws this event; what was told of it."""
    before = len(table.commits)
    table.draw(seat, "event", card)
    return table.since(before)


def test_the_mirror_takes_an_item_back_into_its_stack_and_teaches() -> None:
    table = Table()
    table.hold(0, "axe", "book")
    knowledge = table.explorer(0).at[3]
    told = draws(table, "image-in-the-mirror-b")

    assert "axe" in the(told, StackShuffled).order
    assert table.explorer(0).cards == ["book"]
    assert table.explorer(0).at[3] == knowledge + 1


def test_without_an_item_the_mirror_turns_to_the_next_on_the_left_who_has_one() -> None:
    table = Table()
    table.hold(1, "book")
    table.hold(2, "axe", "bell")
    draws(table, "image-in-the-mirror-b")
    assert table.asked(2).options == ["axe", "bell"]
    table.choose(2, "axe")

    assert table.explorer(2).cards == ["bell"]
    assert table.view(0).decks["event"].discard == ["image-in-the-mirror-b"]


def test_where_nobody_has_an_item_the_mirror_shows_nothing() -> None:
    table = Table()
    before = [list(one.at) for one in table.state.explorers]
    draws(table, "image-in-the-mirror-b")
    assert [list(one.at) for one in table.state.explorers] == before


def test_jonah_trades_the_puzzle_box_of_whoever_has_it() -> None:
    table = Table()
    table.hold(2, "puzzle-box")
    table.stack("item", "axe")
    sanity = table.explorer(0).at[2]
    draws(table, "jonahs-turn")

    assert table.explorer(2).cards == ["axe"]
    assert table.explorer(0).at[2] == sanity + 1


def test_without_the_puzzle_box_jonah_hurts() -> None:
    table = Table()
    table.rolls([2])
    draws(table, "jonahs-turn")
    assert table.asked(0).total == 2


def test_the_wind_blows_an_item_of_those_outside_to_the_entrance_hall() -> None:
    table = Table()
    table.lay("gardens", "ground", 0, 1)
    table.lay("patio", "ground", 1, 1)
    table.hold(1, "axe", "book")
    table.put(1, "patio")
    table.rolls(showing(table.value(1, "might"), 0), [1])
    draws(table, "shrieking-wind")
    told = table.allocate(1, might=1)

    assert (the(told, PileChanged).room, the(told, PileChanged).cards) == ("entrance-hall", ["axe"])
    assert table.explorer(1).cards == ["book"]


@pytest.mark.parametrize("faces, kind", [(4, "physical"), (2, "mental")])
def test_the_wind_hurts_at_a_window(faces: int, kind: str) -> None:
    table = Table()
    table.put(0, "grand-staircase")
    table.rolls(showing(table.value(0, "might"), faces), [1])
    draws(table, "shrieking-wind")
    assert table.asked(0).about == f"damage:{kind}"


def seeing_blood(table: Table) -> list[Told]:
    """Seat 0 draws Bloody Vision and fails."""
    table.rolls(showing(table.value(0, "sanity"), 0))
    return draws(table, "bloody-vision")


@pytest.mark.rule("2E-PREC-001")
def test_a_bloody_vision_makes_attack_the_weakest_explorer_before_the_haunt_and_next_door_too() -> None:
    table = Table()
    table.put(1, "foyer")
    table.clips(1, might=1)
    table.rolls(
        showing(table.value(0, "sanity"), 0), showing(table.value(0, "might"), 4), showing(table.value(1, "might"), 1)
    )
    told = draws(table, "bloody-vision")

    assert the(told, ExplorerAttacked).target == 1
    table.allocate(1, might=3)


def test_the_attack_of_a_vision_leaves_the_attack_of_the_turn() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.put(2, "upper-landing")
    table.turn(0)
    table.rolls(
        showing(table.value(0, "sanity"), 0), showing(table.value(0, "might"), 2), showing(table.value(1, "might"), 2)
    )
    told = draws(table, "bloody-vision")
    assert the(told, AttackDecided).target == 1

    table.rolls(showing(table.value(0, "might"), 2), showing(table.value(1, "might"), 2))
    table.attack(1)


def test_between_equally_weak_explorers_the_drawer_chooses_and_may_use_a_weapon() -> None:
    table = Table()
    table.clips(1, might=1)
    table.clips(2, might=1)
    even = table.value(1, "might") == table.value(2, "might")
    table.hold(0, "axe")
    seeing_blood(table)
    if even:
        assert table.asked(0).options == ["seat:1", "seat:2"]
        table.choose(0, "seat:2")
    assert table.asked(0).options == ["bare-hands", "axe"]


def test_a_monster_is_attacked_where_no_explorer_is_near() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.monster("sexton-1", "foyer")
    table.turn(0)
    might = table.state.monsters[MonsterId("sexton-1")].traits["might"]
    table.rolls(showing(table.value(0, "sanity"), 0), showing(table.value(0, "might"), 1), showing(might, 0))
    told = draws(table, "bloody-vision")
    assert the(told, MonsterStunned).monster == "sexton-1"


def test_a_vision_with_nobody_near_passes() -> None:
    table = Table()
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    told = seeing_blood(table)
    assert not events(told, ExplorerAttacked)
    assert not events(told, CardLost)


def in_the_chapel(*others: str) -> Table:
    """Seat 0 hears the Footsteps in the Chapel, seats 1 and 2 are in these rooms."""
    table = Table()
    table.lay("chapel", "upper", 0, 1, turns=2)
    table.put(0, "chapel")
    for seat, room in enumerate(others, 1):
        table.put(seat, room)
    table.turn(0)
    return table


def changes(told: list[Told]) -> list[tuple[int, str, int]]:
    """Whose traits changed, and by how much."""
    return [(one.seat, one.trait, one.by) for one in events(told, TraitChanged)]


@pytest.mark.parametrize(
    "faces, changed",
    [
        ([2, 2], [(0, "might", 1), (2, "might", 1)]),
        ([2, 1], [(0, "might", 1), (2, "sanity", -1)]),
        ([1, 1], [(0, "sanity", -1)]),
        ([1, 0], [(0, "speed", -1)]),
    ],
)
def test_footsteps_in_the_chapel_concern_the_nearest_explorer_too(
    faces: list[int], changed: list[tuple[int, str, int]]
) -> None:
    table = in_the_chapel("entrance-hall", "grand-staircase")
    table.rolls(faces)
    assert changes(draws(table, "footsteps")) == changed


def test_between_explorers_equally_near_the_one_who_hears_the_footsteps_chooses() -> None:
    table = in_the_chapel("foyer", "foyer")
    table.rolls([2, 2])
    draws(table, "footsteps")
    assert (table.asked(0).about, table.asked(0).options) == ("nearest", ["seat:1", "seat:2"])
    assert changes(table.choose(0, "seat:1")) == [(1, "might", 1)]


def test_footsteps_of_nothing_take_a_trait_of_everybodys_own_choice() -> None:
    table = in_the_chapel("foyer", "entrance-hall")
    table.rolls([0, 0])
    draws(table, "footsteps")
    for seat, trait in enumerate(("might", "sanity", "knowledge")):
        assert changes(table.choose(seat, trait)) == [(seat, trait, -1)]


def test_elsewhere_one_die_is_rolled_for_the_footsteps_whoever_is_in_the_chapel() -> None:
    table = Table()
    table.lay("chapel", "upper", 0, 1, turns=2)
    table.put(1, "chapel")
    table.turn(0)
    table.rolls([2])
    assert changes(draws(table, "footsteps")) == [(0, "sanity", -1)]


def test_a_way_that_only_monsters_climb_makes_nobody_nearest() -> None:
    """The basement has no way up but the Coal Chute, which lets nobody climb: so there is a way to nobody."""
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.put(0, "basement-landing")
    table.turn(0)
    assert footsteps_in_the_basement(table) == [(0, "might", 1)]
    assert not table.state.open, "nobody is asked who the nearest is"


def footsteps_in_the_basement(table: Table) -> list[tuple[int, str, int]]:
    """A Candle adds no die here, but the Angel Feather names the result that takes two."""
    table.hold(0, "angel-feather")
    table.turn(0)
    draws(table, "footsteps")
    table.choose(0, "card:angel-feather#NAME")
    return changes(table.choose(0, "4"))
