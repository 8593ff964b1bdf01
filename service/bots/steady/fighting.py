"""Whether an attack is worth it: what it can be expected to do to both."""

from domain.commands import Attack
from projections.people import ExplorerView, MonsterView
from projections.stacks import AttackView
from service.bots.odds import MOST_DICE, chance_above, chance_below, damage_dealt, damage_taken
from service.bots.sight import MENTAL, PHYSICAL, Sight, stands, value

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
