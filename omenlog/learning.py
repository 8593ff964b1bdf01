"""The way to the environment for learners, whose packages need not be there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from omenlog.table import TURN_LIMIT

if TYPE_CHECKING:  # an extra: whoever plays without it has none of its packages
    from omenlog.rl.environment import Environment

EXTRA = ("gymnasium", "numpy", "pettingzoo", "PIL", "resvg_py")
"""What the extra installs."""


def env(  # noqa: PLR0913 -- all but the first by name, as a table is opened
    edition: str = "second",
    *,
    seats: int = 4,
    haunt: str = "",
    scenario: str = "",
    turn_limit: int = TURN_LIMIT,
    rulings: Mapping[str, str] | None = None,
    pack: str | Path = "",
    shaped: bool = False,
    render_mode: str | None = None,
) -> Environment:
    """An environment of PettingZoo, in which agents take turns (AEC): `docs/rl.md` shows how to use it.

    Args:
        edition: one of `EDITIONS`.
        seats: how many agents there are at the most; actions and observations depend on it.
        haunt: the one to be played; empty: what the chart says. `reset` may choose another.
        scenario: the one to be played, where the edition has some; empty: the seed draws one.
        turn_limit: after so many turns a game is cut off without a winner; 0: never.
        rulings: alternatives of the pack's rulings, by piece.
        pack: the folder of a pack of yours, or the file of a haunt.
        shaped: also reward what a seat sees itself gain; else only the end counts, with 1 for winners and -1 for losers.
        render_mode: `human`, `ansi` or `rgb_array`.

    Raises:
        Invalid: there is no such edition, haunt, scenario, ruling or render mode, or the pack has too many actions to be encoded.
        Refused: the rules do not let so many play.
        ImportError: the extra is not installed.
    """
    try:
        from omenlog.rl.environment import Environment  # noqa: PLC0415 -- the library plays without these packages
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in EXTRA:
            raise
        raise ImportError(
            f"omenlog.env needs more than the library ({error.name}): pip install 'omenlog[rl]'"
        ) from None
    return Environment(
        edition,
        seats=seats,
        haunt=haunt,
        scenario=scenario,
        turn_limit=turn_limit,
        rulings=rulings,
        pack=pack,
        shaped=shaped,
        render_mode=render_mode,
    )
