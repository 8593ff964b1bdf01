"""A game by post over HTTP: two moderators, dice as a die roller gives them, private messages, orders, the status post."""

import time
from typing import Any

import httpx
import pytest

from domain.editions.third import THIRD
from domain.rulebook.turn.standing_orders import orderable
from tests.acceptance.driving import Table, bearer, problem
from tests.acceptance.games.test_chance import until_chance
from tests.rulecoverage import cite

BY_POST: dict[str, Any] = {"edition": "play-by-post", "randomness": {"source": "moderator"}, "co_referee": True}
"""What a moderator opens."""


def opened(client: httpx.Client, **changes: Any) -> Table:  # noqa: ANN401 -- whatever the body of a game takes
    return Table.open(client, **{**BY_POST, **changes})


def until_dice(table: Table) -> dict[str, object]:
    """Play until the moderator is asked for dice; rooms and cards are whatever comes first."""
    for _ in range(60):
        waiting = until_chance(table)
        if waiting["about"].startswith("dice:"):
            return waiting
        assert table.command(table.referee, table.listed(table.referee)[0]).status_code == 201
    raise AssertionError("no dice were asked for")


def co_moderator(table: Table) -> str:
    secret: str = table.opened["tokens"]["co_referee"]["secret"]
    return secret


def test_a_game_by_post_pins_the_second_editions_pack(client: httpx.Client) -> None:
    table = opened(client)
    second = Table.open(client)
    facts, other = client.get(table.path).json(), client.get(second.path).json()
    assert (facts["edition"], facts["pack"]) == ("play-by-post", "second-edition")
    assert facts["pack_digest"] == other["pack_digest"]
    assert table.get("view", table.seats[0]).json()["edition"] == "play-by-post"
    editions = client.get("/v1/packs/second-edition").json()["editions"]
    assert [one["id"] for one in editions] == ["second", "play-by-post"]
    assert len({one["title"] for one in editions}) == 2


@pytest.mark.parametrize(
    "edition, source, is_moderated",
    [
        ("second", "seeded", False),
        ("second", "moderator", True),
        ("second", "table", True),
        ("play-by-post", "seeded", True),
    ],
)
def test_a_game_says_whether_a_moderator_runs_it(
    client: httpx.Client, edition: str, source: str, *, is_moderated: bool
) -> None:
    table = Table.open(client, edition=edition, randomness={"source": source})
    assert client.get(table.path).json()["moderated"] is is_moderated


def test_house_rulings_cite_the_text_or_the_edition_below_it(client: httpx.Client) -> None:
    fine = [{"rule": rule, "ruling": "As we did last time."} for rule in ("PBP-DMG-001", "2E-DOOR-003")]
    assert opened(client, options={"house_rulings": fine}).path
    third = {**BY_POST, "seats": [{}] * 3, "options": {"house_rulings": [{"rule": "3E-MOVE-001", "ruling": "No."}]}}
    problem(client.post("/v1/games", json=third), 422, "unfit-options")


def test_a_table_chooses_official_rulings_and_traces_tell_which_texts_hold(client: httpx.Client) -> None:
    rulings = client.get("/v1/packs/second-edition").json()["rulings"]
    official = {one["piece"]: one["alternatives"][0]["text"] for one in rulings if one["by"] == "official"}
    assert set(official) >= {"webs", "dog", "it-is-meant-to-be"}

    table = opened(client, options={"rulings": {"webs": ["official"]}})
    trace = client.get(f"{table.path}/trace", params={"from": 2}, headers=bearer(table.referee)).json()
    held = {one["about"]: one["text"] for one in trace["rulings"]}
    assert held["card:webs"] == next(
        one["text"] for one in rulings if (one["piece"], one["by"]) == ("webs", "official")
    )
    assert held["card:dog"] == official["dog"]


@pytest.mark.rule("PBP-DISC-002", case=3, asserts=True)
def test_there_is_no_effect_card_and_no_such_deck(client: httpx.Client) -> None:
    asked = {**BY_POST, "seats": [{}] * 3, "setup": {"effect": ["debris"]}}
    refused = problem(client.post("/v1/games", json=asked), 400, "invalid-body")
    assert "effect" in refused["detail"]
    table = opened(client)
    assert set(table.get("view", table.seats[0]).json()["decks"]) == {"tiles", "event", "item", "omen"}


