"""Commands: what an actor wants, in the imperative. A command names the decision that it answers.

Intent and outcome are two types: what comes of a command is told by events (`domain.facts.events`).
"""

from typing import Annotated, Any, Literal

import msgspec

from content.patterns import LINE, whole
from content.vocabulary.base import TRAITS
from domain.facts.state import Figure, MonsterId

_ID = msgspec.Meta(min_length=1, max_length=80, pattern=whole(r"^[a-z0-9][a-z0-9+#@:._/-]*$"))
Id = Annotated[str, _ID]
"""Ids of rooms, cards, monsters, decisions: kebab-case, perhaps with a position behind `#` or `@`."""
Seat = Annotated[int, msgspec.Meta(ge=0, le=5)]
Spaces = Annotated[int, msgspec.Meta(ge=0, le=64)]
Cards = Annotated[list[Id], msgspec.Meta(max_length=40, extra_json_schema={"x-names": ["card"]})]
Monster = Annotated[MonsterId, _ID]
Character = Seat | Monster


def one_of(*words: str) -> msgspec.Meta:
    """A closed set of words, which the contract lists."""
    return msgspec.Meta(pattern=whole(f"^({'|'.join(words)})$"), extra_json_schema={"enum": list(words)})


def naming(*kinds: Literal["room", "card", "seat", "monster"]) -> msgspec.Meta:
    """What on the table a field names, or each of its items. The contract says it as `x-names`, so that a client can offer what there is."""
    return msgspec.Meta(extra_json_schema={"x-names": list(kinds)})


Trait = Annotated[str, one_of(*TRAITS)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=whole(r"^[A-Z][A-Z0-9-]*$"))]


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename="kebab",
    tag_field="type",
    gc=False,
):
    """Base of all commands."""

    decision: Id
    """The open decision that this answers; a turn has one of its own (`turn-12`)."""


class Move(Command, frozen=True, kw_only=True, tag="move"):
    """Go to a connected room in the house (2E-MOVE-001), with an explorer or a monster."""

    to: Annotated[Id, naming("room")]
    monster: Annotated[Monster | None, naming("monster")] = None


class Explore(Command, frozen=True, kw_only=True, tag="explore"):
    """Go through a doorway that leads to no room yet (2E-DISC-001)."""

    door: Annotated[str, one_of("north", "east", "south", "west")]
    monster: Annotated[Monster | None, naming("monster")] = None


class Cross(Command, frozen=True, kw_only=True, tag="cross"):
    """Cross to the other part of a barrier room (2E-ROOM-005)."""

    monster: Annotated[Monster | None, naming("monster")] = None


class Act(Command, frozen=True, kw_only=True, tag="act"):
    """Do what a card, tile, token or the haunt offers on your turn."""

    source: Id
    """`card:axe`, `tile:vault`, `token:safe`, `haunt:heroes`."""
    word: Word
    target: Annotated[Seat | Id | None, naming("seat", "monster", "room")] = None
    monster: Annotated[Monster | None, naming("monster")] = None


class BreakFree(Command, frozen=True, kw_only=True, tag="break-free"):
    """Try to free an explorer who is held back: yourself, or another one in the same room."""

    seat: Annotated[Seat, naming("seat")]


class Attack(Command, frozen=True, kw_only=True, tag="attack"):
    """Attack an opponent (2E-ATK-002)."""

    target: Annotated[Character, naming("seat", "monster")]
    weapon: Annotated[Id | None, naming("card")] = None
    """The card to attack with; none for bare hands."""
    monster: Annotated[Monster | None, naming("monster")] = None


class Trade(Command, frozen=True, kw_only=True, tag="trade"):
    """Offer items to an explorer in the same room, and optionally ask for some (2E-ITEM-006)."""

    partner: Annotated[Seat, naming("seat")] = msgspec.field(name="with")
    gives: Cards = []
    wants: Cards = []
    monster: Annotated[Monster | None, naming("monster")] = None
    """The monster that offers, where its haunt lets it carry (2E-ITEM-010)."""


class Drop(Command, frozen=True, kw_only=True, tag="drop"):
    """Put items down (2E-ITEM-007)."""

    cards: Annotated[Cards, msgspec.Meta(min_length=1)]
    monster: Annotated[Monster | None, naming("monster")] = None


class PickUp(Command, frozen=True, kw_only=True, tag="pick-up"):
    """Take items from the pile here (2E-ITEM-009)."""

    cards: Annotated[Cards, msgspec.Meta(min_length=1)]
    monster: Annotated[Monster | None, naming("monster")] = None


class LookThrough(Command, frozen=True, kw_only=True, tag="look-through"):
    """Look through the whole stack of tiles in the haunt, which is shuffled afterwards (3E-FIND-001): on your turn, once."""


class Loot(Command, frozen=True, kw_only=True, tag="loot"):
    """Take a card from the corpse of an explorer here (3E-LOOT-001)."""

    corpse: Annotated[Seat, naming("seat")] = msgspec.field(name="from")
    card: Annotated[Id, naming("card")]
    monster: Annotated[Monster | None, naming("monster")] = None


