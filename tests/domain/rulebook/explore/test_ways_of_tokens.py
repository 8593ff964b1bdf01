"""Ways that tokens make: they are there as long as the token is, and no other way goes with them (rulebook: Special Rooms)."""

from functools import cache

from domain.engine.rules import Rules
from domain.facts.events import TokenRemoved, WayClosed, WayOpened
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

ROPES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: rope, title: Rope, links: [{to: upper-landing}]}
    - {id: hole, title: Hole, links-alike: true}
    - {id: stain, title: Stain}
  heroes:
    story: S
    goal: G
    actions:
      - {word: HANG, do: [{place-token: {token: rope, at: here}}]}
      - {word: DIG, do: [{place-token: {token: hole, at: here}}]}
      - {word: SPILL, do: [{place-token: {token: stain, at: here}}]}
      - {word: CUT, do: [{remove-token: {token: rope}}]}
      - {word: FILL, do: [{remove-token: {token: hole}}]}
      - {word: WIPE, do: [{remove-token: {token: stain}}]}
  traitor-book: {story: S, goal: G}
"""


@cache
def ropes() -> Rules:
    """The second edition and a haunt with ropes, holes and stains."""
    return rules_with(haunt=ROPES)


def hall() -> Table:
    """Seat 0, a hero, has the turn in the Entrance Hall, with movement enough."""
    table = Table(game=ropes())
    table.haunt("h", traitor=2)
    table.clips(0, speed=8)
    return table


def goals(table: Table) -> set[str]:
    """Where seat 0 may walk."""
    return set(table.goals(0))


def test_a_rope_leads_up_and_down_until_it_is_cut() -> None:
    table = hall()
    table.act("haunt:heroes", "HANG")
    assert goals(table) == {"foyer", "upper-landing"}
    table.move("upper-landing")
    assert goals(table) == {"grand-staircase", "entrance-hall"}
    table.move("entrance-hall")

    told = table.act("haunt:heroes", "CUT")

    assert the(told, WayClosed).room == "entrance-hall"
    assert goals(table) == {"foyer"}
    table.put(0, "upper-landing")
    assert goals(table) == {"grand-staircase"}, "the staircase is still there"


def test_rooms_with_holes_are_a_step_apart_and_a_filled_hole_leaves_the_others() -> None:
    table = hall()
    for room in ("basement-landing", "upper-landing", "entrance-hall"):
        table.put(0, room)
        table.act("haunt:heroes", "DIG")
    assert goals(table) == {"foyer", "basement-landing", "upper-landing"}

    table.act("haunt:heroes", "FILL")

    assert goals(table) == {"foyer"}
    table.put(0, "basement-landing")
    assert goals(table) == {"upper-landing"}


def test_to_fill_a_hole_cuts_no_rope() -> None:
    table = hall()
    table.act("haunt:heroes", "HANG")
    table.act("haunt:heroes", "DIG")
    table.act("haunt:heroes", "FILL")
    assert goals(table) == {"foyer", "upper-landing"}


def test_of_two_ropes_one_is_cut_and_the_other_still_leads_up() -> None:
    table = hall()
    table.act("haunt:heroes", "HANG")
    assert not events(table.act("haunt:heroes", "HANG"), WayOpened)
    table.act("haunt:heroes", "CUT")
    assert goals(table) == {"foyer", "upper-landing"}
    assert the(table.act("haunt:heroes", "CUT"), WayClosed).room == "entrance-hall"
    assert goals(table) == {"foyer"}


def test_a_stain_across_the_barrier_is_not_wiped() -> None:
    table = hall()
    table.lay("chasm", "basement", 1, 0)
    table.token("stain", "chasm", part=0)
    table.token("stain", "chasm", part=1)
    table.put(0, "chasm", part=0)
    table.act("haunt:heroes", "WIPE")
    assert [(one.part, one.count) for one in table.view(1).tokens] == [(1, 1)]
    table.act("haunt:heroes", "WIPE")
    assert [(one.part, one.count) for one in table.view(1).tokens] == [(1, 1)]
    table.put(0, "chasm", part=1)
    table.act("haunt:heroes", "WIPE")
    assert table.view(1).tokens == []


def test_logs_that_know_no_part_take_from_both() -> None:
    table = hall()
    table.lay("chasm", "basement", 1, 0)
    table.token("stain", "chasm", part=0)
    table.token("stain", "chasm", part=1)
    table.happen(TokenRemoved(token="stain", room="chasm"))
    assert table.view(1).tokens == []


def test_a_token_without_a_way_takes_none_with_it() -> None:
    table = hall()
    table.act("haunt:heroes", "HANG")
    table.act("haunt:heroes", "SPILL")
    assert not events(table.act("haunt:heroes", "WIPE"), WayClosed)
    assert goals(table) == {"foyer", "upper-landing"}
