"""What lies under a deck comes up in its order once all above is drawn (rulebook 2022: Cards, Haunt Rolls)."""

from domain.facts.events import CardDrawn, DiceRolled, HauntRolled, StackShuffled
from tests.support.table import Table, events, the
from tests.support.third import discover, third


def three_items() -> Table:
    """The item deck has three cards: two that are used up, and a gun."""
    table = third()
    items = ["mirror", "strange-medicine", "gun"]
    table.happen(StackShuffled(deck="item", order=items))
    table.stack("item", *items)
    return table


def drawn(table: Table) -> list[str]:
    """The cards of the latest commit."""
    return [one.card for one in events(table.commits[-1], CardDrawn)]


def test_used_up_items_come_up_again_below_the_others_and_in_their_order() -> None:
    table = three_items()
    table.draw(0, "item")
    table.draw(0, "item")
    table.clips(0, might=1, sanity=1)
    table.turn(0)
    table.act("card:mirror", "HEAL")
    table.act("card:strange-medicine", "HEAL")
    assert {role.decks["item"].size() for role in table.roles.values()} == {3}

    order = []
    buried = ["mirror", "strange-medicine"]
    for below in (buried, buried[1:], []):
        table.draw(1, "item")
        order += drawn(table)
        for role in table.roles.values():
            assert role.decks["item"].size() == len(below)
            assert [slot.face for slot in role.decks["item"].bottom] == below

    assert order == ["gun", "mirror", "strange-medicine"]
    assert table.explorer(1).cards == order


def test_an_empty_deck_gives_nothing_more() -> None:
    table = three_items()
    for _ in range(3):
        table.draw(0, "item")

    table.draw(1, "item")

    assert drawn(table) == []
    assert table.explorer(1).cards == []


def test_everybody_knows_what_lies_buried_and_nobody_what_lies_above() -> None:
    table = three_items()
    table.draw(0, "item")
    table.clips(0, sanity=1)
    table.turn(0)
    table.act("card:mirror", "HEAL")
    for seat in range(3):
        deck = table.view(seat).decks["item"]
        assert [slot.face for slot in deck.bottom] == ["mirror"]
        assert not any(slot.face for slot in deck.top)
        assert sorted(deck.pool) == ["gun", "strange-medicine"]


def test_the_last_omen_begins_the_haunt_without_a_roll() -> None:
    table = third()
    last = table.state.decks["omen"].pool[-1]
    table.happen(StackShuffled(deck="omen", order=[last]))

    told = discover(table, "ballroom")

    rolled = the(told, HauntRolled)
    assert (rolled.total, rolled.begins) == (0, True)
    assert not events(told, DiceRolled)
