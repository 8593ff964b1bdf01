"""Disputes, rulings, rewinds and take-backs over HTTP."""

import json
from typing import Any

import httpx
import pytest

from domain.engine.rules import REVISION
from domain.rulebook.desk import taking_back
from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.driving import Table, problem
from tests.support.forging import forged

CLAIM = "The Attic was drawn twice."
ASK = {"from": 5, "to": 5, "claim": CLAIM}


def told(table: Table, token: str) -> list[dict[str, Any]]:
    lines = table.get("events", token, Accept="application/x-ndjson").text.splitlines()
    return [event for line in lines for event in json.loads(line)["data"]["events"]]


def dispute(table: Table, token: str, number: int = 1) -> dict[str, Any]:
    answer = table.get(f"disputes/{number}", token)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_claim_is_for_the_referee_and_can_be_erased_from_beside_the_log(table: Table) -> None:
    table.play(3)
    assert table.post("disputes", table.seats[1], ASK).status_code == 201
    for token in (table.seats[1], table.referee):
        shown = dispute(table, token)
        assert shown["dispute"]["span"] == {"first": 5, "last": 5}
        assert [one["text"] for one in shown["texts"]] == [CLAIM]
        assert [one["digest"] for one in shown["texts"]] == [shown["dispute"]["claim"]]
    for token in (table.seats[0], table.spectator, table.host):
        shown = dispute(table, token)
        assert (shown["dispute"]["by"], shown["dispute"]["span"], shown["texts"]) == (1, None, [])
        assert CLAIM not in json.dumps(told(table, token))
    assert CLAIM not in table.get("events", table.referee, Accept="application/x-ndjson").text


def test_a_dispute_is_read_as_a_page_to_be_pasted_and_by_the_referee_as_others_see_it(table: Table) -> None:
    table.post("disputes", table.seats[1], ASK)
    markdown = {"Accept": "text/markdown"}

    answer = table.get("disputes/1", table.referee, **markdown)

    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert f"\n## Claim\n\n> {CLAIM}\n\n## What happened\n\n### 5 · " in answer.text
    tag = {"If-None-Match": answer.headers["etag"]}
    assert table.get("disputes/1", table.referee, **markdown, **tag).status_code == 304
    public = table.get("disputes/1", table.spectator, **markdown)
    assert CLAIM not in public.text
    assert table.get("disputes/1?as=spectator", table.referee, **markdown).text == public.text
    shown = table.get("disputes/1?as=seat:0", table.referee).json()
    assert (shown["dispute"]["span"], shown["texts"]) == (None, [])
    for role in ("referee", "seat:0"):
        problem(table.get(f"disputes/1?as={role}", table.seats[1], **markdown), 403, "forbidden")
    problem(table.get("disputes/1", table.referee, Accept="text/html"), 406, "not-acceptable")
    problem(table.get("disputes/2", table.referee, **markdown), 404, "not-found")


def test_the_referee_rewinds_and_the_game_is_audited(table: Table) -> None:
    table.play(12)
    to = table.version() - 5
    before = {token: table.get(f"view?at={to}", token).json() for token in (*table.seats, table.spectator)}
    table.post("disputes", table.seats[1], {**ASK, "from": to + 1, "to": to + 5})
    table.post("disputes/1/evidence", table.seats[1], {"commits": [to + 1], "rules": ["2E-MOVE-001"], "note": "Look."})

    ruled = table.post(
        "disputes/1/ruling",
        table.referee,
        {"outcome": "rewind", "to": to, "reasons": "Played out of turn.", "rules": ["2E-TURN-001"], "precedent": True},
    )

    assert ruled.status_code == 201, ruled.text
    kinds = [event["type"] for event in ruled.json()["commit"]["data"]["events"]]
    assert "SpanSeen" in kinds
    assert kinds[-1] == "Rewound"
    for token, view in before.items():
        now = table.get("view", token).json()
        assert now["desk"]["precedents"][0]["reasons"] == "Played out of turn."
        assert {**now, "version": 0, "desk": {}} == {**view, "version": 0, "desk": {}}
        assert sum(event["type"] == "Rewound" for event in told(table, token)) == 1
        assert not any(event["type"] == "SpanSeen" for event in told(table, token))
    table.play(20)
    table.post("close", table.host)
    verdict = audit(read_export(table.get("export", table.referee).content.splitlines()))
    assert verdict.outcome is Outcome.EXACT, verdict
    problem(table.post("disputes", table.seats[1], ASK), 409, "game-over")


