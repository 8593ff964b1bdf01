"""How a game ended, as one role knows it: when, who won, and why, in the words of the book that says so."""

from __future__ import annotations

from content.vocabulary.base import Side
from content.vocabulary.effects import Win
from content.vocabulary.pack import Haunt as HauntSheet
from domain.engine.parts import has_read
from domain.engine.rules import Rules
from domain.facts.ids import is_own_side, stance
from domain.facts.state import State
from domain.facts.terms import Winner
from domain.queries.characters import winning_seats
from projections.naming.names import Names, closed, enumerated
from projections.shapes import Name, Number, Seat, Shape, Text
from projections.view.wording import book_rules, goal_by, words_in

SHOWN = {
    "State": ("status", "winner", "because", "turn", "haunt", "explorers", "texts"),
    "Turn": ("number", "seat", "monsters"),
    "Haunt": ("id", "round", "traitor"),
    "Explorer": ("seat", "alive", "removed", "escaped", "side"),
}
"""The fields of a role's state that are read here; all others stay hidden."""


class EndingView(Shape, frozen=True, kw_only=True):
    """How the game ended."""

    turn: Number
    """The turn in which it ended; 0 before the first."""
    seat: Seat | None
    """Whose turn it was; null before the first, and for a hidden traitor's monsters where this role was not told whose they are."""
    monsters: bool
    """It was the monsters' turn."""
    round: Number
    """The round of the haunt; 0 before its first."""
    haunt: Name
    """The haunt by its id; empty if none had begun."""
    winner: Winner
    seats: list[Seat]
    """The seats that won, the dead among them too, as far as this role knows their sides."""
    why: Text
    """The condition that was met, in words of the rules: what the haunt's book says, where this role has read it."""
    because: Text
    """What the book reads out, in one sentence, as `GameEnded` has it."""
    summary: Text
    """All of it in a few sentences; the words may change."""


def ending_of(rules: Rules, state: State) -> EndingView | None:
    """How the game ended; None while it goes on."""
    if state.status not in ("finished", "abandoned"):
        return None
    turn, haunt, seat = state.turn, state.haunt, state.seat_of(state.turn.seat)
    return EndingView(
        turn=turn.number,
        seat=seat if seat >= 0 else None,
        monsters=turn.monsters,
        round=0 if haunt is None else haunt.round,
        haunt="" if haunt is None else haunt.id,
        winner=state.winner,
        seats=winning_seats(state),
        why=_why(rules, state) or state.because,
        because=state.because,
        summary=_summary(rules, state),
    )


def _why(rules: Rules, state: State) -> str:
    """What the book says that decided; empty where no book did."""
    sheet = None if state.haunt is None else rules.pack.haunts.get(state.haunt.id)
    part = "" if sheet is None else _part(rules, sheet, state)
    if sheet is None or not part:
        return ""
    if not has_read(sheet, state, part):
        return f"The {Names(rules, state).book(part)} book, which this role has not read, says so."
    book, _, rule = part.partition(".")
    winner: Side = "heroes" if state.winner == "heroes" else "traitor"
    told = book_rules(rules, state, sheet.id, "traitor" if book == "traitor" else "heroes")
    return goal_by(rules, state, sheet.id, part, winner) or told.get(rule, "")


def _part(rules: Rules, sheet: HauntSheet, state: State) -> str:
    """The part of a book by which the game ended, by the sentence that it reads out; empty for an end of the rulebook's."""
    pack, because = rules.pack, state.because
    lost = pack.losses.get(sheet.id)
    if lost is not None and lost[2] == because:
        return f"{lost[0]}.loses-when"
    goal = pack.goals.get((sheet.id, stance(state.winner)))
    if goal is not None and goal[1] == because:
        return f"{stance(state.winner)}.wins-when"
    for side, book in sheet.books.items():
        steps = [(f"actions.{one.word}", one.do) for one in book.actions]
        steps += [(f"on.{number}", one.do) for number, one in enumerate(book.on)]
        for part, effects in steps:
            if any(isinstance(word, Win) and word.because == because for word in words_in(effects)):
                return f"{side}.{part}"
    return ""


def _summary(rules: Rules, state: State) -> str:
    names, haunt, turn = Names(rules, state), state.haunt, state.turn
    when = f" in turn {turn.number}" if turn.number else " before the first turn"
    if haunt is not None:
        when += (
            f", round {haunt.round} of {names.haunt(haunt.id)}"
            if haunt.round
            else f", as {names.haunt(haunt.id)} began"
        )
    if state.winner:
        told = [closed(f"{names.winner(state.winner)}{when}")]
    else:
        told = [f"The game {'was abandoned' if state.status == 'abandoned' else 'ended without a winner'}{when}."]
    told.append(state.because)
    won = [names.figure(seat) for seat in winning_seats(state)]
    if won and not is_own_side(state.winner):
        told.append(closed(f"{'Winner' if len(won) == 1 else 'Winners'}: {enumerated(won)}"))
    fallen = [names.figure(one.seat) for one in state.explorers if not one.alive and not one.removed]
    out = [names.figure(one.seat) for one in state.explorers if one.escaped]
    told += [closed(f"Dead: {enumerated(fallen)}")] if fallen else []
    told += [closed(f"Out of the house: {enumerated(out)}")] if out else []
    return " ".join(filter(None, told))
