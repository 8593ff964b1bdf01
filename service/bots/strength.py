"""Matches that measure bots: one plays a side of a haunt, everybody else is steady; and the same for the steady bot, to compare it with."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from content.load.packs import builtin_packs, load_pack
from content.vocabulary.pack import Haunt
from domain.engine.rules import Rules
from domain.facts.ids import own_side, stance
from domain.game import rules_for
from projections.text.strength import ALONE, Match, Result, Side
from service.bots.playtest import builtin_of, play_game, spread_out


def sides_of(haunt: Haunt) -> tuple[Side, ...]:
    """The sides that seats can be on."""
    if haunt.kind == "free-for-all":
        return (ALONE,)
    return ("heroes",) if haunt.kind == "no-traitor" else ("heroes", "traitor")


def plan_matches(
    editions: Sequence[str], bots: Sequence[str], seats: Sequence[int], haunts: Sequence[str], games: int, seed: str
) -> Iterator[Match]:
    """All matches, one of each kind after the other, so that the first of them already tell something of each.

    Bots that are compared play the same games: the same house, cards and dice, until one of them plays otherwise.
    """
    for number in range(games):
        for edition in editions:
            for haunt in rules_of(edition).pack.haunts.values():
                for count in seats if haunt.id in haunts or not haunts else ():
                    for side in sides_of(haunt):
                        for bot in bots:
                            yield Match(edition, haunt.id, count, side, bot, f"{seed}-{number}")


def play_matches(matches: Iterable[Match], jobs: int = 1) -> Iterator[Result]:
    """Play matches, and yield what came of them in their order."""
    return spread_out(play_match, matches, jobs)


def play_match(match: Match) -> Result:
    """Play a match. Where everybody plays against everybody, the seed's number says which seat is measured."""
    seat = int(match.seed.rpartition("-")[2]) % match.seats
    side = own_side(seat) if match.side == ALONE else match.side
    rules, options = rules_of(match.edition), {"haunt": match.haunt}
    played = play_game(rules, (match.bot,), seed=match.seed, seats=match.seats, options=options, side=side)
    won = played.winner == side if match.side == ALONE else stance(played.winner) == side
    return Result(match, won=won, turns=played.turns)


@cache
def rules_of(edition: str) -> Rules:
    base = builtin_of(edition)
    return rules_for(load_pack(builtin_packs()[base], base=base), edition)
