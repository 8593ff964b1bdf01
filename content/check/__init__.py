"""The static checker: what can be wrong in a pack that has the right shape.

One module for each topic, one small function for each law; a check reads typed content and yields findings.
It never reads files (the loader does), decides no rule and plays no game. `content.load` runs it; nobody else needs to.
"""

from collections.abc import Callable, Iterator, Mapping

from content.check import (
    amounts,
    cards,
    charts,
    exclusive,
    explorers,
    flow,
    haunts,
    identity,
    references,
    tables,
    tiles,
    where,
)
from content.check.walk import Finding, Survey
from content.positions import Trail
from content.vocabulary.base import Word

Check = Callable[[Survey], Iterator[Finding]]

WITHIN_A_PIECE: tuple[Check, ...] = (
    identity.kebab_case,
    identity.action_words,
    identity.nothing_blank,
    exclusive.one_verb,
    exclusive.exactly_one,
    exclusive.at_most_one,
    exclusive.at_least_one,
    exclusive.needs,
    amounts.at_least_one,
    amounts.counters_in_bounds,
    amounts.player_counts,
    tables.outcomes,
    where.who,
    where.place,
    tiles.floors,
    tiles.sides,
    tiles.barriers,
    cards.states,
    cards.speakers,
    cards.moments,
    cards.reactions,
    cards.survivals,
    cards.floors_to_lie_on,
    cards.kinds_exist,
    cards.events_do_something,
    explorers.tracks,
    explorers.birthdays,
    haunts.books,
    haunts.revealing,
    haunts.winnable,
    haunts.endings,
    haunts.monsters,
    haunts.secrets,
    haunts.colors,
    haunts.playing_on,
)
"""What one piece shows by itself, even if others cannot be read."""

ACROSS_PIECES: tuple[Check, ...] = (
    identity.unique_ids,
    identity.alternatives,
    references.named_things_exist,
    references.places_exist,
    references.rules_exist,
    tables.players,
    flow.referring_back,
    tiles.links,
    tiles.start,
    tiles.ways_to_every_floor,
    explorers.other_sides,
    charts.chart_covers,
    charts.numbers_lead_on,
    charts.traitors_fit,
    charts.scenarios_cover,
    haunts.playtested,
)
"""What only a whole pack can show; with a piece missing they would find too much."""


def findings(pieces: Mapping[Trail, Word], *, whole: bool) -> Iterator[Finding]:
    """Run the checks.

    Args:
        pieces: what could be read of a pack, by its place in `Pack`: `("tiles", 3)`, `("head",)`.
        whole: nothing of the pack is missing.

    Yields:
        What is wrong, in the order of the checks; the same place may occur more than once.
    """
    survey = Survey(pieces)
    for check in WITHIN_A_PIECE + (ACROSS_PIECES if whole else ()):
        yield from check(survey)
