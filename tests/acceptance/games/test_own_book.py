"""A haunt from the players' own printed books, over HTTP: entered, hidden from the other side, consented to, played, audited."""

import json
from typing import Any

import httpx
import msgspec
import pytest

from content.load.digest import decode_pack
from domain.facts.audience import seat_bit
from domain.game import rules_for
from projections.view.game import view_of
from service.audit.verdict import Outcome, audit
from service.log.exported import read_export, replay
from tests.acceptance.driving import Table, problem
from tests.support.lamps import LIGHT, PIECES, SHADES

TRAITOR = 1
"""Number 20 on the chart without Vivian Lopez: the player on the revealer's left."""
ROLLS = [{"faces": [0] * 6}, {"faces": [2, 2, 2]}]
"""The haunt roll, then Knowledge of Ox Bellows."""


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """The haunt has just been revealed."""
    table = Table.open(
        client,
        seats=[{"character": name} for name in ("ox-bellows", "zoe-ingstrom", "jenny-leclerc")],
        options={"haunt": "external"},
        setup={"first_seat": 0, "tiles": ["charred-room", "attic"], "omen": ["ring"]},
        randomness={"source": "tape", "answers": ROLLS},
    )
    for command in (
        {"type": "explore", "decision": "turn-1", "door": "east"},
        {"type": "end-turn", "decision": "turn-1"},
    ):
        assert table.command(table.seats[0], command).status_code == 201
    return table


def enter(table: Table, token: str, entry: dict[str, Any], **more: str) -> httpx.Response:
    return table.command(token, {"type": "enter", "decision": "book", "entry": entry, **more})


def haunt(table: Table, token: str) -> dict[str, Any]:
    found = table.get("view", token).json()["haunt"]
    assert isinstance(found, dict)
    return found


def answer_all(table: Table, kind: str, option: str) -> None:
    """Everybody who is asked in this way answers so."""
    for token in (*table.seats, table.referee):
        for decision in table.get("decisions", token).json()["yours"]:
            if decision["kind"] == kind:
                command = {"type": "choose", "decision": decision["id"], "option": option}
                assert table.command(token, command).status_code == 201


def test_a_group_enters_its_haunt_and_plays_it(table: Table) -> None:
    shown = haunt(table, table.spectator)
    assert (shown["number"], shown["title"], shown["traitor"]) == (20, "Ghost Bride", TRAITOR)
    assert enter(table, table.seats[2], PIECES | LIGHT).status_code == 201
    assert enter(table, table.seats[TRAITOR], SHADES).status_code == 201
    asked = table.get("decisions", table.seats[0]).json()["yours"][-1]
    assert asked["entry"]["entry"]["monsters"]["shade"]["title"] == "Shade"
    answer_all(table, "consent", "yes")
    answer_all(table, "ready", "ready")

    light = {"type": "act", "decision": "turn-2", "source": "haunt:heroes", "word": "LIGHT"}
    while (acting := table.awaited()) == table.seats[TRAITOR] or light not in table.listed(acting):
        turn = table.get("view", acting).json()["turn"]["decision"]
        assert table.command(acting, {"type": "end-turn", "decision": turn}).status_code == 201
        light["decision"] = table.get("view", table.spectator).json()["turn"]["decision"]
    assert table.command(acting, light).status_code == 201

    assert [(one["name"], one["value"]) for one in haunt(table, table.spectator)["counters"]] == [
        ("lamps", 1),
        ("gloom", 0),
    ]
    assert [one["title"] for one in table.get("view", table.spectator).json()["monsters"]] == ["Shade 1", "Shade 2"]


def test_such_a_game_is_audited_and_replayed_for_each_role(table: Table) -> None:
    enter(table, table.seats[2], PIECES | LIGHT)
    enter(table, table.seats[TRAITOR], SHADES)
    answer_all(table, "consent", "yes")
    end = {"do": [{"win": {"side": "heroes", "because": "The bride has fled."}}]}
    assert enter(table, table.referee, end).status_code == 201

    exported = read_export(table.get("export", table.referee).content.splitlines())

    assert audit(exported).outcome is Outcome.EXACT
    rules = rules_for(decode_pack(bytes(exported.header.pack)))
    before = table.version() - 1
    for principal, token in ((seat_bit(0), table.seats[0]), (seat_bit(TRAITOR), table.seats[TRAITOR])):
        replayed = view_of(rules, replay(exported, principal, before), principal)
        assert json.loads(msgspec.json.encode(replayed)) == table.get(f"view?at={before}", token).json()


def test_the_other_side_reads_nothing_of_it(table: Table) -> None:
    enter(table, table.seats[2], LIGHT | {"actions": []})
    for token, reads in (
        (table.seats[0], True),
        (table.referee, True),
        (table.seats[TRAITOR], False),
        (table.spectator, False),
    ):
        said = "Any room will do for a lamp."
        assert (said in table.get("view", token).text) == reads
        assert (said in table.get("events?limit=500", token).text) == reads


def test_mistakes_are_told_with_pointers_into_the_body(table: Table) -> None:
    version = table.version()
    entry = {"do": [{"dammage": {}}, {"move": {"to": "cript"}}]}
    found = problem(enter(table, table.seats[0], entry), 422, "unfit-entry")
    assert found["errors"] == [
        {"pointer": "/entry/do/0/dammage", "detail": "unknown field `dammage` in Effect: did you mean `damage`?"}
    ]
    found = problem(enter(table, table.seats[0], {"do": entry["do"][1:]}), 422, "unfit-entry")
    assert found["errors"] == [{"pointer": "/entry/do/0/move/to", "detail": "no tile `cript`: did you mean `crypt`?"}]
    assert table.version() == version


@pytest.mark.parametrize(
    "command,status,code",
    [
        ({"entry": []}, 400, "invalid-body"),
        ({"entry": None}, 400, "invalid-body"),
        ({}, 400, "invalid-body"),
        ({"entry": {}, "book": "both"}, 400, "invalid-body"),
        ({"entry": {"notes": {"a": "b"}}, "book": "traitor"}, 409, "not-your-book"),
        ({"entry": {"notes": {"a": "b"}}, "decision": "turn-1"}, 409, "decision-closed"),
        ({"entry": {"notes": {"a": None}}}, 422, "unfit-entry"),
        ({"entry": {"notes": {"": "b"}}}, 422, "unfit-entry"),
        ({"entry": {"traitor": 1e300}}, 422, "unfit-entry"),
        ({"entry": {"traitor": True}}, 422, "unfit-entry"),
        ({"entry": {"you": {}}}, 422, "unfit-entry"),
        ({"entry": {"do": [None]}}, 422, "unfit-entry"),
        ({"entry": {"do": [{"stop": "turn"}] * 500}}, 422, "unfit-entry"),
    ],
)
def test_bad_input_is_a_problem_and_changes_nothing(
    table: Table, command: dict[str, Any], status: int, code: str
) -> None:
    version = table.version()
    problem(table.command(table.seats[0], {"type": "enter", "decision": "book", **command}), status, code)
    assert table.version() == version


def test_nobody_enters_into_a_haunt_of_the_pack_or_as_a_spectator(table: Table, client: httpx.Client) -> None:
    note = {"notes": {"a": "b"}}
    problem(enter(table, table.spectator, note), 403, "forbidden")
    other = Table.open(client)
    problem(enter(other, other.seats[0], note), 409, "nothing-to-enter")
    opening = {"edition": "second", "seats": [{}, {}, {}], "options": {"consent": "referee"}}
    problem(client.post("/v1/games", json=opening), 422, "unfit-options")
