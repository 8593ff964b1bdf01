"""Play by post before the haunt: whose dice, whose rooms, what a turn allows (play-by-post-rules.txt, 1 and 2)."""

from collections import Counter

import msgspec
import pytest

from content.ledger import ledger
from domain.editions import EDITIONS
from domain.facts.audience import EVERYBODY, REFEREE, SPECTATORS
from domain.facts.chance import Request, Seeded
from domain.facts.commands import AnswerChance, Choose, Explore, Move, ProposeRuling
from domain.facts.events import (
    CardDrawn,
    CardGained,
    ChanceAnswered,
    DecisionOpened,
    DiceRolled,
    ExplorerDied,
    HauntBegun,
    HauntRolled,
    Moved,
    RuleApplied,
    RulingAgreed,
    Stopped,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TraitChanged,
)
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR
from domain.game import rules_for
from projections.view.game import view_of
from tests.domain.rulebook.explore.test_discovering import one_way_up
from tests.support.packs import by_post, pack
from tests.support.table import FOUR, Table, events, the

BASE = EDITIONS["second"]
VARIANT = EDITIONS["play-by-post"]
ZOE_FIRST = ("zoe-ingstrom", "ox-bellows", "jenny-leclerc")
OWN = [rule for rule in ledger().values() if rule.edition == "play-by-post"]


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


def asked_for(table: Table) -> str:
    """The dice that the moderator is asked for, as everybody reads it."""
    view = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS)
    (waiting,) = [one.text for one in view.waiting if one.seat is None]
    return waiting


# -- PBP-BASE ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-BASE-001", case=1, asserts=True)
def test_what_the_text_does_not_say_anew_is_the_second_editions() -> None:
    assert VARIANT.rules_of() == ("play-by-post", "second")
    overridden = {other for rule in OWN for other in rule.overrides}
    changed = {
        "2E-DISC-001": (BASE.exploration.stack, VARIANT.exploration.stack),
        "2E-ITEM-013": (BASE.cards.one_action_for_all, VARIANT.cards.one_action_for_all),
        "2E-HROLL-001": (BASE.haunt_roll.once_a_turn, VARIANT.haunt_roll.once_a_turn),
        "2E-ROLL-004": (BASE.dice.die_roller, VARIANT.dice.die_roller),
    }
    assert all(before != now and rule in overridden for rule, (before, now) in changed.items())
    taken_back = msgspec.structs.replace(
        VARIANT,
        exploration=msgspec.structs.replace(VARIANT.exploration, stack=True),
        cards=msgspec.structs.replace(VARIANT.cards, one_action_for_all=False),
        haunt_roll=msgspec.structs.replace(VARIANT.haunt_roll, once_a_turn=False),
        dice=BASE.dice,
    )
    own = {"id": BASE.id, "ledger": BASE.ledger, "content": "", "restated": {}, "cite": BASE.cite}
    own |= {
        "title": BASE.title,
        "moderated": False,
        "official_rulings": True,
    }  # PBP-BASE-002; no rule of the second edition is about these
    assert msgspec.structs.replace(taken_back, **own) == BASE, "and nothing else is played otherwise"

    for topic in type(BASE.cite).__struct_fields__:
        old, new = getattr(BASE.cite, topic), getattr(VARIANT.cite, topic)
        assert new == old or not new or ledger()[new].edition == "play-by-post", topic
    for replaced, by in VARIANT.restated.items():
        assert (ledger()[replaced].edition, ledger()[by].edition) == ("second", "play-by-post")
    lapsed = {
        getattr(BASE.cite, topic) for topic in type(BASE.cite).__struct_fields__ if not getattr(VARIANT.cite, topic)
    }
    assert {one for one in lapsed if one and one not in ("2E-DISC-002", "2E-DISC-004")} <= overridden


