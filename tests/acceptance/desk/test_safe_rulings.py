"""Rulings that are tried first, amendments that a rewind undoes, disputes that are reopened, over HTTP."""

import re
from typing import Any

import httpx
import pytest

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.desk.test_disputes import CLAIM, dispute, told
from tests.acceptance.driving import Table, problem

GAIN = [{"gain": {"trait": "might", "steps": 1}}]
AMEND = {"outcome": "amend", "reasons": "One Might too few.", "you": 1, "do": GAIN}


def might(table: Table, token: str, seat: int = 1) -> int:
    value: int = table.get("view", token).json()["explorers"][seat]["traits"]["might"]["value"]
    return value


def claimed(table: Table, seat: int, first: int, last: int | None = None, **more: object) -> int:
    """A dispute; its number."""
    asked = {"from": first, "to": last or first, "claim": CLAIM, **more}
    opened = table.post("disputes", table.seats[seat], asked)
    assert opened.status_code == 201, opened.text
    return int(opened.headers["location"].rpartition("/")[2])


def ruled(table: Table, number: int, ruling: dict[str, Any], token: str = "") -> httpx.Response:
    return table.post(f"disputes/{number}/ruling", token or table.referee, ruling)


def tried(table: Table, number: int, ruling: dict[str, Any], token: str = "") -> dict[str, Any]:
    answer = ruled(table, number, {**ruling, "dry_run": True}, token)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def traits(diff: dict[str, Any]) -> list[str]:
    return [change["id"] for change in diff["changes"] if change["topic"] == "trait"]


def exact(table: Table) -> bool:
    table.post("close", table.host)
    return audit(read_export(table.get("export", table.referee).content.splitlines())).outcome is Outcome.EXACT


def test_a_ruling_is_tried_for_every_role_and_changes_nothing(table: Table) -> None:
    number = claimed(table, 1, 5)
    before = table.get("disputes", table.referee).json(), table.get("events", table.referee).json()
    key = {"Idempotency_Key": "the-ruling-on-dispute-1"}

    answer = table.post("disputes/1/ruling", table.referee, {**AMEND, "dry_run": True}, **key)

    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert (shown["version"], shown["asks"], shown["undoes"], shown["consults"]) == (table.version(), [], [], [])
    assert [(one["role"], one["you"]) for one in shown["diffs"]] == [
        *[(f"seat:{seat}", seat) for seat in range(3)],
        ("spectators", None),
        ("referee", None),
    ]
    assert all(traits(diff) == ["seat:1/might"] for diff in shown["diffs"])
    assert (table.get("disputes", table.referee).json(), table.get("events", table.referee).json()) == before
    assert table.get("trace?from=1", table.referee).text.count("unfit") == 0
    value = might(table, table.spectator)
    assert table.post("disputes/1/ruling", table.referee, AMEND, **key).status_code == 201
    assert might(table, table.spectator) > value
    assert dispute(table, table.seats[0], number)["dispute"]["outcome"] == "amend"


def test_what_is_refused_is_refused_in_a_dry_run_too(table: Table) -> None:
    claimed(table, 1, 5)
    for ruling, status, code in (
        ({**AMEND, "do": [{"lose": {"trait": "luck"}}]}, 422, "unfit-amendment"),
        ({"outcome": "rewind", "to": 1, "reasons": "Back."}, 422, "unfit-span"),
        ({"outcome": "rewind", "to": 4, "reasons": "Back.", "reapply": [7]}, 422, "unfit-ruling"),
        ({"outcome": "stands", "reasons": "So.", "reapply": [1]}, 422, "unfit-ruling"),
        ({"outcome": "rewind", "reasons": "Back."}, 422, "unfit-ruling"),
    ):
        assert [problem(ruled(table, 1, {**ruling, "dry_run": dry}), status, code)["detail"] for dry in (True, False)]
    for to, said in (
        (1, "the game had not started at commit 1"),
        (99, "play can go back to a commit before 6, not to 99"),
    ):
        refused = problem(ruled(table, 1, {"outcome": "rewind", "to": to, "reasons": "Back."}), 422, "unfit-span")
        assert refused["errors"] == [{"pointer": "/to", "detail": said}]
    problem(ruled(table, 1, {**AMEND, "dry_run": True}, table.seats[1]), 403, "forbidden")
    problem(ruled(table, 2, {**AMEND, "dry_run": True}), 404, "not-found")
    problem(ruled(table, 1, {**AMEND, "dry_run": "yes"}), 400, "invalid-body")


