"""Setting a game up: players, explorers, house, stacks, first turn (rulebook: Setup)."""

import msgspec
import pytest

from domain.decide import decide
from domain.engine.machine import Machine
from domain.facts.audience import REFEREE
from domain.facts.chance import Seeded
from domain.facts.commands import Act, Allocate, AnyCommand, Drop, Explore, Move
from domain.facts.events import CardDrawn, DamageTaken, GameOpened, SeatClaimed, TileDrawn, Told, TurnEnded, TurnStarted
from domain.facts.grid import neighbor
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.game import claim, open_game, start_game
from domain.rulebook.turn.options import legal
from projections.view.game import view_of
from tests.support.packs import rules
from tests.support.table import FOUR, Table, events, the

SECOND = rules("second-edition")


def opened(seats: int) -> State:
    """A game with free seats."""
    return open_game(
        SECOND,
        GameOpened(
            game="g", edition="second", pack="second-edition", pack_digest="", seats=seats, options={}, source="tape"
        ),
    )[0]


def started(explorers: tuple[str, ...], today: str) -> list[Told]:
    """A game started on this day, nothing arranged."""
    state = opened(len(explorers))
    for seat, explorer in enumerate(explorers):
        claim(SECOND, state, SeatClaimed(seat=seat, explorer=explorer))
    return start_game(SECOND, state, Seeded(b"seed", "g"), today)


@pytest.mark.parametrize(
    "seats",
    [
        pytest.param(2, marks=pytest.mark.rule("2E-COMP-001", case=1)),
        pytest.param(7, marks=pytest.mark.rule("2E-COMP-001", case=2)),
    ],
)
def test_two_or_seven_players_are_refused(seats: int) -> None:
    with pytest.raises(Refused) as refused:
        opened(seats)
    assert refused.value.rule == "2E-COMP-001"


@pytest.mark.rule("2E-COMP-001", case=3, asserts=True)
def test_three_and_six_players_are_welcome() -> None:
    assert [opened(seats).seats for seats in (3, 6)] == [3, 6]


@pytest.mark.rule("2E-COMP-003", case=2, asserts=True)
def test_two_explorers_in_one_game_never_share_a_color() -> None:
    """Nobody gets the other face of a card in use, and six seats without a choice get six colors."""
    for explorer in SECOND.pack.explorers.values():
        state = opened(3)
        claim(SECOND, state, SeatClaimed(seat=0, explorer=explorer.id))
        for other in SECOND.pack.explorers.values():
            if other.color == explorer.color:
                with pytest.raises(Refused):
                    claim(SECOND, state, SeatClaimed(seat=1, explorer=other.id))
    state = opened(6)
    for seat in range(6):
        claim(SECOND, state, SeatClaimed(seat=seat))
    start_game(SECOND, state, Seeded(b"s", "g"), "01-01")
    assert len({SECOND.pack.explorers[one.id].color for one in state.explorers}) == 6


@pytest.mark.parametrize(
    "second",
    [
        pytest.param("missy-dubourde", marks=pytest.mark.rule("2E-SETUP-002", case=1), id="the-other-face"),
        pytest.param("zoe-ingstrom", marks=pytest.mark.rule("2E-SETUP-002", case=2), id="the-same"),
    ],
)
def test_an_explorer_on_a_card_in_use_is_not_to_be_had(second: str) -> None:
    state = opened(3)
    claim(SECOND, state, SeatClaimed(seat=0, explorer="zoe-ingstrom"))
    with pytest.raises(Refused) as refused:
        claim(SECOND, state, SeatClaimed(seat=1, explorer=second))
    assert refused.value.rule == "2E-SETUP-002"
    assert state.claimed[1] == ""


@pytest.mark.rule("2E-SETUP-003", case=1)
def test_a_fresh_explorer_stands_on_its_starting_values() -> None:
    table = Table(("zoe-ingstrom", "ox-bellows", "jenny-leclerc"))
    assert [table.value(0, trait) for trait in ("might", "speed", "sanity", "knowledge")] == [3, 4, 5, 3]


def replay(seed: bytes) -> tuple[list[str], State]:
    """The first thirty commands of a game in which every seat takes the last command offered; what was dealt."""
    state = opened(3)
    for seat in range(3):
        claim(SECOND, state, SeatClaimed(seat=seat))
    chance = Seeded(seed, "g")
    start_game(SECOND, state, chance, "01-01")
    dealt: list[str] = []
    for step in range(60):
        seat = next((one.seat for one in state.open.values()), state.turn.seat)
        offered: list[AnyCommand] = legal(SECOND, state, seat)
        told = decide(SECOND, state, seat, offered[step % len(offered)], chance)
        dealt += [f"{type(one.event).__name__}:{getattr(one.event, 'pick', '')}" for one in told]
    return dealt, state


