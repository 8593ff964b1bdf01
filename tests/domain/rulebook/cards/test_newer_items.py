"""Items that do something to others, together or with a room: Bell, Candle, Dark Dice, Dynamite, Music Box."""

import pytest

from domain.facts.commands import Act, Allocate
from domain.facts.events import (
    ActionTaken,
    CardLost,
    DiceRolled,
    Fizzled,
    MonsterStunned,
    Moved,
    TurnEnded,
    TurnStarted,
)
from domain.facts.state import MonsterId
from domain.rulebook.turn.ending import ROUNDS
from tests.support.fate import showing
from tests.support.table import Table, events, the


def test_the_bell_calls_heroes_nearer_as_its_ringer_says() -> None:
    table = Table()
    table.hold(0, "bell")
    table.put(2, "grand-staircase")
    table.haunt("the-bell-below", traitor=1)
    table.clips(0, sanity=8)
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 5))
    table.act("card:bell", "RING")

    assert table.asked(0).options == ["stay", "foyer"]
    told = table.choose(0, "foyer")

    assert the(told, Moved).room == "foyer"
    assert table.explorer(2).room == "foyer"


def test_a_hero_with_an_opponent_in_the_room_does_not_come() -> None:
    table = Table()
    table.hold(0, "bell")
    table.put(1, "grand-staircase")
    table.put(2, "grand-staircase")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "upper-landing")
    table.clips(0, sanity=8)
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 5))
    table.act("card:bell", "RING")

    assert not table.state.open


@pytest.mark.parametrize("spared", [False, True])
def test_a_hero_whose_way_out_takes_a_roll_does_not_come_unless_a_card_spares_the_roll(spared: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    """The Graveyard asks a Sanity roll of those who leave, and the Medallion spares it."""
    table = Table()
    table.hold(0, "bell")
    table.lay("graveyard", "ground", 1, 0, turns=1)
    table.put(2, "graveyard")
    if spared:
        table.hold(2, "medallion")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "upper-landing")
    table.put(0, "foyer")
    table.clips(0, sanity=8)
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 5))
    table.act("card:bell", "RING")

    if not spared:
        assert not table.state.open
        assert table.explorer(2).room == "graveyard"
        return
    told = table.choose(0, "entrance-hall")
    assert (the(told, Moved).figure, the(told, Moved).room) == (2, "entrance-hall")
    assert not events(told, DiceRolled)


def test_rung_in_vain_the_bell_lets_the_traitor_bring_monsters() -> None:
    table = Table()
    table.hold(0, "bell")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "grand-staircase")
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 0))
    table.act("card:bell", "RING")

    assert "foyer" in table.asked(1).options
    table.choose(1, "foyer")
    assert table.state.monsters[MonsterId("sexton-1")].room == "foyer"


def kit(result: int, **clips: int) -> Table:
    """Seat 0 rolls this result with the Medical Kit for seat 1, whose clips stand there."""
    table = Table()
    table.hold(0, "medical-kit")
    table.clips(0, knowledge=8)
    table.clips(1, **clips)
    table.turn(0)
    table.rolls(showing(table.value(0, "knowledge"), result)).act("card:medical-kit", "HEAL", target=1)
    return table


@pytest.mark.parametrize("result, points", [(4, 1), (5, 1), (6, 2), (7, 2), (8, 3)])
def test_a_medical_kit_heals_up_to_so_many_spaces(result: int, points: int) -> None:
    table = kit(result, might=1, speed=1)
    missing = {trait: table.explorer(1).starts[index] - 1 for index, trait in enumerate(("might", "speed"))}
    assert (table.asked(0).total, table.asked(0).caps, table.asked(0).up_to) == (points, missing, True)
    with table.refuses("2E-DMG-002"):
        table.allocate(0, might=points, speed=1)

    table.allocate(0, might=1)

    assert table.explorer(1).at[:2] == [2, 1]


