"""Coverage of a pack: everything a game can reach, down to each step and each row of an outcome table, and what games did reach.

Only watched rules pay for it: their instructions are wrapped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from content.vocabulary.effects import VERBS, Effect
from content.vocabulary.pack import Haunt
from domain.engine.block import Block, Frame, Instruction
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.commands import AnyCommand, Attack
from domain.facts.events import (
    ActionTaken,
    CardDrawn,
    CardGained,
    ChanceAnswered,
    DiceRolled,
    Fizzled,
    GameEnded,
    HauntBegun,
    MonsterChosen,
    MonsterPlaced,
    PartDisclosed,
    PartUsed,
    RuleApplied,
    Stopped,
    Suspended,
    TilePlaced,
    Told,
    Used,
)
from domain.facts.ids import HOUSE, is_own_side, split_id, stance
from domain.facts.state import State

Reached = Counter[str]
"""How often each thing was reached. Its name begins with its topic: `room attic`, `step card/rotten#do.0.2-4.0`.

Beside the topics stands `vain`: actions that were taken and changed nothing.
"""

NO_CHANGE = (
    ActionTaken,
    ChanceAnswered,
    DiceRolled,
    Fizzled,
    MonsterChosen,
    PartDisclosed,
    PartUsed,
    RuleApplied,
    Stopped,
    Suspended,
    Used,
)
"""Events that tell of a deed, and of what it costs, but of nothing that comes of it."""

SOMEBODY, NOBODY = "somebody", "nobody"
"""Who wins where each explorer is a side of its own, and where a lost haunt has no winner."""

TOPICS: Mapping[str, str] = {
    "number": "numbers of the chart, under which a haunt began",
    "room": "rooms that were discovered",
    "card": "cards that were drawn or given",
    "weapon": "cards that were attacked with",
    "action": "actions of rooms, cards, tokens and haunts that were taken",
    "monster": "kinds of monsters that came into the house",
    "winner": "sides of haunts that won",
    "goal": "goals of haunts that were reached",
    "verb": "verbs of the vocabulary that were done",
    "step": "steps of content that were done, and rows of outcome tables that were hit",
}
"""What is counted, in the order of the report."""


def things(rules: Rules) -> dict[str, list[str]]:
    """Everything a game can reach in a pack, by topic, in the pack's order."""
    pack = rules.pack
    found: dict[str, list[str]] = {topic: [] for topic in TOPICS}
    found["number"] = [f"number {number}" for number in sorted(pack.chart.haunts, key=int)]
    found["room"] = [f"room {face}" for face in pack.decks["tiles"]]
    items = [card for haunt in pack.haunts.values() for card in haunt.items]
    found["card"] = [f"card {card.id}" for card in (*pack.cards.values(), *items)]
    found["weapon"] = [f"weapon {card.id}" for card in (*pack.cards.values(), *items) if card.attack is not None]
    for source, offers in (*pack.offers.items(), *pack.unplaced.items()):
        found["action"] += [f"action {source.replace('#', ':')}#{one.action.word}" for one in offers]
    for haunt in pack.haunts.values():
        found["monster"] += [f"monster {haunt.id}:{kind}" for kind in haunt.monsters]
        found["winner"] += [f"winner {haunt.id}:{side}" for side in _winners(rules, haunt)]
    found["goal"] = [f"goal {haunt}:{side}" for haunt, side in pack.goals]
    found["step"] = [f"step {step}" for block in pack.blocks.values() for step in steps(block)]
    used = set(verbs(rules).values())
    found["verb"] = [name for name in (f"verb {verb.replace('_', '-')}" for verb in VERBS) if name in used]
    return {topic: list(dict.fromkeys(names)) for topic, names in found.items()}


def _winners(rules: Rules, haunt: Haunt) -> tuple[str, str]:
    """Who can win a haunt: either side, where there is no traitor the house or nobody, where everybody plays alone somebody or nobody."""
    if haunt.kind == "free-for-all":
        return SOMEBODY, NOBODY
    if haunt.kind == "no-traitor":
        return "heroes", HOUSE if rules.edition.haunt.house_wins else NOBODY
    return "heroes", "traitor"


