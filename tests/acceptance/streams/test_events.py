"""A game's events: pages, NDJSON and live streams, all of them the same to a role, and resumed after any break."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.outside import Machine
from tests.acceptance.driving import Table, bearer, problem, serving, settings, version_of

LIVE = {"Accept": "text/event-stream"}


def frames(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    """Server-sent events, comments among them, as they come."""
    frame: dict[str, str] = {}
    for line in lines:
        if not line:
            yield frame
            frame = {}
        else:
            name, _, value = line.partition(":")
            frame[name or "comment"] = value.removeprefix(" ")


def commits(stream: Iterator[dict[str, str]], count: int) -> list[dict[str, str]]:
    """The next commits of a stream."""
    found: list[dict[str, str]] = []
    while len(found) < count:
        frame = next(stream)
        if "data" in frame and frame["event"] != "presence":
            found.append(frame)
    return found


def pages(table: Table, token: str, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        page = table.get(f"events?after={after}&limit={limit}", token).json()
        found += page["events"]
        after = page["next"]
        if after == page["version"]:
            return found


def test_pages_ndjson_and_the_stream_tell_a_role_the_same(table: Table) -> None:
    table.play(15)
    table.post("close", table.host)
    for token in (table.seats[0], table.spectator, table.referee):
        paged = pages(table, token, limit=4)
        lines = table.get("events", token, Accept="application/x-ndjson").text.splitlines()
        assert [json.loads(line) for line in lines] == paged
        streamed = [
            frame for frame in frames(iter(table.get("events", token, **LIVE).text.splitlines())) if "data" in frame
        ]
        end = streamed.pop()
        version = table.version()
        assert (end["event"], end["id"]) == ("end", str(version))
        assert json.loads(end["data"]) == {"reason": "game-over", "cursor": version}
        assert [json.loads(frame["data"]) for frame in streamed] == paged
        assert [frame["id"] for frame in streamed] == [one["id"] for one in paged]
        assert {frame["event"] for frame in streamed} == {"commit"}
        assert [int(one["id"]) for one in paged] == list(range(1, table.version() + 1))


def test_each_form_tells_the_events_in_the_sentences_of_the_roles_own_trace(table: Table) -> None:
    table.play(15)
    table.post("close", table.host)
    for token in (table.seats[0], table.spectator, table.referee):
        plain, steps = pages(table, token, limit=100), table.get("trace?limit=100", token).json()["steps"]
        lines = table.get("events?sentences=true", token, Accept="application/x-ndjson").text.splitlines()
        told = [json.loads(line) for line in lines]
        assert [one["data"]["sentences"] for one in told] == [
            [each["words"] for each in one["happened"]] for one in steps
        ]
        assert table.get("events?sentences=true&after=4&limit=3", token).json()["events"] == told[4:7]
        streamed = frames(iter(table.get("events?sentences=true&after=4", token, **LIVE).text.splitlines()))
        assert [json.loads(one["data"]) for one in streamed if one.get("event") == "commit"] == told[4:]
        for one in told:
            del one["data"]["sentences"]
        assert told == plain


def test_the_data_of_a_commit_says_who_placed_a_tile_and_how_the_game_ended(table: Table) -> None:
    answers = [table.command(token, command).json() for token, command in walked(table, 25)]
    closed = table.post("close", table.host).json()
    for token in (table.seats[0], table.spectator, table.referee):
        told = [one["data"] for one in pages(table, token, limit=7)]
        for data in told:
            tiles = [event for event in data["events"] if event["type"] == "TilePlaced"]
            laid = [{name: event[name] for name in ("tile", "floor", "x", "y")} for event in tiles]
            assert [{**one, "by": None} for one in laid] == [{**one, "by": None} for one in data.get("placed", [])]
        by = {f"seat:{one['by']}" for data in told for one in data.get("placed", [])}
        assert by
        assert by <= {"seat:0", "seat:1", "seat:2"}
        assert told[-1]["ended"] == table.get("view", token).json()["ending"]
        assert all("ended" not in data for data in told[:-1])
    spectated = pages(table, table.host, limit=100)
    assert closed["commit"] == spectated[-1]
    refereed = {one["id"]: one["data"].get("placed") for one in spectated}
    assert any(answer["commit"]["data"].get("placed") for answer in answers)
    assert all(refereed[one["commit"]["id"]] == one["commit"]["data"].get("placed") for one in answers)


def walked(table: Table, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Whoever is awaited, and what it does: go on into the house where it can."""
    for _ in range(count):
        token = table.awaited()
        listed = table.listed(token)
        yield token, next((one for one in listed if one["type"] == "explore"), listed[0])


