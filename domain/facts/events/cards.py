"""Stacks, cards in hand, piles on the floor, and what was used."""

from itertools import count
from typing import ClassVar

from domain.facts.events.base import CHANCE, HIDDEN, NOTHING, UNRELEASED, Event, Informs
from domain.facts.pieces import Deck, Pile, Slot
from domain.facts.state import Figure, State
from domain.facts.terms import Back, CardId, Face, Limit, Part, RoomId, Seat, SeatOrUnnamed, Stack, TileId


class BackSeen(Event, frozen=True, kw_only=True):
    """The back of the top tile of the stack can be read (2E-DISC-003)."""

    informs: ClassVar[Informs] = CHANCE

    deck: Stack
    back: Back

    def apply(self, state: State) -> None:
        deck = state.decks[self.deck]
        if deck.top:
            deck.top[0].back = self.back
        elif deck.unknown > 0:
            deck.unknown -= 1
            deck.top.append(Slot(back=self.back))


class SlotSeen(Event, frozen=True, kw_only=True):
    """Those who are told know which card or tile is in a slot, counted from the top."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "The seat that looked, and the referee."

    deck: Stack
    index: int
    """Places from the top: 0 is the next to be drawn."""
    face: Face

    def apply(self, state: State) -> None:
        deck = state.decks[self.deck]
        while len(deck.top) <= self.index and deck.unknown > 0:
            deck.unknown -= 1
            deck.top.append(Slot())
        take_out(deck, self.face)
        if self.index < len(deck.top):
            deck.top[self.index].face = self.face


class StackShuffled(Event, frozen=True, kw_only=True):
    """A stack was shuffled; `with_discard` and `with_aside` say what was shuffled in."""

    informs: ClassVar[Informs] = CHANCE

    deck: Stack
    order: list[Face]
    """All faces of the stack, in the pack's order: nothing about their new order is known."""
    with_discard: bool = False
    """The discard pile was shuffled in."""
    with_aside: bool = False
    """The tiles set aside were shuffled in."""
    top: int = 0
    """How many cards were put on top after shuffling (a search); `SlotSeen` tells which."""
    looked_through: bool = False
    """Somebody had looked through the stack. What is in it is the same as before, and `order` names none of it."""

    def apply(self, state: State) -> None:
        """An omen that comes back from play has been counted, and is not when it is drawn again (3E-HROLL-002, ruling)."""
        deck = state.decks[self.deck]
        if self.deck == "omen":
            inside = {*deck.pool, *deck.discard, *(slot.face for slot in (*deck.top, *deck.bottom, *deck.aside))}
            state.omens_back += [card for card in self.order if card not in inside and card not in state.omens_back]
        if self.looked_through:
            deck.unknown, slots = deck.size(), (*deck.top, *deck.bottom)
            deck.pool = sorted([*deck.pool, *(slot.face for slot in slots if slot.face)])
            deck.top, deck.bottom = [], []
            return
        if self.with_discard:
            deck.discard = []
        if self.with_aside:
            deck.aside = []
        deck.pool = list(self.order) + [slot.face for slot in deck.aside if slot.face and slot.face not in self.order]
        deck.top = [Slot() for _ in range(self.top)]
        deck.bottom = []
        deck.unknown = len(self.order) - self.top


class StackLookedThrough(Event, frozen=True, kw_only=True):
    """An explorer's player has looked through a whole stack (3E-FIND-001). `StackContents` tells that player what is in it."""

    informs: ClassVar[Informs] = HIDDEN
    since: ClassVar[str] = UNRELEASED

    deck: Stack
    seat: Seat

    def apply(self, state: State) -> None:
        """Where nothing lies in any order to remember, nothing changes."""


class StackContents(Event, frozen=True, kw_only=True):
    """Those who are told have seen everything that is in a stack, and nothing of its order."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "The seat that looked, and the referee."
    since: ClassVar[str] = UNRELEASED

    deck: Stack
    faces: list[Face]
    """In the pack's order."""

    def apply(self, state: State) -> None:
        state.decks[self.deck].contents = list(self.faces)


class StackReordered(Event, frozen=True, kw_only=True):
    """Somebody who looked at the next cards or tiles of a stack has put them back in an order of their own.

    What anybody knew of these places is void; `SlotSeen` tells those who know what is there now.
    """

    informs: ClassVar[Informs] = NOTHING

    deck: Stack
    count: int
    """How many, counted from the top."""

    def apply(self, state: State) -> None:
        deck = state.decks[self.deck]
        while len(deck.top) < self.count and deck.unknown > 0:
            deck.unknown -= 1
            deck.top.append(Slot())
        deck.pool += [slot.face for slot in deck.top[: self.count] if slot.face]
        deck.top[: self.count] = [Slot() for _ in deck.top[: self.count]]


