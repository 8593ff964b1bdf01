"""The second-edition pack against what is known of the printed game: counts and sums that a slip of the pen would change."""

from collections import Counter

import pytest

from content.load.packs import builtin_packs, load_pack
from content.vocabulary.base import TRAITS
from content.vocabulary.pack import Pack, Tile


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(builtin_packs()["second-edition"])


@pytest.fixture(scope="module")
def stack(pack: Pack) -> list[Tile]:
    """The tiles that are shuffled into the room stack."""
    return [tile for tile in pack.tiles if tile.start is None]


@pytest.mark.rule("2E-COMP-002", case=1, asserts=True)
def test_44_tiles_and_the_joined_tile_leave_42_in_the_stack(pack: Pack, stack: list[Tile]) -> None:
    joined = [tile.id for tile in pack.tiles if tile.start is not None and tile.start.passages]
    assert joined == ["entrance-hall", "foyer", "grand-staircase"]
    assert len(pack.tiles) - len(joined) == 44
    assert len(stack) == 42


def test_every_floor_begins_with_its_landing(pack: Pack) -> None:
    landings = {tile.start.floor: tile.id for tile in pack.tiles if tile.start is not None and tile.start.landing}
    assert landings == {"basement": "basement-landing", "ground": "entrance-hall", "upper": "upper-landing"}


def test_the_stack_serves_the_floors_as_printed(stack: list[Tile]) -> None:
    assert Counter("+".join(tile.floors) for tile in stack) == {
        "basement": 9,
        "ground": 6,
        "upper": 6,
        "basement+ground": 2,
        "basement+upper": 6,
        "ground+upper": 6,
        "basement+ground+upper": 7,
    }


def test_the_stack_bears_the_symbols_as_printed(stack: list[Tile]) -> None:
    assert Counter("+".join(tile.symbols) for tile in stack) == {"event": 18, "omen": 13, "item": 4, "": 7}


def test_the_stack_has_95_doors(stack: list[Tile]) -> None:
    assert Counter(len(tile.doors) for tile in stack) == {1: 10, 2: 20, 3: 3, 4: 9}
    assert Counter(side for tile in stack for side in tile.doors) == {"north": 32, "east": 19, "south": 27, "west": 17}


@pytest.mark.rule("2E-DOOR-011", asserts=True)
def test_five_rooms_have_windows(pack: Pack) -> None:
    with_windows = {tile.id for tile in pack.tiles if tile.windows}
    assert with_windows == {"bedroom", "chapel", "dining-room", "grand-staircase", "master-bedroom"}


def test_six_rooms_are_outside(pack: Pack) -> None:
    outside = {tile.id for tile in pack.tiles if tile.outside}
    assert outside == {"balcony", "conservatory", "gardens", "graveyard", "patio", "tower"}


@pytest.mark.rule("2E-COMP-003", case=1, asserts=True)
def test_twelve_explorers_are_six_cards_with_four_tracks_each(pack: Pack) -> None:
    faces = {explorer.id: explorer.other_side for explorer in pack.explorers}
    assert len(faces) == 12
    assert all(faces[other] == one != other for one, other in faces.items())
    assert Counter(explorer.color for explorer in pack.explorers) == dict.fromkeys(
        ("white", "red", "yellow", "green", "blue", "purple"), 2
    )
    assert len({explorer.birthday for explorer in pack.explorers}) == 12
    # All values, starting values and starting spaces of the twelve, added up.
    sums = {
        trait: (
            sum(sum(track.values) for track in tracks),
            sum(track.values[track.start] for track in tracks),
            sum(track.start for track in tracks),
        )
        for trait in TRAITS
        for tracks in [[getattr(explorer, trait) for explorer in pack.explorers]]
    }
    assert sums == {
        "might": (424, 39, 28),
        "speed": (467, 49, 33),
        "sanity": (455, 46, 30),
        "knowledge": (441, 46, 32),
    }


