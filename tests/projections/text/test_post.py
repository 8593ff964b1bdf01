"""The status post: what a moderator pastes, the same whoever has it made."""

import random

import pytest

from domain.evolve import fold, redact
from domain.facts.state import State
from projections.text.post import Format, status_post
from tests.laws.playout import open_table, principals, steps
from tests.support.packs import by_post
from tests.support.table import Table


@pytest.mark.parametrize("seed", range(4))
def test_a_post_tells_the_same_whoever_has_it_made(seed: int) -> None:
    """In a game with a hidden traitor and private looks: nothing of either gets into a public thread."""
    game = open_table(by_post(), seed, seats=4, haunt="the-hollow-guest")
    known = {who: State() for who in principals(4)}
    folded = compared = 0
    for number, _ in enumerate(steps(game, random.Random(seed))):
        for commit in game.commits[folded:]:
            for who, state in known.items():
                fold(state, [redact(commit, who)])
        folded = len(game.commits)
        if number % 25 == 0:
            posts = {status_post(game.rules, state, "markdown") for state in known.values()}
            assert len(posts) == 1
            compared += 1
    assert compared > 3


@pytest.mark.parametrize("style", ["markdown", "bbcode"])
def test_the_post_shows_each_trait_with_its_place_and_who_stands_before_the_skull(style: Format) -> None:
    table = Table(game=by_post())
    table.clips(1, might=1, speed=8)
    post = status_post(table.rules, table.view(0), style)
    assert (
        "Zoe Ingstrom: Entrance Hall; Might 2 (1/8, last before the skull), Speed 8 (8/8), Sanity 5 (3/8), Knowledge 3 (3/8)"
        in post
    )


@pytest.mark.parametrize(
    "style, expected", [("markdown", "**o\\_o (Ox Bellows)**"), ("bbcode", "[b]o_o (Ox Bellows)[/b]")]
)
def test_the_active_player_stands_out_in_the_forums_own_signs(style: Format, expected: str) -> None:
    table = Table(game=by_post())
    assert f"{expected}: Entrance Hall; Might 5 (3/8), Speed 4 (5/8)" in status_post(
        table.rules, table.view(2), style, ["o_o", "", ""]
    )


def test_the_traitor_is_marked_behind_the_name_and_one_omen_is_one() -> None:
    table = Table(game=by_post())
    table.hold(0, "skull")
    table.haunt("the-bell-below", traitor=1)
    post = status_post(table.rules, table.view(0), "markdown", ["", "Ben", ""])
    assert "- Ben (Zoe Ingstrom) (TRAITOR): Entrance Hall; Might" in post
    assert " · 1 omen drawn" in post


def test_the_post_says_the_rules_of_cards_that_lie_open_and_nothing_of_books() -> None:
    table = Table(game=by_post())
    table.hold(0, "axe")
    table.pile("foyer", "bell")
    table.haunt("the-bell-below", traitor=1)
    for state in table.roles.values():
        lines = status_post(table.rules, state, "markdown").splitlines()
        start = lines.index("**What lies open**")
        assert lines[start + 2].startswith("- Axe: ")
        assert "You may attack with Might and 1 more die" in lines[start + 2]
        assert lines[start + 3].startswith("- Bell: ")
        assert lines[start + 4] == ""
        assert not any("SEARCH" in line or "Right now" in line for line in lines)


def test_a_players_name_cannot_make_tags() -> None:
    table = Table(game=by_post())
    post = status_post(table.rules, table.view(0), "bbcode", ["[img]x[/img]", "", ""])
    assert "[img]" not in post
    assert post.count("[code]") == post.count("[/code]") == 1
    markdown = status_post(table.rules, table.view(0), "markdown", ["<b>`x`", "", ""])
    assert "\\<b\\>\\`x\\`" in markdown


def test_the_post_asks_the_moderator_for_dice_as_the_die_roller_takes_them() -> None:
    table = Table(game=by_post())
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.fate.pending = True
    table.end_turn()

    assert "- the moderator: Roll 6d3-6 for the haunt" in status_post(table.rules, table.view(0), "markdown")


def test_no_line_of_the_plan_is_wider_than_a_forum_shows() -> None:
    game = open_table(by_post(), 3, seats=6, haunt="the-gnawing-tide")
    for _ in steps(game, random.Random(3)):
        pass
    post = status_post(game.rules, game.state, "markdown")
    plan = post.partition("```\n")[2]
    assert max(map(len, plan.splitlines())) <= 76
    assert post.startswith("## The ")
