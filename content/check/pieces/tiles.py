"""Tiles: doors, windows and barriers of each, and how those that lie in the house from the start fit together."""

from collections.abc import Iterator, Mapping, Sequence

from content.check.written import written_for
from content.errors import Finding, listed
from content.survey import Spot, Survey
from content.vocabulary.base import Compass
from content.vocabulary.effects import PlaceTile, RemoveTile
from content.vocabulary.pack import Barrier, Haunt, Link, Standing, Start, Tile, TokenKind, Trigger

STEP: dict[Compass, tuple[int, int]] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""What one tile's width in a direction adds to x and y."""

OPPOSITE: dict[Compass, Compass] = {"north": "south", "east": "west", "south": "north", "west": "east"}


def floors(survey: Survey) -> Iterator[Finding]:
    """A tile has a floor to lie on, and names nothing twice; at the start it lies on one of its floors."""
    for spot in survey.of(Tile):
        tile = spot.value
        if not tile.floors:
            yield Finding(spot.at("floors"), "the tile has no floor to lie on")
        if tile.start is not None and tile.start.floor not in tile.floors:
            yield Finding(spot.at("start", "floor"), f"the tile is not for the floor `{tile.start.floor}`")
        lists: list[tuple[tuple[str, ...], Sequence[str]]] = [
            (("floors",), tile.floors),
            (("doors",), tile.doors),
            (("windows",), tile.windows),
            *((("doors-by-ruling", ruling), doors) for ruling, doors in tile.doors_by_ruling.items()),
        ]
        for field, names in lists:
            for index, name in enumerate(names):
                if name in names[:index]:
                    yield Finding(spot.at(*field, index), f"`{name}` is given twice")
        for ruling, doors in tile.doors_by_ruling.items():
            if sorted(doors) == sorted(tile.doors):
                yield Finding(spot.at("doors-by-ruling", ruling), f"these are the doors without `{ruling}` too")


def sides(survey: Survey) -> Iterator[Finding]:
    """A side of a tile is one thing: door, window, passage or front door; and there is a way in."""
    for spot in survey.of(Tile):
        taken: dict[str, str] = {}
        for field, side, steps in _sides(spot.value):
            if taken.setdefault(side, field) != field:
                yield Finding(spot.at(*steps), f"the {side} side is among the {taken[side]} already")
        if not spot.value.doors and not spot.value.links and not (spot.value.start and spot.value.start.passages):
            yield Finding(spot.at("doors"), "nobody can enter: no door, no passage, no link")


def barriers(survey: Survey) -> Iterator[Finding]:
    """The parts of a room with a barrier share its doors out among them (2E-ROOM-004)."""
    for spot in survey.of(Tile):
        tile = spot.value
        if tile.barrier is None:
            continue
        ways = [*tile.doors, *(tile.start.passages if tile.start else [])]
        parts = [side for part in tile.barrier.parts for side in part]
        trail = spot.at("barrier", "parts")
        entered = tile.barrier.parts[:-1] if tile.locked else tile.barrier.parts
        if len(tile.barrier.parts) < 2 or not all(entered):  # noqa: PLR2004 - two parts, one barrier
            yield Finding(trail, "a barrier is between two parts, each with a door")
        elif tile.locked and tile.barrier.parts[-1]:
            yield Finding(trail, "behind a locked door is no other door")
        if missing := [side for side in ways if side not in parts]:
            yield Finding(trail, f"in no part: the door {listed(missing)}")
        for index, side in enumerate(parts):
            if side not in ways:
                yield Finding(trail, f"the tile has no door `{side}`", f"its doors are {listed(ways)}")
            elif side in parts[:index]:
                yield Finding(trail, f"the door `{side}` is in two parts")


def crossings(survey: Survey) -> Iterator[Finding]:
    """Where a ruling's alternative changes what a crossing takes, it is another number, and at least 1."""
    for spot in survey.of(Barrier):
        for name, number in spot.value.by_ruling.items():
            if number < 1:
                yield Finding(spot.at("by-ruling", name), f"a crossing takes {number}: it has to be at least 1")
            elif number == spot.value.at_least:
                yield Finding(spot.at("by-ruling", name), f"a crossing takes {number} without `{name}` too")


