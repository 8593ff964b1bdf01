"""Places besides the seats, and tokens: spectators and the referee join, holders exchange their tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from service.games.horizon import Horizon
from service.games.lobby.answers import SeatClaimedAnswer, TokenRotatedAnswer
from service.games.lobby.tokens import Tickets
from service.games.play.submit import Play
from service.games.tables import LiveGame, Tables
from service.identity import INVITE, ROLES, Credential, Gate, derive, digest
from service.log.requests import Join
from service.problems import ProblemError, forbidden, refused_invite, unauthorized
from service.store.port import RecordChanges, TokenRecord

PassOn = Callable[[str, str, bytes, bytes], Awaitable[None]]
"""Takes a game, the name of a token, its digest, and the digest that it is about to have."""


class Places:
    """Hands out tokens that no commit tells of. No invite serves two: see `Play.change_records`."""

    def __init__(
        self, tables: Tables, play: Play, gate: Gate, tickets: Tickets, horizon: Horizon, pass_on: PassOn
    ) -> None:
        """Hand out tokens; `pass_on` is called right before one is exchanged: what hangs on it hangs on its heir too from then on."""
        self._horizon = horizon
        self._tickets = tickets
        self._store = tables.store
        self._gate = gate
        self._play = play
        self._pass_on = pass_on

    async def join(self, game: str, place: str, asked: Join, key: str) -> SeatClaimedAnswer:
        """Exchange an invite for a token.

        Args:
            game: the game's id.
            place: `spectator` or `referee`.
            asked: with the invite.
            key: the idempotency key as it came, or nothing: with it a retry gets the same token again.

        Raises:
            ProblemError: `invite-refused`, or `game-over`: it was abandoned.
        """
        if await self._gate.invite(asked.invite, game, place) is None:
            raise refused_invite()

        async def exchange(live: LiveGame) -> tuple[SeatClaimedAnswer, RecordChanges | None]:
            invite = await self._gate.invite(asked.invite, game, place)
            if invite is None:
                raise refused_invite()
            name = invite.id.removeprefix(INVITE)
            token = Credential(name, derive(live.secret.token_key, asked.invite, self._tickets.nonce(key)))
            answer = SeatClaimedAnswer(version=await self._horizon.public(live), role=place, token=token)
            if not invite.spent:
                if live.facts.status == "abandoned":
                    raise ProblemError("game-over", f"The game is abandoned: {live.facts.because}")
                held = self._tickets.record(token, game, place)
                spent = msgspec.structs.replace(invite, spent=True)
                return answer, RecordChanges(tokens=[held, spent])
            if await self._store.find_token(digest(token.secret)) is None:
                raise refused_invite()
            return answer, None

        return await self._play.change_records(game, exchange)

    async def rotate(self, game: str, name: str, secret: str, key: str) -> TokenRotatedAnswer:
        """Exchange a token for a new one with the same role. Only its holder can: a host must not get others' horizon.

        Args:
            game: the game's id.
            name: the token's public name.
            secret: the token that the caller shows, which ends.
            key: the idempotency key as it came, or nothing: with it a retry, with the old token, gets the new one again.

        Raises:
            ProblemError: `unauthorized`, or `forbidden` for another's token.
        """
        if (await self._mine(game, name, secret)) is None:
            raise forbidden()
        old: list[TokenRecord] = []

        async def exchange(live: LiveGame) -> tuple[TokenRotatedAnswer, RecordChanges | None]:
            old.clear()
            mine = await self._mine(game, name, secret)
            if mine is None:
                raise forbidden()
            token = Credential(name, derive(live.secret.token_key, secret, self._tickets.nonce(key)))
            if mine.revoked:
                # Only a retry can know both the old token and the key from which the present one was made.
                present = await self._store.find_token(digest(token.secret))
                if present is None or present.revoked:
                    raise unauthorized()
                return TokenRotatedAnswer(token=token), None
            old.append(msgspec.structs.replace(mine, id=name + OLD, revoked=True))
            new = msgspec.structs.replace(mine, hash=digest(token.secret))
            await self._pass_on(game, name, mine.hash, new.hash)
            return TokenRotatedAnswer(token=token), RecordChanges(tokens=[new])

        answer = await self._play.change_records(game, exchange)
        if old:
            # A step of its own, because no two tokens may have one digest. If it is lost, only a retry is.
            await self._store.update_game(game, RecordChanges(tokens=old))
            self._gate.forget(game)
        return answer

    async def _mine(self, game: str, name: str, secret: str) -> TokenRecord | None:
        """The token that is shown, if it is the one of that name; it may have been rotated before."""
        found = await self._store.find_token(digest(secret))
        if found is None or found.role not in ROLES:
            raise unauthorized()
        if not found.revoked and await self._gate.caller(secret) is None:
            raise unauthorized()
        return found if found.game == game and found.id.removesuffix(OLD) == name else None


OLD = "-old"
"""Behind the name of the token that the present one took the place of."""
