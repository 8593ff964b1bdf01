"""The laws over a fixed sample of games; `./dev prove` runs them at length."""

import random

import pytest

from content.vocabulary.base import Side
from domain.audience import REFEREE, Mask
from domain.chance import Seeded
from domain.events import GameOpened, SeatClaimed
from domain.evolve import fold, redact
from domain.game import claim, open_game, start_game
from domain.state import State
from tests.laws import completeness, replay, secrecy
from tests.laws.playout import TODAY, open_table, play, principals, role_states, steps
from tests.support.packs import HAUNTS, HIDDEN, TWO_BOOKS, pack, rules

SAMPLE = [
    *[("second-edition", seed, 3 + seed % 4, HAUNTS[seed % len(HAUNTS)]) for seed in range(140)],
    *[("third-edition", seed, 3 + seed % 4, "") for seed in range(80)],
]


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_replay_equals_live(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[::12])
def test_tape_and_moderator_give_the_same_game(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    replay.tape_gives_the_log(game)
    replay.moderator_gives_the_log(game)


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[1:121:8] + SAMPLE[141::17])
def test_listed_commands_are_exactly_the_accepted_ones(pack: str, seed: int, seats: int, haunt: str) -> None:
    game, accepted, refused = completeness.check_game(rules(pack), seed, seats=seats, haunt=haunt, every=3)
    assert game.state.status == "finished"
    assert accepted > 20
    assert refused > 20


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[3:140:6] + SAMPLE[143::17])
def test_no_deed_is_offered_of_which_nothing_can_come(pack: str, seed: int, seats: int, haunt: str) -> None:
    assert completeness.no_listed_deed_is_in_vain(rules(pack), seed, seats=seats, haunt=haunt) >= 0


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[2:122:8] + SAMPLE[142::17])
def test_legality_for_a_role_is_a_function_of_its_view(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = open_table(rules(pack), seed, seats=seats, haunt=haunt)
    assert completeness.legality_is_the_roles_own(game, steps(game, random.Random(seed))) > 40


@pytest.mark.parametrize("haunt", HIDDEN)
@pytest.mark.parametrize("seed", range(6))
def test_a_hidden_traitor_cannot_be_told_from_the_outside(seed: int, haunt: str) -> None:
    assert secrecy.hidden_roles_tell_nothing(rules("second-edition"), seed, haunt) > 10


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
@pytest.mark.parametrize("side", ["heroes", "traitor"])
@pytest.mark.parametrize("haunt", TWO_BOOKS)
def test_a_book_tells_the_other_side_nothing_until_play_shows_it(haunt: str, side: Side) -> None:
    second = pack("second-edition")
    assert secrecy.books_tell_nothing(second, haunt, side, 1) > 40
    assert secrecy.books_tell_nothing(second, haunt, side, 2, titles=True) >= 4


def test_a_private_look_tells_nobody_else() -> None:
    compared = [secrecy.private_looks_tell_nothing(rules("second-edition"), seed) for seed in range(60)]
    assert sum(1 for commits in compared if commits) >= 3, "too few games had a look at the stack in them"


def test_the_hidden_traitor_may_reveal_while_somebody_is_asked() -> None:
    pack = rules("second-edition")
    revealed = [
        completeness.reveal_at_a_question(pack, seed, HIDDEN[seed % len(HIDDEN)], seats=3 + seed % 4)
        for seed in range(32)
    ]
    assert sum(revealed) >= 8


def test_roles_states_hold_no_frames_and_no_chance() -> None:
    game = play(rules("second-edition"), 5, haunt="the-hollow-guest")
    told: dict[Mask, State] = role_states(game)
    for principal, state in told.items():
        if principal != 1 << 7:
            assert state.frames == []
            assert state.chances == 0


def test_a_prepared_stack_is_known_to_the_referee_alone() -> None:
    pack = rules("second-edition")
    opened = GameOpened(
        game="arranged", edition="second", pack="second-edition", pack_digest="", seats=3, options={}, source="seeded"
    )
    state, told = open_game(pack, opened, {"first_seat": 0, "tiles": ["attic", "vault"], "omen": ["skull"]})
    commits = [told]
    commits += [claim(pack, state, SeatClaimed(seat=seat)) for seat in range(3)]
    commits.append(start_game(pack, state, Seeded(b"arranged", "arranged"), TODAY))
    for principal in principals(3):
        known = fold(State(), [redact(commit, principal) for commit in commits])
        faces = [slot.face for deck in known.decks.values() for slot in deck.top if slot.face]
        assert faces == (["skull", "attic", "vault"] if principal == REFEREE else []), principal
        assert bool(known.setup) == (principal == REFEREE)


def test_every_random_game_ends() -> None:
    for name, seed, seats, haunt in SAMPLE[::22]:
        game = play(rules(name), seed, seats=seats, haunt=haunt)
        assert game.state.status == "finished"
        assert game.state.because
