"""The published schemas: current, accepted by what they are written in, and of one mind with the loader about shapes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator
from referencing import Registry, Resource

from content.authoring.schema import VOCABULARY, schema_files, schemas, stale_schemas
from content.load.documents import Document
from content.load.layout import LAYOUT
from content.load.packs import builtin_packs
from tests.content.planting import HERE, Plant

SCHEMAS = schemas()

REGISTRY: Registry[Any] = Registry().with_resource(VOCABULARY, Resource.from_contents(SCHEMAS[VOCABULARY]))

TOLD_BY_THE_CHECKER = ("at_most_one", "empty", "idle", "twice", "lifeless", "without_corpses")
"""Checks of fields that no schema can make."""

PLANTED = [
    case
    for topic in ("convert", "fields")
    for case in Document.read(HERE / "check" / "planted" / f"{topic}.yaml").data
    if case["check"].removeprefix("fields.") not in TOLD_BY_THE_CHECKER
]


def _validator(name: str) -> Validator:
    return Draft202012Validator(SCHEMAS[f"{name}.json"], registry=REGISTRY)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    return ((kind.schema, path) for kind in LAYOUT for path in kind.files(folder))


def test_the_committed_schemas_are_current() -> None:
    assert stale_schemas() == [], "the JSON Schemas are not what the vocabulary says: `./dev docs` writes them anew"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("folder", [HERE / "packs" / "small", *builtin_packs().values()], ids=lambda path: path.name)
def test_every_file_of_a_pack_is_accepted(folder: Path) -> None:
    for name, path in _files(folder):
        errors = [
            f"{path.name}: {error.message[:200]}" for error in _validator(name).iter_errors(Document.read(path).data)
        ]
        assert errors == []


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: f"{case['check']}: {case['by'].strip()[:40]}")
def test_a_planted_slip_is_refused(case: dict[str, Any], plant: Plant) -> None:
    folder = plant(case["file"], case["replace"], case["by"])
    name = next(name for name, path in _files(folder) if path == folder / case["file"])
    assert not _validator(name).is_valid(Document.read(folder / case["file"]).data)


def test_no_key_is_let_in_that_the_vocabulary_does_not_know() -> None:
    assert [name for name, schema in SCHEMAS[VOCABULARY]["$defs"].items() if schema["additionalProperties"]] == []


def test_a_stale_schema_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("content.authoring.schema.FOLDER", tmp_path)
    assert len(stale_schemas()) == len(SCHEMAS)
    for path, data in schema_files().items():
        path.write_bytes(data)
    assert stale_schemas() == []
    (tmp_path / "tiles.json").write_text("{}")
    (tmp_path / "left-over.json").write_text("{}")
    assert [path.name for path in stale_schemas()] == ["tiles.json", "left-over.json"]


# -- a wrong word is told once, by its name -------------------------------------------------------------------------------

SLIPS = {
    "giev": ("- {give: lantern, who: holder:skull}", "- {giev: lantern, who: holder:skull}"),
    "tokn": ("{token: wick, at: {one-of: [attic, hall]}}", "{tokn: wick, at: {one-of: [attic, hall]}}"),
    "oneof": ("{one-of: [attic, hall]}", "{oneof: [attic, hall]}"),
    "carying": ("if: {carrying: lantern,", "if: {carying: lantern,"),
    "plyers": ("might: {players: {3: 2, 4: 3}}", "might: {plyers: {3: 2, 4: 3}}"),
    "bye": ("{count: {counter: oil, by: -1}}", "{count: {counter: oil, bye: -1}}"),
    "knowlege": ("trait: knowledge,", "trait: knowlege,"),
    "explor": ("- {token: wick}\n", "- {explor: true}\n"),
    "wrod": ("- word: LIGHT", "- wrod: LIGHT"),
    "otherwize": ("otherwise: {oldest: true}", "otherwize: {oldest: true}"),
    "knid": ("kind: one-traitor", "knid: one-traitor"),
    "sid": ("{tell: {side: heroes, text: light}}", "{tell: {sid: heroes, text: light}}"),
}


@pytest.mark.parametrize("word", SLIPS)
def test_a_wrong_word_is_told_once_and_by_its_name(word: str, plant: Plant) -> None:
    folder = plant("haunts/the-lantern.yaml", *SLIPS[word])
    errors = list(_validator("haunt").iter_errors(Document.read(folder / "haunts/the-lantern.yaml").data))
    assert len(errors) == 1, [error.message[:200] for error in errors]
    assert f"'{word}'" in errors[0].message


def test_a_step_with_two_verbs_is_told_once_by_the_second(plant: Plant) -> None:
    folder = plant("haunts/the-lantern.yaml", "{give: lantern, who", "{kill: you, give: lantern, who")
    errors = list(_validator("haunt").iter_errors(Document.read(folder / "haunts/the-lantern.yaml").data))
    assert [error.message for error in errors] == ["False schema does not allow 'you'"]


def test_every_file_of_a_built_in_pack_names_its_schema_in_its_first_line() -> None:
    """So that an editor with a YAML language server checks it without any set-up; other packs may do without."""
    for folder in builtin_packs().values():
        for name, path in _files(folder):
            up = "../" * (len(path.relative_to(folder.parent).parts) - 1)
            first = path.read_text(encoding="utf-8").partition("\n")[0]
            assert first == f"# yaml-language-server: $schema=../{up}schema/{name}.json", f"{path}: its first line"
            assert (path.parent / first.partition("=")[2]).is_file()
