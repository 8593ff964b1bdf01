"""The tutorial for authors: what is typed there, step by step, as an author without this repository would."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks
from tests.support.gaps import report

PAGE = "docs/authors.md"
HAUNT = "the-seventh-candle.yaml"
FEWER = {"--games 400": "--games 2"}
"""What takes minutes is done with less."""
LISTENS = re.compile(r"listens on (http://\S+)")


class Author:
    """Somebody in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        """Of the service that runs, if any."""
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "200",
            "XDG_STATE_HOME": str(folder / "state"),
            "OMENLOG_PACK_UPLOADS": "true",
        }

    def words(self, line: str) -> tuple[list[str], dict[str, str]]:
        """A command line as shown, with what it sets."""
        for shown, done in FEWER.items():
            line = line.replace(shown, done)
        words = shlex.split(line.replace("https://omenlog.example", self.url))
        settings = {}
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            settings[name] = value
        if words[0] == "omenlog":
            words[:1] = [sys.executable, "-m", "service.cli"]
        return words, {**self._environment, **settings}

    def type(self, line: str) -> list[str]:
        """The lines that a command prints."""
        words, environment = self.words(line)
        if "new" in words:
            words += ["--url", self.url]
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).splitlines()

    def serve(self, line: str) -> "subprocess.Popen[str]":
        """Start a service on a free port, and wait until it listens."""
        words, environment = self.words(line)
        process = subprocess.Popen(
            [*words, "--port", "0"],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for told in process.stdout or ():
            if found := LISTENS.search(told):
                self.url = found[1]
                return process
        pytest.fail(f"{line}: it did not listen")

    def edit(self, *changes: tuple[str, str]) -> None:
        """Change the haunt; what is changed stands there once."""
        file = self.folder / HAUNT
        text = file.read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Author:
    return Author(tmp_path_factory.mktemp("author"))


def shown(title: str) -> Iterator[tuple[str, list[str]]]:
    """The commands that are typed below a heading, each with the lines that follow."""
    for block in blocks(PAGE, "text", title):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *told = part.splitlines()
            yield line, told


def alike(line: str) -> str:
    """A line but for figures and digests: cleverer bots play otherwise, and whoever changes a pack changes its digest."""
    line = re.sub(r"sha256:\w+|custom-\w+|\d+ by [\w ]+(?:, |$)", "…", line)
    line = re.sub(r"(heroes|traitor) won\. .*", "… won", line)
    return re.sub(r"[\d.]+", "#", re.sub(r" +", " ", line)).replace("……", "…")


def compare(line: str, told: list[str], printed: list[str]) -> None:
    """What is shown comes in this order; `…` stands for anything, and bars are as long as they are."""
    left = iter(alike(one) for one in printed)
    for one in told:
        if one != "…" and "█" not in one:
            assert alike(one) in left, (
                f"{PAGE}: {line}: it does not print {one!r}, or not there; it prints\n" + "\n".join(printed)
            )


def go(author: Author, title: str) -> list[list[str]]:
    """Type all that is shown below a heading, and compare; returns what was printed."""
    found = []
    for line, told in shown(title):
        printed = author.type(line)
        compare(line, told, printed)
        found.append(printed)
    assert found, f"{PAGE}: nothing is typed below {title}"
    return found


def test_what_is_installed_is_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert [line for line, _ in shown("1. Install")][-1] == f"pip install 'omenlog-{version}-py3-none-any.whl[service]'"


@pytest.mark.prove
def test_the_tutorial_goes_as_it_is_shown(author: Author) -> None:
    go(author, "2. Get a first haunt")

    (action,) = blocks(PAGE, "yaml", "3. Change it")
    above = "  # What happens as the haunt begins.\n"
    author.edit((above, action + above))
    (wrong, mistakes), (right, well) = shown("3. Change it")
    assert author.type(wrong) == mistakes
    author.edit(("cuont", "count"))
    compare(right, well, author.type(right))

    go(author, "4. Read its book")
    (demo,) = go(author, "5. See it played")
    assert demo[-1].startswith("EXACT: ")

    before, after, record = shown("6. Balance it")
    hard = author.type(before[0])
    compare(*before, hard)
    counter, goal, wins = blocks(PAGE, "yaml", "6. Balance it")[0].splitlines(keepends=True)
    author.edit(
        ("  hours: {title: Hours of the night, start: 0, max: 4}\n", counter),
        ("  goal: Win when all heroes are dead, or as the fourth hour strikes.\n", goal),
        ("  wins-when: {any: [{counter: hours, at-least: 4}, {dead: all-heroes}]}\n", wins),
    )
    fair = author.type(after[0])
    compare(*after, fair)
    assert _heroes(hard) < _heroes(fair)
    assert 25 <= _heroes(fair) <= 75
    compare(*record, author.type(record[0]))
    assert "\nplaytest: {games: 2, heroes: {" in (author.folder / HAUNT).read_text("utf-8")

    (author.folder / "our-house" / "haunts").mkdir(parents=True)
    begins, head = blocks(PAGE, "yaml", "8. More than one haunt")
    (author.folder / "our-house" / "pack.yaml").write_text(head, "utf-8")
    whole = (author.folder / HAUNT).read_text("utf-8")
    (author.folder / "our-house" / "haunts" / HAUNT).write_text(f"{whole}\n{begins}", "utf-8")
    go(author, "8. More than one haunt")

    serve, *rest = shown("7. Play it with friends")
    with author.serve(serve[0]) as service:
        try:
            for line, told in rest:
                compare(line, told, author.type(line))
            (pack, _), (send, answer) = shown("9. Play it on a service that you do not run")
            assert author.type(pack) == []
            (body,) = author.type(send)
            assert [part for part in answer[0].split("…") if alike(part) not in alike(body)] == []
        finally:
            service.terminate()


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
