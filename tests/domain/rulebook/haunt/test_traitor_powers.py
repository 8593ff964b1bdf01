"""What becoming traitor frees from, and what a traitor is spared (rulebook: New Traitor Powers)."""

import pytest

from domain.engine.rules import Rules
from domain.facts.commands import AnyCommand, Attack, Choose, EndTurn, Move
from domain.facts.events import (
    CardDiscarded,
    CardDrawn,
    DamageTaken,
    Declined,
    DiceRolled,
    ExplorerAttacked,
    ExplorerFreed,
    HarmIgnored,
    Moved,
    RuleApplied,
    Told,
    TraitChanged,
)
from domain.facts.state import MODERATOR, MonsterId
from projections.view.game import view_of
from tests.support.editions import in_each
from tests.support.fate import showing
from tests.support.packs import by_post, rules_with
from tests.support.table import FOUR, Table, events, the

BELL = "the-bell-below"


def thrown(table: Table) -> list[str]:
    """For what dice were asked."""
    return [one.what for one in table.fate.asked if one.dice]


# -- 2E-TPOW-001: freed from old events --------------------------------------------------------------------------------


def caught(event: str, *, seat: int = 0) -> Table:
    """A seat has drawn Webs or Debris in the Gardens, and is caught; in the game to come the traitor is who reveals the haunt."""
    table = Table(options={"haunt": BELL})
    table.turn(seat)
    table.traits(seat, might=table.explorer(seat).tracks[0][4])
    table.stack("tiles", "gardens")
    table.stack("event", event)
    catches(table, seat, event).explore("east")
    if event == "debris":
        table.allocate(seat, speed=2)
    assert table.explorer(seat).held is not None
    return table


def catches(table: Table, seat: int, event: str) -> Table:
    """The dice by which it catches: a Might roll for Webs, a Speed roll and 2 dice of damage for Debris."""
    rolled = [0] * table.value(seat, "might" if event == "webs" else "speed")
    return table.rolls(rolled, *([[1, 1]] if event == "debris" else []))


def becomes_traitor(table: Table, seat: int) -> list[Told]:
    """An effect has this seat draw an omen in its turn, wherever it stands, and its haunt roll makes it the traitor."""
    table.turn(seat)
    table.draw(seat, "omen", "ring")
    told = table.rolls([0] * 6).end_turn()
    assert table.explorer(seat).side == "traitor"
    return told


def own_turn(table: Table, seat: int) -> None:
    """Everybody is ready, and this seat has its first turn in the haunt."""
    table.all_ready()
    while table.seat != seat or table.state.turn.monsters:
        table.fate.dice = [(1, 1, 1, 1)]
        table.end_turn()


@pytest.mark.rule("2E-TPOW-001", case=1)
@pytest.mark.rule("2E-TPOW-001", case=2)
@pytest.mark.parametrize("event", ["webs", "debris"])
def test_whoever_becomes_traitor_is_out_of_the_webs_or_the_debris_and_moves_in_its_first_turn(event: str) -> None:
    table = caught(event)

    told = becomes_traitor(table, 0)

    assert (the(told, ExplorerFreed).seat, the(told, ExplorerFreed).rule) == (0, "2E-TPOW-001")
    assert the(told, CardDiscarded).card == event
    assert event in table.view(1).decks["event"].discard
    assert table.explorer(0).held is None
    own_turn(table, 0)
    assert the(table.move("entrance-hall"), Moved).figure == 0


def in_the_dark(seat: int = 0, *, game: Rules | None = None) -> Table:
    """Lights Out and Grave Dirt lie before a seat."""
    table = Table(game=game, options={"haunt": BELL})
    table.put(seat, "upper-landing")
    table.rolls([0] * table.value(seat, "might"))
    for card in ("lights-out", "grave-dirt"):
        table.draw(seat, "event", card)
    assert table.explorer(seat).cards == ["lights-out", "grave-dirt"]
    return table