@pytest.mark.rule("PBP-BASE-002", case=1, asserts=True)
def test_no_rule_comes_from_the_errata_and_the_table_adopts_single_answers_as_rulings() -> None:
    assert not [
        rule.id for rule in OWN if rule.id != "PBP-BASE-002" and "errata" in f"{rule.source} {rule.text}".lower()
    ]
    table = posted()
    assert table.rules.pack.unofficial, "some official rulings make a difference"
    assert all(table.rules.plays_by(table.state, text) for text in table.rules.pack.unofficial)

    answer = "Webs: the roll on drawing counts as a try, for the publisher's errata say so."
    table.play(MODERATOR, ProposeRuling(decision="table", text=answer))
    for seat in range(3):
        table.play(seat, Choose(decision="ruling-1", option="agree"))

    agreed = the(table.commits[-1], RulingAgreed)
    assert (agreed.text, agreed.by, agreed.rule) == (answer, MODERATOR, "2E-NORULE-001")


def test_a_pack_of_another_edition_is_not_played_by_post() -> None:
    with pytest.raises(ValueError, match="can't be played with the pack third-edition"):
        rules_for(pack("third-edition"), "play-by-post")


def test_the_pack_stays_as_it_was_written() -> None:
    cited = by_post().pack.triggers["tile:coal-chute", "entered"][0][1].do[0]
    assert cited.rule == "PBP-MON-005"
    assert (
        rules_for(pack("second-edition")).pack.triggers["tile:coal-chute", "entered"][0][1].do[0].rule == "2E-MON-011"
    )


# -- PBP-OBJ -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-OBJ-001", case=1, asserts=True)
def test_there_is_nothing_to_win_before_the_haunt() -> None:
    table = posted()
    for book in ("haunt:heroes", "haunt:traitor"):
        with table.refuses("2E-SETUP-001"):
            table.act(book, "WIN")
    table.end_turn()
    assert (table.state.winner, table.state.status) == ("", "started")


@pytest.mark.rule("PBP-OBJ-001", case=2, asserts=True)
def test_the_first_side_to_meet_its_conditions_wins() -> None:
    """The Bell Below: the traitor wins at thirteen strokes."""
    table = posted()
    table.haunt("the-bell-below", traitor=2)
    table.counter("strokes", 12)
    table.end_turn()
    assert table.state.winner == ""

    table.counter("strokes", 13)

    assert (table.state.winner, table.state.status) == ("traitor", "finished")


# -- PBP-TRAIT -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TRAIT-001", case=1, asserts=True)
def test_an_explorer_has_two_physical_and_two_mental_tracks() -> None:
    table = posted()
    zoe = view_of(table.rules, table.view(0), 1).explorers[1]
    assert list(zoe.traits.__struct_fields__) == ["might", "speed", "sanity", "knowledge"]
    assert all(len(getattr(zoe.traits, trait).track) == 9 for trait in zoe.traits.__struct_fields__)
    table.stack("tiles", "gardens")
    table.stack("event", "burning-man")
    table.rolls([0] * table.value(0, "sanity"), [2]).explore("east")

    assert set(table.asked(0).caps) == {"might", "speed"}
    table.rolls([2]).allocate(0, might=2)
    assert set(table.asked(0).caps) == {"sanity", "knowledge"}


@pytest.mark.rule("PBP-TRAIT-002", case=1)
def test_a_gain_of_two_moves_zoes_might_two_spaces_up_its_track() -> None:
    table = posted(ZOE_FIRST)
    assert table.value(0, "might") == 3
    before = table.explorer(0).at[0]

    table.hold(0, "madman")  # gains 2 Might

    assert (table.explorer(0).at[0], table.value(0, "might")) == (before + 2, 4)
    gained = [one for one in events(table.commits[-1], TraitChanged) if one.trait == "might"]
    assert [(one.by, one.rule) for one in gained] == [(2, "PBP-TRAIT-002")]


@pytest.mark.rule("PBP-TRAIT-003", case=1)
def test_a_gain_on_a_trait_at_its_maximum_leaves_it_there() -> None:
    table = posted()
    table.lay("larder", "basement", 0, 1)
    table.clips(0, might=8)
    table.put(0, "larder")
    table.turn(0)

    table.end_turn()

    assert (table.explorer(0).at[0], table.explorer(0).surplus) == (8, {})


