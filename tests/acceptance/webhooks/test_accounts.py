"""Webhooks over all games of an account, as an integrator meets them: over HTTP, with a real receiver."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks.webhooks import Webhook

from service.outside import Machine
from tests.acceptance.driving import Table, bearer, problem, serving, settings
from tests.acceptance.streams.test_accounts import Account
from tests.acceptance.webhooks.test_webhooks import SETTINGS as OF_TOKENS
from tests.acceptance.webhooks.test_webhooks import Subscriber
from tests.cli.invoking import omenlog
from tests.laws.hooked import by_recipient, check_line
from tests.support.receiving import Receiver, Reply, receiving, verified
from tests.support.redis import wait_until
from tests.support.shared_stores import empty_store

SETTINGS = {**OF_TOKENS, "webhook_timeout": 30.0}
"""Patience: what a slow machine takes for a failure comes again, and several of these tests count."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    chosen = settings(tmp_path_factory.mktemp("account-webhooks") / "log.db", **SETTINGS)
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


class Integrator(Subscriber):
    """An account and what it asks for."""

    def __init__(self, client: httpx.Client) -> None:
        self.account = Account(client)
        super().__init__(client, self.account.key)

    def part(self, name: str, table: Table, recipient: str) -> dict[str, Any]:
        """How far a subscription is with one token."""
        (found,) = [one for one in self.see(name)["parts"] if (one["game"], one["recipient"]) == (table.id, recipient)]
        return dict(found)

    def until_part(self, name: str, table: Table, recipient: str, **expected: object) -> dict[str, Any]:
        """Wait until a part is shown so."""
        found: dict[str, Any] = {}

        def shown() -> bool:
            found.update(self.part(name, table, recipient))
            return all(found.get(key, "") == value for key, value in expected.items())

        wait_until(shown, f"{expected}, and not {found}")
        return found


def key_of(made: dict[str, Any]) -> str:
    found: str = made["subscription"]["keys"][0]["public_key"]
    return found


def stream(table: Table, token: str) -> list[dict[str, Any]]:
    """What a token's own stream tells."""
    events: list[dict[str, Any]] = table.get("events?limit=1000", token).json()["events"]
    return events


def test_each_token_of_each_game_is_told_what_its_own_stream_tells_now_and_later(
    client: httpx.Client, receiver: Receiver
) -> None:
    """Two games, in one of them two tokens with different sight; one game comes when the subscription is there already."""
    first, later = Table.open(client), Table.open(client)
    integrator = Integrator(client)
    integrator.account.bind(first, "seat-0", first.seats[0])
    integrator.account.bind(first, "referee", first.referee)
    made = integrator.subscribe(receiver.url, payload="full", cursor="")
    assert made["subscription"]["account"] == integrator.account.id
    first.play(12)
    later.play(3)
    integrator.account.bind(later, "seat-2", later.seats[2])
    later.play(12)
    lines = {
        (first.path, "seat-0"): stream(first, first.seats[0]),
        (first.path, "referee"): stream(first, first.referee),
        (later.path, "seat-2"): stream(later, later.seats[2]),
    }
    receiver.wait_for(sum(len(events) for events in lines.values()))

    came = by_recipient(receiver.taken)
    assert came.keys() == lines.keys()
    for line, events in lines.items():
        check_line(came[line], events, key_of(made), full=True)
    assert came[first.path, "seat-0"][-1].body != came[first.path, "referee"][-1].body
    assert Webhook(made["secret"]).verify(receiver.got[0].body, receiver.got[0].headers) == receiver.got[0].json
    assert len({got.id for got in receiver.got}) == len(receiver.got), "and nothing came twice"


def test_a_token_that_is_revoked_or_unbound_is_told_no_more_and_goes_on_when_it_is_bound_again(
    client: httpx.Client, receiver: Receiver
) -> None:
    table, other = Table.open(client), Table.open(client)
    integrator = Integrator(client)
    for number in (0, 1):
        integrator.account.bind(table, f"seat-{number}", table.seats[number])
    integrator.account.bind(other, "seat-0", other.seats[0])
    made = integrator.subscribe(receiver.url)["subscription"]
    start = table.version()

    unbound = client.delete(f"{table.path}/tokens/seat-0/account", headers=bearer(table.seats[0]))
    assert unbound.status_code == 204
    assert table.post("seats/1/replace", table.host).status_code == 201
    other.play(3)
    seen = Subscriber(client, table.referee).subscribe(receiver.url + "/referee", after=start)["subscription"]
    told = table.version()
    Subscriber(client, table.referee).until(seen["id"], cursor=told)
    integrator.until_part(made["id"], other, "seat-0", cursor=other.version())
    assert {got.json["source"] for got in receiver.taken if got.path == "/hook"} == {other.path}

    integrator.account.bind(table, "seat-0", table.seats[0])
    integrator.until_part(made["id"], table, "seat-0", cursor=told)
    came = by_recipient([got for got in receiver.taken if got.path == "/hook"])
    assert [got.number for got in came[table.path, "seat-0"]] == list(range(start + 1, told + 1))
    assert (table.path, "seat-1") not in came, "whoever takes the seat is nobody's but their own"


