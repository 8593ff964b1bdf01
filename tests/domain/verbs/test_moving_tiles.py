"""Who says where a tile goes that an effect moves, and what goes with one that it takes out of the house."""

import pytest

from domain.facts.commands import Explore
from domain.facts.events import Fizzled, TileMoved, TileRemoved
from tests.support.packs import rules_with
from tests.support.table import Table, the


def carousel() -> Table:
    """Seat 0 stands in the Kitchen, one of several places on the ground floor to which it could swing; seat 1 is the traitor."""
    table = Table()
    table.lay("kitchen", "ground", -1, 0)
    table.put(0, "kitchen")
    table.put(2, "foyer")
    table.haunt("the-carousel", traitor=1, room="entrance-hall")
    table.turn(1)
    return table


def falls(table: Table) -> int:
    haunt = table.state.haunt
    assert haunt is not None
    return haunt.counters["falls"]


def test_who_turns_the_crank_says_where_the_room_swings() -> None:
    table = carousel()

    table.rolls([2] * table.value(0, "speed"))
    table.act("haunt:traitor", "CRANK", 0)

    assert not table.is_asked(0)
    told = table.choose(1, table.asked(1).options[0])
    assert the(told, TileMoved).tile == "kitchen"
    assert falls(table) == 0


def test_a_hero_may_fall_even_where_the_crank_can_swing_no_room() -> None:
    table = carousel()
    table.rolls([0] * table.value(2, "speed"))

    told = table.act("haunt:traitor", "CRANK", 2)  # in the Foyer, which never moves

    assert not [one for one in told if isinstance(one.event, TileMoved)]
    assert falls(table) == 1


def test_a_hero_whose_room_swings_as_a_round_begins_says_where() -> None:
    table = carousel()

    table.begin_turn(2)

    assert table.asked(0).about == "move-tile:kitchen"


GOING = """
  id: going
  title: Going
  stage: draft
  kind: one-traitor
  story: S
  tokens: [{id: hatch, title: Hatch, links-alike: true, text: It leads to every other one.}]
  monsters: {rat: {title: Rat, speed: 2, might: 2}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: TAKE, do: [{remove-tile: {tile: kitchen}}]}
      - {word: SEND, do: [{place-monster: {kind: rat, at: room-of-haunt}}]}
  traitor-book: {story: S, goal: G}
"""


def going() -> Table:
    """The Kitchen lies west of the Entrance Hall's row, nobody is there, and in it is a hatch that leads to the Foyer."""
    table = Table(game=rules_with(haunt=GOING))
    table.lay("kitchen", "ground", -1, 0)
    table.haunt("going", traitor=1, room="kitchen")
    for room in ("kitchen", "foyer"):
        table.token("hatch", room)
    return table


def test_a_tile_that_is_taken_out_of_the_house_leaves_nothing_behind() -> None:
    table = going()
    left = table.state.decks["tiles"].size()
    told = table.act("haunt:heroes", "TAKE")
    assert the(told, TileRemoved).tile == "kitchen"
    assert table.state.decks["tiles"].size() == left + 1
    for state in (table.state, *table.roles.values()):
        assert "kitchen" not in {*state.rooms, *state.grid.values(), *(one.room for one in state.tokens)}
        assert not [room.id for room in state.rooms.values() if "kitchen" in room.near]
        assert not any("kitchen" in (at, link.to) for at, links in state.links.items() for link in links)
        deck = state.decks["tiles"]
        assert "kitchen" in deck.pool
        assert len(deck.pool) == deck.unknown + sum(not slot.face for slot in (*deck.top, *deck.aside))
    table.act("haunt:heroes", "SEND")
    assert not table.state.monsters, "the room of the haunt is gone"


def test_it_can_be_discovered_again() -> None:
    table = going()
    table.act("haunt:heroes", "TAKE")
    table.stack("tiles", "kitchen")
    table.stack("omen", "ring")
    table.play(0, next(one for one in table.offers(0) if isinstance(one, Explore)))
    table.lay_anyhow()
    assert "kitchen" in table.state.rooms


@pytest.mark.parametrize("who", ["explorer", "corpse", "monster", "cards"])
def test_a_tile_on_which_somebody_or_something_is_stays(who: str) -> None:
    table = going()
    if who == "monster":
        table.monster("rat-1", "kitchen")
    else:
        table.put(2, "kitchen")
    if who == "corpse":
        table.die(2)
    if who == "cards":
        table.hold(2, "axe")
        table.turn(2)
        table.drop("axe")
        table.put(2, "foyer")
        table.turn(0)
    assert the(table.act("haunt:heroes", "TAKE"), Fizzled).what == "remove-tile"
    assert "kitchen" in table.state.rooms
