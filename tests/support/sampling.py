"""A fixed sample of what `./dev prove` runs in full."""

from collections.abc import Sequence
from typing import Any

import pytest


def sampled(values: Sequence[Any], every: int) -> list[Any]:
    """Parameters of a test: the first of every so many runs by default, the others in `./dev prove` alone."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)), marks=[] if place % every == 0 else [pytest.mark.prove]
        )
        for place, value in enumerate(values)
    ]
