"""Browsers and slow lines: pages of other origins, compressed answers, HEAD, how far a caller is from its limit."""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from openapi.writer.facts import named
from openapi.writer.write import FILE
from service.app import ROUTES
from service.http.operation import SECRETS
from tests.acceptance.driving import OPENING, READS, Table, bearer, problem, serving, settings
from tests.support.gaps import report

PAGE = "https://table.example"
OTHER = "http://localhost:5173"
ZIPPED = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def opened_to_pages() -> Iterator[httpx.Client]:
    chosen = settings("memory:", origins=f"{PAGE}, {OTHER}", token_rate=0, anonymous_rate=0)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


def preflight(client: httpx.Client, path: str, origin: str, method: str = "POST") -> httpx.Response:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-match",
    }
    return client.options(path, headers=asked)


def shared(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


# -- pages of other origins ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", [PAGE, OTHER])
def test_a_page_of_an_allowed_origin_may_ask_and_read(opened_to_pages: httpx.Client, origin: str) -> None:
    client = opened_to_pages
    table = Table.open(client)
    for path in ("/v1/games", f"{table.path}/commands", f"{table.path}/view", "/v1/packs", "/nothing"):
        asked = preflight(client, path, origin)
        assert (asked.status_code, asked.content) == (204, b"")
        assert asked.headers["access-control-allow-origin"] == origin
        assert "POST" in asked.headers["access-control-allow-methods"].split(", ")
        allowed = asked.headers["access-control-allow-headers"].lower().split(", ")
        assert {"authorization", "content-type", "idempotency-key", "if-match", "if-none-match"} <= set(allowed)
        assert int(asked.headers["access-control-max-age"]) > 0
        assert "Origin" in asked.headers["vary"]
    answers = [
        client.get(path, headers={**bearer(table.seats[0]), "Origin": origin})
        for path in (table.path, f"{table.path}/view", f"{table.path}/view?at=0", "/nothing", f"{table.path}/export")
    ]
    token = table.awaited()
    answers.append(table.command(token, table.listed(token)[0], Origin=origin))
    answers.append(table.command(token, {"type": "fly"}, Origin=origin))
    for answer in answers:
        assert shared(answer) == {
            "access-control-allow-origin": origin,
            "access-control-expose-headers": "ETag, Location, Retry-After, RateLimit-Policy, RateLimit",
        }
        assert "Origin" in answer.headers["vary"].split(", ")


@pytest.mark.parametrize(
    "origin",
    ["https://other.example", f"{PAGE}:8443", "http://table.example", f"{PAGE}.evil.example", "null", PAGE.upper()],
)
def test_a_page_of_another_origin_is_told_nothing(opened_to_pages: httpx.Client, origin: str) -> None:
    asked = preflight(opened_to_pages, "/v1/games", origin)
    assert (asked.status_code, shared(asked)) == (204, {})
    answer = opened_to_pages.get("/v1/packs", headers={"Origin": origin})
    assert (answer.status_code, shared(answer)) == (200, {})
    assert "Origin" in answer.headers["vary"].split(", "), "a cache must not give it to the pages that are allowed"


def test_a_live_stream_can_be_read_by_a_page(opened_to_pages: httpx.Client) -> None:
    table = Table.open(opened_to_pages)
    headers = {**bearer(table.seats[0]), "Origin": PAGE, "Accept": "text/event-stream", **ZIPPED}
    with opened_to_pages.stream("GET", f"{table.path}/events", headers=headers) as answer:
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert "content-encoding" not in answer.headers
        lines = answer.iter_lines()
        seen = [next(lines) for _ in range(6)]
        assert "event: commit" in seen
        assert table.play(1) == 1
        while '"number":6' not in next(lines):
            pass


def test_by_default_no_page_is_told_anything(client: httpx.Client) -> None:
    for answer in (client.get("/v1/packs", headers={"Origin": PAGE}), preflight(client, "/v1/games", PAGE)):
        assert shared(answer) == {}
        assert "Origin" not in answer.headers.get("vary", "")


def test_all_origins_are_allowed_by_a_star() -> None:
    with serving(settings("memory:", origins="*")) as address, httpx.Client(base_url=address) as client:
        for answer in (client.get("/v1/packs", headers={"Origin": PAGE}), preflight(client, "/v1/games", PAGE)):
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "access-control-allow-credentials" not in answer.headers


# -- HEAD ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [{}, ZIPPED], ids=["plain", "gzip"])
def test_head_is_answered_as_get_without_a_body(table: Table, sent: dict[str, str]) -> None:
    never_alike = {"date", "x-request-id", "ratelimit", "transfer-encoding"}
    paths = [f"{table.path}/{what}" for what in READS]
    paths += [
        table.path,
        f"{table.path}/heads",
        "/v1/games",
        "/v1/packs",
        "/v1/rules?limit=3",
        "/openapi.json",
        "/v1/proof",
    ]
    paths += ["/health/live", f"{table.path}/view?at=0", f"{table.path}/view?at=77", "/v1/packs/none", "/nothing"]
    for path in paths:
        headers = {**bearer(table.seats[0]), "Accept-Encoding": "identity", **sent}
        got, head = (table.client.request(method, path, headers=headers) for method in ("GET", "HEAD"))
        assert (head.status_code, head.content) == (got.status_code, b""), path
        alike = [{name: value for name, value in one.headers.items() if name not in never_alike} for one in (got, head)]
        assert alike[0] == alike[1], path
    lines = table.client.head(
        f"{table.path}/events", headers={**bearer(table.seats[0]), "Accept": "application/x-ndjson"}
    )
    assert (lines.status_code, lines.headers["content-type"]) == (200, "application/x-ndjson")


def test_head_of_a_live_stream_ends_at_once(table: Table) -> None:
    headers = {**bearer(table.seats[0]), "Accept": "text/event-stream"}
    for _ in range(50):  # each lets go of its place among the streams of the token
        answer = table.client.head(f"{table.path}/events", headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")


def test_head_is_offered_wherever_get_is(client: httpx.Client, table: Table) -> None:
    for path, methods in (
        ("/v1/games", "GET, HEAD, OPTIONS, POST"),
        (f"{table.path}/view", "GET, HEAD, OPTIONS"),
        (f"{table.path}/commands", "OPTIONS, POST"),
    ):
        assert client.options(path).headers["allow"] == methods
    answer = client.delete("/v1/packs")
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert client.head(f"{table.path}/commands", headers=bearer(table.seats[0])).status_code == 405
    paths = client.get("/openapi.json").json()["paths"]
    for path, operations in paths.items():
        assert ("get" in operations) == ("head" in operations), path
        if "head" in operations:
            head, read = operations["head"], operations["get"]
            assert head.get("parameters") == read.get("parameters")
            assert set(head["responses"]) == set(read["responses"])
            assert not [one for one in head["responses"].values() if "content" in one], path


# -- gzip ---------------------------------------------------------------------------------------------------------------


def test_long_answers_are_compressed_for_whoever_takes_that(table: Table) -> None:
    table.play(12)
    plain = {"Accept-Encoding": "identity"}
    asked = [("view", "application/json"), ("events?after=0", "application/x-ndjson")]
    asked += [("export", "*/*"), ("board.svg", "*/*"), ("trace", "application/x-ndjson")]
    for what, accept in asked:
        whole = table.get(what, table.seats[0], Accept=accept, **plain)
        packed = table.get(what, table.seats[0], Accept=accept, **ZIPPED)
        assert "content-encoding" not in whole.headers
        assert packed.headers["content-encoding"] == "gzip", what
        assert packed.content == whole.content
        assert packed.headers["etag"] != whole.headers["etag"], "a strong tag is of the bytes"
        assert "Accept-Encoding" in packed.headers["vary"].split(", ")
        tag = packed.headers["etag"]
        again = table.get(what, table.seats[0], Accept=accept, **ZIPPED, **{"If-None-Match": tag})
        assert (again.status_code, again.content, "content-encoding" in again.headers) == (304, b"", False)


@pytest.mark.parametrize(
    "accepted, packed",
    [("gzip", True), ("deflate, gzip;q=0.5", True), ("*", True), ("x-gzip", True), ("br", False), ("gzip;q=0", False),
     ("identity, gzip;q=0.2", False), ("", False), ("*;q=0", False)],
)  # fmt: skip
def test_the_coding_is_negotiated(client: httpx.Client, accepted: str, packed: bool) -> None:  # noqa: FBT001 -- a column of the table
    answer = client.get("/v1/rules", headers={"Accept-Encoding": accepted})
    assert (answer.headers.get("content-encoding") == "gzip") is packed
    assert answer.json()["rules"]


def test_a_short_answer_is_left_as_it_is(client: httpx.Client) -> None:
    assert "content-encoding" not in client.get("/health/live", headers=ZIPPED).headers


def test_what_is_compressed_ends_where_it_should(table: Table) -> None:
    """The length is said of one piece, and a stream of several is one member of gzip, whole to the end."""
    table.play(30)
    for what in ("view", "export"):
        request = table.client.build_request("GET", f"{table.path}/{what}", headers={**bearer(table.referee), **ZIPPED})
        answer = table.client.send(request, stream=True)
        raw = b"".join(answer.iter_raw())
        answer.close()
        unpacked = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        body = unpacked.decompress(raw)
        assert (unpacked.eof, unpacked.unused_data) == (True, b"")
        assert gzip.decompress(raw) == body
        assert answer.headers.get("content-length", str(len(raw))) == str(len(raw))


def test_what_shows_a_token_or_an_invite_is_never_compressed(client: httpx.Client) -> None:
    """Its length would tell of the secret, piece by piece, to whoever may choose a part of the answer (BREACH)."""
    many = [{"name": "omen_" + "x" * 20}, {}, {}]
    shown = [
        client.post("/v1/games", json={**OPENING, "seats": many, "hotseat": hotseat}, headers=ZIPPED)
        for hotseat in (True, False)
    ]
    table = Table(client, shown[0].json())
    invites, host = shown[1].json()["invites"], shown[1].json()["tokens"]["host"]["secret"]
    path = f"/v1/games/{shown[1].json()['game']['id']}"
    table.post("start", table.host)
    shown += [
        client.post(f"{path}/seats/0/claim", json={"invite": invites["seats"][0]["secret"]}, headers=ZIPPED),
        client.post(f"{path}/referee", json={"invite": invites["referee"]["secret"]}, headers=ZIPPED),
        table.post("forks", table.referee, {}, Accept_Encoding="gzip"),
        table.post("tickets", table.seats[0], Accept_Encoding="gzip"),
        client.post(f"{path}/invites/invite-seat-1/rotate", headers={**bearer(host), **ZIPPED}),
        table.post("tokens/host/rotate", table.host, Accept_Encoding="gzip"),
        client.post("/v1/accounts", headers=ZIPPED),
    ]
    assert len([answer for answer in shown if len(answer.content) > 1_000]) >= 3, "long enough to be compressed else"
    for answer in shown:
        assert answer.status_code == 201, answer.text
        assert re.search(r"omen_[A-Za-z0-9_-]{43}|ticket_", answer.text)
        assert "content-encoding" not in answer.headers
        assert answer.headers["cache-control"] == "private, no-store"


def test_every_operation_whose_answer_can_show_a_secret_says_so() -> None:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    schemas = document["components"]["schemas"]

    def reached(node: Any, seen: set[str]) -> set[str]:  # noqa: ANN401 -- any piece of a schema
        if isinstance(node, list):
            for one in node:
                reached(one, seen)
        elif isinstance(node, dict):
            name = str(node.get("$ref", "")).removeprefix("#/components/schemas/")
            if name in schemas and name not in seen:
                seen.add(name)
                reached(schemas[name], seen)
            for key, one in node.items():
                if key not in ("example", "examples"):
                    reached(one, seen)
        return seen

    shows = set()
    for path in document["paths"].values():
        for operation in path.values():
            answers = [one for status, one in operation["responses"].items() if status < "300"]
            if reached(answers, set()) & {"AccountOpened", "Credential", "Invite", "StreamTicket"}:
                shows.add(operation["operationId"])
    handlers = {one.operation_id: one for one in ROUTES}
    marked = {name for name, one in handlers.items() if one.opt.get(SECRETS)}
    assert shows
    report(
        f"{named(one)} {'can' if name in shows else 'cannot'} show a secret: "
        f"{'write' if name in shows else 'remove'} `secrets=True` in its `@operation`."
        for name, one in handlers.items()
        if (name in shows) != (name in marked)
    )


# -- rates --------------------------------------------------------------------------------------------------------------

POLICY = re.compile(r'"(token|address)";q=([0-9]+);w=([0-9]+)')
LEFT = re.compile(r'"(token|address)";r=([0-9]+);t=([0-9]+)')


def rates(answer: httpx.Response) -> tuple[str, int, int]:
    """Of which policy, how many requests may come at once, and how many are left of them."""
    (policy,) = POLICY.findall(answer.headers["ratelimit-policy"])
    (left,) = LEFT.findall(answer.headers["ratelimit"])
    assert policy[0] == left[0]
    return policy[0], int(policy[1]), int(left[1])


def test_every_answer_says_how_far_its_caller_is_from_the_limit() -> None:
    limits = {"token_rate": 1, "token_burst": 6, "anonymous_rate": 1, "anonymous_burst": 30, "origins": "*"}
    with serving(settings("memory:", **limits)) as address, httpx.Client(base_url=address) as client:
        opened = client.post("/v1/games", json=OPENING)
        assert rates(opened) == ("address", 30, 29)
        assert opened.headers["ratelimit-policy"] == '"address";q=30;w=30'
        table = Table(client, opened.json())
        first = table.post("start", table.host)
        assert rates(first) == ("token", 6, 5)
        answers = [table.get("view", table.seats[0]) for _ in range(8)]
        assert [rates(one)[2] for one in answers][:3] == [5, 4, 3]
        assert rates(answers[-1])[2] == 0
        problem(answers[-1], 429, "too-many-requests")
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert rates(table.command(table.seats[1], {"type": "fly"})) == ("token", 6, 5)
        guess = client.get(f"{table.path}/view", headers=bearer("omen_" + "x" * 43))
        assert rates(guess)[0] == "address"
        assert rates(client.get("/nothing"))[0] == "address"
        assert rates(client.get("/health/live"))[0] == "address"
        assert rates(client.head("/v1/proof"))[0] == "address"
        assert rates(client.delete("/v1/games"))[0] == "address"
        assert rates(preflight(client, "/v1/games", PAGE))[0] == "address"
        tag = client.get("/v1/proof").headers["etag"]
        assert rates(client.get("/v1/proof", headers={"If-None-Match": tag}))[0] == "address"


def test_where_there_is_no_limit_none_is_told(client: httpx.Client) -> None:
    assert not [name for name in client.get("/v1/packs").headers if name.startswith("ratelimit")]
    with serving(settings("memory:", token_rate=0)) as address, httpx.Client(base_url=address) as limited:
        table = Table.open(limited)
        assert "ratelimit" not in table.get("view", table.seats[0]).headers
        assert "ratelimit" in limited.get("/v1/packs").headers
