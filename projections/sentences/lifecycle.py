"""Sentences for the life of a game and for turns."""

from __future__ import annotations

from domain.facts.events import (
    Disclosed,
    ExtraTurnGiven,
    GameArranged,
    GameEnded,
    GameOpened,
    GameStarted,
    Rewound,
    ScenarioChosen,
    SeatClaimed,
    StackArranged,
    TurnEnded,
    TurnStarted,
)
from projections.naming.names import counted, enumerated, readable
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences


def _opened(_a: Asking, e: GameOpened) -> str:
    arranged = ", with a prepared start" if e.arranged else ""
    return f"The game is opened: {e.edition} edition, {counted(e.seats, 'seat')}{arranged}."


def _arranged(_a: Asking, e: GameArranged) -> str:
    return f"The start is prepared: {enumerated([readable(name).lower() for name in e.setup])}."


def _stack_arranged(a: Asking, e: StackArranged) -> str:
    titles = [a.names.face(e.deck, face) for face in e.faces]
    return f"The {a.names.deck(e.deck)} begins with {enumerated(titles)}."


def _claimed(a: Asking, e: SeatClaimed) -> str:
    who = f" with {a.names.character(e.explorer)}" if e.explorer else ""
    return f"Seat {e.seat} is taken{who}."


def _started(a: Asking, e: GameStarted) -> str:
    people = [a.names.character(one.id) for one in e.explorers]
    return f"The door falls shut behind {enumerated(people).removesuffix('.')}. {people[e.first]} begins."


def _scenario(a: Asking, e: ScenarioChosen) -> str:
    return f"The scenario is {a.names.scenario(e.scenario)}."


def _ended(a: Asking, e: GameEnded) -> str:
    because = e.because.rstrip(".")
    if e.winner:
        return f"{a.names.winner(e.winner)}: {because}."
    return f"The game {'is abandoned' if e.status == 'abandoned' else 'ends without a winner'}: {because}."


def _rewound(_a: Asking, e: Rewound) -> str:
    return f"Play goes back to commit {e.to}."


def _disclosed(a: Asking, e: Disclosed) -> str:
    told = [f"{a.names.figure(e.traitor)} is the traitor"] if e.traitor >= 0 else []
    told += [f"{a.names.figure(seat)} is a hero" for seat in e.innocents]
    return f"It becomes known that {enumerated(told)}." if told else "A secret becomes known."


def _turn_started(a: Asking, e: TurnStarted) -> str:
    player = a.names.figure(e.seat)
    whose = f"the monsters' turn, played by {player}" if e.monsters else f"the turn of {player}"
    return f"Turn {e.number} begins: {whose}."


def _extra_turn(a: Asking, e: ExtraTurnGiven) -> str:
    return f"{a.names.figure(e.seat)} will have one more turn after this one."


def _turn_ended(a: Asking, e: TurnEnded) -> str:
    return f"{a.names.figure(e.seat)} ends the turn."


SENTENCES: Sentences = {
    GameOpened: _opened,
    GameArranged: _arranged,
    StackArranged: _stack_arranged,
    SeatClaimed: _claimed,
    GameStarted: _started,
    ScenarioChosen: _scenario,
    GameEnded: _ended,
    Rewound: _rewound,
    Disclosed: _disclosed,
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    ExtraTurnGiven: _extra_turn,
}
