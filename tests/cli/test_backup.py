"""A store is copied while games go on, checked to the last commit, and put back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.acceptance.driving import Table, serving, settings
from tests.cli.invoking import omenlog


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store that the command line finds in its settings."""
    path = tmp_path / "log.db"
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{path}")
    return path


@pytest.fixture
def table(store: Path) -> Iterator[Table]:
    """A game that goes on."""
    with serving(settings(store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        table.play(20)
        yield table


def seen(table: Table, client: httpx.Client | None = None) -> bytes:
    """What a seat sees at commit 15."""
    client = client or table.client
    return client.get(f"{table.path}/view?at=15", headers={"Authorization": f"Bearer {table.seats[1]}"}).content


def test_a_store_in_use_is_copied_and_put_back(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = tmp_path / "copy.db"
    result = omenlog("backup", str(copied))
    assert result.exit_code == 0, result.output
    assert "1 game with" in result.output
    assert "every chain holds" in result.output
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"], "one file, nothing beside it"
    before = seen(table)
    table.play(10)

    restored = tmp_path / "elsewhere" / "log.db"
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{restored}")
    result = omenlog("restore", str(copied))

    assert result.exit_code == 0, result.output
    with serving(settings(restored)) as address, httpx.Client(base_url=address, timeout=20) as client:
        assert seen(table, client) == before
        again = Table(client, table.opened)
        again.play(10)


def test_what_lies_there_is_left_alone(table: Table, tmp_path: Path) -> None:
    copied = tmp_path / "copy.db"
    copied.write_bytes(b"a letter")
    result = omenlog("backup", str(copied))
    assert result.exit_code == 1
    assert "a file is there already" in result.output
    assert copied.read_bytes() == b"a letter"
    copied.unlink()
    assert omenlog("backup", str(copied)).exit_code == 0

    result = omenlog("restore", str(copied))

    assert result.exit_code == 1
    assert "a file is there already" in result.output
    assert seen(table)


def test_an_altered_commit_is_told_and_nothing_is_put_back(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "copy.db"
    assert omenlog("backup", str(copied)).exit_code == 0
    with closing(sqlite3.connect(copied)) as connection:
        connection.execute("UPDATE commits SET body = CAST(replace(body, '2026', '2025') AS BLOB) WHERE number = 9")
        connection.commit()
    target = tmp_path / "elsewhere" / "log.db"
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{target}")

    result = omenlog("restore", str(copied))

    assert result.exit_code == 1
    assert f"game {table.path.rpartition('/')[2]}, commit 9" in result.output
    assert not target.exists()


@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to look like one"])
def test_a_file_that_is_no_store_is_refused(store: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.db"
    file.write_bytes(content)
    result = omenlog("restore", str(file))
    assert result.exit_code == 1
    assert not store.exists()


def test_there_must_be_a_store_to_copy(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = omenlog("backup", str(tmp_path / "copy.db"))
    assert result.exit_code == 1
    assert f"{store}: no such file" in result.output
    monkeypatch.setenv("OMENLOG_STORE", "memory:")
    result = omenlog("backup", str(tmp_path / "copy.db"))
    assert result.exit_code == 2
    assert "name an SQLite or Redis store" in result.output
