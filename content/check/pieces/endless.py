"""What would go on without end, or all at once beyond what a game bears: rooms that send on to each other, crowds of monsters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from content.check.form.amounts import by_players
from content.errors import Finding, Trail
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, PlaceMonster, Token
from content.vocabulary.pack import Haunt, PackHead, Tile, Trigger

ENDS = ("kill", "remove", "escape", "stop", "win")
"""Verbs after which the one who has entered may be no longer there, or nothing more is done."""

MOST_AT_ONCE = 100
"""Monsters and tokens that one list of steps places."""
MOST_BLOCKS = 8
"""Blocks that run blocks are followed so deep."""


class Sending(NamedTuple):
    """A room that sends on whoever enters it, without a condition."""

    room: str
    whom: str
    to: str
    place: Trail


def sent_back(survey: Survey) -> Iterator[Finding]:
    """No room sends everybody who enters it on to one that sends them back, nor to itself: this would never end."""
    sendings = [one for tile in survey.of(Tile) for one in _sendings(tile)]
    for one in sendings:
        way, at = [one.room], one.to
        while at not in way:
            onward = next((two.to for two in sendings if two.room == at and _alike(two.whom, one.whom)), None)
            if onward is None:
                break
            way.append(at)
            at = onward
        if at == one.room:
            through = "" if len(way) == 1 else f" by way of {', '.join(f'`{room}`' for room in way[1:])}"
            message = f"whoever enters `{one.room}` is sent back to it{through}: this would never end"
            yield Finding(one.place, message, "ask something by `if`, or limit it by `once`")


def _sendings(tile: Spot[Tile]) -> Iterator[Sending]:
    for number, trigger in enumerate(tile.value.on):
        if trigger.when != "entered" or not _always(trigger):
            continue
        for index, step in enumerate(trigger.do):
            if any(getattr(step, name) is not None for name in ENDS):
                break
            sure = step.if_ is None and step.may is None and not step.harmful and step.who in (None, "you")
            if step.move is not None and sure and isinstance(step.move.to, str):
                to = tile.value.id if step.move.to == "here" else step.move.to
                yield Sending(tile.value.id, trigger.for_, to, tile.at("on", number, "do", index, "move", "to"))


def _always(trigger: Trigger) -> bool:
    return trigger.if_ is None and trigger.once is None and not trigger.harmful


def _alike(one: str, other: str) -> bool:
    return one == other or "everyone" in (one, other)


def at_once(survey: Survey) -> Iterator[Finding]:
    """What one list of steps places, with the blocks that it runs, comes to 100 monsters and tokens at most."""
    crowds = _Crowds(survey)
    first = [spot for spot in survey.of(Effect) if spot.above is None or spot.above.inside(Effect) is None]
    for trail, steps in groupby(first, key=lambda spot: spot.trail[:-1]):
        total, last = 0, trail
        for spot in steps:
            brought = crowds.brought_by(spot)
            if brought and total <= MOST_AT_ONCE:
                last = spot.trail
            total += brought
        if total > MOST_AT_ONCE:
            message = f"these steps place {total} monsters and tokens at once: at most {MOST_AT_ONCE} are borne"
            yield Finding(last, message, "place fewer, or some of them later")


class _Crowds:
    """Adds up what steps place, the most that any choice or result of a roll brings."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        homes: list[Spot[Any]] = [*survey.of(PackHead), *survey.of(Haunt)]
        self._blocks: dict[Trail, list[Spot[Any]]] = {
            home.at("blocks", name): [] for home in homes for name in home.value.blocks
        }
        for home in homes:
            for child in survey.children(home):
                if child.trail[:-1] in self._blocks:
                    self._blocks[child.trail[:-1]].append(child)
        self._known: dict[Trail, int] = {}

    def brought_by(self, spot: Spot[Any], deep: int = 0) -> int:
        """Return what a Struct places: a step, or a part of one."""
        value = spot.value
        found = _most(value) if isinstance(value, PlaceMonster | Token) else 0
        branches: dict[Trail, int] = {}
        for child in self._survey.children(spot):
            if brought := self.brought_by(child, deep):
                branch = child.trail[len(spot.trail) :][:2]
                branches[branch] = branches.get(branch, 0) + brought
        if branches:
            found += _at_most(branches)
        if isinstance(value, Effect) and value.run is not None and deep < MOST_BLOCKS:
            found += self._run(spot, value.run, deep)
        return found

    def _run(self, spot: Spot[Effect], name: str, deep: int) -> int:
        haunt = spot.inside(Haunt)
        homes: list[Trail] = [*([haunt.trail] if haunt else []), ("head",)]
        block = next((trail for home in homes if (trail := (*home, "blocks", name)) in self._blocks), None)
        if block is None:
            return 0
        if block not in self._known:
            self._known[block] = 0
            self._known[block] = sum(self.brought_by(one, deep + 1) for one in self._blocks[block])
        return self._known[block]


def _at_most(branches: dict[Trail, int]) -> int:
    """Add up what all parts of a Struct place, but of results, of options, and of `then` and `else`, only the most."""
    either = {name: [many for way, many in branches.items() if way[0] == name] for name in ("outcomes", "choose")}
    both = [sum(many for way, many in branches.items() if way[0] == name) for name in ("then", "else")]
    rest = sum(many for way, many in branches.items() if way[0] not in ("then", "else", *either))
    return rest + max(both) + sum(max(some, default=0) for some in either.values())


def _most(placed: PlaceMonster | Token) -> int:
    return max((by_players(placed.count) or {"": 1}).values(), default=0)
