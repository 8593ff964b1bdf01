"""Who plays against whom in a haunt of the third edition (rulebook 2022, Haunt Types, p. 13; Obstacles, p. 15)."""

import msgspec
import pytest

from domain.facts.audience import SPECTATORS, principal_name
from domain.facts.commands import Attack, Move, Reveal
from domain.facts.events import ExplorerAttacked, Moved, SideTold, TokenPlaced
from domain.facts.state import Figure, MonsterId
from domain.queries.characters import opposed, side_of
from projections.board import board_of
from projections.sentences.history import sentence
from tests.support.packs import haunts
from tests.support.table import Table, events, the
from tests.support.third import FRIENDS, bring_on, third
from tests.support.third_haunts import (
    DUEL,
    HIDDEN,
    LONG,
    RIVALS,
    TOGETHER,
    begun,
    seen_by_all,
    set_up,
    strike,
    table_in,
    view,
)


def books_read(table: Table, seat: int) -> set[str]:
    return {text for text in table.view(seat).texts if text.endswith(".book")}


def cost_of_leaving(table: Table, figure: int | str) -> int:
    """What the next step costs the explorer whose turn it is, or a monster in the monsters' turn."""
    if isinstance(figure, int):
        table.turn(figure)
        return the(table.move("hallway"), Moved).spent
    table.turn(1, monsters=True)
    table.let_move(3, figure)
    return the(table.move("hallway", monster=figure), Moved).spent


# -- four types -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HTYPE-002", case=1)
def test_without_a_traitor_all_are_heroes_and_read_the_heroes_book() -> None:
    table = begun(TOGETHER)
    assert [one.side for one in table.state.explorers] == ["heroes"] * 3
    for seat in range(3):
        assert books_read(table, seat) == {"heroes.book"}


@pytest.mark.rule("3E-HTYPE-003", case=1, asserts=True)
@pytest.mark.parametrize("haunt", haunts("third-edition", kind="one-traitor"))
def test_after_the_start_of_a_haunt_with_one_traitor_all_see_exactly_one(haunt: str) -> None:
    table = Table(FRIENDS, game=third().rules, options={"scenario": "cursed", "haunt": haunt})
    bring_on(table)
    set_up(table)
    for who in table.roles:
        sides = sorted(one.side for one in view(table, who).explorers)
        assert sides == ["heroes", "heroes", "traitor"], principal_name(who)


@pytest.mark.rule("3E-HTYPE-003", asserts=True)
def test_one_traitor_plays_against_all_others() -> None:
    table = begun(DUEL)
    sides = [one.side for one in table.state.explorers]
    assert {seat: books_read(table, seat) for seat in range(3)} == {
        seat: {"traitor.book" if side == "traitor" else "heroes.book"} for seat, side in enumerate(sides)
    }


# -- a hidden traitor -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HTYPE-004", case=1)
def test_only_the_traitor_knows_its_role_until_the_haunt_reveals_it() -> None:
    table = begun(HIDDEN)
    (traitor,) = [one.seat for one in table.state.explorers if one.side == "traitor"]
    for seat in range(3):
        known = {one.seat: one.side for one in view(table, 1 << seat).explorers}
        assert known == {other: table.state.explorers[seat].side if other == seat else "" for other in range(3)}
    table.act("haunt:heroes", "UNMASK")
    for seen in seen_by_all(table):
        assert seen.explorers[traitor].side == "traitor"
        assert seen.explorers[traitor].revealed


@pytest.mark.rule("3E-HTYPE-004")
def test_a_hidden_traitor_cannot_turn_up_its_token_unless_the_haunt_lets_it() -> None:
    table = table_in(HIDDEN, traitor=1)
    for seat in range(3):
        assert table.offers(seat, Reveal) == []
        with table.refuses("3E-HTYPE-004"):
            table.reveal(seat)
    allowed = table_in(HIDDEN.replace("revealed: []", "reveal-if: {in: hallway}"), traitor=1)
    with allowed.refuses("3E-HTYPE-004"):
        allowed.reveal(1)
    allowed.put(1, "hallway")
    assert allowed.offers(1, Reveal)
    assert the(allowed.reveal(1), SideTold).side == "traitor"


@pytest.mark.rule("3E-HTYPE-004")
def test_the_death_of_a_hidden_traitor_reveals_nothing_before_the_end() -> None:
    table = table_in(LONG, traitor=1)
    table.die(1)
    assert view(table, 1 << 0).explorers[1].side == ""
    with table.refuses("3E-HTYPE-004"):
        table.reveal(1)


