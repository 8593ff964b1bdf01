"""Rooms in line of sight, and corpses: what selections find, in conditions and for a command's room or target."""

from domain.facts.commands import Act
from domain.facts.events import ExplorerDied
from tests.support.table import Table, events, strewn

LANTERNS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: smoke, title: Smoke, text: It blinds., always: [{blocks-sight: true}]}
    - {id: lantern, title: Lantern, text: It shines.}
  heroes:
    story: S
    goal: G
    actions:
      - {word: SIGNAL, room: {in-sight: true}, do: [{place-token: {token: lantern, at: target-room}}]}
      - {word: GLOW, room: {in-sight: true, or-here: true}, do: [{place-token: {token: lantern, at: target-room}}]}
      - {word: FUME, do: [{place-token: {token: smoke, at: here}}]}
      - {word: ANSWER, if: {in: {with-token: lantern, in-sight: true, or-here: true}}, do: [{gain: {trait: might}}]}
      - {word: MOURN, target: {each: corpse, in: here}, do: [{gain: {trait: sanity}}]}
      - {word: PASS-ON, target: {each: explorer, in: here, besides-you: true}, do: [{kill: target}]}
  traitor-book: {story: S, goal: G}
"""


def house(*smoke: str) -> Table:
    """Smoke in these rooms; seat 0 is in the Entrance Hall, which the Foyer and the Grand Staircase lie behind in a row."""
    return strewn(LANTERNS, "smoke", *smoke)


def rooms(table: Table, word: str) -> set[str]:
    return {str(one.target) for one in table.offers(0, Act) if isinstance(one, Act) and one.word == word}


def test_a_command_names_a_room_in_line_of_sight_however_far_away() -> None:
    assert rooms(house(), "SIGNAL") == {"foyer", "grand-staircase"}


def test_the_own_room_is_one_of_them_only_where_that_is_said() -> None:
    assert rooms(house(), "GLOW") == {"entrance-hall", "foyer", "grand-staircase"}


def test_nobody_sees_into_or_through_what_blocks_sight() -> None:
    assert rooms(house("foyer"), "SIGNAL") == set()
    assert rooms(house("grand-staircase"), "SIGNAL") == {"foyer"}


def test_a_corpse_is_a_target_where_it_lies_and_the_living_are_none() -> None:
    table = house()
    table.put(1, "entrance-hall")
    assert not rooms(table, "MOURN")

    assert events(table.act("haunt:heroes", "PASS-ON", target=1), ExplorerDied)
    assert rooms(table, "MOURN") == {"1"}

    table.put(0, "foyer")
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "MOURN", target=1)
