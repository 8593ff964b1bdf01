"""Attacks: who may attack whom with what, both rolls, and what winning brings (rulebook: Make an Attack)."""

from __future__ import annotations

from typing import Literal

from content.vocabulary.pack import Attack as AttackMode
from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.commands import Attack
from domain.facts.events import AttackDecided, ExplorerAttacked, Fizzled, Used
from domain.facts.ids import figure_id, is_own_side
from domain.facts.refusal import Refused
from domain.facts.state import Figure, State, is_explorer
from domain.house.paths import ways
from domain.house.sight import in_sight
from domain.queries.characters import has_trait, opposed, side_of
from domain.queries.rooms import opaque_rooms
from domain.rulebook.cards.drawing import seat_of
from domain.rulebook.explore.moving import gone
from domain.rulebook.fight.harm import hurt_monster
from domain.rulebook.fight.spoils import Attacking, damage_rule, dice_of, kills, mode_of, stealable, win
from domain.rulebook.table.hiding import show
from domain.rulebook.table.limits import haunt_bars

_Among = Literal["opponents", "all", "none"]


def weapons(rules: Rules, state: State, figure: Figure) -> list[str | None]:
    """Bare hands, and the cards with which the character may attack now (2E-ITEM-020, 2E-ITEM-021, 2E-ITEM-002)."""
    found: list[str | None] = [None]
    gained: list[str] = []
    if is_explorer(figure):
        cards, gained = state.explorers[figure].cards, state.explorers[figure].gained
    else:
        monster = state.monsters[figure]
        cards = monster.cards
        if not cards or not rules.pack.monster(state, monster.kind).uses_items:
            return found
    for card in cards:
        if rules.pack.card(card).attack is None:
            continue
        if rules.edition.cards.one_action and f"card:{card}" in state.used:
            continue
        if not rules.edition.cards.new_usable and card in gained:
            continue  # 3E-WPN-004
        if rules.pack.bars and haunt_bars(rules, state, figure, f"card:{card}", ""):
            continue
        found.append(card)
    return found


def may_attack(state: State, figure: Figure) -> bool:
    """Whether the character still has its attack this turn (2E-ATK-001, 2E-ATK-002)."""
    if state.haunt is None or not state.haunt.started:
        return False
    if is_explorer(figure):
        explorer = state.explorers[figure]
        return explorer.alive and not explorer.attacked and explorer.held is None
    monster = state.monsters[figure]
    return monster.attacks and not monster.attacked and not monster.stunned


def targets(rules: Rules, state: State, figure: Figure, weapon: str | None) -> list[Figure]:
    """Opponents within reach who have the trait (2E-ATK-003, 2E-ATK-011, 2E-DIST-001).

    A stunned monster is among them only where something can be gained by defeating it; nobody is asked what (2E-ATK-013).
    """
    mode = mode_of(rules, state, figure, weapon)
    room, part = state.stands_at(figure)
    far = in_sight(state, room, blocked=opaque_rooms(rules, state)) if mode.range == "line-of-sight" else []
    if mode.range == "adjacent":
        far = [one for one, _ in ways(state, state.rooms[room], part, monster=not is_explorer(figure))]

    def within_reach(other: Figure) -> bool:
        there, side = state.place_of(other)
        return there in far or side == part

    rooms = {room, *far}
    near: list[Figure] = [one.seat for one in state.explorers if one.room in rooms and one.alive and one.seat != figure]
    near += [name for name, one in state.monsters.items() if one.room in rooms and name != figure]
    if not near:
        return []
    explorers = _explorers_as_targets(rules, state)
    found = [
        other
        for other in near
        if within_reach(other) and _is_target(state, figure, other, explorers) and has_trait(state, other, mode.trait)
    ]
    return [
        foe
        for foe in found
        if is_explorer(foe)
        or not state.monsters[foe].stunned
        or rules.edition.monsters.fight_stunned
        or kills(rules, state, mode, foe)
        or stealable(rules, state, figure, mode, foe)
    ]


def _is_target(state: State, figure: Figure, other: Figure, explorers: _Among) -> bool:
    """Whether a character may attack another; `explorers` says which explorers an explorer may."""
    if explorers == "opponents" or not is_explorer(figure) or not is_explorer(other):
        return opposed(state, other, figure)
    return explorers == "all"


