"""Disputes over HTTP: they become commits, and the texts of claims and notes are kept beside the log, under their digests.

What is asked of a ruling since rulings were first recorded is asked here, and not by `decide`: games that were ruled before are decided again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from content.ledger import no_rule
from content.patterns import TALK, whole
from domain.decide import goes_back
from domain.dry_run import Consulted, try_ruling
from domain.engine.rules import Rules
from domain.evolve import fold_commit
from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.commands import Seat
from domain.facts.desk import Dispute
from domain.facts.desk_commands import (
    AnyDeskCommand,
    Commit,
    GiveEvidence,
    Numbers,
    OpenDispute,
    Outcome,
    Reasons,
    ReopenDispute,
    RuleDispute,
    RuleIds,
    WithdrawDispute,
)
from domain.facts.events import Told
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MODERATOR, State
from domain.past import Passed, Past, principals
from domain.rulebook.desk.amending import about_you, lacking, lifeless, undone
from domain.rulebook.desk.disputing import disputes
from domain.rulebook.desk.taking_back import BEHIND
from domain.rulebook.desk.talk import of_play
from domain.worlds import copied
from projections.choices.decisions import decisions_of
from projections.diff.compare import GameDiff, Moment, difference
from projections.naming.names import Names, counted
from projections.naming.questions import Asking
from projections.sentences.desk import foreseen
from projections.sentences.history import amended
from projections.shapes import Number, Text
from projections.view.desk import DisputeView, dispute_view
from projections.view.game import view_of
from service.games.folds import latest_played
from service.games.play.submit import Done, Play, check_goes_on
from service.games.read.reading import Reading
from service.games.tables import Tables
from service.identity import Caller
from service.log.commits import read_folded
from service.log.facts import SaltedText, salted_digest
from service.log.reader import REFEREES, TRAITOR, pages, past_of
from service.log.requests import Body
from service.outside import Outside
from service.problems import FieldError, ProblemError, cited, forbidden, stale

T = TypeVar("T")
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, pattern=whole(TALK))]
"""Free text. It is kept beside the log, of which a salted digest is in the log, and can be erased."""


class AskDispute(Body, frozen=True, kw_only=True):
    """Dispute what happened in some commits."""

    first: Commit = msgspec.field(name="from")
    """The first disputed commit."""
    last: Commit = msgspec.field(name="to")
    """The last disputed commit; equal to `from` for a single commit."""
    claim: Words
    """What is wrong."""
    addressed: Literal["referee", "table"] = "referee"
    """Who decides: the referee, who alone reads the claim, or all seats together, in which case everybody reads it."""


class AskEvidence(Body, frozen=True, kw_only=True):
    """Cite commits and rules. At least one of them, or a note, is required."""

    commits: Annotated[list[Commit], msgspec.Meta(max_length=20)] = []
    rules: RuleIds = []
    note: Words | None = None


class AskRuling(Body, frozen=True, kw_only=True):
    """Rule on a dispute; at the table, propose how it should be decided."""

    outcome: Outcome
    """`stands`, `amend` or `rewind`."""
    to: Commit | None = None
    """For a rewind: the commit from which play goes on. Later commits stay in the log but no longer count."""
    reasons: Reasons
    """Why. It stays in the log permanently, so it should not name persons."""
    rules: RuleIds = []
    """The rules of the ledger that it cites."""
    precedent: bool = False
    """Whether it applies from now on; if so, everybody is told the reasons."""
    public: bool = False
    """Whether everybody is told the reasons. Of a precedent and of a rewind they always are."""
    you: Seat | None = None
    """For an amendment: the seat that `you` means in the steps. It may be left out where it can only be the seat that opened the dispute: all
    disputed commits are that seat's own, or the steps say nothing of `you`."""
    do: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=20)] = []
    """For an amendment: steps in the vocabulary of content files, done at once."""
    reapply: Numbers = []
    """For a rewind: disputes whose amendments it undoes and does again, in this order, on the game as it stood at `to`."""
    dry_run: bool = False
    """Only try it: the answer is 200 with what it would change, and nothing changes."""


