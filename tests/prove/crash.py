"""The law of crashes at length: `kill -9` of the service, of workers and of Redis, over and over, with progress."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from tempfile import mkdtemp

from tests.laws.crashing import crashes

EVERY = 20.0
"""Seconds between two lines of progress."""


def survive(rounds: int, seed: int) -> list[str]:
    """Run so many crashes.

    Returns:
        What failed, for people; nothing if all is well.
    """
    told = time.monotonic()

    def tell(tally: str) -> None:
        nonlocal told
        if time.monotonic() - told > EVERY or "all is well" in tally:
            told = time.monotonic()
            print(f"  {tally}", flush=True)

    print(
        f"crashes of the service, its workers and Redis, seed {seed} (the same kills again: --crash {rounds} --seed {seed}):",
        flush=True,
    )
    failed: list[str] = []
    folder = Path(mkdtemp(prefix="omenlog-crash-"))
    try:
        tally = asyncio.run(crashes(folder, rounds=rounds, seed=seed, tell=tell))
        print(f"nothing acknowledged lost, nothing twice, no gap, every webhook arrived: {tally}")
    except* (AssertionError, TimeoutError) as failures:
        failed += [
            f"crashes, seed {seed}: {failure!r}; what Redis and the service left is in {folder}"
            for failure in failures.exceptions
        ]
    if not failed:
        shutil.rmtree(folder)
    return failed
