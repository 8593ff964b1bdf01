"""Content made plain before it is told: the table's rulings are decided, and what both branches say is said once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from content.vocabulary.abilities import Action, Attack, Standing, Trigger
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect, Option
from content.vocabulary.values import Condition, Each, Number
from content.vocabulary.verbs import Roll

Conditional = TypeVar("Conditional", Trigger, Action, Standing, Option)


_COMPARISON = frozenset({"number", "at_least", "at_most"})

_DECIDABLE = _COMPARISON | {"ruling", "not_", "all", "any"}
"""Keys of a condition that may be decided before the game asks; `moved: false` is a question."""


_PLAIN = frozenset({type(None), bool, int, str})


class Folding:
    """What holds by the rulings that a table has chosen; ledger rules are left out."""

    def __init__(self, rulings: Collection[str], players: int | None = None) -> None:
        """Bind; `players` of a game, where one is told."""
        self.rulings = rulings
        self.players = players

    def _by_players(self, condition: Condition) -> bool | None:
        """Whether a comparison that only the number of players decides holds in this game."""
        number, least, most = condition.number, condition.at_least, condition.at_most
        if self.players is None or not isinstance(number, Number) or number.players is None:
            return None
        if not isinstance(least, int | None) or not isinstance(most, int | None):
            return None
        value = number.players.get(str(self.players), 0)
        return (least is None or value >= least) and (most is None or value <= most)

    def condition(self, condition: Condition) -> Condition | bool:
        """The condition without what is decided already, or whether it always holds."""
        decided = self._by_players(condition)
        kept: dict[str, Any] = {}
        for name, told in condition.stated().items():
            part = decided if decided is not None and name in _COMPARISON else self._key(name, told)
            if name in _DECIDABLE and part is False:
                return False
            if name not in _DECIDABLE or part is not True:
                kept[name] = part
        return Condition(**kept) if kept else True

    def _key(self, name: str, told: Any) -> Any:  # noqa: ANN401 -- any key of a condition
        """What one key still asks."""
        if name == "ruling":
            return told in self.rulings
        if name == "not_":
            part = self.condition(told)
            return not part if isinstance(part, bool) else part
        if name in ("all", "any"):
            return self._several([self.condition(one) for one in told], every=name == "all")
        return self.any(told)

    def _several(self, parts: list[Condition | bool], *, every: bool) -> list[Condition] | bool:
        if (not every) in parts:
            return not every
        left = [one for one in parts if isinstance(one, Condition)]
        return left or every

    def any(self, told: Any) -> Any:  # noqa: ANN401 -- any part of the vocabulary
        """The same part of the vocabulary, folded throughout."""
        if isinstance(told, Condition):
            folded = self.condition(told)
            return told if isinstance(folded, bool) else folded
        if isinstance(told, Each) and told.if_ is not None and self.condition(told.if_) is True:
            return msgspec.structs.replace(told, if_=None)
        if isinstance(told, Roll) and told.extra_if is not None and self.condition(told.extra_if) is False:
            return msgspec.structs.replace(told, extra_dice=0, extra_if=None)
        if isinstance(told, Attack):
            told = self._attack(told)
        if isinstance(told, Standing) and told.items_by_ruling not in self.rulings:
            told = msgspec.structs.replace(told, items_by_ruling=None)
        if isinstance(told, Word):
            parts = {
                name: self.any(value)
                for name, value in msgspec.structs.asdict(told).items()
                if type(value) not in _PLAIN  # most fields of an effect are empty
            }
            return msgspec.structs.replace(told, **parts) if parts else told
        if isinstance(told, list):
            return self._list(told)
        if isinstance(told, dict):
            return {key: self.any(value) for key, value in told.items()}
        return told

    def _attack(self, told: Attack) -> Attack:
        """A way of attacking at this table."""
        dice = next((dice for one, dice in told.dice_by_ruling.items() if one in self.rulings), told.dice)
        free = told.free_by_ruling if told.free_by_ruling in self.rulings else None
        return msgspec.structs.replace(told, dice=dice, dice_by_ruling={}, free_by_ruling=free)

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
        if bare.choose is not None and len(bare.choose) == 1 and bare.choose[0].if_ is None and bare.may is None:
            bare = msgspec.structs.replace(bare, choose=None, then=[*bare.choose[0].do, *(bare.then or [])])
        declinable = bare.may is not None or bare.harmful
        if holds is True:
            if bare.verb() is None and not declinable and bare.who is None:
                return bare.then or []
            return [bare if declinable else msgspec.structs.replace(bare, else_=None)]
        then = (bare.then or []) if bare.verb() is None else [msgspec.structs.replace(bare, else_=None)]
        if not declinable and bare.else_ is not None and then == bare.else_:
            return then
        return [msgspec.structs.replace(bare, if_=holds)]


class FoldedBlocks(Mapping[str, Sequence[Effect]]):
    """Shared blocks, each folded when it is first told: a haunt tells few of them."""

    def __init__(self, folding: Folding, blocks: Mapping[str, Sequence[Effect]]) -> None:
        self._folding = folding
        self._blocks = blocks
        self._folded: dict[str, Sequence[Effect]] = {}

    def __getitem__(self, name: str) -> Sequence[Effect]:
        if name not in self._folded:
            self._folded[name] = self._folding.effects(self._blocks[name])
        return self._folded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)
