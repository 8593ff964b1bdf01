"""Abilities in words: triggers, actions, ways to attack, and what holds all the time."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec

from content.vocabulary.abilities import Action, Attack, Limit, Modify, ReduceDamage, Standing, Trigger
from content.vocabulary.base import DamageKind, Trait
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition
from projections.wording.people import added, more_dice
from projections.wording.telling import IGNORED
from projections.wording.words import conditions
from projections.wording.words.english import (
    THEY,
    YOU,
    Person,
    a,
    agreed,
    capital,
    deed,
    enumerated,
    listed,
    plain,
    sentence,
    sentences,
    somebody,
    unbent,
)
from projections.wording.words.speech import Speech
from projections.wording.words.titles import trait, traits

HERE = frozenset({"tile", "token"})
"""Pieces that lie in a room: what they say is about those who are there."""

MOMENTS: dict[str, str] = {
    "discovered": "when [you] [discover] this room",
    "entered": "when [you] [enter] this room",
    "left": "when [you] [leave] this room",
    "turn-started": "at the start of [your] turn",
    "turn-ended": "at the end of [your] turn",
    "drawn": "when [you] [draw] this card",
    "gained": "when [you] [gain] this card",
    "lost": "when [you] [lose] this card",
    "stolen": "when this card is stolen from [them]",
    "trait-raised": "when a trait of [yours] is raised",
    "damaged": "when [you] [take] damage",
    "dying": "when [you] would die",
    "died": "when [you] [die]",
    "monster-stunned": "when a monster is stunned",
    "monsters-ended": "at the end of the monsters' turn",
    "round-started": "at the start of each round",
    "haunt-started": "when the haunt begins",
}
"""By the vocabulary's word: the moment, about `[you]`."""

SUBJECTS: dict[str, str] = {
    "heroes": "a hero",
    "traitor": "the traitor",
    "monsters": "a monster",
    "everyone": "an explorer or monster",
}


AS_EXPLORERS = frozenset({"explorers", "heroes", "traitor"})
"""For whom a trigger is that happens to no monster."""


def trigger(s: Speech, node: Trigger, piece: str = "card") -> str:
    """What happens by itself: `At the end of your turn here: gain 1 Might`."""
    node = _without_monsters(node)
    subject = YOU if node.for_ == "explorers" else somebody(SUBJECTS[node.for_])
    limit = f", {once(node.once, node.for_)}" if node.once is not None else ""
    condition = f", if {s.if_(node.if_, THEY if subject.third else YOU)}" if node.if_ is not None else ""
    limit = f"{limit} ({SPECIAL})" if node.special else limit
    harmful = ("The traitor may" if node.for_ in AS_EXPLORERS else "The traitor and the monsters may") + " ignore this."
    does = s.steps(node.do)
    if node.harmful:
        does = does.replace(f" ({IGNORED})", "")
    told = led(f"{moment(node, piece)}{condition}{limit}", does)
    if piece == "tile" and s.titles.rooms_spare and re.search(r"\bdamage\b", does):
        return f"{told} The traitor and the monsters may ignore the damage."
    return f"{told} {harmful}" if node.harmful else _said_once(told)


def _without_monsters(node: Trigger) -> Trigger:
    """What only raises traits is told of explorers alone: no monster gains by it (2E-MON-015)."""
    raises = all(set(effect.stated()) - {"harmful", "rule"} == {"gain"} for effect in node.do)
    return msgspec.structs.replace(node, for_="explorers") if node.for_ == "everyone" and raises else node


def _said_once(told: str) -> str:
    """A rule of which all damage may be ignored says that in the end, and not each time."""
    mark = f" ({IGNORED})"
    marks = told.count(mark)
    if marks < 2 or marks != len(re.findall(r"\bdamage\b", told)):  # noqa: PLR2004 -- once is said where it belongs
        return told
    return f"{told.replace(mark, '')} The traitor and the monsters may ignore this damage."


