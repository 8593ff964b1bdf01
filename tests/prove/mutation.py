"""`python -m tests.prove.mutation [--minutes N]`: would the tests notice a small mistake in the domain?

All mistakes of `mutants`, in an order drawn from a seed, are tried until the time is up, each in a forked child (`trials`): first
the tests that call the mutated function, the quickest first, then a few games of each law, then the golden games. The first
failure kills the mutant, and so does a crash or a time limit.

It is ours, because mutmut and cosmic-ray start pytest and read both packs anew for each mutant, change the checkout or want a copy
of it, and know no time limit for the whole. Here a mutant costs a fork and its own tests, some tenths of a second.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import random
import sys
import time
from collections import Counter, defaultdict
from functools import cache
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, cast

import content.load.packs
from content.ledger import ledger
from tests.prove.mutants import Mutant, mutants
from tests.prove.trials import ROOT, Baseline, attempt, listen

LAW_GAMES = 2
"""Games of each law that are played."""
PATIENCE = 10.0
"""Seconds that a mutant is given beyond four times what its tests take."""
REPORTED = 20.0
"""Seconds between two lines of progress."""

_context = multiprocessing.get_context("fork")


class Trial(NamedTuple):
    """A mutant in the hands of a child."""

    mutant: Mutant
    tests: int
    """How many call the mutated function."""
    process: BaseProcess
    until: float


class Outcome(NamedTuple):
    """What came of it."""

    mutant: Mutant
    tests: int
    noticed: str
    """By what; empty: by nothing, the mutant survived."""


def prepare() -> Baseline:
    """Load what all children need, run the tests as they are, and keep those that pass: all of the rules, a few of each law."""
    for module in ("hypothesis", "pytest_asyncio.plugin"):
        importlib.import_module(module)
    ledger()
    content.load.packs.load_pack = cast("Any", cache(content.load.packs.load_pack))
    for folder in content.load.packs.builtin_packs().values():
        content.load.packs.load_pack(folder)
    ours, theirs = _context.Pipe(duplex=False)
    process = _context.Process(target=listen, args=(theirs,))
    process.start()
    theirs.close()
    baseline: Baseline = ours.recv()
    process.join()
    failing = [name for name, test in baseline.tests.items() if not test.passed]
    if failing:
        print(f"  left out, for they fail without a mutant: {', '.join(failing)}")
    played: Counter[str] = Counter()
    kept = {}
    for name, test in sorted(baseline.tests.items(), key=lambda one: ("/laws/" in one[0], one[1].seconds)):
        law = name.partition("[")[0] if "/laws/" in name else ""
        played[law] += 1
        if test.passed and (not law or played[law] <= LAW_GAMES):
            kept[name] = test
    return Baseline(kept, baseline.compiling, baseline.golden)


def begin(mutant: Mutant, baseline: Baseline) -> tuple[Connection, Trial]:
    """Fork a child that tries a mutant; every test depends on what runs on import or when a pack is compiled."""
    everywhere = mutant.function is None or mutant.function in baseline.compiling
    chosen = [name for name, test in baseline.tests.items() if everywhere or mutant.function in test.calls]
    seconds = sum(baseline.tests[name].seconds for name in chosen)
    ours, theirs = _context.Pipe(duplex=False)
    process = _context.Process(target=attempt, args=(mutant, chosen, theirs), kwargs={"golden": baseline.golden})
    process.start()
    theirs.close()
    return ours, Trial(mutant, len(chosen), process, time.monotonic() + PATIENCE + 4 * seconds)


def finish(answer: Connection, trial: Trial) -> Outcome:
    """What a child found; one that died or was ended says nothing any more."""
    try:
        noticed: str = answer.recv()
    except EOFError:
        noticed = "crash or time limit"
    answer.close()
    trial.process.join()
    return Outcome(trial.mutant, trial.tests, noticed)


def trials(sample: list[Mutant], baseline: Baseline, minutes: float) -> list[Outcome]:
    """Try mutants in their order, as many at once as there are processors, until the time is up."""
    end = time.monotonic() + 60 * minutes
    outcomes: list[Outcome] = []
    running: dict[Connection, Trial] = {}
    waiting = iter(sample)
    told = time.monotonic()
    while True:
        while len(running) < (os.cpu_count() or 1) and time.monotonic() < end:
            mutant = next(waiting, None)
            if mutant is None:
                break
            answer, trial = begin(mutant, baseline)
            running[answer] = trial
        if not running:
            return outcomes
        answered = wait(list(running), timeout=0.5)
        outcomes += [finish(answer, running.pop(answer)) for answer in list(running) if answer in answered]
        for trial in running.values():
            if time.monotonic() > trial.until:
                trial.process.kill()
        if time.monotonic() - told > REPORTED:
            told = time.monotonic()
            print(f"  {score(outcomes)}, {max(0.0, end - told) / 60:.1f} minutes left", flush=True)


def score(outcomes: list[Outcome]) -> str:
    """How many mutants were killed."""
    killed = sum(bool(outcome.noticed) for outcome in outcomes)
    return f"{killed} of {len(outcomes)} mutants killed" + (f" ({killed / len(outcomes):.0%})" if outcomes else "")


def report(outcomes: list[Outcome]) -> None:
    """The score by package and by what noticed, and every survivor as a small diff."""
    packages: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        packages[outcome.mutant.module.rpartition(".")[0]].append(outcome)
    for package, tried in sorted(packages.items()):
        print(f"  {package}: {score(tried)}")
    print("  noticed by " + ", ".join(f"{what or 'nothing'} {number}" for what, number in _noticed(outcomes)))
    for title, noticed in (
        ("survived", ""),
        ("only golden games changed: no test says why it is wrong", "golden games"),
    ):
        found = sorted((one for one in outcomes if one.noticed == noticed), key=lambda one: one.mutant.place)
        if found:
            print(f"  {title}:")
        for outcome in found:
            print(f"  {outcome.mutant.difference()}\n    {outcome.tests or 'no'} tests call the function")


def _noticed(outcomes: list[Outcome]) -> list[tuple[str, int]]:
    return Counter(outcome.noticed for outcome in outcomes).most_common()


def run(minutes: float, seed: int, folder: str = "domain") -> bool:
    """Try mutants below a folder for so long and report; False if there are no tests that could notice one."""
    baseline = prepare()
    if not baseline.tests or any(name == "domain" for name in sys.modules):
        print("  no test passes, so that no mutant could be noticed")
        return False
    sample = mutants(ROOT, folder)
    random.Random(seed).shuffle(sample)
    print(f"  {len(sample)} mutants in {folder}, {len(baseline.tests)} tests", flush=True)
    outcomes = trials(sample, baseline, minutes)
    report(outcomes)
    print(f"mutation of {folder}: {score(outcomes)}")
    return True


def main() -> int:
    """Run; 1 if there are no tests that could notice a mutant."""
    parser = argparse.ArgumentParser(prog="python -m tests.prove.mutation", description="Test the tests of the domain.")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants come first (default: %(default)s)")
    parser.add_argument("--folder", default="domain", help="where mistakes are made (default: %(default)s)")
    options = parser.parse_args()
    return 0 if run(options.minutes, options.seed, options.folder) else 1


if __name__ == "__main__":
    sys.exit(main())
