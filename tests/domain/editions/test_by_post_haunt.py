"""Play by post in the haunt: its beginning, attacks, the traitor, monsters, secrets (play-by-post-rules.txt, 3)."""

import msgspec
import pytest

from domain.facts.audience import REFEREE, seat_bit
from domain.facts.commands import AnswerChance, Choose, EndTurn
from domain.facts.events import (
    AttackDecided,
    CardDrawn,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    ExplorerDied,
    HarmIgnored,
    HauntBegun,
    MonsterRecovered,
    MonstersRolled,
    MonsterStunned,
    Moved,
    RuleApplied,
    SideTold,
    StackShuffled,
    TileDrawn,
    Told,
)
from domain.facts.state import MODERATOR
from projections.view.game import view_of
from projections.view.haunts import HauntView
from tests.domain.editions.test_by_post import asked_for
from tests.domain.rulebook.fight.test_shafts import CELLAR, EXPLORERS
from tests.support.packs import HAUNTS, by_post, rules_with
from tests.support.table import FOUR, Table, events, the

TRAP = """
  id: spikes
  title: Spikes
  floors: [ground]
  doors: [east, west]
  on: [{when: entered, for: everyone, harmful: true, do: [{damage: {kind: physical, dice: 1}}]}]
"""
WELL = """
  id: well
  title: Well
  floors: [ground]
  doors: [east, west]
  on: [{when: turn-ended, do: [{gain: {trait: might}}, {lose: {trait: sanity}, harmful: true}]}]
"""
TOADS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    toad: {title: Toad, speed: 3, might: 2}
  heroes:
    story: S
    goal: G
    actions: [{word: PINCH, do: [{damage: {kind: physical, points: 1}, who: {each: monster, in: here}}]}]
  traitor-book: {story: S, goal: G}
"""


def duel() -> Table:
    """Ox (seat 0, Might 5) is a hero, Zoe (seat 1, Might 3) the traitor beside him, Jenny elsewhere."""
    table = Table(game=by_post())
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    return table


def toads(*rooms: str, tile: str = "") -> Table:
    """Toads of the traitor, seat 2, in these rooms, and it is the turn of seat 0; the explorers are upstairs."""
    table = Table(game=rules_with(haunt=TOADS, tile=tile, edition="play-by-post"))
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("h", traitor=2)
    for number, room in enumerate(rooms, 1):
        table.monster(f"toad-{number}", room)
    return table


def toads_turn(table: Table, spaces: int) -> None:
    """The monsters' turn, with so many spaces for each."""
    table.turn(2, monsters=True)
    table.let_move(spaces, *table.state.monsters)


# -- PBP-TRAIT-004: death ------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TRAIT-004", case=1)
def test_in_the_haunt_a_trait_below_its_minimum_kills() -> None:
    table = duel()
    table.clips(1, might=1, speed=1)
    dice = table.value(1, "might")
    table.rolls([1, 0, 0, 0, 0], [0] * dice).attack(1)

    told = table.allocate(1, might=1)

    assert the(told, ExplorerDied).seat == 1


@pytest.mark.rule("PBP-TRAIT-004", case=2, asserts=True)
def test_a_trait_exactly_at_its_minimum_does_not_kill() -> None:
    table = duel()
    table.clips(1, might=2)
    table.rolls([1, 0, 0, 0, 0], [0] * table.value(1, "might")).attack(1)
    table.allocate(1, might=1)
    assert (table.explorer(1).at[0], table.explorer(1).alive) == (1, True)


@pytest.mark.rule("PBP-TRAIT-004", case=3)
def test_the_dead_have_no_turn_and_a_dead_traitor_still_runs_the_monsters() -> None:
    table = Table(FOUR, game=rules_with(haunt=CELLAR, edition="play-by-post"))
    table.haunt("cellar", traitor=3)
    table.monster("toad-1", "foyer")
    table.die(1, 3)
    table.end_turn()
    assert table.seat == 2
    table.rolls([1, 1, 1]).end_turn()
    assert (table.seat, table.state.turn.monsters) == (3, True)

    table.move("grand-staircase", monster="toad-1")

    table.end_turn()
    assert table.seat == 0


