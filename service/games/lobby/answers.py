"""What callers are answered about games as a whole."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.events import AnyEvent
from service.identity import Credential
from service.log.facts import Facts, ForkFacts
from service.log.requests import AnyLife, Options


class SeatShown(msgspec.Struct, kw_only=True):
    """A seat as everybody sees it."""

    seat: int
    claimed: bool
    character: str
    """The explorer, or empty while the seat has none."""
    name: str = ""
    """The player's name, for whoever shows a token of the game; empty if none was given, or it was erased."""


class GameShown(msgspec.Struct, kw_only=True):
    """A game as everybody sees it."""

    id: str
    version: int
    """The number of its latest commit (for the public: as far as it is shown)."""
    status: str
    """`open`, `started`, `finished` or `abandoned`."""
    edition: str
    pack: str
    pack_digest: str
    rules: int
    created: str
    seats: list[SeatShown]
    options: Options
    randomness: str
    """`seeded`, `tape`, `moderator` or `table`."""
    commitment: str
    """Seeded: the SHA-256 of salt and seed, both revealed by the disclosure."""
    arranged: bool
    hotseat: bool
    disclosed: bool
    winner: str
    because: str
    imported: str
    """When it was imported from a file, in UTC; empty for a game that was played here."""
    fork: ForkFacts | None = None
    """Of a sandbox: what it is a fork of. Nothing that happens in it has happened."""


class Tokens(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Tokens handed out as the game opens. They are shown here once."""

    host: Credential
    seats: list[Credential] = []
    referee: Credential | None = None
    co_referee: Credential | None = None
    spectators: list[Credential] = []


class Invites(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Invites, each good for one claim."""

    seats: list[Credential] = []
    referee: Credential | None = None
    co_referee: Credential | None = None
    spectators: list[Credential] = []


class GameOpenedAnswer(msgspec.Struct, kw_only=True):
    """A game was opened."""

    game: GameShown
    tokens: Tokens
    invites: Invites


class SeatClaimedAnswer(msgspec.Struct, kw_only=True):
    """A seat, or another place, was claimed."""

    version: int
    role: str
    """`seat:1`, `spectator` or `referee`."""
    token: Credential
    """Shown here once."""


class SeatReplacedAnswer(msgspec.Struct, kw_only=True):
    """A seat is free for somebody else."""

    version: int
    invite: Credential
    """Shown here once."""


class TokenRotatedAnswer(msgspec.Struct, kw_only=True):
    """A token was replaced by another with the same role."""

    token: Credential
    """Shown here once."""


class CommitData(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a role was told of a commit."""

    number: int
    actor: str | None = None
    """`host`, `seat:1`, `moderator`, where the role was told."""
    command: AnyCommand | AnyDeskCommand | AnyLife | None = None
    """What was commanded, for whoever did it and for the referee; the life of a game is public."""
    events: list[AnyEvent]
    """The events that the role was told, perhaps none."""


class CommitEvent(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A commit on the wire: a CloudEvents 1.0 object."""

    specversion: Literal["1.0"]
    id: str
    """The commit's number; with `source` unique."""
    source: str
    """The game: `/v1/games/<id>`."""
    type: Literal["omenlog.commit.v1"]
    time: str
    subject: str | None = None
    """The actor, where the role was told."""
    sequence: str
    """The number with leading zeros, for whoever sorts by text."""
    recipient: str | None = None
    """In an account's stream: the public name of the token that was told this. Two tokens of one game are told each."""
    cursor: str | None = None
    """In an account's stream: where to go on behind this event."""
    data: CommitData


class CommitAnswer(msgspec.Struct, kw_only=True):
    """A commit was written, and is durable."""

    version: int
    """Its number: the game's new version."""
    commit: CommitEvent


class EventPage(msgspec.Struct, kw_only=True):
    """A page of a game's events."""

    events: list[CommitEvent]
    next: int
    """Pass it as `after` for the next page."""
    version: int
    """The number of the latest commit that the caller may see; with `next` equal to it nothing is left for now."""


class AccountEventPage(msgspec.Struct, kw_only=True):
    """A page of what an account's tokens were told."""

    events: list[CommitEvent]
    next: str
    """Pass it as `after` for the next page. It stays good for ever."""
    more: bool
    """Whether there was more than fitted."""


class GameList(msgspec.Struct, kw_only=True):
    """A page of games, in the order in which they were opened."""

    games: list[GameShown]
    next: str | None
    """Pass it as `after` for the next page; null on the last one."""


def show(facts: Facts, *, version: int, created: str, names: dict[int, str]) -> GameShown:
    """A game's public facts for an answer."""
    return GameShown(
        id=facts.id,
        version=version,
        status=facts.status,
        edition=facts.edition,
        pack=facts.pack,
        pack_digest=facts.pack_digest,
        rules=facts.rules,
        created=created,
        seats=[
            SeatShown(seat=one.seat, claimed=one.claimed, character=one.character, name=names.get(one.seat, ""))
            for one in facts.seats
        ],
        options=facts.options,
        randomness=facts.source,
        commitment=facts.commitment,
        arranged=facts.arranged,
        hotseat=facts.hotseat,
        disclosed=facts.disclosed(),
        winner=facts.winner,
        because=facts.because,
        imported=facts.imported,
        fork=facts.fork,
    )
