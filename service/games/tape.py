"""Why a tape waits: the referee is told which prepared answer didn't fit, or that there is none left."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.chance import Misfit, Request, check
from domain.state import Decision, State
from projections.names import counted
from service.log.facts import Secret


class TapeTrouble(msgspec.Struct, frozen=True, kw_only=True):
    """Why an open request of chance was not answered by the tape."""

    code: Literal["tape-misfit", "tape-ended"]
    decision: str
    """The decision that waits for the referee's answer in its place."""
    detail: str


def tape_trouble(secret: Secret, state: State) -> TapeTrouble | None:
    """Compare the tape with the request that is open, if one is; it is the same whenever it is asked."""
    asked = next((decision for decision in state.open.values() if decision.kind == "chance"), None)
    if asked is None:
        return None
    index = int(asked.id.removeprefix("c")) - 1
    if index >= len(secret.tape):
        detail = f"The tape has {counted(len(secret.tape), 'answer')}; this is request {index + 1}."
        return TapeTrouble(code="tape-ended", decision=asked.id, detail=detail)
    try:
        check(_request(asked, index), secret.tape[index])
    except Misfit as misfit:
        return TapeTrouble(code="tape-misfit", decision=asked.id, detail=f"Answer {index + 1} of the tape: {misfit}")
    return None


def _request(asked: Decision, index: int) -> Request:
    return Request(index, asked.about, dice=asked.total, options=tuple(asked.options))
