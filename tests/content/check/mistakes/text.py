"""A pack as its authors see it: the text of each file, and where in it each key and value stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import yaml

from content.errors import Trail
from content.load.documents import compose
from content.load.layout import SINGLE
from content.load.packs import Reading
from content.survey import Spot, walk
from content.vocabulary.base import Word

W = TypeVar("W", bound=Word)


def misspelt(word: str, rng: Random) -> str:
    """Make a slip of the pen: two letters change places, one is missing, one is doubled, or one is another."""
    at = rng.randrange(1, len(word) - 1) if len(word) > 2 else 0
    slips = [
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + ("x" if word[at] != "x" else "z") + word[at + 1 :],
    ]
    if word[at : at + 1] != word[at + 1 : at + 2]:
        slips.append(word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :])
    return rng.choice(slips)


@cache
def fields_of(kind: type[Word]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a Struct; msgspec reads its annotations anew at each call."""
    return msgspec.structs.fields(kind)


class Node(NamedTuple):
    """A key and its value, or an item of a list (its own key then)."""

    key: yaml.Node
    value: yaml.Node


def in_braces(node: yaml.Node) -> bool:
    """Whether a list or mapping is written in one piece, `[...]` or `{...}`, not line by line."""
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


class Edit(NamedTuple):
    """A change to the text of one file: what stands between two marks is replaced."""

    file: Path
    start: int
    end: int
    new: str
    anywhere: bool = False
    """The mistake concerns the whole file (something is missing that is needed elsewhere): any line of it may be told."""


class At(Generic[W]):
    """A Struct of the pack, with its file and the nodes of its fields."""

    def __init__(self, source: Source, file: Path, trail: Trail, spot: Spot[W]) -> None:
        self.source = source
        self.file = file
        self.trail = trail
        self._nodes = source.nodes[file]
        self.spot = spot
        self.value = spot.value
        self.kind: type[Word] = type(spot.value)

    @property
    def here(self) -> yaml.Node:
        """What stands in the file for the Struct."""
        return self._nodes[self.trail].value

    def node(self, *steps: str | int) -> Node | None:
        """Return what stands at the end of these steps, if it is written down."""
        return self._nodes.get(self.trail + steps)

    def written(self, *steps: str | int) -> Iterator[Node]:
        """Yield it where it is written down."""
        if (node := self.node(*steps)) is not None:
            yield node

    def text_of(self, node: yaml.Node) -> str:
        """Return a node as it stands in the file."""
        return self.source.texts[self.file][node.start_mark.index : node.end_mark.index].rstrip()

    # -- changes --------------------------------------------------------------------------------------------------------

    def replace(self, node: yaml.Node, new: str, *, anywhere: bool = False) -> Edit:
        """Put something else in the place of a node."""
        start = node.start_mark.index
        return Edit(self.file, start, start + len(self.text_of(node)), new, anywhere)

    def rename(self, node: Node, new: str) -> Edit:
        """Call a key by another name."""
        return self.replace(node.key, new)

    def add(self, entry: str, *steps: str | int) -> Edit:
        """Write another entry into the mapping here (or further down), before its first one."""
        node = self.node(*steps)
        assert node is not None
        assert isinstance(node.value, yaml.MappingNode)
        start = node.value.start_mark
        if in_braces(node.value):
            return Edit(self.file, start.index + 1, start.index + 1, f"{entry}, " if node.value.value else entry)
        return Edit(self.file, start.index, start.index, f"{entry}\n{' ' * start.column}")

    def before(self, step: str) -> Edit:
        """Write another step (or item of whatever list this stands in) before this one."""
        start = self.here.start_mark
        around = self._nodes[self.trail[:-1]].value
        dash = ", " if in_braces(around) else f"\n{' ' * around.start_mark.column}- "
        return Edit(self.file, start.index, start.index, step + dash)

    def remove(self, *steps: str | int, anywhere: bool = False) -> Iterator[Edit]:
        """Take out an entry of a mapping or an item of a list, where that leaves others."""
        gone, around = self.node(*steps), self.node(*steps[:-1])
        if gone is None or around is None:
            return
        text = self.source.texts[self.file]
        starts = [(pair[0] if isinstance(pair, tuple) else pair).start_mark.index for pair in around.value.value]
        place = starts.index(gone.key.start_mark.index)
        if len(starts) == 1:
            return
        start = starts[place]
        end = gone.value.start_mark.index + len(self.text_of(gone.value))
        if in_braces(around.value) and place + 1 == len(starts):
            start = text.rindex(",", 0, start)
        elif place + 1 < len(starts):
            end = starts[place + 1]
        else:
            start = text.rindex("\n", 0, start)
        yield Edit(self.file, start, end, "", anywhere)


class Source:
    """All files of a pack, as text, as nodes and as typed content."""

    def __init__(self, folder: Path) -> None:
        reading = Reading(folder)
        self.folder = folder
        self.texts = {Path(piece.document.file): "" for piece in reading.pieces.values()}
        self.texts = {path: path.read_text(encoding="utf-8") for path in self.texts}
        self.nodes = {path: dict(_nodes(compose(text, str(path)))) for path, text in self.texts.items()}
        self._words = {
            node.key.value
            for nodes in self.nodes.values()
            for node in nodes.values()
            if isinstance(node.key.value, str)
        } | {
            node.value.value
            for nodes in self.nodes.values()
            for node in nodes.values()
            if isinstance(node.value.value, str)
        }
        self._of: dict[type[Word], list[At[Any]]] = {}
        for trail, piece in reading.pieces.items():
            depth = 1 if trail[0] in SINGLE else 2
            for spot in walk(Spot(trail, piece.value)):
                at = At(self, Path(piece.document.file), piece.trail + spot.trail[depth:], spot)
                self._of.setdefault(type(spot.value), []).append(at)

    def of(self, kind: type[W]) -> list[At[W]]:
        """Return every Struct of a kind, in the order of the pack."""
        return self._of.get(kind, [])

    def everything(self) -> Iterator[At[Any]]:
        """Return every Struct."""
        for found in self._of.values():
            yield from found

    def unknown(self, name: str, rng: Random) -> str:
        """Misspell a name so that it is the name of nothing in this pack."""
        while (slip := misspelt(name, rng)) in self._words:
            continue
        return slip

    def line(self, edit: Edit) -> int:
        """Return the line, counted from 1, in which a change begins."""
        text = self.texts[edit.file]
        start = edit.start
        while start < len(text) and start < edit.end and text[start].isspace():
            start += 1
        return text.count("\n", 0, start) + 1

    def changed(self, edit: Edit) -> str:
        """Return the text of the file after a change."""
        text = self.texts[edit.file]
        return text[: edit.start] + edit.new + text[edit.end :]


def _nodes(node: yaml.Node, trail: Trail = (), key: yaml.Node | None = None) -> Iterator[tuple[Trail, Node]]:
    yield trail, Node(key or node, node)
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _nodes(value, (*trail, name.value), name)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _nodes(item, (*trail, index))
