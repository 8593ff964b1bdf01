"""Disputes over HTTP: they become commits, and the texts of claims and notes are kept beside the log, under their digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from content.ledger import no_rule
from content.patterns import whole
from domain.engine.rules import Rules
from domain.facts.commands import Seat
from domain.facts.desk import Dispute
from domain.facts.desk_commands import (
    AnyDeskCommand,
    Commit,
    GiveEvidence,
    OpenDispute,
    Outcome,
    Reasons,
    RuleDispute,
    RuleIds,
    WithdrawDispute,
)
from domain.rulebook.desk.disputing import disputes
from projections.view.desk import DisputeView, dispute_view
from service.games.lobby.new_games import SaltedText, salted_digest
from service.games.play.submit import Done, Play
from service.games.read.reading import Reading
from service.identity import Caller
from service.log.requests import Body
from service.outside import Outside
from service.problems import FieldError, ProblemError, cited, forbidden
from service.store.port import LogStore

T = TypeVar("T")
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, pattern=whole(r"^[^\x00-\x08\x0b-\x1f\x7f]*$"))]
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
    you: Seat | None = None
    """For an amendment: the seat that `you` means in the steps. Default: the seat that opened the dispute."""
    do: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=20)] = []
    """For an amendment: steps in the vocabulary of content files, done at once."""


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


class DisputeList(msgspec.Struct, frozen=True, kw_only=True):
    """All disputes of a game, in the order in which they were opened."""

    disputes: list[DisputeShown]


CLAIM = "dispute:"
"""What the keys of claims and notes begin with, in the store; who wrote it and the digest follow."""


_written = msgspec.json.Decoder(SaltedText).decode
_encode = msgspec.json.Encoder().encode


class Disputing:
    """The referee's desk of every game."""

    def __init__(self, play: Play, reading: Reading, store: LogStore, outside: Outside) -> None:
        self._play = play
        self._reading = reading
        self._store = store
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

    async def rule(self, caller: Caller, number: int, asked: AskRuling, key: str) -> Done:
        """Rule on a dispute; `forbidden` for a seat whose dispute is the referee's to decide.

        Raises `not-found`, `unfit-ruling`, `unknown-rule`, `dispute-closed`, `ruling-open`, `decision-closed`, `unfit-span` or `unfit-amendment`.
        """
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
        )
        return await self._do(caller, command, (number, asked), key)

    async def _do(
        self,
        caller: Caller,
        command: AnyDeskCommand,
        asked: object,
        key: str,
        texts: dict[str, str | None] | None = None,
    ) -> Done:
        # The salt of a claim is another one each time: a retry asks for the same as what was asked, not as what came of it.
        what = (type(command).__name__, asked)
        return await self._play.submit_command(caller, command, key=key, asked=what, texts=texts or {})

    def _kept(self, caller: Caller, text: str) -> tuple[str, dict[str, str | None]]:
        salt = self._outside.secret("name-salt").hex()
        digest = salted_digest(salt, text)
        return digest, {f"{CLAIM}{caller.role}:{caller.seat}:{digest}": _encode(SaltedText(salt, text)).decode()}

    async def _find(self, caller: Caller, number: int) -> tuple[Rules, Dispute]:
        """The rules of the game, and a dispute, of which everybody at the table knows that it is there."""
        if caller.role not in ("seat", "referee"):
            raise forbidden()
        seen = await self._reading.seen(caller)
        return seen.rules, _numbered(disputes(seen.state), number)

    async def list(self, caller: Caller) -> tuple[DisputeList, int]:
        """All disputes as the caller's role knows them, and the version as of which."""
        seen = await self._reading.seen(caller)
        # Now, as the state goes on with the game; the texts afterwards, or that of a dispute opened meanwhile would be missing.
        found, version = [known(one) for one in disputes(seen.state)], seen.version
        texts = await self._store.get_texts(caller.game, CLAIM)
        return DisputeList(disputes=[shown(*one, texts) for one in found]), version

    async def one(self, caller: Caller, number: int) -> tuple[DisputeShown, int]:
        """One dispute, or `not-found`."""
        listed, version = await self.list(caller)
        return _numbered(listed.disputes, number), version


def _numbered(found: Sequence[T], number: int) -> T:
    if number > len(found):
        raise ProblemError("not-found", f"This game has {len(found)} disputes.")
    return found[number - 1]


def known(dispute: Dispute) -> tuple[DisputeView, list[str]]:
    """A dispute, and the digests of what was said in it."""
    return dispute_view(dispute), [dispute.claim, *(one.note for one in dispute.evidence)]


def shown(dispute: DisputeView, told: Sequence[str], texts: Mapping[str, str]) -> DisputeShown:
    """With the texts that are still there: those who were told a digest are shown its text."""
    by_digest = {key.rpartition(":")[2]: _written(text) for key, text in texts.items()}
    notes = [
        NoteShown(digest=digest, salt=by_digest[digest].salt, text=by_digest[digest].text)
        for digest in told
        if digest in by_digest
    ]
    return DisputeShown(dispute=dispute, texts=notes)


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
    if wrong:
        raise ProblemError("unfit-ruling", wrong[0].detail, errors=wrong)
