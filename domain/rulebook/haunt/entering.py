"""Entering what a printed haunt book says: checked like a content file, consented to where it weighs, then part of the haunt.

Everybody learns monsters, tokens, counters and items, because they are on the table; only the book's side and the referee learn the rest.
The checker sees the haunt as the one who enters knows it, so that a refusal reveals nothing of the other side's entries. `weighs` looks at
words alone: any verb not known to leave winning, deaths, traits and positions alone needs consent. At an entry nothing may be half-done
except that the sides get ready, so that no saved frame points into a block that an entry replaces.
"""

from __future__ import annotations

from typing import Any

import msgspec

from content.errors import Finding, listed
from content.load.entries import mistakes, read
from content.survey import Spot, walk
from content.vocabulary.base import Word
from content.vocabulary.effects import VERBS, Effect
from content.vocabulary.entry import Entry
from content.vocabulary.pack import Attack, Haunt, Link, Monster, Standing, TokenKind, TraitorRule
from domain.engine.bindings import Seated, Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.external import (
    EXTERNAL,
    IDENTIFICATION,
    IN_THE_BOOK,
    ON_THE_TABLE,
    block_name,
    event_of,
    is_empty,
    is_external,
    kind_of,
    part_of,
    sheet_of,
)
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.engine.witness import NO, YES
from domain.facts.audience import EVERYBODY, REFEREE, Mask, seat_bit
from domain.facts.commands import Enter
from domain.facts.events import (
    BookEntered,
    DecisionClosed,
    EntryAgreed,
    EntryProposed,
    EntryRefused,
    SideTold,
    TextTold,
)
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Decision, State
from domain.rulebook.cards.drawing import free_traitor

BOOK = "book"
"""The decision that an entry names: open whenever something can be entered."""

MOST_ENTRIES = 200
"""In one game."""
LIGHT = frozenset({"roll", "choose", "tell", "count", "place_token", "remove_token"})
"""Verbs that need nobody's consent in an action or a trigger; all others may touch more."""
LIGHT_NOW = frozenset({"roll", "choose", "tell"})
"""Verbs that need nobody's consent among steps that are done at once."""
WEIGHTY = (Monster, Attack, Standing, Link)
"""Words of content that touch traits or positions."""


# -- who may enter, and when --------------------------------------------------------------------------------------------------------


def books(rules: Rules, state: State, actor: int) -> list[str]:
    """The books that a seat or the referee (-1) may enter from: its side's, either, or the one that everybody reads."""
    haunt = state.haunt
    if haunt is None or haunt.id != EXTERNAL or state.status != "started":
        return []
    kind = kind_of(rules.pack.chart, haunt.number, haunt.traitor)
    if kind != "one-traitor":
        return ["traitor" if kind == "free-for-all" else "heroes"]
    if actor == MODERATOR:
        return ["heroes", "traitor"]
    return ["traitor" if state.explorers[actor].side == "traitor" else "heroes"]


def may_enter(state: State) -> bool:
    """Whether nothing is half-done, apart from the sides getting ready (2E-HSET-005)."""
    return not state.open or all(one.kind == "ready" for one in state.open.values())


def perform_enter(m: Machine, actor: int, command: Enter) -> None:
    """Check an entry, then ask for consent or let it hold.

    Raises:
        Refused: `nothing-to-enter`, `decision-closed`, `not-your-book`, or `unfit-entry` with every mistake and its place.
    """
    if not is_external(m.state):
        detail = "no haunt from your own book is in play: it takes the option `haunt` set to `external`, and the haunt to have begun"
        raise Refused(detail, problem="nothing-to-enter")
    if command.decision != BOOK:
        raise Refused(f"use the decision `{BOOK}`", problem="decision-closed")
    if not may_enter(m.state):
        waiting = listed(m.state.open)
        raise Refused(
            f"{waiting} is open, and nothing is entered while something is half-done", problem="decision-closed"
        )
    book = _book(m, actor, command)
    entry = read_entry(command)
    if (
        found := mistakes(m.rules.pack.source, _known(m, actor), entry)
        or _persons(m.state, entry)
        or _playing_on(m, book, entry)
    ):
        raise _unfit(found)
    if differing := _misidentified(m, entry):
        raise _unfit(differing, m.rules.cite.identification)
    you = entry.you if entry.you is not None else actor if actor != MODERATOR else m.state.first_seat()
    number = m.state.haunt.entered + 1 if m.state.haunt is not None else 1
    if number > MOST_ENTRIES:
        raise Refused(f"a game takes at most {MOST_ENTRIES} entries", problem="unfit-entry")
    asked = _asked(m.state, actor) if weighs(entry) else []
    m.call("enter", entry=msgspec.to_builtins(entry), book=book, by=actor, you=you, number=number, ask=asked)


