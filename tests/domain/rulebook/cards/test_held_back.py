"""Explorers that an event holds back: how often they try, and what ends it (rulebook: Event Cards)."""

import pytest

from domain.engine.rules import Rules
from domain.facts.commands import BreakFree, Drop, Move, PickUp, Trade
from domain.facts.events import ExplorerFreed, ExplorerHeld, Stopped
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

GLUE = """
  id: glue
  floors: [ground]
  doors: [north, east, south, west]
  title: Glue
  text: It lets go of those who pull.
  on: [{when: entered, for: everyone, do: [{trap: {trait: might, at-least: 1, tries: 3}}]}]
"""
RESCUE = """
  id: rescue
  title: Rescue
  stage: draft
  kind: one-traitor
  story: S
  heroes:
    story: S
    goal: G
    actions: [{word: CARRY, do: [{who: {each: hero, besides-you: true}, VERB: you}]}]
  traitor-book: {story: S, goal: G}
"""
QUICKSAND = """
  id: quicksand
  deck: event
  title: Quicksand
  text: It holds, and then it swallows.
  do:
    - {trap: {trait: might, at-least: 4, tries: 3}}
    - {lose: {trait: might}}
"""
MISSED = [1, 1, 1, 0, 0]
"""Ox Bellows' Might of 5 comes to 3."""


def caught(event: str, game: Rules | None = None, rulings: dict[str, str] | None = None) -> Table:
    """Seat 0 has drawn the event, in a garden that no one else is in, and it holds."""
    table = Table(game=game, options={"rulings": rulings} if rulings else None)
    table.hold(0, "axe")
    table.hold(1, "armor")
    table.turn(0)
    table.stack("tiles", "gardens")
    table.stack("event", event)
    table.traits(0, might=5, speed=5)
    if event == "webs":
        table.rolls(MISSED).explore("east")
    else:
        table.rolls([1, 0, 0, 0, 0], [0]).explore("east")
    return table


@pytest.mark.parametrize("event, number", [("webs", 2), ("debris", 3)])
def test_so_many_tries_in_vain_and_the_next_turn_begins_in_freedom(event: str, number: int) -> None:
    """The roll on Webs was the first of its three tries."""
    table = caught(event)
    table.turn(0)
    for left in range(number, 0, -1):
        assert [one.seat for one in table.offers(0, BreakFree) if isinstance(one, BreakFree)] == [0]
        told = table.rolls(MISSED).break_free(0)
        assert the(told, ExplorerHeld).tries_left == left - 1
        assert table.explorer(0).held is not None
        with table.refuses("2E-ROLL-003"):
            table.break_free(0)
        for _ in range(3):
            table.end_turn()

    assert the(table.commits[-1], ExplorerFreed).seat == 0
    assert table.explorer(0).held is None
    assert table.offers(0, Move)
    assert table.view(1).decks["event"].discard == [event]


def test_who_is_held_may_do_nothing_else() -> None:
    table = caught("webs")
    table.pile("gardens", "bottle")
    table.turn(0)
    assert not [one for one in table.offers(0) if isinstance(one, Move | Drop | Trade | PickUp)]
    with table.refuses("2E-PREC-001"):
        table.drop("axe")


def test_a_friend_in_the_room_may_try_once_a_turn_and_one_elsewhere_may_not() -> None:
    table = caught("debris")
    table.turn(1)
    assert not table.offers(1, BreakFree)
    with table.refuses("2E-PREC-001"):
        table.break_free(0)

    table.put(1, "gardens")
    table.turn(1)
    told = table.rolls([2] * table.value(1, "might")).break_free(0)

    assert the(told, ExplorerFreed).seat == 0
    assert table.explorer(0).held is None


def test_a_failure_in_the_webs_ends_the_movement_of_whoever_tried() -> None:
    table = caught("webs")
    table.put(1, "gardens")
    table.turn(1)
    told = table.rolls([0] * table.value(1, "might")).break_free(0)
    assert the(told, Stopped).figure == 1
    assert table.goals(1) == []


def test_a_failure_under_debris_leaves_a_friend_free_to_walk_on() -> None:
    table = caught("debris")
    table.put(1, "gardens")
    table.turn(1)
    told = table.rolls([0] * table.value(1, "might")).break_free(0)
    assert not events(told, Stopped)
    assert table.goals(1)


