"""What the tests of content share: a small whole pack, and mistakes to plant into it."""

import shutil
from pathlib import Path

import pytest

from tests.content.planting import HERE, Plant


@pytest.fixture(scope="session")
def small() -> Path:
    """Return the folder of a small pack without mistakes."""
    return HERE / "packs" / "small"


@pytest.fixture
def plant(small: Path, tmp_path: Path) -> Plant:
    """Copy the small pack; the returned function replaces a text in it that stands there exactly once."""

    def planted(file: str, old: str, new: str) -> Path:
        folder = tmp_path / "small"
        if not folder.exists():
            shutil.copytree(small, folder)
        text = (folder / file).read_text()
        assert text.count(old) == 1
        (folder / file).write_text(text.replace(old, new))
        return folder

    return planted
