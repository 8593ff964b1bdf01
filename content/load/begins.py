"""Haunts that say by which omen in which room they begin: the chart gets a number for each, and cells that lead to it."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from content.errors import Finding, Mistake, did_you_mean
from content.load.layout import Piece, Pieces
from content.vocabulary.pack import Chart, Haunt, TraitorRule

Cell = tuple[str, str]
"""A room and an omen."""


class Beginner(NamedTuple):
    """A haunt that says where it begins."""

    piece: Piece
    haunt: Haunt

    def mistake(self, message: str, suggestion: str = "", *below: str | int, key: bool = True) -> Mistake:
        """Say what is wrong with where it begins."""
        return self.piece.mistake(Finding(("begins", *below), message, suggestion, key=key))


def chart_haunts(pieces: Pieces) -> tuple[Pieces, list[Mistake]]:
    """Give every haunt that `begins` somewhere its cells of the chart.

    Returns:
        The pieces with the chart as it is then, and what stands in the way; with mistakes the chart is as it was.
    """
    haunts = [
        Beginner(piece, piece.value)
        for piece in pieces.values()
        if isinstance(piece.value, Haunt) and piece.value.begins
    ]
    if not haunts:
        return pieces, []
    drawn = pieces.get(("chart",))
    if drawn is None or not isinstance(drawn.value, Chart) or not (drawn.value.rooms or drawn.value.omens):
        return pieces, [haunt.mistake("this pack has no chart on which it could begin") for haunt in haunts]
    chart = drawn.value
    if any(len(chart.cells.get(room, ())) != len(chart.omens) for room in chart.rooms):
        return pieces, []  # the checker says what the chart lacks
    taken: dict[Cell, Beginner] = {}
    mistakes = [mistake for haunt in haunts for mistake in _take(haunt, chart, taken)]
    if mistakes:
        return pieces, mistakes
    redrawn = _redraw(chart, haunts, taken)
    if isinstance(redrawn, Mistake):
        return pieces, [redrawn]
    return {**pieces, ("chart",): drawn._replace(value=redrawn)}, []


def _take(one: Beginner, chart: Chart, taken: dict[Cell, Beginner]) -> Iterator[Mistake]:
    """Take the cells of a haunt."""
    if one.haunt.kind == "one-traitor" and one.haunt.traitor is None:
        yield one.mistake("a haunt that begins by itself says who is the traitor", "add `traitor`")
    for room, omens in one.haunt.begins.items():
        if room not in chart.rooms:
            yield one.mistake(f"the chart has no room `{room}`", did_you_mean(room, chart.rooms), room)
            continue
        if not omens:
            yield one.mistake("no omen begins it there", "name one, or leave the room out", room)
        for index, omen in enumerate(omens):
            other = taken.setdefault((room, omen), one)
            if omen not in chart.omens:
                hint = did_you_mean(omen, chart.omens)
                yield one.mistake(f"the chart has no omen `{omen}`", hint, room, index, key=False)
            elif other is not one or omen in omens[:index]:
                yield one.mistake(f"there `{other.haunt.id}` begins already", "", room, index, key=False)


def _redraw(chart: Chart, haunts: list[Beginner], taken: dict[Cell, Beginner]) -> Chart | Mistake:
    """Draw the chart anew: who takes all cells of a number takes the number, the others get numbers behind the last."""
    before = {
        (room, omen): number for room, row in chart.cells.items() for omen, number in zip(chart.omens, row, strict=True)
    }
    kept = {number for cell, number in before.items() if cell not in taken}
    free = sorted(set(before.values()) - kept)
    last = max(before.values())
    numbers: dict[str, int] = {}
    for one in haunts:
        mine = [number for number in free if any(before[cell] == number for cell in taken if taken[cell] is one)]
        last += not mine
        numbers[one.haunt.id] = mine[0] if mine else last
        free = [number for number in free if number not in mine[:1]]
    if free:
        whose = next(taken[cell] for cell in taken if before[cell] == free[0])
        other = chart.haunts.get(str(free[0]), "nothing")
        message = f"it leaves no cell to the number {free[0]} of the chart (`{other}`)"
        return whose.mistake(message, "begin elsewhere in one of them")
    after = {cell: numbers[taken[cell].haunt.id] if cell in taken else number for cell, number in before.items()}
    return msgspec.structs.replace(
        chart,
        cells={room: [after[room, omen] for omen in chart.omens] for room in chart.cells},
        traitors={**chart.traitors, **{str(numbers[one.haunt.id]): _traitor(one.haunt) for one in haunts}},
        haunts={**chart.haunts, **{str(numbers[one.haunt.id]): one.haunt.id for one in haunts}},
        titles={**chart.titles, **{str(numbers[one.haunt.id]): one.haunt.title for one in haunts if chart.titles}},
    )


def _traitor(haunt: Haunt) -> TraitorRule:
    if haunt.kind == "one-traitor" and haunt.traitor is not None:
        return haunt.traitor
    return TraitorRule(hidden=haunt.kind == "hidden-traitor", none=haunt.kind == "no-traitor")
