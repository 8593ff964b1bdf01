"""How a game stands or ended, in words."""

from __future__ import annotations

from domain.rules import Rules
from domain.state import State
from projections.names import Names, enumerated

SHOWN = {
    "State": ("status", "winner", "because", "explorers", "haunt", "turn"),
    "Explorer": ("seat", "id", "alive", "side"),
    "Turn": ("number",),
    "Haunt": ("id",),
}
"""What of a role's state is read here; any other field stays hidden."""


WON = {"heroes": "The heroes have won", "traitor": "The traitor has won"}


def verdict(rules: Rules, state: State) -> str:
    """Who won and why, in a few sentences; empty while the game goes on.

    `The heroes have won in turn 61: The last verse is spoken. Haunt: The Gnawing Tide. The traitor was Ox Bellows. Alive: Zoe
    Ingstrom and Ox Bellows.`
    """
    if state.status not in ("finished", "abandoned"):
        return ""
    names = Names(rules, state)
    sentences = [_result(state)]
    if state.haunt is not None:
        sentences.append(f"Haunt: {names.haunt(state.haunt.id)}.")
    traitors = [names.character(one.id) for one in state.explorers if one.side == "traitor"]
    if traitors:
        sentences.append(f"The traitor was {enumerated(traitors)}.")
    if state.explorers:
        alive = [names.character(one.id) for one in state.living()]
        sentences.append(f"Alive: {enumerated(alive)}." if alive else "Nobody is left alive.")
    return " ".join(sentences)


def _result(state: State) -> str:
    because = state.because.rstrip(".")
    if state.winner:
        return f"{WON[state.winner]} in turn {state.turn.number}: {because}."
    ended = "was abandoned" if state.status == "abandoned" else "is over, and nobody has won"
    return f"The game {ended}: {because}." if because else f"The game {ended}."
