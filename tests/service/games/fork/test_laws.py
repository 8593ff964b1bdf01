"""Worlds for forks at any commit of tables that go back far: they agree with what a role knows, are not the truth's, and can be played on."""

from __future__ import annotations

import random
from dataclasses import astuple

import pytest

from tests.laws.forking import Found, play_far_back, worlds_at_any_commit
from tests.support.keeping import keep
from tests.support.packs import HIDDEN, rules
from tests.support.running import service_on

HIDING = (*HIDDEN, "the-room-that-listens", "external")
"""Haunts that keep facts from somebody."""
ASKED = ("moderator", "table")
"""Where somebody answers for chance, so that a fork may begin before the answer."""
SAMPLE = [(4, "the-hollow-guest", 150, 5), (3, "the-borrowed-face", 150, 5), (12, "the-room-that-listens", 200, 10)]
LONG = [
    *[("second-edition", seed, haunt, "seeded") for haunt in HIDING for seed in range(100, 105)],
    *[("second-edition", seed, haunt, source) for haunt in HIDING for source in ASKED for seed in range(2)],
    *[("third-edition", seed, "", "seeded") for seed in range(3)],
]


async def check(pack: str, seed: int, haunt: str, *, most: int, commits: int, source: str = "seeded") -> Found:
    """Hold a game to the laws at some of its commits."""
    game = play_far_back(rules(pack), seed, seats=3 + seed % 2, haunt=haunt, most=most, source=source)
    service = await service_on(packs=pack)
    await keep(service, game)
    lot = random.Random(seed)
    started = len(game.commits) - len(game.acts)
    there = range(started, len(game.commits) + (game.state.status == "started"))
    chosen = sorted(lot.sample(there, min(commits, len(there))))
    found = await worlds_at_any_commit(service, game, chosen, lot)
    await service.close()
    return found


@pytest.mark.parametrize("seed, haunt, most, commits", SAMPLE)
async def test_there_is_a_world_at_any_commit_and_play_goes_on_in_it(
    seed: int, haunt: str, most: int, commits: int
) -> None:
    found = await check("second-edition", seed, haunt, most=most, commits=commits)
    assert found.worlds > 15
    assert found.behind > 10
    assert 0 < found.otherwise < found.hidden, "hidden facts are neither always the true ones nor always others"


@pytest.mark.prove
@pytest.mark.parametrize("pack, seed, haunt, source", LONG)
async def test_the_same_over_many_games(pack: str, seed: int, haunt: str, source: str) -> None:
    found = await check(pack, seed, haunt, most=260, commits=20, source=source)
    assert found.worlds > 20


@pytest.mark.prove
async def test_over_many_games_all_that_can_be_met_is_met() -> None:
    whole = Found()
    for seed in range(300, 312):
        found = await check("second-edition", seed, HIDDEN[seed % 2], most=200, commits=12)
        whole = Found(*[mine + more for mine, more in zip(astuple(whole), astuple(found), strict=True)])
    assert min(astuple(whole)) > 10
