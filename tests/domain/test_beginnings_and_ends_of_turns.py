"""What happens when a turn begins and when it ends, to whom, and what no longer does."""

from functools import cache

import pytest

from domain.events import GameEnded, TraitChanged, TurnStarted
from domain.rules import Rules
from tests.domain.test_haunt_begins import reveal
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, the

CLOCK = """
  id: clock
  deck: item
  title: Clock
  text: It is always later than you think.
  on:
    - {when: turn-started, do: [{gain: {trait: might}}]}
    - {when: turn-ended, do: [{gain: {trait: speed}}]}
"""
VIGIL = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: candle, title: Candle, on: [{when: turn-ended, do: [{gain: {trait: sanity}}]}]}
  monsters:
    wolf: {title: Wolf, speed: 3, might: 2}
  counters: {nights: {title: Nights}, turns: {title: Turns}, ends: {title: Ends}}
  heroes:
    story: S
    goal: G
    on:
      - {when: monsters-ended, for: everyone, do: [{count: {counter: nights, by: 1}}]}
      - {when: turn-started, for: everyone, do: [{count: {counter: turns, by: 1}}]}
      - {when: turn-ended, for: everyone, do: [{count: {counter: ends, by: 1}}]}
  traitor-book: {story: S, goal: G}
"""


@cache
def clockwork() -> Rules:
    """The second edition and a clock."""
    return rules_with(card=CLOCK)


@cache
def vigil() -> Rules:
    """The second edition and a haunt that counts turns."""
    return rules_with(haunt=VIGIL)


def gained(table: Table, trait: str) -> list[int]:
    """The seats that gained a space of a trait in the latest commit."""
    return [one.seat for one in events(table.commits[-1], TraitChanged) if one.trait == trait and one.by == 1]


def test_a_held_card_speaks_when_its_holders_turn_begins_and_when_it_ends() -> None:
    table = Table(game=clockwork())
    table.hold(1, "clock")
    table.turn(0)

    table.end_turn()
    assert (gained(table, "might"), gained(table, "speed")) == ([1], [])
    table.end_turn()
    assert (gained(table, "might"), gained(table, "speed")) == ([], [1])
    table.end_turn()
    assert (gained(table, "might"), gained(table, "speed")) == ([], [])


def test_no_turn_begins_after_the_last_one_of_a_limited_game() -> None:
    table = Table(game=clockwork(), options={"turn_limit": 2})
    table.hold(0, "clock")
    table.turn(0)

    told = table.end_turn()

    assert isinstance(told[-1].event, GameEnded)
    assert not events(told, TurnStarted)
    assert (gained(table, "might"), gained(table, "speed")) == ([], [0])
    assert table.state.frames == []


@pytest.mark.parametrize(
    "room, part, speaks", [("chasm", 1, True), ("chasm", 0, False), ("basement-landing", 0, False)]
)
def test_a_token_speaks_to_whoever_ends_a_turn_beside_it(*, room: str, part: int, speaks: bool) -> None:
    table = Table(game=vigil())
    table.lay("chasm", "basement", 1, 0)
    table.haunt("h", traitor=2)
    table.token("candle", "chasm", part=1)
    table.put(0, room, part=part)
    table.clips(0, sanity=3)

    table.end_turn()

    assert gained(table, "sanity") == ([0] if speaks else [])


def test_a_haunt_hears_of_every_turn_and_of_each_night_of_the_monsters() -> None:
    table = Table(game=vigil())
    table.haunt("h", traitor=2)
    table.monster("wolf-1", "upper-landing")
    for _ in range(4):
        table.fate.dice = [(1, 1, 1)]
        table.end_turn()
    assert table.seat == 0

    haunt = table.view(0).haunt
    assert haunt is not None
    assert haunt.counters == {"nights": 1, "turns": 3, "ends": 3}


@pytest.mark.rule("2E-SETUP-009", "2E-HTURN-001", "2E-HTURN-002", "2E-TPOW-008")
def test_each_turn_says_by_which_rule_it_is_whose() -> None:
    table = Table(FOUR, options={"haunt": "the-bell-below"})
    by_rule = [the(table.end_turn(), TurnStarted).rule]
    reveal(table)
    table.all_ready()
    by_rule.append(the(table.commits[-1], TurnStarted).rule)
    for _ in range(4):
        table.fate.dice = [(1, 1, 1, 1)]
        by_rule.append(the(table.end_turn(), TurnStarted).rule)

    assert by_rule == ["2E-SETUP-009", "2E-HTURN-001", "2E-HTURN-002", "2E-HTURN-002", "2E-HTURN-002", "2E-TPOW-008"]
