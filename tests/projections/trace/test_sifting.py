"""Which names a filter of traces takes: whatever the role may know of, and nothing else."""

import pytest

from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from projections.trace.sifting import Unfit, Wanted
from service.games.read.tracing import cards_in_books
from tests.support.table import Table

HERO, TRAITOR = seat_bit(0), seat_bit(1)


def card(scene: Table, name: str, principal: Mask, *told: str) -> str:
    """The id of a card that is asked for; what is wrong with it, without the name, if it is refused."""
    known = scene.state if principal == REFEREE else scene.roles[principal]
    heard = {*told, *cards_in_books(scene.rules, known, principal)}
    try:
        return Wanted(card=name).settled(scene.rules, known, principal, 3, heard).card
    except Unfit as unfit:
        return str(unfit).replace(name, "…")


def test_a_role_that_has_read_a_book_can_not_try_the_names_of_other_books() -> None:
    """Neither those of other haunts nor the other side's of its own (2E-SEC-001)."""
    scene = Table()
    scene.haunt("the-quiet-host", traitor=1)
    for principal in (HERO, TRAITOR, SPECTATORS):
        refused = card(scene, "glass-kex", principal)
        assert refused == "There is no card '…' in this game."
        assert card(scene, "glass-key", principal) == refused, principal
    assert card(scene, "glass-key", REFEREE) == "glass-key"


def test_a_card_of_the_haunt_is_found_by_those_who_have_read_or_were_told_of_it() -> None:
    scene = Table()
    scene.haunt("the-quiet-host", traitor=1)
    assert card(scene, "Ashes of the Host", HERO) == "ashes"
    assert card(scene, "Ashes of the Host", SPECTATORS).startswith("There is no card '…' in this game")
    assert card(scene, "Ashes of the Host", SPECTATORS, "ashes") == "ashes", "it was seen once"


@pytest.mark.parametrize("name", ["SERVANTS-QUARTERS", "servants\u2019 quarters", "  Servants'  Quarters "])
def test_names_are_taken_as_people_type_them(name: str) -> None:
    scene = Table()
    found = Wanted(room=name, card=" axe", grep="  two \n words ").settled(scene.rules, scene.state, REFEREE, 3)
    assert (found.room, found.card, found.grep) == ("servants-quarters", "axe", "two words")


def test_blank_filters_are_none() -> None:
    scene = Table()
    assert not Wanted(room=" ", card=" ", grep="\t").settled(scene.rules, scene.roles[SPECTATORS], SPECTATORS, 3)
