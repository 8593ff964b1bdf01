"""`./dev test --changed[=REV] [PYTEST-ARGS]`: runs what fits, and says what was left out."""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.changed import ROOT, change, near
from tests.changed.clock import NOTED

MINUTE = 48
"""Seconds from the start of `./dev test --changed` to its last word; what runs then may still end."""

START_UP = 10
"""Seconds that pytest takes before the first test and after the last one."""

LEAST = 20
"""Seconds for tests, however long the checks before them took."""

WORKERS = 3
UNKNOWN = 3.0
"""Seconds that a test file is taken to need where no whole run has noted any."""


def main(args: list[str]) -> int:
    """Choose, run, tell."""
    parser = argparse.ArgumentParser(prog="./dev test", add_help=False, allow_abbrev=False)
    parser.add_argument("--changed", nargs="?", const="", metavar="REV")
    parser.add_argument("--began", type=float, default=time.time())
    options, more = parser.parse_known_args(args)
    revision = options.changed or change.base()
    found = change.since(revision)
    modules = near.touched(found, near.imports(), lambda module: (ROOT / _file(module)).read_text(encoding="utf-8"))
    budget = max(options.began + MINUTE - time.time() - START_UP, LEAST)
    chosen = near.fitting(modules, _seconds(), budget * WORKERS)
    outcome = _run([*more, f"--seconds={budget}", *map(_file, chosen)]) if chosen else 0
    left = Counter("/".join(module.split(".")[:2]) for module in modules if module not in chosen)
    by_folder = f" ({', '.join(f'{folder} {count}' for folder, count in sorted(left.items()))})" if left else ""
    print(
        f"== changed since {revision[:12]}: {len(found.files)} files, which {len(modules)} test files can notice;"
        f" the nearest {len(chosen)} were chosen, {left.total()} left out for time{by_folder}; `./dev test` runs all",
        file=sys.stderr,
    )
    return outcome


def _run(args: list[str]) -> int:
    """Each test file in one process, in the order of the arguments."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), "--dist=loadfile", "--no-loadscope-reorder"]
    outcome = subprocess.run([*command, *args], cwd=ROOT, check=False).returncode
    return 0 if outcome == pytest.ExitCode.NO_TESTS_COLLECTED else outcome


def _file(module: str) -> str:
    return module.replace(".", "/") + ".py"


def _seconds() -> Callable[[str], float]:
    """How long a test file took when all were run last."""
    noted = ROOT / ".pytest_cache" / "v" / NOTED
    known: dict[str, float] = json.loads(noted.read_text(encoding="utf-8")) if noted.exists() else {}
    return lambda module: known.get(_file(module), UNKNOWN)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
