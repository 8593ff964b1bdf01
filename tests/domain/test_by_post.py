"""Play by post before the haunt: whose dice, whose rooms, what a turn allows (play-by-post-rules.txt, 1 and 2)."""

from collections import Counter

import msgspec
import pytest

from content.ledger import ledger
from domain.chance import Request, Seeded
from domain.commands import AnswerChance, Move
from domain.editions import EDITIONS
from domain.events import (
    CardDrawn,
    CardGained,
    DecisionOpened,
    DiceRolled,
    HauntBegun,
    HauntRolled,
    RuleApplied,
    Stopped,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TraitChanged,
)
from domain.game import rules_for
from domain.state import MODERATOR
from tests.domain.test_discovering import one_way_up
from tests.support.packs import by_post, pack
from tests.support.table import FOUR, Table, events, the

BASE = EDITIONS["second"]
VARIANT = EDITIONS["play-by-post"]
ZOE_FIRST = ("zoe-ingstrom", "ox-bellows", "jenny-leclerc")


def posted(explorers: tuple[str, ...] = FOUR[:3]) -> Table:
    """A table that plays by post."""
    return Table(explorers, game=by_post())


def roll_asked(table: Table) -> str:
    """Seat 0 opens the Puzzle Box, and the moderator is asked for Knowledge dice."""
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.fate.pending = True
    table.act("card:puzzle-box", "OPEN")
    return table.asked(MODERATOR).id


# -- the base -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-BASE-001", asserts=True)
def test_what_the_text_does_not_say_anew_is_the_second_editions() -> None:
    for topic in type(BASE.cite).__struct_fields__:
        old, new = getattr(BASE.cite, topic), getattr(VARIANT.cite, topic)
        assert new == old or not new or ledger()[new].edition == "play-by-post", topic
    assert VARIANT.movement == BASE.movement
    assert msgspec.structs.replace(VARIANT.cards, one_action_for_all=False) == BASE.cards
    assert VARIANT.damage == BASE.damage
    assert VARIANT.haunt == BASE.haunt
    for replaced, by in VARIANT.restated.items():
        assert (ledger()[replaced].edition, ledger()[by].edition) == ("second", "play-by-post")
    named = {other for rule in ledger().values() if rule.edition == "play-by-post" for other in rule.overrides}
    lapsed = {
        getattr(BASE.cite, topic) for topic in type(BASE.cite).__struct_fields__ if not getattr(VARIANT.cite, topic)
    }
    assert {one for one in lapsed if one and one not in ("2E-DISC-002", "2E-DISC-004")} <= named


@pytest.mark.rule("PBP-BASE-002", asserts=True)
def test_no_rule_is_taken_from_the_errata() -> None:
    rules = [rule for rule in ledger().values() if rule.edition == "play-by-post" and rule.id != "PBP-BASE-002"]
    assert len(rules) == 46
    assert not [rule.id for rule in rules if "errata" in rule.source.lower()]


def test_a_pack_of_another_edition_is_not_played_by_post() -> None:
    with pytest.raises(ValueError, match="not played with the pack third-edition"):
        rules_for(pack("third-edition"), "play-by-post")


def test_the_pack_stays_as_it_was_written() -> None:
    cited = by_post().pack.triggers["tile:coal-chute", "entered"][0][1].do[0]
    assert cited.rule == "PBP-MON-005"
    assert (
        rules_for(pack("second-edition")).pack.triggers["tile:coal-chute", "entered"][0][1].do[0].rule == "2E-MON-011"
    )


@pytest.mark.rule("PBP-OBJ-001", asserts=True)
def test_there_is_nothing_to_win_before_the_haunt_and_then_the_first_side_to_reach_its_goal_wins() -> None:
    table = posted()
    with table.refuses("2E-SETUP-001"):
        table.act("haunt:heroes", "WIN")
    table.end_turn()
    assert table.state.winner == ""

    table.haunt("the-bell-below", traitor=2)
    table.die(0, 1)

    assert table.state.winner == "traitor"


