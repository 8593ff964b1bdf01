"""Heads that SQLite's own count vouches for: never older than what anybody got acknowledged, and not asked for while nobody else writes."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.store.port import Applied, Head, NewGame, RecordChanges
from service.store.sqlite import statements, writer
from service.store.sqlite.log import HEARING, LONGEST, SqliteLogStore

GAMES = ("g", "h", "i")
ALONE = 22
"""Appends, one after the other, after which the loop writes by itself."""

Step = tuple[str, int, str, bool]
"""What is done, by which of three, in which game, and whether the stores are asked for heads after it."""

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["append", "append", "append", "late", "change", "together", "snapshot", "remove"]),
        st.integers(0, 2),
        st.sampled_from(GAMES),
        st.booleans(),
    ),
    min_size=20,
    max_size=40,
)


def new(game: str) -> NewGame:
    return NewGame(id=game, created="2026-01-02T03:04:05Z", status="open", facts=b"")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteLogStore]:
    opened = await SqliteLogStore.open(tmp_path / "log.db")
    for game in GAMES:
        await opened.create(new(game))
    yield opened
    await opened.close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games of which the file was asked how far they have come."""
    games: list[str] = []
    ask = statements.head

    def counted(db: sqlite3.Connection, game: str) -> Head | None:
        games.append(game)
        return ask(db, game)

    monkeypatch.setattr(statements, "head", counted)
    return games


def by_another(db: sqlite3.Connection, deed: str, game: str, version: int) -> None:
    if deed == "append":
        statements.append(db, game, version, b"x", None, b"")
    else:
        db.execute("UPDATE games SET revision = revision + 1 WHERE id = ?", (game,))


async def do(store: SqliteLogStore, deed: str, game: str, truth: dict[str, Head]) -> None:
    version = truth[game].version
    if deed == "append":
        await store.append(game, version, b"x")
    elif deed == "late":
        await store.append(game, version + 1, b"x")
    elif deed == "change":
        await store.append(game, version, b"x", changes=RecordChanges(texts={"a": "b"}))
    elif deed == "together":
        await asyncio.gather(*(store.append(one, head.version, b"x") for one, head in truth.items()))
    elif deed == "snapshot":
        await store.put_snapshot(game, version, b"state")
    elif deed == "remove":
        await store.remove(game)
        await store.create(new(game))


async def play(steps: list[Step], path: Path) -> None:
    """Whatever two stores and another program do by turns, both stores know each head as the file has it."""
    stores = [await SqliteLogStore.open(path), await SqliteLogStore.open(path)]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:

        def read() -> dict[str, Head]:
            return {game: found for game in GAMES if (found := statements.head(db, game)) is not None}

        for game in GAMES:
            await stores[0].create(new(game))
        for deed, who, game, looked in steps:
            truth = read()
            if who < len(stores):
                await do(stores[who], deed, game, truth)
            elif deed in ("append", "change"):
                by_another(db, deed, game, truth[game].version)
            for store in stores if looked else ():
                assert {one: await store.head(one) for one in GAMES} == read()
    for store in stores:
        await store.close()


@pytest.mark.parametrize("maps", [writer.MAPS, Path("/nowhere")])
@settings(max_examples=30, deadline=None, derandomize=True)
@given(steps=STEPS)
def test_a_head_is_as_the_file_has_it_whoever_wrote_last(maps: Path, steps: list[Step]) -> None:
    with pytest.MonkeyPatch.context() as patched, TemporaryDirectory() as folder:
        patched.setattr(writer, "MAPS", maps)
        asyncio.run(play(steps, Path(folder) / "log.db"))


async def test_a_game_is_asked_once_while_only_its_own_process_plays(store: SqliteLogStore, asked: list[str]) -> None:
    for version in range(100):
        assert await store.head("g") == Head(version, 0)
        assert await store.append("g", version, b"x") == Applied(version + 1)
    await asyncio.gather(*(store.append(game, 0, b"x") for game in ("h", "i")))
    assert await store.head("g") == Head(100, 0)
    assert asked == ["g"]


async def test_it_is_asked_again_when_another_program_has_written(
    store: SqliteLogStore, elsewhere: sqlite3.Connection, asked: list[str]
) -> None:
    assert await store.head("g") == Head(0, 0)
    elsewhere.execute("UPDATE games SET revision = 7 WHERE id = 'g'")
    assert await store.head("g") == Head(0, 7)
    assert await store.head("g") == Head(0, 7)
    assert asked == ["g", "g"]


