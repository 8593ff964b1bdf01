"""`OMENLOG_PACKS` names folders and files beside ids, and edits are taken in between games."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from content.errors import ContentErrors
from service.audit.verdict import audit
from service.log.exported import open_export
from tests.acceptance.driving import OPENING, Table, bearer, problem, serving, settings
from tests.acceptance.packs.writing import haunt, haunt_file, pack_folder
from tests.support.shared_stores import empty_store


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store."""
    return empty_store(request.param, request, tmp_path)


def packs_of(client: httpx.Client) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in client.get("/v1/packs").json()["packs"]}


def test_a_folder_and_a_file_are_offered_beside_an_id(store: str, tmp_path: Path) -> None:
    packs = f"{pack_folder(tmp_path)}, {haunt_file(tmp_path)}, second-edition"
    with serving(settings(store, packs=packs)) as address, httpx.Client(base_url=address) as client:
        assert list(packs_of(client)) == ["second-edition", "ours", "our-bell"]
        shown = client.get("/v1/packs/our-bell").json()
        assert "our-bell" in {one["id"] for one in shown["haunts"]}
        assert (shown["title"], shown["edition"], shown["stage"]) == ("Our Bell", "second", "draft")

        assert Table.open(client).opened["game"]["pack"] == "second-edition", "what is built in is the default"
        table = Table.open(client, pack="our-bell", options={"haunt": "our-bell"})
        assert table.opened["game"]["pack"] == "our-bell"
        assert table.opened["game"]["pack_digest"] == shown["digest"]
        assert table.play(10) == 10


def test_a_haunt_file_may_belong_to_another_built_in_pack(tmp_path: Path) -> None:
    packs = f"second-edition,{haunt_file(tmp_path, base='third-edition')}@third-edition"
    with serving(settings("memory:", packs=packs)) as address, httpx.Client(base_url=address) as client:
        assert packs_of(client)["our-bell"]["edition"] == "third"
        asked = {"edition": "third", "pack": "our-bell", "seats": [{}, {}, {}]}
        unknown = client.post("/v1/games", json={**asked, "options": {"haunt": "the-moon"}})
        assert problem(unknown, 422, "unfit-options")["errors"][0]["pointer"] == "/options/haunt"
        for haunt in ("our-bell", "external"):
            assert client.post("/v1/games", json={**asked, "options": {"haunt": haunt}}).status_code == 201


def test_no_books_of_a_side_are_shown(tmp_path: Path) -> None:
    packs = f"second-edition,{haunt_file(tmp_path)}"
    with serving(settings("memory:", packs=packs)) as address, httpx.Client(base_url=address) as client:
        (shown,) = [one for one in client.get("/v1/packs/our-bell").json()["haunts"] if one["id"] == "our-bell"]
        assert shown.keys() == {"id", "title", "stage", "playtest"}


def test_a_service_does_not_start_with_a_pack_under_the_name_of_a_built_in_one(tmp_path: Path) -> None:
    folder = pack_folder(tmp_path, "second-edition")
    with (
        pytest.raises(ContentErrors, match=r"pack.yaml:1:5: `second-edition` is the name of a built-in pack"),
        serving(settings("memory:", packs=str(folder))),
    ):
        pass


def test_a_service_does_not_start_with_two_packs_of_one_name(tmp_path: Path) -> None:
    packs = f"{pack_folder(tmp_path / 'one')},{pack_folder(tmp_path / 'two')}"
    with (
        pytest.raises(ContentErrors, match=r"two/ours:1:1: another pack that is offered has the id `ours`"),
        serving(settings("memory:", packs=packs)),
    ):
        pass


def opened(client: httpx.Client) -> Table:
    return Table.open(client, pack="our-bell", options={"haunt": "our-bell"})


def test_edits_are_taken_in_between_games_and_games_go_on_with_what_they_pinned(store: str, tmp_path: Path) -> None:
    packs = f"second-edition,{haunt_file(tmp_path)}"
    chosen = settings(store, packs=packs, reload_packs=True)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        first = opened(client)
        first.play(20)
        haunt_file(tmp_path, title="Another Bell")
        second = opened(client)
        digests = [one.opened["game"]["pack_digest"] for one in (first, second)]
        assert digests[0] != digests[1]
        assert packs_of(client)["our-bell"]["digest"] == digests[1]
        assert first.play(20, seed=2) == 20
        second.play(20)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        for table in (first, second):
            table.client = client
            assert table.play(20, seed=3) == 20, "after a restart each goes on with its own"
        found = tmp_path / "first.ndjson"
        found.write_bytes(client.get(f"{first.path}/export", headers=bearer(first.referee)).content)
        assert b"Our Bell" in found.read_bytes()
        verdict = audit(open_export(found))
        assert verdict.redecided
        assert verdict.because.startswith("the seed is not disclosed"), "nothing else is in doubt while it runs"


def test_without_reloading_a_pack_stays_as_it_was_when_the_service_started(tmp_path: Path) -> None:
    packs = f"second-edition,{haunt_file(tmp_path)}"
    with serving(settings("memory:", packs=packs)) as address, httpx.Client(base_url=address) as client:
        before = packs_of(client)
        haunt_file(tmp_path, title="Another Bell")
        assert packs_of(client) == before


def test_an_edit_with_a_mistake_leaves_the_pack_as_it_was(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = haunt_file(tmp_path)
    packs = f"second-edition,{file}"
    with (
        serving(settings("memory:", packs=packs, reload_packs=True)) as address,
        httpx.Client(base_url=address) as client,
    ):
        before = packs_of(client)
        file.write_text(haunt().replace("story:", "sotry:", 1), "utf-8")
        assert packs_of(client) == before
        assert f"{file}:8:1: unknown field `sotry` in Haunt: did you mean `story`?" in caplog.text
        assert opened(client).play(5) == 5
        file.write_text(haunt("Mended Bell"), "utf-8")
        assert packs_of(client)["our-bell"]["title"] == "Mended Bell"


def test_an_edit_may_rename_a_pack(tmp_path: Path) -> None:
    file = haunt_file(tmp_path)
    packs = f"second-edition,{file}"
    with (
        serving(settings("memory:", packs=packs, reload_packs=True)) as address,
        httpx.Client(base_url=address) as client,
    ):
        table = opened(client)
        file.write_text(haunt(name="their-bell"), "utf-8")
        assert list(packs_of(client)) == ["second-edition", "their-bell"]
        problem(client.post("/v1/games", json={**OPENING, "pack": "our-bell"}), 422, "unknown-pack")
        assert table.play(5) == 5
