"""The pile of tiles beside the stack: what everybody reads there, and what only some know (rulebook: Discovering Rooms)."""

from domain.facts.audience import REFEREE
from domain.facts.events import SlotSeen, TileSetAside, Told
from tests.support.table import Table, events


def test_a_tile_set_aside_shows_its_back_and_not_its_face() -> None:
    table = Table()
    table.stack("tiles", "catacombs", "bedroom", "dusty-hallway")
    sizes = {mask: role.decks["tiles"].size() for mask, role in table.roles.items()}

    told = table.explore("east")

    assert len(events(told, TileSetAside)) == 2
    for mask, role in table.roles.items():
        deck = role.decks["tiles"]
        assert [slot.back for slot in deck.aside] == ["basement", "upper"]
        assert deck.size() == sizes[mask] - 3
        if mask != REFEREE:
            assert not any(slot.face for slot in deck.aside)
            assert {"catacombs", "bedroom"} <= set(deck.pool)


def test_who_has_looked_at_a_tile_still_knows_it_when_it_is_set_aside() -> None:
    table = Table()
    table.stack("tiles", "catacombs", "dusty-hallway")
    seen = SlotSeen(deck="tiles", index=0, face="catacombs")
    table.commit([Told(0b1, seen)])

    table.explore("east")

    assert [slot.face for slot in table.view(0).decks["tiles"].aside] == ["catacombs"]
    assert [slot.face for slot in table.view(1).decks["tiles"].aside] == [""]


def test_a_look_at_a_slot_further_down_leaves_those_above_unknown_and_the_stack_as_high() -> None:
    table = Table()
    deck = table.view(0).decks["event"]
    size, face = deck.size(), deck.pool[5]

    table.commit([Told(0b1, SlotSeen(deck="event", index=3, face=face))])

    assert [slot.face for slot in deck.top] == ["", "", "", face]
    assert face not in deck.pool
    assert {role.decks["event"].size() for role in table.roles.values()} == {size}
    assert not any(slot.face for slot in table.view(1).decks["event"].top)
