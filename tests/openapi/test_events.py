"""The schemas of events tell the truth: every member is explained, what games write fits, what is no such word doesn't."""

import inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain.facts.events import EVENT_TYPES
from domain.facts.events.base import TO_ALL, TO_REFEREE, UNRELEASED, Event
from openapi.writer.write import EVENTS
from tests.golden.told import AUDIENCES, facts
from tests.laws.golden_events import tag_of

SCHEMAS: dict[str, dict[str, Any]] = json.loads(EVENTS.read_text(encoding="utf-8"))
TYPES = {name: schema for name, schema in SCHEMAS.items() if name[0].isupper()}
CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[name])


def parts(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A schema and what it holds, by name; content has schemas of its own."""
    held = {name: one for name, one in schema.get("$defs", {}).items() if "properties" in one}
    return {schema["title"]: schema, **held}


def test_there_is_a_schema_of_every_type_and_of_a_commit() -> None:
    assert set(TYPES) == {tag_of(kind) for kind in EVENT_TYPES}
    for name in ("Moved", "TurnStarted", "ActionTaken"):  # the rest is made alike, and stands in the OpenAPI document
        Draft202012Validator.check_schema(TYPES[name])
    for schema in TYPES.values():
        assert schema.get("$defs", {}).items() <= SCHEMAS["commit"]["$defs"].items()
    assert len({schema["$id"] for schema in SCHEMAS.values()}) == len(SCHEMAS)


def test_every_member_of_every_event_and_of_what_it_holds_is_explained() -> None:
    unexplained = {
        f"{part}.{member}"
        for schema in TYPES.values()
        for part, one in parts(schema).items()
        for member, field in one["properties"].items()
        if member != "type" and not field.get("description")
    }
    assert unexplained == set()


def test_a_number_has_bounds_or_its_explanation_says_what_it_counts() -> None:
    """Seats, dice, positions, turns and masks have bounds."""
    for name in ("seat", "revealer", "volunteer", "doors", "windows", "part"):
        for schema in TYPES.values():
            field = schema["properties"].get(name, {})
            kinds = [field, *field.get("anyOf", ())]
            if "integer" in [one.get("type") for one in kinds]:
                assert any("minimum" in one and "maximum" in one for one in kinds), (schema["title"], name)
    assert "1 north, 2 east, 4 south, 8 west" in TYPES["TilePlaced"]["properties"]["doors"]["description"]


CLOSED = {
    "DiceRolled.kind": "trait dice attack event-attack defense damage haunt movement",
    "DamageTaken.kind": "physical mental general",
    "TilePlaced.floor": "basement ground upper",
    "TileMoved.floor": "basement ground upper",
    "CardDrawn.deck": "tiles event item omen",
    "TraitChanged.trait": "might speed sanity knowledge",
    "Used.per": "turn own-turn game",
    "GameOpened.source": "seeded tape moderator table",
    "GameEnded.status": "finished abandoned",
    "CoinFlipped.face": "heads tails",
    "VerdictProposed.outcome": "stands amend rewind",
    "DisputeClosed.outcome": "stands amend rewind withdrawn lapsed",
    "BookEntered.book": "heroes traitor",
    "Decision.kind": "choice reaction consent ready allocation selection chance",
    "State.status": "none open started finished abandoned",
}


def test_words_of_closed_sets_are_enums() -> None:
    members = {
        f"{part}.{member}": field
        for schema in TYPES.values()
        for part, one in parts(schema).items()
        for member, field in one["properties"].items()
    }
    for name, words in CLOSED.items():
        assert members[name]["enum"] == words.split(), name


def test_sides_and_winners_are_those_that_there_are() -> None:
    for name, member in (
        ("SideTold", "side"),
        ("SideChanged", "side"),
        ("MonsterPlaced", "side"),
        ("GameEnded", "winner"),
    ):
        pattern = TYPES[name]["properties"][member]["pattern"]
        assert all(re.search(pattern, word) for word in ("heroes", "traitor", "seat:3", "")), name
        assert not any(re.search(pattern, word) for word in ("hero", "seat:6", "seats", "heroes ")), name
        assert bool(re.search(pattern, "house")) == (member == "winner")


def test_what_comes_later_is_welcome() -> None:
    closed = {
        part for schema in TYPES.values() for part, one in parts(schema).items() if not one["additionalProperties"]
    }
    assert closed == set()
    moved = {"type": "Moved", "figure": 2, "room": "attic"}
    later = {
        "number": 7,
        "turn": 1,
        "round": 0,
        "since": "then",
        "events": [{**moved, "speed": 3}, {"type": "Sneezed", "loudly": True}],
    }
    assert validator("commit").is_valid(later)


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("Moved", {"type": "Moved", "figure": 2}),
        ("Moved", {"type": "Moved", "figure": 2, "room": "attic", "part": 2}),
        (
            "TilePlaced",
            {"type": "TilePlaced", "tile": "attic", "floor": "roof", "x": 0, "y": 0, "turns": 0, "doors": 1},
        ),
        (
            "TilePlaced",
            {"type": "TilePlaced", "tile": "attic", "floor": "upper", "x": 0, "y": 0, "turns": 0, "doors": 16},
        ),
        ("GameEnded", {"type": "GameEnded", "winner": "nobody", "because": "."}),
        (
            "commit",
            {"number": 7, "turn": 1, "round": 0, "events": [{"type": "GameEnded", "winner": "nobody", "because": "."}]},
        ),
        ("commit", {"number": 7, "turn": 1, "round": 0, "events": [{"figure": 2}]}),
    ],
)
def test_what_no_game_says_does_not_fit(name: str, wrong: dict[str, Any]) -> None:
    assert not validator(name).is_valid(wrong)


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=tag_of)
def test_the_example_is_a_real_one_and_fits_its_schema_and_that_of_a_commit(kind: type[Event]) -> None:
    schema = TYPES[tag_of(kind)]
    [example] = schema["examples"]
    assert example == facts()[tag_of(kind)].example
    assert [error.message for error in validator(tag_of(kind)).iter_errors(example)] == []
    assert "said" not in json.dumps(example), "made up by `tests/laws/golden_events.py`"
    assert validator("commit").is_valid({"number": 1, "turn": 1, "round": 0, "events": [example]})


def test_facts_of_a_commit_have_examples_that_fit_and_columns_for_who_did_it() -> None:
    members = SCHEMAS["commit"]["properties"]
    facts_told = {name: members[name]["examples"][0] for name in ("deaths", "placed", "marks", "ended")}
    data = {"number": 1, "turn": 1, "round": 0, "events": []}
    assert [error.message for error in validator("commit").iter_errors({**data, **facts_told})] == []
    wrong = {**facts_told["ended"], "winner": "nobody"}
    assert not validator("commit").is_valid({**data, "ended": wrong})
    by = SCHEMAS["commit"]["$defs"]["Death"]["properties"]["by"]
    assert by["x-columns"] == {"by_seat": "integer", "by_monster": "string"}


def test_of_a_seat_or_a_name_the_two_columns_are_told() -> None:
    told = {
        f"{name}.{member}": field["x-columns"]
        for name, schema in TYPES.items()
        for member, field in schema["properties"].items()
        if "x-columns" in field
    }
    assert told["Moved.figure"] == {"figure_seat": "integer", "figure_monster": "string"}
    assert told["ActionTaken.target"] == {"target_seat": "integer", "target_name": "string"}
    mixed = {
        f"{name}.{member}"
        for name, schema in TYPES.items()
        for member, field in schema["properties"].items()
        if {"integer", "string"} <= {one.get("type") for one in field.get("anyOf", ())}
    }
    assert mixed == set(told)


def test_every_type_says_who_is_told_and_since_when() -> None:
    versions = re.findall(r"^## (\d+\.\d+\.\d+|Unreleased)$", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    for kind in EVENT_TYPES:
        assert kind.audience.endswith("."), kind
        assert kind.since in versions or (kind.since == UNRELEASED and "Unreleased" in versions), kind
        assert inspect.getdoc(kind), kind
    plain = {tag_of(kind) for kind in EVENT_TYPES if kind.audience in (TO_ALL, TO_REFEREE)}
    assert set(AUDIENCES) == {tag_of(kind) for kind in EVENT_TYPES} - plain
    assert len(plain) > 3 * len(AUDIENCES)