def _explorers_as_targets(rules: Rules, state: State) -> _Among:
    """Which other explorers an explorer may attack: opponents, or everybody where the traitor was dealt in secret.

    That holds to the end of the haunt, whoever is revealed (2E-HID-009, ruling). In a haunt with a truce it is nobody while
    the traitor is unknown.
    """
    haunt = state.haunt
    if haunt is None:
        return "opponents"
    sheet = rules.pack.haunts[haunt.id]
    if sheet.truce:
        return "none" if haunt.hidden else "opponents"
    return "all" if sheet.kind == "hidden-traitor" else "opponents"


def check_attack(rules: Rules, state: State, command: Attack, figure: Figure) -> None:
    """Whether the attack may be made.

    Raises:
        Refused: before the haunt, a second attack, a weapon not held or used up, a target that is not an opponent, out of reach,
            or without the trait.
    """
    cite = rules.cite
    if state.haunt is None:
        raise Refused("nobody can attack before the haunt", rule=cite.no_attack_yet)
    if not may_attack(state, figure):
        if not is_explorer(figure) and not state.monsters[figure].attacks:
            raise Refused("the haunt does not let {} attack", figure_id(figure), rule=cite.haunt_precedence)
        rule = cite.one_attack if is_explorer(figure) else cite.monster_attack_once
        raise Refused("no attack is left this turn", rule=rule)
    if command.weapon is not None and command.weapon not in weapons(rules, state, figure):
        rule = _why_not_with(rules, state, command.weapon, figure)
        raise Refused("{} can't be used to attack now", f"card:{command.weapon}", rule=rule)
    if command.target not in targets(rules, state, figure, command.weapon):
        what = _what_not(rules, state, command.target)
        raise Refused(what, figure_id(command.target), rule=_why_not(rules, state, command, figure))


def _what_not(rules: Rules, state: State, target: Figure) -> str:
    if not is_explorer(target) or state.character(target) is None or state.explorers[target].alive:
        return "{} can't be attacked now"
    instead = ": loot the corpse" if rules.edition.cards.corpses_keep else ""
    return f"{{}} is dead, and the dead are not attacked{instead}"


def _why_not_with(rules: Rules, state: State, weapon: str, figure: Figure) -> str:
    """The rule that keeps a character from attacking with a card."""
    cite = rules.cite
    if is_explorer(figure):
        cards, gained, rule = state.explorers[figure].cards, state.explorers[figure].gained, cite.weapons
    else:
        cards, gained, rule = state.monsters[figure].cards, [], cite.monster_items
        if not rules.pack.monster(state, state.monsters[figure].kind).uses_items:
            return rule
    if weapon not in cards or rules.pack.card(weapon).attack is None:
        return rule
    if barred := haunt_bars(rules, state, figure, f"card:{weapon}", ""):
        return barred
    return cite.new_weapon if weapon in gained and not rules.edition.cards.new_usable else cite.one_item_action


def _why_not(rules: Rules, state: State, command: Attack, figure: Figure) -> str:
    cite, target = rules.cite, command.target
    if state.character(target) is None or target == figure:
        return cite.opponents
    explorers = _explorers_as_targets(rules, state)
    if explorers == "none" and is_explorer(target) and is_explorer(figure):
        return cite.anyone
    if is_explorer(target) and not state.explorers[target].alive:
        return cite.same_room
    if not _is_target(state, figure, target, explorers):
        return (not is_explorer(figure) and cite.monster_foes) or cite.opponents
    (there, there_part), (here, part) = state.place_of(target), state.stands_at(figure)
    if there == here and there_part != part:
        return cite.across_barrier
    mode = mode_of(rules, state, figure, command.weapon)
    if there != here:
        far = mode.range == "line-of-sight"
        return cite.sight if far else cite.same_room if is_explorer(figure) else cite.monster_reach
    return cite.stunned_target if has_trait(state, target, mode.trait) else cite.missing_trait


def perform_attack(m: Machine, command: Attack, figure: Figure) -> None:
    """Start an attack."""
    check_attack(m.rules, m.state, command, figure)
    far = m.state.place_of(command.target) != m.state.stands_at(figure)
    m.call("attack", attacker=figure, target=command.target, weapon=command.weapon or "", far=far)


