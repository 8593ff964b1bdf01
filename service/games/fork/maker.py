"""Making a fork: a sandbox, a game of its own that begins where another stood, with dice of its own.

The referee's begins with what is true; everybody else's with a world that agrees with what they know (`domain.worlds`), in which they may
play all seats, as what those know is invented. It is no part of its parent: nothing that happens in it is told there, and as it is never
disclosed, its end reveals nothing. One thing about a haunt is content rather than a fact: the other side's book. Seats of a side whose book
somebody has not read are not handed to them, and in the sandbox nothing of it happens, from whichever commit it began.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime

import msgspec

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE
from domain.facts.chance import Seeded, commitment
from domain.facts.lifecycle_commands import Forked
from domain.facts.state import Sandbox, State
from domain.sandbox import Begun, begin_fork
from domain.worlds import World
from service.games.fork.forks import Forks, ForkShown
from service.games.fork.worlds import sampled_world, true_world
from service.games.horizon import Horizon
from service.games.lobby.answers import GameShown, Invites, Tokens, show
from service.games.lobby.checks import check_tape
from service.games.lobby.new_games import Made, Tickets, host_draft, hotseat_tokens, made_before, new_secret
from service.games.tables import LiveGame, Tables
from service.identity import Caller
from service.log.chain import FIRST, Salts, seal
from service.log.facts import Facts, ForkFacts, SeatFacts, Secret, chance_for, encode
from service.log.requests import ForkGame, Options
from service.outside import Outside
from service.problems import ProblemError, ahead
from service.store.port import AlreadyCreated, GameExists, NewGame, StoreDamaged

FORKER = "fork"
"""The creator to which idempotency keys of forks belong, so that they don't meet those of openings."""
BOOKS = {"heroes": "heroes.book", "traitor": "traitor.book"}
"""By side: the text that its book begins with."""


class GameForked(msgspec.Struct, frozen=True, kw_only=True):
    """A sandbox was made."""

    game: GameShown
    tokens: Tokens
    """Tokens for every role that its maker may take. They are shown once and hold until the sandbox expires."""


class ForkMaker:
    """Makes forks."""

    def __init__(self, tables: Tables, horizon: Horizon, forks: Forks, outside: Outside, lifetime: int) -> None:
        """`lifetime` is the seconds for which the forks' tokens hold."""
        self._tables = tables
        self._store = tables.store
        self._horizon = horizon
        self._forks = forks
        self._outside = outside
        self._lifetime = lifetime
        self._tickets = Tickets(outside, lifetime)

    async def fork(self, caller: Caller, asked: ForkGame, key: str, fingerprint: bytes) -> Made[GameForked]:
        """Make a fork that agrees with what the caller's role knows; like that of an opening, the idempotency key must not be guessable.

        Raises `is-fork`, `ahead-of-log`, `not-started`, `game-over`, `half-done`, `too-many-forks`, `key-reused` or `no-world`.
        """
        live = await self._tables.live(caller.game)
        if live.facts.fork is not None:
            raise ProblemError("is-fork", "A fork has no forks: make another of the game that it is one of.")
        head = await self._horizon.head(live, caller)
        at = asked.at or head
        if at > head:
            raise ahead(head)
        now = self._outside.now()
        names = self._names(live, caller, key, now) if key else [self._outside.game_id()]
        for made in names if key else ():
            if await self._store.head(made) is not None:
                return await self._again(made, key, fingerprint)
        check_tape(asked.randomness)
        await self._forks.check_room(caller)
        secret, seed = new_secret(self._outside, asked.randomness), self._outside.secret("world")
        sampled = caller.principal != REFEREE
        unread: dict[str, list[str]] = {}
        if sampled:
            chance = Seeded(seed, names[0])
            world = await sampled_world(self._tables, caller.game, live, at, caller.principal, chance)
            # As of now, from whichever commit the fork begins.
            unread = live.rules.unread(await self._tables.fold_for(caller.game, live, caller.principal, head))
        else:
            world = await true_world(self._tables, caller.game, live, at)
        expires = self._forks.expiry()
        fork = ForkShown(game=names[0], at=at, by=caller.token, sampled=sampled, made=now, expires=expires)
        facts = fork_facts(live.facts, fork, asked, secret, world.engine)
        commit = _first_commit(live.rules, world, facts, secret, unread, now)
        seats = seats_for(live, world, caller)
        tokens = _tokens(facts, secret, self._tickets.nonce(key), seats, referee=not sampled)
        game = NewGame(
            id=facts.id,
            created=now,
            status=facts.status,
            facts=encode(facts),
            secret=encode(secret),
            commits=[commit],
            tokens=self._tickets.opening(facts.id, tokens, Invites(), seats),
            texts={SEATS: ",".join(map(str, seats))},
        )
        await self._forks.note(caller, fork)
        scoped = hashlib.sha256(f"{fork.game}\x00{key}".encode()).hexdigest() if key else None
        try:
            outcome = await self._store.create(game, creator=FORKER, key=scoped, fingerprint=fingerprint)
        except GameExists:  # another process made it for the same request just now
            return await self._again(fork.game, key, fingerprint)
        if isinstance(outcome, AlreadyCreated):
            return await self._again(outcome.game, key, fingerprint)
        return Made(GameForked(game=show(facts, version=1, created=now, names={}), tokens=tokens))

    def _names(self, live: LiveGame, caller: Caller, key: str, now: str) -> list[str]:
        """The ids of the fork that a key makes: of one made now, then of what a retry may find.

        Time is cut into spans as long as forks last, each with an id of its own. So a key that comes again after its fork was removed
        makes another game, which nobody mistakes for the old one that they hold in memory.
        """
        span = int(datetime.fromisoformat(now).timestamp()) // max(self._lifetime, 1)
        # The one to come, too: the clock of whoever made it may be ahead of ours.
        return [_name(live, caller, key, one) for one in (span, span - 1, span + 1)]

    async def _again(self, game: str, key: str, fingerprint: bytes) -> Made[GameForked]:
        """The first answer: tokens are made again from the keys. An expired sandbox, in which they are no longer valid, has none."""
        creation = await self._store.creation(game)
        if creation is None or creation.fingerprint != fingerprint:
            raise ProblemError("key-reused", "This Idempotency-Key came with another request before.")
        record, facts, secret = await made_before(self._store, game, f"fork {game} was made")
        fork = facts_of(facts)
        if self._forks.expired(fork.expires):
            detail = (
                f"The sandbox that this Idempotency-Key made expired at {fork.expires}: another one needs another key."
            )
            raise ProblemError("key-reused", detail)
        seats = [int(seat) for seat in (await self._store.get_texts(game, SEATS))[SEATS].split(",") if seat]
        tokens = _tokens(facts, secret, key, seats, referee=not fork.sampled)
        facts.status, facts.winner, facts.because = "started", "", ""
        shown = show(facts, version=1, created=record.created, names={})
        return Made(GameForked(game=shown, tokens=tokens), replayed=True)


