"""The static checker: what can be wrong in a pack that has the right shape.

One module for each topic, one small function for each law; a check reads typed content and yields findings.
It never reads files (the loader does), decides no rule and plays no game. `content.load` runs it; nobody else needs to.
"""

from collections.abc import Callable, Iterator, Mapping

from content.check.follow import again, dead, flags, offered, pairs, secrets, whom
from content.check.form import amounts, fields, identity, references, tables
from content.check.pieces import cards, charts, endless, explorers, haunts, moments, standing, tiles
from content.check.play import dice, flow, hints, house, leftover, prose, purpose, reach, sides
from content.check.promises import alternatives, facts, meant, numbers
from content.check.sense import aims, deeds, growth, labels, order, results, twins, words
from content.check.stakes import hidden, tokens, turns
from content.errors import Finding, Trail
from content.survey import Memory, Survey
from content.vocabulary.base import Word

Check = Callable[[Survey], Iterator[Finding]]

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
    haunts.monsters,
    haunts.stealing,
    tiles.locks,
    haunts.secrets,
    charts.traitors,
    haunts.colors,
    haunts.one_track,
    haunts.playing_on,
    haunts.played_on,
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
    flow.circles,
    endless.sent_back,
    endless.at_once,
    tiles.links,
    tiles.start,
    tiles.ways_to_every_floor,
    tiles.searched_for,
    tiles.spared,
    explorers.other_sides,
    explorers.enough,
    charts.chart_covers,
    charts.numbers_lead_on,
    charts.traitors_fit,
    charts.scenarios_cover,
    haunts.playtested,
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

ONLY_WARN: tuple[Check, ...] = (
    house.undiscovered,
    house.absent,
    house.there,
    leftover.unread,
    leftover.without_end,
    hints.needed,
    hints.open_then,
    hints.barred_there,
    hints.used_there,
    hints.counted_there,
    hints.carried_there,
    dice.hardly_ever,
    prose.numbers,
    deeds.used_for_nothing,
    deeds.again_at_once,
    deeds.lies_here,
    deeds.harms_its_own,
    deeds.helps_its_enemies,
    deeds.own_death,
    deeds.shared_task,
    deeds.told_to_the_wrong,
    growth.more_of_many,
    growth.gone_for_good,
    growth.stays_behind,
    growth.low_helps,
    growth.lacking_helps,
    growth.strikes_each_turn,
    words.rooms,
    words.began,
    words.symbols,
    words.traits,
    words.rolled,
    words.figures,
    words.moments,
    words.goals,
    words.deaths,
    labels.dies,
    labels.attacks,
    labels.figures,
    labels.things,
    labels.whom,
    labels.here,
    aims.against_itself,
    aims.by_anybody,
    aims.same_aim,
    aims.few_enough,
    aims.won_at_once,
    aims.head_start,
    aims.clocks,
    aims.helps_the_target,
    aims.oneself,
    results.upside_down,
    results.nothing_for_the_best,
    order.twice,
    order.settled,
    order.cleared_at_once,
    order.after_leaving,
    order.to_one,
    order.nothing_there,
    order.for_free,
    order.other_book,
    twins.titles,
    twins.both_books,
    twins.deeds,
    twins.given,
    twins.rows,
    labels.options,
    labels.idle,
    twins.hints,
    growth.jumps,
    whom.nothing_for_the_target,
    whom.goes_nowhere,
    whom.told_to_more,
    secrets.told_at_once,
    secrets.told_another,
    secrets.asked_twice,
    dead.where_nobody_stands,
    dead.idle_monsters,
    dead.plays_on_in_vain,
    dead.costs_nothing,
    dead.gains_by_dying,
    dead.dead_in_words,
    again.stays_and_counts,
    again.all_for_one,
    again.counted_twice,
    again.paid_by_nobody,
    again.put_down,
    again.keeps_the_price,
    again.spoilt,
    offered.when_it_is_over,
    offered.without_the_card,
    offered.nobody_left,
    offered.outdone,
    alternatives.either_or,
    alternatives.all_of_them,
    numbers.by_each,
    numbers.damage,
    numbers.ordinals,
    facts.titles,
    facts.harms,
    meant.harmed,
    meant.stealing,
    tokens.turned,
    tokens.another,
    hidden.unmasked,
    hidden.singled_out,
    turns.for_each,
    turns.for_the_others,
    turns.harms_who_gains,
    flags.never_set,
    flags.heeded_by_nothing,
    flags.once_for_all,
    flags.goes_on,
    flags.after_the_last_hour,
    pairs.options,
    pairs.lacking,
    pairs.laid_together,
    pairs.brought_already,
    pairs.fewer_than_hidden,
    pairs.lead_nowhere,
    hidden.only_before,
)
"""The same, of checks that find no errors: for authors, not for whoever only plays the pack."""


def findings(
    pieces: Mapping[Trail, Word], *, whole: bool, memory: Memory | None = None, warnings: bool = True
) -> Iterator[Finding]:
    """Run the checks.

    Args:
        pieces: what could be read of a pack, by its place in `Pack`: `("tiles", 3)`, `("head",)`.
        whole: nothing of the pack is missing.
        memory: of an earlier run: pieces that are the same objects are not looked at by themselves again.
        warnings: without them, checks that find no errors are left out.

    Yields:
        What is wrong, in the order of the checks; the same place may occur more than once.
    """
    survey = Survey(pieces, memory=memory)
    found: list[Finding] = []
    if memory is None:
        found += _within(survey)
    else:
        found += [finding for piece in survey.pieces for finding in memory.find(piece, _within)]
    if whole:
        found += [finding for check in ACROSS_PIECES for finding in check(survey)]
    if whole and all(finding.severity == "warning" for finding in found):
        last = (*AT_LAST, *ONLY_WARN) if warnings else AT_LAST
        found += [finding for check in last for finding in check(survey)]
    yield from found


def _within(survey: Survey) -> Iterator[Finding]:
    for check in WITHIN_A_PIECE:
        yield from check(survey)
