"""Sentences for the referee's desk: what was taken back, disputed and ruled."""

from __future__ import annotations

from domain.events import (
    AmendmentTold,
    ClaimMade,
    DisputeClosed,
    DisputeOpened,
    EvidenceFiled,
    EvidenceGiven,
    ReasonsGiven,
    SandboxBegun,
    SpanSeen,
    TakenBack,
    VerdictConsented,
    VerdictDropped,
    VerdictProposed,
)
from projections.names import counted, enumerated
from projections.questions import VERDICTS, Asking
from projections.sentences.wording import Sentences

DROPPED = {
    "": "does not agree to the ruling on",
    "consent": "no longer agrees to the ruling on",
    "ruling": "takes back the proposed ruling on",
}
"""How a proposed ruling falls, by what was taken back."""


def _taken_back(a: Asking, e: TakenBack) -> str:
    return f"{a.table(e.seat)} takes back {_span(e.to + 1, e.last)}."


def _opened(a: Asking, e: DisputeOpened) -> str:
    whom = "the table" if e.table else "the referee"
    pause = "; play waits for the ruling" if e.pauses else ""
    return f"{a.table(e.by)} opens dispute {e.number}, for {whom} to decide{pause}."


def _claimed(_a: Asking, e: ClaimMade) -> str:
    return f"Dispute {e.number} is about {_span(e.first, e.last)}."


def _evidence(a: Asking, e: EvidenceGiven) -> str:
    cited = [f"commit {number}" for number in e.commits] + [f"rule {rule}" for rule in e.rules]
    cited += ["a note"] if e.note else []
    return f"{a.table(e.by)} gives evidence in dispute {e.number}: {enumerated(cited)}."


def _filed(a: Asking, e: EvidenceFiled) -> str:
    return f"{a.table(e.by)} gives evidence in dispute {e.number}."


def _proposed(a: Asking, e: VerdictProposed) -> str:
    return f"{a.table(e.by)} would rule on dispute {e.number}: {VERDICTS[e.outcome].format(to=e.to)}; others are asked."


def _consented(a: Asking, e: VerdictConsented) -> str:
    return f"{a.table(e.seat)} agrees to the ruling on dispute {e.number}."


def _dropped(a: Asking, e: VerdictDropped) -> str:
    return f"{a.table(e.by)} {DROPPED[e.withdrawn]} dispute {e.number}, which is open as before."


def _reasons(_a: Asking, e: ReasonsGiven) -> str:
    rules = f" ({', '.join(e.rules)})" if e.rules else ""
    return f'The ruling on dispute {e.number}: "{e.text}"{rules}.'


def _amendment(a: Asking, e: AmendmentTold) -> str:
    return f"For {a.table(e.you)} it is put right by {counted(len(e.do), 'step')}."


def _closed(a: Asking, e: DisputeClosed) -> str:
    if e.outcome == "withdrawn":
        return f"{a.table(e.by)} withdraws dispute {e.number}."
    if e.outcome == "lapsed":
        return f"Nobody has ruled on dispute {e.number} in time: what happened stands."
    precedent = " This is a precedent." if e.precedent else ""
    return f"{a.table(e.by)} rules on dispute {e.number}: {VERDICTS[e.outcome].format(to=e.to)}.{precedent}"


def _seen(a: Asking, e: SpanSeen) -> str:
    """Who knows something of what was taken back, and from which commits."""
    commits: dict[int, list[str]] = {}
    for one in e.seen:
        commits.setdefault(one.seat, []).append(str(one.commit))
    known = [f"{a.table(seat)} by {enumerated(numbers)}" for seat, numbers in commits.items()]
    return (
        f"What was taken back is known all the same: to {'; to '.join(known)}."
        if known
        else "Nobody has learned anything."
    )


def _span(first: int, last: int) -> str:
    return f"commit {last}" if first == last else f"commits {first} to {last}"


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
    DisputeOpened: _opened,
    ClaimMade: _claimed,
    EvidenceGiven: _evidence,
    EvidenceFiled: _filed,
    VerdictProposed: _proposed,
    VerdictConsented: _consented,
    VerdictDropped: _dropped,
    ReasonsGiven: _reasons,
    AmendmentTold: _amendment,
    DisputeClosed: _closed,
    SpanSeen: _seen,
}
