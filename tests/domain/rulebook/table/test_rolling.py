"""Rolling dice: how many, what counts, how often (rulebook: Attempt a Die Roll)."""

from collections import Counter

import pytest

from domain.facts.chance import Request, Seeded
from domain.facts.commands import Act
from domain.facts.events import DamageTaken, DiceRerolled, DiceRolled, ResultNamed, TraitChanged
from tests.support.packs import heroes_may, rules_with
from tests.support.table import THREE, Table, events, the

OX, ZOE, _ = THREE


def draw_event(table: Table, card: str) -> list[DiceRolled]:
    """Seat 0 discovers a room and draws this event; the rolls that come of it."""
    table.stack("tiles", "gardens")
    table.stack("event", card)
    return events(table.explore("east"), DiceRolled)


@pytest.mark.rule("2E-ROLL-001", case=(1, 2), asserts=True)
def test_a_die_shows_0_1_or_2_equally_often() -> None:
    faces = Counter[int]()
    for index in range(500):
        faces.update(Seeded(b"seed", "g").ask(Request(index=index, what="dice", dice=6)).faces)
    assert set(faces) == {0, 1, 2}
    assert all(900 < count < 1100 for count in faces.values())


@pytest.mark.rule("2E-ROLL-002", case=1)
def test_a_turn_has_a_roll_for_the_card_and_one_for_the_room() -> None:
    table = Table()
    table.put(0, "upper-landing")
    table.turn(0)
    table.stack("tiles", "vault")
    table.stack("event", "night-view")

    told = table.rolls([0, 0, 0]).explore("north")
    told += table.lay_anyhow()
    assert len(events(told, DiceRolled)) == 1
    told = table.rolls([0, 0, 0]).act("tile:vault", "OPEN")

    assert the(told, DiceRolled).trait == "knowledge"


def at_the_vault(*seats: int) -> Table:
    """These explorers stand before the locked Vault; it is the turn of the first."""
    table = Table()
    table.lay("vault", "upper", 0, -1)
    for seat in seats:
        table.put(seat, "vault")
    table.turn(seats[0])
    return table


@pytest.mark.rule("2E-ROLL-003", case=1)
def test_the_vault_is_not_tried_twice_in_a_turn_and_again_in_the_next() -> None:
    table = at_the_vault(0)
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")

    assert not table.offers(0, Act)
    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")
    while table.end_turn() and table.seat != 0:
        pass

    assert the(table.rolls([2, 0, 0]).act("tile:vault", "OPEN"), DiceRolled).total == 2


@pytest.mark.rule("2E-ROLL-003", case=2)
def test_another_explorer_tries_the_vault_in_a_turn_of_its_own() -> None:
    table = at_the_vault(0, 1)
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")
    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")
    table.end_turn()

    told = table.rolls([0] * table.value(1, "knowledge")).act("tile:vault", "OPEN")

    assert (the(told, DiceRolled).who, the(told, DiceRolled).total) == (1, 0)


@pytest.mark.rule("2E-ROLL-003", case=3)
def test_who_failed_at_the_vault_still_rolls_for_a_card() -> None:
    table = at_the_vault(0)
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")
    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")

    told = table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    assert the(told, DiceRolled).trait == "knowledge"


@pytest.mark.rule("2E-ROLL-003", case=4, asserts=True)
def test_the_roll_of_the_graveyard_is_made_each_time_it_is_left() -> None:
    table = Table()
    table.lay("graveyard", "ground", 1, 0, turns=1)  # its door faces the Entrance Hall
    table.put(0, "graveyard")
    table.turn(0)

    left = []
    for _ in range(2):
        told = table.rolls([2, 2, 0]).move("entrance-hall")
        left += [(one.trait, one.total) for one in events(told, DiceRolled)]
        if len(left) == 1:
            table.move("graveyard")

    assert left == [("sanity", 4), ("sanity", 4)]
    assert table.explorer(0).room == "entrance-hall"


@pytest.mark.rule("2E-ROLL-004", case=1)
def test_the_dots_of_so_many_dice_are_added() -> None:
    table = Table()
    table.rolls([2, 0, 1])
    table.stack("tiles", "gardens")
    table.stack("event", "secret-passage")

    told = table.explore("east")

    rolled = the(told, DiceRolled)
    assert (rolled.faces, rolled.total) == ([2, 0, 1], 3)
    rooms = table.asked(0).options  # 2 or 3: a room on the ground floor
    assert {table.view(0).rooms[room].floor for room in rooms} == {"ground"}


@pytest.mark.rule("2E-ROLL-005", case=(1, 2), asserts=True)
@pytest.mark.parametrize("faces, opens", [([2, 1, 1], True), ([2, 1, 0], False)])
def test_a_knowledge_roll_of_4_or_more_succeeds_with_4_and_fails_with_3(faces: list[int], opens: bool) -> None:  # noqa: FBT001 -- a parameter of the example
    table = Table()
    table.hold(0, "crystal-ball", "axe")
    table.haunt("the-bell-below", traitor=1)

    told = table.rolls(faces).act("card:crystal-ball", "GAZE")

    assert (the(told, DiceRolled).trait, the(told, DiceRolled).total) == ("knowledge", sum(faces))
    assert bool(events(told, TraitChanged)) != opens, "who fails loses Sanity"
    assert table.is_asked(0) == opens


