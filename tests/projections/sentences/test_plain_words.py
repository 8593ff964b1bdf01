"""Traces, sentences, briefs and disputes speak in the words of the rules, over random games of every haunt."""

import random

import pytest

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.chance import Seeded
from domain.local import LocalGame, Opening
from service.bots.playtest import play_out
from tests.laws import speaking
from tests.laws.playout import Game, Recorded, open_table, play, role_states, steps
from tests.support.packs import EVERY_HAUNT, rules
from tests.support.scenarios import scenario_for

SAMPLE = [(pack, seed, 3 + seed % 4, haunt) for seed, (pack, haunt) in enumerate(EVERY_HAUNT)]


def test_words_are_collected_from_the_vocabulary_and_the_pack() -> None:
    assert {"place-tile", "place_tile", "wins-when", "left-of-revealer", "before-roll"} <= speaking.vocabulary()
    assert {"rabbits-foot", "charred-room"} <= speaking.keys_of(rules("second-edition"))
    for text in ("by place-tile", "a secret_name", "on card:axe", "at charred-room", "It has no effect.", "{'a': 1}"):
        assert speaking.raw_in(rules("second-edition"), text), text
    for text in ("Face-down, and/or 2-3: Rabbit's Foot", "[2E-ROLL-001]", "8 dice: Might 5, Axe 3"):
        assert not speaking.raw_in(rules("second-edition"), text), text


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[2::26])
def test_a_game_is_told_in_words(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = play(rules(pack), seed, seats=seats, haunt=haunt)
    assert speaking.everything_is_in_words(game, [REFEREE if seed % 4 else seat_bit(1)], every=150) > 500
    sheet = game.rules.of(game.state).pack.haunts[haunt]
    known = role_states(game)[REFEREE]
    assert speaking.every_effect_is_in_words(game.rules, known, [sheet]) > 10


@pytest.mark.parametrize("pack", ["second-edition", "third-edition"])
def test_what_cards_and_rooms_do_is_told_in_words(pack: str) -> None:
    game = open_table(rules(pack), 1)
    assert speaking.every_effect_is_in_words(game.rules, game.state, speaking.pieces_of(game.rules.pack.source)) > 100


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[7::40])
def test_a_dispute_is_told_in_words(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = open_table(rules(pack), seed, seats=seats, haunt=haunt)
    for number, _ in enumerate(steps(game, random.Random(seed))):
        if number > 60 and not game.state.open:
            break
    assert speaking.disputes_are_in_words(game, (REFEREE, seat_bit(0), SPECTATORS)) > 40


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[5::26])
def test_a_refusal_is_told_in_words(pack: str, seed: int, seats: int, haunt: str) -> None:
    assert speaking.refusals_are_in_words(rules(pack), seed, seats=seats, haunt=haunt, every=25) > 100


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_every_refusal_is_told_in_words(pack: str, seed: int, seats: int, haunt: str) -> None:
    assert speaking.refusals_are_in_words(rules(pack), seed, seats=seats, haunt=haunt, every=10) > 200


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
@pytest.mark.parametrize("again", range(4))
def test_every_haunt_is_told_in_words(pack: str, seed: int, seats: int, haunt: str, again: int) -> None:
    game = play(rules(pack), seed + 100 * again, seats=3 + (seats + again) % 4, haunt=haunt)
    speaking.everything_is_in_words(game, speaking.everybody(game), every=37)
    known = role_states(game)[REFEREE]
    speaking.every_effect_is_in_words(game.rules, known, [game.rules.of(game.state).pack.haunts[haunt]])


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
def test_what_steady_bots_do_is_told_in_words(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = steady(rules(pack), seed, seats, haunt)
    speaking.everything_is_in_words(game, speaking.everybody(game), every=37)


def steady(rules: Rules, seed: int, seats: int, haunt: str) -> Game:
    """A game that good players play further than random ones."""
    wanted = {"haunt": haunt, "turn_limit": 300, "scenario": scenario_for(rules, seed)}
    opening = Opening(name=f"steady-{seed}", seats=seats, options={name: one for name, one in wanted.items() if one})
    table = LocalGame.opened(rules, Seeded(b"seed %d" % seed, opening.name), opening)
    for _ in play_out(table, ["steady"] * seats, str(seed)):
        pass
    game = Game(opening.name, rules, Recorded(Seeded(b"", "")), table.state, [list(one.told) for one in table.log])
    game.acts = [(one.actor, one.command) for one in table.log if one.command is not None]
    return game