def read_entry(command: Enter) -> Entry:
    """What is entered; raises `unfit-entry` as `Refused` for what is wrong in every game."""
    entry, found = read(command.entry)
    if entry is None:
        raise _unfit(found)
    return entry


def _unfit(found: list[Finding], rule: str = "") -> Refused:
    return Refused(_sentence(found), rule=rule, problem="unfit-entry", errors=[_error(one) for one in found])


def _book(m: Machine, actor: int, command: Enter) -> str:
    mine = books(m.rules, m.state, actor)
    if command.book is None or command.book in mine:
        return command.book or mine[0]
    if len(books(m.rules, m.state, MODERATOR)) == 1:
        raise Refused(
            f"everybody reads one book in this haunt: enter from `{mine[0]}`",
            rule=m.rules.cite.one_book,
            problem="not-your-book",
        )
    raise Refused(
        f"you can enter only from your own side's book, `{mine[0]}`",
        rule=m.rules.cite.heroes_read,
        problem="not-your-book",
    )


def _known(m: Machine, actor: int) -> Haunt:
    """The haunt as far as the actor was told of it, so that a check gives nothing away."""
    sheet = m.rules.pack.haunts[EXTERNAL]
    if m.state.haunt is None or actor == MODERATOR:
        return sheet
    mine = books(m.rules, m.state, actor)
    entries = [
        one if one.book in mine else msgspec.structs.replace(one, entry=part_of(one.entry, ON_THE_TABLE))
        for one in m.state.haunt.entries
    ]
    return sheet_of(m.rules.pack.chart, msgspec.structs.replace(m.state.haunt, entries=entries))


def _persons(state: State, entry: Entry) -> list[Finding]:
    """Check that the seats that an entry names exist."""
    found = []
    living = [one.seat for one in state.living()]
    if entry.traitor is not None and entry.traitor not in living:
        found.append(
            Finding(("traitor",), f"the explorer of seat {entry.traitor} is not alive", f"living seats are {living}")
        )
    if entry.you is not None and entry.you not in range(state.seats):
        found.append(Finding(("you",), f"there is no seat {entry.you}", f"the last one is {state.seats - 1}"))
    return found


def _playing_on(m: Machine, book: str, entry: Entry) -> list[Finding]:
    """What monsters need after the traitor's death is in the book that the traitor reads (2E-HTURN-005)."""
    if entry.plays_on is None or book == "traitor" or len(books(m.rules, m.state, MODERATOR)) == 1:
        return []
    return [Finding(("plays-on",), "this belongs to the traitor's book")]


def _misidentified(m: Machine, entry: Entry) -> list[Finding]:
    """Compare what is printed over the haunt with what led to it: else people would read another haunt than theirs (3E-START-002)."""
    haunt, rules = m.state.haunt, m.rules
    if haunt is None:
        return []
    led: dict[str, object] = {
        "number": haunt.number,
        "scenario": m.state.scenario,
        "trigger": haunt.omen or event_of(rules.pack.source, haunt.number),
        "traitor_rule": rules.pack.chart.traitors.get(str(haunt.number)),
    }
    found = []
    for name in IDENTIFICATION:
        printed, here = getattr(entry, name), led[name]
        if printed is not None and _first(printed) != _first(here):
            said = f"`{here}`" if isinstance(here, str | int) and here else "another"
            message = f"what led here says {said}: look whether you have turned to haunt {haunt.number}"
            found.append(Finding((name.replace("_", "-"),), message))
    return found


