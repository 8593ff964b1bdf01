"""Attacks, weapons and the rolls of both (rulebook 2022, Attacks, Weapons, Dice)."""

import msgspec
import pytest

from domain.facts.commands import AnyCommand, Attack
from domain.facts.events import (
    AttackDecided,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    ExplorerDied,
    Fizzled,
    MonsterStunned,
    RuleApplied,
    TraitChanged,
)
from tests.support.fate import showing
from tests.support.table import Table, events, the
from tests.support.third import FRIENDS, discover, haunted, third


def dice(told: Table, total: int, who: int, trait: str = "might", more: int = 0) -> list[int]:
    """Faces for a roll of an explorer's trait."""
    return showing(told.value(who, trait) + more, total)


def with_monster(*cards: str, room: str = "entrance-hall") -> Table:
    """Seat 0, a hero, has these cards since an earlier turn; a Zombie is there."""
    table = haunted()
    table.hold(0, *cards)
    table.monster("zombie-1", room)
    table.turn(0)
    return table


# -- when and whom --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-ATK-001", case=1)
def test_an_attack_is_refused_in_exploration_and_accepted_in_the_haunt() -> None:
    table = third()
    with table.refuses("3E-ATK-001"):
        table.attack(1)
    table = haunted()
    table.rolls(dice(table, 3, 0), dice(table, 3, 1))
    assert the(table.attack(1), AttackDecided).target == 1


@pytest.mark.rule("3E-ATK-002", case=1)
def test_no_hero_attacks_a_hero() -> None:
    table = haunted()
    assert 2 not in [one.target for one in table.offers(0, Attack) if isinstance(one, Attack)]
    with table.refuses("3E-ATK-002"):
        table.attack(2)


@pytest.mark.rule("3E-ATK-002", case=2)
@pytest.mark.parametrize("weapon, reaches", [(None, False), ("machete", False), ("crossbow", True)])
def test_only_a_card_that_says_so_reaches_the_next_tile(weapon: str | None, *, reaches: bool) -> None:
    table = haunted()
    table.hold(0, "machete", "crossbow")
    table.put(1, "hallway")
    table.turn(0)
    if reaches:
        table.rolls(dice(table, 3, 0, "speed", 1), dice(table, 3, 1, "speed"))
        table.attack(1, weapon)
        return
    with table.refuses("3E-ATK-002"):
        table.attack(1, weapon)


@pytest.mark.parametrize(
    "here, there, reaches",
    [
        ("ground-floor-staircase", "upper-landing", True),
        ("gallery", "ballroom", True),
        ("ballroom", "gallery", False),
        ("ground-floor-staircase", "basement-landing", False),
    ],
)
def test_a_crossbow_reaches_wherever_a_printed_connection_leads(here: str, there: str, *, reaches: bool) -> None:
    table = haunted()
    table.lay("gallery", "upper", 0, 1)
    table.lay("ballroom", "ground", 1, 0)
    table.hold(0, "crossbow")
    table.put(0, here)
    table.put(1, there)
    table.turn(0)
    assert (Attack(decision=table.now, target=1, weapon="crossbow") in table.offers(0, Attack)) == reaches
    if reaches:
        table.rolls(dice(table, 3, 0, "speed", 1), dice(table, 3, 1, "speed"))
        table.attack(1, "crossbow")
        return
    with table.refuses("3E-ATK-002"):
        table.attack(1, "crossbow")


@pytest.mark.rule("3E-ATK-002", case=3, asserts=True)
def test_a_hero_attacks_a_monster_on_the_same_tile() -> None:
    table = with_monster()
    table.rolls(dice(table, 6, 0), showing(4, 2))
    assert the(table.attack("zombie-1"), MonsterStunned).monster == "zombie-1"


@pytest.mark.rule("3E-ATK-002", case=4)
def test_the_traitor_attacks_no_monster_of_its_own_side() -> None:
    table = haunted()
    table.monster("zombie-1", "entrance-hall")
    table.turn(1)
    assert "zombie-1" not in [one.target for one in table.offers(1, Attack) if isinstance(one, Attack)]
    with table.refuses("3E-ATK-002"):
        table.attack("zombie-1")


@pytest.mark.rule("3E-ATK-002", case=5)
def test_a_corpse_is_no_target() -> None:
    table = haunted()
    table.die(1)
    table.turn(0)
    assert not table.offers(0, Attack)
    with table.refuses("3E-ATK-002"):
        table.attack(1)


