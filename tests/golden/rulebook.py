"""The rules of all pieces in words, one file for each pack: to be read as a player would, and reviewed as a diff.

python -m tests.golden.rulebook            # name the files that differ
python -m tests.golden.rulebook --write    # write them
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from content.load.packs import builtin_packs
from content.vocabulary.pack import Pack
from projections.wording import Library, RuleText
from tests.support.packs import pack
from tests.support.renewing import renew, tell

FOLDER = Path(__file__).parent / "rules"

PACKS = tuple(sorted(builtin_packs()))


def path(name: str) -> Path:
    """The file of a pack."""
    return FOLDER / f"{name}.md"


def rulebook(name: str) -> str:
    """All pieces of a pack with their rules, in an order that stays when pieces are added."""
    return "\n".join(_lines(pack(name))) + "\n"


def _lines(of: Pack) -> Iterator[str]:
    library = Library(of)
    yield f"# {of.head.title}: the rules in words"
    yield ""
    yield "Written by `./dev golden` from the content; a test compares them."
    for deck in ("event", "item", "omen"):
        yield from _chapter(
            library,
            f"{deck.capitalize()}s",
            [(f"card:{card.id}", card.title) for card in of.cards if card.deck == deck],
        )
    yield from _chapter(library, "Rooms", [(f"tile:{tile.id}", tile.title) for tile in of.tiles])
    yield from _chapter(library, "Tokens", [(f"token:{token.id}", token.title) for token in of.tokens])
    yield from _chapter(library, "Explorers", [(f"explorer:{one.id}", one.title) for one in of.explorers])
    for haunt in sorted(of.haunts, key=lambda one: one.id):
        called = {"heroes": "The heroes' book", "traitor": "The traitor's book"}
        if haunt.kind in ("hidden-traitor", "free-for-all"):
            called = dict.fromkeys(called, "Everybody's book")
        books = [(f"haunt:{haunt.id}", "For everybody")]
        books += [(f"haunt:{haunt.id}#{side}", called[side]) for side in haunt.books]
        yield from _chapter(library, f"Haunt: {haunt.title}", books)


def _chapter(library: Library, title: str, ids: list[tuple[str, str]]) -> Iterator[str]:
    yield from ("", f"## {title}")
    for piece, name in ids:
        yield from ("", f"### {name}", "")
        yield from _rules(library.piece(piece), "- ") or ["No rules of its own."]
        for ruling, rules in library.alternatives(piece).items():
            yield f"- By the ruling “{ruling}”"
            yield from _rules(rules, "  - ")


def _rules(rules: list[RuleText], mark: str) -> list[str]:
    return [f"{mark}{rule.text}" for rule in rules]


def write() -> list[Path]:
    """Write the files; returns those that have changed."""
    FOLDER.mkdir(exist_ok=True)
    return [path(name) for name in PACKS if renew(path(name), rulebook(name))]


def main() -> None:
    """Write the files, or name those that differ."""
    if "--write" in sys.argv:
        tell(write())
        return
    for name in PACKS:
        if not path(name).exists() or path(name).read_text(encoding="utf-8") != rulebook(name):
            sys.stdout.write(f"{path(name)} differs\n")


if __name__ == "__main__":
    main()
