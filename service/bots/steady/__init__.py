"""The `steady` bot: it explores, takes what helps, pursues its side's goals and finishes games.

It is a list of small rules by importance (`RULES` in `turn`, `ANSWERS` in `answers`); the first rule that applies decides.
Between two choices it keeps nothing but its `Memory`.
"""

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots.brain import Memory
from service.bots.steady import answers, turn
from service.bots.steady.sight import Moment

ORDER = {"reveal": 1, "turn": 2}
"""Questions come first, then the chance to reveal, then the turn."""


def choose(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
    """Choose a command: first what others wait for, then the bot's own turn."""
    for decision in sorted(decisions.yours, key=lambda one: ORDER.get(one.kind, 0)):
        moment = Moment(view, decision, memory, decisions.hints or [])
        if decision.kind == "reveal":
            command = turn.reveal(moment)
        elif decision.kind != "turn":
            command = answers.answer(moment)
        elif view.turn.monsters:
            command = turn.act_for_monster(moment)
        else:
            command = turn.act(moment)
        if command is not None:
            return command
    return None