@pytest.mark.parametrize("traitor", [1, 2])
def test_out_of_the_house_a_hidden_traitor_has_no_more_turns_than_anybody_else(traitor: int) -> None:
    table = table_in(LONG, traitor=traitor)
    table.remove(1)
    assert table.seat == 0
    table.end_turn()
    assert table.seat == 2
    table.end_turn()
    assert table.seat == 0
    table.act("haunt:heroes", "UNMASK")
    table.end_turn()
    assert table.seat == (1 if traitor == 1 else 2), "once all know, it has turns without a figure"


def twin(traitor: int) -> list[list[bytes]]:
    """The same course of play with this traitor, as the player who is a hero in either game and the spectators see it."""
    table = table_in(LONG, traitor=traitor, seats=4)
    seen = []

    def look() -> None:
        seen.append(
            [
                *(msgspec.json.encode(view(table, 1 << seat)) for seat in (2, 3)),
                *(msgspec.json.encode(table.offers(seat)) for seat in (2, 3)),
                msgspec.json.encode(view(table, SPECTATORS)),
                board_of(view(table, SPECTATORS)).encode(),
            ]
        )

    table.put(3, "hallway")
    table.monster("moth-1", "hallway")
    look()
    strike(table, 1, hit=1)
    look()
    table.allocate(1, might=1)
    look()
    table.move("hallway", "ground-floor-staircase")
    look()
    end_turn(table)
    strike(table, 2)
    table.move("hallway")
    look()
    for _ in range(3):
        end_turn(table)
        look()
    table.rolls((1, 0, 0)).die(0)
    look()
    for _ in range(5):
        end_turn(table)
        look()
    return seen


def end_turn(table: Table) -> None:
    """Whoever has the turn ends it, and after the monsters' turn, which moves nothing, the next explorer's begins."""
    table.fate.dice = [(1, 0, 0)] * 2
    table.end_turn()
    if table.state.turn.monsters:
        table.end_turn()
    table.fate.dice = []


@pytest.mark.rule("3E-HTYPE-004", asserts=True)
def test_nobody_else_sees_which_of_two_players_is_the_traitor() -> None:
    assert twin(traitor=0) == twin(traitor=1)


@pytest.mark.rule("3E-HTYPE-005", case=1)
def test_explorers_may_attack_each_other_while_they_are_in_doubt_and_after() -> None:
    table = table_in(HIDDEN, traitor=1)
    assert {one.target for one in table.offers(0, Attack) if isinstance(one, Attack)} == {1, 2}
    told_of = strike(table, 2)
    assert the(told_of, ExplorerAttacked).rule == "3E-HTYPE-005"
    table.act("haunt:heroes", "UNMASK")
    table.turn(0)
    assert the(strike(table, 2), ExplorerAttacked).rule == "3E-HTYPE-005"


@pytest.mark.rule("3E-HTYPE-006", case=1)
def test_with_a_hidden_traitor_everybody_reads_the_heroes_book() -> None:
    table = begun(HIDDEN)
    for seat in range(3):
        assert books_read(table, seat) == {"heroes.book"}
    first, *others = [seen.haunt.books for seen in seen_by_all(table) if seen.haunt is not None]
    assert others == [first] * 2


# -- free-for-all -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HTYPE-007", case=1)
def test_in_a_free_for_all_the_first_to_meet_the_condition_is_the_only_winner() -> None:
    table = begun(RIVALS)
    sides = [one.side for one in table.state.explorers]
    assert sides == ["seat:0", "seat:1", "seat:2"]
    for seen in seen_by_all(table):
        assert [one.side for one in seen.explorers] == sides
    winner = table.seat
    for turn in range(3):
        assert table.state.status == "started", turn
        table.turn(winner)
        table.act("haunt:traitor", "DIG")
    assert (table.state.status, table.state.winner) == ("finished", f"seat:{winner}")


@pytest.mark.rule("3E-HTYPE-007", asserts=True)
def test_who_acts_is_asked_first_whether_it_has_won() -> None:
    for active in range(3):
        table = table_in(RIVALS.replace("by: 1", "to: 3").replace("do: [{count", "do: [{who: {each: explorer}, count"))
        table.turn(active)
        table.act("haunt:traitor", "DIG")
        assert table.state.winner == f"seat:{active}"


@pytest.mark.rule("3E-HTYPE-007", asserts=True)
def test_a_step_that_wins_wins_for_who_does_it() -> None:
    table = table_in(RIVALS)
    table.turn(2)
    ended = table.act("haunt:traitor", "BOARD")
    assert table.state.winner == "seat:2"
    told_in_words = [sentence(table.rules, one.event, table.view(0)) for one in ended]
    assert "Michelle Monroe has won: The boat leaves." in told_in_words
    assert "Michelle Monroe has won" in board_of(view(table, SPECTATORS))