@pytest.mark.rule("PBP-DICE-003")
def test_either_moderator_throws_the_dice_and_no_player_does(client: httpx.Client) -> None:
    table = opened(client)
    waiting = until_dice(table)
    total = int(str(waiting["total"])) if "total" in waiting else None
    asked = table.get("decisions", co_moderator(table)).json()["waiting"][0]
    assert "d3-" in asked["text"], "the request names the dice as the die roller takes them"
    number = int(asked["text"].split()[1].split("d3")[0])
    assert total in (None, number)
    throw = {"type": "answer-chance", "decision": waiting["decision"], "rolled": [2] * number, "total": number}

    refused = problem(table.command(table.seats[0], throw), 409, "not-your-decision")
    cite([refused["rule"]["id"]])
    answer = table.command(co_moderator(table), throw)

    assert answer.status_code == 201
    commit = answer.json()["commit"]["data"]
    assert commit["actor"] == "co-moderator"
    assert table.get("view", co_moderator(table)).json()["role"] == "referee"


def test_both_moderators_may_use_one_and_the_same_key(client: httpx.Client) -> None:
    table = opened(client)
    for token in (table.referee, co_moderator(table)):
        assert until_chance(table)
        listed = table.listed(token)[0]
        headers = {**bearer(token), "Idempotency-Key": "one-key-for-two-people"}
        assert client.post(f"{table.path}/commands", json=listed, headers=headers).status_code == 201


def test_a_co_moderators_invite_is_taken_like_the_moderators(client: httpx.Client) -> None:
    made = client.post("/v1/games", json={**BY_POST, "seats": [{}, {}, {}]}).json()
    path = f"/v1/games/{made['game']['id']}"
    invites = made["invites"]
    tokens = [
        client.post(f"{path}/referee", json={"invite": invites[name]["secret"]}).json()["token"]
        for name in ("referee", "co_referee")
    ]
    assert [one["id"] for one in tokens] == ["referee", "co-referee"]
    assert all(client.get(f"{path}/view", headers=bearer(one["secret"])).status_code == 200 for one in tokens)


# -- beside the log -----------------------------------------------------------------------------------------------------------


def test_a_message_to_the_moderator_is_nobody_elses(client: httpx.Client) -> None:
    table = opened(client)
    before = client.get(table.path).headers["ETag"]
    sent = table.client.post(
        f"{table.path}/messages", json={"to": "referee", "text": "May I?"}, headers=bearer(table.seats[1])
    )
    assert sent.status_code == 201
    client.post(
        f"{table.path}/messages", json={"to": "seat:1", "text": "You may."}, headers=bearer(co_moderator(table))
    )

    texts = {
        who: [one["text"] for one in table.get("messages", token).json()["messages"]]
        for who, token in {"one": table.seats[1], "two": table.seats[2], "moderator": table.referee}.items()
    }
    assert texts == {"one": ["May I?", "You may."], "two": [], "moderator": ["May I?", "You may."]}
    assert client.get(table.path).headers["ETag"] == before
    assert table.get("messages", table.host).json() == {"messages": [], "to": []}

    erased = client.delete(f"{table.path}/messages/{sent.json()['id']}", headers=bearer(table.seats[1]))
    assert erased.status_code == 204
    left = table.get("messages", table.referee).json()["messages"][0]
    assert (left["text"], left["salt"], left["digest"]) == (None, "", sent.json()["digest"])
    other = client.delete(f"{table.path}/messages/{sent.json()['id']}", headers=bearer(table.seats[2]))
    problem(other, 404, "not-found")


def test_a_message_may_be_sent_again_with_its_key(client: httpx.Client) -> None:
    table = opened(client)
    where, asked = f"{table.path}/messages", {"to": "referee", "text": "May I?"}
    headers = {**bearer(table.seats[1]), "Idempotency-Key": "first-one"}
    sent = client.post(where, json=asked, headers=headers)

    again = client.post(where, json=asked, headers={**headers, "Idempotency-Key": '"first-one"'})

    assert (again.status_code, again.json()) == (201, sent.json())
    assert "Idempotent-Replayed" not in sent.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(table.get("messages", table.referee).json()["messages"]) == 1
    problem(client.post(where, json={**asked, "text": "May we?"}, headers=headers), 422, "key-reused")
    malformed = client.post(where, json=asked, headers={**headers, "Idempotency-Key": "no blanks"})
    problem(malformed, 400, "invalid-idempotency-key")


def test_there_are_no_sides_before_the_haunt(client: httpx.Client) -> None:
    table = opened(client)
    asked = {"to": "heroes", "text": "Psst."}
    problem(client.post(f"{table.path}/messages", json=asked, headers=bearer(table.seats[0])), 409, "no-side")


