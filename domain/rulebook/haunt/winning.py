"""Winning: the first side to reach its goal wins (rulebook: Winning the Game)."""

from __future__ import annotations

from domain.engine.block import Frame
from domain.engine.machine import Machine
from domain.facts.audience import EVERYBODY
from domain.facts.events import Disclosed, GameEnded, TextTold
from domain.facts.state import State
from domain.queries.characters import side_of


def judge(m: Machine) -> bool:
    """End the game if a side has reached its goal; the acting character's side is looked at first (2E-WIN-001, ruling)."""
    state = m.state
    if state.status != "started":
        return state.status in ("finished", "abandoned")
    if state.haunt is None:
        return False
    if not heroes_left(state):
        turned = any(one.alive and one.seat != state.haunt.traitor for one in state.explorers)
        end_game(
            m, "traitor", "No hero is left." if turned else "All heroes are dead."
        )  # they can no longer win (2E-WIN-003)
        return True
    if not state.haunt.started:
        return False  # it is still being set up
    frame = Frame(m.rules.block("act"), {"you": state.first_seat(), "src": "haunt:heroes"})
    acting = "traitor" if state.turn.monsters else side_of(state, state.turn.seat)
    for side in (acting, "heroes" if acting == "traitor" else "traitor"):
        goal = m.rules.pack.goals.get((state.haunt.id, side))
        if goal is not None and goal[0](m, frame):
            if (state.haunt.id, side) in m.rules.pack.goals_by_players and not all(
                one.alive for one in state.explorers
            ):
                m.apply_rule(f"haunt:{side}", m.rules.cite.dead_count)
            end_game(m, side, goal[1])
            return True
    if not any(one.alive and one.side != "traitor" for one in state.explorers):
        end_game(m, "traitor", "No hero is left in the house.")  # too few got out
        return True
    return False


def heroes_left(state: State) -> bool:
    """Whether a hero survives, in the house or out of it (2E-WIN-003)."""
    return any((one.alive or one.removed) and one.side != "traitor" for one in state.explorers)


def monsters_play_on(m: Machine) -> bool:
    """Whether monsters have a turn: the traitor lives, or the haunt says that they can win without it (2E-HTURN-005).

    If it does not, or is silent, the heroes go on alone: they still have their goal to reach.
    """
    haunt = m.state.haunt
    if haunt is None or haunt.traitor < 0:
        return True
    traitor = m.state.explorers[haunt.traitor]
    if traitor.alive or traitor.removed:
        return True
    holds = m.rules.pack.plays_on.get(haunt.id)
    return holds is not None and holds(m, Frame(m.rules.block("act"), {"you": traitor.seat, "src": "haunt:traitor"}))


def end_game(m: Machine, winner: str, because: str) -> None:
    """Say who won and why, and who was on which side."""
    state = m.state
    haunt = state.haunt
    if haunt is not None and haunt.traitor >= 0:
        innocents = [one.seat for one in state.explorers if one.side != "traitor"]
        m.emit(Disclosed(traitor=haunt.traitor, innocents=innocents), EVERYBODY)
    rule = m.rules.cite.won if heroes_left(state) else m.rules.cite.last_hero
    if winner == "traitor" and haunt is not None and haunt.traitor >= 0 and not state.explorers[haunt.traitor].alive:
        rule = m.rules.cite.won_dead
    if haunt is not None and winner:
        book = "heroes" if winner == "heroes" or m.rules.pack.haunts[haunt.id].traitor_book is None else "traitor"
        m.emit(TextTold(side="all", text=f"{book}.ending", rule=m.rules.cite.ending))
    m.emit(GameEnded(winner=winner, because=because, rule=rule))
