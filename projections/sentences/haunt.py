"""Sentences for the haunt: sides, books, counters."""

from __future__ import annotations

from content.vocabulary.entry import Entry
from domain.facts.events import (
    BookEntered,
    CounterMoved,
    CountersTold,
    EntryAgreed,
    EntryProposed,
    EntryRefused,
    ExplorerRemoved,
    FiguresSwapped,
    HauntBegun,
    HauntRejected,
    PartDisclosed,
    PartUsed,
    SecretChosen,
    SideChanged,
    SideTold,
    TextTold,
    TraitorReplaced,
)
from domain.facts.ids import is_own_side
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences, capital
from projections.view.wording import rules_of_part
from projections.wording.words.english import plain, quoted

TEXTS = {
    "story": "the story of the haunt",
    "heroes.story": "the heroes' introduction",
    "heroes.setup": "what the heroes set up",
    "traitor.story": "the traitor's introduction",
    "traitor.setup": "what the traitor sets up",
    "heroes.book": "the heroes' book",
    "traitor.book": "the traitor's book",
    "heroes.ending": "the heroes' ending",
    "traitor.ending": "the traitor's ending",
    "heroes.ending-lost": "the traitor's ending",
}
SHARED_TEXTS = {"story": "the introduction", "setup": "what is set up", "ending": "the ending"}
"""What the parts of a haunt's only book are called in a free-for-all, by their name there."""


def _begun(a: Asking, e: HauntBegun) -> str:
    return f"{a.names.figure(e.revealer)} reveals the haunt: {a.names.haunt(e.haunt)} (number {e.number} on the chart)."


def _side(a: Asking, e: SideTold) -> str:
    what = "the traitor" if e.side == "traitor" else "a hero"
    if is_own_side(e.side):
        return f"{a.names.figure(e.seat)} plays against everybody."
    token = f" (token {e.token})" if e.token else ""
    return f"{a.names.figure(e.seat)} is {what}{'' if e.revealed else ', in secret'}{token}."


def _replaced(a: Asking, e: TraitorReplaced) -> str:
    return f"{a.names.figure(e.volunteer)} volunteers to be the traitor in place of {a.names.figure(e.traitor)}."


def _swapped(a: Asking, e: FiguresSwapped) -> str:
    return f"The figures of {a.names.figure(e.first)} and {a.names.figure(e.second)} change places."


def _text(a: Asking, e: TextTold) -> str:
    text = TEXTS.get(e.text, f"the text {quoted(plain(e.text))}")
    if any(is_own_side(one.side) for one in a.state.explorers):
        text = SHARED_TEXTS.get(e.text.partition(".")[2], text)
    verb = "read" if e.side == "heroes" else "reads"
    said = f": {e.words}" if e.words else "."
    return f"{capital(a.names.side(e.side))} {verb} {text}{said}"


def _part_used(a: Asking, e: PartUsed) -> str:
    return f"{a.names.part(e.part)} was used: the other side may ask what it says."


def _part_disclosed(a: Asking, e: PartDisclosed) -> str:
    asked = f" because {a.names.figure(e.by)} asks" if e.by >= 0 else ""
    said = " ".join(rules_of_part(a.rules, a.state, e.part))
    return f"{a.names.part(e.part)} is read out{asked}: {said}".rstrip(": ")


def _counter(a: Asking, e: CounterMoved) -> str:
    return f"{a.names.counter(e.counter)}: {e.to}."


def _counters(a: Asking, e: CountersTold) -> str:
    ends = {name: f" of {end}" for name, end in e.maxima.items()}
    kept = ", ".join(f"{a.names.counter(name)} ({value}{ends.get(name, '')})" for name, value in e.counters.items())
    return f"Counters in the {a.names.book(e.side)} book: {kept}." if e.side else f"Counters in neither book: {kept}."


def _changed_side(a: Asking, e: SideChanged) -> str:
    side = "the heroes'" if e.side == "heroes" else "the traitor's"
    return f"{a.names.figure(e.figure)} is now on {side} side."


def _removed(a: Asking, e: ExplorerRemoved) -> str:
    return f"{a.names.figure(e.seat)} leaves the house for good."


def _rejected(a: Asking, e: HauntRejected) -> str:
    where = f"{a.names.card(e.omen)} in {a.names.the_room(e.room)}"
    haunt = f"{a.names.haunt(e.haunt)} (number {e.number})"
    return f"{where} would begin {haunt}, which the group has played: another haunt is looked up."


def _proposed(a: Asking, e: EntryProposed) -> str:
    return f"{_writer(a, e.by)} proposes to enter from the {a.names.book(e.book)} book: {_parts(e.entry)}."


def _agreed(_a: Asking, _e: EntryAgreed) -> str:
    return "Everybody who was asked agrees to the entry."


def _refused(a: Asking, e: EntryRefused) -> str:
    return f"{_writer(a, e.by)} does not agree: nothing is entered."


def _entered(a: Asking, e: BookEntered) -> str:
    return f"{_writer(a, e.by)} enters from the {a.names.book(e.book)} book: {_parts(e.entry)}."


def _writer(a: Asking, by: int) -> str:
    return a.names.figure(by) if by >= 0 else "The referee"


PARTS = {
    "number": "the number of the haunt",
    "scenario": "the scenario",
    "trigger": "the card that begins the haunt",
    "traitor_rule": "who becomes the traitor",
    "monsters": "monsters",
    "tokens": "tokens",
    "counters": "counters",
    "items": "items",
    "actions": "what the side may do",
    "on": "what happens by itself",
    "goal": "the goal",
    "wins_when": "when the side wins",
    "because": "how that ends the game",
    "plays_on": "how long monsters go on after the traitor's death",
    "notes": "notes",
    "traitor": "who is the traitor",
    "you": "",
    "do": "what is done at once",
}
"""By the parts of an entry: what they say; empty for one that only says whom another part is about."""


def _parts(entry: Entry) -> str:
    """The parts of an entry and their titles: `counters (Seals), what the side may do (SEAL)`."""
    found = []
    for name, words in PARTS.items():
        part = getattr(entry, name)
        if not words or part is None or part in ("", [], {}):
            continue
        named = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        titles = ", ".join(title for key, one in named if (title := _title(key, one)))
        found.append(f"{words}{f' ({titles})' if titles else ''}")
    return ", ".join(found) or "nothing"


def _title(key: str | int, one: object) -> str:
    """What a piece of an entry is called; a note by its name, and what happens by itself not at all."""
    if isinstance(one, str):
        return quoted(plain(str(key)))
    return getattr(one, "title", "") or getattr(one, "word", "")


def _secret(a: Asking, e: SecretChosen) -> str:
    what = f"The secret {a.names.secret(e.name)}"
    return f"{what} is {a.names.chosen(e.value)}." if e.value else f"{what} was chosen."


SENTENCES: Sentences = {
    HauntBegun: _begun,
    SideTold: _side,
    TraitorReplaced: _replaced,
    FiguresSwapped: _swapped,
    TextTold: _text,
    PartUsed: _part_used,
    PartDisclosed: _part_disclosed,
    SideChanged: _changed_side,
    ExplorerRemoved: _removed,
    HauntRejected: _rejected,
    CounterMoved: _counter,
    CountersTold: _counters,
    EntryProposed: _proposed,
    EntryAgreed: _agreed,
    EntryRefused: _refused,
    BookEntered: _entered,
    SecretChosen: _secret,
}
