"""Corpses: they lie where they are, with their cards, and can do nothing."""

from collections.abc import Iterator

from content.errors import Finding
from content.survey import Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action
from content.vocabulary.values import Each

LIFELESS = (
    "gain",
    "lose",
    "heal",
    "set_trait",
    "damage",
    "roll",
    "roll_each",
    "attacked",
    "must_attack",
    "draw",
    "search",
    "look",
    "take",
    "give",
    "lose_card",
    "choose",
    "trap",
    "kill",
    "escape",
    "change_side",
)
"""Verbs that can't be done by or to a corpse."""


def lifeless(survey: Survey) -> Iterator[Finding]:
    """Nothing that only the living can do is asked of a corpse, chosen by `who` or as the target of an action."""
    for spot in survey.of(Effect):
        who, action = spot.value.who, spot.inside(Action)
        if who == "target" and action is not None:
            who = action.value.target
        said = spot.value.verb()
        if isinstance(who, Each) and who.each == "corpse" and said is not None and said[0] in LIFELESS:
            verb = said[0].replace("_", "-")
            message = f"a corpse can't `{verb}`: it is only where it lies, with its cards"
            yield Finding(spot.at(verb), message, "take from it, put something `here`, or `remove` it", key=True)
