"""Play goes back to an earlier commit: every role is told its own state as it was then.

A rewind is one commit. `Rewound` carries a state, and its fold replaces the current one; roles that knew the same share one, and the referee's
comes last, because the engine goes on with it. So streams, `?at=`, snapshots and exports need no special case. Not taken back are
`KEPT` (the desk, the table's rulings, the commit's number) and the counts of chance and of decisions: no die is dealt twice, no id given
twice, and a tape runs on.
"""

from __future__ import annotations

import msgspec

from domain.engine.machine import ASKED_BY_INDEX, Machine
from domain.facts.audience import REFEREE, Mask
from domain.facts.events import Rewound
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.past import Past

_encode = msgspec.json.Encoder().encode


def check_number(state: State, to: int, started: int = 1) -> None:
    """Check that play can go back to a commit of this game, as far as that is possible without the log.

    Args:
        state: of the game, now.
        to: the commit.
        started: the one that started the game, where that is known.

    Raises:
        Refused: `unfit-span`.
    """
    if not 1 <= to < state.commit:
        raise _unfit(f"play can go back to a commit before {state.commit}, not to {to}")
    if to < started:
        raise _too_early(to)


def _too_early(to: int) -> Refused:
    return _unfit(f"the game had not started at commit {to}")


def _unfit(detail: str) -> Refused:
    return Refused(detail, problem="unfit-span", errors=[("/to", detail)])


def check_target(state: State, past: Past | None, to: int) -> Past:
    """The past that a command goes back to, if the commit is one that play can go on from.

    Raises:
        Refused: `unfit-span`: the game has no such commit, or it is before the start.
    """
    check_number(state, to)
    if past is None or past.to != to:
        raise _unfit(f"there is no commit {to} to go back to")
    if past.known[REFEREE].status != "started":
        raise _too_early(to)
    return past


def go_back(m: Machine, past: Past, rule: str = "") -> None:
    """Restore what everybody knew; whatever is half-done goes with its frames.

    Roles that knew the same share one event. The referee's comes last: the engine folds all of them, and goes on with that one.
    """
    skipped = sum(name[0] in ASKED_BY_INDEX for name in m.state.open)
    shared: dict[bytes, tuple[Mask, Rewound]] = {}
    for mask, state in past.known.items():
        event = Rewound(to=past.to, state=state, skipped=skipped if mask == REFEREE else 0, rule=rule)
        body = _encode(event)
        to = shared.pop(body)[0] if body in shared else 0
        shared[body] = (to | mask, event)
    m.stack.clear()
    for to, event in shared.values():
        m.emit(event, to)
