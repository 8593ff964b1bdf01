"""Shapes: what is not YAML, values of the wrong type, fields that are missing, empty texts, ids and words ill-formed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import yaml

from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Card, Explorer, Haunt, PackHead, Ruling, Scenario, Tile, TokenKind, Trigger
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import Edit, Source, fields_of, in_braces

# -- YAML ---------------------------------------------------------------------------------------------------------------


@kind("a tab indents")
def tabs(source: Source, _rng: Random) -> Iterator[Edit]:
    """A tab stands where spaces have to."""
    for at in source.of(Action):
        for node in at.written("do"):
            start = node.key.start_mark
            if not in_braces(at.here):
                yield Edit(at.file, start.index - start.column, start.index, "\t")


@kind("a key is given twice")
def keys_twice(source: Source, _rng: Random) -> Iterator[Edit]:
    """A line has been copied and not changed."""
    for at in source.everything():
        for name in ("title", "deck", "floors", "age"):
            for node in at.written(name):
                start, column = node.key.start_mark.index, node.key.start_mark.column
                if not in_braces(at.here):
                    line = f"{name}: {at.text_of(node.value)}\n{' ' * column}"
                    yield Edit(at.file, start, start, line)


@kind("a bracket or quote is never closed")
def open_brackets(source: Source, rng: Random) -> Iterator[Edit]:
    """`doors: [north, south`, `birthday: "04-29`."""
    for at in source.of(Tile):
        for node in at.written("doors"):
            end = node.value.end_mark.index
            yield Edit(at.file, end - 1, end, "")
    for explorer in source.of(Explorer):
        for node in explorer.written("birthday"):
            end = node.value.end_mark.index
            yield Edit(explorer.file, end - 1, end, "")


@kind("a line is indented too far or not far enough")
def indentation(source: Source, _rng: Random) -> Iterator[Edit]:
    """A key stands one column beside its neighbors."""
    for at in source.everything():
        entries = at.here.value
        if in_braces(at.here) or len(entries) < 3:
            continue
        key = entries[2][0].start_mark
        yield Edit(at.file, key.index, key.index, " ")
        yield Edit(at.file, key.index - 1, key.index, "")


@kind("a key lacks its colon")
def colons(source: Source, _rng: Random) -> Iterator[Edit]:
    """`title Attic`."""
    for at in source.of(Tile):
        for node in at.written("floors"):
            end = node.key.end_mark.index
            yield Edit(at.file, end, end + 1, "")


# -- types --------------------------------------------------------------------------------------------------------------


@kind("a value has the wrong type")
def types(source: Source, rng: Random) -> Iterator[Edit]:
    """A text for a list, a mapping for a number, a number for a text, a list for a mapping, `yes` for `true`."""
    for at in source.everything():
        for field in fields_of(at.kind):
            for node in at.written(field.encode_name):
                match node.value:
                    case yaml.SequenceNode(value=[item, *_]) if isinstance(item, yaml.ScalarNode):
                        yield at.replace(node.value, item.value)
                    case yaml.ScalarNode(tag="tag:yaml.org,2002:int"):
                        yield at.replace(node.value, rng.choice(["two", "[1]", "true", "1.5"]))
                    case yaml.ScalarNode(tag="tag:yaml.org,2002:bool"):
                        yield at.replace(node.value, "yes")
                    case yaml.MappingNode() if field.encode_name in {"barrier", "start", "once", "might", "roll"}:
                        yield at.replace(node.value, "sometimes")


@kind("a text is a number")
def numbers(source: Source, _rng: Random) -> Iterator[Edit]:
    """`title: 13`."""
    for cls in (Tile, Card, TokenKind, Haunt):
        for at in source.of(cls):
            for node in at.written("title"):
                yield at.replace(node.value, "13")


@kind("something that has to be there is missing")
def missing(source: Source, _rng: Random) -> Iterator[Edit]:
    """A tile without doors, a card without text, an explorer without Might, a trigger without its moment."""
    for at in source.everything():
        for field in fields_of(at.kind):
            if field.required:
                yield from at.remove(field.encode_name)


@kind("a text says nothing")
def blank(source: Source, _rng: Random) -> Iterator[Edit]:
    """`title: ""`."""
    for at in source.everything():
        for name in ("title", "text", "story", "goal", "because", "may", "stand-ins", "color"):
            for node in at.written(name):
                if isinstance(node.value, yaml.ScalarNode) and (name != "text" or isinstance(at.value, Card | Ruling)):
                    yield at.replace(node.value, '" "')


@kind("something has rules and no text")
def unsaid(source: Source, _rng: Random) -> Iterator[Edit]:
    """A tile or token does something, and nobody can read what."""
    for tile in source.of(Tile):
        if tile.value.on or tile.value.actions or tile.value.barrier:
            yield from tile.remove("text")
    for token in source.of(TokenKind):
        if token.value.on or token.value.actions or token.value.always:
            yield from token.remove("text")


# -- ids and words ------------------------------------------------------------------------------------------------------


@kind("an id is taken")
def taken_ids(source: Source, _rng: Random) -> Iterator[Edit]:
    """Two tiles, cards, tokens or explorers have one id."""
    for cls in (Tile, Card, TokenKind, Explorer, Scenario):
        ats = source.of(cls)
        for at, other in zip(ats, ats[3:], strict=False):
            for node in at.written("id"):
                yield at.replace(node.value, str(getattr(other.value, "id", "")))


@kind("an id is not in kebab-case")
def ill_ids(source: Source, rng: Random) -> Iterator[Edit]:
    """`Attic`, `coal_chute`, `junk room`."""
    for cls in (Tile, Card, TokenKind, Haunt, PackHead):
        for at in source.of(cls):
            for node in at.written("id"):
                name = node.value.value
                yield at.replace(node.value, rng.choice([name.capitalize(), name + "_2", name + "-", name + " x"]))


@kind("an action's word is not in capitals")
def small_words(source: Source, rng: Random) -> Iterator[Edit]:
    """`word: Open`."""
    for at in source.of(Action):
        for node in at.written("word"):
            word = node.value.value
            yield at.replace(node.value, rng.choice([word.lower(), word.capitalize(), word + " IT", word + "2"]))


@kind("two actions of one source have the same word")
def same_words(source: Source, _rng: Random) -> Iterator[Edit]:
    """Both are called OPEN."""
    for at in source.of(Action):
        for node in at.written("word"):
            entry = f"{{word: {node.value.value}, title: Once more, do: [{{lose: {{trait: speed}}}}]}}"
            if in_braces(at.here) or at.trail[-1] == 0:
                yield at.before(entry)


# -- rulings ------------------------------------------------------------------------------------------------------------


@kind("a ruling is malformed")
def rulings(source: Source, rng: Random) -> Iterator[Edit]:
    """Nobody is named, nothing is said, alternatives are a text."""
    for at in source.of(Ruling):
        yield from at.remove("by")
        yield from at.remove("text")
        for node in at.written("by"):
            yield at.replace(node.value, rng.choice(["me", "Project", "[project]", '""']))
        for node in at.written("alternatives"):
            yield at.replace(node.value, rng.choice(["Otherwise.", '[""]', "{}"]))


@kind("a step is malformed")
def steps(source: Source, _rng: Random) -> Iterator[Edit]:
    """A step is a word, a list of steps is one step."""
    for at in source.of(Effect):
        if isinstance(at.here, yaml.MappingNode) and in_braces(at.here):
            yield at.replace(at.here, "gain")
    for trigger in source.of(Trigger):
        for node in trigger.written("do"):
            if in_braces(node.value):
                yield trigger.replace(node.value, "{gain: {trait: speed}}")
