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
from content.load.layout import HEAD, LAYOUT, FileKind
from content.patterns import published
from content.survey import written
from content.vocabulary.base import Word
from content.vocabulary.effects import VERBS, Effect
from content.vocabulary.extension import Extension
from content.vocabulary.pack import Pack, Standing

FOLDER = Path(__file__).parent.parent / "schema"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

VOCABULARY = "vocabulary.json"

HINT = "# yaml-language-server: $schema="
"""Begins a file's first line, by which an editor finds the schema; a path from the file, or an address, follows."""

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


def bundled(name: str) -> bytes:
    """Return the schema of a kind of file (`haunt`) with all that it leads to: one file, which needs no other beside it."""
    found = schemas()
    definitions = found[VOCABULARY]["$defs"]
    return _encoded(_inward(found[f"{name}.json"] | {"$defs": definitions}))


def _inward(schema: Any) -> Any:  # noqa: ANN401 - any piece of a JSON Schema
    """Let references lead into the same file."""
    if isinstance(schema, list):
        return [_inward(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    ref = schema.get("$ref")
    inner = {"$ref": ref.removeprefix(VOCABULARY)} if isinstance(ref, str) else {}
    return {key: _inward(value) for key, value in schema.items()} | inner


def stale_schemas() -> list[Path]:
    """Return the committed schemas that are missing, differ from the vocabulary, or belong to nothing."""
    wanted = schema_files()
    stale = [path for path, data in wanted.items() if not path.is_file() or path.read_bytes() != data]
    return stale + sorted(set(FOLDER.glob("*")) - set(wanted))


def _file(kind: FileKind) -> Schema:
    """Describe a file of a pack."""
    piece = _ref(kind.piece)
    if kind is HEAD:
        piece = {"if": {"required": ["extends"]}, "then": _ref(Extension), "else": piece}
    content = {"type": "array", "items": piece} if kind.many else piece
    return {"$schema": DIALECT, "title": f"Omenlog: {kind.pattern}", "description": meaning(kind.piece), **content}


def _ref(piece: type[Word]) -> Schema:
    return {"$ref": f"{VOCABULARY}#/$defs/{piece.__name__}"}


def _vocabulary() -> Schema:
    """Describe every Struct that a file can hold."""
    pieces = [*(kind.piece for kind in LAYOUT), Extension]
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
    """Add what the docstrings say, and which keys exclude or need each other.

    A validator reports every branch of an `anyOf` that fails. So one wrong word would be told many times, and best not at all. Here an
    unknown key is told once, by `additionalProperties`; what is missing is asked for only where all keys are known.
    """
    schema["description"] = meaning(struct)
    schema["examples"] = [Document(struct.__name__, text).data for text in examples(struct)]
    for field, text in field_meanings(struct).items():
        schema["properties"][written(struct, field)]["description"] = text
    known = list(schema["properties"])
    branches = []
    if needed := schema.pop("required", []):
        branches.append(_if_only(known, {"required": needed}))
    alternatives = VERBS if struct is Effect else EXACTLY_ONE.get(struct, AT_LEAST_ONE.get(struct, ()))
    one_of = [written(struct, field) for field in alternatives]
    if one_of:
        branches.append(_if_only([key for key in known if key not in one_of], _lacking(struct, one_of)))
    if branches:
        schema["allOf"] = branches
    dependent: dict[str, Schema] = {}
    if struct is Effect or struct in EXACTLY_ONE:
        dependent = {key: _without(one_of[number:]) for number, key in enumerate(one_of[:-1], 1)}
    for key, companion in _companions(struct).items():
        dependent.setdefault(key, {}).update(companion)
    if dependent:
        schema["dependentSchemas"] = dependent
    for field, pattern in (("outcomes", OUTCOMES), ("players", PLAYERS)):
        for choice in schema["properties"].get(field, {}).get("anyOf", []):
            if choice.get("type") == "object":
                choice["propertyNames"] = {"pattern": pattern}
    schema["properties"] = {key: _branching(one) for key, one in schema["properties"].items()}


def _if_only(keys: list[str], then: Schema) -> Schema:
    """Ask for something where there are no other keys than these."""
    return {"if": {"propertyNames": {"enum": keys}}, "then": then}


def _lacking(struct: type[Word], keys: list[str]) -> Schema:
    """Ask for one of some keys; `errorMessage` is what editors with the YAML language server show."""
    if struct is Effect:
        bare = {"required": ["if"], "anyOf": [_wanted(["then"], NO_VERB), _wanted(["else"], NO_VERB)]}
        return {**bare, "errorMessage": NO_VERB}
    message = f"{struct.__name__} needs one of {', '.join(keys)}."
    return {"anyOf": [_wanted([key], message) for key in keys]}


NO_VERB = "A step needs a verb, or `if` with `then` or `else`."


def _wanted(keys: list[str], message: str) -> Schema:
    return {"required": keys, "errorMessage": message}


def _without(keys: list[str]) -> Schema:
    """Forbid some keys."""
    return {"patternProperties": {f"^({'|'.join(keys)})$": False}}


def _branching(schema: Any) -> Any:  # noqa: ANN401 - any piece of a JSON Schema
    """Say by `if` which alternative of a mapping and something else is meant, and leave out that a key may be empty."""
    if isinstance(schema, list):
        return [_branching(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _branching(one) if key not in {"default", "examples"} else one for key, one in schema.items()}
    if "anyOf" not in found:
        return found
    choices = [one for one in found.pop("anyOf") if one != {"type": "null"}]
    if found.get("default", ...) is None:
        del found["default"]
    mappings = [one for one in choices if "$ref" in one or one.get("type") == "object"]
    others = [one for one in choices if one not in mappings]
    if len(mappings) != 1 or not others:
        return found | (choices[0] if len(choices) == 1 else {"anyOf": choices})
    rest = others[0] if len(others) == 1 else {"anyOf": others}
    return found | {"if": {"type": "object"}, "then": mappings[0], "else": rest}


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
