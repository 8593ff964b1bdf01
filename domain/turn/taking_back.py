"""Taking back: a seat undoes its latest commands while nobody has learned anything by them.

What a command let anybody know its events say (`Event.informs`). The one who asks is judged by what it was told itself, so that a
refusal tells nothing of others; a law holds that whoever acts is told of all that its command lets anybody know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.audience import seat_bit
from domain.commands import TakeBack
from domain.effects.machine import Machine
from domain.events import (
    AmendmentTold,
    AnyEvent,
    ClaimMade,
    DecisionOpened,
    DisputeClosed,
    DisputeOpened,
    EvidenceGiven,
    ReasonsGiven,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
    TakenBack,
    VerdictConsented,
    VerdictDropped,
    VerdictProposed,
)
from domain.events.base import NOTHING
from domain.past import Passed, Past
from domain.refusal import Refused
from domain.state import MODERATOR, State
from domain.turn.rewinding import check_target, go_back

TAKE_BACK = "take-back"
"""The decision that a take-back names."""

MOST = 12
"""Take-backs in one turn, so that no game goes on for ever with them."""
BEHIND = 32
"""Commits behind which nothing is taken back any more."""

REPEATS = frozenset({"trade-with", "before-roll"})
"""Questions that say no more than the command did which led to them. Others may be about what was just drawn."""

BESIDE = (
    RulingProposed,
    RulingConsented,
    RulingAgreed,
    RulingRefused,
    RulingWithdrawn,
    DisputeOpened,
    ClaimMade,
    EvidenceGiven,
    VerdictProposed,
    VerdictConsented,
    VerdictDropped,
    ReasonsGiven,
    AmendmentTold,
    DisputeClosed,
)
"""Talk, which a rewind leaves as it is: it stands in nobody's way."""


def offered(passed: Sequence[Passed], seat: int) -> Iterator[int]:
    """The commits to which a seat may take play back, the latest first.

    Args:
        passed: the latest commits of the game, in their order; of those before the latest `BEHIND` none is looked at.
        seat: who asks; the moderator takes nothing back.
    """
    if seat == MODERATOR:
        return
    below = passed[-1].number + 1 if passed else 0
    for commit in reversed(passed[-BEHIND:]):
        if commit.number >= below:
            continue  # it was taken back already
        told = [one.event for one in commit.told if one.to & seat_bit(seat)]
        if told and all(isinstance(event, BESIDE) for event in told):
            continue  # a commit of which nothing was told may be anything: it stands in the way of all but who made it
        if commit.actor != seat:
            return
        undone = next((event for event in told if isinstance(event, TakenBack)), None)
        if undone is not None:
            below = undone.to + 1
        elif quiet(told):
            yield commit.number - 1
        else:
            return


def quiet(told: Iterable[AnyEvent]) -> bool:
    """Whether nobody learns anything by these events, and chance is not asked."""
    return not any(tells(event) for event in told)


def tells(event: AnyEvent) -> bool:
    """Whether somebody learns something by an event that nobody, or not that one, knew before."""
    if isinstance(event, DecisionOpened) and event.decision.about.partition(":")[0] in REPEATS:
        return False
    return event.informs != NOTHING


def barred(state: State) -> str:
    """Why nothing can be taken back in this game now, whatever it is; empty where something may."""
    if state.options.get("take_back") is False:
        return "this game was opened with the option `take_back` off"
    if state.desk is not None and state.desk.taken >= MOST:
        return f"{MOST} take-backs in one turn are enough"
    return ""


def perform_take_back(m: Machine, actor: int, command: TakeBack, past: Past | None) -> None:
    """Go back to the commit before the own latest commands.

    Raises:
        Refused: `decision-closed`, or `take-back-closed` with what stands in the way.
    """
    if command.decision != TAKE_BACK:
        raise Refused(f"what was done is taken back with the decision `{TAKE_BACK}`", problem="decision-closed")
    why = "only seats take back; a referee rules on a dispute" if actor == MODERATOR else barred(m.state)
    if why:
        raise Refused(why, problem="take-back-closed")
    if past is None or command.to not in offered(past.since, actor):
        why = (
            f"back to commit {command.to} there is more than your own commands, or chance was asked or something hidden was "
            f"learned by one of them"
        )
        raise Refused(why, problem="take-back-closed")
    back = check_target(m.state, past, command.to)
    m.emit(TakenBack(seat=actor, to=command.to, last=m.state.commit))
    go_back(m, back)
