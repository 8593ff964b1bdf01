"""Views, decisions, commands: what a seat sees and does."""

import re
from functools import partial

import httpx

from tests.acceptance.driving import Table, problem, version_of


def test_whatever_is_listed_can_be_posted_as_it_stands(client: httpx.Client) -> None:
    table = Table.open(client)
    for _ in range(25):
        token = table.awaited()
        command = table.listed(token)[0]
        before = table.version()
        answer = table.command(token, command)
        assert answer.status_code == 201, answer.text
        assert answer.json()["version"] == before + 1
        assert answer.headers["etag"] == f'"{before + 1}"'
        assert answer.json()["commit"]["data"]["command"] == command


def test_a_commit_is_answered_as_the_caller_may_see_it_and_found_where_location_says(table: Table) -> None:
    token = table.awaited()
    answer = table.command(token, table.listed(token)[0])
    page = table.client.get(answer.headers["location"], headers={"Authorization": f"Bearer {token}"}).json()
    assert page["events"] == [answer.json()["commit"]]
    seen = page["events"][0]
    assert (seen["specversion"], seen["type"]) == ("1.0", "omenlog.commit.v1")
    assert (seen["source"], seen["id"]) == (table.path, str(answer.json()["version"]))
    assert seen["sequence"] == f"{answer.json()['version']:010d}"
    assert seen["subject"] == seen["data"]["actor"]


def test_others_see_the_commit_but_not_the_command(table: Table) -> None:
    token = table.awaited()
    version = table.command(token, table.listed(token)[0]).json()["version"]
    other = next(one for one in table.seats if one != token)
    for watcher in (other, table.spectator, table.host):
        data = table.get(f"events?after={version - 1}", watcher).json()["events"][0]["data"]
        assert "command" not in data
        assert data["actor"].startswith("seat:")
    referee = table.get(f"events?after={version - 1}", table.referee).json()["events"][0]["data"]
    assert referee["command"]["type"]


def test_a_refusal_cites_the_rule_and_says_what_would_be_legal(table: Table) -> None:
    token = table.awaited()
    decision = table.get("decisions", token).json()["yours"][0]["id"]
    found = problem(table.command(token, {"type": "move", "decision": decision, "to": "attic"}), 409, "illegal-command")
    rule = table.client.get(f"/v1/rules/{found['rule']['id']}").json()
    assert found["rule"]["text"] == rule["text"]
    assert found["legal"] == table.get("decisions", token).json()
    assert table.version() == 5, "nothing has changed"


def test_a_screen_is_view_decisions_and_steps_of_one_commit(table: Table) -> None:
    table.play(50)
    for token in (*table.seats, table.referee, table.spectator, table.host):
        for at in ("", "&at=30"):
            screen = table.get(f"screen?since=true{at}", token).json()
            version = screen["version"]
            assert screen["view"] == table.get(f"view?{at}", token).json()
            assert screen["decisions"] == table.get(f"decisions?since=true{at}", token).json()
            for after, first in (("", version - 39), ("&after=28", 29), (f"&after={version}", version + 1)):
                told = table.get(f"screen?{after}{at}", token).json()["steps"]
                steps = table.get(f"trace?names=true&legal=false&to={version}", token).json()["steps"]
                assert told == [one for one in steps if one["number"] >= first]
    table.play(220 - table.version())
    told = table.get("screen?after=3", table.seats[0]).json()["steps"]
    assert [one["number"] for one in told] == list(range(21, 221)), "the latest 200 of many"


def test_the_answer_to_a_command_has_the_callers_own_screen_of_its_commit_also_if_asked_again(table: Table) -> None:
    for _ in range(8):
        token, version = table.awaited(), table.version()
        ask = partial(
            table.post, "commands?screen=true", token, table.listed(token)[0], Idempotency_Key=f"at-{version}"
        )
        told = ask().json()
        assert told["version"] == told["screen"]["version"] == version + 1
        assert told["screen"] == table.get(f"screen?after={version}&since=true", token).json()
        assert [step["number"] for step in told["screen"]["steps"]] == [version + 1]
        assert table.play(1) == 1
        again = ask()
        assert again.headers["idempotent-replayed"] == "true"
        assert again.json()["screen"] == table.get(f"screen?at={version + 1}&after={version}&since=true", token).json()
    wrong = table.post("commands?screen=perhaps", table.awaited(), table.listed(table.awaited())[0])
    problem(wrong, 400, "invalid-parameter")


def test_the_view_as_of_a_commit_is_what_the_role_saw_then(table: Table) -> None:
    then = {token: table.get("view", token).json() for token in (table.seats[0], table.referee, table.spectator)}
    version = table.version()
    table.play(12)
    for token, view in then.items():
        answer = table.get(f"view?at={version}", token)
        assert answer.json() == view
        assert version_of(answer) == version
    problem(table.get("view?at=9999", table.seats[0]), 409, "ahead-of-log")


