"""The contract: committed, valid, what the service serves, and what it does (schemathesis, all phases, links followed)."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from openapi_spec_validator import validate

from domain.facts.commands import AnyCommand
from openapi.writer.document import operations as handlers
from openapi.writer.facts import takes
from openapi.writer.schemas import schema_name, told_structs
from openapi.writer.write import FILE, STREAMS, Drift, compare, generate
from service.http.operation import facts_of
from service.problems import KINDS
from tests.acceptance.driving import serving, settings
from tests.support.gaps import report
from tests.support.receiving import receiving

ROOT = Path(__file__).parents[3]
CONFIG = Path(__file__).with_name("schemathesis.toml")
STREAMED = ("application/x-ndjson", "text/event-stream")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """All but those of HEAD, which are made of their GETs."""
    found = document["paths"].values()
    return [operation for path in found for method, operation in path.items() if method != "head"]


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return generate()


def test_the_committed_contract_is_what_the_code_says(generated: dict[str, str]) -> None:
    compare(generated=generated)


def test_a_contract_that_has_drifted_is_noticed(tmp_path: Path, generated: dict[str, str]) -> None:
    for file, old, new in ((FILE, "Open a game", "Shut a game"), (STREAMS, "Answer a ping", "Ignore a ping")):
        drifted = file.read_text(encoding="utf-8").replace(old, new)
        written = tmp_path / file.relative_to(ROOT)
        written.parent.mkdir(exist_ok=True)
        written.write_text(drifted, encoding="utf-8")
    with pytest.raises(Drift, match=r"(?s)Shut a game.*Ignore a ping"):
        compare(tmp_path, generated)
    with pytest.raises(Drift):
        compare(tmp_path / "missing", generated)


def test_the_contract_is_valid_openapi(document: dict[str, Any]) -> None:
    validate(document)


def test_the_service_serves_its_contract(client: httpx.Client, document: dict[str, Any]) -> None:
    served = client.get("/openapi.json").json()
    assert served["components"] == document["components"]
    assert set(served["paths"]) == set(document["paths"])
    assert set(served["webhooks"]) == set(document["webhooks"]) == {"commit"}


def test_every_operation_is_described_has_errors_an_example_and_its_security(document: dict[str, Any]) -> None:
    """What lacks an example says why on its handler; what asks nobody for anything can't fail like the others."""
    names = [one["operationId"] for one in operations(document)]
    assert len(names) == len(set(names))
    facts = {str(one.operation_id): facts_of(one) for one in handlers()}
    asking = {str(one.operation_id) for one in handlers() if takes(one, "service", "caller", "desk")}
    for one in operations(document):
        assert one["summary"]
        assert one["description"]
        if one["operationId"] not in asking:
            continue
        assert {"429", "500", "503"} <= set(one["responses"]), one["operationId"]
        for status, response in one["responses"].items():
            if status >= "400":
                assert set(response["content"]) == {"application/problem+json"}, (one["operationId"], status)
        shown = not facts[one["operationId"]].no_example
        if "requestBody" in one and shown:
            assert one["requestBody"]["content"]["application/json"]["examples"], one["operationId"]
        good = next(response for status, response in sorted(one["responses"].items()) if status < "300")
        if shown:
            for kind, content in good.get("content", {}).items():  # an erasure answers nothing
                assert content.get("examples") or kind in STREAMED, one["operationId"]
        if one.get("security") == [{"account": []}]:
            assert "401" in one["responses"], one["operationId"]
        if "security" not in one:
            assert {"401", "403"} <= set(one["responses"]), one["operationId"]


def test_unions_have_discriminators_and_objects_are_closed_but_for_what_is_told_of_a_commit(
    document: dict[str, Any],
) -> None:
    schemas = document["components"]["schemas"]
    told = {schema_name(kind) for kind in told_structs()}
    assert {"CommitEvent", "CommitData", "Moved", "State", "FullEvent", "ThinEvent"} <= told
    for name, schema in schemas.items():
        if schema.get("type") == "object" and "properties" in schema:
            assert schema["additionalProperties"] is (name in told), name
    request = document["paths"]["/v1/games/{game}/commands"]["post"]["requestBody"]["content"]["application/json"]
    assert request["schema"] == {"$ref": "#/components/schemas/Posted"}
    assert {"#/components/schemas/Option"} | {one["$ref"] for one in schemas["Command"]["oneOf"]} == {
        one["$ref"] for one in schemas["Posted"]["oneOf"]
    }
    command = schemas["Command"]
    assert set(command["discriminator"]["mapping"]) == {kind.__struct_config__.tag for kind in get_args(AnyCommand)}
    assert {one["$ref"] for one in command["oneOf"]} == set(command["discriminator"]["mapping"].values())
    assert schemas["OpenGame"]["properties"]["randomness"]["discriminator"]["propertyName"] == "source"


