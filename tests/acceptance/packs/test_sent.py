"""`POST /v1/packs`: a group plays its own haunt on a service that it does not run."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from content.load.strangers import TOO_MUCH
from service.audit.verdict import audit
from service.bootstrap import open_service
from service.games.lobby import uploads
from service.log.exported import open_export
from service.log.facts import ADDRESS
from service.log.requests import OpenGame, SeatWish
from service.problems import ProblemError
from tests.acceptance.driving import OPENING, Table, bearer, problem, serving, settings
from tests.acceptance.packs.writing import haunt, head
from tests.content.load import zips
from tests.support.shared_stores import empty_store

PACK = zips.zipped({"pack.yaml": head(), "haunts/bell.yaml": haunt()})
ZIP = {"Content-Type": "application/zip"}
PATIENCE = 60
"""Seconds for an answer: a pack is judged in a process of its own, which takes its time where other tests run."""


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store."""
    return empty_store(request.param, request, tmp_path)


counted = pytest.mark.parametrize("store", ["sqlite", pytest.param("redis", marks=pytest.mark.prove)], indirect=True)
"""What no store does by itself: that each keeps the records that are counted is held elsewhere."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a service that takes packs, and stays well whatever is sent."""
    chosen = settings(tmp_path_factory.mktemp("strangers") / "db", pack_uploads=True, packs_per_address=0)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=180) as client:
        yield client
        assert client.get("/health/ready").status_code == 200


def send(client: httpx.Client, archive: bytes = PACK, query: str = "", **headers: str) -> httpx.Response:
    return client.post(f"/v1/packs{query}", content=archive, headers={**ZIP, **headers})


def sent(client: httpx.Client, archive: bytes = PACK, query: str = "", **headers: str) -> dict[str, Any]:
    """Send a pack that is taken; returns what is shown of it."""
    answer = send(client, archive, query, **headers)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()["pack"]
    assert answer.headers["location"] == f"/v1/packs/{found['id']}"
    return found


def archive_of(title: str, base: str = "second-edition") -> bytes:
    return zips.zipped({"bell.yaml": haunt(title, base=base)})


