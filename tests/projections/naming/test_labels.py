"""Labels of commands: as long as the contract allows, and in the words of the text that offers them."""

import pytest

from domain.facts.commands import Choose, Drop
from domain.facts.state import Decision
from projections.naming.labels import LONGEST, Labels
from tests.support.table import Table


def test_a_label_that_names_many_cards_ends_with_an_ellipsis() -> None:
    table = Table()
    labels = Labels(table.rules, table.view(0))
    two = ["rabbits-foot", "skull"]
    many = [*two, "revolver", "sacrificial-dagger", "spear", "amulet-of-the-ages", "healing-salve", "crystal-ball"]
    assert labels.of(Drop(decision="turn", cards=two)) == "Drop Rabbit's Foot and Skull"
    label = labels.of(Drop(decision="turn", cards=[*many, "pickpockets-gloves"]))
    assert len(label) == LONGEST
    assert label.startswith("Drop Rabbit's Foot, Skull, Revolver, Sacrificial Dagger, ")
    assert label.endswith("…")


@pytest.mark.parametrize(
    "seat,block,title", [(0, "heroes.on.0", "Take wits"), (1, "traitor.on.0", "Let him offer wits")]
)
def test_an_option_that_both_books_have_is_called_as_the_readers_own_calls_it(
    seat: int, block: str, title: str
) -> None:
    table = Table()
    table.haunt("the-generous-uncle", traitor=1)
    asked = Decision(
        id="d1", seat=seat, kind="choice", about=f"option:haunt/the-generous-uncle#{block}", options=["wits"]
    )
    assert Labels(table.rules, table.view(seat)).of(Choose(decision="d1", option="wits"), asked) == title