SEATS = "seats"
"""Under this key among a fork's texts: the seats whose tokens were handed out."""


def _name(live: LiveGame, caller: Caller, key: str, span: int) -> str:
    made = hmac.digest(live.secret.token_key, f"fork\x00{caller.token}\x00{key}\x00{span}".encode(), "sha256")
    return base64.b32encode(made)[:20].decode().lower()


def _first_commit(
    rules: Rules, world: World, facts: Facts, secret: Secret, unread: dict[str, list[str]], at: str
) -> bytes:
    fork = facts_of(facts)
    sandbox = Sandbox(of=fork.of, at=fork.at, sampled=fork.sampled, unread=unread)
    begun = Begun(facts.id, sandbox, facts.source, msgspec.to_builtins(facts.options))
    state, told = begin_fork(rules, world, begun, chance_for(facts, secret))
    facts.follow(state, 1)
    draft = host_draft(facts, 1, at, Forked(of=fork.of, at=fork.at), told)
    return seal(draft, FIRST, Salts(secret.salt_key)).body


def seats_for(live: LiveGame, world: World, caller: Caller) -> list[int]:
    """The seats that are handed out: all for the referee; for others none of a side whose book they have not read."""
    engine = world.engine
    everybody = list(range(engine.seats))
    if caller.principal == REFEREE or engine.haunt is None:
        return everybody
    if live.rules.of(engine).pack.haunts[engine.haunt.id].one_book:
        return everybody
    return [seat for seat in everybody if BOOKS[engine.explorers[seat].side or "heroes"] in engine.texts]


def fork_facts(parent: Facts, fork: ForkShown, asked: ForkGame, secret: Secret, engine: State) -> Facts:
    """What everybody may know of a fork who knows its id: it is never disclosed, and shown to spectators at once."""
    source = str(asked.randomness.__struct_config__.tag)
    options: Options = msgspec.structs.replace(
        parent.options, disclosure="never", deadline=asked.deadline, spectator_delay=0, spectator_delay_seconds=0
    )
    if fork.sampled and options.consent == "referee":
        options = msgspec.structs.replace(options, consent="seats")  # nobody is its referee
    return Facts(
        id=fork.game,
        edition=parent.edition,
        pack=parent.pack,
        pack_digest=parent.pack_digest,
        rules=parent.rules,
        seats=[SeatFacts(seat=one.seat, claimed=True, character=one.id) for one in engine.explorers],
        options=options,
        source=source,
        commitment=commitment(secret.seed, secret.seed_salt) if source == "seeded" else "",
        arranged=True,
        hotseat=True,
        status="started",
        started_at=1,
        fork=ForkFacts(of=parent.id, at=fork.at, sampled=fork.sampled, expires=fork.expires),
    )


def facts_of(facts: Facts) -> ForkFacts:
    """Where a fork comes from. Raises `StoreDamaged` if the game is not a fork."""
    if facts.fork is None:
        raise StoreDamaged(f"game {facts.id} was made as a fork, but is not recorded as one")
    return facts.fork


def _tokens(facts: Facts, secret: Secret, nonce: str, seats: list[int], *, referee: bool) -> Tokens:
    """As for a hotseat, limited to the roles that the fork's maker may have."""
    tokens = hotseat_tokens(facts, secret.token_key, nonce)
    handed = [tokens.seats[seat] for seat in seats]
    return Tokens(
        host=tokens.host, seats=handed, referee=tokens.referee if referee else None, spectators=tokens.spectators
    )