def test_whoever_uses_a_medical_kit_may_heal_nothing_and_no_more_than_is_missing() -> None:
    table = kit(8, might=1)
    assert [one.points for one in table.offers(0, Allocate) if isinstance(one, Allocate)][-1] == {}
    table.allocate(0)
    assert table.explorer(1).at[0] == 1

    table = kit(8, might=2)
    missing = table.explorer(1).starts[0] - 2
    assert (table.asked(0).total, table.asked(0).caps) == (missing, {"might": missing})


@pytest.mark.parametrize("card", ["healing-salve", "smelling-salts", "medical-kit"])
def test_nobody_is_healed_who_is_not_hurt(card: str) -> None:
    table = Table()
    table.hold(0, card)
    table.clips(2, might=1, knowledge=1)
    table.turn(0)

    assert [one.target for one in table.offers(0, Act) if isinstance(one, Act)] == [2]
    with table.refuses("2E-TURN-002"):
        table.act(f"card:{card}", "HEAL", target=0)


@pytest.mark.parametrize("held, offered", [([], []), (["armor", "girl"], []), (["armor", "bell"], [1])])
def test_the_gloves_are_not_used_on_whom_nothing_can_be_taken_from(held: list[str], offered: list[int]) -> None:
    table = Table()
    table.hold(0, "pickpockets-gloves")
    table.hold(1, *held)
    table.turn(0)

    assert [one.target for one in table.offers(0, Act) if isinstance(one, Act)] == offered
    for nobody in {1, 2} - {*offered}:
        with table.refuses("2E-TURN-002"):
            table.act("card:pickpockets-gloves", "TAKE", nobody)


@pytest.mark.parametrize("clip, dice, offered", [(8, 8, False), (7, 7, True)])
def test_the_idol_is_not_offered_where_it_adds_no_die(clip: int, dice: int, *, offered: bool) -> None:
    table = Table(("peter-akimoto", "zoe-ingstrom", "jenny-leclerc"))
    table.hold(0, "idol", "puzzle-box")
    table.clips(0, knowledge=clip)
    assert table.value(0, "knowledge") == dice
    table.turn(0)
    if not offered:
        table.rolls([0] * dice)

    table.act("card:puzzle-box", "OPEN")

    assert table.is_asked(0) == offered
    if offered:
        told = table.rolls([0] * 8).choose(0, "card:idol#PRAY")
        assert len(the(told, DiceRolled).faces) == 8


def test_a_candle_lights_trait_rolls_of_own_events_and_no_others() -> None:
    table = Table()
    table.hold(0, "candle", "puzzle-box")
    table.turn(0)
    dice = table.value(0, "sanity")
    table.rolls(showing(dice + 1, 1))
    table.draw(0, "event", "creepy-crawlies")
    table.rolls(showing(table.value(0, "knowledge"), 0))

    assert len(the(table.act("card:puzzle-box", "OPEN"), DiceRolled).faces) == table.value(0, "knowledge")


def test_a_candle_does_not_light_the_dice_that_an_event_names() -> None:
    table = Table()
    table.hold(0, "candle")
    table.rolls([2, 2])
    table.draw(0, "event", "phone-call")
    assert not table.fate.dice


@pytest.mark.parametrize("holder, lit", [(0, [1, 0]), (1, [0, 0])])
def test_a_candle_lights_the_tries_of_whom_an_event_holds_and_not_those_of_a_helper(
    holder: int, lit: list[int]
) -> None:
    table = Table()
    table.hold(holder, "candle")
    table.stack("event", "webs")
    table.rolls([0] * (table.value(0, "might") + lit[0])).draw(0, "event")
    for seat in (0, 1):
        table.turn(seat)
        told = table.rolls([0] * (table.value(seat, "might") + lit[seat])).break_free(0)
        assert the(told, DiceRolled).trait == "might"


def test_bell_book_and_candle_together_raise_every_trait_until_one_is_lost() -> None:
    table = Table()
    before = list(table.explorer(0).at)
    table.hold(0, "bell", "candle")
    table.hold(0, "book")
    assert [now - then for now, then in zip(table.explorer(0).at, before, strict=True)] == [2, 2, 3, 4]

    table.turn(0)
    table.drop("bell")
    assert [now - then for now, then in zip(table.explorer(0).at, before, strict=True)] == [0, 0, 0, 2]


