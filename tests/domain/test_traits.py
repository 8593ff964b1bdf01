"""Trait tracks: spaces and numbers, tops and skulls (rulebook: Explorer Traits)."""

import pytest

from content.vocabulary.base import TRAITS
from domain.events import TraitChanged
from projections.history import sentence
from tests.support.table import Table, the


def draw_event(table: Table, card: str, *rolls: list[int]) -> None:
    """Seat 0 discovers a room and draws this event."""
    table.stack("tiles", "gardens")
    table.stack("event", card)
    table.rolls(*rolls).explore("east")


@pytest.mark.rule("2E-TRAIT-001", asserts=True)
def test_an_explorer_has_four_tracks_each_with_a_clip() -> None:
    explorer = Table().explorer(0)
    assert sorted(TRAITS) == ["knowledge", "might", "sanity", "speed"]
    assert (len(explorer.tracks), len(explorer.at)) == (4, 4)


@pytest.mark.rule("2E-TRAIT-002", "2E-TRAIT-005", asserts=True)
def test_each_track_has_a_skull_below_its_lowest_number_and_damage_has_two_kinds() -> None:
    table = Table()
    for explorer in table.state.explorers:
        assert all(track[0] == 0 and len(track) == 9 and min(track[1:]) > 0 for track in explorer.tracks)
    draw_event(table, "angry-being", [0, 0, 0, 0], [2], [2])
    assert set(table.asked(0).caps) == {"sanity", "knowledge"}
    table.allocate(0, sanity=2)
    assert set(table.asked(0).caps) == {"might", "speed"}


@pytest.mark.rule("2E-TRAIT-003")
def test_a_gain_moves_the_clip_by_spaces_and_not_by_points() -> None:
    table = Table(("zoe-ingstrom", "ox-bellows", "jenny-leclerc"))
    table.traits(0, might=3)
    table.hold(0, "madman")  # 2 spaces of Might more, 1 of Sanity less

    assert table.value(0, "might") == 4
    assert table.value(0, "sanity") == 4


@pytest.mark.rule("2E-TRAIT-003")
def test_a_loss_may_leave_the_number_as_it_is() -> None:
    table = Table(("jenny-leclerc", "zoe-ingstrom", "ox-bellows"))
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "junk-room")
    table.turn(0)

    told = table.rolls([0, 0, 0, 0]).move("entrance-hall")

    assert the(told, TraitChanged).by == -1
    assert table.value(0, "speed") == 4


@pytest.mark.rule("2E-TRAIT-004")
def test_a_gain_past_the_top_stops_there() -> None:
    table = Table()
    table.clips(0, might=7)
    table.hold(0, "madman")

    assert table.explorer(0).at[0] == 8


@pytest.mark.rule("2E-TRAIT-004")
def test_a_gain_at_the_top_moves_nothing_and_is_told() -> None:
    table = Table()
    table.clips(0, might=8)
    table.lay("larder", "ground", 1, 0)
    table.put(0, "larder")
    table.turn(0)

    told = table.end_turn()

    assert (the(told, TraitChanged).to, the(told, TraitChanged).by) == (8, 0)
    assert (
        sentence(table.rules, the(told, TraitChanged), table.state)
        == "The might of Ox Bellows stays at its highest number."
    )


@pytest.mark.rule("2E-TRAIT-006")
def test_before_the_haunt_a_loss_stops_at_the_lowest_number_and_nobody_dies() -> None:
    table = Table()
    table.clips(0, knowledge=2)
    table.hold(0, "amulet-of-the-ages")
    table.clips(0, might=2, speed=2, sanity=2, knowledge=2)
    table.turn(0)

    table.drop("amulet-of-the-ages")  # costs 3 spaces of each trait

    assert table.explorer(0).at == [1, 1, 1, 1]
    assert table.explorer(0).alive
