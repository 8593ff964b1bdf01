"""The library of golden games: checking and writing files, and the list of games by rule."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import zip_longest
from pathlib import Path

from content.errors import Mistake
from content.ledger import ledger
from tests.golden.script import Game, Script, Unfit
from tests.golden.stage import played
from tests.golden.writing import comment_line, text_of
from tests.support.renewing import renew

GAMES = Path(__file__).parent / "games"
LIST = Path(__file__).parent / "GAMES.md"

RULE = re.compile(r"\b(?:2E|3E|PBP)-[A-Z]+-\d{3}\b")
"""Ids of rules in the text of a file."""

FEW = 3
"""Games that are named where a rule is cited in passing."""


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
    return renew(path, text_of(game))


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


def write_list() -> bool:
    """Write the list of games by rule; returns whether it has changed."""
    return renew(LIST, list_text())


def list_text(games: dict[Path, Script] | None = None) -> str:
    """The list as Markdown: all games, and by rule the games that show it; `games` as read already, else they are read."""
    games = games or {path: Script(path) for path in files()}
    shown: dict[str, list[Path]] = defaultdict(list)
    passing: dict[str, list[Path]] = defaultdict(list)
    for path, script in games.items():
        for rule in script.game.covers:
            shown[rule].append(path)
        for rule in dict.fromkeys(RULE.findall(script.text)):
            if rule not in script.game.covers:
                passing[rule].append(path)
    lines = [
        "# Golden games",
        "",
        "Games to be read: what somebody does, `tries` in vain, what the dice show, and, under `saw`, what happened as each role saw it,",
        "with the rules behind it. Who isn't named saw nothing of it; the referee sees whatever anybody sees.",
        "",
        "Written by `./dev golden`. `CONTRIBUTING.md` tells how a game is made.",
        "",
        f"## {len(games)} games",
        "",
        "| game | edition | made by | steps |",
        "| --- | --- | --- | ---: |",
        *(_row(path, script.game) for path, script in games.items()),
        "",
        f"## {len(shown.keys() | passing.keys())} rules",
        "",
        f"A game covers the rules that it is there to show; of those in which a rule is cited in passing the {FEW} shortest are named.",
        "",
        "| rule | | covered by | cited in |",
        "| --- | --- | --- | --- |",
        *(
            f"| {rule.id} | {rule.title} | {_links(shown[rule.id])} | {_links(_shortest(passing[rule.id], games))} |"
            for rule in ledger().values()
            if rule.id in shown or rule.id in passing
        ),
    ]
    return "\n".join(lines) + "\n"


def _row(path: Path, game: Game) -> str:
    return f"| [{game.title}](games/{path.name}) | {game.edition} | {game.made_by} | {len(game.steps)} |"


def _shortest(paths: list[Path], games: dict[Path, Script]) -> list[Path]:
    return sorted(paths, key=lambda path: len(games[path].game.steps))[:FEW]


def _links(paths: list[Path]) -> str:
    return ", ".join(f"[{path.stem}](games/{path.name})" for path in paths)
