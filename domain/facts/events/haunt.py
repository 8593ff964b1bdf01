"""The haunt: its beginning, sides, books and their parts, counters, what is entered of a printed book, secrets."""

from typing import ClassVar

from content.vocabulary.entry import Entry
from domain.facts.events.base import HIDDEN, NOTHING, UNRELEASED, Event, Informs
from domain.facts.state import Entered, Figure, Haunt, State, is_explorer
from domain.facts.terms import Book, CardId, EntryNumber, Reader, RoomId, Seat, SeatOrNobody, SeatOrReferee, Side


class HauntBegun(Event, frozen=True, kw_only=True):
    """A haunt was revealed (2E-HREV-001). `number` is its number in the printed chart; `haunt` its id in the pack.

    Counters are those that everybody knows from the start; older logs have all of them here.
    """

    informs: ClassVar[Informs] = HIDDEN

    haunt: str
    """Its id in the pack (`the-bell-below`); `external` for one from a printed book."""
    number: int
    """Its number in the chart; 0 where it has none."""
    omen: CardId
    """The omen whose roll began it; empty where a card or a scenario did."""
    room: RoomId
    """The room that chose it."""
    revealer: Seat
    """The haunt revealer, by seat."""
    hidden: bool = False
    """There is a traitor whom nobody knows yet."""
    counters: dict[str, int] = {}
    """By name: the value of each counter that everybody knows."""
    maxima: dict[str, int] = {}
    """By name: how far a counter goes, where it has an end."""

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

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "Everybody, if `revealed`; else the explorer's seat and the referee."

    seat: Seat
    side: Side
    revealed: bool = False
    """Everybody is told."""
    token: int = 0
    """The number on the token that its player was dealt, the traitor's is 1; 0 where none was dealt or it isn't shown."""

    def apply(self, state: State) -> None:
        explorer = state.explorers[self.seat]
        explorer.side = self.side
        explorer.token = self.token or explorer.token
        if self.revealed:
            explorer.revealed = True
        if self.side == "traitor" and state.haunt is not None:
            state.haunt.traitor = self.seat
            if self.revealed:
                state.haunt.hidden = False


class TraitorReplaced(Event, frozen=True, kw_only=True):
    """Whoever was named as the traitor is reluctant, and somebody else is the traitor in its place (3E-TRAI-001)."""

    informs: ClassVar[Informs] = HIDDEN
    since: ClassVar[str] = UNRELEASED

    traitor: Seat
    """Who was named, and is a hero."""
    volunteer: Seat
    """Who is the traitor now."""

    def apply(self, state: State) -> None:
        state.explorers[self.traitor].side = "heroes"
        state.explorers[self.volunteer].side = "traitor"
        if state.haunt is not None:
            state.haunt.traitor = self.volunteer


class FiguresSwapped(Event, frozen=True, kw_only=True):
    """The figures of two explorers have changed places, without moving (3E-TRAI-002)."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    first: Seat
    """One of the two."""
    second: Seat
    """The other."""

    def apply(self, state: State) -> None:
        one, other = state.explorers[self.first], state.explorers[self.second]
        one.room, other.room = other.room, one.room
        one.part, other.part = other.part, one.part


class TextTold(Event, frozen=True, kw_only=True):
    """A side reads a text of the haunt: its book (`book`), or something it has learned (2E-HSET-003)."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = (
        "Everybody, if `side` is `all`; else those of the side, or the one seat, who read it, and the referee."
    )

    side: Reader
    text: str
    """Which text: `story`, `heroes.book`, `traitor.ending`, or the name of a note in the reader's book."""
    words: str = ""
    """Only of a note entered from a printed book."""

    def apply(self, state: State) -> None:
        """Keep its key; the words are content, or were entered."""
        if self.text not in state.texts:
            state.texts.append(self.text)
        if self.words and state.haunt is not None:
            state.haunt.notes[self.text] = self.words


class PartUsed(Event, frozen=True, kw_only=True):
    """A part of a side's book was used for all to see, for the first time: the other side may ask what it says (3E-INFO-002)."""

    informs: ClassVar[Informs] = HIDDEN
    since: ClassVar[str] = UNRELEASED

    part: str
    """`heroes.actions.LIGHT`, `traitor.on.2`, `monster.ghoul`."""

    def apply(self, state: State) -> None:
        if state.haunt is not None and self.part not in state.haunt.used:
            state.haunt.used.append(self.part)


class PartDisclosed(Event, frozen=True, kw_only=True):
    """A part of a side's book that was used is read out to everybody, and stays open (3E-INFO-002)."""

    informs: ClassVar[Informs] = HIDDEN
    since: ClassVar[str] = UNRELEASED

    part: str
    """As `PartUsed` names it."""
    by: SeatOrNobody = -1
    """The seat that asked for it; -1 where it is read out at once, by the game's option `reading_out`."""

    def apply(self, state: State) -> None:
        if state.haunt is not None and self.part not in state.haunt.disclosed:
            state.haunt.disclosed.append(self.part)