def test_a_game_whose_messages_are_refused_holds_up_no_other_and_is_redelivered_by_itself(
    client: httpx.Client, receiver: Receiver
) -> None:
    poisoned, sound = Table.open(client), Table.open(client)
    integrator = Integrator(client)
    for table in (poisoned, sound):
        integrator.account.bind(table, "seat-0", table.seats[0])
    name = integrator.subscribe(receiver.url)["subscription"]["id"]
    receiver.answering = lambda got: Reply(500 if got.json["source"] == poisoned.path else 204)
    before = poisoned.version()
    poisoned.play(4)
    sound.play(4)
    integrator.until_part(name, sound, "seat-0", cursor=sound.version(), state="active")
    refused = integrator.until_part(name, poisoned, "seat-0", state="disabled")
    assert [letter["commit"] for letter in refused["letters"]] == [before + 1, before + 2, before + 3]
    assert integrator.see(name)["state"] == "active"

    receiver.answering = lambda _: Reply()
    reached = len(receiver.taken)
    problem(integrator.post(name, "redeliver", {"commits": [1]}), 422, "unfit-subscription")
    problem(integrator.post(name, "redeliver", {"game": "a" * 20}), 422, "unfit-subscription")
    problem(integrator.post(name, "redeliver", {"game": sound.id, "commits": [99]}), 409, "ahead-of-log")
    assert integrator.post(name, "redeliver", {"game": poisoned.id}).status_code == 202
    receiver.wait_for(reached + 4)
    assert sorted(got.number for got in receiver.taken[reached:]) == [before + number for number in (1, 2, 3, 4)]
    assert {got.json["source"] for got in receiver.taken[reached:]} == {poisoned.path}


def test_an_endpoint_that_is_gone_is_sent_nothing_more_of_any_game_until_it_agrees_again(
    client: httpx.Client, receiver: Receiver
) -> None:
    one, two = Table.open(client), Table.open(client)
    integrator = Integrator(client)
    for table in (one, two):
        integrator.account.bind(table, "seat-0", table.seats[0])
    made = integrator.subscribe(receiver.url)["subscription"]
    receiver.answering = lambda _: Reply(410)
    one.play(1)
    shown = integrator.until(made["id"], state="disabled")
    assert shown["reason"] == "the endpoint answered 410 Gone"
    got = len(receiver.got)
    two.play(2)
    seen = Subscriber(client, two.referee).subscribe(receiver.url + "/referee", after=two.version() - 2)["subscription"]
    receiver.answering = lambda _: Reply()
    Subscriber(client, two.referee).until(seen["id"], cursor=two.version())
    assert len([each for each in receiver.got if each.path == "/hook"]) == got
    assert integrator.post(made["id"], "redeliver", {}).json()["state"] == "active"
    receiver.wait_for(5)
    assert sorted((got.json["source"], got.number) for got in receiver.taken if got.path == "/hook") == sorted(
        [(one.path, one.version()), (two.path, two.version() - 1), (two.path, two.version())]
    )


def test_filters_by_game_and_type_hold_for_games_that_come_later(client: httpx.Client, receiver: Receiver) -> None:
    wanted, other = Table.open(client), Table.open(client)
    integrator = Integrator(client)
    made = integrator.subscribe(receiver.url, types=["TurnStarted"], games=[wanted.id], cursor="")["subscription"]
    for table in (wanted, other):
        integrator.account.bind(table, "spectator-1", table.spectator)
        table.play(15)
    turns = [
        event["data"]["number"]
        for event in stream(wanted, wanted.spectator)
        if "TurnStarted" in [one["type"] for one in event["data"]["events"]]
    ]
    part = integrator.until_part(made["id"], wanted, "spectator-1", cursor=wanted.version())
    assert receiver.numbers() == turns
    assert part["delivered"] == len(turns) > 1
    assert [one["game"] for one in integrator.see(made["id"])["parts"]] == [wanted.id]


def test_it_begins_behind_a_cursor_of_the_account_s_stream(client: httpx.Client, receiver: Receiver) -> None:
    one, two = Table.open(client), Table.open(client)
    integrator = Integrator(client)
    for table in (one, two):
        integrator.account.bind(table, "seat-0", table.seats[0])
    page = client.get("/v1/account/events?limit=3", headers=integrator.headers).json()
    read = {(event["source"], event["data"]["number"]) for event in page["events"]}
    integrator.subscribe(receiver.url, cursor=page["next"])
    wanted = {(table.path, number) for table in (one, two) for number in range(1, table.version() + 1)} - read
    receiver.wait_for(len(wanted))
    assert {(got.json["source"], got.number) for got in receiver.taken} == wanted
    assert len(receiver.taken) == len(wanted)
    refused = client.post(
        "/v1/subscriptions", json={"url": receiver.url + "/x", "cursor": "AAAA"}, headers=integrator.headers
    )
    problem(refused, 400, "invalid-cursor")


