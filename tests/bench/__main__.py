"""`./dev bench [--rounds N] [--only ROW] [--quick]`: measure, print the table, write BENCHMARKS.md."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from datetime import UTC, datetime

from tests.bench import browsing, node
from tests.bench.contest import ContestFailed, Rounds, contest
from tests.bench.folder import ROOT
from tests.bench.machine import describe
from tests.bench.report import line, markdown
from tests.bench.rows import ROWS, Row, groups, results
from tests.bench.sample import Sample

OUTPUT = ROOT / "BENCHMARKS.md"
FULL, QUICK = 10, 2
"""Tenths of the work in a round."""


def main() -> int:
    """Measure; 1 if a contestant failed or computed other things than before."""
    options = _options()
    rows = [row for row in ROWS if not options.only or row.key in options.only]
    rounds, scale = (min(options.rounds, 3), QUICK) if options.quick else (options.rounds, FULL)
    rows, left_out = _runnable(rows)
    machine = describe()
    for what, value in machine.items():
        print(f"{what:12} {value}")
    samples: Rounds = {}
    proofs: dict[str, str] = {}
    for group in groups(rows):
        print(f"\n{', '.join(group)}: {rounds} rounds", flush=True)
        try:
            measured, computed = contest(group, rounds=rounds, scale=scale, tell=_tell)
        except ContestFailed as failure:
            print(f"FAILED {failure}", file=sys.stderr)
            return 1
        samples |= measured
        proofs |= computed
    found = results(rows, samples)
    print("\n" + "\n".join(line(result) for result in found))
    if options.quick or options.only:
        print("\nBENCHMARKS.md stays as it is: only a full run writes it.")
        return 0
    command = shlex.join(["./dev", "bench", *sys.argv[1:]])
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    OUTPUT.write_text(
        markdown(found, samples, proofs, machine, command=command, date=date, left_out=left_out), encoding="utf-8"
    )
    print(f"\nwritten: {OUTPUT.relative_to(ROOT)}")
    return 0


def _runnable(rows: list[Row]) -> tuple[list[Row], str]:
    """The rows that can be measured here, and which others can't, with the reason."""
    unavailable = {"Node.js": node.unavailable, "Chromium": browsing.unavailable}
    wanted = {row.needs for row in rows if row.needs}
    missing = {what: why for what in sorted(wanted) if (why := unavailable[what]())}
    if not missing:
        return rows, ""
    left_out = "; ".join(
        f"{', '.join(row.key for row in rows if row.needs == what)}, as {why}" for what, why in missing.items()
    )
    print(f"left out: {left_out}", flush=True)
    return [row for row in rows if row.needs not in missing], left_out


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description="Measure the engine and the service beside their peers, and write BENCHMARKS.md.",
        epilog="rows: "
        + "; ".join(
            f"{row.key} ({row.title}, {row.unit}{f', needs {row.needs}' if row.needs else ''})" for row in ROWS
        ),
    )
    parser.add_argument("--rounds", type=_rounds, default=7, help="rounds that count, 1 or more (default: %(default)s)")
    parser.add_argument(
        "--only",
        action="append",
        metavar="ROW",
        choices=[row.key for row in ROWS],
        help="only this row; may be repeated",
    )
    parser.add_argument("--quick", action="store_true", help="a fifth of the work and at most 3 rounds; writes nothing")
    return parser.parse_args()


def _rounds(text: str) -> int:
    rounds = int(text)
    if rounds < 1:
        raise ValueError(text)
    return rounds


def _tell(name: str, number: int, sample: Sample) -> None:
    label = f"round {number}" if number else "warm-up"
    print(f"  {time.strftime('%H:%M:%S')} {label:8} {name:32} {sample.rate:12,.1f}/s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
