"""Sentences for the house and for those who move in it."""

from __future__ import annotations

from domain.facts.events import (
    Moved,
    MovementSpent,
    Stopped,
    TileMoved,
    TilePlaced,
    TileRemoved,
    TokenPlaced,
    TokenRemoved,
    WayClosed,
    WayOpened,
)
from projections.naming.names import counted
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences

FLOORS = {"basement": "in the basement", "ground": "on the ground floor", "upper": "on the upper floor"}


def _placed(a: Asking, e: TilePlaced) -> str:
    return f"{a.names.the_room(e.tile)} is placed {FLOORS.get(e.floor, e.floor)}."


def _tile_moved(a: Asking, e: TileMoved) -> str:
    return f"{a.names.the_room(e.tile)} moves to another place, {FLOORS.get(e.floor, e.floor)}."


def _tile_removed(a: Asking, e: TileRemoved) -> str:
    return f"{a.names.the_room(e.tile)} leaves the house."


def _way_opened(a: Asking, e: WayOpened) -> str:
    here, there = a.names.the_room(e.room), a.names.the_room(e.to)
    between = f"between {here} and {there}" if e.both_ways else f"from {here} to {there}"
    only = ", for monsters only" if e.monsters_only else ", for explorers only" if e.explorers_only else ""
    return f"A way opens {between}{only}."


def _way_closed(a: Asking, e: WayClosed) -> str:
    return f"{a.names.source(e.by)} no longer leads from {a.names.the_room(e.room)}."


def _moved(a: Asking, e: Moved) -> str:
    verb = "goes to" if e.spent else "is now in"
    return f"{a.names.figure(e.figure)} {verb} {a.names.the_room(e.room)}{a.beside(e.room, e.part)}."


def _movement_spent(a: Asking, e: MovementSpent) -> str:
    return f"{a.names.figure(e.seat)} spends {counted(e.spaces, 'space')} of movement on it."


def _stopped(a: Asking, e: Stopped) -> str:
    return f"{a.names.figure(e.figure)} cannot move any further this turn."


def _token_placed(a: Asking, e: TokenPlaced) -> str:
    opened = ", which is now open" if e.opens else ""
    return f"{_tokens(a, e.token, e.count)} put in {a.names.the_room(e.room)}{opened}."


def _token_removed(a: Asking, e: TokenRemoved) -> str:
    return f"{_tokens(a, e.token, e.count)} taken from {a.names.the_room(e.room)}."


def _tokens(a: Asking, token: str, count: int) -> str:
    title = a.names.token(token)
    return f"The {title} token is" if count == 1 else f"{count} {title} tokens are"


SENTENCES: Sentences = {
    TilePlaced: _placed,
    TileMoved: _tile_moved,
    TileRemoved: _tile_removed,
    WayOpened: _way_opened,
    WayClosed: _way_closed,
    Moved: _moved,
    MovementSpent: _movement_spent,
    Stopped: _stopped,
    TokenPlaced: _token_placed,
    TokenRemoved: _token_removed,
}
