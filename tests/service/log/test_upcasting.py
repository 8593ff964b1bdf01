"""What was ever written is read for ever: golden logs of every version of every event, and what reads them."""

from pathlib import Path

import msgspec
import pytest

from domain.facts.events import EVENT_TYPES, Moved
from domain.facts.events.base import Event
from service.log.commits import UPCASTERS, EventObject, read_event, read_folded, read_told, upcast, version_of
from tests.laws.golden_events import FOLDER, encode, fields_in, golden, tag_of
from tests.laws.playout import encode as encoded
from tests.laws.playout import open_table
from tests.support.packs import rules

FILES = sorted(FOLDER.glob("*.ndjson"))
KINDS = {tag_of(kind): kind for kind in EVENT_TYPES}


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=tag_of)
def test_every_event_has_a_golden_log_that_shows_each_of_its_fields(kind: type[Event]) -> None:
    file = golden(tag_of(kind))
    assert file.exists(), f"{tag_of(kind)} has no golden log: `./dev golden` writes it"
    missing = set(kind.__struct_encode_fields__) - fields_in(kind, file.read_bytes().splitlines())
    assert not missing, (
        f"no line of {file.name} shows {missing}: `.venv/bin/python -m tests.laws.golden_events --add` adds one"
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_was_ever_written_is_read_and_nothing_of_it_gets_lost(file: Path) -> None:
    """A line of today's version is written again as it was, byte by byte: no field has another name, type or default."""
    name, _ = version_of(file.stem)
    for line in file.read_bytes().splitlines():
        assert msgspec.json.decode(line)["type"] == file.stem
        event = read_event(line)
        assert type(event).__name__ == name
        if file.stem in KINDS:
            assert encode(event) == line
        else:
            assert upcast(msgspec.json.decode(line)) != msgspec.json.decode(line)


def test_versions_follow_on_each_other_and_end_at_today_s() -> None:
    for kind in EVENT_TYPES:
        name, version = version_of(tag_of(kind))
        assert name == kind.__name__
        older = [name if number == 1 else f"{name}.{number}" for number in range(1, version)]
        assert all(tag in UPCASTERS for tag in older), "each older version has its upcaster"
    assert not set(UPCASTERS) & set(KINDS), "today's version needs none"
    assert {file.stem for file in FILES} == {*UPCASTERS, *KINDS}


def walked(event: EventObject) -> EventObject:
    """As if the first version had said where somebody walks in another field."""
    return {"type": "Moved.2", "figure": event["who"], "room": event["to"]}


def spent(event: EventObject) -> EventObject:
    return {**event, "type": "Moved", "spent": 1}


def test_an_old_version_is_read_step_by_step_and_its_neighbors_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    commit = b'{"events":[[127,{"type":"Walked","who":2,"to":"foyer"}],[64,{"type":"Stopped","figure":1}]],"hash":"x"}'
    monkeypatch.setattr("service.log.commits.UPCASTERS", {"Walked": walked, "Moved.2": spent})
    first, second = read_told(commit)
    assert (first.to, first.event) == (127, Moved(figure=2, room="foyer", spent=1))
    assert (second.to, type(second.event).__name__) == (64, "Stopped")


def test_a_log_with_an_old_event_folds_to_the_same_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `GameStarted` were at its second version and the log had the first one."""
    game = open_table(rules("second-edition"), 1)
    stored = (
        b'{"v":1,"game":"g","number":5,"at":"","rules":1,"pack":"","actor":"host","actor_to":255,"key":"","decision":"",'
        b'"command":{},"command_to":255,"events":%b,"prev":"g","root":"r","hash":"h"}'
    ) % encoded(game.commits[-1])
    old = stored.replace(b'"type":"GameStarted"', b'"type":"GameBegun"')
    assert old != stored
    with pytest.raises(msgspec.ValidationError, match="GameBegun"):
        read_folded(old)
    monkeypatch.setattr("service.log.commits.UPCASTERS", {"GameBegun": lambda event: {**event, "type": "GameStarted"}})
    assert read_folded(old) == read_folded(stored)


@pytest.mark.parametrize("tag", ["moved", "Moved.1", "Moved.", "Moved.02", "Moved 2", ""])
def test_a_tag_that_says_no_version_is_none(tag: str) -> None:
    with pytest.raises(ValueError, match="no tag"):
        version_of(tag)
