"""The books of a third-edition haunt over HTTP: closed before it begins, apart afterwards, open where something was read out."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.acceptance.driving import Table, problem, serving, settings

HAUNT = "the-night-shift"


@pytest.fixture
def third(tmp_path: Path) -> Iterator[Table]:
    """A game of the third edition that leads to a haunt with two books."""
    with (
        serving(settings(tmp_path / "store", packs="third-edition")) as address,
        httpx.Client(base_url=address) as client,
    ):
        yield Table.open(client, edition="third", options={"scenario": "cursed", "haunt": HAUNT})


def begin(table: Table) -> int:
    """Play until the first turn of the haunt; returns the traitor's seat."""
    for seed in range(400):
        table.play(4, seed)
        haunt = table.get("view", table.referee).json()["haunt"]
        if haunt is not None and haunt["started"]:
            seat: int = haunt["traitor"]
            return seat
    raise AssertionError("no haunt has begun")


def demandable(table: Table, seat: int) -> str:
    """The first part that a seat may have read out, or empty."""
    parts = table.get("view", table.seats[seat]).json()["haunt"]["parts"]
    return next((str(one["part"]) for one in parts if one["demandable"]), "")


def test_a_request_for_haunt_text_in_exploration_is_refused_for_every_player(third: Table) -> None:
    for token in (*third.seats, third.spectator, third.referee, third.host):
        for query in ("", "?side=heroes", "?side=traitor"):
            found = problem(third.get(f"book{query}", token), 404, "not-found")
            assert found["rule"]["id"] == "3E-SETUP-002"
        view = third.get("view", token).json()
        assert view["haunt"] is None


def test_the_other_sides_book_is_refused_and_what_was_used_is_read_out_on_request(third: Table) -> None:
    traitor = begin(third)
    hero = (traitor + 1) % 3
    for seat, mine, theirs in ((hero, "heroes", "traitor"), (traitor, "traitor", "heroes")):
        assert third.get(f"book?side={mine}", third.seats[seat]).json()["books"][0]["goal"]
        found = problem(third.get(f"book?side={theirs}", third.seats[seat]), 403, "closed-book")
        assert found["rule"]["id"] == "3E-INFO-001"
    refused = third.command(third.seats[hero], {"type": "demand", "decision": "parts", "part": "traitor.on.99"})
    assert problem(refused, 409, "illegal-command")["rule"]["id"] == "3E-INFO-002"
    asked, seed = demandable(third, hero), 0
    while not asked:
        seed += 1
        third.play(4, seed)
        asked = demandable(third, hero)
    assert third.command(third.seats[hero], {"type": "demand", "decision": "parts", "part": asked}).status_code == 201
    read = next(one for one in third.get("book", third.seats[hero]).json()["disclosed"] if one["part"] == asked)
    assert read["text"]
    assert read["text"][0] in third.get("book", third.seats[hero], accept="text/markdown").text.replace("\\", "")
