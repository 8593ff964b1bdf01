"""A house with much in it: six explorers, a swarm, barriers, tokens, cards on the floor. Its picture is docs/board.svg.

`python -m tests.support.crowds` draws that anew.
"""

from __future__ import annotations

from pathlib import Path

from domain.facts.audience import REFEREE
from projections.board import board_of
from projections.view.game import GameView, view_of
from tests.support.table import FIVE, Table

PICTURE = Path(__file__).parents[2] / "docs" / "board.svg"


def crowd() -> GameView:
    """As the referee sees it."""
    table = Table((*FIVE, "brandon-jaspers"))
    table.lay("statuary-corridor", "ground", 1, 1, turns=0)
    table.lay("patio", "ground", -1, 1, turns=2)
    table.lay("chasm", "basement", 1, 0)
    table.lay("crypt", "basement", -1, 0, turns=1)
    table.lay("tower", "upper", 1, 0, turns=1)
    table.lay("attic", "upper", 0, -1)
    table.hold(0, "spear", "axe", "armor")
    table.hold(3, "bell")
    table.pile("foyer", "candle", "medical-kit")
    table.haunt("the-gnawing-tide", traitor=1)
    table.counter("verses", 2)
    for number in range(1, 9):
        table.monster(f"rat-{number}", "entrance-hall")
    for number in range(9, 13):
        table.monster(f"rat-{number}", "chasm", part=number % 2)
    table.stun("rat-4")
    table.stun("rat-10")
    table.put(1, "chasm", part=0)
    table.put(2, "tower", part=0)
    table.die(5)
    table.token("nest", "entrance-hall")
    table.token("nest", "tower", part=1)
    return view_of(table.rules, table.roles[REFEREE], REFEREE)


if __name__ == "__main__":
    PICTURE.write_text(board_of(crowd()), encoding="utf-8")
