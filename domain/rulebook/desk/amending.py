"""Amendments: what a ruling puts right, as steps in the words of content files, checked and run like those of an entry."""

from __future__ import annotations

from content.errors import Finding
from content.load.entries import mistakes, read, said_by_haunts
from content.vocabulary.pack import Book
from content.vocabulary.pack import Haunt as HauntSheet
from domain.engine.machine import Machine
from domain.facts.audience import EVERYBODY, Mask, seats_mask
from domain.facts.commands import Choose
from domain.facts.desk import AMEND, Dispute
from domain.facts.desk_commands import RuleDispute
from domain.facts.events import AmendmentTold
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State


def told_of(dispute: Dispute) -> Mask:
    """Who knows what a dispute is about."""
    return EVERYBODY if dispute.table else seats_mask([dispute.by])


def check_amendment(m: Machine, dispute: Dispute, actor: int, command: RuleDispute) -> AmendmentTold:
    """Check the steps as those of an entry are.

    Raises:
        Refused: `decision-closed` while something is half-done, `unfit-amendment` with every mistake and its place.
    """
    if m.state.open:
        waiting = ", ".join(m.state.open)
        raise Refused(f"answer {waiting} first", problem="decision-closed")
    entry, found = read({"do": command.do})
    if entry is not None:
        found = mistakes(m.rules.pack.source, _known(m, actor), entry)
        if m.state.haunt is None:
            found += said_by_haunts(entry)
    you = dispute.by if command.you is None else command.you
    if you >= m.state.seats:
        found = [*found, Finding(("you",), f"there is no seat {you}", f"the last one is {m.state.seats - 1}")]
    if entry is None or found:
        errors = [_error(one) for one in found]
        raise Refused(errors[0][1], problem="unfit-amendment", errors=errors)
    return AmendmentTold(number=dispute.number, you=you, do=command.do)


def _known(m: Machine, actor: int) -> HauntSheet:
    """The haunt in play, for the referee, who may name its pieces; a seat's error messages must not reveal it."""
    playing = m.state.haunt
    if actor == MODERATOR and playing is not None:
        return m.rules.pack.haunts[playing.id]
    heroes = Book(story="-", goal="-")
    return HauntSheet(id="none", title="-", stage="draft", kind="no-traitor", story="-", heroes=heroes)


def _error(finding: Finding) -> tuple[str, str]:
    """A mistake as JSON pointer and sentence."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in finding.trail)
    hint = f": {finding.suggestion}" if finding.suggestion else ""
    return "".join(f"/{step}" for step in steps), f"{finding.message}{hint}"


def amend(m: Machine, dispute: Dispute) -> None:
    """Do the steps now; `you` is the one whom the ruling names."""
    you = dispute.amendment.you if dispute.amendment is not None else dispute.by
    m.call(m.rules.compile_amendment(dispute), you=you, drawer=you, owner=you, src="ruling")
    m.run()


def amends(command: object, state: State) -> bool:
    """Whether a command starts or continues the steps of an amendment, so that a failure is the amendment's fault."""
    if isinstance(command, RuleDispute):
        return command.outcome == "amend"
    disputed = isinstance(command, Choose) and command.decision.startswith("dispute-")
    return disputed or any(frame.block.startswith(AMEND) for frame in state.frames)