# -- PBP-ITEM-001: stealing is an action with the item -------------------------------------------------------------------


@pytest.mark.rule("PBP-ITEM-001", case=4)
def test_a_stolen_item_is_not_used_in_that_turn() -> None:
    table = duel()
    table.hold(1, "puzzle-box")
    table.turn(0)
    table.rolls([2, 0, 0, 0, 0], [0, 0, 0]).attack(1)
    table.choose(0, "puzzle-box")
    assert table.explorer(0).cards == ["puzzle-box"]

    with table.refuses("PBP-ITEM-001"):
        table.act("card:puzzle-box", "OPEN")


# -- PBP-DICE-003: the moderator rolls for monsters ----------------------------------------------------------------------


@pytest.mark.rule("PBP-DICE-003", case=4)
def test_the_moderator_is_asked_for_the_dice_of_a_monsters_movement() -> None:
    table = toads("foyer")
    table.turn(2)
    table.fate.pending = True

    table.end_turn()

    assert asked_for(table) == "Roll 3d3-3 for the monsters' movement: Speed of Toad 1"
    told = table.play(MODERATOR, AnswerChance(decision=table.asked(MODERATOR).id, rolled=[1, 3, 3]))
    assert the(told, MonstersRolled).spaces == 4


# -- PBP-ATK -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-ATK-001", case=2)
def test_one_attack_in_a_turn() -> None:
    table = duel()
    table.rolls([2, 2, 0, 0, 0], [2, 2, 0]).attack(1)
    with table.refuses("PBP-ATK-001"):
        table.attack(1)


@pytest.mark.rule("PBP-ATK-001", case=3, asserts=True)
def test_the_traitor_attacks_in_the_own_turn_and_then_with_each_monster() -> None:
    table = toads("entrance-hall", "entrance-hall")
    for seat in (0, 2):
        table.put(seat, "entrance-hall")
    table.turn(2)
    mine, theirs = table.value(2, "might"), table.value(0, "might")
    told = table.rolls([0] * mine, [0] * theirs).attack(0)
    table.rolls([1, 1, 1]).end_turn()
    for toad in ("toad-1", "toad-2"):
        told += table.rolls([0, 0], [0] * theirs).attack(0, monster=toad)

    assert [one.figure for one in events(told, ExplorerAttacked)] == [2, "toad-1", "toad-2"]
    for toad, rule in (("toad-1", "2E-MON-001"), ("toad-2", "2E-MON-007")):
        with table.refuses(rule):
            table.attack(0, monster=toad)
    again = toads("entrance-hall")
    again.put(0, "entrance-hall")
    toads_turn(again, 1)
    again.rolls([0, 0], [0] * theirs).attack(0, monster="toad-1")
    with again.refuses("2E-MON-007"):
        again.attack(0, monster="toad-1")


@pytest.mark.rule("PBP-ATK-003", case=1)
def test_six_against_five_is_one_point_for_the_loser() -> None:
    table = duel()

    told = table.rolls([2, 2, 1, 1, 0], [2, 2, 1]).attack(1)

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (6, 5)
    assert {one.notation for one in events(told, DiceRolled)} == {"5d3-5", "3d3-3"}
    assert (table.asked(1).total, set(table.asked(1).caps)) == (1, {"might", "speed"})


@pytest.mark.rule("PBP-ATK-003", case=2)
def test_an_attacker_with_five_against_eight_takes_three() -> None:
    table = duel()
    table.clips(1, might=6)
    dice = table.value(1, "might")

    told = table.rolls([2, 2, 1, 0, 0], [2, 2, 2, 2] + [0] * (dice - 4)).attack(1)

    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (5, 8)
    if table.is_asked(1):
        table.choose(1, "damage")
    assert (table.asked(0).total, set(table.asked(0).caps)) == (3, {"might", "speed"})


@pytest.mark.rule("PBP-ATK-003", case=3)
def test_a_monster_that_loses_by_one_is_stunned() -> None:
    table = toads("upper-landing")
    before = dict(table.seen(1, "toad-1").traits)
    table.turn(0)

    told = table.rolls([1, 0, 0, 0, 0], [0, 0]).attack("toad-1")

    assert the(told, MonsterStunned).rule == "PBP-MON-003"
    assert table.seen(1, "toad-1").traits == before


