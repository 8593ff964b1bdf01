"""Shifts: monsters or heroes that come nearer by an effect (Bell, Spirit Board), outside their own turn."""

from __future__ import annotations

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Glance, Machine
from domain.facts.state import Figure, MonsterId, is_explorer
from domain.house.paths import steps_toward, ways
from domain.queries.characters import is_kind
from domain.rulebook.explore.moving import leaving_penalty
from domain.rulebook.table.adjustments import spared


class Shifting(Waiting):
    """Bindings of `shift`."""

    toward: Figure
    every: bool
    """Nobody may stay."""
    heroes: bool
    """Heroes come, not monsters."""
    left: list[Figure]
    """Those whose step is still to come."""


def gather(m: Machine, f: Frame[Shifting]) -> None:
    """Those who have a way: monsters in the order in which they came, or heroes by seat."""
    toward = f.vars["toward"]
    if f.vars.get("heroes"):
        f.vars["left"] = [seat for seat in heroes_with_a_way(m, toward) if is_kind(m.state, seat, "hero")]
    else:
        f.vars["left"] = [*monsters_with_a_way(m, toward)]


def heroes_with_a_way(m: Glance, toward: Figure) -> list[int]:
    """Heroes who can come nearer to a character and leave their room freely, by seat; anybody who may be one, while the traitor is hidden."""
    hidden = m.state.haunt is not None and m.state.haunt.hidden
    return [
        one.seat
        for one in m.state.living()
        if one.seat != toward
        and (hidden or is_kind(m.state, one.seat, "hero"))
        and one.held is None
        and not leaving_penalty(m.rules, m.state, one.seat)
        and not _rolls_to_leave(m, one.seat)
        and _nearer(m, one.seat, toward)
    ]


def monsters_with_a_way(m: Glance, toward: Figure) -> list[MonsterId]:
    """Monsters that can come nearer to a character, in the order in which they came."""
    return [name for name, one in m.state.monsters.items() if not one.stunned and _nearer(m, name, toward)]


def _rolls_to_leave(m: Glance, seat: int) -> bool:
    """Whether the way out of the explorer's room takes a roll, which a card may spare it (Medallion)."""
    room = m.state.explorers[seat].room
    return room in m.rules.pack.held_by_roll and not spared(m, seat, room)


def _nearer(m: Glance, figure: Figure, toward: Figure) -> list[str]:
    """Rooms next to a character on a shortest way to another."""
    room, part = m.state.place_of(figure)
    goal = m.state.place_of(toward)[0]
    if not room or not goal:
        return []  # one of them hides
    return steps_toward(m.state, room, goal, part=part, monster=not is_explorer(figure))


def step(m: Machine, f: Frame[Shifting]) -> bool | None:
    """Each goes one space along a shortest way; where some may stay, a monster's controller or `you` say which."""
    left = f.vars["left"]
    if not left:
        f.finish()
        return None
    figure: Figure = left[0]
    options = _nearer(m, figure, f.vars["toward"])
    if not f.vars["every"]:
        options = ["stay", *options]
    if not options:
        left.pop(0)  # an earlier step has changed the house
        f.goto("step")
        return None
    asked = m.rules.controller(m.state, f.vars["toward"] if is_explorer(figure) else figure)
    about = f"shift:seat:{figure}" if is_explorer(figure) else f"shift:{figure}"
    chosen = m.choose(f, asked, about, options)
    if chosen is None:
        return WAIT
    left.pop(0)
    f.goto("step")
    if chosen == "stay":
        return None
    if is_explorer(figure):
        room, part = m.state.place_of(figure)
        side = next(at for there, at in ways(m.state, m.state.rooms[room], part) if there == chosen)
        m.call("relocate", figure=figure, room=chosen, part=side)
    else:
        m.call("relocate", figure=figure, room=chosen)
    return None


SHIFT = procedure("shift", gather, step)
