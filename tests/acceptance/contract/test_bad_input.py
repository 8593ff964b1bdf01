"""What bad input gets: for each kind of it a clear problem of its own, and nothing half-done."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from content.ledger import ledger
from content.load.packs import builtin_packs, load_pack
from content.patterns import told, whole
from openapi.writer.document import build
from openapi.writer.streams import build_asyncapi
from tests.acceptance.driving import OPENING, Table, bearer, problem, serving, settings

GOOD = {"edition": "second", "seats": [{}, {}, {}]}
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "changes, status, code, pointer",
    [
        ({"edition": "fourth"}, 422, "unknown-edition", "/edition"),
        ({"edition": "third"}, 422, "unknown-pack", "/pack"),
        ({"pack": "homebrew"}, 422, "unknown-pack", "/pack"),
        ({"seats": [{}, {}]}, 422, "unfit-seats", "/seats"),
        ({"seats": [{}] * 7}, 400, "invalid-body", "/seats"),
        ({"seats": []}, 400, "invalid-body", "/seats"),
        ({"seats": [{"character": "nobody"}, {}, {}]}, 422, "unknown-character", "/seats/0/character"),
        ({"seats": [{}, {"character": "ox-bellows"}, {"character": "ox-bellows"}]}, 409, "character-taken", "/seats/2/character"),
        ({"seats": [{"name": "a\u0007b"}, {}, {}]}, 400, "invalid-body", "/seats/0/name"),
        ({"options": {"cheats": True}}, 400, "invalid-body", "/options"),
        ({"options": {"turn_limit": 0}}, 400, "invalid-body", "/options/turn_limit"),
        ({"options": {"disclosure": "now"}}, 400, "invalid-body", "/options/disclosure"),
        ({"options": {"haunt": "the-mummy"}}, 422, "unfit-options", "/options/haunt"),
        ({"options": {"house_rulings": [{"rule": "3E-MOVE-001", "ruling": "no"}]}}, 422, "unfit-options", "/options/house_rulings/0/rule"),
        ({"options": {"house_rulings": [{"rule": "LEG-FREE-001", "ruling": "no"}]}}, 422, "unfit-options", "/options/house_rulings/0/rule"),
        ({"options": {"rulings": {"night-view": "no-such-answer"}}}, 422, "unfit-options", "/options/rulings/night-view"),
        ({"options": {"rulings": {"night-view": ["night-view-hurts", "no"]}}}, 422, "unfit-options", "/options/rulings/night-view/1"),
        ({"options": {"rulings": {"night-view": "official"}}}, 422, "unfit-options", "/options/rulings/night-view"),
        ({"options": {"rulings": {"the-moon": "night-view-hurts"}}}, 422, "unfit-options", "/options/rulings/the-moon"),
        ({"setup": {"first_seat": 3}}, 422, "unfit-setup", "/setup/first_seat"),
        ({"setup": {"tiles": ["the-moon"]}}, 422, "unfit-setup", "/setup/tiles/0"),
        ({"setup": {"omen": ["dog", "dog"]}}, 422, "unfit-setup", "/setup/omen/1"),
        ({"setup": {"might": 9}}, 400, "invalid-body", "/setup"),
        ({"randomness": {"source": "loaded"}}, 400, "invalid-body", "/randomness/source"),
        ({"randomness": {"source": "tape"}}, 400, "invalid-body", "/randomness"),
        ({"randomness": {"source": "tape", "answers": [{}]}}, 422, "unfit-tape", "/randomness/answers/0"),
        ({"randomness": {"source": "tape", "answers": [{"faces": [3]}]}}, 400, "invalid-body", "/randomness/answers/0/faces/0"),
        ({"hotseat": "yes"}, 400, "invalid-body", "/hotseat"),
        ({"admin": True}, 400, "invalid-body", ""),
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_played_is_not_opened(
    client: httpx.Client, changes: dict[str, Any], status: int, code: str, pointer: str
) -> None:
    found = problem(client.post("/v1/games", json={**GOOD, **changes}), status, code)
    assert [one["pointer"] for one in found["errors"]] == [pointer]


DISPUTE = {"from": 1, "to": 1, "claim": "No."}


@pytest.mark.parametrize("blank", [" ", "\n", "\u3000", "\u200d \u2800"])
@pytest.mark.parametrize(
    "path, body, pointer",
    [
        ("/v1/games", lambda text: {**GOOD, "seats": [{"name": text}, {}, {}]}, "/seats/0/name"),
        ("/v1/games", lambda text: {**GOOD, "options": {"house_rulings": [{"rule": "2E-MOVE-001", "ruling": text}]}},
         "/options/house_rulings/0/ruling"),
        ("{game}/messages", lambda text: {"to": "table", "text": text}, "/text"),
        ("{game}/disputes", lambda text: {**DISPUTE, "claim": text}, "/claim"),
        ("{game}/disputes/1/evidence", lambda text: {"note": text}, "/note"),
        ("{game}/disputes/1/ruling", lambda text: {"outcome": "stands", "reasons": text}, "/reasons"),
        ("{game}/disputes/1/reopening", lambda text: {"reasons": text}, "/reasons"),
        ("{game}/commands", lambda text: {"type": "propose-ruling", "decision": "table", "text": text}, "/text"),
        ("{game}/commands", lambda text: {"type": "flip-coin", "decision": "table", "options": ["Left", text]}, "/options/1"),
    ],
)  # fmt: skip
def test_a_text_that_nobody_can_read_is_refused_at_its_place(
    table: Table, path: str, body: Callable[[str], Any], pointer: str, blank: str
) -> None:
    path = path.format(game=table.path)
    assert table.post("disputes", table.seats[1], DISPUTE).status_code == 201
    refused = table.client.post(path, json=body(blank), headers=bearer(table.seats[0]))
    (error,) = problem(refused, 400, "invalid-body")["errors"]
    assert error["pointer"] == pointer
    assert error["detail"].endswith(", and not blank")


@pytest.mark.rule("2E-COMP-010", case=1, asserts=True)
def test_haunts_are_numbered_from_1_to_50(client: httpx.Client) -> None:
    def opening(number: int) -> dict[str, Any]:
        return {**GOOD, "options": {"known_haunts": [number]}}

    assert client.post("/v1/games", json={**GOOD, "options": {"known_haunts": list(range(1, 51))}}).status_code == 201
    found = problem(client.post("/v1/games", json=opening(0)), 400, "invalid-body")
    assert [one["pointer"] for one in found["errors"]] == ["/options/known_haunts/0"]
    found = problem(client.post("/v1/games", json=opening(51)), 422, "unfit-options")
    assert [one["pointer"] for one in found["errors"]] == ["/options/known_haunts/0"]


def test_a_ruling_that_is_not_offered_is_told_with_those_that_are(client: httpx.Client) -> None:
    def told(piece: str, name: str) -> str:
        asked = {**GOOD, "options": {"rulings": {piece: name}}}
        return str(problem(client.post("/v1/games", json=asked), 422, "unfit-options")["detail"])

    near = "There is nothing to be chosen for nightview: did you mean `night-view`? Rulings are offered for attic, catacombs, "
    assert told("nightview", "night-view-hurts").startswith(near)
    offered = "did you mean `night-view-hurts`? It has night-view-hurts (A failed roll deals 1 die of mental damage)"
    assert told("night-view", "night-view-hurt").startswith(f"night-view has no ruling night-view-hurt: {offered}")


@pytest.mark.parametrize(
    "body, status, code",
    [
        (b"", 400, "invalid-body"),
        (b"{", 400, "invalid-body"),
        (b"[]", 400, "invalid-body"),
        (b'"move"', 400, "invalid-body"),
        (b"{}", 400, "invalid-body"),
        (b'{"type":"fly","decision":"turn-1"}', 400, "invalid-body"),
        (b'{"decision":"turn-1"}', 400, "invalid-body"),
        (b'{"type":"end-turn","decision":"turn-1","twice":1}', 400, "invalid-body"),
        (b'{"type":"end-turn","decision":"turn-1","decision":"turn-2"}', 400, "invalid-body"),
        (b'{"type":"end-turn","type":"end-turn","decision":"turn-1"}', 400, "invalid-body"),
        (b'{"type":"end-turn","decision":""}', 400, "invalid-body"),
        (b'{"type":"end-turn","decision":"TURN 1"}', 400, "invalid-body"),
        (b'{"type":"end-turn","decision":"turn-1\\u0000"}', 400, "invalid-body"),
        (b'{"type":"end-turn","decision":"\xff"}', 400, "invalid-body"),
        (b'{"type":"select","decision":"d1","chosen":[1e99]}', 400, "invalid-body"),
        (b'{"type":"select","decision":"d1","chosen":[' + b"9" * 5000 + b"]}", 400, "invalid-body"),
        (b'{"type":"select","decision":"d1","chosen":' + b"[" * 40 + b"]" * 40 + b"}", 400, "too-deep"),
        (b"[" * 30_000 + b"]" * 30_000, 400, "too-deep"),
        (b'{"a":' * 10_000, 400, "too-deep"),
        (b" " * 65_537, 413, "body-too-large"),
    ],
)
def test_a_body_that_is_no_command_is_refused(table: Table, body: bytes, status: int, code: str) -> None:
    answer = table.client.post(f"{table.path}/commands", content=body, headers={**bearer(table.seats[0]), **JSON})
    problem(answer, status, code)
    assert table.version() == 5


def test_a_field_that_nobody_knows_is_told_with_the_one_that_was_meant(table: Table) -> None:
    command = {"type": "end-turn", "decision": "turn-1", "desicion": 1}
    (told,) = problem(table.command(table.seats[0], command), 400, "invalid-body")["errors"]
    assert told["detail"] == "There is no field `desicion`: did you mean `decision`?"

    another = {"type": "pick-up", "decision": "turn-1", "card": "axe"}
    (told,) = problem(table.command(table.seats[0], another), 400, "invalid-body")["errors"]
    assert told["detail"] == "There is no field `card`: did you mean `cards`?"

    wish = {"edition": "second", "seats": [{}, {}, {}], "options": {"turnlimit": 9}}
    (told,) = problem(table.client.post("/v1/games", json=wish), 400, "invalid-body")["errors"]
    assert told["pointer"] == "/options"
    assert told["detail"].endswith("There is no field `turnlimit`: did you mean `turn_limit`?")


@pytest.mark.parametrize(
    "option, said",
    [
        ({"options": {"haunt": "the-bel-below"}}, "There is no haunt the-bel-below: did you mean `the-bell-below`?"),
        ({"seats": [{"character": "ox-belows"}, {}, {}]}, "no explorer ox-belows: did you mean `ox-bellows`?"),
        ({"setup": {"omen": ["skul"]}}, "skul is not in that stack: did you mean `skull`?"),
    ],
)
def test_a_name_of_the_pack_that_is_none_is_told_with_the_one_that_was_meant(
    table: Table, option: dict[str, Any], said: str
) -> None:
    wish = {"edition": "second", "seats": [{}, {}, {}], **option}
    answer = table.client.post("/v1/games", json=wish)
    assert said in answer.json()["detail"], answer.text


@pytest.mark.parametrize(
    "command, pointer, right",
    [
        ({"type": "fly"}, "/type", "act, allocate, answer-chance, attack,"),
        ({"type": "enter", "entry": {}, "book": "both"}, "/book", "heroes, traitor"),
    ],
)
def test_where_one_of_a_few_words_is_expected_they_are_told(
    table: Table, command: dict[str, Any], pointer: str, right: str
) -> None:
    answer = table.command(table.seats[0], {"decision": "turn-1", **command})
    (told,) = problem(answer, 400, "invalid-body")["errors"]
    assert told["pointer"] == pointer
    assert f"it is one of {right}" in told["detail"]


@pytest.mark.parametrize(
    "body, status, code",
    [
        (b"", 400, "invalid-body"),
        (b"nonsense", 400, "invalid-body"),
        (b'{"edition":"second","edition":"third","seats":[{},{},{}]}', 400, "invalid-body"),
        (b"[" * 30_000 + b"]" * 30_000, 400, "too-deep"),
        (b'{"edition":"second","seats":[' + b"[" * 40 + b"]" * 40 + b"]}", 400, "too-deep"),
        (b" " * 65_537, 413, "body-too-large"),
    ],
)
def test_a_body_that_opens_no_game_is_refused(client: httpx.Client, body: bytes, status: int, code: str) -> None:
    problem(client.post("/v1/games", content=body, headers=JSON), status, code)


def test_a_body_sent_in_pieces_is_measured_too(table: Table) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(70):
            yield b" " * 1_000

    for path, headers in (("/v1/games", JSON), (f"{table.path}/commands", {**JSON, **bearer(table.seats[0])})):
        problem(table.client.post(path, content=pieces(), headers=headers), 413, "body-too-large")


def test_brackets_within_a_text_are_no_nesting(table: Table) -> None:
    body = json.dumps({"type": "choose", "decision": "d1", "option": "[{" * 40 + '\\"['}).encode()
    answer = table.client.post(f"{table.path}/commands", content=body, headers={**bearer(table.seats[0]), **JSON})
    problem(answer, 409, "decision-closed")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/json-patch+json", ""])
def test_a_body_must_be_declared_as_json(table: Table, kind: str) -> None:
    sent = {"Content-Type": kind} if kind else {}
    body = b'{"type":"end-turn","decision":"turn-1"}'
    for path in (f"{table.path}/commands", "/v1/games", f"{table.path}/seats/0/claim"):
        answer = table.client.post(path, content=body, headers={**bearer(table.seats[0]), **sent})
        problem(answer, 415, "unsupported-media-type")
    declared = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = table.client.post(f"{table.path}/commands", content=body, headers={**bearer(table.awaited()), **declared})
    assert answer.status_code == 201


# -- tokens -------------------------------------------------------------------------------------------------------------

READS = ("view", "decisions", "events", "export")


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer x", "Basic dXNlcjpwYXNz", "Bearer omen_" + "x" * 43, "omen_" + "x" * 43]
)
def test_without_a_token_that_holds_nothing_is_shown(table: Table, header: str | None) -> None:
    sent = {} if header is None else {"Authorization": header}
    bodies = set()
    for game in (table.id, "a" * 20):
        for what in READS:
            answer = table.client.get(f"/v1/games/{game}/{what}", headers=sent)
            problem(answer, 401, "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
            bodies.add(answer.content)
        for what in ("commands", "start", "close", "seats/0/replace"):
            answer = table.client.post(f"/v1/games/{game}/{what}", headers=sent, json={})
            problem(answer, 401, "unauthorized")
            bodies.add(answer.content)
    assert len(bodies) == 1, "nobody can tell what is there"


def test_another_games_token_sees_no_difference_between_a_game_and_none(client: httpx.Client, table: Table) -> None:
    foreign = Table.open(client, start=False)
    answers = set()
    for game in (table.id, "a" * 20):
        path = f"/v1/games/{game}"
        for token in (foreign.host, foreign.referee, foreign.seats[0]):
            for what in READS:
                answer = client.get(f"{path}/{what}", headers=bearer(token))
                problem(answer, 403, "forbidden")
                answers.add((answer.content, tuple(name for name, _ in answer.headers.raw)))
            answer = client.post(
                f"{path}/commands", headers=bearer(token), json={"type": "end-turn", "decision": "turn-1"}
            )
            problem(answer, 403, "forbidden")
    assert len({body for body, _ in answers}) == 1
    problem(client.get("/v1/games/" + "a" * 20), 404, "not-found")


def test_an_expired_token_or_invite_holds_no_longer(tmp_path: Path) -> None:
    """The server's clock goes on by a second whenever it is looked at."""
    with serving(settings(tmp_path / "log.db", token_lifetime=40)) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client, start=False)
        invited = client.post("/v1/games", json=GOOD).json()
        assert table.get("view", table.seats[0]).status_code == 200
        for _ in range(60):
            table.get("view", table.seats[0])
        problem(table.get("view", table.seats[0]), 401, "unauthorized")
        problem(table.command(table.seats[0], {"type": "end-turn", "decision": "turn-1"}), 401, "unauthorized")
        path = f"/v1/games/{invited['game']['id']}/seats/0/claim"
        invite = invited["invites"]["seats"][0]["secret"]
        problem(client.post(path, json={"invite": invite}), 403, "invite-refused")


