"""Hints: a side is sent only where it has something to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.form.amounts import by_players
from content.check.play.possible import atoms_of
from content.check.sense.lists import asked_in, conjuncts
from content.errors import Finding, Trail, listed
from content.survey import Spot, Survey, naming, strings, walk
from content.vocabulary.effects import PlaceTile
from content.vocabulary.pack import Action, Book, Haunt, Seek, Tile, TokenKind
from content.vocabulary.values import Condition, Count, Each, Place, Rooms

_ANY = 1000
"""More than any counter comes to."""


def needed(survey: Survey) -> Iterator[Finding]:
    """What a hint leads to, an action, a goal or a rule of that side needs."""
    works = {spot.value.id for spot in survey.of(TokenKind) if _has_rules(spot.value)}
    known: dict[Trail, _Uses] = {}
    for spot in survey.of(Seek):
        book, haunt = spot.inside(Book), spot.inside(Haunt)
        if book is None or haunt is None:
            continue
        if book.trail not in known:
            known[book.trail] = _Uses(book, haunt, survey)
        seek, uses = spot.value, known[book.trail]
        for field, name, used in _rooms(seek.rooms, uses, works):
            if name is not None and name not in used:
                message = f"nothing that this side does needs `{field}: {name}`"
                hint = "name what its actions and its goal ask for"
                yield Finding(spot.at("rooms", field), message, hint, severity="warning")
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


def _rooms(rooms: Rooms | None, uses: _Uses, works: set[str]) -> list[tuple[str, str | None, set[str]]]:
    """Return what a selection of rooms names, each with what of that kind is used."""
    if rooms is None:
        return []
    tokens = uses.tokens | works
    return [
        ("with-token", rooms.with_token, tokens),
        ("without-token", rooms.without_token, tokens),
        ("next-to-token", rooms.next_to_token, tokens),
        ("symbol", rooms.symbol, uses.symbols),
    ]


def open_then(survey: Survey) -> Iterator[Finding]:
    """Where a hint leads under a condition, something can be done under that condition."""
    for spot in survey.of(Seek):
        book, asks = spot.inside(Book), spot.value.if_
        place = ("token", spot.value.token, True) if spot.value.token is not None else ("in_", spot.value.room, True)
        if book is None or asks is None or place[1] is None:
            continue
        deeds = [action for action in survey.of(Action) if action.trail[: len(book.trail)] == book.trail]
        there = [
            atoms
            for action in deeds
            if action.value.if_ is not None and place in (atoms := _asked(Spot(action.at("if"), action.value.if_)))
        ]
        wanted = _asked(Spot(spot.at("if"), asks))
        if there and all(_clash(wanted, atoms) for atoms in there):
            where = "in the room" if place[0] == "in_" else "at the token"
            message = f"where this holds, nothing can be done {where} `{place[1]}`"
            yield Finding(spot.at("if"), message, "ask for what its action asks for", key=True, severity="warning")


def barred_there(survey: Survey) -> Iterator[Finding]:
    """What a hint leads to does not bar all that this side could do there."""
    for spot in survey.of(Seek):
        book, token = spot.inside(Book), spot.value.token
        if book is None or token is None or spot.value.for_ != "explorers":
            continue
        asked = [
            one.holds
            for action in survey.of(Action)
            if action.trail[: len(book.trail)] == book.trail
            for one in asked_in(action.value.if_)
            if one.field in {"token", "token_in_house"} and one.value == token
        ]
        if asked and not any(asked):
            message = f"all that this side does goes on where there is no `{token}`"
            yield Finding(spot.at("token"), message, "lead to where something can be done", severity="warning")


def used_there(survey: Survey) -> Iterator[Finding]:
    """Whoever is sent somewhere with an item can use the item there."""
    for spot in survey.of(Seek):
        book, haunt, seek = spot.inside(Book), spot.inside(Haunt), spot.value
        if book is None or haunt is None or seek.if_ is None or seek.if_.carrying is None:
            continue
        item = seek.if_.carrying
        uses = [
            action.value
            for action in survey.of(Action)
            if action.trail[: len(book.trail)] == book.trail
            and any(one.holds and (one.field, one.value) == ("carrying", item) for one in asked_in(action.value.if_))
        ]
        if uses and not any(_goes_with(seek, action, book) for action in uses):
            message = f"nothing can be done with `{item}` where this leads"
            yield Finding(spot.trail, message, "lead to where its action can be done", severity="warning")


def counted_there(survey: Survey) -> Iterator[Finding]:
    """A hint that asks for a counter leads there while something can be done with the counter as it is."""
    for spot in survey.of(Seek):
        book, seek = spot.inside(Book), spot.value
        if book is None or seek.if_ is None:
            continue
        actions = [one.value for one in survey.of(Action) if one.trail[: len(book.trail)] == book.trail]
        there = [_spans(action.if_) for action in actions if action.for_ == seek.for_ and _is_at(seek, action)]
        asked = _spans(seek.if_)
        if there and all(_apart(asked, spans) for spans in there):
            message = "where this holds, what this leads to cannot be done: the counter is too high or too low"
            yield Finding(spot.at("if"), message, "ask for what its action asks for", key=True, severity="warning")


def carried_there(survey: Survey) -> Iterator[Finding]:
    """Whoever carries one of several items is sent where one of them is used, not where the hands have to be free."""
    for spot in survey.of(Seek):
        book, seek = spot.inside(Book), spot.value
        if book is None or seek.if_ is None or (seek.token is None and seek.room is None):
            continue
        items = {part.carrying for part in seek.if_.any or () if part.carrying is not None}
        actions = [one.value for one in survey.of(Action) if one.trail[: len(book.trail)] == book.trail]
        needing = [action for action in actions if items & _names(action, holds=True) and _has_place(action)]
        there = [action for action in actions if _is_at(seek, action)]
        if needing and not any(action in needing or not items & _names(action, holds=False) for action in there):
            message = f"nothing can be done with {listed(sorted(items))} where this leads"
            yield Finding(spot.trail, message, "lead to where their action can be done", severity="warning")


def _names(action: Action, *, holds: bool) -> set[object]:
    """The items that an action asks for, or excludes."""
    fields = {"carrying", "in_play", "held"}
    return {one.value for one in asked_in(action.if_) if one.field in fields and one.holds == holds}


def _has_place(action: Action) -> bool:
    return any(one.field in {"token", "in_", "on"} and one.holds for one in asked_in(action.if_))


def _is_at(seek: Seek, action: Action) -> bool:
    """Tell whether an action asks for the token, the room or the symbol to which a hint leads."""
    for one in asked_in(action.if_):
        if one.holds and (
            (one.field == "token" and one.value == seek.token is not None)
            or (one.field == "in_" and one.value == seek.room is not None)
            or (isinstance(one.value, Rooms) and one.value.symbol == seek.symbol is not None)
        ):
            return True
    return False


def _spans(condition: Condition | None) -> dict[str, tuple[int, int]]:
    """By counter: from where to where it has to be, with the number of players where that is widest."""
    spans: dict[str, tuple[int, int]] = {}
    for part in conjuncts(condition):
        if part.counter is not None and (part.at_least is not None or part.at_most is not None):
            least, most = by_players(part.at_least), by_players(part.at_most)
            spans[part.counter] = (min(least.values()) if least else 0, max(most.values()) if most else _ANY)
    return spans


def _apart(one: dict[str, tuple[int, int]], other: dict[str, tuple[int, int]]) -> bool:
    shared = one.keys() & other.keys()
    return any(one[name][1] < other[name][0] or other[name][1] < one[name][0] for name in shared)


def _goes_with(seek: Seek, action: Action, book: Spot[Book]) -> bool:
    """Tell whether an action can be done where a hint leads, as far as its condition and its target say."""
    asked = [one for one in asked_in(action.if_) if one.holds]
    tokens = {one.value for one in asked if one.field == "token"}
    rooms = {one.value for one in asked if one.field == "in_" and isinstance(one.value, str)}
    if seek.token is not None:
        return seek.token in tokens or not tokens
    if seek.room is not None:
        return seek.room in rooms or not rooms
    if seek.foes and isinstance(action.target, Each):
        return action.target.each != ("hero" if book.trail[-1] == "heroes" else "traitor")
    return True


def _asked(spot: Spot[Condition]) -> set[tuple[str, str, bool]]:
    return {(atom.field, str(atom.value), atom.holds) for atom in atoms_of(spot)}


def _clash(one: set[tuple[str, str, bool]], other: set[tuple[str, str, bool]]) -> bool:
    return any((field, value, not holds) in other for field, value, holds in one)


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
            for spot in survey.inside(haunt, kind):
                if self._counts(spot.trail, other):
                    self._note(spot.value)
        for holder in walk(haunt):
            for trail, text in strings(holder, naming(Place)):
                if self._counts(trail, other):
                    self._name(text)

    @staticmethod
    def _counts(trail: Trail, other: Trail) -> bool:
        return "seek" not in trail and (trail[:3] != other or "actions" not in trail)

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
                    (self.tokens, [value.with_token, value.without_token, value.next_to_token]),
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
