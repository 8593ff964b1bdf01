"""What a pack must keep to, and the run over all checks."""

from collections.abc import Collection, Iterator, Mapping

from content.check.form import amounts, fields, identity, references, tables
from content.check.pieces import (
    cards,
    charts,
    endless,
    explorers,
    haunts,
    moments,
    monsters,
    standing,
    survivors,
    tiles,
)
from content.check.play import dice, flow, house, leftover, prose, purpose, reach, sides
from content.errors import Finding, Trail
from content.survey import Check, Memory, Survey
from content.vocabulary.base import Word

WITHIN_A_PIECE: tuple[Check, ...] = (
    identity.kebab_case,
    identity.action_words,
    identity.nothing_blank,
    identity.one_line,
    identity.lengths,
    fields.one_verb,
    fields.exactly_one,
    fields.at_most_one,
    fields.at_least_one,
    fields.needs,
    fields.unconditional,
    amounts.at_least_one,
    amounts.inventory,
    amounts.counters_in_bounds,
    amounts.player_counts,
    amounts.bounds,
    amounts.tables_by_players,
    amounts.comparisons,
    fields.empty,
    fields.twice,
    fields.idle,
    tables.outcomes,
    references.who,
    references.place,
    tiles.floors,
    tiles.sides,
    tiles.barriers,
    tiles.crossings,
    tiles.told,
    cards.states,
    cards.speakers,
    cards.moments,
    cards.reactions,
    cards.survivals,
    cards.floors_to_lie_on,
    cards.kinds_exist,
    cards.events_do_something,
    cards.decks,
    cards.attacks,
    moments.known_moments,
    moments.answers,
    moments.constant,
    moments.again,
    moments.limits,
    moments.said_by_haunts,
    moments.spared_in_rooms,
    moments.leaving,
    standing.fits,
    standing.whose,
    explorers.tracks,
    explorers.birthdays,
    haunts.names,
    haunts.books,
    haunts.revealing,
    haunts.winnable,
    haunts.endings,
    monsters.equipped,
    monsters.hiding,
    haunts.stealing,
    fields.lifeless,
    tiles.locks,
    haunts.secrets,
    monsters.colors,
    haunts.one_track,
    haunts.own_counts,
    haunts.playing_on,
    haunts.played_on,
    monsters.acting,
    monsters.killed,
    haunts.powers,
    sides.doable,
    sides.meant,
    sides.nobody_there,
    sides.nobody_asked,
    sides.nobody_carries,
    sides.ruled,
    dice.reached,
    dice.tried,
    dice.compared,
    dice.monsters_roll,
    dice.rising,
    leftover.after_the_end,
    leftover.goals,
    leftover.secrets,
    purpose.sent_by_the_others,
    purpose.turned,
    purpose.same,
    prose.named,
    prose.fixed,
)
"""What one piece shows by itself, even if others cannot be read."""

ACROSS_PIECES: tuple[Check, ...] = (
    identity.unique_ids,
    identity.alternatives,
    references.named_things_exist,
    references.places_exist,
    references.rules_exist,
    tables.players,
    amounts.damage_kinds,
    flow.referring_back,
    haunts.bars,
    fields.without_corpses,
    monsters.boxes,
    monsters.told_when,
    tiles.marks,
    flow.circles,
    endless.sent_back,
    endless.at_once,
    tiles.links,
    tiles.start,
    tiles.ways_to_every_floor,
    tiles.searched_for,
    tiles.removed,
    tiles.spared,
    explorers.other_sides,
    explorers.enough,
    explorers.counted,
    charts.chart_covers,
    charts.numbers_lead_on,
    charts.traitors,
    charts.traitors_fit,
    charts.scenarios_cover,
    charts.events_lead_on,
    haunts.stories,
    haunts.playtested,
    survivors.sections,
    survivors.nobody_left,
    sides.killable,
    sides.fired,
    sides.silent,
    leftover.box,
    house.selections,
    house.floors,
    house.placed_again,
    house.secrets,
)
"""What only a whole pack can show; with a piece missing they would find too much."""


AT_LAST: tuple[Check, ...] = (
    amounts.within_reach,
    reach.reachable,
    purpose.too_soon,
)
"""What makes sense only when nothing else is an error: a misspelt name would be told twice, as what nobody uses."""


def findings(
    pieces: Mapping[Trail, Word],
    *,
    whole: bool,
    sound: Collection[Trail] = (),
    memory: Memory | None = None,
    warnings: bool = True,
) -> Iterator[Finding]:
    """Run the checks.

    Args:
        pieces: what could be read of a pack, by its place in `Pack`: `("tiles", 3)`, `("head",)`.
        whole: nothing of the pack is missing.
        sound: pieces of a built-in pack as they are there: they are right by themselves, and nobody asks for advice on its haunts.
        memory: of an earlier run: pieces that are the same objects are not looked at by themselves again.
        warnings: without them, checks that find no errors are left out.

    Yields:
        What is wrong, in the order of the checks; the same place may occur more than once.
    """
    known = memory or Memory()
    survey = Survey(pieces, memory=known)
    own = {trail: value for trail, value in pieces.items() if trail not in sound}
    if memory is None:
        found = list(_within(Survey(own, memory=known)))
    else:
        found = [finding for piece in survey.pieces if piece.trail in own for finding in known.find(piece, _within)]
    if whole:
        found += [finding for check in ACROSS_PIECES for finding in check(survey)]
    if whole and all(finding.severity == "warning" for finding in found):
        found += [finding for check in AT_LAST for finding in check(survey)]
        if warnings:
            advised = {trail: value for trail, value in pieces.items() if trail[0] != "haunts" or trail in own}
            found += known.advise(advised, _advice)
    yield from found


def _within(survey: Survey) -> Iterator[Finding]:
    for check in WITHIN_A_PIECE:
        yield from check(survey)


def _advice(survey: Survey) -> Iterator[Finding]:
    from content.check.advice import ADVICE  # noqa: PLC0415 -- half of all checks, and only authors run them

    for check in ADVICE:
        yield from check(survey)
