"""Verbs of the dice: roll, roll-each, attacked; and what reactions do to a roll or to harm."""

from __future__ import annotations

from typing import Any

from content.vocabulary.base import Trait
from content.vocabulary.effects import (
    ConvertDamage,
    Effect,
    EventAttack,
    ModifyRoll,
    MustAttack,
    Reroll,
    Roll,
    RollEach,
    SetResult,
)
from domain.engine.block import WAIT, Frame, Test
from domain.engine.machine import Glance, Machine
from domain.facts.events import DamageReduced, DiceRerolled, ResultNamed, Used
from domain.facts.ids import id_name
from domain.facts.state import Decision, is_explorer
from domain.queries.characters import as_option, trait_of
from domain.queries.conditions import cast, test, your_seat
from domain.queries.numbers import number
from domain.rulebook.explore.moving import gone
from domain.rulebook.fight.harm import Harming
from domain.rulebook.table.adjustments import roll_modifiers
from domain.rulebook.table.rolling import Rolling, number_of_dice, promise
from domain.verbs.compiler import Compiler, Label, read_row


def roll(c: Compiler, node: Roll, _effect: Effect, path: str) -> None:
    """A roll, its result bound as `roll` (2E-ROLL-004, 2E-ROLL-008)."""
    dice = number(node.dice) if node.dice is not None else None
    against = number(node.against) if node.against is not None else None
    extra_if = test(node.extra_if) if node.extra_if is not None else None

    def roll(m: Machine, f: Frame) -> bool | None:
        you = f.vars["you"]
        trait = node.trait
        if node.one_of is not None:
            chosen = m.choose(f, m.rules.controller(m.state, you), "roll-trait", list(node.one_of))
            if chosen is None:
                return WAIT
            trait = chosen  # type: ignore[assignment]  # one of the traits offered
        if trait is not None:
            f.vars["rolled"] = trait
        f.vars["against"] = against(m, f) if against is not None else None
        extra = node.extra_dice if extra_if is None or extra_if(m, f) else 0
        start_roll(m, f, you, trait, dice(m, f) if dice is not None else None, extra)
        return None

    c.add(path, roll)


def asked_by(f: Frame) -> str:
    """What asks for a roll: its block; of a block that a pack's pieces share the piece that runs it."""
    return str(f.vars.get("src") or f.block.id) if f.block.id.startswith("pack#") else f.block.id


def start_roll(m: Machine, f: Frame, you: object, trait: str | None, dice: int | None, extra: int = 0) -> None:
    """Call the roll procedure for `you`."""
    vars_: dict[str, Any] = {"who": you, "kind": "dice" if trait is None else "trait", "about": asked_by(f)}
    if trait is not None:
        vars_["trait"] = trait
    if dice is not None:
        vars_["dice"] = dice
    if extra:
        vars_["extra"] = extra
    if f.vars.get("drawer") == you:
        vars_["event"] = True
    if str(f.vars.get("src", "")).startswith("tile:"):
        vars_["room"] = True
    m.call("roll", **vars_)


def roll_each(c: Compiler, node: RollEach, effect: Effect, path: str) -> None:
    """A trait roll for each trait in turn, while the one who rolls lives; the outcomes have that trait as `rolled`."""
    end = Label()
    c.add(path, _begin_least)
    for trait in node.traits:
        c.add(f"{path}.{trait}", _roll_trait(trait, end))
        c.add(f"{path}.{trait}", _keep_least)
        c.outcomes(effect.outcomes or {}, f"{path}.{trait}")
    if node.all_at_least is not None and node.then:
        below, least = Label(), node.all_at_least

        def all_at_least(m: Machine, f: Frame) -> None:
            if f.vars["least"] < least:
                f.next = below.at
            else:
                read_row(m, f, path, "all")

        c.add(f"{path}!all", all_at_least)
        c.steps(node.then, f"{path}.all")
        c.place(below)
    c.place(end)


def _begin_least(_m: Machine, f: Frame) -> None:
    f.vars["least"] = 99


