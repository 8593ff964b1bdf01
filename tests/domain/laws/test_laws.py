"""The laws over a fixed sample of games; `./dev prove` runs them at length."""

import random
from itertools import product

import pytest

from content.vocabulary.base import Side
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, Mask
from domain.facts.chance import Seeded
from domain.facts.events import GameOpened, SeatClaimed
from domain.facts.state import State
from domain.game import claim, open_game, start_game
from tests.laws import completeness, informing, replay, secrecy, tracing
from tests.laws.playout import TODAY, open_table, play, principals, role_states, steps
from tests.support.packs import HAUNTS, HIDDEN, THIRD, TWO_BOOKS, haunts, pack, rules, rules_of, rules_with
from tests.support.sampling import sampled

SECOND = [("second-edition", seed, 3 + seed % 4, HAUNTS[seed % len(HAUNTS)]) for seed in range(75)]
OF_THIRD = [
    *[("third-edition", seed, seats, haunt) for seed, (haunt, seats) in enumerate(product(THIRD, (3, 4, 5, 6)))],
    *[("third-edition", seed, 3 + seed, "") for seed in range(4)],
]
BY_POST = [("play-by-post", seed, 3 + seed % 4, HAUNTS[seed % len(HAUNTS)]) for seed in range(1000, 1020)]
"""The same content as the second edition, another policy."""
THIRD_HIDDEN = haunts("third-edition", kind="hidden-traitor")
TYPES = [
    ("third-edition", seed, 3 + seed % 4, haunt)
    for seed, haunt in enumerate((*haunts("third-edition", kind="free-for-all")[:2], *THIRD_HIDDEN[:2]))
]
"""Of the third edition: everybody against everybody, and one against all others in secret."""


@pytest.mark.parametrize("pack,seed,seats,haunt", sampled(SECOND + OF_THIRD + BY_POST, every=3))
def test_replay_equals_live_and_every_game_ends(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules_of(pack), seed, seats=seats, haunt=haunt)
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)
    assert game.state.status == "finished"
    assert game.state.because


@pytest.mark.parametrize("pack,seed,seats,haunt", SECOND[::8] + OF_THIRD[::9] + BY_POST[::6])
def test_tape_and_moderator_give_the_same_game(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules_of(pack), seed, seats=seats, haunt=haunt)
    replay.tape_gives_the_log(game)
    replay.moderator_gives_the_log(game)


@pytest.mark.parametrize("pack,seed,seats,haunt", SECOND[1::7] + OF_THIRD[1::15] + BY_POST[1::8] + TYPES[:2])
def test_listed_commands_are_exactly_the_accepted_ones(pack: str, seed: int, seats: int, haunt: str) -> None:
    game, accepted, refused = completeness.check_game(rules_of(pack), seed, seats=seats, haunt=haunt, every=3)
    assert game.state.status == "finished"
    assert accepted > 20
    assert refused > 20


@pytest.mark.parametrize("pack,seed,seats,haunt", SECOND[3::6] + OF_THIRD[3::15])
def test_no_deed_is_offered_of_which_nothing_can_come(pack: str, seed: int, seats: int, haunt: str) -> None:
    assert completeness.no_listed_deed_is_in_vain(rules(pack), seed, seats=seats, haunt=haunt) >= 0


