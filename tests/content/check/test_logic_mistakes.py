"""Mistakes in what a haunt does, planted into copies of the built-in haunts: how many the checker tells, and how many more games show.

`logic_mistakes.yaml` was written by somebody who had read the manual and the haunts, and no check. It stays as it was written.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from content.load.documents import Document
from content.load.packs import Reading, load_pack
from content.survey import Memory
from domain.engine.rules import Rules
from domain.facts.refusal import Refused
from domain.game import rules_for
from domain.pack.reach import Reached, things, watch
from projections.text.doubts import doubts
from projections.text.playtests import TURN_LIMIT, Report
from service.bots.playtest import Stuck, play_game

HERE = Path(__file__).parent
HAUNTS = HERE / "mistaken"
"""The haunts as they were when the list was written: those of the pack have gone on."""
TOLD_BY_THE_CHECK = 92
"""How many of 100 the check tells. When it first met them it told 56; what it missed then has led to `content.check.sense`."""
SHOWN_BY_CHECK_AND_GAMES = 92
"""How many of 100 the check tells or games show."""
GAMES = 100
SEATS = (3, 4, 5, 6)
BALANCED = range(10, 91)
"""Of 100 games, how many the heroes may win before an author looks for the reason."""
OFTEN = 10
"""What the unmistaken haunt does so often in its games is no accident: a haunt in which it never happens stands out."""

_DIGITS = re.compile(r"\d+")

Seen = frozenset[tuple[str, str, str]]


class Planted(msgspec.Struct, frozen=True):
    """A mistake: what it is called, in which haunt, what players suffer, and the texts that are exchanged."""

    name: str
    haunt: str
    wrong: str
    changes: list[tuple[str, str]]


MISTAKES = msgspec.convert(Document.read(HERE / "logic_mistakes.yaml").data, list[Planted])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("haunts")


@pytest.fixture(scope="module")
def missed(folder: Path) -> list[Planted]:
    """Those of which the checker tells nothing."""
    memory = Memory()
    before = {haunt: _told(_copy(haunt, folder), memory) for haunt in sorted({one.haunt for one in MISTAKES})}
    return [one for one in MISTAKES if _told(_planted(one, folder), memory) <= before[one.haunt]]


def _copy(haunt: str, folder: Path) -> Path:
    """A copy of a built-in haunt with an id of its own, which makes it a pack."""
    file = folder / f"{haunt}.yaml"
    text = (HAUNTS / file.name).read_text()
    file.write_text(text.replace(f"id: {haunt}\n", f"id: planted-{haunt}\n", 1))
    return file


def _planted(mistake: Planted, folder: Path) -> Path:
    text = _copy(mistake.haunt, folder).read_text()
    for old, new in mistake.changes:
        text = text.replace(old, new)
    file = folder / f"{mistake.name}.yaml"
    file.write_text(text)
    return file


def _told(file: Path, memory: Memory) -> Seen:
    reading = Reading(file)
    reading.check(memory)
    return frozenset((one.severity, one.message, one.suggestion) for one in reading.mistakes)


def test_there_are_a_hundred_in_all_haunts() -> None:
    assert len({one.name for one in MISTAKES}) == len(MISTAKES) == 100
    assert {one.haunt for one in MISTAKES} == {path.stem for path in HAUNTS.glob("*.yaml")}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_a_mistake_is_planted_in_one_place_and_has_the_right_shape(mistake: Planted, folder: Path) -> None:
    text = (HAUNTS / f"{mistake.haunt}.yaml").read_text()
    assert [text.count(old) for old, _ in mistake.changes] == [1] * len(mistake.changes)
    assert Reading(_planted(mistake, folder)).mistakes == []


def test_the_check_tells_of_what_it_told_before(missed: list[Planted]) -> None:
    assert len(MISTAKES) - len(missed) >= TOLD_BY_THE_CHECK, _listed(missed)


class Games:
    """A hundred games of a haunt between bots, in a fourth of them each number of players."""

    def __init__(self, file: Path) -> None:
        rules = rules_for(load_pack(file), "")
        self.never: set[str] = set()
        self.failed = ""
        self.unfinished = self.heroes = 0
        self._play(rules, f"planted-{_haunt_of(file)}")

    def _play(self, rules: Rules, haunt: str) -> None:
        steps = watch(rules)
        report = Report(rules)
        self.reached: Reached = Counter()
        for number in range(GAMES):
            seats = SEATS[number % len(SEATS)]
            try:
                game = play_game(rules, ["steady"], seed=f"logic-{number}", seats=seats, options={"haunt": haunt})
            except (Stuck, Refused) as error:
                self.failed = f"game {number} failed: {error!r}"
                break
            self.heroes += game.winner == "heroes"
            self.unfinished += not game.winner and game.turns >= TURN_LIMIT
            self.reached.update(game.reached)
            report.add(game)
        self.reached.update(steps)
        report.reached.update(steps)
        self.doubts = {_DIGITS.sub("", doubt) for doubt in doubts(report, haunt)}
        told = rules.pack.haunts[haunt]
        owned = [haunt, *(item.id for item in told.items), *(token.id for token in told.tokens)]
        own = re.compile(rf"\b({'|'.join(owned)})(?=[:#]|$)")
        names = {name for topic, names in things(rules).items() if topic != "verb" for name in names}
        self.never = {name for name in names if own.search(name) and not self.reached[name]}

    def shows(self, unmistaken: "Games") -> Iterator[str]:
        """What an author sees who knows how the haunt was meant."""
        if self.failed:
            yield self.failed
            return
        if self.unfinished > unmistaken.unfinished:
            yield f"{self.unfinished} games reach the turn limit"
        if self.heroes not in BALANCED:
            yield f"heroes win {self.heroes} %"
        for name in sorted(self.never):
            if unmistaken.reached[name] >= OFTEN:
                yield f"never: {name}"
        yield from sorted(self.doubts - unmistaken.doubts)


def _haunt_of(file: Path) -> str:
    text = file.read_text()
    start = text.index("id: planted-") + len("id: planted-")
    return text[start : text.index("\n", start)]


@pytest.mark.prove
def test_the_check_and_games_show_most_mistakes(missed: list[Planted], folder: Path) -> None:
    unmistaken = cache(lambda haunt: Games(_copy(haunt, folder)))
    unseen = [one for one in missed if not any(Games(_planted(one, folder)).shows(unmistaken(one.haunt)))]
    assert len(MISTAKES) - len(unseen) >= SHOWN_BY_CHECK_AND_GAMES, _listed(unseen)


def _listed(mistakes: list[Planted]) -> str:
    return f"{len(mistakes)} of {len(MISTAKES)} are not found:\n" + "\n".join(
        f"{one.haunt}, {one.name}: {one.wrong}" for one in mistakes
    )
