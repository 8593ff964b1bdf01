"""Which test files a change can touch, and how near they are to it: by their names, then by imports."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import grimp

from tests.changed import ROOT
from tests.changed.change import Change

PACKAGES = ("service", "omenlog", "projections", "domain", "content", "tests")
SMOKE = ("tests.golden.test_games", "tests.domain.laws.test_golden")
"""Whole games: the first to notice that play has changed."""

_TESTS = re.compile(r"^tests\.(.+\.)?test_\w+$")


def imports() -> grimp.ImportGraph:
    """All imports of the project, those of tests included; a test also imports the conftest modules above it."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=str(ROOT / ".import_linter_cache"))
    for conftest in [module for module in graph.modules if module.endswith(".conftest")]:
        folder = conftest.removesuffix("conftest")
        if folder == "tests.":  # it reads the packs for everybody, which would make every test as near as its neighbor
            for imported in graph.find_modules_directly_imported_by(conftest):
                graph.remove_import(importer=conftest, imported=imported)
        for module in [module for module in graph.modules if _TESTS.match(module) and module.startswith(folder)]:
            graph.add_import(importer=module, imported=conftest)
    return graph


def touched(change: Change, graph: grimp.ImportGraph, text: Callable[[str], str]) -> list[str]:
    """All test modules that the change can touch, the nearest first.

    First changed ones; then those that share a word of their name with what changed, or mention a changed piece of
    content; then whole games; then all that import what changed, by the number of imports between.

    Args:
        change: what has changed.
        graph: who imports whom.
        text: the source of a test module.
    """
    changed = {module for file in change.files for module in _modules(file, graph)}
    distances = _distances(changed, graph)
    paths = [Path(file.removesuffix("/__init__.py")) for file in change.files if not file.startswith("tests/")]
    names = {word for path in paths for word in _words(path.stem)}
    folders = {word for path in paths for word in _words(str(path.parent))}
    mention = re.compile("|".join(rf"\b{re.escape(piece)}\b" for piece in sorted(change.pieces)) or r"(?!)")

    def nearness(module: str) -> tuple[int, int, int, str]:
        folder, _, stem = module.rpartition(".")
        if module in changed:
            rank = 0
        elif names & _words(stem) or mention.search(text(module)):
            rank = 1
        else:
            rank = 2 if module in SMOKE else 3
        return rank, distances[module] if rank > 1 else 0, -len(folders & _words(folder)), module

    return sorted(filter(_TESTS.match, distances), key=nearness)


def fitting(modules: Iterable[str], seconds: Callable[[str], float], budget: float) -> list[str]:
    """The nearest of these that take no longer than the budget together; one that is too long lets shorter ones pass."""
    chosen = []
    for module in modules:
        cost = seconds(module)
        if cost <= budget:
            chosen.append(module)
            budget -= cost
    return chosen


def _modules(file: str, graph: grimp.ImportGraph) -> set[str]:
    """The module that a file is; of data, the modules of the nearest folder that has any: they read it."""
    path = Path(file)
    if path.suffix == ".py":
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        return {module} & graph.modules
    for folder in path.parents:
        package = ".".join(folder.parts)
        if package in graph.modules:
            return {package, *graph.find_children(package)}
    return set()


def _distances(changed: set[str], graph: grimp.ImportGraph) -> dict[str, int]:
    """By module: how many imports lie between it and the nearest that changed."""
    found = dict.fromkeys(changed, 0)
    for module in (queue := list(changed)):
        for importer in graph.find_modules_that_directly_import(module):
            if importer not in found:
                found[importer] = found[module] + 1
                queue.append(importer)
    return found


def _words(name: str) -> set[str]:
    """Beginnings of the words of a name, so that `attacking` is found in `test_attacks`."""
    return {
        word[:4] for word in re.split(r"[\W_]", name) if len(word) >= 4 and word not in {"test", "tests", "conftest"}
    }
