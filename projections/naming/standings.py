"""How a game stands or ended, in words."""

from __future__ import annotations

from typing import Protocol

from domain.engine.rules import Rules
from domain.facts.state import Monster, State
from projections.naming.names import Names, closed, enumerated, readable

SHOWN = {
    "State": ("status", "winner", "because", "explorers", "haunt", "turn"),
    "Explorer": ("seat", "id", "alive", "escaped", "removed", "side"),
    "Turn": ("number",),
    "Haunt": ("id",),
    "Monster": ("traits", "boxed", "has"),
}
"""The fields of a role's state that are read here; all others stay hidden."""


class Fated(Protocol):
    """An explorer, in a state or in a view."""

    @property
    def alive(self) -> bool:
        """False also for an explorer that left the house without dying."""

    @property
    def escaped(self) -> bool:
        """It escaped from the house."""

    @property
    def removed(self) -> bool:
        """It left the house for good."""


def verdict(rules: Rules, state: State) -> str:
    """Who won and why, in a few sentences; empty while the game goes on.

    `The heroes have won in turn 61: The last verse is spoken. Haunt: The Gnawing Tide. The traitor was Ox Bellows. Alive: Zoe
    Ingstrom and Ox Bellows.`
    """
    if state.status not in ("finished", "abandoned"):
        return ""
    names = Names(rules, state)
    sentences = [_result(state, names)]
    if state.haunt is not None:
        sentences.append(closed(f"Haunt: {names.haunt(state.haunt.id)}"))
    traitors = [names.character(one.id) for one in state.explorers if one.side == "traitor"]
    if traitors:
        sentences.append(closed(f"The traitor was {enumerated(traitors)}"))
    if state.explorers:
        alive = [names.character(one.id) for one in state.living()]
        escaped = [names.character(one.id) for one in state.explorers if one.escaped]
        told = [f"{what}: {enumerated(who)}" for what, who in (("Escaped", escaped), ("Alive", alive)) if who]
        sentences += map(closed, told or ["Nobody is left alive"])
    return " ".join(sentences)


def fate(explorer: Fated) -> str:
    """What has become of an explorer: `alive`, `escaped`, `out of the house` or `dead`."""
    if explorer.alive:
        return "alive"
    if explorer.escaped:
        return "escaped"
    return "out of the house" if explorer.removed else "dead"


def _result(state: State, names: Names) -> str:
    because = state.because.rstrip(".")
    if state.winner:
        return closed(f"{names.winner(state.winner)} in turn {state.turn.number}: {because}")
    ended = "was abandoned" if state.status == "abandoned" else "is over, and nobody has won"
    return closed(f"The game {ended}: {because}" if because else f"The game {ended}")


def numbers_of(monster: Monster) -> str:
    """A monster's traits with their numbers, as far as the role knows them: `Might 4, Speed 3`, or `Might, Speed` of a closed box."""
    if monster.boxed:
        return ", ".join(map(readable, monster.has))
    return ", ".join(f"{readable(trait)} {value}" for trait, value in monster.traits.items())