async def test_a_layout_that_is_not_known_is_not_believed(
    tmp_path: Path, store: SqliteLogStore, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LAYOUT", writer.LAYOUT + 1)
    other = await SqliteLogStore.open(tmp_path / "log.db")
    for number in range(3):
        await store.append("g", number, b"x")
        assert await other.head("g") == Head(number + 1, 0)
        assert await other.head("g") == Head(number + 1, 0)
    await other.close()
    assert len(asked) == 6


async def test_a_count_that_does_not_grow_is_not_believed(
    tmp_path: Path, store: SqliteLogStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "COUNT", 0)  # what lies there never changes
    other = await SqliteLogStore.open(tmp_path / "log.db")
    await other.head("g")
    assert await other.append("g", 0, b"x") == Applied(1)
    await store.append("g", 1, b"x")
    assert await other.head("g") == Head(2, 0)
    await other.close()


async def test_what_is_written_while_it_is_asked_is_known_afterwards(
    store: SqliteLogStore, elsewhere: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = statements.head

    def asked_slowly(db: sqlite3.Connection, game: str) -> Head | None:
        found = ask(db, game)
        elsewhere.execute("COMMIT")
        while statements.version(elsewhere, game) == 0:
            time.sleep(0.001)
        time.sleep(0.1)  # the writer's thread takes note of it, while the loop still asks
        return found

    elsewhere.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(store.append("g", 0, b"x"))
    for _ in range(3):
        await asyncio.sleep(0)
    monkeypatch.setattr(statements, "head", asked_slowly)
    assert await store.head("g") == Head(0, 0)
    monkeypatch.setattr(statements, "head", ask)
    assert await store.head("g") == Head(1, 0)
    assert await writing == Applied(1)


@pytest.mark.parametrize("quick", [0.0, 60.0])
async def test_no_head_is_older_than_what_anybody_was_told_before(
    tmp_path: Path, store: SqliteLogStore, asked: list[str], quick: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "QUICK", quick)  # whether the loop writes, too, or the writers' threads alone
    other = await SqliteLogStore.open(tmp_path / "log.db")
    told = dict.fromkeys(GAMES, 0)

    async def write(by: SqliteLogStore, game: str) -> None:
        for _ in range(60):
            answer = await by.append(game, told[game], b"x")
            if isinstance(answer, Applied):
                told[game] = max(told[game], answer.version)
            await asyncio.sleep(0)

    async def look(by: SqliteLogStore) -> None:
        while any(not task.done() for task in tasks):
            for game in GAMES:
                before = told[game]
                head = await by.head(game)
                assert head is not None
                assert head.version >= before
                told[game] = max(told[game], head.version)
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(write(by, game)) for by in (store, other) for game in GAMES]
    await asyncio.gather(*tasks, *(look(by) for by in (store, other)))
    for by in (store, other):
        assert await by.head("g") == Head(told["g"], 0)
        asked.clear()
        assert await by.head("g") == Head(told["g"], 0)
        assert not asked, "it still remembers"
    await other.close()


async def test_news_of_others_is_looked_for_only_where_others_have_written(
    store: SqliteLogStore, elsewhere: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        writer, "QUICK", 60.0
    )  # so that the loop writes as soon as the game has been played alone for a while
    looks: list[int] = []
    look = statements.news

    def counted(db: sqlite3.Connection, after: int | None, known: dict[str, int]) -> tuple[int, dict[str, Head]]:
        found = look(db, after, known)
        looks.append(found[0])
        return found

    monkeypatch.setattr(statements, "news", counted)
    heard: asyncio.Queue[tuple[str, Head | None]] = asyncio.Queue()
    store.listen(lambda game, head: heard.put_nowait((game, head)))
    store.watch("g")
    for version in range(ALONE):
        await store.append("g", version, b"x")
    await asyncio.sleep(2 * LONGEST)  # for a look that could not tell, as the writer's thread was at work
    looked = len(looks)
    assert looked
    for version in range(ALONE, 2 * ALONE):
        await store.append("g", version, b"x")
        await asyncio.sleep(HEARING / 4)
    await asyncio.sleep(2 * LONGEST)
    assert len(looks) == looked
    statements.append(elsewhere, "g", 2 * ALONE, b"by another", None, b"")
    async with asyncio.timeout(10):
        while await heard.get() != ("g", Head(2 * ALONE + 1, 0)):  # it may have been told of its own before
            pass
    elsewhere.execute("UPDATE games SET revision = 1 WHERE id = 'g'")
    async with asyncio.timeout(10):
        while await heard.get() != ("g", Head(2 * ALONE + 1, 1)):
            pass
