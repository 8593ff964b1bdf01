"""What is in a room, as signs with letters: its shape says what it is, its letters which one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from projections.board.fonts import width
from projections.board.ink import BLACK, CARD, DARK, WHITE, Sheet
from projections.naming.names import closed, readable
from projections.naming.signs import codes, initials
from projections.view.game import GameView
from projections.view.people import ExplorerView, MonsterView
from projections.view.rooms import TokenView

HEIGHT = 24.0
SPACE = 8.0
"""Between two signs, with room for the ring around the active one."""
SIZE = 11.0
"""Font size of the letters."""

TINTS = ("#f6c6c6", "#c9dcf7", "#cfe9c9", "#f9e3a8", "#e0cff2", "#f7d3b0")
"""Of explorers, by seat."""
COLORS = {
    "red": ("#a3202a", WHITE),
    "orange": ("#c2560c", WHITE),
    "yellow": ("#f2d024", BLACK),
    "green": ("#1f6b35", WHITE),
    "blue": ("#1f4f9c", WHITE),
    "purple": ("#5f2c86", WHITE),
    "magenta": ("#a3217c", WHITE),
}
"""Of monsters whose tokens have a color: the color below the letters, and that of the letters."""


class Chip(msgspec.Struct, frozen=True):
    """A sign."""

    shape: str
    """`explorer` (round), `monster` (pointed), `token` (square) or `items` (a card)."""
    letters: str
    title: str
    """What it stands for, in words."""
    what: str
    """Which one, for programs: `seat:0`, `rat-2`, `nest@attic`."""
    fill: str = WHITE
    ink: str = BLACK
    dashed: bool = False
    """Stunned, or a corpse."""
    ringed: bool = False
    """Whose turn it is."""

    @property
    def width(self) -> float:
        """As wide as its letters need."""
        slack = 18.0 if self.shape == "monster" else 10.0
        return max(HEIGHT + (6.0 if self.shape == "monster" else 0.0), width(self.letters, SIZE, bold=True) + slack)


class Chips:
    """The signs of one view; no two figures and no two kinds of things have the same."""

    def __init__(self, view: GameView, among: Sequence[GameView] = ()) -> None:
        """Name what is in a view; with the same signs in all of the pictures `among` which it stands."""
        shown = among or [view]
        self._view = view
        self._explorers = initials([one.title for one in view.explorers])
        kinds = list(dict.fromkeys(one.kind for each in shown for one in each.monsters))
        self.kinds = dict(zip(kinds, codes(kinds), strict=True))
        tokens = list(dict.fromkeys(one.token for each in shown for one in each.tokens))
        self.tokens = dict(zip(tokens, codes(tokens), strict=True))

    def within(self, room: str, part: int | None) -> list[Chip]:
        """Everything in (a part of) a room: explorers, monsters, tokens, and cards on the floor."""
        view = self._view

        def here(one: ExplorerView | MonsterView | TokenView) -> bool:
            return one.room == room and part in (None, one.part)

        found = [self.explorer(one) for one in view.explorers if (one.alive or one.corpse) and here(one)]
        found += [self.monster(one) for one in view.monsters if here(one)]
        found += [self.token(one) for one in view.tokens if here(one)]
        lying = [card for pile in view.piles if pile.room == room and part in (None, pile.part) for card in pile.cards]
        sides = view.companion_parts
        lying += [
            card for card, place in view.companions.items() if place == room and part in (None, sides.get(card, 0))
        ]
        return [*found, self.items(room, lying)] if lying else found

    def explorer(self, one: ExplorerView) -> Chip:
        """An explorer: black if it is known to be the traitor, dashed if its corpse lies there."""
        turn = self._view.turn
        traitor = one.side == "traitor"
        return Chip(
            "explorer",
            self._explorers[one.seat],
            f"{one.title} (seat {one.seat}){', the traitor' if traitor else ''}{', dead' if one.corpse else ''}",
            f"seat:{one.seat}",
            fill=BLACK if traitor else TINTS[one.seat],
            ink=WHITE if traitor else BLACK,
            dashed=one.corpse,
            ringed=turn.acting and not turn.monsters and turn.seat == one.seat,
        )

    def monster(self, one: MonsterView) -> Chip:
        """A monster by the letters of its kind and its number."""
        fill, ink = COLORS.get(one.color, (DARK, WHITE))
        return Chip(
            "monster",
            f"{self.kinds[one.kind]}{one.id.rpartition('-')[2]}",
            f"{one.title}{', stunned' if one.stunned else ''}{', hidden' if one.hides else ''}",
            one.id,
            fill=WHITE if one.stunned else fill,
            ink=BLACK if one.stunned else ink,
            dashed=one.stunned,
            ringed=self._view.turn.monsters and self._view.turn.active == one.id,
        )

    def token(self, one: TokenView) -> Chip:
        """Tokens of a name, with their number."""
        count = f"{one.count} " if one.count > 1 else ""
        what = f"{one.token}@{one.room}" + (f":{one.part}" if one.part else "")
        return Chip("token", f"{count}{self.tokens[one.token]}", f"{one.title}: {one.count}", what)

    def items(self, room: str, cards: Sequence[str]) -> Chip:
        """Cards on the floor: how many."""
        told = " ".join(told_card(self._view, card) for card in cards)
        return Chip("items", str(len(cards)), f"On the floor: {told}", f"floor:{room}", fill=CARD)


def told_card(view: GameView, card: str) -> str:
    """What a pointer shows of a card: its title, its state, and its rules."""
    sheet = view.cards.get(card)
    if sheet is None:
        return closed(readable(card))
    return " ".join([closed(named_card(view, card)), *sheet.rules])


def named_card(view: GameView, card: str) -> str:
    """A card's title, with the state that it is in."""
    sheet = view.cards.get(card)
    if sheet is None:
        return readable(card)
    return f"{sheet.title} ({sheet.state})" if sheet.state else sheet.title


