"""Fields and lists: what excludes or needs each other, and what says nothing or the same thing twice."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import get_args, get_origin

import msgspec

from content.check.written import written_for
from content.errors import Finding, listed
from content.survey import Survey, getter, given, written
from content.vocabulary.base import Word
from content.vocabulary.effects import (
    VERBS,
    ChooseSecret,
    CounterChange,
    Damage,
    EachRoom,
    Effect,
    Heal,
    Look,
    LoseCard,
    ModifyRoll,
    PlaceTile,
    RemoveToken,
    Roll,
    RollEach,
    Search,
    SetTrait,
    Shift,
    Steps,
    Tell,
)
from content.vocabulary.pack import (
    Action,
    Attack,
    Bar,
    Card,
    Chart,
    Haunt,
    Link,
    Modify,
    Seek,
    Standing,
    Stealing,
    Tile,
    Track,
    TraitorRule,
    Trigger,
)
from content.vocabulary.values import Condition, Count, Each, Number, Rooms

EXACTLY_ONE: dict[type[Word], tuple[str, ...]] = {
    Steps: ("trait", "traits", "one_of"),
    Heal: ("traits", "split"),
    SetTrait: ("trait", "traits"),
    Damage: ("dice", "points"),
    Roll: ("trait", "one_of", "dice"),
    PlaceTile: ("floor", "tile"),
    Look: ("stack", "stacks"),
    Shift: ("monsters", "heroes"),
    CounterChange: ("by", "to"),
    Tell: ("text", "secret"),
    ChooseSecret: ("rooms", "words"),
    Count: Count.__struct_fields__,
    Number: Number.__struct_fields__,
    Standing: tuple(name for name in Standing.__struct_fields__ if name not in {"if_", "items_by_ruling", "special"}),
    TraitorRule: tuple(name for name in TraitorRule.__struct_fields__ if name not in {"besides_revealer", "otherwise"}),
    Bar: ("card", "kind", "tile", "token"),
    Seek: tuple(
        name for name in Seek.__struct_fields__ if name not in {"for_", "if_", "without_token", "stay", "steal"}
    ),
}
"""Of these fields each such Struct has one."""

AT_LEAST_ONE: dict[type[Word], tuple[str, ...]] = {
    Condition: Condition.__struct_fields__,
    Rooms: Rooms.__struct_fields__,
    Modify: ("dice", "result"),
    ModifyRoll: ("dice", "result", "set", "stored", "trait"),
}
"""Without any of these fields such a Struct says nothing."""

AT_MOST_ONE: dict[type[Word], tuple[str, ...]] = {
    Condition: ("counter", "count", "number"),
    RemoveToken: ("at", "all"),
    ModifyRoll: ("set", "stored"),
    Stealing: ("barred", "granted"),
    LoseCard: ("how", "card"),
    Action: ("target", "room"),
    Each: ("first", "one"),
    Steps: ("lasting", "undo"),
}

NEEDS: tuple[tuple[type[Word], str, tuple[str, ...]], ...] = (
    (Heal, "split", ("steps",)),
    (Heal, "steps", ("split",)),
    (Roll, "extra_dice", ("extra_if",)),
    (Roll, "extra_if", ("extra_dice",)),
    (RollEach, "all_at_least", ("then",)),
    (RollEach, "then", ("all_at_least",)),
    (Condition, "counter", ("at_least", "at_most")),
    (Condition, "count", ("at_least", "at_most")),
    (Condition, "number", ("at_least", "at_most")),
    (Condition, "at_least", ("counter", "count", "number")),
    (Condition, "at_most", ("counter", "count", "number")),
    (Effect, "may", VERBS),
    (Effect, "else_", ("if_", "may")),
    (ModifyRoll, "max_dice", ("dice",)),
    (Standing, "items_by_ruling", ("trade_within",)),
    (Standing, "special", ("trade_within", "may_pass_over", "may_bury_tile")),
    (Attack, "free_by_ruling", ("cost",)),
    (SetTrait, "another_by", ("or_another",)),
    (Card, "otherwise", ("do_if",)),
)
"""A Struct with the first field needs one of the others."""

UNCONDITIONAL = ("blocks_sight", "slows", "trade_within")
"""Adjustments that the engine reads once for the whole pack, and so never asks a condition."""


def one_verb(survey: Survey) -> Iterator[Finding]:
    """An effect has exactly one verb; a bare `if` has its two branches instead."""
    for spot in survey.of(Effect):
        effect = spot.value
        values = zip(VERBS, getter(VERBS)(effect), strict=True)
        verbs = [written(Effect, name) for name, value in values if value is not None]
        branches = effect.then is not None or effect.else_ is not None
        if len(verbs) > 1:
            message = f"an effect has one verb, not {len(verbs)}: {listed(verbs)}"
            yield Finding(spot.at(verbs[1]), message, "make a step of its own of each", key=True)
        elif not verbs and not (effect.if_ is not None and branches):
            hint = "give it `if`, or a verb" if branches else "give it a verb, or `then` and `else`"
            yield Finding(spot.trail, "an effect without a verb does nothing", hint)


def exactly_one(survey: Survey) -> Iterator[Finding]:
    """Of some fields exactly one is given: `dice` or `points`, `trait` or `traits` or `one-of`."""
    for kind, names in EXACTLY_ONE.items():
        for spot in survey.of(kind):
            present = given(spot.value, names)
            if not present:
                yield Finding(spot.trail, f"{kind.__name__} needs one of {_written(kind, names)}")
            elif len(present) > 1:
                message = f"{_written(kind, present)} exclude each other in {kind.__name__}"
                yield Finding(spot.at(written(kind, present[1])), message, key=True)


def at_most_one(survey: Survey) -> Iterator[Finding]:
    """Of some fields no two are given together."""
    for kind, names in AT_MOST_ONE.items():
        for spot in survey.of(kind):
            present = given(spot.value, names)
            if len(present) > 1:
                message = f"{_written(kind, present)} exclude each other in {kind.__name__}"
                yield Finding(spot.at(written(kind, present[1])), message, key=True)


def at_least_one(survey: Survey) -> Iterator[Finding]:
    """A condition, a selection of rooms or a change to a roll says something."""
    for kind, names in AT_LEAST_ONE.items():
        for spot in survey.of(kind):
            if not given(spot.value, names):
                every = names == kind.__struct_fields__
                lack = "says nothing" if every else f"needs {' or '.join(f'`{written(kind, name)}`' for name in names)}"
                yield Finding(spot.trail, f"{kind.__name__} {lack}")


def needs(survey: Survey) -> Iterator[Finding]:
    """Some fields mean nothing without another: `at-least` without something to compare, `else` without a question."""
    for kind, name, others in NEEDS:
        for spot in survey.of(kind):
            if given(spot.value, (name,)) and not given(spot.value, others):
                field = written(kind, name)
                company = "a verb" if others is VERBS else " or ".join(f"`{written(kind, other)}`" for other in others)
                yield Finding(spot.at(field), f"`{field}` needs {company} beside it", key=True)


def unconditional(survey: Survey) -> Iterator[Finding]:
    """Some adjustments have no condition: they count wherever their token lies, or for whoever holds their card."""
    for spot in survey.of(Standing):
        words = given(spot.value, UNCONDITIONAL)
        if spot.value.if_ is not None and words:
            others = (name for name in EXACTLY_ONE[Standing] if name not in UNCONDITIONAL)
            message = f"`{written(Standing, words[0])}` takes no `if`"
            hint = f"leave it out; an `if` can stand beside {_written(Standing, others)}"
            yield Finding(spot.at("if"), message, hint, key=True)


def _written(kind: type[Word], names: Iterable[str]) -> str:
    return listed(written(kind, name) for name in names)


NOT_EMPTY: dict[type[Word], tuple[str, ...]] = {
    Trigger: ("do",),
    Action: ("do",),
    Modify: ("rolls",),
    RollEach: ("traits",),
    EachRoom: ("do",),
    Search: ("decks",),
}
"""Lists that have to be written down, and then hold something."""

TOLD_ELSEWHERE: dict[type[Word], tuple[str, ...]] = {
    Tile: ("floors", "doors", "doors_by_ruling", "windows", "symbols"),
    Chart: ("omens", "rooms"),
    Track: ("values",),
    Haunt: ("begins",),
}
"""Lists in which a word may stand twice, or of which another check says so."""

FEWEST_OPTIONS = 2


def empty(survey: Survey) -> Iterator[Finding]:
    """A list that is written down holds something: `any: []` never holds, `do: []` does nothing."""
    for spot in survey.spots:
        kind: type[Word] = type(spot.value)
        for name in _optional_lists(kind) + NOT_EMPTY.get(kind, ()):
            if getattr(spot.value, name) == []:
                field = written(kind, name)
                message = f"`{field}` is empty" + (": nothing happens" if name in {"do", "then"} else "")
                yield Finding(spot.at(field), message, key=True)


def twice(survey: Survey) -> Iterator[Finding]:
    """A list of names or words has each of them once; a way to another room is told once."""
    for spot in survey.spots:
        kind: type[Word] = type(spot.value)
        for name in _word_lists(kind):
            words = getattr(spot.value, name) or []
            for index, word in enumerate(words):
                if isinstance(word, str) and word in words[:index]:
                    yield Finding(spot.at(written(kind, name), index), f"`{word}` is given twice")
    seen: dict[object, None] = {}
    for link in survey.of(Link):
        way = (link.trail[:-1], link.value.to)
        if way in seen:
            yield Finding(link.at("to"), f"another link of this list leads to `{link.value.to}`")
        seen[way] = None


def idle(survey: Survey) -> Iterator[Finding]:
    """A table of outcomes leads to something, a choice leaves a choice, a counter moves, a sum has parts."""
    for spot in survey.of(Effect):
        effect = spot.value
        if effect.outcomes is not None and not any(effect.outcomes.values()) and effect.then is None:
            nested = effect.roll_each is not None and effect.roll_each.then
            if not nested:
                yield Finding(spot.at("outcomes"), "no result of this roll leads to anything", key=True)
        if effect.choose is not None and len(effect.choose) < FEWEST_OPTIONS:
            message = f"a choice has two options or more, not {len(effect.choose)}"
            yield Finding(spot.at("choose"), message, "for one that may be declined there is `may`", key=True)
    for change in survey.of(CounterChange):
        if change.value.by == 0:
            yield Finding(change.at("by"), "the counter does not move", "write how far: `by: 1`")
    for number in survey.of(Number):
        for field, parts in (("sum", number.value.sum), ("times", number.value.times)):
            if parts is not None and len(parts) < FEWEST_OPTIONS:
                yield Finding(number.at(field), f"`{field}` has two parts or more, not {len(parts)}", key=True)


LIFELESS = (
    "gain",
    "lose",
    "heal",
    "set_trait",
    "damage",
    "roll",
    "roll_each",
    "attacked",
    "must_attack",
    "draw",
    "search",
    "look",
    "take",
    "give",
    "lose_card",
    "choose",
    "trap",
    "kill",
    "escape",
    "change_side",
    "move",
)
"""Verbs that can't be done by or to a corpse."""