@pytest.mark.parametrize("event", ["webs", "debris"])
def test_by_another_ruling_friends_help_from_wherever_they_are(event: str) -> None:
    table = caught(event, rulings={event: f"{event}-helped-from-afar"})
    table.turn(1)
    assert table.explorer(1).room == "entrance-hall"
    assert [one.seat for one in table.offers(1, BreakFree) if isinstance(one, BreakFree)] == [0]

    told = table.rolls([2, 2, 0]).break_free(0)

    assert the(told, ExplorerFreed).seat == 0
    assert table.view(2).decks["event"].discard == [event]


def test_by_another_ruling_the_webs_catch_a_friend_who_fails() -> None:
    table = caught("webs", rulings={"webs": "webs-catch-helpers"})
    table.put(1, "gardens")
    table.turn(1)

    told = table.rolls([0, 0, 0]).break_free(0)

    assert [(one.seat, one.tries_left) for one in events(told, ExplorerHeld)] == [(0, 1), (1, 2)]
    held = table.explorer(1).held
    assert held is not None
    assert (held.card, held.trait, held.at_least, held.tries_left) == ("webs", "might", 4, 2)
    assert not [one for one in table.offers(1) if isinstance(one, Move | Drop)]

    table.turn(0)
    table.rolls([2, 2, 0, 0, 0]).break_free(0)
    assert table.view(2).decks["event"].discard == [], "the Webs still hold seat 1"
    assert [one.seat for one in table.offers(0, BreakFree) if isinstance(one, BreakFree)] == [1]
    table.turn(1)
    table.rolls([2, 2, 0]).break_free(1)
    assert table.explorer(1).held is None
    assert table.view(2).decks["event"].discard == ["webs"]


def test_an_event_whose_captive_dies_is_discarded() -> None:
    table = caught("webs")
    table.haunt("the-bell-below", traitor=2)
    table.die(0)
    assert table.view(1).decks["event"].discard == ["webs"]


@pytest.mark.parametrize("verb", ["escape", "remove"])
def test_an_event_whose_captive_leaves_the_house_is_discarded(verb: str) -> None:
    table = caught("webs", rules_with(haunt=RESCUE.replace("VERB", verb)))
    table.haunt("rescue", traitor=2)
    table.put(1, "foyer")
    table.turn(1)
    table.act("haunt:heroes", "CARRY")
    assert table.explorer(0).removed
    assert table.view(1).decks["event"].discard == ["webs"]


def test_an_event_that_kills_whom_it_holds_is_discarded_once() -> None:
    table = Table(game=rules_with(card=QUICKSAND))
    table.haunt("the-bell-below", traitor=2)
    table.turn(0)
    table.stack("tiles", "gardens")
    table.stack("event", "quicksand")
    table.clips(0, might=1)
    table.explore("east")
    assert not table.explorer(0).alive
    assert table.view(1).decks["event"].discard == ["quicksand"]


def test_nobody_frees_the_dead() -> None:
    table = caught("debris")
    table.haunt("the-bell-below", traitor=2)
    table.put(1, "gardens")
    table.die(0)
    table.turn(1)

    assert table.explorer(0).held is None
    assert not table.offers(1, BreakFree)
    with table.refuses("2E-PREC-001"):
        table.break_free(0)


def glued() -> Table:
    """A room of glue beside the Foyer."""
    table = Table(game=rules_with(tile=GLUE))
    table.lay("glue", "ground", 1, 1)
    table.put(0, "foyer")
    table.turn(0)
    return table


def test_who_gets_free_in_the_turn_of_the_trap_moves_no_further_in_it() -> None:
    table = glued()
    table.move("glue")
    table.rolls([1] * table.value(0, "might")).break_free(0)

    assert table.explorer(0).held is None
    assert table.goals(0) == []
    table.turn(0)
    assert table.goals(0) == ["foyer"]


def test_a_trap_for_explorers_holds_no_monster() -> None:
    table = glued()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.put(0, "entrance-hall")
    table.turn(2, monsters=True)
    table.let_move(4, "sexton-1")

    told = table.move("glue", monster="sexton-1")

    assert not events(told, ExplorerHeld)
    assert table.goals(2)


def test_debris_that_kills_holds_nobody() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.clips(0, might=1, speed=1)
    table.rolls([0] * table.value(0, "speed"), [1, 0]).explore("east")

    told = table.allocate(0, might=1)

    assert not table.explorer(0).alive
    assert not events(told, ExplorerHeld)
    assert table.explorer(0).held is None
