"""What the numbers in a sentence are made of: the dice and points of a roll, the spaces that a step costs, the points of damage.

Events carry the sum alone. Its parts are counted as the engine counts them, from what a role knew right before the event; where they don't come
to the sum, because the role does not know them all, the rest is `more` and `fewer`, and where two explanations fit, none is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from domain.engine.bindings import Bound
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.events import (
    AttackDecided,
    DamageReduced,
    DamageTaken,
    DiceRolled,
    MonstersRolled,
    Moved,
    MovementSpent,
)
from domain.facts.events.base import Event
from domain.facts.ids import id_name
from domain.facts.state import TRAIT_INDEX, Figure, State, is_explorer
from domain.queries.characters import trait_of
from domain.queries.numbers import number
from domain.rulebook.explore.moving import slowing, spaces_left
from domain.rulebook.fight.harm import shares
from domain.rulebook.fight.spoils import dice_of, mode_of
from domain.rulebook.table.adjustments import adjusting_roll, reduction
from projections.naming.names import closed, counted, enumerated
from projections.naming.needs import dice_counted, rolls_in, source_of
from projections.naming.questions import Asking
from projections.view.haunts import sides_read, text_open
from projections.view.wording import wording_of

SHOWN = {
    "State": ("explorers", "monsters", "tokens", "used", "ever", "omens_drawn"),
    "Explorer": ("cards", "used", "spent", "at", "tracks"),
    "Monster": ("kind", "traits", "spent"),
    "TokenHere": ("token", "count", "room", "part"),
}
"""The fields of a role's state that are read here, besides names; all others stay hidden."""

MOST_ADDED = 6
"""Things that may have changed a roll, of which more are not tried in all combinations."""


class Part(NamedTuple):
    """A part of a roll."""

    title: str
    dice: int
    points: int = 0
    least: int = 0
    most: int = 0
    """The limits that it sets to the number of dice; 0: none."""


def made_of(rules: Rules, state: State, event: Event) -> str:
    """What a sum in the sentence for an event is made of, as a sentence: `8 dice: Might 5, Dagger 3.`; empty where there is nothing to say.

    Args:
        rules: of the game.
        state: what the role knew right before the event.
        event: that it was told.
    """
    match event:
        case DiceRolled(faces=[_, *_]):
            said = _roll(rules, state, event)
        case Moved() if event.spent:
            said = _step(rules, state, event)
        case MovementSpent() if event.spaces <= (left := spaces_left(rules.of(state), state, event.seat)):
            said = f"{event.spaces} of {counted(left, 'space')}"
        case AttackDecided() if event.attack != event.defense:
            said = _difference(event)
        case DamageReduced() if event.amount:
            said = _reduced(rules, state, event)
        case DamageTaken():
            said = _taken(rules, state, event)
        case MonstersRolled() if event.rule and event.rule == rules.of(state).cite.monster_minimum:
            said = "The roll was 0, and a monster may always move 1 space"
        case _:
            return ""
    return closed(said) if said else ""


# -- steps ----------------------------------------------------------------------------------------------------------------


def _step(rules: Rules, state: State, moved: Moved) -> str:
    """`2 of 4 spaces, 1 for Rat 1`."""
    figure, spent, rules = moved.figure, moved.spent, rules.of(state)
    if not is_explorer(figure) and figure not in state.monsters:
        return ""
    left = spaces_left(rules, state, figure)
    slowed = "".join(f", {part}" for part in _slowed_by(rules, state, figure, spent - 1))
    if spent <= left:
        return f"{spent} of {counted(left, 'space')}{slowed}"
    who = state.explorers[figure] if is_explorer(figure) else state.monsters[figure]
    if not slowed or who.spent:
        return ""  # more happened on the way than this role was told
    return f"{counted(spent, 'space')}{slowed}; only {left} left, but nothing takes away a first step"


def _slowed_by(rules: Rules, state: State, figure: Figure, more: int) -> list[str]:
    """Why leaving the room costs more: `1 for Rat 1`. Empty if it does not, or the role does not know."""
    opponents, obstacles = slowing(rules, state, figure)
    if more <= 0 or rules.edition.movement.penalty(len(opponents), obstacles) != more:
        return []
    names = Asking(rules, state).names
    place, slows = state.stands_at(figure), rules.pack.slows
    parts = [(names.figure(one), 1) for one in opponents]
    parts += [
        (names.token(here.token), slows[here.token] * here.count)
        for here in state.tokens
        if (here.room, here.part) == place and slows.get(here.token)
    ]
    if any(not text_open(rules, state, here.token) for here in state.tokens if (here.room, here.part) == place):
        return []
    if more == sum(spaces for _, spaces in parts):
        return [f"{spaces} for {title}" for title, spaces in parts]
    return [f"{more} for {enumerated([title for title, _ in parts])}"]


# -- damage ---------------------------------------------------------------------------------------------------------------


