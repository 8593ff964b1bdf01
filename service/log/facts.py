"""What is kept beside the log of a game: its public facts, its secret, its snapshots. All but the secret could be rebuilt."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec

from domain.facts.chance import Answer, Chance, Continued, Moderator, Seeded, Tape
from domain.facts.state import State
from projections.facts import KeptFacts
from service.log.commits import Moment
from service.log.deadlines import Missed
from service.log.requests import Options
from service.problems import ProblemError

OPENER = "opener:"
ADDRESS, TOKEN = "opener:address", "opener:token"
"""The keys of a game's texts that say who opened it."""
FORGOTTEN: Mapping[str, str | None] = {ADDRESS: None, TOKEN: None}
"""The texts that erase who opened a game."""
NAME, SALT = "name:", "salt:"
"""What the keys of a name and of its salt begin with, in the store."""


def names_in(texts: Mapping[str, str]) -> dict[int, str]:
    """Players' names by seat."""
    return {int(key.removeprefix(NAME)): text for key, text in texts.items() if key.startswith(NAME)}


class SaltedText(msgspec.Struct, frozen=True):
    """A text as it is kept, until somebody erases it."""

    salt: str
    text: str


def salted_digest(salt: str, text: str) -> str:
    """What the log says of a name or another text; without the salt, which is erased with the text, it says nothing."""
    return hashlib.sha256(f"{salt}{text}".encode()).hexdigest()


OVER = ("finished", "abandoned")
"""The statuses of games in which nothing can happen any more."""


class SeatFacts(msgspec.Struct, kw_only=True):
    """A seat as everybody sees it."""

    seat: int
    claimed: bool = False
    vacant: bool = False
    """Its player was replaced, and nobody has come yet."""
    character: str = ""
    """The explorer asked for; once the game has started, the one that the seat has."""
    entropy: str = ""
    """What the seat added to the seeded dice."""
    named_at: int = 0
    """The commit by which somebody took the seat after the start of the game, with a name perhaps."""


class ForkFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A fork is a sandbox: nothing in it changes the game that it comes from."""

    of: str
    """The game that it is a fork of."""
    at: int
    """The commit at which it starts."""
    sampled: bool
    """Whether what was hidden from its maker is invented; if not, it is true."""
    expires: str
    """When it is removed, in UTC."""


class Facts(msgspec.Struct, kw_only=True):
    """What everybody may know of a game."""

    id: str
    edition: str
    pack: str
    pack_digest: str
    rules: int
    """The revision of the rules that it is played by."""
    seats: list[SeatFacts]
    options: Options
    source: str
    """`seeded`, `tape`, `moderator` or `table`."""
    commitment: str = ""
    """Seeded: the SHA-256 of salt and seed, both revealed by the disclosure."""
    arranged: bool = False
    """A tape or a setup prepared it."""
    hotseat: bool = False
    """All tokens were handed to one person."""
    status: str = "open"
    """`open`, `started`, `finished` or `abandoned`."""
    started_at: int = 0
    """The commit that started it."""
    over_at: int = 0
    """The commit that ended it; 0 also for games that were over before this was kept."""
    winner: str = ""
    because: str = ""
    imported: str = ""
    """When it was imported from a file, in UTC; empty for a game that was played here."""
    fork: ForkFacts | None = None
    """Of a sandbox."""

    def by_hand(self) -> bool:
        """Whether people roll and draw, and the game waits for them."""
        return self.source in ("moderator", "table")

    def over(self) -> bool:
        return self.status in OVER

    def disclosed(self) -> bool:
        """Whether the seed and the whole log are public. There are no campaigns yet whose end could matter."""
        return self.over() and self.options.disclosure == "end"

    def follow(self, state: State, number: int) -> bool:
        """Take over what commit `number` changed, from the state after it. True if something was."""
        if state.status == self.status:
            return False
        if state.status == "started":
            self.started_at = number
            for seat, explorer in zip(self.seats, state.explorers, strict=True):
                seat.character = explorer.id
        if state.status in OVER:
            self.over_at = number
        self.status = state.status
        self.winner = state.winner
        self.because = state.because
        return True


class _Choice(msgspec.Struct, frozen=True):
    listed: bool = False


class _Glance(msgspec.Struct):
    """What is read of facts by whoever only wants to know whether the game is listed, or a sandbox."""

    fork: ForkFacts | None = None
    options: _Choice = _Choice()


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """What nobody may know of a game before its disclosure."""

    seed: bytes
    seed_salt: bytes
    """Revealed with the seed, for the commitment."""
    salt_key: bytes
    """Of the salts in the hash chain."""
    token_key: bytes
    """From which tokens are derived, together with what only the caller knows. Never revealed."""
    tape: list[Answer] = []


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot: the engine's state and the head of the chain."""

    hash: str
    state: State
    # These are the `Clocks` of the game.
    since: dict[str, str] = {}
    spent: dict[str, int] = {}
    missed: list[Missed] = []
    moments: list[Moment] = []
    """Turn and round of all commits up to it. A snapshot of before they were kept has none: the game is folded from its first commit then."""
    commit_facts: KeptFacts | None = None
    """Facts of all commits up to it. Likewise."""
    asked: dict[str, str] | None = None
    """What the game waits for, and from when on. Likewise."""


read_facts = msgspec.json.Decoder(Facts).decode
read_secret = msgspec.json.Decoder(Secret).decode
read_kept = msgspec.json.Decoder(Kept).decode
_glance = msgspec.json.Decoder(_Glance).decode
encode = msgspec.json.Encoder().encode


def is_fork(body: bytes) -> bool:
    """Whether public facts are a sandbox's; facts that can't be read are not."""
    try:
        return _glance(body).fork is not None
    except msgspec.DecodeError:
        return False


def is_listed(body: bytes) -> bool:
    """Whether the maker of the game with these public facts has listed it; facts that can't be read are not listed."""
    try:
        return _glance(body).options.listed
    except msgspec.DecodeError:
        return False


def chance_for(facts: Facts, secret: Secret) -> Chance:
    """The game's source of chance, complete once all seats are claimed."""
    if facts.source == "seeded":
        return Seeded(secret.seed, facts.id, [seat.entropy for seat in facts.seats])
    if facts.fork is not None:
        return Continued(Tape(secret.tape), Seeded(secret.seed, facts.id))
    return Tape(secret.tape) if facts.source == "tape" else Moderator()


def no_sandbox(facts: Facts) -> None:
    """Raise `is-fork` for a sandbox, where something would lead out of it."""
    if facts.fork is not None:
        raise ProblemError("is-fork", f"This game is a sandbox, a fork of game {facts.fork.of}: it ends with itself.")
