"""The built-in bots by name.

`random` plays any legal command, from a seeded generator, and finds what nobody would think of doing. `curious` plays as `steady` does, but now
and then tries something just to see what happens: what a sensible player never does is content too.
"""

from collections.abc import Mapping

import msgspec

from domain.facts.commands import Act, AnyCommand, Choose
from projections.choices.decisions import Decisions, OpenDecision
from projections.choices.families import Division, Family, Field, OneOf, Places, Subset
from projections.view.game import GameView
from service.bots import steady
from service.bots.brain import Brain, Generator, Memory

REVEALS = 40
"""One chance in so many that a hidden traitor shows itself when it could."""
FAMILIES = 12
"""One chance in so many that a command is made up from a family and not taken from the list."""


def choose_at_random(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
    """Choose any legal command: mostly one of those listed, now and then one that only a family describes."""
    barred = memory.barred(view)
    generator = Generator(memory.seed, view.version, len(barred))
    waiting = [one for one in decisions.yours if one.kind != "reveal" or generator.chance(REVEALS)]
    if not waiting:
        return None
    decision = generator.pick(waiting)
    if decision.families and generator.chance(FAMILIES):
        return made_up(generator, generator.pick(decision.families))
    return _listed(generator, decision, barred)


def _listed(generator: Generator, decision: OpenDecision, barred: tuple[AnyCommand, ...]) -> AnyCommand | None:
    commands = [listed.command for listed in decision.commands if listed.command not in barred]
    return generator.pick(commands) if commands else None


def made_up(generator: Generator, family: Family) -> AnyCommand:
    """Any command of a family: what is fixed, and for each field something that it allows."""
    members = dict(family.fixed)
    for field in family.fields:
        members[field.field] = _member(generator, field)
    command: AnyCommand = msgspec.convert(members, AnyCommand)
    return command


def _member(generator: Generator, field: Field) -> object:
    if isinstance(field, OneOf):
        return generator.pick(field.values)
    if isinstance(field, Division):
        return _divided(generator, field)
    if isinstance(field, Places):
        return generator.some(range(len(field.of)))[: field.most]
    if isinstance(field, Subset):
        return generator.some(field.of, field.least)
    return [generator.below(3) for _ in range(field.dice)]


def _divided(generator: Generator, field: Division) -> dict[str, int]:
    points = dict.fromkeys(field.caps, 0)
    spare = field.total - field.least
    for _ in range(field.least + (generator.below(spare + 1) if spare else 0)):
        trait = generator.pick([one for one in points if points[one] < field.caps[one]])
        points[trait] += 1
    return points


TRIES = 2
"""One chance in so many that it takes a deed that it has not done yet this turn, where there is one."""
WHIMS = 4
"""One chance in so many that it answers a question as the lot falls."""


def choose_curiously(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
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


BRAINS: Mapping[str, Brain] = {"steady": steady.choose, "curious": choose_curiously, "random": choose_at_random}
