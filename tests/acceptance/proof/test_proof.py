"""What a player can check while a game goes on, what comes back when it is imported, and what the command line says of both."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.rules import REVISION
from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, bearer, problem, serving, settings, version_of
from tests.cli.invoking import omenlog
from tests.support.forging import forged, written

NDJSON = {"Content-Type": "application/x-ndjson"}


def exported(table: Table, token: str) -> bytes:
    return table.get("export", token).content


def exported_lines(table: Table) -> list[bytes]:
    return exported(table, table.referee).splitlines()


def played(client: httpx.Client, asked: dict[str, Any] | None = None) -> Table:
    """A game that was played for a while, and closed."""
    table = Table.open(client, **(asked or {}))
    table.play(12)
    assert table.post("close", table.host).status_code == 201
    return table


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Another service, with a store of its own."""
    chosen = settings(tmp_path_factory.mktemp("elsewhere") / "log.db", token_rate=0, anonymous_rate=0)
    with serving(chosen, Fixed("elsewhere")) as address, httpx.Client(base_url=address, timeout=60) as found:
        yield found


def bring(client: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    return client.post("/v1/games/import", content=body, headers={**NDJSON, **headers})


# -- heads and proofs ---------------------------------------------------------------------------------------------------


def test_everybody_can_get_the_heads_page_by_page(client: httpx.Client, table: Table) -> None:
    table.play(5)
    whole = [json.loads(line)["hash"] for line in exported(table, table.referee).splitlines()[1:]]
    found: list[str] = []
    after = 0
    while after < table.version():
        page = client.get(f"{table.path}/heads", params={"after": after, "limit": 4})
        assert version_of(page) == table.version()
        found += [one["hash"] for one in page.json()["heads"]]
        after = page.json()["next"]
    assert found == whole
    tag = client.get(f"{table.path}/heads").headers["etag"]
    assert client.get(f"{table.path}/heads", headers={"If-None-Match": tag}).status_code == 304
    problem(client.get(f"{table.path}/heads?after=999"), 409, "ahead-of-log")
    problem(client.get(f"/v1/games/{'a' * 20}/heads"), 404, "not-found")


def test_heads_are_late_where_the_public_is(client: httpx.Client) -> None:
    table = Table.open(client, options={"spectator_delay": 4})
    table.play(9)
    page = client.get(f"{table.path}/heads").json()
    assert (page["version"], len(page["heads"])) == (table.version(), table.version())
    assert table.version() == table.get("view", table.referee).json()["version"] - 4


def test_a_seat_checks_what_it_was_told_with_nothing_but_sha256(client: httpx.Client, table: Table) -> None:
    table.play(6)
    heads = {one["number"]: one["hash"] for one in client.get(f"{table.path}/heads").json()["heads"]}
    text = table.get("proofs", table.seats[2]).text
    page = json.loads(text)
    assert [one["header"]["number"] for one in page["commits"]] == list(heads)
    for one in page["commits"]:
        proof, number = one["proof"], one["header"]["number"]
        root = hashlib.sha256(b"".join(bytes.fromhex(digest) for digest in proof["digests"])).hexdigest()
        assert root == proof["root"]
        assert hashlib.sha256(f"{proof['prev']}{root}{number}".encode()).hexdigest() == proof["hash"] == heads[number]
        pieces = [one["header"], *[one[name] for name in ("actor", "command") if name in one], *one["events"]]
        told = "\n".join(json.dumps(piece, separators=(",", ":"), ensure_ascii=False) for piece in pieces)
        salted = bytes.fromhex(proof["salt"]) + hashlib.sha256(told.encode()).digest()
        assert hashlib.sha256(salted).hexdigest() == proof["digests"][2]


def test_proofs_are_lines_of_the_roles_export_and_the_referee_has_the_whole_log(table: Table) -> None:
    table.play(4)
    for token in (table.seats[0], table.spectator, table.host):
        lines = exported(table, token).splitlines()[1:]
        assert table.get("proofs?after=2", token).json()["commits"] == [json.loads(line) for line in lines[2:]]
    problem(table.get("proofs", table.referee), 403, "forbidden")


def test_the_page_that_explains_it_is_served(client: httpx.Client) -> None:
    page = client.get("/v1/proof")
    assert page.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "# How a game is proved" in page.text
    assert "## What it doesn't stop" in page.text


# -- import -------------------------------------------------------------------------------------------------------------


def test_an_imported_game_is_read_and_exported_as_it_was(client: httpx.Client, elsewhere: httpx.Client) -> None:
    table = played(client)
    body = exported(table, table.referee)
    answer = bring(elsewhere, body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == table.path
    found = answer.json()
    assert (found["outcome"], found["because"]) == ("EXACT", "")
    there = Table(elsewhere, found)
    before, after = client.get(table.path).json(), elsewhere.get(table.path).json()
    assert after["imported"]
    assert {**after, "imported": ""} == before
    assert exported(there, there.spectator) == body
    for mine, theirs in ((table.seats[1], there.seats[1]), (table.referee, there.referee)):
        for what in ("view", "view?at=9", "decisions", "events?limit=1000"):
            assert there.get(what, theirs).json() == table.get(what, mine).json()
    problem(there.post("close", there.host), 409, "game-over")
    problem(there.command(there.seats[0], {"type": "end-turn", "decision": "turn-1"}), 409, "game-over")
    problem(bring(elsewhere, body), 409, "game-exists")


def test_a_retry_of_an_import_gets_the_same_tokens(client: httpx.Client, elsewhere: httpx.Client) -> None:
    body, other = (exported(table, table.referee) for table in (played(client), played(client)))
    key = {"Idempotency-Key": "import-me-once-and-for-all"}
    first, again = bring(elsewhere, body, **key), bring(elsewhere, body, **key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    problem(bring(elsewhere, other, **key), 422, "key-reused")


def test_what_can_not_be_imported_is_refused_with_the_reason(client: httpx.Client) -> None:
    table = Table.open(client)
    table.play(6)
    mine, running = exported(table, table.seats[0]), exported(table, table.referee)
    assert "seat:0" in problem(bring(client, mine), 422, "unfit-export")["detail"]
    problem(bring(client, running), 422, "not-disclosed")
    table.post("close", table.host)
    whole = exported(table, table.referee)
    problem(bring(client, whole), 409, "game-exists")
    problem(bring(client, b""), 422, "unfit-export")
    problem(bring(client, b"{}\n"), 422, "unfit-export")
    problem(client.post("/v1/games/import", json={}), 415, "unsupported-media-type")
    newer = whole.replace(b'"rules":%d' % REVISION, b'"rules":%d' % (REVISION + 1))
    assert f"revision {REVISION + 1}" in problem(bring(client, newer), 422, "newer-revision")["detail"]
    format_2 = whole.replace(b'"omenlog":"full"', b'"omenlog":"full","format":2', 1)
    assert "format 2" in problem(bring(client, format_2), 422, "unfit-export")["detail"]


def test_an_altered_export_is_not_imported(client: httpx.Client, elsewhere: httpx.Client) -> None:
    table = played(client)
    lines = exported(table, table.referee).splitlines()
    lines[8] = lines[8].replace(b'"at":"2', b'"at":"3')
    refused = problem(bring(elsewhere, b"\n".join(lines)), 422, "diverged-export")
    assert "DIVERGED at commit 8" in refused["detail"]
    problem(elsewhere.get(table.path), 404, "not-found")


def test_what_an_older_revision_decided_otherwise_is_not_imported_and_what_it_decided_alike_is(
    client: httpx.Client, elsewhere: httpx.Client
) -> None:
    lines = exported_lines(played(client))
    now, before = (b'"rules":%d,' % revision for revision in (REVISION, REVISION - 1))
    older = forged([lines[0].replace(now, before), *lines[1:]], 1, lambda body: body.replace(now, before, 1), on=True)
    number = next(at for at, line in enumerate(older) if b'"faces":[' in line)
    die = re.search(rb'"faces":\[(\d)', older[number])
    assert die is not None
    other = b'"faces":[%d' % ((int(die[1]) + 1) % 3)
    refused = problem(
        bring(elsewhere, written(forged(older, number, lambda body: body.replace(die[0], other, 1)))),
        422,
        "unverified-export",
    )
    assert f"revision {REVISION - 1} of the rules" in refused["detail"]
    taken = bring(elsewhere, written(older))
    assert (taken.status_code, taken.json()["outcome"]) == (201, "UNVERIFIED")


def test_a_game_with_secrets_is_not_imported(client: httpx.Client, elsewhere: httpx.Client) -> None:
    running = Table.open(client)
    running.play(4)
    problem(bring(elsewhere, exported(running, running.referee)), 422, "not-disclosed")
    moderated = Table.open(client, randomness={"source": "moderator"})
    moderated.play(4)
    problem(bring(elsewhere, exported(moderated, moderated.referee)), 422, "not-disclosed")
    kept = played(client, {"options": {"disclosure": "never"}, "randomness": {"source": "moderator"}})
    problem(bring(elsewhere, exported(kept, kept.referee)), 422, "not-disclosed")


def test_a_pack_that_is_not_known_is_taken_only_where_any_is(client: httpx.Client, tmp_path: Path) -> None:
    table = played(client)
    body = exported(table, table.referee)
    answers = []
    for packs in ("known", "any"):
        chosen = settings(tmp_path / f"{packs}.db", packs="third-edition", import_packs=packs)
        with serving(chosen, Fixed(packs)) as address, httpx.Client(base_url=address, timeout=60) as found:
            answers.append(bring(found, body))
            if packs == "any":
                assert (
                    exported(Table(found, answers[-1].json()), answers[-1].json()["tokens"]["referee"]["secret"])
                    == body
                )
    refused = problem(answers[0], 422, "unknown-pack")["detail"]
    assert refused.startswith("The game was played with content that this service does not have: second-edition (")
    assert answers[1].status_code == 201


def test_a_service_can_take_smaller_files_or_none(client: httpx.Client, tmp_path: Path) -> None:
    table = played(client)
    body = exported(table, table.referee)
    with serving(settings(tmp_path / "small.db", import_limit=0), Fixed("small")) as address:
        answer = httpx.post(f"{address}/v1/games/import", content=body, headers=NDJSON, timeout=20)
    assert "OMENLOG_IMPORT_LIMIT" in problem(answer, 413, "body-too-large")["detail"]


# -- the command line ---------------------------------------------------------------------------------------------------


def test_verify_says_what_holds_and_why(client: httpx.Client, tmp_path: Path) -> None:
    table = played(client)
    mine, whole = tmp_path / "mine.ndjson", tmp_path / "whole.ndjson"
    whole.write_bytes(exported(table, table.referee))
    result = omenlog("verify", str(whole))
    assert result.exit_code == 0, result.output
    assert f"EXACT, {table.version()} of {table.version()} commits hold" in result.output
    assert "rolled again from the promised seed, with no entropy from any seat" in result.output

    running = Table.open(client)
    running.play(5)
    mine.write_bytes(exported(running, running.seats[1]))
    result = omenlog("verify", str(mine))
    assert result.exit_code == 3
    assert "UNVERIFIED" in result.output
    whole.write_bytes(exported(running, running.referee))
    result = omenlog("verify", str(whole))
    assert result.exit_code == 3
    assert result.output.startswith(
        f"RUNNING, {running.version()} of {running.version()} commits hold: the game is not over; "
    )
    assert "UNVERIFIED" not in result.output
    assert json.loads(omenlog("verify", str(whole), "--json").output)["found"] == "RUNNING"
    assert omenlog("verify", str(mine), "--against", str(whole)).output.startswith("RUNNING, ")
    whole.write_bytes(exported(running, running.referee).replace(b'"type":"', b'"type" :"', 1))
    assert omenlog("verify", str(whole)).output.startswith("DIVERGED")
    running.post("close", running.host)
    whole.write_bytes(exported(running, running.referee))
    result = omenlog("verify", str(mine), "--against", str(whole), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["outcome"] == "EXACT"
    assert "pass the full one" in omenlog("verify", str(whole), "--against", str(mine)).output


def test_dice_of_the_table_are_unverified_and_its_rules_exact(client: httpx.Client, tmp_path: Path) -> None:
    table = Table.open(client, randomness={"source": "table"})
    table.play(8)
    table.post("close", table.host)
    whole = tmp_path / "whole.ndjson"
    whole.write_bytes(exported(table, table.referee))
    result = omenlog("verify", str(whole))
    assert result.exit_code == 3
    assert re.search(r"rules +EXACT", result.output)
    assert re.search(r"dice +UNVERIFIED: the players' own", result.output)


def test_a_damaged_first_line_is_an_altered_export(client: httpx.Client, tmp_path: Path) -> None:
    table = played(client)
    file = tmp_path / "whole.ndjson"
    file.write_bytes(exported(table, table.referee).replace(b'"commitment"', b'"Commitment"', 1))
    result = omenlog("verify", str(file))
    assert result.exit_code == 1
    assert result.output.startswith("DIVERGED at commit 1")


def test_a_witness_keeps_heads_and_finds_a_log_that_was_replaced(
    client: httpx.Client, address: str, tmp_path: Path
) -> None:
    table = Table.open(client)
    table.play(3)
    heads, whole = tmp_path / "heads.ndjson", tmp_path / "whole.ndjson"
    first = omenlog("witness", table.id, "--url", address, "--heads", str(heads))
    assert (first.exit_code, first.output[:14]) == (0, "0 heads agree,")
    known = table.version()
    table.play(3)
    table.post("close", table.host)
    again = omenlog("witness", table.id, "--url", address, "--heads", str(heads), "--every", "60")
    assert (
        f"{known} heads agree, {table.version() - known} new, up to commit {table.version()} (abandoned)"
        in again.output
    )
    whole.write_bytes(exported(table, table.referee))
    held = omenlog("verify", str(whole), "--heads", str(heads))
    assert f"{table.version()} witnessed heads agree" in held.output

    lines = heads.read_bytes().splitlines()
    lines[4] = re.sub(rb'"hash":"[0-9a-f]{64}"', b'"hash":"%b"' % (b"0" * 64), lines[4])
    heads.write_bytes(b"\n".join(lines))
    replaced = omenlog("witness", table.id, "--url", address, "--heads", str(heads))
    assert replaced.exit_code == 1
    assert "DIVERGED at commit 5" in replaced.output
    verdict = omenlog("verify", str(whole), "--heads", str(heads))
    assert (verdict.exit_code, "DIVERGED at commit 5" in verdict.output) == (1, True)
    heads.write_text("no head\n")
    assert "line 1 is not a valid head" in omenlog("verify", str(whole), "--heads", str(heads)).output


def test_the_command_imports_and_tells_the_tokens(
    client: httpx.Client, elsewhere: httpx.Client, tmp_path: Path
) -> None:
    table = played(client)
    file = tmp_path / "whole.ndjson"
    file.write_bytes(exported(table, table.referee))
    url = str(elsewhere.base_url)
    result = omenlog("import", str(file), "--url", url)
    assert result.exit_code == 0, result.output
    assert f"imported game {table.id}, {table.version()} commits: EXACT" in result.output
    token = re.search(r"seat-0 +(omen_\S+)", result.output)
    assert token is not None
    assert elsewhere.get(f"{table.path}/view", headers=bearer(token[1])).status_code == 200
    twice = omenlog("import", str(file), "--url", url)
    assert (twice.exit_code, "409 game-exists" in twice.output) == (1, True)
    file.write_text("{}\n")
    assert "not an export" in omenlog("import", str(file), "--url", url).output
