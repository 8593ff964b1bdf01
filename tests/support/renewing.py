"""How generated files of the tests are written: only where they differ, and with nothing said but their names."""

import sys
from collections.abc import Iterable
from pathlib import Path


def renew(file: Path, text: str) -> bool:
    """Write a file if it doesn't have this text; returns whether it has changed."""
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return False
    file.write_text(text, encoding="utf-8")
    return True


def tell(changed: Iterable[Path]) -> None:
    """Print the files that have changed, each as soon as it comes, as seen from the working directory."""
    any_changed = False
    for file in changed:
        path = file.resolve()
        sys.stdout.write(f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}\n")
        any_changed = True
    if not any_changed:
        sys.stdout.write("nothing changed\n")
