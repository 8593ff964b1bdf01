"""How wide a text may become: bounds that hold for every font that the picture names, so that nothing overlaps on any machine."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

FAMILY = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
"""From the narrowest to the widest."""

REGULAR = (
    "318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838 838 838 "
    "531 1015 684 686 722 770 667 611 778 752 295 500 667 557 863 748 787 667 787 722 667 611 732 684 989 685 667 685 390 337 390 "
    "838 556 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 "
    "636 838"
)
BOLD = (
    "348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696 696 400 400 838 838 838 "
    "611 1000 774 762 734 830 683 683 821 837 372 556 775 637 995 837 850 733 850 770 720 682 812 774 1103 771 724 725 457 365 457 "
    "838 556 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924 645 652 582 712 365 "
    "712 838"
)
"""Of the characters from blank to tilde, in thousandths of the size: the greatest of DejaVu Sans and Arial."""

WIDTHS = tuple(tuple(int(number) for number in table.split()) for table in (REGULAR, BOLD))
OTHER = (1150, 1250)
"""Of any other character."""
FIRST = 32


@lru_cache(maxsize=4096)
def width(text: str, size: float, *, bold: bool = False) -> float:
    """The widest that a text can be, in units of the drawing."""
    widths, other = WIDTHS[bold], OTHER[bold]
    total = 0
    for sign in text:
        place = ord(sign if sign.isascii() else unicodedata.normalize("NFD", sign)[0]) - FIRST
        total += widths[place] if 0 <= place < len(widths) else other
    return total * size / 1000


def wrap(text: str, limit: float, size: float, *, bold: bool = False) -> list[str]:
    """A text on lines no wider than a limit; a wider word is broken. Nothing is left out."""
    lines: list[str] = []
    line = ""
    for word in _pieces(text, limit, size, bold=bold):
        longer = f"{line} {word}" if line else word
        if line and width(longer, size, bold=bold) > limit:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines


def _pieces(text: str, limit: float, size: float, *, bold: bool) -> Iterator[str]:
    """Words; one too long for a line comes in pieces."""
    for word in text.split():
        if width(word, size, bold=bold) <= limit:
            yield word
            continue
        piece = ""
        for sign in word:
            if piece and width(piece + sign, size, bold=bold) > limit:
                yield piece
                piece = ""
            piece += sign
        yield piece
