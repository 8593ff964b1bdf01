"""What a new game comes with, whether opened, imported or forked: its secret, tokens, invites and names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

from domain.facts.audience import EVERYBODY
from domain.facts.chance import Answer
from domain.facts.events import Told
from domain.facts.lifecycle_commands import Forked, Life
from service.games.lobby.answers import Invites, Tokens
from service.identity import CO_REFEREE, INVITE, Credential, Invite, derive, digest
from service.log.commits import Draft
from service.log.deadlines import due_at
from service.log.facts import NAME, SALT, Facts, Secret, read_facts, read_secret
from service.log.requests import OpenGame, Randomness, SeatWish, TapeChance
from service.outside import Outside
from service.store.port import GameRecord, LogStore, StoreDamaged, TokenRecord

T = TypeVar("T")


class Tickets:
    """Makes records of tokens and invites, which may expire, and what they are derived from."""

    def __init__(self, outside: Outside, lifetime: int) -> None:
        """Let each hold for `lifetime` seconds, or for ever if that is 0."""
        self._outside = outside
        self._lifetime = lifetime

    def nonce(self, key: str) -> str:
        """What a token is derived from besides the game's key: fresh randomness, or the idempotency key.

        With that a retry gets the same token, although it isn't kept.
        """
        return key or self._outside.secret("token").hex()

    def record(self, credential: Credential, game: str, role: str, seat: int = -1) -> TokenRecord:
        return TokenRecord(
            id=credential.id,
            hash=digest(credential.secret),
            game=game,
            role=role,
            seat=None if seat < 0 else seat,
            expires=due_at(self._outside.now(), self._lifetime) if self._lifetime else None,
            good_for=credential.good_for if isinstance(credential, Invite) else 1,
        )

    def opening(
        self, game: str, tokens: Tokens, invites: Invites, seats: Sequence[int] | None = None
    ) -> list[TokenRecord]:
        """What is kept of the tokens and invites of a new game; `seats`: whose tokens those are, where not every seat's is among them."""
        numbers = range(len(tokens.seats)) if seats is None else seats
        taken = zip(numbers, tokens.seats, strict=True)
        return [
            self.record(tokens.host, game, "host"),
            *self._places(game, "", taken, (tokens.referee, tokens.co_referee), tokens.spectators),
            *self._places(
                game, INVITE, enumerate(invites.seats), (invites.referee, invites.co_referee), invites.spectators
            ),
        ]

    def _places(
        self,
        game: str,
        prefix: str,
        seats: Iterable[tuple[int, Credential]],
        referees: Iterable[Credential | None],
        spectators: Iterable[Credential],
    ) -> list[TokenRecord]:
        made = [self.record(one, game, f"{prefix}seat", seat) for seat, one in seats]
        made += [self.record(one, game, f"{prefix}referee") for one in referees if one is not None]
        return [*made, *[self.record(one, game, f"{prefix}spectator") for one in spectators]]


def opening_tickets(asked: OpenGame, token_key: bytes, nonce: str) -> tuple[Tokens, Invites]:
    """All credentials that a new game hands out: for a hotseat tokens at once, else invites.

    `nonce` is what only the caller knows, or fresh randomness.
    """

    def make(name: str) -> Credential:
        return Credential(name, derive(token_key, nonce, name))

    prefix = "" if asked.hotseat else INVITE
    invites, each = asked.for_spectators
    places = Tokens(
        host=make("host"),
        seats=[make(f"{prefix}seat-{seat}") for seat in range(len(asked.seats))],
        referee=make(f"{prefix}referee"),
        co_referee=make(f"{prefix}{CO_REFEREE}") if asked.co_referee else None,
        spectators=[make(f"{prefix}spectator-{number}") for number in range(1, invites + 1)],
    )
    if asked.hotseat:
        return places, Invites()
    spectators = [Invite(one.id, one.secret, each) for one in places.spectators]
    return Tokens(host=places.host), Invites(
        seats=places.seats, referee=places.referee, co_referee=places.co_referee, spectators=spectators
    )


def hotseat_tokens(facts: Facts, token_key: bytes, nonce: str) -> Tokens:
    """A token for every role, as for a hotseat."""
    asked = OpenGame(edition=facts.edition, seats=[SeatWish() for _ in facts.seats], hotseat=True)
    return opening_tickets(asked, token_key, nonce)[0]


def new_secret(outside: Outside, randomness: Randomness) -> Secret:
    """What only the service knows of a new game: seed, salts and keys, and the tape if it has one."""
    tape: list[Answer] = []
    if isinstance(randomness, TapeChance):
        tape = [Answer(faces=tuple(one.faces), pick=one.pick) for one in randomness.answers]
    return Secret(
        seed=outside.secret("seed"),
        seed_salt=outside.secret("seed-salt"),
        salt_key=outside.secret("salt-key"),
        token_key=outside.secret("token-key"),
        tape=tape,
    )


def host_draft(facts: Facts, number: int, at: str, command: Life | Forked, told: Sequence[Told]) -> Draft:
    """One of the commits with which a game begins."""
    return Draft(
        game=facts.id,
        number=number,
        at=at,
        rules=facts.rules,
        pack=facts.pack_digest,
        actor="host",
        command=command,
        command_to=EVERYBODY,
        told=told,
    )


class Made(msgspec.Struct, Generic[T], frozen=True):
    """A game that was opened, imported or forked, now or by an earlier request with the same key."""

    answer: T
    replayed: bool = False


async def made_before(store: LogStore, game: str, how: str) -> tuple[GameRecord, Facts, Secret]:
    """What is kept of a game that an earlier request with the same key made."""
    record, body = await store.get_game(game), await store.secret(game)
    if record is None or body is None:
        raise StoreDamaged(f"{how}, but is missing")
    return record, read_facts(record.facts), read_secret(body)


# -- names: erasable texts beside the log, of which the log has a salted digest -------------------------------------------


def name_texts(seat: int, salt: str, name: str) -> dict[str, str]:
    """The texts that hold a seat's name."""
    return {f"{NAME}{seat}": name, f"{SALT}{seat}": salt}


def no_name(seat: int) -> dict[str, str | None]:
    """The texts that erase a seat's name."""
    return {f"{NAME}{seat}": None, f"{SALT}{seat}": None}
