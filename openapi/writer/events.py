"""The types of events one by one: a JSON Schema for each, and `docs/events.md`, made of both the classes and golden games.

What a field means stands behind it (or is said of its type in `domain.facts.terms`), who is told and since when on the class. Examples
and the rules that are cited come from `tests/golden/told.json`, which `./dev golden` writes.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from content.ledger import ledger
from content.vocabulary.entry import Entry
from domain.facts.events import EVENT_TYPES, TOPICS
from domain.facts.events.base import Event
from openapi.writer.facts import Incomplete
from openapi.writer.schemas import REF, Json, Types, schema_name
from service.games.lobby.answers import CommitData
from service.log.commits import DATA_SCHEMA
from service.webhooks.message import TestEvent, ThinEvent

TOLD = Path(__file__).parents[2] / "tests" / "golden" / "told.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
LOCAL = "#/$defs/"
RULE = re.compile(r"\b(?:2E|3E|PBP)-[A-Z]+-\d{3}\b")
ENTRY = "Part of a haunt in the words of content files: `ContentEntry` in the OpenAPI document."
INFORMS = {
    "no": "nothing that was not known",
    "chance": "what chance has shown, so that the command can't be taken back",
    "secret": "a secret, so that the command can't be taken back",
}
COMMIT = "commit"
"""The name of the schema of a commit's data, beside those of the types."""
FACTS: Json = {
    "deaths": [
        {
            "seat": 2,
            "room": "gymnasium",
            "floor": "upper",
            "cause": "attack",
            "by": 1,
            "weapon": "spear",
            "rules": ["2E-ATK-005", "2E-ATK-006", "2E-DMG-001", "2E-TRAIT-003", "2E-DEATH-001"],
        }
    ],
    "placed": [{"tile": "attic", "by": 0, "floor": "upper", "x": 0, "y": 1}],
    "marks": [{"kind": "omen"}, {"kind": "turn", "turn": 12, "seat": 2}],
    "ended": {
        "turn": 83,
        "seat": 4,
        "monsters": False,
        "round": 7,
        "haunt": "the-brood-in-the-walls",
        "winner": "traitor",
        "seats": [4],
        "why": "The traitor's side wins as soon as there are at least 10 Hatchlings in the house.",
        "because": "The brood comes out of the walls in its new skin, and the house has as many hands as it has rooms.",
        "summary": "The traitor has won in turn 83, round 7 of The Brood in the Walls. The brood comes out of the walls in its new skin, "
        "and the house has as many hands as it has rooms. Winner: Madame Zostra. Dead: Heather Granville.",
    },
}
"""Examples of what a commit's data holds besides events."""
MESSAGES: dict[str, type[msgspec.Struct]] = {"committed": ThinEvent, "test": TestEvent}
"""The names of the schemas of other messages' data, and the messages."""
LONGEST = 400
"""Characters of an example on the page; longer ones are in the schema alone."""


def build_events() -> Json:
    """All schemas by name: of the data of commits, of thin messages and of tests, and of each type of event."""
    schemas = _schemas()
    messages = {name: _message(kind, schemas) for name, kind in MESSAGES.items()}
    return {COMMIT: _commit(schemas), **messages, **{_tag(kind): _of_type(kind, schemas) for kind in EVENT_TYPES}}


