"""Opening a game: what is asked is checked, the seed is drawn and promised, the first commits are written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from domain.engine.rules import REVISION, Rules
from domain.facts.audience import EVERYBODY
from domain.facts.chance import Answer, commitment
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.lifecycle_commands import Claimed, Life, Opened
from domain.game import claim, open_game
from service.games.lobby.answers import GameOpenedAnswer, show
from service.games.lobby.catalogue import Openers
from service.games.lobby.checking import check_opening, choose_pack
from service.games.lobby.tokens import Tickets, name_digest, name_texts, opening_tickets
from service.log.chain import FIRST, Salts, seal
from service.log.commits import Draft
from service.log.facts import Facts, SeatFacts, Secret, encode, read_facts, read_secret
from service.log.packs import Library
from service.log.requests import OpenGame, TapeChance
from service.outside import Outside
from service.problems import ProblemError
from service.store.port import AlreadyCreated, Created, LogStore, NewGame, StoreDamaged


class Made(msgspec.Struct, frozen=True):
    """A game that was opened, now or by an earlier request with the same key."""

    answer: GameOpenedAnswer
    replayed: bool = False


class Opening:
    """Opens games."""

    def __init__(self, store: LogStore, library: Library, outside: Outside, tickets: Tickets, openers: Openers) -> None:
        self._openers = openers
        self._tickets = tickets
        self._store = store
        self._library = library
        self._outside = outside

    async def open(
        self, asked: OpenGame, key: str, fingerprint: bytes, who: Mapping[str, str] = MappingProxyType({})
    ) -> Made:
        """Open a game.

        Args:
            asked: what was asked.
            key: the idempotency key as it came, or nothing. Whoever knows it and the body can have the answer again,
                tokens included, so it must not be guessable.
            fingerprint: digest of the request.
            who: opens it (see `openers`), and may have only so many games that have not begun.

        Raises:
            ProblemError: what was asked can't be played, the key came with another request before, or `too-many-games`.
        """
        offered = choose_pack(self._library, asked)
        rules = await self._library.rules(offered.digest, asked.edition)
        check_opening(rules, asked)
        secret = self._secret(asked)
        facts = opening_facts(self._outside.game_id(), asked, offered.pack.head.id, offered.digest, secret)
        created = self._outside.now()
        names = _names(asked)
        salts = {seat: self._outside.secret("name-salt").hex() for seat in names}
        tokens, invites = opening_tickets(asked, secret.token_key, self._tickets.nonce(key))
        game = NewGame(
            id=facts.id,
            created=created,
            status="open",
            facts=encode(facts),
            secret=encode(secret),
            commits=_first_commits(facts, asked, rules, created, secret, salts),
            tokens=self._tickets.opening(facts.id, tokens, invites),
            texts={
                **{
                    key: text
                    for seat, name in names.items()
                    for key, text in name_texts(seat, salts[seat], name).items()
                },
                **who,
            },
        )
        scoped = hashlib.sha256(key.encode()).hexdigest() if key else None
        # First: a retry takes no place.
        outcome: AlreadyCreated | Created | None = (
            None if scoped is None else await self._store.find_creation("", scoped)
        )
        if outcome is None:
            async with self._openers.place(who, game.id):
                outcome = await self._store.create(game, key=scoped, fingerprint=_unguessable(key, fingerprint))
        if isinstance(outcome, AlreadyCreated):
            return await self._again(asked, key, fingerprint, outcome)
        shown = show(facts, version=outcome.version, created=created, names=names)
        return Made(GameOpenedAnswer(game=shown, tokens=tokens, invites=invites))

    async def _again(self, asked: OpenGame, key: str, fingerprint: bytes, first: AlreadyCreated) -> Made:
        """The first answer, made again from the request, the game's pins and the key that only the caller knows."""
        if first.fingerprint not in (_unguessable(key, fingerprint), fingerprint):  # the latter is how it was kept once
            raise ProblemError("key-reused", "This Idempotency-Key came with another request before.")
        record = await self._store.get_game(first.game)
        body = await self._store.secret(first.game)
        if record is None or body is None:
            raise StoreDamaged(f"game {first.game} was opened, but is missing")
        secret, now = read_secret(body), read_facts(record.facts)
        facts = opening_facts(first.game, asked, now.pack, now.pack_digest, secret)
        tokens, invites = opening_tickets(asked, secret.token_key, key)
        version = 1 + len(asked.seats) if asked.hotseat else 1
        shown = show(facts, version=version, created=record.created, names=_names(asked))
        return Made(GameOpenedAnswer(game=shown, tokens=tokens, invites=invites), replayed=True)

    def _secret(self, asked: OpenGame) -> Secret:
        tape: list[Answer] = []
        if isinstance(asked.randomness, TapeChance):
            tape = [Answer(faces=tuple(one.faces), pick=one.pick) for one in asked.randomness.answers]
        return Secret(
            seed=self._outside.secret("seed"),
            seed_salt=self._outside.secret("seed-salt"),
            salt_key=self._outside.secret("salt-key"),
            token_key=self._outside.secret("token-key"),
            tape=tape,
        )


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
    """The opening, and for a hotseat every seat's claim."""
    bodies: list[bytes] = []
    head = FIRST
    chain_salts = Salts(secret.salt_key)

    def write(command: Life, told: list[Told]) -> None:
        nonlocal head
        draft = Draft(
            game=facts.id,
            number=len(bodies) + 1,
            at=at,
            rules=facts.rules,
            pack=facts.pack_digest,
            actor="host",
            command=command,
            command_to=EVERYBODY,
            told=told,
        )
        sealed = seal(draft, head, chain_salts)
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
        digest = name_digest(salts[seat], wish.name) if wish.name is not None else ""
        claimed = SeatClaimed(seat=seat, explorer=wish.character or "", name_digest=digest)
        write(Claimed(seat=seat), claim(rules, state, claimed))
    return bodies


def _unguessable(key: str, fingerprint: bytes) -> bytes:
    """The digest of a request, players' names among it, and of the key, which nobody keeps: so an erased name can't be found by trying names."""
    return hashlib.sha256(key.encode() + b"\x00" + fingerprint).digest()


def _names(asked: OpenGame) -> dict[int, str]:
    return {seat: wish.name for seat, wish in enumerate(asked.seats) if wish.name is not None}
