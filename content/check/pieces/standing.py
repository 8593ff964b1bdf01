"""Which standing adjustment has an effect where: what a card does for its holder, what a token does to those in its room."""

from collections.abc import Iterator

from content.errors import Finding, listed
from content.survey import Survey, given
from content.vocabulary.abilities import Modify, Standing
from content.vocabulary.pack import Card, Tile, TokenKind

FOR_HOLDERS = (
    "reduce_damage",
    "spared",
    "move_limit",
    "trade_within",
    "may_pass_over",
    "may_bury_tile",
)
"""Only the holder of a card has these."""

FOR_ROOMS = ("blocks_sight", "slows")
"""Only a token in a room has these."""


def fits(survey: Survey) -> Iterator[Finding]:
    """An adjustment stands where it has an effect: nothing that always holds is read from a room, and cards and tokens differ."""
    for spot in survey.of(Standing):
        source = spot.inside(Card, Tile, TokenKind)
        if source is None:
            continue
        if isinstance(source.value, Tile):
            message = "a room adjusts nothing by itself, so this has no effect"
            yield Finding(spot.trail, message, "place a token there that has this `always`")
            continue
        is_card = isinstance(source.value, Card)
        for name in given(spot.value, FOR_ROOMS if is_card else FOR_HOLDERS):
            word, other = name.replace("_", "-"), FOR_HOLDERS if is_card else FOR_ROOMS
            whose, where = ("a card", "a token") if is_card else ("a token", "a card")
            known = listed(one.replace("_", "-") for one in ("modify", *other))
            message = f"`{word}` has no effect on {whose}: it may have {known}"
            yield Finding(spot.at(word), message, f"give it to {where}", key=True)


def whose(survey: Survey) -> Iterator[Finding]:
    """A token is held by nobody, and a card touches the rolls of its holder alone."""
    for spot in survey.of(Modify):
        source = spot.inside(Card, TokenKind)
        if source is None:
            continue
        is_card = isinstance(source.value, Card)
        if is_card and spot.value.whose != "holder":
            message = f"a card changes only its holder's rolls, not those `{spot.value.whose}`"
            yield Finding(spot.at("whose"), message, "leave `whose` out, or let it place a token")
        elif not is_card and spot.value.whose == "holder":
            message = "nobody holds a token, so no roll is changed"
            yield Finding(spot.trail, message, "write `whose: in-room` or `whose: heroes-in-room`")
