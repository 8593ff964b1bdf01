"""What a turn offers and how it ends (rulebook 2022, How to Play, pp. 7-8)."""

import pytest

from domain.facts.commands import Act, Attack, EndTurn, Explore, Move, Trade
from domain.facts.events import (
    ActionTaken,
    CardDiscarded,
    CardDrawn,
    CardGained,
    DamageTaken,
    DiceRolled,
    Moved,
    RuleApplied,
    TilePlaced,
    Told,
    TurnEnded,
    TurnStarted,
)
from domain.facts.state import MODERATOR
from tests.support.packs import rules_with
from tests.support.table import Table, events, kinds, the
from tests.support.third import FRIENDS, discover, third


@pytest.mark.rule("3E-TURN-001", case=1)
def test_turns_pass_clockwise_from_the_first_player() -> None:
    table = third(first=1)
    order = [table.seat]
    for _ in range(3):
        table.end_turn()
        order.append(table.seat)
    assert order == [1, 2, 0, 1]


@pytest.mark.rule("3E-TURN-002", case=1)
def test_before_the_haunt_one_moves_trades_and_acts_and_attacks_nobody() -> None:
    table = third()
    table.hold(0, "mirror", "map")
    table.clips(0, sanity=1)
    table.turn(0)
    assert not table.offers(0, Attack)
    with table.refuses("3E-ATK-001"):
        table.attack(1)
    table.trade(1, ["map"])
    assert the(table.choose(1, "yes"), CardGained).seat == 1
    assert the(table.act("card:mirror", "HEAL"), ActionTaken).rule == "3E-TURN-002"
    assert the(table.move("hallway"), Moved).room == "hallway"


@pytest.mark.rule("3E-TURN-003", case=1)
def test_what_a_turn_offers_goes_in_any_order() -> None:
    table = third()
    table.hold(0, "mirror", "map")
    table.clips(0, sanity=1)
    table.put(1, "hallway")
    table.traits(0, speed=3)
    table.turn(0)
    table.move("hallway")
    table.swap(1, ["map"])
    table.move("entrance-hall")
    assert the(table.act("card:mirror", "HEAL"), ActionTaken).rule == "3E-TURN-003"
    table.move("hallway")
    assert table.explorer(0).spent == 3


@pytest.mark.rule("3E-TURN-004", case=1)
def test_a_turn_may_end_with_nothing_done() -> None:
    told = third().end_turn()
    assert the(told, TurnEnded).seat == 0
    assert the(told, TurnStarted).seat == 1


@pytest.mark.rule("3E-TURN-004", case=2)
def test_what_a_turn_leaves_over_is_gone() -> None:
    table = third()
    table.hold(0, "mirror")
    table.clips(0, sanity=1)
    table.traits(0, speed=3)
    table.turn(0)
    table.move("hallway")
    table.end_turn()
    assert table.seat == 1
    with table.refuses("3E-ACT-006"):
        table.play(0, Act(decision=table.now, source="card:mirror", word="HEAL"))
    table.begin_turn(0)
    assert (table.explorer(0).allowance, table.explorer(0).spent) == (3, 0)
    table.move("entrance-hall", "hallway", "entrance-hall")
    with table.refuses("3E-MOVE-001"):
        table.move("hallway")


@pytest.mark.rule("3E-TURN-005", case=1)
def test_a_discovery_ends_the_turn_with_movement_left() -> None:
    table = third()
    table.hold(0, "mirror", "map")
    table.clips(0, sanity=1)
    table.traits(0, speed=4)
    table.turn(0)
    number = table.now
    told = discover(table, "conservatory", item="skeleton-key")
    assert (the(told, TurnEnded).rule, table.seat) == ("3E-TURN-005", 1)
    for command in (
        Move(decision=number, to="entrance-hall"),
        Trade(decision=number, partner=1, gives=["map"]),
        Act(decision=number, source="card:mirror", word="HEAL"),
        EndTurn(decision=number),
    ):
        rule = "3E-ACT-006" if isinstance(command, Act) else "3E-TURN-001"
        with table.refuses(rule):
            table.play(0, command)
    assert not table.offers(0)


@pytest.mark.rule("3E-TURN-005", case=2)
def test_a_discovered_tile_without_a_symbol_ends_the_turn_too() -> None:
    table = third()
    told = discover(table, "larder")
    assert not events(told, CardDrawn)
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


LANTERN = """
id: lantern
deck: item
title: Lantern
text: T
actions:
- {word: FIND, title: Put a room into the house, do: [{place-tile: {floor: ground, discovered: false}}]}
- word: DISCOVER
  title: Discover a room
  do:
  - {place-tile: {floor: ground}}
  - {move: {to: placed-room}}
"""


