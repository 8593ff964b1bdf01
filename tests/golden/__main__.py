"""`python -m tests.golden`: check the golden games, or write into them what happens and what each role sees.

python -m tests.golden                        # check all: the first differing line of each
python -m tests.golden movement.yaml          # check some
python -m tests.golden --write files          # fill in what happens; review the difference with `git diff`
python -m tests.golden --write                # in all games; and the missing logs of events, the hashes, the rules in words
python -m tests.golden --bots NAME --title "…" --covers 2E-WIN-001 [--edition second --seats 3 --haunt the-bell-below --seed 1]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.golden import library, rulebook, skeletons, told
from tests.golden.bots import bot_game
from tests.golden.script import Unfit
from tests.laws import golden, golden_events
from tests.support.renewing import tell


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0: all is as written, 1: something differs, 2: a game can't be played as written."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Check or write the golden games.")
    parser.add_argument("files", nargs="*", type=Path, help="default: all of tests/golden/games")
    parser.add_argument(
        "--write",
        action="store_true",
        help="write what happens into the files, and the list by rules; without files also logs of events and hashes",
    )
    bots = parser.add_argument_group("a game that bots play")
    bots.add_argument("--bots", metavar="NAME", help="let bots play a game and write it to NAME.yaml")
    bots.add_argument("--title", default="A game that bots play")
    bots.add_argument("--covers", nargs="+", default=[], metavar="RULE", help="rules of the ledger that it shows")
    bots.add_argument("--edition", default="second", choices=("second", "third", "play-by-post"))
    bots.add_argument("--seats", type=int, default=3)
    bots.add_argument("--haunt", default="", help="default: what the chart says")
    bots.add_argument("--seed", default="1")
    bots.add_argument("--turns", type=int, default=0, help="a limit of turns")
    asked = parser.parse_args(arguments)
    files = [path if path.exists() else library.GAMES / path for path in asked.files] or library.files()
    try:
        if asked.bots:
            path = library.GAMES / f"{asked.bots}.yaml"
            path.write_text(
                bot_game(
                    asked.title,
                    asked.covers,
                    asked.edition,
                    asked.seats,
                    haunt=asked.haunt,
                    seed=asked.seed,
                    turns=asked.turns,
                ),
                encoding="utf-8",
            )
            files, asked.write = [path], True
        return _write(files, whole=not asked.files and not asked.bots) if asked.write else _check(files)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
    except Unfit as error:  # a file that was not asked for, but is in the list
        sys.stderr.write(f"{error}\n")
    return 2


def _write(files: list[Path], *, whole: bool) -> int:
    unfit: list[Unfit] = []

    def changed() -> Iterator[Path]:
        for path in files:
            try:
                if library.write(path):
                    yield path
            except Unfit as error:
                sys.stderr.write(f"{error}\n")
                unfit.append(error)
        if not unfit:
            yield from [library.LIST] * library.write_list()
            if whole:
                yield from golden_events.write()
                yield from [golden.HASHES] * golden.write()
                yield from [skeletons.FILE] * skeletons.write()
                yield from [told.FILE] * told.write()
                yield from rulebook.write()

    tell(changed())
    return 2 if unfit else 0


def _check(files: list[Path]) -> int:
    worst = 0
    for path in files:
        try:
            if difference := library.difference(path):
                sys.stdout.write(f"{difference}\n")
                worst = max(worst, 1)
        except Unfit as error:
            sys.stderr.write(f"{error}\n")
            worst = 2
    if not worst and library.list_text() != library.LIST.read_text(encoding="utf-8"):
        sys.stdout.write(f"{library.LIST}: not as written by --write\n")
        worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
