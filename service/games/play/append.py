"""How anything comes to be in a game's log: decided under the game's lock, stored, and only then answered.

One command at a time for each game. Whatever goes wrong after the decision, the state in memory is thrown away and
loaded again from the log, so it never differs from it. A retry with the same idempotency key gets the first answer, after any crash,
because the key is stored in the same transaction as the commit.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from domain.engine.external import is_external
from domain.facts.audience import EVERYBODY, Mask
from domain.facts.events import Told
from domain.facts.refusal import Endless, Refused
from domain.past import Passed
from domain.rulebook.desk.amending import amends
from domain.rulebook.turn.options import is_unnamed
from service.games.live import Live, Table
from service.games.orders import Orders
from service.games.tables import Tables
from service.identity import Gate
from service.log.chain import seal
from service.log.commits import Draft, Parts, cut
from service.log.deadlines import CLOCK
from service.log.facts import FORGOTTEN, Facts, encode
from service.log.past import TRAITOR, actor_number
from service.observability import Traces
from service.outside import Outside
from service.problems import KINDS, FieldError, ProblemError, RuleCited
from service.store.port import AlreadyApplied, Applied, InviteSpent, RecordChanges, TokenRecord

ATTEMPTS = 5
"""How often a command is decided when another process was quicker."""

log = logging.getLogger(__name__)

Decide = Callable[[Live], list[Told]]


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is to be done in a game."""

    actor: str
    """`seat:1`, `host`, `moderator`: as the log names it, unless it may not name the seat."""
    command: object
    command_to: Mask = EVERYBODY
    decision: str = ""
    decide: Decide
    """Makes the events and applies them; may raise `Refused` before it changed anything."""
    prepare: Callable[[Live], Awaitable[None]] | None = None
    """Reads, under the game's lock and before `decide`, what the decision needs of the log."""
    note: Callable[[Facts, int], None] | None = None
    """What the act changes in the public facts besides the game's status, as the commit with this number."""
    key: str = ""
    """The scoped digest of the idempotency key, or nothing."""
    fingerprint: bytes = b""
    """Digest of the request."""
    expected: Sequence[int] | None = None
    """Versions of which the game must be at one (`If-Match`)."""
    spend: Sequence[bytes] = ()
    tokens: Sequence[TokenRecord] = ()
    revoke: Sequence[str] = ()
    texts: Mapping[str, str | None] = {}
    orders: Mapping[int, Orders] = {}
    """Standing orders as they are after it; their texts are among `texts`."""


class Done(msgspec.Struct, frozen=True):
    """The commit that an act became."""

    number: int
    at: str
    parts: Parts
    replayed: bool = False
    """It was there already: this is a retry."""


class Stale(Exception):
    """The game is at another version than the caller expects."""

    def __init__(self, current: int) -> None:
        super().__init__(current)
        self.current = current


def _nobody(_game: str) -> None:
    """Nobody attends to the games, or wants to be told."""