def test_orders_are_carried_out_while_their_player_is_away(client: httpx.Client) -> None:
    table = Table.open(client, edition="play-by-post", setup={"first_seat": 0})
    orders = {
        "steps": [
            {"command": {"type": "move", "decision": "turn", "to": "foyer"}, "when": {"haunt": False}},
            {"command": {"type": "end-turn", "decision": "turn"}},
        ]
    }
    put = client.put(f"{table.path}/seats/1/orders", json=orders, headers=bearer(table.seats[1]))
    assert (put.status_code, put.json()["state"]) == (200, "waiting")
    problem(client.put(f"{table.path}/seats/1/orders", json=orders, headers=bearer(table.seats[2])), 403, "forbidden")

    assert table.command(table.seats[0], {"type": "end-turn", "decision": "turn-1"}).status_code == 201
    for _ in range(100):
        if table.get("view", table.seats[1]).json()["turn"]["seat"] == 2:
            break
        time.sleep(0.02)

    view = table.get("view", table.seats[1]).json()
    assert (view["turn"]["seat"], view["explorers"][1]["room"]) == (2, "foyer")
    left = client.get(f"{table.path}/seats/1/orders", headers=bearer(table.referee)).json()
    assert left["state"] == "done"


@pytest.mark.parametrize(
    "step, pointer, detail",
    [
        ({"command": {"type": "move", "to": "fooyer"}}, "/steps/0/command/to", "no room `fooyer`: did you mean `foyer`?"),
        ({"command": {"type": "drop", "cards": ["axxe"]}}, "/steps/0/command/cards/0", "no card `axxe`: did you mean `axe`?"),
        ({"command": {"type": "trade", "with": 4}}, "/steps/0/command/with", "no seat 4: the last one is 2"),
        ({"command": {"type": "attack", "target": 5}}, "/steps/0/command/target", "no seat 5: the last one is 2"),
        ({"command": {"type": "take-back", "to": 1}}, "/steps/0/command/type", "`take-back` can't be ordered in this game"),
        ({"command": {"type": "look-through"}}, "/steps/0/command/type", "`look-through` can't be ordered in this game"),
        (
            {"command": {"type": "move", "to": "foyer", "monster": "ghost"}},
            "/steps/0/command/monster",
            "orders are for an explorer's turn, not for monsters",
        ),
        ({"when": {"room": ["foyer", "moon"]}}, "/steps/0/when/room/1", "no room `moon`"),
        ({"when": {"not_room": ["moon"]}}, "/steps/0/when/not_room/0", "no room `moon`"),
        ({"when": {"holds": "axxe"}}, "/steps/0/when/holds", "no card `axxe`: did you mean `axe`?"),
        ({"when": {"beside": 3}}, "/steps/0/when/beside", "no seat 3: the last one is 2"),
    ],
)  # fmt: skip
def test_orders_that_can_never_be_done_are_refused_at_once(
    table: Table, step: dict[str, Any], pointer: str, detail: str
) -> None:
    said = {"command": {"type": "end-turn"}, **step}
    said["command"]["decision"] = "turn"
    answer = table.client.put(f"{table.path}/seats/1/orders", json={"steps": [said]}, headers=bearer(table.seats[1]))

    assert problem(answer, 422, "unfit-orders")["errors"] == [{"pointer": pointer, "detail": detail}]
    problem(table.get("seats/1/orders", table.seats[1]), 404, "not-found")


def test_a_game_alone_says_what_can_be_ordered_in_it(table: Table) -> None:
    orders = table.client.get(table.path).json()["orders"]
    assert orders["attack"] == ["target", "weapon"], "neither a decision nor a monster that does it"
    listed = set(orders)
    assert "orders" not in table.opened["game"], "lists of games don't repeat it"
    assert {"move", "end-turn", "choose", "reveal"} <= listed
    assert not {"take-back", "enter", "answer-chance"} & listed, "nobody can do these in their turn"
    assert {*orderable(THIRD)} - listed == {"loot", "look-through"}, "this edition does not have these"
    assert listed <= {*orderable(THIRD)}


def test_no_orders_are_left_when_no_turn_comes(table: Table) -> None:
    assert table.post("close", table.host).status_code == 201
    orders = {"steps": [{"command": {"type": "end-turn", "decision": "turn"}}]}
    answer = table.client.put(f"{table.path}/seats/1/orders", json=orders, headers=bearer(table.seats[1]))
    problem(answer, 409, "game-over")


# -- the status post ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style, sign", [("markdown", "## Turn 1: "), ("bbcode", "[size=150][b]Turn 1: ")])
def test_the_status_post_can_be_pasted_as_it_stands(client: httpx.Client, style: str, sign: str) -> None:
    table = Table.open(client, edition="play-by-post", seats=[{"name": "Ann"}, {"name": "Bo"}, {}])
    posts = {
        client.get(f"{table.path}/post", params={"format": style}, headers=bearer(token)).text
        for token in (*table.seats, table.referee, table.host)
    }
    (post,) = posts
    assert post.startswith(sign)
    assert "Ann (" in post
    assert client.get(f"{table.path}/post?format=word", headers=bearer(table.host)).status_code == 400