def moment(node: Trigger, piece: str) -> str:
    """When it happens: `at the start of each round`."""
    return _moment(node, YOU if node.for_ == "explorers" else somebody(SUBJECTS[node.for_]), piece)


def _moment(node: Trigger, subject: Person, piece: str) -> str:
    said = MOMENTS[node.when]
    if piece == "book":
        said = said.replace("this room", "a room")
    if node.reach == "room":
        said = said.replace("this room", "the room of this card")
    if node.when in ("turn-started", "turn-ended"):
        whose = f"the turn of {subject.name}" if subject.third else "[your] turn"
        here = " here" if piece in HERE else " in the room of this card" if node.reach == "room" else ""
        said = f"{said.replace('[your] turn', whose)}{here}"
    if node.by == "item":
        said = f"{said} by an item"
    if node.kinds is not None:
        said = said.replace("damage", f"{damages(node.kinds)} damage")
    if not subject.third:
        said = said.replace("a trait of [yours]", "one of your traits")
    said = agreed(said.replace("[yours]", subject.name), subject)
    if subject.third and subject.name not in said and not said.endswith("each round"):
        said = f"{said}, for {subject.name}"
    return said


def damages(kinds: Sequence[DamageKind]) -> str:
    """`physical or mental`."""
    return listed(list(kinds), "or")


def led(lead: str, told: str) -> str:
    """A rule that begins with when it holds: `In the Crypt: roll Sanity`."""
    return f"{capital(lead)}: {told[:1].lower()}{told[1:]}" if lead else told


LIMITS: dict[str, str] = {"turn": "once a turn", "own-turn": "once on each of your turns", "game": "once a game"}
EACH: dict[str, str] = {"explorers": "each explorer", "monsters": "each monster", "everyone": "each of them"}


def once(limit: Limit, doers: str = "explorers") -> str:
    """How often: `once a turn`, `each explorer once a game`."""
    if limit.each == "source":
        return LIMITS[limit.per]
    if doers == "explorers" and limit.per == "own-turn":
        return LIMITS["own-turn"]
    if limit.per == "game":
        return f"{LIMITS['game']} for {EACH.get(doers, 'each explorer')}"
    return f"{EACH.get(doers, 'each explorer')} {LIMITS[limit.per].replace('your turns', 'their turns')}"


ROLLS: dict[str, str] = {
    "trait": "trait",
    "task": "trait",
    "attack": "attack",
    "defense": "defense",
    "event": "event",
    "event-trait": "trait",
    "damage": "damage",
    "haunt": "haunt",
    "any": "",
}
"""By the vocabulary's word: of which kind a roll is."""


def rolls(kinds: Sequence[str], some: Sequence[Trait] | None, last: str) -> str:
    """Which rolls, without article: `trait, attack or defense roll with Might`."""
    said = f"{listed([ROLLS[kind] for kind in kinds], last)} roll".strip()
    if "event-trait" in kinds:
        said += " for one of your events"
    return f"{said} with {traits(some, 'or')}" if some is not None else said


TIMES: dict[str, str] = {
    "own-turn": "",
    "before-moving": "before you move",
    "moving": "while you move",
    "instead-of-attack": "instead of attacking",
    "before-roll": "before you make {roll}",
    "instead-of-roll": "instead of making {roll}",
    "after-roll": "after you make {roll}",
    "before-harm": "when you take {damage}",
}
"""By the vocabulary's word: when an action is taken."""


def _time(node: Action) -> str:
    roll = a(rolls(node.rolls or ["any"], node.traits, "or"))
    kinds = f"{damages(node.kinds)} damage" if node.kinds is not None else "damage"
    return TIMES[node.when].format(roll=roll, damage=kinds)