# -- paths and parameters -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/v1/games/x", "/v1/games/" + "A" * 20, "/v1/games/" + "a" * 21, "/v1/games/%00" + "a" * 19, "/v1/rules/2e-move-1",
     "/v1/games?limit=0", "/v1/games?limit=1001", "/v1/games?limit=many", "/v1/rules?edition=fourth"],
)  # fmt: skip
def test_ids_and_parameters_are_strict(client: httpx.Client, path: str) -> None:
    problem(client.get(path), 400, "invalid-parameter")


@pytest.mark.parametrize(
    "query", ["view?at=0", "view?at=-1", "view?at=x", "view?at=99999999999999999999", "events?after=-1", "events?limit=0",
              "events?limit=5000", "decisions?at=1.5"]
)  # fmt: skip
def test_positions_are_numbers_of_commits(table: Table, query: str) -> None:
    problem(table.get(query, table.seats[0]), 400, "invalid-parameter")


@pytest.mark.parametrize("written", ["1e0", "1.0", "%2B1", "01", "%201", "1_0", "", "true", "-1", "%D9%A1", "0x1"])
@pytest.mark.parametrize(
    "parameter", ["view?at", "events?after", "events?limit", "trace?from", "trace?to", "diff?to", "diff?from=1&to"]
)
def test_a_number_is_digits_alone(table: Table, parameter: str, written: str) -> None:
    found = problem(table.get(f"{parameter}={written}", table.referee), 400, "invalid-parameter")
    assert {
        "pointer": parameter.rpartition("?")[2].rpartition("&")[2],
        "detail": "A whole number, in digits alone and without a zero before it.",
    } in found["errors"]