@pytest.mark.rule("PBP-ATK-004", case=2)
def test_a_sanity_attack_is_rolled_with_sanity_by_both_and_its_damage_is_mental() -> None:
    table = duel()
    table.hold(0, "ring")
    table.turn(0)

    told = table.rolls([2, 2, 0], [2, 0, 0, 0, 0]).attack(1, "ring")

    assert [one.trait for one in events(told, DiceRolled)] == ["sanity", "sanity"]
    assert (table.asked(1).total, set(table.asked(1).caps)) == (2, {"sanity", "knowledge"})
    assert the(table.allocate(1, sanity=2), DamageTaken).kind == "mental"


@pytest.mark.rule("PBP-ATK-004", case=3, asserts=True)
def test_a_monster_without_sanity_is_not_attacked_with_it() -> None:
    table = toads("upper-landing")
    table.hold(0, "ring")
    table.turn(0)

    with table.refuses("2E-ATK-011"):
        table.attack("toad-1", "ring")


# -- PBP-HREV: how it begins ---------------------------------------------------------------------------------------------


def girl_in_the_catacombs() -> Table:
    """Seat 0 has drawn the Girl in the Catacombs."""
    table = Table(game=by_post())
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "girl")
    table.explore("south")
    table.lay_anyhow()
    assert table.explorer(0).cards == ["girl"]
    return table


@pytest.mark.rule("PBP-HREV-001", case=1)
def test_girl_in_the_catacombs_is_haunt_one() -> None:
    table = girl_in_the_catacombs()

    told = table.rolls([0] * 6).end_turn()

    assert the(told, HauntBegun).number == 1


@pytest.mark.rule("PBP-HREV-001", case=2, asserts=True)
def test_the_room_of_the_omen_counts_and_not_the_one_in_which_the_roll_is_made() -> None:
    table = girl_in_the_catacombs()
    table.put(0, "furnace-room")
    table.end_turn()

    told = table.rolls([0] * 6).allocate(0, might=1)

    assert (the(told, HauntBegun).number, the(told, HauntBegun).room) == (1, "catacombs")


def haunt_seen(table: Table, mask: int) -> HauntView:
    haunt = view_of(table.rules, table.roles[mask], mask).haunt
    assert haunt is not None
    return haunt


@pytest.mark.rule("PBP-HREV-001", case=3)
def test_each_side_reads_its_entry_of_this_haunt_and_of_no_other_and_the_moderator_both() -> None:
    table = girl_in_the_catacombs()
    begun = the(table.rolls([0] * 6).end_turn(), HauntBegun).haunt
    sheets = table.rules.pack.haunts
    assert sheets[begun].traitor_book is not None
    traitor = next(one.seat for one in table.state.explorers if one.side == "traitor")

    for mask, books in [
        *[(seat_bit(seat), ["traitor" if seat == traitor else "heroes"]) for seat in range(3)],
        (REFEREE, ["heroes", "traitor"]),
    ]:
        assert [book.side for book in haunt_seen(table, mask).books] == books
        seen = msgspec.json.encode(view_of(table.rules, table.roles[mask], mask)).decode()
        for name in HAUNTS:
            for side, book in (("heroes", sheets[name].heroes), ("traitor", sheets[name].traitor_book)):
                if book is not None:
                    assert (msgspec.json.encode(book.story).decode() in seen) == (name == begun and side in books)


@pytest.mark.rule("PBP-HREV-002", case=1)
def test_the_traitor_is_whom_the_chart_names_and_not_who_revealed_the_haunt() -> None:
    """Number 20: Vivian Lopez, or else the player on the revealer's left."""
    table = Table(FOUR, game=by_post())
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")

    told = table.rolls([0] * 6).end_turn()

    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [3]
    assert the(told, HauntBegun).revealer == 0


