"""A first haunt for an author to change: a file that can be played as it is, and beside it the schema that an editor checks it by."""

import re
from pathlib import Path
from typing import Literal

from content.authoring.schema import HINT, bundled
from content.check.form.identity import LONGEST
from content.errors import ContentErrors, Mistake
from content.load.packs import builtin_packs, load_pack

FIRST = Path(__file__).parent / "first"
"""A haunt of each kind, with comments."""
SCHEMA = "omenlog-haunt.json"
"""Beside the haunt: self-contained, because an installed wheel has no address that an editor elsewhere could find."""

Kind = Literal["one-traitor", "hidden-traitor", "no-traitor", "free-for-all"]
KINDS: tuple[Kind, ...] = ("one-traitor", "hidden-traitor", "no-traitor", "free-for-all")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*")


def write_first_haunt(name: str, output: Path | None = None, kind: Kind = "one-traitor") -> tuple[Path, Path]:
    """Write a haunt that can be played as it is, and the schema beside it, which is written anew if it is there.

    Args:
        name: its id (`the-seventh-candle`) or its title (`The Seventh Candle`); the one is made from the other.
        output: the file; none: called after the id, in the working directory.
        kind: of the haunt.

    Returns:
        The file of the haunt, and that of the schema.

    Raises:
        ValueError: no haunt can have this name; nothing is written.
        FileExistsError: a file lies there already; it stays as it was.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is no name for a haunt: take letters from a to z and digits, such as `the-seventh-candle`"
        )
    if len(name) > LONGEST["id"]:
        raise ValueError(f"the name has {len(name)} characters, where {LONGEST['id']} are the most")
    written_as_id = name == name.lower() and " " not in name
    haunt = re.sub(r"[ -]+", "-", name.lower())
    title = " ".join(word.capitalize() for word in name.split("-")) if written_as_id else name
    file = output or Path(f"{haunt}.yaml")
    if file.suffix not in (".yaml", ".yml"):
        raise ValueError(f"{file} would not be known as a haunt: end its name in `.yaml`")
    schema = file.with_name(SCHEMA)
    lines = (FIRST / f"{kind}.yaml").read_text("utf-8").splitlines()
    changed = [f"{HINT}{SCHEMA}", *lines[1:]]
    changed[changed.index("id: first-haunt")] = f"id: {haunt}"
    changed[changed.index("title: First Haunt")] = f"title: {title}"
    if not file.parent.is_dir():
        raise ValueError(f"there is no folder {file.parent}: make it first, or name another file by `--output`")
    with file.open("x", encoding="utf-8") as stream:
        stream.write("\n".join(changed) + "\n")
    try:
        load_pack(file, taken=builtin_packs())
    except ContentErrors as errors:
        file.unlink()
        raise ValueError(_of_name(errors.mistakes[0])) from None
    schema.write_bytes(bundled("haunt"))
    return file, schema


def _of_name(mistake: Mistake) -> str:
    """What is wrong with a name, for all else in the file is right."""
    return f"{mistake.message}: {mistake.suggestion}" if mistake.suggestion else mistake.message
