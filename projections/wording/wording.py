"""The one who says it: all words of a pack behind one object."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from content.vocabulary.abilities import Action, Attack, Standing, Trigger
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Haunt, Pack
from content.vocabulary.values import Condition, Each, Place, Value, Who
from domain.editions import Edition
from projections.wording import abilities, telling
from projections.wording.folding import FoldedBlocks, Folding
from projections.wording.steps import steps_of
from projections.wording.words import conditions, selections, values
from projections.wording.words.english import YOU, Person, agreed, sentence
from projections.wording.words.filled import filled
from projections.wording.words.speech import Numbers
from projections.wording.words.titles import Titles


class Wording:
    """Rules in words for one pack.

    Example: `Wording(pack).effects(card.do)`, `Wording(pack, within=haunt, numbers=numbers).goal(book)`.
    """

    def __init__(
        self,
        pack: Pack,
        *,
        within: Haunt | None = None,
        rulings: Collection[str] = (),
        numbers: Numbers | None = None,
        edition: Edition | None = None,
    ) -> None:
        """Make the tables once.

        Args:
            pack: whose pieces are told.
            within: the haunt whose pieces are meant where several have one of the same id.
            rulings: the alternatives that the table plays by.
            numbers: those of a game, as far as the reader may know them; without them formulas are told.
            edition: by which it is played, if not by the pack's own.
        """
        self.pack = pack
        self.rulings = frozenset(rulings)
        self.numbers = numbers
        self.telling: tuple[str, ...] = ()
        self.folding = Folding(self.rulings, numbers.players if numbers is not None else None)
        titles = Titles.of(pack, within, edition)
        told = [(haunt, haunt.counters) for haunt in ([within] if within is not None else pack.haunts)]
        counters = {name: filled(one.title, haunt, numbers) for haunt, own in told for name, one in own.items()}
        self.titles = msgspec.structs.replace(
            titles, counters={**titles.counters, **counters}, blocks=FoldedBlocks(self.folding, titles.blocks)
        )

    def inside(self, block: str) -> Wording:
        """The same while a shared block is being told."""
        inner = Wording.__new__(Wording)
        inner.__dict__.update(self.__dict__)
        inner.telling = (*self.telling, block)
        return inner

    def counting(self, numbers: Numbers) -> Wording:
        """The same with other numbers of the same game."""
        inner = Wording.__new__(Wording)
        inner.__dict__.update(self.__dict__)
        inner.numbers = numbers
        return inner

    # ---- for readers ----

    def effects(self, effects: Sequence[Effect]) -> str:
        """Effects as sentences, such as `Gain 1 Speed`."""
        return self.steps(effects)

    def condition(self, condition: Condition) -> str:
        """A condition as a sentence, such as `You have the Spear`."""
        folded = self.folding.condition(condition)
        if isinstance(folded, bool):
            return "Always." if folded else "Never."
        return sentence(self.if_(folded))

    def selection(self, chosen: Who | Place) -> str:
        """Characters or rooms as a noun: `each hero in the basement`, `a room with a window`."""
        if isinstance(chosen, str) and (chosen in selections.SOMEBODY or chosen.startswith("holder:")):
            return agreed(self.who(chosen), YOU)
        if isinstance(chosen, Each):
            return agreed(self.who(self.folding.any(chosen)), YOU)
        return agreed(self.place(self.folding.any(chosen)), YOU)

    def trigger(self, trigger: Trigger, piece: str = "card") -> str:
        """What happens by itself; empty where the rulings leave nothing of it. `piece`: `card`, `tile`, `token` or `book`."""
        return "".join(abilities.trigger(self, one, piece) for one in self.folding.when(trigger))

    def action(self, action: Action, shared: Collection[str] = ()) -> str:
        """What may be done; `shared`: words of other actions that attempt the same task."""
        return "".join(abilities.action(self, one, shared=shared) for one in self.folding.when(action))

    def standing(self, standing: Standing) -> str:
        """What holds all the time."""
        return "".join(abilities.standing(self, one) for one in self.folding.when(standing))

    def attack(self, attack: Attack) -> str:
        """A way to attack."""
        return abilities.attack(self, self.folding.any(attack))

    # ---- for the modules of this package ----

    def amount(self, value: Value, thing: str, things: str = "") -> str:
        """So many things: `2 points`."""
        return values.amount(self, value, thing, things)

    def value(self, value: Value) -> str:
        """A number by itself: `the number of Rats in the house`."""
        return values.said(self, value)

    def if_(self, condition: Condition, person: Person = YOU) -> str:
        """A condition as a clause: `you have the Spear`."""
        return conditions.clause(self, condition, person)

    def unless(self, condition: Condition, person: Person = YOU) -> str:
        """That it does not hold."""
        return conditions.clause(self, condition, person, negated=True)

    def who(self, who: Who, article: str = "each") -> str:
        """Characters; it may hold `[your]`."""
        return selections.who(self, who, article)

    def place(self, place: Place, article: str = "a") -> str:
        """A room, or rooms to choose from; it may hold `[your]`."""
        return selections.place(self, place, article)

    def steps(self, effects: Sequence[Effect]) -> str:
        """Effects as sentences."""
        return telling.told(steps_of(self, self.folding.effects(effects)))

    def clause(self, effects: Sequence[Effect], person: Person = YOU) -> str:
        """Effects within a sentence: `lose 1 Might and end your turn`."""
        return telling.clause(steps_of(self, self.folding.effects(effects), person))
