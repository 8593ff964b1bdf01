"""Things that lie about and things that are counted: where they are, and where they end."""

from functools import cache

import pytest

from domain.engine.rules import Rules
from domain.facts.events import CounterMoved, TokenRemoved
from tests.support.packs import rules_with
from tests.support.table import Table, events, the

CANDLES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  counters: {candles: {title: Candles, start: 2, max: 4}, ash: {title: Ash}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: LIGHT, do: [{count: {counter: candles, by: 3}}]}
      - {word: SNUFF, do: [{count: {counter: candles, by: -3}}]}
      - {word: RENEW, do: [{count: {counter: candles, to: 1}}]}
      - {word: BURN, do: [{count: {counter: ash, by: 3}}]}
  traitor-book: {story: S, goal: G}
"""


@cache
def candles() -> Rules:
    """The second edition and a haunt that counts."""
    return rules_with(haunt=CANDLES)


@pytest.mark.parametrize(
    "words, left",
    [(["LIGHT"], 4), (["SNUFF"], 0), (["SNUFF", "LIGHT"], 3), (["RENEW"], 1), (["RENEW", "LIGHT"], 4)],
)
def test_a_counter_stops_at_its_ends(words: list[str], left: int) -> None:
    table = Table(game=candles())
    table.haunt("h", traitor=1)
    for word in words:
        told = table.act("haunt:heroes", word)
        assert the(told, CounterMoved).counter == "candles"
    haunt = table.view(2).haunt
    assert haunt is not None
    assert haunt.counters == {"candles": left, "ash": 0}


def test_a_counter_without_an_upper_end_goes_on() -> None:
    table = Table(game=candles())
    table.haunt("h", traitor=1)
    moved = [the(table.act("haunt:heroes", "BURN"), CounterMoved).to for _ in range(4)]
    assert moved == [3, 6, 9, 12]


def test_a_counter_that_stands_at_its_end_does_not_move() -> None:
    table = Table(game=candles())
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "LIGHT")
    assert not events(table.act("haunt:heroes", "LIGHT"), CounterMoved)


def test_piles_in_different_rooms_are_different_piles() -> None:
    table = Table()
    table.hold(0, "axe")
    table.hold(1, "armor")
    table.put(1, "foyer")
    table.turn(0)
    table.drop("axe")
    table.turn(1)
    table.drop("armor")
    assert {pile.room: pile.cards for pile in table.view(2).piles} == {"entrance-hall": ["axe"], "foyer": ["armor"]}

    table.turn(0)
    with table.refuses("2E-ITEM-009"):
        table.pick_up("armor")
    table.pick_up("axe")

    assert {pile.room: pile.cards for pile in table.view(2).piles} == {"foyer": ["armor"]}


def test_piles_on_the_two_sides_of_a_barrier_are_different_piles() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.pile("chasm", "axe", part=0)
    table.pile("chasm", "armor", part=1)
    assert {pile.part: pile.cards for pile in table.view(2).piles} == {0: ["axe"], 1: ["armor"]}

    table.put(0, "chasm", part=1)
    table.turn(0)
    table.pick_up("armor")

    assert {pile.part: pile.cards for pile in table.view(2).piles} == {0: ["axe"]}


def test_tokens_of_one_name_in_one_place_are_counted_and_others_lie_apart() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    for room, part in (("chasm", 0), ("chasm", 0), ("chasm", 1), ("foyer", 0)):
        table.token("smoke", room, part=part)
    table.token("drip", "foyer")

    lying = {(one.token, one.room, one.part): one.count for one in table.view(0).tokens}

    assert lying == {
        ("smoke", "chasm", 0): 2,
        ("smoke", "chasm", 1): 1,
        ("smoke", "foyer", 0): 1,
        ("drip", "foyer", 0): 1,
    }


def test_a_token_that_is_taken_away_leaves_the_others_of_its_name() -> None:
    table = Table()
    for room in ("foyer", "foyer", "entrance-hall"):
        table.token("smoke", room)
    table.token("drip", "foyer")

    left = []
    for _ in range(2):
        table.happen(TokenRemoved(token="smoke", room="foyer"))
        left.append([(one.token, one.room, one.count) for one in table.view(0).tokens])

    assert left == [
        [("smoke", "foyer", 1), ("smoke", "entrance-hall", 1), ("drip", "foyer", 1)],
        [("smoke", "entrance-hall", 1), ("drip", "foyer", 1)],
    ]