class Acting:
    """Does acts, one after another in each game."""

    def __init__(self, tables: Tables, outside: Outside, gate: Gate, traces: Traces) -> None:
        self._tables = tables
        self._gate = gate
        self._store = tables.store
        self._outside = outside
        self._traces = traces
        self.attend: Callable[[str], None] = _nobody
        """Told of each commit in a game in which something may have to be done without anybody's command."""
        self.tell: Callable[[str], None] = _nobody
        """Told of the game of each commit."""

    async def do(self, game: str, act: Act) -> Done:
        """Decide, store and answer.

        Returns:
            The commit, which is durable.

        Raises:
            Refused: a rule or the game's situation forbids it; nothing has changed.
            ProblemError: `key-reused`, `stale-version`, `invite-refused`, `conflict` or `internal`; nothing has changed.
            StoreError: the store failed; whether the commit was stored is for a retry with the same key to find out.
        """
        table = self._tables.table(game)
        async with table.lock:
            for _ in range(ATTEMPTS):
                live = await self._tables.load(table)
                known = live.keys.get(act.key) if act.key else None
                if known is not None:
                    return await self._again(game, act, *known)
                try:
                    self._expect(act, live)
                    done = await self._attempt(table, live, act)
                except (Refused, Stale) as refusal:
                    if await self._store.version(game) == live.version:
                        return await self._refuse(game, act, refusal)
                    done = None
                    table.drop()  # refused for what was, as another process has acted
                if done is not None:
                    return done
        raise ProblemError("conflict", "Another process acts in this game: read its state again, then decide.")

    def _expect(self, act: Act, live: Live) -> None:
        if act.expected is not None and live.version not in act.expected:
            raise Stale(live.version)

    async def _attempt(self, table: Table, live: Live, act: Act) -> Done | None:
        """Decide and store; None if another process was quicker."""
        try:
            if act.prepare is not None:
                await act.prepare(live)
            if act.actor.startswith("seat:") and is_unnamed(live.state, act.decision):
                act = msgspec.structs.replace(act, actor=TRAITOR)
            with self._traces.step("decide"):
                told = self._decide(table, act, live)
            number = live.version + 1
            draft = self._draft(live, act, number, told)
            sealed = seal(draft, live.hash, live.salts)
            changes, facts = self._changes(live, act, number)
            with self._traces.step("append"):
                answer = await self._store.append(
                    table.game,
                    live.version,
                    sealed.body,
                    key=act.key or None,
                    fingerprint=act.fingerprint,
                    spend=act.spend,
                    changes=changes,
                    # What a player has left to be done may have changed without a commit.
                    revision=live.revision if act.orders else None,
                )
        except Refused:
            raise
        except BaseException:
            # Cancellation too: the state is ahead of what we know to be stored.
            table.drop()
            raise
        if isinstance(answer, Applied):
            live.facts = facts
            live.revision += changes is not None
            passed = Passed(number, actor_number(act.actor), told)
            ran_out = act.decision if act.actor == CLOCK else ""
            live.stored(passed, sealed.hash, draft.at, sealed.body, ran_out=ran_out)
            if act.key:
                live.remember(act.key, number, act.fingerprint)
            self._tables.keep(table, live)
            if act.tokens or act.revoke:
                self._gate.forget(table.game)
            table.announce()
            self.tell(table.game)
            if act.orders:
                live.orders.update(act.orders)
            if live.unattended():
                self.attend(table.game)
            return Done(number, draft.at, sealed.parts)
        table.drop()
        if isinstance(answer, AlreadyApplied):
            return await self._again(table.game, act, answer.number, answer.fingerprint)
        if isinstance(answer, InviteSpent):
            raise ProblemError("invite-refused", "This invite is not good for that.")
        return None

    def _decide(self, table: Table, act: Act, live: Live) -> list[Told]:
        try:
            return act.decide(live)
        except (Refused, ProblemError):
            raise
        except Endless as endless:
            detail = "What was entered of the haunt sets itself off without an end; nothing has changed."
            raise ProblemError("unfit-entry", detail) from endless
        except Exception as error:
            if amends(act.command, live.state):
                log.exception("game %s: an amendment can't be done at commit %d", table.game, live.version)
                detail = "What the ruling amends can't be done as it stands; nothing has changed."
                raise ProblemError("unfit-amendment", detail) from error
            if is_external(live.state):
                log.exception(
                    "game %s: what was entered of its haunt can't be done at commit %d", table.game, live.version
                )
                detail = "What was entered of the haunt can't be done as it stands; nothing has changed."
                raise ProblemError("unfit-entry", detail) from error
            log.exception("game %s: the engine failed on %s at commit %d", table.game, act.command, live.version)
            raise ProblemError("internal", "The engine failed on this command; nothing has changed.") from error

    def _draft(self, live: Live, act: Act, number: int, told: Sequence[Told]) -> Draft:
        return Draft(
            game=live.facts.id,
            number=number,
            at=self._outside.now(),
            rules=live.facts.rules,
            pack=live.facts.pack_digest,
            actor=act.actor,
            command=act.command,
            command_to=act.command_to,
            key=act.key,
            decision=act.decision,
            told=told,
        )

    def _changes(self, live: Live, act: Act, number: int) -> tuple[RecordChanges | None, Facts]:
        """What changes beside the log, and the facts afterwards."""
        facts = live.facts
        if live.state.status == facts.status and not (act.note or act.tokens or act.revoke or act.texts):
            return None, facts
        facts = msgspec.structs.replace(facts, seats=[msgspec.structs.replace(seat) for seat in facts.seats])
        if act.note is not None:
            act.note(facts, number)
        texts = act.texts
        if facts.follow(live.state, number):
            texts = {**texts, **FORGOTTEN}
        changes = RecordChanges(
            facts=encode(facts), status=facts.status, tokens=act.tokens, revoke=act.revoke, texts=texts
        )
        return changes, facts

    # -- what came before ---------------------------------------------------------------------------------------------

    async def _refuse(self, game: str, act: Act, refusal: Refused | Stale) -> Done:
        """Refuse, unless the very same request was accepted once: then this is a retry and gets the first answer."""
        if act.key:
            # No commit can follow on version -1, so that this only asks whether the key is known.
            answer = await self._store.append(game, -1, b"", key=act.key, fingerprint=act.fingerprint)
            if isinstance(answer, AlreadyApplied):
                return await self._again(game, act, answer.number, answer.fingerprint)
        if isinstance(refusal, Stale):
            raise ProblemError(
                "stale-version", f"The game is at version {refusal.current}.", current_version=refusal.current
            )
        raise refusal

    async def _again(self, game: str, act: Act, number: int, fingerprint: bytes) -> Done:
        """The first answer, from the log."""
        if fingerprint != act.fingerprint:
            raise ProblemError("key-reused", "This Idempotency-Key came with another request before.")
        (body,) = await self._store.read(game, number - 1, 1)
        commit, parts = cut(body)
        return Done(commit.number, commit.at, parts, replayed=True)


def problem_of(refusal: Refused, rule: RuleCited | None, legal: object) -> ProblemError:
    """The problem that tells a caller of a refusal.

    Args:
        refusal: what the domain said.
        rule: the rule that it cites, if it does.
        legal: what the caller could do, from the caller's own view.
    """
    code = refusal.problem if refusal.problem in KINDS else "illegal-command"
    errors = [FieldError(pointer, detail) for pointer, detail in refusal.errors]
    return ProblemError(code, refusal.detail, rule=rule, legal=legal, errors=errors)
