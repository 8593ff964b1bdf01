"""YAML read strictly, with the place of every node.

The subset is what content needs of YAML 1.2's core schema: `null`, `true`, `false` and whole numbers are recognized,
everything else is text. So `on`, `no` and `off` stay words, `04-29` stays a birthday, and every key is text, `5+` and
`3` included. Refused are: a key given twice, tags, aliases that grow without bound or contain themselves, and characters that nobody sees.
"""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from content.errors import ContentErrors, Finding, Mistake, Trail
from content.patterns import unseen

MAX_NODES = 100_000
"""Nodes that one file may come to with its aliases written out; a whole second-edition deck is near 3,000."""

MAX_DEPTH = 60
"""Levels of lists and mappings in one another; the deepest card has some twenty. libyaml crashes where nobody counts."""

MAX_DIGITS = 9
"""Digits of a number; what a card says has two."""

UNSEEN = "a character that is not shown, or that changes how others are shown:"
LEAVE_OUT = "leave it out; a text has letters, signs, spaces and line breaks"

TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"

_TAG = "tag:yaml.org,2002:"
_NUMBER = re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$")
_LITERALS: dict[str, bool | None] = {"": None, "~": None, "null": None, "true": True, "false": False}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # libyaml is not everywhere
    """Composes nodes; with resolvers of its own, so that YAML 1.1's words, dates and floats stay text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    depth = 0

    # The composer calls these two around each node, for resolvers by path, which nobody uses.

    def descend_resolver(self, current_node: yaml.Node | None, _index: object) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH and current_node is not None:
            raise yaml.composer.ComposerError(None, None, TOO_DEEP, current_node.start_mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


_Loader.add_implicit_resolver(f"{_TAG}null", re.compile(r"^(?:~|null|)$"), ["~", "n", ""])
_Loader.add_implicit_resolver(f"{_TAG}bool", re.compile(r"^(?:true|false)$"), ["t", "f"])
_Loader.add_implicit_resolver(f"{_TAG}int", _NUMBER, list("-+0123456789"))


class Document:
    """One content file: its plain data, and where each part of it stands."""

    def __init__(self, file: str, text: str) -> None:
        """Build the data of a text.

        Args:
            file: the name that mistakes give.
            text: YAML.

        Raises:
            ContentErrors: the text is not YAML (with the first mistake), or goes beyond the subset (with all).
        """
        self.file = file
        self._text = text
        self._root = compose(text, file)
        builder = _Builder(file)
        self.data = builder.build(self._root).data
        if builder.mistakes:
            raise ContentErrors(builder.mistakes)

    @classmethod
    def read(cls, path: Path) -> "Document":
        """Read and build a file.

        Raises:
            ContentErrors: as above, and where the file cannot be read.
        """
        return cls(str(path), _read(path))

    def mistake(self, finding: Finding) -> Mistake:
        """Locate a finding; where its trail leads to nothing, the nearest node above counts."""
        above, node = self._root, self._root
        for step in finding.trail:
            found = _child(node, step)
            if found is None:
                return _mistake(self.file, node, finding)
            above, node = found
        return _mistake(self.file, above if finding.key else node, finding)

    def source(self, trail: Trail) -> str:
        """Give the text of a node as its author wrote it, its further lines moved left by the column of its first."""
        node = self._root
        for step in trail:
            found = _child(node, step)
            if found is None:
                raise KeyError(step)
            node = found[1]
        start, end = node.start_mark, node.end_mark
        first, *others = self._text[start.index : end.index].rstrip().split("\n")
        return "\n".join([first, *(line.removeprefix(" " * start.column) for line in others)])


class _Built(NamedTuple):
    """What a node comes to with its aliases written out."""

    data: Any
    nodes: int = 1
    levels: int = 1


class _Builder:
    """Turns nodes into plain data, and writes down what is beyond the subset."""

    def __init__(self, file: str) -> None:
        self.mistakes: list[Mistake] = []
        self._file = file
        self._built: dict[yaml.Node, _Built | None] = {}

    def build(self, node: yaml.Node) -> _Built:
        """Build a node once, however many aliases stand for it."""
        if node in self._built:
            return self._built[node] or self._refuse(node, "an alias within what it stands for")
        self._built[node] = None
        if isinstance(node, yaml.MappingNode):
            built = self._mapping(node)
        elif isinstance(node, yaml.SequenceNode):
            built = self._sequence(node)
        else:
            built = self._scalar(node)
        if built.nodes > MAX_NODES:
            built = self._refuse(node, f"over {MAX_NODES} nodes with all aliases written out")
        if built.levels > MAX_DEPTH:
            built = self._refuse(node, TOO_DEEP)
        self._built[node] = built
        return built

    def _mapping(self, node: yaml.MappingNode) -> _Built:
        if node.tag != f"{_TAG}map":
            return self._refuse(node, f"the tag `{node.tag}` has no meaning here")
        parts: dict[str, _Built] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key, str):
                self._refuse(key_node, "a list or mapping cannot be a key")
            elif sign := unseen(key):
                self._refuse(key_node, f"{UNSEEN} {sign}", LEAVE_OUT)
            elif key in parts:
                self._refuse(key_node, f"the key `{key}` is given twice", f"the first one stands in line {lines[key]}")
            else:
                lines[key] = key_node.start_mark.line + 1
                parts[key] = self.build(value_node)
        return _sum({key: part.data for key, part in parts.items()}, parts.values())

    def _sequence(self, node: yaml.SequenceNode) -> _Built:
        if node.tag != f"{_TAG}seq":
            return self._refuse(node, f"the tag `{node.tag}` has no meaning here")
        parts = [self.build(item) for item in node.value]
        return _sum([part.data for part in parts], parts)

    def _scalar(self, node: yaml.Node) -> _Built:
        text: str = node.value
        tag = node.tag.removeprefix(_TAG)
        if tag == "str":
            sign = unseen(text)
            return self._refuse(node, f"{UNSEEN} {sign}", LEAVE_OUT) if sign else _Built(text)
        if tag in ("null", "bool") and text in _LITERALS:
            return _Built(_LITERALS[text])
        if tag == "int" and _NUMBER.match(text):
            return _Built(int(text)) if len(text) <= MAX_DIGITS else self._refuse(node, f"over {MAX_DIGITS} digits")
        return self._refuse(node, f"the tag `{node.tag}` has no meaning here")

    def _refuse(self, node: yaml.Node, message: str, suggestion: str = "") -> _Built:
        self.mistakes.append(_mistake(self._file, node, Finding((), message, suggestion)))
        return _Built(None)


def _sum(data: object, parts: Collection[_Built]) -> _Built:
    levels = max((part.levels for part in parts), default=0)
    return _Built(data, 1 + sum(part.nodes for part in parts), 1 + levels)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ContentErrors([Mistake(str(path), line, 1, "a byte that is not UTF-8")]) from error
    except OSError as error:
        raise ContentErrors([Mistake(str(path), 1, 1, f"cannot be read: {error.strerror}")]) from error


def compose(text: str, file: str) -> yaml.Node:
    """Parse a text into nodes.

    Args:
        text: YAML.
        file: the name that mistakes give.

    Raises:
        ContentErrors: the text is not YAML: where the parser gave up, and the quote that may be the cause.
    """
    line, column, message = 1, 1, "the file is empty"
    try:
        root = yaml.compose(text, Loader=_Loader)
        if root is not None:
            return root
    except yaml.MarkedYAMLError as error:
        message = "not YAML: " + ", ".join(part for part in (error.context, error.problem) if part)
        if mark := error.problem_mark or error.context_mark:
            line, column = mark.line + 1, mark.column + 1
        if error.context_mark and error.context_mark.line + 1 < line:
            message += f" (it begins in line {error.context_mark.line + 1})"
    except yaml.YAMLError as error:  # the reader met a control character; it tells no line
        message = f"not YAML: {error}".split("\n", 1)[0]
    mistakes = [Mistake(file, line, column, message)]
    if (quote := _open_quote(text, line)) is not None:
        mistakes.append(Mistake(file, *quote, "this quote is not closed in its line, which may be the cause"))
    raise ContentErrors(mistakes)


def _open_quote(text: str, until: int) -> tuple[int, int] | None:
    """Return line and column of the first double quote that has no other half in its line, up to a line."""
    for number, line in enumerate(text.splitlines()[:until], 1):
        if line.count('"') % 2 and not line.lstrip().startswith("#"):
            return number, line.rindex('"') + 1
    return None


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Return key and value of a mapping's entry, or an item of a list as both."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None


def _mistake(file: str, node: yaml.Node, finding: Finding) -> Mistake:
    place = node.start_mark
    return Mistake(file, place.line + 1, place.column + 1, finding.message, finding.suggestion, finding.severity)
