"""Steps that are done for somebody else: what their condition is about, and what follows where it fails."""

from domain.facts.events import CounterMoved, TraitChanged
from tests.support.table import Table, events, strewn

CHORES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  counters:
    chores: {title: Chores, start: 0, max: 9, public: true}
  tokens:
    - {id: broom, title: Broom, text: It sweeps.}
  heroes:
    story: S
    goal: G
    actions:
      - word: SWEEP
        do:
          - {if: {token: broom}, gain: {trait: might}, who: {each: explorer, besides-you: true}}
          - {count: {counter: chores, by: 1}}
      - word: DUST
        do:
          - if: {token: broom}
            gain: {trait: might}
            who: {each: explorer, besides-you: true}
            else: [{lose: {trait: sanity}}]
          - {count: {counter: chores, by: 1}}
  traitor-book: {story: S, goal: G}
"""


def chores(*rooms: str) -> Table:
    return strewn(CHORES, "broom", *rooms)


def test_the_condition_is_about_whoever_acts_and_the_step_about_the_others() -> None:
    table = chores("entrance-hall")
    assert {one.seat for one in events(table.act("haunt:heroes", "SWEEP"), TraitChanged)} == {1, 2}


def test_where_the_condition_fails_the_next_step_follows() -> None:
    told = chores("foyer").act("haunt:heroes", "SWEEP")
    assert events(told, TraitChanged) == []
    assert [one.to for one in events(told, CounterMoved)] == [1]


def test_where_the_condition_fails_else_is_about_whoever_acts() -> None:
    told = chores("foyer").act("haunt:heroes", "DUST")
    assert [(one.seat, one.trait) for one in events(told, TraitChanged)] == [(0, "sanity")]
    assert [one.to for one in events(told, CounterMoved)] == [1]