@pytest.mark.parametrize("pack,seed,seats,haunt", SECOND[2::7] + OF_THIRD[2::15] + BY_POST[2::8] + TYPES[2:])
def test_legality_for_a_role_is_a_function_of_its_view(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = open_table(rules_of(pack), seed, seats=seats, haunt=haunt)
    least = 100 if pack == "play-by-post" else 40
    assert completeness.legality_is_the_roles_own(game, steps(game, random.Random(seed))) > least


@pytest.mark.parametrize(
    "pack,seed,haunt",
    [
        *[("second-edition", seed, haunt) for seed in range(6) for haunt in HIDDEN],
        *[("play-by-post", seed, "the-hollow-guest") for seed in range(3)],
        *[("third-edition", seed, haunt) for haunt in THIRD_HIDDEN for seed in (0, 1)],
    ],
)
def test_a_hidden_traitor_cannot_be_told_from_the_outside(pack: str, seed: int, haunt: str) -> None:
    assert secrecy.hidden_roles_tell_nothing(rules_of(pack), seed, haunt) > 10


@pytest.mark.parametrize("haunt", THIRD_HIDDEN)
@pytest.mark.parametrize("seats", [3, 5, 6])
def test_nor_at_a_smaller_or_larger_table(haunt: str, seats: int) -> None:
    assert secrecy.hidden_roles_tell_nothing(rules("third-edition"), seats, haunt, seats=seats) > 10


HIDDEN_OF = [*product(["second-edition", "play-by-post"], HIDDEN), *product(["third-edition"], THIRD_HIDDEN)]
BY_HAND = secrecy.SOURCES[1:]


@pytest.mark.parametrize(
    "pack,haunt,seed,source",
    sampled([(*one, seed, source) for seed, one, source in product(range(8), HIDDEN_OF, BY_HAND)], every=13),
)
def test_nor_by_whose_dice_wait_to_be_rolled(pack: str, haunt: str, seed: int, source: str) -> None:
    assert secrecy.hidden_roles_tell_nothing(rules_of(pack), seed, haunt, source=source) > 10


PROWLING = """
  id: prowling
  title: Prowling
  stage: draft
  kind: hidden-traitor
  story: S
  monsters:
    wolf: {title: Wolf, speed: 4, might: 3, explores: true, carries: true, dies: true}
    crow: {title: Crow, speed: 3, might: 1, sanity: 2, knowledge: 2}
  counters: {howls: {title: Howls, start: 0}}
  heroes:
    story: S
    goal: G
    right-now:
      - {place-monster: {kind: wolf, at: entrance-hall, count: 2}}
      - {place-monster: {kind: crow, at: upper-landing}}
    actions:
      - word: HOWL
        title: Howl
        for: monsters
        once: {per: turn}
        do:
          - choose:
              - id: far
                do: [{roll: {one-of: [might, speed]}, outcomes: {2+: [{count: {counter: howls, by: 1}}], 0-1: []}}]
              - id: near
                do: [{may: true, move: {to: {next-door: true}}}]
    on:
      - {when: monsters-ended, do: [{count: {counter: howls, by: 1}}]}
      - {when: turn-started, for: everyone, do: [{count: {counter: howls, by: 1}}]}
"""


@pytest.mark.rule("2E-HID-003", case=3, asserts=True)
@pytest.mark.parametrize(
    "seed,source", [*product(range(8), ["seeded"]), *sampled(list(product(range(8), BY_HAND)), every=9)]
)
def test_nor_by_the_monsters_that_it_runs(seed: int, source: str) -> None:
    """Monsters that walk, attack, discover rooms, carry, act and are asked, in two games with another traitor."""
    assert secrecy.hidden_roles_tell_nothing(rules_with(haunt=PROWLING), seed, "prowling", source=source) > 100


def test_monsters_run_by_name_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted mistake: the engine, which knows the traitor, names it."""
    kept = Rules.controller
    monkeypatch.setattr(Rules, "controller", lambda one, state, figure: state.seat_of(kept(one, state, figure)))
    with pytest.raises(AssertionError, match="can tell the worlds apart"):
        secrecy.hidden_roles_tell_nothing(rules_with(haunt=PROWLING), 0, "prowling")


@pytest.mark.parametrize("seed", sampled([0, 2, 3], every=3))
def test_a_game_whose_monsters_nobody_is_seen_to_run_keeps_the_laws(seed: int) -> None:
    """What is listed is what is accepted, by the role's own fold; decided again it is the same, and a trace tells it to all."""
    own = rules_with(haunt=PROWLING)
    game = play(own, seed, haunt="prowling")
    assert game.unnamed
    replay.redeciding_gives_the_log(game)
    replay.log_round_trips(game)
    informing.who_acts_is_told(game)
    for who in principals(4):
        tracing.everything_cites(game, who)
    fresh = open_table(own, seed, haunt="prowling")
    assert completeness.legality_is_the_roles_own(fresh, steps(fresh, random.Random(seed))) > 40
    assert completeness.check_game(own, seed, seats=4, haunt="prowling", every=5)[1] > 20


@pytest.mark.rule("2E-SEC-001", case=1, asserts=True)
@pytest.mark.parametrize("side", ["heroes", "traitor"])
@pytest.mark.parametrize("haunt", sampled(TWO_BOOKS, every=9))
def test_a_book_tells_the_other_side_nothing_until_play_shows_it(haunt: str, side: Side) -> None:
    second = pack("second-edition")
    assert secrecy.books_tell_nothing(second, haunt, side, 1) > 40
    assert secrecy.books_tell_nothing(second, haunt, side, 2, titles=True) >= 4


def test_a_private_look_tells_nobody_else() -> None:
    compared = [secrecy.private_looks_tell_nothing(rules("second-edition"), seed) for seed in range(40, 60)]
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