@pytest.mark.rule("PBP-TRAIT-005", case=1)
def test_before_the_haunt_a_trait_stays_at_its_minimum_and_nobody_dies() -> None:
    table = posted(ZOE_FIRST)
    table.hold(0, "amulet-of-the-ages")
    table.clips(0, might=5, speed=5, sanity=1, knowledge=5)
    table.turn(0)

    table.drop("amulet-of-the-ages")  # costs three spaces of each trait

    assert (table.explorer(0).alive, table.explorer(0).at[2]) == (True, 1)


@pytest.mark.rule("PBP-TRAIT-005", case=2, asserts=True)
def test_after_the_roll_that_starts_the_haunt_the_same_trait_kills() -> None:
    table = posted()
    table.lay("crypt", "basement", 0, 1)
    table.clips(0, sanity=1, knowledge=5)
    draw_omen(table)
    assert the(table.rolls([0] * 6).end_turn(), HauntBegun).revealer == 0
    assert table.explorer(0).alive
    table.fate.dice = [(1, 1, 1)] * 3
    table.all_ready()
    assert table.explorer(0).side == "heroes"
    table.put(0, "crypt")
    table.turn(0)
    table.end_turn()

    told = table.allocate(0, sanity=1)

    assert the(told, ExplorerDied).seat == 0


# -- PBP-DMG -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-DMG-001", case=1)
def test_three_points_of_physical_damage_are_divided_between_might_and_speed() -> None:
    table = posted()
    table.clips(0, might=5, speed=5)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0, 0, 0, 0], [2, 1]).explore("east")

    with table.refuses("PBP-DMG-001"):
        table.allocate(0, might=2, sanity=1)
    table.allocate(0, might=2, speed=1)

    assert table.explorer(0).at[:2] == [3, 4]


@pytest.mark.rule("PBP-DMG-002", case=1)
def test_two_points_on_speed_move_its_marker_two_spaces() -> None:
    table = posted()
    table.clips(0, might=5, speed=5)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0, 0, 0, 0], [2, 0]).explore("east")

    with table.refuses("PBP-DMG-002"):
        table.allocate(0, speed=1)
    table.allocate(0, speed=2)

    assert table.explorer(0).at[:2] == [5, 3]


@pytest.mark.rule("PBP-DMG-003", case=1)
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


# -- PBP-TURN and PBP-MOVE -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-TURN-001")
def test_what_nothing_offers_is_no_action_of_a_turn() -> None:
    table = posted()
    with table.refuses("PBP-TURN-001"):
        table.act("tile:entrance-hall", "OPEN")


@pytest.mark.rule("PBP-MOVE-001", case=1)
def test_with_speed_three_there_is_no_fourth_room() -> None:
    table = posted()
    table.traits(0, speed=3)
    table.move("foyer", "grand-staircase", "upper-landing")

    with table.refuses("PBP-MOVE-001"):
        table.move("grand-staircase")


@pytest.mark.rule("PBP-MOVE-002", case=1)
def test_with_speed_four_two_rooms_an_item_and_two_rooms_more() -> None:
    table = posted()
    table.hold(0, "healing-salve")
    table.traits(0, speed=4)
    table.clips(0, might=1)
    table.turn(0)

    table.move("foyer", "grand-staircase")
    table.act("card:healing-salve", "HEAL", target=0)
    table.move("foyer", "entrance-hall")

    assert table.explorer(0).room == "entrance-hall"


@pytest.mark.rule("PBP-MOVE-003", case=1)
def test_a_room_with_an_event_ends_the_movement_of_its_discoverer() -> None:
    table = posted()
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")

    told = table.explore("east")

    assert the(told, Stopped).figure == 0
    assert table.explorer(0).spent < table.value(0, "speed")
    assert not table.offers(0, Move)
    with table.refuses("PBP-MOVE-003"):
        table.move("entrance-hall")


@pytest.mark.rule("PBP-MOVE-003", case=2)
def test_a_card_that_an_item_makes_one_draw_bars_every_move_of_the_turn() -> None:
    table = posted()
    table.hold(0, "puzzle-box")
    table.traits(0, knowledge=3)
    table.turn(0)

    told = table.rolls([2, 2, 2]).act("card:puzzle-box", "OPEN")

    assert len(events(told, CardDrawn)) == 2
    assert table.explorer(0).spent == 0
    assert not [one for one in table.offers(0) if isinstance(one, Move | Explore)]
    with table.refuses("PBP-MOVE-003"):
        table.move("foyer")
    with table.refuses("PBP-MOVE-003"):
        table.explore("east")


