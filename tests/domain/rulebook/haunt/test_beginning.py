"""The haunt is revealed: chart, traitor, books, readiness (rulebook: The Haunt Begins, Haunt Setup)."""

import msgspec
import pytest

from content.vocabulary.pack import Book, Haunt
from domain.facts.audience import SPECTATORS, Mask, seat_bit
from domain.facts.commands import EndTurn, Move
from domain.facts.events import (
    HauntBegun,
    HauntRolled,
    MonsterPlaced,
    SideTold,
    TextTold,
    TokenPlaced,
    Told,
    TurnStarted,
)
from projections.view.game import view_of
from projections.view.haunts import BookView
from tests.support.table import FOUR, Table, events, heard, the


def reveal(table: Table, omen: str = "ring", tile: str = "charred-room") -> list[Told]:
    """The active explorer discovers a raven room and its haunt roll begins the haunt."""
    table.stack("tiles", tile)
    table.stack("omen", omen)
    table.explore("east")
    table.lay_anyhow()
    return table.rolls([0] * 6).end_turn()


def books(table: Table, who: Mask) -> list[BookView]:
    """The books that a role reads."""
    haunt = view_of(table.rules, table.roles[who], who).haunt
    assert haunt is not None
    return haunt.books


def traitors(told: list[Told]) -> list[int]:
    """Seats that everybody was told are the traitor's."""
    return [one.seat for one in events(told, SideTold) if one.side == "traitor"]


def books_of(haunt: Haunt) -> list[Book]:
    """All books of a haunt."""
    return [book for book in (haunt.heroes, haunt.traitor_book) if book is not None]


@pytest.mark.rule("2E-HREV-001")
def test_omen_and_room_name_the_haunt_on_the_chart() -> None:
    table = Table()
    told = reveal(table, "spear", "kitchen")
    begun = the(told, HauntBegun)
    assert (begun.omen, begun.room, begun.number) == ("spear", "kitchen", 39)


@pytest.mark.rule("2E-HREV-001", case=1)
def test_girl_in_the_catacombs_is_haunt_one() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.turn(0)
    assert the(reveal(table, "girl", "catacombs"), HauntBegun).number == 1
    assert table.rules.pack.chart.titles["1"] == "The Mummy Walks"


@pytest.mark.rule("2E-HREV-001", case=2)
def test_girl_on_the_balcony_is_haunt_sixteen() -> None:
    table = Table()
    table.put(0, "upper-landing")
    table.turn(0)
    assert the(reveal(table, "girl", "balcony"), HauntBegun).number == 16


@pytest.mark.rule("2E-HREV-002", case=1)
def test_the_room_is_where_the_omen_was_drawn_and_not_where_its_drawer_is_now() -> None:
    table = Table()
    table.lay("chapel", "ground", 4, 4)
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "girl")
    table.explore("east")
    table.lay_anyhow()
    table.put(0, "chapel")

    begun = the(table.rolls([0] * 6).end_turn(), HauntBegun)

    assert (begun.omen, begun.room, begun.number) == ("girl", "catacombs", 1)


@pytest.mark.rule("2E-HREV-002", case=2)
def test_of_two_omens_the_one_whose_roll_succeeds_is_looked_up_in_the_room_in_which_it_was_drawn() -> None:
    """The Chapel has no row of its own: that of the raven room nearest to the revealer stands for it (2E-HREV-001, ruling)."""
    table = Table()
    table.lay("gallery", "upper", 0, -1)
    table.lay("chapel", "upper", 0, -2)
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "girl", "spear")
    table.explore("east")
    table.lay_anyhow()
    table.put(0, "chapel")
    table.draw(0, "omen")
    table.put(0, "upper-landing")

    told = table.rolls([1] * 6, [0] * 6).end_turn()

    assert table.explorer(0).cards == ["girl", "spear"]
    assert [one.begins for one in events(told, HauntRolled)] == [False, True]
    begun = the(told, HauntBegun)
    assert (begun.omen, begun.room, begun.number) == ("spear", "chapel", 15)
    chart = table.rules.pack.chart
    assert chart.cells["gallery"][chart.omens.index("spear")] == 15


@pytest.mark.rule("2E-HREV-003", case=1)
@pytest.mark.rule("2E-TERM-004", case=1)
def test_the_chart_names_the_traitor_and_all_others_are_heroes() -> None:
    """Number 20: Vivian Lopez, or else the player on the revealer's left."""
    table = Table(FOUR)
    told = reveal(table)
    assert the(told, HauntBegun).number == 20
    tome = [seat for seat in range(4) if "traitor" in [book.side for book in books(table, seat_bit(seat))]]
    assert tome == [3], "of all players only Vivian Lopez reads the Tome"

    sides = {one.seat: (one.side, one.revealed) for one in events(told, SideTold)}
    assert sides == {seat: ("traitor" if seat == 3 else "heroes", True) for seat in range(4)}
    assert [one.side for one in table.roles[SPECTATORS].explorers] == ["heroes", "heroes", "heroes", "traitor"]


