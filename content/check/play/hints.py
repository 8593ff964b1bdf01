"""Hints: a side is sent only where it has something to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.errors import Finding, Trail
from content.survey import Spot, Survey
from content.vocabulary.effects import PlaceTile
from content.vocabulary.pack import Book, Haunt, Seek, Tile, TokenKind
from content.vocabulary.values import Condition, Count, Place, Rooms


def needed(survey: Survey) -> Iterator[Finding]:
    """What a hint leads to, an action, a goal or a rule of that side needs."""
    works = {spot.value.id for spot in survey.of(TokenKind) if _has_rules(spot.value)}
    for spot in survey.of(Seek):
        book, haunt = spot.inside(Book), spot.inside(Haunt)
        if book is None or haunt is None:
            continue
        seek, uses = spot.value, _Uses(book, haunt, survey)
        said: list[tuple[str, str | None, set[str]]] = [
            ("token", seek.token, uses.tokens | works),
            ("room", seek.room, uses.rooms),
            ("symbol", seek.symbol, uses.symbols),
            ("floor", seek.floor, uses.floors),
            ("without-token", seek.without_token, uses.tokens | works),
        ]
        for field, name, used in said:
            if name is not None and name not in used:
                message = f"nothing that this side does needs the {field.removeprefix('without-')} `{name}`"
                hint = "name what its actions and its goal ask for"
                yield Finding(spot.at(field), message, hint, severity="warning")


def _has_rules(token: TokenKind) -> bool:
    return bool(token.on or token.actions or token.always or token.links or token.links_alike)


class _Uses:
    """What a side's own words ask for, what both share, and what the other side wins by."""

    def __init__(self, book: Spot[Book], haunt: Spot[Haunt], survey: Survey) -> None:
        self.tokens: set[str] = set()
        self.rooms: set[str] = set()
        self.symbols: set[str] = set()
        self.floors: set[str] = set()
        self._tiles = {spot.value.id for spot in survey.of(Tile)}
        other = haunt.at("traitor-book" if book.trail[-1] == "heroes" else "heroes")
        for kind in (Condition, Rooms, Count, PlaceTile):
            for spot in survey.of(kind):
                if self._counts(spot.trail, haunt, other):
                    self._note(spot.value)
        for holder, trail, text in survey.strings(Place):
            if self._counts(trail, haunt, other) and holder.trail[:2] == haunt.trail:
                self._name(text)

    @staticmethod
    def _counts(trail: Trail, haunt: Spot[Haunt], other: Trail) -> bool:
        if trail[:2] != haunt.trail or "seek" in trail:
            return False
        return trail[:3] != other or "actions" not in trail

    def _note(self, value: Any) -> None:  # noqa: ANN401 - one of several Structs
        found: list[tuple[set[str], list[str | None]]] = []
        match value:
            case Condition():
                found = [
                    (self.tokens, [value.token, value.token_in_house]),
                    (self.rooms, [value.in_house, value.came_from, *(value.any_in_house or ())]),
                    (self.floors, [*(value.on or ())]),
                ]
            case Rooms():
                found = [
                    (self.tokens, [value.with_token, value.without_token]),
                    (self.rooms, [*(value.one_of or ())]),
                    (self.symbols, [value.symbol]),
                    (self.floors, [*(value.on or ())]),
                ]
            case Count():
                found = [(self.tokens, [value.tokens])]
            case PlaceTile():
                found = [(self.rooms, [value.tile])]
        for names, more in found:
            names.update(name for name in more if name is not None)

    def _name(self, place: str) -> None:
        if place in self._tiles:
            self.rooms.add(place)
        elif place.startswith("token:"):
            self.tokens.add(place.removeprefix("token:"))
