"""Setting a game up: players, explorers, house, stacks, first turn (rulebook: Setup)."""

import pytest

from domain.audience import REFEREE
from domain.chance import Seeded
from domain.commands import AnyCommand
from domain.decide import decide
from domain.events import GameOpened, SeatClaimed, Told, TurnEnded, TurnStarted
from domain.game import claim, open_game, start_game
from domain.refusal import Refused
from domain.state import State
from domain.turn.options import legal
from tests.support.packs import rules
from tests.support.table import FOUR, THREE, Table, the

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


@pytest.mark.rule("2E-COMP-001")
@pytest.mark.parametrize("seats", [2, 7])
def test_two_or_seven_players_are_refused(seats: int) -> None:
    with pytest.raises(Refused) as refused:
        opened(seats)
    assert refused.value.rule == "2E-COMP-001"


@pytest.mark.parametrize("seats", [3, 6])
def test_three_and_six_players_are_welcome(seats: int) -> None:
    assert opened(seats).seats == seats


@pytest.mark.rule("2E-SETUP-002")
@pytest.mark.parametrize("second", ["zoe-ingstrom", "missy-dubourde"])
def test_an_explorer_on_a_card_in_use_is_not_to_be_had(second: str) -> None:
    """The same explorer, and the other face of its card."""
    state = opened(3)
    claim(SECOND, state, SeatClaimed(seat=0, explorer="zoe-ingstrom"))
    with pytest.raises(Refused) as refused:
        claim(SECOND, state, SeatClaimed(seat=1, explorer=second))
    assert refused.value.rule == "2E-SETUP-002"
    assert state.claimed[1] == ""


@pytest.mark.rule("2E-SETUP-003")
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


@pytest.mark.rule("2E-SETUP-004")
def test_the_same_seed_deals_the_same_and_another_seed_does_not() -> None:
    assert replay(b"one") == replay(b"one")
    assert replay(b"one") != replay(b"two")


@pytest.mark.rule("2E-SETUP-004", "2E-SETUP-006")
def test_no_view_holds_the_order_of_a_stack() -> None:
    table = Table()
    table.stack("event", "webs", "smoke")
    table.stack("tiles", "attic", "vault")
    for mask, role in table.roles.items():
        if mask != REFEREE:
            for name, deck in role.decks.items():
                assert not [slot for slot in (*deck.top, *deck.bottom) if slot.face]
                assert deck.pool == SECOND.pack.in_order(name, SECOND.pack.decks[name])
    assert {floor for face in table.state.decks["tiles"].pool for floor in SECOND.pack.tiles[face].floors} == {
        "basement",
        "ground",
        "upper",
    }


@pytest.mark.rule("2E-SETUP-005")
def test_a_new_house_has_three_tiles_one_on_each_floor() -> None:
    rooms = Table().view(0).rooms
    assert {(room.floor, room.id) for room in rooms.values()} == {
        ("ground", "entrance-hall"),
        ("ground", "foyer"),
        ("ground", "grand-staircase"),
        ("basement", "basement-landing"),
        ("upper", "upper-landing"),
    }


@pytest.mark.rule("2E-SETUP-007")
def test_everybody_begins_in_the_entrance_hall() -> None:
    table = Table(FOUR)
    assert {table.explorer(seat).room for seat in range(4)} == {"entrance-hall"}


@pytest.mark.rule("2E-SETUP-008")
@pytest.mark.parametrize("today, first", [("10-19", 1), ("10-18", 0), ("11-06", 2), ("12-31", 2)])
def test_the_next_birthday_begins_and_a_birthday_today_is_the_nearest(today: str, first: int) -> None:
    """Ox Bellows was born on 10-18, Zoe Ingstrom on 11-05, Jenny LeClerc on 03-04."""
    assert the(started(THREE, today), TurnStarted).seat == first


@pytest.mark.rule("2E-SETUP-009")
def test_turns_pass_clockwise() -> None:
    """Seats A B C D, C first: C D A B C."""
    table = Table(FOUR, first=2)
    order = [table.seat]
    for _ in range(4):
        table.end_turn()
        order.append(table.seat)
    assert order == [2, 3, 0, 1, 2]


@pytest.mark.rule("2E-TURN-001")
def test_nobody_acts_in_another_players_turn() -> None:
    table = Table()
    assert not table.offers(1)
    command = table.offers(0)[0]
    with table.refuses("2E-TURN-001"):
        table.play(1, command)


@pytest.mark.rule("2E-TURN-003")
def test_a_turn_may_end_without_any_action() -> None:
    table = Table()
    told = table.end_turn()
    assert the(told, TurnEnded).seat == 0
    assert the(told, TurnStarted).seat == 1


@pytest.mark.rule("2E-TURN-002")
def test_actions_come_in_any_order_and_between_moves() -> None:
    table = Table()
    table.hold(0, "puzzle-box")
    table.pile("foyer", "axe")
    table.turn(0)
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")
    table.move("foyer")
    table.pick_up("axe")
    table.move("grand-staircase")
    with table.refuses("2E-TURN-002"):
        table.act("tile:foyer", "OPEN")


def test_a_started_game_takes_no_more_players() -> None:
    table = Table()
    with table.refuses(problem="not-open"):
        claim(table.rules, table.state, SeatClaimed(seat=0))


def test_seats_without_a_choice_get_explorers_of_different_cards() -> None:
    state = opened(6)
    for seat in range(6):
        claim(SECOND, state, SeatClaimed(seat=seat))
    start_game(SECOND, state, Seeded(b"s", "g"), "01-01")
    colors = {SECOND.pack.explorers[one.id].color for one in state.explorers}
    assert len(colors) == 6
