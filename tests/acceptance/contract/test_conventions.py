"""HTTP as its specifications have it: conditions, keys, codings, what may be kept by caches."""

import gzip
import html
import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.problems import KINDS
from tests.acceptance.driving import OPENING, READS, Table, bearer, problem, serving, settings, version_of

NDJSON = "application/x-ndjson"
PUBLISHED = (
    "/v1/packs",
    "/v1/packs/second-edition",
    "/v1/rules",
    "/v1/rules?edition=legacy&limit=5",
    "/v1/rules/2E-MOVE-001",
    "/v1/proof",
    "/v1/problems/illegal-command",
    "/v1/schemas/events",
    "/v1/schemas/events/Moved",
    "/openapi.json",
    "/asyncapi.json",
)
"""What is the same for everybody."""


# -- entity tags --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accept", ["application/json", NDJSON, "text/markdown", "*/*"])
def test_every_read_that_has_a_tag_is_answered_by_304_where_nothing_has_changed(table: Table, accept: str) -> None:
    for what in READS:
        answer = table.get(what, table.seats[0], Accept=accept)
        if answer.status_code == 406:
            continue
        assert answer.status_code == 200, (what, answer.text)
        tag = answer.headers["etag"]
        again = table.get(what, table.seats[0], Accept=accept, **{"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag), what
        assert version_of(answer) == 5


def test_a_tag_stands_for_bytes_and_for_no_others(table: Table) -> None:
    """Whatever two answers differ in, their tags differ."""
    seen: dict[str, tuple[str, bytes]] = {}
    for token in (table.seats[0], table.seats[1], table.referee):
        for what in READS:
            for more in (
                "",
                "?at=5",
                "?at=4",
                "?as=seat:1",
                "?after=1",
                "?limit=2",
                "?format=markdown",
                "?format=bbcode",
            ):
                for accept in ("application/json", NDJSON, "text/markdown"):
                    query = what + (more.replace("?", "&") if "?" in what else more)
                    answer = table.get(query, token, Accept=accept)
                    if answer.status_code == 200:
                        tag = answer.headers["etag"]
                        place, body = seen.setdefault(f"{what} {tag}", (query, answer.content))
                        assert body == answer.content, (place, query)
    assert len(seen) > 60


def test_if_match_takes_the_tag_of_any_read_at_that_version(table: Table) -> None:
    token = table.awaited()
    for what in ("view", "board.svg", "events"):
        tag = table.get(what, table.referee).headers["etag"]
        assert table.command(token, table.listed(token)[0], If_Match=tag).status_code == 201
        problem(table.command(token, table.listed(token)[0], If_Match=tag), 412, "stale-version")
        token = table.awaited()


def test_an_erased_name_is_gone_from_what_a_condition_answers(tmp_path: Path) -> None:
    """Whoever asks whether something has changed is told that it has, and gets it without the name."""
    store = tmp_path / "log.db"
    with serving(settings(store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        seats = [{"name": "Wilhelmina"}, {}, {}]
        table = Table.open(client, seats=seats)
        claimed = table.post("disputes", table.seats[0], {"from": 1, "to": 2, "claim": "Wilhelmina stood there."})
        assert claimed.status_code == 201
        reads = ("", "/post", "/disputes", "/disputes/1")
        shown = {what: client.get(f"{table.path}{what}", headers=bearer(table.referee)) for what in reads}
        assert [what for what, answer in shown.items() if "Wilhelmina" not in answer.text] == []
        everything = [f"/{what}" for what in READS] + list(reads)
        kept = {what: client.get(f"{table.path}{what}", headers=bearer(table.referee)) for what in everything}
        command = [sys.executable, "-m", "service.cli", "erase", table.id]
        done = subprocess.run(command, env={"OMENLOG_STORE": f"sqlite:///{store}"}, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        for what, before in kept.items():
            if "etag" not in before.headers:
                continue
            asked = {**bearer(table.referee), "If-None-Match": before.headers["etag"]}
            answer = client.get(f"{table.path}{what}", headers=asked)
            assert "Wilhelmina" not in answer.text
            assert answer.status_code == (200 if "Wilhelmina" in before.text else 304), what


def test_a_refused_attempt_changes_the_tag_of_the_traces_that_show_it(table: Table) -> None:
    def trace(token: str, **headers: str) -> httpx.Response:
        return table.get("trace", token, **headers)

    awaited = table.awaited()
    other = next(seat for seat in table.seats if seat != awaited)
    before = {token: trace(token).headers["etag"] for token in (awaited, other, table.referee, table.spectator)}
    problem(table.command(awaited, {"type": "move", "decision": "turn-1", "to": "nowhere"}), 409, "illegal-command")
    after = {token: trace(token, **{"If-None-Match": tag}).status_code for token, tag in before.items()}
    assert after == {awaited: 200, other: 304, table.referee: 200, table.spectator: 304}


@pytest.mark.parametrize("path", PUBLISHED)
def test_what_is_the_same_for_everybody_may_be_kept(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["cache-control"].startswith("public")
    tag = answer.headers["etag"]
    assert client.get(path).headers["etag"] == tag
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == answer.headers["cache-control"]
    assert client.get(path, headers={"If-None-Match": '"x"'}).content == answer.content
    problem(client.get(path, headers={"If-None-Match": "x"}), 400, "invalid-precondition")


def test_the_contract_is_made_quickly(client: httpx.Client) -> None:
    """Litestar describes every Struct, which takes seconds, and all of it is thrown away: it is not asked to."""
    answer = client.get("/openapi.json")
    assert answer.json()["components"]["schemas"]["GameShown"]["properties"]


# -- problems -----------------------------------------------------------------------------------------------------------


def test_the_type_of_a_problem_is_the_address_of_its_page(client: httpx.Client, table: Table) -> None:
    met = [client.get("/nothing"), table.get("view?at=77", table.seats[0]), client.delete("/v1/games")]
    met.append(table.command(table.awaited(), {"type": "move", "decision": "turn-1", "to": "nowhere"}))
    for answer in met:
        told = answer.json()
        page = client.get(told["type"]).json()
        assert {name: page[name] for name in ("type", "title", "status", "code")} == {
            name: told[name] for name in ("type", "title", "status", "code")
        }


@pytest.mark.parametrize("code", KINDS)
def test_every_problem_has_a_page_that_says_what_to_do(client: httpx.Client, code: str) -> None:
    shown = client.get(f"/v1/problems/{code}").json()
    assert (shown["code"], shown["status"]) == (code, KINDS[code].status)
    for text in (shown["meaning"], shown["remedy"]):
        assert text.endswith(".")
        assert text != shown["title"]
    page = client.get(f"/v1/problems/{code}", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for text in (code, shown["title"], shown["meaning"], shown["remedy"]):
        assert html.escape(text) in page.text
    assert page.headers["etag"] != client.get(f"/v1/problems/{code}").headers["etag"]


def test_what_is_no_problem_has_no_page(client: httpx.Client) -> None:
    problem(client.get("/v1/problems/none"), 404, "not-found")
    problem(client.get("/v1/problems/None"), 400, "invalid-parameter")
    problem(client.get("/v1/problems/not-found", headers={"Accept": "image/png"}), 406, "not-acceptable")


# -- idempotency keys ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys", [[""], ['""'], ["one-key-of-mine-alone", "another-key-of-mine"], ["same-key-of-mine"] * 2]
)
def test_an_empty_or_doubled_key_is_refused(table: Table, keys: list[str]) -> None:
    headers = [("Idempotency-Key", key) for key in keys]
    opened = table.client.post("/v1/games", json=OPENING, headers=httpx.Headers(headers))
    problem(opened, 400, "invalid-idempotency-key")
    token = table.awaited()
    sent = httpx.Headers([*headers, *bearer(token).items()])
    answer = table.client.post(f"{table.path}/commands", json=table.listed(token)[0], headers=sent)
    problem(answer, 400, "invalid-idempotency-key")
    closed = httpx.Headers([*headers, *bearer(table.host).items()])
    problem(table.client.post(f"{table.path}/close", headers=closed), 400, "invalid-idempotency-key")
    assert table.version() == 5


def test_the_length_of_a_key_stands_in_the_contract(client: httpx.Client) -> None:
    found = {}
    for path in client.get("/openapi.json").json()["paths"].values():
        for operation in path.values():
            for one in operation.get("parameters", ()):
                if one["name"] == "Idempotency-Key":
                    found[operation["operationId"]] = (one["schema"]["minLength"], one["schema"]["maxLength"])
    strong = {name for name, bounds in found.items() if bounds == (16, 257)}
    opening = {"openGame", "importGame", "forkGame"}
    assert strong == {*opening, "replaceSeat", "claimSeat", "joinSpectators", "joinReferee", "rotateToken"}
    assert {bounds for name, bounds in found.items() if name not in strong} == {(1, 257)}
    problem(
        client.post("/v1/games", json=OPENING, headers={"Idempotency-Key": "x" * 15}), 400, "invalid-idempotency-key"
    )


# -- bodies and answers -------------------------------------------------------------------------------------------------


def test_a_compressed_body_is_refused(table: Table) -> None:
    token = table.awaited()
    body = gzip.compress(json.dumps(table.listed(token)[0]).encode())
    for path, kind in (("commands", "json"), ("disputes", "json"), ("../import", "x-ndjson")):
        headers = {**bearer(token), "Content-Type": f"application/{kind}", "Content-Encoding": "gzip"}
        answer = table.client.post(f"{table.path}/{path}", content=body, headers=headers)
        problem(answer, 415, "unsupported-media-type")
        assert answer.headers["accept-encoding"] == "identity"
    plain = {**bearer(token), "Content-Encoding": "identity"}
    answer = table.client.post(f"{table.path}/commands", json=table.listed(token)[0], headers=plain)
    assert answer.status_code == 201


def test_what_was_made_lies_at_its_location(table: Table) -> None:
    claim = {"from": 1, "to": 2, "claim": "No."}
    key = {"Idempotency_Key": "a-dispute-of-mine"}
    for _ in range(2):
        opened = table.post("disputes", table.seats[0], claim, **key)
        assert opened.headers["location"] == f"{table.path}/disputes/1"
        shown = table.client.get(opened.headers["location"], headers=bearer(table.seats[0]))
        assert shown.json()["dispute"]["number"] == 1
    given = table.post("disputes/1/evidence", table.seats[0], {"commits": [1]})
    withdrawn = table.post("disputes/1/withdrawal", table.seats[0])
    assert {one.headers["location"] for one in (given, withdrawn)} == {f"{table.path}/disputes/1"}
    again = table.post("disputes", table.seats[1], claim)
    assert again.headers["location"] == f"{table.path}/disputes/2"


def test_an_answer_says_once_how_its_text_is_encoded(table: Table) -> None:
    asked = [("diff?from=1&format=markdown", {}), ("post", {}), ("trace", {"Accept": "text/markdown"})]
    answers = [table.get(what, table.seats[0], **headers) for what, headers in asked]
    answers += [table.client.get(path) for path in ("/v1/proof", "/metrics")]
    for answer in answers:
        kind = answer.headers["content-type"]
        assert (kind.startswith("text/"), kind.count("charset=utf-8"), kind.count("charset")) == (True, 1, 1), kind
