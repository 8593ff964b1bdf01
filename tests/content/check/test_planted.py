"""Mistakes planted into a small pack: each is told with its place, what stands there, and a suggestion."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from content.check.advice import ADVICE
from content.check.laws import ACROSS_PIECES, AT_LAST, WITHIN_A_PIECE
from content.errors import ContentErrors
from content.load.documents import Document
from content.load.layout import FileKind
from content.load.packs import Contents, Reading, load_pack, read_file
from content.survey import Check, Memory, Survey
from domain.facts.events import AnyEvent
from tests.content.planting import HERE, Plant, told, told_of
from tests.support.gaps import report

PLANTED = [case for path in sorted((HERE / "check" / "planted").glob("*.yaml")) for case in Document.read(path).data]

LEFT_ALONE = Document.read(HERE / "check" / "left_alone.yaml").data
"""What comes near a mistake and is none."""

CHECKS: dict[str, Check] = {
    f"{check.__module__.rpartition('.')[2]}.{check.__name__}": check
    for check in (*WITHIN_A_PIECE, *ACROSS_PIECES, *AT_LAST, *ADVICE)
}


def _name(case: dict[str, Any]) -> str:
    return f"{case['check']}: {case['by'].strip()[:40]}"


unchanged = cache(read_file)


def _changed(case: dict[str, Any], small: Path) -> Reading:
    """The small pack with the case's change, and with others that the case says beside it, in the same file unless it names one."""
    texts: dict[Path, str] = {}
    for *file, old, new in (*case.get("also", []), (case["replace"], case["by"])):
        path = small / (file[0] if file else case["file"])
        text = texts.get(path) or path.read_text()
        assert text.count(old) == 1
        texts[path] = text.replace(old, new)

    def read(path: Path, kind: FileKind) -> Contents:
        return read_file(path, kind, texts[path]) if path in texts else unchanged(path, kind)

    return Reading(small, read)


@pytest.fixture(scope="module")
def memory() -> Memory:
    """What of the small pack no case changes is checked once."""
    return Memory()


def test_the_small_pack_has_no_mistake(small: Path) -> None:
    assert told(small) == []


@pytest.mark.parametrize("case", PLANTED, ids=_name)
def test_a_planted_mistake_is_told(case: dict[str, Any], small: Path, memory: Memory) -> None:
    reading = _changed(case, small)
    assert told_of(reading, small, memory) == case["says"]
    check = CHECKS.get(case["check"])
    if check is not None:
        pieces = {trail: piece.value for trail, piece in reading.pieces.items()}
        assert list(check(Survey(pieces))), "the check that the case names finds it by itself"


@pytest.mark.parametrize("case", LEFT_ALONE, ids=_name)
def test_what_only_comes_near_a_mistake_is_left_alone(case: dict[str, Any], small: Path, memory: Memory) -> None:
    reading = _changed(case, small)
    pieces = {trail: piece.value for trail, piece in reading.pieces.items()}
    assert list(CHECKS[case["check"]](Survey(pieces))) == []
    reading.check(memory)
    assert [one for one in reading.mistakes if one.severity == "error"] == []


def test_every_check_finds_something_planted() -> None:
    report(
        f"No planted mistake is for the check {name}: add a case with `check: {name}` to "
        "the file of its topic in tests/content/check/planted/."
        for name in sorted(CHECKS.keys() - {case["check"] for case in PLANTED})
    )


def test_every_case_tells_something() -> None:
    report(
        f"The planted mistake `{_name(case)}` lists no message: write what the checker says of it under its `says`."
        for case in PLANTED
        if not case["says"]
    )


def test_blocks_that_run_blocks_are_gone_through_once_each(plant: Plant) -> None:
    tower = "".join(f"  floor-{n}: [{', '.join([f'{{run: floor-{n + 1}}}'] * 10)}]\n" for n in range(60))
    plant("pack.yaml", "blocks:\n", f"blocks:\n{tower}  floor-60: [{{run: jolt}}]\n")
    folder = plant("cards/deck.yaml", "- {run: tumble}", "- {run: floor-0}\n    - {run: tumble}")
    assert told(folder) == []
    circle = told(plant("pack.yaml", "floor-60: [{run: jolt}]", "floor-60: [{run: floor-0}]"))
    assert len(circle) == 61
    assert (
        circle[0] == "pack.yaml:11:19: the block `floor-0` runs `floor-1`, which leads back to it: this would never end"
    )


# -- what the rulebook rules out, and no file can say ---------------------------------------------------------------------


@pytest.mark.rule("2E-COMP-007", case=2, asserts=True)
def test_monster_tokens_have_no_eighth_color(plant: Plant) -> None:
    haunt, moth = "haunts/the-lantern.yaml", "  moth: {title: Moth,"
    assert told(plant(haunt, moth, f"{moth} color: magenta,")) == []
    assert told(plant(haunt, "color: magenta", "color: brown")) == [
        "haunts/the-lantern.yaml:14:30: `brown` is not one of `blue`, `green`, `magenta`, `orange`, `purple`, `red`, `yellow`"
    ]


@pytest.mark.rule("2E-TERM-006", case=1, asserts=True)
def test_a_haunt_that_nobody_can_win_is_not_loaded(plant: Plant) -> None:
    folder = plant(
        "haunts/the-lantern.yaml", "  wins-when: {counter: oil, at-most: 0}\n  because: It is dark for good.\n", ""
    )
    with pytest.raises(ContentErrors, match="the side `traitor` cannot win"):
        load_pack(folder)


@pytest.mark.rule("2E-DMG-004", case=1, asserts=True)
def test_damage_without_a_kind_is_no_damage(plant: Plant) -> None:
    jolt = "    - {damage: {kind: physical, dice: 1}}\n"
    assert told(plant("pack.yaml", jolt, "    - {damage: {dice: 1}}\n")) == [
        "pack.yaml:12:16: Damage lacks `kind` (one of `general`, `mental`, `physical`)"
    ]
    assert told(plant("pack.yaml", "{dice: 1}", "{kind: general, dice: 1}")) == [
        "pack.yaml:12:23: by the rules of this edition damage is physical or mental"
    ]
    with pytest.raises(msgspec.ValidationError, match="missing required field `kind`"):
        msgspec.json.decode(b'{"type": "DamageTaken", "seat": 0, "amount": 1, "source": "card:debris"}', type=AnyEvent)
