"""Amounts: at least 1 where there is something, and no more than the game has: eight dice, tracks of eight spaces."""

from collections.abc import Iterator, Mapping
from typing import get_args

import msgspec

from content.check.written import written_for
from content.errors import Finding, Trail
from content.survey import Survey, written
from content.vocabulary.base import Word
from content.vocabulary.effects import (
    ConvertDamage,
    CounterChange,
    Damage,
    Draw,
    EventAttack,
    Fetch,
    HauntRoll,
    Heal,
    Look,
    ModifyRoll,
    PlaceMonster,
    Roll,
    RollEach,
    SetResult,
    SetTrait,
    Steps,
    Token,
    Trap,
)
from content.vocabulary.extension import Extension
from content.vocabulary.pack import (
    Action,
    Attack,
    Barrier,
    Components,
    Counter,
    Explorer,
    Haunt,
    Modify,
    Monster,
    PackHead,
    Playtest,
    ReduceDamage,
    Standing,
    Track,
    Trigger,
)
from content.vocabulary.values import Condition, Number, Rooms, Value

AT_LEAST_ONE: dict[type[Word], tuple[str, ...]] = {
    Steps: ("steps",),
    Heal: ("steps",),
    SetTrait: ("another_by",),
    Damage: ("dice", "points"),
    Roll: ("dice",),
    RollEach: ("all_at_least",),
    EventAttack: ("dice",),
    Draw: ("count",),
    Look: ("count",),
    Fetch: ("spaces",),
    HauntRoll: ("number",),
    Token: ("count",),
    PlaceMonster: ("count",),
    Trap: ("at_least", "tries"),
    Barrier: ("at_least",),
    ReduceDamage: ("points",),
    Counter: ("max",),
    Playtest: ("games",),
    Rooms: ("within",),
    Standing: ("trade_within",),
    PackHead: ("vocabulary",),
    Extension: ("vocabulary",),
}


def at_least_one(survey: Survey) -> Iterator[Finding]:
    """An amount that is written down as a number is at least 1."""
    for kind, names in AT_LEAST_ONE.items():
        for spot in survey.of(kind):
            for name in names:
                amount = getattr(spot.value, name)
                if isinstance(amount, int) and amount < 1:
                    field = written(kind, name)
                    yield Finding(spot.at(field), f"`{field}` is {amount}: it has to be at least 1")


def inventory(survey: Survey) -> Iterator[Finding]:
    """A piece that is said to be in the box is there at least once."""
    for spot in survey.of(Components):
        for name, number in spot.value.tokens.items():
            if number < 1:
                yield Finding(spot.at("tokens", name), f"there are {number} tokens of this kind")
        for deck, number in spot.value.cards.items():
            if number < 1:
                yield Finding(spot.at("cards", deck), f"there are {number} cards of this kind")


def counters_in_bounds(survey: Survey) -> Iterator[Finding]:
    """A counter starts between 0 and its highest value, which is known beforehand."""
    for spot in survey.of(Counter):
        counter, most = spot.value, by_players(spot.value.max)
        if counter.max is not None and most is None:
            yield Finding(spot.at("max"), "`max` is a number, or a table by players", "`max: {players: {3: 4, …}}`")
        if counter.start < 0 or any(counter.start > end for end in (most or {}).values()):
            yield Finding(spot.at("start"), f"the counter starts at {counter.start}, outside its bounds")


def within_reach(survey: Survey) -> Iterator[Finding]:
    """What a counter is asked to come to lies within its end, for each number of players."""
    for spot in survey.of(Condition):
        asked, haunt = by_players(spot.value.at_least), spot.inside(Haunt)
        counter = haunt.value.counters.get(spot.value.counter or "") if haunt is not None else None
        if counter is None or asked is None:
            continue
        ends = by_players(counter.max)
        for players, number in asked.items():
            end = None if ends is None else ends.get(players, min(ends.values()) if not players else ends.get(""))
            if end is not None and number > end:
                where = f" with {players} players" if players else ""
                message = f"`{spot.value.counter}` goes no higher than {end}{where}, and {number} is asked for"
                yield Finding(spot.at("at-least"), message, f"`max: {number}` at the counter")
                break


def player_counts(survey: Survey) -> Iterator[Finding]:
    """A pack says for how many players it is: numbers from 1 up, each once, ascending."""
    for spot in survey.of(PackHead):
        counts = spot.value.players
        if not counts or counts != sorted(set(counts)) or counts[0] < 1:
            yield Finding(spot.at("players"), "the numbers of players do not ascend from 1 or more")


DICE = 12
"""Half as many again as come with the game, which is no bound (2E-COMP-004); more is a slip of the pen."""

SPACES = 8
"""Spaces of a track; a trait can go up or down that many times."""

RESULT = 2 * DICE
"""The highest that dice can show."""

PIECES = 1000
"""More of a kind than any box has."""
AGE = 150

DAMAGE_KINDS: tuple[tuple[type[Word], str], ...] = (
    (Damage, "kind"),
    (ConvertDamage, "to"),
    (EventAttack, "damage"),
    (ReduceDamage, "kind"),
    (Attack, "damage"),
    (Trigger, "kinds"),
    (Action, "kinds"),
)
"""Where content says of which kind a damage is, or of which kinds."""

