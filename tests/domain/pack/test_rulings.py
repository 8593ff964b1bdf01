"""Rulings that a table may choose when it opens a game: each alternative makes the difference that it tells."""

from collections.abc import Callable
from typing import Any

import pytest

from content.vocabulary.pack import Alternative, Card, Tile
from domain.facts.commands import Cross, Explore
from domain.facts.events import DamageTaken, DiceRolled, TilePlaced, Told, TraitChanged
from projections.naming.labels import Labels
from projections.naming.names import compass
from tests.support.fate import showing
from tests.support.packs import by_post, pack, rules
from tests.support.table import Table, events, the
from tests.support.third import FRIENDS


def opened(piece: str, alternative: str, edition: str = "second-edition") -> Table:
    """A table that has chosen this alternative."""
    assert alternative in rules(edition).pack.alternatives[piece]
    options: dict[str, Any] = {"rulings": {piece: alternative}}
    if edition == "third-edition":
        return Table(FRIENDS, game=rules(edition), options=options)
    return Table(options=options)


def draws(table: Table, card: str) -> list[Told]:
    """Seat 0 draws this event."""
    before = len(table.commits)
    table.draw(0, "event", card)
    return table.since(before)


def changes(told: list[Told]) -> list[tuple[str, int]]:
    """Which traits changed, and by how much."""
    return [(one.trait, one.by) for one in events(told, TraitChanged)]


def test_a_bottle_may_cost_sanity_and_last() -> None:
    for alternative, trait, kept in (
        ("bottle-costs-sanity", "sanity", []),
        ("bottle-lasts", "might", ["bottle"]),
    ):
        table = opened("bottle", alternative)
        table.hold(0, "bottle")
        table.haunt("the-bell-below", traitor=1)
        told = table.rolls([1, 1, 1]).act("card:bottle", "DRINK")
        assert changes(told) == [("knowledge", 1), (trait, -1)]
        assert table.explorer(0).cards == kept


def test_the_salve_may_heal_one_trait_only() -> None:
    table = opened("healing-salve", "salve-heals-one")
    table.hold(0, "healing-salve")
    table.clips(0, might=1, speed=1)
    table.turn(0)
    table.act("card:healing-salve", "HEAL", target=0)
    told = table.choose(0, "speed")
    assert [trait for trait, _ in changes(told)] == ["speed"]


def test_a_night_view_may_hurt() -> None:
    table = opened("night-view", "night-view-hurts")
    table.rolls(showing(table.value(0, "knowledge"), 0), [1])
    draws(table, "night-view")
    assert table.asked(0).about == "damage:mental"


def test_hanged_men_may_raise_a_trait_by_2() -> None:
    table = opened("hanged-men", "hanged-men-raise-2")
    table.rolls(*[showing(table.value(0, trait), 2) for trait in ("might", "speed", "sanity", "knowledge")])
    draws(table, "hanged-men")
    assert changes(table.choose(0, "might")) == [("might", 2)]


def test_possession_may_raise_the_trait_that_was_rolled() -> None:
    table = opened("possession", "possession-raises-rolled")
    table.rolls(showing(table.value(0, "speed"), 4))
    draws(table, "possession")
    assert changes(table.choose(0, "speed")) == [("speed", 1)]


@pytest.mark.parametrize("alternative, by", [("", -4), ("possession-spares-another", -1)])
def test_possession_may_take_a_space_of_another_trait_instead_of_all(alternative: str, by: int) -> None:
    """The trait that was rolled is on its lowest number already."""
    table = opened("possession", alternative) if alternative else Table()
    table.clips(0, might=1, sanity=5)
    table.rolls(showing(table.value(0, "might"), 3))
    draws(table, "possession")
    table.choose(0, "might")
    assert "might" not in table.asked(0).options
    assert changes(table.choose(0, "sanity")) == [("sanity", by)]


def test_footsteps_may_count_anybody_in_the_chapel() -> None:
    table = opened("footsteps", "footsteps-anybody-in-chapel")
    table.lay("chapel", "upper", 0, 1, turns=2)
    table.put(1, "chapel")
    table.turn(0)
    table.rolls([2, 1])
    told = draws(table, "footsteps")
    assert len(the(told, DiceRolled).faces) == 2
    assert changes(told) == [("might", 1), ("sanity", -1)]


