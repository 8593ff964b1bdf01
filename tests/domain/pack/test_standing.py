"""Every word of `Standing` reaches the engine: one that nothing reads would be accepted in a card and do nothing."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from content.check.form.fields import UNCONDITIONAL
from content.vocabulary.pack import Standing

DOMAIN = Path(__file__).parents[3] / "domain"

FIELDS = Standing.__struct_fields__
IN_TABLES = ("if_", *UNCONDITIONAL)
"""Fields that are read when a pack is compiled; the others are asked for in play, with their condition."""


def trees(folder: Path) -> Iterator[ast.Module]:
    """Every module below a folder."""
    return (ast.parse(path.read_text()) for path in sorted(folder.rglob("*.py")))


def read_fields(modules: Iterable[ast.Module]) -> set[str]:
    """The fields that some module reads from a variable `standing`, as all of the domain calls an adjustment."""
    return {
        node.attr
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == "standing"
    }


def unread(in_tables: set[str], in_play: set[str]) -> list[str]:
    """What to do about each field that is not read where it should be."""
    compiled = "read it as `standing.{}` in domain/pack, which makes the tables of a pack"
    asked = "read it as `standing.{}` in the chapter of domain/rulebook that it changes, from `holding` in table/adjustments.py"
    return [
        f"nothing heeds `Standing.{name}`: {(compiled if name in IN_TABLES else asked).format(name)}"
        for name in FIELDS
        if name not in (in_tables if name in IN_TABLES else in_play)
    ]


def test_every_adjustment_that_a_card_can_make_is_read_by_the_engine() -> None:
    assert unread(read_fields(trees(DOMAIN / "pack")), read_fields(trees(DOMAIN / "rulebook"))) == []


def test_an_adjustment_that_nothing_reads_is_named_with_the_place_for_it() -> None:
    elsewhere = ast.parse("rules.pack.slows; standing.modify = 1; one.modify; spared(m)")
    assert read_fields([elsewhere]) == set()
    chapter = "the chapter of domain/rulebook that it changes, from `holding` in table/adjustments.py"
    assert unread({*FIELDS} - {"slows"}, {*FIELDS} - {"modify"}) == [
        f"nothing heeds `Standing.modify`: read it as `standing.modify` in {chapter}",
        "nothing heeds `Standing.slows`: read it as `standing.slows` in domain/pack, which makes the tables of a pack",
    ]


def test_what_is_asked_only_when_a_pack_is_compiled_is_refused_a_condition() -> None:
    """Else its `if` would be accepted and never asked."""
    only_compiled = read_fields(trees(DOMAIN / "pack")) - read_fields(trees(DOMAIN / "rulebook"))
    assert only_compiled & {*FIELDS} - {"if_"} == {*UNCONDITIONAL}


def test_nothing_reads_adjustments_past_their_conditions() -> None:
    tables = [
        path.relative_to(DOMAIN).as_posix()
        for path in sorted(DOMAIN.rglob("*.py"))
        if any(
            isinstance(node, ast.Attribute) and node.attr == "standing" and ast.unparse(node.value).endswith("pack")
            for node in ast.walk(ast.parse(path.read_text()))
        )
    ]
    assert tables == ["rulebook/table/adjustments.py"], "only `holding` asks the conditions"
