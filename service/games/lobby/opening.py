"""Opening a game: what is asked is checked, the seed is drawn and promised, the first commits are written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

import msgspec

from domain.engine.rules import REVISION, Rules
from domain.facts.chance import commitment
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.lifecycle_commands import Claimed, Life, Opened
from domain.game import claim, open_game
from service.games.lobby.answers import GameOpenedAnswer, show
from service.games.lobby.catalogue import Openers
from service.games.lobby.checks import check_opening, choose_pack
from service.games.lobby.new_games import (
    Made,
    Tickets,
    host_draft,
    made_before,
    name_texts,
    new_secret,
    opening_tickets,
)
from service.games.lobby.uploads import Uploads
from service.identity import INVITE
from service.log.chain import FIRST, Salts, seal
from service.log.facts import Facts, SeatFacts, Secret, encode, salted_digest
from service.log.packs import Library
from service.log.requests import OpenGame
from service.outside import Outside
from service.problems import ProblemError
from service.store.port import AccountRecord, AlreadyCreated, Created, LogStore, NewGame, Place


class Following(Protocol):
    """The accounts, as far as opening a game needs them."""

    async def with_room(self, key: str, tokens: int) -> AccountRecord:
        """The account with this key, if it may follow so many tokens more."""

    async def follow(self, account: str, place: Place) -> None:
        """Give a bound token its place in an account."""


class Opening:
    """Opens games."""

    def __init__(
        self,
        store: LogStore,
        library: Library,
        uploads: Uploads,
        outside: Outside,
        tickets: Tickets,
        openers: Openers,
        *,
        accounts: Following,
    ) -> None:
        self._accounts = accounts
        self._uploads = uploads
        self._openers = openers
        self._tickets = tickets
        self._store = store
        self._library = library
        self._outside = outside

    async def open(
        self, asked: OpenGame, key: str, fingerprint: bytes, who: Mapping[str, str] = MappingProxyType({})
    ) -> Made[GameOpenedAnswer]:
        """Open a game.

        Whoever knows the idempotency key and the body can have the answer again, tokens included, so the key must not be guessable. `who` opens the
        game (see `opener`), and may have only a limited number that have not begun: `too-many-games`. Raises `key-reused`, what can't be played,
        or `unknown-account` and `account-full`.
        """
        offered = choose_pack(await self._uploads.offers(asked.pack), asked)
        rules = self._library.rules_of(offered, asked.edition)
        check_opening(rules, asked)
        secret = new_secret(self._outside, asked.randomness)
        facts = opening_facts(self._outside.game_id(), asked, offered.name, offered.digest, secret)
        created = self._outside.now()
        names = _names(asked)
        salts = {seat: self._outside.secret("name-salt").hex() for seat in names}
        texts: dict[str, str] = {}
        for seat, name in names.items():
            texts |= name_texts(seat, salts[seat], name)
        tokens, invites = opening_tickets(asked, secret.token_key, self._tickets.nonce(key))
        game = NewGame(
            id=facts.id,
            created=created,
            status="open",
            facts=encode(facts),
            secret=encode(secret),
            commits=_first_commits(facts, asked, rules, created, secret, salts),
            tokens=self._tickets.opening(facts.id, tokens, invites),
            texts={**texts, **who},
        )
        scoped = hashlib.sha256(key.encode()).hexdigest() if key else None
        # First: a retry takes no place.
        outcome: AlreadyCreated | Created | None = (
            None if scoped is None else await self._store.find_creation("", scoped)
        )
        if outcome is None:
            if asked.account is not None:
                game = await self._bound(game, asked.account)
            async with self._openers.place(who, game.id):
                await self._uploads.pin(offered)
                outcome = await self._store.create(game, key=scoped, fingerprint=_unguessable(key, fingerprint))
        if asked.account is not None:
            await self._give_places(outcome.game if isinstance(outcome, AlreadyCreated) else game.id)
        if isinstance(outcome, AlreadyCreated):
            return await self._again(asked, key, fingerprint, outcome)
        shown = show(facts, version=outcome.version, created=created, names=names)
        return Made(GameOpenedAnswer(game=shown, tokens=tokens, invites=invites))

    async def _bound(self, game: NewGame, key: str) -> NewGame:
        """A game whose tokens, but not its invites, are bound to the account with this key."""
        free = [one for one in game.tokens if one.role.startswith(INVITE)]
        handed = [one for one in game.tokens if one not in free]
        account = await self._accounts.with_room(key, len(handed))
        bound = [msgspec.structs.replace(one, account=account.id) for one in handed]
        return msgspec.structs.replace(game, tokens=[*bound, *free])

    async def _give_places(self, game: str) -> None:
        """Give the bound tokens of a game their places; a retry does it where the first request got no further than opening the game."""
        for token in await self._store.list_tokens(game):
            if token.account:
                await self._accounts.follow(token.account, Place(game, token.id))

    async def _again(
        self, asked: OpenGame, key: str, fingerprint: bytes, first: AlreadyCreated
    ) -> Made[GameOpenedAnswer]:
        """The first answer, made again from the request, the game's pins and the key that only the caller knows."""
        if first.fingerprint not in (_unguessable(key, fingerprint), fingerprint):  # the latter is how it was kept once
            raise ProblemError("key-reused", "This Idempotency-Key came with another request before.")
        record, now, secret = await made_before(self._store, first.game, f"game {first.game} was opened")
        facts = opening_facts(first.game, asked, now.pack, now.pack_digest, secret)
        tokens, invites = opening_tickets(asked, secret.token_key, key)
        version = 1 + len(asked.seats) if asked.hotseat else 1
        shown = show(facts, version=version, created=record.created, names=_names(asked))
        return Made(GameOpenedAnswer(game=shown, tokens=tokens, invites=invites), replayed=True)


