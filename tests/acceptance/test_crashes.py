"""The law of crashes, for a few of them; `./dev prove --crash 200` holds it to many."""

from pathlib import Path

from tests.laws.crashing import crashes

ROUNDS = 1
"""Redis, then Redis together with a process of the service."""


async def test_nothing_acknowledged_is_lost_or_done_twice_whatever_is_killed(tmp_path: Path) -> None:
    tally = await crashes(tmp_path, rounds=ROUNDS, seed=7)
    assert tally.rounds == ROUNDS
    assert tally.unanswered, "somebody was asking when something was killed"
