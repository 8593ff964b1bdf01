"""Sentences for what leads play off its course: commands taken back, sandboxes, disputes and their rulings."""

from __future__ import annotations

import msgspec

from content.survey import Spot, walk
from content.vocabulary.effects import Effect
from domain.dry_run import Consulted
from domain.facts.events import (
    AmendmentTold,
    ClaimMade,
    DisputeClosed,
    DisputeOpened,
    DisputeReopened,
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
from projections.naming.names import Names, commits_between, counted, enumerated
from projections.naming.questions import Asking, amendments, in_words
from projections.sentences.wording import Sentences
from projections.view.haunts import sides_read
from projections.view.wording import wording_of

DROPPED = {
    "": "drops the proposed ruling on dispute {}; the dispute is still open",
    "refused": "does not agree to the ruling on dispute {}, which is still open",
    "agreed-no-longer": "no longer agrees to the ruling on dispute {}, which is still open",
    "withdrawn": "withdraws the proposed ruling on dispute {}, which is still open",
}
"""How a proposed ruling comes to nothing; older logs don't say which."""


def _taken_back(a: Asking, e: TakenBack) -> str:
    return f"{a.table(e.seat)} takes back {commits_between(e.to + 1, e.last)}."


def _opened(a: Asking, e: DisputeOpened) -> str:
    whom = "the table" if e.table else "the referee"
    pause = "; play waits for the ruling" if e.pauses else ""
    return f"{a.table(e.by)} opens dispute {e.number}, for {whom} to decide{pause}."


def _claimed(_a: Asking, e: ClaimMade) -> str:
    return f"Dispute {e.number} is about {commits_between(e.first, e.last)}."


def _evidence(a: Asking, e: EvidenceGiven) -> str:
    cited = [f"commit {number}" for number in e.commits] + [f"rule {rule}" for rule in e.rules]
    cited += ["a note"] if e.note else []
    return f"{a.table(e.by)} gives evidence in dispute {e.number}: {enumerated(cited)}."


def _filed(a: Asking, e: EvidenceFiled) -> str:
    return f"{a.table(e.by)} gives evidence in dispute {e.number}."


def foreseen(names: Names, one: Consulted) -> str:
    """What a ruling that is tried would ask for first, or on what it depends that the role doesn't know."""
    if one.kind == "hidden" and one.about.startswith("dispute-"):
        return (
            f"The amendment of dispute {one.about.removeprefix('dispute-')} is left out: you were not told its steps."
        )
    if one.kind in ("hidden", "secret"):
        what = "who the traitor is, which" if one.about == "traitor" else "what"
        return f"What it would change depends on {what} you don't know."
    return f"Then {_first(names, one)}; what follows can't be shown beforehand."


def _first(names: Names, one: Consulted) -> str:
    who = "somebody" if one.seat < 0 else names.figure(one.seat)
    match one.kind:
        case "dice":
            return f"{counted(one.dice, 'die is', 'dice are')} rolled"
        case "draw" if one.stack == "tiles":
            return "the next tile is turned up"
        case "draw":
            return f"a card of the {names.deck(one.stack)} is drawn"
        case "back":
            return "the back of the next tile is looked at"
        case "look":
            return f"{who} looks at the {names.deck(one.stack)} in secret"
        case "decision":
            return f"{who} is asked"
        case _:
            return "chance decides"


def _proposed(a: Asking, e: VerdictProposed) -> str:
    return f"{a.table(e.by)} proposes a ruling on dispute {e.number}: {in_words(e.outcome, e.to, e.reapply)}; the others are asked."


def _consented(a: Asking, e: VerdictConsented) -> str:
    return f"{a.table(e.seat)} agrees to the ruling on dispute {e.number}."


def _dropped(a: Asking, e: VerdictDropped) -> str:
    return f"{a.table(e.by)} {DROPPED[e.how].format(e.number)}."


def _reasons(_a: Asking, e: ReasonsGiven) -> str:
    rules = f" ({', '.join(e.rules)})" if e.rules else ""
    return f'Reasons for the ruling on dispute {e.number}: "{_in_one_line(e.text)}"{rules}.'


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _amendment(a: Asking, e: AmendmentTold) -> str:
    effects = msgspec.convert(e.do, list[Effect])
    steps = [spot.value for effect in effects for spot in walk(Spot((), effect))]
    shared = {one.run for one in steps if isinstance(one, Effect) and one.run is not None}
    if shared and not _has_read(a, shared):
        return f"Amended for {a.table(e.you)} by steps of the haunt."
    return f"Amended for {a.table(e.you)}: {wording_of(a.rules, a.state).clause(effects)}."


def _has_read(a: Asking, shared: set[str]) -> bool:
    """Whether the role has read all books of the haunt in play, in any of which its shared steps may stand."""
    if a.state.haunt is None or a.state.haunt.id not in a.rules.pack.haunts:
        return False
    sheet = a.rules.pack.haunts[a.state.haunt.id]
    return shared <= sheet.blocks.keys() and set(sheet.books) <= set(sides_read(a.state))


def _closed(a: Asking, e: DisputeClosed) -> str:
    if e.outcome == "withdrawn":
        return f"{a.table(e.by)} withdraws dispute {e.number}."
    if e.outcome == "lapsed":
        what = "was ruled" if _is_reopened(a, e.number) else "happened"
        return f"Nobody ruled on dispute {e.number} in time: what {what} stands."
    precedent = " This is a precedent." if e.precedent else ""
    return f"{a.table(e.by)} rules on dispute {e.number}: {in_words(e.outcome, e.to, e.reapplied)}.{precedent}{_undone(a, e)}"


def _is_reopened(a: Asking, number: int) -> bool:
    return a.state.desk is not None and bool(a.state.desk.disputes[number - 1].earlier)


def _undone(a: Asking, e: DisputeClosed) -> str:
    """What it undoes, where it has gone back in the state that is asked."""
    desk = a.state.desk
    if desk is None or e.outcome != "rewind":
        return ""
    backs = ((ruling.number, desk.undone_by(ruling, a.state.commit)) for ruling in desk.amendments())
    numbers = sorted({number for number, back in backs if back is not None and back.dispute == e.number})
    return f" It undoes {amendments(numbers)}." if numbers else ""


def _reopened(_a: Asking, e: DisputeReopened) -> str:
    pause = "; play waits for the ruling" if e.pauses else ""
    return f'The referee reopens dispute {e.number}{pause}. What was ruled stands until then. Reasons: "{_in_one_line(e.text)}".'


def _seen(a: Asking, e: SpanSeen) -> str:
    """Who still knows something that was taken back, and from which commits."""
    commits: dict[int, list[str]] = {}
    for one in e.seen:
        commits.setdefault(one.seat, []).append(str(one.commit))
    seats: dict[tuple[str, ...], list[str]] = {}
    for seat, numbers in commits.items():
        seats.setdefault(tuple(numbers), []).append(a.table(seat))
    known = [
        f"{enumerated(names)} (from commit{'s' if len(numbers) > 1 else ''} {enumerated([*numbers])})"
        for numbers, names in seats.items()
    ]
    return (
        f"What was taken back is still known to {'; to '.join(known)}."
        if known
        else "Nobody learned anything from what was taken back."
    )


def _sandbox(_a: Asking, e: SandboxBegun) -> str:
    sandbox = e.state.sandbox
    return (
        "A sandbox begins."
        if sandbox is None
        else f"A sandbox begins from game {sandbox.of} as of commit {sandbox.at}."
    )


SENTENCES: Sentences = {
    TakenBack: _taken_back,
    SandboxBegun: _sandbox,
    DisputeOpened: _opened,
    DisputeReopened: _reopened,
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
