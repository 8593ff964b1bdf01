"""Play by post in the haunt: its beginning, attacks, the traitor, monsters, secrets (play-by-post-rules.txt, 3)."""

import pytest

from domain.audience import REFEREE
from domain.commands import Attack, Explore
from domain.events import (
    AttackDecided,
    DiceRolled,
    ExplorerDied,
    HarmIgnored,
    HauntBegun,
    MonsterRecovered,
    MonstersRolled,
    MonsterStunned,
    SideTold,
    TraitChanged,
)
from tests.domain.test_attacks import SPEED_AND_SANITY
from tests.domain.test_carrying import MAGPIES
from tests.domain.test_shafts import EXPLORERS
from tests.support.packs import by_post, rules_with
from tests.support.table import FOUR, Table, events, the


def duel() -> Table:
    """Ox (seat 0, Might 5) is a hero, Zoe (seat 1, Might 3) the traitor beside him, Jenny elsewhere."""
    table = Table(game=by_post())
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    return table


def monsters_turn(haunt: str, *placed: tuple[str, str]) -> Table:
    """The explorers are upstairs, seat 2 is the traitor, and its monsters are about to move."""
    table = Table(game=by_post())
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt(haunt, traitor=2)
    for name, room in placed:
        table.monster(name, room)
    table.turn(2)
    return table


# -- how it begins --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-HREV-001")
def test_girl_in_the_catacombs_is_haunt_one() -> None:
    table = Table(game=by_post())
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "catacombs")
    table.stack("omen", "girl")
    table.explore("east")
    table.lay_anyhow()

    told = table.rolls([0] * 6).end_turn()

    assert the(told, HauntBegun).number == 1


@pytest.mark.rule("PBP-HREV-002")
def test_the_traitor_is_whom_the_chart_names_and_not_who_revealed_the_haunt() -> None:
    """Number 20: Vivian Lopez, or else the player on the revealer's left."""
    table = Table(FOUR, game=by_post())
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")

    told = table.rolls([0] * 6).end_turn()

    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [3]


@pytest.mark.rule("PBP-SEC-001", asserts=True)
def test_each_side_knows_its_own_goal_and_the_moderator_both() -> None:
    table = duel()
    hero, traitor, moderator = table.view(0).texts, table.view(1).texts, table.roles[REFEREE].texts
    assert set(hero) - set(traitor)
    assert set(traitor) - set(hero)
    assert set(hero) | set(traitor) <= set(moderator)


# -- attacks --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-ATK-001")
def test_nobody_attacks_before_the_haunt() -> None:
    table = Table(game=by_post())
    assert not table.offers(0, Attack)
    with table.refuses("PBP-ATK-001"):
        table.attack(1)


@pytest.mark.rule("PBP-ATK-001")
def test_one_attack_in_a_turn() -> None:
    table = duel()
    table.rolls([2, 2, 0, 0, 0], [2, 2, 0]).attack(1)
    with table.refuses("PBP-ATK-001"):
        table.attack(1)


@pytest.mark.rule("PBP-ATK-002")
def test_an_opponent_in_the_next_room_is_out_of_reach() -> None:
    table = duel()
    table.put(1, "foyer")
    with table.refuses("PBP-ATK-002"):
        table.attack(1)


@pytest.mark.rule("PBP-ATK-003")
@pytest.mark.parametrize(
    "mine, theirs, loser, damage", [([2, 2, 1, 1, 0], [2, 2, 1], 1, 1), ([1, 0, 0, 0, 0], [2, 2, 0], 0, 3)]
)
def test_the_higher_roll_hurts_the_other_by_the_difference(
    mine: list[int], theirs: list[int], loser: int, damage: int
) -> None:
    table = duel()

    told = table.rolls(mine, theirs).attack(1)

    assert the(told, AttackDecided).attack == sum(mine)
    assert {one.notation for one in events(told, DiceRolled)} == {"5d3-5", "3d3-3"}
    if table.is_asked(1 - loser):
        table.choose(1 - loser, "damage")
    assert (table.asked(loser).total, set(table.asked(loser).caps)) == (damage, {"might", "speed"})


@pytest.mark.rule("PBP-ATK-004")
def test_a_speed_attack_is_rolled_with_speed_by_both_and_its_damage_is_physical() -> None:
    table = Table(game=rules_with(haunt=SPEED_AND_SANITY, edition="play-by-post"))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "FIND")
    table.turn(0)

    told = table.rolls([2, 2, 0, 0], [2, 0, 0, 0]).attack(1, "whip")

    assert {one.trait for one in events(told, DiceRolled)} == {"speed"}
    assert set(table.asked(1).caps) == {"might", "speed"}


