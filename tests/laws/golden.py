"""Golden hashes: fixed games give the same log, byte for byte, on every platform, interpreter and hash seed.

`python -m tests.laws.golden` prints the hashes; `--write` commits them to `tests/golden/hashes.json` after a change of the rules
that is meant. What changed is then seen in review as changed games.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from tests.laws.playout import encode, play
from tests.support.packs import rules
from tests.support.renewing import renew, tell

HASHES = Path(__file__).parents[1] / "golden" / "hashes.json"
GAMES = (
    ("second-edition", 1, 3, "the-gnawing-tide"),
    ("second-edition", 2, 4, "the-hollow-guest"),
    ("second-edition", 3, 5, "the-bell-below"),
    ("second-edition", 4, 6, ""),
    ("third-edition", 5, 4, ""),
    ("third-edition", 6, 3, "the-night-shift"),
    ("third-edition", 7, 4, "the-frequency"),
    ("third-edition", 8, 5, "the-last-act"),
    ("third-edition", 9, 6, "keep-it-fed"),
)


def hashes() -> dict[str, str]:
    """SHA-256 over the log and the final state of each golden game."""
    found = {}
    for pack, seed, seats, haunt in GAMES:
        game = play(rules(pack), seed, seats=seats, haunt=haunt)
        digest = hashlib.sha256(encode(game.commits))
        digest.update(encode(game.state))
        found[title(pack, seed, seats, haunt)] = digest.hexdigest()
    return found


def title(pack: str, seed: int, seats: int, haunt: str) -> str:
    """What a golden game is called in the files of hashes."""
    return f"{pack} seed {seed} seats {seats} {haunt or 'charted'}"


def text() -> str:
    """The file as it should be."""
    return json.dumps(hashes(), indent=2) + "\n"


def write() -> bool:
    """Write the hashes; returns whether they have changed."""
    return renew(HASHES, text())


def main() -> None:
    """Print the hashes, or write them."""
    if "--write" in sys.argv:
        tell([HASHES] * write())
    else:
        sys.stdout.write(text())


if __name__ == "__main__":
    main()
