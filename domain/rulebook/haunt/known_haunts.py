"""The optional rule for a group that has played a haunt before: another one is looked up on the chart (2E-HREV-006 to 2E-HREV-008)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from domain.engine.bindings import Seated
from domain.engine.block import WAIT, Frame
from domain.engine.external import EXTERNAL
from domain.engine.machine import Machine
from domain.facts.events import HauntRejected
from domain.house.paths import distances

ANOTHER, KEEP = "another", "keep"
"""The choices for a haunt that the group knows: look up another, or keep it (2E-HREV-006)."""
NO_WAY = 999
"""Spaces to a room that can't be reached: such rooms come last."""


WentOn = TypedDict("WentOn", {"went-on": bool}, total=False)
"""The search has moved on from the first rooms."""


class BeginningHaunt(Seated, WentOn):
    """Bindings of `begin-haunt`."""

    omen: str
    room: str
    """Where the omen was drawn."""
    number: NotRequired[int]
    """Of the haunt: a card has named it, or the chart has."""
    charted: NotRequired[str]
    """The row of the chart."""
    haunt: str
    search: NotRequired[list[Any]]
    """Omens with rooms of the chart that are still to be looked up."""
    found: NotRequired[str]
    """The rule by which another haunt took the place of a known one."""
    matched: NotRequired[str]
    """The omen of that one."""
    willing: NotRequired[list[int]]
    """Seats that are asked to volunteer, then those that do."""
    holders: NotRequired[list[int]]
    """The seats that hold the tokens dealt so far."""


def look_up(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """Find a haunt that the group does not know, if the game's options name known ones and the revealer confirms it for the group.

    First with the omen drawn, then with the revealer's other omens, the newest first; from room to room, the nearest to the
    revealer first, who chooses among equals. If all are known, what the chart said first is played (2E-HREV-008, ruling).
    """
    named = m.state.options.get("haunt") or EXTERNAL
    if not m.state.options.get("known_haunts") or named != EXTERNAL:
        return None
    vars_ = f.vars
    if "search" not in vars_:
        if "charted" not in vars_ or not _known(m, vars_["number"]):
            return None  # a card may name the haunt itself: then there is no chart to look at again
        kept = m.choose(
            f, vars_["seat"], f"known-haunt:{vars_['number']}", [ANOTHER, KEEP], rule=m.rules.cite.known_haunt
        )
        if kept is None:
            return WAIT
        if kept == KEEP:
            return None
        _reject(m, vars_["number"], vars_["omen"], vars_["charted"], m.rules.cite.known_haunt)
        vars_["search"] = _order(m, vars_["seat"], vars_["omen"], vars_["charted"])
    while vars_["search"]:
        omen, rooms = vars_["search"][0]
        new = [room for room in rooms if not _known(m, _number(m, omen, room))]
        if new:
            chosen = m.choose(f, vars_["seat"], "haunt-room", new, rule=_rule(m, f, omen))
            if chosen is None:
                return WAIT
            vars_.update({"number": _number(m, omen, chosen), "found": _rule(m, f, omen), "matched": omen})
            return None
        for room in rooms:
            _reject(m, _number(m, omen, room), omen, room, _rule(m, f, omen))
        vars_["went-on"] = True
        vars_["search"].pop(0)
    return None


def _order(m: Machine, seat: int, omen: str, first: str) -> list[list[object]]:
    """Omens with rooms of the chart that are in the house, those equally far from the revealer together."""
    explorer, chart = m.state.explorers[seat], m.rules.pack.chart
    others = [card for card in reversed(explorer.cards) if card in chart.omens and card != omen]
    found: list[list[object]] = []
    for each in (omen, *others):
        rooms = [room for room in m.state.rooms if room in chart.cells and (each != omen or room != first)]
        found += [[each, alike] for alike in by_distance(m, seat, rooms)]
    return found


def by_distance(m: Machine, seat: int, rooms: list[str]) -> list[list[str]]:
    """Rooms, the nearest to an explorer first by its own ways of moving; those equally far are grouped (2E-HREV-006, ruling)."""
    reach = distances(m.state, m.state.explorers[seat].room, monster=False)
    spaces = sorted({reach.get(room, NO_WAY) for room in rooms})
    return [[room for room in rooms if reach.get(room, NO_WAY) == far] for far in spaces]


def _number(m: Machine, omen: str, room: str) -> int:
    chart = m.rules.pack.chart
    return chart.cells[room][chart.omens.index(omen)]


def _known(m: Machine, number: int) -> bool:
    """Whether the group has played what this number leads to: the option names numbers of the chart and haunts of the pack."""
    known = m.state.options.get("known_haunts")
    return isinstance(known, list) and (number in known or m.rules.pack.chart.haunts[str(number)] in known)


def _rule(m: Machine, f: Frame[BeginningHaunt], omen: str) -> str:
    """The rule by which the search has come to where it is."""
    cite = m.rules.cite
    if omen != f.vars["omen"]:
        return cite.next_omen
    return cite.next_room if f.vars.get("went-on") else cite.known_haunt


def _reject(m: Machine, number: int, omen: str, room: str, rule: str) -> None:
    haunt = str(m.state.options.get("haunt") or m.rules.pack.chart.haunts[str(number)])
    m.emit(HauntRejected(haunt=haunt, number=number, omen=omen, room=room, rule=rule))
