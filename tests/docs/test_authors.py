"""The tutorial for authors: what is typed there, step by step, on a copy of the content."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks
from tests.support.gaps import report

PAGE = "docs/authors.md"
HAUNT = "content/packs/second-edition/haunts/the-seventh-candle.yaml"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose `content` goes before ours."""
    folder = tmp_path_factory.mktemp("author")
    shutil.copytree(ROOT / "content", folder / "content", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def typed(checkout: Path, text: str) -> list[str]:
    """What `./dev …` prints that a block shows as typed."""
    words = re.sub(r"^\$ \./dev (omenlog )?", "", text.splitlines()[0]).split()
    command = [sys.executable, "-m", "service.cli", *words]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "COLUMNS": "200", "OMENLOG_COMMAND": "./dev omenlog"}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).splitlines()


def test_the_tutorial_goes_as_it_is_shown(checkout: Path) -> None:
    haunt = checkout / HAUNT

    (begun,) = blocks(PAGE, "yaml", "1. Begin")
    (mistakes,) = blocks(PAGE, "text", "1. Begin")
    haunt.write_text(begun)
    assert typed(checkout, mistakes) == mistakes.splitlines()[1:]

    (whole,) = blocks(PAGE, "yaml", "2. Give each side something to do")
    (right,) = blocks(PAGE, "text", "2. Give each side something to do")
    haunt.write_text(whole)
    assert _without_digest(typed(checkout, right)) == _without_digest(right.splitlines()[1:])

    (demo,) = blocks(PAGE, "text", "3. See it played")
    played = typed(checkout, demo)
    assert [line for line in demo.splitlines()[1:] if line != "…" and line not in played] == []
    assert played[-1].startswith("EXACT: ")

    goal, counter, clock = blocks(PAGE, "yaml", "4. Balance it")
    before, after = blocks(PAGE, "text", "4. Balance it")
    easy = typed(checkout, before)
    haunt.write_text(_balanced(whole, goal, counter, clock))
    fair = typed(checkout, after)
    assert [_shape(line) for line in easy[:3]] == [_shape(line) for line in before.splitlines()[1:]]
    assert [_shape(line) for line in fair[:3]] == [_shape(line) for line in after.splitlines()[1:]]
    assert _heroes(easy) == _heroes(before.splitlines()[1:]) == 100
    assert 25 <= _heroes(fair) <= 75


def _balanced(whole: str, goal: str, counter: str, clock: str) -> str:
    """The haunt with the changes that the page asks for."""
    heroes, _, traitor = whole.partition("traitor-book:\n")
    for line in goal.splitlines():
        (old,) = re.findall(rf"^{line.partition(':')[0]}:.*$", heroes, re.MULTILINE)
        heroes = heroes.replace(old, line)
    heroes = heroes.replace("\ntokens:", f"{counter}\ntokens:").replace("}\n\n  hours", "}\n  hours")
    first, *rest = clock.splitlines()
    traitor = re.sub(r"^  goal:.*$", first, traitor, flags=re.MULTILINE)
    traitor = re.sub(r"^  wins-when:.*\n  because:.*$", "\n".join(rest), traitor, flags=re.MULTILINE)
    return f"{heroes}traitor-book:\n{traitor}"


def _without_digest(lines: list[str]) -> list[str]:
    """Whoever changes the pack changes its digest."""
    return [re.sub(r"sha256:\w+|\d+(?= \w)", "…", line) for line in lines]


def _shape(line: str) -> str:
    """Cleverer bots play otherwise."""
    return re.sub(r"[\d.]+", "#", re.sub(r" +", " ", line))


def _heroes(lines: list[str]) -> int:
    return int(lines[1].split()[3])


def test_every_original_haunt_is_named_for_what_it_shows() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    haunts = (ROOT / "content/packs/second-edition/haunts").glob("*.yaml")
    titles = [re.findall(r"^title: (.*)$", haunt.read_text(encoding="utf-8"), re.MULTILINE)[0] for haunt in haunts]
    report(
        f"{PAGE} does not name the haunt {title}: add a row to the table of mechanisms that says what it shows."
        for title in titles
        if title not in page
    )