@pytest.mark.rule("PBP-MOVE-003", case=3)
def test_the_card_itself_may_put_its_drawer_elsewhere_and_other_actions_go_on() -> None:
    table = posted()
    table.hold(0, "healing-salve")
    table.clips(0, might=1)
    table.turn(0)
    table.stack("tiles", "gardens")
    table.stack("event", "secret-passage")
    table.rolls([2, 2, 2]).explore("east")
    table.lay_anyhow()
    table.choose(0, "basement-landing")

    told = table.choose(0, "yes")

    assert the(told, Moved).room == "basement-landing"
    with table.refuses("PBP-MOVE-003"):
        table.move("gardens")
    with table.refuses("PBP-MOVE-003"):
        table.explore("north")
    table.act("card:healing-salve", "HEAL", target=0)


# -- PBP-DISC ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-DISC-001", case=1)
def test_any_room_for_the_floor_may_come_and_no_other_and_the_draw_is_logged() -> None:
    table = posted()
    told = table.picks("creaky-hallway").explore("east")

    asked: Request = next(one for one in table.fate.asked if one.what == "tile")
    assert set(asked.options) == set(table.rules.pack.tiles_for["ground"])
    assert asked.weights == ()
    assert the(told, TileDrawn).tile == "creaky-hallway"
    assert the(told, TileDrawn).rule == "PBP-DISC-001"
    logged = [(one.to, one.event) for one in told if isinstance(one.event, ChanceAnswered)]
    assert [(to, one.what, one.pick) for to, one in logged] == [(REFEREE, "tile", "creaky-hallway")]


@pytest.mark.rule("PBP-DISC-001", case=2)
def test_no_view_shows_a_back_or_the_next_room() -> None:
    table = posted()
    for _ in range(2):
        for mask, role in table.roles.items():
            tiles = view_of(table.rules, role, mask).decks["tiles"]
            assert (tiles.top_back, tiles.known, tiles.aside) == ("", [], [])
        table.picks("creaky-hallway", "dusty-hallway").explore("east")


@pytest.mark.rule("PBP-DISC-001", case=3)
def test_a_room_that_would_close_the_floor_is_shown_and_another_drawn_and_it_can_still_come() -> None:
    table = posted()
    one_way_up(table)
    table.picks("conservatory", "creaky-hallway")

    told = table.explore("north")

    refused = [one for one in events(told, RuleApplied) if one.rule == "2E-DISC-010"]
    assert [one.source for one in refused] == ["tile:conservatory"]
    assert the(told, TilePlaced).tile == "creaky-hallway"
    assert not events(told, TileSetAside)
    table.put(0, "entrance-hall")
    table.turn(0)
    assert the(table.picks("conservatory").explore("west"), TilePlaced).tile == "conservatory"


@pytest.mark.rule("PBP-DISC-001", case=4)
def test_the_room_that_was_drawn_is_in_every_view() -> None:
    table = posted()
    table.picks("creaky-hallway").explore("east")
    for mask, role in table.roles.items():
        assert "creaky-hallway" in [room.id for room in view_of(table.rules, role, mask).rooms]


@pytest.mark.rule("PBP-DISC-002", case=1)
@pytest.mark.parametrize(
    "tile, deck, card",
    [("bloody-room", "item", "axe"), ("gardens", "event", "drip-drip-drip"), ("charred-room", "omen", "ring")],
)
def test_a_room_with_a_symbol_brings_a_card_of_that_kind_for_all_to_see(tile: str, deck: str, card: str) -> None:
    table = posted()
    table.stack("tiles", tile)
    table.stack(deck, card)

    told = table.explore("east") + table.lay_anyhow()

    (to, drawn) = next((one.to, one.event) for one in told if isinstance(one.event, CardDrawn))
    assert (to, drawn.deck, drawn.card, drawn.seat) == (EVERYBODY, deck, card, 0)
    assert [one.card for one in events(told, CardGained)] == ([] if deck == "event" else [card])
    assert the(told, Stopped).rule == "PBP-DISC-002"