def steps(block: Block) -> dict[str, set[int]]:
    """The steps of a block, each with its instructions: the step is done once one of them has run.

    A step is done when its verb runs, not when its condition is checked. A step without a verb (a bare `if`, a row of an
    outcome table) is done when any of its instructions runs, those of its inner steps included.
    """
    found: dict[str, tuple[set[int], set[int]]] = {}
    for number, path in enumerate(block.paths):
        base, _, modifier = path.partition("!")
        base, _, again = base.partition("~")
        verbs, others = found.setdefault(f"{block.id}{base}", (set(), set()))
        (others if modifier or again else verbs).add(number)
    for number, path in enumerate(block.paths):
        for step, (verbs, others) in found.items():
            if not verbs and f"{block.id}{path}".startswith(f"{step}."):
                others.add(number)
    return {step: verbs or others for step, (verbs, others) in found.items()}


def watch(rules: Rules) -> Reached:
    """Make these rules count the steps of content that they run; returns the counts, which keep growing.

    This changes the rules for good, so make them for this alone.
    """
    counts: Reached = Counter()
    for block in rules.pack.blocks.values():
        told: dict[int, list[str]] = {}
        for step, numbers in steps(block).items():
            for number in numbers:
                told.setdefault(number, []).append(f"step {step}")
        block.code = tuple(
            _counted(instruction, told.get(number, []), counts) for number, instruction in enumerate(block.code)
        )
    return counts


def _counted(instruction: Instruction, names: Sequence[str], counts: Reached) -> Instruction:
    def counted(m: Machine, f: Frame) -> bool | None:
        waits = instruction(m, f)
        if not waits:
            counts.update(names)
        return waits

    return counted


def verbs(rules: Rules) -> dict[str, str]:
    """The verb of each step that has one; both with their topics."""
    return {
        f"step {block_id}{path}": f"verb {verb}"
        for block_id, effects in rules.pack.written.items()
        for path, verb in _paths(effects, "")
    }


def _paths(effects: Sequence[Effect], path: str) -> Iterator[tuple[str, str]]:
    for number, effect in enumerate(effects):
        here = f"{path}.{number}"
        said = effect.verb()
        if said is not None:
            yield here, said[0].replace("_", "-")
        yield from _paths(effect.then or (), f"{here}.then")
        yield from _paths(effect.else_ or (), f"{here}.else")
        for key, row in (effect.outcomes or {}).items():
            yield from _paths(row, f"{here}.{key}")


def _of_haunt(source: str, haunt: str) -> str:
    """What offered an action, by a name that no other haunt has: `haunt:h:heroes`, `haunt:h:monsters.rat`."""
    kind, name = split_id(source)
    part = {"haunt": name, "box": f"monsters.{name}"}.get(kind)
    return source if part is None else f"haunt:{haunt}:{part}"


def reached_by(rules: Rules, state: State, command: AnyCommand, told: Sequence[Told]) -> Iterator[str]:
    """What a command and its events reached, besides steps; `state` is the one after the command."""
    haunt = state.haunt.id if state.haunt is not None else ""
    if isinstance(command, Attack) and command.weapon:
        yield f"weapon {command.weapon}"
    for one in told:
        event = one.event
        if isinstance(event, ActionTaken):
            source = _of_haunt(event.source, haunt)
            yield f"action {source}#{event.word}"
            asks = any(isinstance(other.event, Suspended) for other in told)
            if not asks and all(isinstance(other.event, NO_CHANGE) for other in told):
                yield f"vain {source}#{event.word}"
        elif isinstance(event, CardDrawn) or (isinstance(event, CardGained) and event.card not in rules.pack.cards):
            yield f"card {event.card}"
        elif isinstance(event, TilePlaced):
            yield f"room {event.tile}"
        elif isinstance(event, MonsterPlaced):
            yield f"monster {haunt}:{event.kind}"
        elif isinstance(event, HauntBegun) and event.number:
            yield f"number {event.number}"
        elif isinstance(event, GameEnded) and (event.winner or event.rule):  # without either a limit has ended it
            yield f"winner {haunt}:{SOMEBODY if is_own_side(event.winner) else event.winner or NOBODY}"
            goal = rules.pack.goals.get((haunt, stance(event.winner)))
            if goal is not None and goal[1] == event.because:
                yield f"goal {haunt}:{stance(event.winner)}"
