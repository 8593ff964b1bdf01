"""Reading a game's log: its commits as they are stored, in order, a page at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator

from service.store.port import LogStore, StoreDamaged

PAGE = 500
"""Commits read from a store at once."""


async def pages(
    store: LogStore, game: str, upto: int, *, after: int = 0, size: int = PAGE
) -> AsyncIterator[list[bytes]]:
    """The stored commits behind one, up to another.

    Args:
        store: where they are.
        game: whose they are.
        upto: the number of the last.
        after: the number of the one before the first.
        size: how many are read at once.

    Raises:
        StoreDamaged: the log ends before `upto`.
        StoreError: the store fails.
    """
    while after < upto:
        page = await store.read(game, after, min(size, upto - after))
        if not page:
            raise StoreDamaged(f"the log of game {game} ends before commit {upto}")
        yield page
        after += len(page)


async def commits(store: LogStore, game: str, upto: int) -> AsyncIterator[tuple[int, bytes]]:
    """All stored commits up to one, each with its number. Raises as `pages` does."""
    number = 0
    async for page in pages(store, game, upto):
        for body in page:
            number += 1
            yield number, body
