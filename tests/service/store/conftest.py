"""What tests of a store in a file share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.store.sqlite.log import SqliteLogStore


@pytest.fixture
def elsewhere(tmp_path: Path, store: SqliteLogStore) -> Iterator[sqlite3.Connection]:
    """Another connection to the file of the test's `store`, as another process has it."""
    del store  # has made the file
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as connection:
        yield connection