@pytest.mark.rule("3E-ATK-002")
def test_nobody_attacks_with_a_trait_that_the_target_lacks() -> None:
    table = haunted(monsters="{zombie: {title: Zombie, might: 4, speed: 2}}")
    table.hold(0, "ring")
    table.monster("zombie-1", "entrance-hall")
    table.turn(0)
    weapons = [one.weapon for one in table.offers(0, Attack) if isinstance(one, Attack) and one.target == "zombie-1"]
    assert weapons == [None]
    with table.refuses("3E-ATK-002"):
        table.attack("zombie-1", "ring")


@pytest.mark.rule("3E-ATK-003", case=1)
def test_there_is_one_attack_a_turn_whatever_the_weapon_and_the_target() -> None:
    table = with_monster("machete", "chainsaw")
    table.rolls(dice(table, 4, 0), showing(4, 5))
    table.attack("zombie-1", "machete")
    for target in (1, "zombie-1"):
        for weapon in (None, "chainsaw"):
            with table.refuses("3E-ATK-003"):
                table.attack(target, weapon)


# -- how ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-ATK-004", case=1)
def test_both_roll_as_many_dice_as_their_might() -> None:
    table = haunted()
    table.traits(0, might=4)
    table.traits(1, might=3)
    table.turn(0)
    told = table.rolls([1, 1, 1, 1], [2, 1, 1]).attack(1)
    assert [(one.trait, len(one.faces)) for one in events(told, DiceRolled)] == [("might", 4), ("might", 3)]
    assert the(told, ExplorerAttacked).rule == "3E-ATK-004"


@pytest.mark.rule("3E-ATK-005", case=1)
@pytest.mark.parametrize("attack, defense, loser", [(5, 3, 1), (3, 5, 0)])
def test_the_lower_roll_takes_the_difference(attack: int, defense: int, loser: int) -> None:
    table = haunted()
    table.rolls(dice(table, attack, 0), dice(table, defense, 1))
    table.attack(1)
    told = table.allocate(loser, might=1, speed=1)
    taken = the(told, DamageTaken)
    assert (taken.seat, taken.kind, taken.amount) == (loser, "physical", 2)


@pytest.mark.rule("3E-ATK-005", case=2)
def test_a_beaten_attacker_takes_four() -> None:
    table = haunted()
    table.rolls(dice(table, 2, 0), dice(table, 6, 1))
    told = table.attack(1)
    assert the(told, AttackDecided).rule == "3E-ATK-005"
    assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 4)


@pytest.mark.rule("3E-ATK-006", case=1)
def test_a_tie_harms_nobody_and_was_the_attack_of_the_turn() -> None:
    table = haunted()
    told = table.rolls(dice(table, 4, 0), dice(table, 4, 1)).attack(1)
    assert the(told, AttackDecided).rule == "3E-ATK-006"
    assert not events(told, TraitChanged)
    with table.refuses("3E-ATK-003"):
        table.attack(1)


@pytest.mark.rule("3E-ATK-007", case=1)
def test_in_a_speed_attack_both_roll_speed_and_the_damage_is_physical() -> None:
    table = haunted()
    table.hold(0, "crossbow")
    table.turn(0)
    told = table.rolls(dice(table, 6, 0, "speed", 1), dice(table, 4, 1, "speed")).attack(1, "crossbow")
    assert [one.trait for one in events(told, DiceRolled)] == ["speed", "speed"]
    assert (table.asked(1).about, table.asked(1).total) == ("damage:physical", 2)


@pytest.mark.rule("3E-ATK-008", case=1)
def test_a_sanity_attack_does_mental_damage() -> None:
    table = haunted()
    table.hold(0, "ring")
    table.turn(0)
    told = table.rolls(dice(table, 5, 0, "sanity"), dice(table, 4, 1, "sanity")).attack(1, "ring")
    assert (the(told, AttackDecided).attack, the(told, AttackDecided).defense) == (6, 4)
    assert (table.asked(1).about, table.asked(1).total) == ("damage:mental", 2)
    assert the(table.allocate(1, sanity=1, knowledge=1), DamageTaken).rule == "3E-ATK-008"


FAR = """{id: bow, deck: item, title: Bow, text: Bow., kinds: [weapon], attack: {trait: speed, range: adjacent}}"""


