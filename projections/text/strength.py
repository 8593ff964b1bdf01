"""How strong bots are: shares of games won, with the interval in which the true share lies in 95 of 100 cases, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Literal

import msgspec

from projections.naming.names import counted

Side = Literal["heroes", "traitor", "alone"]
ALONE: Side = "alone"
COMPARED = ("searching", "steady")
GAIN = "more than steady"
Z = 1.96
"""Standard deviations that hold 95 of 100 cases."""


class Match(msgspec.Struct, frozen=True):
    """A game in which a bot plays one side and all others are steady; `alone` is one seat of a free-for-all."""

    edition: str
    haunt: str
    seats: int
    side: Side
    bot: str
    seed: str


class Result(msgspec.Struct, frozen=True):
    """What came of a match."""

    match: Match
    won: bool
    turns: int = 0


class Share(msgspec.Struct):
    """So many games won of so many."""

    won: int = 0
    games: int = 0

    def add(self, result: Result) -> None:
        self.won += result.won
        self.games += 1

    def interval(self) -> tuple[float, float]:
        """Wilson's interval, which is sound for few games, too."""
        if not self.games:
            return 0.0, 1.0
        share, n = self.won / self.games, self.games
        middle, half = share + Z * Z / (2 * n), Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + Z * Z / n)), min(1.0, (middle + half) / (1 + Z * Z / n))

    def __str__(self) -> str:
        if not self.games:
            return "none"
        low, high = self.interval()
        return f"{100 * self.won / self.games:.0f} % ({100 * low:.0f} to {100 * high:.0f}) of {self.games}"


def gain(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """By how much more one bot has won than another of the same games, with the limits of 95 of 100 cases.

    Only games that one has won and the other has lost tell them apart (McNemar); one more of each keeps the limits honest where there are few.
    """
    n = len(pairs)
    if not n:
        return 0.0, -1.0, 1.0
    up, down = sum(one and not other for one, other in pairs), sum(other and not one for one, other in pairs)
    by = (up - down) / n
    half = Z * sqrt(up + down + 2 - (up - down) ** 2 / n) / n
    return by, max(-1.0, by - half), min(1.0, by + half)


Key = Callable[[Match], tuple[object, ...]]


def shares(results: Iterable[Result], key: Key) -> dict[tuple[object, ...], dict[str, Share]]:
    """By key, and by bot."""
    found: dict[tuple[object, ...], dict[str, Share]] = {}
    for one in results:
        found.setdefault(key(one.match), {}).setdefault(one.match.bot, Share()).add(one)
    return found


PAGE = """# How strong the bots are

Written by `omenlog strength`, with the seed `{seed}`: {games}. In each, one bot plays one side and everybody else is `steady`; before
the haunt all are. `alone` is one seat where everybody plays against everybody. [Bots](bots.md#the-built-in-bots) says what each bot does.

The figures are shares of games won, in brackets the limits between which the true share lies in 95 of 100 cases, and how many games they are
of. All bots play the same games, so the column `steady` shows what a side is worth. The last column tells how many games of 100 `searching` wins
more than `steady`, of those that both have played: luck alone seldom puts both limits above 0.

{tables}
"""


def page(results: Sequence[Result], bots: Sequence[str], seed: str) -> str:
    """The page, of all results."""
    return PAGE.format(seed=seed, games=counted(len(results), "game"), tables=tables(results, bots))


def tables(results: Sequence[Result], bots: Sequence[str]) -> str:
    """The tables of a page: by side, edition, number of seats, and haunt."""
    parts = [
        _table(results, bots, ("side",), lambda one: (one.side,)),
        _table(results, bots, ("edition", "side"), lambda one: (one.edition, one.side)),
        _table(results, bots, ("edition", "side", "seats"), lambda one: (one.edition, one.side, one.seats)),
        _table(results, bots, ("edition", "haunt", "side"), lambda one: (one.edition, one.haunt, one.side)),
    ]
    return "\n\n".join(
        f"### By {title}\n\n{part}" for title, part in zip(("side", "edition", "seats", "haunt"), parts, strict=True)
    )


def _table(results: Sequence[Result], bots: Sequence[str], titles: Sequence[str], key: Key) -> str:
    found = shares(results, key)
    rows = [[*titles, *bots, *([GAIN] if set(COMPARED) <= set(bots) else [])]]
    rows.append(["---"] * len(rows[0]))
    for keys in sorted(found, key=str):
        row = [*map(str, keys), *(str(found[keys].get(bot, Share())) for bot in bots)]
        if len(row) < len(rows[0]):
            pairs = _pairs([one for one in results if key(one.match) == keys])
            by, low, high = gain(pairs)
            told = f"{100 * by:+.0f} ({100 * low:+.0f} to {100 * high:+.0f}) of {len(pairs)}"
            row.append(told if pairs else "none")
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _pairs(results: Iterable[Result]) -> list[tuple[bool, bool]]:
    """Who of the two that are compared has won, of each game that both have played."""
    won = {one.match: one.won for one in results}
    better, worse = COMPARED
    return [
        (one, won[other])
        for match, one in won.items()
        if match.bot == better and (other := msgspec.structs.replace(match, bot=worse)) in won
    ]
