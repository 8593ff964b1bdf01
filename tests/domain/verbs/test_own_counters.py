"""Counters of which every explorer has one, who has most of one, and how many cards somebody has."""

from domain.facts.events import CounterMoved, TraitChanged
from domain.queries.numbers import counter
from projections.naming.names import Names
from projections.view.haunts import haunt_of
from projections.wording import Wording
from projections.wording.haunts import book
from tests.support.table import Table, events, strewn

BIDS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  counters:
    bid: {title: Bid, start: 0, max: 3, each: explorer, public: true}
    lots: {title: Lots, start: 0, max: 9, public: true}
  tokens:
    - {id: lot, title: Lot, text: A thing.}
  items:
    - {id: hammer, deck: item, title: Hammer, text: It falls.}
  heroes:
    story: S
    goal: G
    actions:
      - {word: BID, do: [{count: {counter: bid, by: 1}}]}
      - {word: RAISE, do: [{count: {counter: bid, by: 2}}]}
      - {word: OUTBID, do: [{count: {counter: bid, to: {sum: [{counter: bid}, 1]}}, who: {each: explorer, besides-you: true}}]}
      - {word: SELL, do: [{gain: {trait: sanity}, who: {each: explorer, most: bid}}]}
      - {word: LEND, do: [{gain: {trait: sanity}, who: {each: explorer, most: bid, lowest: might}}]}
      - {word: PASS, if: {counter: bid, at-least: 2}, do: [{count: {counter: lots, by: 1}}]}
      - {word: TAKE, do: [{give: hammer}]}
      - {word: COUNT, do: [{count: {counter: lots, to: {count: {cards: any}}}}]}
      - {word: KNOCK, if: {count: {cards: of-haunt}, at-least: 1}, do: [{count: {counter: lots, to: {count: {cards: item}}}}]}
  traitor-book: {story: S, goal: G}
"""


def bidding() -> Table:
    return strewn(BIDS, "lot", "foyer")


def bids(table: Table) -> list[int]:
    """What each has bid, as seat 2 sees it."""
    return [counter(table.view(2), "bid", seat) for seat in range(3)]


def test_every_explorer_has_a_count_of_its_own_up_to_the_end() -> None:
    table = bidding()
    assert bids(table) == [0, 0, 0]
    told = table.act("haunt:heroes", "RAISE")
    assert [(one.counter, one.to) for one in events(told, CounterMoved)] == [("bid:0", 2)]
    table.turn(2)
    table.act("haunt:heroes", "BID")
    assert bids(table) == [2, 0, 1]
    table.turn(0)
    table.act("haunt:heroes", "RAISE")
    assert bids(table) == [3, 0, 1]


def test_a_step_for_others_moves_theirs() -> None:
    table = bidding()
    table.act("haunt:heroes", "OUTBID")
    assert bids(table) == [0, 1, 1]


def test_those_with_most_are_picked_all_of_them_if_they_are_equal() -> None:
    table = bidding()
    table.act("haunt:heroes", "OUTBID")
    raised = {one.seat for one in events(table.act("haunt:heroes", "SELL"), TraitChanged)}
    assert raised == {1, 2}


def test_a_condition_asks_for_the_count_of_whoever_acts() -> None:
    table = bidding()
    table.act("haunt:heroes", "RAISE")
    table.act("haunt:heroes", "PASS")
    table.turn(2)
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "PASS")


def test_cards_are_counted_by_deck_and_by_hand() -> None:
    table = bidding()
    table.hold(0, "axe", "ring")
    table.act("haunt:heroes", "TAKE")
    table.act("haunt:heroes", "COUNT")
    assert counter(table.view(2), "lots") == 3
    table.act("haunt:heroes", "KNOCK")
    assert counter(table.view(2), "lots") == 1
    table.turn(2)
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "KNOCK")


def test_views_and_sentences_say_whose_it_is() -> None:
    table = bidding()
    haunt = haunt_of(table.rules, table.view(1))
    assert haunt is not None
    assert [(one.title, one.seat) for one in haunt.counters][:2] == [("Bid (Ox Bellows)", 0), ("Bid (Zoe Ingstrom)", 1)]
    assert Names(table.rules, table.view(1)).counter("bid:2") == "Bid (Jenny LeClerc)"


def test_rules_in_words_say_whose_is_meant() -> None:
    table = bidding()
    sheet = table.rules.pack.haunts["h"]
    assert sheet.heroes is not None
    told = " ".join(rule.text for rule in book(Wording(table.rules.pack.source, within=sheet), sheet.heroes, "heroes"))
    assert "Add 2 to your “Bid”" in told
    assert "The explorer with the highest “Bid” gains 1 Sanity" in told
    assert "If your “Bid” has reached 2" in told
    assert "If you have at least 1 item token" in told


def test_of_those_with_most_the_lowest_in_a_trait_can_be_picked() -> None:
    table = bidding()
    table.traits(1, might=4)
    table.traits(2, might=5)
    table.act("haunt:heroes", "OUTBID")
    raised = {one.seat for one in events(table.act("haunt:heroes", "LEND"), TraitChanged)}
    assert raised == {1}