def test_what_can_not_be_ruled(table: Table) -> None:
    problem(table.post("disputes", table.seats[0], {**ASK, "to": 999}), 422, "unfit-span")
    problem(table.post("disputes", table.referee, ASK), 403, "forbidden")
    problem(table.post("disputes", table.spectator, ASK), 403, "forbidden")
    problem(table.get("disputes/1", table.referee), 404, "not-found")
    table.post("disputes", table.seats[0], ASK)
    problem(table.post("disputes", table.seats[0], ASK), 409, "dispute-open")
    stands = {"outcome": "stands", "reasons": "It was right."}
    problem(table.post("disputes/1/ruling", table.seats[1], stands), 403, "forbidden")
    problem(table.post("disputes/1/withdrawal", table.seats[1]), 403, "forbidden")
    problem(table.post("disputes/2/ruling", table.referee, stands), 404, "not-found")
    problem(table.post("disputes/1/ruling", table.referee, {**stands, "to": 5}), 422, "unfit-ruling")
    problem(table.post("disputes/1/ruling", table.referee, {**stands, "rules": ["2E-NONE-001"]}), 422, "unknown-rule")
    sealed = {"commits": [], "rules": ["LEG-NONE-001"]}
    problem(table.post("disputes/1/evidence", table.seats[0], sealed), 422, "unknown-rule")
    problem(table.post("disputes/1/evidence", table.seats[0], {}), 422, "unfit-evidence")
    for what, token, body in (
        ("ruling", table.referee, {**stands, "rules": ["2E-HROLL-001", "3E-HROLL-001"]}),
        ("evidence", table.seats[0], {"rules": ["2E-HROLL-001", "3E-HROLL-001"]}),
    ):
        foreign = problem(table.post(f"disputes/1/{what}", token, body), 422, "unknown-rule")
        assert foreign["errors"][0]["pointer"] == "/rules/1"
        assert (
            "3E-HROLL-001 is not a rule of this edition, whose rules begin with 2E-: did you mean `2E-"
            in foreign["detail"]
        )
        assert foreign["rule"]["id"] == "2E-NORULE-001"
    behind = {**stands, "outcome": "rewind", "to": 1}
    assert (
        "had not started"
        in problem(table.post("disputes/1/ruling", table.referee, behind), 422, "unfit-span")["detail"]
    )
    wrong = {**stands, "outcome": "amend", "do": [{"lose": {"trait": "luck"}}]}
    found = problem(table.post("disputes/1/ruling", table.referee, wrong), 422, "unfit-amendment")
    assert found["errors"][0]["pointer"].startswith("/do/0/lose")
    assert table.post("disputes/1/ruling", table.referee, stands).status_code == 201
    problem(table.post("disputes/1/ruling", table.referee, stands), 409, "dispute-closed")


def test_a_view_says_why_a_seat_can_not_open_a_dispute(table: Table) -> None:
    def barred() -> list[str]:
        tokens = (*table.seats, table.referee, table.spectator)
        return [table.get("view", token).json()["desk"]["barred"] for token in tokens]

    assert barred() == [""] * 5
    table.post("disputes", table.seats[0], ASK)
    refused = problem(table.post("disputes", table.seats[0], ASK), 409, "dispute-open")["detail"]
    assert refused == "you already have an open dispute: withdraw it to open another"
    assert barred() == ["You already have an open dispute: withdraw it to open another.", *[""] * 4]
    table.post("disputes/1/ruling", table.referee, {"outcome": "stands", "reasons": "It was right."})
    table.post("disputes/1/reopening", table.referee, {"reasons": "It was not."})
    assert barred() == [""] * 5
    assert table.post("disputes", table.seats[0], ASK).status_code == 201


