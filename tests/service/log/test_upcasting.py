"""What was ever written is read for ever: golden logs of every version of every event, and what reads them."""

from pathlib import Path

import msgspec
import pytest

from domain.facts.events import EVENT_TYPES, Moved
from domain.facts.events.base import Event
from service.log.commits import UPCASTERS, EventObject, read_event, read_folded, read_told, upcast, version_of
from tests.laws.golden_events import FOLDER, KINDS, encode, fields_in, golden, tag_of
from tests.laws.playout import encode as encoded
from tests.laws.playout import open_table
from tests.support.gaps import below, place, report
from tests.support.packs import rules

FILES = sorted(FOLDER.glob("*.ndjson"))


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=tag_of)
def test_every_event_has_a_golden_log_that_shows_each_of_its_fields(kind: type[Event]) -> None:
    file = golden(tag_of(kind))
    if not file.exists():
        report([f"{tag_of(kind)} ({place(kind)}) has no golden log: run `./dev golden`, which writes {below(file)}."])
    shown = fields_in(kind, file.read_bytes().splitlines())
    report(
        f"No line of {below(file)} shows the field `{name}` of {place(kind)}: run "
        "`.venv/bin/python -m tests.laws.golden_events --add`, which adds one."
        for name in kind.__struct_encode_fields__
        if name not in shown
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
    table = "UPCASTERS in service/log/commits.py"
    for kind in EVENT_TYPES:
        name, version = version_of(tag_of(kind))
        assert name == kind.__name__
        older = [name if number == 1 else f"{name}.{number}" for number in range(1, version)]
        report(
            f"{tag} has no upcaster, though {place(kind)} is at version {version}: write a function that makes it "
            f"the next version, and enter it in {table}."
            for tag in older
            if tag not in UPCASTERS
        )
    report(
        f"{tag} is today's version and needs no upcaster: remove it from {table}." for tag in UPCASTERS if tag in KINDS
    )


def test_every_golden_log_is_of_an_event_and_every_version_has_one() -> None:
    known, there = {*UPCASTERS, *KINDS}, {file.stem for file in FILES}
    report(
        [
            *(
                f"{tag} has no golden log: run `./dev golden`, which writes {below(golden(tag))}."
                for tag in KINDS.keys() - there
            ),
            *(
                f"{tag} has an upcaster and no golden log: restore {below(golden(tag))} from before its version was raised."
                for tag in UPCASTERS.keys() - there
            ),
            *(
                f"{below(golden(tag))} is a log of no known event: what was ever written is read for ever, so restore "
                f"the event, or enter in UPCASTERS in service/log/commits.py what has replaced it."
                for tag in there - known
            ),
        ]
    )


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