def drawn(seed: bytes, deck: str, number: int) -> list[str]:
    """The cards that one explorer draws from a stack until it is empty."""
    state = opened(3)
    for seat in range(3):
        claim(SECOND, state, SeatClaimed(seat=seat))
    chance = Seeded(seed, "g")
    start_game(SECOND, state, chance, "01-01")
    found = []
    for _ in range(number):
        machine = Machine(SECOND, state, chance)
        machine.call("draw-card", seat=0, deck=deck)
        machine.run()
        found += [one.card for one in events(machine.told, CardDrawn) if one.card in SECOND.pack.decks[deck]]
    return found


@pytest.mark.rule("2E-SETUP-004", case=1)
def test_the_same_seed_gives_the_same_order_of_the_stacks_and_another_seed_another() -> None:
    for deck, number in (("omen", 13), ("item", 22), ("event", 45)):
        order = drawn(b"one", deck, number)
        assert sorted(order) == sorted(SECOND.pack.decks[deck])
        assert drawn(b"one", deck, number) == order
        assert drawn(b"two", deck, number) != order
    assert replay(b"one") == replay(b"one")
    assert replay(b"one") != replay(b"two")


@pytest.mark.rule("2E-SETUP-004", case=2)
@pytest.mark.rule("2E-SETUP-006", case=2)
def test_no_view_shows_what_lies_where_in_a_stack() -> None:
    table = Table()
    table.stack("event", "webs", "smoke")
    table.stack("tiles", "attic", "vault")
    for mask, role in table.roles.items():
        if mask == REFEREE:
            continue  # keeps the log, and plays nobody
        view = view_of(SECOND, role, mask)
        for name, deck in view.decks.items():
            assert not [slot for slot in deck.known if slot.face]
            assert role.decks[name].pool == SECOND.pack.in_order(name, SECOND.pack.decks[name])
        shown = msgspec.json.encode(view).decode()
        assert not [name for name in ("webs", "smoke", "attic", "vault") if f'"{name}"' in shown]


@pytest.mark.rule("2E-SETUP-006", case=1)
def test_the_room_stack_mixes_tiles_of_all_floors() -> None:
    backs, orders = set(), set()
    for seed in range(40):
        state = opened(3)
        for seat in range(3):
            claim(SECOND, state, SeatClaimed(seat=seat))
        chance = Seeded(str(seed).encode(), "g")
        start_game(SECOND, state, chance, "01-01")
        first = state.decks["tiles"].top[0].back
        backs.add(first)
        state.explorers[state.turn.seat].room = {"basement": "basement-landing", "upper": "upper-landing"}.get(
            first.partition("+")[0], "entrance-hall"
        )
        told = decide(SECOND, state, state.turn.seat, Explore(decision="turn-1", door="east"), chance)
        orders.add(events(told, TileDrawn)[0].tile)
    assert {floor for back in backs for floor in back.split("+")} == {"basement", "ground", "upper"}
    assert len(orders) > 15, "any tile may be the first"


@pytest.mark.rule("2E-SETUP-005", case=1)
def test_a_new_house_has_three_tiles_one_on_each_floor_apart_from_one_another() -> None:
    state = Table().view(0)
    assert {(room.floor, room.id) for room in state.rooms.values()} == {
        ("ground", "entrance-hall"),
        ("ground", "foyer"),
        ("ground", "grand-staircase"),
        ("basement", "basement-landing"),
        ("upper", "upper-landing"),
    }
    beside = {
        (room.id, neighbor(state.grid, room, direction)) for room in state.rooms.values() for direction in range(4)
    }
    joined = {("entrance-hall", "foyer"), ("foyer", "grand-staircase")}
    assert {pair for pair in beside if pair[1]} == joined | {(two, one) for one, two in joined}


@pytest.mark.rule("2E-SETUP-007", case=1)
def test_everybody_begins_in_the_entrance_hall() -> None:
    table = Table(FOUR)
    assert {table.explorer(seat).room for seat in range(4)} == {"entrance-hall"}


