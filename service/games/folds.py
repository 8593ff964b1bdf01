"""What roles knew as of a commit, several of them folded at once, and the latest commits that a seat may take back."""

from __future__ import annotations

from collections.abc import Sequence

from domain.evolve import fold_commit
from domain.facts.audience import EVERYBODY, REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.state import State
from domain.past import Passed
from domain.rulebook.desk.taking_back import BEHIND
from domain.rulebook.desk.talk import of_play
from domain.worlds import copied
from service.games.live_folds import RoleFold
from service.games.tables import TAIL, LiveGame, Tables
from service.log.commits import read_folded
from service.log.reader import commits, passed
from service.store.port import LogStore

PAGE_BACK = 64
"""Commits read from a store at once, from the latest one back."""


async def latest_played(store: LogStore, live: LiveGame, version: int) -> Sequence[Passed]:
    """The latest commits of play up to a version, as many as are looked at for what can be taken back.

    They are in memory at the head of the log, and read from it after a game was loaded from a snapshot or where somebody looks at its past.
    """
    if version == live.version and live.played_whole:
        return list(live.played)
    found: list[Passed] = []
    last = version
    while last and len(found) < BEHIND:
        first = max(0, last - PAGE_BACK)
        page = [passed(body) for body in await store.read(live.facts.id, first, last - first)]
        found = [*(one for one in page if of_play(one.told)), *found]
        last = first
    found = found[-BEHIND:]
    if version == live.version:
        live.note_played(found)
    return found


async def fold_for_all(tables: Tables, game: str, live: LiveGame, upto: int) -> dict[Mask, State]:
    """What every principal of a game knows as of a commit, the referee last."""
    everybody = [*[seat_bit(seat) for seat in range(len(live.facts.seats))], SPECTATORS, REFEREE]
    return await fold_for_each(tables, game, live, upto, everybody)


async def fold_for_each(
    tables: Tables, game: str, live: LiveGame, upto: int, wanted: Sequence[Mask]
) -> dict[Mask, State]:
    """What some principals, no two the same, know as of a commit (at most `live.version`), for whoever keeps it."""
    at_hand = {one for one, role in live.roles.items() if upto - TAIL < role.number <= upto}
    behind = [one for one in wanted if one not in at_hand]
    if len(behind) <= 1:
        return {one: copied(await tables.fold_for(game, live, one, upto)) for one in wanted}
    groups = await _folded(tables, game, wanted, upto)
    found = {one: copied(next(state for mask, state in groups if mask & one)) for one in wanted}
    for one in behind:
        role = live.roles.get(one)
        if role is None or role.number < upto:  # whoever looks next goes on from here
            live.roles[one] = RoleFold(upto, copied(found[one]))
    return found


async def _folded(tables: Tables, game: str, wanted: Sequence[Mask], upto: int) -> list[tuple[Mask, State]]:
    """Groups of principals who know the same, each folded once: one begins for all, and splits where somebody is told more."""
    groups: list[tuple[Mask, State]] = [(sum(wanted), State())]
    async for number, body in commits(tables.store, game, upto):
        told = read_folded(body).events
        for to in {one.to for one in told if one.to != EVERYBODY}:
            groups = _split(groups, to)
        for mask, state in groups:
            fold_commit(state, number, told, mask & -mask)
    return groups


def _split(groups: list[tuple[Mask, State]], to: Mask) -> list[tuple[Mask, State]]:
    """The groups, split so that each is told all or nothing of what these principals are told."""
    found: list[tuple[Mask, State]] = []
    for mask, state in groups:
        if mask & to and mask & ~to:
            found += [(mask & to, copied(state)), (mask & ~to, state)]
        else:
            found.append((mask, state))
    return found
