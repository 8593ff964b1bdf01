"""How a roll stands before the dice are thrown: counted as the engine counts it, with the cards that somebody would use.

Covered: standing adjustments, more or fewer dice, points added, a limit of dice, another trait, a result named or stored, dice rolled
again. Not covered, and refused by name: a card whose change of the roll depends on a condition or a choice of its own. What
else a card does (what it costs, that it is discarded) changes nothing about the roll that it answers and is named as not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.ids import id_name
from domain.facts.state import Figure, State, is_explorer
from domain.queries.spread import Again, Spread, Worth, certain, spread
from domain.rulebook.table.reacting import open_reactions
from domain.rulebook.table.rolling import Rolling, count, number_of_dice
from domain.verbs.rolls import added_to_named, stored_result, use_trait
from projections.choices.odds_asked import MOST_DICE, Use
from projections.view.haunts import text_open

SHOWN = {
    "State": ("explorers", "monsters", "tokens", "card_states", "used"),
    "Explorer": ("cards", "tracks", "at"),
    "Monster": ("traits",),
}
"""The fields of a role's state that are read here; all others stay hidden."""

DICE_ROLLED_AGAIN = 12
"""No more dice than these are rolled again here: the choices would take too long to count."""


class Unfit(Exception):
    """The odds asked for can't be given. The message says what doesn't fit, `pointer` where."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(detail)
        self.pointer = pointer
        self.detail = detail


class Throw:
    """A roll about to be made."""

    def __init__(self, rules: Rules, state: State, who: Figure, kind: str, **counted: Any) -> None:  # noqa: ANN401 -- bindings of the procedure `roll`
        """Count the dice, as the procedure `roll` does with the same bindings, by what the role has read."""
        self._m = Glance(rules, _as_read(rules, state))
        bound: Any = {"who": who, "kind": kind, "about": kind, **counted}
        self.frame: Frame[Rolling] = Frame(rules.block("roll"), bound)
        count(self._m, self.frame)
        self.again: list[Again] = []
        self.besides: list[str] = []
        """What else the cards used would do, which is not counted."""

    @property
    def dice(self) -> int:
        """How many are thrown; none where a result is named."""
        return 0 if self.named is not None else number_of_dice(self.frame.vars)

    @property
    def bonus(self) -> int:
        """Points added to the sum."""
        return 0 if self.named is not None else int(self.frame.vars["bonus"])

    @property
    def named(self) -> int | None:
        """The result named in place of rolling."""
        return self.frame.vars.get("named")

    def use(self, uses: Sequence[Use], pointer: str) -> None:
        """Let cards answer the roll, one after another.

        Raises:
            Unfit: a card can't answer this roll, or not in a way that is counted here.
        """
        used: list[str] = []
        for index, one in enumerate(uses):
            where = f"{pointer}/{index}/reaction"
            if one.reaction in used or one.reaction not in self._offered():
                raise Unfit(where, f"{one.reaction} can't answer this roll now.")
            used.append(one.reaction)
            source, _, word = one.reaction.partition("#")
            card = id_name(source)
            offered = self._m.rules.pack.reactions[card]
            action = next(found.action for found in offered if found.action.word == word)
            self._answer(action, card, one, where)

    def spread(self, worth: Worth = lambda total: total) -> Spread:
        """The chance of each total.

        Raises:
            Unfit: more dice than are counted here.
        """
        if self.named is not None:
            return certain(self.named)
        most = DICE_ROLLED_AGAIN if self.again else MOST_DICE
        if self.dice > most:
            raise Unfit(
                "",
                f"{self.dice} dice are too many: odds are counted for up to {most}{' when dice are rolled again' if self.again else ''}.",
            )
        return spread(self.dice, self.bonus, self.again, worth)

    def _offered(self) -> list[str]:
        vars_ = self.frame.vars
        if not is_explorer(vars_["who"]) or self.named is not None:
            return []
        windows = ("after-roll",) if self.again else ("before-roll", "after-roll")
        return [one for window in windows for one in open_reactions(self._m, vars_["who"], window, vars_)]

    def _answer(self, action: Action, card: str, use: Use, where: str) -> None:
        for effect in action.do:
            if effect.modify_roll is None and effect.reroll is None:
                self.besides.append(f"card:{card}")
            elif effect.if_ is not None or effect.may is not None or effect.who is not None:
                raise Unfit(where, f"What {use.reaction} does depends on more than the roll: it isn't counted here.")
            elif effect.reroll is not None:
                self.again.append(effect.reroll.dice)
            else:
                self._modify(effect, card, use, where)

    def _modify(self, effect: Effect, card: str, use: Use, where: str) -> None:
        node, vars_ = effect.modify_roll, self.frame.vars
        assert node is not None  # noqa: S101 -- the caller asked
        if node.stored:
            vars_["named"] = stored_result(self._m, vars_, card)
        elif node.set is not None:
            if use.result is None or not node.set.from_ <= use.result <= node.set.to:
                raise Unfit(
                    where, f"{use.reaction} names a result from {node.set.from_} to {node.set.to}: give `result`."
                )
            vars_["named"] = max(0, use.result + added_to_named(node.set, vars_))
        else:
            if node.trait is not None:
                use_trait(self._m, vars_, node.trait)
            vars_["extra"] += node.dice
            vars_["bonus"] += node.result
            if node.max_dice is not None:
                vars_["most"] = node.max_dice


def _as_read(rules: Rules, state: State) -> State:
    """The state without tokens whose text the role may not read: it can't count what they add (2E-SEC-001)."""
    unread = [one for one in state.tokens if not text_open(rules, state, one.token)]
    if not unread:
        return state
    read = copy(state)
    read.tokens = [one for one in state.tokens if one not in unread]
    return read
