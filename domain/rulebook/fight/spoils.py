"""What winning an attack brings: damage, a stunned or killed monster, or a card taken instead (rulebook: Make an Attack)."""

from __future__ import annotations

from typing import NotRequired

from content.vocabulary.pack import Attack as AttackMode
from content.vocabulary.pack import Stealing
from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.events import RuleApplied
from domain.facts.state import Figure, MonsterId, State, is_explorer
from domain.queries.characters import cards_of
from domain.rulebook.cards.drawing import holder
from domain.rulebook.fight.harm import hurt_monster
from domain.rulebook.fight.monsters import kill
from domain.rulebook.table.adjustments import reduction

BARE = AttackMode()
"""An attack with nothing but Might (2E-ATK-005)."""

STEAL_FROM = 2
"""The least physical damage for which a card may be taken instead (2E-STEAL-001)."""

NOT_TOLD = Stealing()
"""The default of haunts that do not change the rules on stealing."""


class Attacking(Waiting):
    """Bindings of `attack`."""

    attacker: Figure
    target: Figure
    weapon: str
    """The card attacked with, empty for bare hands."""
    far: bool
    """The two are not in the same place."""
    besides: NotRequired[bool]
    """A card demands it, in addition to the attack of the turn."""
    prepared: NotRequired[bool]
    kept: NotRequired[bool]
    """The attacker has kept what the weapon costs, and forgone its dice."""
    forbidden: NotRequired[bool]
    """The weapon failed its bearer before the dice were rolled."""
    roll: NotRequired[int]
    """The latest result, which `attack` or `defense` keeps."""
    attack: NotRequired[int]
    defense: NotRequired[int]
    loot: NotRequired[list[str]]
    """Cards that may be taken instead of damage."""


def mode_of(rules: Rules, state: State, figure: Figure, weapon: str | None) -> AttackMode:
    """The way of attacking: with a card, a monster's own, or bare."""
    if weapon is not None:
        return rules.pack.card(weapon).attack or BARE
    if not is_explorer(figure):
        return rules.pack.monster(state, state.monsters[figure].kind).attack or BARE
    return BARE


def dice_of(rules: Rules, state: State, mode: AttackMode) -> int:
    """The dice that a way of attacking adds at this table."""
    return next((dice for one, dice in mode.dice_by_ruling.items() if rules.plays_by(state, one)), mode.dice)


def kills(rules: Rules, state: State, mode: AttackMode, monster: MonsterId) -> bool:
    """Whether defeating the monster in this way kills it: by the way of attacking, or because damage does (2E-MON-004)."""
    kind = state.monsters[monster].kind
    return "any" in mode.kills or kind in mode.kills or rules.pack.monster(state, kind).dies


def stealable(rules: Rules, state: State, thief: Figure, mode: AttackMode, victim: Figure) -> list[str]:
    """Cards that the thief could take from the victim, winning by enough.

    In the same room only, by physical attacks, of what can be traded (2E-STEAL-002, 2E-STEAL-003); by monsters only where
    their haunt says so (2E-MON-009).
    """
    if not stealing(rules, state) or mode.damage != "physical" or not may_steal(rules, state, thief, mode):
        return []
    return takeable(rules, state, victim) if state.stands_at(thief) == state.place_of(victim) else []


def stealing(rules: Rules, state: State) -> bool:
    """Whether a card may be taken in place of damage at all: by the rules, or where they say no by the haunt (3E-TRADE-007)."""
    return rules.edition.cards.steal or _told_of(rules, state).granted


def takeable(rules: Rules, state: State, victim: Figure) -> list[str]:
    """Cards of a character that may be stolen in this turn, as far as they themselves and the haunt say."""
    told = _told_of(rules, state)
    if told.barred:
        return []
    return [
        card
        for card in cards_of(state, victim)
        if (card in told.cards or rules.pack.can(card, "steal")) and not spent(rules, state, victim, card)
    ]


def _told_of(rules: Rules, state: State) -> Stealing:
    """What the haunt in play says about stealing (2E-STEAL-004)."""
    return NOT_TOLD if state.haunt is None else rules.pack.haunts[state.haunt.id].stealing or NOT_TOLD


def inflicted(m: Machine, victim: Figure, amount: int) -> tuple[int, str]:
    """Physical damage that is left after reductions, and what reduces it; a monster counts what it would take (2E-STEAL-001)."""
    points, by = reduction(m, victim, "physical") if is_explorer(victim) else (0, "")
    return max(0, amount - points), by


