"""Heads of a game's chain as somebody got them while it was played: a file of one line each, which `omenlog witness` writes.

A head is the number and the hash of a commit. Whoever keeps some can show later that a log is, or isn't, the one that was
played: a hash stands for its commit and all before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from service.log.chain import Digest

Number = Annotated[int, msgspec.Meta(ge=1)]


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commit's place in the chain."""

    game: str
    number: Number
    hash: Digest


class NoHeads(ValueError):
    """A file holds something else than heads, or those of several games. The message says where."""


_head = msgspec.json.Decoder(Head)


def read_heads(lines: Iterable[bytes], game: str) -> list[Head]:
    """The heads in a file, in its order.

    Args:
        lines: of the file.
        game: whose heads they must be.

    Raises:
        NoHeads: a line is none, is of another game, or contradicts one before it.
    """
    found: dict[int, Head] = {}
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            head = _head.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NoHeads(f"line {place} is no head: {error}") from None
        if head.game != game:
            raise NoHeads(f"line {place} is a head of game {head.game}, not of {game}")
        if found.setdefault(head.number, head).hash != head.hash:
            raise NoHeads(f"line {place} tells another hash of commit {head.number} than a line before it")
    return list(found.values())


def open_heads(path: Path, game: str) -> list[Head]:
    """The heads in a file.

    Raises:
        NoHeads: see `read_heads`.
        OSError: the file can't be read.
    """
    try:
        return read_heads(path.read_bytes().splitlines(), game)
    except NoHeads as error:
        raise NoHeads(f"{path}: {error}") from None