@pytest.mark.rule("2E-ROLL-005")
@pytest.mark.parametrize("faces, free", [([2, 1, 1, 0, 0], True), ([2, 1, 0, 0, 0], False)])
def test_a_roll_against_4_frees_with_4_and_does_not_with_3(faces: list[int], free: bool) -> None:  # noqa: FBT001 -- a parameter of the example
    table = Table()
    table.rolls([0, 0, 0, 1, 1])
    draw_event(table, "webs")
    table.turn(0)

    table.rolls(faces).break_free(0)

    assert (table.explorer(0).held is None) == free


@pytest.mark.rule("2E-ROLL-006", case=(1, 2, 3))
@pytest.mark.parametrize("speed, dice, damage", [([1, 0, 0, 0], [2], 2), ([0] * 4, [0, 0], 0), ([0] * 4, [2, 1], 3)])
def test_dice_of_physical_damage_are_rolled_and_the_sum_is_divided_at_once(
    speed: list[int], dice: list[int], damage: int
) -> None:
    table = Table()
    table.rolls(speed, dice)

    rolled = draw_event(table, "debris")

    assert [(one.kind, one.faces) for one in rolled[1:]] == [("damage", dice)]
    assert [one.about for one in table.state.open.values()] == ["damage:physical"] * bool(damage)
    before = list(table.explorer(0).at)
    if damage:
        assert (table.asked(0).total, set(table.asked(0).caps)) == (damage, {"might", "speed"})
        told = table.allocate(0, might=1, speed=damage - 1)
        assert the(told, DamageTaken).amount == damage
    assert [was - now for was, now in zip(before, table.explorer(0).at, strict=True)] == (
        [1, damage - 1, 0, 0] if damage else [0, 0, 0, 0]
    )


@pytest.mark.rule("2E-ROLL-007", case=1)
def test_dice_of_mental_damage_are_divided_between_knowledge_and_sanity() -> None:
    table = Table()
    table.rolls([0, 0, 0], [1, 2])
    table.rolls([2, 2, 0, 0, 0], [2, 2, 0, 0])  # the others bear the shriek

    draw_event(table, "hideous-shriek")

    assert table.asked(0).total == 3
    assert set(table.asked(0).caps) == {"knowledge", "sanity"}


@pytest.mark.rule("2E-ROLL-008", case=(1, 2))
@pytest.mark.parametrize("first, card, trait", [(OX, "creepy-crawlies", "sanity"), (ZOE, "webs", "might")])
def test_a_trait_roll_has_as_many_dice_as_the_trait_is_now(first: str, card: str, trait: str) -> None:
    table = Table((first, *(one for one in THREE if one != first)))
    assert table.value(0, trait) == 3
    table.traits(0, **{trait: 4})
    table.rolls([2, 2, 1, 0])

    told = draw_event(table, card)

    assert (told[0].trait, len(told[0].faces)) == (trait, 4)


@pytest.mark.rule("2E-ROLL-009", case=1, asserts=True)
def test_a_bonus_for_trait_rolls_does_not_change_an_attack() -> None:
    table = Table()
    table.token("blessing", "entrance-hall")
    table.token("skeletons", "entrance-hall")
    table.haunt("the-bell-below", traitor=1)

    told = table.rolls([0] * 5, [0] * 3).attack(1)
    assert [len(one.faces) for one in events(told, DiceRolled)] == [5, 3]
    told = table.rolls([0, 0, 0, 0], [0]).act("token:skeletons", "SEARCH")
    assert len(events(told, DiceRolled)[0].faces) == 4  # Sanity 3 and the die of the blessing


@pytest.mark.rule("2E-ROLL-010", case=1, asserts=True)
def test_a_monster_rolls_its_own_trait() -> None:
    taunt = "{word: TAUNT, do: [{roll: {trait: might}, who: {each: monster, kind: ogre}, outcomes: {0+: []}}]}"
    haunt = heroes_may(taunt, monsters="{ogre: {title: Ogre, might: 5, speed: 2}}")
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.monster("ogre-1", "foyer")

    rolled = the(table.rolls([1, 1, 1, 1, 1]).act("haunt:heroes", "TAUNT"), DiceRolled)

    assert (rolled.who, len(rolled.faces)) == ("ogre-1", 5)


def at_the_nest() -> Table:
    """The heroes of the Gnawing Tide stand at the nest."""
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    return table


