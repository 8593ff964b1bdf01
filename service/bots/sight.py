"""What a bot sees: the view of its seat, the questions it asks of it, and what each way through the house costs."""

import heapq
from collections.abc import Iterable, Iterator

from domain.facts.commands import AnyCommand, Cross, Move
from domain.facts.state import Figure
from projections.view.game import GameView
from projections.view.people import ExplorerView, MonsterView, TraitView
from projections.view.rooms import RoomView

TRAITS = ("might", "speed", "sanity", "knowledge")
PHYSICAL = ("might", "speed")
MENTAL = ("sanity", "knowledge")

Place = tuple[str, int]
"""A room, and the part of it (0 where it has only one)."""


class Sight:
    """A view of a game that has started, as one seat has it."""

    __slots__ = ("me", "rooms", "view")

    def __init__(self, view: GameView) -> None:
        if view.you is None:
            raise ValueError("a bot plays a seat: this view is of " + view.role)
        self.view = view
        self.me = view.explorers[view.you]
        self.rooms: dict[str, RoomView] = {room.id: room for room in view.rooms}

    @property
    def here(self) -> Place:
        """Where the bot's explorer stands."""
        return self.me.room, self.me.part

    @property
    def side(self) -> str:
        """The bot's side: before a haunt everybody is on the same."""
        return self.me.side or "heroes"

    def figure(self, figure: Figure) -> ExplorerView | MonsterView:
        """An explorer by its seat, a monster by its id."""
        if isinstance(figure, int):
            return self.view.explorers[figure]
        return next(monster for monster in self.view.monsters if monster.id == figure)

    def foes(self) -> list[ExplorerView | MonsterView]:
        """Living explorers and monsters known to be on the other side; while a traitor hides, a hero knows of none."""
        if self.view.haunt is None:
            return []
        others = (one for one in self.view.explorers if one.alive and one.seat != self.me.seat)
        known = [one for one in others if self._opposed(one)]
        return [*known, *(monster for monster in self.view.monsters if monster.side != self.side)]

    def _opposed(self, other: ExplorerView) -> bool:
        if self.side == "traitor":
            return True
        return other.revealed and other.side == "traitor"

    def of_haunt(self, cards: Iterable[str]) -> bool:
        """Whether there is a thing among these cards that the haunt has brought."""
        return any(self.view.cards[card].of_haunt for card in cards)


def trait(explorer: ExplorerView, name: str) -> TraitView:
    """A trait of an explorer."""
    found: TraitView = getattr(explorer.traits, name)
    return found


def value(figure: ExplorerView | MonsterView, name: str) -> int:
    """The current number of a trait: the dice that it gives."""
    return trait(figure, name).value if isinstance(figure, ExplorerView) else figure.traits.get(name, 0)


def wounds(explorer: ExplorerView) -> int:
    """Spaces that the traits are below their start, in all."""
    traits = [trait(explorer, name) for name in TRAITS]
    return sum(max(0, one.start - one.position) for one in traits)


def stands(explorer: ExplorerView, traits: Iterable[str]) -> int:
    """Points of damage that these traits can take together before one of them must fall to the skull."""
    return sum(max(0, trait(explorer, name).position - 1) for name in traits)


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
