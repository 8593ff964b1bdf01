"""Books: each role reads its own side's whole, nothing of the other's, and numbers of this game."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from content.vocabulary.pack import Book, Haunt
from content.vocabulary.values import Condition
from domain.editions.second import SECOND
from domain.engine.books import CLOSED, SIDES
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.state import State
from domain.game import rules_for
from projections.books.book import HauntBook, book_of
from projections.books.pages import all_sections, as_html, as_markdown, sections
from tests.support.packs import HAUNTS, TWO_BOOKS, pack
from tests.support.table import FOUR, THREE, Table

HERO, TRAITOR = seat_bit(0), seat_bit(1)
MARKUP = '<script>alert("1")</script> [link](javascript:1) & *bold*'


@cache
def without(side: str) -> Rules:
    """The second edition with nothing in the books of one side."""
    second = pack("second-edition")
    return rules_for(msgspec.structs.replace(second, haunts=[_closed(haunt, side) for haunt in second.haunts]))


def _closed(haunt: Haunt, side: str) -> Haunt:
    if side == "heroes":
        return msgspec.structs.replace(haunt, heroes=CLOSED)
    return msgspec.structs.replace(haunt, traitor_book=CLOSED if haunt.traitor_book is not None else None)


def begun(haunt: str, explorers: tuple[str, ...] = FOUR) -> Table:
    table = Table(explorers)
    sheet = table.rules.pack.haunts[haunt]
    table.haunt(haunt, traitor=-1 if sheet.kind == "no-traitor" else 1)
    return table


def read(table: Table, mask: Mask, rules: Rules | None = None) -> HauntBook:
    book = book_of(rules or table.rules, table.roles[mask], mask)
    assert book is not None
    return book


def sheet_of(haunt: str) -> Haunt:
    return next(one for one in pack("second-edition").haunts if one.id == haunt)


# -- whose book ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("haunt", TWO_BOOKS)
def test_each_side_reads_its_own_book_and_nothing_that_the_other_s_says(haunt: str) -> None:
    table = begun(haunt)
    for mask, other in ((HERO, "traitor"), (TRAITOR, "heroes")):
        assert read(table, mask) == read(table, mask, without(other)), "the other book changes nothing"
        assert read(table, mask) != read(table, mask, without("heroes" if other == "traitor" else "traitor"))
    assert [book.side for book in read(table, HERO).books] == ["heroes"]
    assert [book.side for book in read(table, TRAITOR).books] == ["traitor"]
    assert [book.side for book in read(table, REFEREE).books] == list(SIDES)


@pytest.mark.parametrize("haunt", TWO_BOOKS)
def test_spectators_read_no_book(haunt: str) -> None:
    table = begun(haunt)
    assert read(table, SPECTATORS).books == []
    assert (
        read(table, SPECTATORS)
        == read(table, SPECTATORS, without("heroes"))
        == read(table, SPECTATORS, without("traitor"))
    )


def test_there_is_no_book_before_a_haunt_begins() -> None:
    table = Table(FOUR)
    assert all(book_of(table.rules, role, mask) is None for mask, role in table.roles.items())


def test_with_a_hidden_traitor_everybody_reads_the_same_book() -> None:
    table = begun("the-hollow-guest")
    books = [read(table, mask).books for mask in (HERO, TRAITOR)]
    assert books[0] == books[1]
    assert books[0][0].shared


# -- what it says -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("haunt", HAUNTS)
def test_every_action_and_trigger_of_a_book_is_told_in_words(haunt: str) -> None:
    sheet, book = sheet_of(haunt), read(begun(haunt), REFEREE)
    for side in book.books:
        source: Book | None = sheet.traitor_book if side.side == "traitor" else sheet.heroes
        assert source is not None
        assert [one.word for one in side.actions] == [one.word for one in source.actions]
        assert all(one.text.startswith(one.word.replace("-", " ").upper()) for one in side.actions)
        assert len(side.rules) >= len(source.on)
        assert bool(side.right_now) == bool(source.right_now)


@pytest.mark.parametrize("explorers,sacs", [(THREE, 3), (FOUR, 5)])
def test_a_goal_counts_for_those_who_play(explorers: tuple[str, ...], sacs: int) -> None:
    table = begun("the-brood-in-the-walls", explorers)
    assert f"reaches {sacs}" in read(table, HERO).books[0].wins[0]


def test_a_traitor_is_told_its_right_now_and_its_monsters_numbers() -> None:
    book = read(begun("the-brood-in-the-walls"), TRAITOR).books[0]
    assert "Matron" in book.right_now
    assert {one.kind for one in book.monsters} == {"matron", "hatchling"}
    matron = next(one for one in book.monsters if one.kind == "matron")
    assert "Might 5, Speed 3 and Sanity 4" in matron.rules[0]


def test_heroes_read_of_the_traitor_s_monsters_once_they_stand_in_the_house() -> None:
    table = begun("the-brood-in-the-walls")
    assert read(table, HERO).monsters == []
    table.monster("matron-1", "foyer")
    (matron,) = read(table, HERO).monsters
    assert matron.rules == ["Might 5, Speed 3 and Sanity 4. Damage stuns it."]
    assert matron.text == "", "what the traitor's book says of it stays there"


def test_of_the_other_side_s_tokens_only_the_name_is_told() -> None:
    table = begun("the-bell-below")
    table.token("hiding-place", "foyer")
    (place,) = read(table, TRAITOR).tokens
    assert (place.title, place.text, place.rules) == ("Hiding Place", "", [])


def test_a_book_says_who_cannot_be_fought_with_might_and_what_can() -> None:
    table = begun("the-quiet-host")
    table.monster("host-1", "foyer")
    (host,) = read(table, HERO).monsters
    assert (
        host.rules[-1]
        == "It has no Might, so nobody can attack it with Might. What can: Revolver (Speed) and Ring (Sanity)."
    )


def test_the_traitor_s_book_says_what_its_monsters_do_without_it() -> None:
    left = read(begun("the-brood-in-the-walls"), TRAITOR).books[0].left
    assert left[1].startswith("Once the traitor is dead, the monsters go on taking turns as long as")
    assert (
        read(begun("the-brood-in-the-walls"), HERO).books[0].left[1].startswith("The death of the traitor wins nothing")
    )
    assert len(read(begun("the-hollow-guest"), HERO).books[0].left) == 1, "there it does"


@pytest.mark.parametrize(
    "goal,suffices",
    [
        (Condition(dead="traitor"), True),
        (Condition(any=[Condition(counter="lamps", at_least=9), Condition(dead="traitor")]), True),
        (Condition(all=[Condition(counter="lamps", at_least=9), Condition(dead="traitor")]), False),
        (Condition(dead="traitor", counter="lamps", at_least=9), False),
        (Condition(not_=Condition(dead="traitor")), False),
    ],
)
def test_the_heroes_book_says_whether_the_traitor_s_death_is_enough(goal: Condition, *, suffices: bool) -> None:
    replace, second, table = msgspec.structs.replace, pack("second-edition"), begun("the-hollow-guest")
    changed = [
        replace(one, heroes=replace(one.book("heroes"), wins_when=goal)) if one.id == "the-hollow-guest" else one
        for one in second.haunts
    ]
    rules = rules_for(replace(second, haunts=changed))
    left = read(table, HERO, rules).books[0].left
    assert any("wins nothing by itself" in one for one in left) is not suffices


# -- pages --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("haunt", HAUNTS)
def test_a_page_says_all_that_the_book_says(haunt: str) -> None:
    book = read(begun(haunt), REFEREE)
    page = as_html(book.title, sections(book))
    for side in book.books:
        for text in (*side.rules, *(action.text for action in side.actions)):
            assert text.replace("'", "&#x27;").replace('"', "&quot;") in page


def test_nothing_that_a_stranger_writes_becomes_markup() -> None:
    sheet = sheet_of("the-bell-below")
    heroes = msgspec.structs.replace(sheet.book("heroes"), story=MARKUP, goal=MARKUP)
    strange = msgspec.structs.replace(sheet, title=MARKUP, story=MARKUP, heroes=heroes)
    page = as_html(MARKUP, all_sections(pack("second-edition"), strange))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 5
    written = as_markdown(all_sections(pack("second-edition"), strange))
    assert "\\<script\\>" in written
    assert "\\[link\\]" in written
    assert "\\*bold\\*" in written


def test_a_page_is_worded_by_the_edition_that_plays_the_pack() -> None:
    house = msgspec.structs.replace(SECOND, cards=msgspec.structs.replace(SECOND.cards, bury=True))
    for edition, fate in ((None, "discard this card"), (SECOND, "discard this card"), (house, "bury this card")):
        told = as_markdown(all_sections(pack("second-edition"), sheet_of("the-three-keys"), edition=edition))
        assert fate in told


def test_the_same_state_makes_the_same_book() -> None:
    table = begun("the-collectors")
    again = msgspec.json.decode(msgspec.json.encode(table.roles[HERO]), type=State)
    assert book_of(table.rules, again, HERO) == read(table, HERO)
