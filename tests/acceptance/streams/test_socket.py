"""A game over one WebSocket: the events of the live stream, commands in, and every end with its reason."""

from __future__ import annotations

import json
import random
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.types import Message, Scope, Send
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from openapi.writer.outside import Fixed
from service.http.live import Outlet
from service.observability import Json
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.bench.load import upgrade
from tests.support.redis import wait_until

Frame = dict[str, Any]
KEPT_ALIVE = 5
"""Seconds after which a connection is closed on which nothing more is asked."""


def url(address: str, table: Table, query: str = "") -> str:
    return f"{address.replace('http', 'ws')}{table.path}/socket{query}"


@contextmanager
def joined(address: str, table: Table, token: str, query: str = "") -> Iterator[ClientConnection]:
    with connect(url(address, table, query), additional_headers=bearer(token), open_timeout=20) as found:
        yield found


def take(connection: ClientConnection, kind: str, count: int = 1) -> list[Frame]:
    """The next frames of one kind; heartbeats and others in between are passed over."""
    found: list[Frame] = []
    while len(found) < count:
        frame = json.loads(connection.recv(timeout=20))
        if frame["type"] == kind:
            found.append(frame)
    return found


def rest(connection: ClientConnection) -> tuple[list[Frame], int, str]:
    """All frames until the connection is closed, the close code and its reason."""
    found: list[Frame] = []
    with pytest.raises(ConnectionClosed) as closed:
        read_on(connection, found)
    assert closed.value.rcvd is not None
    return found, closed.value.rcvd.code, closed.value.rcvd.reason


def read_on(connection: ClientConnection, found: list[Frame]) -> None:
    while True:
        found.append(json.loads(connection.recv(timeout=20)))


def refusal(address: str, table: Table, query: str = "", **headers: str) -> tuple[int, Frame, Any]:
    with pytest.raises(InvalidStatus) as refused, connect(url(address, table, query), additional_headers=headers):
        pass
    answer = refused.value.response
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, json.loads(bytes(answer.body or b"")), answer.headers


def test_a_socket_tells_every_role_the_same_as_its_pages(address: str, table: Table) -> None:
    table.play(12)
    for token in (table.seats[0], table.spectator, table.referee):
        paged = table.get("events", token).json()["events"]
        with joined(address, table, token, "?after=3") as connection:
            (hello,) = take(connection, "hello")
            assert (hello["game"], hello["cursor"]) == (table.id, 3)
            told = take(connection, "event", len(paged) - 3)
        assert [one["event"] for one in told] == paged[3:]
        assert [str(one["cursor"]) for one in told] == [one["id"] for one in paged[3:]]


def test_commands_are_answered_as_over_http_and_come_back_as_events(address: str, table: Table) -> None:
    token = table.awaited()
    command = table.listed(token)[0]
    version = table.version()
    with joined(address, table, token, f"?after={version}") as connection:
        connection.send(json.dumps({"type": "command", "id": "a", "key": "once", "command": command}))
        (done,) = take(connection, "answer")
        assert (done["id"], done["status"], done["body"]["version"]) == ("a", 201, version + 1)
        (event,) = take(connection, "event")
        assert event["event"] == done["body"]["commit"]
        connection.send(json.dumps({"type": "command", "id": "b", "key": "once", "command": command}))
        (again,) = take(connection, "answer")
        assert (again["id"], again["replayed"], again["body"]) == ("b", True, done["body"])
    over_http = table.command(token, command, Idempotency_Key="once")
    assert (over_http.json(), over_http.headers["idempotent-replayed"]) == (done["body"], "true")


def frame_of(asked: Frame, number: int = 0, **members: Any) -> str:  # noqa: ANN401 -- members of a frame
    return json.dumps({"type": "command", "id": f"{number}", "command": asked, **members})


