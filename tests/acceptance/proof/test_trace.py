"""Tracing a game over HTTP: what a referee, a seat and a spectator are told of it, as JSON, lines and Markdown."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from content.ledger import ledger
from tests.acceptance.driving import Table, bearer, problem, serving, settings, version_of
from tests.support.shared_stores import empty_store

SETUP = {"first_seat": 0, "tiles": ["charred-room"], "omen": ["skull"]}
EXPLORE = {"type": "explore", "decision": "turn-1", "door": "east"}
BACK = {"type": "move", "decision": "turn-1", "to": "foyer"}
END = {"type": "end-turn", "decision": "turn-1"}
NDJSON, MARKDOWN = "application/x-ndjson", "text/markdown"
FIRST = 6
"""The commit of the first deed in a hotseat game for three."""


def disputed(client: httpx.Client, **asked: Any) -> Table:  # noqa: ANN401 -- the body of a request
    """A game in which seat 0 discovers a room and can't go back, and seat 1 is too early."""
    table = Table.open(client, setup=SETUP, **asked)
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    problem(table.command(table.seats[0], BACK), 409, "illegal-command")
    problem(table.command(table.seats[1], END), 409, "illegal-command")
    return table


def traced(table: Table, token: str, **query: object) -> dict[str, Any]:
    asked = "&".join(f"{name.rstrip('_')}={value}" for name, value in query.items())
    answer = table.get(f"trace?{asked}", token)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def only(table: Table, token: str, number: int = FIRST, **query: Any) -> dict[str, Any]:  # noqa: ANN401 -- the query of a request
    (step,) = traced(table, token, from_=number, to=number, **query)["steps"]
    found: dict[str, Any] = step
    return found


def test_the_referee_is_told_who_did_what_what_came_of_it_and_by_which_rule(client: httpx.Client) -> None:
    table = disputed(client)
    step = only(table, table.referee)
    assert (step["by"], step["did"]) == ("seat:0", "Explore through the east door (1 space)")
    assert step["who"].endswith(" (seat 0)")
    assert step["command"] == EXPLORE
    name = step["who"].removesuffix(" (seat 0)")
    lines = {one["words"]: one["rule"] for one in step["happened"]}
    assert lines[f"{name} draws an omen: Skull."] == "2E-CARD-004"
    assert {one["rule"] for one in step["happened"]} == {one["id"] for one in step["rules"]}
    assert all(one["text"] == ledger()[one["id"]].text for one in step["rules"])
    changed = {one["what"]: (one["before"], one["after"]) for one in step["changes"]}
    assert changed[f"{name}: room"] == ("Entrance Hall", "Charred Room")
    assert changed[f"{name}: spaces spent"] == ("0", "1")
    assert changed["Omens drawn"] == ("0", "1")


def test_the_referee_alone_learns_who_was_told_of_each_line(client: httpx.Client) -> None:
    table = Table.open(client, setup=SETUP)
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    told = {one["type"]: one["told"] for one in only(table, table.referee, told="true")["happened"]}
    assert told["Moved"] == "everybody"
    assert {one["told"] for one in only(table, table.referee)["happened"]} == {""}
    problem(table.get("trace?told=true", table.seats[0]), 403, "forbidden")


def test_what_was_legal_is_what_decisions_listed_at_that_moment(client: httpx.Client) -> None:
    table = Table.open(client, setup=SETUP)
    listed = [one["label"] for one in table.get("decisions", table.seats[0]).json()["yours"][0]["commands"]]
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    for token in (table.referee, table.seats[0]):
        step = only(table, token)
        assert step["legal"]["labels"] == listed
        assert step["did"] in listed
    for token in (table.seats[1], table.spectator):
        step = only(table, token)
        assert (step["legal"], step["did"], step["command"]) == (None, "", None), "it was told to its seat alone"


