"""The one door by which anything comes into a game: decided under the game's lock, stored, and only then answered.

One command at a time for each game. Whatever goes wrong after the decision, the state in memory is thrown away and
loaded again from the log, so it never differs from it. A retry with the same idempotency key gets the first answer, after any crash,
because the key is stored in the same transaction as the commit.

What is kept beside the log (messages, orders, tokens that no commit tells of) changes under the same lock. A commit says which version it follows
on; what has no version says which revision of the records it was made for. If another process has changed them in between, it is looked at anew.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import MappingProxyType
from typing import TypeVar

import msgspec

from domain.decide import decide, goes_back
from domain.engine.external import is_external
from domain.facts.audience import EVERYBODY, REFEREE, Mask
from domain.facts.commands import AnyCommand, TakeBack
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.events import Told
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MODERATOR, State
from domain.past import Passed, Past
from domain.rulebook.desk.amending import amends
from domain.rulebook.turn.options import is_unnamed
from domain.rulebook.turn.standing_orders import Orders
from projections.naming.questions import in_names
from service.games.folds import latest_played
from service.games.orders import ORDERS, orders_in
from service.games.refusals import Refusals
from service.games.tables import LiveGame, Slot, Tables
from service.games.talk import NEWS, changes_in
from service.identity import Caller, Gate, scoped_key
from service.log.chain import seal
from service.log.commits import Draft, Moment, Parts, cut, moment_of, wire_parts
from service.log.facts import FORGOTTEN, OVER, Facts, encode
from service.log.reader import CLOCK, MODERATOR_OF, TRAITOR, actor_number, past_of
from service.outside import Outside
from service.problems import ProblemError, stale
from service.store.port import AlreadyApplied, Applied, InviteSpent, RecordChanges, TokenRecord

ATTEMPTS = 5
"""How often a command is decided when another process was quicker."""
CHANGES = 10
"""How often a change beside the log is made anew for the same reason."""

log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode

T = TypeVar("T")
Decide = Callable[[LiveGame], list[Told]]
Change = Callable[[LiveGame], Awaitable[tuple[T, RecordChanges | None]]]
"""Gives an answer and what is to be changed, from the game as it is; may be called several times."""
Span = Callable[[str], AbstractContextManager[object]]
"""Begins a span of the trace of the request that is being answered."""


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is to be done in a game."""

    actor: str
    """`seat:1`, `host`, `moderator`: as the log names it, unless it may not name the seat."""
    command: object
    command_to: Mask = EVERYBODY
    decision: str = ""
    decide: Decide
    """Makes the events and applies them; may raise `Refused` before it changed anything."""
    prepare: Callable[[LiveGame], Awaitable[None]] | None = None
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
    texts: Mapping[str, str | None] = MappingProxyType({})
    orders: Mapping[int, Orders] = MappingProxyType({})
    """Standing orders as they are after it; their texts are among `texts`."""


class Done(msgspec.Struct, frozen=True):
    """The commit that an act became."""

    number: int
    at: str
    parts: Parts
    moment: Moment
    """Turn and round in which it began."""
    replayed: bool = False
    """It was there already: this is a retry."""


class Stale(Exception):
    """The game is at another version than the caller expects."""

    def __init__(self, current: int) -> None:
        super().__init__(current)
        self.current = current


