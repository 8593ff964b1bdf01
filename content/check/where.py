"""The words for somebody (`Who`) and for somewhere (`Place`)."""

from collections.abc import Iterator

from content.check.walk import Survey
from content.errors import Finding, did_you_mean, listed
from content.vocabulary.values import Place, Who

WHO_WORDS = ("you", "target", "traitor", "nearest-explorer", "left-of-you", "right-of-you")
HOLDER = "holder:"

PLACE_WORDS = ("here", "target-room", "placed-room", "other-token", "room-of-haunt")
TOKEN = "token:"  # noqa: S105 - a counter of cardboard, no secret
ROOM_OF = "room-of:"


def is_who(text: str) -> bool:
    """Tell whether a text names somebody: a known word, or the holder of a card."""
    return text in WHO_WORDS or (text.startswith(HOLDER) and text != HOLDER)


def who(survey: Survey) -> Iterator[Finding]:
    """Somebody is named by a known word, by the card held, or by an `Each`."""
    for _, trail, text in survey.strings(Who):
        if not is_who(text):
            yield _nobody(trail, text)


def place(survey: Survey) -> Iterator[Finding]:
    """A place with a colon is `token:<name>` or `room-of:<who>`; one without is a known word or a room."""
    for _, trail, text in survey.strings(Place):
        prefix, colon, rest = text.partition(":")
        if colon and f"{prefix}:" not in {TOKEN, ROOM_OF}:
            yield Finding(trail, f"`{text}` is no place", did_you_mean(f"{prefix}:", (TOKEN, ROOM_OF)))
        elif colon and not rest:
            yield Finding(trail, f"`{text}` lacks what comes after the colon")
        elif prefix == ROOM_OF.removesuffix(":") and not is_who(rest):
            yield _nobody(trail, rest)


def _nobody(trail: tuple[str | int, ...], text: str) -> Finding:
    known = (*WHO_WORDS, HOLDER)
    hint = did_you_mean(text, known) or f"known are {listed(WHO_WORDS)} and `{HOLDER}<card>`"
    return Finding(trail, f"`{text}` is nobody", hint)
