"""The third edition's traitor: damage of tiles and symbols of events (rulebook 2022, The Traitor's Special Powers)."""

from functools import cache

import pytest

from domain.engine.rules import Rules
from domain.facts.commands import AnyCommand, Choose, Move
from domain.facts.events import (
    CardDrawn,
    DamageTaken,
    Declined,
    DiceRolled,
    HarmIgnored,
    Moved,
    RuleApplied,
    Told,
    TraitChanged,
    TurnEnded,
    TurnStarted,
)
from domain.facts.state import MODERATOR
from domain.rulebook.desk.taking_back import quiet
from tests.support.packs import rules_with
from tests.support.table import Table, events, heard, the
from tests.support.third import discover, settle

EVENT = "flickering-lights"
"""An event that asks its drawer something before any dice."""
PLAIN = """
  id: plain
  title: Plain
  stage: draft
  kind: {kind}
  story: S
  {also}
  {book}
"""


@cache
def haunt(kind: str = "one-traitor", also: str = "") -> Rules:
    books = {"one-traitor": ("heroes", "traitor-book"), "free-for-all": ("traitor-book",)}.get(kind, ("heroes",))
    book = "\n  ".join(f"{one}: {{story: S, goal: G}}" for one in books)
    return rules_with("third-edition", haunt=PLAIN.format(kind=kind, also=also, book=book))


def table_with(*rooms: str, kind: str = "one-traitor", also: str = "", traitor: int = 1) -> Table:
    """A haunt whose traitor is seat 1, with these rooms beside the landings."""
    table = settle(haunt(kind, also), "plain", traitor=traitor)
    for number, room in enumerate(rooms):
        floor = table.rules.pack.tiles[room].floors[0]
        table.lay(room, floor, 1 + number, 5)
    return table


def end_turn_in(
    room: str, seat: int, *dice: tuple[int, ...], kind: str = "one-traitor", also: str = "", traitor: int = 1
) -> tuple[Table, list[Told]]:
    """Somebody ends a turn in this room."""
    table = table_with(room, kind=kind, also=also, traitor=traitor)
    table.put(seat, room)
    table.turn(seat)
    return table, table.rolls(*dice).end_turn()


def clips(table: Table, seat: int) -> list[int]:
    return list(table.explorer(seat).at)


def claim(table: Table, option: str, decision: str = "") -> AnyCommand:
    return Choose(decision=decision or table.now, option=option)


# -- damage of tiles ------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRAI-004", case=1)
def test_the_traitor_falls_through_the_collapsed_room_unhurt() -> None:
    table, _ = end_turn_in("collapsed-room", 1, (0,) * 4)
    before = clips(table, 1)
    assert table.explorer(1).room == "basement-landing"

    told = table.choose(1, "ignore")

    assert the(told, HarmIgnored).rule == "3E-TRAI-004"
    assert not events(told, TraitChanged)
    assert clips(table, 1) == before


@pytest.mark.rule("3E-TRAI-004", case=2)
def test_neither_the_roll_nor_the_fall_can_be_skipped() -> None:
    table = table_with("collapsed-room")
    table.put(1, "collapsed-room")
    table.turn(1)
    table.fate.pending = True
    table.end_turn()
    roll = table.asked(MODERATOR)
    with table.refuses("3E-TRAI-004"):
        table.play(1, claim(table, "ignore", roll.id))
    table.moderate([0] * roll.total)
    assert table.explorer(1).room == "basement-landing"  # nobody was asked


@pytest.mark.rule("3E-TRAI-004", case=3)
def test_the_furnace_room_hurts_a_hero_and_not_a_traitor_who_declines() -> None:
    table, _ = end_turn_in("furnace-room", 1)
    assert table.asked(1).options == ["ignore", "suffer"]
    told = table.choose(1, "ignore")
    assert not events(told, DamageTaken)

    hero, _ = end_turn_in("furnace-room", 0)
    taken = the(hero.allocate(0, might=1), DamageTaken)
    assert (taken.seat, taken.kind, taken.amount) == (0, "physical", 1)
    with hero.refuses("3E-TRAI-004"):
        hero.play(0, claim(hero, "ignore"))


@pytest.mark.rule("3E-TRAI-004", case=4)
def test_the_traitor_may_accept_the_damage_of_the_furnace() -> None:
    table, _ = end_turn_in("furnace-room", 1)
    with table.refuses("3E-TRAI-004"):
        table.choose(1, "half of it")
    assert Choose(decision=table.asked(1).id, option="suffer") in table.offers(1)
    before = clips(table, 1)
    table.choose(1, "suffer")
    told = table.allocate(1, speed=1)
    taken = the(told, DamageTaken)
    assert (taken.seat, taken.kind, taken.amount) == (1, "physical", 1)
    assert sum(before) - sum(clips(table, 1)) == 1
    assert events(told, TurnEnded)


