"""The rules in words that a role reads in its view: its own book, the cards in play, by the table's rulings."""

from __future__ import annotations

from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from projections.view.game import view_of
from projections.view.haunts import BookView
from tests.support.table import Table


def books(table: Table, mask: Mask) -> list[BookView]:
    haunt = view_of(table.rules, table.roles[mask], mask).haunt
    assert haunt is not None
    return haunt.books


def tide() -> Table:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    return table


def test_an_action_says_what_it_rolls_and_costs() -> None:
    (book,) = books(tide(), seat_bit(0))
    (chant,) = book.actions
    assert chant.rule == (
        "CHANT. In a room with a Nest, once a turn: roll Sanity or Knowledge. "
        "5+: add 1 to “Verses of the rite”. 1 to 4: nothing happens. 0: take 1 point of mental damage."
    )


def test_a_goal_counts_for_those_who_play_and_says_how_far_they_have_come() -> None:
    table = tide()
    (book,) = books(table, seat_bit(0))
    assert "The heroes win as soon as “Verses of the rite” reaches 4 (0 now, 4 to go)." in book.rules
    table.counter("verses", 3)
    (book,) = books(table, seat_bit(0))
    assert "The heroes win as soon as “Verses of the rite” reaches 4 (3 now, 1 to go)." in book.rules


def test_each_role_reads_the_rules_of_its_own_book_alone() -> None:
    table = tide()
    heroes = "Right now: put a Nest in the room where the haunt began."
    traitor = "Right now: put 3 Rats in the room where the haunt began. Raise all traits to their starting values."
    for mask, reads in (
        (seat_bit(0), [heroes]),
        (seat_bit(1), [traitor]),
        (REFEREE, [heroes, traitor]),
        (SPECTATORS, []),
    ):
        said = [rule for book in books(table, mask) for rule in book.rules]
        assert [rule for rule in said if rule.startswith("Right now")] == reads


def test_a_card_says_what_it_does_by_the_rulings_of_the_table() -> None:
    for rulings, last in (({}, "Then discard this card."), ({"bottle": "bottle-lasts"}, "0: lose 2 in each trait.")):
        table = Table(options={"rulings": rulings})
        table.hold(0, "bottle")
        (rule,) = view_of(table.rules, table.view(1), seat_bit(1)).cards["bottle"].rules
        assert rule.startswith("DRINK. In the haunt: roll 3 dice.")
        assert rule.endswith(last)