def test_the_chart_gives_every_haunt_three_or_four_cells(pack: Pack) -> None:
    assert pack.chart is not None
    cells = Counter(number for row in pack.chart.cells.values() for number in row)
    assert sorted(cells) == list(range(1, 51))
    assert Counter(cells.values()) == {3: 31, 4: 19}
    assert sum(number * times for number, times in cells.items()) == 4338


def test_the_chart_names_its_traitors_as_printed(pack: Pack) -> None:
    assert pack.chart is not None
    rules = {int(number): rule for number, rule in pack.chart.traitors.items()}
    assert {number for number, rule in rules.items() if rule.none} == {9, 12, 31, 50}
    assert {number for number, rule in rules.items() if rule.hidden} == {34, 43}
    assert sorted(number for number, rule in rules.items() if rule.explorer) == [7, 20, 24, 25, 36, 46, 49]
    assert sum(rule.revealer for rule in rules.values()) == 13
    assert sum(rule.left_of_revealer for rule in rules.values()) == 8
    assert sum(rule.besides_revealer for rule in rules.values()) == 11


def test_a_hidden_number_plays_a_hidden_traitor(pack: Pack) -> None:
    assert pack.chart is not None
    kinds = {haunt.id: haunt.kind for haunt in pack.haunts}
    hidden = {number for number, haunt in pack.chart.haunts.items() if kinds[haunt] == "hidden-traitor"}
    assert hidden == {"34", "43"}
    assert "Twenty-five haunts of our own play all fifty numbers" in pack.chart.stand_ins


def test_the_numbers_of_the_chart_are_spread_over_all_haunts(pack: Pack) -> None:
    assert pack.chart is not None
    times = Counter(pack.chart.haunts.values())
    kinds = {haunt.id: haunt.kind for haunt in pack.haunts}
    assert set(times) == set(kinds)
    assert all(
        times[haunt] == (1 if kind == "hidden-traitor" else 2) or times[haunt] == 3 for haunt, kind in kinds.items()
    )


def test_all_omens_items_and_events_are_in(pack: Pack) -> None:
    assert Counter(card.deck for card in pack.cards) == {"omen": 13, "item": 22, "event": 45}


def test_titles_are_written_as_printed(pack: Pack) -> None:
    """Each begins with a capital, and so does every verb and article that a title of the printed game capitalizes."""
    titles = {card.id: card.title for card in pack.cards}
    assert all(title[0].isupper() for title in titles.values())
    assert titles["it-is-meant-to-be"] == "It Is Meant to Be"
    assert titles["what-the"] == "What The . . . ?"


@pytest.mark.rule("2E-ITEM-018", asserts=True)
def test_five_cards_are_weapons(pack: Pack) -> None:
    weapons = {card.id for card in pack.cards if "weapon" in card.kinds}
    assert weapons == {"axe", "blood-dagger", "revolver", "sacrificial-dagger", "spear"}
    assert weapons == {card.id for card in pack.cards if card.attack is not None} - {"ring"}


def test_companions_and_the_bite_are_no_items(pack: Pack) -> None:
    companions = {card.id for card in pack.cards if "companion" in card.kinds}
    no_items = {card.id: set(card.barred) for card in pack.cards if card.no_item}
    assert companions == {"dog", "girl", "madman"}
    assert no_items == {name: {"drop", "trade", "steal"} for name in (*companions, "bite")}


def test_what_a_card_gives_while_held_it_takes_back_when_lost(pack: Pack) -> None:
    """All but the Amulet, which takes more, and the Mask, which gives by its action."""
    for card in pack.cards:
        gained = [step for trigger in card.on if trigger.when == "gained" for step in trigger.do]
        lost = [step for trigger in card.on if trigger.when == "lost" for step in trigger.do]
        if card.id not in {"amulet-of-the-ages", "mask"}:
            assert [(step.gain, step.lose) for step in gained] == [(step.lose, step.gain) for step in lost], card.id