def _difference(decided: AttackDecided) -> str:
    """`5 - 3 = 2 points`; what that does to a monster is not counted in points."""
    higher, lower = max(decided.attack, decided.defense), min(decided.attack, decided.defense)
    loser = decided.target if decided.attack > decided.defense else decided.figure
    points = counted(higher - lower, "point") if is_explorer(loser) else f"{higher - lower}"
    return f"{higher} - {lower} = {points}"


def _reduced(rules: Rules, state: State, reduced: DamageReduced) -> str:
    """`3 - 1 = 2 points`; nothing for a card that answers the damage in another way, or of which the role has not read what it does."""
    points, by = reduction(Glance(rules.of(state), state), reduced.seat, reduced.kind)
    if not points or by != reduced.by or not (id_name(by) in rules.pack.cards or sides_read(state)):
        return ""
    return f"{reduced.amount + points} - {points} = {counted(reduced.amount, 'point')}"


def _taken(rules: Rules, state: State, taken: DamageTaken) -> str:
    """`2 of 3 points, all that the traits can still go down`, where an edition spares them."""
    _, total = shares(Glance(rules.of(state), state), taken.seat, taken.kind, taken.amount)
    if total >= taken.amount:
        return ""
    return f"{total} of {counted(taken.amount, 'point')}, all that the traits can still go down"


# -- rolls ----------------------------------------------------------------------------------------------------------------


def _roll(rules: Rules, state: State, rolled: DiceRolled) -> str:
    """`8 dice: Might 5, Dagger 3`, `5 dice: Speed 4, Candle 1; plus 1 for Bell`."""
    a = Asking(rules, state)
    base = _base(a, rolled)
    if base is None:
        return ""
    added = _adjusting(a, rolled, base)
    parts = base + added
    if not parts:
        return _named(a, rolled)
    thrown = len(rolled.faces)
    maybe = _maybe(a, rolled)
    found = _solved([one.dice for one in maybe], thrown - sum(one.dice for one in parts))
    if found is None:
        for counted_then in _before_paying(a, rolled):
            other = [counted_then, *added]
            if way := _solved([one.dice for one in maybe], thrown - sum(one.dice for one in other)):
                found, parts = way, other
    chosen = [maybe[index] for index in found or ()]
    points = _solved([one.points for one in maybe], rolled.bonus - sum(one.points for one in parts))
    said = [f"{one.title} {one.dice}" for one in [*parts, *chosen] if one.dice]
    end = "" if found is not None else _limited(thrown, parts, maybe, said)
    if not said:
        return ""
    giving = [*(one for one in parts if one.points), *(maybe[index] for index in points or ())]
    plus = enumerated([f"{one.points} for {one.title}" for one in giving if one.points])
    return f"{counted(thrown, 'die', 'dice')}: {', '.join(said)}{end}{f'; added {plus}' if plus else ''}"


def _named(a: Asking, rolled: DiceRolled) -> str:
    """What a text counts dice by, where it names no plain number and nothing is added: `5 dice: “Stops” and 3 together`."""
    if not a.has_read(source_of(rolled.about)):
        return ""
    you = Frame(a.rules.block("act"), Bound(you=rolled.who))
    found: set[str] = set()
    for value in dice_counted(a.rules, rolled.about, damage=rolled.kind == "damage"):
        try:
            dice = number(value)(Glance(a.rules, a.state), you)
        except LookupError:
            continue
        words = wording_of(a.rules, a.state).value(value)
        if dice == len(rolled.faces) and not words.isdecimal():
            found.add(words)
    return f"{counted(len(rolled.faces), 'die', 'dice')}: {found.pop()}" if len(found) == 1 else ""


def _base(a: Asking, rolled: DiceRolled) -> list[Part] | None:
    """What the roll begins with; empty where a text names a number of dice, None where the role does not know."""
    if rolled.kind == "haunt":
        policy, omens = a.rules.edition.haunt_roll, a.state.omens_drawn
        return None if policy.dice else [Part("Omens drawn", policy.number_of_dice(omens))]
    if not rolled.trait:
        return []
    value = trait_of(a.state, rolled.who, rolled.trait)
    return [Part(a.names.trait(rolled.trait), value)] if value > 0 else None


def _before_paying(a: Asking, rolled: DiceRolled) -> Iterator[Part]:
    """What the trait was when the dice were counted, if a card that then added some has cost spaces of that very trait."""
    if not rolled.trait or not is_explorer(rolled.who):
        return
    explorer, index = a.state.explorers[rolled.who], TRAIT_INDEX[rolled.trait]
    for card in _cards(a.state, rolled.who):
        for offer in a.rules.pack.reactions.get(card, ()) if f"card:{card}" in a.state.used else ():
            lost = [one.lose for one in offer.action.do if one.lose is not None]
            costs = [one.steps for one in lost if one.trait == rolled.trait]
            at = explorer.at[index] + sum(steps for steps in costs if isinstance(steps, int))
            if costs and at < len(explorer.tracks[index]):
                yield Part(a.names.trait(rolled.trait), explorer.tracks[index][at])


