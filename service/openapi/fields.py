"""What the fields of a Struct mean: the docstrings behind them, which Python itself doesn't keep."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise

import msgspec


@cache
def field_docs(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The docstrings behind a Struct's fields, those of its bases included, by the fields' names on the wire."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found.update(_docs_in(base))
    wire = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    return {wire[name]: text for name, text in found.items() if name in wire}


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by their names; `inspect.getsource` would parse it anew for each of them."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    return {one.name: one for one in body if isinstance(one, ast.ClassDef)}


def _docs_in(kind: type[msgspec.Struct]) -> dict[str, str]:
    definition = _classes(kind.__module__).get(kind.__qualname__)
    if definition is None:
        return {}
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
