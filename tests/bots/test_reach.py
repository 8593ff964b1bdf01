"""What bots reach of a pack: counted down to each step, the same on any number of processes, reported, explained."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from content.load.packs import builtin_packs
from domain.pack.reach import TOPICS, Reached, things
from projections.text.coverage import add_verbs, never_reached
from service.bots.playtest import GamePlan, play_all
from service.cli.content import REASONS, explanations, plan_games
from tests.cli.invoking import omenlog
from tests.support.gaps import report
from tests.support.packs import rules

PACK = "second-edition"
FOLDER = builtin_packs()[PACK]
FULL = {
    "number": 14,
    "room": 42,
    "card": 88,
    "weapon": 5,
    "action": 55,
    "monster": 13,
    "winner": 18,
    "goal": 10,
    "verb": 38,
    "step": 600,
}
"""What 48 games reach at the least; the report's 2,000 reach nearly all."""
HALF = FULL | {"card": 84, "verb": 32}
"""What half as many reach."""


@pytest.mark.parametrize(
    "games, least", [(24, HALF), pytest.param(48, FULL, marks=pytest.mark.prove)], ids=["half", "full"]
)
def test_few_games_reach_most_of_the_pack(
    games: int, least: dict[str, int], record_property: Callable[[str, object], None]
) -> None:
    known = things(rules(PACK))
    reached: Reached = Counter()
    for game in play_all(plan_games(rules(PACK), games, "tests"), FOLDER, watched=True):
        reached.update(game.reached)
    add_verbs(rules(PACK), reached)

    got = {topic: sum(reached[name] > 0 for name in names) for topic, names in known.items()}
    told = ", ".join(f"{topic}s {got[topic]} of {len(names)}" for topic, names in known.items())
    record_property("told", f"content reached by {games} games of bots: {told}")
    assert {topic: number for topic, number in got.items() if number < least[topic]} == {}
    done = {name.replace("vain ", "action ", 1) if name.startswith("vain ") else name for name in reached}
    assert not done - {name for names in known.values() for name in names}, "nothing is reached that nobody knows of"


def test_the_games_are_the_same_on_any_number_of_processes() -> None:
    asked = [
        GamePlan(f"jobs-{number}", 3, ("steady", "curious"), rulings={"grave-dirt": "grave-dirt-rooms"})
        for number in range(5)
    ]
    alone, together = (list(play_all(asked, FOLDER, jobs=jobs, watched=True)) for jobs in (1, 2))
    assert alone == together
    assert len({game.commands for game in alone}) > 1


def test_only_watched_games_count_steps() -> None:
    (game,) = play_all([GamePlan("unwatched", 3, ("steady",))], FOLDER)
    assert game.reached
    assert not [name for name in game.reached if name.startswith("step ")]


@pytest.mark.parametrize("name", builtin_packs())
def test_the_committed_report_is_about_the_pack_as_it_is(name: str) -> None:
    """It takes minutes to write, so that only its size is compared; CONTRIBUTING says when to write it anew."""
    known = things(rules(name))
    page = (REASONS / f"{name}.md").read_text("utf-8")
    explained = explanations(REASONS / f"{name}.yaml", rules(name))

    for topic, names in known.items():
        row = re.search(rf"^\| {re.escape(TOPICS[topic])} \| ([\d,]+) \|", page, re.MULTILINE)
        assert row is not None
        assert row[1] == f"{len(names):,}", f"{topic}: write the report anew with `omenlog content reach`"
    listed = re.findall(r"^- (.+)$", page, re.MULTILINE)
    report(
        f"content/reach/{name}.md lists `{thing}` as never reached, and nothing explains it: write why into content/reach/{name}.yaml."
        for thing in listed
        if thing not in explained
    )
    assert "Not explained" not in page


def test_what_is_not_reached_and_not_explained_fails(tmp_path: Path) -> None:
    reasons = tmp_path / "reasons.yaml"
    reasons.write_text("It is dark.:\n  - room attic\n", encoding="utf-8")
    result = omenlog(
        "content",
        "reach",
        "--games",
        "1",
        "--jobs",
        "1",
        "--reasons",
        str(reasons),
        "--output",
        str(tmp_path / "report.md"),
    )

    assert result.exit_code == 1
    assert "never reached and not explained" in result.output
    missing = re.findall(r"^- (.+)$", (tmp_path / "report.md").read_text("utf-8"), re.MULTILINE)
    assert len(missing) > 100


@pytest.mark.parametrize(
    "written,says",
    [
        ("Why not:\n  - room attik\n", "the pack has no `room attik`: did you mean `room attic`?"),
        ("- room attic\n", "expected reasons, and below each a list of things"),
    ],
)
def test_reasons_that_do_not_fit_are_refused_before_anything_is_played(tmp_path: Path, written: str, says: str) -> None:
    reasons = tmp_path / "reasons.yaml"
    reasons.write_text(written, encoding="utf-8")
    result = omenlog("content", "reach", "--reasons", str(reasons))

    assert result.exit_code == 1
    assert says in " ".join(result.output.replace("│", " ").split())


def test_everything_is_missing_before_a_game_is_played() -> None:
    known = things(rules(PACK))
    assert never_reached(rules(PACK), Counter()) == [name for names in known.values() for name in names]
