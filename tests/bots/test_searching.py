"""The searching bot: it chooses among what is legal, by nothing but what its seat knows, and is steady where there is nothing to search."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from domain.facts.audience import seat_bit
from domain.facts.chance import Seeded
from domain.facts.commands import AnyCommand
from domain.facts.refusal import Refused
from domain.local import LocalGame
from domain.rulebook.turn.options import legal
from projections.choices.decisions import decisions_of
from projections.text.strength import Share, gain
from projections.view.game import view_of
from service.bots import steady
from service.bots.brain import Memory
from service.bots.playout import outlook
from service.bots.playtest import local_game, play_out
from service.bots.searching import Effort, Searching, Worlds
from service.bots.strength import plan_matches, play_matches
from tests.support.packs import rules

LITTLE = Effort(candidates=3, worlds=1, rounds=0.5)
TIDE, BELL = "the-gnawing-tide", "the-bell-below"
DUELS = (
    ("second", "traitor", slice(0, None, 2), "strength"),
    ("third", "alone", slice(0, None), "strength"),
    ("second", "heroes", slice(1, None, 3), "tune-b"),
)
"""An edition, a side, which of its haunts, and the seed."""


def in_the_haunt(haunt: str, *, traitor: bool, pack: str = "second-edition") -> tuple[LocalGame, int]:
    """A game at the first turn in its haunt of somebody on a side."""
    game = local_game(rules(pack), Seeded(b"search", "g"), 4, {"haunt": haunt}, "g")
    for _ in play_out(game, ["steady"] * 4, "search"):
        begun = game.state.haunt
        if begun is not None and begun.started and not game.state.open and not game.state.turn.monsters:
            seat = game.state.turn.seat
            if (game.state.explorers[seat].side == "traitor") == traitor:
                return game, seat
    pytest.fail("the game was over before")


def choice(game: LocalGame, seat: int, worlds: Worlds | None = None, effort: Effort = LITTLE) -> AnyCommand | None:
    known, role = game.known(seat_bit(seat)), seat_bit(seat)
    brain = Searching(worlds or partial(game.sampled, seat), effort)
    return brain(
        view_of(game.rules, known, role), decisions_of(game.rules, known, role, hints=True), Memory(seed="test")
    )


def steady_choice(game: LocalGame, seat: int) -> AnyCommand | None:
    known, role = game.known(seat_bit(seat)), seat_bit(seat)
    decisions = decisions_of(game.rules, known, role, hints=True)
    return steady.choose(view_of(game.rules, known, role), decisions, Memory(seed="test"))


@pytest.mark.parametrize("haunt, pack", [(TIDE, "second-edition"), ("the-night-shift", "third-edition")])
@pytest.mark.parametrize("traitor", [True, False])
def test_it_chooses_something_legal_the_same_each_time_and_changes_nothing(
    haunt: str, pack: str, *, traitor: bool
) -> None:
    game, seat = in_the_haunt(haunt, traitor=traitor, pack=pack)
    before, log = game.clone().state, len(game.log)

    chosen = choice(game, seat)

    assert chosen in legal(game.rules, game.state, seat)
    assert choice(game, seat) == chosen
    assert (game.state, len(game.log)) == (before, log)


def test_it_chooses_the_same_in_a_game_that_differs_in_what_its_seat_does_not_know() -> None:
    """What the other side has counted and wounded in secret, in which order the cards lie, and how the dice will fall."""
    game, seat = in_the_haunt(TIDE, traitor=False)
    twin = game.clone(Seeded(b"another", "g"))
    for haunt in (twin.state.haunt, *(twin.known(seat_bit(other)).haunt for other in range(4) if other != seat)):
        assert haunt is not None
        haunt.counters["hunger"] = 11
    for deck in twin.state.decks.values():
        deck.pool.reverse()

    assert choice(twin, seat) == choice(game, seat)


def test_what_promises_more_in_its_first_worlds_it_tries_in_others() -> None:
    game, seat = in_the_haunt(TIDE, traitor=False)
    effort = Effort(candidates=3, first=2, worlds=3, rounds=0.0, margin=-1, detour=-1)  # everything promises more
    asked: list[bytes] = []

    def asking(seed: bytes) -> LocalGame:
        asked.append(seed)
        return game.sampled(seat, seed)

    choice(game, seat, asking, effort)

    assert len(set(asked)) == len(asked) == 2 + 3


def test_it_is_steady_where_no_world_can_be_sampled() -> None:
    def none(_seed: bytes) -> LocalGame:
        raise Refused("what is under way may depend on what the seat doesn't know", problem="half-done")

    game, seat = in_the_haunt(TIDE, traitor=False)

    assert choice(game, seat, none) == steady_choice(game, seat)


def test_before_the_haunt_it_is_steady_and_samples_nothing() -> None:
    game = local_game(rules("second-edition"), Seeded(b"search", "g"), 4, {}, "g")
    seat = game.state.turn.seat

    def none(_seed: bytes) -> LocalGame:
        pytest.fail("sampled a world")

    assert choice(game, seat, none) == steady_choice(game, seat)


def test_an_outlook_rises_with_the_goal_and_falls_with_lives() -> None:
    game, seat = in_the_haunt(BELL, traitor=True)
    now = outlook(game.rules, game.state, seat)

    nearer = game.clone().state
    assert nearer.haunt is not None
    nearer.haunt.counters["strokes"] = 12
    weaker = game.clone().state
    for hero in weaker.living():
        if hero.side == "heroes":
            hero.at = [1, 1, 1, 1]

    assert 0 < now < outlook(game.rules, nearer, seat) < 1
    assert now < outlook(game.rules, weaker, seat) < 1
    assert outlook(game.rules, weaker, next(one.seat for one in weaker.living() if one.side == "heroes")) < now


@pytest.mark.prove
def test_it_beats_the_steady_bot() -> None:
    """In the same games, one of each of these haunts, with steady opponents; docs/strength.md has more, and of every haunt.

    All duels count together: a single one has too few games to tell.
    """
    won: Counter[str] = Counter()
    for edition, side, part, seed in DUELS:
        haunts = list(rules(f"{edition}-edition").pack.haunts)[part]
        matches = plan_matches([edition], ["searching", "steady"], [4], haunts, 1, seed)
        for one in play_matches(match for match in matches if match.side == side):
            won[one.match.bot] += one.won

    assert won["searching"] > won["steady"], won


# -- matches --------------------------------------------------------------------------------------------------------------


def test_the_same_match_gives_the_same_result() -> None:
    wanted = list(plan_matches(["second"], ["steady", "random"], [3], [TIDE], 2, "again"))

    assert [(one.side, one.bot) for one in wanted[:4]] == [
        ("heroes", "steady"),
        ("heroes", "random"),
        ("traitor", "steady"),
        ("traitor", "random"),
    ]
    assert list(play_matches(wanted[:2])) == list(play_matches(wanted[:2]))


def test_two_steady_sides_win_every_game_between_them() -> None:
    won = [one.won for one in play_matches(plan_matches(["second"], ["steady"], [3], [TIDE], 3, "shares"))]

    assert [heroes + traitor for heroes, traitor in zip(won[::2], won[1::2], strict=True)] == [1, 1, 1]


@pytest.mark.parametrize(
    "won, games, low, high",
    [(0, 3, 0.0, 0.5615), (50, 100, 0.4038, 0.5962), (10, 10, 0.7225, 1.0)],
)
def test_intervals_are_wilsons(won: int, games: int, low: float, high: float) -> None:
    assert Share(won, games).interval() == pytest.approx((low, high), abs=1e-4)


def test_a_gain_is_told_by_the_games_that_only_one_has_won() -> None:
    by, low, high = gain([(True, True)] * 40 + [(True, False)] * 5 + [(False, True)] * 5)
    assert by == 0
    assert low < 0 < high
    assert gain([(True, False)] * 20 + [(False, True)] * 5 + [(True, True)] * 25)[1] > 0
    assert gain([(True, False)] * 2)[1] < 0  # too few to tell
