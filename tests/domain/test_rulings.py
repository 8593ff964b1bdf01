"""Rulings that a table may choose when it opens a game: each alternative makes the difference that it tells."""

from typing import Any

import pytest

from domain.commands import Cross
from domain.events import DamageTaken, DiceRolled, Told, TraitChanged
from projections.labels import Labels
from tests.support.fate import showing
from tests.support.packs import rules
from tests.support.table import Table, events, the
from tests.support.third import FRIENDS


def opened(piece: str, alternative: str, edition: str = "second-edition") -> Table:
    """A table that has chosen this alternative."""
    assert alternative in rules(edition).pack.alternatives[piece]
    options: dict[str, Any] = {"rulings": {piece: alternative}}
    if edition == "third-edition":
        return Table(FRIENDS, game=rules(edition), options=options)
    return Table(options=options)


def draws(table: Table, card: str) -> list[Told]:
    """Seat 0 draws this event."""
    before = len(table.commits)
    table.stack("event", card)
    table.draw(0, "event")
    return [one for commit in table.commits[before:] for one in commit]


def changes(told: list[Told]) -> list[tuple[str, int]]:
    """Which traits changed, and by how much."""
    return [(one.trait, one.by) for one in events(told, TraitChanged)]


def test_a_bottle_may_cost_sanity_and_last() -> None:
    for alternative, trait, kept in (
        ("bottle-costs-sanity", "sanity", []),
        ("bottle-lasts", "might", ["bottle"]),
    ):
        table = opened("bottle", alternative)
        table.hold(0, "bottle")
        table.haunt("the-bell-below", traitor=1)
        told = table.rolls([1, 1, 1]).act("card:bottle", "DRINK")
        assert changes(told) == [("knowledge", 1), (trait, -1)]
        assert table.explorer(0).cards == kept


def test_the_salve_may_heal_one_trait_only() -> None:
    table = opened("healing-salve", "salve-heals-one")
    table.hold(0, "healing-salve")
    table.clips(0, might=1, speed=1)
    table.turn(0)
    table.act("card:healing-salve", "HEAL", target=0)
    told = table.choose(0, "speed")
    assert [trait for trait, _ in changes(told)] == ["speed"]


def test_a_night_view_may_hurt() -> None:
    table = opened("night-view", "night-view-hurts")
    table.rolls(showing(table.value(0, "knowledge"), 0), [1])
    draws(table, "night-view")
    assert table.asked(0).about == "damage:mental"


def test_hanged_men_may_raise_a_trait_by_2() -> None:
    table = opened("hanged-men", "hanged-men-raise-2")
    table.rolls(*[showing(table.value(0, trait), 2) for trait in ("might", "speed", "sanity", "knowledge")])
    draws(table, "hanged-men")
    assert changes(table.choose(0, "might")) == [("might", 2)]


def test_possession_may_raise_the_trait_that_was_rolled() -> None:
    table = opened("possession", "possession-raises-rolled")
    table.rolls(showing(table.value(0, "speed"), 4))
    draws(table, "possession")
    assert changes(table.choose(0, "speed")) == [("speed", 1)]


def test_the_mists_may_bruise() -> None:
    table = opened("mists-from-the-walls", "mists-physical")
    table.lay("catacombs", "basement", 0, 1)
    table.lay("organ-room", "basement", 1, 0)
    table.lay("pentagram-chamber", "basement", 0, -1)
    room = next(one for one in ("organ-room", "catacombs") if "event" in table.rules.pack.tiles[one].symbols)
    table.put(0, room)
    table.rolls(showing(table.value(0, "sanity"), 1), [1], [1])
    draws(table, "mists-from-the-walls")
    table.allocate(0, sanity=1)
    assert table.asked(0).about == "damage:physical"


def test_a_shriek_may_spare_the_traitor_without_asking() -> None:
    table = opened("hideous-shriek", "shriek-spares-traitor")
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 4), showing(table.value(2, "sanity"), 4))
    draws(table, "hideous-shriek")
    assert not table.state.open


