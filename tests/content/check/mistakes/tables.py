"""Tables: outcomes with gaps and overlaps, numbers of players that are missing, the chart, explorers' tracks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from content.vocabulary.effects import Effect
from content.vocabulary.outcomes import parse
from content.vocabulary.pack import Chart, Explorer, Haunt, Scenario, Track, TraitorRule
from content.vocabulary.values import Number
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import At, Edit, Source

LAST = 50
"""The highest number of the printed chart."""


def _tables(source: Source) -> Iterator[tuple[At[Effect], list[str]]]:
    for at in source.of(Effect):
        keys = list(at.value.outcomes or ())
        if all(parse(key) for key in keys) and len(keys) > 1 and at.value.roll is not None:
            yield at, sorted(keys, key=lambda key: parse(key) or (0, 0))


@kind("a table of outcomes has a gap")
def gaps(source: Source, rng: Random) -> Iterator[Edit]:
    """`4+` where `3+` closes up with `0-2`; an outcome is missing."""
    for at, keys in _tables(source):
        key = rng.choice(keys)
        yield from at.remove("outcomes", key)
        for node in at.written("outcomes", keys[-1]):
            if keys[-1].endswith("+"):
                yield at.rename(node, f"{int(keys[-1][:-1]) + 1}+")
        for node in at.written("outcomes", keys[0]):
            span = parse(keys[0])
            if span is not None and span.high:
                yield at.rename(node, f"0-{span.high - 1}" if span.high > 1 else "0")


@kind("two outcomes overlap")
def overlaps(source: Source, _rng: Random) -> Iterator[Edit]:
    """`3+` beside `0-3`."""
    for at, keys in _tables(source):
        span = parse(keys[-1])
        for node in at.written("outcomes", keys[-1]):
            if span is not None and span.low > 1:
                yield at.rename(node, keys[-1].replace(str(span.low), str(span.low - 1), 1))


@kind("an outcome is none")
def no_outcomes(source: Source, rng: Random) -> Iterator[Edit]:
    """`>4`, `4 or more`, `many`, `at-least` where no number is to be reached."""
    for at, keys in _tables(source):
        for node in at.written("outcomes", keys[-1]):
            low = keys[-1].rstrip("+")
            yield at.rename(node, rng.choice([f'">{low}"', f"{low} or more", "many", "at-least", f"+{low}", "9-4"]))


@kind("a result that no roll comes to")
def too_high(source: Source, _rng: Random) -> Iterator[Edit]:
    """Two dice never show 5, a trait roll never 17."""
    for at, _ in _tables(source):
        roll = at.value.roll
        if roll is not None:
            counted = isinstance(roll.dice, int) and not roll.extra_dice
            highest = 2 * roll.dice if counted and isinstance(roll.dice, int) else 16
            yield at.add(f"{highest + 1}: []", "outcomes")


@kind("an outcome against a number is missing")
def against(source: Source, _rng: Random) -> Iterator[Edit]:
    """Neither at least the number nor less."""
    for at in source.of(Effect):
        if at.value.roll is not None and at.value.roll.against is not None:
            yield from at.remove("outcomes", "less")
            for node in at.written("outcomes", "at-least"):
                yield at.rename(node, "3+")
                yield at.rename(node, "more")


@kind("a number of players is missing")
def players_missing(source: Source, rng: Random) -> Iterator[Edit]:
    """Nothing is said for 5 players."""
    for at in source.of(Number):
        if at.value.players:
            yield from at.remove("players", rng.choice(list(at.value.players)))


@kind("a number of players that the pack is not for")
def players_unknown(source: Source, rng: Random) -> Iterator[Edit]:
    """A table says something for 2 players, or for 9."""
    for at in source.of(Number):
        if at.value.players:
            yield at.add(f"{rng.choice([1, 2, 9])}: 3", "players")


# -- the chart ----------------------------------------------------------------------------------------------------------


@kind("a cell of the chart is missing or one too many")
def cells(source: Source, rng: Random) -> Iterator[Edit]:
    """A row has 12 or 14 numbers for 13 omens."""
    for at in source.of(Chart):
        for room in at.value.cells:
            yield from at.remove("cells", room, rng.randrange(1, 12))
            for node in at.written("cells", room, 5):
                yield Edit(at.file, node.value.start_mark.index, node.value.start_mark.index, "7, ")


@kind("a number of the chart is none")
def no_numbers(source: Source, rng: Random) -> Iterator[Edit]:
    """A cell says 0, -3, 61 or 1800."""
    for at in source.of(Chart):
        for room, row in at.value.cells.items():
            for node in at.written("cells", room, rng.randrange(len(row))):
                yield at.replace(node.value, rng.choice(["0", "-3", str(LAST + 1), "61", "1800"]))


@kind("a number of the chart has no haunt or no traitor")
def no_haunts(source: Source, rng: Random) -> Iterator[Edit]:
    """Cells lead to 17, and nothing is said of 17."""
    for at in source.of(Chart):
        for number in at.value.haunts:
            yield from at.remove(rng.choice(["haunts", "traitors"]), number)


@kind("a room or omen is missing on the chart")
def rows(source: Source, _rng: Random) -> Iterator[Edit]:
    """A row is left out, or a room, or an omen."""
    for at in source.of(Chart):
        yield from at.remove("rooms", 4)
        yield from at.remove("omens", 6)
        yield from at.remove("cells", "gallery")
        yield from at.remove("cells", "kitchen")


@kind("a number plays a haunt of another kind")
def misfits(source: Source, _rng: Random) -> Iterator[Edit]:
    """A number with an open traitor plays a haunt with a hidden one."""
    kinds = {at.value.id: at.value.kind for at in source.of(Haunt)}
    hidden = next((name for name, what in kinds.items() if what == "hidden-traitor"), "")
    for at in source.of(Chart):
        for number, rule in at.value.traitors.items():
            for node in at.written("haunts", number):
                if hidden and not rule.hidden and kinds[node.value.value] != "hidden-traitor":
                    yield at.replace(node.value, hidden)


@kind("a traitor's rule contradicts itself or falls short")
def traitor_rules(source: Source, _rng: Random) -> Iterator[Edit]:
    """The revealer besides the revealer; an explorer who may be out of the game, and nobody otherwise; two rules."""
    for at in source.of(TraitorRule):
        rule = at.value
        if rule.revealer or rule.left_of_revealer:
            yield at.add("besides-revealer: true")
        if rule.explorer is not None:
            yield from at.remove("otherwise")
        if rule.highest is not None:
            yield at.add("oldest: true")


@kind("a scenario lacks an omen, or leads nowhere")
def scenarios(source: Source, rng: Random) -> Iterator[Edit]:
    """Nothing is said for the mask; the number is 0."""
    for at in source.of(Scenario):
        for omen in at.value.haunts:
            yield from at.remove("haunts", omen)
            for node in at.written("haunts", omen):
                yield at.replace(node.value, rng.choice(["0", "-2", "5000"]))


# -- explorers ----------------------------------------------------------------------------------------------------------


@kind("a trait's track falls")
def falling(source: Source, rng: Random) -> Iterator[Edit]:
    """2, 4, 3: two numbers have changed places."""
    for at in source.of(Track):
        values = list(at.value.values)
        rises = [place for place in range(7) if values[place] < values[place + 1]]
        place = rng.choice(rises)
        values[place], values[place + 1] = values[place + 1], values[place]
        for node in at.written("values"):
            yield at.replace(node.value, str(values))


@kind("a track is too short or too long, or starts beside it")
def tracks(source: Source, rng: Random) -> Iterator[Edit]:
    """Seven numbers, nine, a start of 8."""
    for at in source.of(Track):
        yield from at.remove("values", rng.randrange(7))
        for node in at.written("values", 7):
            yield at.replace(node.value, f"{node.value.value}, 8")
        for node in at.written("start"):
            yield at.replace(node.value, rng.choice(["8", "-1", "12"]))


@kind("a track goes beyond the card")
def track_values(source: Source, rng: Random) -> Iterator[Edit]:
    """A trait of 0 or of 88."""
    for at in source.of(Track):
        for node in at.written("values", 7):
            yield at.replace(node.value, rng.choice(["88", "60"]))
        for node in at.written("values", 0):
            yield at.replace(node.value, "0")


@kind("a birthday is no day")
def birthdays(source: Source, rng: Random) -> Iterator[Edit]:
    """`02-30`, `13-01`, `4-29`."""
    for at in source.of(Explorer):
        for node in at.written("birthday"):
            yield at.replace(node.value, rng.choice(['"02-30"', '"13-01"', '"4-29"', '"04/29"', "April"]))


@kind("the back of an explorer's card is wrong")
def backs(source: Source, _rng: Random) -> Iterator[Edit]:
    """Somebody else's back, the own one, another color."""
    explorers = source.of(Explorer)
    for at, other in zip(explorers, explorers[4:], strict=False):
        for node in at.written("other-side"):
            if other.value.other_side != at.value.id:
                yield at.replace(node.value, other.value.id)
            yield at.replace(node.value, at.value.id)
        for node in at.written("color"):
            if other.value.color != at.value.color:
                yield at.replace(node.value, other.value.color)
            yield at.replace(node.value, "mauve")


@kind("an age is none")
def ages(source: Source, rng: Random) -> Iterator[Edit]:
    """Nobody is 0, or -8, years old."""
    for at in source.of(Explorer):
        for node in at.written("age"):
            yield at.replace(node.value, rng.choice(["0", "-8"]))