@pytest.mark.rule("2E-TPOW-001", case=3)
def test_the_lights_go_on_for_a_new_traitor_who_keeps_the_dirt_under_its_nails() -> None:
    table = in_the_dark()

    told = becomes_traitor(table, 0)

    assert the(told, CardDiscarded).card == "lights-out"
    assert "2E-TPOW-001" in {one.rule for one in events(told, RuleApplied) if one.source == "card:lights-out"}
    assert table.explorer(0).cards == ["grave-dirt", "ring"]
    table.all_ready()
    table.end_turn()
    table.end_turn()
    assert table.asked(0).kind == "allocation", "the dirt still costs a point at the start of each own turn"
    table.allocate(0, might=1)
    table.move("grand-staircase", "upper-landing")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-TPOW-001", case=4, asserts=True)
def test_a_hero_stays_in_the_webs_when_another_becomes_traitor() -> None:
    table = caught("webs", seat=1)
    table.put(0, "foyer")

    told = becomes_traitor(table, 0)

    assert (table.explorer(0).side, table.explorer(1).side) == ("traitor", "heroes")
    assert not events(told, ExplorerFreed)
    assert table.explorer(1).held is not None
    own_turn(table, 1)
    assert not table.offers(1, Move)
    with table.refuses("2E-PREC-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-TPOW-001", case=5, asserts=True)
def test_the_traitor_who_lets_webs_affect_it_in_the_haunt_is_stuck() -> None:
    table = draws_as_traitor("event", "webs")

    told = table.rolls([0] * table.value(0, "might")).choose(0, "be-affected")

    assert "2E-TPOW-007" in {one.rule for one in events(told, RuleApplied)}
    assert table.explorer(0).held is not None
    table.turn(0)
    with table.refuses("2E-PREC-001"):
        table.move("entrance-hall")


def test_a_traitor_who_reveals_itself_is_freed_of_both() -> None:
    table = in_the_dark()
    table.haunt("the-hollow-guest", traitor=0)
    assert table.explorer(0).cards == ["lights-out", "grave-dirt"], "nobody may see who it is"

    told = table.reveal(0)

    assert the(told, CardDiscarded).card == "lights-out"
    assert table.explorer(0).cards == ["grave-dirt"]


CONVERTS = """
  id: converts
  title: Converts
  stage: draft
  kind: one-traitor
  story: S
  heroes:
    story: S
    goal: G
    instead-of-death: [{change-side: traitor}]
    actions: [{word: DOOM, do: [{who: {each: hero, besides-you: true}, kill: you}]}]
  traitor-book: {story: S, goal: G}
"""


def test_a_hero_whom_death_makes_a_traitor_is_freed_too() -> None:
    table = in_the_dark(1, game=rules_with(haunt=CONVERTS))
    table.haunt("converts", traitor=2)

    table.act("haunt:heroes", "DOOM")

    assert table.explorer(1).side == "traitor"
    assert table.explorer(1).cards == ["grave-dirt"]


FOG = """
  id: fog
  deck: event
  title: Fog
  text: It follows whoever breathed it in.
  do: [{keep: this}, {roll: {dice: 1}, outcomes: {0+: []}}]
  always: [{move-limit: 1}]
"""


def test_an_event_that_is_still_being_read_takes_its_course() -> None:
    """The traitor shows itself between the card and the dice: the result stands (2E-HID-006)."""
    table = Table(FOUR, game=rules_with(card=FOG))
    table.haunt("the-hollow-guest", traitor=0)
    table.draw(0, "event", "fog")
    table.fate.pending = True
    table.choose(0, "pass")
    awaited = table.asked(MODERATOR).id

    table.reveal(0)
    table.fate.pending = False
    assert table.asked(MODERATOR).id == awaited
    table.moderate([1])

    assert table.explorer(0).cards == ["fog"]


