"""Whether an attack is worth it: what it can be expected to do to both, by floating-point odds that are near enough to choose by."""

from functools import cache

from domain.facts.chance import DIE_FACES
from domain.facts.commands import Attack
from domain.facts.spread import ways
from projections.view.people import ExplorerView, MonsterView
from projections.view.stacks import AttackView
from service.bots.sight import MENTAL, PHYSICAL, Sight, stands, value

MOST_DICE = 8
"""Weapons help to as many dice at the most (2E-ITEM-019)."""


@cache
def distribution(dice: int) -> tuple[float, ...]:
    """The chance of each sum of so many dice, from 0 up."""
    return tuple(number / DIE_FACES ** max(dice, 0) for number in ways(dice))


@cache
def margin(attack: int, defense: int, bonus: int = 0) -> dict[int, float]:
    """The chance of each difference between the sums of two rolls, the attacker's minus the defender's."""
    chances: dict[int, float] = {}
    for mine, p in enumerate(distribution(attack)):
        for theirs, q in enumerate(distribution(defense)):
            by = mine + bonus - theirs
            chances[by] = chances.get(by, 0.0) + p * q
    return chances


def chance_above(least: int, attack: int, defense: int, bonus: int = 0) -> float:
    """The chance that the attacker's sum is higher by more than so many points."""
    return sum(p for by, p in margin(attack, defense, bonus).items() if by > least)


def chance_below(least: int, attack: int, defense: int, bonus: int = 0) -> float:
    """The chance that the attacker's sum is lower by more than so many points."""
    return sum(p for by, p in margin(attack, defense, bonus).items() if -by > least)


def damage_dealt(attack: int, defense: int, bonus: int = 0) -> float:
    """Points that the attacker can expect to deal."""
    return sum(by * p for by, p in margin(attack, defense, bonus).items() if by > 0)


def damage_taken(attack: int, defense: int, bonus: int = 0) -> float:
    """Points that the attacker can expect to take."""
    return sum(-by * p for by, p in margin(attack, defense, bonus).items() if by < 0)


DEATH = 4.0
"""Points that the death of an explorer counts for, besides the wounds."""
LOSS = 0.75
"""Points that a monster killed by damage counts for: such monsters come in swarms."""
STUN = 0.5
"""Points that a stunned monster counts for: it misses a turn."""
BOLD = 0.6
"""What a traitor gives for its own wounds: it has to kill, and its monsters go on without it."""
BARE = AttackView(trait="might", damage="physical", dice=0, result=0, range="room")

Fighter = ExplorerView | MonsterView


def worth(sight: Sight, command: Attack) -> float:
    """Points by which an attack is expected to hurt the target more than the attacker; deaths count more."""
    attacker = sight.figure(command.monster if command.monster is not None else sight.me.seat)
    target = sight.figure(command.target)
    mode = _mode(sight, command)
    mine = value(attacker, mode.trait)
    mine = min(mine + mode.dice, max(mine, MOST_DICE))
    theirs = value(target, mode.trait)
    distant = (attacker.room, attacker.part) != (target.room, target.part)
    harmless = distant or (isinstance(target, MonsterView) and target.stunned)
    risk = 0.0 if harmless else _risk(attacker, mode, mine, theirs)
    return _gain(target, mode, mine, theirs) - (risk * BOLD if sight.side == "traitor" else risk)


def _mode(sight: Sight, command: Attack) -> AttackView:
    card = sight.view.cards.get(command.weapon) if command.weapon is not None else None
    return card.attack if card is not None and card.attack is not None else BARE


def _hurts(mode: AttackView) -> tuple[str, ...]:
    return PHYSICAL if mode.damage == "physical" else MENTAL


def _gain(target: Fighter, mode: AttackView, mine: int, theirs: int) -> float:
    if isinstance(target, MonsterView):
        return chance_above(0, mine, theirs, mode.result) * (LOSS if target.dies else STUN)
    killed = chance_above(stands(target, _hurts(mode)), mine, theirs, mode.result)
    return damage_dealt(mine, theirs, mode.result) + DEATH * killed


def _risk(attacker: Fighter, mode: AttackView, mine: int, theirs: int) -> float:
    if isinstance(attacker, MonsterView):
        return chance_below(0, mine, theirs, mode.result) * (LOSS if attacker.dies else STUN)
    killed = chance_below(stands(attacker, _hurts(mode)), mine, theirs, mode.result)
    return damage_taken(mine, theirs, mode.result) + DEATH * killed