class Ways:
    """Two services at which the same happens: one hears commands by HTTP, the other by sockets."""

    def __init__(self, posted: Table, sockets: dict[str, ClientConnection]) -> None:
        self.posted = posted
        self._sockets = sockets

    @classmethod
    @contextmanager
    def open(cls, folder: Path, **changes: Any) -> Iterator[Ways]:  # noqa: ANN401 -- settings
        with ExitStack() as stack:
            addresses = [
                stack.enter_context(serving(settings(folder / f"{name}.db", token_rate=0, **changes)))
                for name in ("posted", "framed")
            ]
            posted, framed = [
                Table.open(stack.enter_context(httpx.Client(base_url=address, timeout=20))) for address in addresses
            ]
            assert posted.opened == framed.opened
            tokens = [*framed.seats, framed.referee, framed.spectator]
            yield cls(posted, {one: stack.enter_context(joined(addresses[1], framed, one)) for one in tokens})

    def ask(self, token: str, body: bytes, members: str = "", query: str = "", **headers: str) -> tuple[int, Any, bool]:
        """The one answer of both: status, body, and whether it was a retry's."""
        sent = {**bearer(token), "Content-Type": "application/json", **headers}
        path = f"{self.posted.path}/commands{query}"
        answer = self.posted.client.post(path, content=body, headers=sent)
        socket = self._sockets[token]
        socket.send((b'{"type":"command","id":"1"%b,"command":%b}' % (members.encode(), body)).decode())
        (told,) = take(socket, "answer")
        by_http = (answer.status_code, answer.json(), "idempotent-replayed" in answer.headers)
        assert (told["status"], told["body"], told.get("replayed", False)) == by_http, body
        return by_http

    def awaited(self) -> tuple[str, list[Frame]]:
        token = self.posted.awaited()
        return token, self.posted.listed(token)


def test_a_game_goes_the_same_by_http_and_by_sockets(tmp_path: Path) -> None:
    chooser = random.Random(7)
    with Ways.open(tmp_path) as ways:
        for number in range(40):
            token, listed = ways.awaited()
            body = json.dumps(chooser.choice([one for one in listed if one["type"] != "reveal"])).encode()
            version = ways.posted.version()
            more, query = [("", ""), (',"sentences":true', "?sentences=true"), (',"screen":true', "?screen=true")][
                number % 3
            ]
            members = f',"key":"k-{number}","if_match":[1,{version}]{more}'
            headers = {"Idempotency-Key": f"k-{number}", "If-Match": f'"1", "{version}"'}
            status, first, _ = ways.ask(token, body, members, query, **headers)
            assert (status, first["version"]) == (201, version + 1)
            assert ways.ask(token, body, members, query, **headers) == (201, first, True)
            assert ways.ask(token, body, f',"if_match":[{version}]', **{"If-Match": f'"{version}"'})[0] == 412


def test_what_is_refused_is_refused_in_the_same_words_by_http_and_by_sockets(tmp_path: Path) -> None:
    with Ways.open(tmp_path, body_limit=4000, depth_limit=8) as ways:
        token, listed = ways.awaited()
        other = next(one for one in ways.posted.seats if one != token)
        good = json.dumps(listed[0]).encode()
        turn = listed[0]["decision"]
        codes = [
            ways.ask(one, body, members, **headers)[1]["code"]
            for one, body, members, headers in [
                (token, good, ',"key":"a b"', {"Idempotency-Key": "a b"}),
                (token, good, ',"key":""', {"Idempotency-Key": ""}),
                (token, good, f',"key":"{"k" * 300}"', {"Idempotency-Key": "k" * 300}),
                (token, good, ',"if_match":[1]', {"If-Match": '"1"'}),
                (other, good, "", {}),
                (ways.posted.spectator, good, "", {}),
                (token, b'{"type":"move","decision":"%b","to":"nowhere"}' % turn.encode(), "", {}),
                (token, b'{"type":"end-turn","decision":"turn-99"}', "", {}),
                (token, b'{"type":"fly"}', "", {}),
                (token, b'{"type":"move","decision":"x"}', "", {}),
                (token, b'{"type":"move","decision":1,"to":"foyer"}', "", {}),
                (token, b'{"type":"end-turn","decision":"x","more":1}', "", {}),
                (token, b'{"type":"end-turn","decision":"x","decision":"y"}', "", {}),
                (token, b"{}", "", {}),
                (token, b"[]", "", {}),
                (token, b"null", "", {}),
                (token, b"17", "", {}),
                (token, b"[" * 9 + b"]" * 9, "", {}),
                (token, b'{"type":"end-turn","decision":"%b"}' % (b"x" * 4000), "", {}),
                (token, b'{"type":"option","number":1}', "", {}),
                (token, b'{"type":"option","number":0}', "", {}),
                (token, b'{"type":"option","number":99999}', ',"if_match":[5]', {"If-Match": '"5"'}),
                (token, b'{"type":"option","number":1.0,"with":{"x":1}}', ',"if_match":[5]', {"If-Match": '"5"'}),
            ]
        ]
    assert len({*codes}) > 9, codes


