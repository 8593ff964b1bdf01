"""What if, over HTTP: sandboxes, dry runs, odds. Nothing of it happens in the game itself."""

from __future__ import annotations

import json
from typing import Any

import httpx

from service.audit.verdict import Outcome, audit
from service.log.exported import parse_export, read_export
from tests.acceptance.driving import Table, bearer, problem

END = {"type": "end-turn"}


def sandbox(table: Table, token: str, **asked: object) -> Table:
    """Make a fork, and take it in hand; without a referee's token the host's is in its place."""
    answer = table.post("forks", token, dict(asked))
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert answer.headers["location"] == f"/v1/games/{made['game']['id']}"
    tokens = made["tokens"]
    return Table(table.client, {**made, "tokens": {"referee": tokens["host"], **tokens}})


def turn_of(table: Table) -> tuple[str, str]:
    """The token of whoever's turn it is, and the turn's decision."""
    turn = table.get("view", table.referee).json()["turn"]
    return table.seats[turn["seat"]], turn["decision"]


def everything(table: Table) -> list[bytes]:
    """What every role can read of a game."""
    roles = (*table.seats, table.referee, table.spectator, table.host)
    reads = ("view", "decisions", "events?limit=1000", "export")
    public = [table.client.get(path).content for path in (table.path, f"{table.path}/heads?limit=1000")]
    return [*public, *(table.get(read, token).content for token in roles for read in reads)]


# -- sandboxes ----------------------------------------------------------------------------------------------------------


def test_nothing_that_happens_in_a_sandbox_is_told_in_the_game(table: Table) -> None:
    table.play(8)
    before = everything(table)
    for token in (table.referee, table.seats[0], table.spectator):
        fork = sandbox(table, token)
        for seat in fork.seats:
            listed = fork.listed(seat)
            if listed:
                assert fork.command(seat, listed[0]).status_code == 201
        assert fork.post("close", fork.host).status_code == 201
    assert everything(table) == before


def test_the_referees_sandbox_begins_with_what_is_true_for_every_role(table: Table) -> None:
    table.play(10)
    fork = sandbox(table, table.referee)
    for mine, theirs in zip(
        (*table.seats, table.referee, table.spectator), (*fork.seats, fork.referee, fork.spectator), strict=True
    ):
        before, after = (one.get("view", token).json() for one, token in ((table, mine), (fork, theirs)))
        assert after["sandbox"] == {"of": table.id, "at": table.version(), "sampled": False}
        for view in (before, after):
            for own in ("game", "version", "sandbox", "options", "arranged"):
                del view[own]
        assert after == before
        assert fork.listed(theirs) == table.listed(mine)


def test_a_seats_sandbox_agrees_with_all_that_the_seat_saw_and_hands_it_every_seat(table: Table) -> None:
    table.play(10)
    fork = sandbox(table, table.seats[1])
    assert fork.opened["tokens"]["referee"]["id"] == "host", "there is none"
    assert fork.opened["game"]["fork"]["sampled"]
    before, after = table.get("view", table.seats[1]).json(), fork.get("view", fork.seats[1]).json()
    assert [after[part] for part in ("rooms", "explorers", "decks", "haunt", "waiting")] == [
        before[part] for part in ("rooms", "explorers", "decks", "haunt", "waiting")
    ]
    assert fork.listed(fork.seats[1]) == table.listed(table.seats[1])
    for _ in range(6):
        token = next(seat for seat in fork.seats if fork.listed(seat))
        assert fork.command(token, fork.listed(token)[0]).status_code == 201


def test_a_sandbox_of_an_earlier_commit_begins_there(table: Table) -> None:
    table.play(10)
    at = table.version() - 8
    fork = sandbox(table, table.seats[0], at=at)
    then = table.get(f"view?at={at}", table.seats[0]).json()
    assert fork.get("view", fork.seats[0]).json()["explorers"] == then["explorers"]
    later = table.post("forks", table.seats[0], {"at": at + 99})
    assert problem(later, 409, "ahead-of-log")["current_version"] == table.version()


def test_a_sandbox_is_marked_wherever_it_is_shown_and_is_in_no_public_list(client: httpx.Client) -> None:
    table = Table.open(client, options={"listed": True})
    fork = sandbox(table, table.seats[0])
    shown = fork.opened["game"]["fork"]
    assert (shown["of"], shown["at"], shown["sampled"]) == (table.id, table.version(), True)
    assert client.get(fork.path).json()["fork"] == shown
    assert client.get(fork.path).json()["arranged"]
    header = json.loads(fork.get("export", fork.seats[0]).text.splitlines()[0])
    assert header["fork"] == shown
    listed: list[str] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        asked = {"limit": "7", **({"after": page["next"]} if page["next"] else {})}
        page = client.get("/v1/games", params=asked).json()
        listed += [game["id"] for game in page["games"]]
    assert table.id in listed
    assert fork.id not in listed


