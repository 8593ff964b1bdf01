"""Names that can be told apart: characters that show nothing, and names that look alike."""

import unicodedata
from functools import lru_cache
from importlib.resources import files

UNICODE = unicodedata.unidata_version
ONE = {ord("1"): "i"}
SELECTORS = range(0xE0100, 0xE01F0)
"""Variants of glyphs, most of which no font has."""
MARKS = range(0x300, 0x370)
"""Combining accents, which are folded away; marks of other scripts are letters."""
BLANKS = dict.fromkeys((0x2800, 0x16FE4, 0x1D159), " ")
"""Signs that show nothing between letters, though Unicode calls them neither blanks nor ignorable formats: an empty braille pattern and the like."""
STROKES = {
    ord(struck): plain
    for struck, plain in zip(
        "ØøŁłĐđĦħŦŧƀƗɨɆɇɃɈɉɌɍɎɏǤǥƵƶȺȾⱥⱦȻȼɟʉɄƟɵꝀꝁ", "OoLlDdHhTtbIiEeBJjRrYyGgZzATatCcjuUOoKk", strict=True
    )
}
"""Letters with a stroke, which look as those with a combining stroke do; NFKD leaves them as they are."""
STYLES = range(0xFE00, 0xFE10)
"""Choose between text and emoji, as part of many an emoji, and show nothing behind anything else: folded away, too."""
NOBODY_KNOWS = ("Cn", "Co", "Cs")
"""Categories of code points that are unassigned, for private use, or halves of a pair: each font shows what it likes, most the same box."""


def unassigned(name: str) -> str:
    """The first code point of a name that is unassigned or for private use, as `U+E000`; nothing if there is none."""
    return next((f"U+{ord(one):04X}" for one in name if unicodedata.category(one) in NOBODY_KNOWS), "")


def shows(name: str) -> bool:
    """Whether every character of a name shows something, or goes with one that does."""
    shown = (
        one for one in name.translate(BLANKS) if ord(one) not in MARKS and ord(one) not in STYLES and not one.isspace()
    )
    return any(shown) and not any(unicodedata.category(one) == "Cf" or ord(one) in SELECTORS for one in name)


def looks(name: str) -> frozenset[str]:
    """What a name may be read as, letters in either case; two names that share one of these look alike.

    A capital I looks like a small l and a small i does not, so letters are made small both before and after. A 1 looks like both.
    """
    first, table = _confusables()
    folded = unicodedata.normalize("NFKD", name.translate(first)).translate(BLANKS | STROKES)
    plain = "".join(one for one in folded if ord(one) not in MARKS and ord(one) not in STYLES)
    small = plain.casefold()
    read = (small.translate(table), plain.translate(table).casefold(), small.translate(ONE).translate(table))
    return frozenset(" ".join(one.split()) for one in read)


@lru_cache(maxsize=1)
def _confusables() -> tuple[dict[int, str], dict[int, str]]:
    """What looks like ASCII: that which has to be read before NFKD, which makes blanks of some accents; and all of it."""
    lines = files(__package__).joinpath("confusables.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    table = {int(point, 16): seen for seen, *points in rows for point in points}
    first = {point: seen for point, seen in table.items() if not unicodedata.is_normalized("NFKD", chr(point))}
    return first, table
