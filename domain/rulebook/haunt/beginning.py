"""The haunt begins: which one, what each side reads, when play goes on (rulebook: The Haunt)."""

from __future__ import annotations

from content.vocabulary.pack import Haunt
from domain.editions.asking import Topic
from domain.editions.edition import Edition
from domain.engine.block import WAIT, Block, Frame, procedure
from domain.engine.books import maxima, starts, with_known_end
from domain.engine.external import EXTERNAL, empty_sheet
from domain.engine.machine import Machine
from domain.facts.audience import REFEREE, Mask
from domain.facts.events import (
    CountersTold,
    HauntBegun,
    RuleApplied,
    ScenarioChosen,
    TextTold,
)
from domain.facts.ids import id_kind
from domain.facts.state import Decision
from domain.queries.characters import is_kind
from domain.rulebook.cards.drawing import free_traitor
from domain.rulebook.haunt.known_haunts import BeginningHaunt, by_distance, look_up
from domain.rulebook.haunt.traitor import ask_traitor, ask_volunteers, name_traitor, replace_traitor
from domain.rulebook.table.triggers import fire

# -- begin-haunt ------------------------------------------------------------------------------------------------------------------


def end_turn(m: Machine, _f: Frame[BeginningHaunt]) -> None:
    """A haunt that was revealed in the middle of a turn waits until that has ended with all that is due (3E-TURN-007)."""
    if m.state.turn.acting:
        m.call("end-turn")