@pytest.mark.parametrize("result, changed", [("4", ("might", 1)), ("3", ("sanity", -1))])
def test_footsteps_may_reach_anybody_where_there_is_a_way_to_nobody(result: str, changed: tuple[str, int]) -> None:
    table = opened("footsteps", "footsteps-out-of-reach")
    table.hold(0, "angel-feather")
    table.put(0, "basement-landing")
    table.turn(0)
    draws(table, "footsteps")
    table.choose(0, "card:angel-feather#NAME")
    told = table.choose(0, result)
    assert changes(told) == [("might", 1)]
    assert (table.asked(0).about, table.asked(0).options) == ("who", ["seat:1", "seat:2"])
    told = table.choose(0, "seat:2")
    assert (the(told, TraitChanged).seat, changes(told)) == (2, [changed])


def test_the_mists_may_bruise() -> None:
    table = opened("mists-from-the-walls", "mists-physical")
    table.lay("catacombs", "basement", 0, 1)
    table.lay("organ-room", "basement", 1, 0)
    table.lay("pentagram-chamber", "basement", 0, -1)
    room = next(one for one in ("organ-room", "catacombs") if "event" in table.rules.pack.tiles[one].symbols)
    table.put(0, room)
    table.rolls(showing(table.value(0, "sanity"), 1), [1], [1])
    draws(table, "mists-from-the-walls")
    table.allocate(0, sanity=1)
    assert table.asked(0).about == "damage:physical"


def test_a_shriek_may_spare_the_traitor_without_asking() -> None:
    table = opened("hideous-shriek", "shriek-spares-traitor")
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 4), showing(table.value(2, "sanity"), 4))
    draws(table, "hideous-shriek")
    assert not table.state.open


def test_the_beckoning_may_reach_the_patio() -> None:
    table = opened("the-beckoning", "beckoning-patio")
    table.lay("gardens", "ground", 0, 1)
    table.lay("patio", "ground", 1, 1)
    table.put(0, "patio")
    table.rolls(showing(table.value(0, "sanity"), 3))
    draws(table, "the-beckoning")
    assert not table.fate.dice


def test_a_vision_may_reach_next_door_only() -> None:
    table = opened("bloody-vision", "bloody-vision-next-room")
    table.rolls(showing(table.value(0, "sanity"), 0))
    draws(table, "bloody-vision")
    assert not table.state.open


def test_a_mask_may_leave_its_mark() -> None:
    table = opened("mask", "mask-marks")
    table.hold(0, "mask")
    table.turn(0)
    table.rolls(showing(table.value(0, "sanity"), 4))
    table.act("card:mask", "CHANGE")
    table.choose(0, "put-on")
    table.turn(0)
    assert changes(table.drop("mask")) == []


@pytest.mark.parametrize(
    "card, alternative, trait, result, expected",
    [
        ("alien-geometry", "geometry-teaches", "knowledge", 4, [("knowledge", 1)]),
        ("impossible-architecture", "architecture-is-empty", "sanity", 4, []),
    ],
)
def test_third_edition_events_may_be_told_otherwise(
    card: str, alternative: str, trait: str, result: int, expected: list[tuple[str, int]]
) -> None:
    table = opened(card, alternative, "third-edition")
    table.rolls(showing(table.value(0, trait), result))
    told = draws(table, card)
    assert changes(told) == expected
    assert table.explorer(0).cards == []


def test_a_full_table_may_ask_for_knowledge_alone() -> None:
    table = opened("a-full-table", "full-table-by-knowledge", "third-edition")
    table.rolls(showing(table.value(0, "knowledge"), 5))
    told = draws(table, "a-full-table")
    assert (the(told, DiceRolled).trait, changes(told)) == ("knowledge", [("speed", 1)])


def test_a_furnace_room_may_deal_a_die_of_damage() -> None:
    table = opened("furnace-room", "furnace-deals-a-die", "third-edition")
    table.lay("furnace-room", "basement", 1, 0)
    table.put(0, "furnace-room")
    table.turn(0)
    table.rolls([2]).end_turn()
    assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 2)


@pytest.mark.parametrize(
    "room, alternative, printed, chosen",
    [
        ("furnace-room", "furnace-two-doors", {"north", "south", "west"}, {"south", "west"}),
        ("tower", "tower-three-doors", {"east", "west"}, {"east", "north", "west"}),
    ],
)
def test_rooms_of_the_third_edition_may_have_other_doors(
    room: str, alternative: str, printed: set[str], chosen: set[str]
) -> None:
    """Each lies turned by a quarter, with a door to the landing's east door."""
    floor = "basement" if room == "furnace-room" else "upper"
    for table, doors in (
        (Table(FRIENDS, game=rules("third-edition")), printed),
        (opened(room, alternative, "third-edition"), chosen),
    ):
        table.lay(room, floor, 1, 0, turns=1)
        table.put(0, room)
        table.turn(0)
        free = {one.door for one in table.offers(0) if isinstance(one, Explore)}
        assert free | {"west"} == doors


