"""What every log store promises about commits that were moved elsewhere."""

import pytest

from service.store.archive import WithArchive
from service.store.port import (
    STRIPPED,
    AlreadyApplied,
    Applied,
    ArchiveMissing,
    Head,
    LogStore,
    NewGame,
    NoSuchGame,
    StoredCommit,
)


def bare(store: LogStore) -> LogStore:
    """The store itself, without what reads archives."""
    return store._bare if isinstance(store, WithArchive) else store  # noqa: SLF001 -- as `omenlog archive` opens it


async def test_of_a_commit_that_is_stripped_only_the_bytes_go(store: LogStore) -> None:
    await store.create(NewGame(id="g", created="2026", status="open", facts=b"", commits=(b"one",)))
    await store.create(NewGame(id="other", created="2026", status="open", facts=b"", commits=(b"one",)))
    await store.append("g", 1, b"two", key="k", fingerprint=b"f")
    await store.append("g", 2, b"three")
    await bare(store).strip("g", 2)
    await bare(store).strip("g", 2)
    assert await bare(store).read("g", 0, 9) == [STRIPPED, STRIPPED, b"three"]
    assert (await bare(store).read_stored("g", 1, 1)) == [StoredCommit(STRIPPED, "k", b"f")]
    assert await store.read("other", 0, 9) == [b"one"]
    assert await store.head("g") == Head(3, 0)
    assert await store.append("g", 0, b"again", key="k") == AlreadyApplied(2, b"f")
    assert await store.append("g", 3, b"four") == Applied(4)
    await bare(store).strip("g", 99)
    assert await bare(store).read("g", 3, 9) == [STRIPPED]
    assert await store.append("g", 4, b"five") == Applied(5)
    with pytest.raises(NoSuchGame):
        await bare(store).strip("nowhere", 1)


async def test_without_its_archive_a_commit_is_never_read_as_something_else(store: LogStore) -> None:
    await store.create(NewGame(id="g", created="2026", status="open", facts=b"", commits=(b"one", b"two")))
    await bare(store).strip("g", 1)
    if bare(store) is store:
        return  # memory: nothing can be archived there
    for reading in (store.read("g", 0, 9), store.read_stored("g", 0, 1)):
        with pytest.raises(ArchiveMissing, match="OMENLOG_ARCHIVE"):
            await reading
    assert await store.read("g", 1, 9) == [b"two"]
