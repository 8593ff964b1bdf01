"""What fields of events and states may hold, said once for all that hold it: closed sets, ranges, units, as the contract tells them.

Nothing here is enforced: a log that says something else is read all the same. Tests hold what games write against it.
"""

from __future__ import annotations

from itertools import combinations
from typing import Annotated

from msgspec import Meta

from content.vocabulary.base import DECKS, FLOORS, TRAITS
from domain.facts.audience import MAX_SEATS


def one_of(text: str, *words: str) -> Meta:
    """A closed set of words."""
    return Meta(description=text, extra_json_schema={"enum": list(words)})


def ranging(text: str, least: int, most: int | None = None) -> Meta:
    """A number within bounds."""
    return Meta(description=text, extra_json_schema={"minimum": least} | ({} if most is None else {"maximum": most}))


def figure_or(text: str, word: str) -> Meta:
    """A seat or a name. `x-columns` says how a table whose columns have one type each holds it: one of two columns, the other is null.

    Args:
        text: what it is.
        word: what has the name; it ends the name of its column.
    """
    return Meta(description=text, extra_json_schema={"x-columns": {"seat": "integer", word: "string"}})


LAST_SEAT = MAX_SEATS - 1

# -- who --------------------------------------------------------------------------------------------------------------

Seat = Annotated[int, ranging("The explorer, by its seat: 0 to 5.", 0, LAST_SEAT)]
SeatOrReferee = Annotated[int, ranging("Who it was, by seat: 0 to 5; -1 is the referee.", -1, LAST_SEAT)]
SeatOrNobody = Annotated[int, ranging("A seat, 0 to 5; -1 for none.", -1, LAST_SEAT)]
SeatOrUnnamed = Annotated[
    int,
    ranging("The seat, 0 to 5; -2 for that of a hidden traitor, which nobody may name (2E-HID-003).", -2, LAST_SEAT),
]
Addressee = Annotated[
    int,
    ranging(
        "Who has to answer: a seat, 0 to 5; -1 is the moderator, -2 the hidden traitor, whom nobody may name.",
        -2,
        LAST_SEAT,
    ),
]
Side = Annotated[
    str,
    Meta(
        description="A side of the haunt; `seat:2` is an explorer who plays alone against everybody. Empty: none, or not told.",
        extra_json_schema={"pattern": "^(heroes|traitor|seat:[0-5])?$"},
    ),
]
Reader = Annotated[
    str,
    Meta(
        description="Who reads it: all, a side (`seat:2` is one explorer alone), or `you`, whoever a card or a deed tells it. Empty: the referee.",
        extra_json_schema={"pattern": "^(all|heroes|traitor|you|seat:[0-5])?$"},
    ),
]
Winner = Annotated[
    str,
    Meta(
        description="The side that won: `heroes`, `traitor`, `house`, or `seat:2` for an explorer who won alone. Empty: nobody.",
        extra_json_schema={"pattern": "^(heroes|traitor|house|seat:[0-5])?$"},
    ),
]
Book = Annotated[str, one_of("The book of which side.", "heroes", "traitor")]

MonsterKind = Annotated[str, Meta(description="The kind of monster, by its id in the haunt (`rat`).")]

# -- the house ---------------------------------------------------------------------------------------------------------

RoomId = Annotated[str, Meta(description="The room, by its id (`attic`).")]
TileId = Annotated[str, Meta(description="The tile, by its id (`attic`), which is that of its room.")]
TokenId = Annotated[str, Meta(description="The token, by its id (`secret-passage`).")]
Part = Annotated[
    int,
    ranging(
        "The part of a room that a barrier divides (2E-ROOM-004): 0 or 1, the place of its doors in `parts`; else 0.",
        0,
        1,
    ),
]
Floor = Annotated[str, one_of("The floor; the third edition says region.", *FLOORS)]
Across = Annotated[
    int,
    Meta(description="Cells east of the floor's landing (on the ground floor, the entrance hall), below 0 west of it."),
]
Along = Annotated[int, Meta(description="Cells north of the same, below 0 south of it.")]
Turns = Annotated[int, ranging("Quarter turns clockwise from the printed position.", 0, 3)]
Sides = Annotated[int, ranging("A mask of sides: 1 north, 2 east, 4 south, 8 west, added up.", 0, 15)]
Spaces = Annotated[int, ranging("Spaces of movement.", 0)]

# -- cards, dice, traits ------------------------------------------------------------------------------------------------

