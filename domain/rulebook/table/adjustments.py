"""Standing effects: what cards in hand, tokens in the room and tiles adjust as long as they are there (2E-ITEM-003)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from content.vocabulary.pack import Modify, Standing
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import is_kind
from domain.rulebook.table.limits import ready_to_use


def holding(
    rules: Rules, state: State, seat: int, kind: Literal["card", "token"], names: Iterable[str]
) -> Iterator[tuple[str, Standing]]:
    """What cards or tokens adjust for an explorer now, each with its source's name: nothing whose condition does not hold.

    Not for words that can have no condition (`content.check.form.fields.UNCONDITIONAL`): the tables of the pack have these.
    """
    adjustments = rules.pack.standing
    for name in names:
        source = f"{kind}:{name}"
        for standing, condition in adjustments.get(source, ()):
            if condition is None or condition(
                Glance(rules, state), Frame(rules.block("act"), {"you": seat, "src": source})
            ):
                yield name, standing


def in_hand(m: Glance, seat: int) -> Iterator[tuple[str, Standing]]:
    """What an explorer's own cards adjust for it now, each with the card; those of a corpse help nobody (3E-DIE-004)."""
    explorer = m.state.explorers[seat]
    return holding(m.rules, m.state, seat, "card", explorer.cards if explorer.alive else ())


def adjusting_roll(m: Glance, figure: Figure, kind: str, trait: str, *, event: bool) -> Iterator[tuple[str, Modify]]:
    """What adjusts a roll now, each with its source (`card:candle`): what an explorer holds, and what lies in its room."""
    if not is_explorer(figure) or not (m.state.explorers[figure].cards or m.state.tokens):
        return
    for card, standing in in_hand(m, figure):
        modify = standing.modify
        if modify is not None and _touches(m, figure, modify, kind, trait, event=event, is_holder=True):
            yield f"card:{card}", modify
    if not m.state.tokens:
        return
    place = m.state.place_of(figure)
    here = [one.token for one in m.state.tokens if (one.room, one.part) == place]
    for token, standing in holding(m.rules, m.state, figure, "token", here):
        modify = standing.modify
        if modify is not None and _touches(m, figure, modify, kind, trait, event=event, is_holder=False):
            yield f"token:{token}", modify


def roll_modifiers(m: Glance, figure: Figure, kind: str, trait: str, event: bool) -> tuple[int, int, int, int | None]:  # noqa: FBT001 -- called in one place, with names
    """Extra dice, extra points, least dice and most dice for a roll."""
    dice = bonus = least = 0
    most: int | None = None
    for _source, modify in adjusting_roll(m, figure, kind, trait, event=event):
        dice += modify.dice
        bonus += modify.result
        if modify.min_dice is not None:
            least = max(least, modify.min_dice)
        if modify.max_dice is not None:
            most = modify.max_dice if most is None else min(most, modify.max_dice)
    return dice, bonus, least, most


FIGHTS = ("attack", "defense")


def answers_roll(rules: Rules, rolls: Sequence[str], kind: str, *, event: bool) -> bool:
    """Whether a roll is one of those that content names; `event`: an event drawn by the roller asks for it."""
    if "any" in rolls or kind in rolls or (kind == "trait" and "task" in rolls):
        return True
    by_trait = kind == "trait" or (kind in FIGHTS and rules.edition.fight.trait_rolls)
    return (by_trait and "trait" in rolls) or (event and ("event" in rolls or (by_trait and "event-trait" in rolls)))


def _touches(m: Glance, seat: int, modify: Modify, kind: str, trait: str, *, event: bool, is_holder: bool) -> bool:
    if not answers_roll(m.rules, modify.rolls, kind, event=event):
        return False
    if modify.traits is not None and trait not in modify.traits:
        return False
    if modify.whose == "holder":
        return is_holder
    return modify.whose == "in-room" or is_kind(m.state, seat, "hero")


def reduction(m: Glance, seat: int, kind: str) -> tuple[int, str]:
    """Points by which a damage of this kind is lowered, and the card that does it."""
    points, by = 0, ""
    for card, standing in in_hand(m, seat):
        if standing.reduce_damage is not None and standing.reduce_damage.kind == kind:
            points += standing.reduce_damage.points
            by = f"card:{card}"
    return points, by


def spared(m: Glance, seat: int, tile: str) -> str:
    """The card that spares its holder the harmful text of a tile (Medallion), or empty."""
    card = card_with(m, seat, lambda standing: standing.spared is not None and tile in standing.spared)
    return f"card:{card}" if card else ""


def card_with(m: Glance, seat: int, says: Callable[[Standing], bool]) -> str:
    """The first of an explorer's cards with such an adjustment that it may use now, or empty."""
    found = ((card, standing) for card, standing in in_hand(m, seat) if says(standing))
    return next((card for card, standing in found if ready_to_use(m.rules, m.state, seat, card, standing)), "")


def obstacles(state: State, room: str, part: int, slows: Mapping[str, int]) -> int:
    """Spaces that tokens in (a part of) a room add to leaving it (3E-OBST-003)."""
    spaces = 0
    for here in state.tokens:
        if here.room == room and here.part == part:
            spaces += slows.get(here.token, 0) * here.count
    return spaces
