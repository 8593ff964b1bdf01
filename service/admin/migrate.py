"""Copying all games from one store into another, with proof that they arrived as they were.

A game is created in the destination with everything that lies beside its log, then its commits follow, each with its key and
fingerprint. So an interrupted copy is a game whose log is the beginning of the other's, and the next run goes on behind it; whatever
differs otherwise is refused and left alone. Afterwards every commit is read back, compared byte by byte, and followed through the hash chain.

Snapshots are not copied: they are caches. Nobody should play in either store meanwhile: what changes under way is told as a difference.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from itertools import zip_longest

import msgspec

from projections.naming.names import counted
from service.admin.check import follow_chain
from service.log.chain import FIRST
from service.log.facts import is_fork
from service.store.open import Stores
from service.store.port import (
    AccountRecord,
    AlreadyCreated,
    Applied,
    Created,
    Creation,
    GameExists,
    GameRecord,
    LogStore,
    NewGame,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)
from service.store.records import Record, RecordStore
from service.webhooks.subscription import account_owner

PAGE = 200
"""Games, or commits of one, read at once."""
ATTEMPTS = 50
"""How often a game is read that changes meanwhile."""


class Differs(StoreError):
    """The destination has something else under the same name. It was left as it is."""


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is now in both stores, alike."""

    game: str
    commits: int
    added: int
    """Commits that this run has copied; the others were there before."""
    size: int
    """Bytes of all commits."""
    head: str
    """The hash of the last commit: the end of the chain, compared on both sides."""


class Migrated(msgspec.Struct, kw_only=True):
    """All that was copied, or found to be there."""

    games: int = 0
    commits: int = 0
    added: int = 0
    size: int = 0
    packs: int = 0
    proof: str = hashlib.sha256().hexdigest()
    """SHA-256 over the chain heads of all games, in their order: two stores with the same have the same logs."""

    def count(self, one: Copied) -> None:
        """Add a game."""
        self.games += 1
        self.commits += one.commits
        self.added += one.added
        self.size += one.size
        self.proof = hashlib.sha256(f"{self.proof} {one.game} {one.commits} {one.head}".encode()).hexdigest()


async def migrate_games(source: LogStore, destination: LogStore, told: Callable[[Copied], None]) -> Migrated:
    """Copy everything; may be run again at any time.

    Args:
        source: read and never written.
        destination: what is missing there is added.
        told: called after each game.

    Raises:
        Differs: the destination has another game, pack or key of that name.
        StoreDamaged: the source's log doesn't hold.
        StoreError: one of the stores fails.
    """
    total = Migrated()
    for digest in await source.list_packs():
        await _copy_pack(source, destination, digest)
        total.packs += 1
    async for record in all_games(source):
        copied = await copy_game(source, destination, record)
        total.count(copied)
        told(copied)
    for account in await source.list_accounts():
        await _copy_account(source, destination, account)
    return total


async def copy_webhooks(source: Stores, destination: Stores) -> int:
    """Copy all subscriptions, after the games: each goes on where its cursor is. What is there already stays as it is.

    Returns:
        How many were copied.
    """
    copied = 0
    async for found in all_webhooks(source.games, source.records):
        copied += await destination.records.add(msgspec.structs.replace(found, revision=0))
    return copied


async def copy_refusals(source: Stores, destination: Stores) -> int:
    """Copy what was tried and refused, after the games: for the referee to find it there, too. What was refused there meanwhile stays as it is.

    Returns:
        How many were copied.
    """
    copied = 0
    async for game in all_games(destination.games):
        kept, there = [await one.records.refusals(game.id, 0, game.version) for one in (source, destination)]
        if there != kept[: len(there)]:
            continue  # somebody has tried something there since
        for record in kept[len(there) :]:
            await destination.records.add_refusal(record, per_game=len(kept), per_seat=len(kept))
            copied += 1
    return copied


async def all_webhooks(games: LogStore, records: RecordStore) -> AsyncIterator[Record]:
    """The records of all subscriptions: those of games and accounts that there are."""
    async for game in all_games(games):
        for found in await records.of_owners(game.id):
            yield found
    for account in await games.list_accounts():
        for found in await records.of_owners(account_owner(account.id)):
            yield found


async def all_games(store: LogStore) -> AsyncIterator[GameRecord]:
    """The records of all games, in the order of their opening. Forks are left out: they stay behind, and may be removed at any moment."""
    last = None
    while page := await store.list_games(last, PAGE):
        lasting = [record for record in page if not is_fork(record.facts)]
        for record in lasting:
            yield record
        last = (lasting or page)[-1].id


async def _copy_pack(source: LogStore, destination: LogStore, digest: str) -> None:
    body = await source.get_pack(digest)
    if body is None:
        raise StoreDamaged(f"the source lists the pack {digest}, but doesn't have it")
    await destination.put_pack(digest, body)
    if await destination.get_pack(digest) != body:
        raise Differs(f"the destination has another pack under {digest}")


async def _copy_account(source: LogStore, destination: LogStore, account: AccountRecord) -> None:
    """The account with its places, in their order: cursors count them."""
    there = await destination.find_account(account.hash)
    if there is None:
        await destination.create_account(account)
    elif there != account:
        raise Differs(f"the destination has another account with the hash of {account.id}")
    places = await source.account_places(account.id)
    for number, place in enumerate(places, start=1):
        if await destination.enter_account(account.id, place) != number:
            raise Differs(f"the destination has other places in the account {account.id}")


