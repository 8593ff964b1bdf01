"""Triggers that set each other off, and content that does too much at once: the game goes on."""

import pytest

from domain.engine.machine import MOST_EVENTS
from domain.facts.events import Fizzled, MonsterPlaced, Moved
from domain.facts.refusal import Endless
from domain.rulebook.table.triggers import MOST_NESTED, MOST_TOLD
from domain.verbs.haunt import MOST_MONSTERS
from projections.naming.questions import Asking
from projections.sentences.history import worded
from tests.support.packs import heroes_may, rules_with
from tests.support.table import Table, events

WHIRL = "{{id: whirl, title: Whirl, floors: [ground], doors: [south], on: [{{when: entered, do: [{steps}]}}]}}"
TO_ITSELF = "{move: {to: whirl}}"
CROWD = "{place-monster: {kind: imp, at: foyer, count: 90}}"
IMPS = "{imp: {title: Imp, speed: 2, might: 2}}"


def at_the_whirl(steps: str) -> Table:
    """Seat 0 stands before a room where this is done when it is entered."""
    table = Table(game=rules_with(tile=WHIRL.format(steps=steps)))
    table.lay("whirl", "ground", 1, 1, turns=1)
    table.put(0, "foyer")
    return table


def test_a_room_that_sends_everybody_back_to_itself_stops_after_a_while() -> None:
    table = at_the_whirl(TO_ITSELF)
    told = table.move("whirl")

    assert len(events(told, Moved)) == MOST_NESTED + 1
    (stopped,) = events(told, Fizzled)
    assert stopped.what == "cascade:tile:whirl"
    assert worded(Asking(table.rules, table.state), stopped) == (
        "The Whirl goes in circles: nothing more happens by it now."
    )
    assert table.explorer(0).room == "whirl"
    table.end_turn()
    assert table.seat == 1


def test_triggers_that_branch_end_by_the_number_of_events() -> None:
    table = at_the_whirl(f"{TO_ITSELF}, {TO_ITSELF}")
    told = table.move("whirl")

    assert MOST_TOLD < len(told) < MOST_EVENTS
    table.end_turn()
    assert table.seat == 1


def test_a_house_holds_so_many_monsters_and_no_more() -> None:
    deed = f"{{word: CALL, title: Call, do: [{CROWD}, {CROWD}, {CROWD}]}}"
    table = Table(game=rules_with(haunt=heroes_may(deed, monsters=IMPS)))
    table.haunt("h", traitor=1)
    told = table.act("haunt:heroes", "CALL")

    assert len(events(told, MonsterPlaced)) == len(table.state.monsters) == MOST_MONSTERS
    assert [one.what for one in events(told, Fizzled)] == ["crowd"]


def test_steps_that_go_on_for_too_long_are_named_with_the_limit() -> None:
    double = "".join(f"b{level}: [{{run: b{level + 1}}}, {{run: b{level + 1}}}], " for level in range(14))
    deed = "{word: CALL, title: Call, do: [{run: b0}]}"
    haunt = heroes_may(deed) + f"  blocks: {{{double} b14: [{{count: {{counter: oil, by: 1}}}}]}}\n"
    haunt += "      counters: {oil: {title: Oil, start: 0}}\n"
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    with pytest.raises(
        Endless, match=r"^`haunt/h#blocks\.b\d+` goes on for more than the 5,000 events that one command may have$"
    ):
        table.act("haunt:heroes", "CALL")
