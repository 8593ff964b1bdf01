"""The page: a headline, the house by floor, and below it the boxes."""

from __future__ import annotations

from collections.abc import Iterator

from domain.facts.ids import seat_of_side
from projections.board.boxes import Box
from projections.board.chips import Chips
from projections.board.floors import floors
from projections.board.fonts import wrap
from projections.board.ink import BLACK, DARK, GRAY, Sheet
from projections.board.layout import arranged
from projections.board.people import explorer_box, monsters_box
from projections.board.rooms import FLOORS
from projections.board.table import (
    LINES,
    book_boxes,
    floor_box,
    haunt_box,
    rulings_box,
    signs_box,
    stacks_box,
    tokens_box,
)
from projections.naming.names import closed, enumerated
from projections.view.game import GameView
from projections.view.waiting import who_is_awaited

MARGIN = 20.0
HEADLINE, TEXT = 18.0, 12.0
ROLES = {"spectators": "the spectators", "referee": "the referee"}


def board_of(view: GameView) -> str:
    """The picture of a view for a sheet of paper: an SVG document that shows only what the view says, the same bytes for the same view."""
    chips = Chips(view)
    page = arranged(floors(view, chips), boxes(view, chips))
    sheet = Sheet()
    y = draw_headlines(sheet, view, MARGIN, page.width) + MARGIN
    for one in page.placed:
        one.what.draw(sheet, MARGIN + one.x, y + one.y)
    return sheet.document(page.width + 2 * MARGIN, y + page.height + MARGIN, titled(view), described(view))


def draw_headlines(sheet: Sheet, view: GameView, x: float, width: float, y: float = MARGIN) -> float:
    """Write the lines above the house; gives where they end."""
    for text, size, bold, ink in _headlines(view):
        for line in wrap(text, width, size, bold=bold):
            sheet.text(x, y + size, line, size, fill=ink, **({"font_weight": "bold"} if bold else {}))
            y += size + 5
    return y


def boxes(view: GameView, chips: Chips, lines: str = LINES) -> list[Box]:
    """What lies beside the house, with a word on the `lines` around rooms."""
    explorers = [explorer_box(view, chips, one) for one in view.explorers]
    high = max(
        (box.height for box in explorers), default=0.0
    )  # all of one height, so that they come in the order of seats
    for box in explorers:
        box.height = high
    others = (
        haunt_box(view),
        *book_boxes(view),
        monsters_box(view, chips),
        tokens_box(view, chips),
        floor_box(view, chips),
        rulings_box(view),
        stacks_box(view) if view.decks else None,
        signs_box(view, lines),
    )
    return [*explorers, *[box for box in others if box is not None]]


def _headlines(view: GameView) -> Iterator[tuple[str, float, bool, str]]:
    """Text, size, weight and ink of the lines above the house."""
    yield _turn(view), HEADLINE, True, BLACK
    role = ROLES.get(view.role, view.role.replace(":", " "))
    yield f"Game {view.game}, commit {view.version}, as {role} saw it", TEXT, False, GRAY
    titles = {one.seat: one.title for one in view.explorers}
    for one in view.waiting:
        who = who_is_awaited(one, lambda seat: titles.get(seat, f"seat {seat}"))
        if one.kind != "turn":
            yield f"Waiting for {who}: {one.text}", TEXT, False, DARK


def _won(view: GameView) -> str:
    if not view.winner:
        return "The game is over, and nobody has won"
    seat = seat_of_side(view.winner)
    who = view.explorers[seat].title if seat >= 0 else f"The {view.winner}"
    return f"{who} {'have' if view.winner == 'heroes' else 'has'} won"


def _turn(view: GameView) -> str:
    if view.status == "finished":
        return f"{_won(view)}: {view.because}".rstrip(": ")
    if view.status == "abandoned":
        return f"The game was abandoned: {view.because}".rstrip(": ")
    seat = view.turn.seat
    if not view.explorers or (seat is None and not view.turn.monsters):
        return "The game has not started yet"
    player = "the hidden traitor" if seat is None else view.explorers[seat].title
    return f"Turn {view.turn.number}: {f'the monsters, played by {player}' if view.turn.monsters else player}"


def titled(view: GameView) -> str:
    """What the picture is called."""
    return " · ".join(text for text, *_ in list(_headlines(view))[:2])


def described(view: GameView) -> str:
    """The picture in words, for people who can't see it."""
    sentences = [closed(_turn(view))]
    if view.haunt is not None:
        sentences.append(closed(f"Haunt: {view.haunt.title}"))
    for floor, name in FLOORS.items():
        rooms = [room for room in view.rooms if room.floor == floor]
        if rooms:
            sentences.append(closed(f"{name}: {'; '.join(_told(view, room.id, room.title) for room in rooms)}"))
    return " ".join(sentences)


def _told(view: GameView, room: str, title: str) -> str:
    here = [one.title for one in view.explorers if one.alive and one.room == room]
    here += [f"the corpse of {one.title}" for one in view.explorers if one.corpse and one.room == room]
    here += [f"{one.title}{' (stunned)' if one.stunned else ''}" for one in view.monsters if one.room == room]
    here += [f"{one.count} {one.title}" for one in view.tokens if one.room == room]
    here += [view.cards[card].title for pile in view.piles if pile.room == room for card in pile.cards]
    here += [view.cards[card].title for card, place in view.companions.items() if place == room]
    return f"{title} with {enumerated(here)}" if here else title
