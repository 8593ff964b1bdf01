"""`./dev prove [--minutes N] [--crash N] [--seed S]`: crashes, tests that take long, all with a compiled domain, laws at length, mutants."""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from domain.engine.rules import Rules
from hatch_build import unavailable
from tests.laws import completeness, conservation, informing, replay, secrecy, tracing
from tests.laws.playout import open_table, play, principals, steps
from tests.prove.crash import survive
from tests.support import packs
from tests.support.compiling import compiled

MUTATION = 0.25
"""The share of the time in which the tests themselves are tested."""
ROOT = Path(__file__).parents[2]
PLAYED = ("third-edition", "second-edition", "play-by-post", "third-edition", "second-edition")
"""The rules that are played by in turn."""
Law = Callable[[Rules, int, int, str], int]


def replays(pack: Rules, seed: int, seats: int, haunt: str) -> int:
    """Fold equals live, deciding again gives the log, tape and moderator give the same game."""
    game = play(pack, seed, seats=seats, haunt=haunt)
    replay.fold_equals_live(game)
    replay.log_round_trips(game)
    replay.redeciding_gives_the_log(game)
    replay.tape_gives_the_log(game)
    replay.moderator_gives_the_log(game)
    return len(game.commits)


def completes(pack: Rules, seed: int, seats: int, haunt: str) -> int:
    """Every listed command is accepted, every mutant refused."""
    _, accepted, refused = completeness.check_game(pack, seed, seats=seats, haunt=haunt)
    return accepted + refused


def lists_its_own(pack: Rules, seed: int, seats: int, haunt: str) -> int:
    """What a role may do is told by what that role was told."""
    game = open_table(pack, seed, seats=seats, haunt=haunt)
    return completeness.legality_is_the_roles_own(game, steps(game, random.Random(seed)))


def keeps_secrets(pack: Rules, seed: int, seats: int, haunt: str) -> int:
    """Worlds that differ in what a role may not know look alike to it."""
    return secrecy.check_game(pack, packs.pack(pack.pack.head.id), seed, seats=seats, haunt=haunt)


def informs(pack: Rules, seed: int, seats: int, haunt: str) -> int:
    """Whoever acts is told of what anybody learns, and every trace cites a rule for all that happens."""
    game = play(pack, seed, seats=seats, haunt=haunt)
    told = sum(tracing.everything_cites(game, who) for who in principals(seats))
    return told + informing.who_acts_is_told(game)


def conserves(pack: Rules, seed: int, seats: int, haunt: str) -> int:
    """No card or tile is lost or doubled, in the engine's state or in a role's."""
    return conservation.check_game(pack, seed, seats=seats, haunt=haunt)


LAWS: dict[str, Law] = {
    "replay, audit, tape, moderator": replays,
    "listed = accepted, mutants refused": completes,
    "legality is the role's own": lists_its_own,
    "no role learns what it may not": keeps_secrets,
    "no card is lost or doubled": conserves,
    "informing and traces": informs,
}


def table_of(seed: int) -> tuple[Rules, int, str]:
    """What is played with this seed: by which rules, with how many players, and which haunt, or whatever comes.

    In so many seeds as the largest pack has haunts, times the rules, times four, each haunt is played with 3, 4, 5 and 6 players.
    """
    turn, place = divmod(seed, len(PLAYED))
    pack = packs.rules_of(PLAYED[place])
    haunts = ["", *pack.pack.haunts]
    round_, number = divmod(turn, len(haunts))
    return pack, 3 + (round_ + number) % 4, haunts[number]


def main() -> int:
    """Run until the time is up; 1 if a law failed."""
    parser = argparse.ArgumentParser(
        prog="./dev prove",
        description="Run crashes, the tests that take long, those of the domain once more with it compiled, the laws at length over "
        "ever new games, then mutants.",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=10.0,
        help="how long for laws and mutants; 0: neither, and no long tests (default: %(default)s)",
    )
    parser.add_argument(
        "--crash",
        type=int,
        default=20,
        help="how often service, workers and Redis are killed beforehand (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1_000, help="the first seed (default: %(default)s)")
    options = parser.parse_args()
    games: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    failures = survive(options.crash, options.seed) if options.crash else []
    if options.minutes and not failures and not long_tests():
        failures.append("tests that are marked `prove`")
    uncompiled = unavailable()
    if options.minutes and not failures and not uncompiled and not compiled_tests():
        failures.append("tests of the compiled domain")
    end = time.monotonic() + options.minutes * 60 * (1 - MUTATION)
    seed, told = options.seed, time.monotonic()
    while time.monotonic() < end and not failures:
        pack, seats, haunt = table_of(seed)
        for name, law in LAWS.items():
            try:
                checks[name] += law(pack, seed, seats, haunt)
                games[name] += 1
            except AssertionError as failure:
                failures.append(
                    f"{name}: {pack.edition.id}, seed {seed}, {seats} seats, {haunt or 'charted haunt'}: {failure}"
                )
        seed += 1
        if time.monotonic() - told > 20 or failures:
            told = time.monotonic()
            left = max(0.0, end - told) / 60
            print(f"  {seed - options.seed} seeds, {left:.1f} minutes left: {dict(checks)}", flush=True)
    if options.minutes and not failures and not mutate(options.minutes * MUTATION, options.seed):
        failures.append("mutation: no mutant could be tried")
    tried = list(LAWS) if options.minutes else []
    for name in tried:
        print(f"{name}: {games[name]} games, {checks[name]} checks")
    for report in failures:
        print(f"FAILED {report}", file=sys.stderr)
    if options.minutes and uncompiled:
        print(f"NOT RUN: tests of the compiled domain, because {uncompiled}")
    steps = [*LAWS, "long tests", *([] if uncompiled else ["compiled domain"])] if options.minutes else []
    print(f"{len(steps) + bool(options.crash) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


def long_tests() -> bool:
    """Do the tests pass that the default suite leaves out, being marked `prove`? They tell of themselves."""
    print("tests that take long:", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "prove", "--durations", "10"]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if status < 0:
        print(
            f"pytest was ended by {signal.Signals(-status).name} and could not say which test it ran", file=sys.stderr
        )
    return status == 0


def compiled_tests() -> bool:
    """Do golden games, laws and all other tests of the domain pass where it is compiled? They tell of themselves."""
    print("the domain, compiled by mypyc:", flush=True)
    python, environment = [sys.executable, "-P"], {**os.environ, "PYTHONPATH": str(compiled())}
    check = "from tests.support.compiling import is_compiled; assert is_compiled()"
    subprocess.run([*python, "-c", check], cwd=ROOT, env=environment, check=True)
    tests = [*python, "-m", "pytest", "-q", "-n", "2", "tests/golden", "tests/domain"]
    return subprocess.run(tests, cwd=ROOT, env=environment, check=False).returncode == 0


def mutate(minutes: float, seed: int) -> bool:
    """Would the tests notice a small mistake in the domain? In a process that has not loaded the domain; it prints its score."""
    command = [sys.executable, "-m", "tests.prove.mutation", "--minutes", str(minutes), "--seed", str(seed)]
    print("mutants of the domain:", flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
