"""Taking back: a seat undoes its latest commands while nobody has learned anything from them.

Events say what their command let anybody know (`Event.informs`). Only what the asking seat was told itself counts, so that a
refusal reveals nothing of others; a law holds that an actor is told of everything that its command lets anybody know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.engine.machine import Machine
from domain.facts.audience import seat_bit
from domain.facts.commands import TakeBack
from domain.facts.events import AnyEvent, DecisionOpened, TakenBack
from domain.facts.events.base import NOTHING
from domain.facts.ids import id_kind
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State
from domain.past import Passed, Past
from domain.rulebook.desk.rewinding import check_number, check_target, go_back
from domain.rulebook.desk.talk import talk

TAKE_BACK = "take-back"
"""The decision that a take-back names."""

MOST = 12
"""Take-backs in one turn, so that nobody stalls a game."""
BEHIND = 32
"""How many of the latest commits of play can be taken back at the most."""

REPEATS = frozenset({"trade-with", "before-roll"})
"""Questions that reveal no more than the command that led to them. Others may be about what was just drawn."""


def offered(passed: Sequence[Passed], seat: int) -> Iterator[int]:
    """The commits to which a seat may take play back, the latest first.

    Args:
        passed: the latest commits of the game, in their order. Talk is skipped wherever it is, and commits of play before the latest
            `BEHIND` are not looked at: so it makes no difference whether talk is among them.
        seat: who asks; the moderator takes nothing back.
    """
    if seat == MODERATOR:
        return
    below = passed[-1].number + 1 if passed else 0
    looked, me = 0, seat_bit(seat)
    for commit in reversed(passed):
        told = [one.event for one in commit.told if one.to & me]
        if talk(told):
            continue
        looked += 1
        if looked > BEHIND:
            return
        if commit.number >= below:
            continue  # it was taken back already
        if commit.actor != seat or not told:
            return  # whoever claims a replaced seat is told nothing by that, and takes back nothing of the player before
        undone = [event for event in told if isinstance(event, TakenBack)]
        if undone:
            below = undone[0].to + 1
        elif quiet(told):
            yield commit.number - 1
        else:
            return


def quiet(told: Iterable[AnyEvent]) -> bool:
    """Whether these events reveal nothing and ask nothing of chance."""
    return not any(map(tells, told))


def tells(event: AnyEvent) -> bool:
    """Whether an event reveals something to somebody."""
    if event.informs == NOTHING:
        return False
    return not (isinstance(event, DecisionOpened) and id_kind(event.decision.about) in REPEATS)


def barred(state: State) -> str:
    """Why nothing at all can be taken back in this game now, or empty."""
    if state.options.get("take_back") is False:
        return "this game was opened with the option `take_back` off"
    if state.desk is not None and state.desk.taken >= MOST:
        return f"at most {MOST} take-backs in a turn"
    return ""


def check_take_back(state: State, actor: int, command: TakeBack, latest: Sequence[Passed] | None) -> None:
    """Check everything that takes only the latest commits of the log; without those, what takes nothing of it.

    Raises:
        Refused: `decision-closed`, `take-back-closed` with the obstacle, or `unfit-span`.
    """
    if command.decision != TAKE_BACK:
        raise Refused(f"use the decision `{TAKE_BACK}`", problem="decision-closed")
    why = "only seats can take back; the referee rules on disputes instead" if actor == MODERATOR else barred(state)
    if why:
        raise Refused(why, problem="take-back-closed")
    if latest is not None and command.to not in tuple(offered(latest, actor)):
        why = (
            f"you can't go back to commit {command.to}: others have acted since, chance was asked, or something hidden was "
            "learned"
        )
        raise Refused(why, problem="take-back-closed")
    check_number(state, command.to)


def perform_take_back(m: Machine, actor: int, command: TakeBack, past: Past | None) -> None:
    """Go back to the commit before the seat's latest commands.

    Raises:
        Refused: as `check_take_back`.
    """
    check_take_back(m.state, actor, command, () if past is None else past.since)
    back = check_target(m.state, past, command.to)
    m.emit(TakenBack(seat=actor, to=command.to, last=m.state.commit))
    go_back(m, back)
