"""Editions are policy: one object for each rulebook, built of small named parts.

What differs between editions is a field or a part here, named after the difference; procedures ask it and never ask which
edition is played. Imports nothing of ours but the vocabulary's words.
"""

from domain.editions.edition import Edition
from domain.editions.play_by_post import PLAY_BY_POST
from domain.editions.second import SECOND
from domain.editions.third import THIRD

EDITIONS: dict[str, Edition] = {edition.id: edition for edition in (SECOND, THIRD, PLAY_BY_POST)}
"""Every edition that the engine plays, by id."""


def misfit(edition: str, pack: str) -> str:
    """Why an edition is not played with a pack that was written for another; nothing if it is."""
    if not EDITIONS[edition].plays(pack):
        fitting = [name for name, one in EDITIONS.items() if one.plays(pack)]
        return f"the pack is for the {pack} edition, and played with {' or '.join(fitting)}, not with {edition}"
    return ""


__all__ = ["EDITIONS", "Edition", "misfit"]