@pytest.mark.rule("3E-TURN-005")
@pytest.mark.parametrize("word, ends", [("DISCOVER", True), ("FIND", False)])
def test_what_an_effect_discovers_ends_the_turn_and_what_it_only_places_does_not(word: str, ends: bool) -> None:  # noqa: FBT001 -- parametrized
    table = Table(FRIENDS, game=rules_with("third-edition", card=LANTERN))
    table.hold(0, "lantern")
    table.turn(0)
    table.stack("tiles", "larder")
    told = table.act("card:lantern", word)
    told += table.choose(0, table.asked(0).options[0])
    assert the(told, TilePlaced).tile == "larder"
    assert bool(events(told, TurnEnded)) == ends
    assert ends == (table.seat == 1)
    if not ends:
        assert the(discover(table, "conservatory", door="west", item="map"), TurnEnded).rule


@pytest.mark.rule("3E-TURN-006", case=1)
def test_the_turn_stays_open_until_the_events_roll_is_made() -> None:
    table = third()
    table.fate.pending = True  # somebody else throws the dice, and turns the tiles up
    told = discover(table, "kitchen", event="funeral")
    while not events(told, CardDrawn):
        told += table.moderate(pick=table.asked(MODERATOR).options[0])
    dice = table.asked(MODERATOR)
    assert dice.about.startswith("dice:")
    assert not events(told, TurnEnded)
    with table.refuses(problem="decision-closed"):
        table.end_turn()
    told = table.moderate([1] * dice.total)
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


def furnace(event: str, *faces: list[int]) -> tuple[Table, list[Told]]:
    """Seat 0 discovers the Furnace Room and draws this event there."""
    table = third()
    table.put(0, "basement-landing")
    table.turn(0)
    table.rolls(*faces)
    before = len(table.commits)
    discover(table, "furnace-room", event=event)
    return table, table.since(before)


@pytest.mark.rule("3E-TURN-006", case=2)
def test_the_furnace_burns_when_tile_and_event_are_done_and_then_the_turn_is_over() -> None:
    table, _ = furnace("behind-you", [2, 2, 0, 0, 0])
    table.allocate(0, might=1)
    told = [one for commit in table.commits[-3:] for one in commit]
    order = [
        kind
        for kind in kinds(told)
        if kind in (TilePlaced, CardDrawn, DiceRolled, CardDiscarded, DamageTaken, TurnEnded, TurnStarted)
    ]
    assert order == [TilePlaced, CardDrawn, DiceRolled, CardDiscarded, DamageTaken, TurnEnded, TurnStarted]
    assert {one.rule for one in events(told, RuleApplied)} >= {"3E-TURN-006", "3E-TURN-007"}


@pytest.mark.rule("3E-TURN-007", case=1)
def test_a_discovered_furnace_room_burns_its_discoverer() -> None:
    table, told = furnace("behind-you", [2, 2, 0, 0, 0])
    assert not events(told, TurnEnded)
    assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 1)
    told = table.allocate(0, speed=1)
    assert (the(told, DamageTaken).kind, the(told, TurnEnded).seat, table.seat) == ("physical", 0, 1)


@pytest.mark.rule("3E-TURN-007", case=2)
def test_the_furnace_burns_who_ends_a_turn_there_and_not_who_walks_through() -> None:
    for last in ("furnace-room", "basement-landing"):
        table = third()
        table.lay("furnace-room", "basement", 1, 0)  # doors east, south, west
        table.put(0, "basement-landing")
        table.turn(0)
        table.move("furnace-room")
        if last != "furnace-room":
            table.move(last)
        table.end_turn()
        assert table.is_asked(0) == (last == "furnace-room")
        if table.is_asked(0):
            assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 1)
            table.allocate(0, might=1)
        assert table.seat == 1


@pytest.mark.rule("3E-TURN-007", case=3, asserts=True)
def test_an_event_that_leads_out_of_the_furnace_room_saves_from_it() -> None:
    table, told = furnace("creaking-door", [0, 0, 0, 0])
    assert table.explorer(0).room == "basement-landing"
    assert not events(told, DamageTaken)
    assert (table.is_asked(0), table.seat) == (False, 1)


@pytest.mark.rule("3E-TURN-007", case=4)
def test_a_discovered_laundry_chute_leads_down_at_the_end_of_the_turn() -> None:
    table = third()
    told = discover(table, "laundry-chute")
    assert [one.room for one in events(told, Moved)] == ["laundry-chute", "basement-landing"]
    assert (table.explorer(0).room, table.seat) == ("basement-landing", 1)
    assert kinds(told).index(TurnEnded) > max(at for at, kind in enumerate(kinds(told)) if kind is Moved)


def test_nobody_explores_after_the_turn_has_ended() -> None:
    table = third()
    discover(table, "larder")
    assert not table.offers(0, Explore)