def test_commands_in_flight_are_done_and_answered_in_their_order(address: str, table: Table) -> None:
    token, version = table.awaited(), table.version()
    command = table.listed(token)[0]
    frames = [frame_of(command, number, key=f"{number}", if_match=[version + number // 2]) for number in range(9)]
    with joined(address, table, token, f"?after={version}") as connection:
        for frame in [*frames, json.dumps({"type": "ping", "id": "last"})]:
            connection.send(frame)
        answers = take(connection, "answer", len(frames))
        assert take(connection, "pong") == [{"type": "pong", "id": "last"}]
    assert [one["id"] for one in answers] == [str(number) for number in range(9)]
    assert [one["status"] for one in answers[:2]] == [201, 412]


def test_a_socket_for_commands_alone_tells_nothing_else_and_ends_with_its_token(tmp_path: Path) -> None:
    with serving(settings(tmp_path / "log.db", heartbeat=0.1)) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        token = table.awaited()
        with joined(address, table, token, "?events=false") as connection:
            connection.send(frame_of(table.listed(token)[0]))
            (done,) = take(connection, "answer")
            assert done["status"] == 201
            assert take(connection, "heartbeat")
            with joined(address, table, table.host) as other:
                (present,) = take(other, "presence")
            assert present["roles"] == ["host"]
            table.post(f"tokens/seat-{table.seats.index(token)}/rotate", token)
            frames, code, _ = rest(connection)
        assert {one["type"] for one in frames} <= {"heartbeat", "end"}
        assert (frames[-1]["reason"], code) == ("token-ended", 4401)


def test_sockets_and_their_commands_are_counted_and_logged_as_requests(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "omenlog.requests")
    caplog.handler.setFormatter(Json())
    route = "/v1/games/{game}/socket"
    with serving(settings(tmp_path / "log.db", log_requests=True)) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        token, version = table.awaited(), table.version()
        with joined(address, table, token) as connection:
            (hello,) = take(connection, "hello")
            for number in range(2):
                connection.send(frame_of(table.listed(token)[0], if_match=[version + number * 5]))
                take(connection, "answer")
        refusal(address, table)
        counted = client.get("/metrics").text
    lines = [json.loads(one) for one in caplog.text.splitlines()]
    said = [
        (one["method"], one["status"], one.get("game"), one.get("commit"), one["request"])
        for one in lines
        if one.get("route") == route
    ]
    connected = hello["request"]
    assert said[:3] == [
        ("GET", 101, table.id, None, connected),
        ("COMMAND", 201, table.id, version + 1, f"{connected}-1"),
        ("COMMAND", 412, table.id, None, f"{connected}-2"),
    ]
    assert said[3][:3] == ("GET", 401, table.id)
    for method, status, *_ in said:
        assert f'method="{method}",route="{route}",status="{status}",worker="1"}} 1.0' in counted


@pytest.mark.parametrize(
    "frame, status, code, name",
    [
        ({"type": "command", "id": "x", "command": {"type": "end-turn", "decision": "turn-99"}}, 409, "decision-closed", "x"),
        ({"type": "command", "id": "x", "if_match": [1], "command": {"type": "end-turn", "decision": "turn-1"}}, 412, "stale-version", "x"),
        ({"type": "command", "id": "x", "key": "a b", "command": {"type": "end-turn", "decision": "turn-1"}}, 400, "invalid-idempotency-key", "x"),
        ({"type": "command", "id": "x", "command": {"type": "fly"}}, 400, "invalid-body", "x"),
        ({"type": "shout", "id": "x"}, 400, "invalid-body", "x"),
        ({"id": "x"}, 400, "invalid-body", "x"),
        ([], 400, "invalid-body", None),
    ],
)  # fmt: skip
def test_what_can_not_be_done_is_answered_with_the_problem_and_the_connection_stays(
    address: str, table: Table, frame: object, status: int, code: str, name: str | None
) -> None:
    with joined(address, table, table.awaited()) as connection:
        connection.send(json.dumps(frame))
        (answer,) = take(connection, "answer")
        assert (answer["id"], answer["status"], answer["body"]["code"]) == (name, status, code)
        connection.send(json.dumps({"type": "ping", "id": "still"}))
        assert take(connection, "pong") == [{"type": "pong", "id": "still"}]


def test_who_may_not_connect_gets_the_problem_of_a_request(address: str, table: Table) -> None:
    other = Table.open(table.client, start=False)
    status, found, headers = refusal(address, table)
    assert (status, found["code"], headers["www-authenticate"]) == (401, "unauthorized", "Bearer")
    assert refusal(address, table, **bearer(other.seats[0]))[1]["code"] == "forbidden"
    assert refusal(address, table, "?after=99", **bearer(table.host))[1]["code"] == "ahead-of-log"
    for wrong in ("01", "1e1", "x", "-1", "1.5", "99999999999999999999"):
        assert refusal(address, table, f"?after={wrong}", **bearer(table.host))[1]["code"] == "invalid-cursor"
    for wrong in ("?after=1&after=2", "?events=no", "?sentences=true"):
        assert refusal(address, table, wrong, **bearer(table.host))[1]["code"] == "invalid-parameter"
    nowhere = f"{address.replace('http', 'ws')}/v1/elsewhere"
    with pytest.raises(InvalidStatus) as refused, connect(nowhere):
        pass
    assert refused.value.response.status_code == 404


def test_a_socket_ends_with_the_game_and_says_so(address: str, table: Table) -> None:
    with joined(address, table, table.seats[1]) as connection:
        table.post("close", table.host)
        frames, code, reason = rest(connection)
    version = table.version()
    assert frames[-1] == {"type": "end", "reason": "game-over", "cursor": version}
    assert (code, reason) == (1000, f"game-over; go on after {version}")
    with joined(address, table, table.seats[1], f"?after={version}") as connection:
        assert [one["type"] for one in rest(connection)[0]] == ["hello", "end"]


def test_a_socket_over_a_connection_that_was_used_before_stays_open(address: str, table: Table) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), 20) as raw:
        raw.sendall(b"GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n")
        while b'"live"' not in raw.recv(65_536):
            pass
        raw.sendall(upgrade(f"{table.path}/socket?events=false", table.seats[0]))
        began = time.monotonic()
        while time.monotonic() - began < KEPT_ALIVE + 1:
            raw.settimeout(KEPT_ALIVE + 1)
            with suppress(TimeoutError):
                assert raw.recv(65_536), f"closed after {time.monotonic() - began:.1f} s"


def test_only_text_is_taken_and_not_too_much_of_it(address: str, table: Table) -> None:
    with joined(address, table, table.seats[0]) as connection:
        connection.send(b"\x00")
        frames, code, _ = rest(connection)
        assert (frames[-1]["reason"], code) == ("text-only", 1003)
    with joined(address, table, table.seats[0]) as connection:
        connection.send("x" * 70_000)
        assert rest(connection)[1] == 1009


def test_limits_of_streams_and_commands_hold_here_too(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", streams_per_token=1, token_rate=1, token_burst=20, heartbeat=0.1)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        with joined(address, table, table.spectator) as connection:
            status, found, headers = refusal(address, table, **bearer(table.spectator))
            assert (status, found["code"], headers["retry-after"]) == (429, "too-many-streams", "5")
            assert take(connection, "heartbeat")
            for _ in range(25):
                connection.send(json.dumps({"type": "ping", "id": "p"}))
            answers = take(connection, "answer")
            assert answers[0]["body"]["code"] == "too-many-requests"


def test_a_token_that_ends_ends_the_socket(tmp_path: Path) -> None:
    with serving(settings(tmp_path / "log.db", heartbeat=0.1)) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        with joined(address, table, table.seats[0]) as connection:
            take(connection, "event", 5)
            table.post("tokens/seat-0/rotate", table.seats[0])
            frames, code, _ = rest(connection)
            assert (frames[-1]["reason"], code) == ("token-ended", 4401)


def test_a_server_that_stops_says_goodbye_and_another_goes_on_where_it_was(tmp_path: Path) -> None:
    """The command is answered by one process, its retry by the next one, and no event is lost or doubled in between."""
    store = tmp_path / "log.db"
    with ExitStack() as stack:
        with serving(settings(store, heartbeat=60)) as address:
            client = stack.enter_context(httpx.Client(base_url=address, timeout=20))
            table = Table.open(client)
            token = table.awaited()
            frame = {"type": "command", "id": "a", "key": "k", "command": table.listed(token)[0]}
            connection = stack.enter_context(joined(address, table, token))
            connection.send(json.dumps(frame))
            events = take(connection, "event", 6)
        frames, code, reason = rest(connection)
    assert (frames[-1]["type"], frames[-1]["reason"], code) == ("end", "stopping", 1001)
    cursor = frames[-1]["cursor"]
    assert reason == f"stopping; go on after {cursor}"
    with serving(settings(store), Fixed("another")) as address, httpx.Client(base_url=address, timeout=20) as client:
        table.client = client
        with joined(address, table, token, f"?after={cursor}") as again:
            again.send(json.dumps(frame))
            (answer,) = take(again, "answer")
            assert answer["replayed"] is True
            table.play(2)
            events += take(again, "event", 2)
    assert [one["cursor"] for one in events] == list(range(1, 9))


# -- readers who don't read ---------------------------------------------------------------------------------------------


STALL = 0.4
"""Seconds, by the clock of `Hands`, which stands still until a test sets it."""


class Watched(Outlet):
    """The way to a reader, which tells whether it is stuck, and whose time is the test's."""

    def __init__(self, scope: Scope, send: Send, stall: float, hands: Hands) -> None:
        super().__init__(scope, send, stall)
        self._clock = lambda: hands.time
        self._sent = self._before = 0
        self.stuck = 0
        """How often in a row it was found sending the same."""
        self.cut_off = False

    async def send(self, message: Message) -> bool:
        self._sent += 1
        return await super().send(message)

    def _given_up(self) -> bool:
        same = self._since is not None and self._sent == self._before
        self.stuck, self._before = self.stuck + 1 if same else 0, self._sent
        self.cut_off = super()._given_up()
        return self.cut_off


class Hands:
    """The time of those who send, so that no load of the machine makes a reader late, or late too soon."""

    def __init__(self) -> None:
        self.time = 0.0
        self.ways: list[Watched] = []

    def way(self, scope: Scope, send: Send, stall: float) -> Watched:
        """Instead of an `Outlet`."""
        self.ways.append(Watched(scope, send, stall, self))
        return self.ways[-1]

    def until_stuck(self) -> Watched:
        """Wait until nothing more can be sent to the last who came."""
        wait_until(lambda: self.ways and self.ways[-1].stuck > 2, "the reader accepts nothing more")
        return self.ways[-1]

    def until_late(self) -> None:
        """Wait until the last who came is too late to be sent anything new."""
        way = self.until_stuck()
        self.time += STALL * 1.5
        wait_until(lambda: way.late, "the reader is late")

    def until_cut_off(self) -> None:
        """Wait until the last who came is given up."""
        way = self.until_stuck()
        self.time += STALL * 3
        wait_until(lambda: way.cut_off, "the reader is given up")


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    """Of all connections from now on."""
    found = Hands()
    monkeypatch.setattr("service.http.live.Outlet", found.way)
    monkeypatch.setattr("service.http.socket.Outlet", found.way)
    return found


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Table]]:
    """A server that is impatient and has little room for what isn't read, and a game with much to tell."""
    chosen = settings(tmp_path_factory.mktemp("tight") / "log.db", stall=STALL, heartbeat=0.2, token_rate=0)
    with serving(chosen, buffer=8192) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        while len(table.get("events?limit=1000", table.referee).content) < 150_000:
            if table.play(20) < 20:
                break
        yield address, table


