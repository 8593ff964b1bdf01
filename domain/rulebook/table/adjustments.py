"""Standing effects: what cards in hand, tokens in the room and tiles adjust as long as they are there (2E-ITEM-003)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from content.vocabulary.pack import Modify, Standing
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.tables import Adjustment
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import is_kind


def standing_for(m: Glance, figure: Figure) -> Iterator[tuple[Adjustment, bool]]:
    """Standing effects that touch a character, and whether it is their holder (else it stands in their room)."""
    pack, state = m.rules.pack, m.state
    if is_explorer(figure):
        for card in state.explorers[figure].cards:
            for adjustment in pack.standing.get(f"card:{card}", ()):
                yield adjustment, True
    if state.tokens:
        room, part = state.place_of(figure)
        for here in state.tokens:
            if here.room == room and here.part == part:
                for adjustment in pack.standing.get(f"token:{here.token}", ()):
                    yield adjustment, False


def roll_modifiers(m: Glance, figure: Figure, kind: str, trait: str, event: bool) -> tuple[int, int, int, int | None]:  # noqa: FBT001 -- called in one place, with names
    """Extra dice, extra points, least dice and most dice for a roll."""
    dice = bonus = least = 0
    most: int | None = None
    if is_explorer(figure) and not m.state.explorers[figure].cards and not m.state.tokens:
        return 0, 0, 0, None
    if not is_explorer(figure) and figure not in m.state.monsters:
        return 0, 0, 0, None
    for adjustment, holds in standing_for(m, figure):
        modify = adjustment.standing.modify
        if modify is None or not _touches(m, figure, modify, kind, trait, event=event, holds=holds):
            continue
        if adjustment.holds is not None and not adjustment.holds(m, Frame(m.rules.block("roll"), {"you": figure})):
            continue
        dice += modify.dice
        bonus += modify.result
        if modify.min_dice is not None:
            least = max(least, modify.min_dice)
        if modify.max_dice is not None:
            most = modify.max_dice if most is None else min(most, modify.max_dice)
    return dice, bonus, least, most


def answers_roll(rolls: Sequence[str], kind: str, *, event: bool) -> bool:
    """Whether a roll is one of those that content names; `event`: an event drawn by the roller asks for it."""
    if "any" in rolls or kind in rolls:
        return True
    return event and ("event" in rolls or (kind == "trait" and "event-trait" in rolls))


def _touches(m: Glance, figure: Figure, modify: Modify, kind: str, trait: str, *, event: bool, holds: bool) -> bool:
    rolls = modify.rolls
    if not answers_roll(rolls, kind, event=event):
        return False
    if modify.traits is not None and trait not in modify.traits:
        return False
    if modify.whose == "holder":
        return holds
    if not is_explorer(figure):
        return False
    return modify.whose == "in-room" or is_kind(m.state, figure, "hero")


def reduction(m: Glance, seat: int, kind: str) -> tuple[int, str]:
    """Points by which a damage of this kind is lowered, and the card that does it."""
    points, by = 0, ""
    for card in m.state.explorers[seat].cards:
        for standing, _holds in m.rules.pack.standing.get(f"card:{card}", ()):
            if standing.reduce_damage is not None and standing.reduce_damage.kind == kind:
                points += standing.reduce_damage.points
                by = f"card:{card}"
    return points, by


def spared(m: Glance, seat: int, tile: str) -> str:
    """The card that spares its holder the harmful text of a tile (Medallion), or empty."""
    for card in m.state.explorers[seat].cards:
        for standing, _holds in m.rules.pack.standing.get(f"card:{card}", ()):
            if standing.spared is not None and tile in standing.spared:
                return f"card:{card}"
    return ""


def card_with(m: Glance, seat: int, says: Callable[[Standing], bool]) -> str:
    """The first of an explorer's cards with such a standing adjustment, or empty."""
    for card in m.state.explorers[seat].cards:
        if any(says(standing) for standing, _holds in m.rules.pack.standing.get(f"card:{card}", ())):
            return card
    return ""


def obstacles(state: State, room: str, part: int, slows: Mapping[str, int]) -> int:
    """Spaces that tokens in (a part of) a room add to leaving it (3E-OBST-003)."""
    spaces = 0
    for here in state.tokens:
        if here.room == room and here.part == part:
            spaces += slows.get(here.token, 0) * here.count
    return spaces


def blocks_sight(m: Glance) -> list[str]:
    """Rooms that can't be looked into or through."""
    opaque = m.rules.pack.opaque
    return [here.room for here in m.state.tokens if here.token in opaque]
