"""What only one side's book names is told to that side, until play shows it (rulebook: Heroes and Secrets)."""

import pytest

from domain.dry_run import dry_run
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.commands import Act, Attack, EndTurn
from domain.facts.events import CounterMoved, CountersTold, HauntBegun
from domain.facts.state import MonsterId
from domain.worlds import copied
from projections.naming.labels import Labels
from projections.view.game import view_of
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, heard, the

HAUNT = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  counters:
    verses: {title: Verses, max: 8}
    hunger: {title: Hunger, start: 3, max: 12}
    light: {title: Light, start: 2, max: 6}
    moon: {title: Moon, max: 4, public: true}
    bells: {title: Bells, max: 13, track: true}
    toll: {title: Toll, max: 5}
  tokens:
    - id: gate
      title: Gate
      text: Pay here.
      actions: [{word: PAY, do: [{count: {counter: toll, by: 1}}]}]
  blocks:
    sing: [{count: {counter: verses, by: 1}}]
  heroes:
    story: S
    goal: G
    actions:
      - {word: SING, do: [{run: sing}]}
      - {word: LIGHT, if: {counter: light, at-least: 1}, do: [{count: {counter: light, by: -1}}]}
  traitor-book:
    story: S
    goal: G
    on:
      - when: turn-ended
        for: everyone
        if: {counter: moon, at-least: 0}
        do: [{roll: {dice: 2}, outcomes: {0+: [{count: {counter: hunger, by: 1}}]}}]
    wins-when: {any: [{counter: bells, at-least: 13}, {counter: light, at-most: 0}]}
"""


def scene() -> Table:
    table = Table(FOUR, game=rules_with(haunt=HAUNT))
    table.haunt("h", traitor=1)
    return table


def counters(table: Table, who: int) -> dict[str, tuple[int, int | None]]:
    """What a role reads of the haunt's counters: where each stands, and how far it goes."""
    haunt = view_of(table.rules, table.roles[who], who).haunt
    assert haunt is not None
    return {one.name: (one.value, one.max) for one in haunt.counters}


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
def test_a_side_reads_what_its_book_counts_and_nobody_else_does() -> None:
    table = scene()
    everybody = {"moon": (0, 4), "bells": (0, None), "toll": (0, 5)}
    heroes = {"verses": (0, 8), "light": (2, 6)}
    traitor = {"hunger": (3, 12), "light": (2, 6), "bells": (0, 13)}

    assert counters(table, SPECTATORS) == everybody
    for seat in (0, 2, 3):
        assert counters(table, seat_bit(seat)) == everybody | heroes
    assert counters(table, seat_bit(1)) == everybody | traitor
    assert counters(table, REFEREE) == everybody | heroes | traitor


@pytest.mark.rule("2E-SEC-001")
def test_a_real_haunt_tells_each_side_what_it_counts_in_events_of_their_own() -> None:
    table = Table(options={"haunt": "the-gnawing-tide"})
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    told = table.rolls([0] * 6).end_turn()

    assert the(told, HauntBegun).counters == {}
    assert the(told, HauntBegun).maxima == {}
    assert the(heard(told, 0), CountersTold).maxima == {"hunger": 12}
    assert the(heard(told, 1), CountersTold).maxima == {"verses": 4}
    assert not events([one for one in told if one.to & SPECTATORS], CountersTold)


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
@pytest.mark.rule("2E-COMP-008")
def test_a_counter_that_moves_is_seen_by_all_but_not_how_far_it_goes() -> None:
    table = scene()
    told = table.act("haunt:heroes", "SING")

    assert the(told, CounterMoved).to == 1
    for who in (seat_bit(1), SPECTATORS):
        assert counters(table, who)["verses"] == (1, None)
    assert counters(table, seat_bit(2))["verses"] == (1, 8)


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
def test_trying_a_command_tells_nothing_of_the_others_book() -> None:
    """The traitor's book has dice thrown at the end of each turn: a hero who tries to end its turn is not told of them."""
    table = scene()
    tried = dry_run(table.rules, copied(table.view(0)), 0, EndTurn(decision=table.now))
    assert tried == []
    tried = dry_run(table.rules, copied(table.roles[REFEREE]), 0, EndTurn(decision=table.now))
    assert [(one.kind, one.dice) for one in tried] == [("dice", 2)]
    table.rolls([0, 1]).end_turn()
    assert counters(table, seat_bit(0))["hunger"] == (4, None)


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
def test_who_changes_sides_reads_what_the_new_book_counts() -> None:
    table = Table(FOUR)
    table.haunt("the-long-fever", traitor=1)
    assert "hours" not in counters(table, seat_bit(0))
    table.die(0)
    assert counters(table, seat_bit(0)) == {"doses": (0, 3), "hours": (0, 12)}


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
def test_what_is_only_guessed_at_is_called_by_its_id_until_it_is_in_the_house() -> None:
    table = Table(game=rules_with(haunt=HAUNT.replace("title: Gate", "title: Golden Gate")))
    table.haunt("h", traitor=1)
    pay = Act(decision=table.now, source="token:gate", word="PAY")
    guessed = Attack(decision=table.now, target=MonsterId("rat-1"))

    def labels() -> list[str]:
        named = Labels(table.rules, table.view(0), seen_only=True)
        return [named.of(pay), named.of(guessed)]

    assert labels() == ["Gate: Pay", "Attack Rat 1"]
    table.token("gate", "entrance-hall")
    assert labels() == ["Golden Gate: Pay", "Attack Rat 1"]