@pytest.mark.rule("PBP-DISC-002", case=2, asserts=True)
def test_a_room_without_a_symbol_brings_no_card_and_the_movement_goes_on() -> None:
    table = posted()
    table.stack("tiles", "creaky-hallway")

    told = table.explore("east") + table.lay_anyhow()

    assert not events(told, CardDrawn)
    assert not events(told, Stopped)
    table.move("entrance-hall")


# -- PBP-ITEM ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-ITEM-001", case=1)
def test_an_item_that_was_used_is_not_traded_in_that_turn() -> None:
    table = posted()
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.rolls([0] * table.value(0, "knowledge")).act("card:puzzle-box", "OPEN")

    with table.refuses("PBP-ITEM-001"):
        table.trade(1, ["puzzle-box"])


@pytest.mark.rule("PBP-ITEM-001", case=2)
def test_an_item_picked_up_is_not_used_in_that_turn() -> None:
    table = posted()
    table.pile("entrance-hall", "puzzle-box")
    table.turn(0)
    table.pick_up("puzzle-box")

    with table.refuses("PBP-ITEM-001"):
        table.act("card:puzzle-box", "OPEN")
    with table.refuses("PBP-ITEM-001"):
        table.trade(1, ["puzzle-box"])


@pytest.mark.rule("PBP-ITEM-001", case=6, asserts=True)
def test_there_is_one_drop_in_a_turn_whatever_item_is_left() -> None:
    table = posted()
    table.hold(0, "puzzle-box", "axe")
    table.turn(0)
    table.drop("axe")

    with table.refuses("2E-ITEM-007"):
        table.drop("puzzle-box")


# -- PBP-DICE ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PBP-DICE-001", case=1, asserts=True)
def test_each_face_comes_up_one_time_in_three() -> None:
    source = Seeded(b"dice", "by-post")
    faces = Counter(face for index in range(300) for face in source.ask(Request(index, "dice:trait", dice=10)).faces)
    assert set(faces) == {0, 1, 2}
    assert all(900 < number < 1100 for number in faces.values())


@pytest.mark.rule("PBP-DICE-002", case=1, asserts=True)
@pytest.mark.parametrize("faces, total", [([0, 0, 0, 0], 0), ([1, 2, 1, 0], 4), ([2, 2, 2, 2], 8)])
def test_four_dice_are_written_as_the_die_roller_takes_them_and_give_nothing_to_eight(
    faces: list[int], total: int
) -> None:
    table = posted(ZOE_FIRST)
    table.traits(0, knowledge=4)
    roll_asked(table)
    assert asked_for(table) == "Roll 4d3-4 for a trait: Knowledge of Zoe Ingstrom, Puzzle Box"

    told = table.moderate(faces)

    rolled = the(told, DiceRolled)
    assert (rolled.notation, rolled.total) == ("4d3-4", total)


@pytest.mark.rule("PBP-DICE-002", case=2, asserts=True)
def test_the_raw_faces_of_the_die_roller_come_to_their_sum_less_one_each() -> None:
    table = posted(ZOE_FIRST)
    table.traits(0, knowledge=4)
    asked = roll_asked(table)

    told = table.play(MODERATOR, AnswerChance(decision=asked, rolled=[1, 3, 2, 2]))

    assert (the(told, DiceRolled).faces, the(told, DiceRolled).total) == ([0, 2, 1, 1], 4)


@pytest.mark.rule("PBP-DICE-002", case=3)
@pytest.mark.parametrize("total", [-1, 9])
def test_a_total_outside_of_nothing_to_twice_the_dice_is_refused(total: int) -> None:
    for throw in ([], [1, 3, 2, 2], [3, 3, 3, 3]):
        table = posted(ZOE_FIRST)
        table.traits(0, knowledge=4)
        asked = roll_asked(table)
        with pytest.raises(Refused, match=f"4d3-4 gives 0 to 8, not {total}$") as refused:
            table.play(MODERATOR, AnswerChance(decision=asked, rolled=throw, total=total))
        assert (refused.value.rule, refused.value.problem) == ("PBP-DICE-002", "chance-misfit")
        assert table.asked(MODERATOR).id == asked, "the dice are still awaited"