async def copy_game(source: LogStore, destination: LogStore, record: GameRecord) -> Copied:
    """Copy one game as it stands at one moment, or what is missing of it, and prove it. Raises as `migrate` does."""
    record, beside = await _at_rest(source, record)
    if await destination.get_game(record.id) is None:
        await _create(destination, beside)
    before = await destination.version(record.id) or 0
    if before > record.version:
        raise Differs(
            f"game {record.id}: the destination has {counted(before, 'commit')}, the source {record.version}: it was played on there"
        )
    await _compare_beside(destination, beside)
    await _compare_logs(source, destination, record, before)
    await _append(source, destination, record, before)
    size, head = await _prove(source, destination, record)
    return Copied(game=record.id, commits=record.version, added=record.version - before, size=size, head=head)


class Beside(msgspec.Struct, frozen=True):
    """All of a game but its log."""

    game: NewGame
    creation: Creation | None


async def _at_rest(store: LogStore, record: GameRecord) -> tuple[GameRecord, Beside]:
    """A game's record, and what else is not its log, as they stood together; whoever plays meanwhile is waited for."""
    for _ in range(ATTEMPTS):
        head = await store.head(record.id)
        found = await store.get_game(record.id)
        if found is None:
            break
        beside = await _beside(store, found)
        if head == await store.head(record.id):
            return found, beside
    raise StoreUnavailable(f"game {record.id} changes all the time: run this again when less is going on")


async def _beside(store: LogStore, record: GameRecord) -> Beside:
    secret = await store.secret(record.id)
    if secret is None:
        raise StoreDamaged(f"game {record.id} has no secret")
    game = NewGame(
        id=record.id,
        created=record.created,
        status=record.status,
        facts=record.facts,
        secret=secret,
        tokens=await store.list_tokens(record.id),
        texts=await store.get_texts(record.id),
    )
    return Beside(game, await store.creation(record.id))


async def _create(destination: LogStore, beside: Beside) -> None:
    game, creation = beside.game, beside.creation
    try:
        if creation is None:
            answer = await destination.create(game)
        else:
            answer = await destination.create(
                game, creator=creation.creator, key=creation.key, fingerprint=creation.fingerprint
            )
    except GameExists:
        return  # somebody was quicker, or an earlier run: it is compared like any other
    match answer:
        case AlreadyCreated(other) if other != game.id:
            raise Differs(f"game {game.id}: the destination has opened game {other} under its key")
        case Created() | AlreadyCreated():
            return


async def _compare_beside(destination: LogStore, beside: Beside) -> None:
    game = beside.game
    record = await destination.get_game(game.id)
    if record is None:
        raise Differs(f"game {game.id}: it has vanished from the destination")
    there = await _beside(destination, record)
    pairs: tuple[tuple[str, object, object], ...] = (
        ("time of opening", game.created, there.game.created),
        ("status", game.status, there.game.status),
        ("public facts", game.facts, there.game.facts),
        ("secret", game.secret, there.game.secret),
        ("tokens", game.tokens, there.game.tokens),
        ("texts", game.texts, there.game.texts),
        ("key of its opening", beside.creation, there.creation),
    )
    wrong = [name for name, one, other in pairs if one != other]
    if wrong:
        raise Differs(
            f"game {game.id}: {', '.join(wrong)} differ in the destination. Was it played, there or in the source, since it was copied?"
        )


async def _compare_logs(source: LogStore, destination: LogStore, record: GameRecord, upto: int) -> None:
    """The commits that both have are the same, with their keys."""
    for after in range(0, upto, PAGE):
        limit = min(PAGE, upto - after)
        ours, theirs = [await store.read_stored(record.id, after, limit) for store in (source, destination)]
        for number, (one, other) in enumerate(zip_longest(ours, theirs), after + 1):
            if one != other:
                raise Differs(f"game {record.id}: commit {number} differs in the destination")


async def _append(source: LogStore, destination: LogStore, record: GameRecord, before: int) -> None:
    """The commits that are missing, one after the other as they were."""
    for after in range(before, record.version, PAGE):
        page = await source.read_stored(record.id, after, min(PAGE, record.version - after))
        # All at once: a store checks in their order what waits together, and pays for one way to the disk.
        answers = await asyncio.gather(
            *(
                destination.append(record.id, number, stored.body, key=stored.key, fingerprint=stored.fingerprint)
                for number, stored in enumerate(page, after)
            )
        )
        for number, answer in enumerate(answers, after + 1):
            if answer != Applied(number):
                raise Differs(
                    f"game {record.id}: commit {number} can't be added: somebody else writes to the destination"
                )


async def _prove(source: LogStore, destination: LogStore, record: GameRecord) -> tuple[int, str]:
    """Read both logs again: the same bytes, and the chain holds from the first commit to the last.

    Returns:
        The bytes of all commits, and the chain's head.
    """
    head, size = FIRST, 0
    await _compare_logs(source, destination, record, record.version)
    async for body, commit in follow_chain(destination, record.id, record.version):
        head, size = commit.hash, size + len(body)
    return size, head
