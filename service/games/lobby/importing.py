"""Importing: a full export that verifies becomes a game that can be read and exported again, and never goes on.

The audit runs in a process of its own, one at a time and within `OMENLOG_IMPORT_SECONDS`, so that a hostile log harms no game.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from content.patterns import told
from domain.engine.rules import REVISION
from domain.evolve import fold_commit
from domain.facts.events import GameOpened, SeatClaimed
from domain.facts.lifecycle_commands import Opened
from domain.facts.state import State
from service.audit.jobs import Auditor, NoVerdict
from service.audit.verdict import Outcome, Verdict
from service.games.lobby.answers import GameShown, Invites, Tokens, show
from service.games.lobby.new_games import Made, Tickets, hotseat_tokens, made_before
from service.identity import GAME_ID
from service.log.commits import read, read_folded
from service.log.exported import Damaged, Export, NotAnExport, parse_export
from service.log.facts import Facts, SeatFacts, Secret, encode
from service.log.packs import Library
from service.log.requests import Options
from service.outside import Outside
from service.problems import ProblemError
from service.store.port import AlreadyCreated, GameExists, LogStore, NewGame

AT_ONCE = 4
"""Imports and packs under way, at the most."""
WAIT = 10
"""Seconds after which somebody who found no place may try again."""
IMPORTER = "import"
"""The creator to which idempotency keys of imports belong, so that they don't meet those of openings."""


class GameImported(msgspec.Struct, kw_only=True):
    """A game was imported."""

    game: GameShown
    tokens: Tokens
    """Tokens for every role. They are shown once."""
    outcome: str
    """`EXACT`, or `UNVERIFIED` where dice were the players' own or an older revision of the rules decided."""
    because: str
    """What could not be checked; may be empty."""


class Importing:
    """Imports games."""

    def __init__(
        self,
        store: LogStore,
        library: Library,
        outside: Outside,
        tickets: Tickets,
        auditor: Auditor,
        *,
        any_pack: bool = False,
    ) -> None:
        """Import; `any_pack` takes packs that aren't known, too, which this process compiles whenever a game is read."""
        self._any_pack = any_pack
        self._under_way = 0
        self._store = store
        self._library = library
        self._outside = outside
        self._tickets = tickets
        self._auditor = auditor

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take one of the few places for imports and packs, before the body is read: they may be large. Raises `too-many-requests`."""
        if self._under_way >= AT_ONCE:
            detail = f"{AT_ONCE} games or packs are being taken in. Try again in {WAIT} s."
            retry = {"Retry-After": str(WAIT)}
            raise ProblemError("too-many-requests", detail, headers=retry, retry_after=WAIT)
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    async def bring(self, body: bytes, key: str) -> Made[GameImported]:
        """Import a full export, as `exportGame` answers it; the idempotency key must not be guessable, like an opening's.

        Raises `unfit-export`, `unknown-pack`, `newer-revision`, `not-disclosed`, `diverged-export`, `unverified-export`,
        `game-exists` or `key-reused`.
        """
        export = readable(body)
        header = export.header
        if header.randomness == "seeded" and header.disclosed is None:
            raise _secret()
        if not key and await self._store.get_game(header.game) is not None:
            raise _exists(header.game)
        offered = {one.digest for one in self._library.offered.values()}
        new_pack = header.pack_digest not in offered and await self._store.get_pack(header.pack_digest) is None
        if new_pack and not self._any_pack:
            detail = (
                f"The game was played with content that this service does not have: {header.pack_id} "
                f"({header.pack_digest[:12]}). Its operator can have it taken in with such games (OMENLOG_IMPORT_PACKS=any)."
            )
            raise ProblemError("unknown-pack", detail)
        verdict = await self._verified(body)
        facts = await asyncio.to_thread(facts_of, export)
        if not facts.disclosed():
            raise _secret()
        facts.imported = self._outside.now()
        disclosed = header.disclosed
        secret = Secret(
            seed=b"" if disclosed is None else bytes.fromhex(disclosed.seed),
            seed_salt=b"" if disclosed is None else bytes.fromhex(disclosed.salt),
            salt_key=bytes.fromhex(header.salt_key or ""),
            token_key=self._outside.secret("token-key"),
        )
        if new_pack:
            await self._store.put_pack(header.pack_digest, bytes(header.pack))
        tokens = hotseat_tokens(facts, secret.token_key, self._tickets.nonce(key))
        game = NewGame(
            id=header.game,
            created=header.created,
            status=facts.status,
            facts=encode(facts),
            secret=encode(secret),
            commits=export.lines,
            tokens=self._tickets.opening(header.game, tokens, Invites()),
        )
        scoped = hashlib.sha256(key.encode()).hexdigest() if key else None
        fingerprint = hashlib.sha256(body).digest()
        try:
            outcome = await self._store.create(game, creator=IMPORTER, key=scoped, fingerprint=fingerprint)
        except GameExists:
            raise _exists(header.game) from None
        if isinstance(outcome, AlreadyCreated):
            if outcome.fingerprint != fingerprint:
                raise ProblemError("key-reused", "This Idempotency-Key came with another request before.")
            return await self._again(outcome.game, key, verdict)
        return Made(_answer(facts, header.version, header.created, tokens, verdict))

    async def _verified(self, body: bytes) -> Verdict:
        try:
            verdict = await self._auditor.audit(body)
        except NoVerdict as fault:
            raise ProblemError("unfit-export", f"The export could not be verified: {fault}") from None
        if verdict.outcome is Outcome.DIVERGED:
            raise ProblemError("diverged-export", f"DIVERGED at commit {verdict.commit}: {verdict.because}")
        if not verdict.redecided:
            raise ProblemError("unverified-export", f"Not all of it can be verified: {verdict.because}")
        return verdict

    async def _again(self, game: str, key: str, verdict: Verdict) -> Made[GameImported]:
        """The first answer: tokens are made again from the game's key and the one that only the caller knows."""
        record, facts, secret = await made_before(self._store, game, f"game {game} was imported")
        tokens = hotseat_tokens(facts, secret.token_key, key)
        return Made(_answer(facts, record.version, record.created, tokens, verdict), replayed=True)


