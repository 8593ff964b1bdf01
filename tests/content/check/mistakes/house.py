"""The house: impossible doors, parts and floors, and ways that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from content.vocabulary.effects import PlaceTile
from content.vocabulary.pack import Barrier, Link, Standing, Start, Tile
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import Edit, Source

COMPASS = ("north", "east", "south", "west")


@kind("a tile has no door, or one twice")
def doors(source: Source, _rng: Random) -> Iterator[Edit]:
    """Nobody could enter; north is a door two times."""
    for at in source.of(Tile):
        for node in at.written("doors"):
            sides = at.value.doors
            if sides and not at.value.links and at.value.start is None:
                yield at.replace(node.value, "[]")
                yield at.replace(node.value, f"[{', '.join([*sides, sides[0]])}]")


@kind("a side is two things")
def sides(source: Source, _rng: Random) -> Iterator[Edit]:
    """A door and a window, a door and the passage, a door and the front door."""
    for at in source.of(Tile):
        for field in (("windows",), ("start", "passages")):
            for node in at.written(*field):
                if at.value.doors:
                    yield at.replace(node.value, f"[{at.value.doors[0]}]")
        for node in at.written("start", "front-door"):
            yield at.replace(node.value, at.value.doors[0])


@kind("a passage or door of the start leads to a wall")
def walls(source: Source, _rng: Random) -> Iterator[Edit]:
    """The joined tile has a door where its neighbor has none, or its open side leads nowhere."""
    for at in source.of(Start):
        for node in at.written("passages"):
            free = [side for side in COMPASS if side not in at.value.passages]
            yield at.replace(node.value, f"[{', '.join([*at.value.passages, free[0]])}]")
            if len(at.value.passages) == 2:
                yield at.replace(node.value, f"[{at.value.passages[1]}]")
    for tile in source.of(Tile):
        begin = tile.value.start
        for node in tile.written("doors"):
            if begin is not None and len(begin.passages) == 1 and begin.y == 0:
                # the side of the joined tile that its neighbor does not open to
                yield tile.replace(node.value, f"[{', '.join([*tile.value.doors, *begin.passages])}]")
    for at in source.of(Start):
        if len(at.value.passages) == 1:
            yield from at.remove("passages")


@kind("a start lies wrong")
def starts(source: Source, _rng: Random) -> Iterator[Edit]:
    """On a floor that the tile is not for, on another tile, apart from its neighbor, nowhere."""
    places = {(at.value.floor, at.value.x, at.value.y) for at in source.of(Start)}
    for at in source.of(Start):
        start = at.value
        for node in at.written("floor"):
            yield at.replace(node.value, "upper" if start.floor != "upper" else "ground")
        for node in at.written("y"):
            for y in (start.y - 1, start.y + 1):
                if (start.floor, start.x, y) in places:
                    yield at.replace(node.value, str(y))
            if start.passages:
                yield at.replace(node.value, str(start.y + 5))


@kind("a floor has nowhere to start from")
def no_start(source: Source, _rng: Random) -> Iterator[Edit]:
    """The landing of a floor lies nowhere: nothing could be placed on that floor."""
    for at in source.of(Tile):
        if at.value.start is not None and at.value.start.landing and at.value.start.floor != "ground":
            yield from at.remove("start", anywhere=True)


@kind("a floor has no landing, or two")
def landings(source: Source, _rng: Random) -> Iterator[Edit]:
    """Effects that lead to a floor know where to; the hall is not the foyer."""
    for at in source.of(Start):
        if at.value.landing:
            yield from at.remove("landing", anywhere=True)
        else:
            yield at.add("landing: true", *())


@kind("the parts of a barrier do not share out the doors")
def barriers(source: Source, _rng: Random) -> Iterator[Edit]:
    """A part without a door, a door that the tile lacks, one in both parts, one in none."""
    for at in source.of(Barrier):
        for node in at.written("parts"):
            (first, *_), behind = at.value.parts
            second = behind[0] if behind else first
            other = next(side for side in COMPASS if side not in {first, second})
            yield at.replace(node.value, f"[[{first}], []]" if behind else "[[], []]")
            yield at.replace(node.value, f"[[{first}], [{other}]]")
            yield at.replace(node.value, f"[[{first}], [{first}, {second}]]")
            yield at.replace(node.value, f"[[{first}, {second}]]")


@kind("a tile has no floor, or one twice")
def floors(source: Source, _rng: Random) -> Iterator[Edit]:
    """It fits nowhere, or the basement and the basement."""
    for at in source.of(Tile):
        for node in at.written("floors"):
            yield at.replace(node.value, "[]")
            yield at.replace(node.value, f"[{at.value.floors[0]}, {at.value.floors[0]}]")


@kind("a link leads back to its own room, or twice to the other")
def links(source: Source, _rng: Random) -> Iterator[Edit]:
    """A secret stair from the crypt to the crypt; one and the same way told at both ends."""
    tiles = {at.value.id: at for at in source.of(Tile)}
    for at in source.of(Link):
        tile = at.spot.above
        if tile is None or not isinstance(tile.value, Tile):
            continue
        for node in at.written("to"):
            yield at.replace(node.value, tile.value.id)
        other = tiles[at.value.to]
        if at.value.both_ways and not other.value.links:
            yield other.add(f"links: [{{to: {tile.value.id}}}]")
        yield at.before(f"{{to: {at.value.to}}}")


@kind("a tile is searched for that lies in the house from the start")
def searched(source: Source, _rng: Random) -> Iterator[Edit]:
    """`place-tile: {tile: entrance-hall}`."""
    for at in source.of(PlaceTile):
        for node in at.written("tile"):
            yield at.replace(node.value, "entrance-hall")
            yield at.replace(node.value, "upper-landing")


@kind("somebody is spared what no room does")
def spared(source: Source, _rng: Random) -> Iterator[Edit]:
    """The kitchen harms nobody."""
    for at in source.of(Standing):
        for index in range(len(at.value.spared or ())):
            for node in at.written("spared", index):
                yield at.replace(node.value, "kitchen")