class EndTurn(Command, frozen=True, kw_only=True, tag="end-turn"):
    """End the turn (2E-TURN-003)."""


class Reveal(Command, frozen=True, kw_only=True, tag="reveal"):
    """The hidden traitor turns up the token, at any time (2E-HID-005)."""


class TakeBack(Command, frozen=True, kw_only=True, tag="take-back"):
    """Take back your latest commands, while nobody has learned anything from them and no other seat has acted since.

    Its decision is `take-back`. `decisions` tells whether, and how far back. Games may be opened without it (option `take_back`).
    """

    to: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    """The commit as of which play goes on: the one before the first that is taken back."""


class TableCommand(Command, frozen=True, kw_only=True):
    """Base of what players say at the table: what they agree upon where no rule answers, what they ask to be read out.

    Nobody waits for it, so it is in no list of legal commands.
    """


class ProposeRuling(TableCommand, frozen=True, kw_only=True, tag="propose-ruling"):
    """Propose a ruling where no rule gives an answer (2E-NORULE-001): any seat or the referee may, at any time.

    Its decision is `table`. All other seats are asked for their consent; play goes on meanwhile. The text stays in the log forever.
    """

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=whole(LINE))]


class FlipCoin(TableCommand, frozen=True, kw_only=True, tag="flip-coin"):
    """Let a coin decide between two things (2E-NORULE-002): any seat or the referee may, unless a roll or draw is pending.

    Its decision is `table`. Heads is the first option, tails the second. They stay in the log forever.
    """

    options: Annotated[
        list[Annotated[str, msgspec.Meta(min_length=1, max_length=120, pattern=whole(LINE))]],
        msgspec.Meta(min_length=2, max_length=2),
    ]


class Enter(Command, frozen=True, kw_only=True, tag="enter"):
    """Enter what a printed haunt book says, where the game's option `haunt` is `external`.

    Its decision is `book`: open from the haunt's revelation on, whenever no step is in progress. A seat enters from its own
    side's book, the referee from either. What touches winning, deaths, traits or positions waits for consent.
    """

    book: Literal["heroes", "traitor"] | None = None
    """Default: the book of the seat's own side; for the referee, the heroes'."""
    entry: dict[str, Any]
    """Part of a haunt in the words of content files."""


class Demand(TableCommand, frozen=True, kw_only=True, tag="demand"):
    """Have a part of the other side's book read out that was used for all to see: everybody reads it from then on (3E-INFO-002).

    Its decision is `parts`: open to every seat as long as the haunt lasts. The haunt's `parts` in a view tell which can be asked for.
    """

    part: Annotated[str, msgspec.Meta(min_length=1, max_length=120, pattern=whole(r"^[A-Za-z0-9][A-Za-z0-9._-]*$"))]
    """`heroes.actions.LIGHT`, `traitor.on.2`, `monster.ghoul`."""


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """Answer a choice, a reaction, a consent or a ready check with one of its options; a proposed ruling too (`ruling-2`)."""

    option: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]


class Allocate(Command, frozen=True, kw_only=True, tag="allocate"):
    """Divide points among traits (2E-DMG-001)."""

    points: dict[Trait, Spaces]


class Select(Command, frozen=True, kw_only=True, tag="select"):
    """Answer with any of the offered things: which dice to roll again, by their place in the roll."""

    chosen: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=63)]], msgspec.Meta(max_length=64)]


class AnswerChance(Command, frozen=True, kw_only=True, tag="answer-chance"):
    """The moderator tells what the real dice or cards showed."""

    faces: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=2)]], msgspec.Meta(max_length=64)] = []
    pick: Annotated[str, msgspec.Meta(max_length=120)] = ""
    rolled: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=3)]], msgspec.Meta(max_length=64)] = []
    """In play by post, in place of `faces`: what a die roller shows for each `1d3`, from 1 to 3, before 1 is subtracted (PBP-DICE-002)."""
    total: Annotated[int, msgspec.Meta(ge=-64, le=192)] | None = None
    """The total that was posted with them: of `faces` their sum, of `rolled` what the die roller says of `Nd3-N`. It must match."""


TurnCommand = Move | Explore | Cross | Act | BreakFree | Attack | Trade | Drop | PickUp | LookThrough | Loot | EndTurn
ByCharacter = Move | Explore | Cross | Act | Attack | Trade | Drop | PickUp | Loot
"""What a monster may do as well, where `monster` names it."""
AnswerCommand = Choose | Allocate | Select | AnswerChance
AnyCommand = (
    Move
    | Explore
    | Cross
    | Act
    | BreakFree
    | Attack
    | Trade
    | Drop
    | PickUp
    | LookThrough
    | Loot
    | EndTurn
    | Reveal
    | TakeBack
    | Enter
    | Demand
    | Choose
    | Allocate
    | Select
    | AnswerChance
    | ProposeRuling
    | FlipCoin
)
"""Every command that a client may post, as a union tagged by `type`."""

__all__ = ["AnswerCommand", "AnyCommand", "ByCharacter", "Figure", "TurnCommand"]
