"""The built-in packs as rules, loaded once, and packs with pieces of a test's own."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from content.load.packs import builtin_packs, load_pack
from content.vocabulary.pack import Card, Haunt, Pack, Tile
from domain.engine.rules import Rules
from domain.game import rules_for


@cache
def pack(name: str) -> Pack:
    """A built-in pack: `second-edition`, `third-edition`."""
    return load_pack(builtin_packs()[name])


def loaded(folder: Path, *, base: str = "", taken: Iterable[str] = ()) -> Pack:
    """What `load_pack` answers, but that a built-in pack is read and checked once: that costs more than most tests do."""
    builtin = {where: name for name, where in builtin_packs().items()}
    return pack(builtin[folder]) if folder in builtin else load_pack(folder, base=base, taken=taken)


def compiled(played: Pack, edition: str = "") -> Rules:
    """What `rules_for` answers, but that a built-in pack is compiled once."""
    name = played.head.id
    if name not in builtin_packs() or played is not pack(name):
        return rules_for(played, edition)
    return _compiled(name, edition or played.head.edition)


@cache
def _compiled(name: str, edition: str) -> Rules:
    return rules_for(pack(name), edition)


def rules(name: str) -> Rules:
    """The rules of a built-in pack."""
    return compiled(pack(name))


def haunts(name: str, *, kind: str = "", two_books: bool = False, monsters: bool = False) -> tuple[str, ...]:
    """The haunts of a built-in pack, in its order.

    Args:
        name: of the pack.
        kind: only those of this kind.
        two_books: only those in which each side has a book of its own.
        monsters: only those with monsters.
    """
    return tuple(
        one.id
        for one in pack(name).haunts
        if kind in ("", one.kind) and (not two_books or not one.one_book) and (not monsters or bool(one.monsters))
    )


HAUNTS = haunts("second-edition")
"""Every haunt of the second edition's pack."""
HIDDEN = haunts("second-edition", kind="hidden-traitor")
"""Those of them whose traitor nobody knows."""
TWO_BOOKS = haunts("second-edition", two_books=True)
"""Those of them in which each side has a book of its own."""
THIRD = haunts("third-edition")
"""Every haunt of the third edition's pack."""
EVERY_HAUNT = tuple((name, haunt) for name in ("second-edition", "third-edition") for haunt in haunts(name))
"""Every haunt of every built-in pack."""


def rules_of(name: str) -> Rules:
    """The rules of a built-in pack, or of play by post."""
    return by_post() if name == "play-by-post" else rules(name)


def by_post() -> Rules:
    """The rules of play by post, over the second edition's pack."""
    return compiled(pack("second-edition"), "play-by-post")


@cache
def rules_with(
    name: str = "second-edition", *, haunt: str = "", card: str = "", tile: str = "", edition: str = ""
) -> Rules:
    """A built-in pack with a haunt, card or tile more, written in the words of content (YAML).

    For what the rulebook grants to "some haunts" and "some cards" and no built-in piece does.
    """
    base = pack(name)
    changed = msgspec.structs.replace(
        base,
        haunts=[*base.haunts, *_pieces(haunt, Haunt)],
        cards=[*base.cards, *_pieces(card, Card)],
        tiles=[*base.tiles, *_pieces(tile, Tile)],
    )
    return rules_for(changed, edition)


def heroes_may(*actions: str, monsters: str = "{}") -> str:
    """A haunt `h` with a traitor, in which there is nothing but these actions of the heroes, and these kinds of monsters."""
    return f"""
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      monsters: {monsters}
      heroes: {{story: S, goal: G, actions: [{", ".join(actions)}]}}
      traitor-book: {{story: S, goal: G}}
    """


def _pieces(text: str, kind: type[Any]) -> list[Any]:
    """One piece; every scalar is read as text, as `on:` and `3:` are words to content and not to YAML."""
    return [msgspec.convert(yaml.load(text, yaml.BaseLoader), kind, strict=False)] if text else []  # noqa: S506 -- the loader that knows text, lists and mappings alone
