"""What happens when a turn begins and when it ends, to whom, and what no longer does."""

from functools import cache

import msgspec
import pytest

from domain.engine.rules import Rules
from domain.facts.commands import Act, EndTurn, Move
from domain.facts.events import (
    DamageTaken,
    GameEnded,
    HauntBegun,
    HauntRolled,
    TraitChanged,
    TurnEnded,
    TurnStarted,
)
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, kinds, the

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


def with_omen(room: str, door: str = "north", **clips: int) -> Table:
    """Seat 0 has discovered this room of the basement and drawn the Ring for it."""
    table = Table()
    table.put(0, "basement-landing")
    table.clips(0, **clips)
    table.turn(0)
    table.stack("tiles", room)
    table.stack("omen", "ring")
    table.explore(door)
    table.lay_anyhow()
    assert (table.explorer(0).room, table.explorer(0).cards) == (room, ["ring"])
    return table


@pytest.mark.rule("2E-TURN-003", case=1)
def test_the_haunt_roll_comes_before_the_next_turn() -> None:
    table = with_omen("pentagram-chamber")

    told = kinds(table.rolls([1, 0, 0, 0, 0, 0]).end_turn())

    assert told.index(TurnEnded) < told.index(HauntRolled) < told.index(TurnStarted)


@pytest.mark.rule("2E-TURN-003", case=2)
def test_the_gymnasium_gives_its_speed_before_the_haunt_roll() -> None:
    table = with_omen("gymnasium")

    told = table.rolls([1, 0, 0, 0, 0, 0]).end_turn()

    assert (the(told, TraitChanged).trait, the(told, TraitChanged).by) == ("speed", 1)
    assert kinds(told).index(TraitChanged) < kinds(told).index(HauntRolled)


@pytest.mark.rule("2E-TURN-003", case=3)
def test_the_furnace_hurts_before_the_haunt_roll_and_kills_nobody() -> None:
    table = with_omen("furnace-room", might=1, speed=1)

    told = table.rolls([0] * 6).end_turn()
    told += table.allocate(0, might=1)

    assert kinds(told).index(DamageTaken) < kinds(told).index(HauntBegun)
    assert table.explorer(0).alive
    assert (table.explorer(0).at[0], table.explorer(0).at[1]) == (1, 1)


@pytest.mark.rule("2E-TURN-003", case=4, asserts=True)
def test_no_turn_ends_with_damage_still_undivided() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "angry-being")
    table.rolls([0, 0, 0, 0], [1], [1]).explore("east")
    assert table.asked(0).kind == "allocation"

    with table.refuses(problem="decision-closed"):
        table.play(0, EndTurn(decision=f"turn-{table.state.turn.number}"))


@pytest.mark.rule("2E-TURN-003", case=5, asserts=True)
def test_whoever_has_ended_the_turn_does_nothing_more_in_it() -> None:
    """Neither while the room's damage waits to be divided, nor after a haunt roll that starts nothing."""
    table = with_omen("furnace-room")
    table.hold(0, "smelling-salts")
    ended = table.now
    late = (
        Move(decision=ended, to="basement-landing"),
        Act(decision=ended, source="card:smelling-salts", word="HEAL", target=0),
    )
    table.rolls([1, 0, 0, 0, 0, 0]).end_turn()
    for command in late:
        with table.refuses(problem="decision-closed"):
            table.play(0, command)

    told = table.allocate(0, might=1)

    assert not the(told, HauntRolled).begins
    assert table.seat == 1
    for command in late:
        with table.refuses("2E-TURN-001"):
            table.play(0, command)
        with table.refuses("2E-TURN-001"):
            table.play(0, msgspec.structs.replace(command, decision=table.now))


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
