"""A dispute as Markdown, for pasting: claim, what happened, the texts of the rules, the ruling, its reasons; as far as one role was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from content.ledger import ledger
from domain.facts.desk import RULED
from domain.rulebook.desk.talk import BESIDE
from projections.naming.names import commits_between, counted, enumerated
from projections.naming.questions import amendments, in_words
from projections.text.post import plain
from projections.trace.markdown import Markdown
from projections.trace.shapes import TraceStep
from projections.view.desk import DisputeView, EvidenceView, RuledView, VerdictView

SHOWN: dict[str, tuple[str, ...]] = {}
"""Nothing of a role's state is read here: it words what was made before."""

MOST = 40
"""Commits that are told of what is disputed and cited, and as many of what a ruling took back."""

ROLES = {"spectators": "the spectators know", "referee": "the referee knows"}
TALK = frozenset({str(one.__struct_config__.tag) for one in BESIDE} | {"SpanSeen", "Rewound"})
"""Types of events that the page words otherwise, or leaves out."""


class Disputed(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute, with all that is said of it."""

    game: str
    role: str
    """`seat:1`, `spectators` or `referee`."""
    version: int
    """The commit as of which it is told."""
    dispute: DisputeView
    texts: Mapping[str, str]
    """Claim and notes by their digests, without those that were erased."""
    amended: Sequence[str]
    """What each ruling amends, in words, the earlier ones first; empty where it amends nothing, and where the role was not told."""
    called: Sequence[str]
    """The explorers, by seat."""


def commits_told(dispute: DisputeView) -> list[int]:
    """The numbers of the commits of which the page needs the steps."""
    wanted = {*_disputed(dispute)[:MOST]}
    for ruling in _rulings(dispute):
        wanted |= {ruling.closed or 0, *_undone(ruling)[:MOST]}
    return sorted(wanted - {0})


def ruling_as_markdown(it: Disputed, steps: Sequence[TraceStep]) -> str:
    """The page, ending with a line break; `steps` are those of `commits_told`, as the same role was told of them."""
    told = {step.number: step for step in steps}
    who = ROLES.get(it.role, f"{it.role.replace(':', ' ')} knows")
    blocks = [
        f"# Dispute {it.dispute.number} of game {plain(it.game)}",
        f"{_opened(it)} This is what {who} as of commit {it.version}.",
        "## Claim",
        _claim(it),
        *_happened(it.dispute, told),
        *_evidence(it),
        *_rules(it.dispute, told),
        *_earlier(it, told),
        "## Ruling",
        *_ruling(it, told),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


# -- which commits ------------------------------------------------------------------------------------------------------


def _disputed(dispute: DisputeView) -> list[int]:
    """What is cited, and then what is disputed: if that is much, it is left out first."""
    cited = [number for given in dispute.evidence for number in given.commits]
    span = [] if dispute.span is None else range(dispute.span.first, dispute.span.last + 1)
    return list(dict.fromkeys([*cited, *span]))


def _undone(ruling: RuledView | DisputeView) -> list[int]:
    """The commits that a rewind took back; some of them may be talk, or have been taken back before."""
    back = ruling.outcome == "rewind" and ruling.to is not None and ruling.closed is not None
    return list(range((ruling.to or 0) + 1, ruling.closed or 0)) if back else []


def _rulings(dispute: DisputeView) -> list[RuledView | DisputeView]:
    return [*dispute.earlier, dispute]


# -- parts --------------------------------------------------------------------------------------------------------------


def _opened(it: Disputed) -> str:
    dispute = it.dispute
    what = "what happened" if dispute.span is None else commits_between(dispute.span.first, dispute.span.last)
    return f"In commit {dispute.opened} {_who(it, dispute.by)} disputed {what}, for the {dispute.addressed} to decide."


def _claim(it: Disputed) -> str:
    if not it.dispute.claim:
        return _private(it)
    return _quoted(it.texts[it.dispute.claim]) if it.dispute.claim in it.texts else "Its text is no longer kept."


def _private(it: Disputed) -> str:
    return f"Only seat {it.dispute.by} and the referee were told."


def _happened(dispute: DisputeView, told: Mapping[int, TraceStep]) -> Iterator[str]:
    wanted = _disputed(dispute)
    if not wanted:
        return
    yield "## What happened"
    page = Markdown(level=3, ids=False)
    for number in sorted(wanted[:MOST]):
        if number in told:
            yield page.step(msgspec.structs.replace(told[number], refused=[], legal=None)).strip()
    if more := len(wanted) - MOST:
        yield f"{counted(more, 'more commit is', 'more commits are')} disputed." if more > 0 else ""


def _evidence(it: Disputed) -> Iterator[str]:
    if it.dispute.evidence:
        yield "## Evidence"
        yield "\n".join(f"- {_who(it, given.by)}: {_cited(it, given)}" for given in it.dispute.evidence)


def _cited(it: Disputed, given: EvidenceView) -> str:
    cited = [f"commit {number}" for number in given.commits] + list(given.rules)
    if given.note:
        cited.append(
            f"“{plain(it.texts[given.note])}”" if given.note in it.texts else "a note whose text is no longer kept"
        )
    return enumerated(cited)


def _rules(dispute: DisputeView, told: Mapping[int, TraceStep]) -> Iterator[str]:
    """The rules that people cite, then those by which it happened."""
    cited = [rule for given in dispute.evidence for rule in given.rules]
    cited += [rule for ruling in _rulings(dispute) for rule in ruling.rules]
    applied = [rule.id for number in _disputed(dispute) if number in told for rule in told[number].rules]
    found = [ledger()[rule] for rule in dict.fromkeys([*sorted(cited), *sorted(applied)]) if rule in ledger()]
    if found:
        yield "## Rules"
        yield "\n".join(f"- **{rule.id}** {plain(rule.title)}. {plain(rule.text)}" for rule in found)


def _earlier(it: Disputed, told: Mapping[int, TraceStep]) -> Iterator[str]:
    for rank in range(len(it.dispute.earlier)):
        yield "## Earlier ruling"
        yield from _ruled(it, rank, told)
    if it.dispute.reopened is not None:
        yield f"## Reopened in commit {it.dispute.reopened.commit}"
        yield _quoted(it.dispute.reopened.reasons)


def _ruling(it: Disputed, told: Mapping[int, TraceStep]) -> Iterator[str]:
    dispute = it.dispute
    if dispute.outcome == "over":
        yield f"The game ended before anybody ruled. {_stands(dispute)}"
    elif dispute.outcome:
        yield from _ruled(it, len(dispute.earlier), told)
    else:
        yield from _open(it)


def _stands(dispute: DisputeView) -> str:
    return "What was ruled stands." if dispute.earlier else "What happened stands."


def _open(it: Disputed) -> Iterator[str]:
    dispute = it.dispute
    turns = dispute.turns_left
    left = counted(dispute.seconds or 0, "second") if turns is None else counted(turns, "new turn")
    waits = " Play waits for the ruling." if dispute.pauses else ""
    yield f"**Nobody has ruled yet.** If nobody does within {left}: {_stands(dispute).lower()}{waits}"
    if dispute.would_undo:
        yield f"A rewind to before the disputed commits would undo {amendments(dispute.would_undo)}."
    if dispute.proposed is not None:
        yield _proposed(it, dispute.proposed)
        yield plain(it.amended[-1])
        yield _quoted(dispute.reasons) if dispute.reasons else ""


def _proposed(it: Disputed, ruling: VerdictView) -> str:
    said = f"{_who(it, ruling.by)} proposes: {in_words(ruling.outcome, ruling.to, ruling.reapplies)}{', as a precedent' if ruling.precedent else ''}."
    said += f" It would undo {amendments(ruling.undoes)}." if ruling.undoes else ""
    asked = enumerated([_who(it, seat) for seat in ruling.awaited])
    return f"{said} {asked} {'has' if len(ruling.awaited) == 1 else 'have'} not answered yet." if asked else said


def _ruled(it: Disputed, rank: int, told: Mapping[int, TraceStep]) -> Iterator[str]:
    """What was ruled, what that changed and undid, and why."""
    ruling = _rulings(it.dispute)[rank]
    step = told.get(ruling.closed or 0)
    happened = [] if step is None else step.happened
    said = [one.words for one in happened if one.type == "DisputeClosed"]
    yield f"**{plain(' '.join(said))}** (commit {ruling.closed})"
    lines = [it.amended[rank]] if ruling.outcome == "amend" and it.amended[rank] else []
    lines += [one.words for one in happened if one.type not in TALK and one.kind != "note"]
    lines += [] if step is None else [f"{one.what}: {one.before} → {one.after}" for one in step.changes]
    yield "\n".join(f"- {plain(line)}" for line in lines)
    yield from _taken_back(_undone(ruling), told)
    if ruling.undone_by is not None:
        by = ruling.undone_by
        what = "a command was taken back" if by.dispute is None else f"dispute {by.dispute} was ruled on"
        yield f"It was undone in commit {by.commit}, when {what}."
    if ruling.outcome in RULED:
        yield "### Reasons"
        yield _quoted(ruling.reasons) if ruling.reasons else _private(it)
        yield f"By {enumerated(list(ruling.rules))}." if ruling.rules else ""


def _taken_back(undone: Sequence[int], told: Mapping[int, TraceStep]) -> Iterator[str]:
    found = [told[number] for number in undone[:MOST] if number in told]
    lines = [f"- {step.number} · {plain(step.who)}: {plain(_deed(step))}" for step in found if not _is_talk(step)]
    if more := max(0, len(undone) - MOST):
        lines.append(f"- {counted(more, 'more commit')}, to {undone[-1]}")
    if lines:
        yield "What was undone:"
        yield "\n".join(lines)


def _deed(step: TraceStep) -> str:
    """What was done; where the role was not told, the first that came of it."""
    came = (one.words for one in step.happened if one.kind != "note")
    return step.did or next(came, "this role was told nothing")


def _is_talk(step: TraceStep) -> bool:
    return bool(step.happened) and all(one.type in TALK for one in step.happened)


# -- words --------------------------------------------------------------------------------------------------------------


def _who(it: Disputed, seat: int | None) -> str:
    return "The referee" if seat is None else f"{plain(it.called[seat])} (seat {seat})"


def _quoted(text: str) -> str:
    """As many paragraphs as were written."""
    return "\n>\n".join(f"> {plain(line)}" for line in _paragraphs(text))


def _paragraphs(text: str) -> Iterable[str]:
    return [line for line in text.splitlines() if line.strip()] or ["(empty)"]
