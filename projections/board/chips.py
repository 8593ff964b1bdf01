"""What is in a room, as signs: the shape says what it is, letters or a small drawing which one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from content.vocabulary.base import Icon
from projections.board.fonts import width
from projections.board.icons import DRAWINGS
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
ICON = 18.0
EDGE = 3.0
"""Around an icon."""

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
    icon: Icon | None = None
    """Of a token: stands before the letters."""

    @property
    def width(self) -> float:
        """As wide as its letters need."""
        if self.icon:
            return ICON + 2 * EDGE + (width(self.letters, SIZE, bold=True) + EDGE if self.letters else 0.0)
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
        self.tokens = _signs({one.token: one.icon for each in shown for one in each.tokens})
        """By token, in the order in which they came: its icon, and its letters where it has no icon of its own."""

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

    def monsters(self, first: MonsterView, count: int) -> Chip:
        """Several monsters of a kind, by their number; a single one as it is."""
        if count == 1:
            return self.monster(first)
        fill, ink = COLORS.get(first.color, (DARK, WHITE))
        title = f"{first.title.removesuffix(first.id.rpartition('-')[2]).strip()}: {count}"
        return Chip("monster", f"{count}{self.kinds[first.kind]}", title, f"kind:{first.kind}", fill=fill, ink=ink)

    def token(self, one: TokenView) -> Chip:
        """Tokens of a name, with their number."""
        what = f"{one.token}@{one.room}" + (f":{one.part}" if one.part else "")
        return self.tokens_of(one.token, f"{one.title}: {one.count}", what, one.count)

    def tokens_of(self, token: str, title: str, what: str, count: int = 1) -> Chip:
        """The sign of a token."""
        icon, letters = self.tokens[token]
        numbered = " ".join([*([str(count)] if count > 1 else []), *([letters] if letters else [])])
        return Chip("token", numbered, title, what, icon=icon)

    def items(self, room: str, cards: Sequence[str]) -> Chip:
        """Cards on the floor: how many."""
        told = " ".join(told_card(self._view, card) for card in cards)
        return Chip("items", str(len(cards)), f"On the floor: {told}", f"floor:{room}", fill=CARD)


def _signs(tokens: dict[str, str]) -> dict[str, tuple[Icon | None, str]]:
    """Icons and letters by token. Tokens that have one icon in common are told apart by the words that they do not have in common."""
    icons = {token: icon if icon in DRAWINGS else None for token, icon in tokens.items()}
    letters: dict[str, str] = {}
    for icon in dict.fromkeys(icons.values()):
        alike = [token for token in tokens if icons[token] == icon]
        if icon is None:
            letters |= zip(alike, codes(alike), strict=True)
        elif len(alike) > 1:
            common = set.intersection(*[set(token.split("-")) for token in alike])
            own = ["-".join(word for word in token.split("-") if word not in common) or token for token in alike]
            letters |= zip(alike, codes(own), strict=True)
    return {token: (icons[token], letters.get(token, "")) for token in tokens}


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


def draw(sheet: Sheet, chip: Chip, x: float, y: float, scale: float = 1.0) -> None:
    """Draw a sign with its top left corner at a point."""
    wide, high = chip.width * scale, HEIGHT * scale
    slope, size, middle = 7 * scale, SIZE * scale, y + high / 2
    look: dict[str, str | float] = {"fill": chip.fill, "stroke": BLACK, "stroke_width": 1.5}
    if chip.dashed:
        look["stroke_dasharray"] = "3 2"
    with sheet.group(chip.what, chip.title):
        if chip.shape == "explorer":
            sheet.rect(x, y, wide, high, rx=high / 2, **look)
        elif chip.shape == "monster":
            sides = ((x, middle), (x + slope, y), (x + wide - slope, y), (x + wide, middle))
            sheet.polygon([*sides, (x + wide - slope, y + high), (x + slope, y + high)], **look)
        elif chip.shape == "items":
            left, right, fold = x + wide - slope, x + wide, y + slope
            sheet.polygon([(x, y), (left, y), (right, fold), (right, y + high), (x, y + high)], **look)
            sheet.polyline([(left, y), (left, fold), (right, fold)], stroke=BLACK, stroke_width=1.0)
        else:
            sheet.rect(x, y, wide, high, **look)
        if chip.ringed:
            out = 3 * scale
            ring = (x - out, y - out, wide + 2 * out, high + 2 * out)
            sheet.rect(*ring, rx=high / 2 + out, fill="none", stroke=BLACK, stroke_width=1.5)
        before = 0.0
        if chip.icon:
            sheet.icon(x + EDGE * scale, y + EDGE * scale, ICON * scale, chip.icon)
            before = (ICON + EDGE) * scale
        if chip.letters:
            anchor: dict[str, str | float] = {"text_anchor": "middle", "font_weight": "bold", "fill": chip.ink}
            sheet.text(x + (before + wide) / 2, middle + size * 0.36, chip.letters, size, **anchor)
