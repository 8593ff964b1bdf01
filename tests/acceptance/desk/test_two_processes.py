"""A desk at two processes over one store: whatever goes back, all who read, and all who race, find one game."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.desk.busy import CLAIM, busy, done, everything
from tests.acceptance.desk.readers import PATIENCE, WAYS, Reader
from tests.acceptance.driving import Table, bearer
from tests.laws.hooked import check_line
from tests.support.receiving import Receiver, receiving

DELAYS: dict[str, dict[str, int]] = {
    "": {},
    "commits": {"spectator_delay": 3},
    "seconds": {"spectator_delay_seconds": 1},
}
"""How far spectators lag behind."""
BACK = "Rewound"


class Turns(httpx.HTTPTransport):
    """Sends each request to another process than the one before."""

    def __init__(self, addresses: list[str]) -> None:
        super().__init__()
        self._turns = itertools.cycle([httpx.URL(one) for one in addresses])

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        there = next(self._turns)
        request.url = request.url.copy_with(host=there.host, port=there.port)
        return super().handle_request(request)


@pytest.fixture(scope="module")
def turns(addresses: list[str]) -> Iterator[httpx.Client]:
    """A client who asks both processes in turn."""
    with httpx.Client(base_url=addresses[0], timeout=30, transport=Turns(addresses)) as found:
        yield found


# -- who reads ------------------------------------------------------------------------------------------------------------


@dataclass
class Followed:
    """A game that was played with a busy desk, and what everybody was told meanwhile."""

    table: Table
    readers: dict[tuple[str, str], Reader] = field(default_factory=dict)
    """By role and way."""
    hooks: dict[str, tuple[str, str, bool]] = field(default_factory=dict)
    """By the path of an endpoint: token, public key, whether its messages are full."""

    def roles(self) -> dict[str, str]:
        """Those who read, and their tokens."""
        return {"seat:1": self.table.seats[1], "referee": self.table.referee, "spectator": self.table.spectator}

    def told(self, token: str, client: httpx.Client | None = None) -> list[str]:
        """All that a role is told by whoever begins now."""
        client = client or self.table.client
        headers = {**bearer(token), "Accept": "application/x-ndjson"}
        return client.get(f"{self.table.path}/events", headers=headers).text.splitlines()


def subscribed(game: Followed, receiver: Receiver, account: str) -> None:
    """Webhooks: two of single tokens, and one of all games of an account, to which two tokens are bound."""
    client, table = game.table.client, game.table
    for name, token, full in (("seat", table.seats[1], True), ("public", table.spectator, False)):
        path = f"{table.id}-{name}"
        asked = {"url": f"{receiver.url}/{path}", "payload": "full" if full else "thin", "after": 0}
        made = done(client.post("/v1/subscriptions", json=asked, headers=bearer(token)))
        game.hooks[path] = (token, made["subscription"]["keys"][0]["public_key"], full)
    for name, token in (("referee", table.referee), ("seat-0", table.seats[0])):
        bound = client.put(f"{table.path}/tokens/{name}/account", json={"key": account}, headers=bearer(token))
        assert bound.status_code == 200, bound.text


async def follow(game: Followed, addresses: list[str], table: Table) -> None:
    """Let everybody read while the game is played."""
    async with (
        httpx.AsyncClient(base_url=addresses[0], timeout=30) as one,
        httpx.AsyncClient(base_url=addresses[1], timeout=30) as other,
    ):
        for role, token in game.roles().items():
            for way in WAYS:
                game.readers[role, way] = Reader(table.path, token, (other, one))
        async with asyncio.timeout(3 * PATIENCE), asyncio.TaskGroup() as reading:
            for (_, way), reader in game.readers.items():
                reading.create_task(WAYS[way](reader))
            await asyncio.to_thread(busy, table)
            went_back = [number for number, event in enumerate(game.told(table.referee), 1) if BACK in event]
            async with asyncio.timeout(PATIENCE):
                while min(len(reader.told) for reader in game.readers.values()) < went_back[-1]:  # noqa: ASYNC110 -- as many readers as ways
                    await asyncio.sleep(0.05)
            await asyncio.to_thread(table.post, "close", table.host)


@dataclass
class Season:
    """Three games, by how far their spectators lag behind, and what came to the endpoints."""

    games: dict[str, Followed]
    receiver: Receiver
    account: str
    checks: str
    """The key that checks what the account is sent."""


@pytest.fixture(scope="module")
def season(addresses: list[str], turns: httpx.Client) -> Iterator[Season]:
    with receiving() as receiver:
        account = done(turns.post("/v1/accounts"))["key"]
        asked = {"url": f"{receiver.url}/all", "payload": "full"}
        whole = done(turns.post("/v1/subscriptions", json=asked, headers=bearer(account)))
        found = Season({}, receiver, account, whole["subscription"]["keys"][0]["public_key"])
        for delay, options in DELAYS.items():
            game = found.games[delay] = Followed(Table.open(turns, options=options))
            subscribed(game, receiver, account)
            asyncio.run(follow(game, addresses, game.table))
        yield found


@pytest.mark.prove
@pytest.mark.parametrize("delay", DELAYS)
def test_every_reader_is_told_all_of_it_once_over_whatever_goes_back(
    season: Season, delay: str, addresses: list[str]
) -> None:
    game = season.games[delay]
    for role, token in game.roles().items():
        fresh = game.told(token)
        assert sum(BACK in event for event in fresh) == 3, "a step taken back, and two rulings"
        for address in addresses:
            with httpx.Client(base_url=address) as client:
                assert game.told(token, client) == fresh
        for way in WAYS:
            reader = game.readers[role, way]
            assert reader.told == fresh, (role, way)
            assert (reader.resumed > 5) == (way != "steady"), "and it came again in between"


@pytest.mark.prove
@pytest.mark.parametrize("delay", DELAYS)
def test_both_processes_show_every_role_the_same_game(season: Season, delay: str, addresses: list[str]) -> None:
    table, shown = season.games[delay].table, []
    turns = table.client
    for address in addresses:
        with httpx.Client(base_url=address, timeout=30) as table.client:
            shown.append(everything(table))
    table.client = turns
    assert shown[0] == shown[1]
    verdict = audit(read_export(table.get("export", table.referee).content.splitlines()))
    assert verdict.outcome is Outcome.EXACT, verdict


@pytest.mark.prove
def test_every_endpoint_is_sent_what_its_role_is_told_once_and_in_order(season: Season) -> None:
    receiver = season.receiver
    wanted = sum(game.table.version() * (len(game.hooks) + 2) for game in season.games.values())
    receiver.wait_for(wanted)
    for game in season.games.values():
        for path, (token, key, full) in game.hooks.items():
            taken = [got for got in receiver.taken if got.path == f"/hook/{path}"]
            assert [got.number for got in taken] == list(range(1, game.table.version() + 1)), "once each"
            check_line(taken, [json.loads(event) for event in game.told(token)], key, full=full)
            if not full:
                assert not any(BACK.encode() in got.body for got in taken), "thin is thin"
        for name, token in (("referee", game.table.referee), ("seat-0", game.table.seats[0])):
            taken = [got for got in receiver.taken if got.path == "/hook/all" and got.json["recipient"] == name]
            taken = [got for got in taken if got.json["source"] == game.table.path]
            assert [got.number for got in taken] == list(range(1, game.table.version() + 1)), "once each"
            check_line(taken, [json.loads(event) for event in game.told(token)], season.checks, full=True)
    assert not any(CLAIM.encode() in got.body for got in receiver.taken), "claims lie beside the log"


@pytest.mark.prove
def test_an_account_goes_on_by_its_cursor_at_whichever_process(season: Season, turns: httpx.Client) -> None:
    found: list[dict[str, Any]] = []
    after, more = "", True
    while more:
        query = f"/v1/account/events?limit=7&after={after}"
        page = turns.get(query, headers=bearer(season.account)).json()
        found, after, more = found + page["events"], page["next"], page["more"]
    for game in season.games.values():
        for name, token in (("referee", game.table.referee), ("seat-0", game.table.seats[0])):
            mine = [one for one in found if (one["source"], one["recipient"]) == (game.table.path, name)]
            bare = [{key: value for key, value in one.items() if key not in ("recipient", "cursor")} for one in mine]
            assert bare == [json.loads(event) for event in game.told(token)]


# -- who races ------------------------------------------------------------------------------------------------------------


ON_REDIS = pytest.mark.parametrize(
    "addresses", ["redis", pytest.param("sqlite", marks=pytest.mark.prove)], indirect=True, scope="session"
)


@pytest.fixture
async def both(addresses: list[str]) -> AsyncIterator[list[httpx.AsyncClient]]:
    """A client of each process."""
    found = [httpx.AsyncClient(base_url=address, timeout=30) for address in addresses]
    yield found
    for client in found:
        await client.aclose()


@pytest.fixture
def table(turns: httpx.Client) -> Table:
    """A game that has been played a while."""
    opened = Table.open(turns)
    opened.play(6)
    return opened


Post = tuple[str, str, dict[str, Any], dict[str, str]]
"""What, by which token, the body, more headers."""


async def at_once(both: list[httpx.AsyncClient], table: Table, *posts: Post) -> list[httpx.Response]:
    """Post all of these at once, to one process and the other in turn."""
    sending = [
        both[number % 2].post(f"{table.path}/{what}", json=body, headers={**bearer(token), **headers})
        for number, (what, token, body, headers) in enumerate(posts)
    ]
    return list(await asyncio.gather(*sending))


def ask(seat: int) -> dict[str, Any]:
    return {"from": 5, "to": 6, "claim": f"{CLAIM} says {seat}"}


def exact(table: Table) -> None:
    """The game, as it went, is what its commands come to."""
    table.play(2)
    assert table.post("close", table.host).status_code == 201
    verdict = audit(read_export(table.get("export", table.referee).content.splitlines()))
    assert verdict.outcome is Outcome.EXACT, verdict


@ON_REDIS
async def test_one_key_opens_one_dispute_rules_once_and_makes_one_fork_wherever_it_is_sent(
    both: list[httpx.AsyncClient], table: Table
) -> None:
    before = table.version()
    ruling = {"outcome": "rewind", "to": before - 1, "reasons": "Once."}
    for what, token, body in (
        ("disputes", table.seats[1], ask(1)),
        ("disputes/1/evidence", table.seats[1], {"note": CLAIM}),
        ("disputes/1/ruling", table.referee, ruling),
        ("forks", table.seats[0], {"at": 5}),
    ):
        key = {"Idempotency-Key": f"a-key-that-nobody-guesses-{what}".replace("/", "-")}
        answers = await at_once(both, table, *[(what, token, body, key)] * 6)
        assert [answer.status_code for answer in answers] == [201] * 6, [answer.text for answer in answers]
        assert len({answer.content for answer in answers}) == 1, "all get the first answer"
        fresh = [answer for answer in answers if "idempotent-replayed" not in answer.headers]
        assert len(fresh) == 1, "one of them did it"
    assert table.version() == before + 3
    shown = table.get("disputes", table.referee).json()["disputes"]
    assert [len(one["texts"]) for one in shown] == [2]
    assert len(table.get("forks", table.referee).json()["forks"]) == 1
    exact(table)


@ON_REDIS
async def test_disputes_of_several_seats_at_once_each_get_a_number_of_their_own(
    both: list[httpx.AsyncClient], table: Table
) -> None:
    answers = await at_once(
        both, table, *[("disputes", token, ask(seat), {}) for seat, token in enumerate(table.seats)]
    )
    assert [answer.status_code for answer in answers] == [201] * 3
    shown = table.get("disputes", table.referee).json()["disputes"]
    assert sorted(one["dispute"]["by"] for one in shown) == [0, 1, 2]
    assert all(text["text"].endswith(f"says {one['dispute']['by']}") for one in shown for text in one["texts"])
    exact(table)


@ON_REDIS
async def test_of_two_rulings_one_holds(both: list[httpx.AsyncClient], table: Table) -> None:
    done(table.post("disputes", table.seats[1], ask(1)))
    rulings: list[dict[str, Any]] = [
        {"outcome": "rewind", "to": 6, "reasons": "Back."},
        {"outcome": "stands", "reasons": "It stays."},
    ]
    answers = await at_once(both, table, *[("disputes/1/ruling", table.referee, one, {}) for one in rulings])
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert [one.json()["code"] for one in answers if one.status_code == 409] == ["dispute-closed"]
    exact(table)


@ON_REDIS
async def test_who_plays_and_who_rules_at_once_come_one_after_the_other(
    both: list[httpx.AsyncClient], table: Table
) -> None:
    """Who said for which state is refused if the ruling was quicker."""
    for number in range(1, 6):
        done(table.post("disputes", table.seats[1], ask(1)))
        token = table.awaited()
        command = table.listed(token)[-1]
        version = table.version()
        ruling = {"outcome": "rewind", "to": version - 2, "reasons": "Back."}
        match = {"If-Match": f'"{version}"'}
        posts: list[Post] = [
            ("commands", token, command, match),
            (f"disputes/{number}/ruling", table.referee, ruling, {}),
        ]
        played, ruled = await at_once(both, table, *(posts if number % 2 else posts[::-1]))
        if not number % 2:
            played, ruled = ruled, played
        assert ruled.status_code == 201, ruled.text
        if played.status_code == 201:
            assert (played.json()["version"], ruled.json()["version"]) == (version + 1, version + 2)
        else:
            assert (played.status_code, played.json()["code"]) == (412, "stale-version")
            assert ruled.json()["version"] == version + 1
        assert table.version() == ruled.json()["version"]
        table.play(3, number)
    exact(table)


@ON_REDIS
async def test_what_is_taken_back_while_another_process_plays_on_is_taken_back_or_not(
    both: list[httpx.AsyncClient], table: Table
) -> None:
    """A seat's own next step and its take-back at once: whichever is first, the other one sees it."""
    for attempt in range(40):
        token = table.awaited()
        step = next((one for one in table.listed(token) if one["type"] == "move"), None)
        if step is None or table.command(token, step).status_code != 201:
            table.play(1, attempt)
            continue
        back = table.get("decisions", token).json()["take_back"]
        listed = [one for one in table.listed(token) if one["type"] in ("move", "end-turn")]
        if back is None or not listed:
            continue
        answers = await at_once(
            both, table, ("commands", token, back["command"], {}), ("commands", token, listed[0], {})
        )
        assert 201 in [answer.status_code for answer in answers]
        assert all(answer.status_code in (201, 409) for answer in answers), [answer.text for answer in answers]
        if attempt > 3:
            break
    exact(table)