def opening_facts(game: str, asked: OpenGame, pack: str, pack_digest: str, secret: Secret) -> Facts:
    """What everybody may know of a game that has just been opened."""
    source = asked.randomness.__struct_config__.tag
    return Facts(
        id=game,
        edition=asked.edition,
        pack=pack,
        pack_digest=pack_digest,
        rules=REVISION,
        seats=[
            SeatFacts(seat=seat, claimed=asked.hotseat, character=wish.character or "")
            for seat, wish in enumerate(asked.seats)
        ],
        options=asked.options,
        source=str(source),
        commitment=commitment(secret.seed, secret.seed_salt) if source == "seeded" else "",
        arranged=asked.setup is not None or source == "tape",
        hotseat=asked.hotseat,
    )


def _first_commits(
    facts: Facts, asked: OpenGame, rules: Rules, at: str, secret: Secret, salts: Mapping[int, str]
) -> list[bytes]:
    bodies: list[bytes] = []
    head = FIRST
    chain_salts = Salts(secret.salt_key)

    def write(command: Life, told: list[Told]) -> None:
        nonlocal head
        sealed = seal(host_draft(facts, len(bodies) + 1, at, command, told), head, chain_salts)
        bodies.append(sealed.body)
        head = sealed.hash

    opened = GameOpened(
        game=facts.id,
        edition=facts.edition,
        pack=facts.pack,
        pack_digest=facts.pack_digest,
        seats=len(facts.seats),
        options=msgspec.to_builtins(facts.options),
        source=facts.source,
        commitment=facts.commitment,
        arranged=facts.arranged,
    )
    state, told = open_game(rules, opened, None if asked.setup is None else msgspec.to_builtins(asked.setup))
    wishes = [seat.character for seat in facts.seats]
    write(Opened(hotseat=facts.hotseat, characters=wishes if any(wishes) else []), told)
    for seat, wish in enumerate(asked.seats if asked.hotseat else []):
        digest = salted_digest(salts[seat], wish.name) if wish.name is not None else ""
        claimed = SeatClaimed(seat=seat, explorer=wish.character or "", name_digest=digest)
        write(Claimed(seat=seat), claim(rules, state, claimed))
    return bodies


def _unguessable(key: str, fingerprint: bytes) -> bytes:
    """The digest of a request, players' names among it, and of the key, which nobody keeps: so an erased name can't be found by trying names."""
    return hashlib.sha256(key.encode() + b"\x00" + fingerprint).digest()


def _names(asked: OpenGame) -> dict[int, str]:
    return {seat: wish.name for seat, wish in enumerate(asked.seats) if wish.name is not None}
