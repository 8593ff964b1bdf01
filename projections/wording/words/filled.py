"""Texts of a haunt with the numbers that they name: `Find {needed} bones`."""

from __future__ import annotations

from content.vocabulary.haunts import IN_TEXT, Haunt
from projections.wording.words.english import quoted
from projections.wording.words.speech import Numbers
from projections.wording.words.values import by_players


def filled(text: str, haunt: Haunt | None, numbers: Numbers | None) -> str:
    """A text of a haunt as its reader sees it.

    Args:
        text: what the haunt says; what it names in braces and the haunt has not stays as it is.
        haunt: whose text it is.
        numbers: those of the game, as far as the reader knows them; without them tables are told for every number of players.
    """
    if haunt is None or "{" not in text:
        return text
    return IN_TEXT.sub(lambda found: _told(found[1], haunt, numbers) or found[0], text)


def _told(name: str, haunt: Haunt, numbers: Numbers | None) -> str:
    """A number by its name; empty if the haunt has none of this name."""
    value = haunt.numbers.get(name)
    if isinstance(value, int):
        return str(value)
    if value is not None and value.players is not None:
        if numbers is None:
            told, players = by_players(value.players)
            return f"{told} ({players})"
        return str(value.players.get(str(numbers.players), ""))
    if name not in haunt.counters:
        return ""
    now = numbers.counter(name) if numbers is not None else None
    return quoted(haunt.counters[name].title) if now is None else str(now)
