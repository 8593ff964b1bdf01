"""Ways through the house as a bot knows it: what it costs to get somewhere, and which step comes first."""

import heapq
from collections.abc import Iterable, Iterator

from domain.commands import AnyCommand, Cross, Move
from service.bots.sight import Place, Sight

CROSSING = 4
"""Spaces that a barrier counts for: it may take several turns to get across."""
HARM = 2
"""Spaces more that a room counts for in which one is hurt."""
FOE = 2
"""Spaces more that a room counts for with each opponent who stands in it."""


class Routes:
    """The cheapest ways from one place to all others."""

    def __init__(self, sight: Sight, start: Place, *, monster: bool = False, careful: bool = False) -> None:
        """Find them.

        Args:
            sight: the house.
            start: where the ways begin.
            monster: a monster goes; it takes some ways that explorers can't, and barriers do not hold it.
            careful: rooms that hurt and rooms with opponents are avoided where a detour is short.
        """
        self._rooms = sight.rooms
        self._monster = monster
        self._toll = dict.fromkeys(self._rooms, 0)
        if careful:
            self._toll = {name: HARM * room.harmful for name, room in self._rooms.items()}
            for foe in sight.foes():
                self._toll[foe.room] += FOE
        self.cost: dict[Place, int] = {start: 0}
        self._first: dict[Place, Place] = {}
        self._start = start
        self._search()

    def _search(self) -> None:
        """Dijkstra's algorithm; what was pushed first comes first among equals, so that the same house gives the same way."""
        queue = [(0, 0, self._start)]
        pushed = 0
        while queue:
            cost, _, here = heapq.heappop(queue)
            if cost > self.cost[here]:
                continue
            for there, price in self._neighbors(here):
                if there not in self.cost or cost + price < self.cost[there]:
                    self.cost[there] = cost + price
                    self._first[there] = self._first.get(here, there)
                    pushed += 1
                    heapq.heappush(queue, (cost + price, pushed, there))

    def _neighbors(self, here: Place) -> Iterator[tuple[Place, int]]:
        room, part = self._rooms[here[0]], here[1]
        for way in room.ways:
            if self._monster or (way.from_part in (None, part) and not way.monsters_only):
                yield (way.to, way.part), 1 + self._toll[way.to]
        if room.parts and (self._monster or room.open or all(room.parts)):  # nobody else gets past a locked door
            yield (room.id, 1 - part), 0 if self._monster or room.open else CROSSING

    def nearest(self, places: Iterable[Place]) -> Place | None:
        """The place that costs least; between equals the first."""
        known = [place for place in places if place in self.cost]
        return min(known, key=lambda place: self.cost[place], default=None)

    def step(self, goal: Place, commands: Iterable[AnyCommand], monster: str | None = None) -> AnyCommand | None:
        """The command that takes the first step to a goal, if it is among these."""
        first = self._first.get(goal)
        if first is None:
            return None
        crossing = first[0] == self._start[0]
        for command in commands:
            if isinstance(command, Cross) and crossing and command.monster == monster:
                return command
            if isinstance(command, Move) and not crossing and (command.to, command.monster) == (first[0], monster):
                return command
        return None


def unexplored(sight: Sight) -> list[Place]:
    """Places with a doorway into the unknown, on floors for which a tile is left."""
    found = []
    for room in sight.rooms.values():
        if room.floor in sight.view.open_floors:
            free = [side for side in ("north", "east", "south", "west") if getattr(room.doors, side) == "free"]
            sides = room.parts or [free]
            found += [(room.id, part) for part, doors in enumerate(sides) if any(side in free for side in doors)]
    return found