def test_what_is_not_an_account_s_or_not_a_token_s_is_refused(client: httpx.Client, receiver: Receiver) -> None:
    table = Table.open(client)
    integrator, stranger = Integrator(client), Integrator(client)
    holder = Subscriber(client, table.seats[0])
    for owner, asked in (
        (integrator, {"after": 0}),
        (holder, {"cursor": ""}),
        (holder, {"games": [table.id]}),
        (integrator, {"types": ["Nothing"]}),
    ):
        answer = client.post("/v1/subscriptions", json={"url": receiver.url, **asked}, headers=owner.headers)
        problem(answer, 422, "unfit-subscription")
    unknown = {"url": receiver.url, "games": ["no game"]}
    problem(client.post("/v1/subscriptions", json=unknown, headers=integrator.headers), 400, "invalid-body")
    assert receiver.asked == []
    integrator.account.bind(table, "seat-0", table.seats[0])
    made = integrator.subscribe(receiver.url)["subscription"]["id"]
    for other in (stranger, holder):
        problem(client.get(f"/v1/subscriptions/{made}", headers=other.headers), 403, "forbidden")
        problem(other.post(made, "redeliver", {}), 403, "forbidden")
        problem(other.post(made, "rotate"), 403, "forbidden")
        problem(client.delete(f"/v1/subscriptions/{made}", headers=other.headers), 403, "forbidden")
        assert client.get("/v1/subscriptions", headers=other.headers).json() == {"subscriptions": []}
    mine = holder.subscribe(receiver.url)["subscription"]["id"]
    problem(client.get(f"/v1/subscriptions/{mine}", headers=integrator.headers), 403, "forbidden")
    problem(client.get("/v1/subscriptions", headers=bearer("nobody-knows-this")), 401, "unauthorized")


def test_asked_again_it_is_the_same_and_removed_it_is_gone_with_all_its_parts(
    client: httpx.Client, receiver: Receiver
) -> None:
    table = Table.open(client)
    integrator = Integrator(client)
    integrator.account.bind(table, "seat-0", table.seats[0])
    asked = {"url": receiver.url, "types": ["TurnStarted"], "games": [table.id]}
    first, second = (client.post("/v1/subscriptions", json=asked, headers=integrator.headers) for _ in range(2))
    assert second.json() == first.json()
    assert second.headers["Idempotent-Replayed"] == "true"
    changes: list[dict[str, object]] = [{"payload": "full"}, {"types": []}, {"games": []}]
    for changed in changes:
        other = client.post("/v1/subscriptions", json={**asked, **changed}, headers=integrator.headers)
        problem(other, 409, "subscription-exists")
    made = first.json()["subscription"]["id"]
    rotated = integrator.post(made, "rotate").json()
    new, old = rotated["subscription"]["keys"]
    assert old["until"]
    table.play(15)
    integrator.until_part(made, table, "seat-0", cursor=table.version())
    assert all(verified(receiver.got[0], key["public_key"]) for key in (new, old))
    assert client.delete(f"/v1/subscriptions/{made}", headers=integrator.headers).status_code == 204
    problem(client.get(f"/v1/subscriptions/{made}", headers=integrator.headers), 403, "forbidden")
    again = integrator.subscribe(receiver.url, cursor="")["subscription"]
    assert again["id"] == made
    reached = len(receiver.taken)
    receiver.wait_for(reached + table.version())
    assert [got.number for got in receiver.taken[reached:]] == list(range(1, table.version() + 1))


def test_the_command_line_takes_an_account_s_key(client: httpx.Client, address: str, receiver: Receiver) -> None:
    table = Table.open(client)
    integrator = Integrator(client)
    integrator.account.bind(table, "seat-0", table.seats[0])
    whose = ("--url", address, "--token", integrator.account.key)
    added = omenlog("webhooks", "add", receiver.url, "--game", table.id, *whose)
    assert added.exit_code == 0, added.output
    name = added.output.split()[0]
    assert f"all games of account {integrator.account.id}, only {table.id}" in added.output
    assert f"game {table.id} as seat-0: active; done with commit {table.version()}, 0 delivered" in added.output
    table.play(2)
    integrator.until_part(name, table, "seat-0", cursor=table.version())
    again = omenlog("webhooks", "redeliver", name, "--game", table.id, "--commit", "1", *whose)
    assert again.exit_code == 0, again.output
    receiver.wait_for(3)
    assert receiver.numbers()[-1] == 1
    assert "removed" in omenlog("webhooks", "remove", name, *whose).output


@pytest.mark.parametrize("store", ["memory", "redis", pytest.param("cluster", marks=pytest.mark.prove)])
def test_every_store_carries_it(store: str, request: pytest.FixtureRequest, tmp_path: Path, receiver: Receiver) -> None:
    chosen = settings(empty_store(store, request, tmp_path), **SETTINGS)
    with serving(chosen, Machine()) as one, httpx.Client(base_url=one, timeout=20) as client:
        integrator = Integrator(client)
        made = integrator.subscribe(receiver.url, payload="full", cursor="")
        table = Table.open(client)
        integrator.account.bind(table, "referee", table.referee)
        table.play(3)
        receiver.wait_for(table.version())
        check_line(receiver.taken, stream(table, table.referee), key_of(made), full=True)