@pytest.mark.parametrize("written", ["%2B1", "01", "%201", "1_0", "-0", "%D9%A1"])
def test_a_number_in_a_path_is_digits_alone(table: Table, written: str) -> None:
    for path in (f"seats/{written}/orders", f"disputes/{written}"):
        found = problem(table.get(path, table.referee), 404, "not-found")
        assert found["detail"] == "Numbers in a path are digits alone."
    assert table.get("seats/1/orders", table.referee).json()["detail"] == "No orders were left."


@pytest.mark.parametrize(
    "written, meant", [("At", "at"), ("AT", "at"), ("aS", "as"), ("AFTR", "after"), ("Limit", "limit")]
)
def test_a_parameter_in_other_letters_is_suggested(table: Table, written: str, meant: str) -> None:
    what = "view" if meant in ("at", "as") else "events"
    found = problem(table.get(f"{what}?{written}=3", table.referee), 400, "invalid-parameter")
    assert found["errors"] == [{"pointer": written, "detail": f"Unknown; did you mean `{meant}`?"}]


@pytest.mark.parametrize(
    "query, name", [("post?format=word", "format"), ("view?as=nobody", "as"), ("diff?to=2", "from")]
)
def test_a_refused_parameter_is_called_as_the_caller_calls_it(table: Table, query: str, name: str) -> None:
    found = problem(table.get(query, table.referee), 400, "invalid-parameter")
    assert [one["pointer"] for one in found["errors"]] == [name]


