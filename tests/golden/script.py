"""The form of a golden game: what its author writes, and, kept apart from it, what the command fills in.

An author writes title, table, scene and steps. Filled in are `start`, `end`, each step's `saw` and `because`, and picks of chance
that nobody cared to name. Whatever else is in a file is refused, with its place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from content.errors import ContentErrors, Finding, Mistake, Trail, did_you_mean
from content.ledger import rule_ids
from content.load.convert import fit
from content.load.documents import Document
from content.vocabulary.base import Word
from tests.golden.scene import DEEDS, Arrangement
from tests.rulecoverage import MOST_IDS

By = Literal["seat 0", "seat 1", "seat 2", "seat 3", "seat 4", "seat 5", "moderator", "everybody"]
"""Who posts a command; `everybody`: each who is asked something, one after the other."""

Edition = Literal["second", "third", "play-by-post"]
"""By whose rules a game is played; the pack is the built-in one."""

Seen = dict[str, list[str]]
"""By audience (`everybody`, `seat 1`, `the traitor (seat 1)`): sentences."""


class Step(Word, frozen=True, kw_only=True):
    """A command that is posted, and what comes of it."""

    note: str = ""
    """For readers: why this is done."""
    by: By
    does: dict[str, Any] | None = None
    """A command as the API takes it; `decision` may be left out where only one can be meant.

    `{type: fork, at: 8}` makes a sandbox of what whoever does it knew at that commit; all further steps are played in it.
    """
    tries: dict[str, Any] | None = None
    """The same, of a command that is refused."""
    refused: str = ""
    """With `tries`: the rule that forbids it, or the name of the problem."""
    dice: list[list[int]] = []
    """What the dice show, one list of faces for each roll, in the order in which they are asked for."""
    picks: list[str] = []
    """What else chance picks: tiles, cards, seats. Those left out are filled in."""
    commit: int = 0
    """Filled in where steps name commits: the number of the one that this step makes, the last of several."""
    because: str = ""
    """Filled in: what whoever tried it was told."""
    saw: Seen = {}
    """Filled in: what happened, as each role saw it."""


class Game(Word, frozen=True, kw_only=True):
    """A golden game."""

    title: str
    note: str = ""
    """For readers: what to look at."""
    made_by: Literal["hand", "bots"] = "hand"
    """What bots play is told without its rules, which would double the length of a whole game."""
    edition: Edition = "second"
    explorers: list[str]
    """By seat."""
    covers: list[str]
    """Rules of the ledger that the game shows: each is cited in it."""
    options: dict[str, Any] = {}
    """As the API takes them."""
    chance: Literal["tape", "moderator", "table"] = "tape"
    """Who answers for chance: the steps' dice and picks, a moderator's commands, or the players'."""
    setup: dict[str, Any] = {}
    """As the API takes it: who begins, what lies on top of the stacks."""
    scene: list[Arrangement] = []
    """What is arranged before the first step: a position that play could lead to."""
    picks: list[str] = []
    """What chance picks before the first step; filled in."""
    start: Seen = {}
    """Filled in: how things stand before the first step."""
    steps: list[Step]
    end: Seen = {}
    """Filled in: how things stand at the end."""


class Unfit(Exception):
    """A golden game can't be played as written; `mistake` says where, and what would be right."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(str(mistake))
        self.mistake = mistake


class Script:
    """A golden game's file: what it says, and where."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        """Read it.

        Args:
            path: where it lies.
            text: in place of what lies there.

        Raises:
            Unfit: it is no golden game; with the first mistake.
        """
        self.path = path
        self.text = path.read_text(encoding="utf-8") if text is None else text
        try:
            self._document = Document(_shown(path), self.text)
        except ContentErrors as error:
            raise Unfit(error.mistakes[0]) from error
        self._check_scene(self._document.data)
        game = fit(self._document.data, Game, ())
        if isinstance(game, list):
            raise Unfit(self._document.mistake(game[0]))
        self.game = game
        self._check()

    def unfit(self, trail: Trail, message: str, suggestion: str = "") -> Unfit:
        """What to raise for something that stands at `trail`."""
        return Unfit(self._document.mistake(Finding(trail, message, suggestion)))

    def _check_scene(self, data: object) -> None:
        """What an arrangement says it does, told apart first: its other words depend on that."""
        scene = data.get("scene") if isinstance(data, dict) else None
        for index, one in enumerate(scene if isinstance(scene, list) else []):
            done = one.get("do") if isinstance(one, dict) else None
            if done not in DEEDS:
                message = f"no arrangement: `do: {done}`" if done else "an arrangement says what it does"
                near = did_you_mean(str(done), DEEDS)
                raise self.unfit(("scene", index), message, near or f"do is one of {', '.join(DEEDS)}")

    def _check(self) -> None:
        known = rule_ids()
        for index, rule in enumerate(self.game.covers):
            if rule not in known:
                raise self.unfit(("covers", index), f"`{rule}` is no rule of the ledger", did_you_mean(rule, known))
        if not 1 <= len(self.game.covers) <= MOST_IDS:
            raise self.unfit(("covers",), f"a game covers 1 to {MOST_IDS} rules, not {len(self.game.covers)}")
        for index, step in enumerate(self.game.steps):
            if (step.does is None) == (step.tries is None):
                raise self.unfit(("steps", index), "a step has either `does` or `tries`")
            if bool(step.refused) != (step.tries is not None):
                message = "`refused` goes with `tries`: the rule or problem by which that is refused"
                raise self.unfit(("steps", index), message)
            if step.tries is not None and (step.dice or step.picks):
                raise self.unfit(("steps", index), "what is refused asks for no dice")


def covers(path: Path) -> list[str]:
    """The rules that a file covers, by a look at its lines alone: tests are marked with them before any is run."""
    line = next((one for one in path.read_text(encoding="utf-8").splitlines() if one.startswith("covers: [")), "")
    return [rule.strip() for rule in line.removeprefix("covers: [").removesuffix("]").split(",") if rule.strip()]


def _shown(path: Path) -> str:
    """A path as people type it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def plain(command: msgspec.Struct) -> dict[str, Any]:
    """A command as a step has it, without its decision."""
    found: dict[str, Any] = msgspec.to_builtins(command)
    found.pop("decision")
    return found
