"""What is entered of a haunt from the players' own printed books."""

from typing import ClassVar

from content.vocabulary.entry import Entry
from domain.facts.events.base import HIDDEN, NOTHING, Event, Informs
from domain.facts.state import Entered, Haunt, State


class EntryProposed(Event, frozen=True, kw_only=True):
    """Something was entered that waits for the consent of others; its side, those who are asked and the referee are told."""

    informs: ClassVar[Informs] = HIDDEN

    number: int
    book: str
    by: int
    entry: Entry

    def apply(self, state: State) -> None:
        if state.haunt is not None:
            state.haunt.proposed = Entered(self.number, self.book, self.by, self.entry)


class EntryAgreed(Event, frozen=True, kw_only=True):
    """All who were asked have consented to what was proposed: it holds from now on."""

    informs: ClassVar[Informs] = NOTHING

    number: int

    def apply(self, state: State) -> None:
        """Nothing is proposed any more; those who may read it are told it again as entered."""
        if state.haunt is not None:
            state.haunt.proposed = None
            state.haunt.entered = max(state.haunt.entered, self.number)


class EntryRefused(Event, frozen=True, kw_only=True):
    """Somebody who was asked did not consent: nothing was entered."""

    informs: ClassVar[Informs] = NOTHING

    number: int
    by: int
    """The seat that refused, or the referee (-1)."""

    def apply(self, state: State) -> None:
        if state.haunt is not None:
            state.haunt.proposed = None


class BookEntered(Event, frozen=True, kw_only=True):
    """Part of the haunt was entered: what lies on the table is told to all, what stands in a book to those who read it.

    Somebody who comes to read a book later is told all of it then.
    """

    informs: ClassVar[Informs] = HIDDEN

    number: int
    book: str
    by: int
    entry: Entry

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
        self._count(haunt)

    def _count(self, haunt: Haunt) -> None:
        for name, counter in self.entry.counters.items():
            haunt.counters.setdefault(name, counter.start)
            if counter.max is not None:
                haunt.maxima[name] = counter.max
            else:
                haunt.maxima.pop(name, None)
