"""Every word of the vocabulary has its words in English, and every field of a word is heard."""

from __future__ import annotations

import typing
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
import pytest

from content.describe import examples
from content.load.documents import Document
from content.vocabulary import abilities, pack, values
from content.vocabulary.base import Word
from content.vocabulary.effects import VERBS, Effect
from projections.wording import Wording
from projections.wording import abilities as told_abilities
from projections.wording.haunts import BARRED, KINDS, PICKED
from projections.wording.pieces import BARRED as BARRED_DEEDS
from projections.wording.steps import DEEDS
from projections.wording.words.conditions import ARE, CLAIMS, COMPARED, DEAD, TRAITOR
from projections.wording.words.selections import AFTER, BEFORE, ROLES
from projections.wording.words.values import EXPLORERS, RESULTS, VALUES
from tests.support.packs import pack as loaded

JOINED = {"all", "any", "not_", "at_least", "at_most"}
"""Keys of a condition that join or bound others."""


def literals(owner: type[Word], field: str) -> set[Any]:
    """The words that a field takes."""
    hint = typing.get_type_hints(owner)[field]
    return set(_words(hint))


def _words(hint: Any) -> Iterator[Any]:  # noqa: ANN401 -- any type
    if typing.get_origin(hint) is typing.Literal:
        yield from typing.get_args(hint)
    else:
        for inner in typing.get_args(hint):
            yield from _words(inner)


TABLES: dict[str, tuple[Collection[Any], Collection[Any]]] = {
    "verbs of an effect": (VERBS, {*DEEDS, "run", "choose", "each_room"}),
    "keys of a condition": (values.Condition.__struct_fields__, {*CLAIMS, *COMPARED, *JOINED}),
    "what `you` are": (literals(values.Condition, "you"), {*ARE, "drawer"}),
    "what the traitor is": (literals(values.Condition, "traitor"), TRAITOR),
    "who has died": (literals(values.Condition, "dead"), DEAD),
    "keys of a number": (values.Number.__struct_fields__, VALUES),
    "results": (literals(values.Number, "result"), RESULTS),
    "explorers that are counted": (literals(values.Count, "explorers"), EXPLORERS),
    "characters": (literals(values.Each, "each"), ROLES),
    "keys of rooms": (values.Rooms.__struct_fields__, {*BEFORE, *AFTER, "one_of", "or_here"}),
    "standing adjustments": (
        abilities.Standing.__struct_fields__,
        {*told_abilities.STANDINGS, "if_", "items_by_ruling", "special"},
    ),
    "rolls that are adjusted": (literals(abilities.Modify, "rolls"), told_abilities.ROLLS),
    "whose rolls are adjusted": (literals(abilities.Modify, "whose"), told_abilities.WHOSE),
    "moments": (literals(abilities.Trigger, "when"), told_abilities.MOMENTS),
    "for whom a trigger is": (literals(abilities.Trigger, "for_"), {*told_abilities.SUBJECTS, "explorers"}),
    "when an action is taken": (literals(abilities.Action, "when"), told_abilities.TIMES),
    "rolls that an action answers": (literals(abilities.Action, "rolls"), told_abilities.ROLLS),
    "limits": (literals(abilities.Limit, "per"), told_abilities.LIMITS),
    "ranges": (literals(abilities.Attack, "range"), told_abilities.RANGES),
    "what cannot be done with a card": (literals(pack.Card, "barred"), BARRED_DEEDS),
    "kinds of haunts": (literals(pack.Haunt, "kind"), KINDS),
    "what a haunt bars": (literals(pack.Bar, "kind"), BARRED),
    "who becomes the traitor": (
        pack.TraitorRule.__struct_fields__,
        {*PICKED, "highest", "lowest", "explorer", "holds", "besides_revealer", "otherwise"},
    ),
}