@pytest.mark.rule("PBP-TRAIT-004")
def test_in_the_haunt_a_trait_below_its_minimum_kills() -> None:
    table = duel()
    table.clips(1, might=1, speed=1)
    dice = table.value(1, "might")
    table.rolls([1, 0, 0, 0, 0], [0] * dice).attack(1)

    told = table.allocate(1, might=1)

    assert the(told, ExplorerDied).seat == 1


def test_a_trait_exactly_at_its_minimum_does_not_kill() -> None:
    table = duel()
    table.clips(1, might=2)
    table.rolls([1, 0, 0, 0, 0], [0] * table.value(1, "might")).attack(1)
    table.allocate(1, might=1)
    assert (table.explorer(1).at[0], table.explorer(1).alive) == (1, True)


# -- the traitor ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TPOW-001")
def test_the_traitor_takes_the_good_of_a_room_and_ignores_the_bad() -> None:
    table = Table(game=by_post())
    table.lay("furnace-room", "basement", 0, 1)
    table.lay("larder", "basement", 0, -1)
    table.put(0, "furnace-room")
    table.haunt("the-bell-below", traitor=0)
    table.end_turn()
    assert the(table.choose(0, "ignore"), HarmIgnored).source == "tile:furnace-room"

    table.put(0, "larder")
    table.turn(0)
    before = table.explorer(0).at[0]
    table.end_turn()
    assert table.explorer(0).at[0] == before + 1


@pytest.mark.rule("PBP-TPOW-002")
@pytest.mark.parametrize("tile, deck, card", [("gardens", "event", "debris"), ("charred-room", "omen", "bite")])
def test_the_traitor_may_be_unaffected_by_an_event_and_by_the_bite(tile: str, deck: str, card: str) -> None:
    table = Table(game=by_post())
    table.haunt("the-bell-below", traitor=0)
    table.stack("tiles", tile)
    table.stack(deck, card)
    table.explore("east")
    table.lay_anyhow()

    table.choose(0, "be-spared")

    assert not [one for one in table.fate.asked if one.dice]
    assert table.explorer(0).held is None


