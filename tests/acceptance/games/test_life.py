"""The life of a game: opened, claimed, started, replaced, closed."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.acceptance.driving import Table, bearer, problem

INVITED = {"edition": "second", "seats": [{"name": "Ann", "character": "zoe-ingstrom"}, {"name": "Bo"}, {}]}


def opened(client: httpx.Client, **changes: object) -> dict[str, object]:
    answer = client.post("/v1/games", json={**INVITED, **changes})
    assert answer.status_code == 201, answer.text
    found: dict[str, object] = answer.json()
    return found


def claim(client: httpx.Client, game: dict, seat: int, **asked: object) -> httpx.Response:  # type: ignore[type-arg]  # JSON
    invite = game["invites"]["seats"][seat]["secret"]
    return client.post(f"/v1/games/{game['game']['id']}/seats/{seat}/claim", json={"invite": invite, **asked})


def test_opening_answers_a_host_token_invites_and_public_facts(client: httpx.Client) -> None:
    answer = client.post("/v1/games", json={**INVITED, "options": {"turn_limit": 9}, "spectators": 2})
    game = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/games/{game['game']['id']}"
    assert answer.headers["etag"] == '"1"'
    assert set(game["tokens"]) == {"host"}
    assert len(game["invites"]["seats"]) == 3
    assert len(game["invites"]["spectators"]) == 2
    shown = client.get(answer.headers["location"], headers=bearer(game["tokens"]["host"]["secret"])).json()
    assert shown == {**game["game"], "orders": shown["orders"]}
    assert (shown["status"], shown["version"], shown["hotseat"], shown["arranged"]) == ("open", 1, False, False)
    assert shown["options"] == {"turn_limit": 9}
    assert len(shown["commitment"]) == 64
    given = {"seat": 0, "claimed": False, "character": "zoe-ingstrom", "name": "Ann"}
    assert shown["seats"][0] == {**given, "vacant": False, "named_at": 0}


def test_a_game_is_claimed_started_played_and_closed_by_invited_players(client: httpx.Client) -> None:
    game = opened(client)
    path = f"/v1/games/{game['game']['id']}"  # type: ignore[index]  # JSON
    host = bearer(game["tokens"]["host"]["secret"])  # type: ignore[index]  # JSON
    problem(client.post(f"{path}/start", headers=host), 409, "seats-free")
    tokens = []
    for seat in range(3):
        answer = claim(client, game, seat, entropy="abc123", name=f"Player {seat}")
        assert answer.status_code == 201, answer.text
        assert answer.json()["role"] == f"seat:{seat}"
        tokens.append(answer.json()["token"]["secret"])
    started = client.post(f"{path}/start", headers=host)
    assert started.status_code == 201, started.text
    assert started.json()["version"] == 5
    assert [one["type"] for one in started.json()["commit"]["data"]["events"]][:1] == ["GameStarted"]
    facts = client.get(path, headers=host).json()
    assert [seat["name"] for seat in facts["seats"]] == ["Player 0", "Player 1", "Player 2"]
    assert facts["seats"][0]["character"] == "zoe-ingstrom"
    assert all(seat["character"] for seat in facts["seats"])
    views = [client.get(f"{path}/view", headers=bearer(token)).json() for token in tokens]
    assert [view["you"] for view in views] == [0, 1, 2]
    closed = client.post(f"{path}/close", headers=host)
    assert closed.status_code == 201
    facts = client.get(path).json()
    assert (facts["status"], facts["disclosed"]) == ("abandoned", True)
    problem(client.post(f"{path}/close", headers=host), 409, "game-over")


def test_an_invite_is_good_for_one_claim_of_its_own_seat(client: httpx.Client) -> None:
    game, other = opened(client), opened(client)
    problem(claim(client, {**game, "invites": other["invites"]}, 1), 403, "invite-refused")
    wrong_seat = {**game, "invites": {"seats": list(reversed(game["invites"]["seats"]))}}  # type: ignore[index]  # JSON
    problem(claim(client, wrong_seat, 0), 403, "invite-refused")
    assert claim(client, game, 0).status_code == 201
    again = problem(claim(client, game, 0), 403, "invite-refused")
    unknown = {"seats": [{"secret": "omen_" + "x" * 43}]}
    assert problem(claim(client, {**game, "invites": unknown}, 0), 403, "invite-refused") == again


def test_whoever_shows_an_invite_learns_whether_it_is_used_and_of_no_other(client: httpx.Client) -> None:
    game, other = opened(client), opened(client)
    path, secret = f"/v1/games/{game['game']['id']}/invites", game["invites"]["seats"][1]["secret"]  # type: ignore[index]  # JSON

    def left() -> list[tuple[str, int]]:
        listed = client.get(path, headers=bearer(secret))
        assert listed.status_code == 200, listed.text
        return [(one["place"], one["left"]) for one in listed.json()["invites"]]

    assert left() == [("seat:1", 1)]
    assert claim(client, game, 1).status_code == 201
    assert left() == [("seat:1", 0)]
    elsewhere = path.replace(str(game["game"]["id"]), str(other["game"]["id"]))  # type: ignore[index]  # JSON
    problem(client.get(elsewhere, headers=bearer(secret)), 401, "unauthorized")
    problem(client.get(path), 401, "unauthorized")


def test_a_claim_can_be_retried_with_its_key_and_gets_the_same_token(client: httpx.Client) -> None:
    game = opened(client)
    body = {"invite": game["invites"]["seats"][1]["secret"], "name": "Bo"}  # type: ignore[index]  # JSON
    path = f"/v1/games/{game['game']['id']}/seats/1/claim"  # type: ignore[index]  # JSON
    first = client.post(path, json=body, headers={"Idempotency-Key": "my-claim-0123456789abcdef"})
    again = client.post(path, json=body, headers={"Idempotency-Key": "my-claim-0123456789abcdef"})
    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    problem(
        client.post(path, json=body, headers={"Idempotency-Key": "another-0123456789abcdef"}), 403, "invite-refused"
    )
    renamed = {**body, "name": "Cy"}
    problem(
        client.post(path, json=renamed, headers={"Idempotency-Key": "my-claim-0123456789abcdef"}), 422, "key-reused"
    )


def test_two_seats_cannot_take_one_character_nor_the_two_sides_of_one_card(client: httpx.Client) -> None:
    game = opened(client)
    pack = client.get("/v1/packs/second-edition").json()
    other_side = next(one["other_side"] for one in pack["characters"] if one["id"] == "zoe-ingstrom")
    found = problem(claim(client, game, 1, character="zoe-ingstrom"), 409, "character-taken")
    assert found["rule"]["id"] == "2E-SETUP-002"
    problem(claim(client, game, 1, character=other_side), 409, "character-taken")
    problem(claim(client, game, 1, character="nobody"), 422, "unknown-character")
    assert claim(client, game, 1, character="ox-bellows").status_code == 201
    assert claim(client, game, 0, character=other_side).status_code == 201, "a seat may change its own wish"


def test_spectators_and_the_referee_join_by_invite_once(client: httpx.Client) -> None:
    game = opened(client, spectators=1)
    path = f"/v1/games/{game['game']['id']}"  # type: ignore[index]  # JSON
    invites = game["invites"]
    for place, invite in (("spectators", invites["spectators"][0]), ("referee", invites["referee"])):  # type: ignore[index]  # JSON
        asked = {"invite": invite["secret"]}
        first = client.post(f"{path}/{place}", json=asked, headers={"Idempotency-Key": "joining-0123456789abcdef"})
        assert first.status_code == 201, first.text
        again = client.post(f"{path}/{place}", json=asked, headers={"Idempotency-Key": "joining-0123456789abcdef"})
        assert again.content == first.content
        problem(client.post(f"{path}/{place}", json=asked), 403, "invite-refused")
        view = client.get(f"{path}/view", headers=bearer(first.json()["token"]["secret"]))
        assert view.json()["role"] == place
    problem(client.post(f"{path}/referee", json={"invite": invites["spectators"][0]["secret"]}), 403, "invite-refused")  # type: ignore[index]  # JSON


def test_one_link_serves_all_friends_up_to_its_quota_with_a_token_for_each(client: httpx.Client) -> None:
    game: Any = opened(client, spectators_per_invite=3)
    path, (invite,) = f"/v1/games/{game['game']['id']}", game["invites"]["spectators"]
    assert invite["good_for"] == 3

    def join(key: str = "") -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return client.post(f"{path}/spectators", json={"invite": invite["secret"]}, headers=headers)

    def left(token: str) -> dict[str, int]:
        listed = client.get(f"{path}/invites", headers=bearer(token))
        assert invite["secret"] not in listed.text, "no secret is shown again"
        return {one["id"]: one["left"] for one in listed.json()["invites"]}

    host = game["tokens"]["host"]["secret"]
    assert left(host) == {f"invite-seat-{seat}": 1 for seat in range(3)} | {"invite-referee": 1, invite["id"]: 3}
    first, second = join("a-friend-0123456789abcdef").json(), join().json()
    assert left(host)[invite["id"]] == 1
    assert join("a-friend-0123456789abcdef").json() == first, "a retry takes no place"
    third = join().json()
    found = problem(join(), 409, "invite-used-up")
    assert "all 3 people" in found["detail"]
    assert left(host)[invite["id"]] == 0
    assert join("a-friend-0123456789abcdef").json() == first
    tokens = [one["token"] for one in (first, second, third)]
    assert len({one["id"] for one in tokens}) == len({one["secret"] for one in tokens}) == 3
    rotated = client.post(f"{path}/tokens/{tokens[0]['id']}/rotate", headers=bearer(tokens[0]["secret"]))
    assert rotated.status_code == 201, rotated.text
    problem(client.get(f"{path}/view", headers=bearer(tokens[0]["secret"])), 401, "unauthorized")
    account = client.post("/v1/accounts").json()["key"]
    bound = client.put(
        f"{path}/tokens/{tokens[1]['id']}/account", json={"key": account}, headers=bearer(tokens[1]["secret"])
    )
    assert bound.json()["token"] == tokens[1]["id"]
    for token in (rotated.json()["token"], *tokens[1:]):
        assert client.get(f"{path}/view", headers=bearer(token["secret"])).json()["role"] == "spectators"
        problem(client.get(f"{path}/invites", headers=bearer(token["secret"])), 403, "forbidden")
    referee = client.post(f"{path}/referee", json={"invite": game["invites"]["referee"]["secret"]}).json()
    assert left(referee["token"]["secret"])["invite-referee"] == 0
    assert left(host)["invite-seat-1"] == 1
    assert claim(client, game, 1).status_code == 201
    assert left(host)["invite-seat-1"] == 0


def test_an_invite_that_was_lost_is_exchanged_for_a_new_one_of_its_place(client: httpx.Client) -> None:
    game: Any = opened(client, co_referee=True)
    path, host, given = f"/v1/games/{game['game']['id']}", game["tokens"]["host"]["secret"], game["invites"]

    def renew(place: str, token: str) -> str:
        answer = client.post(f"{path}/invites/invite-{place}/rotate", headers=bearer(token))
        assert answer.status_code == 201, answer.text
        assert answer.headers["location"] == f"{path}/invites"
        secret: str = answer.json()["invite"]["secret"]
        listed = client.get(f"{path}/invites", headers=bearer(secret)).json()["invites"]
        assert [(one["id"], one["left"]) for one in listed] == [(f"invite-{place}", 1)]
        return secret

    def enter(place: str, invite: str) -> httpx.Response:
        return client.post(f"{path}/{place}", json={"invite": invite})

    referee = enter("referee", renew("referee", host)).json()["token"]["secret"]
    for token, place, address, before in (
        (host, "seat-1", "seats/1/claim", given["seats"][1]),
        (referee, "seat-2", "seats/2/claim", given["seats"][2]),
        (referee, "co-referee", "referee", given["co_referee"]),
    ):
        one, other = renew(place, token), renew(place, token)
        for ended in (before["secret"], one):
            problem(enter(address, ended), 403, "invite-refused")
            problem(client.get(f"{path}/invites", headers=bearer(ended)), 401, "unauthorized")
        came = enter(address, other)
        assert came.status_code == 201, came.text
        assert came.json()["token"]["id"] == place
        found = problem(
            client.post(f"{path}/invites/invite-{place}/rotate", headers=bearer(token)), 409, "invite-used-up"
        )
        assert found["detail"] == "Somebody has claimed this place with its invite."
        assert client.get(f"{path}/view", headers=bearer(came.json()["token"]["secret"])).status_code == 200
    assert client.get(path).json()["version"] == 3, (
        "it is opened, two seats are claimed, and of invites no commit tells"
    )


def test_a_new_link_for_spectators_serves_those_who_are_left(client: httpx.Client) -> None:
    game: Any = opened(client, spectators_per_invite=2)
    path, (invite,) = f"/v1/games/{game['game']['id']}", game["invites"]["spectators"]
    host = game["tokens"]["host"]["secret"]
    first = client.post(f"{path}/spectators", json={"invite": invite["secret"]}).json()["token"]
    fresh = client.post(f"{path}/invites/{invite['id']}/rotate", headers=bearer(host)).json()["invite"]
    assert (fresh["id"], fresh.get("good_for", 1)) == (invite["id"], 1)
    asked = {"invite": fresh["secret"]}
    second = client.post(f"{path}/spectators", json=asked).json()["token"]
    assert second["id"] != first["id"]
    for token in (first, second):
        assert client.get(f"{path}/view", headers=bearer(token["secret"])).json()["role"] == "spectators"
    problem(client.post(f"{path}/spectators", json=asked), 409, "invite-used-up")
    problem(client.post(f"{path}/spectators", json={"invite": invite["secret"]}), 403, "invite-refused")
    found = problem(client.post(f"{path}/invites/{invite['id']}/rotate", headers=bearer(host)), 409, "invite-used-up")
    assert "all 2 people" in found["detail"]


def test_only_host_and_referee_exchange_invites_and_only_those_of_their_game(client: httpx.Client) -> None:
    table = Table.gather(client)
    rotate = "invites/invite-spectator-1/rotate"
    for token in (*table.seats, table.spectator):
        problem(table.post(rotate, token), 403, "forbidden")
    other = Table.gather(client)
    problem(other.post(rotate, table.host), 403, "forbidden")
    problem(table.client.post(f"{table.path}/{rotate}"), 401, "unauthorized")
    problem(table.post("invites/invite-co-referee/rotate", table.host), 404, "not-found")
    problem(table.post("invites/seat-0/rotate", table.host), 404, "not-found")
    problem(Table.open(client).post("invites/invite-seat-0/rotate", table.host), 403, "forbidden")
    problem((hotseat := Table.open(client)).post("invites/invite-seat-0/rotate", hotseat.host), 404, "not-found")

    replaced = table.post("seats/1/replace", table.host).json()["invite"]["secret"]
    before = table.version()
    fresh = table.post("invites/invite-seat-1/rotate", table.host).json()["invite"]["secret"]
    claim_it = f"{table.path}/seats/1/claim"
    problem(client.post(claim_it, json={"invite": replaced}), 403, "invite-refused")
    assert table.version() == before, "nobody loses the seat once more"
    assert client.post(claim_it, json={"invite": fresh, "name": "Cy"}).status_code == 201
    problem(table.post("invites/invite-seat-1/rotate", table.host), 409, "invite-used-up")
    assert table.post("close", table.host).status_code == 201
    problem(table.post(rotate, table.host), 409, "game-over")


def test_a_game_has_one_link_for_20_spectators_or_as_many_invites_as_are_asked_for(client: httpx.Client) -> None:
    def served(**asked: object) -> list[int]:
        game: Any = opened(client, **asked)
        return [one.get("good_for", 1) for one in game["invites"].get("spectators", [])]

    assert served() == [20]
    assert served(spectators=2) == [1, 1]
    assert served(spectators=2, spectators_per_invite=50) == [50, 50]
    assert served(spectators=0) == []
    for asked in ({"spectators": 3, "spectators_per_invite": 34}, {"hotseat": True, "spectators_per_invite": 2}):
        (found,) = problem(client.post("/v1/games", json={**INVITED, **asked}), 422, "unfit-options")["errors"]
        assert found["pointer"] == "/spectators_per_invite"


def test_a_hotseat_gets_all_tokens_at_once_and_is_publicly_marked(client: httpx.Client) -> None:
    table = Table.open(client, start=False)
    assert table.opened["invites"] == {}
    facts = client.get(table.path).json()
    assert (facts["hotseat"], facts["version"]) == (True, 4)
    assert all(seat["claimed"] for seat in facts["seats"])
    first = table.get("events?limit=1", table.spectator).json()["events"][0]["data"]
    assert first["command"] == {"type": "open", "hotseat": True}


def test_a_seat_is_replaced_the_old_token_ends_and_everybody_is_told(client: httpx.Client) -> None:
    table = Table.open(client, seats=[{"name": "Ann"}, {"name": "Bo"}, {}])
    old = table.seats[1]
    assert table.get("view", old).status_code == 200
    replaced = table.post("seats/1/replace", table.host, Idempotency_Key="replace-bo-for-good")
    assert replaced.status_code == 201, replaced.text
    again = table.post("seats/1/replace", table.host, Idempotency_Key="replace-bo-for-good")
    assert again.content == replaced.content
    problem(table.get("view", old), 401, "unauthorized")
    asked = bearer(table.seats[0])
    free = client.get(table.path, headers=asked).json()["seats"][1]
    assert (free["name"], free["claimed"]) == ("", False), "the name of whoever left is erased, and nobody has come yet"
    told = table.get(f"events?after={replaced.json()['version'] - 1}", table.seats[0]).json()["events"][0]["data"]
    assert told["command"] == {"type": "replace", "seat": 1}
    assert told["marks"] == [{"kind": "seat"}]
    invite = replaced.json()["invite"]["secret"]
    path = f"{table.path}/seats/1/claim"
    problem(client.post(path, json={"invite": invite, "character": "ox-bellows"}), 409, "seat-taken")
    claimed = client.post(path, json={"invite": invite, "name": "Cy"})
    assert claimed.status_code == 201, claimed.text
    assert table.get("view", claimed.json()["token"]["secret"]).json()["you"] == 1
    taken = client.get(table.path, headers=asked).json()["seats"][1]
    assert (taken["name"], taken["claimed"]) == ("Cy", True)
    problem(client.post(path, json={"invite": invite}), 403, "invite-refused")


def test_only_the_host_arranges(table: Table) -> None:
    for call in ("start", "close", "seats/0/replace"):
        for token in (table.seats[0], table.referee, table.spectator):
            problem(table.post(call, token), 403, "forbidden")
    problem(table.post("start", table.host), 409, "not-open")
    problem(table.post("seats/5/replace", table.host), 404, "not-found")


def test_a_token_is_rotated_by_its_holder_alone(table: Table) -> None:
    problem(table.post("tokens/seat-0/rotate", table.host), 403, "forbidden")
    problem(table.post("tokens/seat-1/rotate", table.seats[0]), 403, "forbidden")
    guessed = table.post("tokens/seat-0/rotate", table.seats[0], Idempotency_Key="once")
    problem(guessed, 400, "invalid-idempotency-key")
    first = table.post("tokens/seat-0/rotate", table.seats[0], Idempotency_Key="once-0123456789abcdef")
    assert first.status_code == 201, first.text
    new = first.json()["token"]["secret"]
    problem(table.get("view", table.seats[0]), 401, "unauthorized")
    assert table.get("view", new).json()["you"] == 0
    retried = table.post("tokens/seat-0/rotate", table.seats[0], Idempotency_Key="once-0123456789abcdef")
    assert retried.content == first.content, "the answer was lost, the retry brings it"
    problem(table.post("tokens/seat-0/rotate", table.seats[0]), 401, "unauthorized")


def test_games_are_listed_in_pages(client: httpx.Client) -> None:
    mine = [Table.open(client, start=False, options={"listed": True}).id for _ in range(3)]
    found: list[str] = []
    after = ""
    while True:
        page = client.get("/v1/games", params={"limit": 2, **({"after": after} if after else {})}).json()
        assert len(page["games"]) <= 2
        found += [one["id"] for one in page["games"]]
        after = page["next"]
        if not after:
            break
    assert [one for one in found if one in mine] == mine
    assert len(set(found)) == len(found)
    problem(client.get("/v1/games", params={"after": "a" * 20}), 404, "not-found")


# -- names --------------------------------------------------------------------------------------------------------------------------


UNSEEN = [
    "An\u202en",
    "\u2067Ann",
    "An\u200bn",
    "An\u200dn",
    "\ufeffAnn",
    "Ann\n",
    "Ann\u0000",
    "An\u00adn",
    "\U000e0041nn",
    " ",
    "\u3164",
    "\u2800\u00a0",
    "\U0001d159",
]


@pytest.mark.parametrize("name", UNSEEN)
def test_a_name_shows_all_that_is_in_it(client: httpx.Client, name: str) -> None:
    refused = client.post("/v1/games", json={**INVITED, "seats": [{"name": name}, {}, {}]})
    assert problem(refused, 400, "invalid-body")["errors"][0]["pointer"] == "/seats/0/name"
    found = problem(claim(client, opened(client), 2, name=name), 400, "invalid-body")
    assert found["errors"][0]["pointer"] == "/name"


NO_CHARACTERS = ["An\ue000n", "An\U0010fffdn", "An\u0378n", "Ann\uffff", "Ann\U000efffe"]
"""For private use, unassigned, and what will never be assigned."""


@pytest.mark.parametrize("name", NO_CHARACTERS)
def test_a_name_is_made_of_characters(client: httpx.Client, name: str) -> None:
    refused = client.post("/v1/games", json={**INVITED, "seats": [{"name": name}, {}, {}]})
    (found,) = problem(refused, 400, "invalid-body")["errors"]
    (strange,) = [one for one in name if one not in "An"]
    assert found["pointer"] == "/seats/0/name"
    assert f"U+{ord(strange):04X} is not a character" in found["detail"]
    found = problem(claim(client, opened(client), 2, name=name), 400, "invalid-body")
    assert found["errors"][0]["pointer"] == "/name"


def test_half_of_a_pair_is_no_character(client: httpx.Client) -> None:
    body = json.dumps({**INVITED, "seats": [{"name": "An\ud800n"}, {}, {}]})
    assert r"\ud800" in body
    problem(client.post("/v1/games", content=body, headers={"Content-Type": "application/json"}), 400, "invalid-body")


SAME = ["Ann", "ann", "ANN", "\u0410nn", "\uff21nn", "\u00c4nn", "A\u0144n", "Ann ", "\U0001d400nn"]
"""Names that are read as Ann: small and large, Cyrillic, wide, with accents, with a blank, mathematical."""


@pytest.mark.parametrize("name", SAME)
def test_no_two_seats_have_names_that_look_alike(client: httpx.Client, name: str) -> None:
    seats = [{"name": "Ann"}, {}, {"name": name}]
    found = problem(client.post("/v1/games", json={**INVITED, "seats": seats}), 409, "name-taken")
    assert found["errors"][0]["pointer"] == "/seats/2/name"
    game = opened(client)
    found = problem(claim(client, game, 2, name=name), 409, "name-taken")
    assert found["errors"][0]["pointer"] == "/name"
    assert claim(client, game, 0, name=name).status_code == 201, "its own it may write otherwise"
    assert claim(client, game, 2, name="Anna").status_code == 201


ALIKE = [
    ("Bill", "B1ll"),
    ("Ian", "lan"),
    ("Ool", "O0l"),
    ("Arno", "Amo"),
    ("Boris", "\u0412\u043er\u0456s"),
    ("Pawe\u0142", "Pawel\u0335"),
    ("S\u00f8ren", "So\u0338ren"),
    ("Ann", "Ann\u2800"),
    ("Ann B", "Ann\u2800B"),
]


@pytest.mark.parametrize("one, other", ALIKE)
def test_letters_that_look_like_others_are_read_as_those(client: httpx.Client, one: str, other: str) -> None:
    for seats in ([{"name": one}, {"name": other}, {}], [{"name": other}, {"name": one}, {}]):
        problem(client.post("/v1/games", json={**INVITED, "seats": seats}), 409, "name-taken")


PUNCTUATION = [
    ("O'Neil", "O\u2019Neil"),
    ("O'Neil", "O\u00b4Neil"),
    ("O`Neil", "O\u02b9Neil"),
    ("Ann-Lie", "Ann\u2010Lie"),
    ("Ann-Lie", "Ann\u2212Lie"),
    ('"Ann"', "\u201cAnn\u201d"),
    ("Ann.", "Ann\ua4f8"),
    ("Ann!", "Ann\u01c3"),
    ("Ann:", "Ann\u0589"),
    ("Ann~", "Ann\u02dc"),
    ("A/B", "A\u2215B"),
    ("A(b)", "A\u2768b\u2769"),
]


@pytest.mark.parametrize("one, other", PUNCTUATION)
def test_punctuation_that_looks_alike_makes_no_other_name(client: httpx.Client, one: str, other: str) -> None:
    for seats in ([{"name": one}, {"name": other}, {}], [{"name": other}, {"name": one}, {}]):
        problem(client.post("/v1/games", json={**INVITED, "seats": seats}), 409, "name-taken")


APART = [
    ("Ann-Lie", "Ann Lie"),
    ("O'Neil", "ONeil"),
    ("Ann!", "Ann?"),
    ("Ian", "Jan"),
    ("Lia", "Ila"),
    ("Max", "Mux"),
    ("Boris", "Doris"),
    ("\u674e", "\u738b"),
]


@pytest.mark.parametrize("one, other", APART)
def test_names_that_can_be_told_apart_are_not_refused(client: httpx.Client, one: str, other: str) -> None:
    seats = [{"name": one}, {"name": other}, {}]
    assert client.post("/v1/games", json={**INVITED, "seats": seats}).status_code == 201


def test_of_two_who_want_a_name_at_once_one_gets_it(client: httpx.Client) -> None:
    game = opened(client)
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(claim, client, game, seat, name="Cleo") for seat in (0, 1, 2)]
        answers = [one.result() for one in asked]
    assert sorted(one.status_code for one in answers) == [201, 409, 409]
    (taken,) = [seat for seat, one in enumerate(answers) if one.status_code == 201]
    assert claim(client, game, (taken + 1) % 3, name="Dora").status_code == 201, "the invite was not spent"