@pytest.mark.parametrize("event", ["webs", "debris"])
def test_by_post_a_new_traitor_is_freed_too(event: str) -> None:
    table = Table(game=by_post(), options={"haunt": BELL})
    table.put(0, "foyer")
    table.turn(0)
    table.traits(0, might=5)
    table.stack("event", event)
    catches(table, 0, event)
    table.draw(0, "event")
    if event == "debris":
        table.allocate(0, speed=2)
    assert table.explorer(0).held is not None

    told = becomes_traitor(table, 0)

    assert the(told, ExplorerFreed).rule == "2E-TPOW-001"
    assert table.explorer(0).held is None


def test_by_post_the_lights_go_on_for_a_new_traitor() -> None:
    table = in_the_dark(game=by_post())
    becomes_traitor(table, 0)
    assert table.explorer(0).cards == ["grave-dirt", "ring"]


# -- 2E-TPOW-002: good of a room without the bad -----------------------------------------------------------------------

SPRING = """
  id: spring
  title: Spring
  floors: [ground]
  doors: [east, west]
  on: [{when: turn-ended, do: [{gain: {trait: might}}, {lose: {trait: sanity}, harmful: true}]}]
"""


def at_the_spring(side: str) -> Table:
    """Seat 0 ends its turn in a room that gives 1 Might and costs 1 Sanity: as traitor, as hero, or before the haunt."""
    table = Table(game=rules_with(tile=SPRING))
    table.lay("spring", "ground", 1, 0)
    table.put(0, "spring")
    _as(table, side)
    return table


def _as(table: Table, side: str) -> None:
    """It is the turn of seat 0, who is the traitor, a hero, or what everybody is before the haunt."""
    if side == "exploration":
        table.turn(0)
    else:
        table.haunt(BELL, traitor=0 if side == "traitor" else 1)


@pytest.mark.rule("2E-TPOW-002", case=1)
def test_the_traitor_takes_the_might_of_a_room_and_keeps_its_sanity() -> None:
    table = at_the_spring("traitor")
    might, _, sanity, _ = table.explorer(0).at
    table.end_turn()

    told = table.choose(0, "ignore")

    assert the(told, HarmIgnored).rule == "2E-TPOW-002"
    assert (table.explorer(0).at[0], table.explorer(0).at[2]) == (might + 1, sanity)


@pytest.mark.rule("2E-TPOW-002")
def test_the_traitor_may_suffer_what_it_could_ignore() -> None:
    table = Table()
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    table.haunt(BELL, traitor=0)
    table.end_turn()

    table.rolls([1]).choose(0, "suffer")
    told = table.allocate(0, might=1)

    assert not events(told, HarmIgnored)
    assert the(told, TraitChanged).trait == "might"


BARRIERS = [("chasm", "basement", "speed", 3), ("catacombs", "basement", "sanity", 6), ("tower", "upper", "might", 3)]


def before_a_barrier(tile: str, floor: str, side: str) -> Table:
    """Seat 0 stands in a room with a barrier."""
    table = Table()
    table.lay(tile, floor, 1, 0)
    table.put(0, tile, part=0)
    _as(table, side)
    return table


@pytest.mark.rule("2E-TPOW-002", case=2, asserts=True)
@pytest.mark.parametrize("tile, floor", [one[:2] for one in BARRIERS])
def test_the_traitor_crosses_without_dice_and_without_a_space(tile: str, floor: str) -> None:
    table = before_a_barrier(tile, floor, "traitor")

    told = table.cross()

    assert (the(told, Moved).part, table.explorer(0).spent) == (1, 0)
    assert not thrown(table)


@pytest.mark.rule("2E-TPOW-002", case=6, asserts=True)
@pytest.mark.rule("2E-TPOW-002", case=7, asserts=True)
@pytest.mark.parametrize("side", ["hero", "exploration"])
@pytest.mark.parametrize("tile, floor, trait, goal", BARRIERS)
def test_others_and_the_same_player_before_the_haunt_roll_to_cross(
    tile: str, floor: str, trait: str, goal: int, side: str
) -> None:
    table = before_a_barrier(tile, floor, side)
    table.clips(0, **{trait: 8})

    told = table.rolls(showing(table.value(0, trait), goal - 1)).cross()

    assert the(told, DiceRolled).trait == trait
    assert table.explorer(0).part == 0