@pytest.mark.parametrize("table", TABLES)
def test_every_word_has_its_words(table: str) -> None:
    wanted, told = TABLES[table]
    missing = sorted(str(word) for word in wanted if word not in told)
    assert not missing, f"no words in projections/wording for {table}: {', '.join(missing)}"


SAYS = Wording(loaded("second-edition"))

AN_EFFECT: Any = Effect
A_CONDITION: Any = values.Condition
"""Made here by the name of a field."""

UNHEARD: dict[tuple[str, str], str] = {
    ("Win", "because"): "the ending is told when the game ends",
    ("Roll", "extra_dice"): "counts only beside extra-if",
    ("Steps", "lasting"): "an undo step is never lasting",
    ("Steps", "only"): "stands beside the other examples of Steps",
    ("Heal", "steps"): "counts only beside split",
    ("PlaceTile", "floor"): "a named tile says where it fits",
    ("LoseCard", "kind"): "a named card is of one kind",
    ("LoseCard", "how"): "nobody chooses a named card",
    ("RollEach", "all_at_least"): "is heard with what follows it alone",
    ("ModifyRoll", "max_dice"): "is heard beside dice",
}
"""Fields whose change need not be heard in each example, with the reason."""


def samples() -> Iterator[tuple[str, Word]]:
    """By verb: the examples of its Struct."""
    hints = typing.get_type_hints(Effect)
    for verb in VERBS:
        for hint in (hints[verb], *typing.get_args(hints[verb])):
            if isinstance(hint, type) and issubclass(hint, Word):
                for example in examples(hint):
                    yield verb, msgspec.convert(Document(hint.__name__, example).data, hint)


def variations(sample: Word) -> Iterator[tuple[str, Word]]:
    """The same with one field said otherwise."""
    for field in sample.__struct_fields__:
        now = getattr(sample, field)
        for other in _others(type(sample), field, now):
            yield field, msgspec.structs.replace(sample, **{field: other})


def _others(owner: type[Word], field: str, now: Any) -> list[Any]:  # noqa: ANN401 -- any value
    if isinstance(now, bool):
        return [not now]
    if isinstance(now, int):
        return [now + 1, now + 2]
    return sorted(literals(owner, field) - {now, "rolled"}, key=str) if isinstance(now, str) else []


@pytest.mark.parametrize("verb,sample", list(samples()), ids=lambda one: str(one)[:60])
def test_whatever_a_deed_says_is_heard(verb: str, sample: Word) -> None:
    told = SAYS.effects([AN_EFFECT(**{verb: sample})])
    for field, other in variations(sample):
        if (type(sample).__name__, field) not in UNHEARD:
            changed = SAYS.effects([AN_EFFECT(**{verb: other})])
            assert changed != told, (
                f"{type(sample).__name__}.{field} is not heard: {sample} and {other} are both {told!r}"
            )


@pytest.mark.parametrize("key", sorted({*CLAIMS} - {"ruling"}))
def test_a_condition_and_its_opposite_read_differently(key: str) -> None:
    hints = typing.get_type_hints(values.Condition)
    for value in _values(hints[key]):
        condition = A_CONDITION(**{key: value})
        holds, fails = SAYS.condition(condition), SAYS.condition(values.Condition(not_=condition))
        assert holds != fails, f"{key}: {value} reads as its opposite: {holds}"


def _values(hint: Any) -> list[Any]:  # noqa: ANN401 -- any type
    words = list(_words(hint))
    if words:
        some: list[Any] = [[word] for word in words] if "list" in str(hint) else words
        return [*some, True] if "bool" in str(hint) else some
    if "bool" in str(hint):
        return [True, False]
    if "SecretIs" in str(hint):
        return [values.SecretIs(name="hiding-place", is_="here"), values.SecretIs(name="true-name", is_="ember")]
    if "Each" in str(hint):
        return ["traitor", values.Each(each="hero"), values.Each(each="monster", besides_you=True)]
    return [3] if "int" in str(hint) else [["crypt", "attic"]] if "list" in str(hint) else ["crypt"]
