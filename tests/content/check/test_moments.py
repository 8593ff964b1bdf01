"""The checker's table of what happens to what, against the engine: what it fires, and nothing else."""

import re
from collections import defaultdict
from pathlib import Path

import domain
from content.check.pieces.moments import HAPPENS
from content.vocabulary.base import Word
from content.vocabulary.pack import Card, Haunt, Tile, TokenKind
from tests.support.gaps import report

FIRED = re.compile(r'fire\(m, f"(tile|token|card|haunt):\{[^"]*\}"(?: if [^"]*"")?, "([a-z-]+)"')

AROUND = re.compile(r'fire_around\(m, "([a-z-]+)"')
"""What reaches whoever is in the room of a card."""


def test_every_moment_that_the_engine_fires_is_known_and_no_other() -> None:
    fired: dict[str, set[str]] = defaultdict(set)
    for path in Path(domain.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for source, moment in FIRED.findall(text):
            fired[source].add(moment)
        fired["card"].update(AROUND.findall(text))
    kinds: dict[str, type[Word]] = {"tile": Tile, "token": TokenKind, "card": Card, "haunt": Haunt}
    table = "HAPPENS in content/check/pieces/moments.py"
    for source, kind in kinds.items():
        known = HAPPENS.get(kind, frozenset())
        report(
            f"The engine fires `{moment}` for a {source}, but the checker does not know it: enter it for {kind.__name__} in {table}."
            for moment in sorted(fired[source] - known)
        )
        report(
            f"The engine never fires `{moment}` for a {source}: remove it from {kind.__name__} in {table}, or fire it."
            for moment in sorted(known - fired[source])
        )
    assert set(kinds) == set(fired)
    assert set(kinds.values()) == set(HAPPENS)