@pytest.mark.parametrize(
    "today, explorers, first",
    [
        pytest.param(
            "06-01",
            ("brandon-jaspers", "darrin-flash-williams", "vivian-lopez"),
            1,
            marks=pytest.mark.rule("2E-SETUP-008", case=1),
            id="1-june",
        ),
        pytest.param("12-15", ("ox-bellows", "missy-dubourde", "vivian-lopez"), 2, id="15-december"),
        pytest.param(
            "06-06",
            ("professor-longfellow", "darrin-flash-williams", "zoe-ingstrom"),
            1,
            marks=pytest.mark.rule("2E-SETUP-008", case=3),
            id="6-june",
        ),
    ],
)
def test_the_next_birthday_begins_and_a_birthday_today_is_the_nearest(
    today: str, explorers: tuple[str, ...], first: int
) -> None:
    """In December the count passes the new year (the ledger's case names two faces of one card, so others play it)."""
    assert the(started(explorers, today), TurnStarted).seat == first


def turns(table: Table, number: int) -> list[int]:
    """Whose turns these are."""
    order = [table.seat]
    for _ in range(number - 1):
        table.end_turn()
        order.append(table.seat)
    return order


@pytest.mark.rule("2E-SETUP-008", case=4)
def test_the_player_with_the_next_birthday_begins_and_those_to_the_left_follow() -> None:
    """Seats A B C D; C's explorer has the next birthday: C D A B."""
    table = Table(
        ("brandon-jaspers", "vivian-lopez", "darrin-flash-williams", "jenny-leclerc"), first=None, today="06-01"
    )
    assert turns(table, 4) == [2, 3, 0, 1]


@pytest.mark.rule("2E-SETUP-009", case=1)
def test_turns_pass_clockwise() -> None:
    assert turns(Table(FOUR, first=2), 5) == [2, 3, 0, 1, 2]


# -- 2E-TURN: On Your Turn -----------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-TURN-001", case=1)
def test_a_move_an_item_or_a_drop_of_another_player_is_refused() -> None:
    table = Table()
    table.hold(1, "smelling-salts")
    table.turn(0)
    assert not table.offers(1)
    for command in (
        Move(decision=table.now, to="foyer"),
        Act(decision=table.now, source="card:smelling-salts", word="HEAL", target=1),
        Drop(decision=table.now, cards=["smelling-salts"]),
    ):
        with table.refuses("2E-TURN-001"):
            table.play(1, command)


@pytest.mark.rule("2E-TURN-001", case=2, asserts=True)
def test_a_trade_is_agreed_to_in_another_players_turn() -> None:
    table = Table()
    table.hold(0, "axe")
    table.turn(0)
    table.trade(1, ["axe"])

    table.choose(1, "yes")

    assert table.explorer(1).cards == ["axe"]


@pytest.mark.rule("2E-TURN-001", case=3, asserts=True)
def test_damage_in_another_players_turn_is_divided_by_its_taker_and_nobody_else() -> None:
    """The Shriek that seat 0 draws hurts seat 1."""
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "hideous-shriek")
    table.rolls([2, 2, 0], [1, 0, 0, 0, 0], [1], [2, 2, 0, 0]).explore("east")
    division = Allocate(decision=table.asked(1).id, points={"sanity": 1})

    with table.refuses("2E-DMG-003", problem="not-your-decision"):
        table.play(0, division)
    told = table.play(1, division)

    assert the(told, DamageTaken).seat == 1


@pytest.mark.rule("2E-TURN-002", case=1)
def test_actions_come_in_any_order_and_between_moves() -> None:
    table = Table()
    table.hold(0, "healing-salve")
    table.clips(0, might=1)
    table.token("safe", "foyer")
    table.turn(0)

    table.act("card:healing-salve", "HEAL", target=0)
    table.move("foyer")
    table.rolls([0, 0, 2], [0]).act("token:safe", "OPEN")
    table.move("grand-staircase")

    assert table.explorer(0).room == "grand-staircase"
    with table.refuses("2E-TURN-002"):
        table.act("token:safe", "OPEN")


@pytest.mark.rule("2E-TURN-002", case=2, asserts=True)
def test_a_turn_may_end_without_any_action() -> None:
    table = Table()
    told = table.end_turn()
    assert the(told, TurnEnded).seat == 0
    assert the(told, TurnStarted).seat == 1


def test_a_started_game_takes_no_more_players() -> None:
    table = Table()
    with table.refuses(problem="not-open"):
        claim(table.rules, table.state, SeatClaimed(seat=0))
