"""The latest commits of play: among them is what a seat may take back, however much was said since."""

from __future__ import annotations

from collections.abc import Sequence

from domain.past import Passed
from domain.turn.taking_back import BEHIND
from domain.turn.talk import of_play
from service.games.live import Live
from service.log.past import passed
from service.store.port import LogStore

PAGE = 64
"""Commits read from a store at once, from the latest one back."""


async def latest_played(store: LogStore, live: Live, version: int) -> Sequence[Passed]:
    """The latest commits of play up to a version, as many as are looked at for what can be taken back.

    At the head of the log they are in memory; they are read once after a game was loaded from a snapshot, and where somebody looks at its past.
    """
    if version == live.version and live.played_whole:
        return list(live.played)
    found: list[Passed] = []
    last = version
    while last and len(found) < BEHIND:
        first = max(0, last - PAGE)
        page = [passed(body) for body in await store.read(live.facts.id, first, last - first)]
        found = [*(one for one in page if of_play(one.told)), *found]
        last = first
    found = found[-BEHIND:]
    if version == live.version:
        live.note_played(found)
    return found
