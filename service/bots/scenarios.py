"""The scenario of a game that nobody has chosen one for."""

import random
from collections.abc import Iterable


def draw_scenario(scenarios: Iterable[str], word: str) -> str:
    """One of the scenarios, the same for the same word; empty if there are none."""
    known = list(scenarios)
    return random.Random(word).choice(known) if known else ""  # noqa: S311 -- no secret, and to be repeated