def finds_the_collapsed_room(side: str) -> Table:
    """Seat 0 goes from the Entrance Hall into the Collapsed Room that nobody has seen before."""
    table = Table()
    _as(table, side)
    table.stack("tiles", "collapsed-room")
    return table


@pytest.mark.rule("2E-TPOW-002", case=3)
def test_the_traitor_who_discovers_the_collapsed_room_makes_no_speed_roll() -> None:
    table = finds_the_collapsed_room("traitor")

    table.explore("east")
    table.lay_anyhow()
    table.choose(0, "ignore")

    assert table.explorer(0).room == "collapsed-room"
    assert not thrown(table)


@pytest.mark.rule("2E-TPOW-002", case=6, asserts=True)
@pytest.mark.rule("2E-TPOW-002", case=7, asserts=True)
@pytest.mark.parametrize("side", ["hero", "exploration"])
def test_others_and_the_same_player_before_the_haunt_roll_not_to_fall(side: str) -> None:
    table = finds_the_collapsed_room(side)
    table.rolls(showing(table.value(0, "speed"), 5))
    told = table.explore("east") + table.lay_anyhow()
    assert the(told, DiceRolled).trait == "speed"


def jumps(side: str, *damage: int) -> Table:
    """Seat 0 jumps into the hole of the Collapsed Room, below which a basement room is known."""
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.token("below-collapsed-room", "basement-landing")
    _as(table, side)
    table.move("collapsed-room")
    table.rolls(*[[one] for one in damage]).act("tile:collapsed-room", "FALL")
    return table


@pytest.mark.rule("2E-TPOW-002", case=4)
def test_the_traitor_jumps_into_the_basement_unharmed() -> None:
    table = jumps("traitor")
    before = list(table.explorer(0).at)

    told = table.choose(0, "ignore")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 1)
    assert the(told, HarmIgnored).figure == 0
    assert table.explorer(0).at == before
    assert not thrown(table)


@pytest.mark.rule("2E-TPOW-002", case=6, asserts=True)
@pytest.mark.rule("2E-TPOW-002", case=7, asserts=True)
@pytest.mark.parametrize("side", ["hero", "exploration"])
def test_others_and_the_same_player_before_the_haunt_are_hurt_by_the_jump(side: str) -> None:
    table = jumps(side, 2)
    told = table.allocate(0, might=2)
    assert (the(told, DamageTaken).seat, the(told, DamageTaken).amount) == (0, 2)


def leaves_the_junk_room(side: str, *total: int) -> Table:
    """Seat 0 walks out of the Junk Room; what would be rolled comes to so much."""
    table = Table()
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "junk-room")
    _as(table, side)
    table.rolls(*[showing(table.value(0, "might"), one) for one in total]).move("entrance-hall")
    return table


@pytest.mark.rule("2E-TPOW-002", case=5)
def test_the_traitor_leaves_the_junk_room_and_loses_no_speed() -> None:
    table = leaves_the_junk_room("traitor")
    before = list(table.explorer(0).at)

    table.choose(0, "ignore")

    assert (table.explorer(0).room, table.explorer(0).at) == ("entrance-hall", before)
    assert not thrown(table)


@pytest.mark.rule("2E-TPOW-002", case=6, asserts=True)
@pytest.mark.rule("2E-TPOW-002", case=7, asserts=True)
@pytest.mark.parametrize("side", ["hero", "exploration"])
def test_others_and_the_same_player_before_the_haunt_leave_the_junk_room_at_a_loss(side: str) -> None:
    table = leaves_the_junk_room(side, 0)
    speed = table.explorer(0).at[1]
    table.choose(0, "leave")
    assert table.explorer(0).at[1] == speed - 1


