"""Talk and presence as a page meets them: over sockets and server-sent events, in one process and in two, and after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection

from tests.acceptance.driving import Table, bearer, serving, settings
from tests.acceptance.streams.test_events import LIVE, frames
from tests.acceptance.streams.test_socket import joined, rest, take
from tests.support.redis import wait_until

QUICK = {"heartbeat": 0.6}
"""Whoever leaves is gone in a fifth of a second."""


def say(table: Table, token: str, to: str, text: str, **headers: str) -> dict[str, Any]:
    answer = table.post("messages", token, {"to": to, "text": text}, **headers)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


@contextmanager
def followed(address: str, table: Table, token: str, after: int) -> Iterator[Iterator[dict[str, str]]]:
    """The server-sent events of a role that have data."""
    with (
        httpx.Client(base_url=address, timeout=20) as client,
        client.stream("GET", f"{table.path}/events?after={after}", headers={**bearer(token), **LIVE}) as answer,
    ):
        yield (frame for frame in frames(answer.iter_lines()) if "data" in frame)


def present(table: Table, token: str) -> tuple[list[str], int]:
    found = table.get("presence", token).json()
    return found["roles"], found["spectators"]


def test_a_message_comes_whole_over_both_kinds_of_stream_and_leaves_the_cursor_alone(
    address: str, table: Table
) -> None:
    version = table.version()
    with (
        joined(address, table, table.seats[1], f"?after={version}") as socket,
        followed(address, table, table.spectator, version) as stream,
    ):
        take(socket, "hello")
        sent = say(table, table.seats[0], "table", "Shall we?")
        (frame,) = take(socket, "message")
        assert frame == {"type": "message", "message": sent}
        told = next(one for one in stream if one["event"] == "message")
        assert (json.loads(told["data"]), "id" in told) == ({"message": sent}, False)
        assert (
            table.client.delete(f"{table.path}/messages/{sent['id']}", headers=bearer(table.seats[0])).status_code
            == 204
        )
        gone = {**sent, "text": None, "salt": ""}
        assert take(socket, "message") == [{"type": "message", "message": gone}]
        assert json.loads(next(stream)["data"]) == {"message": gone}
        table.play(1)
        assert next(stream)["id"] == str(version + 1)
    assert table.get("messages", table.seats[2]).json()["messages"] == [gone]
    with followed(address, table, table.spectator, version) as stream:
        assert next(stream)["id"] == str(version + 1), "messages are not told again"


def test_before_the_start_and_after_the_end_everybody_talks(address: str, client: httpx.Client) -> None:
    table = Table.open(client, start=False)
    with joined(address, table, table.spectator) as socket:
        sent = [say(table, table.seats[0], "table", "Hello.")]
        assert [one["message"] for one in take(socket, "message")] == sent
        assert table.post("close", table.host).status_code == 201
        assert rest(socket)[0][-1]["reason"] == "game-over"
    sent.append(say(table, table.referee, "table", "Another time."))
    for token in (*table.seats, table.referee, table.spectator, table.host):
        assert table.get("messages", token).json()["messages"] == sent
    for token in (table.spectator, table.host):
        refused = table.post("messages", token, {"to": "table", "text": "Hello?"})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


def test_a_token_that_is_rotated_hears_nothing_more_and_its_successor_does(address: str, table: Table) -> None:
    version = table.version()
    with joined(address, table, table.seats[0], f"?after={version}") as socket:
        take(socket, "presence")
        rotated = table.post("tokens/seat-0/rotate", table.seats[0]).json()
        say(table, table.seats[1], "table", "Who is there?")
        told, code, _ = rest(socket)
    assert ([one for one in told if one["type"] == "message"], code) == ([], 4401)
    with joined(address, table, rotated["token"]["secret"], f"?after={version}") as socket:
        take(socket, "presence")
        sent = say(table, table.seats[1], "table", "And now?")
        assert [one["message"] for one in take(socket, "message")] == [sent]


def test_talk_is_limited_like_any_request(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", token_rate=1, token_burst=5)
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        answers = [table.post("messages", table.seats[0], {"to": "table", "text": "Spam"}) for _ in range(10)]
        limited = [one for one in answers if one.status_code == 429]
        assert limited
        assert {one.status_code for one in answers} == {201, 429}
        assert limited[0].headers["retry-after"]
        say(table, table.seats[1], "table", "Others may still speak.")


def test_after_a_restart_the_talk_is_there_and_goes_on(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", **QUICK)
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        sent = [say(table, table.seats[0], "table", text, Idempotency_Key=text) for text in ("One.", "Two.")]
        with joined(address, table, table.seats[1]) as socket:
            take(socket, "presence")
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        table = Table(client, table.opened)
        assert table.get("messages", table.spectator).json()["messages"] == sent
        assert present(table, table.host) == ([], 0)
        with joined(address, table, table.seats[1], f"?after={table.version()}") as socket:
            take(socket, "presence")
            assert say(table, table.seats[0], "table", "Two.", Idempotency_Key="Two.") == sent[1]
            sent.append(say(table, table.seats[0], "table", "Three."))
            assert [one["message"] for one in take(socket, "message")] == sent[2:]
    assert [one["id"].partition("-")[2] for one in sent] == ["1", "2", "3"]


def until(socket: ClientConnection, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first news of who is there that fits."""
    while True:
        (found,) = take(socket, "presence")
        if fits(found):
            return found