@pytest.mark.rule("3E-ATK-005")
def test_whoever_attacks_from_afar_and_rolls_lower_is_hurt_as_well() -> None:
    table = haunted(card=FAR)
    table.hold(0, "bow")
    table.put(1, "hallway")
    table.turn(0)
    table.rolls(dice(table, 2, 0, "speed"), dice(table, 4, 1, "speed"))
    table.attack(1, "bow")
    assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 2)


@pytest.mark.parametrize("weapon, more", [("gun", 0), ("crossbow", 1)])
@pytest.mark.rule("3E-META-002")
def test_gun_and_crossbow_say_that_their_bearer_is_safe(weapon: str, more: int) -> None:
    table = haunted()
    table.hold(0, weapon)
    table.put(1, "hallway")
    table.turn(0)
    told = table.rolls(dice(table, 2, 0, "speed", more), dice(table, 4, 1, "speed")).attack(1, weapon)
    assert the(told, Fizzled).what == "counter-damage"


# -- sight ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-LOS-002", case=1)
def test_a_gun_hits_whoever_stands_in_the_line_of_tiles_and_nobody_round_a_corner() -> None:
    table = haunted()
    table.hold(0, "gun")
    table.monster("zombie-1", "ground-floor-staircase")
    table.monster("zombie-2", "upper-landing")
    table.turn(0)
    hall = table.state.rooms["entrance-hall"]
    stairs = table.state.rooms[table.state.monsters["zombie-1"].room]  # type: ignore[index]  # a monster's name
    assert hall.y == stairs.y or hall.x == stairs.x
    with table.refuses("3E-LOS-002"):
        table.attack("zombie-2", "gun")
    table.rolls(dice(table, 4, 0, "speed"), showing(2, 2))
    told = table.attack("zombie-1", "gun")
    assert the(told, ExplorerAttacked).target == "zombie-1"


@pytest.mark.rule("3E-LOS-002")
def test_a_gun_hits_nobody_one_tile_round_a_corner() -> None:
    table = haunted()
    table.hold(0, "gun")
    hall = table.state.rooms["entrance-hall"]
    table.lay("library", "ground", hall.x + 1, hall.y)
    table.lay("kitchen", "ground", hall.x + 1, hall.y - 1)
    table.monster("zombie-1", "kitchen")
    table.turn(0)
    with table.refuses("3E-LOS-002"):
        table.attack("zombie-1", "gun")


# -- weapons --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-WPN-001", case=1)
def test_a_card_that_is_no_weapon_can_not_be_attacked_with() -> None:
    table = with_monster("mirror", "machete")
    assert [one.weapon for one in table.offers(0, Attack) if isinstance(one, Attack) and one.target == 1] == [
        None,
        "machete",
    ]
    with table.refuses("3E-WPN-001"):
        table.attack("zombie-1", "mirror")


@pytest.mark.rule("3E-WPN-002", case=1, asserts=True)
def test_an_attack_that_names_two_weapons_is_refused_for_its_shape() -> None:
    table = with_monster("machete", "chainsaw")
    posted = {"type": "attack", "decision": table.now, "target": 1}
    for both in (["machete", "chainsaw"], {"machete": "chainsaw"}):
        with pytest.raises(msgspec.ValidationError, match=r"Expected `str \| null`.* - at `\$\.weapon`"):
            msgspec.json.decode(msgspec.json.encode({**posted, "weapon": both}), type=AnyCommand)
    with pytest.raises(msgspec.ValidationError, match="unknown field `weapons`"):
        msgspec.json.decode(msgspec.json.encode({**posted, "weapons": ["machete", "chainsaw"]}), type=AnyCommand)


@pytest.mark.rule("3E-WPN-002", case=2)
@pytest.mark.parametrize("weapon, more", [(None, 0), ("chainsaw", 1)])
def test_of_two_weapons_an_attack_states_one_or_none_before_the_dice(weapon: str | None, more: int) -> None:
    table = with_monster("machete", "chainsaw")
    stated = {one.weapon for one in table.offers(0, Attack) if isinstance(one, Attack)}
    assert stated == {None, "machete", "chainsaw"}
    told = table.rolls(dice(table, 4, 0, more=more), showing(4, 4)).attack("zombie-1", weapon)
    kinds = [type(one.event) for one in told]
    assert kinds.index(ExplorerAttacked) < kinds.index(DiceRolled)
    assert the(told, ExplorerAttacked).weapon == (weapon or "")
    if weapon:
        assert the(told, ExplorerAttacked).rule == "3E-WPN-002"
    else:
        table.turn(0)
        table.rolls(dice(table, 4, 0, more=1), showing(4, 4)).attack("zombie-1", "chainsaw")


