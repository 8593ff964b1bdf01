"""Labels of commands: as long as the contract allows."""

from domain.facts.commands import Drop
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
