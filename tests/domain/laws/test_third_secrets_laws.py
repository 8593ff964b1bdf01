"""What a side of a third-edition haunt keeps to itself tells nobody else anything: its book, and monsters' boxes."""

import pytest

from content.vocabulary.base import Side
from tests.laws import secrecy
from tests.support.packs import pack

BOX = pack("third-edition")
TWO_BOOKS = [one.id for one in BOX.haunts if one.traitor_book is not None and one.kind == "one-traitor"]
WITH_MONSTERS = [one.id for one in BOX.haunts if one.id in TWO_BOOKS and one.monsters]


@pytest.mark.parametrize("haunt", WITH_MONSTERS)
def test_two_boxes_look_alike_until_play_shows_what_they_say(haunt: str) -> None:
    assert sum(secrecy.boxes_tell_nothing(BOX, haunt, seed, seats=3 + seed % 4) for seed in range(2)) > 2


@pytest.mark.parametrize("side", ["heroes", "traitor"])
@pytest.mark.parametrize("haunt", TWO_BOOKS)
def test_another_book_looks_alike_to_the_other_side(haunt: str, side: Side) -> None:
    assert secrecy.books_tell_nothing(BOX, haunt, side, 1) > 10