def test_sandboxes_are_listed_to_their_makers_and_to_the_referee(table: Table) -> None:
    mine, theirs = sandbox(table, table.seats[0]), sandbox(table, table.seats[1])
    for token, forks in ((table.seats[0], [mine.id]), (table.seats[1], [theirs.id]), (table.spectator, [])):
        assert [one["game"] for one in table.get("forks", token).json()["forks"]] == forks
    all_of_them = table.get("forks", table.referee).json()["forks"]
    assert [(one["game"], one["by"]) for one in all_of_them] == [(mine.id, "seat-0"), (theirs.id, "seat-1")]
    problem(table.get("forks", mine.seats[0]), 403, "forbidden")


def test_a_retry_with_its_key_gets_the_same_sandbox_and_its_tokens(table: Table) -> None:
    key = {"Idempotency_Key": "a-key-that-nobody-guesses"}
    first = table.post("forks", table.seats[0], {}, **key)
    fork = Table(
        table.client, {**first.json(), "tokens": {"referee": first.json()["tokens"]["host"], **first.json()["tokens"]}}
    )
    fork.post("close", fork.host)
    again = table.post("forks", table.seats[0], {}, **key)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert len(table.get("forks", table.seats[0]).json()["forks"]) == 1
    problem(table.post("forks", table.seats[0], {"at": 4}, **key), 422, "key-reused")
    other = table.post("forks", table.seats[1], {}, **key)
    assert other.json()["game"]["id"] != first.json()["game"]["id"], "another's key is another key"


def test_a_sandbox_may_have_a_tape_and_fresh_dice_behind_it(table: Table) -> None:
    tape = {"source": "tape", "answers": [{"pick": "no-such-thing"}, {"faces": [2] * 6}]}
    fork = sandbox(table, table.referee, randomness=tape)
    for _ in range(8):
        token = next(seat for seat in fork.seats if fork.listed(seat))
        explore = [one for one in fork.listed(token) if one["type"] == "explore"] or fork.listed(token)
        assert fork.command(token, explore[0]).status_code == 201, "nobody has to say what dice showed"
    bad = {"source": "tape", "answers": [{"faces": [1], "pick": "attic"}]}
    problem(table.post("forks", table.referee, {"randomness": bad}), 422, "unfit-tape")
    problem(table.post("forks", table.referee, {"randomness": {"source": "moderator"}}), 400, "invalid-body")


def test_the_export_of_a_sandbox_is_decided_again_from_where_it_began_and_never_imported(
    client: httpx.Client, table: Table
) -> None:
    table.play(10)
    fork = sandbox(table, table.referee)
    fork.play(8)
    fork.post("close", fork.host)
    whole = fork.get("export", fork.referee).content
    verdict = audit(parse_export(whole))
    assert verdict.outcome is Outcome.UNVERIFIED
    assert "sandbox" in verdict.because
    assert verdict.redecided
    lines = whole.split(b"\n")
    lines[5] = lines[5].replace(b'"seat:', b'"seat: ', 1)
    assert audit(read_export(lines)).outcome is Outcome.DIVERGED
    problem(
        client.post("/v1/games/import", content=whole, headers={"Content-Type": "application/x-ndjson"}),
        422,
        "unfit-export",
    )
    assert b"seed" not in fork.get("export", fork.spectator).content.partition(b"\n")[0].replace(b"seeded", b""), (
        "never disclosed"
    )


def test_nothing_leads_out_of_a_sandbox(client: httpx.Client, table: Table) -> None:
    fork = sandbox(table, table.referee)
    problem(fork.post("forks", fork.referee, {}), 409, "is-fork")
    hook = {"url": "https://example.com/omenlog"}
    problem(client.post("/v1/subscriptions", json=hook, headers=bearer(fork.seats[0])), 409, "is-fork")
    key = client.post("/v1/accounts").json()["key"]
    bound = client.put(f"{fork.path}/tokens/seat-0/account", json={"key": key}, headers=bearer(fork.seats[0]))
    problem(bound, 409, "is-fork")


def test_a_game_that_does_not_run_is_not_forked(client: httpx.Client) -> None:
    waiting = Table.open(client, start=False)
    problem(waiting.post("forks", waiting.referee, {}), 409, "not-started")
    waiting.post("start", waiting.host)
    started = waiting.version()
    waiting.post("close", waiting.host)
    problem(waiting.post("forks", waiting.referee, {}), 409, "game-over")
    assert sandbox(waiting, waiting.seats[0], at=started).opened["game"]["status"] == "started"
    problem(waiting.post("forks", waiting.referee, {"at": 1}), 409, "not-started")


# -- dry runs -----------------------------------------------------------------------------------------------------------


