"""The status post: what a moderator pastes, the same whoever has it made."""

import random

import pytest

from domain.evolve import fold, redact
from domain.facts.audience import SPECTATORS, principal_name, seat_bit
from domain.facts.state import State
from projections.text.post import Format, plain, status_post
from tests.laws.playout import open_table, principals, steps
from tests.support.packs import by_post, rules_of
from tests.support.table import Table


@pytest.mark.parametrize(
    "pack, seed, seats, haunt",
    [
        *[("play-by-post", seed, 4, "the-hollow-guest") for seed in range(3)],
        ("third-edition", 6, 6, "the-last-act"),
        ("third-edition", 4, 4, "keep-it-fed"),
        ("third-edition", 5, 5, "the-frequency"),
        ("third-edition", 3, 3, "the-night-shift"),
    ],
)
def test_a_post_tells_the_same_whoever_has_it_made(pack: str, seed: int, seats: int, haunt: str) -> None:
    """In games with a hidden traitor and private looks: nothing of either gets into a public thread.

    Who holds a book with boxes of monsters that the others have not read, is not asked: its post has their numbers too.
    """
    game = open_table(rules_of(pack), seed, seats=seats, haunt=haunt)
    known = {who: State() for who in principals(seats)}
    folded = compared = 0
    for number, _ in enumerate(steps(game, random.Random(seed))):
        for commit in game.commits[folded:]:
            for who, state in known.items():
                fold(state, [redact(commit, who)])
        folded = len(game.commits)
        if number % 25 == 0:
            public = status_post(game.rules, known[SPECTATORS], "markdown")
            for who, state in known.items():
                boxed = any(one.boxed for one in known[SPECTATORS].monsters.values())
                if not boxed or who in [seat_bit(one.seat) for one in state.explorers if one.side == "heroes"]:
                    assert status_post(game.rules, state, "markdown") == public, principal_name(who)
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


@pytest.mark.parametrize(
    "text, shown",
    [
        ("- one", "\\- one"),
        ("12. one", "12\\. one"),
        ("===", "\\==="),
        ("8 dice, 1.5 &amp; 2", "8 dice, 1.5 \\&amp; 2"),
        ("R&D; -1 @ 3 # 4", "R\\&D; -1 @ 3 \\# 4"),
        ("@ann #12 http://x www.x.y", "@\u200bann \\#\u200b12 http:\u200b//x www\u200b.x.y"),
    ],
)
def test_a_text_in_markdown_is_only_a_text(text: str, shown: str) -> None:
    assert plain(text) == shown


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
