"""Steps: verbs and modifiers that do not go together, amounts that make no sense, what cannot happen where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from content.vocabulary.effects import (
    VERBS,
    CounterChange,
    Damage,
    Draw,
    Effect,
    EventAttack,
    Fetch,
    Heal,
    Option,
    PlaceMonster,
    Roll,
    SetResult,
    Steps,
    Trap,
)
from content.vocabulary.pack import (
    Action,
    Attack,
    Barrier,
    Card,
    Counter,
    Haunt,
    Limit,
    Modify,
    Monster,
    PackHead,
    ReduceDamage,
    Standing,
    Tile,
    TokenKind,
    Trigger,
)
from content.vocabulary.values import Condition, Each, Number
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import At, Edit, Source, in_braces


def _own(source: Source, *, block: bool = False) -> Iterator[At[Effect]]:
    """Return the steps that do not stand in a block."""
    for at in source.of(Effect):
        if block or "blocks" not in at.spot.trail:
            yield at


@kind("a step has two verbs")
def two_verbs(source: Source, rng: Random) -> Iterator[Edit]:
    """It damages and draws."""
    for at in source.of(Effect):
        for other in ("stop: turn", "draw: {deck: item}", "gain: {trait: speed}", "move: {to: here}"):
            if any(getattr(at.value, verb) is not None for verb in VERBS) and at.node(other.split(":")[0]) is None:
                yield at.add(other)


@kind("a step has no verb")
def no_verb(source: Source, _rng: Random) -> Iterator[Edit]:
    """Only a modifier is left of it."""
    for at in source.of(Effect):
        for verb in VERBS:
            if at.value.if_ is None or (at.value.then is None and at.value.else_ is None):
                yield from at.remove(verb.replace("_", "-"))


@kind("a modifier stands beside the wrong verb, or alone")
def modifiers(source: Source, rng: Random) -> Iterator[Edit]:
    """`outcomes` without a roll, `else` without a question, `otherwise` without `do-if`."""
    for at in source.of(Effect):
        if at.value.roll is None and at.value.roll_each is None and at.value.if_ is None:
            yield at.add("outcomes: {1+: [], 0: []}")
            if at.value.may is None:
                yield at.add("else: [{stop: turn}]")
        if at.value.roll is not None and at.value.outcomes is not None:
            for node in at.written("roll"):
                yield at.replace(node.key, "run")
    for card in source.of(Card):
        if card.value.deck == "event" and card.value.do_if is None:
            yield card.add("otherwise: [{stop: turn}]")
    for action in source.of(Action):
        if action.value.when == "own-turn":
            yield action.add(rng.choice(["rolls: [trait]", "kinds: [mental]"]))


@kind("keys exclude each other")
def excluding(source: Source, _rng: Random) -> Iterator[Edit]:
    """Dice and points, one trait and several, a counter by and to."""
    for cls, given, entry in (
        (Damage, "dice", "points: 2"),
        (Damage, "points", "dice: 1"),
        (Steps, "trait", "traits: [might]"),
        (Roll, "trait", "dice: 2"),
        (CounterChange, "by", "to: 3"),
        (Heal, "traits", "split: [might, speed]"),
        (Condition, "counter", "count: {omens: drawn}"),
        (Number, "players", "counter: hunger"),
        (Standing, "modify", "blocks-sight: true"),
    ):
        for at in source.of(cls):
            if at.node(given) is not None:
                yield at.add(entry)


@kind("a key lacks its companion")
def companions(source: Source, _rng: Random) -> Iterator[Edit]:
    """`at-least` of nothing, steps to be split among no traits, extra dice for no reason."""
    for cls, field in (
        (Condition, "at-least"),
        (Condition, "at-most"),
        (Condition, "counter"),
        (Condition, "count"),
        (Heal, "split"),
        (Roll, "extra-if"),
        (Roll, "extra-dice"),
        (Damage, "dice"),
        (Steps, "trait"),
    ):
        for at in source.of(cls):
            if not isinstance(at.value, Condition) or at.value.counter is not None or at.value.count is not None:
                yield from at.remove(field)


@kind("an amount is negative or nothing")
def negative(source: Source, rng: Random) -> Iterator[Edit]:
    """No dice, -1 steps, a barrier of 0, a speed of -3."""
    for cls, fields in (
        (Steps, ("steps",)),
        (Heal, ("steps",)),
        (Damage, ("dice", "points")),
        (Roll, ("dice",)),
        (Draw, ("count",)),
        (EventAttack, ("dice",)),
        (Fetch, ("spaces",)),
        (Trap, ("at-least", "tries")),
        (Barrier, ("at-least",)),
        (ReduceDamage, ("points",)),
        (Modify, ("min-dice", "max-dice")),
        (Attack, ("max-dice",)),
        (Standing, ("slows", "move-limit")),
        (Counter, ("max", "start")),
        (Monster, ("speed", "sanity", "might")),
        (PlaceMonster, ("count",)),
    ):
        for at in source.of(cls):
            for field in fields:
                for node in at.written(field):
                    if not isinstance(node.value.value, str):
                        continue
                    least = -3 if field in {"start", "speed"} else rng.choice([0, -1, -2])
                    yield at.replace(node.value, str(least))


@kind("a number of a table by players is negative")
def negative_by_players(source: Source, _rng: Random) -> Iterator[Edit]:
    """-4 with 4 explorers."""
    for at in source.of(Number):
        for players in at.value.players or ():
            for node in at.written("players", players):
                yield at.replace(node.value, f"-{node.value.value}" if node.value.value != "0" else "-1")


@kind("an amount is beyond what the game has")
def too_much(source: Source, rng: Random) -> Iterator[Edit]:
    """40 dice, 20 steps, a lock that takes 44: a digit too many."""
    for cls, fields in (
        (Steps, ("steps",)),
        (Damage, ("dice",)),
        (Roll, ("dice",)),
        (EventAttack, ("dice",)),
        (Trap, ("at-least",)),
        (Barrier, ("at-least",)),
        (Modify, ("dice", "max-dice")),
        (Attack, ("dice", "max-dice")),
    ):
        for at in source.of(cls):
            for field in fields:
                for node in at.written(field):
                    if isinstance(node.value.value, str):
                        yield at.replace(node.value, node.value.value + rng.choice("456789"))


@kind("a span goes backwards")
def spans(source: Source, _rng: Random) -> Iterator[Edit]:
    """From 8 to 0; at least 5 and at most 2."""
    for at in source.of(SetResult):
        for node in at.written("from"):
            yield at.replace(node.value, "9")
    for condition in source.of(Condition):
        if isinstance(condition.value.at_least, int) and condition.value.at_most is None:
            yield condition.add(f"at-most: {condition.value.at_least - 1}")


@kind("a verb has nobody to speak for it")
def speakers(source: Source, _rng: Random) -> Iterator[Edit]:
    """A tile discards itself, a card moves its tile, a token changes its state, an event keeps whoever leaves its room."""
    for at in _own(source):
        home = at.spot.inside(Tile, Card, TokenKind, Haunt)
        if home is None:
            continue
        if not isinstance(home.value, Card):
            yield at.before("{discard: this}")
            yield at.before('{set-state: "on"}')
        elif home.value.deck != "event":
            yield at.before("{move-tile: {floor: any}}")
        else:
            yield at.before("{stop: leaving}")


@kind("a reaction does what is not its moment's")
def reactions(source: Source, _rng: Random) -> Iterator[Edit]:
    """The dice are changed after the roll, damage is converted where nothing is dealt, a plain action rolls again."""
    for at in source.of(Action):
        for node in at.written("when"):
            if at.value.when in {"before-roll", "instead-of-roll", "after-roll"}:
                yield at.replace(node.value, "before-harm" if at.value.rolls is None else "own-turn")
            if at.value.when == "before-harm":
                yield at.replace(node.value, "after-roll")
    for step in source.of(Effect):
        action = step.spot.above
        if action is not None and isinstance(action.value, Action) and action.value.when == "own-turn":
            yield step.before("{reroll: {dice: one}}")


@kind("a trigger or action does nothing")
def idle(source: Source, _rng: Random) -> Iterator[Edit]:
    """`do: []`; a roll where every result leads to nothing; an empty branch."""
    for cls in (Trigger, Action):
        for at in source.of(cls):
            for node in at.written("do"):
                yield at.replace(node.value, "[]")
    for effect in source.of(Effect):
        for node in effect.written("then"):
            yield effect.replace(node.value, "[]")
        table = effect.value.outcomes
        for node in effect.written("outcomes"):
            if table and not in_braces(node.value) and len(table) == 2 and effect.value.roll is not None:
                full = [key for key, steps in table.items() if steps]
                if len(full) == 1:
                    for branch in effect.written("outcomes", full[0]):
                        yield effect.replace(branch.value, "[]")


@kind("a list that needs something is empty")
def empty(source: Source, _rng: Random) -> Iterator[Edit]:
    """`any: []`, `traits: []`, `one-of: []`, `on: []`."""
    for cls, fields in (
        (Condition, ("any", "any-in-house", "on")),
        (Steps, ("traits", "one-of")),
        (Heal, ("traits", "split")),
        (Each, ("on",)),
        (Modify, ("rolls",)),
        (Effect, ("choose",)),
        (Standing, ("spared",)),
    ):
        for at in source.of(cls):
            for field in fields:
                for node in at.written(field):
                    yield at.replace(node.value, "[]")


@kind("a list says the same thing twice")
def twice(source: Source, _rng: Random) -> Iterator[Edit]:
    """`traits: [might, might]`."""
    for cls, fields in ((Steps, ("traits", "one-of")), (Heal, ("traits",)), (Card, ("barred",)), (Each, ("on",))):
        for at in source.of(cls):
            for field in fields:
                for node in at.written(field):
                    words = [item.value for item in node.value.value]
                    yield at.replace(node.value, f"[{', '.join([*words, words[-1]])}]")


@kind("a step refers to what has not happened")
def too_early(source: Source, rng: Random) -> Iterator[Edit]:
    """The rolled trait before any roll, the placed room before one is placed, a target that nobody names."""
    for at in _own(source):
        lists = at.spot.trail[:-1]
        if at.spot.trail[-1] != 0 or at.spot.inside(Action, Trigger) is None or lists[-1] != "do":
            continue
        action = at.spot.inside(Action)
        if action is not None and (action.value.when != "own-turn" or action.value.target is not None):
            continue
        trigger = at.spot.inside(Trigger)
        if trigger is not None and trigger.value.when not in {"entered", "left", "turn-ended", "gained"}:
            continue
        yield at.before("{lose: {trait: rolled}}")
        yield at.before("{move: {to: placed-room}}")
        yield at.before("{heal: {traits: [might]}, who: target}")
        yield at.before("{if: {number: {result: attack}, at-least: 1}, then: [{stop: turn}]}")
        yield at.before("{kill: target}")


@kind("a card is in a state that it does not have")
def states(source: Source, _rng: Random) -> Iterator[Edit]:
    """`worn` where `on` and `off` are; only one state."""
    for at in source.of(Effect):
        for node in at.written("set-state"):
            yield at.replace(node.value, "worn")
    for condition in source.of(Condition):
        for node in condition.written("card-state"):
            yield condition.replace(node.value, "worn")


@kind("blocks run in a circle")
def circles(source: Source, _rng: Random) -> Iterator[Edit]:
    """A block runs itself, or one that runs it."""
    for head in source.of(PackHead):
        runs = {name: {at.value.run for at in _in_block(source, name)} for name in head.value.blocks}
        for name in head.value.blocks:
            for at in _in_block(source, name):
                yield at.before(f"{{run: {name}}}")
                for other in runs.get(at.value.run or "", ()):
                    if other == name:
                        yield at.before(f"{{run: {other}}}")


def _in_block(source: Source, name: str) -> Iterator[At[Effect]]:
    for at in source.of(Effect):
        if at.spot.trail[:3] == ("head", "blocks", name):
            yield at


@kind("a limit makes no sense")
def limits(source: Source, rng: Random) -> Iterator[Edit]:
    """Once a round, twice, once a game for what happens once; once in an own turn at the start of a round."""
    for at in source.of(Limit):
        for node in at.written("per"):
            yield at.replace(node.value, rng.choice(["round", "never", "2", "[turn, game]"]))
    for trigger in source.of(Trigger):
        if trigger.value.when == "round-started" and trigger.value.once is None:
            yield trigger.add("once: {per: own-turn}")
            yield trigger.add("once: {per: turn, each: explorer}")


@kind("a trigger's moment never comes to its source")
def moments(source: Source, _rng: Random) -> Iterator[Edit]:
    """A tile is stolen, a card discovered, a room's round begins."""
    for at in source.of(Trigger):
        home = at.spot.inside(Tile, Card, TokenKind, Haunt)
        for node in at.written("when"):
            if home is not None and isinstance(home.value, Tile):
                yield at.replace(node.value, "gained")
                yield at.replace(node.value, "round-started")
            elif home is not None and isinstance(home.value, Card):
                yield at.replace(node.value, "discovered")
                yield at.replace(node.value, "haunt-started")
            elif home is not None:
                yield at.replace(node.value, "lost")
                yield at.replace(node.value, "left")


@kind("a choice leaves no choice")
def choices(source: Source, _rng: Random) -> Iterator[Edit]:
    """No option, or the same one twice."""
    for at in source.of(Effect):
        for node in at.written("choose"):
            yield at.replace(node.value, "[]")
    for one, other in pairwise(source.of(Option)):
        for node in one.written("id"):
            if one.trail[:-1] == other.trail[:-1]:
                yield one.replace(node.value, other.value.id)