def readable(body: bytes) -> Export:
    """The export in a request's body. Raises `unfit-export`, `diverged-export` or `newer-revision`."""
    try:
        export = parse_export(body)
    except Damaged as damage:
        raise ProblemError("diverged-export", f"DIVERGED at commit 1: {damage}") from None
    except NotAnExport as fault:
        raise ProblemError("unfit-export", f"This can't be imported: {fault}.") from None
    header = export.header
    if not export.full:
        detail = f"This is what {header.principal} was told of the game. Only a full export can be imported."
        raise ProblemError("unfit-export", detail)
    if header.rules > REVISION:
        detail = f"The game was opened by revision {header.rules} of the rules, this service has {REVISION}."
        raise ProblemError("newer-revision", detail)
    if header.fork is not None:
        raise ProblemError("unfit-export", f"This is a sandbox, a fork of game {header.fork.of}: it has not happened.")
    if not re.fullmatch(GAME_ID, header.game):
        raise ProblemError("unfit-export", "Invalid game id.")
    return export


def facts_of(export: Export) -> Facts:
    """What everybody may know of a game, made again from the log in its full and audited export.

    Raises `unfit-export` where this version doesn't know its options.
    """
    header, state = export.header, State()
    facts: Facts | None = None
    for number, line in enumerate(export.lines, 1):
        events = read_folded(line).events
        fold_commit(state, number, events)
        for one in events:
            if isinstance(one.event, GameOpened):
                facts = _opened(export, one.event)
            elif isinstance(one.event, SeatClaimed) and facts is not None:
                mine = facts.seats[one.event.seat]
                mine.claimed, mine.character, mine.entropy = True, one.event.explorer, one.event.entropy
        if facts is not None:
            facts.follow(state, number)
    if facts is None:
        raise ProblemError("unfit-export", f"Game {header.game} was never opened.")
    return facts


def _opened(export: Export, opened: GameOpened) -> Facts:
    header = export.header
    try:
        options = msgspec.convert(opened.options, Options)
        command = msgspec.json.decode(read(export.lines[0]).command, type=Opened)
    except msgspec.ValidationError as error:
        raise ProblemError(
            "unfit-export", f"The game was opened as this version can't open one: {told(str(error))}"
        ) from None
    return Facts(
        id=header.game,
        edition=header.edition,
        pack=header.pack_id,
        pack_digest=header.pack_digest,
        rules=header.rules,
        seats=[SeatFacts(seat=seat) for seat in range(opened.seats)],
        options=options,
        source=opened.source,
        commitment=opened.commitment,
        arranged=opened.arranged,
        hotseat=command.hotseat,
    )


def _answer(facts: Facts, version: int, created: str, tokens: Tokens, verdict: Verdict) -> GameImported:
    shown = show(facts, version=version, created=created, names={})
    return GameImported(game=shown, tokens=tokens, outcome=verdict.outcome.value, because=verdict.because)


def _secret() -> ProblemError:
    detail = "Only a game that is over and disclosed can be imported: this one still has secrets."
    return ProblemError("not-disclosed", detail)


def _exists(game: str) -> ProblemError:
    return ProblemError("game-exists", f"The game {game} is here already; nothing was imported.")
