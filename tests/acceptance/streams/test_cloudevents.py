"""Events on the wire, read by the CloudEvents project's own Python SDK."""

import json
from typing import Any
from urllib.parse import urlsplit

import httpx
import jsonschema
import pytest
from cloudevents.core.exceptions import CloudEventValidationError
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

from tests.acceptance.driving import Table
from tests.acceptance.streams.test_accounts import Account
from tests.acceptance.streams.test_events import LIVE, frames
from tests.acceptance.streams.test_socket import joined, take

ROUTABLE = 64 * 1024
"""Bytes of an event that every intermediary of CloudEvents forwards."""


def read(event: dict[str, Any]) -> CloudEvent:
    """What the SDK makes of an event; it refuses what breaks the specification."""
    found = JSONFormat().read(None, json.dumps(event))
    assert isinstance(found, CloudEvent)
    return found


def test_whatever_a_role_is_told_the_sdk_reads(address: str, client: httpx.Client, table: Table) -> None:
    table.play(12)
    account = Account(client)
    account.bind(table, "seat-0", table.seats[0])
    token = table.awaited()
    answered = table.command(token, table.listed(token)[0]).json()["commit"]
    told = [answered, *account.pages(100)[0]]
    with joined(address, table, table.spectator) as connection:
        told += [one["event"] for one in take(connection, "event", table.version())]
    table.post("close", table.host)
    for token in (table.seats[0], table.referee):
        told += table.get("events", token).json()["events"]
        told += map(json.loads, table.get("events", token, Accept="application/x-ndjson").text.splitlines())
        streamed = frames(iter(table.get("events", token, **LIVE).text.splitlines()))
        told += [json.loads(frame["data"]) for frame in streamed if frame.get("event") == "commit"]
    schema = client.get("/v1/schemas/events/commit").json()
    validator = jsonschema.Draft202012Validator(schema)
    assert urlsplit(schema["$id"]).scheme, "SDKs refuse what is no absolute URI"
    for event in told:
        found = read(event)
        data = found.get_data()
        assert isinstance(data, dict)
        assert (found.get_specversion(), found.get_type()) == ("1.0", "omenlog.commit.v1")
        assert (found.get_source(), found.get_id()) == (table.path, str(data["number"]))
        assert (time := found.get_time()) is not None
        assert time.utcoffset() is not None
        assert found.get_subject() == data.get("actor")
        assert found.get_dataschema() == schema["$id"]
        assert validator.is_valid(data)
        assert found.get_extension("sequence") == f"{data['number']:010}"
        assert data == event["data"]
        assert len(json.dumps(event)) < ROUTABLE
    in_account = [read(event) for event in told if "recipient" in event]
    assert {one.get_extension("recipient") for one in in_account} == {"seat-0"}
    assert all(one.get_extension("cursor") for one in in_account)


def test_source_and_id_are_unique_and_sequence_sorts_as_text(table: Table) -> None:
    table.play(10)
    events = [read(event) for event in table.get("events", table.referee).json()["events"]]
    assert len({(one.get_source(), one.get_id()) for one in events}) == len(events)
    assert events == sorted(events, key=lambda one: str(one.get_extension("sequence")))


@pytest.mark.parametrize("lacking", ["source", "type"])
def test_the_sdk_would_notice(table: Table, lacking: str) -> None:
    event = table.get("events", table.host).json()["events"][0]
    del event[lacking]
    with pytest.raises(CloudEventValidationError):
        read(event)
