"""Single steps: by which rule they are taken, and what comes between leaving a room and entering the next (rulebook: Move)."""

import pytest

from domain.facts.events import ExplorerDied, Moved
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

TRAPDOOR = """
  id: trapdoor
  floors: [ground]
  doors: [north, east, south, west]
  title: Trapdoor
  text: It lets nobody go alive.
  on: [{when: left, do: [{kill: you}]}]
"""


def sexton(room: str, *, part: int = 0) -> Table:
    """The Sexton stands there in the monsters' turn; the explorers are upstairs."""
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", room, part=part)
    table.turn(2, monsters=True)
    table.let_move(4, "sexton-1")
    return table


@pytest.mark.rule("2E-ROOM-011")
@pytest.mark.parametrize("part, to", [(0, "basement-landing"), (1, "larder")])
def test_a_monster_crosses_a_barrier_on_its_way_to_the_far_door(part: int, to: str) -> None:
    assert the(sexton("chasm", part=part).move(to, monster="sexton-1"), Moved).rule == "2E-ROOM-011"


@pytest.mark.rule("2E-MOVE-002")
@pytest.mark.parametrize("part, to", [(1, "basement-landing"), (0, "larder")])
def test_a_monster_crosses_nothing_on_its_way_to_the_near_door(part: int, to: str) -> None:
    assert the(sexton("chasm", part=part).move(to, monster="sexton-1"), Moved).rule == "2E-MOVE-002"


@pytest.mark.rule("2E-MOVE-002")
def test_a_monster_takes_the_stairs_like_anybody() -> None:
    assert the(sexton("grand-staircase").move("upper-landing", monster="sexton-1"), Moved).rule == "2E-MOVE-002"


@pytest.mark.parametrize("speed, kept", [(4, False), (3, True)])
def test_the_junk_room_would_have_kept_only_whom_it_cost_the_very_space_of_the_step(*, speed: int, kept: bool) -> None:
    """The third step of the turn needs a Speed of 3; leaving costs one of Speed."""
    table = Table()
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "foyer")
    table.turn(0)
    table.traits(0, speed=speed)
    table.move("entrance-hall", "junk-room")

    table.rolls([0] * table.value(0, "might")).move("entrance-hall")
    told = table.choose(0, "leave")

    assert table.value(0, "speed") == speed - 1
    assert the(told, Moved).spent == 1
    assert (the(told, Moved).rule == "2E-ROOM-027") == kept


def test_who_dies_on_the_way_out_does_not_arrive() -> None:
    table = Table(game=rules_with(tile=TRAPDOOR))
    table.lay("trapdoor", "ground", 1, 1)
    table.put(0, "trapdoor")
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)

    told = table.move("foyer")

    assert the(told, ExplorerDied).seat == 0
    assert not events(told, Moved)
    assert [pile.room for pile in table.view(1).piles] == ["trapdoor"]
    assert table.seat == 1
