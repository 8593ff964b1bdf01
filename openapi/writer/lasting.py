"""What an example keeps of a real answer: nothing that a reworded card, another digest or a secret would change."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from content.ledger import ledger
from content.vocabulary.pack import Alternative, Card, Pack, Tile

LONGEST = 3
"""Items that a list in an example has at the most; real ones go on."""
WHOLE = {"seats", "faces"}
"""Lists that are shown whole."""
SECRETS = re.compile(r"^(omen_|ticket_[a-z0-9-]+\.[0-9]+\.|whsec_).*")
DIGEST = re.compile(r"(sha256:)?[0-9a-f]{64}")


class Lasting:
    """Makes examples of answers, in which the same digest is the same everywhere."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        """Know the prose of these packs and of the ledger."""
        self._prose = {text: instead for pack in packs for text, instead in _prose(pack) if text}
        for rule in ledger().values():
            self._prose |= {rule.text: f"The text of {rule.id}."}
            self._prose |= {rule.ambiguity: f"What {rule.id} leaves open."} if rule.ambiguity else {}
        self._digests: dict[str, str] = {}

    def example(self, found: Any, name: str = "") -> Any:  # noqa: ANN401 -- any JSON
        """An answer, or the part of one that stands in a field of this name."""
        if isinstance(found, dict):
            return {key: self.example(value, key) for key, value in found.items()}
        if isinstance(found, list):
            return [self.example(one) for one in (found if name in WHOLE else found[:LONGEST])]
        return self._text(found) if isinstance(found, str) else found

    def _text(self, found: str) -> str:
        if secret := SECRETS.fullmatch(found):
            return secret[1] + "x" * 43 + ("=" if secret[1] == "whsec_" else "")
        if DIGEST.fullmatch(found):
            prefix, _, digits = found.rpartition(":")
            known = self._digests.setdefault(digits, hashlib.sha256(b"%d" % len(self._digests)).hexdigest())
            return f"{prefix}:{known}" if prefix else known
        if "\n" in found:  # a page, in which texts of rules may be quoted
            for text, instead in self._prose.items():
                found = found.replace(text, instead)
        return self._prose.get(found, found)


def _prose(pack: Pack) -> Iterator[tuple[str, str]]:
    """The texts of a pack, and what stands for each."""
    yield pack.head.credits, "Who made the pack."
    yield pack.head.note, "What is to be said of the pack."
    pieces: list[Tile | Card] = [*pack.tiles, *pack.cards]
    for piece in pieces:
        yield piece.text, f"The text of {piece.title}."
        for ruling in piece.rulings:
            yield ruling.text, f"A ruling about {piece.title}."
            for other in ruling.alternatives:
                yield (other.text if isinstance(other, Alternative) else other), f"Another ruling about {piece.title}."