@pytest.mark.rule("2E-TPOW-002", case=6, asserts=True)
@pytest.mark.rule("2E-TPOW-002", case=7, asserts=True)
@pytest.mark.parametrize("side", ["hero", "exploration"])
def test_others_and_the_same_player_before_the_haunt_pay_for_the_might_with_sanity(side: str) -> None:
    table = at_the_spring(side)
    might, _, sanity, _ = table.explorer(0).at
    table.end_turn()
    assert (table.explorer(0).at[0], table.explorer(0).at[2]) == (might + 1, sanity - 1)


# -- 2E-TPOW-003 and -004: Revolving Wall, Coal Chute ------------------------------------------------------------------


@pytest.mark.rule("2E-TPOW-003", case=1)
def test_the_traitor_goes_through_the_revolving_wall_without_dice() -> None:
    table = Table()
    for room in ("foyer", "upper-landing"):
        table.token("wall-switch", room)
    table.put(0, "foyer")
    table.haunt(BELL, traitor=0)

    told = table.act("token:wall-switch", "TURN")

    assert the(told, Moved).room == "upper-landing"
    assert not thrown(table)


@pytest.mark.rule("2E-TPOW-004", case=1)
def test_the_traitor_slides_down_the_coal_chute_and_cannot_ignore_it() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.haunt(BELL, traitor=0)

    told = table.move("coal-chute")

    assert "2E-TPOW-004" in {one.rule for one in events(told, RuleApplied)}
    with table.refuses(problem="decision-closed"):
        table.play(0, Choose(decision=f"d{table.state.asked + 1}", option="ignore"))
    assert table.explorer(0).room == "basement-landing"


# -- 2E-TPOW-005 to -007: events and the Bite --------------------------------------------------------------------------

CHILL = """
  id: chill
  deck: event
  title: Chill
  text: It goes through all of you.
  do: [{lose: {trait: sanity}, who: {each: explorer}}]
"""
SPLINTER = """
  id: splinter
  deck: omen
  title: Splinter
  text: It goes in deep when you pick it up.
  do: [{lose: {trait: might}}]
"""


def draws_as_traitor(deck: str, card: str, *, traitor: int = 0, game: Rules | None = None) -> Table:
    """Seat 0 discovers a room and draws this card in the haunt; its Speed is 4."""
    table = Table(game=game)
    table.haunt(BELL, traitor=traitor)
    table.stack("tiles", "gardens" if deck == "event" else "charred-room")
    table.stack(deck, card)
    table.explore("east")
    table.lay_anyhow()
    return table


@pytest.mark.rule("2E-TPOW-005", case=1)
def test_the_traitor_declines_an_event_and_nothing_happens_to_it() -> None:
    table = draws_as_traitor("event", "rotten")
    before = list(table.explorer(0).at)

    told = table.choose(0, "be-spared")

    assert (the(told, Declined).seat, the(told, Declined).what) == (0, "card:rotten")
    assert table.explorer(0).at == before
    assert not events(told, DiceRolled)
    assert the(told, CardDiscarded).card == "rotten"


@pytest.mark.rule("2E-TPOW-005", case=2)
def test_the_draw_ends_movement_even_of_a_traitor_who_declines_the_event() -> None:
    table = Table()
    table.traits(0, speed=3)
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.haunt(BELL, traitor=0)
    table.stack("tiles", "gardens")
    table.stack("event", "rotten")
    table.explore("east")
    table.lay_anyhow()

    table.choose(0, "be-spared")

    assert (table.value(0, "speed"), table.explorer(0).spent) == (3, 1)
    assert not table.offers(0, Move)
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-TPOW-005", case=3)
def test_an_event_for_all_takes_from_all_heroes_and_the_traitor_may_decline_it() -> None:
    table = Table(game=rules_with(card=CHILL))
    before = [table.explorer(seat).at[2] for seat in range(3)]
    table.haunt(BELL, traitor=1)
    table.draw(0, "event", "chill")

    told = table.choose(1, "be-spared")

    assert the(told, Declined).seat == 1
    after = [table.explorer(seat).at[2] for seat in range(3)]
    assert after == [before[0] - 1, before[1], before[2] - 1]