def read_chart(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """The chart names the haunt by omen and room (2E-HREV-001, 2E-HREV-002)."""
    chart = m.rules.pack.chart
    if f.vars.get("number"):
        f.goto("reveal_haunt")  # a card has named the haunt
        return None
    charted = charted_room(m, f)
    if charted is None:
        return WAIT
    f.vars["charted"] = charted
    f.vars["number"] = chart.cells[charted][chart.omens.index(f.vars["omen"])]
    return None


def read_scenario(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """The scenario names the haunt by the omen, wherever that was drawn; an event names its own (3E-SCEN-001)."""
    if f.vars.get("number"):
        return None
    scenarios = m.rules.pack.scenarios
    chosen = m.state.scenario
    if chosen not in scenarios:  # a game that began before scenarios were chosen
        asked = m.choose(f, f.vars["seat"], "scenario", list(scenarios), rule=m.rules.cite.scenario)
        if asked is None:
            return WAIT
        chosen = asked
        m.emit(ScenarioChosen(scenario=chosen, rule=m.rules.cite.scenario))
    f.vars["number"] = scenarios[chosen].haunts[f.vars["omen"]]
    return None


def reveal_haunt(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The haunt is what the chart says, unless the game's options name one."""
    seat, number = f.vars["seat"], f.vars["number"]
    chart = m.rules.pack.chart
    named = m.state.options.get("haunt")
    haunt_id = str(named) if named else chart.haunts[str(number)]
    haunt = empty_sheet(chart, number) if haunt_id == EXTERNAL else m.rules.pack.haunts[haunt_id]
    f.vars["haunt"], aloud = haunt_id, m.rules.edition.haunt.reads_aloud
    known = m.rules.pack.counters_known.get((haunt_id, aloud), [])  # of one's own book nothing is entered yet
    m.emit(
        HauntBegun(
            haunt=haunt_id,
            number=number,
            omen=f.vars.get("matched", f.vars["omen"]),
            room=f.vars["room"],
            revealer=seat,
            hidden=haunt.kind == "hidden-traitor",
            counters=starts(haunt, known, m.state.seats),
            maxima=maxima(haunt, with_known_end(haunt, known), m.state.seats),
            rule=f.vars.get("found") or _found_by(m, f),
        )
    )
    m.apply_rule("haunt", m.rules.cite.revealer)
    m.rules = m.rules.of(m.state)


def _found_by(m: Machine, f: Frame[BeginningHaunt]) -> str:
    """The rule behind the chart's answer: the room is the one in which the omen was drawn, wherever the revealer is now."""
    if not f.vars["omen"] and m.rules.cite.event_haunt:
        return m.rules.cite.event_haunt
    here = m.state.explorers[f.vars["seat"]].room == f.vars["room"]
    return m.rules.cite.haunt_chart if here else m.rules.cite.omen_and_room


def charted_room(m: Machine, f: Frame[BeginningHaunt]) -> str | None:
    """The room itself, or, if the chart has no row for it, the nearest room to the revealer that it has (2E-HREV-001, ruling).

    If several are equally near, the revealer chooses, as by the optional rule; None: wait for that.
    """
    room, seat, chart = f.vars["room"], f.vars["seat"], m.rules.pack.chart
    if room in chart.cells:
        return str(room)
    there = [one for one in m.state.rooms if one in chart.cells]
    if not there:
        return chart.rooms[0]
    return m.choose(f, seat, "haunt-room", by_distance(m, seat, there)[0], rule=m.rules.cite.haunt_chart)


# -- reading, and setting up ----------------------------------------------------------------------------------------------------------


def unburden(m: Machine, _f: Frame[BeginningHaunt]) -> None:
    """The traitor is free of what impeded it (2E-TPOW-001); a hidden one only when it is revealed."""
    haunt = m.state.haunt
    if haunt is not None and not haunt.hidden and haunt.traitor >= 0:
        free_traitor(m, haunt.traitor)


def read_story(m: Machine, _f: Frame[BeginningHaunt]) -> None:
    """The haunt's story is read to all."""
    m.emit(TextTold(side="all", text="story", rule=m.rules.cite.haunt_chart))


def heroes_introduction(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The heroes read their introduction to all, before anything else of the haunt (3E-START-004)."""
    _read_aloud(m, f, "heroes.story", m.rules.cite.heroes_introduction)


def heroes_setup(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The heroes' setup begins, unless the haunt has the traitor's first, which its introduction precedes (3E-START-006)."""
    if m.rules.pack.haunts[f.vars["haunt"]].traitor_first:
        _read_aloud(m, f, "traitor.story", m.rules.cite.traitor_introduction)
    _set_up(m, f, _side(m, f, "heroes"))


def traitor_introduction(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The traitor reads its introduction to all, if it has not yet (3E-START-006)."""
    if not m.rules.pack.haunts[f.vars["haunt"]].traitor_first:
        _read_aloud(m, f, "traitor.story", m.rules.cite.traitor_introduction)


def traitor_setup(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The other side's setup begins."""
    _set_up(m, f, _side(m, f, "traitor"))


def _side(m: Machine, f: Frame[BeginningHaunt], side: str) -> str:
    """Whose setup takes the place of this side's: a haunt may have the traitor's done first (against 2E-HSET-006)."""
    if m.rules.pack.haunts[f.vars["haunt"]].traitor_first:
        return "heroes" if side == "traitor" else "traitor"
    return side


def _set_up(m: Machine, f: Frame[BeginningHaunt], side: str) -> None:
    """What a side's setup says is read to all (3E-START-009)."""
    _read_aloud(m, f, f"{side}.setup", m.rules.cite.setup_aloud)
    m.apply_rule(f"haunt:{side}", m.rules.cite.own_setup)


def _read_aloud(m: Machine, f: Frame[BeginningHaunt], text: str, rule: str) -> None:
    """Read a part of a book to all, if there is that book."""
    if text.partition(".")[0] in m.rules.pack.haunts[f.vars["haunt"]].books:
        m.emit(TextTold(side="all", text=text, rule=rule))


def open_books(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """Each side reads its own book and keeps it to itself; with a hidden traitor everybody reads one.

    2E-HSET-001, 2E-HSET-003, 2E-SEC-001, 2E-HID-004.
    """
    haunt = m.rules.pack.haunts[f.vars["haunt"]]
    cite = m.rules.cite
    if haunt.one_book:
        m.emit(TextTold(side="all", text=f"{haunt.read_by('heroes')}.book", rule=_one_book(m, haunt)))
        return
    heroes, traitor = m.state.side_mask("heroes"), m.state.side_mask("traitor")
    m.emit(TextTold(side="heroes", text="heroes.book", rule=cite.heroes_read), heroes)
    m.apply_rule("haunt:heroes", cite.goals_hidden, heroes)
    tell_counters(m, haunt, "heroes", heroes)
    m.emit(TextTold(side="traitor", text="traitor.book", rule=cite.traitor_reads), traitor)
    tell_counters(m, haunt, "traitor", traitor)
    known = {id_kind(key) for key in m.state.haunt.counters} if m.state.haunt is not None else set()
    rest = [name for name in haunt.counters if m.state.haunt is not None and name not in known]
    if rest:
        m.emit(
            CountersTold(
                side="", counters=starts(haunt, rest, m.state.seats), maxima=maxima(haunt, rest, m.state.seats)
            ),
            REFEREE,
        )


def _one_book(m: Machine, haunt: Haunt) -> str:
    """The rule by which everybody reads one book."""
    cite = m.rules.cite
    if haunt.kind == "free-for-all":
        return cite.one_book_for_all
    return cite.one_book_without_traitor if haunt.kind == "no-traitor" else cite.one_book


def ready(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """Play goes on only when everyone is ready (2E-HSET-005): independent answers, in any order."""
    replies = f.vars.get("replies", {})
    if "asked" not in f.vars:
        f.vars["asked"] = [
            m.open(Decision(id="", seat=one.seat, kind="ready", about="haunt", options=["ready"]))
            for one in m.state.living()
        ]
        return WAIT
    if len(replies) < len(f.vars["asked"]):
        return WAIT
    f.vars.pop("asked")
    f.vars.pop("replies")
    return None


def heroes_right_now(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The heroes' Right Now comes first, unless the haunt says otherwise (2E-HSET-006)."""
    _right_now(m, f, _side(m, f, "heroes"))


def traitor_right_now(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The other side's Right Now."""
    _right_now(m, f, _side(m, f, "traitor"))


def _right_now(m: Machine, f: Frame[BeginningHaunt], side: str) -> None:
    """Run a book's Right Now; in the heroes', `you` is the revealer, or the hero who sets up in the place of one who is the traitor."""
    haunt, state = m.rules.pack.haunts[f.vars["haunt"]], m.state
    if side not in haunt.books:
        return
    if side == "heroes":
        m.emit(RuleApplied(source="haunt:heroes", rule=m.rules.cite.right_now))
        m.call(f"haunt/{haunt.id}#heroes.right-now", you=_who_sets_up(m, f.vars["seat"]), src="haunt:heroes")
    elif state.haunt is not None:
        you = state.haunt.traitor if state.haunt.traitor >= 0 else f.vars["seat"]
        m.apply_rule("haunt:traitor", m.rules.cite.traitor_right_now)
        m.call(f"haunt/{haunt.id}#traitor.right-now", you=you, src="haunt:traitor")


def _who_sets_up(m: Machine, revealer: int) -> int:
    """Who carries out the heroes' setup (3E-START-005)."""
    state = m.state
    if not m.rules.edition.haunt.heroes_set_up or not is_kind(state, revealer, "revealed-traitor"):
        return revealer
    clockwise = [(revealer + step) % state.seats for step in range(1, state.seats)]
    return next((seat for seat in clockwise if state.explorers[seat].alive), revealer)


def first_turn(m: Machine, f: Frame[BeginningHaunt]) -> None:
    """The first turn of the haunt (2E-HTURN-001, 2E-HID-003)."""
    m.call("next-turn", seat=f.vars["seat"], monsters=False)
    fire(m, f"haunt:{f.vars['haunt']}", "haunt-started", f.vars["seat"])


STEPS = {
    step.__name__: step
    for step in (
        end_turn,
        read_chart,
        read_scenario,
        look_up,
        reveal_haunt,
        name_traitor,
        ask_traitor,
        ask_volunteers,
        replace_traitor,
        unburden,
        read_story,
        heroes_introduction,
        heroes_setup,
        traitor_introduction,
        traitor_setup,
        open_books,
        ready,
        heroes_right_now,
        traitor_right_now,
        first_turn,
    )
}
"""All steps in which a haunt may begin, by name; which of them, and in what order, is an edition's policy."""


READING = frozenset(
    step.__name__
    for step in (read_story, heroes_introduction, heroes_setup, traitor_introduction, traitor_setup, open_books)
)
"""Those of them in which something is read, and nothing else done."""


def begin_haunt(edition: Edition) -> Block:
    """The procedure `begin-haunt` of an edition."""
    return procedure("begin-haunt", *(STEPS[name] for name in edition.haunt.beginning))


WAITS_FOR: dict[str, Topic] = {
    "ask_traitor": lambda cite: cite.volunteer,
    "ask_volunteers": lambda cite: cite.volunteer,
    "replace_traitor": lambda cite: cite.volunteer,
    "heroes_right_now": lambda cite: cite.setup_order,
    "traitor_right_now": lambda cite: cite.before_first_turn,
    "ready": lambda cite: cite.ready,
}
"""By the step at which a beginning waits for somebody: the rule by which everything else has to wait too."""


def rule_of_waiting(m: Machine) -> str:
    """The rule by which the beginning of the haunt, which waits for somebody, comes first; empty if none begins."""
    frame = m.nearest("begin-haunt")
    if frame is None:
        return ""
    step = frame.next if frame is m.stack[-1] else frame.next - 1
    topic = WAITS_FOR.get(frame.block.paths[step])
    return topic(m.rules.cite) if topic is not None else ""


def tell_counters(m: Machine, sheet: Haunt, side: str, to: Mask) -> None:
    """Tell those who read a side's book its counters, their values and how far they go (2E-SEC-001)."""
    named = m.rules.pack.counters_named[sheet.id, side]
    if named:
        standing = {} if m.state.haunt is None else m.state.haunt.counters
        counters = starts(sheet, named, m.state.seats)
        counters |= {key: value for key, value in standing.items() if key in counters}
        m.emit(
            CountersTold(
                side=side, counters=counters, maxima=maxima(sheet, named, m.state.seats), rule=_reading(m, side)
            ),
            to,
        )


def _reading(m: Machine, side: str) -> str:
    """The rule by which a side knows what its book says."""
    return m.rules.cite.goals_hidden if side == "heroes" else m.rules.cite.traitor_reads