BOUNDS: dict[tuple[type[Word], str], tuple[int, int]] = {
    (Steps, "steps"): (0, SPACES),
    (Heal, "steps"): (0, 4 * SPACES),
    (SetTrait, "another_by"): (1, SPACES),
    (Damage, "dice"): (0, DICE),
    (Damage, "points"): (0, 4 * SPACES),
    (Roll, "dice"): (0, DICE),
    (Roll, "extra_dice"): (-DICE, DICE),
    (EventAttack, "dice"): (0, DICE),
    (ModifyRoll, "dice"): (-DICE, DICE),
    (ModifyRoll, "result"): (-RESULT, RESULT),
    (ModifyRoll, "max_dice"): (1, DICE),
    (SetResult, "from_"): (0, RESULT),
    (SetResult, "to"): (0, RESULT),
    (Modify, "dice"): (-DICE, DICE),
    (Modify, "result"): (-RESULT, RESULT),
    (Modify, "min_dice"): (0, DICE),
    (Modify, "max_dice"): (1, DICE),
    (Attack, "dice"): (-DICE, DICE),
    (Attack, "result"): (-RESULT, RESULT),
    (Attack, "max_dice"): (1, DICE),
    (Trap, "at_least"): (1, RESULT),
    (Trap, "tries"): (1, 100),
    (Barrier, "at_least"): (1, RESULT),
    (Standing, "slows"): (1, 100),
    (Standing, "move_limit"): (0, 100),
    (Monster, "might"): (1, DICE),
    (Monster, "speed"): (0, DICE),
    (Monster, "sanity"): (1, DICE),
    (Monster, "knowledge"): (1, DICE),
    (PlaceMonster, "count"): (0, 100),
    (Token, "count"): (0, 100),
    (Explorer, "age"): (1, AGE),
    (Components, "tiles"): (1, PIECES),
    (Components, "clips"): (1, PIECES),
    (Components, "dice"): (1, PIECES),
    (Components, "number_tracks"): (1, PIECES),
}
"""The least and the most that a number can sensibly be; what it has to be at least is said in `amounts` too."""

AT_LEAST_ONE[Standing] = tuple(
    field.name
    for field in msgspec.structs.fields(Standing)
    if int in get_args(field.type) and (Standing, field.name) not in BOUNDS
)
"""A new adjustment needs no line here unless it has other bounds."""


def bounds(survey: Survey) -> Iterator[Finding]:
    """A number is neither negative nor beyond what the game has, for any number of players."""
    for (kind, name), (least, most) in BOUNDS.items():
        told = name in AT_LEAST_ONE.get(kind, ())
        for spot in survey.of(kind):
            value = getattr(spot.value, name)
            if not (told and isinstance(value, int) and value < 1):
                yield from _outside(spot.at(written(kind, name)), value, least, most)
    for track in survey.of(Track):
        for index, value in enumerate(track.value.values):
            if value > SPACES:
                yield Finding(track.at("values", index), f"a trait goes up to {SPACES}, not to {value}")


def tables_by_players(survey: Survey) -> Iterator[Finding]:
    """Only a counter is moved by a negative number."""
    for spot in survey.of(Number):
        above = spot.above.value if spot.above is not None else None
        bounded = any(kind is type(above) and spot.trail[-1] == written(kind, name) for kind, name in BOUNDS)
        if bounded or isinstance(above, CounterChange | Number):
            continue
        for players, value in (spot.value.players or {}).items():
            if value < 0:
                yield Finding(spot.at("players", players), f"{value} with {players} explorers: it is at least 0")


def comparisons(survey: Survey) -> Iterator[Finding]:
    """Between the least and the most there is something."""
    for result in survey.of(SetResult):
        if result.value.from_ > result.value.to:
            message = f"no result lies from {result.value.from_} to {result.value.to}"
            yield Finding(result.at("from"), message, f"write `from: {result.value.to}, to: {result.value.from_}`")
    for spot in survey.of(Condition):
        least, most = spot.value.at_least, spot.value.at_most
        if isinstance(least, int) and isinstance(most, int) and least > most:
            yield Finding(spot.at("at-least"), f"nothing is at least {least} and at most {most}")
    for modify in survey.of(Modify):
        low, high = modify.value.min_dice, modify.value.max_dice
        if low is not None and high is not None and low > high:
            yield Finding(modify.at("min-dice"), f"no roll has at least {low} and at most {high} dice")


def damage_kinds(survey: Survey) -> Iterator[Finding]:
    """Damage is physical or mental, unless the edition knows general damage (2E-DMG-004)."""
    written_so = written_for(survey)
    if written_so is None or written_so.general_damage:
        return
    for kind, name in DAMAGE_KINDS:
        for spot in survey.of(kind):
            if "general" in (getattr(spot.value, name) or ()):
                yield Finding(spot.at(written(kind, name)), "by the rules of this edition damage is physical or mental")


def by_players(value: Value | None) -> Mapping[str, int] | None:
    """Return what a number is for each number of players, `""` for any; None where it is not known beforehand."""
    match value:
        case int():
            return {"": value}
        case Number(players=dict(table)):
            return table
    return None


def _outside(trail: Trail, value: Value | None, least: int, most: int) -> Iterator[Finding]:
    for players, number in (by_players(value) or {}).items():
        if not least <= number <= most:
            place = (*trail, "players", players) if players else trail
            yield Finding(place, f"{number} is out of bounds: it is from {least} to {most} here")
