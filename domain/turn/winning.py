"""Winning: the first side to reach its goal wins (rulebook: Winning the Game)."""

from __future__ import annotations

from domain.audience import EVERYBODY
from domain.effects.machine import Frame, Machine
from domain.effects.values import side_of
from domain.events import Disclosed, GameEnded


def judge(m: Machine) -> bool:
    """End the game if a side has reached its goal; the acting character's side is looked at first (2E-WIN-001, ruling)."""
    state = m.state
    if state.status != "started":
        return state.status in ("finished", "abandoned")
    if state.haunt is None:
        return False
    frame = Frame(m.rules.block("act"), {"you": max(state.turn.seat, 0), "src": "haunt:heroes"})
    acting = side_of(state, state.turn.seat) if not state.turn.monsters else "traitor"
    for side in (acting, "heroes" if acting == "traitor" else "traitor"):
        because = _goal_reached(m, frame, side)
        if because:
            end_game(m, side, because)
            return True
    return False


def _goal_reached(m: Machine, frame: Frame, side: str) -> str:
    """Why the side has won, or empty. Heroes can win only while one of them lives; with none left the traitor has won (2E-WIN-003)."""
    heroes_live = any(one.alive and one.side != "traitor" for one in m.state.explorers)
    if side == "traitor" and not heroes_live:
        return "All heroes are dead."
    if side == "heroes" and not heroes_live:
        return ""
    haunt = m.state.haunt
    goal = m.rules.pack.goals.get((haunt.id, side)) if haunt is not None and haunt.started else None
    if goal is None:
        return ""  # a haunt without such a goal, or one that is still being set up
    reached, because = goal
    return because if reached(m, frame) else ""


def end_game(m: Machine, winner: str, because: str) -> None:
    """Say who won and why, and who was on which side."""
    state = m.state
    haunt = state.haunt
    if haunt is not None and haunt.traitor >= 0:
        innocents = [one.seat for one in state.explorers if one.side != "traitor"]
        m.emit(Disclosed(traitor=haunt.traitor, innocents=innocents), EVERYBODY)
    heroes_live = any(one.alive and one.side != "traitor" for one in state.explorers)
    rule = m.rules.cite.won if heroes_live else m.rules.cite.last_hero
    m.emit(GameEnded(winner=winner, because=because, rule=rule))
