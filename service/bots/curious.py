"""The `curious` bot: it plays as the `steady` one does, but now and then it tries something just to see what happens.

What a sensible player never does (drink from the bottle, walk through a switched wall for no reason) is content too.
"""

from domain.commands import Act, AnyCommand, Choose
from projections.decisions import Decisions
from projections.view import GameView
from service.bots import steady
from service.bots.generator import Generator
from service.bots.memory import Memory

TRIES = 2
"""One chance in so many that it takes a deed that it has not done yet this turn, where there is one."""
WHIMS = 4
"""One chance in so many that it answers a question as the lot falls."""


def choose(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
    """Choose as the steady bot, unless a deed is new this turn, or the lot answers a question."""
    barred = memory.barred(view)
    generator = Generator(memory.seed, view.version, len(barred), "curious")
    for decision in decisions.yours:
        listed = [one.command for one in decision.commands if one.command not in barred]
        deeds = [one for one in listed if isinstance(one, Act) and not memory.times(view, one)]
        if deeds and generator.chance(TRIES):
            return generator.pick(deeds)
        answers = [one for one in listed if isinstance(one, Choose)]
        if answers and decision.kind == "choice" and generator.chance(WHIMS):
            return generator.pick(answers)
    return steady.choose(view, decisions, memory)