@pytest.mark.rule("3E-WPN-003", case=1)
def test_who_holds_a_machete_may_attack_with_plain_might() -> None:
    table = with_monster("machete")
    told = table.rolls(dice(table, 4, 0), showing(4, 4)).attack("zombie-1")
    assert the(told, ExplorerAttacked).rule == "3E-WPN-003"
    rolled = events(told, DiceRolled)[0]
    assert (rolled.trait, rolled.bonus, rolled.total) == ("might", 0, 4)


@pytest.mark.rule("3E-WPN-004", case=1)
def test_a_machete_from_a_corpse_is_not_attacked_with_in_this_turn() -> None:
    table = haunted()
    table.hold(2, "machete")
    table.die(2)
    table.turn(0)
    table.loot(2, "machete")
    assert [one.weapon for one in table.offers(0, Attack) if isinstance(one, Attack)] == [None]
    with table.refuses("3E-WPN-004"):
        table.attack(1, "machete")
    table.rolls(dice(table, 4, 0), dice(table, 4, 1)).attack(1)


@pytest.mark.rule("3E-WPN-004", case=2, asserts=True)
def test_a_machete_received_in_the_turn_of_another_is_attacked_with_in_the_own_next_turn() -> None:
    table = haunted()
    table.hold(0, "machete")
    table.turn(0)
    table.swap(1, ["machete"])
    table.end_turn()
    assert table.seat == 1
    told = table.rolls(dice(table, 4, 1), dice(table, 5, 0)).attack(0, "machete")
    assert events(told, DiceRolled)[0].total == 5


@pytest.mark.rule("3E-WPN-005", case=1)
def test_a_machete_does_not_help_in_defending() -> None:
    table = haunted()
    table.hold(1, "machete")
    table.turn(0)
    told = table.rolls(dice(table, 4, 0), dice(table, 4, 1)).attack(1)
    defended = events(told, DiceRolled)[1]
    assert (defended.kind, defended.bonus, defended.total) == ("defense", 0, 4)
    assert "3E-WPN-005" in [one.rule for one in events(told, RuleApplied)]


SIREN = "{id: siren, deck: item, title: Siren, text: S., kinds: [weapon], attack: {trait: sanity, damage: mental}}"


@pytest.mark.rule("3E-WPN-005", case=2)
@pytest.mark.rule("3E-DICE-004")
def test_what_a_ring_does_all_the_time_helps_in_defending() -> None:
    table = haunted(card=SIREN)
    table.hold(0, "siren")
    table.hold(1, "ring")
    table.turn(0)
    told = table.rolls(dice(table, 4, 0, "sanity"), dice(table, 3, 1, "sanity")).attack(1, "siren")
    defended = events(told, DiceRolled)[1]
    assert (defended.kind, defended.bonus, defended.total) == ("defense", 1, 4)
    assert [one.rule for one in events(told, DiceRolled)] == ["3E-DICE-004", "3E-DICE-004"]
    assert "3E-WPN-005" in [one.rule for one in events(told, RuleApplied)]


@pytest.mark.rule("3E-TRADE-006", case=1)
def test_a_crossbow_that_was_shot_is_not_traded_and_an_amulet_is() -> None:
    table = with_monster("crossbow", "strange-amulet")
    table.rolls(dice(table, 4, 0, "speed", 1), showing(2, 4)).attack("zombie-1", "crossbow")
    with table.refuses("3E-TRADE-006"):
        table.trade(1, ["crossbow"])
    table.swap(1, ["strange-amulet"])
    assert table.explorer(1).cards == ["strange-amulet"]


# -- rolls ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-DICE-004", case=1)
def test_an_idol_helps_an_attack_with_might_and_the_defense_against_it() -> None:
    table = haunted()
    table.hold(0, "idol")
    table.turn(0)
    told = table.rolls(dice(table, 4, 0), dice(table, 5, 1)).attack(1)
    assert [(one.bonus, one.total) for one in events(told, DiceRolled)] == [(1, 5), (0, 5)]
    table.turn(1)
    told = table.rolls(dice(table, 5, 1), dice(table, 4, 0)).attack(0)
    assert [(one.bonus, one.total) for one in events(told, DiceRolled)] == [(0, 5), (1, 5)]


