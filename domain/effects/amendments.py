"""The steps of a ruling's amendment as a block of the machine: found in the state, so that a frame that waits in it finds them again."""

from __future__ import annotations

from content.load.entries import read
from domain.commands import Choose
from domain.desk import Dispute
from domain.desk_commands import RuleDispute
from domain.effects.compiler import compile_block
from domain.effects.machine import Block
from domain.state import State

AMEND = "amend/"
"""What the ids of such blocks begin with; the dispute's number follows."""


def amends(command: object, state: State) -> bool:
    """Whether a command does the steps of an amendment, or goes on with them: what fails then, fails for what was asked."""
    if isinstance(command, RuleDispute):
        return command.outcome == "amend"
    disputed = isinstance(command, Choose) and command.decision.startswith("dispute-")
    return disputed or any(frame.block.startswith(AMEND) for frame in state.frames)


def amendment_block(dispute: Dispute) -> Block:
    """The steps of a dispute's amendment, compiled."""
    entry, _ = read({"do": dispute.amendment.do if dispute.amendment is not None else []})
    assert entry is not None  # noqa: S101 -- it was checked before it came into the log
    return compile_block(f"{AMEND}{dispute.number}", list(entry.do))