# -- the procedure ------------------------------------------------------------------------------------------------------------


def _mode(m: Machine, f: Frame[Attacking]) -> AttackMode:
    return mode_of(m.rules, m.state, f.vars["attacker"], f.vars["weapon"] or None)


def announce(m: Machine, f: Frame[Attacking]) -> None:
    """The attack is this turn's attack; its weapon has had its action (2E-ITEM-014)."""
    attacker, weapon = f.vars["attacker"], f.vars["weapon"]
    mode = _mode(m, f)
    show(m, attacker)
    show(m, f.vars["target"])
    m.emit(
        ExplorerAttacked(
            figure=attacker,
            target=f.vars["target"],
            trait=mode.trait,
            weapon=weapon,
            besides=f.vars.get("besides", False),
            rule=_announced(m, f, mode),
        )
    )
    if weapon:
        m.emit(Used(key=f"card:{weapon}", per="turn", seat=seat_of(attacker), rule=m.rules.cite.one_item_action))


def pay(m: Machine, f: Frame[Attacking]) -> bool | None:
    """What a weapon costs; where the table plays so, its bearer may keep that and forgo what it gives."""
    weapon, mode = f.vars["weapon"], _mode(m, f)
    if not weapon or not mode.cost:
        return None
    attacker = f.vars["attacker"]
    if mode.free_by_ruling is not None and m.rules.plays_by(m.state, mode.free_by_ruling):
        chosen = m.choose(f, m.rules.controller(m.state, attacker), f"attack-cost:{weapon}", ["pay", "keep"])
        if chosen is None:
            return WAIT
        if chosen == "keep":
            f.vars["kept"] = True
            return None
    m.call(f"card/{weapon}#attack.cost", you=attacker, src=f"card:{weapon}")
    return None


def _announced(m: Machine, f: Frame[Attacking], mode: AttackMode) -> str:
    """The rule that allows the attack as it is made."""
    cite, attacker, target = m.rules.cite, f.vars["attacker"], f.vars["target"]
    if f.vars.get("besides"):
        return cite.card_precedence
    if not is_explorer(target) and m.state.monsters[target].stunned:
        return cite.stunned_target
    if f.vars["far"]:
        return cite.distance if is_explorer(attacker) else cite.monster_distance
    if doubtful := _among_explorers(m, attacker, target):
        return doubtful
    if mode.trait != "might":
        return cite.other_trait if is_explorer(attacker) else cite.monster_trait
    if not is_explorer(attacker):
        return cite.monster_might or cite.attack
    if any(key.startswith("task:") and key.endswith(f"@{attacker}") for key in m.state.used):
        return cite.task_and_attack
    return _armed(m, attacker, f.vars["weapon"])


def _among_explorers(m: Machine, attacker: Figure, target: Figure) -> str:
    """The rule that lets an explorer be attacked whoever it is: the traitor is hidden, or all play against each other."""
    hidden = m.state.haunt is not None and m.state.haunt.hidden
    if not is_explorer(target):
        return ""
    if hidden or not opposed(m.state, target, attacker):
        return m.rules.cite.anyone
    return m.rules.cite.everybody if is_explorer(attacker) and is_own_side(side_of(m.state, target)) else ""


def _armed(m: Machine, attacker: int, weapon: str) -> str:
    """The rule on attacking with a weapon, or without it, by somebody who may hold several."""
    arms = sum(m.rules.pack.is_weapon(card) for card in m.state.explorers[attacker].cards)
    if arms and not weapon:
        return m.rules.cite.unarmed
    return m.rules.cite.one_weapon if arms > 1 else m.rules.cite.attack


def prepare(m: Machine, f: Frame[Attacking]) -> None:
    """Run what a weapon demands before the attack (Sacrificial Dagger)."""
    weapon = f.vars["weapon"]
    if weapon and _mode(m, f).before:
        f.vars["prepared"] = True
        m.call(f"card/{weapon}#attack.before", you=f.vars["attacker"], src=f"card:{weapon}", attack=True)


