"""Mistakes in what a haunt does, planted into copies of the built-in haunts: how many the checker tells, and how many more games show.

Each list was written by somebody who had read the manual and the haunts, and no check. It stays as it was written, and so do its haunts.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from content.load.documents import Document
from content.load.packs import BASE, Reading, load_pack
from content.survey import Memory
from domain.engine.rules import Rules
from domain.facts.refusal import Refused
from domain.game import rules_for
from domain.pack.reach import Reached, things, watch
from projections.text.doubts import doubts
from projections.text.playtests import TURN_LIMIT, Report
from service.bots.playtest import Stuck, play_game

HERE = Path(__file__).parent
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


class Listed(msgspec.Struct, frozen=True):
    """A list of mistakes."""

    file: str
    size: int
    """How many mistakes it has."""
    folders: tuple[Path, ...]
    """The haunts as they were when the list was written: those of the pack have gone on. The first folder that has one counts."""
    told: int
    """How many the check tells."""
    shown: int
    """How many the check tells or games show."""
    of_sample: int
    """How many it tells of every thirtieth."""

    def read(self) -> list[Planted]:
        return msgspec.convert(Document.read(HERE / self.file).data, list[Planted])

    def source(self, haunt: str) -> Path:
        """The haunt as it was."""
        return next(file for folder in self.folders if (file := folder / f"{haunt}.yaml").exists())

    def copy(self, haunt: str, folder: Path) -> Path:
        """A copy of a built-in haunt with an id of its own, which makes it a pack."""
        file = folder / f"{haunt}.yaml"
        text = self.source(haunt).read_text()
        file.write_text(text.replace(f"id: {haunt}\n", f"id: planted-{haunt}\n", 1))
        return file

    def plant(self, mistake: Planted, folder: Path) -> Path:
        text = self.copy(mistake.haunt, folder).read_text()
        for old, new in mistake.changes:
            text = text.replace(old, new)
        file = folder / f"{mistake.name}.yaml"
        file.write_text(text)
        return file


LISTS = (
    # Told when the check first met them: 56. What it missed then has led to `content.check.sense`.
    Listed("logic_mistakes.yaml", 100, (HERE / "mistaken",), told=98, shown=98, of_sample=4),
    # When the check first met them: 53, and 70 with games. What it missed then has led to `follow`, `promises` and `stakes`.
    Listed("blind_mistakes.yaml", 100, (HERE / "blind",), told=100, shown=100, of_sample=4),
    # When the check first met them: 37 of 60. What it missed then has led to `offered` and more in the other modules. How many more games show
    # was never measured, so `shown` is what the check tells.
    Listed("third_mistakes.yaml", 60, (HERE / "third", HERE / "blind"), told=49, shown=49, of_sample=2),
)


@pytest.fixture(scope="module", params=LISTS, ids=lambda one: one.file.partition("_")[0])
def listed(request: pytest.FixtureRequest) -> Listed:
    found: Listed = request.param
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("haunts")


@pytest.fixture(scope="module")
def missed(listed: Listed, folder: Path) -> list[Planted]:
    """Those of which the checker tells nothing."""
    return _missed(listed, listed.read(), folder)


def _missed(listed: Listed, mistakes: list[Planted], folder: Path) -> list[Planted]:
    memory = Memory()
    before = {haunt: _told(listed.copy(haunt, folder), memory) for haunt in sorted({one.haunt for one in mistakes})}
    return [one for one in mistakes if _told(listed.plant(one, folder), memory) <= before[one.haunt]]


def _told(file: Path, memory: Memory) -> Seen:
    reading = Reading(file, base=BASE)
    reading.check(memory)
    return frozenset((one.severity, one.message, one.suggestion) for one in reading.mistakes)


def test_there_are_as_many_as_it_says_in_all_haunts(listed: Listed) -> None:
    mistakes = listed.read()
    assert len({one.name for one in mistakes}) == len(mistakes) == listed.size
    assert {one.haunt for one in mistakes} == {path.stem for folder in listed.folders for path in folder.glob("*.yaml")}


def test_each_mistake_is_planted_in_one_place_and_has_the_right_shape(listed: Listed, folder: Path) -> None:
    for mistake in listed.read():
        text = listed.source(mistake.haunt).read_text()
        assert [text.count(old) for old, _ in mistake.changes] == [1] * len(mistake.changes), mistake.name
        assert Reading(listed.plant(mistake, folder), base=BASE).mistakes == [], mistake.name


def test_of_every_thirtieth_the_check_tells_what_it_told_before(listed: Listed, folder: Path) -> None:
    sample = listed.read()[::30]
    missed = _missed(listed, sample, folder)
    assert len(sample) - len(missed) >= listed.of_sample, _unfound(missed)


@pytest.mark.prove
def test_the_check_tells_most_mistakes(listed: Listed, missed: list[Planted]) -> None:
    assert listed.size - len(missed) >= listed.told, _unfound(missed)


class Games:
    """A hundred games of a haunt between bots, in a fourth of them each number of players."""

    def __init__(self, file: Path) -> None:
        rules = rules_for(load_pack(file, base=BASE), "")
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
def test_the_check_and_games_show_most_mistakes(listed: Listed, missed: list[Planted], folder: Path) -> None:
    unmistaken = cache(lambda haunt: Games(listed.copy(haunt, folder)))
    unseen = [one for one in missed if not any(Games(listed.plant(one, folder)).shows(unmistaken(one.haunt)))]
    assert listed.size - len(unseen) >= listed.shown, _unfound(unseen)


def _unfound(mistakes: list[Planted]) -> str:
    return f"{len(mistakes)} are not found:\n" + "\n".join(f"{one.haunt}, {one.name}: {one.wrong}" for one in mistakes)