# -- PBP-TPOW ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TPOW-001", case=1)
def test_the_traitor_may_ignore_the_damage_of_a_room_that_is_entered() -> None:
    table = toads(tile=TRAP)
    table.lay("spikes", "ground", 1, 0)
    table.put(2, "entrance-hall")
    table.turn(2)

    told = table.move("spikes")
    assert table.asked(2).options == ["ignore", "suffer"]
    told += table.choose(2, "ignore")

    assert the(told, HarmIgnored).source == "tile:spikes"
    assert not events(told, DiceRolled)


@pytest.mark.rule("PBP-TPOW-001", case=2)
def test_the_traitor_takes_the_gain_of_a_room_and_leaves_its_cost() -> None:
    table = toads(tile=WELL)
    table.lay("well", "ground", 1, 0)
    table.put(2, "well")
    table.turn(2)
    might, _, sanity, _ = table.explorer(2).at
    table.end_turn()

    table.choose(2, "ignore")

    assert (table.explorer(2).at[0], table.explorer(2).at[2]) == (might + 1, sanity)


@pytest.mark.rule("PBP-TPOW-001", case=3, asserts=True)
def test_the_traitor_slides_down_the_coal_chute_and_is_not_asked() -> None:
    table = toads()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.put(2, "entrance-hall")
    table.turn(2)

    told = table.move("coal-chute")

    assert table.explorer(2).room == "basement-landing"
    assert "2E-TPOW-004" in {one.rule for one in events(told, RuleApplied)}
    assert not table.is_asked(2)
    with table.refuses(problem="decision-closed"):
        table.play(2, Choose(decision=f"d{table.state.asked + 1}", option="ignore"))


def draws(table: Table, seat: int, deck: str, card: str) -> list[Told]:
    """A seat discovers a room and draws this card."""
    table.put(seat, "entrance-hall")
    table.turn(seat)
    table.stack("tiles", {"event": "gardens", "omen": "charred-room"}[deck])
    table.stack(deck, card)
    return table.explore("east") + table.lay_anyhow()


@pytest.mark.rule("PBP-TPOW-002", case=1)
def test_an_event_that_the_traitor_declines_has_no_effect() -> None:
    table = toads()
    draws(table, 2, "event", "debris")
    before = list(table.explorer(2).at)

    told = table.choose(2, "be-spared")

    assert not events(told, DiceRolled)
    assert (table.explorer(2).at, table.explorer(2).held) == (before, None)


@pytest.mark.rule("PBP-TPOW-002", case=3, asserts=True)
@pytest.mark.parametrize("deck, card", [("event", "debris"), ("omen", "bite")])
def test_a_hero_declines_neither(deck: str, card: str) -> None:
    table = toads()
    table.fate.pending = True
    told = draws(table, 0, deck, card)
    assert the(told, CardDrawn).card == card
    assert not table.is_asked(0)

    with table.refuses(problem="decision-closed"):
        table.play(0, Choose(decision=f"d{table.state.asked + 1}", option="be-spared"))
    with table.refuses("PBP-DICE-003", problem="not-your-decision"):
        table.play(0, Choose(decision=table.asked(MODERATOR).id, option="be-spared"))


@pytest.mark.rule("PBP-TPOW-003", case=1)
def test_the_traitor_moves_monsters_after_the_own_turn_and_not_in_it() -> None:
    table = toads("foyer")
    table.put(0, "entrance-hall")
    table.turn(2)
    table.let_move(2, "toad-1")
    with table.refuses("PBP-TPOW-003"):
        table.move("entrance-hall", monster="toad-1")
    with table.refuses("PBP-TPOW-003"):
        table.attack(0, monster="toad-1")

    table.rolls([2, 1, 1]).end_turn()
    table.move("entrance-hall", monster="toad-1")
    table.rolls([0, 0], [0] * 5).attack(0, monster="toad-1")


# -- PBP-MON -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-MON-001", case=2, asserts=True)
def test_a_monster_that_rolls_nothing_still_moves_one_space() -> None:
    table = toads("foyer")
    table.turn(2)
    told = table.rolls([0, 0, 0]).end_turn()
    assert the(told, MonstersRolled).rule == "2E-PAST-004"

    table.move("entrance-hall", monster="toad-1")

    with table.refuses("PBP-MOVE-001"):
        table.move("foyer", monster="toad-1")


