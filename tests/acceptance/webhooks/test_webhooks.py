"""Webhooks as a subscriber meets them: over HTTP, with a real receiver, the service delivering by itself."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from standardwebhooks.webhooks import Webhook

from service.outside import Machine
from tests.acceptance.driving import Table, bearer, problem, serving, settings
from tests.cli.invoking import omenlog
from tests.support.receiving import Got, Receiver, Reply, receiving, verified

SETTINGS: dict[str, Any] = {
    "webhook_private": True,
    "webhook_timeout": 1.0,
    "webhook_sweep": 0.1,
    "webhook_retries": "0.05,0.05",
    "token_rate": 0,
    "anonymous_rate": 0,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    chosen = settings(tmp_path_factory.mktemp("webhooks") / "log.db", **SETTINGS)
    with serving(chosen, Machine()) as found:
        yield found


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=20) as found:
        yield found


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


class Subscriber:
    """A token and what it asks for."""

    def __init__(self, client: httpx.Client, token: str) -> None:
        self.client = client
        self.headers = bearer(token)

    def subscribe(self, url: str, status: int = 201, **asked: object) -> dict[str, Any]:
        answer = self.client.post("/v1/subscriptions", json={"url": url, **asked}, headers=self.headers)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def see(self, name: str) -> dict[str, Any]:
        answer = self.client.get(f"/v1/subscriptions/{name}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def post(self, name: str, what: str, body: dict[str, Any] | None = None) -> httpx.Response:
        return self.client.post(f"/v1/subscriptions/{name}/{what}", json=body, headers=self.headers)

    def until(self, name: str, **expected: object) -> dict[str, Any]:
        """Wait until a subscription is shown so."""
        end = time.monotonic() + 10
        while True:
            shown = self.see(name)
            if all(shown.get(key, "") == value for key, value in expected.items()):
                return shown
            assert time.monotonic() < end, shown
            time.sleep(0.02)


def test_each_commit_comes_once_in_order_signed_and_is_what_the_role_was_told(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[1])
    made = subscriber.subscribe(receiver.url, payload="full", after=0)
    table.play(12)
    version = table.version()
    receiver.wait_for(version)

    assert receiver.numbers() == list(range(1, version + 1))
    assert len({got.id for got in receiver.got}) == len(receiver.got) == version
    events = table.get("events?limit=1000", table.seats[1]).json()["events"]
    for got, event in zip(receiver.got, events, strict=True):
        assert got.json == {"timestamp": event["time"], **event}
        assert got.headers["content-type"] == "application/cloudevents+json"
        assert verified(got, made["subscription"]["keys"][0]["public_key"])
        assert Webhook(made["secret"]).verify(got.body, got.headers) == got.json
        with pytest.raises(Exception, match="No matching signature"):
            Webhook(made["secret"]).verify(got.body + b" ", got.headers)
    assert subscriber.until(made["subscription"]["id"], cursor=version)["delivered"] == version


def test_a_subscription_may_ask_for_the_sentences_of_its_roles_stream(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    Subscriber(client, table.seats[1]).subscribe(receiver.url, payload="sentences", after=0)
    table.play(8)
    receiver.wait_for(table.version())

    events = table.get("events?limit=1000&sentences=true", table.seats[1]).json()["events"]
    assert [got.json for got in receiver.got] == [{"timestamp": event["time"], **event} for event in events]


def test_a_seat_gets_nothing_that_its_own_stream_does_not_tell(client: httpx.Client, receiver: Receiver) -> None:
    """Each role's bodies are compared with the role's stream, and roles with one another: they must differ."""
    table = Table.open(client)
    tokens = [*table.seats, table.referee, table.spectator, table.host]
    urls = [f"{receiver.url}/{number}" for number in range(len(tokens))]
    for token, url in zip(tokens, urls, strict=True):
        Subscriber(client, token).subscribe(url, payload="full", after=0)
    table.play(25)
    version = table.version()
    receiver.wait_for(version * len(tokens))

    told = {}
    for number, token in enumerate(tokens):
        mine = b"".join(got.body for got in receiver.got if got.path.endswith(f"/{number}"))
        stream = table.get("events", token, Accept="application/x-ndjson").content
        times = [event["time"] for event in table.get("events?limit=1000", token).json()["events"]]
        expected = b"".join(
            b'{"timestamp":"%b",%b' % (at.encode(), line[1:])
            for at, line in zip(times, stream.splitlines(), strict=True)
        )
        assert mine == expected
        told[number] = expected
    assert len(set(told.values())) == len(tokens) - 1, "the host sees what a spectator sees, all others something else"


def test_a_thin_message_says_that_there_is_a_commit_and_no_more(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    Subscriber(client, table.seats[0]).subscribe(receiver.url)
    before = table.version()
    table.play(1)
    receiver.wait_for(1)

    event = receiver.got[0].json
    told = table.get(f"events?after={before}", table.seats[0]).json()["events"][0]["data"]
    assert event.pop("timestamp") == event.pop("time")
    assert event == {
        "specversion": "1.0",
        "id": str(before + 1),
        "source": f"/v1/games/{table.id}",
        "type": "omenlog.committed.v1",
        "dataschema": "urn:omenlog:committed:v1",
        "sequence": f"{before + 1:010d}",
        "data": {"number": before + 1, "turn": told["turn"], "round": told["round"]},
    }
    schema = client.get("/v1/schemas/events/committed").json()
    assert schema["$id"] == event["dataschema"]
    assert jsonschema.Draft202012Validator(schema).is_valid(event["data"])


def test_a_filter_lets_through_commits_with_such_an_event_alone(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    made = subscriber.subscribe(receiver.url, types=["TurnStarted", "TileDrawn"], after=0)
    table.play(20)
    subscriber.until(made["subscription"]["id"], cursor=table.version())

    events = table.get("events?limit=1000", table.seats[0]).json()["events"]
    wanted = [
        one["data"]["number"]
        for one in events
        if {"TurnStarted", "TileDrawn"} & {event["type"] for event in one["data"]["events"]}
    ]
    assert receiver.numbers() == wanted
    assert 0 < len(wanted) < len(events)
    assert problem(
        client.post("/v1/subscriptions", json={"url": receiver.url, "types": ["Tile"]}, headers=subscriber.headers),
        422,
        "unfit-subscription",
    )["errors"] == [{"pointer": "/types/0", "detail": "no type `Tile`"}]


def test_what_fails_is_tried_again_and_nothing_overtakes_it(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    first = table.version() + 1
    failures = iter([Reply(500), Reply(302, {"Location": receiver.url + "/elsewhere"}), Reply()])
    receiver.answering = lambda got: next(failures, Reply()) if got.number == first else Reply()
    Subscriber(client, table.seats[0]).subscribe(receiver.url)
    table.play(4)
    receiver.wait_for(4)

    assert [got.number for got in receiver.got] == [first, first, first, first + 1, first + 2, first + 3]
    assert len({got.id for got in receiver.got}) == 4, "an attempt has the id of the one before"
    assert {got.path for got in receiver.got} == {"/hook"}, "redirects are not followed"


def test_an_endpoint_that_asks_for_time_gets_it(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    busy = iter([Reply(503, {"Retry-After": "1"})])
    receiver.answering = lambda _: next(busy, Reply())
    made = subscriber.subscribe(receiver.url)
    table.play(1)
    receiver.wait(lambda: len(receiver.got) == 1)
    shown = subscriber.until(made["subscription"]["id"], attempts=1)
    assert "answered 503" in shown["error"]
    assert shown["next_attempt"]
    receiver.wait_for(1)
    assert receiver.got[1].at - receiver.got[0].at >= 1


def test_a_message_that_never_arrives_is_a_dead_letter_the_line_goes_on_and_it_can_be_sent_again(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    poison = table.version() + 1
    receiver.answering = lambda got: Reply(400) if got.number == poison else Reply()
    made = subscriber.subscribe(receiver.url)["subscription"]
    table.play(3)
    shown = subscriber.until(made["id"], cursor=poison + 2)
    assert receiver.numbers() == [poison + 1, poison + 2]
    (letter,) = shown["letters"]
    assert letter == {
        "commit": poison,
        "webhook_id": receiver.got[0].id,
        "attempts": 3,
        "error": "answered 400; only 2xx is a success",
    }

    receiver.answering = lambda _: Reply()
    answer = subscriber.post(made["id"], "redeliver", {})
    assert answer.status_code == 202, answer.text
    receiver.wait_for(3)
    assert receiver.taken[-1].id == letter["webhook_id"]
    assert subscriber.until(made["id"], letters=[])["delivered"] == 3

    assert subscriber.post(made["id"], "redeliver", {"commits": [poison + 1]}).status_code == 202
    receiver.wait_for(4)
    assert receiver.taken[-1].body == receiver.taken[0].body
    problem(subscriber.post(made["id"], "redeliver", {"commits": [poison + 99]}), 409, "ahead-of-log")


def test_gone_disables_and_redelivery_goes_on_where_it_was(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    receiver.answering = lambda _: Reply(410)
    made = subscriber.subscribe(receiver.url)["subscription"]
    table.play(2)
    shown = subscriber.until(made["id"], state="disabled")
    assert shown["reason"] == "the endpoint answered 410 Gone"
    assert shown["cursor"] == made["cursor"]
    assert len(receiver.got) == 1

    receiver.agrees = {}
    problem(subscriber.post(made["id"], "redeliver", {}), 422, "endpoint-refused")
    receiver.agrees, receiver.answering = {"WebHook-Allowed-Origin": "omenlog"}, lambda _: Reply()
    assert subscriber.post(made["id"], "redeliver", {}).json()["state"] == "active"
    receiver.wait_for(2)
    assert receiver.numbers() == [made["cursor"] + 1, made["cursor"] + 2]


def test_an_endpoint_that_is_dead_for_good_is_disabled_and_what_follows_waits(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    receiver.answering = lambda _: Reply(500)
    made = subscriber.subscribe(receiver.url)["subscription"]
    table.play(5)
    shown = subscriber.until(made["id"], state="disabled")
    assert shown["reason"] == "3 messages in a row could not be delivered"
    assert shown["cursor"] == made["cursor"] + 3
    assert [one["commit"] for one in shown["letters"]] == [made["cursor"] + number for number in (1, 2, 3)]
    receiver.answering = lambda _: Reply()
    subscriber.post(made["id"], "redeliver", {})
    receiver.wait_for(5)
    assert sorted(receiver.numbers()) == [made["cursor"] + number for number in (1, 2, 3, 4, 5)]


def test_keys_are_rotated_without_a_message_that_the_receiver_can_not_check(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    made = subscriber.subscribe(receiver.url)
    rotated = subscriber.post(made["subscription"]["id"], "rotate")
    assert rotated.status_code == 201
    new, old = rotated.json()["subscription"]["keys"]
    assert old["public_key"] == made["subscription"]["keys"][0]["public_key"]
    assert old["until"]
    assert new["public_key"] != old["public_key"]
    table.play(1)
    receiver.wait_for(1)
    got = receiver.got[0]
    assert verified(got, old["public_key"])
    assert verified(got, new["public_key"])
    assert Webhook(made["secret"]).verify(got.body, got.headers)
    assert Webhook(rotated.json()["secret"]).verify(got.body, got.headers)


def test_what_its_owner_changes_while_a_message_is_under_way_is_kept(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    made = subscriber.subscribe(receiver.url)["subscription"]

    def answering(_: Got) -> Reply:
        assert subscriber.post(made["id"], "rotate").status_code == 201
        return Reply()

    receiver.answering = answering
    table.play(2)
    shown = subscriber.until(made["id"], cursor=made["cursor"] + 2)
    assert len(receiver.got) == 2
    assert len(shown["keys"]) == 3
    assert shown["keys"][-1]["public_key"] == made["keys"][0]["public_key"]


def test_one_that_is_removed_while_a_message_is_under_way_gets_no_more(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    made = subscriber.subscribe(receiver.url)["subscription"]

    def answering(_: Got) -> Reply:
        assert client.delete(f"/v1/subscriptions/{made['id']}", headers=subscriber.headers).status_code == 204
        return Reply()

    receiver.answering = answering
    table.play(3)
    receiver.wait_for(1)
    receiver.answering = lambda _: Reply()
    later = subscriber.subscribe(receiver.url + "/later", after=0)["subscription"]
    subscriber.until(later["id"], cursor=table.version())
    assert len([got for got in receiver.got if got.path == "/hook"]) == 1


def test_the_endpoint_is_asked_first_and_must_agree(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    receiver.agrees = {"WebHook-Allowed-Origin": "somebody.else"}
    refused = client.post("/v1/subscriptions", json={"url": receiver.url}, headers=subscriber.headers)
    assert "`WebHook-Allowed-Origin`" in problem(refused, 422, "endpoint-refused")["detail"]
    assert receiver.asked[0]["webhook-request-origin"] == "omenlog"
    receiver.agrees = {"WebHook-Allowed-Origin": "omenlog"}
    subscriber.subscribe(receiver.url)
    nobody = client.post("/v1/subscriptions", json={"url": "http://127.0.0.1:9/"}, headers=subscriber.headers)
    problem(nobody, 422, "endpoint-refused")
    assert nobody.content == refused.content


def test_the_same_asked_again_is_the_same_subscription(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    asked = {"url": receiver.url, "types": ["TurnStarted"]}
    first, second = (client.post("/v1/subscriptions", json=asked, headers=subscriber.headers) for _ in range(2))
    assert second.json() == first.json()
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    other = client.post("/v1/subscriptions", json={"url": receiver.url}, headers=subscriber.headers)
    problem(other, 409, "subscription-exists")
    for number in range(4):
        subscriber.subscribe(f"{receiver.url}/{number}")
    more = client.post("/v1/subscriptions", json={"url": f"{receiver.url}/4"}, headers=subscriber.headers)
    problem(more, 409, "too-many-subscriptions")
    listed = client.get("/v1/subscriptions", headers=subscriber.headers).json()["subscriptions"]
    assert len(listed) == 5
    assert client.delete(f"/v1/subscriptions/{listed[0]['id']}", headers=subscriber.headers).status_code == 204
    problem(client.get(f"/v1/subscriptions/{listed[0]['id']}", headers=subscriber.headers), 403, "forbidden")


def test_another_token_learns_nothing_of_a_subscription(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    made = Subscriber(client, table.seats[0]).subscribe(receiver.url)["subscription"]["id"]
    for token in (table.seats[1], table.referee, table.host):
        other = Subscriber(client, token)
        answers = [
            (client.get(f"/v1/subscriptions/{name}", headers=other.headers), other.post(name, "rotate"))
            for name in (made, "a" * 20)
        ]
        assert [one.content for one in answers[0]] == [one.content for one in answers[1]]
        problem(answers[0][0], 403, "forbidden")
        assert client.get("/v1/subscriptions", headers=other.headers).json() == {"subscriptions": []}
        problem(client.delete(f"/v1/subscriptions/{made}", headers=other.headers), 403, "forbidden")
    problem(client.get("/v1/subscriptions"), 401, "unauthorized")


def test_a_subscription_follows_its_token_when_that_is_rotated_and_ends_with_it(
    client: httpx.Client, receiver: Receiver
) -> None:
    """Who sits down at a seat later never has their sight sent to whoever sat there before."""
    table = Table.open(client)
    made = Subscriber(client, table.seats[1]).subscribe(receiver.url)["subscription"]
    rotated = table.post("tokens/seat-1/rotate", table.seats[1]).json()["token"]["secret"]
    table.seats[1] = rotated
    table.play(1)
    receiver.wait_for(1)
    subscriber = Subscriber(client, rotated)
    assert subscriber.see(made["id"])["state"] == "active"

    invite = table.post("seats/1/replace", table.host).json()["invite"]["secret"]
    claimed = table.client.post(f"{table.path}/seats/1/claim", json={"invite": invite})
    table.seats[1] = claimed.json()["token"]["secret"]
    table.play(2)
    other = Subscriber(client, table.seats[0]).subscribe(receiver.url + "/later", after=0)["subscription"]
    Subscriber(client, table.seats[0]).until(other["id"], cursor=table.version())
    late = [got for got in receiver.got if got.path == "/hook"]
    assert len(late) == 1, "what the old token saw, and nothing since it ended"
    problem(client.get(f"/v1/subscriptions/{made['id']}", headers=bearer(table.seats[1])), 403, "forbidden")


def test_a_spectator_who_lags_behind_is_sent_what_it_may_see(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client, options={"spectator_delay": 3})
    Subscriber(client, table.spectator).subscribe(receiver.url, after=0)
    table.play(6)
    shown = client.get(table.path).json()["version"]
    receiver.wait_for(shown)
    time.sleep(0.3)
    assert receiver.numbers() == list(range(1, shown + 1))
    assert table.get("events?limit=1000", table.referee).json()["version"] == shown + 3
    table.post("close", table.host)
    receiver.wait_for(shown + 4)


def test_a_subscription_to_a_game_that_is_over_is_finished(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    made = subscriber.subscribe(receiver.url)["subscription"]
    table.post("close", table.host)
    receiver.wait_for(1)
    shown = subscriber.until(made["id"], state="finished")
    assert shown["cursor"] == table.version()
    subscriber.post(made["id"], "redeliver", {"commits": [1, 2]})
    receiver.wait_for(3)
    subscriber.until(made["id"], state="finished")


def test_private_addresses_are_refused_unless_a_setting_allows_them(tmp_path: Path, receiver: Receiver) -> None:
    with serving(settings(tmp_path / "log.db"), Machine()) as address, httpx.Client(base_url=address) as client:
        subscriber = Subscriber(client, Table.open(client).seats[0])
        told: list[tuple[bytes, int]] = []
        for url in (
            receiver.url,
            "https://127.0.0.1/",
            "https://localhost/",
            "https://[::ffff:10.0.0.1]/",
            "https://2130706433/",
            "https://169.254.169.254/latest",
            "https://no-such-name.invalid/",
            "https://user@example.com/",
            "http://example.com/",
            "no address",
        ):
            since = time.monotonic()
            answer = client.post("/v1/subscriptions", json={"url": url}, headers=subscriber.headers)
            problem(answer, 422, "endpoint-refused")
            told.append((answer.content, round(time.monotonic() - since)))
    assert receiver.asked == []
    assert len(set(told)) == 1, "nothing tells which of them lead where, not even the time that it takes"


def test_a_restart_goes_on_where_it_was(tmp_path: Path, receiver: Receiver) -> None:
    chosen = settings(tmp_path / "log.db", **{**SETTINGS, "webhook_retries": "0.05,60"})
    receiver.answering = lambda _: Reply(500)
    with serving(chosen, Machine()) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        token, first = table.seats[0], table.version() + 1
        made = Subscriber(client, token).subscribe(receiver.url)["subscription"]["id"]
        table.play(3)
        Subscriber(client, token).until(made, attempts=2)
    receiver.answering = lambda _: Reply()
    with serving(chosen, Machine()) as address, httpx.Client(base_url=address) as client:
        subscriber = Subscriber(client, token)
        assert subscriber.see(made)["attempts"] == 2
        subscriber.post(made, "redeliver", {})
        receiver.wait_for(3)
    assert receiver.numbers() == [first, first + 1, first + 2]


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    """A program, killed in the end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as found:
        try:
            yield found
        finally:
            found.kill()


