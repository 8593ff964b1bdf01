"""What counts as changed: by git, in a repository of its own."""

import subprocess
from pathlib import Path

import pytest

from tests.changed import change

ITEMS = """\
- id: dog
  title: Dog
- id: axe
  title: Axe
  text: It is sharp.
- id: bell
  title: Bell
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one commit on main."""
    _git(tmp_path, "init", "-q", "-b", "main")
    _write(tmp_path, "content/items.yaml", ITEMS)
    _write(tmp_path, "domain/game.py", "")
    _commit(tmp_path)
    return tmp_path


def _git(root: Path, *args: str) -> str:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", *identity, *args], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def _write(root: Path, file: str, text: str) -> None:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _commit(root: Path) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "--allow-empty", "-m", "More")


def test_a_branch_is_compared_with_where_it_left_main(root: Path) -> None:
    _git(root, "switch", "-qc", "branch")
    _write(root, "domain/more.py", "")
    _commit(root)
    _write(root, "domain/new.py", "")
    (root / "domain/game.py").unlink()
    assert change.since(change.base(root), root).files == ["domain/game.py", "domain/more.py", "domain/new.py"]


def test_main_is_compared_with_its_last_commit_and_with_the_one_before_if_nothing_is_uncommitted(root: Path) -> None:
    _commit(root)
    assert change.base(root) == "HEAD~1"
    _write(root, "domain/new.py", "")
    assert change.base(root) == _git(root, "rev-parse", "HEAD")


def test_a_changed_line_names_the_piece_that_it_belongs_to(root: Path) -> None:
    _write(root, "content/items.yaml", ITEMS.replace("sharp", "blunt"))
    assert change.since("HEAD", root).pieces == {"axe"}


def test_a_new_file_names_all_its_pieces(root: Path) -> None:
    _write(root, "content/more.yaml", "- id: ring\n- id: rope\n")
    assert change.since("HEAD", root).pieces == {"ring", "rope"}
