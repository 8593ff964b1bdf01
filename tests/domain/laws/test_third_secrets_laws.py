"""What a side of a third-edition haunt keeps to itself tells nobody else anything: its book, unread parts, and monsters' boxes."""

from itertools import product

import pytest

from content.vocabulary.base import Side
from tests.laws import secrecy
from tests.support.packs import haunts, pack
from tests.support.sampling import sampled

BOX = pack("third-edition")
TWO_BOOKS = haunts("third-edition", kind="one-traitor", two_books=True)
WITH_MONSTERS = haunts("third-edition", kind="one-traitor", two_books=True, monsters=True)


@pytest.mark.parametrize("haunt", WITH_MONSTERS)
def test_two_boxes_look_alike_until_play_shows_what_they_say(haunt: str) -> None:
    assert sum(secrecy.boxes_tell_nothing(BOX, haunt, seed, seats=3 + seed % 4) for seed in range(2)) > 2


@pytest.mark.parametrize("source,haunt", sampled(list(product(secrecy.SOURCES[1:], WITH_MONSTERS)), every=10))
def test_nor_can_books_or_boxes_be_told_apart_while_dice_wait_to_be_rolled(source: str, haunt: str) -> None:
    assert secrecy.boxes_tell_nothing(BOX, haunt, 2, source=source) > 2
    assert secrecy.books_tell_nothing(BOX, haunt, "traitor", 2, source=source) > 10


@pytest.mark.parametrize("haunt,side", sampled(list(product(TWO_BOOKS, secrecy.SIDES)), every=3))
def test_another_book_looks_alike_to_the_other_side_but_for_what_was_read_out(haunt: str, side: Side) -> None:
    assert secrecy.books_tell_nothing(BOX, haunt, side, 1) > 10


@pytest.mark.parametrize("haunt", sampled(TWO_BOOKS, every=4))
def test_nobody_reads_anything_before_the_traitor_is_settled(haunt: str) -> None:
    compared = (
        secrecy.nothing_is_read_before_the_traitor_is_settled(BOX, haunt, seats, seats=seats) for seats in (3, 4, 5, 6)
    )
    assert sum(compared) > 3, "some of them were asked whether they will be the traitor"
