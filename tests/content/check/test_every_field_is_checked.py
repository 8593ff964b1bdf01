"""The checker knows the whole vocabulary: a new field that names or measures something cannot be forgotten."""

from collections.abc import Iterator
from typing import get_args, get_origin

import msgspec

from content.check.form import amounts, references
from content.vocabulary.base import Word
from content.vocabulary.values import Place, Who
from tests.support.gaps import below, report

STRUCTS = [struct for struct in Word.__subclasses__() if struct.__module__.startswith("content.vocabulary.")]

FREE_TEXT = {
    "ChooseSecret.name",
    "ChooseSecret.words",
    "Action.title",
    "Alternative.id",
    "Alternative.text",
    "Action.word",
    "Book.because",
    "Book.because_lost",
    "Book.ending",
    "Book.ending_lost",
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
    "Entry.scenario",  # compared with the game's own: a name that there is not is another one
    "Entry.trigger",
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
    "Binding.rule",  # references.rules_exist
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
    "Condition.at_least",
    "Condition.at_most",
    "Condition.number",
    "Condition.round_at_least",
    "Counter.start",
    "CounterChange.by",
    "CounterChange.to",
    "Entry.number",
    "Entry.traitor",
    "Entry.you",
    "Roll.against",
    "Start.x",
    "Start.y",
    "Track.start",
}
"""Numbers without bounds: neither AT_LEAST_ONE nor BOUNDS of `amounts` has them."""

CHECKED_AS_LISTS = {
    "Attack.dice_by_ruling",  # cards.attacks
    "Barrier.by_ruling",  # tiles.crossings
    "Chart.cells",  # charts.numbers_lead_on
    "Components.cards",  # explorers.counted
    "Components.tokens",  # amounts.inventory
    "Extension.players",  # as PackHead.players
    "Haunt.numbers",  # prose.fixed
    "Number.players",  # tables.players
    "Number.sum",
    "Number.times",
    "PackHead.players",  # amounts.player_counts
    "Playtest.heroes",  # haunts.playtested
    "Playtest.winners",  # haunts.playtested
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


def _here(table: str) -> str:
    return f"{table} in {below(__file__)}"


def _entry(field: str) -> str:
    """A field as a table of the checker names it: the struct, then the name in quotes."""
    struct, _, name = field.partition(".")
    return f'{struct}, "{name}"'


def _unknown(fields: set[str], tables: dict[str, set[str]], todo: str) -> Iterator[str]:
    """A sentence for each field that no table names; `todo` says what to write, with `{field}` and `{entry}`."""
    for field in sorted(fields.difference(*tables.values())):
        yield f"{field}: {todo.format(field=field, entry=_entry(field))}"


def _stale(fields: set[str], tables: dict[str, set[str]]) -> Iterator[str]:
    """A sentence for each name that a table has in vain, because there is no such field or an earlier table has it."""
    first: dict[str, str] = {}
    for table, names in tables.items():
        for name in sorted(names):
            if name not in fields:
                yield f"{name}: the vocabulary has no such field; remove it from {table}"
            elif name in first:
                yield f"{name}: {first[name]} has it already; remove it from {table}"
            first.setdefault(name, table)


def test_every_text_is_known_to_name_something_or_to_be_free() -> None:
    fields = set(_fields(str))
    tables = {
        "REFERENCES in content/check/form/references.py": {
            f"{one.holder.__name__}.{one.field}" for one in references.REFERENCES if not one.keys
        },
        _here("FREE_TEXT"): FREE_TEXT,
        _here("CHECKED_ELSEWHERE"): CHECKED_ELSEWHERE,
    }
    todo = (
        "the checker does not know what this text names; write `Reference({entry}, KIND)` into REFERENCES in "
        f'content/check/form/references.py, or `"{{field}}"` into {_here("FREE_TEXT")} if it names nothing'
    )
    report([*_unknown(fields, tables, todo), *_stale(fields, tables)])


def test_every_number_is_bounded_or_known_to_be_any() -> None:
    fields = set(_fields(int))
    bounded = {f"{struct.__name__}.{name}" for struct, name in amounts.BOUNDS}
    positive = {f"{struct.__name__}.{name}" for struct, names in amounts.AT_LEAST_ONE.items() for name in names}
    tables = {
        "AT_LEAST_ONE or BOUNDS in content/check/form/amounts.py": positive | bounded,
        _here("ANY_NUMBER"): ANY_NUMBER,
        _here("CHECKED_AS_LISTS"): CHECKED_AS_LISTS,
    }
    todo = (
        "the checker does not know which numbers make sense here; write `({entry}): (LEAST, MOST)` into BOUNDS in "
        "content/check/form/amounts.py (or the name into AT_LEAST_ONE, if only 0 and less are wrong), "
        f'or `"{{field}}"` into {_here("ANY_NUMBER")} if all do'
    )
    report([*_unknown(fields, tables, todo), *_stale(fields, tables)])
