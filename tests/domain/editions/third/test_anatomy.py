"""What a third-edition haunt is made of, and what its pack must not say (rulebook 2022, Anatomy of a Haunt; Tokens; Symbols Used)."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from content.load.packs import Reading, builtin_packs
from domain.facts.commands import Act
from projections.view.game import view_of
from tests.support.table import Table
from tests.support.third import FRIENDS, bring_on, get_ready, third

MAGPIES = "haunts/a-tiding-of-magpies.yaml"
LAST_ACT = "haunts/the-last-act.yaml"


def mistakes(tmp_path: Path, file: str, old: str, new: str) -> list[str]:
    """What the check says of the pack with a text in it replaced, besides what it says of the pack as it is."""
    folder = tmp_path / "third-edition"
    shutil.copytree(builtin_packs()["third-edition"], folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    return [one for one in _said(folder) if one not in _said(builtin_packs()["third-edition"])]


@cache
def _said(folder: Path) -> list[str]:
    reading = Reading(folder)
    reading.check()
    return [str(one) for one in reading.mistakes]


@pytest.mark.rule("3E-ANAT-001", case=1, asserts=True)
@pytest.mark.parametrize(
    "section, old, new",
    [
        ("title", "title: A Tiding of Magpies", "# no title"),
        ("story", "  story:", "  text:"),
        ("goal", "  goal:", "  aim:"),
        ("ending", "  ending:", "  end:"),
    ],
)
def test_a_haunt_without_one_of_its_sections_fails(tmp_path: Path, section: str, old: str, new: str) -> None:
    found = mistakes(tmp_path, MAGPIES, old, new)
    assert any(f"`{section}`" in one or section in one for one in found), found
    assert all(".yaml:" in one for one in found), "with file, line and column"


@pytest.mark.rule("3E-HTYPE-001", case=1, asserts=True)
def test_a_haunt_of_a_fifth_type_fails(tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path, MAGPIES, "kind: one-traitor", "kind: two-traitors")
    assert "a-tiding-of-magpies.yaml:6:" in found
    assert "two-traitors" in found
    assert all(kind in found for kind in ("no-traitor", "one-traitor", "hidden-traitor", "free-for-all")), found


@pytest.mark.rule("3E-ANAT-001", case=1, asserts=True)
def test_a_haunt_needs_no_monster_boxes(tmp_path: Path) -> None:
    text = (builtin_packs()["third-edition"] / LAST_ACT).read_text()
    assert "\nmonsters:" not in text
    assert mistakes(tmp_path, LAST_ACT, "The Last Act", "The Very Last Act") == []


@pytest.mark.rule("3E-COMP-011", case=1, asserts=True)
def test_a_token_that_nothing_defines_is_not_placed(tmp_path: Path) -> None:
    found = mistakes(tmp_path, MAGPIES, "place-token: {token: nest,", "place-token: {token: nets,")
    assert any("no token `nets`" in one for one in found), found


@pytest.mark.rule("3E-COMP-013", case=1, asserts=True)
@pytest.mark.parametrize("number", ["0", "51"])
def test_a_haunt_number_outside_1_to_50_is_refused(tmp_path: Path, number: str) -> None:
    scenarios = builtin_packs()["third-edition"] / "scenarios/scenarios.yaml"
    line = next(one for one in scenarios.read_text().splitlines() if one.strip().startswith("dog:"))
    found = mistakes(tmp_path, "scenarios/scenarios.yaml", line, f"{line.partition(':')[0]}: {number}")
    assert any(number in one for one in found), found


def test_an_important_location_is_a_tile_of_the_pack(tmp_path: Path) -> None:
    found = mistakes(tmp_path, MAGPIES, "  goal:", "  locations: [attik]\n  goal:")
    assert any("no tile `attik`" in one and ".yaml:" in one for one in found), found


@pytest.mark.rule("3E-COMP-014", case=1, asserts=True)
def test_a_card_with_the_symbol_is_among_its_holders_special_actions_and_one_without_is_not() -> None:
    table = third()
    symbol = next(
        card.id
        for card in table.rules.pack.cards.values()
        if card.deck == "item" and any(one.when == "own-turn" and one.if_ is None for one in card.actions)
    )
    plain = next(card.id for card in table.rules.pack.cards.values() if card.deck == "item" and not card.actions)
    table.clips(0, might=1, speed=1, sanity=1, knowledge=1)
    table.hold(0, symbol, plain)
    table.turn(0)
    offered = {one.source for one in table.offers(0) if isinstance(one, Act)}
    assert f"card:{symbol}" in offered
    assert f"card:{plain}" not in offered


@pytest.mark.rule("3E-ANAT-004", case=1)
def test_heroes_and_traitor_each_have_a_list_of_setup_steps() -> None:
    table = Table(
        FRIENDS, first=0, game=third().rules, options={"scenario": "for-sale", "haunt": "a-tiding-of-magpies"}
    )
    bring_on(table)
    get_ready(table)
    haunt = view_of(table.rules, table.view(0), 1).haunt
    assert haunt is not None
    assert [one.side for one in haunt.aloud] == ["heroes", "traitor"]
    sheet = table.rules.pack.haunts["a-tiding-of-magpies"]
    assert sheet.heroes is not None
    assert sheet.traitor_book is not None
    assert sheet.heroes.right_now != sheet.traitor_book.right_now
