"""What the verbs of the house take: move, shift, move-tile, place-token, remove-token."""

from __future__ import annotations

from typing import Literal

from content.vocabulary.base import Floor, Word
from content.vocabulary.values import Place, Value


class Move(Word, frozen=True, kw_only=True):
    """Put `you` somewhere, without cost (2E-MOVE-004 does not bar it). Example: `{to: entrance-hall}`, `{to: {on: [upper]}}`."""

    to: Place
    chooser: Literal["you", "actor"] = "you"
    """Who chooses among several rooms: the one who is moved, or the one who acts or has drawn the card."""


class Shift(Word, frozen=True, kw_only=True):
    """Monsters or heroes come one space nearer to `you` along a shortest way. Example: `{monsters: any}`, `{heroes: any}`.

    Of monsters `any` means that their controller says which of them come, of heroes that `you` say so; `each`: all must.
    """

    monsters: Literal["any", "each"] | None = None
    """Monsters that are not stunned."""
    heroes: Literal["any", "each"] | None = None
    """Heroes who could leave their room freely: nothing holds them back, and no opponent is with them."""


class MoveTile(Word, frozen=True, kw_only=True):
    """Move a tile, occupants and all, to another free doorway. Example: `{floor: upper}`, `{tile: here, floor: own-first}`.

    A room that is in the house from the start never moves.
    """

    tile: Literal["speaker", "here"] = "speaker"
    """The tile of this text (2E-ROOM-028), or the one on which `you` are; the latter must move if it can."""
    floor: Floor | Literal["any", "own-first"]
    """To this floor; `own-first`: to its own, or, without a free doorway there, to another for which it is made."""


class Token(Word, frozen=True, kw_only=True):
    """A token and a place. Example: `{token: seal, at: here}`."""

    token: str
    at: Place = "here"
    count: Value = 1
    """How many."""


class RemoveToken(Word, frozen=True, kw_only=True):
    """Take tokens of this name away. Example: `{token: safe}`."""

    token: str
    at: Place | None = None
    """Default: here; `everywhere` with `all`."""
    all: bool = False
    """All of them, wherever they lie."""