def _roll_trait(trait: str, end: Label) -> Any:  # noqa: ANN401 -- an Instruction
    def roll_trait(m: Machine, f: Frame) -> None:
        if gone(m.state, f.vars["you"]):
            f.next = end.at
            return
        f.vars["rolled"] = trait
        f.vars["against"] = None
        start_roll(m, f, f.vars["you"], trait, None)

    return roll_trait


def _keep_least(_m: Machine, f: Frame) -> None:
    f.vars["least"] = min(f.vars["least"], f.vars["roll"])


def attacked(c: Compiler, node: EventAttack, _effect: Effect, path: str) -> None:
    """An event without a figure attacks `you`."""
    dice = number(node.dice)

    def attacked(m: Machine, f: Frame) -> None:
        m.call(
            "event-attack",
            victim=f.vars["you"],
            trait=node.trait,
            dice=dice(m, f),
            kind=node.damage,
            source=f.vars.get("src", ""),
        )

    c.add(path, attacked)


def must_attack(c: Compiler, node: MustAttack, _effect: Effect, path: str) -> None:
    """`you` make an attack in addition to that of the turn."""
    groups = [cast(who) for who in node.whom]

    def choose_foe(m: Machine, f: Frame) -> bool | None:
        f.vars["foe"] = None
        you = f.vars["you"]
        found = next((some for some in ([x for x in group(m, f) if x != you] for group in groups) if some), [])
        if not found or not is_explorer(you):
            return None
        chosen = m.choose(f, you, "must-attack", [as_option(one) for one in found])
        if chosen is None:
            return WAIT
        f.vars["foe"] = next(one for one in found if as_option(one) == chosen)
        return None

    def attack(m: Machine, f: Frame) -> None:
        if f.vars["foe"] is not None:
            m.call("must-attack", attacker=f.vars["you"], target=f.vars["foe"])

    c.add(path, choose_foe)
    c.add(path, attack)


# -- reactions: the roll or harm that is answered is the nearest one below on the stack ---------------------------------


def modify_roll(c: Compiler, node: ModifyRoll, _effect: Effect, path: str) -> None:
    """More dice, more points, or a result named in place of rolling."""

    def modify(m: Machine, f: Frame) -> bool | None:
        answered: Frame[Rolling] | None = m.nearest("roll")
        if answered is None:
            return None
        if node.stored:
            _name_stored(m, f, answered)
            return None
        if node.trait is not None:
            use_trait(m, answered.vars, node.trait)
        if node.set is not None:
            span = [str(result) for result in range(node.set.from_, node.set.to + 1)]
            chosen = m.choose(f, m.rules.controller(m.state, f.vars["you"]), "name-result", span)
            if chosen is None:
                return WAIT
            bonus = added_to_named(node.set, answered.vars)
            answered.vars["named"] = max(0, int(chosen) + bonus)
            total = answered.vars["named"]
            m.emit(ResultNamed(who=f.vars["you"], by=f.vars["src"], total=total, bonus=bonus))
            return None
        answered.vars["extra"] = answered.vars.get("extra", 0) + node.dice
        answered.vars["bonus"] = answered.vars.get("bonus", 0) + node.result
        if node.max_dice is not None:
            answered.vars["most"] = node.max_dice
        return None

    c.add(path, modify)


def added_to_named(node: SetResult, asked: Rolling) -> int:
    """Points that are added to a result that was named."""
    return asked["bonus"] if node.adds else 0


def adds_dice(node: ModifyRoll) -> Test | None:
    """Whether more dice are thrown with it than without; anything else it does always makes a difference."""
    if node.set is not None or node.stored or node.trait is not None or node.result:
        return None

    def adds_dice(_m: Glance, f: Frame) -> bool:
        asked: Rolling = f.vars["answered"]
        more: Rolling = {**asked, "extra": asked["extra"] + node.dice}
        if node.max_dice is not None:
            more["most"] = node.max_dice
        return number_of_dice(more) > number_of_dice(asked)

    return adds_dice