class AskReopening(Body, frozen=True, kw_only=True):
    """Reopen a dispute that was ruled on."""

    reasons: Reasons
    """Why. Everybody is told, and it stays in the log permanently."""


class RulingTried(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruling would do, if all who are asked agreed to it."""

    version: Number
    """The commit as of which it was tried."""
    asks: list[Seat]
    """Seats whose consent it needs."""
    undoes: list[Number]
    """Disputes whose amendments it would undo, and not apply again."""
    reapplies: list[Number]
    """Disputes whose amendments it would apply again."""
    consults: list[Consulted]
    """What its steps would ask for first, such as dice. What follows the answer is not predicted; where something hidden from the caller decides,
    nothing is."""
    follows: list[Text]
    """The same in words."""
    diffs: list[GameDiff]
    """What would change for each role, up to where chance is asked: for every seat, for spectators and for the referee, if the referee asks; else
    for the caller's alone."""


class NoteShown(msgspec.Struct, frozen=True, kw_only=True):
    """A text that belongs to a digest."""

    digest: str
    """SHA-256 of salt and text, as in the log."""
    salt: str
    text: str


class DisputeShown(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute with its texts, as far as the caller was told and as far as they were not erased."""

    dispute: DisputeView
    texts: list[NoteShown]
    """The texts of the claim and of notes."""
    amended: list[Text]
    """What each ruling amends, in words: those in `earlier`, and last the one that was made or proposed since. Empty where it amends nothing, and
    where the caller was not told."""


class DisputeList(msgspec.Struct, frozen=True, kw_only=True):
    """All disputes of a game, in the order in which they were opened."""

    disputes: list[DisputeShown]


OF_CHANCE = ("dice", "draw", "back", "look", "chance")
"""What is asked of chance."""
WAITING = ("awaited", "decision")
"""Topics of a difference that say what the game waits for."""
CLAIM = "dispute:"
"""What the keys of claims and notes begin with, in the store; who wrote it and the digest follow."""


_written = msgspec.json.Decoder(SaltedText).decode
_encode = msgspec.json.Encoder().encode


class Disputing:
    """The referee's desk of every game."""

    def __init__(self, play: Play, reading: Reading, tables: Tables, outside: Outside) -> None:
        self._play = play
        self._reading = reading
        self._tables = tables
        self._store = tables.store
        self._outside = outside

    async def open(self, caller: Caller, asked: AskDispute, key: str) -> Done:
        """Raises `forbidden` for all but seats, and `dispute-open`, `dispute-limit` or `unfit-span`."""
        if caller.role != "seat":
            raise forbidden()
        digest, texts = self._kept(caller, asked.claim)
        command = OpenDispute(first=asked.first, last=asked.last, table=asked.addressed == "table", claim=digest)
        return await self._do(caller, command, asked, key, texts)

    async def give(self, caller: Caller, number: int, asked: AskEvidence, key: str) -> Done:
        """Raises `forbidden`, `not-found`, `unfit-evidence`, `unknown-rule`, `dispute-closed`, `dispute-limit` or `unfit-span`."""
        played, _ = await self._find(caller, number)
        if not (asked.commits or asked.rules or asked.note):
            raise ProblemError("unfit-evidence", "Evidence names commits or rules, or has a note.")
        _check_rules(played, asked.rules)
        digest, texts = self._kept(caller, asked.note) if asked.note is not None else ("", {})
        command = GiveEvidence(number=number, commits=asked.commits, rules=asked.rules, note=digest)
        return await self._do(caller, command, (number, asked), key, texts)

    async def withdraw(self, caller: Caller, number: int, key: str) -> Done:
        """Only the seat that opened a dispute can withdraw it. Raises `forbidden`, `not-found` or `dispute-closed`."""
        _, dispute = await self._find(caller, number)
        if caller.role != "seat" or dispute.by != caller.seat:
            raise forbidden()
        return await self._do(caller, WithdrawDispute(number=number), number, key)

    async def reopen(self, caller: Caller, number: int, asked: AskReopening, key: str) -> Done:
        """Raises `forbidden` for all but the referee, `not-found`, `dispute-open`, `dispute-closed`, `dispute-limit` or `ruling-open`."""
        await self._find(caller, number)
        if caller.role != "referee":
            raise forbidden()
        return await self._do(caller, ReopenDispute(number=number, text=asked.reasons), (number, asked), key)

    async def rule(
        self, caller: Caller, number: int, asked: AskRuling, key: str, expected: Sequence[int] | None = None
    ) -> Done:
        """Rule on a dispute; `forbidden` for a seat whose dispute is the referee's to decide. The game must be at a version that is `expected`.

        Raises `not-found`, `unfit-ruling`, `unknown-rule`, `dispute-closed`, `ruling-open`, `decision-closed`, `unfit-span`, `unfit-amendment` or
        `stale-version`.
        """
        command, check = await self._ruling(caller, number, asked)
        return await self._do(caller, command, (number, asked), key, check=check, expected=expected)

    async def _ruling(
        self, caller: Caller, number: int, asked: AskRuling
    ) -> tuple[RuleDispute, Callable[[State], None]]:
        """The command, and what checks its `you` in the state on which it is decided."""
        played, dispute = await self._find(caller, number)
        if caller.role == "seat" and not dispute.table:
            raise forbidden()
        _check_ruling(asked)
        _check_rules(played, asked.rules)
        command = RuleDispute(
            number=number,
            outcome=asked.outcome,
            to=asked.to,
            text=asked.reasons,
            rules=asked.rules,
            precedent=asked.precedent,
            you=asked.you,
            do=asked.do,
            public=asked.public or asked.outcome == "rewind",
            reapply=asked.reapply,
        )
        you, amends = dispute.by if asked.you is None else asked.you, asked.outcome == "amend"
        doubt = await self._who_else(caller.game, dispute) if amends and asked.you is None else None

        def check(state: State) -> None:
            if not amends or disputes(state)[number - 1].outcome:
                return
            haunt = (
                state.haunt if caller.role == "referee" else None
            )  # what a seat is told must not depend on what is hidden
            if doubt and about_you(haunt, asked.do):
                raise doubt
            if refused := lifeless(state, you, asked.do):
                raise refused

        return command, check

    async def _who_else(self, game: str, dispute: Dispute) -> Refused | None:
        """What says whom an amendment could mean besides the seat that disputes, and asks for `you`; None if that seat alone has acted."""
        async for page in pages(self._store, game, dispute.last, after=dispute.first - 1):
            for commit in map(read_folded, page):
                if commit.actor not in (f"seat:{dispute.by}", "host", *REFEREES):
                    seats = [commit.actor] if commit.actor.startswith("seat:") else []
                    who = "{}, who" if seats else "the traitor, who" if commit.actor == TRAITOR else "whoever"
                    why = (
                        f"The steps are about `you`, which could be {{}}, who disputes, or {who} acted in commit {commit.number}: "
                        "name the seat in `you`."
                    )
                    return Refused(why, f"seat:{dispute.by}", *seats, problem="unfit-ruling", errors=[("/you", why)])
        return None

    # -- dry runs -----------------------------------------------------------------------------------------------------

    async def try_ruling(
        self, caller: Caller, number: int, asked: AskRuling, expected: Sequence[int] | None = None
    ) -> RulingTried:
        """What a ruling would change for each role that the caller may see, for a seat as far as it knows. Raises as `rule` does."""
        try:
            return await self._tried(caller, number, asked, expected)
        except Refused as found:
            raise await self._play.worded(caller.game, caller.principal, found) from None

    async def _tried(
        self, caller: Caller, number: int, asked: AskRuling, expected: Sequence[int] | None
    ) -> RulingTried:
        command, check = await self._ruling(caller, number, asked)
        seen = await self._reading.seen(caller)
        state, version = copied(seen.state), seen.version
        if expected is not None and version not in expected:
            raise stale(version)
        live = await self._tables.live(caller.game)
        check_goes_on(state.status)
        check(state)
        actor = MODERATOR if caller.role == "referee" else caller.seat
        to = goes_back(state, actor, command, None, live.facts.started_at)
        past = await past_of(self._store, caller.game, to, state.seats, version) if to else None
        lately = await latest_played(self._store, live, version)
        before: dict[Mask, State] = {}
        hidden: list[Consulted] = []
        if caller.role == "referee":
            for mask in principals(state.seats):
                before[mask] = copied(await self._tables.fold_for(caller.game, live, mask, version))
        else:
            before[seen.principal] = copied(state)
            command, hidden = _as_known(state, command)
            if past is not None:
                past.known = dict.fromkeys((seen.principal, REFEREE), past.known[seen.principal])
        undoes = [one for one in undone(state, to) if one not in asked.reapply] if to else []
        # The views of all roles may take a tenth of a second, in which nobody else would be answered.
        told, asks, consults = await asyncio.to_thread(_try, seen.rules, state, actor, command, past)
        if not told and caller.role == "referee":
            raise ProblemError("unfit-amendment", "The ruling's steps can't be done as written.")
        tried = Passed(version + 1, actor, told)
        found = await asyncio.to_thread(_diffs, seen.rules, before, lately, tried)
        if not live.facts.by_hand() and any(one.kind in OF_CHANCE for one in consults):
            # Here chance has not answered; in the game it does so at once, and nobody is asked for it.
            found = [_without(one, WAITING) for one in found]
        consults, names = [*hidden, *consults], Names(seen.rules, seen.state)
        return RulingTried(
            version=version,
            asks=asks,
            undoes=undoes,
            reapplies=asked.reapply,
            consults=consults,
            follows=[foreseen(names, one) for one in consults],
            diffs=found,
        )

    async def _do(
        self,
        caller: Caller,
        command: AnyDeskCommand,
        asked: object,
        key: str,
        texts: dict[str, str | None] | None = None,
        *,
        check: Callable[[State], None] | None = None,
        expected: Sequence[int] | None = None,
    ) -> Done:
        # The salt of a claim is another one each time: a retry asks for the same as what was asked, not as what came of it.
        what = (type(command).__name__, asked)
        return await self._play.submit_command(
            caller, command, key=key, asked=what, expected=expected, texts=texts or {}, check=check
        )

    def _kept(self, caller: Caller, text: str) -> tuple[str, dict[str, str | None]]:
        salt = self._outside.secret("name-salt").hex()
        digest = salted_digest(salt, text)
        return digest, {f"{CLAIM}{caller.role}:{caller.seat}:{digest}": _encode(SaltedText(salt, text)).decode()}

    async def _find(self, caller: Caller, number: int) -> tuple[Rules, Dispute]:
        """The rules of the game, and a dispute, of which everybody at the table knows that it is there."""
        if caller.role not in ("seat", "referee"):
            raise forbidden()
        seen = await self._reading.seen(caller)
        return seen.rules, numbered(disputes(seen.state), number)

    async def list(self, caller: Caller, as_: Mask | None = None) -> tuple[DisputeList, int]:
        """All disputes as the caller's role, or for the referee another one, knows them, and the version as of which."""
        seen = await self._reading.seen(caller, as_=as_)
        # Now, as the state goes on with the game; the texts afterwards, or that of a dispute opened meanwhile would be missing.
        asking = Asking(seen.rules.of(seen.state), seen.state)
        found = [(*known(seen.state, one), amended(asking, one)) for one in disputes(seen.state)]
        version = seen.version
        texts = await self._store.get_texts(caller.game, CLAIM)
        return DisputeList(disputes=[shown(one, told, texts, words) for one, told, words in found]), version

    async def one(self, caller: Caller, number: int, as_: Mask | None = None) -> tuple[DisputeShown, int]:
        """One dispute, or `not-found`."""
        listed, version = await self.list(caller, as_)
        return numbered(listed.disputes, number), version


def numbered(found: Sequence[T], number: int) -> T:
    """What belongs to a dispute. Raises `not-found`."""
    if number > len(found):
        raise ProblemError("not-found", f"This game has {counted(len(found), 'dispute')}.")
    return found[number - 1]


def known(state: State, dispute: Dispute) -> tuple[DisputeView, list[str]]:
    """A dispute as a role knows it, and the digests of what was said in it."""
    return dispute_view(state, dispute), [dispute.claim, *(one.note for one in dispute.evidence)]


def shown(dispute: DisputeView, told: Sequence[str], texts: Mapping[str, str], words: list[str]) -> DisputeShown:
    """With what rulings amend in words, and the texts that are still there: those who were told a digest are shown its text."""
    by_digest = {key.rpartition(":")[2]: _written(text) for key, text in texts.items()}
    notes = [
        NoteShown(digest=digest, salt=by_digest[digest].salt, text=by_digest[digest].text)
        for digest in told
        if digest in by_digest
    ]
    return DisputeShown(dispute=dispute, texts=notes, amended=words)


def _check_rules(played: Rules, rules: list[str]) -> None:
    """Only rules that hold in this game are cited: the other edition's decide nothing here."""
    for index, rule in enumerate(rules):
        if detail := no_rule(rule, played.edition.rules_of()):
            errors = [FieldError(f"/rules/{index}", detail)]
            raise ProblemError("unknown-rule", detail, errors=errors, rule=cited(played.cite.table_ruling))


def _check_ruling(asked: AskRuling) -> None:
    """A rewind says to which commit, an amendment what is done, and nothing else does."""
    wrong = []
    if (asked.to is None) == (asked.outcome == "rewind"):
        wrong.append(FieldError("/to", "A rewind names the commit from which play goes on; other rulings do not."))
    if bool(asked.do) != (asked.outcome == "amend"):
        wrong.append(FieldError("/do", "An amendment has steps; other rulings have none."))
    if asked.you is not None and asked.outcome != "amend":
        wrong.append(FieldError("/you", "Only an amendment is about a seat."))
    if asked.reapply and asked.outcome != "rewind":
        wrong.append(FieldError("/reapply", "Only a rewind undoes amendments, and can apply them again."))
    if wrong:
        raise ProblemError("unfit-ruling", wrong[0].detail, errors=wrong)


def _as_known(state: State, command: RuleDispute) -> tuple[RuleDispute, list[Consulted]]:
    """A ruling without the amendments whose steps a seat was not told, and what says so."""
    unknown = [
        number
        for number in command.reapply
        if any(one.amendment is None for one in lacking(state, number, command.to or 0))
    ]
    known_ = [number for number in command.reapply if number not in unknown]
    hidden = [Consulted(kind="hidden", about=f"dispute-{number}") for number in unknown]
    return msgspec.structs.replace(command, reapply=known_), hidden


def _try(
    rules: Rules, state: State, actor: int, command: RuleDispute, past: Past | None
) -> tuple[list[Told], list[int], list[Consulted]]:
    try:
        return try_ruling(rules, state, actor, command, past)
    except Endless as endless:
        raise ProblemError("unfit-amendment", f"{endless}.") from endless


def _diffs(rules: Rules, before: Mapping[Mask, State], lately: Sequence[Passed], tried: Passed) -> list[GameDiff]:
    """What a commit would change for each of some roles, after the latest commits of play; nothing is said where it holds no events."""
    found = []
    after = [*lately, tried][-BEHIND:] if of_play(tried.told) else lately
    for mask, state in before.items() if tried.told else ():
        earlier = _moment(rules, state, mask, lately)
        fold_commit(state, tried.number, tried.told, mask)
        found.append(difference(earlier, _moment(rules, state, mask, after)))
    return found


def _without(diff: GameDiff, topics: Collection[str]) -> GameDiff:
    return msgspec.structs.replace(diff, changes=[one for one in diff.changes if one.topic not in topics])


def _moment(rules: Rules, state: State, mask: Mask, lately: Sequence[Passed]) -> Moment:
    """As `GET …/diff` compares it: seats are told what a roll is for, which only the latest commits say."""
    return Moment(view_of(rules, state, mask), decisions_of(rules, state, mask, lately if mask < SPECTATORS else ()))