def test_a_ruling_that_was_tried_is_not_made_of_a_game_that_has_moved_on(table: Table) -> None:
    table.play(2)
    number, ruling = claimed(table, 1, 6), {"outcome": "rewind", "to": 5, "reasons": "Back."}
    shown = tried(table, number, ruling)
    match = {"If_Match": f'"{shown["version"]}"', "Idempotency_Key": "the-ruling-that-was-tried"}
    table.play(1)

    for dry in (True, False):
        answer = table.post(f"disputes/{number}/ruling", table.referee, {**ruling, "dry_run": dry}, **match)
        assert problem(answer, 412, "stale-version")["current_version"] == table.version()

    assert dispute(table, table.referee, number)["dispute"]["outcome"] == ""
    match["If_Match"] = f'"{tried(table, number, ruling)["version"]}"'
    for _ in range(2):
        assert table.post(f"disputes/{number}/ruling", table.referee, ruling, **match).status_code == 201, "or a retry"


def test_a_dry_run_says_of_every_role_what_comes_of_the_ruling(client: httpx.Client) -> None:
    """In the middle of a step, too: who is asked about a roll reads what it is for, in both."""
    setup = {"first_seat": 0, "tiles": ["bloody-room", "gardens"], "item": ["angel-feather"], "event": ["the-voice"]}
    table = Table.open(client, setup=setup)
    for verb in ("explore", "end-turn", "end-turn", "end-turn", "explore"):
        token = table.awaited()
        wanted = [one for one in table.listed(token) if one["type"] == verb]
        assert table.command(token, wanted[0]).status_code == 201
    asked = table.get("decisions", table.seats[0]).json()["yours"][0]["text"]
    assert re.fullmatch(r"Before the roll for The Voice: use a card, or pass\. .+; Knowledge \d gives .+", asked)
    half_done = table.version()
    for to in (half_done - 1, half_done):
        number, version, ruling = (
            claimed(table, 1, 6),
            table.version() + 1,
            {"outcome": "rewind", "to": to, "reasons": "So."},
        )
        foreseen = tried(table, number, ruling)["diffs"]
        assert ruled(table, number, ruling).status_code == 201
        roles = (*table.seats, table.spectator, table.referee)
        came = [table.get(f"diff?from={version - 1}&to={version}", token).json() for token in roles]
        assert [one["changes"] for one in foreseen] == [one["changes"] for one in came]
        assert asked in str(foreseen[0]["changes"])


def test_a_dry_run_rolls_no_dice(table: Table) -> None:
    claimed(table, 1, 5)
    rolls = {**AMEND, "do": [{"roll": {"dice": 2}, "outcomes": {"1+": GAIN, "0": []}}]}

    shown = tried(table, 1, rolls)

    assert shown["consults"] == [{"kind": "dice", "about": "dice", "dice": 2}]
    assert shown["follows"] == ["Then 2 dice are rolled; what follows can't be shown beforehand."]
    assert not any(traits(diff) for diff in shown["diffs"])


DRAWS = {**AMEND, "do": [*GAIN, {"draw": {"deck": "event"}}, {"move": {"to": "foyer"}}]}


def test_a_dry_run_says_where_a_draw_ends_what_can_be_foretold(table: Table) -> None:
    """Nobody is asked for the card, and nothing says which it is; what comes before it is told."""
    claimed(table, 1, 5)

    shown = tried(table, 1, DRAWS)

    assert shown["follows"] == ["Then a card of the event deck is drawn; what follows can't be shown beforehand."]
    assert all(traits(diff) == ["seat:1/might"] for diff in shown["diffs"])
    assert not {"awaited", "decision", "card"} & {one["topic"] for diff in shown["diffs"] for one in diff["changes"]}
    assert "moderator" not in str(shown)


def test_where_a_moderator_has_the_cards_the_game_waits_for_one(client: httpx.Client) -> None:
    table = Table.open(client, randomness={"source": "moderator"})
    while table.awaited() == table.referee:
        assert table.command(table.referee, table.listed(table.referee)[0]).status_code == 201
    claimed(table, 1, 3)

    shown = tried(table, 1, DRAWS)

    assert shown["follows"] == ["Then a card of the event deck is drawn; what follows can't be shown beforehand."]
    assert "The game waits for the moderator: Turn up a card of the event deck" in str(shown["diffs"][0]["changes"])


def test_a_seat_tries_what_it_proposes_to_the_table_from_what_it_knows(table: Table) -> None:
    table.play(2)
    claimed(table, 1, 5, addressed="table")

    shown = tried(table, 1, AMEND, table.seats[2])

    assert shown["asks"] == [0, 1]
    (mine,) = shown["diffs"]
    assert (mine["you"], traits(mine)) == (2, ["seat:1/might"])
    assert tried(table, 1, {"outcome": "rewind", "to": 5, "reasons": "Back."}, table.seats[2])["asks"] == [0, 1]
    assert dispute(table, table.seats[0])["dispute"]["proposed"] is None


