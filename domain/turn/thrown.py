"""What a die roller shows, as faces: play by post throws each die as `1d3-1` (PBP-DICE-001, PBP-DICE-002)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.commands import AnswerChance
from domain.refusal import Refused

if TYPE_CHECKING:
    from domain.rules import Rules


def thrown(rules: Rules, posted: AnswerChance) -> list[int]:
    """The faces behind a posted throw, 1 taken off each `1d3`.

    Raises:
        Refused: `chance-misfit`: no die roller is used, faces are told twice, or the posted total is not that of the dice.
    """
    rule = rules.cite.die_roller
    if not rules.edition.dice.die_roller:
        raise Refused("real dice are asked for: tell their faces, 0 to 2", rule=rule, problem="chance-misfit")
    if posted.faces or not posted.rolled:
        raise Refused("tell either faces, 0 to 2, or what was rolled, 1 to 3", rule=rule, problem="chance-misfit")
    faces = [one - 1 for one in posted.rolled]
    if posted.total is not None and posted.total != sum(faces):
        written = rules.edition.dice.written(len(faces))
        detail = f"{written} with {', '.join(map(str, posted.rolled))} is {sum(faces)}, not {posted.total}"
        raise Refused(detail, rule=rule, problem="chance-misfit")
    return faces
