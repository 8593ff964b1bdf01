"""Dice and other answers of chance."""

from typing import ClassVar

from domain.facts.events.base import CHANCE, NOTHING, TO_REFEREE, Event, Informs
from domain.facts.state import Figure, State, is_explorer
from domain.facts.terms import CardId, Die, Result, Roll, RoomId, Seat, Source, TraitOrNone


class ChanceAnswered(Event, frozen=True, kw_only=True):
    """Chance answered request number `index`: dice faces, or a pick. For the referee; other events tell the others what it means."""

    informs: ClassVar[Informs] = CHANCE
    audience: ClassVar[str] = TO_REFEREE

    index: int
    """The number of the request, counted from 0 in its game."""
    what: str
    """What was asked for: `dice:attack`, `card:omen`, `tile`, `coin`."""
    faces: list[Die] = []
    """Of a roll: what each die shows; else empty."""
    pick: str = ""
    """Of a draw: the option that was picked; else empty."""

    def apply(self, state: State) -> None:
        state.chances = self.index + 1


class DiceRolled(Event, frozen=True, kw_only=True):
    """Dice were rolled (2E-ROLL-001)."""

    informs: ClassVar[Informs] = CHANCE

    who: Figure
    kind: Roll
    about: str
    """What it is for: `attack`, `haunt`, or the block that asks for it (`card/rotten#do`)."""
    faces: list[Die]
    """What each die shows: 0, 1 or 2."""
    total: Result
    trait: TraitOrNone = ""
    bonus: int = 0
    """Points added to the dice."""
    notation: str = ""
    """What a die roller was asked for: `6d3-6` (PBP-DICE-002); empty for real dice."""

    def apply(self, state: State) -> None:
        """Count it; its outcome has events of its own. Of a monster whose box is unread its dice are remembered."""
        state.turn.rolls += 1
        if self.trait and not is_explorer(self.who):
            monster = state.monsters.get(self.who)
            if monster is not None and monster.boxed:
                monster.rolled[self.trait] = len(self.faces)


class DiceRerolled(Event, frozen=True, kw_only=True):
    """Some dice of the latest roll were rolled again; these are all its faces now."""

    informs: ClassVar[Informs] = CHANCE

    who: Figure
    by: Source
    """What allows it: `card:lucky-stone`."""
    faces: list[Die]
    """What each die shows now: 0, 1 or 2."""
    total: Result

    def apply(self, state: State) -> None:
        """A roll changes nothing by itself."""


class ResultNamed(Event, frozen=True, kw_only=True):
    """A result was named in place of rolling (Angel Feather)."""

    informs: ClassVar[Informs] = NOTHING

    who: Figure
    by: Source
    """What allows it: `card:angel-feather`."""
    total: Result
    bonus: int = 0
    """Points of it that were added to what was named."""

    def apply(self, state: State) -> None:
        """A result changes nothing by itself."""


class HauntRolled(Event, frozen=True, kw_only=True):
    """A haunt roll was judged (2E-HROLL-002)."""

    informs: ClassVar[Informs] = CHANCE

    seat: Seat
    total: Result
    omens: int
    """Omens drawn in the game so far."""
    begins: bool
    """The haunt begins."""
    number: int = 0
    """A card asked for it: the haunt that begins then. It does not count as any omen's roll."""
    settles: bool = False
    """It was the one roll for all omens of the turn (PBP-HROLL-001)."""

    def apply(self, state: State) -> None:
        if self.settles:
            for explorer in state.explorers:
                if explorer.omens_owed:
                    explorer.omens_owed = []
            return
        owed = state.explorers[self.seat].omens_owed
        if owed and not self.begins and not self.number:
            owed.pop(0)


class OmenOwed(Event, frozen=True, kw_only=True):
    """An omen was drawn: a haunt roll is due when the drawer's turn ends (2E-HROLL-001)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    omen: CardId
    room: RoomId
    """The room in which it was drawn."""

    def apply(self, state: State) -> None:
        """Note omen and room: they choose the haunt (2E-HREV-002)."""
        state.explorers[self.seat].omens_owed.append([self.omen, self.room])
