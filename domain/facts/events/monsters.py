"""Monsters: what is known of them, what they do and what is done to them; those that hide, of which only their own side knows where."""

from typing import ClassVar

from domain.facts.events.base import CHANCE, HIDDEN, NOTHING, UNRELEASED, Event, Informs
from domain.facts.state import NO_MONSTER, Monster, MonsterName, State
from domain.facts.terms import CardId, MonsterKind, Part, RoomId, Side, Spaces, Trait


class MonsterPlaced(Event, frozen=True, kw_only=True):
    """A monster came into the house."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName
    kind: MonsterKind
    room: RoomId
    """Empty if it hides (`MonsterHid`)."""
    side: Side
    traits: dict[Trait, int]
    """Its number for each trait that it has; dice rolled."""
    part: Part = 0
    attacks: bool = True
    """It may attack."""
    boxed: bool = False
    """Its numbers are told by `BoxTold`, to those who have read its box; `traits` is empty."""
    has: list[str] = []
    """The traits that a boxed one has."""

    def apply(self, state: State) -> None:
        state.monsters[self.monster] = Monster(
            id=self.monster,
            kind=self.kind,
            room=self.room,
            part=self.part,
            side=self.side,
            traits=dict(self.traits),
            attacks=self.attacks,
            hides=not self.room,
            boxed=self.boxed,
            has=list(self.has),
        )


class BoxTold(Event, frozen=True, kw_only=True):
    """Those who are told have read a monster's box: its numbers, and whether it attacks (3E-ANAT-012).

    That they come to read it is told by other events.
    """

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = "Those who have read the box, and the referee; everybody, once it is read out."
    since: ClassVar[str] = UNRELEASED

    monster: MonsterName
    traits: dict[Trait, int]
    """Its number for each trait that it has; dice rolled."""
    attacks: bool = True
    """It may attack."""

    def apply(self, state: State) -> None:
        monster = state.monsters[self.monster]
        monster.traits, monster.attacks = dict(self.traits), self.attacks
        monster.boxed, monster.rolled = False, {}


class MonstersRolled(Event, frozen=True, kw_only=True):
    """How many spaces monsters of a kind may move this turn (2E-MON-002, 2E-MON-003)."""

    informs: ClassVar[Informs] = CHANCE

    kind: MonsterKind
    monsters: list[MonsterName]
    """Those that may move so far."""
    spaces: Spaces
    """Spaces that each of them may move."""

    def apply(self, state: State) -> None:
        for name in self.monsters:
            state.monsters[name].left = self.spaces


class MonsterChosen(Event, frozen=True, kw_only=True):
    """A monster begins to act; the previous one is done (2E-MON-001)."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName
    """The monster; empty where the last one is done."""

    def apply(self, state: State) -> None:
        turn = state.turn
        if turn.active and turn.active not in turn.finished:
            turn.finished.append(turn.active)
        turn.active = self.monster


class MonsterStunned(Event, frozen=True, kw_only=True):
    """A monster is stunned and misses its next turn (2E-MON-004, 2E-MON-005)."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName

    def apply(self, state: State) -> None:
        monster = state.monsters[self.monster]
        if not monster.stunned:
            monster.stunned = True
            monster.stunned_in_turn = state.turn.number
        monster.left = 0


class MonsterRecovered(Event, frozen=True, kw_only=True):
    """A stunned monster's token is turned back: at the end of the turn it missed (2E-MON-005), or as its turn starts (3E-MON-006)."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName
    ends_turn: bool = False
    """Its turn is over with that."""

    def apply(self, state: State) -> None:
        state.monsters[self.monster].stunned = False
        state.monsters[self.monster].stunned_in_turn = -1
        if self.ends_turn:
            state.turn.recovered.append(self.monster)


class MonsterKilled(Event, frozen=True, kw_only=True):
    """A monster is out of the game."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName

    def apply(self, state: State) -> None:
        state.monsters.pop(self.monster, None)
        if state.turn.active == self.monster:
            state.turn.active = NO_MONSTER


class MonsterTook(Event, frozen=True, kw_only=True):
    """A monster carries a card (2E-ITEM-010)."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName
    card: CardId

    def apply(self, state: State) -> None:
        state.monsters[self.monster].cards.append(self.card)


class MonsterParted(Event, frozen=True, kw_only=True):
    """A monster no longer carries a card."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterName
    card: CardId

    def apply(self, state: State) -> None:
        state.monsters[self.monster].cards.remove(self.card)


class MonsterHid(Event, frozen=True, kw_only=True):
    """A monster moved where only its side knows, which is told the room; for all others it is empty."""

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = "Everybody, without the room; with it the monster's own side and the referee."
    since: ClassVar[str] = UNRELEASED

    monster: MonsterName
    room: RoomId = ""
    """Where it is now, for those who are told; else empty."""
    part: Part = 0
    spent: Spaces = 0
    """Spaces of movement that it cost, for those who are told the room."""

    def apply(self, state: State) -> None:
        """Who is told no room knows it no longer: an earlier one is out of date."""
        monster = state.monsters[self.monster]
        monster.hides = True
        monster.room, monster.part = "", 0
        monster.lair, monster.lair_part = self.room, self.part
        monster.left = max(0, monster.left - self.spent)
        monster.spent += self.spent
        monster.moved = True


class MonsterShown(Event, frozen=True, kw_only=True):
    """A monster that was hiding is seen by everybody."""

    informs: ClassVar[Informs] = HIDDEN
    since: ClassVar[str] = UNRELEASED

    monster: MonsterName
    room: RoomId
    """Where it is."""
    part: Part = 0

    def apply(self, state: State) -> None:
        monster = state.monsters[self.monster]
        monster.hides = False
        monster.room, monster.part = self.room, self.part
        monster.lair, monster.lair_part = "", 0
