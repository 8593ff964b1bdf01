"""Records as the first versions wrote them, byte for byte: they are read, served and changed where they lie."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.facts.audience import REFEREE
from service.games.refusals import Refusals
from service.outside import Machine
from service.settings import Settings
from service.store.open import opened
from service.store.port import Record
from service.webhooks.subscription import Attempt, Key, Letter, account_owner, delivered, read, read_account, record
from tests.support.redis import Server, server

TABLES = """
    CREATE TABLE webhooks (
        id TEXT NOT NULL PRIMARY KEY, game TEXT NOT NULL, ready REAL, revision INTEGER NOT NULL, body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX webhooks_of_game ON webhooks (game, id);
    CREATE INDEX webhooks_ready ON webhooks (ready, id) WHERE ready IS NOT NULL;
    CREATE TABLE refusals (
        place INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX refusals_of_game ON refusals (game, place);
    CREATE INDEX refusals_of_seat ON refusals (game, seat, place);
"""
ATTEMPT = (
    b'{"message":"msg_tokensubscription234_7","at":"2026-01-01T00:00:01.000Z","status":500,"error":"answered 500"}'
)
TOKEN = (
    b'{"id":"tokensubscription234","game":"g1","token":"seat-0","whole":"","holder":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",'
    b'"heir":"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=","url":"https://example.com/hook","payload":"full","types":["TurnStarted"],'
    b'"created":"2026-01-01T00:00:00.000Z","keys":[{"id":"k2","secret":"AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=","until":""},'
    b'{"id":"k1","secret":"BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=","until":"2026-01-02T00:00:00.000Z"}],"state":"active","reason":"",'
    b'"cursor":7,"attempts":1,"due":1800000000.5,"error":"answered 500","delivered":5,"dead_in_row":1,'
    b'"letters":[{"number":3,"attempts":9,"error":"no","due":null},{"number":4,"attempts":2,"error":"no","due":1800000001.25}],'
    b'"tried":[' + ATTEMPT + b'],"lease":"","leased":0.0}'
)
PART = (
    b'{"id":"partofthewhole234567","game":"g1","token":"seat-1","whole":"wholesubscription234","holder":"","heir":"",'
    b'"url":"https://example.com/all","payload":"thin","types":[],"created":"2026-01-01T00:00:00.000Z","keys":[],"state":"disabled",'
    b'"reason":"gone","cursor":2,"attempts":0,"due":0.0,"error":"","delivered":0,"dead_in_row":0,"letters":[],"tried":[],"lease":"","leased":0.0}'
)
WHOLE = (
    b'{"id":"wholesubscription234","account":"acc","url":"https://example.com/all","payload":"thin","types":[],"games":["g1"],'
    b'"created":"2026-01-01T00:00:00.000Z","keys":[{"id":"k3","secret":"BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=","until":""}],'
    b'"state":"active","reason":"","starts":[2],"tried":[],"places":1}'
)
REFUSAL = (
    b'{"at":"2026-11-23T06:08:25.517Z","by":"seat:1","problem":"illegal-command","because":"It is not your turn.",'
    b'"rule":"2E-TURN-001","command":{"type":"end-turn","decision":"turn-1"}}'
)
RECORDS = (
    ("tokensubscription234", "g1", 1800000000.5, TOKEN),
    ("partofthewhole234567", "g1", None, PART),
    ("wholesubscription234", "account:acc", 0.0, WHOLE),
)


@pytest.fixture(params=["sqlite", "redis"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A store with these records."""
    if request.param == "sqlite":
        yield _sqlite(tmp_path / "log.db")
        return
    with server(tmp_path / "redis") as running:
        _fill(running)
        yield f"{running.url}?prefix=old"


def _fill(running: Server) -> None:
    with closing(running.client()) as client:
        for name, whose, ready, body in RECORDS:
            fields = {"game": whose, "body": body, "ready": "" if ready is None else repr(ready), "revision": "1"}
            client.hset(f"old:{{webhooks}}:r:{name}", mapping=fields)
            client.sadd(f"old:{{webhooks}}:of:{whose}", name)
            if ready is not None:
                client.zadd("old:{webhooks}:ready", {name: ready})
        client.rpush("old:{g:g1}:refused", b"1 4 " + REFUSAL)


def _sqlite(file: Path) -> str:
    address = f"sqlite:///{file}"

    async def lay_out() -> None:
        async with opened(Settings(store=address)):
            pass

    asyncio.run(lay_out())
    with closing(sqlite3.connect(file)) as db, db:
        db.executescript("DROP TABLE webhooks; DROP TABLE refusals;" + TABLES)
        db.executemany("INSERT INTO webhooks (id, game, ready, revision, body) VALUES (?, ?, ?, 1, ?)", RECORDS)
        db.execute("INSERT INTO refusals (game, number, seat, body) VALUES ('g1', 4, 1, ?)", (REFUSAL,))
    return address


async def test_what_the_first_versions_wrote_is_read_and_served(address: str) -> None:
    async with opened(Settings(store=address)) as stores:
        records = stores.records
        part, token = await records.of_owners("g1")
        assert (part.id, token.id, token.revision) == ("partofthewhole234567", "tokensubscription234", 1)
        assert [one.id for one in await records.ready(1.9e9)] == ["wholesubscription234", "tokensubscription234"]

        it = read(token)
        assert (it.game, it.token, it.holder, it.heir, it.cursor) == ("g1", "seat-0", b"\1" * 32, b"\2" * 32, 7)
        assert (it.url, it.payload, it.types) == ("https://example.com/hook", "full", ["TurnStarted"])
        assert it.keys == [Key("k2", b"\3" * 32), Key("k1", b"\4" * 32, "2026-01-02T00:00:00.000Z")]
        assert it.letters == [Letter(3, 9, "no"), Letter(4, 2, "no", 1800000001.25)]
        assert it.tried == [Attempt("msg_tokensubscription234_7", "2026-01-01T00:00:01.000Z", 500, "answered 500")]
        assert (it.attempts, it.due, it.error, it.delivered, it.dead_in_row) == (1, 1800000000.5, "answered 500", 5, 1)
        assert (read(part).whole, read(part).state, read(part).reason) == ("wholesubscription234", "disabled", "gone")

        (found,) = await records.of_owners(account_owner("acc"))
        whole = read_account(found)
        assert (whole.account, whole.games, whole.starts, whole.places) == ("acc", ["g1"], [2], 1)
        assert whole.keys == [Key("k3", b"\5" * 32)]
        assert (record(whole, 1).owner, record(whole, 1).ready) == (found.owner, found.ready)
        assert await records.put(record(delivered(it, 8), token.revision))

        refusals = Refusals(records, Machine(), per_game=9, per_seat=9)
        ((number, (refusal,)),) = (await refusals.between("g1", REFEREE, 0, 9)).items()
        assert (number, refusal.by, refusal.because, refusal.rule) == (
            4,
            "seat:1",
            "It is not your turn.",
            "2E-TURN-001",
        )
        assert refusal.command is not None

    async with opened(Settings(store=address)) as stores:
        again = await stores.records.get("tokensubscription234")
        assert isinstance(again, Record)
        assert (read(again).cursor, again.revision) == (8, 2)
        assert await stores.records.erase_refusals("g1", 1) == 1