def test_a_refused_attempt_stands_where_it_was_made_with_the_rule_that_forbids_it(client: httpx.Client) -> None:
    table = disputed(client)
    back, early = only(table, table.referee)["refused"]
    assert (back["by"], back["did"], back["command"]) == ("seat:0", "Move to the Foyer (1 space)", BACK)
    assert (back["problem"], back["because"]) == (
        "illegal-command",
        "there is no way from the Charred Room to the Foyer",
    )
    assert back["rule"]["id"] == "2E-DOOR-001"
    assert (early["by"], early["rule"]["id"]) == ("seat:1", "2E-TURN-001")
    assert [one["refused"] for one in traced(table, table.referee, to=5)["steps"]] == [[]] * 5


def test_a_seat_is_shown_its_own_attempts_and_nobody_else_any(client: httpx.Client) -> None:
    table = disputed(client)
    for role, token, own in (
        ("seat:0", table.seats[0], ["seat:0"]),
        ("seat:1", table.seats[1], ["seat:1"]),
        ("seat:2", table.seats[2], []),
        ("spectator", table.spectator, []),
    ):
        assert [one["by"] for one in only(table, token)["refused"]] == own
        assert [one["by"] for one in only(table, table.referee, as_=role)["refused"]] == own
    assert only(table, table.host)["refused"] == []
    _header, *commits = table.get("export", table.referee).text.splitlines()
    assert not any('"to":"foyer"' in line for line in commits), "no export tells of it"


