"""Packs that add to a built-in one: their pieces and its pieces become one pack, and no name of its is taken by accident."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from content.errors import Finding, Mistake, did_you_mean
from content.load.layout import SINGLE, Piece, Pieces, ordered
from content.vocabulary.extension import Extension
from content.vocabulary.pack import PackHead

WORDS = {
    "tiles": "tile",
    "explorers": "explorer",
    "cards": "card",
    "tokens": "token",
    "scenarios": "scenario",
    "haunts": "haunt",
    "chart": "chart",
}
"""What `replaces` and `without` call the pieces of each field."""


class Named(NamedTuple):
    """A piece, or a block of steps, under the name that `replaces` gives it."""

    piece: Piece
    field: str
    finding: Finding
    """Where it is named; the message is missing."""


def extend(own: Pieces, base: Pieces) -> tuple[Pieces, list[Mistake]]:
    """Put the pieces of a pack and of the built-in one that it extends together.

    Returns:
        All pieces, and why they can't be put together. With mistakes, the pieces are the pack's own.
    """
    head = own["head",]
    if not isinstance(head.value, Extension) or not isinstance(base["head",].value, PackHead):
        raise TypeError("only an extension extends, and only a whole pack is extended")
    mine, theirs = _named(own), _named(base)
    mistakes = [head.mistake(finding) for finding in _listed(head.value, mine, theirs)]
    mistakes += _named_twice(own)
    for name in mine.keys() & theirs.keys() - set(head.value.replaces) - set(head.value.without):
        message = f"`{name}` is a piece of {head.value.extends}"
        hint = f'take another name, or replace it on purpose: `replaces: ["{name}"]` in pack.yaml'
        mistakes.append(mine[name].piece.mistake(mine[name].finding._replace(message=message, suggestion=hint)))
    if mistakes:
        return own, mistakes
    gone = {*head.value.replaces, *head.value.without}
    kept = {name: one for name, one in theirs.items() if name not in gone}
    both = [*kept.values(), *mine.values()]
    pieces = {field: [one.piece for one in both if one.field == field] for field in WORDS}
    blocks = {name: steps for name, steps in base["head",].value.blocks.items() if f"block:{name}" not in gone}
    merged = _head(head.value, base["head",].value, blocks)
    return ordered({"head": [head._replace(value=merged)], **pieces}), []


def _named(pieces: Pieces) -> dict[str, Named]:
    """Return what a pack has by the names that `replaces` uses."""
    found: dict[str, Named] = {}
    for trail, piece in pieces.items():
        field = str(trail[0])
        if isinstance(piece.value, PackHead | Extension):
            blocks = piece.value.blocks
            found |= {
                f"block:{name}": Named(piece, "blocks", Finding(("blocks", name), "", key=True)) for name in blocks
            }
        elif field in SINGLE:
            found[WORDS[field]] = Named(piece, field, Finding((), ""))
        else:
            found[f"{WORDS[field]}:{piece.id}"] = Named(piece, field, Finding(("id",), ""))
    return found


def _named_twice(own: Pieces) -> Iterator[Mistake]:
    """Find pieces of one kind with the same id: `_named` keeps one of them. Both are shown, for only their author knows which is meant."""
    alike: dict[tuple[str | int, str], list[Piece]] = {}
    for trail, piece in own.items():
        if trail[0] not in SINGLE:
            alike.setdefault((trail[0], piece.id), []).append(piece)
    for (_, name), pieces in alike.items():
        for piece in pieces if len(pieces) > 1 else ():
            kind = type(piece.value).__name__
            message = f"the id `{name}` is taken by another {kind}"
            yield piece.mistake(Finding(("id",), message, "give each an id of its own"))


def _listed(head: Extension, mine: dict[str, Named], theirs: dict[str, Named]) -> Iterator[Finding]:
    """Check what the head says of pieces of the built-in pack."""
    for field, names in (("replaces", head.replaces), ("without", head.without)):
        for index, name in enumerate(names):
            place = (field, index)
            if name not in theirs:
                hint = did_you_mean(name, theirs) or "write the kind before the name: `card:bottle`"
                yield Finding(place, f"{head.extends} has no `{name}`", hint)
            elif field == "replaces" and name not in mine:
                yield Finding(place, f"nothing here replaces `{name}`", "to leave it out, list it under `without`")
            elif field == "without" and name in mine:
                yield Finding(place, f"`{name}` is left out and given", "to replace it, list it under `replaces`")


def _head(own: Extension, base: PackHead, blocks: Mapping[str, object]) -> PackHead:
    """Make the head of the whole pack."""
    return msgspec.structs.replace(
        base,
        id=own.id,
        version=own.version,
        title=own.title,
        stage=own.stage,
        credits=own.credits or base.credits,
        note=own.note,
        players=base.players if own.players is None else own.players,
        blocks={**blocks, **own.blocks},
    )
