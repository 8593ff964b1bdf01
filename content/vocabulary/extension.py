"""What a pack says that is no whole one: which built-in pack it adds to, and what of it it replaces."""

from __future__ import annotations

from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Stage

VOCABULARY = 1
"""The version of the vocabulary: raised where a pack that was right would be read otherwise than it was meant."""


class Extension(Word, frozen=True, kw_only=True):
    """`pack.yaml` of a pack that adds pieces to a built-in one, or replaces some of them. Whatever it leaves alone is the built-in pack's.

    Example: `{id: our-house, title: Our House, extends: second-edition, replaces: ["card:bottle"]}`.
    """

    id: str
    title: str
    extends: str
    """The built-in pack."""
    version: str = "1"
    stage: Stage = "draft"
    credits: str = ""
    note: str = ""
    """What is missing or particular, openly."""
    players: list[int] | None = None
    """The numbers of players that it is for; by default those of the built-in pack."""
    vocabulary: int = 1
    """The version of the vocabulary that it is written in; there is only 1 so far."""
    replaces: list[str] = []
    """Pieces of the built-in pack in whose place it has others of the same name: `card:bottle`, `tile:attic`, `token:`, `explorer:`,
    `scenario:`, `haunt:`, `block:`, or the whole `chart`."""
    without: list[str] = []
    """Pieces of the built-in pack that it leaves out."""
    blocks: dict[str, list[Effect]] = {}
    """More steps for `run`, by name."""
