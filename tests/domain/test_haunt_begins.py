"""The haunt is revealed: chart, traitor, books, readiness (rulebook: The Haunt Begins, Haunt Setup)."""

import pytest

from domain.audience import SPECTATORS, seat_bit
from domain.commands import EndTurn
from domain.events import HauntBegun, MonsterPlaced, SideTold, TextTold, TokenPlaced, Told, TurnStarted
from projections.view import view_of
from tests.support.table import FOUR, Table, events, heard, the


def reveal(table: Table, omen: str = "ring", tile: str = "charred-room") -> list[Told]:
    """The active explorer discovers a raven room and its haunt roll begins the haunt."""
    table.stack("tiles", tile)
    table.stack("omen", omen)
    table.explore("east")
    table.lay_anyhow()
    return table.rolls([0] * 6).end_turn()


@pytest.mark.rule("2E-HREV-001")
def test_omen_and_room_name_the_haunt_on_the_chart() -> None:
    table = Table()
    told = reveal(table, "spear", "kitchen")
    begun = the(told, HauntBegun)
    assert (begun.omen, begun.room, begun.number) == ("spear", "kitchen", 39)


@pytest.mark.rule("2E-HREV-001")
def test_girl_in_the_catacombs_is_haunt_one() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.turn(0)
    assert the(reveal(table, "girl", "catacombs"), HauntBegun).number == 1


@pytest.mark.rule("2E-HREV-002")
def test_the_room_is_where_the_omen_was_drawn_and_not_where_its_drawer_is_now() -> None:
    table = Table()
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.put(0, "upper-landing")

    begun = the(table.rolls([0] * 6).end_turn(), HauntBegun)

    assert (begun.room, begun.number) == ("charred-room", 20)


@pytest.mark.rule("2E-HREV-003")
@pytest.mark.rule("2E-TERM-004", case=1)
def test_the_chart_names_the_traitor_and_all_others_are_heroes() -> None:
    """Number 20: Vivian Lopez, or else the player on the revealer's left."""
    table = Table(FOUR)
    told = reveal(table)

    sides = {one.seat: (one.side, one.revealed) for one in events(told, SideTold)}
    assert sides == {seat: ("traitor" if seat == 3 else "heroes", True) for seat in range(4)}
    assert [one.side for one in table.roles[SPECTATORS].explorers] == ["heroes", "heroes", "heroes", "traitor"]


@pytest.mark.rule("2E-HREV-003")
def test_a_criterion_picks_another_player_than_the_revealer_where_the_values_say_so() -> None:
    """Number 27: the highest Knowledge besides the revealer."""
    table = Table(options={"haunt": ""})
    table.clips(0, knowledge=8)
    table.clips(2, knowledge=7)
    told = reveal(table, "crystal-ball", "dining-room")
    assert the(told, HauntBegun).number == 27
    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [2]


@pytest.mark.rule("2E-HREV-004")
def test_in_a_tie_that_includes_the_revealer_it_is_the_revealer() -> None:
    """Number 42: the highest Might."""
    table = Table(("father-rhinehardt", "zoe-ingstrom", "jenny-leclerc"), first=1)
    table.traits(0, might=4)
    table.traits(1, might=4)
    table.traits(2, might=3)

    told = reveal(table, "mask", "dining-room")

    assert the(told, HauntBegun).number == 42
    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [1]


@pytest.mark.rule("2E-HREV-005")
def test_in_a_tie_without_the_revealer_it_is_the_nearest_to_the_revealers_left() -> None:
    """Seats A B C D, revealer B, A and D tie: D."""
    table = Table(("father-rhinehardt", "zoe-ingstrom", "jenny-leclerc", "brandon-jaspers"), first=1)
    table.traits(0, might=5)
    table.traits(3, might=5)

    told = reveal(table, "mask", "dining-room")

    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [3]


def test_an_explorer_named_by_the_chart_comes_before_the_other_criterion() -> None:
    """Number 25: Zoe Ingstrom, or else the highest Knowledge."""
    for third, traitor in (("zoe-ingstrom", 2), ("jenny-leclerc", 1)):
        table = Table(("father-rhinehardt", "vivian-lopez", third))
        told = reveal(table, "mask", "junk-room")
        assert the(told, HauntBegun).number == 25
        assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [traitor]


@pytest.mark.rule("2E-HSET-001", "2E-HSET-003")
def test_each_side_reads_its_own_book_and_not_the_others() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    told = reveal(table)  # the revealer is its traitor

    assert [one.text for one in events(heard(told, 0), TextTold)] == ["story", "traitor.book"]
    assert [one.text for one in events(heard(told, 1), TextTold)] == ["story", "heroes.book"]
    assert [one.text for one in events(heard(told, 2), TextTold)] == ["story", "heroes.book"]
    assert [one.text for one in events([one for one in told if one.to & SPECTATORS], TextTold)] == ["story"]


@pytest.mark.rule("2E-SEC-001")
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


@pytest.mark.rule("2E-HSET-005")
def test_play_goes_on_only_when_everybody_is_ready() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    reveal(table)
    assert {one.seat for one in table.state.open.values()} == {0, 1, 2}

    table.choose(2, "ready")
    table.choose(0, "ready")
    with table.refuses("2E-HSET-005"):
        table.play(1, EndTurn(decision=f"turn-{table.state.turn.number}"))
    told = table.choose(1, "ready")

    assert the(told, TurnStarted).seat == 1


@pytest.mark.rule("2E-HSET-006")
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
    table.stack("omen", "spear")
    table.draw(0, "omen")

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
    table.stack("omen", "spear")
    table.draw(0, "omen")
    table.put(0, "foyer")

    told = table.rolls([0] * 6).end_turn()
    assert not events(told, HauntBegun)
    assert (table.asked(0).about, table.asked(0).options) == ("haunt-room", ["kitchen", "junk-room"])
    told = table.choose(0, "junk-room")

    assert (the(told, HauntBegun).room, the(told, HauntBegun).number) == ("gardens", 17)
