"""What spoke is told with its rule in words, as far as the role has read it."""

from domain.facts.audience import REFEREE, SPECTATORS
from projections.trace.boxes import spoke
from tests.support.table import Table


def rules_of(table: Table, mask: int, box: str) -> list[str]:
    (found,) = spoke(table.rules, table.roles[mask], [(box, "")])
    return found.rules


def test_a_card_says_what_it_does_to_everybody() -> None:
    table = Table()
    for mask in (1, 2, REFEREE, SPECTATORS):
        (prayer,) = rules_of(table, mask, "card/idol#actions.PRAY")
        assert prayer.startswith("PRAY. ")
        assert "oll 2 more dice" in prayer
        (drawn,) = rules_of(table, mask, "card/spider#do")
        assert drawn.startswith("Roll Speed or Sanity. 4+: ")


def test_a_piece_without_a_box_says_all_its_rules() -> None:
    assert len(rules_of(Table(), SPECTATORS, "card/axe")) > 1


def test_an_action_of_a_book_is_told_only_to_those_who_have_read_it() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    box = "haunt/the-gnawing-tide#heroes.actions.CHANT"
    for mask in (1, 4, REFEREE):
        (told,) = rules_of(table, mask, box)
        assert told.startswith("CHANT. ")
    for mask in (2, SPECTATORS):
        assert rules_of(table, mask, box) == []


def test_a_box_without_words_and_one_that_is_not_in_the_pack_say_nothing() -> None:
    table = Table()
    for box in ("card/no-such-card#do", "tile/no-such-room", "token/no-such-token", "haunt/no-such-haunt#heroes.on.0"):
        assert rules_of(table, SPECTATORS, box) == []
