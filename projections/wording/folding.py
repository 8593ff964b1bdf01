"""Content made plain before it is told: the table's rulings are decided, and what both branches say is said once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

import msgspec

from content.vocabulary.abilities import Action, Standing, Trigger
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect, Option
from content.vocabulary.values import Condition, Each
from content.vocabulary.verbs import Roll

Conditional = TypeVar("Conditional", Trigger, Action, Standing, Option)


class Folding:
    """What holds by the rulings that a table has chosen; ledger rules are left out."""

    def __init__(self, rulings: Collection[str]) -> None:
        self.rulings = rulings

    def condition(self, condition: Condition) -> Condition | bool:
        """The condition without rulings, or whether it always holds."""
        kept: dict[str, Any] = {}
        for name, told in condition.stated().items():
            if name == "ruling":
                if told not in self.rulings:
                    return False
            elif name == "not_":
                part = self.condition(told)
                if part is True:
                    return False
                if part is not False:
                    kept[name] = part
            elif name in ("all", "any"):
                parts = [self.condition(one) for one in told]
                if (name == "all" and False in parts) or (name == "any" and True in parts):
                    return name == "any"
                left = [one for one in parts if isinstance(one, Condition)]
                if name == "any" and not left:
                    return False
                if left:
                    kept[name] = left
            else:
                kept[name] = self.any(told)
        return Condition(**kept) if kept else True

    def any(self, told: Any) -> Any:  # noqa: ANN401 -- any part of the vocabulary
        """The same part of the vocabulary, folded throughout."""
        if isinstance(told, Condition):
            folded = self.condition(told)
            return told if isinstance(folded, bool) else folded
        if isinstance(told, Each) and told.if_ is not None and self.condition(told.if_) is True:
            return msgspec.structs.replace(told, if_=None)
        if isinstance(told, Roll) and told.extra_if is not None and self.condition(told.extra_if) is False:
            return msgspec.structs.replace(told, extra_dice=0, extra_if=None)
        if isinstance(told, Word):
            parts = {name: self.any(value) for name, value in msgspec.structs.asdict(told).items()}
            return type(told)(**parts)
        if isinstance(told, list):
            return self._list(told)
        if isinstance(told, dict):
            return {key: self.any(value) for key, value in told.items()}
        return told

    def _list(self, told: list[Any]) -> list[Any]:
        folded: list[Any] = []
        for one in told:
            if isinstance(one, Effect):
                folded += self._effect(one)
            elif isinstance(one, (Trigger, Action, Standing, Option)):
                folded += self.when(one)
            else:
                folded.append(self.any(one))
        return folded

    def when(self, told: Conditional) -> list[Conditional]:
        """What holds only while a condition does: without one that always holds, and nothing where it never does."""
        holds = True if told.if_ is None else self.condition(told.if_)
        if holds is False:
            return []
        bare: Conditional = self.any(msgspec.structs.replace(told, if_=None))
        return [bare if holds is True else msgspec.structs.replace(bare, if_=holds)]

    def effects(self, told: Sequence[Effect]) -> list[Effect]:
        """Effects in order."""
        return self._list(list(told))

    def _effect(self, effect: Effect) -> list[Effect]:
        holds = True if effect.if_ is None else self.condition(effect.if_)
        if holds is False:
            return self.effects(effect.else_ or [])
        bare: Effect = self.any(msgspec.structs.replace(effect, if_=None, rule=None))
        declinable = bare.may is not None or bare.harmful
        if holds is True:
            if bare.verb() is None and not declinable and bare.who is None:
                return bare.then or []
            return [bare if declinable else msgspec.structs.replace(bare, else_=None)]
        then = (bare.then or []) if bare.verb() is None else [msgspec.structs.replace(bare, else_=None)]
        if not declinable and bare.else_ is not None and then == bare.else_:
            return then
        return [msgspec.structs.replace(bare, if_=holds)]
