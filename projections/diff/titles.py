"""Titles for what two views of one role mention; the later view's count first."""

from __future__ import annotations

from domain.facts.ids import split_id
from projections.diff.things import Members
from projections.naming.names import readable
from projections.view.game import GameView
from projections.wording.words.english import the


class Titles:
    """Looks titles up in two views."""

    def __init__(self, before: GameView, after: GameView) -> None:
        views = (before, after)
        self._rooms = {room.id: room.title for view in views for room in view.rooms}
        self._figures = {f"seat:{one.seat}": one.title for view in views for one in view.explorers}
        self._figures |= {f"monster:{one.id}": one.title for view in views for one in view.monsters}
        self._cards = {
            name: title for view in views for deck in view.decks.values() for name, title in deck.titles.items()
        }
        self._cards |= {name: card.title for view in views for name, card in view.cards.items()}
        self.new = {room.id for room in after.rooms} - {room.id for room in before.rooms}
        """Rooms that only the later view has."""
        self.turn = after.turn

    def room(self, room: str) -> str:
        """A room."""
        return self._rooms.get(room, readable(room)) if room else "an unknown room"

    def the_room(self, room: str) -> str:
        """A room within a sentence."""
        return the(self.room(room)) if room else self.room(room)

    def place(self, members: Members) -> str:
        """The room that something is in."""
        return self.room(members["room"])

    def card(self, card: str) -> str:
        """A card."""
        return self._cards.get(card, readable(card))

    def seat(self, seat: int | None) -> str:
        """The explorer of a seat."""
        return "nobody" if seat is None else self._figures.get(f"seat:{seat}", f"seat {seat}")

    def where(self, card: Members) -> str:
        """Where a card is."""
        kind, name = split_id(card["where"])
        if kind in ("seat", "monster"):
            return f"with {self._figures.get(card['where'], readable(name))}"
        if kind == "discard":
            return "discarded"
        return f"{'on the floor' if kind == 'floor' else 'waiting'} in {self.the_room(name)}"
