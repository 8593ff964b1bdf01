"""What the steady bot sees and wants: the view of its seat, the decision to make, the cheapest routes, and where it wants to be."""

import heapq
from collections.abc import Iterable, Iterator
from typing import TypeVar

from domain.facts.commands import AnyCommand, Cross, Move
from domain.facts.ids import is_own_side
from domain.facts.state import Aim, MonsterId, is_explorer
from projections.choices.decisions import OpenDecision
from projections.choices.families import Field, OneOf
from projections.choices.hints import HintView
from projections.view.game import GameView
from projections.view.people import ExplorerView, MonsterView, TraitView
from projections.view.rooms import RoomView
from service.bots.brain import Memory

TRAITS = ("might", "speed", "sanity", "knowledge")
PHYSICAL = ("might", "speed")
MENTAL = ("sanity", "knowledge")

CROSSING = 4
"""Spaces that a barrier counts for: crossing it may take several turns."""
HARM = 2
"""Extra spaces that a harmful room counts for."""
FOE = 2
"""Extra spaces that a room counts for with each opponent in it."""
MOST_REPEATS = 2
"""How often a command is given in one turn at most: one without a limit of its own could go on forever."""

Spot = tuple[str, int]
"""A room and its part; 0 if it has only one."""
Fighter = ExplorerView | MonsterView
C = TypeVar("C")


class SeatSight:
    """A seat's view of a game that has started."""

    __slots__ = ("me", "rooms", "view")

    def __init__(self, view: GameView) -> None:
        if view.you is None:
            raise ValueError(f"a bot plays a seat, but this is the view of {view.role}")
        self.view = view
        self.me = view.explorers[view.you]
        self.rooms: dict[str, RoomView] = {room.id: room for room in view.rooms}

    @property
    def here(self) -> Spot:
        return self.me.room, self.me.part

    @property
    def side(self) -> str:
        """The bot's side; before a haunt everybody is a hero."""
        return self.me.side or "heroes"

    def figure(self, figure: Aim) -> Fighter:
        if is_explorer(figure):
            return self.view.explorers[figure]
        return next(monster for monster in self.view.monsters if monster.id == figure)

    def foes(self) -> list[Fighter]:
        """Living explorers and monsters known to be on the other side; a hidden traitor is not."""
        if self.view.haunt is None:
            return []
        others = (one for one in self.view.explorers if one.alive and one.seat != self.me.seat)
        everybody = self.side == "traitor" or is_own_side(self.side)
        known = [one for one in others if everybody or (one.revealed and one.side == "traitor")]
        return [*known, *(monster for monster in self.view.monsters if monster.side != self.side and monster.room)]

    def of_haunt(self, cards: Iterable[str]) -> bool:
        return any(self.view.cards[card].of_haunt for card in cards)


class Moment(SeatSight):
    """A view, a decision in it, the bot's memory, and the hints of its books."""

    __slots__ = ("commands", "decision", "hints", "memory")

    def __init__(self, view: GameView, decision: OpenDecision, memory: Memory, hints: list[HintView]) -> None:
        """Take the listed commands, except those just refused or already repeated this turn."""
        super().__init__(view)
        self.decision = decision
        self.memory = memory
        self.hints = hints
        barred = memory.barred(view)
        self.commands: list[AnyCommand] = [
            listed.command
            for listed in decision.commands
            if listed.command not in barred and memory.times(view, listed.command) < MOST_REPEATS
        ]

    def listed(self, kind: type[C]) -> Iterator[C]:
        return (command for command in self.commands if isinstance(command, kind))

    @property
    def field(self) -> Field:
        """The constraint on an answer that divides or selects."""
        return self.decision.families[0].fields[0]

    @property
    def options(self) -> list[str]:
        """The options of a choice, listed or not."""
        for family in self.decision.families:
            for field in family.fields:
                if isinstance(field, OneOf):
                    return [str(option) for option in field.values]
        return [str(getattr(listed.command, "option", "")) for listed in self.decision.commands]


def trait(explorer: ExplorerView, name: str) -> TraitView:
    found: TraitView = getattr(explorer.traits, name)
    return found


SUPPOSED = 4
"""What a bot takes the number of a monster to be whose box it has not read."""


def value(figure: Fighter, name: str) -> int:
    if isinstance(figure, ExplorerView):
        return trait(figure, name).value
    return figure.traits.get(name, SUPPOSED if name in figure.has else 0)


def wounds(explorer: ExplorerView) -> int:
    """How many spaces the traits are below their start, in all."""
    return sum(max(0, one.start - one.position) for one in (trait(explorer, name) for name in TRAITS))