def test_only_so_many_refusals_are_kept_the_oldest_go_first(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", refusals_per_game=4, refusals_per_seat=3)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client, setup=SETUP)
        for seat in (0, 0, 1, 1, 1, 1):
            answer = table.command(table.seats[seat], {**BACK, "to": "attic"} if seat == 0 else END)
            assert answer.status_code == 409
        kept = [one["by"] for one in only(table, table.referee, 5)["refused"]]
        assert kept == ["seat:0", "seat:1", "seat:1", "seat:1"]


def test_the_box_that_spoke_is_named_to_the_referee_with_its_steps(client: httpx.Client) -> None:
    table = Table.open(
        client,
        setup={"first_seat": 0, "tiles": ["graveyard", "gardens"], "event": ["phone-call"]},
        randomness={"source": "tape", "answers": [{"faces": [0, 1]}, {"faces": [1]}]},
    )
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    (box,) = (one for one in only(table, table.referee)["spoke"] if one["box"] == "card/phone-call#do")
    assert box["title"] == "Phone Call"
    assert box["text"]
    assert box["steps"] == [".0", ".0.1-2.0"]
    assert box["rules"][0].startswith("Roll 2 dice. ")
    (box,) = (one for one in only(table, table.seats[1])["spoke"] if one["box"] == "card/phone-call#do")
    assert box["steps"] == []
    asked = only(table, table.seats[1])["happened"][-1]
    assert (asked["type"], asked["kind"], asked["rule"]) == ("DecisionOpened", "question", "2E-DMG-002")


def test_a_block_that_pieces_share_speaks_for_the_piece_and_an_answer_is_told_with_its_question(
    client: httpx.Client,
) -> None:
    answers = [{"pick": "basement+ground"}, {"faces": [1, 1]}]
    table = Table.open(
        client,
        setup={"first_seat": 0, "tiles": ["mystic-elevator"]},
        randomness={"source": "tape", "answers": answers},
    )
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    (box,) = only(table, table.referee)["spoke"]
    assert box["box"].startswith("tile/mystic-elevator#")
    assert box["title"] == "Mystic Elevator"
    assert box["text"]
    rolled = next(one["words"] for one in only(table, table.seats[1])["happened"] if one["type"] == "DiceRolled")
    assert "rolls 2 for the Mystic Elevator" in rolled
    (asked,) = table.get("decisions", table.seats[0]).json()["yours"]
    chosen = asked["commands"][0]
    assert table.command(table.seats[0], chosen["command"]).status_code == 201
    step = only(table, table.referee, FIRST + 1)
    assert step["did"] == f"Choose where to move the Mystic Elevator: {chosen['label']}"
    assert "2E-TURN-001" not in {one["id"] for one in step["rules"]}


def test_rulings_of_the_game_stand_where_they_had_a_part(client: httpx.Client) -> None:
    house = {"rule": "2E-CARD-004", "ruling": "Cards are read out twice."}
    table = disputed(client, options={"house_rulings": [house]})
    agreed = {"kind": "house", "about": "2E-CARD-004", "text": "Cards are read out twice."}
    agreed["title"] = "2E-CARD-004 (Cards are read out)"
    page = traced(table, table.seats[2])
    assert page["rulings"] == [], "nothing holds before the game is opened"
    assert traced(table, table.seats[2], from_=5)["rulings"] == [agreed]
    assert only(table, table.seats[2])["rulings"] == [agreed]
    assert only(table, table.seats[2], 5)["rulings"] == []
    proposed = {"type": "propose-ruling", "decision": "table", "text": "Dice on the floor count."}
    assert table.command(table.seats[1], proposed).status_code == 201
    for seat in (0, 2):
        consent = {"type": "choose", "decision": "ruling-1", "option": "agree"}
        assert table.command(table.seats[seat], consent).status_code == 201
    assert only(table, table.referee, FIRST + 2)["did"] == "Agree"
    assert table.command(table.seats[0], END).status_code == 201
    later = traced(table, table.referee, from_=FIRST + 4)["rulings"]
    assert later == [
        agreed,
        {"kind": "table", "about": "1", "title": "ruling 1", "text": "Dice on the floor count."},
    ]


def test_a_long_trace_comes_in_pages_in_lines_and_as_text(client: httpx.Client) -> None:
    table = disputed(client)
    table.play(30)
    head = table.version()
    pages, after = [], 0
    while True:
        page = traced(table, table.referee, from_=3, limit=7, after=after)
        assert (page["first"], page["last"], page["version"], page["role"]) == (3, head, head, "referee")
        pages.append([step["number"] for step in page["steps"]])
        if page["next"] is None:
            break
        after = page["next"]
    assert [number for page in pages for number in page] == list(range(3, head + 1))
    assert {len(page) for page in pages[:-1]} == {7}
    whole = traced(table, table.referee, from_=3, limit=1000)["steps"]

    lines = table.get("trace?from=3", table.referee, Accept=NDJSON)
    assert lines.headers["content-type"] == NDJSON
    assert [json.loads(line) for line in lines.text.splitlines()] == whole

    text = table.get("trace?from=3", table.referee, Accept=MARKDOWN)
    assert text.headers["content-type"].startswith(MARKDOWN)
    assert [int(number) for number in re.findall(r"^## (\d+) ·", text.text, re.MULTILINE)] == list(range(3, head + 1))
    for rule in {rule["id"] for step in whole for rule in step["rules"]}:
        assert f"- **{rule}** " in text.text
    assert version_of(text) == head
    assert text.headers["cache-control"] == "private, no-store"


def test_spans_that_are_none_are_refused(client: httpx.Client) -> None:
    table = disputed(client)
    head = table.version()
    backward = problem(table.get("trace?from=4&to=3", table.seats[0]), 422, "unfit-span")
    assert backward["errors"][0]["pointer"] == "from"
    assert "from 3 to 4" in backward["detail"]
    for query in (f"to={head + 1}", f"from={head + 1}"):
        for accept in ("application/json", NDJSON, MARKDOWN):
            ahead = problem(table.get(f"trace?{query}", table.referee, Accept=accept), 409, "ahead-of-log")
            assert ahead["current_version"] == head
    for accept in ("application/json", NDJSON, MARKDOWN):
        problem(table.get("trace?to=4&after=5", table.referee, Accept=accept), 422, "unfit-span")
    assert traced(table, table.referee, to=4, after=4)["steps"] == []
    for query in ("from=0", "to=0", "from=x", "to=null", "limit=0", "from=1&from=2", "as=traitor"):
        problem(table.get(f"trace?{query}", table.referee), 400, "invalid-parameter")
    problem(table.get("trace", table.referee, Accept="text/html"), 406, "not-acceptable")
    problem(client.get(f"{table.path}/trace"), 401, "unauthorized")
    problem(client.get("/v1/games/" + "a" * 20 + "/trace", headers=bearer(table.referee)), 403, "forbidden")


def test_a_delayed_spectator_is_told_no_more_than_its_view_shows(client: httpx.Client) -> None:
    table = disputed(client, options={"spectator_delay": 2})
    assert table.command(table.seats[0], END).status_code == 201
    seen = table.get("view", table.spectator).json()["version"]
    page = traced(table, table.spectator)
    assert (page["last"], page["version"], page["steps"][-1]["number"]) == (seen, seen, seen)
    assert traced(table, table.referee, **{"as": "spectator"}) == page
    problem(table.get(f"trace?to={seen + 1}", table.spectator), 409, "ahead-of-log")


def test_a_deadline_that_ran_out_is_told_as_such(tmp_path: Path) -> None:
    with serving(settings(tmp_path / "log.db")) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client, setup=SETUP, options={"deadline": {"seconds": 1}})
        while table.version() < FIRST:
            table.get("decisions", table.referee)  # the test's clock ticks at each look
        step = only(table, table.referee)
    assert step["by"] == "clock"
    assert step["who"].startswith("The clock, for ")
    assert re.fullmatch(r"Time ran out at \S+: End the turn", step["did"])


