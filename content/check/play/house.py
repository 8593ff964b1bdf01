"""Rooms and floors: what a selection of rooms can ever find, and rooms that need not lie in the house yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from content.check.sense.lists import conditions_around
from content.errors import Finding, Trail, listed
from content.survey import Spot, Survey
from content.vocabulary.effects import (
    ChooseSecret,
    EachRoom,
    Effect,
    LoseCard,
    Move,
    PlaceMonster,
    PlaceTile,
    RemoveToken,
    Token,
)
from content.vocabulary.pack import Action, Haunt, Seek, Tile, Trigger
from content.vocabulary.values import Condition, Each, Place, Rooms, SecretIs


def fitting(rooms: Rooms, tiles: Iterable[Tile]) -> list[Tile]:
    """Return the tiles that a selection can find, as far as what is printed on them tells."""
    return [
        tile
        for tile in tiles
        if (rooms.one_of is None or tile.id in rooms.one_of)
        and (rooms.on is None or set(rooms.on) & set(tile.floors))
        and (rooms.symbol is None or rooms.symbol in tile.symbols)
        and (rooms.outside is None or rooms.outside == tile.outside)
        and (rooms.window is None or rooms.window == bool(tile.windows))
    ]


def selections(survey: Survey) -> Iterator[Finding]:
    """A selection of rooms finds some: the pack has a tile for it, and each that it names fits what it asks besides."""
    tiles = {spot.value.id: spot.value for spot in survey.of(Tile)}
    for spot in survey.of(Rooms):
        rooms = spot.value
        if not set(rooms.one_of or ()) <= tiles.keys():
            continue  # told elsewhere
        found = {tile.id for tile in fitting(rooms, tiles.values())}
        if not found and rooms.one_of is None and not rooms.or_here:
            yield Finding(spot.trail, "no tile of the pack is such a room")
        for index, name in enumerate(rooms.one_of or ()):
            if name not in found:
                yield Finding(spot.at("one-of", index), f"`{name}` is no such room: {_printed(tiles[name], rooms)}")
    for seek in survey.of(Seek):
        symbol = seek.value.symbol
        if symbol is not None and not any(symbol in tile.symbols for tile in tiles.values()):
            yield Finding(seek.at("symbol"), f"no tile of the pack bears the symbol `{symbol}`")


def floors(survey: Survey) -> Iterator[Finding]:
    """Who is in a room is on a floor where it can lie: `in` and `on` can both be so."""
    tiles = {spot.value.id: spot.value for spot in survey.of(Tile)}
    for spot in survey.of(Condition):
        if spot.above is None or not isinstance(spot.above.value, Condition) or "all" not in spot.trail[-2:]:
            parts = list(_conjuncts(spot))
            yield from _off_floor([(one.trail, one.value.in_, one.value.on) for one in parts], tiles)
    for each in survey.of(Each):
        yield from _off_floor([(each.trail, each.value.in_, list(each.value.on or ()) or None)], tiles)


def _off_floor(
    parts: list[tuple[Trail, Place | None, Any]],
    tiles: dict[str, Tile],
) -> Iterator[Finding]:
    for trail, place, _ in parts:
        lies = _floors(place, tiles)
        for other, _, floors in parts:
            if lies and floors is not None and not lies & set(floors):
                hint = f"write {listed(sorted(lies))}"
                where = f"`{place}`" if isinstance(place, str) else "such a room"
                yield Finding((*other, "on"), f"{where} never lies there", hint, key=trail != other)


def _floors(place: Place | None, tiles: dict[str, Tile]) -> set[str]:
    """Return the floors on which a place can be, none where that can't be told."""
    if isinstance(place, str):
        return set(tiles[place].floors) if place in tiles else set()
    if place is None:
        return set()
    floors: set[str] = {floor for tile in fitting(place, tiles.values()) for floor in tile.floors}
    return floors & set(place.on) if place.on is not None else floors


def _conjuncts(spot: Spot[Condition]) -> Iterator[Spot[Condition]]:
    yield spot
    for index, part in enumerate(spot.value.all or ()):
        yield from _conjuncts(Spot(spot.at("all", index), part, spot))


def _printed(tile: Tile, rooms: Rooms) -> str:
    """Say what of a tile doesn't fit."""
    if rooms.on is not None and not set(rooms.on) & set(tile.floors):
        return f"it lies on {listed(tile.floors)} only"
    if rooms.symbol is not None and rooms.symbol not in tile.symbols:
        return f"its symbols are {listed(tile.symbols)}" if tile.symbols else "it bears no symbol"
    if rooms.outside is not None and rooms.outside != tile.outside:
        return "it lies outside" if tile.outside else "it lies inside"
    return "it has a window" if tile.windows else "it has no window"


GOING = ((Token, "at"), (PlaceMonster, "at"), (Move, "to"), (RemoveToken, "at"), (LoseCard, "at"))
"""What happens in a place, and nowhere if there is none such."""


