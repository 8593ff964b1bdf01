"""Blocks of instructions, and the frames that run them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from domain.engine.bindings import Bound
from domain.facts.state import Figure
from domain.facts.typed import TypeVar

B_co = TypeVar("B_co", covariant=True, default=Bound)
"""The bindings of a frame: of the procedure that it runs, else what content has bound.

Covariant although bindings change: a function that takes a frame uses the names of its own type and leaves the others alone.
"""

Instruction = Callable[[Any, "Frame[Any]"], bool | None]
"""One step, given the machine and its frame; `WAIT` if it cannot go on before an answer comes.

The first parameter is a `Machine`. Its type stays open here, because a machine holds rules, and rules hold blocks.
"""

Test = Callable[[Any, "Frame[Any]"], bool]
"""A compiled condition, given a `Glance` and a frame; the first parameter is open for the same reason."""

Cast = Callable[[Any, "Frame[Any]"], list[Figure]]
"""A compiled selection of characters, given the same."""

NumberOf = Callable[[Any, "Frame[Any]"], int]
"""A compiled number, given the same."""

WAIT = True
"""What an instruction returns when it cannot go on before an answer comes; everything else goes on."""


class Block:
    """Instructions with an id that stays the same when content is compiled again, and a path for each of them."""

    __slots__ = ("code", "id", "index", "paths")

    def __init__(self, block_id: str, code: Sequence[Instruction], paths: Sequence[str]) -> None:
        self.id = block_id
        self.code = tuple(code)
        self.paths = tuple(paths)
        self.index = {path: number for number, path in enumerate(paths)}


def procedure(name: str, *code: Instruction) -> Block:
    """A block written in Python: each function is an instruction, its name the path."""
    return Block(name, code, [step.__name__ for step in code])


class Frame(Generic[B_co]):
    """A block being run: the next instruction, and what is bound (plain data only, for it is saved)."""

    __slots__ = ("block", "next", "vars")

    def __init__(self, block: Block, vars_: B_co, start: int = 0) -> None:
        self.block = block
        self.next = start
        self.vars = vars_

    def goto(self, path: str) -> None:
        """Continue at the instruction with this path."""
        self.next = self.block.index[path]

    def finish(self) -> None:
        """Skip the rest of the block."""
        self.next = len(self.block.code)


def loops(f: Frame[Any]) -> dict[str, list[Figure]]:
    """The bindings of loops, by names made of paths: `each@0` holds the former `you`, then the characters still to come."""
    found: dict[str, list[Figure]] = f.vars
    return found


def more_to_come(f: Frame[Any]) -> bool:
    """Whether a step that befalls several characters in turn has not come to all of them."""
    return any(name.startswith("each@") and len(waiting) > 1 for name, waiting in f.vars.items())