@pytest.mark.rule("2E-ITEM-015", "2E-ITEM-016")
def test_what_the_three_give_past_the_top_is_noted_and_lost_first() -> None:
    table = Table()
    table.clips(0, might=7)
    table.hold(0, "bell", "candle", "book")
    assert table.explorer(0).surplus == {"candle/might": 1}

    table.turn(0)
    table.drop("candle")
    assert table.explorer(0).at[0] == 7
    assert table.explorer(0).surplus == {}


@pytest.mark.rule("2E-MOVE-007", asserts=True)
def test_dark_dice_send_a_companion_next_door_where_the_thrower_says() -> None:
    table = Table()
    table.lay("larder", "ground", 1, 0)
    table.hold(0, "dark-dice")
    table.turn(0)
    table.rolls([2, 2, 1])
    table.act("card:dark-dice", "THROW")
    assert table.asked(0).options == ["seat:1", "seat:2"]
    table.choose(0, "seat:2")
    table.choose(0, "foyer")

    assert [one.room for one in table.state.explorers] == ["entrance-hall", "entrance-hall", "foyer"]


def test_dark_dice_take_their_thrower_to_anybody() -> None:
    table = Table()
    table.hold(0, "dark-dice")
    table.put(1, "upper-landing")
    table.put(2, "basement-landing")
    table.turn(0)
    table.rolls([2, 2, 2])
    table.act("card:dark-dice", "THROW")
    table.choose(0, "basement-landing")
    assert table.explorer(0).room == "basement-landing"


def test_dark_dice_that_show_nothing_take_everything() -> None:
    table = Table()
    table.hold(0, "dark-dice")
    table.turn(0)
    table.rolls([0, 0, 0])
    table.act("card:dark-dice", "THROW")
    assert table.explorer(0).at == [1, 1, 1, 1]
    assert table.explorer(0).cards == []


def with_dynamite() -> Table:
    """Seat 0 has dynamite in the haunt; seats 1 (the traitor) and 2 are next door, in the Foyer."""
    table = Table()
    table.hold(0, "dynamite")
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    return table


def test_dynamite_is_thrown_through_a_door_at_everyone_there_the_traitor_too() -> None:
    table = with_dynamite()
    assert [one.target for one in table.offers(0, Act) if isinstance(one, Act) and one.word == "THROW"] == ["foyer"]

    table.rolls(showing(table.value(1, "speed"), 5), showing(table.value(2, "speed"), 4))
    told = table.play(0, Act(decision=table.now, source="card:dynamite", word="THROW", target="foyer"))

    assert the(told, ActionTaken).target == "foyer"
    assert [one.who for one in events(told, DiceRolled)] == [1, 2]
    table.allocate(2, might=2, speed=2)
    assert table.explorer(0).cards == []


@pytest.mark.rule("2E-ATK-002")
def test_dynamite_is_thrown_in_place_of_the_attack() -> None:
    table = with_dynamite()
    table.put(1, "entrance-hall")
    table.rolls(showing(table.value(2, "speed"), 5))
    table.play(0, Act(decision=table.now, source="card:dynamite", word="THROW", target="foyer"))
    with table.refuses("2E-ATK-002"):
        table.attack(1)


def test_dynamite_stuns_a_monster_that_is_too_slow() -> None:
    table = with_dynamite()
    table.put(1, "entrance-hall")
    table.put(2, "entrance-hall")
    table.monster("sexton-1", "foyer")
    table.rolls(showing(4, 4))
    told = table.play(0, Act(decision=table.now, source="card:dynamite", word="THROW", target="foyer"))
    assert the(told, MonsterStunned).monster == "sexton-1"


@pytest.mark.rule("2E-ATK-001")
@pytest.mark.rule("2E-DOOR-001")
def test_dynamite_is_not_thrown_before_the_haunt_or_into_a_room_without_a_door_between() -> None:
    table = Table()
    table.hold(0, "dynamite")
    table.turn(0)
    with table.refuses("2E-ATK-001"):
        table.play(0, Act(decision=table.now, source="card:dynamite", word="THROW", target="foyer"))
    table = with_dynamite()
    with table.refuses("2E-DOOR-001"):
        table.play(0, Act(decision=table.now, source="card:dynamite", word="THROW", target="grand-staircase"))


