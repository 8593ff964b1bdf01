"""Having read out what the other side's book says of something that was used (rulebook: All Actions Are Considered to Be Open Information)."""

from __future__ import annotations

from domain.engine.books import one_book
from domain.engine.external import is_external
from domain.engine.machine import Machine
from domain.engine.parts import side_of_part
from domain.engine.rules import Rules
from domain.facts.commands import Demand
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.queries.characters import side_of

PARTS = "parts"
"""The decision that a demand names: nobody is awaited for it."""


def demandable(state: State, seat: int) -> list[str]:
    """Parts that a seat may have read out: used for all to see, not read out yet, and of a book that is not its side's."""
    haunt = state.haunt
    if haunt is None or state.status != "started":
        return []
    mine = side_of(state, seat)
    return [part for part in haunt.used if part not in haunt.disclosed and side_of_part(part) != mine]


def check_demand(rules: Rules, state: State, actor: int, command: Demand) -> None:
    """Check that a seat may have a part read out.

    Raises:
        Refused: `decision-closed`, `game-over`, or by the rule on what opens a part: nobody used it, it is open, the seat's side has the book, or
            everybody has.
    """
    if command.decision != PARTS:
        raise Refused(f"use the decision `{PARTS}`", problem="decision-closed")
    if state.status != "started":
        raise Refused(f"the game is {state.status}", problem="game-over")
    haunt, cite = state.haunt, rules.cite
    rule = cite.part_used or cite.goals_hidden or cite.closed_books
    if haunt is None:
        raise Refused("the books are closed until the haunt begins", rule=cite.closed_books or rule)
    if not 0 <= actor < state.seats:
        raise Refused("only players demand: the referee reads both books", rule=rule)
    if not is_external(state) and one_book(rules.pack.haunts[haunt.id]):
        raise Refused("everybody has read the one book of this haunt: nothing is left to be demanded", rule=rule)
    part = f"part:{command.part}"
    if command.part not in haunt.used:
        raise Refused("{} has not been used for all to see: it can be demanded only once it has been", part, rule=rule)
    if command.part in haunt.disclosed:
        raise Refused("{} has already been read out", part, rule=rule)
    if command.part not in demandable(state, actor):
        raise Refused("{} is in your own side's book: only what the other side's says can be demanded", part, rule=rule)


def perform_demand(m: Machine, actor: int, command: Demand) -> None:
    """Read it out to everybody. Raises as `check_demand`."""
    check_demand(m.rules, m.state, actor, command)
    m.disclose(command.part, by=actor)