def test_the_example_receives_what_is_played(client: httpx.Client) -> None:
    """`examples/webhook_receiver.py`: without a key it agrees and takes nothing, with the key it takes what comes, once and in order."""
    example = [sys.executable, str(Path(__file__).parents[3] / "examples" / "webhook_receiver.py")]
    table = Table.open(client)
    subscriber = Subscriber(client, table.seats[0])
    with running(*example, "0") as agreeing:
        assert agreeing.stdout is not None
        url = agreeing.stdout.readline().split()[-1]
        made = subscriber.subscribe(url, payload="full", types=["TurnStarted"])["subscription"]
    port = url.rstrip("/").rpartition(":")[2]
    key = ["--key", made["keys"][0]["public_key"]]
    with running(*example, port, *key) as listening:
        assert listening.stdout is not None
        assert "receiving at" in listening.stdout.readline()
        forged = {"webhook-id": "x", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1a,AAAA"}
        assert httpx.post(url, content=b"{}", headers=forged).status_code == 401
        before = table.version()
        table.play(20)
        events = table.get(f"events?limit=1000&after={before}", table.seats[0]).json()["events"]
        wanted = [
            [one["source"], str(one["data"]["number"]), *[event["type"] for event in one["data"]["events"]]]
            for one in events
            if "TurnStarted" in [event["type"] for event in one["data"]["events"]]
        ]
        subscriber.until(made["id"], cursor=table.version(), delivered=len(wanted))
        assert [listening.stdout.readline().split() for _ in wanted] == wanted
    assert wanted


def test_the_command_line_adds_lists_rotates_redelivers_and_removes(
    client: httpx.Client, address: str, receiver: Receiver
) -> None:
    table = Table.open(client)
    whose = ("--url", address, "--token", table.seats[0])
    receiver.answering = lambda _: Reply(410)
    added = omenlog("webhooks", "add", receiver.url, "--type", "TurnStarted", "--after", "0", *whose)
    assert added.exit_code == 0, added.output
    name = added.output.split()[0]
    assert f"{receiver.url}  (thin, only TurnStarted; game {table.id} as seat-0)" in added.output
    assert "whpk_" in added.output
    assert "whsec_" in added.output
    Subscriber(client, table.seats[0]).until(name, state="disabled")
    assert "disabled: the endpoint answered 410 Gone; done with commit" in omenlog("webhooks", "list", *whose).output
    receiver.answering = lambda _: Reply()
    assert "active; done with commit" in omenlog("webhooks", "redeliver", name, *whose).output
    receiver.wait_for(1)
    assert omenlog("webhooks", "rotate", name, *whose).output.count("whpk_") == 2
    assert "removed" in omenlog("webhooks", "remove", name, *whose).output
    assert omenlog("webhooks", "list", *whose).output == "no subscriptions\n"
    worded = omenlog("webhooks", "add", receiver.url, "--sentences", *whose)
    assert f"{receiver.url}  (sentences; game {table.id} as seat-0)" in worded.output
    refused = omenlog("webhooks", "add", "https://169.254.169.254/", *whose)
    assert refused.exit_code == 1
    assert "422 endpoint-refused" in refused.output


def test_of_several_processes_over_redis_one_sends_and_the_order_holds(
    redis_url: str, receiver: Receiver, tmp_path: Path
) -> None:
    """Moves go now to one process, now to the other; each of them would deliver."""
    chosen = settings(f"{redis_url}?prefix={tmp_path.name}", **SETTINGS)
    with (
        serving(chosen, Machine()) as first,
        serving(chosen, Machine()) as second,
        httpx.Client(base_url=first, timeout=20) as one,
        httpx.Client(base_url=second, timeout=20) as two,
    ):
        table = Table.open(one)
        made = Subscriber(two, table.seats[0]).subscribe(receiver.url, payload="full", after=0)["subscription"]
        for round_ in range(10):
            table.client = (one, two)[round_ % 2]
            table.play(1, seed=round_)
        version = table.version()
        shown = Subscriber(one, table.seats[0]).until(made["id"], cursor=version)
    assert [got.number for got in receiver.got] == list(range(1, version + 1))
    assert shown["delivered"] == version
