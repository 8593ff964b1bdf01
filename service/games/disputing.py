"""Disputes over HTTP become commits; the texts of claims and notes are kept beside the log, under their digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from content.ledger import ledger
from domain.desk import Dispute
from domain.desk_commands import AnyDeskCommand, GiveEvidence, OpenDispute, RuleDispute, WithdrawDispute
from domain.turn.disputing import disputes
from projections.desk import DisputeView, dispute_view
from service.games.acting import Done
from service.games.attempting import Attempting
from service.games.dispute_bodies import AskDispute, AskEvidence, AskRuling, DisputeList, DisputeShown, NoteShown
from service.games.reading import Reading
from service.games.tickets import name_digest
from service.identity import Caller
from service.outside import Outside
from service.problems import FieldError, ProblemError, forbidden
from service.store.port import LogStore

CLAIM = "dispute:"
"""What the keys of claims and notes begin with, in the store; who wrote it and the digest follow."""


class Written(msgspec.Struct, frozen=True):
    """A text as it is kept, until somebody erases it."""

    salt: str
    text: str


_written = msgspec.json.Decoder(Written).decode
_encode = msgspec.json.Encoder().encode


class Disputing:
    """The referee's desk of every game."""

    def __init__(self, attempting: Attempting, reading: Reading, store: LogStore, outside: Outside) -> None:
        """Act in these games."""
        self._attempting = attempting
        self._reading = reading
        self._store = store
        self._outside = outside

    # -- what is done -------------------------------------------------------------------------------------------------

    async def open(self, caller: Caller, asked: AskDispute, key: str) -> Done:
        """Dispute what happened.

        Raises:
            ProblemError: `forbidden` for all but seats, or as `Acting.do` raises.
            Refused: `dispute-open`, `dispute-limit` or `unfit-span`.
        """
        if caller.role != "seat":
            raise forbidden()
        digest, texts = self._kept(caller, asked.claim)
        command = OpenDispute(first=asked.first, last=asked.last, table=asked.addressed == "table", claim=digest)
        return await self._do(caller, command, asked, key, texts)

    async def give(self, caller: Caller, number: int, asked: AskEvidence, key: str) -> Done:
        """Give evidence.

        Raises:
            ProblemError: `forbidden`, `not-found`, `unfit-evidence`, `unknown-rule`, or as `Acting.do` raises.
            Refused: `dispute-closed`, `dispute-limit` or `unfit-span`.
        """
        await self._find(caller, number)
        if not (asked.commits or asked.rules or asked.note):
            raise ProblemError("unfit-evidence", "Evidence names commits or rules, or has a note.")
        _check_rules(asked.rules)
        digest, texts = self._kept(caller, asked.note) if asked.note is not None else ("", {})
        command = GiveEvidence(number=number, commits=asked.commits, rules=asked.rules, note=digest)
        return await self._do(caller, command, (number, asked), key, texts)

    async def withdraw(self, caller: Caller, number: int, key: str) -> Done:
        """Withdraw the own dispute.

        Raises:
            ProblemError: `forbidden`, `not-found`, or as `Acting.do` raises.
            Refused: `dispute-closed`.
        """
        dispute = await self._find(caller, number)
        if caller.role != "seat" or dispute.by != caller.seat:
            raise forbidden()
        return await self._do(caller, WithdrawDispute(number=number), number, key)

    async def rule(self, caller: Caller, number: int, asked: AskRuling, key: str) -> Done:
        """Rule on a dispute.

        Raises:
            ProblemError: `forbidden` for a seat whose dispute is the referee's to decide, `not-found`, `unfit-ruling`,
                `unknown-rule`, or as `Acting.do` raises.
            Refused: `dispute-closed`, `ruling-open`, `decision-closed`, `unfit-span` or `unfit-amendment`.
        """
        dispute = await self._find(caller, number)
        if caller.role == "seat" and not dispute.table:
            raise forbidden()
        _check_ruling(asked)
        _check_rules(asked.rules)
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
        return await self._attempting.do(caller, command, key=key, asked=what, texts=texts)

    def _kept(self, caller: Caller, text: str) -> tuple[str, dict[str, str | None]]:
        """The digest of a text, and what is kept beside the log."""
        salt = self._outside.secret("name-salt").hex()
        digest = name_digest(salt, text)
        return digest, {f"{CLAIM}{caller.role}:{caller.seat}:{digest}": _encode(Written(salt, text)).decode()}

    async def _find(self, caller: Caller, number: int) -> Dispute:
        """A dispute, of which everybody at the table knows that it is there."""
        if caller.role not in ("seat", "referee"):
            raise forbidden()
        found = disputes((await self._reading.seen(caller)).state)
        if number > len(found):
            raise ProblemError("not-found", f"This game has {len(found)} disputes.")
        return found[number - 1]

    # -- what is seen -------------------------------------------------------------------------------------------------

    async def list(self, caller: Caller) -> tuple[DisputeList, int]:
        """All disputes as the caller's role knows them, and the version as of which."""
        seen = await self._reading.seen(caller)
        # Now, as the state goes on with the game; the texts afterwards, or that of a dispute opened meanwhile would be missing.
        found, version = [known(one) for one in disputes(seen.state)], seen.version
        texts = await self._store.get_texts(caller.game, CLAIM)
        return DisputeList(disputes=[shown(*one, texts) for one in found]), version

    async def one(self, caller: Caller, number: int) -> tuple[DisputeShown, int]:
        """One dispute.

        Raises:
            ProblemError: `not-found`.
        """
        listed, version = await self.list(caller)
        if number > len(listed.disputes):
            raise ProblemError("not-found", f"This game has {len(listed.disputes)} disputes.")
        return listed.disputes[number - 1], version


def known(dispute: Dispute) -> tuple[DisputeView, list[str]]:
    """A dispute, and the digests of what was said in it."""
    return dispute_view(dispute), [dispute.claim, *(one.note for one in dispute.evidence)]


def shown(dispute: DisputeView, told: Sequence[str], texts: Mapping[str, str]) -> DisputeShown:
    """With the texts that are still there: whoever was told a digest is shown what it is of."""
    by_digest = {key.rpartition(":")[2]: _written(text) for key, text in texts.items()}
    notes = [
        NoteShown(digest=digest, salt=by_digest[digest].salt, text=by_digest[digest].text)
        for digest in told
        if digest in by_digest
    ]
    return DisputeShown(dispute=dispute, texts=notes)


def _check_rules(rules: list[str]) -> None:
    """The same for a rule that doesn't exist and for one that is sealed."""
    for index, rule in enumerate(rules):
        found = ledger().get(rule)
        if found is None or found.sealed:
            detail = f"There is no rule {rule} in the ledger."
            raise ProblemError("unknown-rule", detail, errors=[FieldError(f"/rules/{index}", detail)])


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
