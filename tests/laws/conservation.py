"""No card and no tile is lost or doubled, for anybody: what a role does not see in its place is in its pool.

A stack is a row of slots and a pool of the faces that no slot has yet. So the pool is as large as there are slots without a face,
in the engine's state and in that of every role, and all of them count the same cards.
"""

from __future__ import annotations

import random
from collections import Counter

from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, Mask
from domain.facts.pieces import Deck, Slot
from domain.facts.state import State
from tests.laws.playout import open_table, principals, steps


def check_game(pack: Rules, seed: int, *, seats: int, haunt: str = "", every: int = 1) -> int:
    """Play a game and look at every so many commits; returns how many stacks were counted.

    Raises:
        AssertionError: somewhere a card is lost or doubled.
    """
    game = open_table(pack, seed, seats=seats, haunt=haunt)
    roles: dict[Mask, State] = {principal: State() for principal in principals(seats)}
    counted = folded = 0
    for number, _ in enumerate(steps(game, random.Random(seed))):
        for principal, state in roles.items():
            fold(state, [redact(commit, principal) for commit in game.commits[folded:]])
        folded = len(game.commits)
        if number % every == 0:
            for name in game.state.decks:
                where = f"{game.name}, commit {folded}, {name}"
                _nothing_is_doubled(pack, game.state, name, where)
                for principal, state in roles.items():
                    _agrees(state.decks[name], game.state.decks[name], f"{where}, seen by {principal}")
                assert roles[REFEREE].decks[name] == game.state.decks[name], where
                counted += 1 + len(roles)
    return counted


def slots(deck: Deck) -> list[Slot]:
    """Every slot of which something is known, those of tiles set aside among them."""
    return [*deck.top, *deck.bottom, *deck.aside]


def _nothing_is_doubled(pack: Rules, state: State, name: str, where: str) -> None:
    """Each face is in one place at the most, and in one exactly while nothing is being done with it."""
    deck = state.decks[name]
    places = Counter([*deck.pool, *deck.discard, *(slot.face for slot in slots(deck) if slot.face)])
    places.update(list(state.rooms))
    for explorer in state.explorers:
        places.update(explorer.cards)
    for monster in state.monsters.values():
        places.update(monster.cards)
    for pile in state.piles:
        places.update(pile.cards)
    places.update(list(state.companions))
    doubled = [face for face in pack.pack.decks[name] if places[face] > 1]
    assert not doubled, f"{where}: in two places: {doubled}"
    lost = [face for face in pack.pack.decks[name] if not places[face] and not _may_be_out(pack, state, face)]
    assert state.frames or not lost, f"{where}: in no place: {lost}"


def _may_be_out(pack: Rules, state: State, face: str) -> bool:
    """Whether a card may be in no place: its effect lasts, it holds somebody, or it left the game with its owner (2E-DEATH-006)."""
    card = pack.pack.cards.get(face)
    if card is None:
        return False
    holds = any(explorer.held is not None and explorer.held.card == face for explorer in state.explorers)
    gone = (
        card.deck == "omen" and not pack.pack.is_item(face) and not all(explorer.alive for explorer in state.explorers)
    )
    return card.lasting or holds or gone


def _agrees(known: Deck, deck: Deck, where: str) -> None:
    """A role counts what the engine counts, and its pool fills its slots."""
    assert known.size() == deck.size(), f"{where}: {known.size()} in the stack, not {deck.size()}"
    assert (len(known.aside), known.discard) == (len(deck.aside), deck.discard), where
    blank = known.unknown + sum(not slot.face for slot in slots(known))
    assert len(known.pool) == blank, f"{where}: {len(known.pool)} faces for {blank} slots"
    assert known.unknown >= 0, where