def locks(survey: Survey) -> Iterator[Finding]:
    """A locked door parts a room as any barrier does, until a token tells that it was opened (2E-ROOM-038, 2E-ROOM-039)."""
    for spot in survey.of(Tile):
        tile = spot.value
        if tile.locked and (tile.barrier is None or tile.barrier.opened_by is None):
            yield Finding(
                spot.at("locked"), "a locked door is a barrier that some token opens", "`opened-by`", key=True
            )


def links(survey: Survey) -> Iterator[Finding]:
    """A link leads to another room, and is not told from both ends."""
    ends = [(spot, spot.above.value.id) for spot in survey.of(Link) if spot.above is not None]
    both_ways = {(here, spot.value.to) for spot, here in ends if spot.value.both_ways}
    for spot, here in ends:
        there = spot.value.to
        if there == here:
            yield Finding(spot.at("to"), "the link leads to its own room")
        elif (there, here) in both_ways:
            message = f"`{there}` links to this room already, both ways"
            yield Finding(spot.at("to"), message, "tell it in one of the two rooms")


def start(survey: Survey) -> Iterator[Finding]:
    """Tiles of the start lie apart, and their passages lead to one another."""
    places: dict[tuple[str, int, int], Spot[Tile]] = {}
    spots = [spot for spot in survey.of(Tile) if spot.value.start is not None]
    for spot in spots:
        tile, begin = spot.value, spot.value.start
        if begin is None:
            continue
        other = places.setdefault((begin.floor, begin.x, begin.y), spot)
        if other is not spot:
            yield Finding(spot.at("start"), f"`{other.value.id}` lies there already")
            yield Finding(other.at("start"), f"`{tile.id}` lies there as well")
    for spot in spots:
        if (begin := spot.value.start) is None:
            continue
        for index, side in enumerate(spot.value.doors):
            behind = _beside(places, begin, side)
            if behind is not None and OPPOSITE[side] not in behind.value.doors:
                message = f"`{behind.value.id}` lies there, and has no door {OPPOSITE[side]}"
                yield Finding(spot.at("doors", index), message)
        for index, side in enumerate(begin.passages):
            neighbor = _beside(places, begin, side)
            back = OPPOSITE[side]
            if neighbor is None or neighbor.value.start is None:
                yield Finding(spot.at("start", "passages", index), f"no tile of the start lies {side} of this one")
            elif back not in neighbor.value.start.passages:
                message = f"`{neighbor.value.id}` lies there, but has no passage {back}"
                yield Finding(spot.at("start", "passages", index), message)
                message = f"`{spot.value.id}` opens to the {side}, and here is no passage {back}"
                yield Finding(neighbor.at("start"), message)


def _beside(places: Mapping[tuple[str, int, int], Spot[Tile]], begin: Start, side: Compass) -> Spot[Tile] | None:
    """Return the tile of the start that lies on a side of another."""
    dx, dy = STEP[side]
    return places.get((begin.floor, begin.x + dx, begin.y + dy))


def ways_to_every_floor(survey: Survey) -> Iterator[Finding]:
    """Each floor has a tile of the start, or nothing could be placed there; one of these is the landing."""
    spots = survey.of(Tile)
    begun = {spot.value.start.floor for spot in spots if spot.value.start is not None}
    landings: dict[str, list[str]] = {}
    for spot in spots:
        if spot.value.start is not None and spot.value.start.landing:
            landings.setdefault(spot.value.start.floor, []).append(spot.value.id)
    for spot in spots:
        begin = spot.value.start
        for index, floor in enumerate(spot.value.floors):
            if floor not in begun:
                yield Finding(spot.at("floors", index), f"no tile of the start lies on the floor `{floor}`")
        if begin is not None and begin.landing and len(landings[begin.floor]) > 1:
            message = f"the floor `{begin.floor}` has more than one landing: {listed(landings[begin.floor])}"
            yield Finding(spot.at("start", "landing"), message)
        if begin is not None and begin.floor not in landings:
            message = f"the floor `{begin.floor}` has no landing"
            yield Finding(spot.at("start"), message, "say of one of its tiles `landing: true`")


