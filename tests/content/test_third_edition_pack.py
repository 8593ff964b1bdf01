"""The third-edition pack against what is known of the printed game: counts and sums that a slip of the pen would change."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from content.check.pieces.tiles import STEP
from content.load.packs import Reading, builtin_packs
from content.vocabulary.base import TRAITS
from content.vocabulary.pack import Card, Pack, Tile, TokenKind
from tests.content.planting import told

ALL_OMENS = {"armor", "book", "dagger", "dog", "holy-symbol", "idol", "mask", "ring", "skull"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Reading(builtin_packs()["third-edition"]).pack()


@pytest.fixture(scope="module")
def stack(pack: Pack) -> list[Tile]:
    """The tiles that are shuffled into the room stack."""
    return [tile for tile in pack.tiles if tile.start is None]


def omens(pack: Pack) -> set[str]:
    return {card.id for card in pack.cards if card.deck == "omen"}


def test_the_check_has_nothing_to_say_of_the_pack() -> None:
    assert told(builtin_packs()["third-edition"]) == []


def test_of_a_chart_that_cannot_be_read_nothing_is_concluded_for_haunts(tmp_path: Path) -> None:
    folder = shutil.copytree(builtin_packs()["third-edition"], tmp_path / "third")
    chart = folder / "chart.yaml"
    chart.write_text(chart.read_text().replace("{oldest: true}", "{eldest: true}"))
    assert [str(one).rpartition(":25:8: ")[2] for one in told(folder)] == [
        "unknown field `eldest` in TraitorRule: did you mean `oldest`?"
    ]


def test_42_tiles_are_in_the_stack_and_5_rooms_in_the_house(pack: Pack, stack: list[Tile]) -> None:
    assert len(stack) == 42
    assert {tile.id for tile in pack.tiles if tile.start is not None} == {
        "entrance-hall",
        "hallway",
        "ground-floor-staircase",
        "basement-landing",
        "upper-landing",
    }


def test_every_door_of_the_joined_tile_is_a_free_doorway(pack: Pack) -> None:
    places = {(tile.start.floor, tile.start.x, tile.start.y): tile for tile in pack.tiles if tile.start is not None}
    doors = 0
    for (floor, x, y), tile in places.items():
        for side in tile.doors:
            dx, dy = STEP[side]
            assert (floor, x + dx, y + dy) not in places, f"{tile.id} {side}"
            doors += floor == "ground"
    assert doors == 4


def test_the_stack_serves_the_regions_as_printed(stack: list[Tile]) -> None:
    assert Counter("+".join(tile.floors) for tile in stack) == {
        "basement": 9,
        "ground": 9,
        "upper": 4,
        "basement+ground": 2,
        "basement+upper": 6,
        "ground+upper": 10,
        "basement+ground+upper": 2,
    }


def test_the_stack_bears_the_symbols_as_printed(stack: list[Tile]) -> None:
    printed = {"event": 15, "omen": 14, "item": 5, "item+item": 1, "": 7}
    assert Counter("+".join(tile.symbols) for tile in stack) == printed


def test_the_stack_has_98_doors(stack: list[Tile]) -> None:
    assert Counter(len(tile.doors) for tile in stack) == {1: 5, 2: 24, 3: 7, 4: 6}
    assert Counter(side for tile in stack for side in tile.doors) == {"north": 39, "east": 28, "south": 20, "west": 11}


def test_five_ways_lead_past_the_doors_and_one_for_monsters_alone(pack: Pack) -> None:
    links = [(tile.id, link) for tile in pack.tiles for link in tile.links]
    assert [(tile, link.to) for tile, link in links if link.monsters_only] == [
        ("ground-floor-staircase", "basement-landing")
    ]
    ways = {(tile, link.to): link.both_ways for tile, link in links if not link.monsters_only}
    assert ways == {
        ("ground-floor-staircase", "upper-landing"): True,
        ("secret-staircase", "hallway"): True,
        ("graveyard", "underground-cavern"): True,
        ("gallery", "ballroom"): False,
        ("laundry-chute", "basement-landing"): False,
    }


def test_eleven_rooms_do_something(pack: Pack) -> None:
    moments = {(tile.id, trigger.when) for tile in pack.tiles for trigger in tile.on}
    gifts = ("armory", "chapel", "gymnasium", "junk-room", "larder", "library", "panic-room")
    assert moments == {
        *((room, "discovered") for room in gifts),
        *((room, "turn-ended") for room in ("collapsed-room", "furnace-room", "laundry-chute")),
        ("mystic-elevator", "entered"),
    }


def test_twelve_explorers_are_six_boards_with_four_tracks_each(pack: Pack) -> None:
    assert len(pack.explorers) == 12
    assert Counter(explorer.color for explorer in pack.explorers) == dict.fromkeys(
        ("red", "blue", "green", "yellow", "white", "purple"), 2
    )
    assert len({explorer.birthday for explorer in pack.explorers}) == 12
    assert sum(explorer.age for explorer in pack.explorers) == 362
    # All values and the starting values of the twelve, added up; every trait starts at 4 on the average.
    sums = {
        trait: (sum(sum(track.values) for track in tracks), sum(track.values[track.start] for track in tracks))
        for trait in TRAITS
        for tracks in [[getattr(explorer, trait) for explorer in pack.explorers]]
    }
    assert sums == {"might": (446, 48), "speed": (468, 48), "sanity": (465, 48), "knowledge": (458, 48)}


def test_the_scenarios_lead_to_45_haunts_and_five_events_to_the_others(pack: Pack) -> None:
    assert len(pack.scenarios) == 5
    for scenario in pack.scenarios:
        assert set(scenario.haunts) == ALL_OMENS
    numbers = Counter(number for scenario in pack.scenarios for number in scenario.haunts.values())
    assert set(numbers.values()) == {1}
    rolls = [effect.haunt_roll.number for card in pack.cards for effect in card.do if effect.haunt_roll is not None]
    assert sorted(rolls) == [1, 3, 7, 12, 33]
    assert set(range(1, 51)) - set(numbers) == set(rolls)


def test_every_number_has_a_title_a_traitor_and_a_haunt(pack: Pack) -> None:
    numbers = [str(number) for number in range(1, 51)]
    assert pack.chart is not None
    assert [list(table) for table in (pack.chart.titles, pack.chart.traitors, pack.chart.haunts)] == [numbers] * 3
    rules = pack.chart.traitors.values()
    named = Counter(name for rule in rules for name, told in rule.stated().items() if told)
    assert named["revealer"] == 26


def test_all_omens_items_and_events_are_in(pack: Pack) -> None:
    assert omens(pack) == ALL_OMENS
    assert Counter(card.deck for card in pack.cards) == {"omen": 9, "item": 22, "event": 43}


def test_what_is_a_weapon_can_be_attacked_with(pack: Pack) -> None:
    weapons = {card.id for card in pack.cards if "weapon" in card.kinds}
    assert weapons == {"chainsaw", "crossbow", "dagger", "dynamite", "gun", "machete", "ring"}
    assert weapons - {"dynamite"} == {card.id for card in pack.cards if card.attack is not None}


def test_what_touches_trait_rolls_names_no_attacks(pack: Pack) -> None:
    """In this edition attack rolls are trait rolls by policy (3E-DICE-004)."""
    pieces: list[Card | TokenKind] = [*pack.cards, *pack.tokens]
    modified = [standing.modify for piece in pieces for standing in piece.always]
    answered = [action for piece in pieces for action in piece.actions]
    touched = [one.rolls for one in (*modified, *answered) if one is not None and "trait" in (one.rolls or ())]
    assert len(touched) > 8
    assert all(rolls == ["trait"] for rolls in touched)