def action(s: Speech, node: Action, *, shared: Collection[str] = ()) -> str:
    """What may be done: `SEARCH. In a room with a Hiding Place, once a turn: roll Knowledge or Sanity`.

    Args:
        s: the words of the pack.
        node: the action.
        shared: words of other actions that attempt the same task.
    """
    does, attempt = _attempt(node, shared)
    whose, condition = _whose(node)
    lead = [_time(node), *(conditions.lead(s, condition) if condition is not None else [])]
    if node.once is not None:
        lead.append(once(node.once, node.for_))
    lead.append(attempt)
    if node.spaces:
        lead.append(f"for {node.spaces} {'space' if node.spaces == 1 else 'spaces'} of movement")
    return sentences(
        [
            plain(node.word).upper(),
            whose,
            _said_once(
                led(", ".join(part for part in lead if part), f"{_aim(s, node)}{_of_those(s, node, s.steps(does))}")
            ),
            *_remarks(s, node),
        ]
    )


def _attempt(node: Action, shared: Collection[str]) -> tuple[list[Effect], str]:
    """The steps, and how often they may be tried where they are a task of the haunt."""
    first = node.do[0] if node.do else Effect()
    if first.roll is None or not first.roll.task:
        return node.do, ""
    if node.once is not None and (first.roll.task_name is not None or node.once.per == "game"):
        return node.do, ""
    bare = msgspec.structs.replace(first, roll=msgspec.structs.replace(first.roll, task=False, task_name=None))
    if node.once is not None:
        return [bare, *node.do[1:]], ""
    others = listed([plain(word).upper() for word in shared], "or")
    also = f" (or {others} in its place)" if others else ""
    named = f" at {plain(first.roll.task_name)}" if first.roll.task_name is not None and not others else ""
    return [bare, *node.do[1:]], f"one attempt{named} a turn{also}" if named else f"once a turn{also}"


DOERS: dict[tuple[str, str | None], str] = {
    ("explorers", None): "",
    ("explorers", "heroes"): "heroes only",
    ("explorers", "traitor"): "the traitor only",
    ("monsters", None): "monsters only",
    ("monsters", "heroes"): "monsters of the heroes only",
    ("monsters", "traitor"): "monsters of the traitor only",
    ("everyone", None): "monsters too",
    ("everyone", "heroes"): "heroes and their monsters only",
    ("everyone", "traitor"): "the traitor and the monsters only",
}
"""By `for` and `side` of the vocabulary: who may do it, where it is not any explorer."""


def _whose(node: Action) -> tuple[str, Condition | None]:
    """Who may do it, and what else is asked."""
    told = node.if_
    if (node.for_, node.side) == ("explorers", "traitor") and told is not None and told.you == "revealed-traitor":
        rest = msgspec.structs.replace(told, you=None)
        return "the revealed traitor only", rest if rest.stated() else None
    return DOERS[node.for_, node.side], told


def _of_those(s: Speech, node: Action, does: str) -> str:
    """The steps; cards that the condition has listed are not listed again."""
    carried = [
        one.carrying for one in (node.if_.any if node.if_ is not None else None) or [] if one.carrying is not None
    ]
    return does.replace(
        f"each of {enumerated([s.titles.card(card) for card in carried])} that you have", "those that you have"
    )


def _aim(s: Speech, node: Action) -> str:
    said = []
    if node.target is not None:
        said.append(f"choose {agreed(s.who(node.target, 'a'), YOU)} as the target")
    if node.room is not None:
        said.append(f"choose {agreed(s.place(node.room), YOU)}")
    return "".join(f"{sentence(one)} " for one in said)


def _in_own_turn(condition: Condition | None) -> bool:
    """Whether it holds in the own turn alone."""
    if condition is None:
        return False
    return condition.you == "drawer" or (condition.any is not None and all(map(_in_own_turn, condition.any)))


def _remarks(s: Speech, node: Action) -> list[str]:
    said = [f"not if {s.if_(ban.if_)}" for ban in node.forbidden]
    if node.leaves:
        said.append("this counts as leaving the room")
    if node.constant:
        said.append("this does not count as using the card")
    if node.any_turn and not _in_own_turn(node.if_):
        said.append("you may also do this in the turns of others")
    if node.again:
        said.append("you may do this several times a turn")
    return said


