"""What workers share: counts of all of them together, without those of who has ended, and buckets for any number of callers."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from service.limits import POLICIES, Buckets
from service.problems import ProblemError
from service.shared import Shared, key

WORKERS = 3
NAMES = some.sampled_from(["ann", "ben", "cleo", "dora"])
NUMBERS = some.integers(1, WORKERS)


@given(some.lists(some.one_of(some.tuples(NUMBERS, NAMES, some.sampled_from([1, -1])), NUMBERS), max_size=60))
def test_a_count_is_that_of_all_workers_but_those_that_have_ended(steps: list[tuple[int, str, int] | int]) -> None:
    shared = Shared(0, numbers=WORKERS)
    workers, model = [], Counter[tuple[int, str]]()
    for shared.number in range(1, WORKERS + 1):
        workers.append(shared.counts())
    for step in steps:
        if isinstance(step, int):
            shared.forget(step)
            model = Counter({which: count for which, count in model.items() if which[0] != step})
        else:
            number, name, change = step
            workers[number - 1].add(key(name), change)
            model[number, name] = max(0, model[number, name] + change)
        for name in ("ann", "ben", "cleo", "dora"):
            expected = sum(count for (_, whose), count in model.items() if whose == name)
            assert {one.of(key(name)) for one in workers} == {expected}


def test_however_many_callers_come_nobody_is_refused_for_others() -> None:
    """Beyond the rows that there are, the fullest buckets are forgotten."""
    buckets = Buckets(POLICIES[0], 1e-6, 2, Shared(len(POLICIES)))
    for number in range(40_000):
        buckets.take(f"caller {number}")
    buckets.take("one")
    buckets.take("one")
    with pytest.raises(ProblemError):
        buckets.take("one")


def test_forked_processes_take_from_one_bucket_and_lose_no_request(tmp_path: Path) -> None:
    shared = Shared(len(POLICIES), numbers=WORKERS, folder=tmp_path)
    buckets = Buckets(POLICIES[0], 1e-6, 3_000, shared)
    children = []
    for _ in range(WORKERS):
        pid = os.fork()
        if not pid:
            for _ in range(900):
                buckets.take("one")
            os._exit(0)
        children.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * WORKERS
    assert dict(buckets.headers("one"))[b"ratelimit"].startswith(b'"token";r=300;'), "3,000 but three times 900"