def _adjusting(a: Asking, rolled: DiceRolled, base: Sequence[Part]) -> list[Part]:
    """What cards and tokens add all the time. Of a roll that an event asks for it is more; whether one does is read off the dice."""
    m, thrown, ways = Glance(a.rules, a.state), len(rolled.faces), []
    for event in (False, True):
        found = [
            (by, one)
            for by, one in adjusting_roll(m, rolled.who, rolled.kind, rolled.trait, event=event)
            if not by.startswith("token:") or text_open(a.rules, a.state, id_name(by))
        ]
        ways.append(
            [Part(a.names.title(by), one.dice, one.result, one.min_dice or 0, one.max_dice or 0) for by, one in found]
        )
    plain, asked_by_event = ways
    if not base:  # a text names the number: what adjusts it is all that there is to add
        title = a.names.heading(rolled.about)
        rest = thrown - sum(one.dice for one in plain)
        return [Part(title, rest), *plain] if any(one.dice or one.points for one in plain) and rest > 0 else []
    start = sum(one.dice for one in base)
    exact = [way for way in ways if start + sum(one.dice for one in way) == thrown]
    card = rolled.about.partition("#")[0].removeprefix("card/")
    likely = asked_by_event if card in a.rules.pack.decks.get("event", ()) else plain
    return likely if likely in exact or not exact else exact[0]


def _maybe(a: Asking, rolled: DiceRolled) -> list[Part]:
    """What else may have changed the roll: the weapon, cards that answered it, and what the text itself adds."""
    rules, state, who = a.rules, a.state, rolled.who
    found = []
    if rolled.kind == "attack":
        weapon = _weapon(rules, state, who, rolled.trait) if is_explorer(who) else None
        known = is_explorer(who) or (who in state.monsters and a.has_read(f"box:{state.monsters[who].kind}"))
        mode = mode_of(rules, state, who, weapon) if known else None
        if mode is not None and (weapon or not is_explorer(who)):
            title = a.names.card(weapon) if weapon else a.names.figure(who)
            found.append(Part(title, dice_of(rules, state, mode), mode.result, most=mode.max_dice or 0))
    found += [
        Part(a.names.card(card), one.dice, one.result, most=one.max_dice or 0)
        for card in (_cards(state, who) if is_explorer(who) else ())
        for offer in rules.pack.reactions.get(card, ())
        for effect in offer.action.do
        if (one := effect.modify_roll) is not None and (one.dice or one.result)
    ]
    if a.has_read(source_of(rolled.about)):
        extra = {step.roll.extra_dice for step in rolls_in(rules, rolled.about) if step.roll is not None}
        found += [Part(a.names.heading(rolled.about), dice) for dice in sorted(extra) if dice]
    return found[:MOST_ADDED]


def _weapon(rules: Rules, state: State, who: int, trait: str) -> str | None:
    """The card attacked with: the last one that had its action in this turn and can be attacked with by this trait."""
    for key in reversed(state.used):
        what, _, card = key.partition(":")
        if what == "card" and card in rules.pack.titles:
            attack = rules.pack.card(card).attack
            if attack is not None and attack.trait == trait and card in _cards(state, who):
                return card
    return None


def _cards(state: State, who: int) -> Iterator[str]:
    """Cards that an explorer has, or that were used in this turn and may be gone since."""
    explorer = state.explorers[who]
    keys = chain(state.used, explorer.used)
    used = (key.partition("#")[0].partition(":")[2] for key in keys if key.startswith("card:"))
    elsewhere = {card for one in state.explorers if one.seat != who for card in one.cards}
    return iter(dict.fromkeys(chain(explorer.cards, (card for card in used if card not in elsewhere))))


def _solved(amounts: Sequence[int], rest: int) -> tuple[int, ...] | None:
    """Which amounts come to the rest; None where none do, or different ones."""
    if not rest:
        return ()
    given = [index for index, amount in enumerate(amounts) if amount]
    ways = [way for size in range(1, len(given) + 1) for way in combinations(given, size) if _sum(amounts, way) == rest]
    return ways[0] if len(ways) == 1 else None


def _sum(amounts: Sequence[int], way: Sequence[int]) -> int:
    return sum(amounts[index] for index in way)


def _limited(thrown: int, parts: Sequence[Part], maybe: Sequence[Part], said: list[str]) -> str:
    """Why the parts don't come to the dice thrown: a limit, or what the role does not know."""
    total = sum(one.dice for one in parts)
    limits = [one for one in [*parts, *maybe] if one.most == thrown]
    adding = [one for one in maybe if one.dice > 0]
    if limits and total + sum(one.dice for one in adding) > thrown:
        said += [f"{one.title} {one.dice}" for one in adding[:1]] if len(adding) == 1 else []
        if total > thrown or len(adding) == 1:
            return f", {thrown} at the most"
    if any(one.least == thrown for one in parts) and total < thrown:
        return f", {thrown} at the least"
    rest = thrown - total
    said.append(f"{abs(rest)} {'more' if rest > 0 else 'fewer'}")
    return ""
