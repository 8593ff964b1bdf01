"""Write what playtests have measured into the files of haunts, and leave every other line as it is."""

from collections.abc import Mapping
from pathlib import Path

from content.vocabulary.pack import Playtest

KEY = "playtest:"


def record_playtest(folder: Path, haunt: str, told: Playtest) -> Path:
    """Write the figures of a haunt below its stage, in place of those that it had.

    Args:
        folder: of the pack, or the file of the haunt.
        haunt: its id.
        told: the figures.

    Returns:
        The file.

    Raises:
        LookupError: no file of the pack holds this haunt.
    """
    for file in [folder] if folder.is_file() else sorted(folder.glob("haunts/*.yaml")):
        lines = file.read_text("utf-8").splitlines(keepends=True)
        if f"id: {haunt}\n" in lines:
            kept = [line for line in lines if not line.startswith(KEY)]
            below = next(index for index, line in enumerate(kept, 1) if line.startswith("stage:"))
            kept.insert(below, _line(told))
            file.write_text("".join(kept), "utf-8")
            return file
    raise LookupError(f"no file in {folder / 'haunts'} holds the haunt {haunt}")


def _line(told: Playtest) -> str:
    shares = f"winners: {_table(told.winners)}" if told.winners else f"heroes: {_table(told.heroes)}"
    return f"{KEY} {{games: {told.games}, {shares}, rounds: {_table(told.rounds)}}}\n"


def _table(numbers: Mapping[str, int] | Mapping[str, list[int]]) -> str:
    return "{" + ", ".join(f"{key}: {number}" for key, number in numbers.items()) + "}"
