"""A house edition, made of parts that exist: the second, with the third's haunt roll and its buried cards."""

from msgspec.structs import replace

from domain.editions.second import SECOND
from domain.editions.third import THIRD
from domain.facts.events import CardDiscarded, HauntRolled
from domain.game import rules_for
from projections.wording import rules_in_words
from tests.domain.rulebook.haunt.test_haunt_roll import draw_omen
from tests.support.packs import pack
from tests.support.table import Table, the

OURS = ("haunt_roll", "haunt_roll_due", "last_omen", "omens_counted", "body_over_glossary", "bury_card")
"""The topics on which the house cites the third edition's rules."""
HOUSE = replace(
    SECOND,
    id="house",
    content="second",
    haunt_roll=THIRD.haunt_roll,
    cards=replace(SECOND.cards, bury=True),
    cite=replace(SECOND.cite, **{topic: getattr(THIRD.cite, topic) for topic in OURS}),
)


def test_the_haunt_is_rolled_at_once_with_a_die_for_each_omen_and_begins_on_a_five() -> None:
    for faces, begins in (((2, 2, 0), False), ((2, 2, 1), True)):
        rolled = the(
            draw_omen(Table(game=rules_for(pack("second-edition"), HOUSE)).rolls(faces), drawn_before=2), HauntRolled
        )
        assert (rolled.omens, rolled.begins, rolled.rule) == (3, begins, "3E-HROLL-003")


def test_the_pack_s_rules_in_words_are_those_of_the_edition_that_plays_it() -> None:
    for edition, fate in ((SECOND, "discard"), (HOUSE, "bury")):
        words = rules_in_words(pack("second-edition"), edition)["card:dynamite"]
        assert [fate in " ".join(words).lower(), "discard" in " ".join(words).lower()] == [True, edition is SECOND]


def test_a_followed_event_is_buried() -> None:
    table = Table(game=rules_for(pack("second-edition"), HOUSE))
    table.stack("tiles", "gardens")
    table.stack("event", "creepy-crawlies")
    buried = the(table.rolls((2, 2, 2)).explore("east"), CardDiscarded)
    assert (buried.bury, buried.rule) == (True, "3E-CARD-003")
    assert table.view(1).decks["event"].bottom[-1].face == buried.card