class SideChanged(Event, frozen=True, kw_only=True):
    """An explorer or monster has changed sides, for everybody to see (2E-DEATH-002). Who began as the traitor stays the traitor."""

    informs: ClassVar[Informs] = HIDDEN

    figure: Figure
    side: Side
    """The side that it is on now."""

    def apply(self, state: State) -> None:
        if is_explorer(self.figure):
            explorer = state.explorers[self.figure]
            explorer.side = self.side
            explorer.revealed = True
        else:
            state.monsters[self.figure].side = self.side


class ExplorerRemoved(Event, frozen=True, kw_only=True):
    """An explorer left the house forever, without dying (2E-HTURN-004)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat

    def apply(self, state: State) -> None:
        """The figure is gone; belongings fall by events of their own."""
        explorer = state.explorers[self.seat]
        explorer.alive = False
        explorer.removed = True
        explorer.held = None


class HauntRejected(Event, frozen=True, kw_only=True):
    """The group knows the haunt that omen and room would give, and another is looked up (2E-HREV-006)."""

    informs: ClassVar[Informs] = NOTHING

    haunt: str
    """Its id in the pack."""
    number: int
    """Its number in the chart."""
    omen: CardId
    room: RoomId

    def apply(self, state: State) -> None:
        """Nothing has begun yet."""


class CounterMoved(Event, frozen=True, kw_only=True):
    """A counter of the haunt has a new value, which everybody sees (2E-COMP-008, 2E-COMP-011)."""

    informs: ClassVar[Informs] = NOTHING

    counter: str
    """Its name in the haunt (`rings`)."""
    to: int
    """The new value."""

    def apply(self, state: State) -> None:
        if state.haunt is not None:
            state.haunt.counters[self.counter] = self.to


class CountersTold(Event, frozen=True, kw_only=True):
    """A side reads in its book what the haunt counts, and how far (2E-SEC-001)."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "The readers of the book, and the referee; the referee alone of what neither book names."

    side: Reader
    counters: dict[str, int]
    """The value of each."""
    maxima: dict[str, int] = {}
    """How far each goes, where it has an end."""

    def apply(self, state: State) -> None:
        if state.haunt is not None:
            state.haunt.counters.update(self.counters)
            state.haunt.maxima.update(self.maxima)


class EntryProposed(Event, frozen=True, kw_only=True):
    """Something was entered that waits for the consent of others; its side, those who are asked and the referee are told."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "The readers of the book, whoever entered it, those who are asked, and the referee."

    number: EntryNumber
    book: Book
    by: SeatOrReferee
    entry: Entry
    """What is to be entered, in the vocabulary of content files."""

    def apply(self, state: State) -> None:
        if state.haunt is not None:
            state.haunt.proposed = Entered(self.number, self.book, self.by, self.entry)


class EntryAgreed(Event, frozen=True, kw_only=True):
    """All who were asked have consented to what was proposed: it applies from now on."""

    informs: ClassVar[Informs] = NOTHING

    number: EntryNumber

    def apply(self, state: State) -> None:
        """Nothing is proposed any more; those who may read it are told it again as entered."""
        if state.haunt is not None:
            state.haunt.proposed = None
            state.haunt.entered = max(state.haunt.entered, self.number)


class EntryRefused(Event, frozen=True, kw_only=True):
    """Somebody who was asked did not consent: nothing was entered."""

    informs: ClassVar[Informs] = NOTHING

    number: EntryNumber
    by: SeatOrReferee
    """The seat that refused, or the referee (-1)."""

    def apply(self, state: State) -> None:
        if state.haunt is not None:
            state.haunt.proposed = None


class BookEntered(Event, frozen=True, kw_only=True):
    """Part of the haunt was entered: all are told what is on the table, and a book's readers what is in the book.

    Somebody who comes to read a book later is told all of it then.
    """

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = (
        "Everybody, of what lies on the table; the readers of the book, of what stands in it; and the referee."
    )

    number: EntryNumber
    book: Book
    by: SeatOrReferee
    entry: Entry
    """What was entered, in the vocabulary of content files: the part of it that these readers may know."""

    def apply(self, state: State) -> None:
        haunt = state.haunt
        if haunt is None:
            return
        haunt.entered = max(haunt.entered, self.number)
        entered = Entered(self.number, self.book, self.by, self.entry)
        if entered in haunt.entries:
            return
        haunt.entries.append(entered)
        haunt.entries.sort(key=lambda one: one.number)
        self._count(haunt, state.seats)

    def _count(self, haunt: Haunt, players: int) -> None:
        for name, counter in self.entry.counters.items():
            haunt.counters.setdefault(name, counter.start)
            end = counter.end(players)
            if end is not None:
                haunt.maxima[name] = end
            else:
                haunt.maxima.pop(name, None)


class SecretChosen(Event, frozen=True, kw_only=True):
    """Something was chosen in secret, perhaps anew; `value` is the room or word, for those who are told it, and empty for all others."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = (
        "Everybody, without the value; with it the side that knows, whoever is told it later, and the referee."
    )

    name: str
    """What it is called in the haunt (`motive`)."""
    value: str = ""
    """The room or word that was chosen; empty for those who may not know it."""

    def apply(self, state: State) -> None:
        """Who is told no value knows it no longer: an earlier one is out of date."""
        if state.haunt is not None:
            state.haunt.secrets[self.name] = self.value
