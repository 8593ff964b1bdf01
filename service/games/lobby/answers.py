"""What callers are answered about games as a whole."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.editions import EDITIONS
from domain.facts.events import AnyEvent
from domain.facts.lifecycle_commands import AnyRecorded
from domain.rulebook.turn.standing_orders import orderable
from projections.facts import Death, Mark, TileLaid
from projections.view.ending import EndingView
from service.identity import Credential, Invite
from service.log.facts import Facts, ForkFacts
from service.log.requests import Options


class SeatShown(msgspec.Struct, kw_only=True):
    """A seat as everybody sees it."""

    seat: int
    claimed: bool
    """Whether somebody has taken it; false again once its player was replaced, until somebody else comes."""
    vacant: bool
    """Its player was replaced, and nobody has come yet: whoever does takes over its explorer and its entropy."""
    character: str
    """The explorer, or empty while the seat has none."""
    name: str = ""
    """The player's name, for whoever shows a token of the game; empty if none was given, or it was erased."""
    named_at: int
    """The commit by which somebody with this name took the seat of a player who was replaced; 0 if nobody was, or there is no name."""


class GameShown(msgspec.Struct, kw_only=True):
    """A game as everybody sees it."""

    id: str
    version: int
    """The number of its latest commit that the caller may see."""
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
    moderated: bool
    """A moderator runs it: enters real dice and cards, or keeps a game by posts going."""
    commitment: str
    """Seeded: the SHA-256 of salt and seed, both revealed by the disclosure."""
    arranged: bool
    hotseat: bool
    disclosed: bool
    """Everybody may know all of it: every token reads all roles' views, and the export is complete."""
    disclosed_at: int | None = None
    """The commit that ended the game, and so disclosed it; null before."""
    winner: str
    because: str
    imported: str
    """When it was imported from a file, in UTC; empty for a game that was played here."""
    fork: ForkFacts | None = None
    """For a sandbox: the game that it is a fork of."""


class GameDetails(GameShown, kw_only=True):
    """A game as everybody sees it, and what goes for all games of its edition."""

    orders: dict[str, list[str]]
    """By type: the commands that standing orders can hold in this game, with their members besides `type` and `decision`."""


class Tokens(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Tokens handed out when the game opens. They are shown once."""

    host: Credential
    seats: list[Credential] = []
    referee: Credential | None = None
    co_referee: Credential | None = None
    spectators: list[Credential] = []


class Invites(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Invites. Each is good for one claim, unless `good_for` says how many."""

    seats: list[Credential] = []
    referee: Credential | None = None
    co_referee: Credential | None = None
    spectators: list[Invite] = []


class InviteShown(msgspec.Struct, kw_only=True):
    """An invite, without its secret."""

    id: str
    place: str
    """What it is for: `seat:1`, `referee`, `co-referee` or `spectator`."""
    good_for: int
    """How many may claim it."""
    left: int
    """How many of them still can; 0 once it is used up."""
    expires: str | None
    """ISO 8601 in UTC, or null for never."""


class InviteList(msgspec.Struct, kw_only=True):
    """The invites of a game."""

    invites: list[InviteShown]


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
    """Shown once."""


class SeatReplacedAnswer(msgspec.Struct, kw_only=True):
    """A seat is free for somebody else."""

    version: int
    invite: Credential
    """Shown once."""


class TokenRotatedAnswer(msgspec.Struct, kw_only=True):
    """A token was replaced by a new one with the same role."""

    token: Credential
    """Shown once."""


class InviteRotatedAnswer(msgspec.Struct, kw_only=True):
    """An invite was replaced by a new one for the same place."""

    invite: Invite
    """Shown once."""


class CommitData(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a role was told of a commit."""

    number: int
    turn: int
    """The turn in which the commit began: 1, 2, 3 from the start of the game, and 0 before it. `TurnStarted` among the events begins
    another."""
    round: int
    """The round of the haunt in which the commit began: 1, 2, 3, and 0 before the haunt."""
    actor: str | None = None
    """`host`, `seat:1`, `moderator`, where the role was told."""
    command: AnyRecorded | None = None
    """The command, for the caller who gave it and for the referee. Opening, starting and closing a game are public."""
    deaths: list[Death] | None = None
    """Who died in it, or was killed: of what, where, by whom. Found on reading, in old games too; absent if nobody did."""
    placed: list[TileLaid] | None = None
    """The tiles that came into the house in it, and who placed them; absent if none did."""
    marks: list[Mark] | None = None
    """What a line of the game's commits marks in it; absent if there is nothing."""
    ended: EndingView | None = None
    """The game ended with it: when, who won and why, as the role knows it. Absent otherwise."""
    events: list[AnyEvent]
    """The events that the role was told; there may be none."""
    sentences: list[str] | None = None
    """With `?sentences=true`: each of the events in a plain sentence, in their order; the words may change."""


class CommitEvent(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A commit as a CloudEvents 1.0 object."""

    specversion: Literal["1.0"]
    id: str
    """The commit's number; unique together with `source`."""
    source: str
    """The game: `/v1/games/<id>`."""
    type: Literal["omenlog.commit.v1"]
    dataschema: Literal["urn:omenlog:commit:v1"]
    """What `data` adheres to: the `$id` of `GET /v1/schemas/events/commit`."""
    time: str
    subject: str | None = None
    """The actor, where the role was told."""
    sequence: str
    """The number with leading zeros, so that it sorts as text."""
    recipient: str | None = None
    """In an account's stream: the public name of the token that was told. Two tokens of one game are told separately."""
    cursor: str | None = None
    """In an account's stream: the cursor behind this event."""
    data: CommitData


class CommitAnswer(msgspec.Struct, kw_only=True):
    """A durable commit."""

    version: int
    """Its number: the game's new version."""
    commit: CommitEvent


class EventPage(msgspec.Struct, kw_only=True):
    """A page of a game's events."""

    events: list[CommitEvent]
    next: int
    """Pass it as `after` to get the next page."""
    version: int
    """The number of the latest commit that the caller may see. If `next` equals it, there is nothing more for now."""


class AccountEventPage(msgspec.Struct, kw_only=True):
    """A page of what an account's tokens were told."""

    events: list[CommitEvent]
    next: str
    """Pass it as `after` to get the next page. It never expires."""
    more: bool
    """Whether there is more than fits on the page."""


class GameList(msgspec.Struct, kw_only=True):
    """A page of games, in the order in which they were opened."""

    games: list[GameShown]
    next: str | None
    """Pass it as `after` to get the next page; null on the last page."""


def show(facts: Facts, *, version: int, created: str, names: dict[int, str]) -> GameShown:
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
            SeatShown(
                seat=one.seat,
                claimed=one.claimed and not one.vacant,
                vacant=one.vacant,
                character=one.character,
                name=names.get(one.seat, ""),
                named_at=one.named_at if one.seat in names else 0,
            )
            for one in facts.seats
        ],
        options=facts.options,
        randomness=facts.source,
        moderated=facts.by_hand() or EDITIONS[facts.edition].moderated,
        commitment=facts.commitment,
        arranged=facts.arranged,
        hotseat=facts.hotseat,
        disclosed=facts.disclosed(),
        disclosed_at=(facts.over_at or version) if facts.disclosed() else None,
        winner=facts.winner,
        because=facts.because,
        imported=facts.imported,
        fork=facts.fork,
    )


def with_details(shown: GameShown) -> GameDetails:
    return GameDetails(**msgspec.structs.asdict(shown), orders=orderable(EDITIONS[shown.edition]))