@pytest.mark.rule("3E-TRAI-004")
def test_a_card_spares_the_traitor_nothing() -> None:
    """Damage of tiles alone is ignored; the question comes before the dice of the damage, and no roll before it is spared."""
    table, told = end_turn_in("collapsed-room", 1, (0,) * 4)
    assert [one.kind for one in events(told, DiceRolled)] == ["trait"]
    told = table.rolls((2,)).choose(1, "suffer")
    assert [one.kind for one in events(told, DiceRolled)] == ["damage"]


@pytest.mark.rule("3E-TRAI-005", case=1)
def test_the_elevator_goes_where_the_dice_send_the_traitor() -> None:
    table = table_with()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.put(1, "entrance-hall")
    table.turn(1)
    told = table.move("mystic-elevator")
    assert "3E-TRAI-005" in {one.rule for one in events(told, RuleApplied)}
    with table.refuses("3E-TRAI-004"):
        table.choose(1, "ignore")
    told = table.rolls((1, 2)).choose(1, "yes")
    assert the(told, DiceRolled).total == 3
    spots = table.asked(1).options
    assert {one.split(":")[0] for one in spots} == {"upper"}
    elsewhere = spots[0].replace("upper", "basement")
    with table.refuses("3E-META-002"):
        table.choose(1, elsewhere)


@pytest.mark.rule("3E-TRAI-005")
def test_on_a_four_the_traitor_chooses_the_floor_as_anybody_does() -> None:
    table = table_with()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.put(1, "entrance-hall")
    table.turn(1)
    table.move("mystic-elevator")
    table.rolls((2, 2)).choose(1, "yes")
    assert {one.split(":")[0] for one in table.asked(1).options} >= {"upper", "basement"}


@pytest.mark.rule("3E-TRAI-006", case=1)
def test_the_traitor_slides_down_the_laundry_chute() -> None:
    table, told = end_turn_in("laundry-chute", 1)
    assert "3E-TRAI-006" in {one.rule for one in events(told, RuleApplied)}
    assert [(one.figure, one.room) for one in events(told, Moved)] == [(1, "basement-landing")]
    with table.refuses("3E-TRAI-004"):
        table.play(1, claim(table, "ignore", "d1"))


# -- symbols of events ----------------------------------------------------------------------------------------------


def discovery(
    tile: str, seat: int, card: dict[str, str] | None = None, *, kind: str = "one-traitor", also: str = ""
) -> tuple[Table, list[Told]]:
    """Somebody has discovered this room beside the Upper Landing, with these cards on top of their decks."""
    table = table_with(kind=kind, also=also)
    table.put(seat, "upper-landing")
    table.turn(seat)
    return table, discover(table, tile, door="north", **(card or {"event": EVENT}))


@pytest.mark.rule("3E-TRAI-007", case=1)
def test_the_traitor_may_leave_an_event_undrawn() -> None:
    table, told = discovery("statuary-corridor", 1)
    assert not events(told, CardDrawn)
    before = table.state.decks["event"].size()

    told = table.choose(1, "pass-over")

    assert the(told, Declined).rule == "3E-TRAI-007"
    assert not events(told, CardDrawn)
    assert table.state.decks["event"].size() == before


@pytest.mark.rule("3E-TRAI-007", case=2)
@pytest.mark.parametrize("tile, card", [("bloody-room", {"item": "ANY"}), ("observatory", {"omen": "ANY"})])
def test_the_traitor_takes_items_and_omens_like_anybody(tile: str, card: dict[str, str]) -> None:
    deck = next(iter(card))
    face = next(iter(haunt().pack.decks[deck]))
    table, told = discovery(tile, 1, {deck: face})
    assert the(told, CardDrawn).card == face
    with table.refuses("3E-TRAI-007"):
        table.play(1, claim(table, "pass-over"))
    assert face in table.explorer(1).cards


@pytest.mark.rule("3E-TRAI-007", case=3)
def test_an_event_left_undrawn_ends_the_turn_all_the_same() -> None:
    table, _ = discovery("statuary-corridor", 1)
    now = table.now
    told = table.choose(1, "pass-over")
    assert the(told, TurnEnded).seat == 1
    assert the(told, TurnStarted).seat == 2
    with table.refuses("3E-TURN-001"):
        table.play(1, Move(decision=now, to="upper-landing"))