def lazy(address: str, request: str) -> socket.socket:
    """A connection that takes in as little as possible by itself."""
    host, _, port = address.removeprefix("http://").partition(":")
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    raw.settimeout(20)
    raw.connect((host, int(port)))
    raw.sendall(request.encode())
    return raw


def drained(raw: socket.socket, until: bytes = b"") -> bytes:
    """Everything that is still sent, or all up to some words."""
    found = b""
    try:
        while not (until and until in found) and (piece := raw.recv(65536)):
            found += piece
    except ConnectionResetError:
        return found + b"RESET"
    return found


def test_a_reader_that_stops_reading_is_told_so_when_it_reads_again(tight: tuple[str, Table], hands: Hands) -> None:
    address, table = tight
    headers = f"Host: x\r\nAuthorization: Bearer {table.referee}\r\nAccept: text/event-stream\r\nConnection: close\r\n"
    raw = lazy(address, f"GET {table.path}/events HTTP/1.1\r\n{headers}\r\n")
    hands.until_late()
    text = drained(raw).decode()
    ids = [int(line[4:]) for line in text.splitlines() if line.startswith("id: ")]
    *numbers, last = ids
    assert numbers == list(range(1, len(numbers) + 1))
    assert f'event: end\ndata: {{"reason":"too-slow","cursor":{last}}}' in text
    assert last == numbers[-1] < table.version(), "it is told where to go on, and was not sent all"
    raw.close()


