"""The architecture page against the tree: its map, and the walk of a card's line."""

import re

from domain.facts.commands import Act
from domain.facts.events import TraitChanged
from domain.rulebook.turn.options import legal
from tests.docs.pages import ROOT, section
from tests.support.gaps import report
from tests.support.table import Table

PAGE = "ARCHITECTURE.md"
CODE = ("content", "domain", "omenlog", "projections", "service")


def test_the_map_shows_every_folder_of_code_and_nothing_else() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", section(PAGE, "The map"), re.MULTILINE)
    shown = [folder for row in rows for folder in re.findall(r"`([\w/]+)`", row)]
    there = {str(file.parent.relative_to(ROOT)) for top in CODE for file in (ROOT / top).rglob("*.py")}
    report(
        [
            *(f"The map of {PAGE} lacks `{folder}`: add it to a row." for folder in sorted(there - set(shown))),
            *(
                f"The map of {PAGE} shows `{folder}`, which has no code: remove it."
                for folder in sorted(set(shown) - there)
            ),
            *(
                f"The map of {PAGE} shows `{folder}` twice: remove one."
                for folder in sorted(set(shown))
                if shown.count(folder) > 1
            ),
        ]
    )


def test_the_walk_of_a_card_s_line_names_what_is_there() -> None:
    """Each name stands in one of the folders beside it."""
    steps = re.findall(
        r"^\d\. (.*?)(?=^\d\. |^$)", section(PAGE, "A card's line to its effect"), re.DOTALL | re.MULTILINE
    )
    assert len(steps) == 7
    for step in steps:
        words = re.findall(r"`([^`]+)`", step)
        folders = [ROOT / word for word in words if (ROOT / word).is_dir()]
        code = "\n".join(file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("*.py"))
        names = [word for word in words if re.fullmatch(r"\w+", word) and not (ROOT / word).is_dir()]
        missing = [
            name for name in names if not re.search(rf"^\s*(def|class) {name}\b|^\s*{name}\b.* =", code, re.MULTILINE)
        ]
        report(
            f"The walk of a card's line in {PAGE} names `{name}`, which is defined in none of the folders beside it: "
            f"correct step {step.split()[0]!r}."
            for name in missing
        )


def test_the_walk_of_a_card_s_line_goes_as_it_is_told() -> None:
    line = re.findall(r"^    (5: .*)$", section(PAGE, "A card's line to its effect"), re.MULTILINE)[0]
    assert line in (ROOT / "content/packs/second-edition/cards/items.yaml").read_text(encoding="utf-8")
    table = Table()
    table.hold(0, "bottle")
    table.haunt("the-bell-below", traitor=1)
    assert "card/bottle#actions.DRINK" in table.rules.blocks
    listed = [command for command in legal(table.rules, table.view(0), 0) if isinstance(command, Act)]
    assert ("card:bottle", "DRINK") in [(command.source, command.word) for command in listed]
    told = table.rolls([2, 2, 1]).act("card:bottle", "DRINK")
    raised = [one.event for one in told if isinstance(one.event, TraitChanged)]
    assert [event.trait for event in raised] == ["might", "speed"]
    assert all(event.rule for event in raised)