def test_a_pack_that_is_sent_is_played_and_its_games_survive_a_restart(store: str, tmp_path: Path) -> None:
    with (
        serving(settings(store, pack_uploads=True)) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        shown = sent(client)
        assert shown["id"] == "custom-" + shown["digest"].removeprefix("sha256:")[:32], "it is named by its digest"
        assert shown["title"] == "Ours"
        table = Table.open(client, pack=shown["id"], options={"haunt": "our-bell"})
        assert table.opened["game"]["pack"] == shown["id"]
        assert table.opened["game"]["pack_digest"] == shown["digest"]
        table.play(20)
    with serving(settings(store)) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        table.client = client
        assert table.play(20, seed=2) == 20, "even where no packs are taken any more"
        found = tmp_path / "game.ndjson"
        found.write_bytes(client.get(f"{table.path}/export", headers=bearer(table.referee)).content)
        assert audit(open_export(found)).redecided


def test_a_pack_is_listed_nowhere_and_shown_to_whoever_names_it(stranger: httpx.Client) -> None:
    shown = sent(stranger)
    assert [one["id"] for one in stranger.get("/v1/packs").json()["packs"]] == ["second-edition"]
    details = stranger.get(f"/v1/packs/{shown['id']}")
    assert details.json()["digest"] == shown["digest"]
    (bell,) = [one for one in details.json()["haunts"] if one["id"] == "our-bell"]
    assert bell.keys() == {"id", "title", "stage", "playtest"}
    assert "Something gets up to answer it" not in details.text, "no book of a side is shown, nor the story"
    assert Table.open(stranger).opened["game"]["pack"] == "second-edition", "it is nobody's default"


def test_a_pack_that_nobody_sent_is_not_there(stranger: httpx.Client) -> None:
    nothing = "custom-" + "0" * 32
    problem(stranger.get(f"/v1/packs/{nothing}"), 404, "not-found")
    problem(stranger.post("/v1/games", json={**OPENING, "pack": nothing}), 422, "unknown-pack")


def test_an_answer_has_what_the_check_has_to_say(stranger: httpx.Client) -> None:
    assert send(stranger).json()["findings"] == []


def test_a_haunt_file_is_sent_for_the_pack_that_is_named(stranger: httpx.Client) -> None:
    assert sent(stranger, archive_of("Ours"))["edition"] == "second"
    assert sent(stranger, archive_of("Ours", "third-edition"), "?extends=third-edition")["edition"] == "third"
    refused = problem(send(stranger, archive_of("Ours"), "?extends=fourth-edition"), 422, "unfit-pack")
    assert "there is no built-in pack `fourth-edition`: did you mean" in refused["detail"]


# ---- who may ----


def test_by_default_no_packs_are_taken(tmp_path: Path) -> None:
    with serving(settings(tmp_path / "db")) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        problem(send(client), 403, "uploads-off")


def test_only_who_may_open_games_sends_packs(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "db", pack_uploads=True, opening_key="sesame")
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        problem(send(client), 401, "unauthorized")
        problem(send(client, Authorization="Bearer wrong"), 401, "unauthorized")
        sent(client, Authorization="Bearer sesame")


@counted
def test_an_address_sends_no_more_than_its_share(store: str) -> None:
    chosen = settings(store, pack_uploads=True, packs_per_address=1)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        first = sent(client, archive_of("One"))
        refused = send(client, archive_of("Two"))
        assert problem(refused, 429, "too-many-packs")["retry_after"] == int(refused.headers["retry-after"])
        assert sent(client, archive_of("One")) == first, "the same again takes no other place"
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        problem(send(client, archive_of("Two")), 429, "too-many-packs")


def test_all_together_send_no_more_than_the_store_is_to_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST", 1)
    chosen = settings(tmp_path / "db", pack_uploads=True, packs_per_address=0)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        sent(client, archive_of("One"))
        problem(send(client, archive_of("Two")), 429, "too-many-packs")
        sent(client, archive_of("One"))


# ---- how long ----


async def test_a_pack_is_gone_after_a_while_unless_a_game_pins_it(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    service = await open_service(settings(store, pack_uploads=True, packs_per_address=2, pack_lifetime=100))
    who = {ADDRESS: "somebody"}
    played, _ = await service.uploads.take(archive_of("Played"), "second-edition", who)
    unplayed, _ = await service.uploads.take(archive_of("Unplayed"), "second-edition", who)
    asked = OpenGame(edition="second", pack=played.name, seats=[SeatWish(), SeatWish(), SeatWish()], hotseat=True)
    game = (await service.opening.open(asked, "", b"")).answer.game
    later = time.time() + 101
    monkeypatch.setattr(time, "time", lambda: later)

    assert unplayed.name not in await service.uploads.offers(unplayed.name)
    assert (await service.uploads.offers(played.name))[played.name].digest == played.digest
    third, _ = await service.uploads.take(archive_of("Third"), "second-edition", who)  # there is room again
    assert [one.id for one in await service.records.of_owners(uploads.OWNER)] == [f"pack:{third.name}"]
    assert await service.store.get_pack(unplayed.digest) is None, "it never got among the packs of games"
    assert (await service.tables.live(game.id)).facts.pack == played.name
    again = (await service.opening.open(asked, "", b"")).answer.game
    assert (again.pack, again.pack_digest) == (played.name, played.digest)
    await service.close()


@counted
async def test_a_refused_opening_pins_nothing(store: str) -> None:
    service = await open_service(settings(store, pack_uploads=True))
    one, _ = await service.uploads.take(PACK, "second-edition", {ADDRESS: "somebody"})
    with pytest.raises(ProblemError, match="This pack seats 3 to 6"):
        await service.opening.open(OpenGame(edition="second", pack=one.name, seats=[SeatWish()]), "", b"")
    assert await service.store.get_pack(one.digest) is None
    await service.close()


# ---- what is refused ----


def test_what_is_wrong_is_told_with_file_line_and_reason(stranger: httpx.Client) -> None:
    mistaken = zips.zipped({"pack.yaml": head(), "haunts/bell.yaml": haunt().replace("story:", "sotry:", 1)})
    found = problem(send(stranger, mistaken), 422, "unfit-pack")
    assert {
        "file": "haunts/bell.yaml",
        "line": 8,
        "column": 1,
        "message": "unknown field `sotry` in Haunt",
        "suggestion": "did you mean `story`?",
        "severity": "error",
    } in found["findings"]
    assert found["detail"].startswith("haunts/bell.yaml:")


@pytest.mark.parametrize(
    "archive, reason",
    [
        (zips.with_entry({"pack.yaml": head()}, "../x.yaml"), "../x.yaml:1:1: a path that leaves the pack"),
        (zips.with_entry({}, "x.yaml", "/etc/passwd", mode=0o120777), "x.yaml:1:1: a link or a device"),
        (zips.zipped({"pack.yaml": "#" * 50_000_000}), "pack.yaml:1:1: unpacked, the pack has more than 2097152 bytes"),
        (
            zips.zipped({"pack.yaml": head("second-edition")}),
            "pack.yaml:1:5: `second-edition` is the name of a built-in",
        ),
        (zips.zipped({"pack.yaml": head("ours", "vocabulary: 2")}), "pack.yaml:4:13: written in version 2"),
        (zips.zipped({"x.yaml": "id: " + "[" * 9_000}), "x.yaml:1:63: not YAML: nested more than 60 levels deep"),
        (b"no archive", "(zip):1:1: not a zip archive that can be read"),
    ],
    ids=["slip", "link", "bomb", "name", "vocabulary", "depth", "no archive"],
)
def test_a_hostile_archive_is_refused(archive: bytes, reason: str, stranger: httpx.Client) -> None:
    found = problem(send(stranger, archive), 422, "unfit-pack")
    assert found["detail"].startswith(reason)
    assert found["findings"][0]["file"] == reason.partition(":")[0]


def test_other_bodies_are_refused(stranger: httpx.Client) -> None:
    answer = stranger.post("/v1/packs", content=PACK, headers={"Content-Type": "application/json"})
    problem(answer, 415, "unsupported-media-type")
    problem(send(stranger, PACK, **{"Content-Encoding": "gzip"}), 415, "unsupported-media-type")
    problem(send(stranger, b"P" * 1_048_577), 413, "body-too-large")
    found = problem(send(stranger, PACK, "?extends=../secret"), 400, "invalid-parameter")
    looks = "Expected lower-case letters, digits and hyphens, such as `my-pack`, 40 characters at most"
    assert found["detail"] == f"extends: {looks}"


def test_a_check_that_takes_too_long_is_broken_off(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "db", pack_uploads=True, pack_seconds=0.01)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        found = problem(send(client), 422, "unfit-pack")
        assert found["detail"] == "It can't be checked within 0.01 s and the memory that a pack may take."


def test_a_pack_that_needs_too_much_memory_is_refused(stranger: httpx.Client) -> None:
    """Each file stays below the bound on nodes; together they come to millions of steps, more than the process that checks them may hold."""
    steps = f"[{', '.join(['{stop: turn}'] * 100)}]"
    again = ", ".join(["{if: {in-house: foyer}, then: *a}"] * 300)
    blocks = f"\nblocks:\n  a: &a {steps}\n  b: [{again}]\nheroes:"
    bombs = {f"haunts/h{one}.yaml": haunt(name=f"h{one}").replace("\nheroes:", blocks, 1) for one in range(100)}
    found = problem(send(stranger, zips.zipped({"pack.yaml": head(), **bombs})), 422, "unfit-pack")
    assert found["detail"] in (
        f"(zip):1:1: {TOO_MUCH}",
        "It can't be checked within 20 s and the memory that a pack may take.",
    )
