"""The built-in bots by name.

`steady` plays sensibly. `random` plays any legal command, and so finds what no sensible player would try. `curious` plays as `steady` does,
but now and then tries something just to see what happens.
"""

from collections.abc import Mapping

import msgspec

from domain.facts.commands import Act, AnyCommand, Choose
from projections.choices.decisions import Decisions
from projections.choices.families import Division, Family, Field, OneOf, Places, Subset
from projections.view.game import GameView
from service.bots import steady
from service.bots.brain import Brain, Generator, Memory

REVEAL_ONE_IN = 40
"""How rarely the random bot reveals itself as the hidden traitor when it may."""
FAMILY_ONE_IN = 12
"""How rarely the random bot makes a command up from a family instead of taking a listed one."""
NEW_ACTION_ONE_IN = 2
"""How rarely the curious bot takes an action that it has not taken yet this turn, if there is one."""
WHIM_ONE_IN = 4
"""How rarely the curious bot answers a question at random."""


def choose_at_random(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
    """Choose any legal command: mostly a listed one, now and then one that only a family describes."""
    barred = memory.barred(view)
    generator = Generator(memory.seed, view.version, len(barred))
    waiting = [one for one in decisions.yours if one.kind != "reveal" or generator.chance(REVEAL_ONE_IN)]
    if not waiting:
        return None
    decision = generator.pick(waiting)
    if decision.families and generator.chance(FAMILY_ONE_IN):
        return made_up(generator, generator.pick(decision.families))
    commands = [listed.command for listed in decision.commands if listed.command not in barred]
    return generator.pick(commands) if commands else None


def made_up(generator: Generator, family: Family) -> AnyCommand:
    """A random command of a family."""
    members = {**family.fixed, **{field.field: _value(generator, field) for field in family.fields}}
    command: AnyCommand = msgspec.convert(members, AnyCommand)
    return command


def _value(generator: Generator, field: Field) -> object:
    if isinstance(field, OneOf):
        return generator.pick(field.values)
    if isinstance(field, Division):
        return _division(generator, field)
    if isinstance(field, Places):
        return generator.some(range(len(field.of)))[: field.most]
    if isinstance(field, Subset):
        return generator.some(field.of, field.least)
    return [generator.below(3) for _ in range(field.dice)]


def _division(generator: Generator, field: Division) -> dict[str, int]:
    points = dict.fromkeys(field.caps, 0)
    spare = field.total - field.least
    for _ in range(field.least + (generator.below(spare + 1) if spare else 0)):
        trait = generator.pick([one for one in points if points[one] < field.caps[one]])
        points[trait] += 1
    return points


def choose_curiously(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
    """Choose as the steady bot does, except for some new actions and some random answers."""
    barred = memory.barred(view)
    generator = Generator(memory.seed, view.version, len(barred), "curious")
    for decision in decisions.yours:
        listed = [one.command for one in decision.commands if one.command not in barred]
        actions = [one for one in listed if isinstance(one, Act) and not memory.times(view, one)]
        if actions and generator.chance(NEW_ACTION_ONE_IN):
            return generator.pick(actions)
        answers = [one for one in listed if isinstance(one, Choose)]
        if answers and decision.kind == "choice" and generator.chance(WHIM_ONE_IN):
            return generator.pick(answers)
    return steady.choose(view, decisions, memory)


BRAINS: Mapping[str, Brain] = {"steady": steady.choose, "curious": choose_curiously, "random": choose_at_random}
"""Those that need nothing but what the API shows their seats."""