@pytest.mark.rule("PBP-TPOW-003")
def test_the_traitor_moves_monsters_after_the_own_turn_and_not_in_it() -> None:
    table = monsters_turn("the-bell-below", ("sexton-1", "foyer"))
    table.let_move(2, "sexton-1")
    with table.refuses("PBP-TPOW-003"):
        table.move("entrance-hall", monster="sexton-1")

    table.rolls([2, 1, 1, 0]).end_turn()
    table.move("entrance-hall", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "entrance-hall"


# -- monsters -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-MON-001", "PBP-MON-002")
def test_monsters_of_a_kind_share_one_roll_of_their_speed() -> None:
    table = monsters_turn("the-gnawing-tide", ("rat-1", "foyer"), ("rat-2", "foyer"), ("rat-3", "entrance-hall"))

    told = table.rolls([2, 1, 1]).end_turn()

    assert the(told, DiceRolled).notation == "3d3-3"
    assert the(told, MonstersRolled).monsters == ["rat-1", "rat-2", "rat-3"]
    assert {table.view(0).monsters[name].left for name in ("rat-1", "rat-2", "rat-3")} == {4}


@pytest.mark.rule("PBP-MON-003")
def test_damage_stuns_a_monster_which_misses_its_next_turn() -> None:
    table = Table(game=by_post())
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall", might=2)
    table.turn(0)
    assert the(table.rolls([2, 2, 0, 0, 0], [0, 0]).attack("sexton-1"), MonsterStunned).monster == "sexton-1"
    table.turn(2)
    table.end_turn()

    with table.refuses("2E-MON-005"):
        table.move("foyer", monster="sexton-1")
    assert the(table.end_turn(), MonsterRecovered).monster == "sexton-1"


@pytest.mark.rule("PBP-MON-004")
def test_a_monster_ignores_what_a_room_does_to_those_who_enter_it() -> None:
    trap = """
      id: spikes
      title: Spikes
      floors: [ground]
      doors: [east, west]
      on: [{when: entered, for: everyone, harmful: true, do: [{damage: {kind: physical, dice: 1}}]}]
    """
    table = Table(game=rules_with(tile=trap, edition="play-by-post"))
    table.lay("spikes", "ground", 1, 0)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.turn(2, monsters=True)
    table.let_move(3, "sexton-1")

    table.move("spikes", monster="sexton-1")
    told = table.choose(2, "ignore")

    assert the(told, HarmIgnored).figure == "sexton-1"
    assert not events(told, DiceRolled)


@pytest.mark.rule("PBP-MON-005")
def test_a_monster_slides_down_the_coal_chute() -> None:
    table = Table(game=by_post())
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "entrance-hall")
    table.turn(2, monsters=True)
    table.let_move(2, "sexton-1")

    table.move("coal-chute", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "basement-landing"


@pytest.mark.rule("PBP-MON-007")
def test_a_monster_climbs_from_the_ballroom_to_the_gallery() -> None:
    table = Table(game=by_post())
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "ballroom")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("gallery", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "gallery"


@pytest.mark.rule("PBP-MON-008")
def test_a_monster_gets_nothing_from_the_larder() -> None:
    table = monsters_turn("the-bell-below", ("sexton-1", "basement-landing"))
    table.lay("larder", "basement", 0, 1)
    table.turn(2, monsters=True)
    table.let_move(3, "sexton-1")
    table.move("larder", monster="sexton-1")
    before = dict(table.state.monsters["sexton-1"].traits)

    assert not events(table.end_turn(), TraitChanged)
    assert table.view(0).monsters["sexton-1"].traits == before


@pytest.mark.rule("PBP-MON-009")
def test_monsters_use_ways_that_cards_made() -> None:
    table = Table(game=by_post())
    table.stack("tiles", "organ-room")
    table.stack("event", "secret-passage")
    table.rolls([2, 1, 0]).explore("east")
    table.lay_anyhow()
    table.choose(0, "foyer")
    table.choose(0, "no")
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.turn(2, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("organ-room", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "organ-room"


@pytest.mark.rule("PBP-MON-010", "PBP-MON-011")
def test_a_monster_discovers_nothing_and_carries_nothing() -> None:
    table = monsters_turn("the-bell-below", ("sexton-1", "entrance-hall"))
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)
    table.let_move(3, "sexton-1")

    assert not table.offers(2, Explore)
    with table.refuses("PBP-MON-010"):
        table.explore("east", monster="sexton-1")
    with table.refuses("PBP-MON-011"):
        table.pick_up("axe")


@pytest.mark.rule("PBP-MON-006")
def test_a_monster_goes_through_the_revolving_wall_without_a_roll() -> None:
    table = Table(game=by_post())
    for room in ("upper-landing", "foyer"):
        table.token("wall-switch", room)
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "foyer")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    told = table.act("token:wall-switch", "PASS", monster="sexton-1")

    assert not events(told, DiceRolled)
    assert table.view(0).monsters["sexton-1"].room == "upper-landing"


@pytest.mark.rule("PBP-MON-007")
def test_a_monster_climbs_up_the_coal_chute_and_a_hero_does_not() -> None:
    table = Table(game=by_post())
    table.lay("coal-chute", "ground", -1, 0, turns=1)
    table.put(0, "basement-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(0)
    with table.refuses("2E-DOOR-001"):
        table.move("coal-chute")
    table.put(0, "foyer")
    table.turn(1, monsters=True)
    table.let_move(3, "sexton-1")

    table.move("coal-chute", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "coal-chute"


@pytest.mark.rule("PBP-MON-012")
def test_a_carrier_that_is_stunned_drops_everything_and_takes_nothing_up_in_the_turn_it_misses() -> None:
    table = Table(game=rules_with(haunt=MAGPIES, edition="play-by-post"))
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.haunt("magpies", traitor=2)
    table.monster("magpie-1", "entrance-hall")
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)
    table.pick_up("axe", monster="magpie-1")
    table.turn(0)

    table.act("haunt:heroes", "DAZZLE")

    assert table.view(1).piles[0].cards == ["axe"]
    table.turn(2, monsters=True)
    with table.refuses("PBP-MON-012"):
        table.pick_up("axe", monster="magpie-1")
    table.end_turn()
    table.turn(2, monsters=True)
    table.pick_up("axe", monster="magpie-1")


@pytest.mark.rule("PBP-MON-013")
def test_the_traitor_has_the_stairs_put_down_for_a_monster_that_is_stuck() -> None:
    table = Table(game=by_post())
    table.lay("larder", "basement", 0, 1)
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "larder")
    table.turn(1)

    table.act("tile:stairs-from-basement", "FETCH")
    table.choose(1, table.asked(1).options[0])

    assert table.view(0).rooms["stairs-from-basement"].floor == "basement"


@pytest.mark.rule("PBP-MON-013")
def test_where_monsters_explore_nobody_has_the_stairs_put_down() -> None:
    table = Table(game=rules_with(haunt=EXPLORERS, edition="play-by-post"))
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("h", traitor=1)
    table.monster("mole-1", "basement-landing")
    table.turn(1)
    with table.refuses("PBP-MON-013"):
        table.act("tile:stairs-from-basement", "FETCH")
