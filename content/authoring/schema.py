"""JSON Schemas of the files of a pack, for editors: generated from the vocabulary into `content/schema/`.

One small schema for each kind of file leads into `vocabulary.json`, where every Struct is described. They know shapes, and
which keys exclude each other; what names what is for the checker.
"""

from pathlib import Path
from typing import Any

import msgspec

from content.check.form.fields import AT_LEAST_ONE, EXACTLY_ONE, NEEDS, UNCONDITIONAL
from content.describe import examples, field_meanings, meaning
from content.load.documents import Document
from content.load.layout import LAYOUT, FileKind
from content.patterns import published
from content.survey import written
from content.vocabulary.base import Word
from content.vocabulary.effects import VERBS, Effect
from content.vocabulary.pack import Pack, Standing

FOLDER = Path(__file__).parent.parent / "schema"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

VOCABULARY = "vocabulary.json"

OUTCOMES = r"^(at-least|less|\d+|\d+\+|\d+-\d+)$"
PLAYERS = r"^[1-9]$"

Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """Generate all schemas, by file name."""
    found: dict[str, Schema] = published(
        {VOCABULARY: _vocabulary()} | {f"{kind.schema}.json": _file(kind) for kind in LAYOUT}
    )
    return found


def schema_files() -> dict[Path, bytes]:
    """Return what the files of `content/schema/` have to hold."""
    return {FOLDER / name: _encoded(schema) for name, schema in schemas().items()}


def stale_schemas() -> list[Path]:
    """Return the committed schemas that are missing, differ from the vocabulary, or belong to nothing."""
    wanted = schema_files()
    stale = [path for path, data in wanted.items() if not path.is_file() or path.read_bytes() != data]
    return stale + sorted(set(FOLDER.glob("*")) - set(wanted))


def _file(kind: FileKind) -> Schema:
    """Describe a file of a pack."""
    piece: Schema = {"$ref": f"{VOCABULARY}#/$defs/{kind.piece.__name__}"}
    content = {"type": "array", "items": piece} if kind.many else piece
    return {"$schema": DIALECT, "title": f"Omenlog: {kind.pattern}", "description": meaning(kind.piece), **content}


def _vocabulary() -> Schema:
    """Describe every Struct that a file can hold."""
    pieces = [kind.piece for kind in LAYOUT]
    _, components = msgspec.json.schema_components(pieces, ref_template="#/$defs/{name}")
    structs = _structs()
    for name, schema in components.items():
        _complete(schema, structs[name])
    return {"$schema": DIALECT, "title": "Omenlog: the vocabulary of content", "$defs": components}


def _structs() -> dict[str, type[Word]]:
    """Return the Structs of the vocabulary by name; others may be built from its words without being part of it."""
    ours = Word.__module__.rpartition(".")[0]
    return {one.__name__: one for one in Word.__subclasses__() if one is not Pack and one.__module__.startswith(ours)}


def _complete(schema: Schema, struct: type[Word]) -> None:
    """Add what the docstrings say, and which keys exclude or need each other."""
    schema["description"] = meaning(struct)
    schema["examples"] = [Document(struct.__name__, text).data for text in examples(struct)]
    for field, text in field_meanings(struct).items():
        schema["properties"][written(struct, field)]["description"] = text
    if struct is Effect:
        schema |= _one_verb()
    elif struct in EXACTLY_ONE:
        schema["oneOf"] = _required(struct, EXACTLY_ONE[struct])
    elif struct in AT_LEAST_ONE:
        schema["anyOf"] = _required(struct, AT_LEAST_ONE[struct])
    if companions := _companions(struct):
        schema["dependentSchemas"] = companions
    for field, pattern in (("outcomes", OUTCOMES), ("players", PLAYERS)):
        for choice in schema["properties"].get(field, {}).get("anyOf", []):
            if choice.get("type") == "object":
                choice["propertyNames"] = {"pattern": pattern}


def _one_verb() -> Schema:
    """An effect has one verb, or is an `if` with branches."""
    verbs = _required(Effect, VERBS)
    branches = [{"required": ["then"]}, {"required": ["else"]}]
    bare = {"required": ["if"], "anyOf": branches, "not": {"anyOf": verbs}}
    return {"oneOf": [*verbs, bare]}


def _companions(struct: type[Word]) -> Schema:
    """Return which keys need which others, not for `may`, which needs a verb; and beside which `if` can't stand."""
    if struct is Standing:
        return {"if": {"not": {"anyOf": _required(Standing, UNCONDITIONAL)}}}
    return {
        written(struct, field): {"anyOf": _required(struct, others)}
        for kind, field, others in NEEDS
        if kind is struct and others is not VERBS
    }


def _required(struct: type[Word], fields: tuple[str, ...]) -> list[Schema]:
    return [{"required": [written(struct, field)]} for field in fields]


def _encoded(schema: Schema) -> bytes:
    return msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n"
