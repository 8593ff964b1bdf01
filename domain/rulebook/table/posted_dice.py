"""Dice as they are posted: what a die roller shows by post, where each die is `1d3-1`, or faces (PBP-DICE-001, PBP-DICE-002)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.rules import Rules
from domain.facts.commands import AnswerChance
from domain.facts.refusal import Refused


def throw(rules: Rules, decision: str, faces: Sequence[int]) -> AnswerChance:
    """The answer with these faces, as this edition posts it."""
    if not rules.edition.dice.die_roller:
        return AnswerChance(decision=decision, faces=list(faces))
    return AnswerChance(decision=decision, rolled=[one + 1 for one in faces], total=sum(faces))


def thrown(rules: Rules, posted: AnswerChance, dice: int) -> list[int]:
    """The faces that were posted, or those behind what a die roller showed, 1 taken off each `1d3`; none where no dice are asked for.

    Raises:
        Refused: `chance-misfit`: it is posted in the other form, for another number of dice, or with a wrong total.
    """
    rule = rules.cite.die_roller
    if not rules.edition.dice.die_roller:
        if posted.rolled or (posted.total is not None and not dice):
            raise Refused("give the faces of the real dice, 0 to 2 each", rule=rule, problem="chance-misfit")
        _check_total("", posted.faces, posted.faces, posted.total, rule)
        return posted.faces
    written = rules.edition.dice.written(dice)
    if posted.total is not None and not 0 <= posted.total <= 2 * dice:
        raise Refused(f"{written} gives 0 to {2 * dice}, not {posted.total}", rule=rule, problem="chance-misfit")
    if posted.faces or not posted.rolled:
        why = "give what the die roller showed in `rolled`, 1 to 3 for each die, and leave `faces` out"
        raise Refused(why, rule=rule, problem="chance-misfit")
    if len(posted.rolled) != dice:
        why = f"{written} has {dice} results, not {len(posted.rolled)}: give them all in `rolled`"
        raise Refused(why, rule=rule, problem="chance-misfit")
    faces = [one - 1 for one in posted.rolled]
    _check_total(f"{written} with ", posted.rolled, faces, posted.total, rule)
    return faces


def _check_total(written: str, shown: Sequence[int], faces: Sequence[int], total: int | None, rule: str) -> None:
    if total is not None and total != sum(faces):
        detail = f"{written}{', '.join(map(str, shown))} is {sum(faces)}, not {total}"
        raise Refused(detail, rule=rule, problem="chance-misfit")
