"""Verbs of the trait tracks: gain, lose, heal, set-trait, damage."""

from __future__ import annotations

from content.vocabulary.effects import Damage, Effect, Heal, SetTrait, Steps
from domain.engine.block import WAIT, Frame, Test
from domain.engine.machine import Glance, Machine
from domain.facts.events import Fizzled
from domain.facts.ids import id_name
from domain.facts.state import TRAIT_INDEX, is_explorer
from domain.queries.characters import critical
from domain.queries.numbers import number
from domain.rulebook.table.traits import TOP, allocation, lower, points_of, raise_, set_position
from domain.verbs.compiler import Compiler
from domain.verbs.rolls import asked_by


def gain(c: Compiler, node: Steps, _effect: Effect, path: str) -> None:
    """Clips move up (2E-TRAIT-003)."""
    _steps(c, node, path, up=True)


def lose(c: Compiler, node: Steps, _effect: Effect, path: str) -> None:
    """Clips move down; a direct loss, not damage."""
    _steps(c, node, path, up=False)


def _steps(c: Compiler, node: Steps, path: str, *, up: bool) -> None:
    amount = number(node.steps)

    def steps(m: Machine, f: Frame) -> bool | None:
        you = f.vars["you"]
        if not is_explorer(you):
            m.emit(Fizzled(what="gain" if up else "lose", rule=m.rules.cite.no_trait_gain))
            return None
        if not m.state.explorers[you].alive:
            return None
        if node.only is not None and not critical_among(m, you, node):
            return None
        traits = _which(m, f, node, you, "gain" if up else "lose")
        if traits is None:
            return WAIT
        spaces = amount(m, f)
        bonus = id_name(f.vars["src"]) if node.lasting or node.undo else f.vars.get("bonus", "")
        for trait in traits:
            if up:
                raise_(m, you, trait, spaces, "gain", bonus=bonus, undo=node.undo)
            else:
                lower(m, you, trait, spaces, "lose", bonus=bonus, lasting=node.lasting)
        return None

    c.add(path, steps)


def _which(m: Machine, f: Frame, node: Steps, you: int, about: str) -> list[str] | None:
    """The traits meant, or None: wait for the explorer's choice."""
    if node.one_of is not None:
        offered: list[str] = [*node.one_of] if node.only is None else critical_among(m, you, node)
        chosen = m.choose(f, you, f"{about}-trait", offered)
        return None if chosen is None else [chosen]
    if node.only is not None:
        return critical_among(m, you, node)
    if node.trait == "rolled":
        return [f.vars["rolled"]]
    return list(node.traits) if node.traits is not None else [str(node.trait)]


def can_gain(node: Steps) -> Test | None:
    """Whether a trait that may be meant is not at its top yet."""
    if node.only is not None or node.trait == "rolled":
        return None
    traits: list[str] = [*(node.one_of or node.traits or []), *([node.trait] if node.trait is not None else [])]

    def can_gain(m: Glance, f: Frame) -> bool:
        you = f.vars["you"]
        return is_explorer(you) and any(m.state.explorers[you].at[TRAIT_INDEX[one]] < TOP for one in traits)

    return can_gain


def critical_among(m: Machine, you: int, node: Steps) -> list[str]:
    """Of the traits that are meant, those that are critical."""
    meant: list[str] = [*(node.one_of or node.traits or []), *([node.trait] if node.trait is not None else [])]
    return [trait for trait in critical(m.state, you) if trait in meant]


def heal(c: Compiler, node: Heal, _effect: Effect, path: str) -> None:
    """Clips move up towards their starting values, never past them."""
    most = number(node.steps) if node.steps is not None else None

    def heal(m: Machine, f: Frame) -> bool | None:
        you = f.vars["you"]
        if not is_explorer(you) or not m.state.explorers[you].alive:
            return None
        missing = _missing(m, you, node)
        if node.split is not None and most is not None:
            total = min(most(m, f), sum(missing.values()))
            healer = m.rules.controller(m.state, f.vars.get("owner", you))
            if total:
                reply = m.ask(f, allocation(healer, "heal", missing, total, up_to=True))
                if reply is None:
                    return WAIT
                missing = points_of(reply)
        for trait, spaces in missing.items():
            raise_(m, you, trait, spaces, "heal")
        return None

    c.add(path, heal)


def _missing(m: Glance, you: int, node: Heal) -> dict[str, int]:
    """By trait: how far it is below its starting value, of those that are meant."""
    explorer = m.state.explorers[you]
    missing: dict[str, int] = {
        trait: explorer.starts[TRAIT_INDEX[trait]] - explorer.at[TRAIT_INDEX[trait]]
        for trait in node.traits or node.split or []
    }
    low = critical(m.state, you) if node.only is not None else missing
    return {trait: spaces for trait, spaces in missing.items() if spaces > 0 and trait in low}


def can_heal(node: Heal) -> Test:
    """Whether there is anything to heal."""

    def can_heal(m: Glance, f: Frame) -> bool:
        you = f.vars["you"]
        return is_explorer(you) and m.state.explorers[you].alive and bool(_missing(m, you, node))

    return can_heal


def set_trait(c: Compiler, node: SetTrait, _effect: Effect, path: str) -> None:
    """Clips go to a named space."""

    def set_trait(m: Machine, f: Frame) -> bool | None:
        you = f.vars["you"]
        if not is_explorer(you) or not m.state.explorers[you].alive:
            return None
        explorer = m.state.explorers[you]
        traits = list(node.traits) if node.traits is not None else [node.trait or "rolled"]
        for trait in [f.vars["rolled"] if trait == "rolled" else trait for trait in traits]:
            goal = 1 if node.to == "lowest" else explorer.starts[TRAIT_INDEX[trait]]
            if node.or_another and explorer.at[TRAIT_INDEX[trait]] == goal:
                others = [one for one, index in TRAIT_INDEX.items() if explorer.at[index] != goal]
                if not others:
                    return None
                chosen = m.choose(f, you, "set-trait", others)
                if chosen is None:
                    return WAIT
                if node.another_by is None:
                    set_position(m, you, chosen, goal)
                else:
                    lower(m, you, chosen, node.another_by, "lose")
            else:
                set_position(m, you, trait, goal)
        return None

    c.add(path, set_trait)


def damage(c: Compiler, node: Damage, _effect: Effect, path: str) -> None:
    """Damage by points or by a roll of dice (2E-ROLL-006, 2E-ROLL-007)."""
    dice = number(node.dice) if node.dice is not None else None
    points = number(node.points) if node.points is not None else None

    def roll_damage(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        if is_explorer(you) and not m.state.explorers[you].alive:
            return
        if dice is not None:
            m.call("roll", who=you, kind="damage", dice=dice(m, f), about=asked_by(f), damage=node.kind)

    def take_damage(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        amount = points(m, f) if points is not None else f.vars.get("roll", 0)
        f.vars["damage"] = 0
        if amount > 0:
            m.call("damage", victim=you, kind=node.kind, amount=amount, source=f.vars.get("src", ""))

    if dice is not None:
        c.add(path, roll_damage)
    c.add(path, take_damage)
