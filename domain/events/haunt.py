"""The haunt: its beginning, sides, monsters, counters, secrets."""

from domain.events.base import Event
from domain.state import Figure, Haunt, Monster, State


class HauntBegun(Event, frozen=True, kw_only=True):
    """A haunt was revealed (2E-HREV-001). `number` is the printed chart's; `haunt` is the one of the pack that is played."""

    haunt: str
    number: int
    omen: str
    room: str
    revealer: int
    hidden: bool = False
    counters: dict[str, int] = {}
    maxima: dict[str, int] = {}

    def apply(self, state: State) -> None:
        """The haunt phase begins; haunt rolls are over (2E-HROLL-006)."""
        state.haunt = Haunt(
            id=self.haunt,
            number=self.number,
            omen=self.omen,
            room=self.room,
            revealer=self.revealer,
            hidden=self.hidden,
            counters=dict(self.counters),
            maxima=dict(self.maxima),
        )
        state.turn.acting = False
        for explorer in state.explorers:
            explorer.omens_owed = []


class SideTold(Event, frozen=True, kw_only=True):
    """Those who are told know which side an explorer is on: everybody (2E-HREV-003), or only its player (2E-HID-001)."""

    seat: int
    side: str
    revealed: bool = False

    def apply(self, state: State) -> None:
        """Learn it."""
        explorer = state.explorers[self.seat]
        explorer.side = self.side
        if self.revealed:
            explorer.revealed = True
        if self.side == "traitor" and state.haunt is not None:
            state.haunt.traitor = self.seat
            if self.revealed:
                state.haunt.hidden = False


class TextTold(Event, frozen=True, kw_only=True):
    """A side reads a text of the haunt: its book (`book`), or something it has learned (2E-HSET-003)."""

    side: str
    text: str

    def apply(self, state: State) -> None:
        """Keep its key; the words are content."""
        if self.text not in state.texts:
            state.texts.append(self.text)


class MonsterPlaced(Event, frozen=True, kw_only=True):
    """A monster came into the house."""

    monster: str
    kind: str
    room: str
    side: str
    traits: dict[str, int]
    part: int = 0
    attacks: bool = True

    def apply(self, state: State) -> None:
        """Put it there."""
        state.monsters[self.monster] = Monster(
            id=self.monster,
            kind=self.kind,
            room=self.room,
            part=self.part,
            side=self.side,
            traits=dict(self.traits),
            attacks=self.attacks,
        )


class MonstersRolled(Event, frozen=True, kw_only=True):
    """Monsters of a kind may move so many spaces this turn (2E-MON-002, 2E-MON-003)."""

    kind: str
    monsters: list[str]
    spaces: int

    def apply(self, state: State) -> None:
        """Give each its movement."""
        for name in self.monsters:
            state.monsters[name].left = self.spaces


class MonsterChosen(Event, frozen=True, kw_only=True):
    """A monster begins to act; the one before it is finished (2E-MON-001)."""

    monster: str

    def apply(self, state: State) -> None:
        """Note who acts."""
        turn = state.turn
        if turn.active and turn.active not in turn.finished:
            turn.finished.append(turn.active)
        turn.active = self.monster


class MonsterStunned(Event, frozen=True, kw_only=True):
    """A monster is stunned and misses its next turn (2E-MON-004, 2E-MON-005)."""

    monster: str

    def apply(self, state: State) -> None:
        """Turn its token to the S side."""
        monster = state.monsters[self.monster]
        if not monster.stunned:
            monster.stunned = True
            monster.stunned_in_turn = state.turn.number
        monster.left = 0


class MonsterRecovered(Event, frozen=True, kw_only=True):
    """A stunned monster's token is turned back at the end of the turn it missed (2E-MON-005)."""

    monster: str

    def apply(self, state: State) -> None:
        """Turn it back."""
        state.monsters[self.monster].stunned = False
        state.monsters[self.monster].stunned_in_turn = -1


class MonsterTook(Event, frozen=True, kw_only=True):
    """A monster carries a card (2E-ITEM-010)."""

    monster: str
    card: str

    def apply(self, state: State) -> None:
        """Give it."""
        state.monsters[self.monster].cards.append(self.card)


class MonsterParted(Event, frozen=True, kw_only=True):
    """A monster no longer carries a card."""

    monster: str
    card: str

    def apply(self, state: State) -> None:
        """Take it away."""
        state.monsters[self.monster].cards.remove(self.card)


class SideChanged(Event, frozen=True, kw_only=True):
    """An explorer or monster has changed sides, for everybody to see (2E-DEATH-002). Who began as the traitor stays the traitor."""

    figure: Figure
    side: str

    def apply(self, state: State) -> None:
        """Be on the other side."""
        if isinstance(self.figure, int):
            explorer = state.explorers[self.figure]
            explorer.side = self.side
            explorer.revealed = True
        else:
            state.monsters[self.figure].side = self.side


class ExplorerRemoved(Event, frozen=True, kw_only=True):
    """An explorer left the house for good, without dying (2E-HTURN-004)."""

    seat: int

    def apply(self, state: State) -> None:
        """The figure is gone; belongings fall by events of their own."""
        explorer = state.explorers[self.seat]
        explorer.alive = False
        explorer.removed = True
        explorer.held = None


class HauntRejected(Event, frozen=True, kw_only=True):
    """A haunt that omen and room would give is known to the group, and another is looked up (2E-HREV-006)."""

    haunt: str
    number: int
    omen: str
    room: str

    def apply(self, state: State) -> None:
        """Nothing has begun yet."""


class MonsterKilled(Event, frozen=True, kw_only=True):
    """A monster is out of the game."""

    monster: str

    def apply(self, state: State) -> None:
        """Remove it."""
        state.monsters.pop(self.monster, None)
        if state.turn.active == self.monster:
            state.turn.active = ""


class CounterMoved(Event, frozen=True, kw_only=True):
    """A counter of the haunt stands at a new value (2E-COMP-008, 2E-COMP-011)."""

    counter: str
    to: int

    def apply(self, state: State) -> None:
        """Set it."""
        if state.haunt is not None:
            state.haunt.counters[self.counter] = self.to