@pytest.mark.rule("2E-HREV-003", case=2)
def test_a_criterion_picks_another_player_than_the_revealer_where_the_values_say_so() -> None:
    """Number 27: the highest Knowledge besides the revealer."""
    table = Table(options={"haunt": ""})
    table.clips(0, knowledge=8)
    table.clips(2, knowledge=7)
    told = reveal(table, "crystal-ball", "dining-room")
    assert the(told, HauntBegun).number == 27
    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [2]


@pytest.mark.rule("2E-HREV-004", case=1)
def test_in_a_tie_that_includes_the_revealer_it_is_the_revealer() -> None:
    """Number 35: the highest Knowledge. A and C both show 5, on the fifth space of one line and the sixth of the other."""
    table = Table(("father-rhinehardt", "zoe-ingstrom", "jenny-leclerc"), first=2)
    table.clips(0, knowledge=5)
    table.clips(1, knowledge=4)
    table.clips(2, knowledge=6)
    table.put(2, "upper-landing")
    table.turn(2)

    told = reveal(table, "mask", "master-bedroom")

    assert [table.value(seat, "knowledge") for seat in range(3)] == [5, 4, 5]
    assert (the(told, HauntBegun).number, the(told, HauntBegun).revealer) == (35, 2)
    assert traitors(told) == [2]


@pytest.mark.rule("2E-HREV-005", case=1)
def test_in_a_tie_without_the_revealer_it_is_the_nearest_to_the_revealers_left() -> None:
    """Seats A B C D, revealer B, A and D tie for the highest Might (number 42): D."""
    table = Table(("father-rhinehardt", "zoe-ingstrom", "jenny-leclerc", "brandon-jaspers"), first=1)
    table.traits(0, might=5)
    table.traits(3, might=5)

    told = reveal(table, "mask", "dining-room")

    assert the(told, HauntBegun).number == 42
    assert traitors(told) == [3]


@pytest.mark.rule("2E-HREV-005", case=2)
def test_to_the_left_of_the_fourth_of_five_sits_the_fifth_and_then_the_first() -> None:
    """Seats A B C D E, revealer D, A, B and C tie: A."""
    explorers = ("father-rhinehardt", "zoe-ingstrom", "jenny-leclerc", "brandon-jaspers", "darrin-flash-williams")
    table = Table(explorers, first=3)
    for seat, might in enumerate((4, 4, 4, 2, 2)):
        table.traits(seat, might=might)

    told = reveal(table, "mask", "dining-room")

    assert the(told, HauntBegun).number == 42
    assert traitors(told) == [0]


def test_an_explorer_named_by_the_chart_comes_before_the_other_criterion() -> None:
    """Number 25: Zoe Ingstrom, or else the highest Knowledge."""
    for third, traitor in (("zoe-ingstrom", 2), ("jenny-leclerc", 1)):
        table = Table(("father-rhinehardt", "vivian-lopez", third))
        told = reveal(table, "mask", "junk-room")
        assert the(told, HauntBegun).number == 25
        assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [traitor]


@pytest.mark.rule("2E-HSET-001", "2E-HSET-003")
@pytest.mark.rule("2E-HSET-001", case=(1, 2))
@pytest.mark.rule("2E-HSET-003", case=(1, 2))
def test_each_side_reads_its_own_book_and_not_the_others() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    told = reveal(table)  # the revealer is its traitor

    sheet = table.rules.pack.haunts["the-bell-below"]
    assert sheet.traitor_book is not None
    for seat, (side, book) in enumerate([("traitor", sheet.traitor_book), *[("heroes", sheet.book("heroes"))] * 2]):
        view = view_of(table.rules, table.view(seat), seat_bit(seat))
        read = [(one.side, one.story, one.goal) for one in books(table, seat_bit(seat))]
        assert read == [(side, book.story, book.goal)]
        shown = msgspec.json.encode(view).decode()
        stories = [one.story for haunt in table.rules.pack.haunts.values() for one in books_of(haunt)]
        told_of = [story for story in stories if msgspec.json.encode(story).decode() in shown]
        assert told_of == [book.story], "the entry of this haunt, and of no other"
    assert [one.text for one in events(heard(told, 0), TextTold)] == ["story", "traitor.book"]
    assert [one.text for one in events(heard(told, 1), TextTold)] == ["story", "heroes.book"]
    assert [one.text for one in events(heard(told, 2), TextTold)] == ["story", "heroes.book"]
    assert [one.text for one in events([one for one in told if one.to & SPECTATORS], TextTold)] == ["story"]