def test_a_referee_is_told_what_a_role_is_told_in_every_form(table: Table) -> None:
    table.play(15)
    for role in ("seat:1", "spectator"):
        problem(table.get(f"events?as={role}", table.seats[0]), 403, "forbidden")
    table.post("close", table.host)
    for role, token in (("seat:1", table.seats[1]), ("spectator", table.spectator)):
        for kind in ("application/json", "application/x-ndjson", "text/event-stream"):
            seen, own = (
                table.get(f"events?after=2{as_}", who, Accept=kind)
                for as_, who in ((f"&as={role}", table.referee), ("", token))
            )
            assert (seen.status_code, seen.content) == (200, own.content)


def test_a_referee_follows_live_as_a_role(address: str, table: Table) -> None:
    headers = {**bearer(table.referee), **LIVE}
    with (
        httpx.Client(base_url=address, timeout=20) as follower,
        follower.stream("GET", f"{table.path}/events?after=5&as=seat:2", headers=headers) as answer,
    ):
        stream = frames(answer.iter_lines())
        table.play(6)
        told = [json.loads(one["data"]) for one in commits(stream, 6)]
    assert told == table.get("events?after=5", table.seats[2]).json()["events"]
    assert told != table.get("events?after=5", table.referee).json()["events"]


def test_a_commit_of_which_a_role_was_told_nothing_goes_out_too(table: Table) -> None:
    """Positions are the same for all: that a commit exists is public."""
    table.play(30)
    numbers = {token: [one["id"] for one in pages(table, token, 50)] for token in (*table.seats, table.spectator)}
    assert len(set(map(tuple, numbers.values()))) == 1


def test_a_stream_brings_commits_as_they_happen(address: str, table: Table) -> None:
    with (
        httpx.Client(base_url=address, timeout=20) as follower,
        follower.stream("GET", f"{table.path}/events?after=5", headers={**bearer(table.spectator), **LIVE}) as answer,
    ):
        assert answer.headers["content-type"] == "text/event-stream"
        stream = frames(answer.iter_lines())
        assert next(stream) == {"retry": "2000"}
        for number in (6, 7, 8):
            table.play(1, seed=number)
            (frame,) = commits(stream, 1)
            assert frame["id"] == str(number)


def test_a_stream_broken_off_is_resumed_without_loss_or_repeats(address: str, table: Table) -> None:
    seen: list[str] = []
    last = "0"
    for turn in range(4):
        table.play(5, seed=turn)
        headers = {**bearer(table.seats[1]), **LIVE, "Last-Event-ID": last}
        with (
            httpx.Client(base_url=address, timeout=20) as follower,
            # `after` loses against the header, as a browser that connects again repeats its first address.
            follower.stream("GET", f"{table.path}/events?after=2", headers=headers) as answer,
        ):
            for frame in commits(frames(answer.iter_lines()), table.version() - int(last) - 2):
                seen.append(frame["id"])
                last = frame["id"]
    assert seen == [str(number) for number in range(1, len(seen) + 1)]


def test_a_stream_ends_with_the_game_and_then_there_is_nothing_left(address: str, table: Table) -> None:
    ended = threading.Event()
    found: list[str] = []

    def follow() -> None:
        with httpx.stream(
            "GET", f"{address}{table.path}/events", headers={**bearer(table.seats[0]), **LIVE}, timeout=20
        ) as answer:
            found.extend(frame["id"] for frame in frames(answer.iter_lines()) if frame.get("event") == "commit")
        ended.set()

    follower = threading.Thread(target=follow)
    follower.start()
    table.play(3)
    table.post("close", table.host)
    assert ended.wait(20), "the stream did not end"
    follower.join()
    assert found == [str(number) for number in range(1, table.version() + 1)]
    last = {"Last-Event-ID": str(table.version())}
    again = table.get("events", table.seats[0], **LIVE, **last)
    assert (again.status_code, again.content) == (204, b"")
    assert table.get("events", table.seats[0], **LIVE, **{"Last-Event-ID": "3"}).status_code == 200


