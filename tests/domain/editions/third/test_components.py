"""What is in the box of the third edition (rulebook 2022, Components, p. 3): the pack's list of it, and the check that counts."""

from pathlib import Path
from shutil import copytree

import pytest

from content.load.packs import Reading, builtin_packs
from domain.editions import EDITIONS
from domain.facts.commands import Act
from tests.support.packs import pack
from tests.support.third import third

BOX = pack("third-edition")


def complaints(folder: Path) -> list[str]:
    """What the check of content finds wrong in a pack."""
    reading = Reading(folder)
    reading.check()
    return [str(one.message) for one in reading.mistakes if one.severity == "error"]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the third edition's pack, to be spoiled."""
    copytree(builtin_packs()["third-edition"], tmp_path / "third-edition")
    return tmp_path / "third-edition"


@pytest.mark.rule("3E-COMP-003", case=1, asserts=True)
def test_six_players_use_24_of_the_30_clips() -> None:
    assert BOX.head.components is not None
    assert BOX.head.components.clips == 30
    assert BOX.head.players[-1] * len(BOX.explorers[0].tracks) == 24


@pytest.mark.rule("3E-COMP-003", asserts=True)
def test_too_few_clips_are_reported(copy: Path) -> None:
    spoil(copy / "pack.yaml", "clips: 30", "clips: 23")
    assert complaints(copy) == ["6 players need 24 clips"]


@pytest.mark.rule("3E-COMP-004", case=1, asserts=True)
def test_the_edition_has_eight_dice() -> None:
    assert BOX.head.components is not None
    assert EDITIONS["third"].dice.pool == BOX.head.components.dice == 8


def spoil(file: Path, old: str, new: str) -> None:
    """Replace a text that the file has once."""
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.rule("3E-COMP-005", case=1, asserts=True)
def test_74_cards_pass_and_73_are_reported(copy: Path) -> None:
    assert complaints(copy) == []
    file = copy / "cards" / "events.yaml"
    before, title, after = file.read_text().partition("- id: tiny-robot\n")
    assert title
    file.write_text(before + "- id:" + after.partition("\n- id:")[2])
    assert complaints(copy) == ["the box has 43 event cards, the pack 42: 73 of 74 cards in all"]


@pytest.mark.rule("3E-COMP-009", asserts=True)
def test_a_stack_of_41_tiles_is_reported(copy: Path) -> None:
    spoil(copy / "tiles" / "plain.yaml", "- id: tower\n", "- id: spire\n  start: {floor: upper, x: 9, y: 9}\n")
    assert "the box has 42 tiles for the stack, the pack 41" in complaints(copy)


@pytest.mark.rule("3E-COMP-010", case=1, asserts=True)
def test_the_tokens_add_up_to_114() -> None:
    assert BOX.head.components is not None
    assert len(BOX.head.components.tokens) == 16
    assert sum(BOX.head.components.tokens.values()) == 114


# -- what no catalogue may have -------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRAIT-001", case=1, asserts=True)
@pytest.mark.parametrize("trait", ["might", "speed", "sanity", "knowledge"])
def test_an_explorer_without_one_of_the_four_traits_is_refused(copy: Path, trait: str) -> None:
    file = copy / "characters" / "explorers.yaml"
    lines = file.read_text().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith(f"  {trait}:"))
    file.write_text("".join(lines[:first] + lines[first + 1 :]))
    assert any(f"`{trait}`" in one for one in complaints(copy))


@pytest.mark.rule("3E-DMG-001", case=1, asserts=True)
def test_damage_of_another_kind_is_refused(copy: Path) -> None:
    spoil(
        copy / "tiles" / "lingering.yaml",
        "damage: {kind: physical, points: 1}}]\n  rulings",
        "damage: {kind: spiritual, points: 1}}]\n  rulings",
    )
    assert [one for one in complaints(copy) if "spiritual" in one]


@pytest.mark.rule("3E-COMP-011", case=1, asserts=True)
def test_a_token_that_nothing_defines_is_refused(copy: Path) -> None:
    file = copy / "tiles" / "gifts.yaml"
    spoil(file, "do: [{place-token: {token: obstacle}}]", "do: [{place-token: {token: anvil}}]")
    assert [one for one in complaints(copy) if "`anvil`" in one]


@pytest.mark.rule("3E-COMP-013", case=1, asserts=True)
@pytest.mark.parametrize("number", [0, 51])
def test_a_haunt_number_outside_1_to_50_is_refused(copy: Path, number: int) -> None:
    spoil(copy / "cards" / "events.yaml", "haunt-roll: {number: 33,", f"haunt-roll: {{number: {number},")
    assert [one for one in complaints(copy) if str(number) in one]


@pytest.mark.rule("3E-COMP-014", case=1, asserts=True)
def test_what_bears_the_symbol_of_a_special_action_is_listed_for_its_holder() -> None:
    table = third()
    table.hold(0, "map", "headphones")
    table.turn(0)
    assert {one.source for one in table.offers(0) if isinstance(one, Act)} == {"card:map"}
    assert not [one for one in table.offers(1) if isinstance(one, Act)]
