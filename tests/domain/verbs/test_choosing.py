"""A text that lets somebody choose: what is offered, and that one option is done and no other."""

from functools import cache

from domain.engine.rules import Rules
from tests.support.packs import rules_with
from tests.support.table import Table

TOY = """
  id: toy
  deck: item
  title: Toy
  text: Wind it up and see.
  actions:
    - word: WIND
      do:
        - choose:
            - {id: left, do: [{gain: {trait: might}}]}
            - {id: right, do: [{gain: {trait: speed}}]}
            - {id: haunted, if: {phase: haunt}, do: [{gain: {trait: sanity}}]}
            - {id: let-go}
        - gain: {trait: knowledge}
    - word: SHAKE
      do:
        - choose:
            - {id: haunted, if: {phase: haunt}, do: [{gain: {trait: sanity}}]}
        - gain: {trait: knowledge}
"""

STEPS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  blocks:
    brace: [{gain: {trait: might}}, {gain: {trait: speed}}]
    rest: [{gain: {trait: sanity}}]
  heroes:
    story: S
    goal: G
    actions:
      - {word: BRACE, do: [{run: brace}, {gain: {trait: knowledge}}]}
      - {word: REST, do: [{run: rest}]}
  traitor-book: {story: S, goal: G}
"""


@cache
def game() -> Rules:
    """The second edition and a toy."""
    return rules_with(card=TOY)


def owner() -> Table:
    """Seat 0 has the toy and the turn, with room on every track."""
    table = Table(game=game())
    table.hold(0, "toy")
    table.turn(0)
    table.clips(0, might=4, speed=4, sanity=4, knowledge=4)
    return table


def gained(table: Table) -> list[int]:
    """What Might, Speed, Sanity and Knowledge have gained."""
    return [at - 4 for at in table.explorer(0).at]


def test_an_option_is_offered_only_where_its_condition_holds() -> None:
    table = owner()
    table.act("card:toy", "WIND")
    assert table.asked(0).options == ["left", "right", "let-go"]

    table = owner()
    table.haunt("the-bell-below", traitor=1)
    table.act("card:toy", "WIND")
    assert table.asked(0).options == ["left", "right", "haunted", "let-go"]


def test_the_chosen_option_is_done_and_no_other_and_then_the_rest_of_the_text() -> None:
    for option, spaces in {"left": [1, 0, 0, 1], "right": [0, 1, 0, 1], "let-go": [0, 0, 0, 1]}.items():
        table = owner()
        table.act("card:toy", "WIND")
        assert gained(table) == [0, 0, 0, 0], "nothing is done before the answer"
        table.choose(0, option)
        assert gained(table) == spaces, option


def test_an_option_that_is_not_offered_is_refused() -> None:
    table = owner()
    table.act("card:toy", "WIND")
    with table.refuses("2E-PREC-001", problem="not-an-option"):
        table.choose(0, "haunted")


def test_where_nothing_can_be_chosen_nobody_is_asked_and_the_text_goes_on() -> None:
    table = owner()
    table.act("card:toy", "SHAKE")
    assert not table.is_asked(0)
    assert gained(table) == [0, 0, 0, 1]


def test_a_single_option_needs_no_question() -> None:
    table = owner()
    table.haunt("the-bell-below", traitor=1)
    table.act("card:toy", "SHAKE")
    assert not table.is_asked(0)
    assert gained(table) == [0, 0, 1, 1]


def test_a_haunt_may_name_steps_and_say_where_they_are_done() -> None:
    for word, spaces in {"BRACE": [1, 1, 0, 1], "REST": [0, 0, 1, 0]}.items():
        table = Table(game=rules_with(haunt=STEPS))
        table.haunt("h", traitor=1)
        table.clips(0, might=4, speed=4, sanity=4, knowledge=4)
        table.act("haunt:heroes", word)
        assert gained(table) == spaces, word
