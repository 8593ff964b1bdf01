"""What a bot sees: the view of its seat, with the questions that it asks of it."""

from collections.abc import Iterable

from domain.state import Figure
from projections.people import ExplorerView, MonsterView, TraitView
from projections.rooms import RoomView
from projections.view import GameView

TRAITS = ("might", "speed", "sanity", "knowledge")
PHYSICAL = ("might", "speed")
MENTAL = ("sanity", "knowledge")

Place = tuple[str, int]
"""A room, and the part of it (0 where it has only one)."""


class Sight:
    """A view of a game that has started, as one seat has it."""

    __slots__ = ("me", "rooms", "view")

    def __init__(self, view: GameView) -> None:
        """Look at a view of a seat."""
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