def test_a_position_ahead_of_the_game_is_a_problem_and_not_silence(table: Table) -> None:
    for query in ("view?at=6", "decisions?at=6", "events?after=6"):
        found = problem(table.get(query, table.seats[0]), 409, "ahead-of-log")
        assert found["current_version"] == 5
    stream = table.get("events", table.seats[0], Accept="text/event-stream", **{"Last-Event-ID": "6"})
    problem(stream, 409, "ahead-of-log")
    stream = table.get("events", table.seats[0], Accept="text/event-stream", **{"Last-Event-ID": "six"})
    problem(stream, 400, "invalid-cursor")


def test_what_is_not_there_and_methods_that_are_not_offered(client: httpx.Client, table: Table) -> None:
    for path in ("/v1", "/v1/nothing", "/v2/games", "/v1/packs/none", "/v1/rules/2E-NONE-999"):
        problem(client.get(path), 404, "not-found")
    answer = client.delete("/v1/games")
    problem(answer, 405, "method-not-allowed")
    assert set(answer.headers["allow"].replace(" ", "").split(",")) >= {"GET", "POST"}
    answer = client.get(f"{table.path}/commands", headers=bearer(table.seats[0]))
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "OPTIONS, POST"
    for path, methods in (("/v1/games", "GET, HEAD, OPTIONS, POST"), (f"{table.path}/commands", "OPTIONS, POST")):
        options = client.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, methods)
    problem(table.get("events", table.seats[0], Accept="image/png"), 406, "not-acceptable")