def in_anothers_turn(table: Table) -> bool:
    """Whether seat 0 may put the result it kept to use when it defends itself in the turn of seat 1."""
    table.rolls([1, 1, 1, 1])
    draws(table, "it-is-meant-to-be")
    table.choose(0, "keep")
    table.haunt("the-bell-below", traitor=1)
    table.turn(1)
    table.rolls([0] * table.value(1, "might"), *([] if table.is_asked(0) else [[0] * table.value(0, "might")])).attack(
        0
    )
    return table.is_asked(0) and "card:it-is-meant-to-be#USE" in table.asked(0).options


def tries_in_the_webs(table: Table) -> int:
    """How often seat 0 has to fail to get out of the webs before they let go."""
    table.rolls(showing(table.value(0, "might"), 0))
    draws(table, "webs")
    held = table.explorer(0).held
    assert held is not None
    return held.tries_left


def dog_reaches_the_gallery(table: Table) -> bool:
    """Whether the Dog of seat 0, on the Upper Landing, carries the Axe into the Gallery."""
    table.hold(0, "dog", "axe")
    table.lay("gallery", "upper", 0, 1)
    table.put(0, "upper-landing")
    table.turn(0)
    table.act("card:dog", "FETCH")
    table.choose(0, "carry:axe") if "carry:axe" in table.asked(0).options else None
    return "gallery" in table.asked(0).options


UNOFFICIAL: list[tuple[str, str, Callable[[Table], object], object, object]] = [
    ("it-is-meant-to-be", "meant-to-be-any-turn", in_anothers_turn, False, True),
    ("webs", "webs-three-more", tries_in_the_webs, 2, 3),
    ("dog", "dog-walks-on", dog_reaches_the_gallery, False, True),
]
"""By piece: the text without its official ruling, and what is seen with the ruling and without."""


@pytest.mark.parametrize("piece, alternative, seen, official, text", UNOFFICIAL)
def test_an_official_ruling_may_be_left_aside_in_the_second_edition(
    piece: str, alternative: str, seen: Callable[[Table], object], official: object, text: object
) -> None:
    assert seen(Table()) == official
    assert seen(opened(piece, alternative)) == text
    assert seen(opened(piece, "official")) == official


@pytest.mark.rule("PBP-BASE-002", asserts=True)
@pytest.mark.parametrize("piece, alternative, seen, official, text", UNOFFICIAL)
def test_by_post_an_official_ruling_holds_where_the_table_chooses_it(
    piece: str, alternative: str, seen: Callable[[Table], object], official: object, text: object
) -> None:
    def by_post_with(**rulings: object) -> Table:
        return Table(game=by_post(), options={"rulings": rulings} if rulings else None)

    assert seen(by_post_with()) == text
    assert seen(by_post_with(**{piece: alternative})) == text
    assert seen(by_post_with(**{piece: "official"})) == official
    assert seen(by_post_with(**{piece: ["official"], "junk-room": "junk-room-on-4"})) == official
    assert seen(by_post_with(**{"junk-room": "official"})) == text


SAYS_THE_SAME = {
    "a-moment-of-hope": "2E-ROLL-009",
    "adrenaline-shot": "2E-ROLL-009",
    "angel-feather": "the card answers any roll",
    "armor": "the card lessens damage, and bars stealing alone (2E-ITEM-011)",
    "attic": "2E-ROOM-002",
    "blood-dagger": "the card bars dropping and trading alone, and hurts whoever it is stolen from",
    "bloody-vision": "the card demands the attack (2E-PREC-001)",
    "candle": "2E-ROLL-009",
    "crystal-ball": "the card searches decks, not discard piles",
    "drip-drip-drip": "2E-ROLL-009",
    "dynamite": "2E-MON-004, and nothing lets a traitor ignore an item",
    "gallery": "the room's fall costs no space",
    "graveyard": "2E-ROOM-002",
    "junk-room": "2E-ROOM-002",
    "lucky-stone": "the card answers any roll",
    "pentagram-chamber": "2E-ROOM-002",
    "secret-stairs": "the card's token stays, and its drawer alone draws",
    "skull": "the card adjusts all mental damage (2E-ITEM-003)",
    "the-lost-one": "2E-CARD-009",
    "the-walls": "2E-CARD-009",
}
"""Official rulings that repeat what a card, room or rule of the second edition says anyway: without them nothing is played otherwise."""


