"""Skeletons: the golden games without their prose, so that a commit which changes only words leaves `skeletons.json` as it is.

`logs` are those of `tests.laws.golden`: every event with its type, rule, ids and numbers. `games` are the files of `games/`: every
command, die and pick, whom a step told how many sentences, and which rules they cite.

python -m tests.golden.skeletons            # print the hashes
python -m tests.golden.skeletons --write    # write them
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from tests.golden import library
from tests.golden.script import Script
from tests.laws.golden import GAMES, title
from tests.laws.playout import encode, play
from tests.support.packs import rules
from tests.support.renewing import renew, tell

FILE = Path(__file__).parent / "skeletons.json"

PROSE = "…"


def skeletons() -> dict[str, dict[str, str]]:
    """SHA-256 over the skeleton of each log and of each file."""
    logs = {}
    for pack, seed, seats, haunt in GAMES:
        game = play(rules(pack), seed, seats=seats, haunt=haunt)
        logs[title(pack, seed, seats, haunt)] = _hashed(without_prose(msgspec.json.decode(encode(game.commits))))
    return {"logs": logs, "games": {path.stem: _hashed(of_script(Script(path))) for path in library.files()}}


def of_script(script: Script) -> dict[str, Any]:
    """A golden game without its words: sentences become the rules that they cite."""
    game: dict[str, Any] = msgspec.to_builtins(script.game)
    for part in (game, *game["steps"]):
        part.pop("title", None)
        part.pop("note", None)
        if "by" in part:
            part["by"] = part["by"].split()
        if "because" in part:
            part["because"] = bool(part["because"])
        for key in ("start", "end", "saw"):
            if key in part:
                part[key] = {role: [library.RULE.findall(one) for one in said] for role, said in part[key].items()}
    return {key: without_prose(value) for key, value in game.items()}


def without_prose(data: Any) -> Any:  # noqa: ANN401 -- any JSON
    """The same with every text of several words left out; ids, rules and other single words stay."""
    if isinstance(data, dict):
        return {key: without_prose(value) for key, value in data.items()}
    if isinstance(data, list):
        return [without_prose(one) for one in data]
    return PROSE if isinstance(data, str) and " " in data.strip() else data


def _hashed(data: object) -> str:
    return hashlib.sha256(encode(data)).hexdigest()


def text() -> str:
    """The file as it should be."""
    return json.dumps(skeletons(), indent=2) + "\n"


def write() -> bool:
    """Write the hashes; returns whether they have changed."""
    return renew(FILE, text())


def main() -> None:
    """Print the hashes, or write them."""
    if "--write" in sys.argv:
        tell([FILE] * write())
    else:
        sys.stdout.write(text())


if __name__ == "__main__":
    main()
