"""The life of a game after its opening: seats and other places are taken, tokens exchanged, the game is started and closed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import msgspec

from domain.facts.events import SeatClaimed, Told
from domain.facts.lifecycle_commands import Claimed, Closed, Replaced, Started
from domain.facts.refusal import Refused
from domain.game import claim, close_game, start_game
from service.games.horizon import Horizon
from service.games.lobby.answers import (
    InviteList,
    InviteRotatedAnswer,
    InviteShown,
    SeatClaimedAnswer,
    SeatReplacedAnswer,
    TokenRotatedAnswer,
)
from service.games.lobby.checks import check_characters, check_name
from service.games.lobby.new_games import Tickets, name_texts, no_name
from service.games.play.submit import Act, Done, Play
from service.games.tables import LiveGame, Tables
from service.identity import INVITE, ROLES, Caller, Credential, Gate, Invite, derive, digest, scoped_key
from service.log.facts import Facts, chance_for, names_in, salted_digest
from service.log.requests import ClaimSeat, Join
from service.outside import Outside
from service.problems import ProblemError, forbidden, refused_invite, unauthorized
from service.store.port import RecordChanges, TokenRecord

PassOn = Callable[[str, str, bytes, bytes], Awaitable[None]]
"""Takes a game, the name of a token, its digest, and the digest that it is about to have."""
CLOSED = "The host closed the game."


_PLACE = re.compile(r"-[0-9]+$")
OLD = "-old"
"""Behind the name of the token that the present one took the place of."""


class Lifecycle:
    """What can be done to a game as a whole."""

    def __init__(
        self,
        tables: Tables,
        play: Play,
        gate: Gate,
        outside: Outside,
        tickets: Tickets,
        horizon: Horizon,
        *,
        pass_on: PassOn,
    ) -> None:
        """`pass_on` is called right before a token is exchanged: what depends on it depends on its successor from then on."""
        self._gate = gate
        self._tickets = tickets
        self._tables = tables
        self._store = tables.store
        self._play = play
        self._outside = outside
        self._horizon = horizon
        self._pass_on = pass_on

    async def claim(
        self, game: str, seat: int, asked: ClaimSeat, key: str, fingerprint: bytes
    ) -> tuple[SeatClaimedAnswer, Done]:
        """Take a seat (0 to 5) with its invite. Raises `invite-refused`, that the character can't be had, or `Refused` (as `name-taken`)."""
        if await self._gate.invite(asked.invite, game, "seat", seat) is None:
            raise refused_invite()
        live = await self._tables.live(game)
        nonce = self._tickets.nonce(key)
        token = Credential(f"seat-{seat}", derive(live.secret.token_key, asked.invite, nonce))
        salt = self._outside.secret("name-salt").hex()
        named = await self._digest_of_name(game, seat, asked, salt)
        act = Act(
            actor=f"seat:{seat}",
            command=Claimed(seat=seat),
            prepare=lambda _: self._check_name(game, seat, asked.name),
            decide=lambda live: _claim(live, seat, asked, named),
            note=lambda facts, number: _note_claim(facts, number, seat, asked),
            key=scoped_key(asked.invite, key),
            fingerprint=fingerprint,
            spend=[digest(asked.invite)],
            tokens=[self._tickets.record(token, game, "seat", seat)],
            texts={} if asked.name is None else name_texts(seat, salt, asked.name),
        )
        done = await self._play.append_commit(game, act)
        return SeatClaimedAnswer(version=done.number, role=f"seat:{seat}", token=token), done

    async def _check_name(self, game: str, seat: int, name: str | None) -> None:
        """Check a name against those of the other seats; under the game's lock, so that of two who want it at once one gets it."""
        if name is not None:
            others = names_in(await self._store.get_texts(game, "name:"))
            check_name(name, {other: known for other, known in others.items() if other != seat}, "/name")

    async def _digest_of_name(self, game: str, seat: int, asked: ClaimSeat, salt: str) -> str:
        """Of the name now given, or of the one given when the game was opened."""
        if asked.name is not None:
            return salted_digest(salt, asked.name)
        texts = await self._store.get_texts(game)
        return salted_digest(texts[f"salt:{seat}"], texts[f"name:{seat}"]) if f"name:{seat}" in texts else ""

    async def replace(self, caller: Caller, seat: int, key: str, fingerprint: bytes) -> tuple[SeatReplacedAnswer, Done]:
        """Take a seat from its player: the token ends, the name is erased, a new invite is made. Everybody is told.

        Raises `not-found`, or `Refused` for a seat that nobody has claimed yet.
        """
        live = await self._tables.live(caller.game)
        if seat >= len(live.facts.seats):
            raise ProblemError("not-found", "The game has no such seat.")
        nonce = self._tickets.nonce(key)
        invite = Credential(f"{INVITE}seat-{seat}", derive(live.secret.token_key, caller.token, nonce, f"seat-{seat}"))
        act = Act(
            actor=caller.name,
            command=Replaced(seat=seat),
            decide=lambda live: _replace(live, seat),
            note=lambda facts, _: _note_replaced(facts, seat),
            key=scoped_key(caller.name, key),
            fingerprint=fingerprint,
            tokens=[self._tickets.record(invite, caller.game, f"{INVITE}seat", seat)],
            revoke=[f"seat-{seat}"],
            texts=no_name(seat),
        )
        done = await self._play.append_commit(caller.game, act)
        return SeatReplacedAnswer(version=done.number, invite=invite), done

    async def join(self, game: str, place: str, asked: Join, key: str) -> SeatClaimedAnswer:
        """Exchange an invite for a token as `spectator` or `referee`; a retry with the same idempotency key gets the same token again.

        Each claim of an invite that serves many makes a token of its own. Raises `invite-refused`, `invite-used-up`, or `game-over` if the game
        was abandoned.
        """
        if await self._gate.invite(asked.invite, game, place) is None:
            raise refused_invite()

        async def exchange(live: LiveGame) -> tuple[SeatClaimedAnswer, RecordChanges | None]:
            invite = await self._gate.invite(asked.invite, game, place)
            if invite is None:
                raise refused_invite()
            secret = derive(live.secret.token_key, asked.invite, self._tickets.nonce(key))
            claimed = await self._store.find_token(digest(secret)) if key else None
            claims = invite.claims + 1
            name = invite.id.removeprefix(INVITE) + (f"-{claims}" if invite.good_for > 1 else "")
            token = Credential(claimed.id.removesuffix(OLD) if claimed is not None else name, secret)
            answer = SeatClaimedAnswer(version=await self._horizon.public(live), role=place, token=token)
            if claimed is not None:
                return answer, None
            if invite.spent and invite.good_for == 1:
                raise refused_invite()
            _check_left(live, invite)
            held = self._tickets.record(token, game, place)
            used = msgspec.structs.replace(invite, claims=claims, spent=claims >= invite.good_for)
            return answer, RecordChanges(tokens=[held, used])

        return await self._play.change_records(game, exchange)

    async def invites(self, game: str) -> InviteList:
        """The invites of a game, and how many people each can still serve."""
        return InviteList(invites=[_shown(one) for one in await self._invites(game)])

    async def _invites(self, game: str) -> list[TokenRecord]:
        return [one for one in await self._store.list_tokens(game) if one.role.startswith(INVITE) and not one.revoked]

    async def invite(self, game: str, secret: str) -> InviteList | None:
        """The one invite that a secret is; None if it is none that holds."""
        found = await self._gate.any_invite(secret, game)
        return None if found is None else InviteList(invites=[_shown(found)])

    async def rotate_invite(self, game: str, name: str) -> InviteRotatedAnswer:
        """Exchange an invite for a new one, which serves as many as the old one still did.

        No idempotency key is needed: whoever got no answer asks again, and what nobody has seen ends. Raises `not-found`, `invite-used-up`, or
        `game-over` if the game was abandoned.
        """

        async def exchange(live: LiveGame) -> tuple[InviteRotatedAnswer, RecordChanges | None]:
            held = next((one for one in await self._invites(game) if one.id == name), None)
            if held is None:
                raise ProblemError("not-found", "The game has no such invite.")
            _check_left(live, held)
            invite = Invite(
                name, derive(live.secret.token_key, name, self._tickets.nonce("")), held.good_for - held.claims
            )
            made = self._tickets.record(invite, game, held.role)
            kept = msgspec.structs.replace(held, hash=made.hash, expires=made.expires)
            return InviteRotatedAnswer(invite=invite), RecordChanges(tokens=[kept])

        return await self._play.change_records(game, exchange)

    async def rotate(self, game: str, name: str, secret: str, key: str) -> TokenRotatedAnswer:
        """Exchange a token for a new one with the same role. Only its holder can: a host must not get others' horizon.

        The token shown (`secret`) ends; a retry with it and the same idempotency key gets the new one again. Raises `unauthorized`, or
        `forbidden` for another's token.
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

    async def start(self, caller: Caller, key: str, fingerprint: bytes, scenario: str = "") -> Done:
        """Set the house up and begin; from here on entropy and characters are fixed.

        An empty `scenario` names none. `Refused` if seats are still free, it has started, or it needs another scenario.
        """
        opened = await self._store.get_game(caller.game)
        today = opened.created[5:10] if opened is not None else ""
        act = Act(
            actor=caller.name,
            command=Started(today=today, scenario=scenario),
            decide=lambda live: _start(live, today, scenario),
            key=scoped_key(caller.name, key),
            fingerprint=fingerprint,
        )
        return await self._play.append_commit(caller.game, act)

    async def close(self, caller: Caller, key: str, fingerprint: bytes) -> Done:
        """Abandon the game. `Refused` if it is over already."""
        act = Act(
            actor=caller.name,
            command=Closed(because=CLOSED),
            decide=lambda live: close_game(live.rules, live.state, CLOSED),
            key=scoped_key(caller.name, key),
            fingerprint=fingerprint,
        )
        return await self._play.append_commit(caller.game, act)


def _check_left(live: LiveGame, invite: TokenRecord) -> None:
    """Raise `invite-used-up`, or `game-over` if the game was abandoned."""
    if invite.spent and invite.good_for > 1:
        raise ProblemError(
            "invite-used-up", f"This invite has served all {invite.good_for} people that it is good for."
        )
    if invite.spent:
        raise ProblemError("invite-used-up", "Somebody has claimed this place with its invite.")
    if live.facts.status == "abandoned":
        raise ProblemError("game-over", f"The game is abandoned: {live.facts.because}")


def _shown(invite: TokenRecord) -> InviteShown:
    name = _PLACE.sub("", invite.id.removeprefix(INVITE))
    return InviteShown(
        id=invite.id,
        place=name if invite.seat is None else f"seat:{invite.seat}",
        good_for=invite.good_for,
        left=0 if invite.spent else invite.good_for - invite.claims,
        expires=invite.expires,
    )


def _claim(live: LiveGame, seat: int, asked: ClaimSeat, name_digest: str) -> list[Told]:
    if live.state.claimed[seat]:
        if asked.character or asked.entropy:
            raise Refused("character and entropy of this seat are fixed", problem="seat-taken")
        # The store gives a seat that is taken only to an invite that was made when it was replaced.
        return []
    wishes = [one.character for one in live.facts.seats]
    wishes[seat] = asked.character or wishes[seat]
    check_characters(live.rules, wishes)
    claimed = SeatClaimed(seat=seat, explorer=wishes[seat], name_digest=name_digest, entropy=asked.entropy)
    return claim(live.rules, live.state, claimed)


def _note_claim(facts: Facts, number: int, seat: int, asked: ClaimSeat) -> None:
    mine = facts.seats[seat]
    if facts.status == "started":
        mine.named_at = number
    mine.claimed, mine.vacant = True, False
    mine.character = asked.character or mine.character
    mine.entropy = asked.entropy or mine.entropy


def _note_replaced(facts: Facts, seat: int) -> None:
    facts.seats[seat].vacant = True


def _replace(live: LiveGame, seat: int) -> list[Told]:
    if not live.state.claimed[seat]:
        raise Refused("nobody has claimed this seat yet", problem="seats-free")
    if live.facts.over():
        raise Refused("the game is over", problem="game-over")
    return []


def _start(live: LiveGame, today: str, scenario: str) -> list[Told]:
    live.chance = chance_for(live.facts, live.secret)
    return start_game(live.rules, live.state, live.chance, today, scenario)