HELD_BACK = ["LEG-CAMP-005", "LEG-BOOK-004", "LEG-TOKEN-012", "LEG-FAM-004", "LEG-SETUP-014"]
"""Rules whose rulings were taken with the sealed pages in view."""
HINTS = ["free play", "free-play", "FREE", "chart run from", "haunt 44", "inhabitant types", "2 to 50", "sealed free"]


@pytest.mark.rule("LEG-FREE-001", asserts=True)
def test_no_rule_hints_at_what_stands_on_the_sealed_pages(client: httpx.Client) -> None:
    shown = [client.get(f"/v1/rules/{rule}").json() for rule in HELD_BACK]
    assert [one["ambiguity"] for one in shown] == [""] * len(HELD_BACK)
    after, found = None, []
    while True:
        page = client.get(
            "/v1/rules", params={"edition": "legacy", "limit": 1000, **({"after": after} if after else {})}
        ).json()
        found += page["rules"]
        after = page["next"]
        if after is None:
            break
    legacy = [rule for rule in ledger().values() if rule.edition == "legacy"]
    assert [one["id"] for one in found] == [rule.id for rule in legacy if not rule.sealed]
    for one in found:
        assert not [hint for hint in HINTS if hint in one["ambiguity"]], one["id"]
        assert not [other for other in one["overrides"] if "FREE" in other], one["id"]
    sealed = [rule for rule in ledger().values() if rule.sealed]
    texts = {one["text"] for one in found} | {one["ambiguity"] for one in found} | {one["title"] for one in found}
    assert not [rule.id for rule in sealed if {rule.title, rule.text} & texts]