def test_a_reader_that_never_reads_again_is_cut_off(tight: tuple[str, Table], hands: Hands) -> None:
    address, table = tight
    headers = f"Host: x\r\nAuthorization: Bearer {table.referee}\r\nAccept: text/event-stream\r\nConnection: close\r\n"
    raw = lazy(address, f"GET {table.path}/events HTTP/1.1\r\n{headers}\r\n")
    hands.until_cut_off()
    text = drained(raw)
    assert b"event: end" not in text
    assert len(text) < 100_000, "what was kept for it was dropped"
    raw.close()


def test_a_reader_who_had_read_all_and_then_stops_is_cut_off_too(tight: tuple[str, Table], hands: Hands) -> None:
    """Up to then it was written to without being waited for."""
    address, other = tight
    table = Table.open(other.client)
    begun = table.version()
    headers = f"Host: x\r\nAuthorization: Bearer {table.referee}\r\nAccept: text/event-stream\r\nConnection: close\r\n"
    raw = lazy(address, f"GET {table.path}/events?after={begun} HTTP/1.1\r\n{headers}\r\n")
    drained(raw, b"retry: 2000")
    while len(table.get(f"events?after={begun}&limit=1000", table.referee).content) < 150_000:
        if table.play(20) < 20:
            break
    hands.until_cut_off()
    text = drained(raw).decode(errors="replace")
    whole = text[: text.rfind("\n") + 1]  # it may have been cut off within a number
    numbers = [int(line[4:]) for line in whole.splitlines() if line.startswith("id: ")]
    assert numbers == list(range(begun + 1, begun + 1 + len(numbers)))
    assert begun < numbers[-1] < table.version(), "it was told until it stopped"
    assert len(text) < 100_000, "what was kept for it was dropped"
    raw.close()


