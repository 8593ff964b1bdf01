"""Winning: the first side to reach its goal wins (rulebook: Winning the Game)."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.block import Frame, more_to_come
from domain.engine.machine import Machine
from domain.facts.audience import EVERYBODY
from domain.facts.events import Disclosed, GameEnded, TextTold
from domain.facts.ids import HOUSE, is_own_side, own_side
from domain.facts.state import State
from domain.queries.characters import side_of, takes_turns, turn_order


def judge(m: Machine) -> bool:
    """End the game if a side has reached its goal; the acting character's side is looked at first (2E-WIN-001, ruling)."""
    state = m.state
    if state.status != "started":
        return state.status in ("finished", "abandoned")
    if state.haunt is None or _falling(m):
        return False
    survivors_decide = m.rules.edition.haunt.survivors_decide
    fallen = survivors_decide and not any(one.alive and one.side != "traitor" for one in state.explorers)
    if fallen and not heroes_left(state):
        turned = any(one.alive and one.seat != state.haunt.traitor for one in state.explorers)
        end_game(
            m, "traitor", "No hero is left." if turned else "All heroes are dead."
        )  # they can no longer win (2E-WIN-003)
        return True
    if state.haunt.started and (_goal_reached(m) or _lost(m)):  # before, it is still being set up
        return True
    if survivors_decide:
        if state.haunt.started and fallen:
            end_game(m, "traitor", "No hero is left in the house.")  # too few got out
            return True
        return False
    if not any(takes_turns(state, one) for one in state.explorers):
        end_game(m, "", "Nobody is left.")  # and no book says that this wins (3E-END-002, ruling)
        return True
    return False


def _falling(m: Machine) -> bool:
    """Whether one effect, which is one moment, has yet to come to some of those whom it befalls.

    Whoever falls by it falls together with the others: nobody has won for being the next in line.
    """
    return m.rules.edition.haunt.one_moment and any(more_to_come(frame) for frame in m.stack)


def _goal_reached(m: Machine) -> bool:
    """End the game if the goal of a book is reached."""
    haunt = m.state.haunt
    if haunt is None:
        return False
    for book, winner, asked in _goals(m):
        goal = m.rules.pack.goals.get((haunt.id, book))
        if goal is not None and goal[0](m, asked):
            if (haunt.id, book) in m.rules.pack.goals_by_players and not all(one.alive for one in m.state.explorers):
                m.apply_rule(f"haunt:{book}", m.rules.cite.dead_count)
            end_game(m, winner, goal[1])
            return True
    return False


def _goals(m: Machine) -> Iterator[tuple[str, str, Frame]]:
    """Whose goals there are, the acting side's first: the book that says it, who wins by it, and of whom it is asked.

    In a free-for-all it is asked of each explorer alive; else of nobody in particular.
    """
    state, act = m.state, m.rules.block("act")
    if is_own_side(state.explorers[0].side):
        for seat in turn_order(state):
            if state.explorers[seat].alive:
                yield "traitor", own_side(seat), Frame(act, {"you": seat, "src": "haunt:traitor"})
        return
    asked: Frame = Frame(act, {"you": state.first_seat(), "src": "haunt:heroes"})
    acting = "traitor" if state.turn.monsters else side_of(state, state.turn.seat)
    for side in (acting, "heroes" if acting == "traitor" else "traitor"):
        yield side, side, asked


def _lost(m: Machine) -> bool:
    """End the game if everybody's book says that its readers have lost: a hidden traitor has won then, and where there is none nobody."""
    haunt = m.state.haunt
    lost = m.rules.pack.losses.get(haunt.id) if haunt is not None else None
    if lost is None:
        return False
    book, holds, because = lost
    if not holds(m, Frame(m.rules.block("act"), {"you": m.state.first_seat(), "src": f"haunt:{book}"})):
        return False
    end_game(m, "traitor", because)
    return True


def heroes_left(state: State) -> bool:
    """Whether a hero survives, in the house or out of it (2E-WIN-003)."""
    return any((one.alive or one.removed) and one.side != "traitor" for one in state.explorers)


def monsters_play_on(m: Machine) -> bool:
    """Whether monsters have a turn: the traitor lives, or the haunt says that they can win without it (2E-HTURN-005).

    If it does not, or is silent, the heroes go on alone: they still have their goal to reach.
    """
    haunt = m.state.haunt
    if haunt is None or haunt.traitor < 0 or haunt.hidden:  # whether a hidden traitor has died is nobody's to see
        return True
    traitor = m.state.explorers[haunt.traitor]
    if traitor.alive or traitor.removed:
        return True
    holds = m.rules.pack.plays_on.get(haunt.id)
    return holds is not None and holds(m, Frame(m.rules.block("act"), {"you": traitor.seat, "src": "haunt:traitor"}))


def _in_place_of_the_traitor(m: Machine) -> str:
    """Who wins what the heroes lose: the traitor's side, or where a haunt has no traitor the house; in some editions nobody."""
    state, haunt = m.state, m.state.haunt
    nobody = all(one.side != "traitor" for one in state.explorers)
    if not m.rules.edition.haunt.house_wins:
        return "" if nobody else "traitor"
    none = haunt is not None and m.rules.pack.haunts[haunt.id].kind == "no-traitor"
    return HOUSE if nobody or none else "traitor"


def end_game(m: Machine, winner: str, because: str) -> None:
    """Say who won and why, and who was on which side; the closing text of the winners is read to all."""
    state = m.state
    haunt = state.haunt
    if winner == "traitor":
        winner = _in_place_of_the_traitor(m)
    if haunt is not None and haunt.traitor >= 0:
        innocents = [one.seat for one in state.explorers if one.side != "traitor"]
        m.emit(Disclosed(traitor=haunt.traitor, innocents=innocents), EVERYBODY)
    rule = m.rules.cite.won if heroes_left(state) else m.rules.cite.last_hero
    if winner == "traitor" and haunt is not None and haunt.traitor >= 0 and not state.explorers[haunt.traitor].alive:
        rule = m.rules.cite.won_dead
    if haunt is not None and winner:
        book, text = "heroes", "ending"
        if winner != "heroes":
            sheet = m.rules.pack.haunts[haunt.id]
            book = sheet.read_by("traitor")
            if book == "heroes" and sheet.book(book).ending_lost:
                text = "ending-lost"
        m.emit(TextTold(side="all", text=f"{book}.{text}", rule=m.rules.cite.ending))
    m.emit(GameEnded(winner=winner, because=because, rule=rule))