BATS = TOADS.replace("toad: {title: Toad", "bat: {title: Bat")


@pytest.mark.rule("PBP-MON-002", case=1)
def test_four_bats_share_one_roll() -> None:
    table = Table(game=rules_with(haunt=BATS, edition="play-by-post"))
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("h", traitor=2)
    bats = [f"bat-{number}" for number in range(1, 5)]
    for bat in bats:
        table.monster(bat, "foyer")
    table.turn(2)

    told = table.rolls([1, 1, 0]).end_turn()

    assert len(events(told, DiceRolled)) == 1
    assert the(told, MonstersRolled).monsters == bats
    for bat in bats:
        table.move("entrance-hall", "foyer", monster=bat)
        with table.refuses("PBP-MOVE-001"):
            table.move("entrance-hall", monster=bat)


@pytest.mark.rule("PBP-MON-003", case=1)
def test_a_monster_that_loses_is_stunned_for_its_next_turn() -> None:
    table = toads("upper-landing")
    table.turn(0)
    assert the(table.rolls([2, 2, 0, 0, 0], [0, 0]).attack("toad-1"), MonsterStunned).monster == "toad-1"
    table.turn(2)
    table.end_turn()
    assert table.state.turn.monsters

    assert table.offers(2) == [EndTurn(decision=table.now)]
    with table.refuses("2E-MON-005"):
        table.move("grand-staircase", monster="toad-1")
    with table.refuses("2E-MON-005"):
        table.attack(0, monster="toad-1")
    assert the(table.end_turn(), MonsterRecovered).monster == "toad-1"
    toads_turn(table, 2)
    table.move("grand-staircase", monster="toad-1")


@pytest.mark.rule("PBP-MON-007", case=2)
def test_with_one_space_a_monster_ends_its_turn_below_the_chute() -> None:
    table = toads("basement-landing")
    table.lay("coal-chute", "ground", -1, 0, turns=1)
    toads_turn(table, 1)
    table.move("coal-chute", monster="toad-1")

    table.end_turn()

    assert table.seen(0, "toad-1").room == "basement-landing"


@pytest.mark.rule("PBP-MON-007", case=3, asserts=True)
def test_a_hero_does_not_climb_up_the_coal_chute() -> None:
    table = toads()
    table.lay("coal-chute", "ground", -1, 0, turns=1)
    table.put(0, "basement-landing")
    table.turn(0)

    assert "coal-chute" not in table.goals(0)
    with table.refuses("2E-DOOR-001"):
        table.move("coal-chute")


@pytest.mark.rule("PBP-MON-007", case=4)
def test_a_monster_goes_down_the_hole_without_a_roll_and_up_again_from_its_token() -> None:
    table = toads("entrance-hall")
    table.lay("collapsed-room", "ground", 1, 0)
    table.token("below-collapsed-room", "basement-landing")
    toads_turn(table, 3)
    table.move("collapsed-room", monster="toad-1")

    told = table.act("tile:collapsed-room", "FALL", monster="toad-1")
    assert table.seen(0, "toad-1").room == "basement-landing"
    assert not events(told, DiceRolled)
    assert not table.seen(0, "toad-1").stunned

    table.move("collapsed-room", monster="toad-1")
    assert table.seen(0, "toad-1").room == "collapsed-room"


@pytest.mark.rule("PBP-MON-007", case=5)
def test_a_monster_climbs_from_the_ballroom_to_the_gallery() -> None:
    table = toads("entrance-hall")
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    toads_turn(table, 2)
    table.move("ballroom", monster="toad-1")

    told = table.move("gallery", monster="toad-1")

    assert (the(told, Moved).room, the(told, Moved).spent) == ("gallery", 1)


@pytest.mark.rule("PBP-MON-009", case=1)
def test_monsters_use_the_secret_stairs() -> None:
    table = Table(game=rules_with(haunt=TOADS, edition="play-by-post"))
    table.stack("tiles", "gardens")
    table.stack("event", "secret-stairs")
    table.explore("east")
    table.lay_anyhow()
    table.choose(0, "upper-landing")
    table.choose(0, "no")
    table.put(0, "foyer")
    table.haunt("h", traitor=2)
    table.monster("toad-1", "gardens")
    toads_turn(table, 1)

    table.move("upper-landing", monster="toad-1")

    assert table.seen(0, "toad-1").room == "upper-landing"


