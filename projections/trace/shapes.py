"""What a trace is made of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from content.patterns import whole
from projections.shapes import Id, Name, Number, Seat, Shape, Text, Title

Time = Annotated[str, Meta(max_length=30)]
"""ISO 8601 in UTC."""
Box = Annotated[str, Meta(max_length=160)]
"""A box of content by its stable id: `card/rotten#do`; without `#`, the piece as a whole."""
Kind = Annotated[str, Meta(extra_json_schema={"enum": ["chance", "fact", "question", "note"]})]
"""`chance`: something was rolled or drawn; `question`: somebody is asked; `note`: bookkeeping that other lines cover."""
RuleId = Annotated[str, Meta(max_length=40, pattern=whole("^[A-Z0-9]{2,4}-[A-Z0-9]+-[0-9]{3}$"))]
EventType = Annotated[str, Meta(max_length=40, pattern=whole("^[A-Z][A-Za-z0-9.]*$"))]
InForceKind = Annotated[str, Meta(extra_json_schema={"enum": ["alternative", "house", "table", "precedent"]})]


class RuleTold(Shape, frozen=True):
    """A rule of the ledger."""

    id: RuleId
    title: Title
    text: Text


class Happened(Shape, frozen=True, kw_only=True):
    """One event, in words."""

    type: EventType
    """Its type in the event stream: `DiceRolled`."""
    kind: Kind
    words: Text
    rule: Name
    """The rule by which it happened; empty for the service's own bookkeeping."""
    box: Box
    """The card, tile, token or haunt box that applied, if the role knows it; empty if it was a rule."""
    at: Name
    """The step within the box, by its path: `.0.2-4.0`. For the referee alone."""
    told: Name = ""
    """Who was told, in words: `everybody`, `seat 1 and the referee`. For the referee alone, who asks for it; otherwise empty."""


class Spoke(Shape, frozen=True, kw_only=True):
    """A box of a card, a tile, a token or the haunt that applied."""

    box: Box
    title: Title
    text: Text
    """What people read on it; empty where it has no text, and for a haunt, whose books are read apart."""
    rules: list[Text]
    """What the box says, in words, by the table's rulings and in this game's numbers; nothing of a book that the role has not read."""
    steps: list[Name]
    """For the referee: the paths of the steps that were done, in this order."""


class TraceChange(Shape, frozen=True, kw_only=True):
    """A number or place that the commit changed."""

    what: Title
    """`Ox Bellows: Might`."""
    before: Text
    after: Text


class Legal(Shape, frozen=True, kw_only=True):
    """What could have been done instead."""

    seat: Seat | None
    """Whose commands they are; null: the moderator's answers."""
    text: Text
    """What was asked."""
    count: Number
    labels: list[Title]
    """As `decisions` gave them at that moment; at most 64 of `count`."""


class InForce(Shape, frozen=True, kw_only=True):
    """A ruling of this game."""

    kind: InForceKind
    """`alternative`: chosen for a piece of content at the opening, and followed by the engine; `house`: agreed at the opening about a
    rule; `table`: agreed in play; `precedent`: a ruling on a dispute."""
    about: Name
    """The piece (`tile:chasm`), the rule, or the ruling's number."""
    title: Title
    """The same in words: `Chasm`, `dispute 2, about 2E-MOVE-006 (…)`."""
    text: Text


class Attempt(Shape, frozen=True, kw_only=True):
    """An attempt that was refused."""

    at: Time
    by: Id
    """`seat:1`, `referee`, `co-referee`; `auto` for a standing order."""
    did: Text
    """What was attempted, in words."""
    command: object
    """As it came; null if it was too long to keep."""
    problem: Id
    """The code of the problem that answered it."""
    because: Text
    rule: RuleTold | None
    """The rule that forbids it; null if no rule of the rulebooks applies, and `problem` and `because` say why."""


class TraceStep(Shape, frozen=True, kw_only=True):
    """One commit."""

    number: Number
    turn: Number
    """The turn in which it was done: the one that had begun last, also while the next is still to begin; 0 before the first. The step
    that ends a turn is of that turn, and tells what happens as the next one begins."""
    round: Number
    """Likewise the round of the haunt; 0 until the haunt's first turn has begun."""
    at: Time
    by: Name
    """`host`, `seat:1`, `moderator`, `auto`, `clock`."""
    who: Title
    """In words: `Ox Bellows (seat 0)`, with players' names `Ox Bellows (seat 0, Ann)`."""
    did: Text
    """What was done, in words; empty if the role was not told: then `happened` says what came of it."""
    command: object
    """As it was posted; null if the role was not told."""
    waiting: list[Text]
    """What the game was waiting for just before."""
    legal: Legal | None
    """What else could have been done: by the role itself or, for the referee, by everybody. Null where it was left out."""
    happened: list[Happened]
    changes: list[TraceChange]
    spoke: list[Spoke]
    rules: list[RuleTold]
    """The rules that applied, in order."""
    rulings: list[InForce]
    """Rulings of this game that applied."""
    refused: list[Attempt]
    """What was refused between this commit and the next. A seat sees its own attempts, the referee sees all, others see none."""


class Player(Shape, frozen=True):
    """Who plays a seat."""

    name: str
    since: int = 0
    """The commit by which the player took the seat, where that was after the start."""

    def named(self, number: int) -> str:
        """The name as of a commit; empty where somebody else played the seat then."""
        return self.name if self.since <= number else ""


class TracePage(Shape, frozen=True, kw_only=True):
    """A page of a trace."""

    game: Id
    role: Id
    """Through whose eyes: `seat:1`, `spectators`, `referee`."""
    first: Number
    """The first commit of the span that was asked for."""
    last: Number
    """The last one."""
    rulings: list[InForce]
    """Rulings that were in force before the page's first commit, as far as the role knew."""
    steps: list[TraceStep]
    next: Number | None
    """The cursor for the next page, to be sent as `after`; null at the end of the span."""
    version: Number
    """The latest commit that the caller may see."""