def test_sealed_rules_are_not_there(client: httpx.Client) -> None:
    problem(client.get("/v1/rules/LEG-FREE-002"), 404, "not-found")
    found: list[str] = []
    after = ""
    while True:
        page = client.get("/v1/rules", params={"edition": "legacy", **({"after": after} if after else {})}).json()
        found += [one["id"] for one in page["rules"]]
        after = page["next"]
        if not after:
            break
    assert "LEG-TERM-001" in found
    assert not [one for one in found if one.startswith("LEG-FREE-")]


def test_packs_do_not_tell_what_a_haunts_books_say(client: httpx.Client) -> None:
    pack = client.get("/v1/packs/second-edition").json()
    assert [one["id"] for one in pack["characters"]] == [
        one.id for one in load_pack(builtin_packs()["second-edition"]).explorers
    ]
    assert {frozenset(haunt) for haunt in pack["haunts"]} <= {
        frozenset({"id", "title", "stage"}),
        frozenset({"id", "title", "stage", "playtest"}),
    }


# -- limits -------------------------------------------------------------------------------------------------------------


def test_too_many_requests_are_told_when_to_try_again(tmp_path: Path) -> None:
    limits = {"token_rate": 1, "token_burst": 3, "anonymous_rate": 1, "anonymous_burst": 4}
    with serving(settings("memory:", **limits)) as address, httpx.Client(base_url=address) as client:
        table = Table(client, client.post("/v1/games", json=OPENING).json())
        answers = [table.get("view", table.seats[0]) for _ in range(5)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        found = problem(answers[-1], 429, "too-many-requests")
        assert int(answers[-1].headers["retry-after"]) == found["retry_after"] >= 1
        problem(table.command(table.seats[0], {"type": "end-turn", "decision": "turn-1"}), 429, "too-many-requests")
        assert table.get("view", table.seats[1]).status_code == 200, "another token has a limit of its own"
        guesses = [client.get(f"{table.path}/view", headers=bearer("omen_" + "x" * 43)) for _ in range(5)]
        problem(guesses[0], 401, "unauthorized")
        problem(guesses[-1], 429, "too-many-requests")


# -- parameters that a call doesn't take ------------------------------------------------------------------------------------------

CONTRACT = build()
CALLS = [
    (method, path, [one["name"] for one in call.get("parameters", ()) if one["in"] == "query"])
    for path, calls in CONTRACT["paths"].items()
    if path.startswith("/v1/")
    for method, call in calls.items()
    if method not in ("options", "head")
]
PLACES = {
    "game": "a" * 20,
    "seat": "0",
    "token": "host",
    "dispute": "1",
    "pack": "second-edition",
    "rule": "2E-MOVE-001",
}


@pytest.mark.parametrize("method, path, known", CALLS)
def test_a_parameter_that_the_contract_does_not_name_is_refused(
    client: httpx.Client, method: str, path: str, known: list[str]
) -> None:
    address = re.sub(r"{(\w+)}", lambda found: PLACES.get(found[1], "1"), path)
    for name in ("surprise", "AT", *(name[1:] + "x" for name in known)):
        found = problem(client.request(method, address, params={name: "1"}), 400, "invalid-parameter")
        assert [one["pointer"] for one in found["errors"]] == [name]
        assert all(one in found["detail"] for one in known) or "did you mean" in found["detail"]
        assert method != "get" or client.head(address, params={name: "1"}).status_code == 400
    for name in known:
        refused = problem(client.request(method, address, params={f"{name}r": "1"}), 400, "invalid-parameter")
        assert "did you mean" in refused["detail"]
        taken = client.request(method, address, params={name: "1"})
        assert "Unknown" not in taken.text
    if method == "get":
        assert client.head(address, params={"surprise": "1"}).status_code == 400
        assert (
            client.head(address, params=dict.fromkeys(known, "1")).status_code
            == client.get(address, params=dict.fromkeys(known, "1")).status_code
        )


def test_nothing_else_minds_what_stands_in_the_query(client: httpx.Client) -> None:
    assert client.get("/openapi.json?v=7").status_code == 200
    assert client.get("/health/live?probe=1").status_code == 200
    for path in ("/v1/games", f"/v1/games/{PLACES['game']}/commands"):
        assert client.options(f"{path}?surprise=1").status_code == 204


# -- nothing behind the end ---------------------------------------------------------------------------------------------------------


def patterns(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "pattern" and isinstance(value, str):
                yield value
            else:
                yield from patterns(value)
    elif isinstance(node, list):
        for value in node:
            yield from patterns(value)


def test_patterns_are_published_in_the_words_of_the_standard() -> None:
    found = set(patterns(CONTRACT)) | set(patterns(build_asyncapi()))
    assert len(found) > 20
    assert [one for one in found if not (one.startswith("^") and one.endswith("$")) or "\\Z" in one] == []


ANSWERED = (
    "^(all|heroes|traitor|you|seat:[0-5])?$",
    "^(heroes|traitor|house|seat:[0-5])?$",
    "^(heroes|traitor|seat:[0-5])?$",
    '^"[0-9A-Za-z._-]+"$',
    "^[0-9]+$",
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z$",
    "^[A-Z][A-Za-z0-9.]*$",
    "^msg_[a-z2-7]{20}_(test_)?[0-9]+$",
    "^msg_[a-z2-7]{20}_(test_)?[0-9]{1,20}$",
    "^v1a?,[A-Za-z0-9+/=]+( v1a?,[A-Za-z0-9+/=]+)*$",
)
"""Patterns of what clients are sent, and never write themselves."""


def test_whoever_misses_a_pattern_is_told_in_words_what_a_text_looks_like() -> None:
    """Patterns without words: enter them in `LOOKS` of content/patterns.py, or above if only answers hold them."""
    found = set(patterns(CONTRACT)) | set(patterns(build_asyncapi()))
    wordless = {one for one in found if "that matches" in told(f"Expected `str` matching regex {whole(one)!r}")}
    assert wordless == set(ANSWERED)


@pytest.mark.parametrize(
    "what, looks",
    [
        ("events?as=seat:1%0A", "one of seat:0 to seat:5, spectator, referee"),
        ("verifications/1%0A", "a number of 9 digits at most"),
        ("messages/1-1%0A", "two numbers and a hyphen, such as `1-12`"),
        ("tokens/host%0A/rotate", "lower-case letters, digits and hyphens, such as `my-pack`, 40 characters at most"),
    ],
)
def test_a_line_feed_behind_a_parameter_is_no_part_of_it(table: Table, what: str, looks: str) -> None:
    method = "POST" if what.endswith("rotate") else "DELETE" if what.startswith("messages") else "GET"
    token = table.host if what.startswith("tokens") else table.referee
    answer = table.client.request(method, f"{table.path}/{what}", headers=bearer(token))
    assert problem(answer, 400, "invalid-parameter")["detail"].endswith(f": Expected {looks}")


ENDED = [
    "/v1/packs/second-edition%0A",
    "/v1/rules/2E-MOVE-001%0A",
    "/v1/rules?after=2E-MOVE-001%0A",
    f"/v1/games?after={'a' * 20}%0A",
    f"/v1/games/{'a' * 20}%0A",
]


@pytest.mark.parametrize("path", ENDED)
def test_a_line_feed_behind_an_id_is_no_part_of_it(client: httpx.Client, path: str) -> None:
    problem(client.get(path), 400, "invalid-parameter")


@pytest.mark.parametrize(
    "changes, pointer",
    [
        ({"edition": "second\n"}, "/edition"),
        ({"pack": "second-edition\n"}, "/pack"),
        ({"seats": [{"name": "Ann\n"}, {}, {}]}, "/seats/0/name"),
        ({"seats": [{"character": "ox-bellows\n"}, {}, {}]}, "/seats/0/character"),
        ({"options": {"haunt": "the-bell-below\n"}}, "/options/haunt"),
        ({"options": {"house_rulings": [{"rule": "2E-MOVE-001\n", "ruling": "No."}]}}, "/options/house_rulings/0/rule"),
        ({"options": {"house_rulings": [{"rule": "2E-MOVE-001", "ruling": "No.\n"}]}}, "/options/house_rulings/0/ruling"),
        ({"setup": {"tiles": ["vault\n"]}}, "/setup/tiles/0"),
    ],
)  # fmt: skip
def test_a_line_feed_behind_a_text_is_refused(client: httpx.Client, changes: dict[str, Any], pointer: str) -> None:
    found = problem(client.post("/v1/games", json={**GOOD, **changes}), 400, "invalid-body")
    assert [one["pointer"] for one in found["errors"]] == [pointer]
    assert "\\Z" not in found["detail"]


@pytest.mark.parametrize(
    "command, pointer",
    [
        ({"type": "end-turn", "decision": "turn-1\n"}, "/decision"),
        ({"type": "move", "decision": "turn-1", "to": "foyer\n"}, "/to"),
        ({"type": "explore", "decision": "turn-1", "door": "north\n"}, "/door"),
        ({"type": "act", "decision": "turn-1", "source": "card:axe", "word": "USE\n"}, "/word"),
        ({"type": "propose-ruling", "decision": "table", "text": "So be it.\n"}, "/text"),
        ({"type": "propose-ruling", "decision": "table", "text": "So\u202e be it."}, "/text"),
        ({"type": "propose-ruling", "decision": "table", "text": "\u200b"}, "/text"),
        ({"type": "flip-coin", "decision": "table", "options": ["a", "a\u200b"]}, "/options/1"),
    ],
)
def test_a_line_feed_or_what_nobody_sees_is_no_part_of_a_command(
    table: Table, command: dict[str, Any], pointer: str
) -> None:
    found = problem(table.command(table.seats[0], command), 400, "invalid-body")
    assert [one["pointer"] for one in found["errors"]] == [pointer]