@pytest.mark.parametrize("throw, total", [([1, 1, 1, 1], 0), ([3, 3, 3, 3], 8)])
def test_the_least_and_the_most_that_four_dice_show_are_taken(throw: list[int], total: int) -> None:
    table = posted(ZOE_FIRST)
    table.traits(0, knowledge=4)
    told = table.play(MODERATOR, AnswerChance(decision=roll_asked(table), rolled=throw, total=total))
    assert the(told, DiceRolled).total == total


@pytest.mark.rule("PBP-DICE-002")
@pytest.mark.parametrize(
    "answer",
    [
        {"rolled": [1, 3, 2, 2], "total": 5},
        {"rolled": [1, 3, 2], "total": 3},
        {"faces": [0, 1, 2, 0, 0]},
        {"faces": [0, 2, 1, 1]},
        {"faces": [0, 2, 1, 1], "total": 4},
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


@pytest.mark.rule("PBP-DICE-003", case=1)
def test_a_roll_that_a_player_needs_is_answered_by_the_moderator() -> None:
    table = posted(ZOE_FIRST)
    asked = roll_asked(table)
    opened = the(table.commits[-1], DecisionOpened)
    assert (opened.decision.seat, opened.rule) == (MODERATOR, "PBP-DICE-003")

    told = table.play(MODERATOR, AnswerChance(decision=asked, rolled=[2] * opened.decision.total))

    assert (the(told, DiceRolled).who, the(told, DiceRolled).rule) == (0, "PBP-DICE-003")


@pytest.mark.rule("PBP-DICE-003", case=2)
def test_a_result_that_a_player_posts_is_refused() -> None:
    table = posted()
    asked = roll_asked(table)

    with table.refuses("PBP-DICE-003", problem="not-your-decision"):
        table.play(0, AnswerChance(decision=asked, rolled=[3] * table.asked(MODERATOR).total))


@pytest.mark.rule("PBP-DICE-003", case=3)
def test_a_roll_keeps_the_number_of_dice_that_its_rule_gives() -> None:
    """Hideous Shriek asks for Sanity rolls; a result of 0 deals 2 dice of mental damage."""
    table = posted()
    table.traits(0, sanity=4)
    table.stack("tiles", "gardens")
    table.stack("event", "hideous-shriek")
    table.fate.pending = True
    table.explore("east")
    assert asked_for(table) == "Roll 4d3-4 for a trait: Sanity of Ox Bellows, Hideous Shriek"

    table.moderate([0, 0, 0, 0])

    assert asked_for(table) == "Roll 2d3-2 for damage: Ox Bellows, Hideous Shriek"
    assert the(table.moderate([1, 1]), DiceRolled).rule == "PBP-DICE-003"
    assert (table.asked(0).about, table.asked(0).total) == ("damage:mental", 2)


def test_real_dice_are_no_die_roller() -> None:
    table = Table()
    asked = roll_asked(table)
    with table.refuses(problem="chance-misfit"):
        table.play(MODERATOR, AnswerChance(decision=asked, rolled=[1, 1, 1]))


# -- PBP-HROLL -----------------------------------------------------------------------------------------------------------


def draw_omen(table: Table, *, drawn_before: int = 0) -> None:
    """The active explorer discovers the Charred Room and draws an omen, after so many others."""
    others = [card for card in table.state.decks["omen"].pool if card not in ("ring", "spear", "bite", "dog")]
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in others[:drawn_before]])
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring", "spear")
    table.explore("east")
    table.lay_anyhow()


@pytest.mark.rule("PBP-HROLL-001", case=1)
def test_a_turn_with_an_omen_ends_with_the_moderators_omen_roll() -> None:
    table = posted()
    draw_omen(table)
    table.fate.pending = True

    table.end_turn()

    asked = table.asked(MODERATOR)
    assert (asked.about, asked_for(table)) == ("dice:haunt", "Roll 6d3-6 for the haunt: Ox Bellows")
    told = table.play(MODERATOR, AnswerChance(decision=asked.id, rolled=[3, 1, 1, 2, 2, 1], total=4))
    assert (the(told, DiceRolled).kind, the(told, HauntRolled).begins) == ("haunt", False)