def test_a_book_that_was_read_does_not_change_an_attack() -> None:
    table = haunted()
    table.hold(0, "book")
    table.turn(0)
    table.act("card:book", "READ")
    told = table.rolls(dice(table, 4, 0), dice(table, 4, 1)).attack(1)
    assert [one.trait for one in events(told, DiceRolled)] == ["might", "might"]
    table.rolls(dice(table, 5, 0, "knowledge"))
    table.draw(0, "event", "behind-you")
    assert the(table.commits[-1], DiceRolled).trait == "knowledge"


@pytest.mark.rule("3E-DICE-005", case=1, asserts=True)
def test_two_dice_are_two_dice_whatever_adds_to_trait_rolls() -> None:
    table = third()
    table.hold(0, "book", "mask", "skull", "ring")
    table.turn(0)
    told = discover(table.rolls([2, 2]), "kitchen", event="an-eerie-feeling")
    rolled = the(told, DiceRolled)
    assert (rolled.faces, rolled.bonus, rolled.total) == ([2, 2], 0, 4)


@pytest.mark.rule("3E-DICE-006", case=1)
def test_a_roll_of_four_with_a_machete_counts_as_five() -> None:
    table = with_monster("machete")
    told = table.rolls(dice(table, 4, 0), showing(4, 5)).attack("zombie-1", "machete")
    rolled = events(told, DiceRolled)[0]
    assert (sum(rolled.faces), rolled.bonus, rolled.total) == (4, 1, 5)
    assert "3E-DICE-006" in [one.rule for one in events(told, RuleApplied)]
    assert the(told, AttackDecided).attack == 5


def test_no_result_is_below_zero() -> None:
    stone = "{id: stone, deck: item, title: Stone, text: S., always: [{modify: {rolls: [trait], result: -3}}]}"
    table = haunted(card=stone)
    table.hold(0, "stone")
    table.turn(0)
    told = table.rolls(dice(table, 1, 0), dice(table, 0, 1)).attack(1)
    assert events(told, DiceRolled)[0].total == 0
    assert the(told, AttackDecided).rule == "3E-ATK-006"


# -- rulings of weapons ---------------------------------------------------------------------------------------------


def by_ruling(card: str, alternative: str) -> Table:
    """A table that plays by an alternative of a card that seat 0 holds."""
    table = Table(FRIENDS, game=haunted().rules, options={"rulings": {card: alternative}})
    table.haunt("h", traitor=1)
    table.hold(0, card)
    table.turn(0)
    return table


def test_a_crossbow_gives_no_more_dice_where_the_table_plays_so() -> None:
    table = by_ruling("crossbow", "crossbow-plain")
    told = table.rolls(dice(table, 4, 0, "speed"), dice(table, 4, 1, "speed")).attack(1, "crossbow")
    assert len(events(told, DiceRolled)[0].faces) == table.value(0, "speed")


@pytest.mark.parametrize("answer, more, lost", [("pay", 2, 1), ("keep", 0, 0)])
def test_the_speed_for_a_dagger_may_be_kept_where_the_table_plays_so(answer: str, more: int, lost: int) -> None:
    table = by_ruling("dagger", "dagger-unpaid")
    before = table.explorer(0).at[1]
    table.attack(1, "dagger")
    assert table.asked(0).options == ["pay", "keep"]
    table.rolls(dice(table, 4, 0, more=more), dice(table, 4, 1))
    table.choose(0, answer)
    assert table.explorer(0).at[1] == before - lost


def test_the_speed_for_a_dagger_is_paid_otherwise() -> None:
    table = haunted()
    table.hold(0, "dagger")
    table.turn(0)
    before = table.explorer(0).at[1]
    table.rolls(dice(table, 4, 0, more=2), dice(table, 4, 1)).attack(1, "dagger")
    assert table.explorer(0).at[1] == before - 1


def test_who_dies_of_what_a_dagger_costs_attacks_nobody() -> None:
    table = haunted()
    table.hold(0, "dagger")
    table.clips(0, speed=1)
    table.turn(0)
    told = table.attack(1, "dagger")
    assert the(told, ExplorerDied).seat == 0
    assert not events(told, DiceRolled)