def test_who_comes_and_goes_is_told_by_role_and_a_reload_is_neither(tmp_path: Path) -> None:
    with serving(settings(tmp_path / "log.db", **QUICK)) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        assert present(table, table.seats[0]) == ([], 0)
        with ExitStack() as stack:
            watching = stack.enter_context(joined(address, table, table.referee))
            assert take(watching, "presence") == [{"type": "presence", "roles": ["referee"], "spectators": 0}]
            for token in (table.seats[2], table.seats[2], table.spectator, table.host):
                stack.enter_context(joined(address, table, token))
            everybody = ["seat:2", "referee", "host"]
            until(watching, lambda told: (told["roles"], told["spectators"]) == (everybody, 1))
            assert present(table, table.seats[0]) == (everybody, 1)
            for _ in range(3):
                with joined(address, table, table.seats[0]) as other:
                    until(other, lambda told: "seat:0" in told["roles"])
            until(watching, lambda told: "seat:0" in told["roles"])
            gone = until(watching, lambda told: "seat:0" not in told["roles"])
            assert gone["roles"] == everybody
        wait_until(lambda: present(table, table.seats[0]) == ([], 0), "all are gone")
        refused = client.get(f"{table.path}/presence")
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")


def test_two_processes_on_one_store_tell_each_others_talk_and_presence(addresses: list[str]) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(base_url=one, timeout=20)) for one in addresses]
        table = Table.open(clients[0])
        there = Table(clients[1], table.opened)
        here = stack.enter_context(joined(addresses[0], table, table.seats[0], f"?after={table.version()}"))
        assert take(here, "presence")[0]["roles"] == ["seat:0"]
        with joined(addresses[1], there, there.seats[1], f"?after={there.version()}") as other:
            until(other, lambda told: told["roles"] == ["seat:0", "seat:1"])
            until(here, lambda told: told["roles"] == ["seat:0", "seat:1"])
            sent = say(table, table.seats[0], "table", "Over there!")
            assert [one["message"] for one in take(other, "message")] == [sent]
            assert take(here, "message")[0]["message"] == sent
            deleted = there.client.delete(f"{there.path}/messages/{sent['id']}", headers=bearer(there.referee))
            assert deleted.status_code == 204
            assert take(here, "message")[0]["message"]["text"] is None
        until(here, lambda told: told["roles"] == ["seat:0"])
        assert present(there, there.seats[2]) == (["seat:0"], 0)
