"""A bot at a table: what it would do in a scene that a test has set."""

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions, decisions_of
from projections.view.game import GameView, view_of
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from tests.support.table import Table


def sees(table: Table, seat: int) -> tuple[GameView, Decisions]:
    """What a seat sees, from what it was told."""
    state = table.view(seat)
    return view_of(table.rules, state, 1 << seat), decisions_of(table.rules, state, 1 << seat, hints=True)


def would(table: Table, seat: int = 0, memory: Memory | None = None, brain: str = "steady") -> AnyCommand | None:
    """The command that a bot in this seat would give now."""
    return BRAINS[brain](*sees(table, seat), memory or Memory(seed="test"))


def does(table: Table, seat: int = 0) -> AnyCommand:
    """Let the steady bot give its command."""
    command = would(table, seat)
    assert command is not None
    table.play(seat, command)
    return command
