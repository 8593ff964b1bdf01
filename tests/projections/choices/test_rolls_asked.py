"""Decisions about a roll say what is needed and how likely it is, from what their addressee knows."""

from fractions import Fraction

from domain.evolve import redact
from domain.facts.audience import SPECTATORS, seat_bit
from domain.past import NOBODY, Passed
from projections.choices.decisions import OpenDecision, decisions_of
from projections.choices.odds import odds
from projections.choices.odds_asked import HauntAsked, TraitAsked
from tests.support.table import Table

SEARCH = '"Search the hiding place for the clapper"'
BELL = ("ox-bellows", "father-rhinehardt", "jenny-leclerc")


def passed(table: Table, seat: int) -> list[Passed]:
    """All commits, as the seat was told of them."""
    return [Passed(number, NOBODY, redact(told, seat_bit(seat))) for number, told in enumerate(table.commits, start=1)]


def asked(table: Table, seat: int = 0) -> OpenDecision:
    mask = seat_bit(seat)
    (found,) = decisions_of(table.rules, table.roles[mask], mask, passed(table, seat)).yours
    return found


def before_the_search(*cards: str) -> Table:
    table = Table(BELL)
    table.put(1, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.token("hiding-place", "entrance-hall")
    table.clips(0, knowledge=5, sanity=3)
    table.hold(0, *cards)
    return table


def likely(table: Table, trait: str, at_least: int) -> str:
    found = odds(table.rules, table.view(0), TraitAsked(who=0, trait=trait, at_least=at_least)).roll  # type: ignore[arg-type]
    assert found is not None
    assert found.at_least is not None
    exact = Fraction(int(found.at_least.numerator), int(found.at_least.denominator))
    return f"{exact.numerator} of {exact.denominator}"


def test_the_choice_of_a_trait_says_what_is_needed_and_how_likely_each_trait_is() -> None:
    table = before_the_search()
    table.act("haunt:heroes", "SEARCH")
    knowledge, sanity = table.value(0, "knowledge"), table.value(0, "sanity")
    assert asked(table).text == (
        f"Choose a trait for {SEARCH}: 5+ is needed; Knowledge {knowledge} gives {likely(table, 'knowledge', 5)}, "
        f"Sanity {sanity} gives {likely(table, 'sanity', 5)}"
    )


def test_a_trait_that_cannot_reach_it_gives_no_chance() -> None:
    table = before_the_search()
    table.clips(0, knowledge=1, sanity=1)
    table.act("haunt:heroes", "SEARCH")
    assert "no chance" in asked(table).text


def test_a_roll_with_several_lines_tells_how_likely_each_is() -> None:
    table = Table(BELL)
    table.put(1, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.stack("event", "spider")
    table.clips(0, speed=3, sanity=3)
    table.draw(0, "event")
    assert (table.value(0, "speed"), table.value(0, "sanity")) == (2, 3)
    assert asked(table).text == (
        "Choose a trait for Spider: Speed 2 gives 0 (1 of 9), 1-3 (7 of 9), 4+ (1 of 9); "
        "Sanity 3 gives 0 (1 of 27), 1-3 (16 of 27), 4+ (10 of 27)"
    )


def test_lines_that_do_nothing_are_left_out_and_one_out_of_reach_has_no_chance() -> None:
    table = Table(BELL)
    table.hold(0, "medical-kit", "angel-feather")
    table.clips(0, might=1, knowledge=4)
    assert table.value(0, "knowledge") == 3
    table.turn(0)
    table.act("card:medical-kit", "HEAL", target=0)
    assert asked(table).text.endswith(". Knowledge 3 gives 4-5 (1 of 3), 6-7 (1 of 27), 8+ (no chance)")


def test_dice_without_a_trait_have_odds_too() -> None:
    table = Table(BELL)
    table.hold(0, "dark-dice", "angel-feather")
    table.turn(0)
    table.act("card:dark-dice", "THROW")
    assert ". 3 dice give 0 (1 of 27), 1 (1 of 9), 2 (2 of 9), 3 (7 of 27)" in asked(table).text


def test_a_room_that_asks_for_a_roll_by_itself_tells_its_odds() -> None:
    table = Table(BELL)
    table.hold(0, "angel-feather")
    table.clips(0, speed=5)
    table.put(0, "upper-landing")
    table.turn(0)
    table.stack("tiles", "collapsed-room")
    table.explore("north")
    assert asked(table).text.endswith(
        f". 5+ is needed; Speed {table.value(0, 'speed')} gives {likely(table, 'speed', 5)}"
    )


def test_before_a_roll_the_window_says_what_is_needed_and_the_odds_as_they_stand() -> None:
    table = before_the_search("idol")
    table.act("haunt:heroes", "SEARCH")
    table.choose(0, "knowledge")
    text = asked(table).text
    assert text.startswith(f"Before the roll for {SEARCH}: use a card, or pass. 5+ is needed; Knowledge ")
    assert f"gives {likely(table, 'knowledge', 5)}" in text


def test_after_a_card_was_used_on_a_roll_no_odds_are_told_that_no_longer_hold() -> None:
    table = before_the_search("idol", "adrenaline-shot")
    table.act("haunt:heroes", "SEARCH")
    table.choose(0, "knowledge")
    table.choose(0, "card:idol#PRAY")
    assert asked(table).text == f"Before the roll for {SEARCH}: use a card, or pass. 5+ is needed"


def test_after_a_roll_the_window_says_what_came_and_what_is_needed() -> None:
    table = before_the_search("lucky-stone")
    dice = table.value(0, "knowledge")
    table.rolls([1, *[0] * (dice - 1)])
    table.act("haunt:heroes", "SEARCH")
    table.choose(0, "knowledge")
    assert asked(table).text == f"After the roll for {SEARCH}: use a card, or pass. 1 came, 5+ is needed"


def test_dice_for_the_harm_of_a_failure_do_not_need_what_the_attempt_needed() -> None:
    table = Table(BELL)
    table.put(1, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.hold(0, "angel-feather")
    table.stack("event", "spider")
    table.clips(0, speed=3, sanity=3)
    table.draw(0, "event")
    table.rolls([0] * table.value(0, "speed"))
    table.choose(0, "speed")
    assert "4+ (" in asked(table).text
    table.choose(0, "pass")
    assert asked(table).about.startswith("before-roll:")
    assert " gives " not in asked(table).text


def test_before_a_haunt_roll_the_window_says_how_likely_the_haunt_is() -> None:
    table = Table(BELL)
    table.hold(0, "angel-feather")
    table.draw(0, "omen", "book")
    table.end_turn()
    begins = odds(table.rules, table.view(0), HauntAsked(seat=0)).haunt_begins
    assert begins is not None
    assert asked(table).text.endswith(f". The haunt begins in {begins.numerator} of {begins.denominator} rolls")


def test_without_the_log_the_question_is_asked_in_short() -> None:
    table = before_the_search()
    table.act("haunt:heroes", "SEARCH")
    (found,) = decisions_of(table.rules, table.view(0), seat_bit(0)).yours
    assert found.text == "Choose the trait to roll"


def test_others_read_nothing_of_it() -> None:
    table = before_the_search()
    table.act("haunt:heroes", "SEARCH")
    for mask in (seat_bit(1), seat_bit(2), SPECTATORS):
        waiting = decisions_of(table.rules, table.roles[mask], mask, passed(table, 1)).waiting
        assert [one.text for one in waiting] == ["Choose the trait to roll"]
