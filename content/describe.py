"""What the vocabulary says about itself: the docstrings of its Structs, fields and aliases, and its types in words."""

import ast
import inspect as source
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType

from msgspec import inspect

from content.errors import listed

_EXAMPLES = re.compile(r"Example: (.*?)\.?(?=\n\n|$)", re.DOTALL)
_QUOTED = re.compile(r"`([^`]*)`")


def meaning(cls: type) -> str:
    """Return a Struct's docstring without its examples, each paragraph on one line."""
    text = _EXAMPLES.sub("", source.getdoc(cls) or "")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


def examples(cls: type) -> list[str]:
    """Return the examples of a Struct's docstring."""
    found = _EXAMPLES.search(source.getdoc(cls) or "")
    return _QUOTED.findall(" ".join(found[1].split())) if found else []


@cache
def field_meanings(cls: type) -> dict[str, str]:
    """Return the texts that follow the fields of a Struct in its source, by field name."""
    for node in _tree(sys.modules[cls.__module__]).body:
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            return dict(_documented(node.body))
    return {}


@cache
def alias_meanings(module: ModuleType) -> dict[str, str]:
    """Return the texts that follow the names which a module of the vocabulary assigns: `Who`, `Place`, `Trait`."""
    return dict(_documented(_tree(module).body))


def in_words(expected: inspect.Type, link: Callable[[type], str] | None = None) -> str:
    """Say what a type wants, as an author would.

    Args:
        expected: a type of the vocabulary.
        link: writes down a Struct; without it, it is called a mapping with the Struct's name behind.
    """
    match expected:
        case inspect.UnionType(types=members):
            parts = [in_words(member, link) for member in members if not isinstance(member, inspect.NoneType)]
            return " or ".join(dict.fromkeys(parts))
        case inspect.LiteralType(values=words):
            return f"one of {listed(str(word) for word in words)}" if len(words) > 1 else f"`{words[0]}`"
        case inspect.StructType(cls=cls):
            return link(cls) if link else f"a mapping ({cls.__name__})"
        case inspect.ListType(item_type=inner):
            return f"a list of {_plural(inner, link)}"
        case inspect.DictType(value_type=inner):
            return f"a mapping of names to {_plural(inner, link)}"
        case inspect.IntType():
            return "a whole number"
        case inspect.BoolType():
            return "`true` or `false`"
    return "text"


def _plural(inner: inspect.Type, link: Callable[[type], str] | None) -> str:
    match inner:
        case inspect.StrType():
            return "texts"
        case inspect.IntType():
            return "whole numbers"
        case inspect.LiteralType(values=words):
            return listed(str(word) for word in words)
        case inspect.ListType(item_type=items):
            return f"lists of {_plural(items, link)}"
        case inspect.StructType(cls=cls):
            return link(cls) if link else f"mappings ({cls.__name__})"
    return in_words(inner, link)


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(source.getsource(module))


def _documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Find assignments that are followed by a text."""
    for statement, following in pairwise(body):
        match statement, following:
            case (
                (ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)])),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
