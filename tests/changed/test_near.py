"""What `./dev test --changed` chooses: the tests nearest to a change, and what fits into the time."""

import grimp
import pytest

from tests.changed import near
from tests.changed.change import Change


@pytest.fixture
def graph() -> grimp.ImportGraph:
    """A chain of imports: a rule, the game on it, a service on the game, with tests of each."""
    found = grimp.ImportGraph()
    for importer, imported in [
        ("domain.game", "domain.rulebook.fight.attacking"),
        ("service.games", "domain.game"),
        ("tests.domain.rulebook.fight.test_attacking", "tests.support.table"),
        ("tests.domain.rulebook.explore.test_doors", "tests.support.table"),
        ("tests.golden.test_games", "service.games"),
        ("tests.service.test_play", "service.games"),
        ("tests.support.table", "domain.game"),
    ]:
        found.add_import(importer=importer, imported=imported)
    for module in ("content", "content.load", "tests.service.test_settings"):
        found.add_module(module)
    found.add_import(importer="domain.game", imported="content.load")
    return found


def _touched(graph: grimp.ImportGraph, *files: str, pieces: set[str] | None = None) -> list[str]:
    texts = {"tests.service.test_play": 'give("dog-collar")'}
    return near.touched(Change([*files], pieces or set()), graph, lambda module: texts.get(module, ""))


def test_tests_named_after_a_module_come_first_then_whole_games_then_importers_by_distance(
    graph: grimp.ImportGraph,
) -> None:
    assert _touched(graph, "domain/rulebook/fight/attacking.py") == [
        "tests.domain.rulebook.fight.test_attacking",
        "tests.golden.test_games",
        "tests.domain.rulebook.explore.test_doors",
        "tests.service.test_play",
    ]


def test_a_changed_test_file_is_nearest_of_all(graph: grimp.ImportGraph) -> None:
    changed = ("domain/rulebook/fight/attacking.py", "tests/service/test_play.py")
    assert _touched(graph, *changed)[:2] == ["tests.service.test_play", "tests.domain.rulebook.fight.test_attacking"]


def test_what_a_module_does_not_reach_is_not_touched(graph: grimp.ImportGraph) -> None:
    assert _touched(graph, "service/games/__init__.py") == ["tests.golden.test_games", "tests.service.test_play"]


def test_a_card_reaches_first_the_tests_that_name_it(graph: grimp.ImportGraph) -> None:
    chosen = _touched(graph, "content/packs/second-edition/cards/items.yaml", pieces={"dog-collar"})
    assert chosen[:2] == ["tests.service.test_play", "tests.golden.test_games"]
    assert len(chosen) == 4


@pytest.mark.parametrize("file", ["README.md", "domain/removed.py"])
def test_what_nobody_imports_touches_no_test(graph: grimp.ImportGraph, file: str) -> None:
    assert _touched(graph, file) == []


def test_the_nearest_run_until_the_time_is_spent_and_short_ones_fill_the_rest() -> None:
    seconds = {"near": 4.0, "long": 9.0, "short": 1.0, "far": 2.0}
    assert near.fitting(seconds, seconds.__getitem__, budget=6) == ["near", "short"]


def test_the_graph_of_the_project_leads_from_each_top_folder_to_its_tests() -> None:
    graph = near.imports()
    for folder in near.PACKAGES[:-1]:
        touched = near.touched(Change([f"{folder}/data.toml"]), graph, lambda _: "")
        assert any(module.startswith(f"tests.{folder}.") for module in touched), folder
