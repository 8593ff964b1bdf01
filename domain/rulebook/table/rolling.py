"""A roll, from counting the dice to its result, with the windows in which cards may answer it.

Called with `who` rolls, `kind` (trait, dice, attack, defense, damage, haunt, movement), `about`, and a `trait` or a number of
`dice`; `event` marks a roll that an event drawn by the roller asks for, `room` one that a tile asks for. Binds `roll` (the total) in the caller.
"""

from __future__ import annotations

from typing import NotRequired

from domain.engine.bindings import Answerable
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Glance, Machine
from domain.engine.parts import part_of_box
from domain.facts.events import DiceRolled, Used
from domain.facts.state import TRAIT_INDEX, Figure, State, is_explorer, is_monster
from domain.queries.characters import trait_of
from domain.rulebook.table.adjustments import FIGHTS, roll_modifiers
from domain.rulebook.table.reacting import is_constant, open_reactions, react

PLAYER_ROLLS = frozenset({"trait", "dice", "attack", "defense", "damage", "haunt"})


class Rolling(Answerable):
    """Bindings of `roll`; `kind` is `trait`, `dice`, `attack`, `defense`, `damage`, `haunt`, `movement` or `event-attack`."""

    who: Figure
    about: str
    room: NotRequired[bool]
    """A tile asks for it."""
    damage: NotRequired[str]
    """The kind of damage that is rolled for."""
    dice: NotRequired[int]
    """The trait's value, or the number that was named."""
    extra: int
    """Dice that are added."""
    bonus: int
    """Points that are added."""
    least: int
    """Dice that are thrown at the least."""
    most: NotRequired[int]
    """Dice that additions can come to."""
    promised: NotRequired[bool]
    """A card has said beforehand with which trait it is made."""
    named: NotRequired[int]
    """The result that was named instead of rolling."""
    faces: list[int]


def promise(trait: str, seat: int) -> str:
    """The key under which it is noted that an explorer's next trait roll this turn is made with a trait."""
    return f"next-roll:{trait}@{seat}"


def kept(seat: int) -> str:
    """The key under which it is noted that this roll was made."""
    return f"next-roll@{seat}"


def promised(state: State, who: Figure) -> str:
    """The trait with which an explorer's next trait roll is made, or empty."""
    if not is_explorer(who) or kept(who) in state.used:
        return ""
    return next((trait for trait in TRAIT_INDEX if promise(trait, who) in state.used), "")


def count(m: Glance, f: Frame[Rolling]) -> None:
    """Count the dice: a trait's current value or the number named, and what standing effects add (2E-ROLL-008)."""
    vars_ = f.vars
    if vars_["kind"] == "trait" and "dice" not in vars_ and (trait := promised(m.state, vars_["who"])):
        vars_["trait"], vars_["promised"] = trait, True
    base = vars_["dice"] if "dice" in vars_ else trait_of(m.state, vars_["who"], vars_["trait"])
    dice, bonus, least, most = roll_modifiers(
        m, vars_["who"], vars_["kind"], vars_.get("trait", ""), vars_.get("event", False)
    )
    vars_["dice"] = base
    vars_["extra"] = vars_.get("extra", 0) + dice
    vars_["bonus"] = vars_.get("bonus", 0) + bonus
    vars_["least"] = min(least, base)
    if most is not None:
        vars_["most"] = most


def number_of_dice(vars_: Rolling) -> int:
    """How many dice are thrown after all modifiers."""
    dice: int = vars_["dice"] + vars_["extra"]
    if "most" in vars_ and vars_["extra"] > 0:
        dice = min(dice, max(vars_["most"], vars_["dice"]))
    least: int = vars_["least"]
    return max(dice, least, 0)


def before(m: Machine, f: Frame[Rolling]) -> bool | None:
    """The windows before and instead of the roll: they stay open until the roller passes."""
    who = f.vars["who"]
    if f.vars.get("promised") and is_explorer(who) and kept(who) not in m.state.used:
        m.emit(Used(key=kept(who), per="turn", seat=who, rule=m.rules.cite.card_precedence))
    if f.vars["kind"] not in PLAYER_ROLLS or "named" in f.vars:
        return None
    return _window(m, f, "before-roll", "before")


def throw(m: Machine, f: Frame[Rolling]) -> bool | None:
    """Roll the dice, unless a result was named instead."""
    vars_ = f.vars
    if "named" in vars_:
        vars_["faces"] = []
        vars_["bonus"] = 0
        return None
    faces = m.dice(f, f"dice:{vars_['kind']}", number_of_dice(vars_))
    if faces is None:
        return WAIT
    vars_["faces"] = faces
    if vars_["bonus"]:
        asks = vars_["about"].partition("#")[0].replace("/", ":")  # of a block the piece that it belongs to
        m.apply_rule("attack" if vars_["kind"] in FIGHTS else asks, m.rules.cite.added_points)
    total = max(0, sum(faces) + vars_["bonus"])
    m.emit(
        DiceRolled(
            who=vars_["who"],
            kind=vars_["kind"],
            about=vars_["about"],
            faces=faces,
            total=total,
            trait=vars_.get("trait", ""),
            bonus=vars_["bonus"],
            notation=m.rules.edition.dice.written(len(faces)),
            rule=_rule(m, len(faces), vars_["kind"], vars_.get("damage", ""), room=vars_.get("room", False)),
        )
    )
    if is_monster(vars_["who"]) and vars_.get("trait"):
        m.use_part(part_of_box(m.state.monsters[vars_["who"]].kind))
    return None


def _rule(m: Machine, dice: int, kind: str, damage: str, *, room: bool) -> str:
    """The rule of the ledger for this kind of roll, or for so many dice, or for a room that asks for one more in this turn."""
    cite = m.rules.cite
    if cite.more_dice and dice > m.rules.edition.dice.pool:
        return cite.more_dice
    if room and m.state.turn.rolls and cite.many_rolls:
        return cite.many_rolls
    if kind == "damage":
        return {"physical": cite.physical_dice, "mental": cite.mental_dice}.get(damage, cite.dice_roll)
    by_kind = {
        "trait": cite.trait_roll,
        "attack": cite.attack_roll,
        "defense": cite.attack_roll,
        "haunt": cite.haunt_dice,
        "movement": cite.movement_dice,
    }
    return by_kind.get(kind, cite.dice_roll)


def after(m: Machine, f: Frame[Rolling]) -> bool | None:
    """The window after the roll: it stays open until the roller passes."""
    if f.vars["kind"] not in PLAYER_ROLLS or "named" in f.vars:
        return None
    return _window(m, f, "after-roll", "after")


def result(m: Machine, f: Frame[Rolling]) -> None:
    """Hand the total to the caller."""
    vars_ = f.vars
    total = vars_["named"] if "named" in vars_ else max(0, sum(vars_["faces"]) + vars_["bonus"])
    m.give("roll", total)


def _window(m: Machine, f: Frame[Rolling], window: str, again: str) -> bool | None:
    """Ask the roller for a reaction; after one, ask again."""
    who = f.vars["who"]
    if not is_explorer(who):
        return None
    offered = open_reactions(m, who, window, f.vars)
    if not offered and "asked" not in f.vars:
        return None
    chosen = m.choose(f, who, f"{window}:{f.vars['about']}", ["pass", *offered], kind="reaction")
    if chosen is None:
        return WAIT
    if chosen != "pass":
        f.goto(again)
        if is_constant(m, chosen):
            f.vars["answered_by"] = [*f.vars.get("answered_by", ()), chosen]
        react(m, who, chosen)
    return None


ROLL = procedure("roll", count, before, throw, after, result)