def test_the_referee_sees_as_any_role_saw_and_nobody_else_can(table: Table) -> None:
    table.play(10)
    roles = {"seat:1": table.seats[1], "spectator": table.spectator}
    for what in ("view", "decisions", "events", "events?after=3&limit=4", "trace", "board.svg", "post", "diff?from=5"):
        joined = "&" if "?" in what else "?"
        for role, token in roles.items():
            own = table.get(what, token)
            assert own.status_code == 200
            assert table.get(f"{what}{joined}as={role}", table.referee).content == own.content
            assert table.get(f"{what}{joined}as={role}", token).content == own.content, "as whom it is"
            problem(table.get(f"{what}{joined}as=referee", token), 403, "forbidden")
        problem(table.get(f"{what}{joined}as=seat:1", table.seats[0]), 403, "forbidden")
        problem(table.get(f"{what}{joined}as=seat:1", table.host), 403, "forbidden")
        problem(table.get(f"{what}{joined}as=seat:5", table.referee), 403, "forbidden")
        problem(table.get(f"{what}{joined}as=gods", table.referee), 400, "invalid-parameter")


def test_reads_are_conditional(table: Table) -> None:
    for what, token in (("view", table.seats[0]), ("decisions", table.seats[0]), ("events", table.spectator)):
        tag = table.get(what, token).headers["etag"]
        assert re.fullmatch(r'"5\.[A-Za-z0-9_-]{12}"', tag)
        for condition in (tag, f"W/{tag}", f'"0", {tag}', "*"):
            again = table.get(what, token, **{"If-None-Match": condition})
            assert (again.status_code, again.content) == (304, b""), condition
            assert again.headers["etag"] == tag
        for condition in ('"1"', '"5"', '"5.x"'):
            assert table.get(what, token, **{"If-None-Match": condition}).status_code == 200
        problem(table.get(what, token, **{"If-None-Match": "5"}), 400, "invalid-precondition")
    tag = table.client.get(table.path).headers["etag"]
    assert table.client.get(table.path, headers={"If-None-Match": tag}).status_code == 304


def test_if_match_holds_a_command_back_when_the_game_has_moved_on(table: Table) -> None:
    token = table.awaited()
    command = table.listed(token)[0]
    for stale in ('"4"', 'W/"5"', '"5x"', '"99999999999999"'):
        found = problem(table.command(token, command, If_Match=stale), 412, "stale-version")
        assert found["current_version"] == 5
    problem(table.command(token, command, If_Match="5"), 400, "invalid-precondition")
    problem(table.command(token, command, If_Match=f'"4.{"x" * 12}"'), 412, "stale-version")
    seen = table.get("view", token).headers["etag"]
    assert table.command(token, command, If_Match=f'"3", {seen}').status_code == 201
    token = table.awaited()
    assert table.command(token, table.listed(token)[0], If_Match="*").status_code == 201


def test_a_command_retried_with_its_key_is_done_once_and_answered_alike(table: Table) -> None:
    token = table.awaited()
    command = table.listed(token)[0]
    first = table.command(token, command, Idempotency_Key="step-1")
    table.play(3)
    version = table.version()
    for key in ("step-1", '"step-1"'):
        again = table.command(token, command, Idempotency_Key=key, If_Match='"5"')
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["idempotent-replayed"] == "true"
        assert again.headers["etag"] == first.headers["etag"]
    assert table.version() == version
    assert "idempotent-replayed" not in first.headers


def test_a_key_belongs_to_one_request_of_one_caller(table: Table) -> None:
    token = table.awaited()
    commands = table.listed(token)
    assert table.command(token, commands[0], Idempotency_Key="mine").status_code == 201
    other = {**commands[0], "decision": "turn-99"}
    problem(table.command(token, other, Idempotency_Key="mine"), 422, "key-reused")
    stranger = next(one for one in table.seats if one != token)
    problem(table.command(stranger, commands[0], Idempotency_Key="mine"), 409, "illegal-command")
    for bad in ("with blank", "x" * 256, '"open', "ünicode"):
        answer = table.client.post(
            f"{table.path}/commands",
            json=commands[0],
            headers={b"Authorization": f"Bearer {token}".encode(), b"Idempotency-Key": bad.encode()},
        )
        problem(answer, 400, "invalid-idempotency-key")


def test_a_refused_command_has_not_used_up_its_key(table: Table) -> None:
    token = table.awaited()
    command = table.listed(token)[0]
    problem(table.command(token, {**command, "decision": "turn-9"}, Idempotency_Key="k"), 409, "decision-closed")
    assert table.command(token, command, Idempotency_Key="k").status_code == 201


def test_somebody_elses_decision_is_not_answered(table: Table) -> None:
    token = table.awaited()
    command = table.listed(token)[0]
    stranger = next(one for one in table.seats if one != token)
    found = problem(table.command(stranger, command), 409, "illegal-command")
    assert found["rule"]["id"].startswith("2E-")
    assert found["legal"]["yours"] == []
    for watcher in (table.spectator, table.host):
        problem(table.command(watcher, command), 403, "forbidden")


def test_nothing_can_be_commanded_before_the_start_and_after_the_end(client: httpx.Client) -> None:
    table = Table.open(client, start=False)
    command = {"type": "end-turn", "decision": "turn-1"}
    problem(table.command(table.seats[0], command), 409, "not-started")
    assert table.post("close", table.host).status_code == 201
    problem(table.command(table.seats[0], command), 409, "game-over")


def test_a_whole_game_ends_with_a_winner_or_at_its_turn_limit(client: httpx.Client) -> None:
    table = Table.open(client, options={"turn_limit": 12})
    table.play(2000, seed=5)
    facts = client.get(table.path).json()
    assert facts["status"] == "finished"
    assert facts["because"]
    assert table.get("decisions", table.spectator).json()["waiting"] == []
