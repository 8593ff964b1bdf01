"""The steady bot's answers to questions, by subject."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from domain.facts.commands import Allocate, AnyCommand, Choose, Select
from domain.facts.ids import id_name
from projections.choices.families import Division, Places
from service.bots.brain import Generator
from service.bots.steady.sight import MENTAL, PHYSICAL, TRAITS, Moment, trait, value

Answer = Callable[[Moment], str]
T = TypeVar("T")

BRINK = 2
"""A trait this close to the skull is in danger."""
GOOD = 4
"""The least kept result that is worth using."""
BLANK = "0"
"""A blank face."""


def answer(moment: Moment) -> AnyCommand:
    """Answer a decision that is not a turn."""
    decision = moment.decision
    if decision.kind == "allocation" and isinstance(moment.field, Division):
        return Allocate(decision=decision.id, points=divide(moment, moment.field))
    if decision.kind == "selection" and isinstance(moment.field, Places):
        # a reroll can only improve blank dice
        blanks = [at for at, face in enumerate(moment.field.of) if face == BLANK]
        return Select(decision=decision.id, chosen=blanks[: moment.field.most])
    if decision.kind == "chance":
        # a bot has no real dice or cards
        return Generator(moment.memory.seed, moment.view.version).pick(moment.commands)
    chosen = next((rule(moment) for start, rule in ANSWERS if decision.about.startswith(start)), "")
    options = moment.options
    return Choose(decision=decision.id, option=chosen if chosen in options else options[0])


def divide(moment: Moment, field: Division) -> dict[str, int]:
    """Put damage where most is left above the skull, and healing where most is missing, point by point."""
    points = dict.fromkeys(field.caps, 0)
    traits = {name: trait(moment.me, name) for name in field.caps}
    for _ in range(field.total):
        takers = [name for name in field.caps if points[name] < field.caps[name]]
        if moment.decision.about == "heal":
            taker = min(takers, key=lambda name: traits[name].position - traits[name].start + points[name])
        else:
            taker = max(takers, key=lambda name: traits[name].position - points[name])
        points[taker] += 1
    return {name: given for name, given in points.items() if given}


def role_by_lot(moment: Moment) -> str:
    """Draw lots for the dealt token. All bots of a table draw the same lots, so that no two take the same token."""
    round_ = int(moment.decision.id[1:]) - moment.me.seat
    lots, left, chosen = Generator("tokens", round_), list(moment.options), ""
    for _ in range(moment.me.seat + 1):
        chosen = lots.pick(left)
        left.remove(chosen)
    return chosen


def react_to_a_roll(moment: Moment) -> str:
    """Spend cards on attacks, defenses and the haunt's work, and on nothing else."""
    about = id_name(moment.decision.about)
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
    """The result that a card keeps for a later roll; a card without one is good enough."""
    card = moment.view.cards.get(id_name(option.partition("#")[0]))
    return int(card.state) if card is not None and card.state.isdigit() else GOOD


def react_to_harm(moment: Moment) -> str:
    """Near the skull, reveal a hidden traitor, and take mental damage as physical."""
    if "reveal" in moment.options and _lowest(moment, TRAITS) <= BRINK:
        return "reveal"
    if _lowest(moment, MENTAL) <= BRINK < _lowest(moment, PHYSICAL):
        return next((one for one in moment.options if one.endswith("#CONVERT")), "pass")
    return "pass"


def ignore_damage(moment: Moment) -> str:
    """Ignore what a tile would do; a hidden traitor does so near the skull alone, for everybody sees it."""
    openly = moment.decision.kind != "reaction"
    return "ignore" if "ignore" in moment.options and (openly or _lowest(moment, TRAITS) <= BRINK) else "suffer"


def _lowest(moment: Moment, traits: Iterable[str]) -> int:
    return min(trait(moment.me, name).position for name in traits)


def consent_to_a_gift(moment: Moment) -> str:
    """Accept gifts, refuse trades."""
    offer = moment.decision.offer
    return "yes" if offer is not None and not offer.wants else "no"


def strongest_trait(moment: Moment) -> str:
    """The best trait to roll, and to lose from."""
    return max(moment.options, key=lambda name: trait(moment.me, name).value)


def weakest_trait(moment: Moment) -> str:
    """The best trait to gain in."""
    return min(moment.options, key=lambda name: trait(moment.me, name).position)


def steal_what_the_haunt_needs(moment: Moment) -> str:
    """Steal a card of the haunt, or any where a hint says so, rather than wound."""
    cards = [one for one in moment.options if one != "damage"]
    anything = any(hint.steal for hint in moment.hints)
    return next((one for one in cards if anything or moment.of_haunt([one])), "damage")


def always(option: str) -> Answer:
    return lambda _moment: option


def be_the_traitor(moment: Moment) -> str:
    """A traitor has to fight all others: the weakest leaves it to somebody else."""
    mine, others = _strengths(moment)
    return "decline" if mine < min(others, default=0) else "accept"


def volunteer(moment: Moment) -> str:
    """The strongest takes it on."""
    mine, others = _strengths(moment)
    return "volunteer" if mine > max(others, default=0) else "pass"


def _strengths(moment: Moment) -> tuple[int, list[int]]:
    """Might and Speed together, of one's own explorer and of each other."""
    found = {one.seat: value(one, "might") + value(one, "speed") for one in moment.view.explorers if one.alive}
    mine = found.pop(moment.me.seat, 0)
    return mine, list(found.values())


ANSWERS: tuple[tuple[str, Answer], ...] = (
    ("before-roll:", react_to_a_roll),
    ("after-roll:", react_to_a_roll),
    ("before-harm:", react_to_harm),
    ("trade-with:", consent_to_a_gift),
    ("may:", always("yes")),
    ("witness:", always("yes")),
    ("entry:", always("yes")),
    ("role", role_by_lot),
    ("traitor", be_the_traitor),
    ("volunteers", lambda moment: moment.options[0]),
    ("volunteer", volunteer),
    ("decline:", always("be-spared")),
    ("ignore:", always("ignore")),
    ("ignore-damage:", ignore_damage),
    ("pass-over-symbol:", lambda moment: "draw" if moment.decision.kind == "reaction" else "pass-over"),
    ("roll-trait", strongest_trait),
    ("lose-trait", strongest_trait),
    ("set-trait", strongest_trait),
    ("gain-trait", weakest_trait),
    ("name-result", lambda moment: max(moment.options, key=int)),
    ("steal", steal_what_the_haunt_needs),
    ("shift:", lambda moment: next((one for one in moment.options if one != "stay"), "stay")),  # monsters come nearer
    ("move-tile:", always("stay")),
    ("ruling", always("agree")),  # people decide how to play on
)
"""By the beginning of the decision's subject; for all others the first option is as good as any."""
