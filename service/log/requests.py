"""Bodies of requests about a game as a whole."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from content.patterns import LINE, whole
from domain.facts.commands import Id

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=whole(LINE))]
Secret = Annotated[str, msgspec.Meta(min_length=8, max_length=80, pattern=whole(r"^[A-Za-z0-9_-]+$"))]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=whole(r"^[a-z][a-z0-9-]*$"))]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=5)]


class Body(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all bodies: unknown fields are refused."""


class BindToken(Body, frozen=True, kw_only=True):
    """The account to bind a token to."""

    key: Secret
    """The account's key."""


# -- opening ------------------------------------------------------------------------------------------------------------


class SeatWish(Body, frozen=True, kw_only=True):
    """A seat as the game is opened."""

    name: Name | None = None
    """The player's name. It is kept beside the log and can be erased."""
    character: Id | None = None
    """The explorer that this seat takes, unless it takes another when claimed."""


class Dice(Body, frozen=True, kw_only=True):
    """What the dice showed, or what was picked; exactly one of the two."""

    faces: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=2)]], msgspec.Meta(max_length=64)] = []
    """Faces of all dice of one roll, in their order."""
    pick: Annotated[str, msgspec.Meta(max_length=120)] = ""
    """One of the options of one draw: a tile, a card, a seat."""


class SeededChance(Body, frozen=True, kw_only=True, tag_field="source", tag="seeded"):
    """Dice from a secret seed, to which the service commits itself when the game opens."""


class TapeChance(Body, frozen=True, kw_only=True, tag_field="source", tag="tape"):
    """Prepared answers, used in order; a moderator answers beyond their end, and where one doesn't fit."""

    answers: Annotated[list[Dice], msgspec.Meta(max_length=2000)]


class ModeratorChance(Body, frozen=True, kw_only=True, tag_field="source", tag="moderator"):
    """The referee holds the real dice and cards and answers every request of chance by a command."""


class TableChance(Body, frozen=True, kw_only=True, tag_field="source", tag="table"):
    """The players hold the real dice and cards: the player who rolls or draws says what they show, and the next player confirms it."""


Randomness = SeededChance | TapeChance | ModeratorChance | TableChance


class HouseRuling(Body, frozen=True, kw_only=True):
    """What this table agreed about a rule. Everybody is told; the engine does not apply it."""

    rule: Annotated[str, msgspec.Meta(pattern=whole(r"^[A-Z0-9]{2,4}-[A-Z0-9]+-[0-9]{3}$"))]
    ruling: Annotated[str, msgspec.Meta(min_length=1, max_length=400, pattern=whole(LINE))]


HauntNumber = Annotated[int, msgspec.Meta(ge=1, le=999)]


class Deadline(Body, frozen=True, kw_only=True):
    """A seat that leaves a decision open for too long is passed over: it passes, ends its turn, or gives the first legal answer."""

    seconds: Annotated[int, msgspec.Meta(ge=1, le=31_536_000)]
    """For each decision, and for each turn as a whole; it is counted anew when play comes back to the turn after others were asked.

    It stops while a dispute pauses play. After that, and after a take-back, it goes on from where it was.
    """


class Disputes(Body, frozen=True, kw_only=True):
    """How this table handles disputes."""

    pause: bool = False
    """Whether an open dispute pauses play."""
    pauses: Annotated[int, msgspec.Meta(ge=0, le=40)] | None = None
    """How many disputes of a seat may pause play for nothing (withdrawn, lapsed, or ruled to stand). Further ones do not pause it. Default: 3."""
    consent: bool = False
    """Whether a rewind by the referee needs the consent of all seats."""
    turns: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    """A dispute lapses after this many new turns, so that what happened stands. Default if play goes on meanwhile: 12."""
    seconds: Annotated[int, msgspec.Meta(ge=1, le=31_536_000)] | None = None
    """In place of `turns`: it lapses after this many seconds. Default if play pauses: 86,400."""


