"""How things stand for a role: the table in a few lines, from its own fold."""

from __future__ import annotations

from collections.abc import Iterator

from content.vocabulary.base import TRAITS
from domain.engine.rules import Rules
from domain.facts.state import Explorer, State
from domain.rulebook.desk.disputing import disputes
from projections.naming.names import Names, enumerated
from projections.naming.standings import verdict


def standing(rules: Rules, state: State) -> list[str]:
    """What a role sees on the table, line by line."""
    names = Names(rules, state)
    return [
        *_turn(rules, state, names),
        *_figures(state, names),
        *_things(state, names),
        *_secrets(state, names),
        *_rulings(state, names),
    ]


def _turn(rules: Rules, state: State, names: Names) -> Iterator[str]:
    if over := verdict(rules, state):
        yield over
        return
    turn = state.turn
    whose = "the monsters, played by " if turn.monsters else ""
    haunt = f" Haunt of {names.haunt(state.haunt.id)}." if state.haunt is not None else ""
    yield f"Turn {turn.number} of {whose}{names.figure(turn.seat)}.{haunt}"


def _figures(state: State, names: Names) -> Iterator[str]:
    for explorer in state.explorers:
        yield _explorer(explorer, names)
    for monster in state.monsters.values():
        numbers = ", ".join(f"{trait} {value}" for trait, value in monster.traits.items())
        traits = f"{enumerated(list(monster.has))} unknown" if monster.boxed else numbers
        extra = "".join(
            [", stunned" if monster.stunned else "", f"; {names.cards(monster.cards)}" if monster.cards else ""]
        )
        yield f"{names.monster(monster.id)} in {names.room(monster.room)}, {traits}{extra}."
    sides = {side: [one.seat for one in state.explorers if one.side == side] for side in ("heroes", "traitor")}
    for side, seats in sides.items():
        if seats:
            who = enumerated([names.figure(seat) for seat in seats])
            what = "the traitor" if side == "traitor" else "a hero" if len(seats) == 1 else "heroes"
            yield f"{who} {'is' if len(seats) == 1 else 'are'} {what}."


def _explorer(explorer: Explorer, names: Names) -> str:
    who = f"{names.figure(explorer.seat)} (seat {explorer.seat})"
    if explorer.removed or not explorer.alive:
        left = f" and has {names.cards(explorer.cards)}" if explorer.died >= 0 and explorer.cards else ""
        return f"{who} {'got away' if explorer.escaped else 'is out of the house' if explorer.removed else 'is dead'}{left}."
    traits = ", ".join(f"{trait} {explorer.value(trait)}" for trait in TRAITS)
    held = f"; held by {names.card(explorer.held.card)}" if explorer.held is not None else ""
    cards = f"; has {names.cards(explorer.cards)}" if explorer.cards else ""
    return f"{who} in {names.room(explorer.room)}, {traits}{cards}{held}."


def _things(state: State, names: Names) -> Iterator[str]:
    for pile in state.piles:
        if pile.cards:
            yield f"On the floor of {names.room(pile.room)} {'lies' if len(pile.cards) == 1 else 'lie'} {names.cards(pile.cards)}."
    for here in state.tokens:
        count = f"{here.count} tokens" if here.count > 1 else "token"
        yield f"{names.token(here.token)} {count} in {names.room(here.room)}."
    for card, room in state.companions.items():
        yield f"{names.card(card)} waits in {names.room(room)}."
    if state.haunt is not None:
        for name, number in state.haunt.counters.items():
            yield f"{names.counter(name)} at {number}."


def _secrets(state: State, names: Names) -> Iterator[str]:
    for name, deck in state.decks.items():
        known = [names.face(name, slot.face) if slot.face else "?" for slot in deck.top]
        if any(slot.face for slot in deck.top):
            yield f"The {names.deck(name)} goes on with {', '.join(known)}."
    if state.haunt is not None:
        for name, value in state.haunt.secrets.items():
            if value:
                yield f"The secret {name} is {names.room(value)}."


def _rulings(state: State, names: Names) -> Iterator[str]:
    if state.sandbox is not None:
        yield f"This is a sandbox; {'what its maker did not know is invented' if state.sandbox.sampled else 'it began with the truth'}."
    for ruling in state.rulings.agreed if state.rulings is not None else []:
        yield f'Agreed: "{ruling.text}"'
    for dispute in disputes(state):
        if not dispute.outcome:
            yield f"Dispute {dispute.number} of {names.figure(dispute.by)} is open."
        for held in dispute.rulings()[-1:]:
            if held.precedent:
                yield f'Precedent: "{held.text}"'