def rows(chips: Sequence[Chip], limit: float) -> list[list[Chip]]:
    """Signs on rows that are not wider than a limit."""
    found: list[list[Chip]] = []
    left = 0.0
    for chip in chips:
        if not found or chip.width > left:
            found.append([])
            left = limit
        found[-1].append(chip)
        left -= chip.width + SPACE
    return found


def draw(sheet: Sheet, chip: Chip, x: float, y: float) -> None:
    """Draw a sign with its top left corner at a point."""
    wide, middle = chip.width, y + HEIGHT / 2
    look: dict[str, str | float] = {"fill": chip.fill, "stroke": BLACK, "stroke_width": 1.5}
    if chip.dashed:
        look["stroke_dasharray"] = "3 2"
    with sheet.group(chip.what, chip.title):
        if chip.shape == "explorer":
            sheet.rect(x, y, wide, HEIGHT, rx=HEIGHT / 2, **look)
        elif chip.shape == "monster":
            sides = ((x, middle), (x + 7, y), (x + wide - 7, y), (x + wide, middle))
            sheet.polygon([*sides, (x + wide - 7, y + HEIGHT), (x + 7, y + HEIGHT)], **look)
        elif chip.shape == "items":
            folded = [(x, y), (x + wide - 7, y), (x + wide, y + 7), (x + wide, y + HEIGHT), (x, y + HEIGHT)]
            sheet.polygon(folded, **look)
            sheet.polyline(
                [(x + wide - 7, y), (x + wide - 7, y + 7), (x + wide, y + 7)], stroke=BLACK, stroke_width=1.0
            )
        else:
            sheet.rect(x, y, wide, HEIGHT, **look)
        if chip.ringed:
            sheet.rect(
                x - 3, y - 3, wide + 6, HEIGHT + 6, rx=HEIGHT / 2 + 3, fill="none", stroke=BLACK, stroke_width=1.5
            )
        anchor: dict[str, str | float] = {"text_anchor": "middle", "font_weight": "bold", "fill": chip.ink}
        sheet.text(x + wide / 2, middle + SIZE * 0.36, chip.letters, SIZE, **anchor)
