"""Copy all games from one store to another, and prove that they arrived unchanged.

A game is created in the destination with everything beside its log, then its commits follow, each with its key and fingerprint.
So an interrupted copy has the beginning of the log, and the next run continues it; any other difference is refused and left alone.
In the end every commit is read back, compared byte by byte, and checked along the hash chain.

Snapshots are caches and not copied. Nobody should play in either store meanwhile: changes show up as differences.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from itertools import zip_longest

import msgspec

from projections.naming.names import counted
from service.admin.audits import all_games, follow_chain
from service.log.chain import FIRST
from service.store.open import Stores
from service.store.port import (
    AccountRecord,
    AlreadyCreated,
    Applied,
    Creation,
    GameExists,
    GameRecord,
    LogStore,
    NewGame,
    Record,
    RecordStore,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)
from service.webhooks.subscription import account_owner

PAGE = 200
"""Commits read at once."""
ATTEMPTS = 50
"""Retries for a game that is changing."""


class CopyDiffers(StoreError):
    """The destination has something else under the same name, which was left alone."""


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is now the same in both stores; `added` commits came in this run."""

    game: str
    commits: int
    added: int
    size: int
    """Bytes of all commits."""
    head: str
    """The hash of the last commit."""


CopiedCallback = Callable[[Copied], None]
"""Called after each game."""


class Migrated(msgspec.Struct, kw_only=True):
    """Everything copied, or already there."""

    games: int = 0
    commits: int = 0
    added: int = 0
    size: int = 0
    packs: int = 0
    proof: str = hashlib.sha256().hexdigest()
    """SHA-256 over the chain heads of all games, in order: stores with the same proof have the same logs."""

    def count(self, one: Copied) -> None:
        self.games += 1
        self.commits += one.commits
        self.added += one.added
        self.size += one.size
        self.proof = hashlib.sha256(f"{self.proof} {one.game} {one.commits} {one.head}".encode()).hexdigest()


