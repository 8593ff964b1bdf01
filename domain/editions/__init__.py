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

__all__ = ["EDITIONS", "Edition"]
