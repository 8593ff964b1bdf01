"""What many games between bots make doubtful in a haunt: one side wins nearly always, a goal decides nothing, a deed is in vain."""

from collections import Counter
from collections.abc import Iterator

from content.vocabulary.outcomes import AT_LEAST, LESS, parse
from domain.engine.rules import Rules
from domain.pack.reach import Reached, things
from projections.naming.names import counted
from projections.text.playtests import SIDES, Report

ENOUGH = 20
"""Fewer games, rolls or deeds say nothing."""

FEW = 10
"""Whoever wins less than so many of 100 games hardly ever wins."""


def doubts(report: Report, haunt: str) -> list[str]:
    """What an author should look into, most telling first; steps only mean something if the games were watched."""
    rules = report.rules
    return [
        *_one_sided(report, haunt),
        *_endless(report, haunt),
        *_idle_goals(rules, report, haunt),
        *_in_vain(rules, report.reached, haunt),
        *_always_the_same(rules, report.reached, haunt),
    ]


def doubts_told(report: Report, haunt: str) -> list[str]:
    """The same as lines under a heading; none where nothing is doubtful."""
    found = doubts(report, haunt)
    return [f"doubtful in {haunt}", *found] if found else []


def _one_sided(report: Report, haunt: str) -> Iterator[str]:
    for (name, seats), tally in sorted(report.tallies.items()):
        if name != haunt or tally.games < ENOUGH:
            continue
        alone = report.rules.pack.haunts[haunt].kind == "free-for-all"
        if alone:
            for place in range(seats):
                if 2 * seats * tally.places[place] < tally.games:
                    who = f"place {place + 1} from the revealer"
                    yield f"with {counted(seats, 'player')} {who} won {tally.places[place]} of {counted(tally.games, 'game')}"
            continue
        for side, won in (("heroes", tally.heroes), ("the traitor", tally.traitor)):
            if 100 * won < FEW * tally.games:
                yield f"with {counted(seats, 'player')} {side} won {won} of {counted(tally.games, 'game')}"


def _endless(report: Report, haunt: str) -> Iterator[str]:
    given_up = Counter(game.seats for game in report.unfinished if game.haunt == haunt)
    for seats, games in sorted(given_up.items()):
        yield f"with {counted(seats, 'player')} {counted(games, 'game')} had no end"


def _idle_goals(rules: Rules, report: Report, haunt: str) -> Iterator[str]:
    games = sum(tally.games for (name, _), tally in report.tallies.items() if name == haunt)
    for side in SIDES:
        if games >= ENOUGH and (haunt, side) in rules.pack.goals and not report.reached[f"goal {haunt}:{side}"]:
            alone = rules.pack.haunts[haunt].kind == "free-for-all"
            yield "no game was won by its goal" if alone else f"no game was won by the goal of the {side}"


def _in_vain(rules: Rules, reached: Reached, haunt: str) -> Iterator[str]:
    for action in things(rules)["action"]:
        name = action.partition(" ")[2]
        done = reached[action]
        if _is_of(rules, name, haunt) and done >= ENOUGH and reached[f"vain {name}"] == done:
            yield f"{_short(name)} was done {done} times and changed nothing"


def _always_the_same(rules: Rules, reached: Reached, haunt: str) -> Iterator[str]:
    """Rolls that came to the same row each time, of those that have several."""
    rows: dict[str, dict[str, int]] = {}
    for step in things(rules)["step"]:
        roll, _, key = step.rpartition(".")
        is_row = key in (AT_LEAST, LESS) or (parse(key) is not None and not key.isdecimal())
        if is_row and step.startswith(f"step haunt/{haunt}#"):
            rows.setdefault(roll, {})[key] = reached[step]
    for roll, keys in rows.items():
        rolled = [key for key, times in keys.items() if times]
        if len(keys) > 1 and len(rolled) == 1 and keys[rolled[0]] >= ENOUGH:
            where = roll.removeprefix(f"step haunt/{haunt}#")
            yield f"all {keys[rolled[0]]} rolls of {where} came to `{rolled[0]}`"


def _is_of(rules: Rules, action: str, haunt: str) -> bool:
    piece = rules.pack.haunts[haunt]
    own = (*(f"card:{item.id}#" for item in piece.items), *(f"token:{token.id}#" for token in piece.tokens))
    return action.startswith((f"haunt:{haunt}:", *own))


def _short(action: str) -> str:
    source, _, word = action.rpartition("#")
    return f"{source.rpartition(':')[2]}#{word}"
