"""Mistakes planted into copies of a small whole pack, and how a person reads them."""

from collections.abc import Callable
from pathlib import Path

from content.load.packs import Reading
from content.survey import Memory

HERE = Path(__file__).parent

Plant = Callable[[str, str, str], Path]
"""Replaces a text of a file by another, and returns the folder of the pack."""


def told(folder: Path) -> list[str]:
    """Return every mistake of a pack as a person reads it, with file names as seen from the pack."""
    return told_of(Reading(folder), folder)


def told_of(reading: Reading, folder: Path, memory: Memory | None = None) -> list[str]:
    """Check what was read of a pack, and return its mistakes in the same way."""
    reading.check(memory)
    return [str(mistake).removeprefix(f"{folder}/") for mistake in sorted(set(reading.mistakes))]