@pytest.mark.rule("2E-SEC-001", case=1)
def test_nobody_but_the_heroes_is_told_their_book() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    reveal(table)
    for commit in table.commits:
        for one in commit:
            if isinstance(one.event, TextTold) and one.event.text.startswith("heroes"):
                assert one.to & 0b110 == 0b110
                assert not one.to & (1 | SPECTATORS), "neither the traitor nor spectators"
    heroes = [one.event.rule for commit in table.commits for one in commit if one.event.rule == "2E-SEC-001"]
    assert heroes == ["2E-SEC-001"]


@pytest.mark.rule("2E-SETUP-001", case=1)
def test_before_the_haunt_no_book_is_open() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    assert not [one for commit in table.commits for one in events(commit, TextTold)]
    for seat in range(3):
        table.turn(seat)
        assert view_of(table.rules, table.view(seat), seat_bit(seat)).haunt is None
        for book in ("haunt:heroes", "haunt:traitor"):
            with table.refuses("2E-SETUP-001"):
                table.act(book, "CHANT")


@pytest.mark.rule("2E-HSET-005", case=(1, 2, 3))
@pytest.mark.parametrize("last", [0, 2])
def test_play_goes_on_only_when_everybody_is_ready(last: int) -> None:
    """The last one is the traitor, seat 0, or a hero."""
    table = Table(options={"haunt": "the-bell-below"})
    reveal(table)
    assert {one.seat for one in table.state.open.values()} == {0, 1, 2}

    for seat in {0, 1, 2} - {last}:
        told = table.choose(seat, "ready")
        assert not events(told, TokenPlaced)
    for seat in (0, 1, 2):
        with table.refuses("2E-HSET-005"):
            table.play(seat, Move(decision=table.now, to="foyer"))
    with table.refuses("2E-HSET-005"):
        table.play(1, EndTurn(decision=table.now))
    told = table.choose(last, "ready")

    assert the(told, TokenPlaced).token == "bell-rope", "the heroes' Right Now"
    assert the(told, TurnStarted).seat == 1


@pytest.mark.rule("2E-HSET-006", case=1)
def test_both_right_now_sections_are_done_before_the_first_turn_the_heroes_first() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    told = reveal(table)
    assert not events(told, TokenPlaced)
    for seat in (0, 1):
        assert not events(table.choose(seat, "ready"), MonsterPlaced)

    told = table.choose(2, "ready")

    kinds = [type(one.event) for one in told]
    assert kinds.index(TokenPlaced) < kinds.index(MonsterPlaced) < kinds.index(TurnStarted)
    assert the(told, TokenPlaced).room == "entrance-hall"
    assert the(told, MonsterPlaced).room == "charred-room"


@pytest.mark.rule("2E-OBJ-001", case=1, asserts=True)
def test_before_the_haunt_nobody_has_a_side() -> None:
    for role in Table(FOUR).roles.values():
        assert [one.side for one in role.explorers] == ["", "", "", ""]


@pytest.mark.rule("2E-OBJ-001", case=2, asserts=True)
def test_in_an_ordinary_haunt_one_explorer_is_the_traitor_and_all_others_are_heroes() -> None:
    table = Table(FOUR, options={"haunt": "the-bell-below"})
    reveal(table)
    for role in table.roles.values():
        assert sorted(one.side for one in role.explorers) == ["heroes", "heroes", "heroes", "traitor"]


def test_an_omen_drawn_off_the_chart_looks_to_the_nearest_room_on_it() -> None:
    table = Table()
    table.lay("gardens", "ground", 1, 0, turns=1)
    table.lay("kitchen", "ground", -1, 1)
    table.put(0, "gardens")
    table.turn(0)
    table.draw(0, "omen", "spear")

    begun = the(table.rolls([0] * 6).end_turn(), HauntBegun)

    assert (begun.room, begun.number) == ("gardens", 39)


@pytest.mark.rule("2E-HREV-001")
def test_between_rooms_of_the_chart_equally_near_the_revealer_chooses() -> None:
    table = Table()
    table.lay("gardens", "ground", 1, 0, turns=1)
    table.lay("kitchen", "ground", -1, 1)
    table.lay("junk-room", "ground", 1, 1)
    table.put(0, "gardens")
    table.turn(0)
    table.draw(0, "omen", "spear")
    table.put(0, "foyer")

    told = table.rolls([0] * 6).end_turn()
    assert not events(told, HauntBegun)
    assert (table.asked(0).about, table.asked(0).options) == ("haunt-room", ["kitchen", "junk-room"])
    told = table.choose(0, "junk-room")

    assert (the(told, HauntBegun).room, the(told, HauntBegun).number) == ("gardens", 17)