# -- traits and damage --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TRAIT-001", asserts=True)
def test_an_explorer_has_four_tracks_of_two_kinds() -> None:
    table = posted()
    assert len(table.explorer(0).tracks) == 4
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0, 0, 0, 0], [2, 1]).explore("east")
    assert set(table.asked(0).caps) == {"might", "speed"}


@pytest.mark.rule("PBP-TRAIT-002")
def test_a_gain_moves_the_clip_by_spaces() -> None:
    table = posted(ZOE_FIRST)
    table.lay("larder", "basement", 0, 1)
    table.put(0, "larder")
    table.turn(0)
    before = table.explorer(0).at[0]

    told = table.end_turn()

    assert (the(told, TraitChanged).trait, table.explorer(0).at[0]) == ("might", before + 1)


@pytest.mark.rule("PBP-TRAIT-003")
def test_no_trait_rises_above_its_maximum() -> None:
    table = posted()
    table.clips(0, knowledge=7)
    table.hold(0, "book")  # worth 2 Knowledge

    assert table.explorer(0).at[3] == 8
    assert table.explorer(0).surplus == {"book/knowledge": 1}


@pytest.mark.rule("PBP-TRAIT-005")
def test_before_the_haunt_a_trait_stays_at_its_minimum_and_nobody_dies() -> None:
    table = posted(ZOE_FIRST)
    table.hold(0, "amulet-of-the-ages")
    table.clips(0, might=5, speed=5, sanity=2, knowledge=5)
    table.turn(0)

    table.drop("amulet-of-the-ages")  # costs three spaces of each trait

    assert (table.explorer(0).alive, table.explorer(0).at[2]) == (True, 1)


@pytest.mark.rule("PBP-DMG-001", "PBP-DMG-002")
def test_physical_damage_is_divided_between_might_and_speed_point_by_space() -> None:
    table = posted()
    table.clips(0, might=5, speed=5)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0, 0, 0, 0], [2, 1]).explore("east")

    with table.refuses("PBP-DMG-001"):
        table.allocate(0, might=2, sanity=1)
    with table.refuses("PBP-DMG-002"):
        table.allocate(0, might=2)
    table.allocate(0, might=2, speed=1)

    assert table.explorer(0).at[:2] == [3, 4]


@pytest.mark.rule("PBP-DMG-003")
def test_mental_damage_is_divided_between_sanity_and_knowledge() -> None:
    table = posted()
    table.clips(0, sanity=5, knowledge=5)
    table.stack("tiles", "gardens")
    table.stack("event", "angry-being")
    table.rolls([1, 1, 0, 0], [2]).explore("east")

    with table.refuses("PBP-DMG-003"):
        table.allocate(0, speed=2)
    table.allocate(0, sanity=1, knowledge=1)

    assert table.explorer(0).at[2:] == [4, 4]


# -- the turn -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TURN-001", "PBP-MOVE-002")
def test_a_post_uses_moves_rolls_and_moves_again() -> None:
    table = posted()
    table.hold(0, "healing-salve", "puzzle-box")
    table.traits(0, speed=4)
    table.turn(0)

    table.move("foyer")
    table.act("card:healing-salve", "HEAL", target=0)
    table.rolls([0] * table.value(0, "knowledge"))
    table.act("card:puzzle-box", "OPEN")
    table.move("grand-staircase")

    assert table.explorer(0).room == "grand-staircase"
    with table.refuses("PBP-TURN-001"):
        table.act("tile:foyer", "OPEN")


@pytest.mark.rule("PBP-MOVE-001")
def test_nobody_goes_further_than_the_speed_allows() -> None:
    table = posted()
    table.traits(0, speed=2)
    table.move("foyer", "grand-staircase")

    with table.refuses("PBP-MOVE-001"):
        table.move("foyer")


