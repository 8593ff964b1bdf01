"""The law of crashes, for a few of them; `./dev prove --crash 200` holds it to many."""

from pathlib import Path

from tests.laws.crashing import crashes

ROUNDS = 1
"""Redis, a process of the service and a worker that delivers webhooks, all at once."""


async def test_nothing_acknowledged_is_lost_or_done_twice_and_every_webhook_arrives_whatever_is_killed(
    tmp_path: Path,
) -> None:
    tally = await crashes(tmp_path, rounds=ROUNDS, seed=7)
    assert tally.rounds == ROUNDS
    assert tally.killed.keys() == {"redis", "api-0", "worker"}
    assert tally.unanswered, "somebody was asking when something was killed"
    assert tally.delivered, "and webhooks were under way"
