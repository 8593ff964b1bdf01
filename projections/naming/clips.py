"""Where clips can be when one of several ways is gone: the lowest and the highest place of each, and whether its explorer is dead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce

import msgspec

from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.state import TRAIT_INDEX, Figure, State, is_explorer
from domain.rulebook.fight.harm import KINDS
from domain.rulebook.table.traits import LOWEST, TOP
from projections.naming.consequences import HARMLESS, Worst, of_losing, together

SHOWN = {"State": ("explorers", "haunt"), "Explorer": ("at", "alive", "cards")}
"""The fields of a role's state that are read here; all others stay hidden."""


class Clips(msgspec.Struct):
    """Where an explorer's clips can be, by trait, and what has become of it."""

    low: list[int]
    high: list[int]
    dead: bool | None = False
    """None: perhaps."""


class Tracks:
    """The clips of all whom a box concerns, on every way that it can take."""

    def __init__(self, m: Glance) -> None:
        """Begin where the clips are now."""
        self._m = m
        self._clips: dict[int, Clips] = {}
        self.skips: bool | None = False
        """Whether the rest of the block is skipped; None: perhaps."""

    def dead(self, figure: Figure) -> bool | None:
        """Whether an explorer has died; None: perhaps."""
        clips = self._clips.get(figure) if is_explorer(figure) else None
        return False if clips is None else clips.dead

    def perhaps(self, way: Callable[[], None]) -> None:
        """Follow a way that may not be gone."""
        self.either([way, nothing])

    def either(self, ways: Iterable[Callable[[], None]]) -> None:
        """Follow each of several ways from here, of which one is gone."""
        before, skipped = self._clips, self.skips
        met: list[tuple[dict[int, Clips], bool | None]] = []
        for way in ways:
            self._clips, self.skips = _copy(before), skipped
            way()
            met.append((self._clips, self.skips))
        self._clips, self.skips = before, skipped
        if met:
            self._clips = self._meet([clips for clips, _ in met])
            self.skips = _all_alike([skips for _, skips in met])

    def _meet(self, ways: list[dict[int, Clips]]) -> dict[int, Clips]:
        met = {}
        for seat in dict.fromkeys(seat for clips in ways for seat in clips):
            found = [clips[seat] if seat in clips else self._now(seat) for clips in ways]
            met[seat] = Clips(
                [min(row) for row in zip(*(one.low for one in found), strict=True)],
                [max(row) for row in zip(*(one.high for one in found), strict=True)],
                _all_alike([one.dead for one in found]),
            )
        return met

    def _now(self, seat: int) -> Clips:
        at = self._m.state.explorers[seat].at
        return Clips(list(at), list(at))

    def of(self, seat: int) -> Clips:
        """Where the clips of an explorer can be on the way that is being followed."""
        if seat not in self._clips:
            self._clips[seat] = self._now(seat)
        return self._clips[seat]

    def die(self, seat: int, *, sure: bool = True) -> None:
        """An explorer dies, or may; never surely with a card that may keep it alive."""
        explorer, pack = self._m.state.explorers[seat], self._m.rules.pack
        if not explorer.alive:
            return
        saved = any((f"card:{card}", "dying") in pack.triggers for card in explorer.cards)
        clips = self.of(seat)
        clips.dead = True if clips.dead or (sure and not saved) else None

    def down(self, seat: int, trait: str, least: int, most: int) -> None:
        """A clip falls by `least` to `most` spaces, in the haunt to the skull."""
        clips, index = self.of(seat), TRAIT_INDEX[trait]
        low, high = clips.low[index] - most, clips.high[index] - least
        if self._m.state.haunt is not None and low < LOWEST and most:
            self.die(seat, sure=high < LOWEST)
        clips.low[index], clips.high[index] = max(LOWEST, low), max(LOWEST, high)

    def raised(self, seat: Figure) -> None:
        """Something may have raised every trait."""
        if is_explorer(seat):
            self.of(seat).high = [TOP] * len(TRAIT_INDEX)


def threatens(rules: Rules, state: State, seat: int, worst: Worst) -> bool:
    """Whether something can kill an explorer at all, by how bad it can be and where the clips are: a quick look before `Fates`."""
    explorer = state.explorers[seat]
    if worst.cards:
        worst = _with_losses(rules, worst, tuple(explorer.cards))
    if worst.kills:
        return True
    if min(explorer.at) > sum(worst):
        return False
    body, mind = worst.physical + worst.general, worst.mental + worst.general
    spare = dict[str, int]()
    for (trait, index), named in zip(TRAIT_INDEX.items(), worst[: len(TRAIT_INDEX)], strict=True):
        spare[trait] = explorer.at[index] - named - LOWEST
        if named and spare[trait] < (body if trait in KINDS["physical"] else mind):
            return True
    points = {"physical": body, "mental": mind, "general": body + worst.mental}
    return any(most and most > sum(spare[trait] for trait in KINDS[kind]) for kind, most in points.items())


@lru_cache(maxsize=4096)
def _with_losses(rules: Rules, worst: Worst, cards: Sequence[str]) -> Worst:
    """With the worst that can come of losing some of the cards that one holds, as many as `worst` says."""
    loss = reduce(Worst.or_else, (of_losing(rules, card) for card in cards), HARMLESS)
    return together([worst, *[loss] * worst.cards])


def nothing() -> None:
    """The way on which nothing happens."""


def _copy(clips: dict[int, Clips]) -> dict[int, Clips]:
    return {seat: Clips(list(one.low), list(one.high), one.dead) for seat, one in clips.items()}


def _all_alike(found: Sequence[bool | None]) -> bool | None:
    return found[0] if all(one is found[0] for one in found) else None
