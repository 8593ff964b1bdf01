"""The life of a game after its opening: seats are claimed and given to others, the game is started, and closed."""

from __future__ import annotations

from domain.facts.events import SeatClaimed, Told
from domain.facts.lifecycle_commands import Claimed, Closed, Replaced, Started
from domain.facts.refusal import Refused
from domain.game import claim, close_game, start_game
from service.games.lobby.answers import SeatClaimedAnswer, SeatReplacedAnswer
from service.games.lobby.checking import check_characters, check_name
from service.games.lobby.tokens import Tickets, name_digest, name_texts, no_name
from service.games.play.submit import Act, Done, Play
from service.games.tables import LiveGame, Tables
from service.identity import INVITE, Caller, Credential, Gate, derive, digest, scoped_key
from service.log.facts import Facts, chance_for, names_in
from service.log.requests import ClaimSeat
from service.outside import Outside
from service.problems import ProblemError, refused_invite

CLOSED = "The host closed the game."


class Lifecycle:
    """What can be done to a game as a whole."""

    def __init__(self, tables: Tables, play: Play, gate: Gate, outside: Outside, tickets: Tickets) -> None:
        self._gate = gate
        self._tickets = tickets
        self._tables = tables
        self._store = tables.store
        self._play = play
        self._outside = outside

    # -- seats --------------------------------------------------------------------------------------------------------

    async def claim(
        self, game: str, seat: int, asked: ClaimSeat, key: str, fingerprint: bytes
    ) -> tuple[SeatClaimedAnswer, Done]:
        """Take a seat with its invite.

        Args:
            game: the game's id.
            seat: 0 to 5.
            asked: what was asked.
            key: the idempotency key as it came, or nothing.
            fingerprint: digest of the request.

        Raises:
            ProblemError: `invite-refused`, or the character can't be had.
            Refused: the domain forbids it, or `name-taken`.
        """
        if await self._gate.invite(asked.invite, game, "seat", seat) is None:
            raise refused_invite()
        live = await self._tables.live(game)
        nonce = self._tickets.nonce(key)
        token = Credential(f"seat-{seat}", derive(live.secret.token_key, asked.invite, nonce))
        salt = self._outside.secret("name-salt").hex()
        act = Act(
            actor=f"seat:{seat}",
            command=Claimed(seat=seat),
            prepare=lambda _: self._check_name(game, seat, asked.name),
            decide=_Claim(seat, asked, await self._digest_of_name(game, seat, asked, salt)),
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
            return name_digest(salt, asked.name)
        texts = await self._store.get_texts(game)
        if f"name:{seat}" not in texts:
            return ""
        return name_digest(texts[f"salt:{seat}"], texts[f"name:{seat}"])

    async def replace(self, caller: Caller, seat: int, key: str, fingerprint: bytes) -> tuple[SeatReplacedAnswer, Done]:
        """Take a seat from its player: the token ends, the name is erased, a new invite is made. Everybody is told.

        Raises:
            ProblemError: no such seat (`not-found`).
            Refused: nobody has claimed the seat yet.
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
            key=scoped_key(caller.name, key),
            fingerprint=fingerprint,
            tokens=[self._tickets.record(invite, caller.game, f"{INVITE}seat", seat)],
            revoke=[f"seat-{seat}"],
            texts=no_name(seat),
        )
        done = await self._play.append_commit(caller.game, act)
        return SeatReplacedAnswer(version=done.number, invite=invite), done

    # -- start and close ----------------------------------------------------------------------------------------------

    async def start(self, caller: Caller, key: str, fingerprint: bytes) -> Done:
        """Set the house up and begin; from here on entropy and characters are fixed.

        Raises:
            Refused: not open any more, or seats are still free.
        """
        opened = await self._store.get_game(caller.game)
        today = opened.created[5:10] if opened is not None else ""
        act = Act(
            actor=caller.name,
            command=Started(today=today),
            decide=lambda live: _start(live, today),
            key=scoped_key(caller.name, key),
            fingerprint=fingerprint,
        )
        return await self._play.append_commit(caller.game, act)

    async def close(self, caller: Caller, key: str, fingerprint: bytes) -> Done:
        """Abandon the game.

        Raises:
            Refused: it is over already.
        """
        act = Act(
            actor=caller.name,
            command=Closed(because=CLOSED),
            decide=lambda live: close_game(live.rules, live.state, CLOSED),
            key=scoped_key(caller.name, key),
            fingerprint=fingerprint,
        )
        return await self._play.append_commit(caller.game, act)


class _Claim:
    """The decision to give a seat to somebody."""

    def __init__(self, seat: int, asked: ClaimSeat, name: str) -> None:
        self.seat = seat
        self.asked = asked
        self.name = name

    def __call__(self, live: LiveGame) -> list[Told]:
        asked, state = self.asked, live.state
        if state.claimed[self.seat]:
            if asked.character or asked.entropy:
                raise Refused("character and entropy of this seat are fixed", problem="seat-taken")
            # The store gives a seat that is taken only to an invite that was made when it was replaced.
            return []
        wishes = [seat.character for seat in live.facts.seats]
        wishes[self.seat] = asked.character or wishes[self.seat]
        check_characters(live.rules, wishes)
        claimed = SeatClaimed(seat=self.seat, explorer=wishes[self.seat], name_digest=self.name, entropy=asked.entropy)
        return claim(live.rules, state, claimed)


def _note_claim(facts: Facts, number: int, seat: int, asked: ClaimSeat) -> None:
    mine = facts.seats[seat]
    if facts.status == "started":
        mine.named_at = number
    mine.claimed = True
    mine.character = asked.character or mine.character
    mine.entropy = asked.entropy or mine.entropy


def _replace(live: LiveGame, seat: int) -> list[Told]:
    if not live.state.claimed[seat]:
        raise Refused("nobody has claimed this seat yet", problem="seats-free")
    if live.facts.over():
        raise Refused("the game is over", problem="game-over")
    return []


def _start(live: LiveGame, today: str) -> list[Told]:
    live.chance = chance_for(live.facts, live.secret)
    return start_game(live.rules, live.state, live.chance, today)
