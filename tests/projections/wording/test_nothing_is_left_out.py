"""Each number, trait, kind and title of the content stands in its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from content.vocabulary import outcomes
from content.vocabulary.base import FLOORS, TRAITS
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Barrier
from projections.wording import Wording
from projections.wording.steps import span
from projections.wording.words.english import plural
from projections.wording.words.titles import FLOOR_NAMES
from tests.projections.wording.walking import every_rule

WORDS: dict[str, str] = {
    "physical": "physical",
    "mental": "mental",
    "general": "general",
    "weapon": "weapon",
    "companion": "companion",
    "event": "event",
    "item": "item",
    "omen": "omen",
    "tiles": "room stack",
}
"""Words of the content that stand in a sentence as they are."""

SILENT: dict[tuple[str, str], str] = {
    ("Token", "count"): "one token has an article",
    ("PlaceMonster", "count"): "one monster has an article",
    ("Draw", "count"): "one card has an article",
    ("Look", "count"): "one card is the top one",
    ("Condition", "at_least"): "any of a trait or of damage is enough",
}
"""Numbers that are 1 and said without a number, with the reason."""

UNSAID: dict[tuple[str, str], str] = {
    ("Roll", "task_name"): "a name without a title",
    ("LoseCard", "kind"): "what is lost is a named card",
    ("Barrier", "at_least"): "the table's ruling may set another number",
    ("Barrier", "by_ruling"): "of several numbers the one that the table has chosen stands",
    ("Condition", "number"): "a number by players is told as how many players it takes",
    ("Condition", "phase"): "no noun of the game",
    ("Limit", "each"): "no noun of the game",
    ("Card", "id"): "the piece itself",
    ("Win", "because"): "told when the game ends",
    ("Monster", "text"): "told beside the rules",
    ("Monster", "actions"): "rules of their own",
    ("Monster", "title"): "the sentence begins with it",
    ("Option", "id"): "a label",
    ("Option", "title"): "a label",
    ("Action", "title"): "a label",
    ("Effect", "may"): "a label",
    ("Effect", "rule"): "a ledger id",
    ("Effect", "run"): "the name of steps, which are compared themselves",
    ("Link", "rule"): "a ledger id",
    ("Ban", "rule"): "a ledger id",
    ("Binding", "rule"): "a ledger id",
    ("Binding", "if_"): "whom a ledger id is cited for",
    ("Trigger", "binds"): "ledger ids",
    ("Action", "rule"): "a ledger id",
}
"""Fields that no rule has to say, with the reason."""


def claims(wording: Wording, said: Any, owner: str = "", field: str = "") -> Iterator[str]:  # noqa: ANN401 -- any part
    """Regular expressions that a sentence has to fit, for what a part of the content says."""
    if (owner, field) in UNSAID and not (field == "number" and getattr(said, "players", None) is None):
        return
    if isinstance(said, msgspec.Struct):
        yield from _of_struct(wording, said)
    elif isinstance(said, bool) or said is None:
        return
    elif isinstance(said, int):
        if not (said == 1 and (owner, field) in SILENT) and not (
            said == 0 and field in ("dice", "result", "spaces", "extra_dice")
        ):
            yield rf"(?<!\d){abs(said)}(?!\d)" + (r"|\bno\b" if said == 0 else "")
    elif isinstance(said, str):
        yield from _of_word(wording, said)
    elif isinstance(said, list):
        yield from _of_list(wording, said, owner, field)
    elif isinstance(said, dict):
        for key, value in said.items():
            if owner == "Effect" and field == "outcomes":
                yield re.escape(span(key)) if outcomes.parse(key) is not None else f"(?i:{span(key)})"
            yield from claims(wording, value, owner, field if owner == "Number" else "")


def _of_struct(wording: Wording, said: msgspec.Struct) -> Iterator[str]:
    if isinstance(said, Effect) and said.run is not None:
        yield from claims(wording, list(wording.titles.blocks.get(said.run, ())))
    if isinstance(said, Barrier):
        chosen = [number for ruling, number in said.by_ruling.items() if ruling in wording.rulings]
        yield f"{chosen[0] if chosen else said.at_least}[+]"
    for name, value in msgspec.structs.asdict(said).items():
        if value != defaults(type(said))[name]:
            yield from claims(wording, value, type(said).__name__, name)


@cache
def defaults(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """By field: what it says where nothing is written."""
    return {field.name: field.default for field in msgspec.structs.fields(struct)}


def _of_list(wording: Wording, said: list[Any], owner: str, field: str) -> Iterator[str]:
    if said and set(said if isinstance(said[0], str) else []) == set(TRAITS):
        yield "all traits|each trait|any trait|trait of|critical trait|Might, Speed, Sanity and Knowledge"
    elif said and isinstance(said[0], str) and set(said) == set(FLOORS):
        yield "in the house"
    else:
        for one in said:
            yield from claims(wording, one, owner, field)


def _of_word(wording: Wording, said: str) -> Iterator[str]:
    titles = wording.titles
    if said in TRAITS:
        yield said.capitalize()
    elif said in FLOORS:
        yield FLOOR_NAMES[said]
    elif said in WORDS:
        yield WORDS[said]
    else:
        name = said.partition(":")[2] or said
        found = [
            table[name]
            for table in (titles.rooms, titles.cards, titles.tokens, titles.monsters, titles.counters)
            if name in table
        ]
        if found:
            yield "|".join(re.escape(title) for one in found for title in (one, plural(one)))


def test_each_number_trait_kind_and_title_stands_in_its_sentence() -> None:
    missing = []
    checked = 0
    for rule in every_rule():
        if not rule.text:
            continue
        folded = rule.wording.folding.any(rule.said)
        wanted = set(claims(rule.wording, folded))
        checked += len(wanted)
        missing += [f"{claim!r} of {rule}" for claim in sorted(wanted) if not re.search(claim, rule.text)]
    assert not missing, "\n".join(missing)
    assert checked > 1000, "the walk finds what it is to compare"