def _first(said: object) -> object:
    """A rule on the traitor without what holds where nobody fits: that need not be printed over the haunt."""
    return msgspec.structs.replace(said, otherwise=None) if isinstance(said, TraitorRule) else said


def _sentence(found: list[Finding]) -> str:
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{_error(found[0])[1]}{more}" if found else "the entry can't be played"


def _error(finding: Finding) -> tuple[str, str]:
    """A mistake as JSON pointer and sentence."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in finding.trail)
    hint = f": {finding.suggestion}" if finding.suggestion else ""
    return "".join(f"/{step}" for step in ("entry", *steps)), f"{finding.message}{hint}"


# -- what weighs --------------------------------------------------------------------------------------------------------------------


def weighs(entry: Entry) -> bool:
    """Whether an entry touches winning, deaths, traits or positions, now or later, so that others have to consent.

    Words not known to be harmless count as touching them.
    """
    if entry.traitor is not None or entry.wins_when is not None or entry.plays_on is not None or entry.monsters:
        return True
    now = Entry(do=entry.do)
    return _heavy(now, LIGHT_NOW) or _heavy(entry, LIGHT)


def _heavy(entry: Entry, light: frozenset[str]) -> bool:
    return any(_touches(spot.value, light) for spot in walk(Spot((), entry)))


def _touches(word: Word, light: frozenset[str]) -> bool:
    if isinstance(word, Effect):
        return any(name in VERBS and name not in light for name in word.stated())
    return isinstance(word, WEIGHTY) or (isinstance(word, TokenKind) and word.links_alike)


def _asked(state: State, actor: int) -> list[int]:
    """Whose consent is needed: the referee's, or without a referee that of all other seats."""
    if actor == MODERATOR:
        return []
    chosen = state.options.get("consent")
    if chosen == "referee" or (chosen is None and state.source == "moderator"):
        return [MODERATOR]
    return [seat for seat in range(state.seats) if seat != actor]


# -- the procedure ------------------------------------------------------------------------------------------------------------------


class Entering(Waiting):
    """Bindings of `enter`."""

    entry: dict[str, Any]
    """As it was written."""
    book: str
    by: int
    you: int
    number: int
    ask: list[int]
    """Seats whose consent is needed, -1 for the referee's."""


def consent(m: Machine, f: Frame[Entering]) -> bool | None:
    """Those who are asked see the whole entry; a single refusal, and nothing is entered."""
    to_ask: list[int] = f.vars["ask"]
    if not to_ask:
        return None
    if "asked" not in f.vars:
        proposed = EntryProposed(**_named(f), entry=_entry(f), rule=_reading(m, f))
        m.emit(proposed, _readers(m, f.vars["book"]) | _mask([*to_ask, f.vars["by"]]))
        f.vars["asked"] = [
            m.open(Decision(id="", seat=seat, kind="consent", about=f"entry:{f.vars['book']}", options=[YES, NO]))
            for seat in to_ask
        ]
        return WAIT
    replies: dict[str, str] = f.vars.get("replies", {})
    refused = [to_ask[f.vars["asked"].index(decision)] for decision, reply in replies.items() if reply == NO]
    if not refused and len(replies) < len(to_ask):
        return WAIT
    for decision in f.vars.pop("asked"):
        if decision not in replies:
            m.emit(DecisionClosed(decision=decision))
    f.vars.pop("replies")
    if refused:
        m.emit(EntryRefused(number=f.vars["number"], by=refused[0]))
        f.finish()
    else:
        m.emit(EntryAgreed(number=f.vars["number"]))
    return None


