"""The chains of a whole store: is every commit of every game the one that was written, and in its place?"""

from __future__ import annotations

from collections.abc import AsyncIterator

from service.log.chain import FIRST, Broken, Salts, verify
from service.log.commits import Stored
from service.log.facts import read_secret
from service.log.reader import commits
from service.store.port import LogStore, StoreDamaged

PAGE = 500
"""Games that are read at a time."""


async def check_chains(store: LogStore) -> tuple[int, int]:
    """Check the hash chain of every game.

    Args:
        store: of which nothing is changed.

    Returns:
        How many games there are, and how many commits.

    Raises:
        StoreDamaged: a commit is missing, altered or out of place; the message says which.
    """
    games = commits = 0
    after: str | None = None
    while True:
        page = await store.list_games(after, PAGE)
        if not page:
            return games, commits
        for record in page:
            games += 1
            commits += await check_chain(store, record.id, record.version)
        after = page[-1].id


async def check_chain(store: LogStore, game: str, version: int) -> int:
    """Check the hash chain of one game up to a version; returns that version.

    Raises:
        StoreDamaged: see `follow_chain`.
    """
    async for _ in follow_chain(store, game, version):
        pass
    return version


async def follow_chain(store: LogStore, game: str, version: int) -> AsyncIterator[tuple[bytes, Stored]]:
    """The commits of a game up to a version, one after the other, each of which stands in its place of the chain.

    Returns:
        The bytes as stored, and what they say.

    Raises:
        StoreDamaged: a commit is missing, altered or out of place, or the game's secret is lost; the message says which.
    """
    secret = await store.secret(game)
    if secret is None:
        raise StoreDamaged(f"game {game} has lost its secret")
    salts, link = Salts(read_secret(secret).salt_key), FIRST
    async for number, body in commits(store, game, version):
        try:
            commit = verify(body, link, salts)
        except (Broken, ValueError) as broken:
            raise StoreDamaged(f"game {game}, commit {number}: {broken}") from broken
        if commit.number != number or commit.game != game:
            raise StoreDamaged(f"game {game}: in place of commit {number} lies {commit.number} of game {commit.game}")
        link = commit.hash
        yield body, commit
