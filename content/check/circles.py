"""Blocks that run one another in a circle would never end."""

from collections.abc import Iterator

from content.check.walk import Spot, Survey
from content.errors import Finding, Trail
from content.vocabulary.effects import Effect

Block = tuple[Trail, str]
"""Where it is at home (a haunt or the pack), and its name."""

PACK: Trail = ("head",)


def circles(survey: Survey) -> Iterator[Finding]:
    """No block runs itself, not by way of others either."""
    runs: dict[Block, dict[Block, Spot[Effect]]] = {}
    for spot in survey.of(Effect):
        home = _home(spot)
        if home is not None:
            runs.setdefault(home, {})
    for spot in survey.of(Effect):
        home = _home(spot)
        if home is not None and spot.value.run is not None:
            inner = (home[0], spot.value.run)
            target = inner if inner in runs else (PACK, spot.value.run)
            runs[home].setdefault(target, spot)
    reach = {block: _reach(block, runs) for block in runs}
    for block, targets in runs.items():
        for target, spot in targets.items():
            if block == target or block in reach.get(target, ()):
                way = "runs itself" if block == target else f"runs `{target[1]}`, which leads back to it"
                yield Finding(spot.at("run"), f"the block `{block[1]}` {way}: this would never end")


def _home(spot: Spot[Effect]) -> Block | None:
    """Return the block that a step stands in."""
    trail = spot.trail
    depth = 1 if trail[0] == "head" else 2
    if len(trail) > depth + 1 and trail[depth] == "blocks":
        return trail[:depth], str(trail[depth + 1])
    return None


def _reach(block: Block, runs: dict[Block, dict[Block, Spot[Effect]]]) -> set[Block]:
    """Return every block that one leads to."""
    found: set[Block] = set()
    waiting = list(runs[block])
    while waiting:
        following = waiting.pop()
        if following not in found:
            found.add(following)
            waiting += runs.get(following, ())
    return found
