"""Trying an endpoint out, what became of messages, and one of them again."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import jsonschema
import pytest
from standardwebhooks import Webhook

from service.outside import Machine
from tests.acceptance.driving import Table, bearer, problem, serving, settings
from tests.acceptance.webhooks.test_webhooks import SETTINGS, Subscriber
from tests.cli.invoking import omenlog
from tests.support.receiving import Receiver, Reply, receiving, verified


@pytest.fixture(scope="module", params=["sqlite", "memory"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    store = "memory:" if request.param == "memory" else tmp_path_factory.mktemp("attempts") / "log.db"
    with (
        serving(settings(store, **SETTINGS), Machine()) as address,
        httpx.Client(base_url=address, timeout=20) as found,
    ):
        yield found


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def test_a_test_message_is_signed_and_what_became_of_it_is_told(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    made = subscriber.subscribe(receiver.url, types=["GameEnded"])
    name = made["subscription"]["id"]
    answer = subscriber.post(name, "test")
    assert answer.status_code == 200, answer.text
    (got,) = receiver.got
    assert answer.json() == {"webhook_id": got.id, "at": got.json["time"], "arrived": True, "status": 204}
    assert got.json["type"] == "omenlog.test.v1"
    schema = client.get("/v1/schemas/events/test").json()
    assert got.json["dataschema"] == schema["$id"]
    assert jsonschema.Draft202012Validator(schema).is_valid(got.json["data"])
    assert got.json["source"] == f"/v1/subscriptions/{name}"
    assert verified(got, made["subscription"]["keys"][0]["public_key"])
    assert Webhook(made["secret"]).verify(got.body, got.headers) == got.json
    receiver.answering = lambda _: Reply(500)
    failed = subscriber.post(name, "test").json()
    assert (failed["arrived"], failed["status"]) == (False, 500)
    receiver.answering = lambda _: Reply(410)
    assert subscriber.post(name, "test").json()["status"] == 410
    shown = subscriber.see(name)
    assert (shown["state"], shown["delivered"]) == ("active", 0), "a test changes nothing"
    told = client.get(f"/v1/subscriptions/{name}/attempts", headers=subscriber.headers).json()["attempts"]
    assert [one.get("status") for one in told] == [410, 500, 204]
    other = Subscriber(client, table.seats[1])
    problem(other.post(name, "test"), 403, "forbidden")
    problem(client.get(f"/v1/subscriptions/{name}/attempts", headers=other.headers), 403, "forbidden")


def test_attempts_are_listed_with_status_and_time_and_one_message_is_sent_again(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    receiver.answering = lambda got: Reply(503 if got.json["id"] == "3" else 204)
    made = subscriber.subscribe(receiver.url, after=0)["subscription"]
    name, version = made["id"], table.version()
    subscriber.until(name, cursor=version)
    told = client.get(f"/v1/subscriptions/{name}/attempts", headers=subscriber.headers).json()["attempts"]
    assert [(one["commit"], one["status"]) for one in reversed(told)] == [
        (1, 204),
        (2, 204),
        (3, 503),
        (3, 503),
        (3, 503),
        (4, 204),
        (5, 204),
    ]
    assert [one["at"] for one in told] == sorted((one["at"] for one in told), reverse=True)
    assert [one["webhook_id"] for one in told] == [f"msg_{name}_{one['commit']}" for one in told]
    before = len(receiver.got)
    answer = subscriber.post(name, "redeliver", {"messages": [f"msg_{name}_2"]})
    assert answer.status_code == 202, answer.text
    subscriber.until(name, delivered=5)
    assert receiver.got[-1].id == f"msg_{name}_2"
    told = client.get(f"/v1/subscriptions/{name}/attempts", headers=subscriber.headers).json()["attempts"]
    assert (told[0]["commit"], told[0]["status"]) == (2, 204)
    assert len(receiver.got) == before + 1, "one message, and the dead letter stays what it is"
    for wrong in (
        {"messages": [f"msg_{name}_test_1"]},
        {"messages": [f"msg_{'a' * 20}_2"]},
        {"messages": [f"msg_{name}_2"], "commits": [2]},
        {"messages": [f"msg_{name}_0"]},
    ):
        problem(subscriber.post(name, "redeliver", wrong), 422, "unfit-subscription")
    problem(subscriber.post(name, "redeliver", {"messages": [f"msg_{name}_99"]}), 409, "ahead-of-log")
    problem(subscriber.post(name, "redeliver", {"messages": ["msg_nonsense"]}), 400, "invalid-body")


def test_only_the_latest_attempts_are_kept(client: httpx.Client, receiver: Receiver) -> None:
    subscriber = Subscriber(client, Table.open(client).seats[0])
    name = subscriber.subscribe(receiver.url)["subscription"]["id"]
    sent = [subscriber.post(name, "test").json()["webhook_id"] for _ in range(53)]
    told = client.get(f"/v1/subscriptions/{name}/attempts", headers=subscriber.headers).json()["attempts"]
    assert [one["webhook_id"] for one in told] == sent[:2:-1]


def test_an_account_is_told_of_whom_each_attempt_was(client: httpx.Client, receiver: Receiver) -> None:
    account = client.post("/v1/accounts").json()["key"]
    tables = [Table.open(client) for _ in range(2)]
    for table in tables:
        bound = client.put(f"{table.path}/tokens/seat-0/account", json={"key": account}, headers=bearer(table.seats[0]))
        assert bound.status_code == 200, bound.text
    subscriber = Subscriber(client, account)
    name = subscriber.subscribe(receiver.url, cursor="")["subscription"]["id"]
    receiver.wait_for(10)
    assert subscriber.post(name, "test").json()["arrived"]
    subscriber.until(name, delivered=10)
    told = client.get(f"/v1/subscriptions/{name}/attempts", headers=subscriber.headers).json()["attempts"]
    assert len(told) == 11
    assert "commit" not in told[0]
    assert {(one["game"], one["recipient"]) for one in told[1:]} == {(table.id, "seat-0") for table in tables}
    one = next(one for one in told if one.get("commit") == 4)
    assert subscriber.post(name, "redeliver", {"messages": [one["webhook_id"]]}).status_code == 202
    receiver.wait_for(12)
    assert receiver.got[-1].id == one["webhook_id"]
    subscriber.until(name, delivered=11)


def test_the_command_line_tries_lists_and_sends_again(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    name = subscriber.subscribe(receiver.url, after=4)["subscription"]["id"]
    subscriber.until(name, delivered=1)
    whose = ["--url", str(client.base_url), "--token", table.seats[0]]
    assert "arrived, 204" in omenlog("webhooks", "test", name, *whose).output
    told = omenlog("webhooks", "attempts", name, *whose).output.splitlines()
    assert len(told) == 2
    assert f"msg_{name}_5: arrived, 204" in told[1]
    assert "active" in omenlog("webhooks", "redeliver", name, "--message", f"msg_{name}_5", *whose).output
    receiver.wait_for(3)
    receiver.answering = lambda _: Reply(500)
    refused = omenlog("webhooks", "test", name, *whose)
    assert refused.exit_code == 1
    assert "answered 500" in refused.output
