"""Steps of content that no game of bots reaches (`content/reach` says why); here they are reached."""

import pytest

from domain.facts.commands import Enter
from domain.facts.state import MODERATOR
from domain.rulebook.haunt.entering import BOOK
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.support.table import FOUR, Table


def test_when_bell_book_and_candle_part_every_trait_drops_by_two() -> None:
    table = Table()
    table.hold(0, "bell", "book", "candle")
    before = list(table.explorer(0).at)

    table.drop("candle")

    assert [was - now for was, now in zip(before, table.explorer(0).at, strict=True)] == [2, 2, 2, 2]


@pytest.mark.parametrize(
    "companion,changes",
    [("dog", [-1, 0, -1, 0]), ("girl", [0, 0, -1, -1]), ("madman", [-2, 0, 1, 0])],
)
def test_a_companion_taken_by_a_haunt_takes_its_gifts_along(companion: str, changes: list[int]) -> None:
    table = Table(FOUR, options={"haunt": "external"})
    reveal(table)
    table.all_ready()
    table.hold(1, companion)
    before = list(table.explorer(1).at)

    table.play(MODERATOR, Enter(decision=BOOK, entry={"you": 1, "do": [{"lose-card": {"card": companion}}]}))

    assert companion not in table.explorer(1).cards
    assert [now - was for was, now in zip(before, table.explorer(1).at, strict=True)] == changes
