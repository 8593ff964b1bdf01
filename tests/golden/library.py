"""The library of golden games: checking and writing files, and the list of games by rule."""

from __future__ import annotations

from collections import defaultdict
from itertools import zip_longest
from pathlib import Path

from content.errors import Mistake
from content.ledger import ledger
from tests.golden.script import Script, Unfit
from tests.golden.stage import played
from tests.golden.writing import comment_line, text_of

GAMES = Path(__file__).parent / "games"
LIST = Path(__file__).parent / "GAMES.md"


def files() -> list[Path]:
    """All golden games, by name."""
    return sorted(GAMES.glob("*.yaml"))


def write(path: Path) -> bool:
    """Play a game and write what came of it into its file.

    Returns:
        Whether the file has changed.

    Raises:
        Unfit: it can't be played as written, or has comments, which would be lost.
    """
    script = Script(path)
    if number := comment_line(script):
        raise Unfit(Mistake(str(path), number, 1, "a comment would be lost by writing", "say it in a `note:`"))
    game, _ = played(script)
    text = text_of(game)
    if text == script.text:
        return False
    path.write_text(text, encoding="utf-8")
    return True


def difference(path: Path) -> str:
    """The first line in which a file differs from what happens when it is played; empty where there is none.

    Raises:
        Unfit: it can't be played as written.
    """
    script = Script(path)
    game, _ = played(script, strict=True)
    return first_difference(script.text, text_of(game), path)


def first_difference(written: str, now: str, path: Path) -> str:
    """`file:line: there stands …, and now it is …`."""
    for number, (line, other) in enumerate(zip_longest(written.splitlines(), now.splitlines()), 1):
        if line != other:
            stands = "the file ends" if line is None else f"there stands {line.strip()!r}"
            return (
                f"{path}:{number}: {stands}, and played now it is {'nothing' if other is None else repr(other.strip())}"
            )
    return ""


def write_list() -> None:
    """Write the list of games by rule."""
    LIST.write_text(list_text(), encoding="utf-8")


def list_text() -> str:
    """The list as Markdown: all games, and by rule the games that show it."""
    games = {path: Script(path).game for path in files()}
    by_rule: dict[str, list[Path]] = defaultdict(list)
    for path, game in games.items():
        for rule in game.covers:
            by_rule[rule].append(path)
    rules = ledger()
    lines = [
        "# Golden games",
        "",
        "Written by `python -m tests.golden --write`. `CONTRIBUTING.md` tells how a game is made and read.",
        "",
        f"## {len(games)} games",
        "",
        "| game | edition | made by | steps |",
        "| --- | --- | --- | ---: |",
        *(
            f"| {_link(path, game.title)} | {game.edition} | {game.made_by} | {len(game.steps)} |"
            for path, game in games.items()
        ),
        "",
        f"## {len(by_rule)} rules",
        "",
        "| rule | | shown by |",
        "| --- | --- | --- |",
        *(
            f"| {rule} | {rules[rule].title} | {', '.join(_link(path, path.stem) for path in by_rule[rule])} |"
            for rule in rules
            if rule in by_rule
        ),
    ]
    return "\n".join(lines) + "\n"


def _link(path: Path, words: str) -> str:
    return f"[{words}](games/{path.name})"