def test_an_official_ruling_can_be_chosen_or_makes_no_difference() -> None:
    pieces: list[Tile | Card] = [*pack("second-edition").tiles, *pack("second-edition").cards]
    for piece in pieces:
        for ruling in piece.rulings:
            if ruling.by == "official" and not any(isinstance(one, Alternative) for one in ruling.alternatives):
                assert piece.id in SAYS_THE_SAME, f"{piece.id}: what is played without this ruling: {ruling.text}"


# -- rooms ------------------------------------------------------------------------------------------------------------------


def test_the_catacombs_may_be_easier_to_cross() -> None:
    table = opened("catacombs", "catacombs-on-3")
    table.lay("catacombs", "basement", 0, 1)
    table.put(0, "catacombs", part=0)
    table.turn(0)
    (cross,) = table.offers(0, Cross)
    assert "(Sanity 3+, may end your movement)" in Labels(table.rules, table.view(0)).of(cross)

    table.rolls(showing(table.value(0, "sanity"), 3)).cross()

    assert table.view(1).explorers[0].part == 1


def test_the_fall_from_the_gallery_may_deal_a_point() -> None:
    table = opened("gallery", "gallery-hurts-1")
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.put(0, "gallery")
    table.turn(0)

    table.act("tile:gallery", "FALL")
    told = table.allocate(0, might=1)

    assert the(told, DamageTaken).amount == 1
    assert changes(told) == [("might", -1)]


@pytest.mark.parametrize("chosen", [True, False])
def test_the_junk_room_may_ask_for_more(*, chosen: bool) -> None:
    table = opened("junk-room", "junk-room-on-4") if chosen else Table()
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "junk-room")
    table.turn(0)
    table.rolls(showing(table.value(0, "might"), 3)).move("entrance-hall")
    assert table.is_asked(0) == chosen
    if chosen:
        assert changes(table.choose(0, "leave")) == [("speed", -1)]


@pytest.mark.parametrize("chosen, doors", [(True, ["south"]), (False, ["north", "south"])])
def test_the_stairs_from_the_basement_may_have_one_doorway(*, chosen: bool, doors: list[str]) -> None:
    """They are found north of the Basement Landing, and lead to the Foyer either way."""
    table = opened("stairs-from-basement", "stairs-one-door") if chosen else Table()
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "stairs-from-basement")

    told = table.explore("north")
    told += table.lay_anyhow()

    assert compass(the(told, TilePlaced).doors) == doors
    assert "foyer" in table.goals(0)
    assert [one.door for one in table.offers(0) if isinstance(one, Explore)] == [
        door for door in doors if door != "south"
    ]


def test_the_elevator_may_ride_before_the_haunt_with_whoever_stays() -> None:
    table = opened("mystic-elevator", "elevator-rolls-early")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.put(0, "mystic-elevator")
    table.turn(0)
    told = table.rolls([1, 0]).end_turn()
    assert the(told, DiceRolled).faces == [1, 0]


@pytest.mark.parametrize("chosen", [True, False])
def test_the_elevator_may_hurt_everybody_in_it_at_the_end_of_a_turn(*, chosen: bool) -> None:
    table = opened("mystic-elevator", "elevator-shakes-everybody") if chosen else Table()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    for seat in (0, 2):
        table.put(seat, "mystic-elevator")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([0, 0], *[[0]] * (1 + chosen)).end_turn()
    told = table.choose(0, table.asked(0).options[0])
    assert [one.who for one in events(told, DiceRolled)] == ([0, 2] if chosen else [0])


@pytest.mark.parametrize("chosen", [True, False])
def test_the_vault_may_let_go_of_whoever_fails(*, chosen: bool) -> None:
    table = opened("vault", "vault-lets-go") if chosen else Table()
    table.lay("vault", "basement", 0, 1, turns=2)
    table.put(0, "vault")
    table.turn(0)
    table.rolls(showing(table.value(0, "knowledge"), 2)).act("tile:vault", "OPEN")
    assert bool(table.goals(0)) == chosen


def test_answers_for_the_webs_hold_together() -> None:
    """Helped from afar, and whoever fails at that is caught."""
    table = Table(options={"rulings": {"webs": ["webs-helped-from-afar", "webs-catch-helpers"]}})
    table.rolls([0] * table.value(0, "might"))
    table.draw(0, "event", "webs")
    table.put(1, "foyer")
    table.turn(1)

    table.rolls([0] * table.value(1, "might")).break_free(0)

    assert table.explorer(1).held is not None
