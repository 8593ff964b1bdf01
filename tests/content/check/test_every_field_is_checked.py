"""The checker knows the whole vocabulary: a new field that names or measures something cannot be forgotten."""

from collections.abc import Iterator
from typing import get_args, get_origin

import msgspec

from content.check.form import amounts, references
from content.vocabulary.base import Word
from content.vocabulary.values import Place, Who

STRUCTS = [struct for struct in Word.__subclasses__() if struct.__module__.startswith("content.vocabulary.")]

FREE_TEXT = {
    "ChooseSecret.name",
    "ChooseSecret.words",
    "Action.title",
    "Alternative.id",
    "Alternative.text",
    "Action.word",
    "Book.because",
    "Book.ending",
    "Book.goal",
    "Book.story",
    "Book.texts",
    "Card.id",
    "Card.text",
    "Card.title",
    "Chart.stand_ins",
    "Chart.titles",
    "Counter.title",
    "Effect.may",
    "Entry.because",
    "Entry.goal",
    "Entry.notes",
    "Explorer.birthday",
    "Explorer.color",
    "Explorer.id",
    "Explorer.title",
    "Extension.credits",
    "Extension.id",
    "Extension.note",
    "Extension.title",
    "Extension.version",
    "Haunt.id",
    "Haunt.story",
    "Haunt.title",
    "Monster.text",
    "Monster.title",
    "Option.id",
    "Option.title",
    "PackHead.credits",
    "PackHead.id",
    "PackHead.note",
    "PackHead.title",
    "PackHead.version",
    "Roll.task_name",
    "Ruling.alternatives",
    "Ruling.text",
    "Scenario.id",
    "Scenario.text",
    "Scenario.title",
    "Tile.id",
    "Tile.text",
    "Tile.title",
    "TokenKind.id",
    "TokenKind.text",
    "TokenKind.title",
    "Win.because",
}
"""What people read, or what gives a name instead of using one."""

CHECKED_ELSEWHERE = {
    "SecretIs.is_",  # a room, a word, or `here`: what it is compared with
    "Bar.word",  # haunts.bars
    "Card.states",  # cards.states
    "Condition.card_state",  # cards.states
    "Action.rule",  # references.rules_exist
    "Ban.rule",  # references.rules_exist
    "Effect.rule",  # references.rules_exist
    "Link.rule",  # references.rules_exist
    "Effect.set_state",  # cards.states
    "RevealUntil.kind",  # cards.kinds_exist
    "Extension.extends",  # load.packs
    "Extension.replaces",  # load.extend
    "Extension.without",  # load.extend
    "Haunt.begins",  # load.begins
}

ANY_NUMBER = {
    "Action.spaces",
    "Attack.dice",
    "Attack.max_dice",
    "Attack.result",
    "Condition.at_least",
    "Condition.at_most",
    "Condition.number",
    "Condition.round_at_least",
    "Counter.start",
    "CounterChange.by",
    "CounterChange.to",
    "Entry.traitor",
    "Entry.you",
    "Explorer.age",
    "Modify.dice",
    "Modify.max_dice",
    "Modify.min_dice",
    "Modify.result",
    "ModifyRoll.dice",
    "ModifyRoll.max_dice",
    "ModifyRoll.result",
    "Monster.knowledge",
    "Monster.might",
    "Monster.sanity",
    "Monster.speed",
    "Roll.against",
    "Roll.extra_dice",
    "SetResult.from_",
    "SetResult.to",
    "Standing.move_limit",
    "Standing.slows",
    "Start.x",
    "Start.y",
    "Track.start",
}
"""Numbers that may be 0 or less."""


CHECKED_AS_LISTS = {
    "Barrier.by_ruling",  # tiles.crossings
    "Chart.cells",  # charts.numbers_lead_on
    "Components.tokens",  # amounts.inventory
    "Extension.players",  # as PackHead.players
    "Number.players",  # tables.players
    "Number.sum",
    "Number.times",
    "PackHead.players",  # amounts.player_counts
    "Playtest.heroes",  # haunts.playtested
    "Playtest.rounds",  # haunts.playtested
    "Stealing.cards",  # haunts.stealing
    "Scenario.haunts",  # charts.scenarios_cover
    "Track.values",  # explorers.tracks
}


def _fields(wanted: type) -> Iterator[str]:
    """Find the fields of the vocabulary that hold this type, in a list or mapping too, as `Struct.field`."""
    for struct in STRUCTS:
        for field in msgspec.structs.fields(struct):
            if wanted in _parts(field.type):
                yield f"{struct.__name__}.{field.name}"


def _parts(kind: object) -> Iterator[object]:
    if set(get_args(Who)) <= set(get_args(kind)) or set(get_args(Place)) <= set(get_args(kind)):
        return  # `where` and `references` know these by their type
    yield kind
    for part in get_args(kind)[1:] if get_origin(kind) is dict else get_args(kind):
        yield from _parts(part)


def test_every_text_is_known_to_name_something_or_to_be_free() -> None:
    naming = {f"{reference.holder.__name__}.{reference.field}" for reference in references.REFERENCES}
    by_keys = {f"{r.holder.__name__}.{r.field}" for r in references.REFERENCES if r.keys}
    assert set(_fields(str)) == (naming - by_keys) | FREE_TEXT | CHECKED_ELSEWHERE


def test_every_number_is_known_to_be_at_least_one_or_any() -> None:
    positive = {f"{struct.__name__}.{name}" for struct, names in amounts.AT_LEAST_ONE.items() for name in names}
    numbers = set(_fields(int)) - CHECKED_AS_LISTS
    assert numbers == positive | ANY_NUMBER
