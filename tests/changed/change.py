"""What has changed, by git."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.changed import ROOT

MAIN = ("main", "origin/main")

_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_PIECE = re.compile(r"^(?:- )?id\s*[:=]\s*\"?([\w-]+)")
"""How a card, a room or a rule begins in the files of `content`."""


class Change(NamedTuple):
    """Files that differ from a revision."""

    files: list[str]
    """Changed, new and removed ones, relative to the root."""

    pieces: set[str] = set()
    """Ids of the cards, rooms, haunts and rules that changed in files of `content`."""


def since(revision: str, root: Path = ROOT) -> Change:
    """What the working tree has that the revision has not, new files included."""
    files = _git(root, "diff", "--name-only", "--no-renames", revision).split()
    files += _git(root, "ls-files", "--others", "--exclude-standard").split()
    data = [file for file in files if file.startswith("content/") and file.endswith((".yaml", ".toml"))]
    return Change(sorted(set(files)), {piece for file in data for piece in _pieces(root, file, revision)})


def base(root: Path = ROOT) -> str:
    """Where a branch left main; on main the last commit, or the one before where nothing is uncommitted."""
    for main in MAIN:
        if found := _git(root, "merge-base", "HEAD", main, check=False).strip():
            break
    else:
        found = _git(root, "rev-parse", "HEAD").strip()
    at_head = found == _git(root, "rev-parse", "HEAD").strip()
    return "HEAD~1" if at_head and not _git(root, "status", "--porcelain").strip() else found


def _pieces(root: Path, file: str, revision: str) -> set[str]:
    if not (root / file).exists():
        return set()
    lines = (root / file).read_text(encoding="utf-8").splitlines()
    owners = [""]
    for line in lines:
        begun = _PIECE.match(line)
        owners.append(begun[1] if begun else owners[-1])
    hunks = _HUNK.findall(_git(root, "diff", "-U0", revision, "--", file)) or [("1", str(len(lines)))]
    return {owners[at] for start, count in hunks for at in range(int(start), int(start) + max(1, int(count or 1)))} - {
        ""
    }


def _git(root: Path, *args: str, check: bool = True) -> str:
    return subprocess.run(["git", *args], cwd=root, check=check, capture_output=True, text=True).stdout
