"""Winning: the first side to reach its goal wins (rulebook: Winning the Game)."""

from __future__ import annotations

from domain.audience import EVERYBODY
from domain.effects.characters import side_of
from domain.effects.machine import Frame, Machine
from domain.events import Disclosed, GameEnded, TextTold


def judge(m: Machine) -> bool:
    """End the game if a side has reached its goal; the acting character's side is looked at first (2E-WIN-001, ruling)."""
    state = m.state
    if state.status != "started":
        return state.status in ("finished", "abandoned")
    if state.haunt is None:
        return False
    heroes_live = any(one.alive and one.side != "traitor" for one in state.explorers)
    if not heroes_live:
        if any(one.escaped for one in state.explorers):
            _end_without_heroes(m)
        else:
            end_game(m, "traitor", "All heroes are dead.")  # they can win no more (2E-WIN-003)
        return True
    if not state.haunt.started:
        return False  # it is still being set up
    frame = Frame(m.rules.block("act"), {"you": max(state.turn.seat, 0), "src": "haunt:heroes"})
    acting = "traitor" if state.turn.monsters else side_of(state, state.turn.seat)
    for side in (acting, "heroes" if acting == "traitor" else "traitor"):
        goal = m.rules.pack.goals.get((state.haunt.id, side))
        if goal is not None and goal[0](m, frame):
            end_game(m, side, goal[1])
            return True
    return False


def _end_without_heroes(m: Machine) -> None:
    """The last hero has got out, or died behind those who had: whoever has a goal fulfilled now has won, else the traitor."""
    haunt = m.state.haunt
    goal = m.rules.pack.goals.get((haunt.id, "heroes")) if haunt is not None else None
    frame = Frame(m.rules.block("act"), {"you": max(m.state.turn.seat, 0), "src": "haunt:heroes"})
    if goal is not None and goal[0](m, frame):
        end_game(m, "heroes", goal[1])
    else:
        end_game(m, "traitor", "No hero is left in the house.")


def end_game(m: Machine, winner: str, because: str) -> None:
    """Say who won and why, and who was on which side."""
    state = m.state
    haunt = state.haunt
    if haunt is not None and haunt.traitor >= 0:
        innocents = [one.seat for one in state.explorers if one.side != "traitor"]
        m.emit(Disclosed(traitor=haunt.traitor, innocents=innocents), EVERYBODY)
    heroes_live = any(one.alive and one.side != "traitor" for one in state.explorers)
    rule = m.rules.cite.won if heroes_live else m.rules.cite.last_hero
    if winner == "traitor" and haunt is not None and haunt.traitor >= 0 and not state.explorers[haunt.traitor].alive:
        rule = m.rules.cite.won_dead
    if haunt is not None and winner:
        book = "heroes" if winner == "heroes" or m.rules.pack.haunts[haunt.id].traitor_book is None else "traitor"
        m.emit(TextTold(side="all", text=f"{book}.ending", rule=m.rules.cite.ending))
    m.emit(GameEnded(winner=winner, because=because, rule=rule))