def _tag(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


@cache
def _facts() -> Json:
    """What golden games tell of each type.

    Raises:
        Incomplete: no game has an event of some type.
    """
    found: Json = json.loads(TOLD.read_text(encoding="utf-8"))
    if missing := [_tag(kind) for kind in EVENT_TYPES if _tag(kind) not in found]:
        raise Incomplete(
            f"tests/golden/told.json has no example of {', '.join(missing)}: play one, and `./dev golden` writes it."
        )
    return found


def _schemas() -> Json:
    """Everything that a commit is made of, by name, with references as a document of its own has them."""
    types = Types()
    for kind in MESSAGES.values():
        types.ref(kind)
    found = types.all(iter(()))
    # Its parts hold themselves, over which readers that resolve all references never finish.
    found[schema_name(Entry)] = {"type": "object", "description": ENTRY}
    local: Json = _local(found)
    return local


def _local(node: Any) -> Any:  # noqa: ANN401 -- any piece of a schema
    if isinstance(node, list):
        return [_local(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: value.replace(REF, LOCAL) if key == "$ref" and isinstance(value, str) else _local(value)
        for key, value in node.items()
        if key != "discriminator"
    }


def _needed(node: Any, schemas: Json) -> Json:  # noqa: ANN401 -- any piece of a schema
    """The schemas that a piece refers to, directly or not."""
    found: Json = {}
    waiting = [*_refs(node)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = schemas[name]
            waiting += _refs(schemas[name])
    return dict(sorted(found.items()))


def _refs(node: Any) -> Iterator[str]:  # noqa: ANN401 -- any piece of a schema
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].removeprefix(LOCAL)
        for value in node.values():
            yield from _refs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _refs(value)


def _of_type(kind: type[Event], schemas: Json) -> Json:
    schema = schemas[kind.__name__]
    needed = _needed(schema, schemas)
    return {
        "$schema": DIALECT,
        "$id": f"urn:omenlog:event:{_tag(kind)}",
        **schema,
        "examples": [_facts()[_tag(kind)]["example"]],
        "x-audience": kind.audience,
        "x-informs": kind.informs,
        "x-rules": _rules(kind),
        "x-since": kind.since,
        **({"$defs": needed} if needed else {}),
    }


def _rules(kind: type[Event]) -> list[str]:
    """Rules that the class names, and those that games cite with it, in the ledger's order."""
    fact = _facts()[_tag(kind)]
    named = {*RULE.findall(inspect.getdoc(kind) or ""), *fact.get("rules", ()), fact["example"].get("rule", "")}
    return [rule for rule in ledger() if rule in named]


def _message(kind: type[msgspec.Struct], schemas: Json) -> Json:
    """The data of a webhook's message that tells no events."""
    named = {one.name: one for one in msgspec.structs.fields(kind)}
    (name,) = named["dataschema"].type.__args__
    example = {"subscription": "qfmzs4hk2mxvq5ohq2vd"} if kind is TestEvent else {"number": 7, "turn": 1, "round": 0}
    return {"$schema": DIALECT, "$id": name, **schemas[named["data"].type.__name__], "examples": [example]}


def _commit(schemas: Json) -> Json:
    """The data of a commit, in which events of types that came later are welcome."""
    name = CommitData.__name__
    data = {**schemas[name], "properties": dict(schemas[name]["properties"])}
    type_of = {"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}}
    data["properties"]["events"] = {
        "type": "array",
        "description": data["properties"]["events"]["description"],
        "items": {
            **type_of,
            "allOf": [
                {"if": {"properties": {"type": {"const": _tag(kind)}}}, "then": {"$ref": LOCAL + kind.__name__}}
                for kind in EVENT_TYPES
            ],
        },
    }
    for member, example in FACTS.items():
        data["properties"][member] = {**data["properties"][member], "examples": [example]}
    return {"$schema": DIALECT, "$id": DATA_SCHEMA, **data, "$defs": _needed(data, schemas)}


# -- the page -------------------------------------------------------------------------------------------------------------------------


PREFACE = """\
# Events

Everything that can happen in a game, by type: {count} of them. A commit's `data.events` holds those that your role was told, in order. New
types, and new members of the types that there are, may come at any time: ignore what you don't know. [Streams](streams.md) tells how
events reach you, and what a warehouse does with them. What no single event says (who died of what and by whom, who placed a tile, how the game
ended), and what a line of the game marks, stands beside them in `data`, as [`deaths`, `placed`, `marks` and `ended`](streams.md#the-event).

`GET /v1/schemas/events` lists the types, and `GET /v1/schemas/events/{{type}}` answers the JSON Schema of one. For the type `commit` that is
the schema of a commit's `data`, with all others in it; its `$id` is the `dataschema` of every commit.

- A member with *(default)* is left out where it has this value, as is `rule`, the rule of the ledger that caused the event.
- Seats are numbers from 0. A character is an explorer, by its seat as a number, or a monster, by its id as a string. A table whose columns
  have one type each gives such a member two, which are named here and in the schema (`x-columns`): one is null.
- *Told* says whose stream has the event. *Rules* are those that it names or that the golden games cite with it;
  `GET /v1/rules/2E-MOVE-003` has their texts.
- Examples are from the [golden games](../tests/golden/GAMES.md), or from games of bots.

Written by `./dev openapi` from `domain/facts/events`.
"""


def page() -> str:
    """`docs/events.md`."""
    schemas = build_events()
    lines = [PREFACE.format(count=len(EVENT_TYPES))]
    for topic in TOPICS:
        kinds = [kind for kind in EVENT_TYPES if kind.__module__ == topic.__name__]
        links = ", ".join(f"[{_tag(kind)}](#{_tag(kind).lower()})" for kind in kinds)
        lines.append(f"- **{_title(topic)}**: {links}")
    lines += [f"- **What they hold**: {', '.join(f'[{name}](#{name.lower()})' for name in _held(schemas))}", ""]
    for topic in TOPICS:
        lines += [f"## {_title(topic)}", "", (inspect.getdoc(topic) or "").partition("\n")[0], ""]
        for kind in EVENT_TYPES:
            if kind.__module__ == topic.__name__:
                lines += _section(schemas[_tag(kind)], _facts()[_tag(kind)].get("game", ""))
    lines += ["## What they hold", ""]
    for name, schema in _held(schemas).items():
        lines += [f"### {name}", "", _prose(schema.get("description", "")), "", *_table(schema, is_row=False), ""]
    return "\n".join(lines).rstrip() + "\n"


def _title(topic: Any) -> str:  # noqa: ANN401 -- a module
    return f"{str(topic.__name__).rpartition('.')[2].capitalize()} events"


def _held(schemas: Json) -> Json:
    """What events are made of, by name, but for content."""
    found: Json = {}
    for name, schema in schemas.items():
        if name != COMMIT:
            found |= {inner: one for inner, one in schema.get("$defs", {}).items() if "properties" in one}
    return dict(sorted(found.items()))


def _section(schema: Json, game: str) -> list[str]:
    said = [
        f"*Told*: {schema['x-audience']}",
        f"*Tells*: {INFORMS[schema['x-informs']]}.",
        f"*Since*: {schema['x-since']}.",
    ]
    if schema["x-rules"]:
        said.insert(1, f"*Rules*: {', '.join(schema['x-rules'])}.")
    lines = [f"### {schema['title']}", "", _prose(schema["description"]), "", *_table(schema), "", " ".join(said), ""]
    example = json.dumps(schema["examples"][0], ensure_ascii=False)
    if len(example) <= LONGEST:
        lines += ["```json", example, "```", ""]
    if game:
        lines += [f"From [{game}](../tests/golden/games/{game}.yaml).", ""]
    return lines


def _table(schema: Json, *, is_row: bool = True) -> list[str]:
    """Members, and the columns of those that have two where each event is a row of a table."""
    needed = schema.get("required", ())
    rows = []
    for name, field in schema["properties"].items():
        if name in ("type", "rule"):
            continue
        default = (
            ""
            if name in needed
            else f" ({json.dumps(field['default'], ensure_ascii=False)})"
            if "default" in field
            else " (none)"
        )
        text = _prose(field.get("description", ""))
        if is_row and "x-columns" in field:
            text += f" Columns: {', '.join(f'`{column}`' for column in field['x-columns'])}."
        rows.append(f"| `{name}` | {_kind(field)}{default} | {text} |")
    return ["| member | holds | means |", "| --- | --- | --- |", *rows] if rows else ["It has no members of its own."]


def _prose(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _kind(field: Json) -> str:
    """What a member holds, in a word or two."""
    if "$ref" in field:
        return _link(field["$ref"])
    if "anyOf" in field:
        return " or ".join(_kind(one) for one in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{word}`" if word else "empty" for word in field["enum"])
    kind = field.get("type", "any")
    if kind == "array":
        return f"list of {_kind(field.get('items', {}))}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"object of {_kind(field['additionalProperties'])}"
    if kind == "integer" and "minimum" in field:
        return f"{field['minimum']} to {field['maximum']}" if "maximum" in field else f"{field['minimum']} and more"
    return {"integer": "number", "boolean": "true or false"}.get(kind, str(kind))


def _link(ref: str) -> str:
    name = ref.removeprefix(LOCAL)
    return "object" if name == schema_name(Entry) else f"[{name}](#{name.lower()})"