@pytest.mark.rule("3E-HTYPE-008", case=1)
def test_in_a_free_for_all_anybody_may_attack_anybody() -> None:
    for attacker in range(3):
        for target in {0, 1, 2} - {attacker}:
            table = table_in(RIVALS)
            table.turn(attacker)
            assert target in {one.target for one in table.offers(attacker, Attack) if isinstance(one, Attack)}
            assert the(strike(table, target), ExplorerAttacked).rule == "3E-HTYPE-008"


@pytest.mark.rule("3E-HTYPE-009", case=1)
def test_in_a_free_for_all_everybody_reads_the_traitors_book_alone() -> None:
    table = begun(RIVALS)
    for seat in range(3):
        assert books_read(table, seat) == {"traitor.book"}
    for seen in seen_by_all(table):
        assert seen.haunt is not None
        assert [(one.side, one.story) for one in seen.haunt.books] == [("traitor", "There is one seat.")]


def test_in_a_free_for_all_monsters_and_all_others_are_opponents() -> None:
    table = table_in(RIVALS)
    table.monster("moth-1", "entrance-hall")
    table.monster("moth-2", "entrance-hall")
    state = table.state
    figures: list[Figure] = [0, 1, 2, MonsterId("moth-1")]
    assert all(opposed(state, one, other) for one in figures for other in figures if one != other)
    assert not opposed(state, MonsterId("moth-1"), MonsterId("moth-2"))
    assert [principal_name(1 << seat) for seat in range(3) if state.side_mask(side_of(state, seat)) & 1 << seat] == [
        "seat:0",
        "seat:1",
        "seat:2",
    ]
    before = {seat: [*table.explorer(seat).at] for seat in range(3)}
    table.act("haunt:traitor", "GNAW")
    for seat in (1, 2):
        table.allocate(seat, might=1)
    assert {seat for seat in range(3) if table.explorer(seat).at != before[seat]} == {1, 2}


# -- obstacles --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-OBST-001", case=1)
@pytest.mark.rule("3E-OBST-001", case=2)
def test_leaving_a_tile_with_an_obstacle_takes_two_points() -> None:
    table = third()
    table.token("obstacle", "entrance-hall")
    table.traits(0, speed=3)
    table.turn(0)
    assert the(table.move("hallway"), Moved).spent == 2
    table.put(0, "entrance-hall")
    assert Move(decision=table.now, to="hallway") not in table.offers(0)
    with table.refuses("3E-OBST-001"):
        table.move("hallway")


@pytest.mark.rule("3E-OBST-001", case=3)
def test_discovering_from_a_tile_with_an_obstacle_takes_two_points() -> None:
    table = third()
    table.token("obstacle", "entrance-hall")
    table.traits(0, speed=3)
    table.turn(0)
    table.move("hallway")
    table.put(0, "entrance-hall")
    with table.refuses("3E-OBST-001"):
        table.explore("east")
    other = third()
    other.token("obstacle", "entrance-hall")
    other.traits(0, speed=3)
    other.turn(0)
    other.move("hallway")
    other.turn(0)
    other.put(0, "entrance-hall")
    other.stack("tiles", "ballroom")
    other.stack("omen", "dog")
    assert other.rolls((0,)).explore("east")


@pytest.mark.rule("3E-OBST-002", case=1)
@pytest.mark.rule("3E-OBST-002", case=2)
def test_any_number_of_obstacles_takes_two_points() -> None:
    for token in (False, True):
        table = table_in(DUEL, traitor=1)
        for seat in (1, 2):
            table.put(seat, "upper-landing")
        for number in (1, 2) if token else (1, 2, 3):
            table.monster(f"moth-{number}", "entrance-hall")
        if token:
            table.token("obstacle", "entrance-hall")
        table.turn(0)
        moved = the(table.move("hallway"), Moved)
        assert (moved.spent, moved.rule) == (2, "3E-OBST-002")


@pytest.mark.rule("3E-OBST-003", case=1)
def test_a_token_is_an_obstacle_before_the_haunt() -> None:
    table = third()
    table.token("obstacle", "entrance-hall")
    table.turn(0)
    moved = the(table.move("hallway"), Moved)
    assert (moved.spent, moved.rule) == (2, "3E-OBST-003")