def test_generators_find_a_name_for_every_class_and_a_type_for_every_word(document: dict[str, Any]) -> None:
    """They call classes by titles, and make nothing of words without a type."""

    def untyped(node: object) -> Iterator[object]:
        if isinstance(node, dict):
            if "enum" in node and "type" not in node:
                yield node
            for one in node.values():
                yield from untyped(one)
        elif isinstance(node, list):
            for one in node:
                yield from untyped(one)

    schemas = document["components"]["schemas"]
    assert [name for name, schema in schemas.items() if schema.get("title", name) != name] == []
    assert list(untyped(schemas)) == []
    assert schemas["CommitData"]["properties"]["events"]["items"] == {"$ref": "#/components/schemas/Event"}
    assert [one["operationId"] for one in operations(document) if one.get("security") == [{}]] == []


@pytest.mark.parametrize("file", [FILE, STREAMS])
def test_every_reference_leads_somewhere(file: Path) -> None:
    """Not every validator looks, and generators stop there."""

    def references(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                yield node["$ref"]
            for one in node.values():
                yield from references(one)
        elif isinstance(node, list):
            for one in node:
                yield from references(one)

    document = json.loads(file.read_text(encoding="utf-8"))
    for reference in set(references(document)):
        node: Any = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]


def test_every_kind_of_problem_is_documented_somewhere(document: dict[str, Any]) -> None:
    text = " ".join(
        response["description"]
        for one in operations(document)
        for status, response in one["responses"].items()
        if status >= "400"
    )
    never = {"invalid-request", "method-not-allowed"}  # no operation can answer these
    report(
        f"No operation documents the problem `{code}` of service/problems.toml: name it in `problems=` of the `@operation` "
        "that answers it, or, for all calls of a kind, in `problems_of` in openapi/writer/facts.py."
        for code in KINDS
        if code not in never and f"`{code}`" not in text
    )
    assert not any(f"`{code}`" in text for code in never)


def test_every_operation_documents_what_its_query_and_its_body_may_be_refused_for(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            answers = {status: response["description"] for status, response in one["responses"].items()}
            if path.startswith("/v1"):
                assert "`invalid-parameter`" in answers.get("400", ""), (method, path)
            if "requestBody" in one:
                assert "`request-timeout`" in answers.get("408", ""), (method, path)


def test_every_number_in_a_query_or_a_path_has_both_its_bounds(document: dict[str, Any]) -> None:
    for one in operations(document):
        for parameter in one.get("parameters", ()):
            if parameter["schema"].get("type") == "integer":
                assert {"minimum", "maximum"} <= set(parameter["schema"]), (one["operationId"], parameter["name"])


def shortened(config: str) -> str:
    """The same checks with fewer generated examples and chains; the edge cases of every schema are held at length."""
    config += "\n[phases.coverage]\nenabled = false\n"
    for long, short in (("max-examples = 3", "max-examples = 1"), ("max-examples = 12", "max-examples = 3")):
        assert long in config
        config = config.replace(f"{long}\n", f"{short}\n")
    return config


@pytest.mark.parametrize("size", ["short", pytest.param("long", marks=pytest.mark.prove)])
def test_schemathesis_finds_no_fault(tmp_path: Path, size: str) -> None:
    """About 2,500 requests at length: examples, edge cases of every schema, generated ones, and chains along links."""
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.read_text() if size == "long" else shortened(CONFIG.read_text()))
    unlimited = {"token_rate": 0, "anonymous_rate": 0, "webhooks_per_token": 1_000, "forks_per_token": 1_000}
    chosen = settings(tmp_path / "log.db", webhook_private=True, **unlimited)
    with receiving() as receiver, serving(chosen) as address:
        command: list[str | Path] = [
            Path(sys.executable).with_name("st"),
            "--config-file",
            config,
            "run",
            FILE,
            "--url",
            address,
            "--no-color",
        ]
        found = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, "RECEIVER": receiver.url, "PYTHONPATH": str(ROOT)},
        )
    assert len(receiver.asked) > (3 if size == "long" else 0), "endpoints were subscribed"  # three chains draw few
    assert found.returncode == 0, found.stdout[-8000:] + found.stderr[-2000:]
    paths = json.loads(FILE.read_text(encoding="utf-8"))["paths"].values()
    total = sum(len(path) for path in paths)
    assert f"{total - 2} selected / {total} total" in found.stdout  # all but the import of a game and a pack
    for phase in ("Examples", "Fuzzing", "Stateful", *(["Coverage"] if size == "long" else [])):
        assert f"✅ {phase}" in found.stdout