def attacker_rolls(m: Machine, f: Frame[Attacking]) -> None:
    """The attacker's dice; an attack roll is not a trait roll (2E-ROLL-009)."""
    attacker = f.vars["attacker"]
    if _over(m, f) or f.vars.get("forbidden"):
        f.finish()
        return
    mode = _mode(m, f)
    vars_ = {
        "who": attacker,
        "kind": "attack",
        "trait": mode.trait,
        "about": "attack",
        "extra": 0 if f.vars.get("kept") else dice_of(m.rules, m.state, mode),
        "bonus": mode.result,
    }
    if mode.max_dice is not None:
        vars_["most"] = mode.max_dice
    m.call("roll", **vars_)


def defender_rolls(m: Machine, f: Frame[Attacking]) -> None:
    """The defender's dice, with the same trait (2E-ATK-008); no weapon helps in defending (2E-ITEM-019)."""
    if _over(m, f):
        f.finish()
        return
    f.vars["attack"] = f.vars["roll"]
    target = f.vars["target"]
    for card in m.state.explorers[target].cards if is_explorer(target) else ():
        if m.rules.pack.card(card).attack is not None:
            m.apply_rule(f"card:{card}", m.rules.cite.no_defending)
    m.call("roll", who=target, kind="defense", trait=_mode(m, f).trait, about="attack")


def decide(m: Machine, f: Frame[Attacking]) -> None:
    """The higher result wins; equal results harm nobody (2E-ATK-006, 2E-ATK-007)."""
    f.vars["defense"] = f.vars["roll"]
    attack, defense = f.vars["attack"], f.vars["defense"]
    rule = m.rules.cite.attack_outcome if attack != defense else m.rules.cite.attack_tie
    m.emit(AttackDecided(figure=f.vars["attacker"], target=f.vars["target"], attack=attack, defense=defense, rule=rule))
    if _over(m, f):
        f.finish()
    elif attack < defense:
        f.goto("lose")
    elif attack == defense:
        f.finish()


def lose(m: Machine, f: Frame[Attacking]) -> None:
    """A defeated attacker takes the difference, but not at a distance or from the stunned (2E-DIST-003, 2E-ATK-014)."""
    attacker, target, mode = f.vars["attacker"], f.vars["target"], _mode(m, f)
    unfelt = not m.rules.edition.monsters.fight_stunned
    if unfelt and not is_explorer(target) and m.state.monsters[target].stunned:
        m.emit(Fizzled(what="counter-damage", rule=m.rules.cite.stunned_defends))
        return
    if mode.safe or (f.vars["far"] and m.rules.edition.fight.distance_safe):
        m.emit(Fizzled(what="counter-damage", rule=m.rules.cite.distance_safe))
        return
    amount = f.vars["defense"] - f.vars["attack"]
    if is_explorer(attacker):
        m.call("damage", victim=attacker, kind=mode.damage, amount=amount, source="attack", rule=damage_rule(m, mode))
    else:
        hurt_monster(m, attacker)


def _over(m: Machine, f: Frame[Attacking]) -> bool:
    """Whether attacker or target is gone by now; if so, tell everybody."""
    if gone(m.state, f.vars["attacker"]) or gone(m.state, f.vars["target"]):
        m.emit(Fizzled(what="attack"))
        return True
    return False


ATTACK = procedure("attack", announce, pay, prepare, attacker_rolls, defender_rolls, decide, win, lose)


# -- an attack that a card demands ----------------------------------------------------------------------------------------------


class Compelled(Waiting):
    """Bindings of `must-attack`."""

    attacker: int
    target: Figure


def arm(m: Machine, f: Frame[Compelled]) -> bool | None:
    """With what: bare hands, or a weapon that hurts such a target; the card overrides who can be attacked, when and where."""
    attacker, target = f.vars["attacker"], f.vars["target"]
    fit = [
        weapon or "bare-hands"
        for weapon in weapons(m.rules, m.state, attacker)
        if has_trait(m.state, target, mode_of(m.rules, m.state, attacker, weapon).trait)
    ]
    if not fit:
        m.emit(Fizzled(what="attack"))
        return None
    chosen = m.choose(f, attacker, "weapon", fit)
    if chosen is None:
        return WAIT
    weapon = "" if chosen == "bare-hands" else chosen
    m.call("attack", attacker=attacker, target=target, weapon=weapon, far=False, besides=True)
    return None


MUST_ATTACK = procedure("must-attack", arm)