def endurance(explorer: ExplorerView, traits: Iterable[str]) -> int:
    """Points of damage that these traits can take together before one must fall to the skull."""
    return sum(max(0, trait(explorer, name).position - 1) for name in traits)


class Routes:
    """The cheapest routes from one spot to all others.

    A monster can take some ways that explorers can't, and no barrier stops it. Careful routes avoid harmful rooms and opponents if the
    detour is short.
    """

    def __init__(self, sight: SeatSight, start: Spot, *, monster: bool = False, careful: bool = False) -> None:
        self._rooms = sight.rooms
        self._monster = monster
        self._toll = dict.fromkeys(self._rooms, 0)
        if careful:
            self._toll = {name: HARM * room.harmful for name, room in self._rooms.items()}
            for foe in sight.foes():
                self._toll[foe.room] += FOE
        self.cost: dict[Spot, int] = {start: 0}
        self._first: dict[Spot, Spot] = {}
        self._start = start
        self._search()

    def _search(self) -> None:
        """Dijkstra's algorithm. The first pushed goes first among equals, so that the same house gives the same route."""
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

    def _neighbors(self, here: Spot) -> Iterator[tuple[Spot, int]]:
        room, part = self._rooms[here[0]], here[1]
        for way in room.ways:
            if way.explorers_only if self._monster else way.monsters_only:
                continue
            if self._monster or way.from_part in (None, part):
                yield (way.to, way.part), 1 + self._toll[way.to]
        if room.parts and (self._monster or room.open or all(room.parts)):  # only monsters pass a locked door
            yield (room.id, 1 - part), 0 if self._monster or room.open else CROSSING

    def nearest(self, spots: Iterable[Spot]) -> Spot | None:
        """The spot that costs least, the first among equals; None if none can be reached."""
        known = [spot for spot in spots if spot in self.cost]
        return min(known, key=lambda spot: self.cost[spot], default=None)

    def step(self, goal: Spot, commands: Iterable[AnyCommand], monster: MonsterId | None = None) -> AnyCommand | None:
        """The one of these commands that takes the first step to a goal."""
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


def unexplored(sight: SeatSight) -> list[Spot]:
    """Spots with an unexplored doorway, on floors that still have tiles."""
    found = []
    for room in sight.rooms.values():
        if room.floor in sight.view.open_floors:
            free = [side for side in ("north", "east", "south", "west") if getattr(room.doors, side) == "free"]
            sides = room.parts or [free]
            found += [(room.id, part) for part, doors in enumerate(sides) if any(side in free for side in doors)]
    return found


def wanted(moment: Moment) -> Iterator[list[Spot]]:
    """Where the bot's side finds what it needs, the most important first; in the end, and before a haunt, the unexplored."""
    haunt = moment.view.haunt
    if haunt is not None:
        for book in haunt.books:
            yield from _by_the_book(moment, [hint for hint in moment.hints if hint.side == book.side])
    yield unexplored(moment)


def settled(moment: Moment) -> bool:
    """Whether the bot is where a hint tells it to stay."""
    return any(
        hint.stay and not hint.by and (place.room, place.part) == moment.here
        for hint in moment.hints
        for place in hint.places
    )


def errands(moment: Moment, monster: str) -> Iterator[list[Spot]]:
    """Where a book sends a monster; in the end it hunts."""
    for hint in moment.hints:
        if monster in hint.by:
            yield from [unexplored(moment)] if hint.explore else _spots(moment, hint)
    yield from prey(moment)


def prey(sight: SeatSight) -> Iterator[list[Spot]]:
    """Where known opponents stand: first those who carry cards of the haunt, then all."""
    foes = sight.foes()
    carriers = [one for one in foes if isinstance(one, ExplorerView) and sight.of_haunt(one.cards)]
    yield [(foe.room, foe.part) for foe in carriers]
    yield [(foe.room, foe.part) for foe in foes]


def _by_the_book(sight: SeatSight, hints: list[HintView]) -> Iterator[list[Spot]]:
    """The hints of a book in order; lost cards of the haunt are fetched before new rooms are explored."""
    for hint in hints:
        if hint.by:
            continue
        if hint.explore:
            yield _lost(sight)
            yield unexplored(sight)
        else:
            yield from _spots(sight, hint)
    yield _lost(sight)


def _spots(sight: SeatSight, hint: HintView) -> Iterator[list[Spot]]:
    if hint.foes:
        yield from prey(sight)
    elif hint.monsters is not None:
        yield [(one.room, one.part) for one in sight.view.monsters if hint.monsters in ("any", one.kind)]
    else:
        yield [(place.room, place.part) for place in hint.places]


def _lost(sight: SeatSight) -> list[Spot]:
    return [(pile.room, pile.part) for pile in sight.view.piles if sight.of_haunt(pile.cards)]
