"""What packs are written for: differences between editions that decide what can be wrong in a pack.

The edition's policy in play is the domain's; a check has only the pack. So what it may assume stands here, for each edition once.
"""

from __future__ import annotations

import msgspec

from content.survey import Survey
from content.vocabulary.pack import PackHead


class WrittenFor(msgspec.Struct, frozen=True, kw_only=True):
    """What a check may assume of a pack."""

    general_damage: bool = False
    """Damage need not be physical or mental."""
    told_when: bool = False
    """Without a known traitor the haunt itself says when monsters act."""
    corpses: bool = False
    """The dead lie in the house, with their cards."""
    boxes: bool = False
    """A monster's numbers are in a box that its own side alone reads until it is used."""
    ignore_damage: bool = False
    """Traitor and monsters ignore damage of a tile, and nothing else: no text needs a mark."""


EDITIONS = {
    "second": WrittenFor(),
    "third": WrittenFor(general_damage=True, told_when=True, ignore_damage=True, corpses=True, boxes=True),
}
"""By the edition that a pack names."""


def written_for(survey: Survey) -> WrittenFor | None:
    """What to assume of the pack in a survey; None where there is no head that names an edition."""
    return next((EDITIONS.get(head.value.edition) for head in survey.of(PackHead)), None)
