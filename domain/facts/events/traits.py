"""Traits, damage, death, and being held back."""

from typing import ClassVar

import msgspec

from domain.facts.events.base import NOTHING, UNRELEASED, Event, Informs
from domain.facts.state import TAKEN_AWAY, TRAIT_INDEX, Figure, Held, State, is_explorer
from domain.facts.terms import CardId, Cause, Clip, Damage, Result, Seat, Source, Trait


class TraitChanged(Event, frozen=True, kw_only=True):
    """A clip moves to another space (2E-TRAIT-003)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    trait: Trait
    to: Clip
    """The new position, 0 (skull) to 8."""
    by: int
    """Spaces moved; negative is down; 0: it is at an end of its track and stays there (2E-TRAIT-004, 2E-TRAIT-006)."""
    cause: Cause = ""
    """gain, lose, damage, heal, set, or the card whose bonus came or went."""

    def apply(self, state: State) -> None:
        state.explorers[self.seat].at[TRAIT_INDEX[self.trait]] = self.to


class SurplusNoted(Event, frozen=True, kw_only=True):
    """The part of a card's gain or loss that did not fit on the track is noted for that card and trait (2E-ITEM-015)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    card: CardId
    trait: Trait
    spaces: int
    """What is noted now: above 0, spaces over the top; below 0, spaces of a loss that the lowest number stopped; 0 removes the note."""

    def apply(self, state: State) -> None:
        notes = state.explorers[self.seat].surplus
        if self.spaces:
            notes[f"{self.card}/{self.trait}"] = self.spaces
        else:
            notes.pop(f"{self.card}/{self.trait}", None)


class DamageTaken(Event, frozen=True, kw_only=True):
    """An explorer takes damage; how it is divided follows as `TraitChanged` (2E-DMG-001)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    kind: Damage
    amount: int
    """Points, which are spaces that clips move down."""
    source: Source

    def apply(self, state: State) -> None:
        """The clips move by events of their own."""


class DamageReduced(Event, frozen=True, kw_only=True):
    """Damage was reduced or changed its kind before it was taken."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    by: Source
    """What reduces or changes it: `card:armor`."""
    kind: Damage
    """The kind that it is now."""
    amount: int
    """What is left."""

    def apply(self, state: State) -> None:
        """Nothing is taken yet."""


class HarmIgnored(Event, frozen=True, kw_only=True):
    """A traitor or monster is spared a harmful text, or a card spares its holder (2E-TPOW-002, 2E-MON-010)."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure
    source: Source

    def apply(self, state: State) -> None:
        """Nothing happens."""


class ExplorerDied(Event, frozen=True, kw_only=True):
    """An explorer's trait is on the skull in the haunt (2E-DEATH-001)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    corpse: bool = False
    """It stays where it fell, as a corpse that keeps its cards (3E-DIE-003)."""

    def apply(self, state: State) -> None:
        """The explorer is dead; belongings fall by events of their own, unless the corpse keeps them."""
        explorer = state.explorers[self.seat]
        explorer.alive = False
        explorer.held = None
        if self.corpse:
            explorer.died = state.turn.number


class CorpseRemoved(Event, frozen=True, kw_only=True):
    """A corpse is gone from the house, by the haunt (3E-DIE-005)."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    seat: Seat

    def apply(self, state: State) -> None:
        """Nobody can take its cards any more."""
        state.explorers[self.seat].died = TAKEN_AWAY


class ExplorerEscaped(Event, frozen=True, kw_only=True):
    """An explorer got out of the house, with everything that it carried."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat

    def apply(self, state: State) -> None:
        """Gone forever, without having died; nothing falls."""
        explorer = state.explorers[self.seat]
        explorer.alive = False
        explorer.removed = True
        explorer.escaped = True
        explorer.held = None


class ExplorerHeld(Event, frozen=True, kw_only=True):
    """An event holds an explorer back until a trait roll frees it."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    card: CardId
    """The event that holds it."""
    trait: Trait
    """The trait to roll with."""
    at_least: int
    """The result that frees it."""
    tries_left: int
    """Attempts until it is free anyhow."""
    failing_stops: bool = False
    """A failed attempt ends movement for the turn."""
    far: bool = False
    """Others may help from wherever they are."""
    catches: int = 0
    """Above 0: a helper who fails is held, too, with so many attempts left."""

    def apply(self, state: State) -> None:
        state.explorers[self.seat].held = Held(
            card=self.card,
            trait=self.trait,
            at_least=self.at_least,
            tries_left=self.tries_left,
            failing_stops=self.failing_stops,
            far=self.far or msgspec.UNSET,
            catches=self.catches or msgspec.UNSET,
        )


class ExplorerFreed(Event, frozen=True, kw_only=True):
    """An explorer is no longer held back."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat

    def apply(self, state: State) -> None:
        state.explorers[self.seat].held = None


class ExplorerAttacked(Event, frozen=True, kw_only=True):
    """A character made its attack of this turn (2E-ATK-002, 2E-MON-007)."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure
    target: Figure
    """Who is attacked: an explorer by its seat, or a monster by its id."""
    trait: Trait
    weapon: CardId = ""
    """The card that it attacks with; empty for none."""
    besides: bool = False
    """A card demands it, in addition to the attack of the turn."""

    def apply(self, state: State) -> None:
        if self.besides:
            return
        if is_explorer(self.figure):
            state.explorers[self.figure].attacked = True
        elif self.figure in state.monsters:
            state.monsters[self.figure].attacked = True


class AttackSpent(Event, frozen=True, kw_only=True):
    """A character may make no further attack this turn."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure

    def apply(self, state: State) -> None:
        if is_explorer(self.figure):
            state.explorers[self.figure].attacked = True
        else:
            state.monsters[self.figure].attacked = True


class AttackDecided(Event, frozen=True, kw_only=True):
    """Both sides of an attack rolled; the higher result wins (2E-ATK-006)."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure
    target: Figure
    """Who was attacked: an explorer by its seat, or a monster by its id."""
    attack: Result
    """The attacker's result."""
    defense: Result
    """The defender's result; the higher one wins."""

    def apply(self, state: State) -> None:
        """What follows has events of its own."""
