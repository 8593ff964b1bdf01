"""A scenario is chosen before a game starts: by the option or by the host. Only one is in the game, and none tells where it leads."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.driving import Table, problem, serving, settings
from tests.rulecoverage import cite

SCENARIOS = ("paranormal-investigators", "cursed", "a-strange-disappearance", "a-mysterious-invitation", "for-sale")


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server that offers both built-in packs."""
    store: Path = tmp_path_factory.mktemp("scenarios") / "log.db"
    with (
        serving(settings(store, packs="second-edition,third-edition", token_rate=0, anonymous_rate=0)) as address,
        httpx.Client(base_url=address, timeout=20) as found,
    ):
        yield found


def waiting(third: httpx.Client, **options: object) -> Table:
    """A game of the third edition that has not started."""
    return Table.open(third, start=False, edition="third", options=options)


def opening(third: httpx.Client, edition: str = "third", **options: object) -> httpx.Response:
    return third.post(
        "/v1/games", json={"edition": edition, "seats": [{}, {}, {}], "hotseat": True, "options": options}
    )


@pytest.mark.rule("3E-SETUP-012", case=1)
def test_no_game_starts_before_one_of_the_scenarios_is_chosen(third: httpx.Client) -> None:
    table = waiting(third)
    before = table.version()
    refused = problem(table.post("start", table.host), 422, "unfit-scenario")
    assert refused["rule"]["id"] == "3E-SETUP-012"
    assert all(scenario in refused["detail"] for scenario in SCENARIOS)
    assert table.version() == before
    started = table.post("start", table.host, {"scenario": "cursed"})
    assert started.status_code == 201, started.text
    chosen = [one for one in started.json()["commit"]["data"]["events"] if one["type"] == "ScenarioChosen"]
    assert [(one["scenario"], one["rule"]) for one in chosen] == [("cursed", "3E-SETUP-012")]


@pytest.mark.rule("3E-SETUP-012")
@pytest.mark.parametrize("body", [{"scenario": "curse"}, {"scenario": "the-bell-below"}])
def test_an_unknown_scenario_is_refused_and_changes_nothing(third: httpx.Client, body: dict[str, Any]) -> None:
    table = waiting(third)
    before = table.version()
    refused = problem(table.post("start", table.host, body), 422, "unfit-scenario")
    assert refused["rule"]["id"] == "3E-SETUP-012"
    assert "for-sale" in refused["detail"]
    assert refused["errors"][0]["pointer"] == "/scenario"
    assert table.version() == before


def test_an_unknown_scenario_in_the_options_is_refused(third: httpx.Client) -> None:
    refused = problem(opening(third, scenario="curse"), 422, "unfit-options")
    assert refused["errors"][0]["pointer"] == "/options/scenario"
    assert "did you mean `cursed`" in refused["detail"]
    assert refused["rule"]["id"] == "3E-SETUP-012"


@pytest.mark.rule("3E-SETUP-013", case=1)
def test_after_the_choice_one_scenario_is_in_the_game_and_no_other_can_be_consulted(third: httpx.Client) -> None:
    table = waiting(third, scenario="for-sale")
    refused = problem(table.post("start", table.host, {"scenario": "cursed"}), 422, "unfit-scenario")
    assert refused["rule"]["id"] == "3E-SETUP-013"
    assert table.post("start", table.host).status_code == 201
    for token in (*table.seats, table.referee, table.spectator):
        view = table.get("view", token)
        assert view.json()["scenario"]["id"] == "for-sale"
        assert set(view.json()["scenario"]) == {"id", "title", "text"}
        assert not any(other in view.text for other in SCENARIOS if other != "for-sale")
    problem(table.post("start", table.host, {"scenario": "cursed"}), 409, "not-open")


@pytest.mark.rule("3E-COMP-006", case=1, asserts=True)
def test_of_the_five_scenarios_that_are_offered_only_the_motivations_are_shown(third: httpx.Client) -> None:
    table = waiting(third)
    offered = problem(table.post("start", table.host), 422, "unfit-scenario")["detail"]
    assert sorted(re.findall("|".join(SCENARIOS), offered)) == sorted(SCENARIOS)
    shown = third.get("/v1/packs/third-edition").json()["scenarios"]
    assert [set(one) for one in shown] == [{"id", "title", "text"}] * 5
    assert sorted(one["id"] for one in shown) == sorted(SCENARIOS)


def test_a_pack_without_scenarios_takes_none(third: httpx.Client) -> None:
    assert third.get("/v1/packs/second-edition").json()["scenarios"] == []
    assert "This pack has none" in problem(opening(third, "second", scenario="cursed"), 422, "unfit-options")["detail"]
    table = Table.open(third, start=False)
    refused = problem(table.post("start", table.host, {"scenario": "cursed"}), 422, "unfit-scenario")
    assert "This pack has none" in refused["detail"]
    assert table.post("start", table.host, {}).status_code == 201


def test_what_nobody_knows_of_a_start_is_refused(third: httpx.Client) -> None:
    table = waiting(third)
    refused = problem(table.post("start", table.host, {"scenery": "cursed"}), 400, "invalid-body")
    assert "did you mean `scenario`?" in refused["detail"]


@pytest.mark.rule("3E-SCEN-001")
def test_known_haunts_are_a_rule_of_the_second_edition(third: httpx.Client) -> None:
    refused = problem(opening(third, scenario="cursed", known_haunts=[4]), 422, "unfit-options")
    assert refused["errors"][0]["pointer"] == "/options/known_haunts"
    cite([refused["rule"]["id"]])
    assert opening(third, "second", known_haunts=[4]).status_code == 201


def test_reading_out_is_a_rule_of_the_third_edition(third: httpx.Client) -> None:
    refused = problem(opening(third, "second", reading_out="at-once"), 422, "unfit-options")
    assert refused["errors"][0]["pointer"] == "/options/reading_out"
    assert opening(third, "second", reading_out="on-demand").status_code == 201
    assert opening(third, "third", scenario="cursed", reading_out="at-once").status_code == 201


@pytest.mark.rule("3E-START-003", case=1)
def test_nobody_reads_a_haunt_that_is_not_being_played(third: httpx.Client) -> None:
    table = Table.open(third, edition="third", options={"scenario": "cursed"})
    problem(table.get("book", table.seats[0]), 404, "not-found")
    for _ in range(40):
        table.play(25)
        if (
            table.get("view", table.seats[0]).json()["phase"] == "haunt"
            and table.get("book", table.seats[0]).is_success
        ):
            break
    book = table.get("book", table.seats[0])
    assert book.is_success
    problem(table.get("book?haunt=the-night-shift", table.seats[0]), 400, "invalid-parameter")