def spent(rules: Rules, state: State, victim: Figure, card: str) -> bool:
    """Whether nobody can steal a card in this turn because it has had its action (2E-ITEM-013, ruling; PBP-ITEM-001).

    A card that its holder got from somebody else this turn has had it for everybody; a card that the holder used, only by post.
    """
    if not rules.edition.cards.one_action or f"card:{card}" not in state.used:
        return False
    got = is_explorer(victim) and card in state.explorers[victim].gained
    return got or rules.edition.cards.one_action_for_all


def may_steal(rules: Rules, state: State, thief: Figure, mode: AttackMode) -> bool:
    """Whether the character steals at all: explorers do, monsters only where their haunt says so (2E-MON-009)."""
    if is_explorer(thief):
        return True
    return mode.steals and rules.pack.monster(state, state.monsters[thief].kind).carries


def win(m: Machine, f: Frame[Attacking]) -> bool | None:
    """Damage equal to the difference, or a card instead of it (2E-STEAL-001); from a stunned monster what the attack was for."""
    attacker, target = f.vars["attacker"], f.vars["target"]
    mode = mode_of(m.rules, m.state, attacker, f.vars["weapon"] or None)
    amount = f.vars["attack"] - f.vars["defense"]
    dies = not is_explorer(target) and kills(m.rules, m.state, mode, target)
    loot = _loot(m, f, amount, mode)
    if loot:
        stunned = not is_explorer(target) and m.state.monsters[target].stunned
        options = loot if stunned and not dies else ["damage", *loot]
        chosen = m.choose(f, m.rules.controller(m.state, attacker), "steal", options)
        if chosen is None:
            return WAIT
        if chosen != "damage":
            by_haunt = chosen in _told_of(m.rules, m.state).cards
            m.emit(RuleApplied(source="attack", rule=m.rules.cite.other_reward))
            m.emit(RuleApplied(source="attack", rule=m.rules.cite.haunt_steals if by_haunt else m.rules.cite.steal))
            m.call("lose-card", seat=target, card=chosen, to=holder(attacker), stolen=True)
            f.finish()
            return None
    if is_explorer(target):
        m.call("damage", victim=target, kind=mode.damage, amount=amount, source="attack", rule=damage_rule(m, mode))
    elif dies:
        kill(m, target, m.rules.cite.haunt_precedence)
    else:
        hurt_monster(m, target)
    f.finish()
    return None


def _loot(m: Machine, f: Frame[Attacking], amount: int, mode: AttackMode) -> list[str]:
    """Cards that may be stolen now, and the rules that keep others or all of them from it."""
    attacker, target = f.vars["attacker"], f.vars["target"]
    if "asked" in f.vars or not stealing(m.rules, m.state):
        return list(f.vars.get("loot", []))
    held, told = cards_of(m.state, target), _told_of(m.rules, m.state)
    near = [card for card in held if amount >= told.cards.get(card, STEAL_FROM)]
    if mode.damage != "physical" or not near:
        return []
    if not f.vars["far"] and m.state.place_of(attacker) != m.state.place_of(target):
        return []  # an attack that a card demands reaches further than hands do
    cite = m.rules.cite
    if told.barred:
        m.emit(RuleApplied(source="attack", rule=cite.haunt_steals))
        return []
    if not may_steal(m.rules, m.state, attacker, mode) or f.vars["far"]:
        rule = cite.no_far_steal if is_explorer(attacker) else cite.monster_reach
        m.emit(RuleApplied(source="attack", rule=rule))
        return []
    left, by = inflicted(m, target, amount)
    free = [card for card in stealable(m.rules, m.state, attacker, mode, target) if card in near]
    loot = [card for card in free if left >= told.cards.get(card, STEAL_FROM)]
    if len(loot) < len(free):
        m.emit(RuleApplied(source=by, rule=cite.steal))
    if any(spent(m.rules, m.state, target, card) for card in near):
        m.emit(RuleApplied(source="attack", rule=cite.one_item_action))
    if not all(card in told.cards or m.rules.pack.can(card, "steal") for card in near):
        m.emit(RuleApplied(source="attack", rule=cite.only_tradable))
    f.vars["loot"] = loot
    return loot


def damage_rule(m: Machine, mode: AttackMode) -> str:
    """The rule about the kind of damage, where the attack is made with another trait than Might."""
    if mode.damage == "mental":
        return m.rules.cite.mental_attack
    return m.rules.cite.speed_attack if mode.trait == "speed" else ""