def test_reasons_keep_their_paragraphs_and_are_one_line_in_a_sentence(table: Table) -> None:
    table.post("disputes", table.seats[0], {**ASK, "claim": "One.\n\nTwo."})
    path, reasons = "disputes/1/ruling", "It was right.\n\nSee the rule."
    for wrong in ("\n\n", "So\u202e be it.", "So\r\nbe it."):
        problem(table.post(path, table.referee, {"outcome": "stands", "reasons": wrong}), 400, "invalid-body")
    ruled = table.post(path, table.referee, {"outcome": "stands", "public": True, "reasons": reasons})
    assert ruled.status_code == 201, ruled.text
    shown = dispute(table, table.seats[0])
    assert (shown["texts"][0]["text"], shown["dispute"]["reasons"]) == ("One.\n\nTwo.", reasons)
    page = table.get("disputes/1", table.spectator, Accept="text/markdown").text
    assert "> It was right.\n>\n> See the rule." in page
    at = f"trace?from={table.version()}"
    (step,) = table.get(at, table.spectator).json()["steps"]
    assert any('"It was right. See the rule."' in one["words"] for one in step["happened"])


def test_a_dispute_says_in_words_what_each_ruling_amends(table: Table) -> None:
    def amended(token: str) -> list[str]:
        found: list[str] = dispute(table, token)["amended"]
        return found

    table.post("disputes", table.seats[0], ASK)
    assert amended(table.referee) == [""]
    for trait in ("might", "speed"):
        steps = {"you": 1, "do": [{"gain": {"trait": trait}}]}
        ruled = table.post("disputes/1/ruling", table.referee, {"outcome": "amend", "reasons": "So.", **steps})
        assert ruled.status_code == 201, ruled.text
        table.post("disputes/1/reopening", table.referee, {"reasons": "It was not enough."})
    table.post("disputes/1/ruling", table.referee, {"outcome": "stands", "reasons": "It is now."})

    might, speed, stands = amended(table.referee)

    assert might.startswith("Amended for ")
    assert ("Might" in might, "Speed" in speed, stands) == (True, True, "")
    assert amended(table.seats[1]) == amended(table.spectator) == ["", "", ""], "they were told what came of it alone"


def test_an_amendment_that_can_not_be_done_changes_nothing(table: Table) -> None:
    table.post("disputes", table.seats[0], ASK)
    steps = {"outcome": "amend", "reasons": "Put it right.", "do": [{"win": "heroes"}]}
    answer = table.post("disputes/1/ruling", table.referee, steps)
    assert answer.status_code in (201, 422), answer.text


def test_disputes_of_another_game_are_nobodys_business(client: httpx.Client) -> None:
    one, other = Table.open(client), Table.open(client)
    one.post("disputes", one.seats[0], ASK)
    for token in (*other.seats, other.referee, other.host):
        problem(one.post("disputes", token, ASK), 403, "forbidden")
        problem(one.get("disputes", token), 403, "forbidden")
        problem(one.get("disputes/1", token), 403, "forbidden")
        problem(one.post("disputes/1/ruling", token, {"outcome": "stands", "reasons": "So."}), 403, "forbidden")


def test_a_retry_gets_the_first_answer(table: Table) -> None:
    first = table.post("disputes", table.seats[0], ASK, Idempotency_Key="a-dispute-of-mine")
    again = table.post("disputes", table.seats[0], ASK, Idempotency_Key="a-dispute-of-mine")
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    other = {**ASK, "claim": "Another."}
    problem(table.post("disputes", table.seats[0], other, Idempotency_Key="a-dispute-of-mine"), 422, "key-reused")
    assert len(table.get("disputes", table.referee).json()["disputes"]) == 1


def test_play_pauses_and_the_clock_lets_the_dispute_lapse(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"pause": True, "seconds": 1}})
    table.post("disputes", table.seats[0], {**ASK, "from": 1, "to": 1})
    for _ in range(200):
        if table.get("view", table.seats[0]).json()["desk"]["paused"] is False:
            break
    shown = dispute(table, table.referee)["dispute"]
    assert shown["outcome"] == "lapsed"
    table.play(1)