class Play:
    """Decides and stores, one change after another in each game."""

    def __init__(
        self,
        tables: Tables,
        outside: Outside,
        gate: Gate,
        refusals: Refusals,
        *,
        tell: Callable[[str], None],
        span: Span = nullcontext,
    ) -> None:
        """`tell` is told of the game of each commit, `gate` of tokens that end; `span` measures what a command costs."""
        self._tables = tables
        self._gate = gate
        self._store = tables.store
        self._outside = outside
        self._refusals = refusals
        self._tell = tell
        self._span = span

    async def submit_command(
        self,
        caller: Caller,
        command: AnyCommand | AnyDeskCommand,
        *,
        key: str = "",
        asked: object = None,
        expected: Sequence[int] | None = None,
        texts: Mapping[str, str | None] = MappingProxyType({}),
        check: Callable[[State], None] | None = None,
    ) -> Done:
        """Do what a seat, or the referee, who answers chance, wants done, in play or at the desk.

        A retry has to ask for `asked` again, by default the command. The game must be at one of the versions `expected`, or None for any.
        `check` may refuse, in the game as it is decided on, what the rules of older games let pass.
        Raises `forbidden`, `Refused` where a rule or the situation forbids it, and as `append_commit`.
        """
        if caller.role not in ("seat", "referee"):
            raise ProblemError("forbidden", "Only seats and the referee can command.")
        seat = MODERATOR if caller.role == "referee" else caller.seat
        decision = _Decision(seat, command, self._tables, check)
        act = Act(
            actor=MODERATOR_OF.get(caller.name, caller.name),
            command=command,
            command_to=caller.principal | REFEREE,
            decision=command.decision,
            decide=decision.decide,
            prepare=decision.prepare,
            key=scoped_key(caller.name, key),
            fingerprint=hashlib.sha256(_encode(command if asked is None else asked)).digest() if key else b"",
            expected=expected,
            texts=texts,
        )
        try:
            return await self.append_commit(caller.game, act)
        except Refused as found:
            refusal = await self.worded(caller.game, caller.principal, found)
            await self._refusals.note(
                caller.game, by=caller.name, seat=seat, number=decision.at, command=command, refusal=refusal
            )
            raise refusal from None

    async def worded(self, game: str, principal: Mask, refusal: Refused) -> Refused:
        """A refusal with the names that a role knows."""
        if not refusal.about:
            return refusal
        live = await self._tables.live(game)
        state = await self._tables.fold_for(game, live, principal, live.version)
        return in_names(refusal, live.rules, state)

    async def append_commit(self, game: str, act: Act) -> Done:
        """Decide, store and answer with the commit, which is durable.

        Raises `Refused` where a rule or the situation forbids it, or `key-reused`, `stale-version`, `invite-refused`, `conflict` or `internal`:
        nothing has changed. After a `StoreError` a retry with the same key finds out whether the commit was stored.
        """
        table = self._tables.table(game)
        async with table.lock:
            for _ in range(ATTEMPTS):
                live = await self._tables.load(table)
                known = live.keys.get(act.key) if act.key else None
                if known is not None:
                    return await self._again(game, act, *known)
                try:
                    done = await self._attempt(table, live, act)
                except (Refused, Stale) as refusal:
                    if await self._store.version(game) == live.version:
                        return await self._refuse(game, act, refusal)
                    done = None
                    table.drop()  # refused for what was, as another process has acted
                if done is not None:
                    return done
        raise ProblemError("conflict", "Another process acts in this game: read its state again, then decide.")

    async def _attempt(self, table: Slot, live: LiveGame, act: Act) -> Done | None:
        """Decide and store; None if another process was quicker. Raises `Stale` where another version is expected."""
        if act.expected is not None and live.version not in act.expected:
            raise Stale(live.version)
        try:
            if act.prepare is not None:
                await act.prepare(live)
            if act.actor.startswith("seat:") and is_unnamed(live.state, act.decision):
                act = msgspec.structs.replace(act, actor=TRAITOR)
            with self._span("decide"):
                told = _decide(table, act, live)
            number = live.version + 1
            draft = Draft(
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
            sealed = seal(draft, live.hash, live.salts)
            changes, facts = _changes(live, act, number)
            with self._span("append"):
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
            parts = sealed.parts if table.waiting else None
            live.stored(passed, sealed.hash, draft.at, sealed.body, parts=parts, ran_out=ran_out)
            if act.key:
                live.remember(act.key, number, act.fingerprint)
            live.orders.update(act.orders)
            self._tables.attend(table, live)
            if act.tokens or act.revoke:
                self._gate.forget(table.game)
            table.announce()
            self._tell(table.game)
            return Done(number, draft.at, sealed.parts, moment_of(live.moments, number))
        table.drop()
        if isinstance(answer, AlreadyApplied):
            return await self._again(table.game, act, answer.number, answer.fingerprint)
        if isinstance(answer, InviteSpent):
            raise ProblemError("invite-refused", "This invite does not allow that.")
        return None

    # -- what came before ---------------------------------------------------------------------------------------------

    async def _refuse(self, game: str, act: Act, refusal: Refused | Stale) -> Done:
        """Refuse, unless the very same request was accepted once: then this is a retry and gets the first answer."""
        if act.key:
            # No commit can follow on version -1, so that this only asks whether the key is known.
            answer = await self._store.append(game, -1, b"", key=act.key, fingerprint=act.fingerprint)
            if isinstance(answer, AlreadyApplied):
                return await self._again(game, act, answer.number, answer.fingerprint)
        if isinstance(refusal, Stale):
            raise stale(refusal.current)
        raise refusal

    async def _again(self, game: str, act: Act, number: int, fingerprint: bytes) -> Done:
        if fingerprint != act.fingerprint:
            raise ProblemError("key-reused", "This Idempotency-Key came with another request before.")
        live = await self._tables.load(self._tables.table(game), fresh=True)  # another process may have stored it
        (body,) = await self._store.read(game, number - 1, 1)
        commit, parts = cut(body)
        return Done(commit.number, commit.at, parts, moment_of(live.moments, number), replayed=True)

    # -- beside the log -----------------------------------------------------------------------------------------------

    async def change_records(self, game: str, change: Change[T]) -> T:
        """Change what is kept beside a game's log, given what is there; answers once it is durable. Raises `conflict`, or what `change` raises."""
        table = self._tables.table(game)
        async with table.lock:
            for _ in range(CHANGES):
                live = await self._tables.load(table, fresh=True)
                answer, changes = await change(live)
                if changes is None:
                    return answer
                if await self._store.update_game(game, changes, revision=live.revision):
                    live.revision += 1
                    _note_texts(live, changes)
                    if changes.tokens or changes.revoke or NEWS in changes.texts:
                        table.announce()  # who follows must hear now of messages, and that their own token has ended
                    return answer
        raise ProblemError("conflict", "Others change this game all the time: try again.")


def _note_texts(live: LiveGame, changes: RecordChanges) -> None:
    for key, text in changes.texts.items():
        if key == NEWS:
            live.talk = changes_in({key: text or ""})
        if key.startswith(ORDERS):
            live.orders.pop(int(key.removeprefix(ORDERS)), None)
            if text is not None:
                live.orders |= orders_in({key: text})


class _Decision:
    """The decision on one command, with what the log says of the commit to which it goes back."""

    def __init__(
        self,
        actor: int,
        command: AnyCommand | AnyDeskCommand,
        tables: Tables,
        check: Callable[[State], None] | None,
    ) -> None:
        self._check = check
        self._actor = actor
        self._command = command
        self._tables = tables
        self._past: Past | None = None
        self.at = 0
        """The version at which it was decided last."""

    async def prepare(self, live: LiveGame) -> None:
        """Read the log, where play is to go back; raises `Refused` if that proves pointless."""
        self.at = live.version
        self._past = None
        check_goes_on(live.state.status)
        if self._check is not None:
            self._check(live.state)
        store, latest = self._tables.store, None
        if isinstance(self._command, TakeBack):
            latest = await latest_played(store, live, live.version)
        to = goes_back(live.state, self._actor, self._command, latest, live.facts.started_at)
        if to:
            self._past = await past_of(store, live.facts.id, to, live.state.seats, live.version)

    def decide(self, live: LiveGame) -> list[Told]:
        return decide(live.rules, live.state, self._actor, self._command, live.chance, self._past)


def check_goes_on(status: str) -> None:
    """Raise `game-over` or `not-started` as `Refused`."""
    if status != "started":
        raise Refused(f"the game is {status}", problem="game-over" if status in OVER else "not-started")


def _decide(table: Slot, act: Act, live: LiveGame) -> list[Told]:
    try:
        return act.decide(live)
    except (Refused, ProblemError):
        raise
    except Endless as endless:
        code = "unfit-amendment" if amends(act.command, live.state) else "unfit-entry"
        raise ProblemError(code, f"{endless}; nothing has changed.") from endless
    except Exception as error:
        if amends(act.command, live.state):
            log.exception("game %s: an amendment can't be done at commit %d", table.game, live.version)
            detail = "The ruling's steps can't be done as written; nothing has changed."
            raise ProblemError("unfit-amendment", detail) from error
        if is_external(live.state):
            log.exception("game %s: what was entered of its haunt can't be done at commit %d", table.game, live.version)
            detail = "What was entered of the haunt can't be done as written; nothing has changed."
            raise ProblemError("unfit-entry", detail) from error
        log.exception("game %s: the engine failed on %s at commit %d", table.game, act.command, live.version)
        raise ProblemError("internal", "The engine failed on this command; nothing has changed.") from error


def _changes(live: LiveGame, act: Act, number: int) -> tuple[RecordChanges | None, Facts]:
    facts = live.facts
    if live.state.status == facts.status and not (act.note or act.tokens or act.revoke or act.texts):
        return None, facts
    facts = msgspec.structs.replace(facts, seats=[msgspec.structs.replace(seat) for seat in facts.seats])
    if act.note is not None:
        act.note(facts, number)
    texts = act.texts
    if facts.follow(live.state, number):
        texts = {**texts, **FORGOTTEN}
    changes = RecordChanges(facts=encode(facts), status=facts.status, tokens=act.tokens, revoke=act.revoke, texts=texts)
    return changes, facts


def answer(caller: Caller, done: Done, found: bytes, add: Callable[[bytes], bytes] | None = None) -> bytes:
    """The new version, and the commit as the caller may see it, encoded.

    `found` are the caller's facts of the commit, as members of its data; `add` adds what was asked for besides.
    """
    commit = wire_parts(caller.game, done.number, done.at, done.parts, caller.principal, done.moment, found=found)
    if add is not None:
        commit = add(commit)
    return b'{"version":%d,"commit":%b}' % (done.number, commit)
