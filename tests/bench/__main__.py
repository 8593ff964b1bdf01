"""`./dev bench [--rounds N] [--only ROW] [--quick]`: measure, print the table, write BENCHMARKS.md.

`./dev bench --scale [--quick]` measures thousands of live games instead, and writes BENCHMARKS-SCALE.md and a part of docs/scale.md.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from datetime import UTC, datetime

from hatch_build import unavailable as uncompiled
from tests.bench import browsing, capacity, node, scale
from tests.bench.contest import ContestFailed, Rounds, contest
from tests.bench.folder import ROOT
from tests.bench.machine import describe
from tests.bench.report import line, markdown
from tests.bench.rows import ROWS, Row, groups, results
from tests.bench.sample import Sample
from tests.support.compiling import compiled

OUTPUT = ROOT / "BENCHMARKS.md"
ROUNDS = 7
FULL, QUICK = 10, 2
"""Tenths of the work in a round."""


def main() -> int:
    """Measure; 1 if a contestant failed or computed other things than before."""
    options = _options()
    machine = describe()
    for what, value in machine.items():
        print(f"{what:12} {value}")
    command = shlex.join(["./dev", "bench", *sys.argv[1:]])
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    if options.scale:
        return _scale(command, date, machine, quick=options.quick)
    rows = [row for row in ROWS if not options.only or row.key in options.only]
    rounds = options.rounds or ROUNDS
    rounds, work = (min(rounds, 3), QUICK) if options.quick else (rounds, FULL)
    rows, left_out = _runnable(rows)
    if any(row.needs == "mypyc" for row in rows):
        print("compiling the domain, unless that is done", flush=True)
        compiled()
    samples: Rounds = {}
    proofs: dict[str, str] = {}
    for group in groups(rows):
        print(f"\n{', '.join(group)}: {rounds} rounds", flush=True)
        try:
            measured, computed = contest(group, rounds=rounds, scale=work, tell=_tell)
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
    OUTPUT.write_text(
        markdown(found, samples, proofs, machine, command=command, date=date, left_out=left_out), encoding="utf-8"
    )
    print(f"\nwritten: {OUTPUT.relative_to(ROOT)}")
    return 0


def _scale(command: str, date: str, machine: dict[str, str], *, quick: bool) -> int:
    loads, stores, late = scale.measure(scale.QUICK if quick else scale.FULL)
    figures = capacity.Figures(command=command, date=date, machine=machine, loads=loads, stores=stores, late=late)
    report = capacity.markdown(figures)
    if quick:
        print(f"\n{report.partition(capacity.DATA)[0]}\nNo file was written: only a full run does.")
        return 0
    capacity.REPORT.write_text(report, encoding="utf-8")
    page = capacity.PAGE.read_text(encoding="utf-8")
    capacity.PAGE.write_text(capacity.with_capacity(page, figures), encoding="utf-8")
    print(f"\nwritten: {capacity.REPORT.relative_to(ROOT)}, {capacity.PAGE.relative_to(ROOT)}")
    return 0


def _runnable(rows: list[Row]) -> tuple[list[Row], str]:
    """The rows that can be measured here, and which others can't, with the reason."""
    unavailable = {"Node.js": node.unavailable, "Chromium": browsing.unavailable, "mypyc": uncompiled}
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
    parser.add_argument("--rounds", type=_rounds, help=f"rounds that count, 1 or more (default: {ROUNDS})")
    parser.add_argument(
        "--only",
        action="append",
        metavar="ROW",
        choices=[row.key for row in ROWS],
        help="only this row; may be repeated",
    )
    parser.add_argument(
        "--scale",
        action="store_true",
        help="10,000 live games by stores, workers and loads instead: some 20 minutes on two quiet cores, 4 GiB of memory, 4 GB of disk; "
        "writes BENCHMARKS-SCALE.md and a part of docs/scale.md",
    )
    parser.add_argument(
        "--quick", action="store_true", help="a small part of the work, in a minute or so; writes nothing"
    )
    options = parser.parse_args()
    if options.scale and (options.only or options.rounds):
        parser.error("--scale has no rows and no rounds: leave --only and --rounds out, or --scale")
    return options


def _rounds(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is no number of rounds: write a whole number, 1 or more")
    return int(text)


def _tell(name: str, number: int, sample: Sample) -> None:
    label = f"round {number}" if number else "warm-up"
    print(f"  {time.strftime('%H:%M:%S')} {label:8} {name:32} {sample.rate:12,.1f}/s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