class Options(Body, frozen=True, kw_only=True):
    """The options of a game. Unknown options are refused."""

    disclosure: Literal["end", "campaign-end", "never"] = "end"
    """When the seed and the whole log become public."""
    turn_limit: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """The game ends without a winner after this many turns."""
    haunt: Id | None = None
    """The haunt to be played whatever the chart says, by its id in the pack; `external`: the printed one of the chart's number.

    The group has the printed books then, and posts what they say by the command `enter`.
    """
    scenario: Id | None = None
    """Of a pack with scenarios: the one to be played, by its id. Left out, the host names it at the start."""
    consent: Literal["seats", "referee"] | None = None
    """Of an external haunt: who consents to what one side enters. Default: the referee who answers chance, else all other seats."""
    known_haunts: Annotated[list[Id | HauntNumber], msgspec.Meta(max_length=100)] = []
    """Haunts that the group has played and rejects, by ids in the pack or numbers of the chart: another one is looked up then."""
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=500)] = 0
    """Commits of play by which spectators, the host and the public lag behind while the game goes on.

    What is said at the table or at the desk does not count, nor do coins, changes of who plays, and what was taken back.
    """
    spectator_delay_seconds: Annotated[int, msgspec.Meta(ge=0, le=604_800)] = 0
    """Seconds by which they lag behind; if both delays are set, the longer one applies."""
    house_rulings: Annotated[list[HouseRuling], msgspec.Meta(max_length=50)] = []
    rulings: Annotated[
        dict[Id, Id | Annotated[list[Id], msgspec.Meta(min_length=1, max_length=8)]], msgspec.Meta(max_length=50)
    ] = {}
    """Alternatives of rulings that the pack offers and the engine follows: by the id of the piece, the id of the alternative, or several ids.

    In play by post official rulings hold only where `official` is chosen for their piece (PBP-BASE-002).
    """
    reading_out: Literal["on-demand", "at-once"] = "on-demand"
    """When a part of a haunt's book that was used is read out to the other side: as soon as somebody asks, or at once (3E-INFO-002)."""
    take_back: bool = True
    """Seats may take back their latest commands, from which nobody has learned anything."""
    disputes: Disputes | None = None
    """Whether disputes pause play, how long they may wait, and whether seats consent to rewinds."""
    deadline: Deadline | None = None
    """How long a seat may take, for games by post; the moderator's dice have no deadline."""
    listed: bool = False
    """Whether the service lists the game to everybody, without the players' names."""
    public_record: bool = False
    """Whether anybody may export the game once it is finished and disclosed."""


Faces = Annotated[list[Id], msgspec.Meta(max_length=100)]


class Setup(Body, frozen=True, kw_only=True):
    """A prepared start, for games already under way, disputes and tests. It marks the game as arranged."""

    first_seat: Seat | None = None
    """Who begins."""
    tiles: Faces | None = None
    """The top of the tile stack, the next one first; the rest is shuffled below."""
    event: Faces | None = None
    """The top of the event deck."""
    item: Faces | None = None
    """The top of the item deck."""
    omen: Faces | None = None
    """The top of the omen deck."""


class StartGame(Body, frozen=True, kw_only=True):
    """Start a game. It may be left out."""

    scenario: Id | None = None
    """Of a pack with scenarios: the one that the group has agreed on, by its id, if no option of the game names it."""


MOST_SPECTATORS = 100
"""People whom the invites of one game serve as spectators."""
SHARED = 20
"""People whom the one invite serves that a game has unless asked otherwise: a link for all friends."""


class OpenGame(Body, frozen=True, kw_only=True):
    """Open a game."""

    edition: Word
    """`second`, `third` or `play-by-post`."""
    pack: Word | None = None
    """The pack's id; by default the built-in one of the edition."""
    seats: Annotated[list[SeatWish], msgspec.Meta(min_length=1, max_length=6)]
    """One object for each player; an empty one leaves everything open."""
    randomness: Randomness = msgspec.field(default_factory=SeededChance)
    options: Options = msgspec.field(default_factory=Options)
    setup: Setup | None = None
    hotseat: bool = False
    """Whether all seats are claimed and all tokens handed out at once. The game is publicly marked so."""
    spectators: Annotated[int, msgspec.Meta(ge=0, le=50)] | None = None
    """The number of invites (hotseat: tokens) for spectators. Default: one."""
    spectators_per_invite: Annotated[int, msgspec.Meta(ge=1, le=MOST_SPECTATORS)] | None = None
    """How many people each of these invites serves; all together at most 100. Default: 1 where `spectators` is given, else 20."""
    co_referee: bool = False
    """A second referee, who sees and answers the same: the co-moderator of a game by post. Either answers."""
    account: Secret | None = None
    """The key of an account. The tokens in the answer are bound to it: the host's, and with `hotseat` all of them. Invites are not."""

    @property
    def for_spectators(self) -> tuple[int, int]:
        """The number of invites for spectators, and how many people each serves."""
        number = 1 if self.spectators is None else self.spectators
        return number, self.spectators_per_invite or (SHARED if self.spectators is None else 1)


class ForkGame(Body, frozen=True, kw_only=True):
    """Make a sandbox of the game as it stood at a commit."""

    at: Annotated[int, msgspec.Meta(ge=1, le=999_999_999)] | None = None
    """The commit. Default: the latest that the caller may see."""
    randomness: SeededChance | TapeChance = msgspec.field(default_factory=SeededChance)
    """Fresh dice, or prepared answers. Dice are fresh after their end, and wherever one does not fit."""
    deadline: Deadline | None = None
    """Like a game's option, so that seats without a player are passed over. The game's own deadline does not apply."""


# -- seats --------------------------------------------------------------------------------------------------------------


class ClaimSeat(Body, frozen=True, kw_only=True):
    """Take a seat."""

    invite: Secret
    """The seat's invite, good for one claim."""
    name: Name | None = None
    character: Id | None = None
    """The explorer; without one the seat gets one that is left when the game starts."""
    entropy: Annotated[str, msgspec.Meta(max_length=64, pattern=whole(r"^[A-Za-z0-9+/=_-]*$"))] = ""
    """What this seat adds to the seeded dice, so that nobody could have chosen them."""


class Join(Body, frozen=True, kw_only=True):
    """Join as a spectator or as the referee."""

    invite: Secret
    """The invite. A spectator's may be good for several, who claim it one after another."""