@pytest.mark.rule("PBP-MON-010", case=2, asserts=True)
def test_where_the_haunt_lets_monsters_explore_a_room_is_drawn() -> None:
    table = Table(game=rules_with(haunt=EXPLORERS, edition="play-by-post"))
    table.haunt("h", traitor=1)
    table.monster("mole-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(2, "mole-1")
    table.picks("crypt")

    told = table.explore("north", monster="mole-1") + table.lay_anyhow()

    assert the(told, TileDrawn).tile == "crypt"
    assert table.seen(0, "mole-1").room == "crypt"


# -- PBP-MON-013: stuck in the basement ----------------------------------------------------------------------------------


def in_the_cellar() -> Table:
    """A toad is in the basement, everybody else upstairs, and it is the traitor's turn, seat 1."""
    table = Table(game=rules_with(haunt=CELLAR, edition="play-by-post"))
    table.lay("larder", "basement", 0, 1)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("cellar", traitor=1)
    table.monster("toad-1", "larder")
    table.turn(1)
    return table


def refused(table: Table) -> None:
    """The stairs are not fetched."""
    with table.refuses("PBP-MON-013"):
        table.act("tile:stairs-from-basement", "FETCH")


@pytest.mark.rule("PBP-MON-013", case=1)
def test_the_traitor_has_the_stairs_put_at_the_doorway_that_it_names() -> None:
    table = in_the_cellar()

    told = table.act("tile:stairs-from-basement", "FETCH")
    spots = table.asked(1).options
    assert len({spot.partition("@")[0] for spot in spots}) > 1
    told += table.choose(1, "basement:0:2@0")

    stairs = table.view(0).rooms["stairs-from-basement"]
    assert (stairs.floor, "larder" in stairs.near) == ("basement", True)
    assert not events(told, StackShuffled), "there is no stack to shuffle"


@pytest.mark.rule("PBP-MON-013", case=4)
@pytest.mark.parametrize("way", ["coal-chute", "mystic-elevator"])
def test_a_chute_and_an_elevator_are_ways_to_the_heroes(way: str) -> None:
    table = in_the_cellar()
    if way == "coal-chute":
        table.lay("coal-chute", "ground", -1, 0, turns=1)
    else:
        table.lay("mystic-elevator", "basement", 0, -1)
    table.turn(1)
    refused(table)


@pytest.mark.rule("PBP-MON-013", case=5)
def test_where_monsters_explore_nobody_has_the_stairs_put_down() -> None:
    table = Table(game=rules_with(haunt=EXPLORERS, edition="play-by-post"))
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("h", traitor=1)
    table.monster("mole-1", "basement-landing")
    table.turn(1)
    refused(table)


# -- PBP-SEC-001: goals of the sides -------------------------------------------------------------------------------------


def goals_seen(table: Table, mask: int) -> set[str]:
    """Whose goal stands somewhere in what this role is shown."""
    sheet = table.rules.pack.haunts["the-bell-below"]
    assert sheet.traitor_book is not None
    seen = msgspec.json.encode(view_of(table.rules, table.roles[mask], mask)).decode()
    goals = {"heroes": sheet.book("heroes").goal, "traitor": sheet.traitor_book.goal}
    return {side for side, goal in goals.items() if msgspec.json.encode(goal).decode() in seen}


@pytest.mark.rule("PBP-SEC-001", case=1, asserts=True)
def test_each_side_reads_its_own_goal_alone() -> None:
    table = duel()
    assert [goals_seen(table, seat_bit(seat)) for seat in range(3)] == [{"heroes"}, {"traitor"}, {"heroes"}]


@pytest.mark.rule("PBP-SEC-001", case=2, asserts=True)
def test_the_moderator_reads_both_goals() -> None:
    assert goals_seen(duel(), REFEREE) == {"heroes", "traitor"}
