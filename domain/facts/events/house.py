"""The house and who moves in it: tiles, ways, figures, tokens."""

from typing import ClassVar

from domain.facts.events.base import NOTHING, UNRELEASED, Event, Informs
from domain.facts.grid import detach, join
from domain.facts.pieces import Link, Pile, Room, TokenHere, relaid
from domain.facts.state import Figure, State, is_explorer
from domain.facts.terms import Across, Along, Floor, Part, RoomId, Seat, Sides, Source, Spaces, TileId, TokenId, Turns


class TilePlaced(Event, frozen=True, kw_only=True):
    """A tile came into the house (2E-DISC-005)."""

    informs: ClassVar[Informs] = NOTHING

    tile: TileId
    floor: Floor
    x: Across
    y: Along
    turns: Turns
    doors: Sides
    """Its doors as it lies now, added up: 1 north, 2 east, 4 south, 8 west."""
    windows: Sides = 0
    """Its sides with a window, added up like `doors`."""
    parts: list[Sides] = []
    """Of a room that a barrier divides: the doors of its two parts, each added up like `doors`; else empty."""
    in_haunt: bool = False
    """The haunt has begun."""

    def apply(self, state: State) -> None:
        room = Room(
            id=self.tile,
            floor=self.floor,
            x=self.x,
            y=self.y,
            turns=self.turns,
            doors=self.doors,
            near=("", "", "", ""),
            windows=self.windows,
            parts=tuple(self.parts),
            placed_in_turn=state.turn.number,
            in_haunt=self.in_haunt,
        )
        join(state.rooms, state.grid, room)


class TileMoved(Event, frozen=True, kw_only=True):
    """A tile has moved, with everything on it (2E-ROOM-028, 2E-DISC-011)."""

    informs: ClassVar[Informs] = NOTHING

    tile: TileId
    floor: Floor
    x: Across
    y: Along
    turns: Turns
    doors: Sides
    """Its doors as it lies now, added up: 1 north, 2 east, 4 south, 8 west."""
    windows: Sides = 0
    """Its sides with a window, added up like `doors`."""
    parts: list[Sides] = []
    """Of a room that a barrier divides: the doors of its two parts, each added up like `doors`; else empty."""

    def apply(self, state: State) -> None:
        room = state.rooms[self.tile]
        detach(state.rooms, state.grid, room)
        moved = relaid(
            room,
            floor=self.floor,
            x=self.x,
            y=self.y,
            turns=self.turns,
            doors=self.doors,
            windows=self.windows,
            parts=tuple(self.parts),
        )
        join(state.rooms, state.grid, moved)


class TileRemoved(Event, frozen=True, kw_only=True):
    """A tile has left the house; it is shuffled into the stack next."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    tile: TileId

    def apply(self, state: State) -> None:
        """Nothing leads to it any more."""
        detach(state.rooms, state.grid, state.rooms.pop(self.tile))
        state.links.pop(self.tile, None)
        for at, links in state.links.items():
            state.links[at] = [link for link in links if link.to != self.tile]


class WayOpened(Event, frozen=True, kw_only=True):
    """Two rooms are connected other than by doors (2E-DOOR-007, 2E-DOOR-008)."""

    informs: ClassVar[Informs] = NOTHING

    room: RoomId
    to: RoomId
    """The room that it leads to."""
    by: Source
    """The tile or token that makes it: `tile:coal-chute`."""
    both_ways: bool = True
    """It also leads back."""
    monsters_only: bool = False
    """Explorers can't use it."""
    explorers_only: bool = False
    """Monsters can't use it."""

    def apply(self, state: State) -> None:
        state.links.setdefault(self.room, []).append(self._link(self.to))
        if self.both_ways:
            state.links.setdefault(self.to, []).append(self._link(self.room))

    def _link(self, to: str) -> Link:
        return Link(to=to, by=self.by, monsters_only=self.monsters_only, explorers_only=self.explorers_only)