def test_a_dry_run_says_what_a_command_would_ask_and_changes_nothing(table: Table) -> None:
    token, decision = turn_of(table)
    before, door = everything(table), next(one for one in table.listed(token) if one["type"] == "explore")
    tried = [table.post("dry-runs", token, door).json() for _ in range(2)]
    assert tried[0] == tried[1]
    assert (tried[0]["legal"], tried[0]["refusal"], tried[0]["instead"]) == (True, None, None)
    assert tried[0]["consults"] == [{"kind": "draw", "stack": "tiles"}]
    move = next(one for one in table.listed(token) if one["type"] == "move")
    assert table.post("dry-runs", token, move).json()["consults"] == [], "done at once"
    assert decision == door["decision"]
    assert everything(table) == before


def test_a_dry_run_is_refused_as_the_command_would_be(table: Table) -> None:
    token, decision = turn_of(table)
    other = next(seat for seat in table.seats if seat != token)
    for who, command in (
        (token, {"type": "move", "decision": decision, "to": "attic"}),
        (token, {"type": "attack", "decision": decision, "target": 1}),
        (token, {"type": "end-turn", "decision": "turn-99"}),
        (other, {**END, "decision": decision}),
        (table.referee, {"type": "answer-chance", "decision": "c1", "pick": "seat:1"}),
    ):
        tried, done = table.post("dry-runs", who, command).json(), table.command(who, command).json()
        assert not tried["legal"]
        assert tried["refusal"]["code"] == done["code"]
        assert tried["refusal"]["detail"] == done["detail"]
        assert tried["refusal"].get("rule") == done.get("rule")
        assert tried["instead"] == done["legal"]
    problem(table.post("dry-runs", table.spectator, {**END, "decision": decision}), 403, "forbidden")
    problem(table.post("dry-runs", token, {"type": "fly"}), 400, "invalid-body")
    entry = {"type": "enter", "decision": "book", "entry": {"do": [None]}}
    assert problem(table.post("dry-runs", token, entry), 422, "unfit-entry")["errors"][0]["pointer"] == "/entry/do/0"


def test_the_referee_tries_as_a_seat_and_as_of_a_commit(table: Table) -> None:
    token, decision = turn_of(table)
    seat = table.seats.index(token)
    at = table.version()
    table.command(token, {**END, "decision": decision})
    then = table.post(f"dry-runs?as=seat:{seat}&at={at}", table.referee, {**END, "decision": decision}).json()
    assert (then["legal"], then["version"]) == (True, at)
    now = table.post("dry-runs", token, {**END, "decision": decision}).json()
    assert not now["legal"]
    assert table.post(f"dry-runs?as=seat:{seat}", token, {**END, "decision": decision}).json() == now
    other = f"dry-runs?as=seat:{(seat + 1) % 3}"
    problem(table.post(other, token, {**END, "decision": decision}), 403, "forbidden")
    problem(table.post("dry-runs?as=spectator", table.referee, {**END, "decision": decision}), 403, "forbidden")


# -- odds ---------------------------------------------------------------------------------------------------------------


def test_odds_are_rationals_for_whoever_asks(table: Table) -> None:
    asked = {"of": "dice", "dice": 2, "outcomes": ["3+", "0-2"], "at_least": 4}
    for token in (*table.seats, table.referee, table.spectator):
        found = table.post("odds", token, asked).json()["roll"]
        assert found["at_least"] == {"numerator": "1", "denominator": "9", "decimal": 0.111111}
        assert [one["chance"]["numerator"] for one in found["outcomes"]] == ["1", "2"]
    trait: dict[str, Any] = {"of": "trait", "who": 0, "trait": "speed"}
    speed = table.get("view", table.seats[0]).json()["explorers"][0]["traits"]["speed"]["value"]
    assert table.post("odds", table.seats[1], trait).json()["roll"]["dice"] == speed


def test_odds_of_what_is_not_there_are_refused_with_the_place(table: Table) -> None:
    for asked, pointer in (
        ({"of": "trait", "who": 5, "trait": "speed"}, "/who"),
        ({"of": "attack", "attacker": 0, "target": 1, "weapon": "axe"}, "/weapon"),
        ({"of": "trait", "who": 0, "trait": "speed", "use": [{"reaction": "card:idol#PRAY"}]}, "/use/0/reaction"),
    ):
        found = problem(table.post("odds", table.seats[0], asked), 422, "unfit-odds")
        assert [one["pointer"] for one in found["errors"]] == [pointer]
    problem(table.post("odds", table.seats[0], {"of": "dice", "dice": 25}), 400, "invalid-body")
    problem(table.post("odds", table.seats[0], {"of": "coin"}), 400, "invalid-body")
    problem(table.post("odds?as=seat:1", table.seats[0], {"of": "dice", "dice": 2}), 403, "forbidden")