def test_refusals_are_shared_by_all_who_serve_a_redis(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    store = empty_store("redis", request, tmp_path)
    with (
        serving(settings(store)) as one,
        serving(settings(store)) as other,
        httpx.Client(base_url=one, timeout=20) as client,
        httpx.Client(base_url=other, timeout=20) as elsewhere,
    ):
        table = disputed(client)
        there = Table(elsewhere, table.opened)
        assert only(there, table.referee) == only(table, table.referee)
        assert len(only(there, table.referee)["refused"]) == 2


# -- finding ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A game of some turns, in which seat 0 and seat 1 tried something after its first deed and were refused."""
    with (
        serving(settings(tmp_path_factory.mktemp("long") / "log.db")) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        table = disputed(client, seats=[{"name": "Ann"}, {"name": "Bo"}, {}])
        table.play(70)
        yield table


def whole(table: Table, **query: object) -> list[dict[str, Any]]:
    """All steps, page by page."""
    steps: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = traced(table, table.referee, **query, after=after)
        steps += page["steps"]
        after = page["next"]
    return steps


def numbers(steps: list[dict[str, Any]]) -> list[int]:
    return [step["number"] for step in steps]


def test_every_step_knows_its_turn_and_one_turn_is_found_with_the_step_that_began_it(long_game: Table) -> None:
    steps = whole(long_game)
    assert [step["turn"] for step in steps[:FIRST]] == [0, 0, 0, 0, 0, 1]
    for before, after in itertools.pairwise(steps):
        began = [one for one in before["happened"] if one["type"] == "TurnStarted"]
        assert after["turn"] == before["turn"] + len(began)
    assert steps[-1]["turn"] >= 3
    found = whole(long_game, turn=2)
    assert [step for step in steps if step["turn"] == 2] == found[1:]
    assert "TurnStarted" in {one["type"] for one in found[0]["happened"]}
    assert {step["round"] for step in steps} == {0}
    assert whole(long_game, round=0) == steps
    assert whole(long_game, round=1) == []


def test_steps_are_found_by_seat_rule_room_card_and_words(long_game: Table) -> None:
    steps = whole(long_game)
    mine = [step for step in steps if step["by"] == "seat:1" or "seat:1" in {one["by"] for one in step["refused"]}]
    assert whole(long_game, seat=1) == mine
    assert FIRST in numbers(mine), "there it was refused"

    drawn = [step for step in steps if "2E-CARD-004" in {one["id"] for one in step["rules"]}]
    assert whole(long_game, rule="2E-CARD-004") == drawn != []
    assert numbers(whole(long_game, rule="2E-DOOR-001")) == [FIRST], "by which an attempt was refused"

    assert numbers(whole(long_game, card="skull", from_=FIRST))[0] == FIRST
    assert whole(long_game, card="Skull") == whole(long_game, card="skull")
    charred = whole(long_game, room="charred-room", from_=FIRST)
    assert numbers(charred)[0] == FIRST
    assert whole(long_game, room="Charred Room", from_=FIRST) == charred
    told = [step for step in steps[FIRST - 1 :] if "charred room" in json.dumps({**step, "legal": None}).lower()]
    assert set(numbers(told)) <= set(numbers(charred)) < set(numbers(steps))

    assert whole(long_game, grep="CHARRED  room", from_=FIRST) == told
    assert whole(long_game, grep="charred room", seat=0, turn=1, from_=FIRST) == [
        step for step in told if step["by"] == "seat:0" and step["turn"] == 1
    ]


def test_where_somebody_stood_is_where_it_was_done(long_game: Table) -> None:
    """Ending a turn names no room, and yet happens in one."""
    view = long_game.get(f"view?at={FIRST}", long_game.referee).json()
    assert view["explorers"][0]["room"] == "charred-room"
    following = whole(long_game, from_=FIRST + 1, room="charred-room", seat=0, turn=1)
    assert "End the turn" in {step["did"] for step in following}


def test_what_was_legal_is_left_out_and_the_rest_is_the_same(long_game: Table) -> None:
    steps = whole(long_game)
    assert any(step["legal"] for step in steps)
    assert whole(long_game, legal="false") == [{**step, "legal": None} for step in steps]


def test_players_are_named_to_those_who_ask_as_long_as_their_names_are_kept(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    with serving(settings(store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = disputed(client, seats=[{"name": "Ann"}, {"name": "Bo_"}, {}])
        named, plain = only(table, table.referee, names="true"), only(table, table.referee)
        assert named == {**plain, "who": plain["who"].replace("(seat 0)", "(seat 0, Ann)")}
        query = f"trace?from={FIRST}&names=true"
        text = table.get(query, table.spectator, Accept=MARKDOWN)
        assert "(seat 0, Ann)" in text.text
        text = table.get(query, table.referee, Accept=MARKDOWN)
        assert r"*refused after it* seat:1 (Bo\_) ·" in text.text

        assert table.post("seats/0/replace", table.host).status_code == 201
        invite = table.post("seats/0/replace", table.host)
        assert invite.status_code == 201
        taken = table.client.post(
            f"{table.path}/seats/0/claim", json={"invite": invite.json()["invite"]["secret"], "name": "Cy"}
        )
        assert taken.status_code == 201, taken.text
        assert "(seat 0)" in only(table, table.referee, names="true")["who"], "Cy has not done what Ann did"

        command = [sys.executable, "-m", "service.cli", "erase", table.id]
        subprocess.run(command, env={"OMENLOG_STORE": f"sqlite:///{store}"}, capture_output=True, check=True)
        again = table.get(query, table.referee, Accept=MARKDOWN, **{"If-None-Match": text.headers["etag"]})
        assert (again.status_code, "Bo" in again.text) == (200, False)


def test_a_filter_that_nothing_passes_says_so(long_game: Table) -> None:
    query = "trace?turn=2&rule=2E-DOOR-001"
    page = traced(long_game, long_game.referee, turn=2, rule="2E-DOOR-001")
    assert (page["steps"], page["next"]) == ([], None)
    text = long_game.get(query, long_game.referee, Accept=MARKDOWN).text
    assert text.endswith("\nNo step has turn 2 and the rule 2E-DOOR-001.\n")
    assert "\n\nOnly steps with turn 2 and the rule 2E-DOOR-001.\n" in text
    assert long_game.get(query, long_game.referee, Accept=NDJSON).text == ""


def test_filters_hold_in_every_form(long_game: Table) -> None:
    steps = whole(long_game, seat=0, legal="false")
    query = "trace?seat=0&legal=false"
    lines = long_game.get(query, long_game.referee, Accept=NDJSON).text
    assert [json.loads(line) for line in lines.splitlines()] == steps
    text = long_game.get(query, long_game.referee, Accept=MARKDOWN).text
    headings = re.findall(r"^## (\d+)(?: · turn (\d+))? ·", text, re.MULTILINE)
    assert headings == [(str(step["number"]), str(step["turn"] or "")) for step in steps]
    assert "legal then" not in text


def test_a_page_looks_at_so_many_commits_and_then_goes_on(long_game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = numbers(whole(long_game, rule="2E-DOOR-001", seat=1))
    monkeypatch.setattr("service.games.read.tracing.LOOKED_AT", 4)
    page = traced(long_game, long_game.referee, rule="2E-DOOR-001", seat=1)
    assert (page["steps"], page["next"]) == ([], 4)
    assert numbers(whole(long_game, rule="2E-DOOR-001", seat=1)) == wanted == [FIRST]
    page = traced(long_game, long_game.referee, seat=0, from_=FIRST, limit=1)
    assert numbers(page["steps"]) == [FIRST]
    assert page["next"] == FIRST


def test_nothing_can_be_looked_for_that_the_game_does_not_have(long_game: Table) -> None:
    for query, code, field, said in (
        ("rule=2E-DOOR-999", "unknown-rule", "rule", "2E-DOOR-999 is not a rule of this edition"),
        ("rule=3E-MOVE-001", "unknown-rule", "rule", "did you mean"),
        ("seat=4", "unfit-filter", "seat", "the game has seats 0 to 2"),
        ("room=chared-room", "unfit-filter", "room", "`charred-room`"),
        ("room=skull", "unfit-filter", "room", "no room 'skull'"),
        ("card=attic", "unfit-filter", "card", "no card 'attic'"),
    ):
        for accept in ("application/json", NDJSON, MARKDOWN):
            answer = problem(long_game.get(f"trace?{query}", long_game.referee, Accept=accept), 422, code)
            assert answer["errors"][0]["pointer"] == field
            assert said in answer["detail"], answer
    for query in ("turn=-1", "turn=x", "seat=6", "legal=maybe"):
        problem(long_game.get(f"trace?{query}", long_game.referee), 400, "invalid-parameter")


def test_beginning_and_going_back_are_about_what_they_change_and_not_about_all_there_is(client: httpx.Client) -> None:
    """And what is disputed is disputed in no room."""
    table = disputed(client)
    claim = {"from": FIRST, "to": FIRST, "claim": "No."}
    assert table.post("disputes", table.seats[1], claim).status_code == 201
    ruling = {"outcome": "rewind", "to": FIRST - 1, "reasons": "Once more."}
    assert table.post("disputes/1/ruling", table.referee, ruling).status_code == 201
    back = table.version()
    for token in (table.referee, table.seats[0], table.spectator):
        for asked, about in (
            ({"room": "attic"}, []),
            ({"card": "axe"}, []),
            ({"room": "charred-room"}, [FIRST, back]),
            ({"card": "skull"}, [FIRST, back]),
            ({"room": "Entrance Hall"}, [FIRST, back]),
        ):
            steps = traced(table, token, from_=FIRST if about else FIRST - 1, **asked)["steps"]
            assert [step["number"] for step in steps] == about, asked


def test_bookkeeping_that_pages_leave_out_is_not_searched(long_game: Table) -> None:
    notes = [one["words"] for step in whole(long_game) for one in step["happened"] if one["kind"] == "note"]
    assert any(words.startswith("Chance answers “") for words in notes)
    assert whole(long_game, grep="chance%20answers") == []


def test_a_seat_can_not_look_for_what_only_haunt_books_name(long_game: Table) -> None:
    """What a haunt brings into the house is in its book; before that not even its name can be tried (2E-SEC-001)."""
    assert whole(long_game, card="glass-key") == []
    asked = problem(long_game.get("trace?card=glass-key", long_game.seats[0]), 422, "unfit-filter")
    made_up = problem(long_game.get("trace?card=glass-kex", long_game.seats[0]), 422, "unfit-filter")
    assert asked["detail"].replace("glass-key", "glass-kex") == made_up["detail"]


def test_a_seat_finds_no_more_than_its_own_trace_tells(long_game: Table) -> None:
    for token, role in ((long_game.seats[1], "seat:1"), (long_game.spectator, "spectators")):
        own = traced(long_game, token, limit=1000)["steps"]
        found = traced(long_game, token, limit=1000, seat=1)["steps"]
        assert found
        assert all(step in own for step in found), role
        assert all(step["by"] == "seat:1" or step["refused"] for step in found)
