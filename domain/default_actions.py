"""Default actions: what is done for an absent player, and for a dispute that nobody decides, when a deadline runs out.

They follow from the state alone, so that an audit decides them again. The service knows when a deadline runs out (`service.log.deadlines`).
"""

from __future__ import annotations

from domain.decide import decide
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.chance import Chance
from domain.facts.commands import AnyCommand, Choose, EndTurn
from domain.facts.events import Told
from domain.facts.lifecycle_commands import Expired, Lapsed
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Decision, State
from domain.rulebook.desk.disputing import perform_lapse
from domain.rulebook.desk.pausing import paused
from domain.rulebook.turn.options import answering_seat, legal, turn_decision

MILD = ("pass", "no", "ready", "go-on")
"""Answers that commit to nothing: the default wherever they are offered."""


def waiting_for(state: State) -> list[str]:
    """The decisions that are open, or the turn's own; none while play is paused."""
    if state.status != "started" or paused(state):
        return []
    turn = turn_decision(state)
    return [turn] if turn else list(state.open)


def with_default(state: State) -> list[str]:
    """Those that have a default action."""
    return [one for one in waiting_for(state) if one not in state.open or _has_default(state.open[one])]


def _has_default(decision: Decision) -> bool:
    """Only those who hold them can say what dice, cards and tokens show."""
    physical = decision.kind == "chance" or decision.about == "role" or decision.about.startswith("witness:")
    return decision.seat != MODERATOR and not physical


def default_of(rules: Rules, state: State, decision: str) -> AnyCommand:
    """The default action of an open decision: pass, refuse, be ready, end the turn, or the first answer.

    Raises:
        Refused: the decision is not open.
    """
    seat = answering_seat(state, decision)
    listed = [one for one in legal(rules, state, seat) if one.decision == decision]
    for command in listed:
        if isinstance(command, EndTurn) or (isinstance(command, Choose) and command.option in MILD):
            return command
    return listed[0]


def take_default(rules: Rules, state: State, expired: Expired, chance: Chance) -> list[Told]:
    """Take the default action for an absent player; advances the state.

    Raises:
        Refused: the decision is no longer open, or its default has changed.
    """
    if default_of(rules, state, expired.decision) != expired.command:
        raise Refused("the default action of this decision has changed", problem="conflict")
    return decide(rules, state, answering_seat(state, expired.decision), expired.command, chance)


def lapse_dispute(rules: Rules, state: State, lapsed: Lapsed, chance: Chance) -> list[Told]:
    """Close a dispute whose time by the clock is over; advances the state.

    Raises:
        Refused: it is closed, or has no such deadline.
    """
    machine = Machine(rules.of(state), state, chance)
    perform_lapse(machine, lapsed.dispute)
    return machine.told