def test_a_quiet_stream_has_heartbeats_and_a_token_that_ends_ends_it(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", heartbeat=0.1, streams_per_token=1)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        headers = {**bearer(table.seats[0]), **LIVE}
        with httpx.stream("GET", f"{address}{table.path}/events?after=5", headers=headers, timeout=20) as answer:
            stream = frames(answer.iter_lines())
            next(stream)
            assert next(stream)["event"] == "presence"
            assert next(stream) == {"comment": ""}
            too_many = table.get("events?after=5", table.seats[0], **LIVE)
            assert "retry-after" in too_many.headers
            problem(too_many, 429, "too-many-streams")
            assert table.post("tokens/seat-0/rotate", table.seats[0]).status_code == 201
            rest = list(stream)
            assert [frame["data"] for frame in rest if "data" in frame] == ['{"reason":"token-ended","cursor":5}']


def test_the_place_of_a_stream_that_was_left_is_free_again(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", heartbeat=0.1, streams_per_token=1)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        for _ in range(3):
            statuses: list[int] = []
            while 200 not in statuses:
                with httpx.stream(
                    "GET", f"{address}{table.path}/events", headers={**bearer(table.seats[0]), **LIVE}, timeout=20
                ) as answer:
                    statuses.append(answer.status_code)
                    if answer.status_code == 200:
                        assert len(commits(frames(answer.iter_lines()), 2)) == 2
            assert set(statuses) <= {200, 429}


@pytest.mark.parametrize(
    "cursor, status, code",
    [("x", 400, "invalid-cursor"), ("-3", 400, "invalid-cursor"), ("7.5", 400, "invalid-cursor"),
     ("99999999999999", 400, "invalid-cursor"), ("eyJhIjoxfQ", 400, "invalid-cursor"), ("99", 409, "ahead-of-log")],
)  # fmt: skip
def test_a_cursor_that_the_log_cannot_honor_is_named(table: Table, cursor: str, status: int, code: str) -> None:
    found = problem(table.get("events", table.host, **LIVE, **{"Last-Event-ID": cursor}), status, code)
    if code == "ahead-of-log":
        assert found["current_version"] == table.version()
        problem(table.get(f"events?after={cursor}", table.host), status, code)
        problem(table.get(f"events?after={cursor}", table.host, Accept="application/x-ndjson"), status, code)


def test_the_server_stops_with_streams_open(tmp_path: Path) -> None:
    """`serving` fails the test if the server is not gone within its patience."""
    with serving(settings(tmp_path / "log.db", heartbeat=60)) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        follower = httpx.Client(base_url=address, timeout=20)
        request = follower.build_request("GET", f"{table.path}/events", headers={**bearer(table.spectator), **LIVE})
        answer = follower.send(request, stream=True)
        stream = frames(answer.iter_lines())
        commits(stream, 5)
    assert list(stream)[-1]["data"] == '{"reason":"stopping","cursor":5}', "it is told before the server goes"
    answer.close()
    follower.close()


# -- spectators who lag behind ------------------------------------------------------------------------------------------


def test_a_delayed_spectator_lags_behind_in_everything_until_the_end(client: httpx.Client) -> None:
    table = Table.open(client, options={"spectator_delay": 6})
    table.play(20)
    version = version_of(table.get("view", table.seats[0]))
    late = version - 6
    for token in (table.spectator, table.host):
        assert table.get("view", token).json()["version"] == late
        assert version_of(table.get("view", token)) == late
        assert table.get("decisions", token).json()["version"] == late
        assert table.get("events", token).json()["version"] == late
        assert len(table.get("export", token).text.splitlines()) == late + 1
        problem(table.get(f"view?at={late + 1}", token), 409, "ahead-of-log")
        problem(table.get(f"events?after={late + 1}", token), 409, "ahead-of-log")
    assert client.get(table.path).json()["version"] == late
    assert table.get("view", table.spectator).json() == table.get(f"view?at={late}&as=spectator", table.referee).json()
    for what in ("view", "decisions", "events"):
        assert table.get(f"{what}?as=spectator", table.referee).content == table.get(what, table.spectator).content
    assert table.get("view", table.seats[0]).json()["version"] == version
    table.post("close", table.host)
    assert table.get("view", table.spectator).json()["version"] == version + 1


def test_a_spectator_who_lags_behind_by_time_hears_it_live_a_second_later(tmp_path: Path) -> None:
    with (
        serving(settings(tmp_path / "log.db", heartbeat=30), Machine()) as address,
        httpx.Client(base_url=address, timeout=20) as client,
    ):
        table = Table.open(client, options={"spectator_delay_seconds": 1})
        headers = {**bearer(table.spectator), **LIVE}
        with httpx.stream("GET", f"{address}{table.path}/events?after=5", headers=headers, timeout=20) as answer:
            stream = frames(answer.iter_lines())
            next(stream)
            began = time.monotonic()
            table.play(1)
            assert table.get("view", table.spectator).json()["version"] == 5
            (frame,) = commits(stream, 1)
            assert (frame["id"], time.monotonic() - began > 0.95) == ("6", True)