class TileSetAside(Event, frozen=True, kw_only=True):
    """The top tile does not fit and goes to the pile beside the stack (2E-DISC-008), or under it (3E-TILE-006)."""

    informs: ClassVar[Informs] = HIDDEN

    deck: Stack
    back: Back
    face: str = ""
    """Known only where it was turned up (it would have sealed the floor off, 2E-DISC-010)."""
    bury: bool = False
    """It goes under the stack."""

    def apply(self, state: State) -> None:
        """Take the top slot away; whoever knew its face still does."""
        deck = state.decks[self.deck]
        slot = take_top(state, self.deck)
        slot.back = self.back
        if self.face:
            slot.face = self.face
            if self.face in deck.pool:
                deck.pool.remove(self.face)
        if self.bury:
            deck.bottom.append(slot)
        else:
            deck.aside.append(slot)


class TileDrawn(Event, frozen=True, kw_only=True):
    """The top tile of the stack was turned up."""

    informs: ClassVar[Informs] = CHANCE

    deck: Stack
    tile: TileId
    seat: Seat
    loose: bool = False
    """There is no stack: the tile was drawn at random among those that fit (PBP-DISC-001)."""

    def apply(self, state: State) -> None:
        """It leaves the stack; without one, whoever knew of it knows where it was."""
        if self.loose:
            take_loose(state.decks[self.deck], self.tile)
        else:
            take_face(state, self.deck, self.tile)


class TileSearched(Event, frozen=True, kw_only=True):
    """A named tile was taken out of the stack or the pile beside it; the stack is shuffled next."""

    informs: ClassVar[Informs] = HIDDEN

    deck: Stack
    tile: TileId
    loose: bool = False
    """There is no stack: the tile was taken from those not in the house, and nothing is shuffled (PBP-MON-013)."""

    def apply(self, state: State) -> None:
        deck = state.decks[self.deck]
        if self.loose:
            take_loose(deck, self.tile)
            return
        if self.tile in deck.pool:
            deck.pool.remove(self.tile)


class CardDrawn(Event, frozen=True, kw_only=True):
    """A card was drawn and read out (2E-CARD-004)."""

    informs: ClassVar[Informs] = CHANCE

    deck: Stack
    card: CardId
    seat: Seat

    def apply(self, state: State) -> None:
        """It leaves the stack; an omen counts from now on (2E-HROLL-004)."""
        take_face(state, self.deck, self.card)
        state.turn.drawn.append(self.card)
        state.rows_read.pop(self.card, None)
        if self.deck == "omen" and self.card not in state.omens_back:
            state.omens_drawn += 1


class RowRead(Event, frozen=True, kw_only=True):
    """Of an event's table the row of the result was read out, and no other (3E-CARD-004)."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    card: CardId
    row: str
    """The results that it is for: `4+`, `2-3`; `all` for what follows if every roll reaches a number."""
    path: str
    """Where it stands on the card: `.0.4+`."""

    def apply(self, state: State) -> None:
        state.rows_read.setdefault(self.card, []).append(self.path)


class CardGained(Event, frozen=True, kw_only=True):
    """An explorer now has a card or item token (2E-CARD-006, 2E-CARD-008)."""

    informs: ClassVar[Informs] = NOTHING

    card: CardId
    seat: Seat
    state: str = ""
    """For cards with states: the one it is in."""

    def apply(self, state: State) -> None:
        explorer = state.explorers[self.seat]
        explorer.cards.append(self.card)
        explorer.gained.append(self.card)
        if self.state:
            state.card_states[self.card] = self.state


class CardLost(Event, frozen=True, kw_only=True):
    """An explorer no longer has a card."""

    informs: ClassVar[Informs] = NOTHING

    card: CardId
    seat: Seat

    def apply(self, state: State) -> None:
        explorer = state.explorers[self.seat]
        explorer.cards.remove(self.card)
        if self.card in explorer.gained:
            explorer.gained.remove(self.card)


class CardPicked(Event, frozen=True, kw_only=True):
    """Chance has picked one of somebody's cards; what becomes of it has events of its own."""

    informs: ClassVar[Informs] = CHANCE
    since: ClassVar[str] = UNRELEASED

    figure: Figure
    card: CardId

    def apply(self, state: State) -> None:
        pass