def standing(s: Speech, node: Standing) -> str:
    """What holds all the time: `Roll 1 more die (8 at most) on your trait rolls`."""
    name, told = next((one, value) for one, value in node.stated().items() if one in STANDINGS and value is not False)
    said = STANDINGS[name](s, told)
    if node.items_by_ruling is not None:
        said = f"{said}, but only items"
    if node.special:
        said = f"{said} ({SPECIAL})"
    if node.if_ is None:
        return sentence(said)
    return sentence(f"while {s.if_(node.if_)}, {said}")


WHOSE: dict[str, Person] = {
    "holder": YOU,
    "in-room": Person("explorers in this room", third=False, your="their", them="them"),
    "heroes-in-room": Person("heroes in this room", third=False, your="their", them="them"),
}


def _modify(_s: Speech, node: Modify) -> str:
    which = rolls(node.rolls, node.traits, "and").replace(" roll", " rolls")
    which = which.replace("one of your", "[your]") if "event-trait" in node.rolls else f"[your] {which}"
    dice = more_dice(node.dice, node.max_dice, node.min_dice)
    said = [f"[roll] {dice} on {which}"] if dice else []
    if node.result:
        said.append(added(node.result, which))
    return deed(listed(said), WHOSE[node.whose])


def _reduce(_s: Speech, node: ReduceDamage) -> str:
    return f"you take {node.points} {'point' if node.points == 1 else 'points'} less of all {node.kind} damage"


def _spaces(number: int) -> str:
    return f"{number} {'space' if number == 1 else 'spaces'}"


SPECIAL = "a special action"

STANDINGS: dict[str, Callable[[Speech, Any], str]] = {
    "modify": _modify,
    "reduce_damage": _reduce,
    "spared": lambda s, rooms: f"the harm of {listed([s.titles.room(room) for room in rooms])} does not affect you",
    "blocks_sight": lambda _s, _yes: "nobody sees through this room",
    "slows": lambda _s, spaces: f"leaving this room costs {spaces} more {'space' if spaces == 1 else 'spaces'}",
    "move_limit": lambda _s, spaces: f"move at most {_spaces(spaces)} a turn",
    "trade_within": lambda _s, spaces: f"you may trade with explorers up to {_spaces(spaces)} away",
    "may_pass_over": lambda _s, deck: (
        f"you need not draw {a(f'{deck} card')} for the symbol of a room that you discover"
    ),
    "may_bury_tile": lambda _s, _yes: "when you turn up a room by walking, you may bury it and take the next one",
}
"""By the vocabulary's field: its words."""

RANGES: dict[str, str] = {
    "room": "",
    "line-of-sight": "anybody in line of sight",
    "adjacent": "anybody in your room or an adjacent one",
}


def attack(s: Speech, node: Attack, person: Person = YOU) -> str:
    """A way to attack: `Attack with Speed and 1 more die (8 at most)`."""
    said = (
        f"{'[you] may attack' if person == YOU else '[attack]'} {RANGES[node.range]} with {trait(node.trait)}".replace(
            "  ", " "
        )
    )
    extra = [more_dice(node.dice, node.max_dice), unbent(added(node.result)) if person == YOU else added(node.result)]
    said = " and ".join([said, *(part for part in extra if part)])
    parts = [deed(said if node.damage == "physical" else f"{said}, for {node.damage} damage", person)]
    if node.cost is not None:
        price = f"with each attack, {s.clause(node.cost, person)}"
        parts.append(f"{price}, or forgo the dice" if node.free_by_ruling is not None else price)
    if node.safe:
        parts.append(agreed("[you] [take] no damage from the attack", person))
    if node.kills:
        parts.append(f"{listed([s.titles.kinds(kind) for kind in node.kills])} that it defeats are killed")
    if node.steals:
        parts.append(agreed("[you] may take a card in place of dealing damage", person))
    told = sentences(parts)
    return f"{told} Before the roll: {_lower(s.steps(node.before))}" if node.before is not None else told


def _lower(words: str) -> str:
    return f"{words[:1].lower()}{words[1:]}"