def name_the_traitor(m: Machine, f: Frame[Entering]) -> None:
    """The traitor that the book names, in place of the chart's; somebody who changes sides reads the other book (2E-HREV-003)."""
    seat, cite = _entry(f).traitor, m.rules.cite
    if seat is None:
        return
    before = [one.side for one in m.state.explorers]
    for one in m.state.explorers:
        side = "traitor" if one.seat == seat else "heroes"
        m.emit(
            SideTold(
                seat=one.seat, side=side, revealed=True, rule=cite.traitor_named if side == "traitor" else cite.heroes
            )
        )
    free_traitor(m, seat)
    m.rules = m.rules.of(m.state)
    for one in m.state.explorers:
        if one.side != before[one.seat]:
            m.emit(TextTold(side=one.side, text=f"{one.side}.book", rule=_reads(m, one.side)), _mask([one.seat]))
            _tell_entries(m, one.seat)


def _tell_entries(m: Machine, seat: int) -> None:
    """Somebody who has changed sides is told what was entered of the book that is now its own (2E-HSET-003)."""
    haunt, side = m.state.haunt, m.state.explorers[seat].side
    if haunt is None or len(books(m.rules, m.state, MODERATOR)) == 1:
        return
    for one in list(haunt.entries):
        if one.book == side and not is_empty(part_of(one.entry, IN_THE_BOOK)):
            told = BookEntered(number=one.number, book=side, by=one.by, entry=one.entry, rule=_reads(m, side))
            m.emit(told, _mask([seat]))


def record(m: Machine, f: Frame[Entering]) -> None:
    """All are told what is on the table, and the book's readers what is in it."""
    entry = _entry(f)
    if any(getattr(entry, name) is not None for name in IDENTIFICATION):
        m.apply_rule("haunt", m.rules.cite.identification)
    table, book = part_of(entry, ON_THE_TABLE), part_of(entry, IN_THE_BOOK)
    if not is_empty(table):
        m.emit(BookEntered(**_named(f), entry=table, rule=m.rules.cite.right_now))
    if not is_empty(book):
        m.emit(BookEntered(**_named(f), entry=book, rule=_reading(m, f)), _readers(m, f.vars["book"]))
    m.rules = m.rules.of(m.state)


def do_at_once(m: Machine, f: Frame[Entering]) -> None:
    """The steps of the entry; `you` is the one whom it names."""
    if _entry(f).do:
        you = f.vars["you"]
        block = f"haunt/{EXTERNAL}#blocks.{block_name(f.vars['number'])}"
        m.call(block, you=you, drawer=you, owner=you, src=f"haunt:{f.vars['book']}")


ENTER = procedure("enter", consent, name_the_traitor, record, do_at_once)


def read_entries(m: Machine, f: Frame[Seated]) -> None:
    """Tell the entries of the new side's book after the haunt has changed somebody's side."""
    _tell_entries(m, f.vars["seat"])


READ_ENTRIES = procedure("read-entries", read_entries)


def _entry(f: Frame[Entering]) -> Entry:
    return msgspec.convert(f.vars["entry"], Entry)


def _named(f: Frame[Entering]) -> dict[str, Any]:
    return {name: f.vars[name] for name in ("number", "book", "by")}


def _reading(m: Machine, f: Frame[Entering]) -> str:
    """The rule by which those of a side, or all, read it."""
    return m.rules.cite.one_book if len(books(m.rules, m.state, MODERATOR)) == 1 else _reads(m, f.vars["book"])


def _reads(m: Machine, side: str) -> str:
    return m.rules.cite.traitor_reads if side == "traitor" else m.rules.cite.heroes_read


def _readers(m: Machine, book: str) -> Mask:
    """Who reads a book: its side and the referee, or everybody where there is only one (2E-HSET-003, 2E-HID-004)."""
    return EVERYBODY if len(books(m.rules, m.state, MODERATOR)) == 1 else m.state.side_mask(book)


def _mask(seats: list[int]) -> Mask:
    mask = REFEREE
    for seat in seats:
        mask |= seat_bit(seat) if seat >= 0 else REFEREE
    return mask
