"""The steady bot's answers to questions, by what they are about."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from domain.facts.commands import Allocate, AnyCommand, Choose, Select
from projections.choices.families import Division, Places
from service.bots.brain import Generator
from service.bots.sight import MENTAL, PHYSICAL, TRAITS, trait
from service.bots.steady.moment import Moment

Answer = Callable[[Moment], str]
T = TypeVar("T")

BRINK = 2
"""Spaces above the skull up to which a trait is near to it."""
GOOD = 4
"""A result kept from earlier is worth using from here on."""
BLANK = "0"
"""A face that shows nothing."""


def answer(moment: Moment) -> AnyCommand:
    """Answer a decision that is not a turn."""
    decision = moment.decision
    if decision.kind == "allocation" and isinstance(moment.field, Division):
        return Allocate(decision=decision.id, points=divide(moment, moment.field))
    if decision.kind == "selection" and isinstance(moment.field, Places):
        return Select(decision=decision.id, chosen=blanks(moment.field))
    if decision.kind == "chance":
        return by_lot(moment, moment.commands)
    chosen = next((rule(moment) for start, rule in ANSWERS if decision.about.startswith(start)), "")
    options = moment.options
    return Choose(decision=decision.id, option=chosen if chosen in options else options[0])


def divide(moment: Moment, field: Division) -> dict[str, int]:
    """Damage goes where most is left above the skull, healing where most is missing, point by point."""
    points = dict.fromkeys(field.caps, 0)
    for _ in range(field.total):
        takers = [name for name in field.caps if points[name] < field.caps[name]]
        points[_next_taker(moment, takers, points)] += 1
    return {name: given for name, given in points.items() if given}


def _next_taker(moment: Moment, takers: list[str], points: dict[str, int]) -> str:
    traits = {name: trait(moment.me, name) for name in takers}
    if moment.decision.about == "heal":
        return min(takers, key=lambda name: traits[name].position - traits[name].start + points[name])
    return max(takers, key=lambda name: traits[name].position - points[name])


def blanks(field: Places) -> list[int]:
    """Dice that show nothing can only get better."""
    return [at for at, face in enumerate(field.of) if face == BLANK][: field.most]


def by_lot(moment: Moment, offered: Sequence[T]) -> T:
    """Whoever holds real dice and cards says what they show; a bot has none and draws lots."""
    return Generator(moment.memory.seed, moment.view.version).pick(offered)


def role_by_lot(moment: Moment) -> str:
    """Which token was dealt, where nobody deals: all bots of a table draw the same lots, so that no two take the same."""
    round_ = int(moment.decision.id[1:]) - moment.me.seat
    lots, left, chosen = Generator("tokens", round_), list(moment.options), ""
    for _ in range(moment.me.seat + 1):
        chosen = lots.pick(left)
        left.remove(chosen)
    return chosen


def react_to_a_roll(moment: Moment) -> str:
    """Help an attack, a defense and the haunt's work with what one has; anything else is not worth it."""
    about = moment.decision.about.partition(":")[2]
    if about != "attack" and not about.startswith("haunt/"):
        return "pass"
    devout = trait(moment.me, "sanity").position > BRINK
    offered = [
        one
        for one in moment.options
        if one != "pass" and (devout or not one.endswith("#PRAY")) and _kept(moment, one) >= GOOD
    ]
    return offered[0] if offered else "pass"


def _kept(moment: Moment, option: str) -> int:
    """The result that a card keeps for a later roll; a card that keeps none is good enough."""
    card = moment.view.cards.get(option.partition("#")[0].partition(":")[2])
    return int(card.state) if card is not None and card.state.isdigit() else GOOD


def react_to_harm(moment: Moment) -> str:
    """Near the skull a hidden traitor shows itself, and mental damage is better taken by the body."""
    if "reveal" in moment.options and _lowest(moment, TRAITS) <= BRINK:
        return "reveal"
    if _lowest(moment, MENTAL) <= BRINK < _lowest(moment, PHYSICAL):
        return next((one for one in moment.options if one.endswith("#CONVERT")), "pass")
    return "pass"


def _lowest(moment: Moment, traits: Iterable[str]) -> int:
    return min(trait(moment.me, name).position for name in traits)


def consent_to_a_gift(moment: Moment) -> str:
    """Take what is given for nothing; what one has one keeps."""
    offer = moment.decision.offer
    return "yes" if offer is not None and not offer.wants else "no"


def strongest_trait(moment: Moment) -> str:
    """Roll with the trait that has most dice, lose where there is most to lose."""
    return max(moment.options, key=lambda name: trait(moment.me, name).value)


def weakest_trait(moment: Moment) -> str:
    """Gain where there is least."""
    return min(moment.options, key=lambda name: trait(moment.me, name).position)


def highest_number(moment: Moment) -> str:
    """A result that one may name is as high as can be."""
    return max(moment.options, key=int)


def steal_what_the_haunt_needs(moment: Moment) -> str:
    """A thing of the haunt is worth more than a wound."""
    return next((one for one in moment.options if one != "damage" and moment.of_haunt([one])), "damage")


def come_closer(moment: Moment) -> str:
    """Monsters that may come nearer do."""
    return next((one for one in moment.options if one != "stay"), "stay")


def always(option: str) -> Answer:
    """The same answer whatever the moment."""
    return lambda _moment: option


ANSWERS: tuple[tuple[str, Answer], ...] = (
    ("before-roll:", react_to_a_roll),
    ("after-roll:", react_to_a_roll),
    ("before-harm:", react_to_harm),
    ("trade-with:", consent_to_a_gift),
    ("may:", always("yes")),
    ("witness:", always("yes")),
    ("entry:", always("yes")),
    ("role", role_by_lot),
    ("decline:", always("be-spared")),
    ("ignore:", always("ignore")),
    ("roll-trait", strongest_trait),
    ("lose-trait", strongest_trait),
    ("set-trait", strongest_trait),
    ("gain-trait", weakest_trait),
    ("name-result", highest_number),
    ("steal", steal_what_the_haunt_needs),
    ("shift:", come_closer),
    ("move-tile:", always("stay")),
    ("ruling", always("agree")),  # how to play on is for people to say
)
"""By the beginning of what a decision is about; where nothing fits, the first option is as good as any."""