def test_a_socket_that_is_not_read_is_told_so_too(tight: tuple[str, Table], hands: Hands) -> None:
    address, table = tight
    raw = lazy(
        address,
        f"GET {table.path}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {table.referee}\r\n\r\n",
    )
    hands.until_late()
    text = drained(raw, b"too-slow; go on")
    (code,) = struct.unpack(">H", text[text.rindex(b"too-slow; go on") - 2 :][:2])
    assert code == 4408
    ends = json.loads(text[text.rindex(b'{"type":"end"') : text.rindex(b"}") + 1])
    told = text.count(b'{"type":"event"')
    assert ends == {"type": "end", "reason": "too-slow", "cursor": told}
    assert told < table.version()
    raw.close()


def test_a_client_that_vanishes_leaves_its_place(address: str, table: Table) -> None:
    for _ in range(12):  # more than one token may hold
        with joined(address, table, table.seats[0]) as connection:
            take(connection, "event")
            connection.socket.shutdown(socket.SHUT_RDWR)
            with pytest.raises(ConnectionClosedError):
                read_on(connection, [])


def test_an_option_by_number_is_done_over_a_socket_too(address: str, table: Table) -> None:
    token = table.awaited()
    option = table.get("brief", token).json()["options"][0]
    answered = []
    with joined(address, table, token) as connection:
        for version in ([4], None, [5]):
            by_number = {"type": "option", "number": 1}
            connection.send(json.dumps({"type": "command", "id": "o", "if_match": version, "command": by_number}))
            answered += take(connection, "answer")
    assert [one["status"] for one in answered] == [412, 428, 201]
    assert answered[-1]["body"]["commit"]["data"]["command"] == option["command"]
