"""What tests of the kind "every X has a Y" answer with: a sentence for each gap, instead of the difference of two sets."""

import inspect
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def report(gaps: Iterable[str]) -> None:
    """Fail with the sentences, one on each line and without a traceback; pass if there are none.

    Args:
        gaps: each says what is missing, in which file to write it, and what to write.
    """
    if told := list(gaps):
        pytest.fail("\n".join(told), pytrace=False)


def place(kind: type) -> str:
    """The file and line of a class."""
    return f"{below(inspect.getfile(kind))}:{inspect.getsourcelines(kind)[1]}"


def below(path: str | Path) -> str:
    """A path as people type it: from the root of the checkout."""
    return str(Path(path).resolve().relative_to(ROOT))