def test_the_beckoning_may_reach_the_patio() -> None:
    table = opened("the-beckoning", "beckoning-patio")
    table.lay("gardens", "ground", 0, 1)
    table.lay("patio", "ground", 1, 1)
    table.put(0, "patio")
    table.rolls(showing(table.value(0, "sanity"), 3))
    draws(table, "the-beckoning")
    assert not table.fate.dice


def test_a_vision_may_reach_next_door_only() -> None:
    table = opened("bloody-vision", "bloody-vision-next-room")
    table.rolls(showing(table.value(0, "sanity"), 0))
    draws(table, "bloody-vision")
    assert not table.state.open


def test_a_mask_may_leave_its_mark() -> None:
    table = opened("mask", "mask-marks")
    table.hold(0, "mask")
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 4))
    table.act("card:mask", "CHANGE")
    table.choose(0, "put-on")
    table.turn(0)
    assert changes(table.drop("mask")) == []


@pytest.mark.parametrize(
    "card, alternative, trait, result, expected",
    [
        ("alien-geometry", "geometry-teaches", "knowledge", 4, [("knowledge", 1)]),
        ("impossible-architecture", "architecture-is-empty", "sanity", 4, []),
    ],
)
def test_third_edition_events_may_be_told_otherwise(
    card: str, alternative: str, trait: str, result: int, expected: list[tuple[str, int]]
) -> None:
    table = opened(card, alternative, "third-edition")
    table.rolls(showing(table.value(0, trait), result))
    told = draws(table, card)
    assert changes(told) == expected
    assert table.explorer(0).cards == []


# -- rooms ------------------------------------------------------------------------------------------------------------------


def test_the_catacombs_may_be_easier_to_cross() -> None:
    table = opened("catacombs", "catacombs-on-3")
    table.lay("catacombs", "basement", 0, 1)
    table.put(0, "catacombs", part=0)
    table.turn(0)
    (cross,) = table.offers(0, Cross)
    assert "(sanity 3+)" in Labels(table.rules, table.view(0)).of(cross)

    table.rolls(showing(table.value(0, "sanity"), 3)).cross()

    assert table.view(1).explorers[0].part == 1


def test_the_fall_from_the_gallery_may_deal_a_point() -> None:
    table = opened("gallery", "gallery-hurts-1")
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.put(0, "gallery")
    table.turn(0)

    table.act("tile:gallery", "FALL")
    told = table.allocate(0, might=1)

    assert the(told, DamageTaken).amount == 1
    assert changes(told) == [("might", -1)]


@pytest.mark.parametrize("chosen, lost", [(True, 1), (False, 0)])
def test_the_junk_room_may_ask_for_more(*, chosen: bool, lost: int) -> None:
    table = opened("junk-room", "junk-room-on-4") if chosen else Table()
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "junk-room")
    table.turn(0)
    told = table.rolls(showing(table.value(0, "might"), 3)).move("entrance-hall")
    assert changes(told) == [("speed", -1)] * lost


def test_the_elevator_may_ride_before_the_haunt_with_whoever_stays() -> None:
    table = opened("mystic-elevator", "elevator-rolls-early")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.put(0, "mystic-elevator")
    table.turn(0)
    told = table.rolls([1, 0]).end_turn()
    assert the(told, DiceRolled).faces == [1, 0]


@pytest.mark.parametrize("chosen", [True, False])
def test_the_vault_may_let_go_of_whoever_fails(*, chosen: bool) -> None:
    table = opened("vault", "vault-lets-go") if chosen else Table()
    table.lay("vault", "basement", 0, 1, turns=2)
    table.put(0, "vault")
    table.turn(0)
    table.rolls(showing(table.value(0, "knowledge"), 2)).act("tile:vault", "OPEN")
    assert bool(table.goals(0)) == chosen
