"""What is told of a game while it goes on."""

from service.cli.play.show import news
from tests.bots.seated import sees
from tests.support.table import FOUR, Table


def test_a_haunt_is_announced_with_its_story_and_its_traitor() -> None:
    table = Table()
    before, _ = sees(table, 0)
    table.haunt("the-bell-below", traitor=1)

    told = news(before, sees(table, 0)[0])

    assert told[0].startswith("the haunt begins: The Bell Below")
    assert told[-1] == "Zoe Ingstrom is the traitor"


def test_a_hidden_traitor_is_not_named_even_from_its_own_seat() -> None:
    table = Table(FOUR)
    before, _ = sees(table, 1)
    table.haunt("the-hollow-guest", traitor=1)
    hidden, _ = sees(table, 1)
    assert news(before, hidden)[-1] == "  one of them is the traitor, and nobody else knows who"

    table.reveal(1)
    assert "Zoe Ingstrom is the traitor" in news(hidden, sees(table, 1)[0])


def test_deaths_and_counters_are_told_once() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    before, _ = sees(table, 0)
    table.counter("strokes", 2)
    table.die(2)
    after, _ = sees(table, 0)

    assert news(before, after) == ["Jenny LeClerc is dead (Entrance Hall)", "Strokes of the bell: 2"]
    assert news(after, after) == []


def test_omens_are_counted() -> None:
    table = Table()
    before, _ = sees(table, 0)
    table.hold(0, "skull")

    assert news(before, sees(table, 0)[0]) == ["1 omen drawn, 5 rooms in the house"]