def test_a_rewind_that_undoes_an_amendment_says_so_before_and_after_and_can_apply_it_again(table: Table) -> None:
    table.play(4)
    before, value = table.version(), might(table, table.spectator)
    assert ruled(table, claimed(table, 1, 5), AMEND).status_code == 201
    table.play(2)
    back = {"outcome": "rewind", "to": before, "reasons": "The door was shut."}
    number = claimed(table, 2, before + 1)
    assert dispute(table, table.referee, number)["dispute"]["would_undo"] == [1]
    assert dispute(table, table.seats[0], number)["dispute"]["would_undo"] == []  # whose span it was not told
    assert tried(table, number, back)["undoes"] == [1]

    assert ruled(table, number, back).status_code == 201

    assert might(table, table.spectator) == value
    for token in (*table.seats, table.referee, table.spectator):
        by = dispute(table, token)["dispute"]["undone_by"]
        assert by == {"dispute": 2, "commit": table.version()}
        assert dispute(table, token, 2)["dispute"]["reasons"] == "The door was shut."
    number = claimed(table, 2, before)
    again = {**back, "to": before - 1, "reapply": [1]}
    shown = tried(table, number, again)
    assert (shown["undoes"], shown["reapplies"]) == ([], [1])
    assert ruled(table, number, again).status_code == 201
    assert might(table, table.spectator) > value
    for token in (*table.seats, table.spectator):
        assert dispute(table, token)["dispute"]["undone_by"] is None
        assert dispute(table, token, 3)["dispute"]["reapplied"] == [1]
    assert exact(table)


def test_an_amendment_names_whom_it_is_about_where_it_could_be_several(table: Table) -> None:
    table.play(6)
    events = table.get("events?limit=500", table.referee).json()["events"]
    actors = {one["data"]["number"]: one["data"]["actor"] for one in events}
    first, actor = next((number, actor) for number, actor in actors.items() if number > 5 and actor.startswith("seat"))
    seat = int(actor.removeprefix("seat:"))
    other = (seat + 1) % 3
    nameless = {name: value for name, value in AMEND.items() if name != "you"}
    number = claimed(table, other, first)
    titles = [one["title"] for one in table.get("view", table.referee).json()["explorers"]]

    for dry in (True, False):
        found = problem(ruled(table, number, {**nameless, "dry_run": dry}), 422, "unfit-ruling")
        assert (
            f"could be {titles[other]}, who disputes, or {titles[seat]}, who acted in commit {first}" in found["detail"]
        )
        assert found["errors"] == [{"pointer": "/you", "detail": found["detail"]}]
    gone = problem(ruled(table, number, {**nameless, "you": 5}), 422, "unfit-amendment")
    assert gone["errors"][0] == {"pointer": "/you", "detail": "there is no seat 5: the last one is 2"}
    everybody = [{**GAIN[0], "who": {"each": "explorer"}}]
    assert ruled(table, number, {**nameless, "do": everybody}).status_code == 201
    assert ruled(table, claimed(table, seat, first), nameless).status_code == 201


def test_the_referee_reopens_what_was_ruled_which_stands_until_then(table: Table) -> None:
    claimed(table, 1, 5)
    stands = {"outcome": "stands", "reasons": "It was right.", "precedent": True}
    ruled(table, 1, stands)
    why = {"reasons": "The card says otherwise."}
    for token in (*table.seats, table.spectator, table.host):
        problem(table.post("disputes/1/reopening", token, why), 403, "forbidden")
    problem(table.post("disputes/2/reopening", table.referee, why), 404, "not-found")
    problem(table.post("disputes/1/reopening", table.referee, {}), 400, "invalid-body")

    first = table.post("disputes/1/reopening", table.referee, why, Idempotency_Key="reopened-by-mistake")
    again = table.post("disputes/1/reopening", table.referee, why, Idempotency_Key="reopened-by-mistake")

    assert (first.status_code, again.json()) == (201, first.json())
    problem(table.post("disputes/1/reopening", table.referee, why), 409, "dispute-open")
    problem(table.post("disputes/1/withdrawal", table.seats[1]), 409, "not-your-decision")
    for token in (*table.seats, table.spectator, table.referee):
        shown = dispute(table, token)["dispute"]
        assert (shown["outcome"], shown["reopened"]["reasons"]) == ("", why["reasons"])
        assert [one["outcome"] for one in shown["earlier"]] == ["stands"]
        assert [one["reasons"] for one in table.get("view", token).json()["desk"]["precedents"]] == ["It was right."]
    assert ruled(table, 1, AMEND).status_code == 201
    assert table.get("view", table.spectator).json()["desk"]["precedents"] == []
    assert exact(table)


@pytest.mark.parametrize("public", [False, True])
def test_reasons_are_for_everybody_where_the_ruling_says_so(table: Table, public: bool) -> None:  # noqa: FBT001 -- a parameter
    claimed(table, 1, 5)
    ruled(table, 1, {"outcome": "stands", "reasons": "It was right.", "public": public})
    assert dispute(table, table.seats[0])["dispute"]["reasons"] == ("It was right." if public else "")
    assert any(one["type"] == "ReasonsGiven" for one in told(table, table.spectator)) is public
    assert table.get("view", table.spectator).json()["desk"]["precedents"] == []
