"""An event as far as it has been read: of its tables only the rows of the results that came (3E-CARD-004)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from content.vocabulary.cards import Card
from content.vocabulary.effects import Effect, RollEach


def as_read(card: Card, rows: Collection[str]) -> Card:
    """The card without the rows that nobody has read.

    Args:
        card: an event.
        rows: those that were read, by their place as `RowRead` tells it: `.0.4+`.
    """
    return msgspec.structs.replace(card, do=_steps(card.do, "", rows), otherwise=_steps(card.otherwise, "", rows))


def _steps(effects: Sequence[Effect], path: str, rows: Collection[str]) -> list[Effect]:
    return [_step(effect, f"{path}.{number}", rows) for number, effect in enumerate(effects)]


def _step(effect: Effect, path: str, rows: Collection[str]) -> Effect:
    changed: dict[str, Any] = {}
    if effect.outcomes is not None:
        changed["outcomes"] = _table(effect.outcomes, _tables(effect, path), rows)
    if effect.roll_each is not None and effect.roll_each.then and f"{path}.all" not in rows:
        changed["roll_each"] = msgspec.structs.replace(effect.roll_each, then=[], all_at_least=None)
    if effect.then is not None:
        changed["then"] = _steps(effect.then, f"{path}.then", rows)
    if effect.else_ is not None:
        changed["else_"] = _steps(effect.else_, f"{path}.else", rows)
    if effect.choose is not None:
        changed["choose"] = [
            msgspec.structs.replace(option, do=_steps(option.do, f"{path}.{option.id}", rows))
            for option in effect.choose
        ]
    return msgspec.structs.replace(effect, **changed) if changed else effect


def _tables(effect: Effect, path: str) -> list[str]:
    """Where the table stands: once, or once for each trait that is rolled in turn."""
    each: RollEach | None = effect.roll_each
    return [path] if each is None else [f"{path}.{trait}" for trait in each.traits]


def _table(table: Mapping[str, list[Effect]], places: Sequence[str], rows: Collection[str]) -> dict[str, list[Effect]]:
    return {
        key: next(_steps(do, f"{place}.{key}", rows) for place in places if f"{place}.{key}" in rows)
        for key, do in table.items()
        if any(f"{place}.{key}" in rows for place in places)
    }
