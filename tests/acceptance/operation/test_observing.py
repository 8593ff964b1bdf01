"""What the service tells of itself: metrics, a log, traces, and in none of them a secret."""

from __future__ import annotations

import gzip
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from prometheus_client.parser import text_string_to_metric_families

from tests.acceptance.driving import PATIENCE, Table, bearer, serving, settings
from tests.support import forked

NAMES = ["Ann the First", "Ben the Second", "Cleo the Third"]


def told(client: httpx.Client) -> dict[tuple[str, ...], float]:
    """The samples of the metrics, by name and labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *sorted(f"{name}={value}" for name, value in sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_status_and_nothing_that_a_caller_typed_becomes_a_series() -> None:
    with serving(settings("memory:")) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        table = Table.open(client)
        table.play(5)
        assert table.get("view", "omen_" + "a" * 43).status_code == 401
        client.get("/v1/no-such-thing/omen_secret")
        client.request("BREW", "/v1/editions")
        before = told(client)
        after = told(client)

    commands = ("omenlog_requests_total", "method=POST", "route=/v1/games/{game}/commands", "status=201", "worker=1")
    assert before[commands] == 5
    assert before["omenlog_request_seconds_count", "route=/v1/games/{game}/commands"] == 5
    assert before["omenlog_requests_total", "method=GET", "route=/v1/games/{game}/view", "status=401", "worker=1"] == 1
    assert before["omenlog_requests_total", "method=GET", "route=other", "status=404", "worker=1"] == 1
    assert before["omenlog_games_in_memory",] == 1
    assert before["omenlog_streams_open",] == 0
    assert after["omenlog_requests_total", "method=GET", "route=/metrics", "status=200", "worker=1"] == 1
    assert not any(table.id in label or "omen_" in label or "BREW" in label for sample in after for label in sample)


def test_a_request_keeps_the_id_that_a_proxy_gave_and_gets_one_otherwise() -> None:
    with serving(settings("memory:")) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        kept = client.get("/v1/editions", headers={"X-Request-Id": "edge-7.42:a"}).headers["x-request-id"]
        unfit = client.get("/v1/editions", headers={"X-Request-Id": "a\tb" * 30}).headers["x-request-id"]
        fresh = [client.get("/v1/nothing").headers["x-request-id"] for _ in range(2)]

    assert kept == "edge-7.42:a"
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in [unfit, *fresh])
    assert fresh[0] != fresh[1]


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_log_tells_requests_games_and_commits_and_no_secret(tmp_path: Path, form: str) -> None:
    with (
        forked.serving(tmp_path, store="memory:", log_format=form, log_requests="true") as (address, said),
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        table = Table.open(client, seats=[{"name": name} for name in NAMES])
        table.play(4)
        version = table.version()
        ids = [table.post("commands", table.seats[0], {"type": "nonsense"}).headers["x-request-id"]]
        table.get("events?after=0&wrong=omen_inquery", table.seats[0])
    lines = said.read_text().splitlines()

    assert "omen_" not in "".join(lines), "no token, be it in a header or in an address"
    assert not any(name in line for name in NAMES for line in lines)
    assert any(ids[0] in line for line in lines)
    if form == "json":
        read = [json.loads(line) for line in lines]
        assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, read))
        commands = [one for one in read if one.get("route") == "/v1/games/{game}/commands"]
        assert [one["status"] for one in commands] == [201, 201, 201, 201, 400]
        assert [one["commit"] for one in commands[:4]] == list(range(version - 3, version + 1))
        assert all(one["game"] == table.id and one["ms"] > 0 for one in commands)
    else:
        (line,) = [line for line in lines if f"commit={version}" in line and "POST" in line]
        assert re.search(rf"INFO +POST /v1/games/{{game}}/commands 201 request=\w+ ms=[\d.]+ game={table.id}", line)


class Collector(ThreadingHTTPServer):
    """Takes spans, as an OpenTelemetry collector does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Takes)
        self.taken: list[ExportTraceServiceRequest] = []

    def spans(self) -> list[Span]:
        resources = [resource for one in self.taken for resource in one.resource_spans]
        return [span for resource in resources for scope in resource.scope_spans for span in scope.spans]


class Takes(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        assert isinstance(self.server, Collector)
        self.server.taken.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class names it so
        """Say nothing."""


def test_traces_go_to_a_collector_that_is_named_and_continue_the_callers(tmp_path: Path) -> None:
    collector = Collector()
    thread = threading.Thread(target=collector.serve_forever)
    thread.start()
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    try:
        where = f"http://127.0.0.1:{collector.server_port}/v1/traces"
        with (
            forked.serving(tmp_path, store="memory:", traces=where) as (address, _),
            httpx.Client(base_url=address) as client,
        ):
            table = Table.open(client)
            listed = table.listed(table.awaited())[0]
            sent = {**bearer(table.awaited()), "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
            assert client.post(f"{table.path}/commands?", json=listed, headers=sent).status_code == 201
            version = table.version()
    finally:
        collector.shutdown()
        collector.server_close()
        thread.join()

    mine = {span.name: span for span in collector.spans() if span.trace_id.hex() == trace}
    assert set(mine) == {"POST /v1/games/{game}/commands", "decide", "append"}
    request = mine["POST /v1/games/{game}/commands"]
    assert request.parent_span_id.hex() == "00f067aa0ba902b7"
    assert mine["append"].parent_span_id == mine["decide"].parent_span_id == request.span_id
    told = {one.key: one.value.string_value or one.value.int_value for one in request.attributes}
    assert told["http.response.status_code"] == 201
    assert (told["omenlog.game"], told["omenlog.commit"]) == (table.id, version)
    assert b"omen_" not in b"".join(one.SerializeToString() for one in collector.taken)