def searched_for(survey: Survey) -> Iterator[Finding]:
    """Only a tile of the stack can be searched for: those of the start lie in the house already."""
    begun = {spot.value.id for spot in survey.of(Tile) if spot.value.start is not None}
    for spot in survey.of(PlaceTile):
        if spot.value.tile in begun:
            yield Finding(spot.at("tile"), f"`{spot.value.tile}` lies in the house from the start")


def removed(survey: Survey) -> Iterator[Finding]:
    """A tile of the start stays, and none leaves where what is hidden on it would show."""
    begun = {spot.value.id for spot in survey.of(Tile) if spot.value.start is not None}
    for spot in survey.of(RemoveTile):
        haunt = spot.inside(Haunt)
        hidden = [kind for kind, one in haunt.value.monsters.items() if one.hidden] if haunt is not None else []
        if spot.value.tile in begun:
            yield Finding(spot.at("tile"), f"`{spot.value.tile}` lies in the house from the start, and stays")
        elif hidden:
            message = f"everybody would see whether `{hidden[0]}`, which is hidden, keeps the tile in the house"
            yield Finding(spot.trail, message, "leave `hidden` out, or the tile alone", key=True)


def spared(survey: Survey) -> Iterator[Finding]:
    """A card spares its holder only what a room does."""
    harmful = {spot.value.id for spot in survey.of(Tile) if any(trigger.harmful for trigger in spot.value.on)}
    tiles = {spot.value.id for spot in survey.of(Tile)}
    for spot in survey.of(Standing):
        for index, tile in enumerate(spot.value.spared or ()):
            if tile in tiles - harmful:
                yield Finding(spot.at("spared", index), f"`{tile}` does nothing that is `harmful`")


def marks(survey: Survey) -> Iterator[Finding]:
    """Where traitor and monsters ignore damage alone, no text needs a mark (3E-TRAI-004)."""
    written_so = written_for(survey)
    if written_so is None or not written_so.ignore_damage:
        return
    for spot in survey.of(Trigger):
        if spot.value.harmful and spot.inside(Tile) is not None:
            message = "by the rules of this edition traitor and monsters ignore damage, and nothing else of a text"
            yield Finding(spot.at("harmful"), message, "leave `harmful` out", key=True)


def told(survey: Survey) -> Iterator[Finding]:
    """Who comes into a room with a rule, or finds a token with one, can read what it is."""
    for spot in survey.of(Tile):
        tile = spot.value
        if not tile.text.strip() and (tile.on or tile.actions or tile.always or tile.barrier):
            yield Finding(spot.at("title"), "the room has a rule, and no `text` tells of it", key=True)
    for token in survey.of(TokenKind):
        value = token.value
        if not value.text.strip() and (value.on or value.actions or value.always or value.links_alike):
            yield Finding(token.at("title"), "the token has a rule, and no `text` tells of it", key=True)


def _sides(tile: Tile) -> Iterator[tuple[str, Compass, tuple[str | int, ...]]]:
    """Return what each named side is, with its place in the file."""
    yield from (("doors", side, ("doors", index)) for index, side in enumerate(tile.doors))
    for ruling, doors in tile.doors_by_ruling.items():
        yield from (("doors", side, ("doors-by-ruling", ruling, index)) for index, side in enumerate(doors))
    yield from (("windows", side, ("windows", index)) for index, side in enumerate(tile.windows))
    if tile.start is not None:
        for index, side in enumerate(tile.start.passages):
            yield "passages", side, ("start", "passages", index)
        if tile.start.front_door is not None:
            yield "front doors", tile.start.front_door, ("start", "front-door")
