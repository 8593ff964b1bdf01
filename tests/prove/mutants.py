"""Small mistakes that somebody could make in the domain, one at a time: a comparison turned, a bound moved, a refusal forgotten.

A `Mutant` is a place in a parsed module and what to put there. Annotations, docstrings, defaults of fields, messages and
citations are left alone: changing them is no mistake in what the engine does.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}

Spot = tuple[str, int]
"""A function: its file below the root, and the first line of its code."""


@dataclass
class Mutant:
    """One mistake."""

    file: str
    """Below the root: `domain/rulebook/explore/moving.py`."""
    kind: str
    line: int
    function: Spot | None
    """The innermost function that holds it; None: the module itself."""
    tree: ast.Module
    parent: ast.AST
    field: str
    index: int | None
    old: ast.AST
    new: ast.AST

    @property
    def module(self) -> str:
        """Its dotted name."""
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def place(self) -> tuple[str, int]:
        """File and line."""
        return self.file, self.line

    def compiled(self) -> CodeType:
        """The module with the mistake made. The tree is changed: call it in a process that ends afterwards."""
        ast.copy_location(self.new, self.old)
        if self.index is None:
            setattr(self.parent, self.field, self.new)
        else:
            getattr(self.parent, self.field)[self.index] = self.new
        return compile(ast.fix_missing_locations(self.tree), self.file, "exec", dont_inherit=True)

    def difference(self) -> str:
        """The change in a line or two, as in a diff."""
        before, after = (" ".join(ast.unparse(node).split()) for node in (self.old, self.new))
        return f"{self.file}:{self.line}  {self.kind}\n    - {before:.150}\n    + {after:.150}"


def mutants(root: Path, folder: str) -> list[Mutant]:
    """Every mistake that can be made below a folder, in the order of files and lines."""
    found: list[Mutant] = []
    for path in sorted((root / folder).rglob("*.py")):
        file = path.relative_to(root).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for parent, field, index, old, function in _places(tree, None):
            for kind, new in _mistakes(old, parent):
                spot = None if function is None else (file, function)
                line = getattr(old, "lineno", 0)
                found.append(Mutant(file, kind, line, spot, tree, parent, field, index, old, new))
    return found


Place = tuple[ast.AST, str, int | None, ast.AST, int | None]


def _places(node: ast.AST, function: int | None) -> Iterator[Place]:
    """Every node below this one that a mistake could stand in: its parent, field and index there, and its function."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases", "keywords", "type_comment") and not isinstance(
            node, ast.Call
        ):
            continue
        children = value if isinstance(value, list) else [value]
        for number, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_exempt(child, node):
                continue
            yield node, field, number if isinstance(value, list) else None, child, function
            if not isinstance(child, ast.Raise):
                yield from _places(child, _first_line(child) or function)


def _is_exempt(node: ast.AST, parent: ast.AST) -> bool:
    """Docstrings, messages, citations, limits of bodies, what only a type checker sees, fields of data and their defaults."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.JoinedStr):
        return True
    if isinstance(node, ast.keyword) and node.arg == "rule":
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Meta":
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return isinstance(parent, ast.ClassDef) and isinstance(node, ast.Assign | ast.AnnAssign)


def _first_line(node: ast.AST) -> int | None:
    """The first line of a function's code, where this is a function."""
    if isinstance(node, ast.FunctionDef):
        return min([node.lineno, *[one.lineno for one in node.decorator_list]])
    return node.lineno if isinstance(node, ast.Lambda) else None


def _mistakes(node: ast.AST, parent: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.stmt):
        yield from _in_statement(node)
    elif isinstance(node, ast.expr):
        yield from _in_expression(node, parent)


def _in_statement(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Raise):
        yield "refusal forgotten", ast.Pass()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call forgotten", ast.Pass()
        if _is_emit(node.value):
            told = copy.copy(node.value)
            told.args = node.value.args[:1]
            yield "told to everybody", ast.Expr(told)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    ):
        yield "assignment forgotten", ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "nothing returned", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.If) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        turned = copy.copy(node)
        turned.test = ast.UnaryOp(ast.Not(), node.test)
        yield "condition turned", turned


def _in_expression(node: ast.expr, parent: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Compare):
        turned = copy.copy(node)
        turned.ops = [TURNED[type(node.ops[0])](), *node.ops[1:]]
        yield "comparison turned", turned
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or", ast.BoolOp(other, node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not forgotten", node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        yield "operator swapped", ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "true/false", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(parent, ast.UnaryOp):
        yield "one more", ast.Constant(node.value + 1)
        if node.value:
            yield "one less", ast.Constant(node.value - 1)
    elif isinstance(node, ast.Name) and isinstance(parent, ast.Call) and node is parent.func and node.id in TWINS:
        yield "min/max, any/all", ast.Name(TWINS[node.id], ast.Load())


def _is_emit(call: ast.Call) -> bool:
    """An event that is emitted for some principals only."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "emit" and len(call.args) > 1


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