def test_paused_play_is_refused_by_the_option(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"pause": True}})
    (turn, *_) = table.listed(table.awaited())
    table.post("disputes", table.seats[0], {**ASK, "from": 1, "to": 1})
    assert table.get("decisions", table.referee).json()["waiting"] == []
    found = [problem(table.command(token, turn), 409, "play-paused") for token in table.seats]
    assert all("disputes" in one["detail"] for one in found)


@pytest.mark.parametrize("disputes", [{"pause": True, "turns": 3}, {"turns": 3, "seconds": 9}])
def test_deadlines_that_can_not_pass_are_refused(client: httpx.Client, disputes: dict[str, Any]) -> None:
    asked = {"edition": "second", "seats": [{}, {}, {}], "options": {"disputes": disputes}}
    found = problem(client.post("/v1/games", json=asked), 422, "unfit-options")
    assert found["errors"][0]["pointer"] == "/options/disputes/turns"


def test_a_step_is_taken_back(table: Table) -> None:
    token = table.awaited()
    seat = table.seats.index(token)
    before = table.get("view", token).json()
    step = next(one for one in table.listed(token) if one["type"] == "move")
    table.command(token, step)
    offered = table.get("decisions", token).json()["take_back"]
    assert offered["label"].startswith("Take back")
    assert all(one["type"] != "take-back" for one in table.listed(token))
    for other in table.seats:
        if other != token:
            assert table.get("decisions", other).json()["take_back"] is None
            problem(table.command(other, offered["command"]), 409, "take-back-closed")

    done = table.command(token, offered["command"])

    assert done.status_code == 201, done.text
    now = table.get("view", token).json()
    assert now["explorers"] == before["explorers"]
    assert told(table, table.spectator)[-2]["seat"] == seat
    table.post("close", table.host)
    assert audit(read_export(table.get("export", table.referee).content.splitlines())).outcome is Outcome.EXACT


def claimed_anew(table: Table) -> tuple[str, int]:
    """Replace the player whose turn it is after a step; the token of whoever claims the seat, and the commit of the claim."""
    token = table.awaited()
    seat = table.seats.index(token)
    table.command(token, next(one for one in table.listed(token) if one["type"] == "move"))
    invite = table.post(f"seats/{seat}/replace", table.host).json()["invite"]["secret"]
    claimed = table.post(f"seats/{seat}/claim", table.host, {"invite": invite})
    assert claimed.status_code == 201, claimed.text
    table.seats[seat] = claimed.json()["token"]["secret"]
    return table.seats[seat], claimed.json()["version"]


def test_the_claim_of_a_replaced_seat_is_not_taken_back(table: Table) -> None:
    token, claimed = claimed_anew(table)
    assert table.get("decisions", token).json()["take_back"] is None
    asked = {"type": "take-back", "decision": "take-back", "to": claimed - 1}
    problem(table.command(token, asked), 409, "take-back-closed")

    table.command(token, next(one for one in table.listed(token) if one["type"] == "move"))

    offered = table.get("decisions", token).json()["take_back"]
    assert (offered["command"]["to"], offered["earliest"]) == (claimed, claimed)
    assert table.command(token, offered["command"]).status_code == 201


def test_a_game_of_an_older_revision_in_which_a_claim_was_taken_back_is_no_forgery(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, claimed = claimed_anew(table)
    with monkeypatch.context() as before_it:
        before_it.setattr(taking_back, "offered", lambda passed, _: [one.number - 1 for one in passed])
        done = table.command(token, {"type": "take-back", "decision": "take-back", "to": claimed - 1})
    assert done.status_code == 201, done.text
    table.post("close", table.host)
    lines = table.get("export", table.referee).content.splitlines()
    now, before = (b'"rules":%d,' % revision for revision in (REVISION, REVISION - 1))
    older = forged([lines[0].replace(now, before), *lines[1:]], 1, lambda body: body.replace(now, before), on=True)

    verdict = audit(read_export(older))

    assert (verdict.outcome, verdict.commits) == (Outcome.UNVERIFIED, table.version())
    assert f"commit {claimed + 1}: the rules refuse it: you can't go back" in verdict.because
    assert audit(read_export(lines)).commit == claimed + 1, "in a game of this revision it is one"
