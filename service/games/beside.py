"""Changing what lies beside a game's log, by what stands there: messages, orders, tokens that no commit tells of.

A commit says which version it follows on; what has no version says which revision of the records it was made for. If another process has
changed them in between, it is looked at anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from service.games.live import Live
from service.games.orders import ORDERS, orders_in
from service.games.tables import Tables
from service.problems import ProblemError
from service.store.port import RecordChanges

ATTEMPTS = 10
"""How often a change is made anew because another process was quicker."""

T = TypeVar("T")


async def change_beside(
    tables: Tables, game: str, change: Callable[[Live], Awaitable[tuple[T, RecordChanges | None]]]
) -> T:
    """Make a change, under the game's lock.

    Args:
        tables: the games.
        game: its id.
        change: gives an answer and what is to be changed, from the game as it stands; may be called several times.

    Returns:
        The answer, once the change is durable.

    Raises:
        ProblemError: `conflict`, or what `change` raises.
    """
    table = tables.table(game)
    async with table.lock:
        for _ in range(ATTEMPTS):
            live = await tables.load(table, fresh=True)
            answer, changes = await change(live)
            if changes is None:
                return answer
            if await tables.store.update_game(game, changes, revision=live.revision):
                live.revision += 1
                _note_orders(live, changes)
                if changes.tokens or changes.revoke:
                    table.announce()  # who follows with a token that has ended must hear of it now
                return answer
    raise ProblemError("conflict", "Others change this game all the time: try again.")


def _note_orders(live: Live, changes: RecordChanges) -> None:
    for key, text in changes.texts.items():
        if key.startswith(ORDERS):
            live.orders.pop(int(key.removeprefix(ORDERS)), None)
            if text is not None:
                live.orders |= orders_in({key: text})