@pytest.mark.rule("3E-OBST-003", case=2)
def test_the_junk_rooms_token_slows_in_the_next_turn() -> None:
    table = third()
    table.stack("tiles", "junk-room")
    told_of = [*table.explore("east"), *table.lay_anyhow()]
    assert events(told_of, TokenPlaced)[0].token == "obstacle"
    while table.is_asked(0):
        table.choose(0, table.asked(0).options[0])
    table.traits(0, speed=3)
    table.turn(0)
    moved = the(table.move("entrance-hall"), Moved)
    assert (moved.spent, moved.rule) == (2, "3E-OBST-003")


@pytest.mark.rule("3E-OBST-003", case=3)
def test_in_the_haunt_a_token_slows_the_traitor_and_monsters_too() -> None:
    table = table_in(DUEL, traitor=1)
    table.token("obstacle", "entrance-hall")
    table.monster("moth-1", "entrance-hall")
    for seat in (0, 2):
        table.put(seat, "upper-landing")
    assert cost_of_leaving(table, 1) == 2
    assert cost_of_leaving(table, "moth-1") == 2


@pytest.mark.rule("3E-OBST-004", case=1)
def test_a_hero_is_slowed_by_the_traitor_and_not_by_heroes() -> None:
    for other, cost in ((1, 2), (2, 1)):
        table = table_in(DUEL, traitor=1)
        table.put(3 - other, "upper-landing")
        table.turn(0)
        moved = the(table.move("hallway"), Moved)
        assert moved.spent == cost
        assert (moved.rule == "3E-OBST-004") == (cost == 2)


@pytest.mark.rule("3E-OBST-004", case=2)
def test_a_monster_is_slowed_by_heroes_and_not_by_the_traitor() -> None:
    for there, cost in ((0, 2), (1, 1)):
        table = table_in(DUEL, traitor=1)
        table.monster("moth-1", "entrance-hall")
        for seat in {0, 1, 2} - {there}:
            table.put(seat, "upper-landing")
        assert cost_of_leaving(table, "moth-1") == cost


@pytest.mark.rule("3E-OBST-004", case=3)
def test_the_traitor_is_slowed_by_heroes_and_not_by_monsters() -> None:
    for hero, cost in ((True, 2), (False, 1)):
        table = table_in(DUEL, traitor=1)
        table.monster("moth-1", "entrance-hall")
        table.put(0, "entrance-hall" if hero else "upper-landing")
        table.put(2, "upper-landing")
        assert cost_of_leaving(table, 1) == cost


@pytest.mark.rule("3E-OBST-004")
def test_in_a_free_for_all_everybody_slows_everybody_but_the_dead_nobody() -> None:
    table = table_in(RIVALS)
    table.put(2, "upper-landing")
    assert cost_of_leaving(table, 0) == 2
    dead = table_in(RIVALS, seats=4)
    dead.put(2, "upper-landing")
    dead.put(3, "upper-landing")
    dead.die(1)
    assert cost_of_leaving(dead, 0) == 1


@pytest.mark.rule("3E-OBST-004")
def test_a_hidden_traitor_slows_nobody_until_it_is_revealed_and_monsters_slow_all() -> None:
    for traitor in (1, 2):
        table = table_in(HIDDEN, traitor=traitor)
        table.put(2, "upper-landing")
        assert cost_of_leaving(table, 0) == 1
        for seat in (0, 1):
            monstrous = table_in(HIDDEN, traitor=traitor)
            monstrous.put(1 - seat, "upper-landing")
            monstrous.put(2, "upper-landing")
            monstrous.monster("moth-1", "entrance-hall")
            assert cost_of_leaving(monstrous, seat) == 2
    table = table_in(HIDDEN, traitor=1)
    table.put(2, "upper-landing")
    table.act("haunt:heroes", "UNMASK")
    assert cost_of_leaving(table, 0) == 2


# -- one team until the haunt -----------------------------------------------------------------------------------------


@pytest.mark.rule("3E-META-004", case=1, asserts=True)
def test_before_the_haunt_explorers_slow_nobody() -> None:
    table = third()
    table.put(2, "upper-landing")
    table.traits(0, speed=3)
    table.turn(0)
    assert the(table.move("hallway"), Moved).spent == 1
    assert view(table, 1 << 0).turn.spaces_left == 2


@pytest.mark.rule("3E-META-004", case=2, asserts=True)
def test_before_the_haunt_no_view_shows_sides() -> None:
    table = third()
    for who in table.roles:
        assert {one.side for one in view(table, who).explorers} == {""}
    assert not any(opposed(table.state, one, other) for one in range(3) for other in range(3))
    assert table.offers(0, Attack) == []
    with table.refuses("3E-ATK-001"):
        table.attack(1)