def without_corpses(survey: Survey) -> Iterator[Finding]:
    """Nobody looks for a corpse where the dead leave none."""
    written_so = written_for(survey)
    if written_so is None or written_so.corpses:
        return
    for spot in survey.of(Each):
        if spot.value.each == "corpse":
            message = "in this edition nobody leaves a corpse: the dead are out of the house"
            yield Finding(spot.at("each"), message, "look for the living, or for what is left behind")


def lifeless(survey: Survey) -> Iterator[Finding]:
    """Nothing that only the living can do is asked of a corpse, chosen by `who` or as the target of an action."""
    for spot in survey.of(Effect):
        who, action = spot.value.who, spot.inside(Action)
        if who == "target" and action is not None:
            who = action.value.target
        said = spot.value.verb()
        if isinstance(who, Each) and who.each == "corpse" and said is not None and said[0] in LIFELESS:
            verb = said[0].replace("_", "-")
            message = f"a corpse can't `{verb}`: it only lies where it fell, with its cards"
            yield Finding(spot.at(verb), message, "take from it, put something `here`, or `remove` it", key=True)


@cache
def _optional_lists(kind: type[Word]) -> tuple[str, ...]:
    """Return the lists that may be left out, which is not the same as being empty."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.default is None and _lists(field.type))


@cache
def _word_lists(kind: type[Word]) -> tuple[str, ...]:
    """Return the lists that hold names or words."""
    besides = TOLD_ELSEWHERE.get(kind, ())
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.name not in besides
        and any(not (isinstance(item, type) and issubclass(item, Word | int)) for item in _lists(field.type))
    )


def _lists(annotation: object) -> list[object]:
    """Return what the lists of an annotation hold."""
    if get_origin(annotation) is list:
        return list(get_args(annotation))
    return [item for part in get_args(annotation) if get_origin(part) is list for item in get_args(part)]