CardId = Annotated[str, Meta(description="The card, by its id (`axe`).")]
Face = Annotated[str, Meta(description="A card or tile, by its id.")]
Stack = Annotated[str, one_of("The stack: of tiles, or of a kind of cards.", "tiles", *DECKS)]
Back = Annotated[
    str,
    one_of(
        "The back of a tile: the floors that it fits on, joined by `+`.",
        *("+".join(floors) for size in range(1, len(FLOORS) + 1) for floors in combinations(FLOORS, size)),
    ),
]
BackOrUnknown = Annotated[
    str,
    one_of(
        "The back of a tile: the floors that it fits on, joined by `+`; empty where it is not known, and of cards.",
        "",
        *("+".join(floors) for size in range(1, len(FLOORS) + 1) for floors in combinations(FLOORS, size)),
    ),
]
Die = Annotated[int, ranging("What a die shows: 0, 1 or 2.", 0, 2)]
Result = Annotated[int, ranging("The result: all dice and points together, at least 0.", 0)]
Trait = Annotated[str, one_of("The trait.", *TRAITS)]
TraitOrNone = Annotated[str, one_of("The trait that is rolled; empty where a number of dice is named.", "", *TRAITS)]
Roll = Annotated[
    str,
    one_of(
        "What kind of roll it is. `dice` is a number of dice that a card or room names; `event-attack` is the attack that an event makes.",
        "trait",
        "dice",
        "attack",
        "event-attack",
        "defense",
        "damage",
        "haunt",
        "movement",
    ),
]
Clip = Annotated[int, ranging("The clip's position on its track: 0 is the skull, 8 the top.", 0, 8)]
Damage = Annotated[
    str, one_of("The kind of damage: which traits it may be taken from.", "physical", "mental", "general")
]
Cause = Annotated[
    str, one_of("Why it moves; empty in logs that did not say.", "", "gain", "lose", "damage", "heal", "set")
]
Limit = Annotated[
    str,
    one_of(
        "Until when it is used up: the end of this turn, the user's next turn, or the end of the game.",
        "turn",
        "own-turn",
        "game",
    ),
]
Source = Annotated[
    str,
    Meta(
        description="Where it comes from: `card:axe`, `tile:vault`, `token:closet`, `haunt:heroes`, "
        "or a procedure of the rulebook by its name (`attack`)."
    ),
]

# -- the game and its desk -----------------------------------------------------------------------------------------------

Seats = Annotated[int, ranging("How many seats the game has.", 1, MAX_SEATS)]
Chances = Annotated[
    str,
    one_of(
        "Who answers for chance: a seed, a prepared tape, the moderator, or the players with their own dice.",
        "seeded",
        "tape",
        "moderator",
        "table",
    ),
]
Status = Annotated[str, one_of("How the game stands.", "none", "open", "started", "finished", "abandoned")]
Over = Annotated[str, one_of("How it ended: played to its end, or closed before.", "finished", "abandoned")]
CoinFace = Annotated[str, one_of("What the coin shows.", "heads", "tails")]
Question = Annotated[
    str,
    one_of(
        "What kind of answer it asks for.",
        "choice",
        "reaction",
        "consent",
        "ready",
        "allocation",
        "selection",
        "chance",
    ),
]
DecisionId = Annotated[str, Meta(description="The decision, by its id (`d7`; `c7` for chance).")]
Commit = Annotated[int, ranging("The number of a commit.", 0)]
DisputeNumber = Annotated[int, ranging("The dispute, counted from 1 in its game.", 1)]
RulingNumber = Annotated[int, ranging("The proposal, counted from 1 in its game.", 1)]
EntryNumber = Annotated[int, ranging("The entry, counted from 1 in its game.", 1)]
Outcome = Annotated[
    str, one_of("What is ruled: what happened stands, is amended, or play goes back.", "stands", "amend", "rewind")
]
Closing = Annotated[
    str,
    one_of(
        "How it was closed: by a ruling (`stands`, `amend`, `rewind`), by whoever opened it, or by its deadline.",
        "stands",
        "amend",
        "rewind",
        "withdrawn",
        "lapsed",
    ),
]
ClosingOrOpen = Annotated[
    str,
    one_of(
        "How it was closed: by a ruling, by whoever opened it, by its deadline, or by the game's end; empty while it is open.",
        "",
        "stands",
        "amend",
        "rewind",
        "withdrawn",
        "lapsed",
        "over",
    ),
]
RuleId = Annotated[str, Meta(description="A rule of the ledger, by its id (`2E-MOVE-003`).")]
Digest = Annotated[
    str, Meta(description="Salted SHA-256 of a text that lies beside the log, so that it can be erased: 64 digits.")
]
