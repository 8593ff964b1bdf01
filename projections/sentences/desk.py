"""Sentences for the referee's desk: what was taken back, disputed and ruled."""

from __future__ import annotations

from domain.events import SandboxBegun, TakenBack
from projections.questions import Asking
from projections.sentences.wording import Sentences


def _taken_back(a: Asking, e: TakenBack) -> str:
    what = f"commit {e.last}" if e.last == e.to + 1 else f"commits {e.to + 1} to {e.last}"
    return f"{a.table(e.seat)} takes back {what}."


def _sandbox(_a: Asking, e: SandboxBegun) -> str:
    sandbox = e.state.sandbox
    return (
        "A sandbox begins."
        if sandbox is None
        else f"A sandbox begins where game {sandbox.of} stood at commit {sandbox.at}."
    )


SENTENCES: Sentences = {
    SandboxBegun: _sandbox,
    TakenBack: _taken_back,
}