@pytest.mark.rule("3E-TRAI-007", case=4)
def test_a_hero_has_to_draw_the_event() -> None:
    table, told = discovery("statuary-corridor", 0)
    assert the(told, CardDrawn).deck == "event"
    decision = next(iter(table.state.open), table.now)
    with table.refuses("3E-TRAI-007"):
        table.play(0, claim(table, "pass-over", decision))


@pytest.mark.rule("3E-TRAI-008", case=1)
def test_an_event_that_was_drawn_binds_the_traitor() -> None:
    table, _ = discovery("statuary-corridor", 1)
    told = table.choose(1, "draw")
    assert "3E-TRAI-008" in {one.rule for one in events(told, RuleApplied)}
    assert the(told, CardDrawn).seat == 1
    decision = next(iter(table.state.open), table.now)
    with table.refuses("3E-TRAI-008"):
        table.play(1, claim(table, "be-spared", decision))


# -- which powers ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRAI-009", case=1)
def test_a_haunt_may_withdraw_the_power_over_tiles() -> None:
    table, _ = end_turn_in("furnace-room", 1, also="traitor-powers: {tiles: false}")
    with table.refuses("3E-TRAI-009"):
        table.choose(1, "ignore")
    assert the(table.allocate(1, might=1), DamageTaken).seat == 1

    other, _ = end_turn_in("furnace-room", 1, also="traitor-powers: {events: false}")
    assert the(other.choose(1, "ignore"), HarmIgnored).figure == 1


@pytest.mark.rule("3E-TRAI-009", case=1)
def test_a_haunt_may_withdraw_the_power_over_events() -> None:
    table, told = discovery("statuary-corridor", 1, also="traitor-powers: {events: false}")
    assert the(told, CardDrawn).seat == 1
    decision = next(iter(table.state.open), table.now)
    with table.refuses("3E-TRAI-009"):
        table.play(1, claim(table, "pass-over", decision))


@pytest.mark.parametrize("traitor", [0, 1])
def test_everybody_who_may_be_the_hidden_traitor_is_asked_and_only_the_traitor_is_offered_the_power(
    traitor: int,
) -> None:
    table, _ = end_turn_in("furnace-room", 1, kind="hidden-traitor", traitor=traitor)
    offered = ["suffer", "ignore"] if traitor == 1 else ["suffer"]
    assert table.view(1).open[table.asked(1).id].options == offered
    assert table.view(2).open[table.asked(1).id].options == []
    if traitor != 1:
        with table.refuses("3E-TRAI-004"):
            table.choose(1, "ignore")
    told = table.choose(1, offered[-1])
    assert bool(events(told, HarmIgnored)) == (traitor == 1)


def test_what_a_hidden_traitor_is_asked_tells_the_others_nothing() -> None:
    heard_by_two = []
    for traitor in (0, 1):
        table, _ = end_turn_in("furnace-room", 1, kind="hidden-traitor", traitor=traitor)
        table.choose(1, "suffer")
        table.allocate(1, might=1)
        table.put(0, "upper-landing")
        table.turn(0)
        discover(table, "statuary-corridor", door="north", event=EVENT)
        table.choose(0, "draw")
        heard_by_two.append([[one.event for one in heard(commit, 2)] for commit in table.commits[-8:]])
    assert heard_by_two[0] == heard_by_two[1]


def test_a_hidden_traitor_may_leave_an_event_undrawn_for_all_to_see() -> None:
    table, _ = discovery("statuary-corridor", 1, kind="hidden-traitor")
    told = table.choose(1, "pass-over")
    assert the(told, Declined).seat == 1
    assert table.state.haunt is not None
    assert table.state.haunt.hidden


@pytest.mark.rule("3E-TRAI-009")
def test_a_hidden_traitor_can_t_take_back_what_has_given_it_away() -> None:
    table, _ = end_turn_in("furnace-room", 1, kind="hidden-traitor", traitor=1)
    told = table.choose(1, "ignore")
    assert not quiet(one.event for one in heard(told, 1))
    table, _ = end_turn_in("furnace-room", 1, traitor=1)
    told = table.choose(1, "ignore")
    assert quiet(one.event for one in heard(told, 1))


def test_in_a_haunt_without_a_traitor_nobody_is_asked() -> None:
    table, _ = end_turn_in("furnace-room", 1, kind="no-traitor", traitor=-1)
    assert table.asked(1).kind == "allocation"


@pytest.mark.parametrize("also, asked", [("", "allocation"), ("traitor-powers: {tiles: true}", "choice")])
def test_in_a_free_for_all_nobody_has_a_power_unless_the_haunt_gives_it(also: str, asked: str) -> None:
    table, _ = end_turn_in("furnace-room", 1, kind="free-for-all", also=also, traitor=-1)
    assert table.asked(1).kind == asked