@pytest.mark.rule("PBP-MOVE-003", "PBP-DISC-002")
def test_a_room_that_makes_its_discoverer_draw_ends_the_movement() -> None:
    table = posted()
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    told = table.explore("east")

    assert the(told, CardDrawn).card == "axe"
    assert (the(told, CardGained).seat, the(told, Stopped).figure) == (0, 0)
    assert not table.offers(0, Move)
    with table.refuses("PBP-MOVE-003"):
        table.move("entrance-hall")


@pytest.mark.rule("PBP-MOVE-003")
def test_a_card_drawn_for_any_other_reason_ends_the_movement_too() -> None:
    table = posted()
    table.stack("item", "axe")
    table.draw(0, "item")

    with table.refuses("PBP-MOVE-003"):
        table.move("foyer")


# -- rooms --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-DISC-001")
def test_any_room_for_the_floor_may_come_and_no_other() -> None:
    table = posted()
    told = table.picks("creaky-hallway").explore("east")

    asked: Request = next(one for one in table.fate.asked if one.what == "tile")
    ground = set(table.rules.pack.tiles_for["ground"])
    assert set(asked.options) == ground
    assert asked.weights == ()
    assert the(told, TileDrawn).tile == "creaky-hallway"


def test_no_role_sees_a_back_or_the_next_room() -> None:
    table = posted()
    table.picks("creaky-hallway").explore("east")
    for role in table.roles.values():
        assert role.decks["tiles"].top == []
        assert role.decks["tiles"].aside == []


def test_a_room_that_would_close_the_floor_is_shown_and_another_drawn() -> None:
    table = posted()
    one_way_up(table)
    table.stack("tiles", "conservatory", "creaky-hallway")

    told = table.explore("north")

    assert [one.source for one in events(told, RuleApplied) if one.rule == "2E-DISC-010"] == ["tile:conservatory"]
    assert the(told, TilePlaced).tile == "creaky-hallway"
    assert not events(told, TileSetAside)


# -- items --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-ITEM-001")
def test_an_item_that_was_used_is_not_traded_in_that_turn() -> None:
    table = posted()
    table.hold(0, "puzzle-box", "axe")
    table.turn(0)
    table.rolls([0] * table.value(0, "knowledge")).act("card:puzzle-box", "OPEN")

    with table.refuses("PBP-ITEM-001"):
        table.trade(1, ["puzzle-box"])
    table.drop("axe")


@pytest.mark.rule("PBP-ITEM-001")
def test_an_item_picked_up_is_not_used_by_anybody_in_that_turn() -> None:
    table = posted()
    table.pile("entrance-hall", "puzzle-box")
    table.turn(0)
    table.pick_up("puzzle-box")

    with table.refuses("PBP-ITEM-001"):
        table.act("card:puzzle-box", "OPEN")
    with table.refuses("PBP-ITEM-001"):
        table.trade(1, ["puzzle-box"])


# -- dice ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-DICE-001", asserts=True)
def test_each_face_comes_up_one_time_in_three() -> None:
    source = Seeded(b"dice", "by-post")
    faces = Counter(face for index in range(300) for face in source.ask(Request(index, "dice:trait", dice=10)).faces)
    assert set(faces) == {0, 1, 2}
    assert all(900 < number < 1100 for number in faces.values())


@pytest.mark.rule("PBP-DICE-003")
def test_the_moderator_posts_what_the_die_roller_showed() -> None:
    table = posted(ZOE_FIRST)
    table.traits(0, knowledge=4)
    asked = roll_asked(table)

    told = table.play(MODERATOR, AnswerChance(decision=asked, rolled=[1, 3, 2, 2], total=4))

    rolled = the(told, DiceRolled)
    assert (rolled.faces, rolled.total, rolled.notation) == ([0, 2, 1, 1], 4, "4d3-4")


