"""The contract of streams and webhooks: valid by the official AsyncAPI parser, and what the service does."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from openapi.writer.write import STREAMS
from tests.acceptance.driving import Table, bearer
from tests.acceptance.streams.test_accounts import Account
from tests.acceptance.streams.test_socket import joined, rest, take
from tests.support.receiving import receiving

FOLDER = Path(__file__).parents[2] / "asyncapi"
PATIENCE = 240


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STREAMS.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def parser() -> Path:
    """The parser's program, installed from the locked file when it is asked for the first time."""
    node, npm = shutil.which("node"), shutil.which("npm")
    assert node is not None, "needs Node.js 18 or newer: ./dev test installs it"
    if not (FOLDER / "node_modules" / "@asyncapi" / "parser").exists():
        assert npm is not None, "needs npm: ./dev test installs it"
        command = [npm, "ci", "--ignore-scripts", "--silent"]
        subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, timeout=PATIENCE)
    return Path(node)


def parse(parser: Path, file: Path) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """What the parser finds fault with, warnings included, and what it understood."""
    command = [str(parser), "parse.mjs", str(file)]
    done = subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True, timeout=PATIENCE)
    told = json.loads(done.stdout)
    return told["diagnostics"], told["understood"]


@pytest.mark.prove
def test_the_official_parser_finds_no_fault_and_understands_every_channel(
    parser: Path, document: dict[str, Any]
) -> None:
    """Examples are held against their schemas by it, too."""
    found, understood = parse(parser, STREAMS)
    assert [(one["code"], one["message"], one["path"]) for one in found] == []
    assert understood is not None
    assert understood["version"] == "3.1.0"
    assert understood["channels"] == [one["address"] for one in document["channels"].values()]
    assert set(understood["messages"]) == set(document["components"]["messages"])
    assert len(understood["operations"]) == len(document["operations"])


@pytest.mark.prove
def test_the_parser_would_notice(parser: Path, tmp_path: Path) -> None:
    broken = {"asyncapi": "3.1.0", "info": {"title": "t", "version": "1"}, "operations": {"o": {"action": "shout"}}}
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(broken))
    found, understood = parse(parser, file)
    assert [one for one in found if one["severity"] == 0]
    assert understood is None


def test_the_service_serves_it(client: httpx.Client, document: dict[str, Any]) -> None:
    served = client.get("/asyncapi.json").json()
    assert served["components"]["schemas"] == document["components"]["schemas"]
    assert served["operations"] == document["operations"]


def test_every_message_has_a_real_example_and_every_operation_its_security(document: dict[str, Any]) -> None:
    assert all(one["examples"] for one in document["components"]["messages"].values())
    assert all(one["security"] for one in document["operations"].values())


def test_what_the_service_says_is_what_the_document_says(
    address: str, client: httpx.Client, table: Table, document: dict[str, Any]
) -> None:
    def check(message: str, payload: object, part: str = "payload") -> None:
        reference = document["components"]["messages"][message][part]
        schema = {**reference, "components": document["components"]}
        jsonschema.Draft7Validator(schema).validate(payload)

    table.play(10)
    account = Account(client)
    account.bind(table, "referee", table.referee)
    for event in [*table.get("events", table.referee).json()["events"], *account.pages(100)[0]]:
        check("commit", event)
    token = table.awaited()
    command = {"type": "command", "id": "c", "command": table.listed(token)[0]}
    frames = []
    with joined(address, table, token) as connection:
        frames += take(connection, "hello") + take(connection, "presence")
        table.post("messages", table.referee, {"to": "table", "text": "Well met."})
        frames += take(connection, "message")
        for sent, name in ((command, "command"), ({"type": "ping", "id": "p"}, "ping"), ({"type": "no"}, "")):
            if name:
                check(f"{name}Frame", sent)
            connection.send(json.dumps(sent))
        frames += take(connection, "answer", 1)
        frames += take(connection, "answer", 1)
        table.post("close", table.host)
        frames += rest(connection)[0]
    for frame in frames:
        check(f"{frame['type']}Frame", frame)
        if frame["type"] in ("message", "presence"):
            kind = frame.pop("type")
            check(kind, frame)  # as a server-sent event has it
    for payload in ("thin", "full"):
        with receiving() as receiver:
            asked = {"url": receiver.url, "payload": payload, "cursor": ""}
            assert client.post("/v1/subscriptions", json=asked, headers=bearer(account.key)).status_code == 201
            receiver.wait_for(table.version())
        for got in receiver.got:
            check(f"{payload}Message", got.json)
            check(f"{payload}Message", got.headers, "headers")
    assert {"hello", "answer", "end"} <= {frame.get("type") for frame in frames}
