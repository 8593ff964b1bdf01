"""Numbers that a haunt's texts name in braces: filled in wherever somebody reads them, with those of the game."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from domain.engine.rules import Rules
from domain.facts.audience import seat_bit
from projections.books.book import book_of
from projections.books.pages import all_sections
from projections.choices.decisions import decisions_of
from projections.naming.names import Names
from projections.view.game import view_of
from projections.wording.words.filled import filled
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table

BONES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: There are {needed} of them.
  numbers:
    needed: {players: {3: 4, 4: 6, 5: 7, 6: 8}}
    hours: 3
  counters:
    found: {title: "Bones found, of {needed}", start: 1, max: 9, public: true}
    kept: {title: Kept, start: 2, max: 9}
  heroes:
    story: In {hours} hours it is day.
    goal: Find {needed} bones.
    ending: You had {found}. {braces} are braces.
    actions:
      - {word: DIG, title: "Dig for more than {found}", do: [{count: {counter: found, by: 1}}]}
      - word: TRADE
        title: Trade
        do:
          - choose:
              - {id: give, title: "Give one of {found}", do: [{count: {counter: found, by: -1}}]}
              - {id: keep, title: Keep it}
  traitor-book: {story: Keep {kept}., goal: G, actions: [{word: KEEP, do: [{count: {counter: kept, by: 1}}]}]}
""".replace("Keep {kept}.", '"Keep {kept}."')


@cache
def game() -> Rules:
    """The second edition and a haunt about bones."""
    return rules_with(haunt=BONES)


def haunted(seats: tuple[str, ...] = FOUR) -> Table:
    """The haunt has begun, and each side has read its book."""
    table = Table(seats, game=game())
    table.haunt("h", traitor=1)
    return table


def read(table: Table, seat: int) -> str:
    """All that a seat reads: its view, its choices, its book."""
    state, mask = table.view(seat), seat_bit(seat)
    shown = [
        view_of(table.rules, state, mask),
        decisions_of(table.rules, state, mask),
        book_of(table.rules, state, mask),
    ]
    return msgspec.json.encode(shown).decode()


def test_a_text_says_the_number_for_those_who_play() -> None:
    for seats, needed in ((FOUR[:3], 4), (FOUR, 6)):
        told = read(haunted(seats), 0)
        for text in (f"There are {needed} of them.", f"Find {needed} bones.", f"Bones found, of {needed}"):
            assert told.count(text) >= 2, f"{text} in the view and in the book"
        assert "In 3 hours it is day." in told


def test_a_counter_in_a_text_stands_where_it_stands_now() -> None:
    table = haunted()
    assert "Dig for more than 1" in read(table, 0)
    table.act("haunt:heroes", "DIG")
    assert "Dig for more than 2" in read(table, 0)
    assert "Dig for more than 1" not in read(table, 0)


def test_an_option_of_a_choice_names_its_number() -> None:
    table = haunted()
    table.act("haunt:heroes", "TRADE")
    assert "Give one of 1" in read(table, 0)


def test_nothing_that_anybody_reads_has_a_name_in_braces_that_the_haunt_has() -> None:
    table = haunted()
    for seat in (0, 1):
        told = read(table, seat)
        assert not [name for name in ("needed", "hours", "found", "kept") if f"{{{name}}}" in told]


def test_a_sentence_calls_a_counter_by_its_title_with_the_number() -> None:
    table = haunted()
    assert Names(table.rules, table.view(2)).counter("found") == "Bones found, of 6"


def test_a_counter_that_a_reader_does_not_know_keeps_its_title() -> None:
    table = haunted()
    assert "Keep 2." in read(table, 1)
    assert "kept" not in read(table, 0).lower()


@pytest.mark.parametrize(
    "players,told", [(0, "Find 4, 6, 7 or 8 (with 3, 4, 5 or 6 players) bones."), (5, "Find 7 bones.")]
)
def test_a_book_that_nobody_plays_tells_the_whole_table(players: int, told: str) -> None:
    pack = game().pack.source
    haunt = next(one for one in pack.haunts if one.id == "h")
    assert told in str(list(all_sections(pack, haunt, players)))


def test_what_is_no_number_of_the_haunt_stands_as_it_is() -> None:
    haunt = next(one for one in game().pack.source.haunts if one.id == "h")
    assert filled("{braces} {} {needed", haunt, None) == "{braces} {} {needed"
    assert filled("{needed}", None, None) == "{needed}"