class CorpseLooted(Event, frozen=True, kw_only=True):
    """A character takes a card from a corpse (3E-LOOT-001); `CardLost` and `CardGained` follow."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    figure: Figure
    corpse: Seat
    """The seat of the dead."""
    card: CardId

    def apply(self, state: State) -> None:
        pass


class CardDiscarded(Event, frozen=True, kw_only=True):
    """A card went to its discard pile (2E-CARD-005), or under its deck (3E-CARD-003)."""

    informs: ClassVar[Informs] = NOTHING

    deck: Stack
    card: CardId
    bury: bool = False
    """It goes under its deck."""

    def apply(self, state: State) -> None:
        """An omen has been counted by now, and is not when it is drawn again (3E-HROLL-002, ruling)."""
        deck = state.decks[self.deck]
        if self.deck == "omen" and self.card not in state.omens_back:
            state.omens_back.append(self.card)
        if self.bury:
            deck.bottom.append(Slot(face=self.card))
        else:
            deck.discard.append(self.card)


class PileChanged(Event, frozen=True, kw_only=True):
    """An item pile holds these cards now; an empty pile loses its token (2E-ITEM-009)."""

    informs: ClassVar[Informs] = NOTHING

    room: RoomId
    part: Part
    cards: list[CardId]
    """All cards that lie there now."""

    def apply(self, state: State) -> None:
        here = [pile for pile in state.piles if pile.room == self.room and pile.part == self.part]
        state.piles = [pile for pile in state.piles if pile not in here]
        if self.cards:
            taken = {pile.number for pile in state.piles}
            free = next(number for number in count(1) if number not in taken)
            number = here[0].number if here else free
            state.piles.append(Pile(room=self.room, part=self.part, cards=list(self.cards), number=number))


class CompanionLeft(Event, frozen=True, kw_only=True):
    """A companion waits in a room for a new custodian (2E-DEATH-004), or (`room` empty) has found one (2E-DEATH-005)."""

    informs: ClassVar[Informs] = NOTHING

    card: CardId
    room: RoomId = ""
    """Where it waits; empty if it has found a custodian."""
    part: Part = 0

    def apply(self, state: State) -> None:
        state.companions.pop(self.card, None)
        state.companion_parts.pop(self.card, None)
        if self.room:
            state.companions[self.card] = self.room
        if self.part:
            state.companion_parts[self.card] = self.part


class CardTurned(Event, frozen=True, kw_only=True):
    """A card with states changes to another one (the Mask is worn, the box stands open)."""

    informs: ClassVar[Informs] = NOTHING

    card: CardId
    state: str
    """The state that it is in now, by its name on the card (`open`)."""

    def apply(self, state: State) -> None:
        state.card_states[self.card] = self.state


class Used(Event, frozen=True, kw_only=True):
    """Something limited was used: a card, an action, a roll (2E-ITEM-013, 2E-ROLL-003).

    `key` is typed (`card:axe`, `tile:vault#OPEN@2`, `trade`), so that names of different tables never collide.
    """

    informs: ClassVar[Informs] = NOTHING

    key: str
    """What was used."""
    per: Limit
    """turn, own-turn or game."""
    seat: SeatOrUnnamed = -1
    """Who used it, by seat: 0 to 5; -1 where that makes no difference, -2 for a hidden traitor."""

    def apply(self, state: State) -> None:
        if self.per == "game":
            state.ever.append(self.key)
        elif self.per == "own-turn":
            state.explorers[self.seat].used.append(self.key)
        else:
            state.used.append(self.key)


def take_top(state: State, name: str) -> Slot:
    """Remove the top slot of a stack, whatever is known of it."""
    deck = state.decks[name]
    if deck.top:
        return deck.top.pop(0)
    if deck.unknown > 0:
        deck.unknown -= 1
        return Slot()
    return deck.bottom.pop(0) if deck.bottom else Slot()


def take_loose(deck: Deck, tile: str) -> None:
    """Remove a tile where there is no stack: from where it was known to be, or else from those of which nothing is known."""
    known = [slot for slot in deck.top if slot.face == tile]
    if known:
        deck.top.remove(known[0])
    else:
        deck.unknown -= 1
    if tile in deck.pool:
        deck.pool.remove(tile)


def take_face(state: State, name: str, face: str) -> None:
    """Remove the top slot, which turned out to be `face`."""
    take_top(state, name)
    take_out(state.decks[name], face)


def take_out(deck: Deck, face: str) -> None:
    """A face is known to be where it is now; a slot in which it was seen before holds another one (only a table can say so)."""
    if face in deck.pool:
        deck.pool.remove(face)
        return
    for slot in deck.top:
        if slot.face == face:
            slot.face = ""