@pytest.mark.rule("2E-ROLL-011", case=1)
def test_a_task_is_tried_once_a_turn_and_again_in_the_next() -> None:
    table = at_the_nest()
    table.act("haunt:heroes", "CHANT")
    assert table.asked(0).options == ["sanity", "knowledge"]
    table.rolls([1, 0, 0]).choose(0, "knowledge")

    assert not table.offers(0, Act)
    with table.refuses("2E-ROLL-011"):
        table.act("haunt:heroes", "CHANT")
    while table.end_turn() and table.seat != 0:
        pass
    table.act("haunt:heroes", "CHANT")
    assert the(table.rolls([1, 0, 0]).choose(0, "sanity"), DiceRolled).trait == "sanity"


TASKS = heroes_may(
    "{word: DIG, do: [{roll: {trait: might, task: true}, outcomes: {0+: []}}]}",
    "{word: RECITE, do: [{roll: {trait: knowledge, task: true, task-name: exorcism}, outcomes: {0+: []}}]}",
    "{word: PRAY, do: [{roll: {trait: sanity, task: true, task-name: exorcism}, outcomes: {0+: []}}]}",
)


@pytest.mark.rule("2E-ROLL-011", case=2)
def test_each_of_two_tasks_is_tried_once_in_a_turn() -> None:
    table = Table(game=rules_with(haunt=TASKS))
    table.haunt("h", traitor=1)

    assert the(table.rolls([0] * 5).act("haunt:heroes", "DIG"), DiceRolled).trait == "might"
    assert the(table.rolls([0] * 3).act("haunt:heroes", "RECITE"), DiceRolled).trait == "knowledge"
    for word in ("DIG", "RECITE"):
        with table.refuses("2E-ROLL-011"):
            table.act("haunt:heroes", word)


@pytest.mark.rule("2E-ROLL-011")
def test_a_task_is_tried_once_also_where_a_condition_comes_before_its_roll() -> None:
    dig = "{roll: {trait: might, task: true}, outcomes: {0+: []}}"
    haunt = heroes_may(f"{{word: DIG, do: [{{if: {{in: entrance-hall}}, then: [{dig}]}}]}}")
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.rolls([0] * 5).act("haunt:heroes", "DIG")
    with table.refuses("2E-ROLL-011"):
        table.act("haunt:heroes", "DIG")


@pytest.mark.rule("2E-PREC-002")
def test_what_a_haunt_lets_be_done_once_without_a_roll_is_refused_by_the_haunt() -> None:
    haunt = heroes_may("{word: HUM, once: {per: turn}, do: [{gain: {trait: sanity}}]}")
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "HUM")
    with table.refuses("2E-PREC-002"):
        table.act("haunt:heroes", "HUM")


@pytest.mark.rule("2E-ROLL-012", case=1)
def test_a_task_that_was_tried_with_one_trait_is_not_tried_with_another() -> None:
    table = Table(game=rules_with(haunt=TASKS))
    table.haunt("h", traitor=1)
    table.rolls([0, 0, 0]).act("haunt:heroes", "RECITE")

    assert [one.word for one in table.offers(0) if isinstance(one, Act)] == ["DIG"]
    with table.refuses("2E-ROLL-012"):
        table.act("haunt:heroes", "PRAY")


def test_the_unquiet_name_is_prayed_away_or_spelled_out_once_in_a_turn() -> None:
    table = Table()
    table.lay("charred-room", "ground", 1, 0)
    table.put(0, "charred-room")
    table.haunt("the-unquiet-name", traitor=1)
    table.rolls([0] * 3).act("haunt:heroes", "PRAY")
    with table.refuses("2E-ROLL-012"):
        table.act("haunt:heroes", "SPELL")


def test_dice_are_rolled_again_by_the_lucky_stone() -> None:
    table = Table()
    table.hold(0, "lucky-stone", "puzzle-box")
    table.turn(0)
    table.rolls([2, 0, 0]).act("card:puzzle-box", "OPEN")
    table.choose(0, "card:lucky-stone#REROLL")
    assert table.asked(0).options == ["2", "0", "0"]
    told = table.rolls([2, 2]).select(0, 1, 2)

    assert the(told, DiceRerolled).faces == [2, 2, 2]
    assert len(table.explorer(0).cards) == 2  # the box is open, stone and box are gone, two items are found


def test_the_angel_feather_names_a_result_in_place_of_rolling() -> None:
    table = Table()
    table.hold(0, "angel-feather")
    table.turn(0)
    draw_event(table, "creepy-crawlies")
    table.choose(0, "card:angel-feather#NAME")
    told = table.choose(0, "5")

    assert the(told, ResultNamed).total == 5
    assert not events(told, DiceRolled)
    assert the(told, TraitChanged).trait == "sanity"
    assert table.explorer(0).cards == []


def test_what_a_moderator_answers_must_fit_what_was_asked() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "creepy-crawlies")
    table.fate.pending = True
    table.explore("east")
    while table.asked(-1).about != "dice:trait":
        table.moderate(pick=table.asked(-1).options[0])
    with table.refuses(problem="chance-misfit"):
        table.moderate([1, 1])
    told = table.moderate([0, 0, 0])
    assert not events(told, DamageTaken)
    assert table.value(0, "sanity") == 2