def _name_stored(m: Machine, f: Frame, answered: Frame[Rolling]) -> None:
    """The result that the card keeps, in place of rolling, but no more than the dice could have come to."""
    total = stored_result(m, answered.vars, id_name(f.vars["src"]))
    answered.vars["named"] = total
    m.emit(ResultNamed(who=f.vars["you"], by=f.vars["src"], total=total))


def stored_result(m: Glance, asked: Rolling, card: str) -> int:
    """What a card keeps, as far as the roll could come to it."""
    dice: int = max(asked["dice"] + asked.get("extra", 0), asked["least"], 0)
    bonus: int = asked["bonus"]
    return min(int(m.state.card_states.get(card, "0")), max(0, 2 * dice + bonus))


def use_trait(m: Glance, asked: Rolling, trait: str) -> None:
    """Roll with another trait: its value, and what adjusts rolls of it."""
    who, kind, event = asked["who"], asked["kind"], asked.get("event", False)
    dice, bonus, _least, _most = roll_modifiers(m, who, kind, asked.get("trait", ""), event)
    new_dice, new_bonus, least, most = roll_modifiers(m, who, kind, trait, event)
    asked["trait"], asked["dice"] = trait, trait_of(m.state, who, trait)
    asked["extra"] += new_dice - dice
    asked["bonus"] += new_bonus - bonus
    asked["least"] = min(least, asked["dice"])
    if most is not None:
        asked["most"] = most


def next_roll(c: Compiler, node: Trait, _effect: Effect, path: str) -> None:
    """The next trait roll is made with another trait."""

    def next_roll(m: Machine, f: Frame) -> None:
        m.emit(Used(key=promise(node, your_seat(f)), per="turn", seat=your_seat(f), rule=m.rules.cite.card_precedence))

    c.add(path, next_roll)


def reroll(c: Compiler, node: Reroll, _effect: Effect, path: str) -> None:
    """Roll dice of the answered roll again; the new faces stand."""

    def select(m: Machine, f: Frame) -> bool | None:
        answered: Frame[Rolling] | None = m.nearest("roll")
        faces: list[int] = answered.vars["faces"] if answered is not None else []
        if not faces or node.dice in ("all", "blanks"):
            f.vars["again"] = [at for at, face in enumerate(faces) if node.dice == "all" or face == 0]
            return None
        decision = Decision(
            id="",
            seat=m.rules.controller(m.state, f.vars["you"]),
            kind="selection",
            about="reroll-one" if node.dice == "one" else "reroll",
            options=[str(face) for face in faces],
            total=1 if node.dice == "one" else len(faces),
        )
        reply = m.ask(f, decision)
        if reply is None:
            return WAIT
        f.vars["again"] = sorted(int(at) for at in reply)  # type: ignore[attr-defined]  # a Select command's list
        return None

    def reroll(m: Machine, f: Frame) -> bool | None:
        answered: Frame[Rolling] | None = m.nearest("roll")
        again: list[int] = f.vars["again"]
        if answered is None or not again:
            return None
        new = m.dice(f, "dice:reroll", len(again))
        if new is None:
            return WAIT
        faces = list(answered.vars["faces"])
        for at, face in zip(again, new, strict=True):
            faces[at] = face
        answered.vars["faces"] = faces
        total = max(0, sum(faces) + answered.vars.get("bonus", 0))
        f.vars["blanks"] = new.count(0)
        m.emit(DiceRerolled(who=f.vars["you"], by=f.vars["src"], faces=faces, total=total))
        return None

    c.add(path, select)
    c.add(path, reroll)


def convert_damage(c: Compiler, node: ConvertDamage, _effect: Effect, path: str) -> None:
    """The answered damage becomes another kind."""

    def convert(m: Machine, f: Frame) -> None:
        answered: Frame[Harming] | None = m.nearest("damage")
        if answered is not None:
            answered.vars["kind"] = node.to
            m.emit(DamageReduced(seat=your_seat(f), by=f.vars["src"], kind=node.to, amount=answered.vars["amount"]))

    c.add(path, convert)
