"""Tokens, invites and names of a game as they come into being."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from service.games.lobby.answers import Invites, Tokens
from service.identity import CO_REFEREE, INVITE, Credential, derive, digest
from service.log.facts import NAME, SALT
from service.log.requests import OpenGame
from service.outside import Outside
from service.store.port import TokenRecord


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
            expires=self._expires(),
        )

    def opening(self, game: str, tokens: Tokens, invites: Invites) -> list[TokenRecord]:
        return [
            self.record(tokens.host, game, "host"),
            *self._places(game, "", tokens.seats, (tokens.referee, tokens.co_referee), tokens.spectators),
            *self._places(game, INVITE, invites.seats, (invites.referee, invites.co_referee), invites.spectators),
        ]

    def _places(
        self,
        game: str,
        prefix: str,
        seats: Iterable[Credential],
        referees: Iterable[Credential | None],
        spectators: Iterable[Credential],
    ) -> list[TokenRecord]:
        made = [self.record(one, game, f"{prefix}seat", seat) for seat, one in enumerate(seats)]
        made += [self.record(one, game, f"{prefix}referee") for one in referees if one is not None]
        return [*made, *[self.record(one, game, f"{prefix}spectator") for one in spectators]]

    def _expires(self) -> str | None:
        if not self._lifetime:
            return None
        end = datetime.fromisoformat(self._outside.now()) + timedelta(seconds=self._lifetime)
        return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def opening_tickets(asked: OpenGame, token_key: bytes, nonce: str) -> tuple[Tokens, Invites]:
    """All credentials that a new game hands out: for a hotseat tokens at once, else invites.

    `nonce` is what only the caller knows, or fresh randomness.
    """

    def make(name: str) -> Credential:
        return Credential(name, derive(token_key, nonce, name))

    seats = range(len(asked.seats))
    spectators = range(1, asked.spectators + 1)
    host = make("host")
    if asked.hotseat:
        tokens = Tokens(
            host=host,
            seats=[make(f"seat-{seat}") for seat in seats],
            referee=make("referee"),
            co_referee=make(CO_REFEREE) if asked.co_referee else None,
            spectators=[make(f"spectator-{number}") for number in spectators],
        )
        return tokens, Invites()
    invites = Invites(
        seats=[make(f"{INVITE}seat-{seat}") for seat in seats],
        referee=make(f"{INVITE}referee"),
        co_referee=make(f"{INVITE}{CO_REFEREE}") if asked.co_referee else None,
        spectators=[make(f"{INVITE}spectator-{number}") for number in spectators],
    )
    return Tokens(host=host), invites


# -- names: erasable texts beside the log, of which the log has a salted digest -------------------------------------------


def name_digest(salt: str, name: str) -> str:
    """What the log says of a player's name; without the salt, which is erased with the name, it says nothing."""
    return hashlib.sha256(f"{salt}{name}".encode()).hexdigest()


def name_texts(seat: int, salt: str, name: str) -> dict[str, str]:
    """The texts that hold a seat's name."""
    return {f"{NAME}{seat}": name, f"{SALT}{seat}": salt}


def no_name(seat: int) -> dict[str, str | None]:
    """The texts that erase a seat's name."""
    return {f"{NAME}{seat}": None, f"{SALT}{seat}": None}
