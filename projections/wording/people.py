"""Deeds on traits, rolls and cards, as templates: `[gain] 1 Might`, `[draw] 2 item cards`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from content.vocabulary.base import TRAITS
from content.vocabulary.effects import RollEach
from content.vocabulary.values import Number
from content.vocabulary.verbs import (
    ConvertDamage,
    Damage,
    Draw,
    EventAttack,
    Fetch,
    Heal,
    Look,
    LoseCard,
    ModifyRoll,
    MustAttack,
    Reroll,
    RevealUntil,
    Roll,
    Search,
    SetTrait,
    Steps,
    TakeCard,
    Trap,
)
from projections.wording.words.english import a, enumerated, listed, plain, quoted
from projections.wording.words.speech import Speech
from projections.wording.words.titles import DECKS, card_of, trait, traits
from projections.wording.words.values import fixed

Template = Callable[[Speech, Any], str]


def gain(s: Speech, node: Steps) -> str:
    """Traits go up."""
    return _steps(s, node, "gain", "raise")


def lose(s: Speech, node: Steps) -> str:
    """Traits go down."""
    return _steps(s, node, "lose", "lower")


def _steps(s: Speech, node: Steps, verb: str, changing: str) -> str:
    some = [node.trait] if node.trait is not None else node.traits or node.one_of or []
    last = "or" if node.one_of is not None else "and"
    steps = fixed(s, node.steps)
    critical = "critical " if node.only == "critical" else ""
    note = " (noted on this card)" if node.lasting else ""
    if node.undo:
        note = f" (as far as this card {'took' if verb == 'gain' else 'gave'} it)"
    every = set(some) == set(TRAITS)
    if steps is None:
        which = f"{traits(some, last)}{', if critical,' if critical else ''}"
        return f"[{changing}] {which} by {s.value(node.steps)}{note}"
    if every:
        which = f"a {critical}trait of [your] choice" if last == "or" else f"each {critical}trait"
        return f"[{verb}] {steps} in {which}{note}"
    if critical:
        which = f"{traits(some, last)}, {'if it is' if len(some) == 1 else 'only where they are'} critical"
        return f"[{verb}] {steps} in {which}{note}"
    if some == ["rolled"]:
        return f"[{verb}] {steps} in {trait('rolled')}{note}"
    return f"[{verb}] {listed([f'{steps} {trait(one)}' for one in some], last)}{note}"


def heal(s: Speech, node: Heal) -> str:
    """Traits back up to where they started."""
    some = node.split or node.traits or []
    which = traits(some)
    if node.only == "critical":
        which = "all critical traits" if set(some) == set(TRAITS) else f"{which}, where critical,"
    values = "its starting value" if len(some) == 1 else "their starting values"
    if node.split is not None:
        most = s.amount(node.steps if node.steps is not None else 1, "space")
        return f"[raise] {which} by up to {most} in all, not above {values}"
    return f"[raise] {which} to {values}"


def set_trait(_s: Speech, node: SetTrait) -> str:
    """Traits at the lowest or the starting value."""
    some: Sequence[str] = [node.trait] if node.trait is not None else node.traits or []
    several = len(some) > 1
    whose = "their" if several else "its"
    where = f"{whose} lowest {'values' if several else 'value'} above the skull"
    if node.to == "start":
        where = f"{whose} starting {'values' if several else 'value'}"
    said = f"[set] {traits(some)} to {where}"
    if node.or_another:
        by = "" if node.another_by is None else f", by only {node.another_by}"
        said += f" or, if it is there already, another trait of [your] choice{by}"
    return said


def damage(s: Speech, node: Damage) -> str:
    """Dice or points of damage."""
    much = s.amount(node.dice, "die", "dice") if node.dice is not None else s.amount(node.points or 0, "point")
    if isinstance(node.points, Number) and node.points.result == "blanks":
        return f"[take] 1 point of {node.kind} damage for each blank that it shows"
    head, as_, formula = much.partition(" as ")
    return (
        f"[take] {head} of {node.kind} damage"
        if not as_ or not head
        else f"[take] {head} of {node.kind} damage{as_}{formula}"
    )


def roll(s: Speech, node: Roll) -> str:
    """Dice or a trait; a task of the haunt may be tried once a turn."""
    if node.dice is not None:
        said = f"[roll] {s.amount(node.dice, 'die', 'dice')}"
    else:
        some = [node.trait] if node.trait is not None else node.one_of or []
        said = f"[roll] {'a trait of [your] choice' if set(some) == set(TRAITS) else traits(some, 'or')}"
    if node.extra_dice and node.extra_if is not None:
        said += f", with {_dice(node.extra_dice)} if {s.if_(node.extra_if)}"
    if node.against is not None:
        said += f" against {s.value(node.against)}"
    if node.task:
        said += f" ({task(node.task_name)})"
    return said


def task(name: str | None) -> str:
    """How often a task may be tried."""
    return "one attempt a turn" if name is None else f"one attempt at {quoted(plain(name))} a turn"


def _dice(number: int) -> str:
    return f"{abs(number)} {'more' if number > 0 else 'fewer'} {'die' if abs(number) == 1 else 'dice'}"


def more_dice(dice: int, max_dice: int | None, min_dice: int | None = None) -> str:
    """Dice more or fewer, and their bounds: `2 more dice (8 at most)`; empty if there are none."""
    bounds = [f"{number} at {word}" for number, word in ((max_dice, "most"), (min_dice, "least")) if number is not None]
    if not dice:
        return f"dice ({', '.join(bounds)})" if bounds else ""
    limits = f" ({', '.join(bounds)})" if bounds else ""
    return f"{_dice(dice)}{limits}"


def added(result: int, to: str = "the result") -> str:
    """Points more or fewer: `[add] 1 to the result`; empty if there are none."""
    if not result:
        return ""
    return f"[add] {result} to {to}" if result > 0 else f"[take] {-result} from {to}"


def roll_each(_s: Speech, node: RollEach) -> str:
    """Several traits one after another."""
    return f"[roll] {listed([trait(one) for one in node.traits])} one after another"


def modify_roll(_s: Speech, node: ModifyRoll) -> str:
    """The roll under way is changed."""
    said = []
    if node.trait is not None:
        said.append(f"[roll] {trait(node.trait)} instead")
    if node.dice or node.max_dice is not None:
        said.append(f"[roll] {more_dice(node.dice, node.max_dice)}")
    if node.result:
        said.append(added(node.result))
    if node.set is not None:
        also = ", to which is added what is added to the roll" if node.set.adds else ""
        said.append(f"[name] a result from {node.set.from_} to {node.set.to}{also}")
    if node.stored:
        said.append("[use] the result noted on this card, but no more than the dice could show")
    return enumerated(said)


REROLLED: dict[str, str] = {
    "one": "one die",
    "any": "any of the dice",
    "all": "all dice",
    "blanks": "all blanks",
}


def reroll(_s: Speech, node: Reroll) -> str:
    """Dice once more."""
    return f"[reroll] {REROLLED[node.dice]}"


def convert_damage(_s: Speech, node: ConvertDamage) -> str:
    """Damage of another kind."""
    return f"[take] it as {node.to} damage"


def attacked(s: Speech, node: EventAttack) -> str:
    """An attack by something that is not there."""
    dice = s.amount(node.dice, "die", "dice")
    return f"[defend] with {trait(node.trait)} against an attack with {dice}, for {node.damage} damage"


def must_attack(s: Speech, node: MustAttack) -> str:
    """An attack at once."""
    return f"[make] an attack at once on {', or if there is none, on '.join(s.who(whom, 'a') for whom in node.whom)}"


HELPERS: dict[str, str] = {"here": "an explorer in the same room", "anywhere": "an explorer anywhere"}


def held(node: Trap) -> list[str]:
    """What it means to be trapped, and how that ends."""
    first = ", this roll included," if node.first_try_counts else ""
    said = [
        "while trapped, [you] can do nothing",
        f"[you] or {HELPERS[node.helpers]} may try to free [them], each once on their turn: roll {trait(node.trait)}, {node.at_least}+ frees [them]",
        f"after {node.tries} failed tries{first} [you] [are] free at the start of [your] next turn",
    ]
    if node.failing_stops:
        said.append("whoever fails stops moving")
    if node.catches_helpers:
        said.append("a helper who fails is trapped too")
    return said


def draw(_s: Speech, node: Draw) -> str:
    """Cards from a deck."""
    return f"[draw] {a(card_of(node.deck)) if node.count == 1 else f'{node.count} {node.deck} cards'}"


def reveal_until(_s: Speech, node: RevealUntil) -> str:
    """The first card of a kind."""
    return f"[reveal] {node.deck} cards until {a(node.kind)} appears, [keep] it and [bury] the others"


def search(_s: Speech, node: Search) -> str:
    """A card of an undrawn stack, on top."""
    decks = listed([DECKS[deck] for deck in node.decks], "or")
    return f"[choose] a card from the {decks}, [shuffle] the deck and [put] the card on top"


def look(_s: Speech, node: Look) -> str:
    """The next of a stack, in secret."""
    stacks = [node.stack] if node.stack is not None else node.stacks or []
    decks = listed([DECKS[stack] for stack in stacks], "or")
    number = "the top" if node.count == 1 else f"the top {node.count}"
    things = (
        ("tile" if node.count == 1 else "tiles") if stacks == ["tiles"] else ("card" if node.count == 1 else "cards")
    )
    if "tiles" in stacks and len(stacks) > 1:
        things = "tile or card" if node.count == 1 else "tiles or cards"
    back = " and [put] them back in any order" if node.reorder else ""
    return f"[look] in secret at {number} {things} of the {decks}{back}"


CARDS: dict[str, str] = {"item": "item card", "any": "card", "not-weapon": "item card that is not a weapon"}


def lose_card(s: Speech, node: LoseCard) -> str:
    """A card goes."""
    if node.card is not None:
        which = s.titles.card(node.card)
    else:
        which = a(CARDS[node.kind]) if node.how == "choose" else f"{a(CARDS[node.kind])} chosen at random"
    if node.to == "floor":
        held = " if [you] [have] it" if node.card is not None else ""
        return f"[leave] {which} in {s.place(node.at if node.at is not None else 'here')}{held}"
    if node.to == "deck":
        return f"[shuffle] {which} into its deck"
    return f"[{'bury' if node.to == 'bury' else s.titles.discard}] {which}"


def take(s: Speech, node: TakeCard) -> str:
    """A card of somebody else."""
    if node.card is None:
        return f"[take] a card from {s.who(node.from_)}, as if stealing it"
    whose = "whoever has it" if node.from_ == f"holder:{node.card}" else s.who(node.from_)
    return f"[take] {s.titles.card(node.card)} from {whose}"


def fetch(s: Speech, node: Fetch) -> str:
    """A companion carries an item."""
    said = f"[send] this companion to carry an item card to or from a room at most {node.spaces} spaces away"
    not_there = [f"does not enter {listed([s.titles.room(room) for room in node.barred], 'or')}"] if node.barred else []
    if node.barred_tokens:
        tokens = listed([s.titles.token(token) for token in node.barred_tokens], "or")
        not_there.append(f"does not use the way of a {tokens}")
    return f"{said}; it {' and '.join(not_there)}" if not_there else said


STOPS: dict[str, str] = {
    "moving": "[move] no further this turn",
    "attacking": "[make] no attack this turn",
    "leaving": "[stay] in this room and [move] no further this turn",
    "turn": "[end] [your] turn",
    "block": "[ignore] the rest of this text",
}

PEOPLE: dict[str, Template] = {
    "gain": gain,
    "lose": lose,
    "heal": heal,
    "set_trait": set_trait,
    "damage": damage,
    "roll": roll,
    "roll_each": roll_each,
    "modify_roll": modify_roll,
    "reroll": reroll,
    "next_roll": lambda _s, with_: (
        f"[make] [your] next trait roll this turn with {trait(with_)}, unless it is an attack"
    ),
    "convert_damage": convert_damage,
    "attacked": attacked,
    "must_attack": must_attack,
    "trap": lambda _s, _trap: "[you] [are] trapped",
    "draw": draw,
    "reveal_until": reveal_until,
    "search": search,
    "look": look,
    "discard": lambda s, _card: f"[{s.titles.discard}] this card",
    "lose_card": lose_card,
    "take": take,
    "fetch": fetch,
    "keep": lambda _s, _card: "[keep] this card",
    "store": lambda _s, _roll: "[note] the result on this card",
    "set_state": lambda _s, state: f"[turn] this card to {quoted(plain(state))}",
    "give": lambda s, card: f"[take] {s.titles.card(card)}",
    "stop": lambda _s, what: STOPS[what],
    "extra_turn": lambda _s, _you: "[take] another turn after this one",
    "survive": lambda _s, _you: "[you] [do] not die",
}
"""By the vocabulary's field: the deed."""