@pytest.mark.rule("PBP-DICE-002")
@pytest.mark.parametrize(
    "answer",
    [
        {"rolled": [1, 3, 2, 2], "total": 9},
        {"rolled": [1, 3, 2, 2], "total": 5},
        {"rolled": [1, 3, 2], "total": 3},
        {"faces": [0, 1, 2, 0, 0]},
        {"rolled": [1, 3, 2, 2], "faces": [0, 2, 1, 1]},
        {"total": 4},
    ],
)
def test_a_throw_that_cannot_be_is_refused(answer: dict[str, object]) -> None:
    table = posted(ZOE_FIRST)
    table.traits(0, knowledge=4)
    asked = roll_asked(table)

    with table.refuses("PBP-DICE-002", problem="chance-misfit"):
        table.play(MODERATOR, AnswerChance(decision=asked, **answer))  # type: ignore[arg-type]  # examples of several members


@pytest.mark.rule("PBP-DICE-003")
def test_a_result_that_a_player_posts_is_refused() -> None:
    table = posted()
    asked = roll_asked(table)
    opened = the(table.commits[-1], DecisionOpened)
    assert (opened.decision.seat, opened.rule) == (MODERATOR, "PBP-DICE-003")

    with table.refuses("PBP-DICE-003", problem="not-your-decision"):
        table.play(0, AnswerChance(decision=asked, faces=[2] * opened.decision.total))


def test_real_dice_are_no_die_roller() -> None:
    table = Table()
    asked = roll_asked(table)
    with table.refuses(problem="chance-misfit"):
        table.play(MODERATOR, AnswerChance(decision=asked, rolled=[1, 1, 1]))


# -- the omen roll ------------------------------------------------------------------------------------------------------------


def draw_omen(table: Table, *, drawn_before: int = 0) -> None:
    """The active explorer discovers the Charred Room and draws an omen, after so many others."""
    others = [card for card in table.state.decks["omen"].pool if card not in ("ring", "spear", "bite", "dog")]
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in others[:drawn_before]])
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring", "spear")
    table.explore("east")
    table.lay_anyhow()


@pytest.mark.rule("PBP-HROLL-001", "PBP-HROLL-002")
def test_a_turn_with_an_omen_ends_with_the_moderators_roll_of_six_dice() -> None:
    table = posted()
    draw_omen(table)
    table.fate.pending = True
    table.end_turn()
    assert (table.asked(MODERATOR).about, table.asked(MODERATOR).total) == ("dice:haunt", 6)

    told = table.play(MODERATOR, AnswerChance(decision=table.asked(MODERATOR).id, rolled=[3, 1, 1, 2, 2, 1], total=4))

    rolled = the(told, DiceRolled)
    assert (rolled.kind, rolled.notation, rolled.total) == ("haunt", "6d3-6", 4)
    assert not the(told, HauntRolled).begins


@pytest.mark.rule("PBP-HROLL-001")
def test_two_omens_in_a_turn_are_one_roll() -> None:
    table = posted()
    draw_omen(table)
    table.draw(0, "omen")

    told = table.rolls([2, 2, 0, 0, 0, 0]).end_turn()

    assert the(told, HauntRolled).omens == 2
    assert table.state.explorers[0].omens_owed == []
    assert not events(table.end_turn(), HauntRolled)


def test_an_omen_that_another_drew_is_rolled_for_in_the_same_turn() -> None:
    table = posted()
    table.stack("omen", "ring")
    table.draw(1, "omen")

    told = table.rolls([2, 2, 2, 0, 0, 0]).end_turn()

    assert the(told, HauntRolled).seat == 1


@pytest.mark.rule("PBP-HROLL-003")
@pytest.mark.parametrize("faces, begins", [([2, 2, 0, 0, 0, 0], True), ([2, 2, 1, 0, 0, 0], False)])
def test_the_haunt_begins_below_the_number_of_omens(faces: list[int], begins: bool) -> None:  # noqa: FBT001 -- a parameter of the example
    table = posted()
    draw_omen(table, drawn_before=4)

    told = table.rolls(faces).end_turn()

    assert (the(told, HauntRolled).omens, bool(events(told, HauntBegun))) == (5, begins)