async def migrate_games(source: LogStore, destination: LogStore, told: CopiedCallback) -> Migrated:
    """Copy all packs, games and accounts that the destination lacks; may be repeated at any time.

    Raises CopyDiffers if the destination has another game, pack or key of the same name, and StoreDamaged for a damaged log in the source.
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
    """Copy the subscriptions that the destination lacks, with their cursors; returns how many. Copy the games first."""
    copied = 0
    async for found in all_webhooks(source.games, source.records):
        copied += await destination.records.add(msgspec.structs.replace(found, revision=0))
    return copied


async def copy_refusals(source: Stores, destination: Stores) -> int:
    """Copy refused attempts that the destination lacks; returns how many. Copy the games first."""
    copied = 0
    async for game in all_games(destination.games):
        kept, there = [await one.records.refusals(game.id, 0, game.version) for one in (source, destination)]
        if there != kept[: len(there)]:
            continue  # something else was refused there since
        for record in kept[len(there) :]:
            await destination.records.add_refusal(record, per_game=len(kept), per_seat=len(kept))
            copied += 1
    return copied


async def all_webhooks(games: LogStore, records: RecordStore) -> AsyncIterator[Record]:
    async for game in all_games(games):
        for found in await records.of_owners(game.id):
            yield found
    for account in await games.list_accounts():
        for found in await records.of_owners(account_owner(account.id)):
            yield found


async def _copy_pack(source: LogStore, destination: LogStore, digest: str) -> None:
    body = await source.get_pack(digest)
    if body is None:
        raise StoreDamaged(f"the source lists pack {digest} but does not have it")
    await destination.put_pack(digest, body)
    if await destination.get_pack(digest) != body:
        raise CopyDiffers(f"the destination has another pack under {digest}")


async def _copy_account(source: LogStore, destination: LogStore, account: AccountRecord) -> None:
    """Copy an account with its places in order: cursors count them."""
    there = await destination.find_account(account.hash)
    if there is None:
        await destination.create_account(account)
    elif there != account:
        raise CopyDiffers(f"the destination has another account with the hash of {account.id}")
    places = await source.account_places(account.id)
    for number, place in enumerate(places, start=1):
        if await destination.enter_account(account.id, place) != number:
            raise CopyDiffers(f"the destination has other places in the account {account.id}")


async def copy_game(source: LogStore, destination: LogStore, record: GameRecord) -> Copied:
    """Copy one game as of one moment, or what is missing, and prove it. Raises as `migrate_games` does."""
    record, beside = await _at_rest(source, record)
    if await destination.get_game(record.id) is None:
        await _create(destination, beside)
    before = await destination.version(record.id) or 0
    if before > record.version:
        raise CopyDiffers(
            f"game {record.id}: the destination has {counted(before, 'commit')}, the source {record.version}; it was continued there"
        )
    await _compare_beside(destination, beside)
    await _compare_logs(source, destination, record, before)
    await _append(source, destination, record, before)
    # Prove it: read both logs again, and check the chain.
    await _compare_logs(source, destination, record, record.version)
    head, size = FIRST, 0
    async for body, commit in follow_chain(destination, record.id, record.version):
        head, size = commit.hash, size + len(body)
    return Copied(game=record.id, commits=record.version, added=record.version - before, size=size, head=head)


class Beside(msgspec.Struct, frozen=True):
    """All of a game except its log."""

    game: NewGame
    creation: Creation | None


async def _at_rest(store: LogStore, record: GameRecord) -> tuple[GameRecord, Beside]:
    """A game's record and everything beside its log, read at a moment when nobody was writing."""
    for _ in range(ATTEMPTS):
        head = await store.head(record.id)
        found = await store.get_game(record.id)
        if found is None:
            break
        beside = await _beside(store, found)
        if head == await store.head(record.id):
            return found, beside
    raise StoreUnavailable(f"game {record.id} changes all the time: run this again at a quieter time")


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
        answer = await destination.create(game, **({} if creation is None else msgspec.structs.asdict(creation)))
    except GameExists:
        return  # it is compared like any other
    if isinstance(answer, AlreadyCreated) and answer.game != game.id:
        raise CopyDiffers(f"game {game.id}: the destination has opened game {answer.game} under its key")


async def _compare_beside(destination: LogStore, beside: Beside) -> None:
    game = beside.game
    record = await destination.get_game(game.id)
    if record is None:
        raise CopyDiffers(f"game {game.id}: it vanished from the destination")
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
        raise CopyDiffers(
            f"game {game.id}: {', '.join(wrong)} differ in the destination. Was it continued in one of the stores since it was copied?"
        )


async def _compare_logs(source: LogStore, destination: LogStore, record: GameRecord, upto: int) -> None:
    """Refuse commits that differ, or have other keys."""
    for after in range(0, upto, PAGE):
        limit = min(PAGE, upto - after)
        ours, theirs = [await store.read_stored(record.id, after, limit) for store in (source, destination)]
        for number, (one, other) in enumerate(zip_longest(ours, theirs), after + 1):
            if one != other:
                raise CopyDiffers(f"game {record.id}: commit {number} differs in the destination")


async def _append(source: LogStore, destination: LogStore, record: GameRecord, before: int) -> None:
    """Append the missing commits, in order and unchanged."""
    for after in range(before, record.version, PAGE):
        page = await source.read_stored(record.id, after, min(PAGE, record.version - after))
        # All at once: a store checks queued commits in order, and syncs the disk once for all.
        answers = await asyncio.gather(
            *(
                destination.append(record.id, number, stored.body, key=stored.key, fingerprint=stored.fingerprint)
                for number, stored in enumerate(page, after)
            )
        )
        for number, answer in enumerate(answers, after + 1):
            if answer != Applied(number):
                raise CopyDiffers(
                    f"game {record.id}: commit {number} can't be appended: somebody else is writing to the destination"
                )
