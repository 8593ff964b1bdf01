"""What a choice leads to that nobody takes back: the end of the turn or of movement, a card used up or used for this turn.

Read off the content alone, once for each box: what comes of a roll or depends on a condition is only said to be possible. Whom it may kill
depends on where the clips are; `projections.naming.fates` says that, and asks here how bad a box can be at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import add
from typing import Any, NamedTuple

import msgspec

from content.survey import Spot, walk
from content.vocabulary.abilities import Action
from content.vocabulary.base import TRAITS
from content.vocabulary.effects import Effect, Option
from content.vocabulary.values import Value
from domain.engine.rules import Rules
from projections.naming.needs import source_of

CERTAIN: Mapping[str, str] = {
    "you": "deadly",
    "skull": "to the skull",
    "target": "deadly for {}",
    "escape": "you leave the house for good",
    "turn": "ends your turn",
    "moving": "ends your movement",
    "this": "uses the card up",
    "use": "its use this turn",
    "only-use": "its only use",
}
"""By what an effect says: what it leads to, in words."""
POSSIBLE: Mapping[str, str] = {
    "you": "may be deadly",
    "skull": "may go to the skull",
    "target": "may be deadly for {}",
    "escape": "you may leave the house for good",
    "turn": "may end your turn",
    "moving": "may end your movement",
    "this": "may use the card up",
}
"""The same where it does not always happen."""
FACES = 2
"""The highest face of a die."""
NO_END = 99
"""More spaces than any track has: how much an effect takes is not known beforehand."""


class Worst(NamedTuple):
    """How bad a box can be for whoever is in it: more than what it can do, never less."""

    might: int = 0
    speed: int = 0
    sanity: int = 0
    knowledge: int = 0
    """Spaces that it takes from this trait by name."""
    physical: int = 0
    mental: int = 0
    general: int = 0
    """Points of damage, by kind."""
    kills: int = 0
    """Ways in which it kills outright."""
    cards: int = 0
    """Cards that are lost without being named, with what they gave."""

    def harms(self) -> bool:
        """Whether it can do any harm."""
        return self != HARMLESS

    def and_then(self, other: Worst) -> Worst:
        """One after the other."""
        return Worst(*map(add, self, other))

    def or_else(self, other: Worst) -> Worst:
        """One of the two."""
        return Worst(*map(max, self, other))


HARMLESS = Worst()


class Leads(NamedTuple):
    """What a box leads to."""

    always: frozenset[str] = frozenset()
    possible: tuple[str, ...] = ()
    worst: Worst = HARMLESS

    def said(self) -> dict[str, bool]:
        """By what it leads to: whether it always does."""
        return {**dict.fromkeys(self.possible, False), **dict.fromkeys(self.always, True)}


NOTHING = Leads()


def ending(said: Mapping[str, bool], target: str = "the target") -> str:
    """The end of a label: ` (ends your turn, may be deadly)`, or nothing.

    Args:
        said: what is led to, and whether always.
        target: the name of whoever else may die.
    """
    return _ending(tuple(said.items())).format(target) if said else ""


@lru_cache(maxsize=512)
def _ending(found: tuple[tuple[str, bool], ...]) -> str:
    said = dict(found)
    if said.get("this"):
        said = {what: always for what, always in said.items() if what not in ("use", "only-use")}
    words = [CERTAIN[what] for what in CERTAIN if said.get(what)]
    words += [POSSIBLE[what] for what in POSSIBLE if said.get(what) is False]
    return f" ({', '.join(words)})"


@lru_cache(maxsize=4096)
def of_action(rules: Rules, source: str, word: str) -> Leads:
    """What an action leads to.

    Args:
        rules: of the game.
        source: as the pack's tables have it (`Tables.source_in_play`).
        word: of the action.
    """
    offered = (*rules.pack.offers.get(source, ()), *rules.pack.unplaced.get(source, ()))
    action = next((one.action for one in offered if one.action.word == word), None)
    if action is None:
        return NOTHING
    found = of_steps(rules, owner_of(source), action.do)
    return found._replace(always=found.always | _uses(source, action))


def _uses(source: str, action: Action) -> frozenset[str]:
    """Whether it is the one use of a card in a turn (2E-ITEM-003), or one that a card, room or token allows in a turn or a game."""
    what, limit = source.partition(":")[0], action.once
    if what == "haunt":
        return frozenset()
    if limit is not None and limit.per == "game":
        return frozenset({"only-use"})
    used = not (action.constant or action.again) if what == "card" else limit is not None
    return frozenset({"use"}) if used else frozenset()


def owner_of(source: str) -> str:
    """The piece whose words a source is, as its blocks begin: `card/bottle`, `haunt/the-bell-below`."""
    return source.partition("#")[0].replace(":", "/")


@lru_cache(maxsize=4096)
def of_trigger(rules: Rules, source: str, when: str) -> Leads:
    """What happens by itself at a moment; never certain, for most of it depends on who is there and how often it happened."""
    found = [of_steps(rules, owner_of(source), one.do) for _, one in rules.pack.triggers.get((source, when), ())]
    kinds = dict.fromkeys(what for one in found for what in (*sorted(one.always), *one.possible))
    return Leads(possible=tuple(kinds), worst=together(one.worst for one in found))


def of_steps(rules: Rules, owner: str, effects: Sequence[Effect]) -> Leads:
    """What steps of a piece lead to: of `card/bottle`, `haunt/the-bell-below`."""
    found = list(_walk(rules, owner, effects, certain=True))
    always = frozenset(what for what, sure in found if sure)
    possible = tuple(dict.fromkeys(what for what, _ in found if what not in always))
    return Leads(always, possible, _worst(rules, owner, effects, ()))


def block_run(rules: Rules, owner: str, name: str) -> Sequence[Effect]:
    """The steps that `run` does: the piece's own block, or the pack's."""
    written = rules.pack.written
    return written.get(f"{owner}#blocks.{name}", written.get(f"pack#blocks.{name}", ()))


def _walk(
    rules: Rules, owner: str, effects: Sequence[Effect], *, certain: bool, within: tuple[str, ...] = ()
) -> Iterator[tuple[str, bool]]:
    """Each consequence for whoever acts, and whether it always follows."""
    for effect in effects:
        always = certain and effect.if_ is None and effect.may is None and not effect.harmful
        if effect.who in (None, "you"):
            yield from ((what, always and sure) for what, sure in _consequences(rules, effect))
        branches = (
            effect.then,
            effect.else_,
            *(effect.outcomes or {}).values(),
            *(one.do for one in effect.choose or ()),
            effect.each_room.do if effect.each_room is not None else None,
            effect.haunt_roll.otherwise if effect.haunt_roll is not None else None,
        )
        for branch in branches:
            yield from _walk(rules, owner, branch or (), certain=False, within=within)
        if effect.run is not None and effect.run not in within:
            block = block_run(rules, owner, effect.run)
            yield from _walk(rules, owner, block, certain=always, within=(*within, effect.run))


def _consequences(rules: Rules, effect: Effect) -> Iterator[tuple[str, bool]]:
    if effect.escape is not None:
        yield "escape", True
    if effect.stop in ("turn", "moving"):
        yield effect.stop, True
    if effect.stop == "leaving":
        yield "moving", False
    if effect.trap is not None or (effect.draw is not None and rules.edition.exploration.card_stops_movement):
        yield "moving", True
    if effect.move is not None and effect.move.to == "placed-room":
        yield "moving", False  # what is discovered there may end it
    if effect.discard is not None or (effect.lose_card is not None and effect.lose_card.card == "this"):
        yield "this", True


def goals_of(rules: Rules, owner: str, effects: Iterable[Effect], within: tuple[str, ...] = ()) -> frozenset[str]:
    """The rooms to which steps may move somebody, as far as they name them."""
    found = set[str]()
    for step in (spot.value for effect in effects for spot in walk(Spot((), effect))):
        if isinstance(step, Effect) and step.move is not None and isinstance(step.move.to, str):
            found.add(step.move.to)
        if isinstance(step, Effect) and step.run is not None and step.run not in within:
            found |= goals_of(rules, owner, block_run(rules, owner, step.run), (*within, step.run))
    return frozenset(found)


# -- other boxes ---------------------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """Steps of a piece, and what they lead to."""

    owner: str
    effects: Sequence[Effect]
    leads: Leads


def _box(rules: Rules, owner: str, effects: Sequence[Effect]) -> Box:
    return Box(owner, effects, of_steps(rules, owner, effects))


@lru_cache(maxsize=512)
def of_weapon(rules: Rules, card: str) -> Box:
    """What an attack with a card costs."""
    attack = rules.pack.card(card).attack
    return _box(rules, f"card/{card}", [*(attack.before or ()), *(attack.cost or ())] if attack is not None else [])


@lru_cache(maxsize=512)
def of_drawing(rules: Rules, card: str) -> Box:
    """What a card does when it is drawn."""
    return _box(rules, f"card/{card}", rules.pack.card(card).do or [])


@lru_cache(maxsize=512)
def of_asking(rules: Rules, question: str) -> tuple[tuple[str, Box], ...]:
    """By source: the steps that may be declined by this question."""
    found = []
    for box, effects in rules.pack.written.items():
        for effect in effects:
            steps = (spot.value for spot in walk(Spot((), effect)))
            asked = [step for step in steps if isinstance(step, Effect) and step.may == question]
            found += [(source_of(box), _box(rules, box.partition("#")[0], [step])) for step in asked]
    return tuple(found)


@lru_cache(maxsize=512)
def of_choosing(rules: Rules, block: str, option: str) -> Box | None:
    """An option of a block; None where the block has none of this name, or two that differ."""
    found = [one for effect in rules.pack.written.get(block, ()) for one in options_in(effect) if one.id == option]
    if not found or any(one.do != found[0].do for one in found):
        return None
    return _box(rules, block.partition("#")[0], found[0].do)


def options_in(node: Any) -> Iterator[Option]:  # noqa: ANN401 -- anything that content is made of
    """Every option of a `choose` in a piece of content, at any depth."""
    if isinstance(node, Option):
        yield node
    if isinstance(node, msgspec.Struct):
        node = [getattr(node, field) for field in node.__struct_fields__]
    elif isinstance(node, dict):
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from options_in(inner)


# -- how bad it can be ----------------------------------------------------------------------------------------------------------------


def _worst(rules: Rules, owner: str, effects: Iterable[Effect], within: tuple[str, ...]) -> Worst:
    return together(_worst_step(rules, owner, step, within) for step in effects)


def _worst_step(rules: Rules, owner: str, step: Effect, within: tuple[str, ...]) -> Worst:
    """Of a step with all that follows it; of rows and options the worst one counts."""
    found = [_worst_deed(step), _worst(rules, owner, step.then or (), within)]
    for key, other, steps in _beyond(rules, owner, step):
        if key not in within:
            found.append(_worst(rules, other, steps, (*within, key)))
    ways = [*(step.outcomes or {}).values(), *(one.do for one in step.choose or ())]
    rows = reduce(Worst.or_else, (_worst(rules, owner, way, within) for way in ways), HARMLESS)
    each = step.roll_each
    if each is not None:
        found += [*[rows] * (len(each.traits) - 1), _worst(rules, owner, each.then or (), within)]
    beside = [one.otherwise for one in (step.haunt_roll, step.place_tile, step.break_wall) if one is not None]
    found += [rows, *(_worst(rules, owner, one or (), within) for one in beside)]
    return together(found).or_else(_worst(rules, owner, step.else_ or (), within))


def _worst_deed(step: Effect) -> Worst:
    loses = step.lose_card is not None or step.take is not None or step.fetch is not None
    found = Worst(kills=int(step.kill in ("you", "target")), cards=int(loses))
    if step.lose is not None:
        lost = step.lose
        found = found.and_then(_of_traits(lost.traits or lost.one_of or [lost.trait or "rolled"], _most(lost.steps)))
    if step.set_trait is not None and step.set_trait.another_by is not None:
        found = found.and_then(_of_traits(TRAITS, step.set_trait.another_by))
    if step.damage is not None:
        points = _most(step.damage.points or 0) + FACES * _most(step.damage.dice or 0)
        found = found.and_then(_of_damage(step.damage.kind, points))
    if step.attacked is not None:
        found = found.and_then(_of_damage(step.attacked.damage, FACES * _most(step.attacked.dice)))
    return found


def _of_traits(traits: Sequence[str], steps: int) -> Worst:
    """Of spaces on each of these; which one was rolled is not known beforehand."""
    return Worst(**dict.fromkeys(TRAITS if "rolled" in traits else traits, steps))


def _of_damage(kind: str, points: int) -> Worst:
    return Worst(**{kind: points})


def _beyond(rules: Rules, owner: str, step: Effect) -> Iterator[tuple[str, str, Sequence[Effect]]]:
    """What else a step sets off: a shared block, the text of a room that is gone to, what the loss of a card does."""
    if step.run is not None:
        yield step.run, owner, block_run(rules, owner, step.run)
    if step.move is not None and isinstance(step.move.to, str):
        for block, one in rules.pack.triggers.get((f"tile:{step.move.to}", "entered"), ()):
            yield block, f"tile/{step.move.to}", one.do
    what, _, card = owner.partition("/")
    if step.discard is not None and what == "card":
        yield from _lost(rules, card)


def _lost(rules: Rules, card: str) -> Iterator[tuple[str, str, Sequence[Effect]]]:
    for maker, _ in rules.pack.sets.get(card, ()):
        block = f"card/{maker}#set.broken"
        yield block, f"card/{maker}", rules.pack.written.get(block, ())
    for when in ("lost", "stolen"):
        for block, one in rules.pack.triggers.get((f"card:{card}", when), ()):
            yield block, f"card/{card}", one.do


@lru_cache(maxsize=512)
def of_losing(rules: Rules, card: str) -> Worst:
    """How bad it can be to lose a card."""
    return together(_worst(rules, owner, steps, (block,)) for block, owner, steps in _lost(rules, card))


def together(found: Iterable[Worst]) -> Worst:
    """One after the other."""
    return reduce(Worst.and_then, found, HARMLESS)


def _most(value: Value) -> int:
    if isinstance(value, int):
        return value
    return max(value.players.values()) if value.players is not None else NO_END
