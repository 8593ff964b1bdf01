"""Rules that say who becomes the traitor: each leads to somebody, and says nothing in vain (2E-HREV-003)."""

from collections.abc import Iterator

from content.check.walk import Survey
from content.errors import Finding
from content.vocabulary.pack import TraitorRule


def traitors(survey: Survey) -> Iterator[Finding]:
    """Only a named explorer may be out of the game, and the revealer is left out only of a comparison."""
    for spot in survey.of(TraitorRule):
        rule = spot.value
        compares = rule.highest or rule.lowest or rule.oldest or rule.youngest
        if rule.explorer is not None and rule.otherwise is None:
            message = f"nobody is the traitor where `{rule.explorer}` is not in the game"
            yield Finding(spot.at("explorer"), message, "say who is: `otherwise: {...}`", key=True)
        if rule.otherwise is not None and rule.explorer is None:
            yield Finding(spot.at("otherwise"), "this never applies: only an explorer may be missing", key=True)
        named = rule.explorer or rule.revealer or rule.left_of_revealer or rule.hidden or rule.none
        if rule.besides_revealer and named and not compares:
            hint = "it goes with `highest`, `lowest`, `oldest` and `youngest`"
            yield Finding(spot.at("besides-revealer"), "nobody is compared here", hint, key=True)