@in_each(pytest.mark.rule("2E-TPOW-005", case=4), pytest.mark.rule("PBP-TPOW-002", case=2))
def test_the_bite_does_not_attack_a_traitor_who_declines(edition: str, rule: str) -> None:
    table = draws_as_traitor("omen", "bite", game=rules_with(edition=edition))
    before = list(table.explorer(0).at)

    told = table.choose(0, "be-spared")

    assert the(told, Declined).what == "card:bite"
    assert not thrown(table)
    assert not events(told, ExplorerAttacked)
    assert (table.explorer(0).at, table.explorer(0).cards) == (before, ["bite"])


@pytest.mark.rule("2E-TPOW-005", case=5, asserts=True)
def test_no_other_omen_is_declined() -> None:
    table = Table(game=rules_with(card=SPLINTER))
    might = table.explorer(0).at[0]
    table.haunt(BELL, traitor=0)
    table.stack("omen", "splinter")

    table.draw(0, "omen")

    with table.refuses(problem="decision-closed"):
        table.play(0, Choose(decision=f"d{table.state.asked + 1}", option="be-spared"))
    assert table.explorer(0).at[0] == might - 1
    assert table.explorer(0).cards == ["splinter"]


@pytest.mark.rule("2E-TPOW-005", case=6, asserts=True)
@pytest.mark.parametrize("haunted", [False, True])
def test_a_hero_declines_no_event(haunted: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = Table(source="moderator")
    if haunted:
        table.haunt(BELL, traitor=1)
    table.stack("event", "rotten")
    table.fate.pending = True

    table.draw(0, "event")

    assert not table.is_asked(0)
    with table.refuses(problem="decision-closed"):
        table.play(0, Choose(decision=f"d{table.state.asked + 1}", option="be-spared"))
    with table.refuses(problem="not-your-decision"):
        table.play(0, Choose(decision=table.asked(MODERATOR).id, option="be-spared"))


@pytest.mark.rule("2E-TPOW-006", case=1)
def test_the_traitor_has_read_the_card_before_it_is_asked_and_nothing_is_rolled_before_it_answers() -> None:
    table = Table()
    table.haunt(BELL, traitor=0)
    table.stack("tiles", "gardens")
    table.stack("event", "rotten")
    told = table.explore("east")

    kinds = [type(one.event).__name__ for one in told if one.to & 1]
    assert kinds.index("CardDrawn") < kinds.index("DecisionOpened")
    assert the(told, CardDrawn).card == "rotten"
    shown = view_of(table.rules, table.view(0), 1).cards["rotten"]
    assert shown.text == table.rules.pack.cards["rotten"].text
    assert (table.asked(0).about, table.asked(0).options) == ("decline:card:rotten", ["be-affected", "be-spared"])
    assert not thrown(table)

    told = table.rolls([2, 2, *[0] * (table.value(0, "sanity") - 2)]).choose(0, "be-affected")
    assert the(told, DiceRolled).trait == "sanity"


@pytest.mark.rule("2E-TPOW-006", case=2, asserts=True)
def test_after_the_roll_of_the_event_it_is_too_late_to_decline() -> None:
    table = draws_as_traitor("event", "debris")
    question = table.asked(0).id
    told = catches(table, 0, "debris").choose(0, "be-affected")
    assert events(told, DiceRolled)

    with table.refuses(problem="decision-closed"):
        table.play(0, Choose(decision=question, option="be-spared"))


@pytest.mark.rule("2E-TPOW-007", case=1)
def test_who_took_the_event_and_rolled_badly_declines_no_damage() -> None:
    table = draws_as_traitor("event", "debris")
    told = table.rolls([0] * table.value(0, "speed"), [1, 1]).choose(0, "be-affected")
    assert "2E-TPOW-007" in {one.rule for one in events(told, RuleApplied)}
    assert (table.asked(0).kind, table.asked(0).total) == ("allocation", 2)

    with table.refuses("2E-DMG-002", problem="wrong-answer-kind"):
        table.choose(0, "be-spared")
    assert the(table.allocate(0, might=2), DamageTaken).amount == 2


def test_declining_spares_the_traitor_alone() -> None:
    table = draws_as_traitor("event", "hideous-shriek")
    table.rolls([2, 2, 0, 0, 0], [0, 0, 0, 0], [1, 0])
    table.choose(0, "be-spared")
    assert table.asked(2).total == 1, "the others hear the shriek all the same"


# -- 2E-TPOW-008: the traitor runs the monsters ------------------------------------------------------------------------

WOLVES = """
  id: wolves
  title: Wolves
  stage: draft
  kind: one-traitor
  story: S
  monsters: {wolf: {title: Wolf, speed: 3, might: 2}}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G, plays-on: {count: {monsters: wolf}, at-least: 1}}
"""


def wolves() -> Table:
    """Seat 0 is the traitor with two wolves beside it; all are in the Entrance Hall, where it is the turn of seat 0."""
    table = Table(game=rules_with(haunt=WOLVES))
    table.haunt("wolves", traitor=0)
    table.monster("wolf-1", "entrance-hall")
    table.monster("wolf-2", "entrance-hall")
    return table


@pytest.mark.rule("2E-TPOW-008", case=1)
def test_in_the_monsters_turn_the_traitors_player_acts_for_them_and_no_hero() -> None:
    table = wolves()
    told = table.rolls([1, 1, 1]).end_turn()
    assert "2E-TPOW-008" in {getattr(one.event, "rule", "") for one in told}

    orders: list[AnyCommand] = [
        Move(decision=table.now, to="foyer", monster=MonsterId("wolf-1")),
        Attack(decision=table.now, target=2, monster=MonsterId("wolf-1")),
        EndTurn(decision=table.now),
    ]
    for order in orders:
        with table.refuses("2E-TURN-001"):
            table.play(1, order)
    assert not table.offers(1)
    assert table.move("foyer", monster="wolf-1")
    table.rolls([0, 0], [0] * table.value(1, "might"))
    assert table.attack(1, monster="wolf-2")


@pytest.mark.rule("2E-TPOW-008", case=2)
def test_before_the_traitors_turn_has_ended_no_monster_acts() -> None:
    table = wolves()
    table.let_move(3, "wolf-1")
    with table.refuses("2E-TPOW-008"):
        table.move("foyer", monster="wolf-1")
    with table.refuses("2E-TPOW-008"):
        table.attack(1, monster="wolf-1")


@pytest.mark.rule("2E-TPOW-008", case=3, asserts=True)
def test_a_dead_traitors_player_moves_the_monsters_that_can_win() -> None:
    table = wolves()
    table.turn(2)
    table.die(0)
    assert table.state.status == "started"
    table.fate.dice = [(1, 1, 1)]
    table.end_turn()
    assert (table.state.turn.monsters, table.seat) == (True, 0)

    table.move("foyer", monster="wolf-1")

    assert table.seen(1, "wolf-1").room == "foyer"


@pytest.mark.rule("2E-TPOW-008", case=4, asserts=True)
def test_the_traitor_attacks_and_then_each_of_its_monsters_once() -> None:
    table = wolves()
    might = {seat: [0] * table.value(seat, "might") for seat in range(3)}
    table.rolls(might[0], might[1]).attack(1)
    table.rolls([1, 1, 1]).end_turn()

    for wolf, hero in (("wolf-1", 1), ("wolf-2", 2)):
        told = table.rolls([0, 0], might[hero]).attack(hero, monster=wolf)
        assert (the(told, ExplorerAttacked).figure, the(told, ExplorerAttacked).target) == (wolf, hero)
    with table.refuses("2E-MON-007"):
        table.attack(1, monster="wolf-2")
