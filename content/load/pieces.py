"""What was read of a pack, piece by piece, with the places in its files."""

from typing import NamedTuple

from content.errors import Finding, Mistake, Trail
from content.load.documents import Document
from content.vocabulary.base import Word


class Piece(NamedTuple):
    """A tile, card, haunt or other piece of a pack, with the place in the files that it comes from."""

    value: Word
    document: Document
    trail: Trail
    """From the root of the document."""

    @property
    def id(self) -> str:
        """What it is called; nothing where pieces of its kind have no names."""
        return str(getattr(self.value, "id", ""))

    def mistake(self, finding: Finding) -> Mistake:
        """Locate a finding whose trail begins at the piece."""
        return self.document.mistake(finding._replace(trail=self.trail + finding.trail))


Pieces = dict[Trail, Piece]
"""By their place in `Pack`: `("tiles", 3)`, `("head",)`."""


def ordered(pieces: dict[str, list[Piece]]) -> Pieces:
    """Number the pieces of each field of `Pack` in the order of their ids; a field with one piece has no numbers."""
    found: Pieces = {}
    for field, some in pieces.items():
        if field in SINGLE:
            found.update([((field,), piece) for piece in some])
        else:
            found |= {(field, index): piece for index, piece in enumerate(sorted(some, key=lambda piece: piece.id))}
    return found


SINGLE = {"head", "chart"}
"""The fields of `Pack` that hold one piece, not a list."""