class WayClosed(Event, frozen=True, kw_only=True):
    """The links that a token made are gone."""

    informs: ClassVar[Informs] = NOTHING

    by: Source
    """The tile or token that made it."""
    room: RoomId
    """The room at one of its ends."""

    def apply(self, state: State) -> None:
        """Remove every link by this maker that touches the room."""
        for at, links in state.links.items():
            state.links[at] = [link for link in links if link.by != self.by or self.room not in (at, link.to)]


class Moved(Event, frozen=True, kw_only=True):
    """An explorer or monster moved to another room, or to another part of its room."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure
    room: RoomId
    """Where it is now."""
    part: Part = 0
    spent: Spaces = 0
    """Spaces of movement that it cost."""
    discovers: bool = False
    """It is the first to be in a room that was just found (2E-DISC-005, 2E-CARD-009)."""

    def apply(self, state: State) -> None:
        figure = self.figure
        if is_explorer(figure):
            if self.discovers and self.room in state.rooms:
                state.rooms[self.room] = relaid(state.rooms[self.room], discoverer=figure)
            explorer = state.explorers[figure]
            explorer.room = self.room
            explorer.part = self.part
            explorer.spent += self.spent
            explorer.moved = True
        else:
            monster = state.monsters[figure]
            monster.room = self.room
            monster.part = self.part
            monster.left = max(0, monster.left - self.spent)
            monster.spent += self.spent
            monster.moved = True


class MovementSpent(Event, frozen=True, kw_only=True):
    """An action took spaces of an explorer's movement."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    spaces: Spaces

    def apply(self, state: State) -> None:
        state.explorers[self.seat].spent += self.spaces


class Stopped(Event, frozen=True, kw_only=True):
    """A character gets no more movement this turn (2E-MOVE-004, 2E-ROOM-008)."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure

    def apply(self, state: State) -> None:
        if is_explorer(self.figure):
            state.explorers[self.figure].stopped = True
        else:
            state.monsters[self.figure].left = 0


class TokenPlaced(Event, frozen=True, kw_only=True):
    """Tokens were put into a room; one may tell that the room's barrier is open from now on (2E-ROOM-039)."""

    informs: ClassVar[Informs] = NOTHING

    token: TokenId
    room: RoomId
    part: Part = 0
    count: int = 1
    """How many."""
    opens: bool = False
    """The barrier of the room is open."""

    def apply(self, state: State) -> None:
        if self.opens:
            _open(state, self.room)
        for here in state.tokens:
            if here.token == self.token and here.room == self.room and here.part == self.part:
                here.count += self.count
                return
        state.tokens.append(TokenHere(token=self.token, room=self.room, part=self.part, count=self.count))


def _open(state: State, room: str) -> None:
    """What was in either part of a room is now in all of it."""
    if room in state.rooms:
        state.rooms[room] = relaid(state.rooms[room], opened=True)
    lying = [card for pile in state.piles if pile.room == room for card in pile.cards]
    state.piles = [pile for pile in state.piles if pile.room != room]
    if lying:
        state.piles.append(Pile(room=room, part=0, cards=lying))
    for here in state.tokens:
        if here.room == room:
            here.part = 0
    for card, place in state.companions.items():
        if place == room:
            state.companion_parts.pop(card, None)


class TokenRemoved(Event, frozen=True, kw_only=True):
    """Tokens were taken away."""

    informs: ClassVar[Informs] = NOTHING

    token: TokenId
    room: RoomId
    part: Part | None = None
    """The part of a barrier room; None in logs of revision 1, and then those of both parts are taken."""
    count: int = 1
    """How many."""

    def apply(self, state: State) -> None:
        for here in state.tokens:
            if here.token == self.token and here.room == self.room and self.part in (None, here.part):
                here.count -= self.count
        state.tokens = [here for here in state.tokens if here.count > 0]