@pytest.mark.rule("PBP-HROLL-001", case=2)
def test_two_omens_in_a_turn_are_one_roll() -> None:
    table = posted()
    draw_omen(table)
    table.draw(0, "omen")

    told = table.rolls([2, 2, 0, 0, 0, 0]).end_turn()

    assert the(told, HauntRolled).omens == 2
    assert not events(table.end_turn(), HauntRolled)


@pytest.mark.rule("PBP-HROLL-001", case=3)
def test_of_two_omens_the_last_one_picks_the_haunt_with_the_room_in_which_it_was_drawn() -> None:
    table = posted()
    table.lay("catacombs", "basement", 0, -1)
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "furnace-room")
    table.stack("omen", "girl", "ring")
    table.explore("north")
    table.lay_anyhow()
    assert table.explorer(0).room == "furnace-room"
    table.put(0, "catacombs")
    table.draw(0, "omen")

    told = table.rolls([0] * 6).end_turn()

    assert len(events(told, HauntRolled)) == 1
    begun = the(told, HauntBegun)
    assert (begun.number, begun.omen, begun.room, begun.revealer) == (41, "ring", "catacombs", 0)


@pytest.mark.rule("PBP-HROLL-001", case=4)
def test_an_omen_that_another_drew_counts_for_the_turn_in_which_it_was_drawn() -> None:
    table = posted()
    table.draw(1, "omen", "ring")
    assert the(table.rolls([1] * 6).end_turn(), HauntRolled).seat == 1
    assert table.seat == 1
    assert not events(table.end_turn(), HauntRolled)

    begins = posted()
    begins.lay("charred-room", "ground", 4, 4)
    begins.put(1, "charred-room")
    begins.turn(0)
    begins.draw(1, "omen", "ring")
    told = begins.rolls([0] * 6).end_turn()
    assert the(told, HauntRolled).seat == 1
    assert the(told, HauntBegun).revealer == 1


def test_the_active_players_omen_goes_before_one_that_another_drew_later() -> None:
    table = posted()
    draw_omen(table)
    table.draw(1, "omen")

    told = table.rolls([0] * 6).end_turn()

    begun = the(told, HauntBegun)
    assert (begun.omen, begun.room, begun.revealer) == ("ring", "charred-room", 0)


@pytest.mark.rule("PBP-HROLL-002", case=1)
@pytest.mark.parametrize("faces, total", [([0] * 6, 0), ([2, 1, 1, 0, 1, 2], 7), ([2] * 6, 12)])
def test_an_omen_roll_is_six_dice_that_come_to_nothing_up_to_twelve(faces: list[int], total: int) -> None:
    table = posted()
    draw_omen(table)

    rolled = the(table.rolls(faces).end_turn(), DiceRolled)

    assert (rolled.kind, rolled.notation, rolled.total) == ("haunt", "6d3-6", total)


@pytest.mark.rule("PBP-HROLL-003", case=1)
def test_with_the_fifth_omen_a_four_begins_the_haunt() -> None:
    table = posted()
    draw_omen(table, drawn_before=4)

    told = table.rolls([2, 2, 0, 0, 0, 0]).end_turn()

    assert (the(told, HauntRolled).omens, the(told, HauntRolled).total) == (5, 4)
    assert events(told, HauntBegun)


@pytest.mark.rule("PBP-HROLL-003", case=2)
def test_with_the_fifth_omen_a_five_does_not() -> None:
    table = posted()
    draw_omen(table, drawn_before=4)

    told = table.rolls([2, 2, 1, 0, 0, 0]).end_turn()

    assert (the(told, HauntRolled).omens, the(told, HauntRolled).total) == (5, 5)
    assert not events(told, HauntBegun)


def test_a_wrong_number_of_dice_is_refused_in_the_words_of_the_die_roller() -> None:
    table = posted(ZOE_FIRST)
    table.traits(0, knowledge=4)
    asked = roll_asked(table)

    with pytest.raises(Refused, match=r"^4d3-4 has 4 results, not 3: give them all in `rolled`$"):
        table.play(MODERATOR, AnswerChance(decision=asked, rolled=[1, 3, 2]))