def with_open_box() -> Table:
    """Seat 0 stands in the Foyer with the music box open."""
    table = Table()
    table.hold(0, "music-box")
    table.put(0, "foyer")
    table.turn(0)
    table.act("card:music-box", "TURN")
    return table


def test_whoever_comes_into_the_room_of_the_open_box_and_fails_ends_the_turn() -> None:
    table = with_open_box()
    table.turn(1)
    table.rolls(showing(table.value(1, "sanity"), 0))
    told = table.move("foyer")

    assert the(told, TurnEnded).seat == 1
    assert table.seat == 2


def test_whoever_withstands_the_waltz_walks_on() -> None:
    table = with_open_box()
    table.turn(1)
    table.rolls(showing(table.value(1, "sanity"), 4))
    table.move("foyer")
    table.move("grand-staircase")
    assert table.explorer(1).room == "grand-staircase"


def test_its_bearer_listens_at_the_start_of_the_turn_and_lets_go_of_it() -> None:
    table = with_open_box()
    table.rolls(showing(table.value(0, "sanity"), 3))
    table.begin_turn(0)

    assert table.explorer(0).cards == []
    assert [(pile.room, pile.cards) for pile in table.state.piles] == [("foyer", ["music-box"])]
    assert table.seat == 1


def test_the_box_plays_on_the_floor_as_it_was_left() -> None:
    table = with_open_box()
    table.rolls(showing(table.value(0, "sanity"), 4))
    table.begin_turn(0)
    table.drop("music-box")
    table.turn(2)
    # seat 0, whose turn comes next, still stands in that room
    table.rolls(showing(table.value(2, "sanity"), 0), showing(table.value(0, "sanity"), 4))
    assert the(table.move("foyer"), TurnEnded).seat == 2


def test_an_open_box_that_is_picked_up_plays_on() -> None:
    table = with_open_box()
    table.rolls(showing(table.value(0, "sanity"), 3))
    table.begin_turn(0)
    table.put(1, "foyer")
    table.turn(1)
    table.pick_up("music-box")
    assert table.state.card_states["music-box"] == "open"


def test_where_all_are_spellbound_for_ever_somebody_is_asked_to_go_on() -> None:
    """No command is without an end."""
    table = with_open_box()
    seats = table.state.seats
    for seat in range(seats):
        table.put(seat, "foyer")
    fails = [showing(table.value(turn % seats, "sanity"), 0) for turn in range(1, 1 + ROUNDS * seats)]
    table.rolls(*fails)
    told = table.end_turn()

    assert len(events(told, TurnStarted)) == ROUNDS * seats
    assert table.asked(0).about == "go-on"
    table.rolls(*fails)
    told = table.choose(0, "go-on")
    assert len(events(told, TurnStarted)) == ROUNDS * seats
    assert table.asked(0).about == "go-on"

    table.fate.pending = True
    table.choose(0, "go-on")
    waiting = [frame.block for frame in table.state.frames if b'"asked"' in bytes(frame.vars)]
    assert waiting == ["roll"], "what was answered is asked no more"


def test_a_closed_box_is_silent_and_carrying_it_in_is_no_entering() -> None:
    table = Table()
    table.hold(0, "music-box")
    table.turn(0)
    table.move("foyer")
    table.act("card:music-box", "TURN")
    told = table.move("grand-staircase")
    assert not events(told, DiceRolled)
    assert not events(told, CardLost)
    assert not events(told, Fizzled)


def test_a_monster_listens_too() -> None:
    table = with_open_box()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.turn(2, monsters=True)
    table.let_move(4, "sexton-1")
    table.rolls(showing(3, 0))
    table.move("foyer", monster="sexton-1")

    assert table.state.monsters[MonsterId("sexton-1")].left == 0
    assert table.state.monsters[MonsterId("sexton-1")].attacked