def undiscovered(survey: Survey) -> Iterator[Finding]:
    """Where a haunt puts something there is a room: one that lies in the house from the start, was placed, or was asked for."""
    begun = {spot.value.id for spot in survey.of(Tile) if spot.value.start is not None}
    tiles = {spot.value.id for spot in survey.of(Tile)}
    placed = {(spot.trail[:2], spot.value.tile) for spot in survey.of(PlaceTile)}
    for kind, field in GOING:
        for spot in survey.of(kind):
            if spot.inside(Haunt) is None:
                continue
            place = getattr(spot.value, field)
            names = [place] if isinstance(place, str) else list(place.one_of or ()) if place is not None else []
            sought = [name for name in names if name in tiles]
            sure = {name for name in sought if name in begun or (spot.trail[:2], name) in placed}
            if sought and not sure and not set(sought) & _asked_for(spot):
                rooms = listed(sought)
                message = f"{rooms} need not lie in the house: nothing happens then"
                hint = f"place it first (`place-tile: {{tile: {sought[0]}}}`), or ask `if: {{in-house: {sought[0]}}}`"
                yield Finding(spot.at(field), message, hint, severity="warning")


def absent(survey: Survey) -> Iterator[Finding]:
    """Nothing is put into a room where the room is not in the house, unless it is placed first."""
    branches = {(spot.trail[:-2], spot.value.tile) for spot in survey.of(PlaceTile)}
    for kind, field in GOING:
        for spot in survey.of(kind):
            place = getattr(spot.value, field)
            for one in conditions_around(spot) if isinstance(place, str) else ():
                if one.field != "in_house" or one.value != place or one.holds:
                    continue
                if (spot.trail[:-2], place) not in branches:
                    message = f"this is done only where `{place}` is not in the house"
                    yield Finding(spot.at(field), message, f"ask `in-house: {place}`", severity="warning")


def there(survey: Survey) -> Iterator[Finding]:
    """What is put somewhere for each of some rooms is put there, not into one place again and again."""
    meant = [trail for _, trail, text in survey.strings(Place) if text == "that-room"]
    for spot in survey.of(EachRoom):
        inside = [one for one in survey.of(Effect) if one.trail[: len(spot.trail)] == spot.trail]
        goes = any(
            one.value.place_token or one.value.remove_token or one.value.place_monster or one.value.move
            for one in inside
        )
        named = any(trail[: len(spot.trail)] == spot.trail for trail in meant)
        if goes and not named and all(one.value.run is None for one in inside):
            message = "these steps never say `that-room`: each is done in the same place for every room"
            yield Finding(spot.at("do"), message, "write `at: that-room`", key=True, severity="warning")


def placed_again(survey: Survey) -> Iterator[Finding]:
    """A tile is placed where it does not lie in the house yet."""
    for spot in survey.of(PlaceTile):
        tile = spot.value.tile
        above: Spot[Any] | None = spot.above
        while tile is not None and above is not None:
            asks = above.value.if_ if isinstance(above.value, Effect | Action | Trigger) else None
            parts = _conjuncts(Spot(above.at("if"), asks)) if asks is not None else []
            for part in parts:
                if part.value.in_house == tile:
                    message = f"then `{tile}` lies in the house, and can't be placed"
                    yield Finding(part.at("in-house"), message, f"write `not: {{in-house: {tile}}}`", key=True)
            above = above.above


def secrets(survey: Survey) -> Iterator[Finding]:
    """A room that is secret is looked for where it can be."""
    tiles = {spot.value.id: spot.value for spot in survey.of(Tile)}
    chosen = {(spot.trail[:2], spot.value.name): spot.value.rooms for spot in survey.of(ChooseSecret)}
    for spot in survey.of(SecretIs):
        rooms = chosen.get((spot.trail[:2], spot.value.name))
        if rooms is None:
            continue
        found = {tile.id for tile in fitting(rooms, tiles.values())}
        action, here = spot.inside(Action), spot.value.is_
        if here != "here" and here in tiles and here not in found:
            yield Finding(spot.at("is"), f"the secret is never `{here}`: {_printed(tiles[here], rooms)}")
        elif here == "here" and action is not None:
            asks = (
                [part.value.in_ for part in _conjuncts(Spot((), action.value.if_))]
                if action.value.if_ is not None
                else []
            )
            where = [{tile.id for tile in fitting(one, tiles.values())} for one in asks if isinstance(one, Rooms)]
            if any(not found & one for one in where):
                message = "this is done in no room that can be the secret"
                yield Finding(spot.at("is"), message, "let `rooms` and `in` ask for the same rooms")


def _asked_for(spot: Spot[Any]) -> set[str]:
    """Return the rooms that lie in the house where this is done: because it was asked, or somebody is there."""
    found: set[str] = set()
    above: Spot[Any] | None = spot
    while above is not None:
        if isinstance(above.value, Effect | Action | Trigger) and above.value.if_ is not None:
            for part in _conjuncts(Spot((), above.value.if_)):
                found |= {part.value.in_house or "", *(part.value.any_in_house or ())}
                found |= {part.value.in_} if isinstance(part.value.in_, str) else set()
        above = above.above
    return found
