"""Damage from the moment it is dealt to the moment it is taken, attacks by events, and death."""

from __future__ import annotations

from typing import NotRequired

from domain.engine.bindings import Answerable, Seated, Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Glance, Machine
from domain.engine.parts import part_of_box
from domain.facts.events import (
    CardLost,
    CompanionLeft,
    DamageReduced,
    DamageTaken,
    ExplorerDied,
    ExplorerEscaped,
    ExplorerRemoved,
    Fizzled,
    PileChanged,
    RuleApplied,
    SideTold,
    TraitChanged,
)
from domain.facts.ids import stance
from domain.facts.state import TRAIT_INDEX, Explorer, Figure, MonsterId, is_explorer
from domain.queries.characters import as_option
from domain.queries.conditions import cast
from domain.rulebook.cards.drawing import discard, put_back
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.fight.monsters import kill, stun, withstand
from domain.rulebook.table.adjustments import reduction
from domain.rulebook.table.reacting import open_reactions, react
from domain.rulebook.table.traits import LOWEST, divide, lower
from domain.rulebook.table.triggers import fire

KINDS: dict[str, tuple[str, ...]] = {
    "physical": ("might", "speed"),
    "mental": ("sanity", "knowledge"),
    "general": ("might", "speed", "sanity", "knowledge"),
}
"""Traits that a kind of damage may lower (2E-DMG-001, 2E-DMG-003, 3E-DMG-004)."""


class Harming(Answerable):
    """Bindings of `damage`; `kind` is `physical`, `mental` or `general`."""

    victim: int
    amount: int
    source: str
    rule: NotRequired[str]
    """The rule behind the kind, where it is not the usual one."""


class Striking(Waiting):
    """Bindings of `damage` at first, when the victim may be a monster still."""

    victim: Figure


def strike(m: Machine, f: Frame[Striking]) -> None:
    """A monster is stunned by damage, or killed where the haunt says so (2E-MON-004); the dead take none."""
    victim = f.vars["victim"]
    if is_explorer(victim):
        if not m.state.explorers[victim].alive:
            m.emit(Fizzled(what="damage"))
            f.finish()
        return
    hurt_monster(m, victim)
    f.finish()


def hurt_monster(m: Machine, monster: MonsterId) -> None:
    """What damage does to a monster."""
    if monster not in m.state.monsters:
        return
    kind, cite = m.state.monsters[monster].kind, m.rules.cite
    sheet = m.rules.pack.monster(m.state, kind)
    if sheet.dies:
        m.use_part(part_of_box(kind))
        kill(m, monster, cite.damage_kills or cite.haunt_precedence)
    elif sheet.stuns:
        stun(m, monster, cite.damage_stuns)
    else:
        m.use_part(part_of_box(kind))
        withstand(m, cite.never_stunned or cite.haunt_precedence)


def answer_harm(m: Machine, f: Frame[Harming]) -> bool | None:
    """The window before harm, for cards that change the damage (Skull)."""
    seat = f.vars["victim"]
    offered = open_reactions(m, seat, "before-harm", f.vars)
    if not offered and "asked" not in f.vars:
        return None
    chosen = m.choose(f, seat, f"before-harm:{f.vars['kind']}", ["pass", *offered], kind="reaction")
    if chosen is None:
        return WAIT
    if chosen != "pass":
        f.goto("answer_harm")
        react(m, seat, chosen)
    return None


def reduce(m: Machine, f: Frame[Harming]) -> None:
    """Standing effects lower the damage (Armor)."""
    seat, kind = f.vars["victim"], f.vars["kind"]
    points, by = reduction(m, seat, kind)
    if points:
        f.vars["amount"] = max(0, f.vars["amount"] - points)
        m.emit(DamageReduced(seat=seat, by=by, kind=kind, amount=f.vars["amount"], rule=m.rules.cite.card_precedence))
    if f.vars["amount"] <= 0:
        f.finish()


def take(m: Machine, f: Frame[Harming]) -> bool | None:
    """The explorer who takes the damage divides it among the traits of its kind (2E-DMG-001)."""
    seat, kind, amount = f.vars["victim"], f.vars["kind"], f.vars["amount"]
    caps, total = shares(m, seat, kind, amount)
    points = divide(m, f, seat, f"damage:{kind}", caps, total)
    if points is None:
        return WAIT
    cite = m.rules.cite
    by_kind = {"physical": cite.physical_damage, "mental": cite.mental_damage}
    rule = f.vars.get("rule") or by_kind.get(kind, cite.general_damage)
    m.emit(DamageTaken(seat=seat, kind=kind, amount=amount, source=f.vars["source"], rule=rule))
    if total < amount and m.state.haunt is None:
        m.apply_rule(f.vars["source"], cite.surplus_lost)
        m.apply_rule(f.vars["source"], cite.no_death_yet)
    for trait, spaces in points.items():
        lower(m, seat, trait, spaces, "damage")
    for card in reversed(m.state.explorers[seat].cards):
        fire(m, f"card:{card}", "damaged", seat, kind=kind)
    return None


def shares(m: Glance, seat: int, kind: str, amount: int) -> tuple[dict[str, int], int]:
    """How many points each trait can be given, and how many must be given in all.

    The division is free, even onto a trait that can't fall any further (2E-DMG-001, ruling); where an edition spares critical
    traits, a trait takes only what it can still drop, and so does the whole (3E-DMG-007, 3E-DMG-011).
    """
    traits = KINDS[kind]
    if not m.rules.edition.fight.spare_critical:
        return dict.fromkeys(traits, amount), amount
    floor = LOWEST if m.state.haunt is None else 0
    explorer = m.state.explorers[seat]
    caps = {trait: min(amount, explorer.at[TRAIT_INDEX[trait]] - floor) for trait in traits}
    caps = {trait: cap for trait, cap in caps.items() if cap > 0}
    return caps, min(amount, sum(caps.values()))


def report(m: Machine, f: Frame[Harming]) -> None:
    """Tell the caller what the damage came to."""
    m.give("damage", f.vars["amount"])


DAMAGE = procedure("damage", strike, answer_harm, reduce, take, report)


# -- an attack by something without a figure ------------------------------------------------------------------------------


class EventAttacking(Waiting):
    """Bindings of `event-attack`."""

    victim: int
    trait: str
    dice: int
    kind: str
    source: str
    roll: NotRequired[int]
    attack: NotRequired[int]
    damage: NotRequired[int]


def event_rolls(m: Machine, f: Frame[EventAttacking]) -> None:
    """The player to the victim's right rolls the event's dice, unmodified."""
    right = cast("right-of-you")(m, Frame(f.block, {"you": f.vars["victim"]}))[0]
    m.call("roll", who=right, kind="event-attack", dice=f.vars["dice"], about=f.vars["source"])


def victim_rolls(m: Machine, f: Frame[EventAttacking]) -> None:
    """The victim defends."""
    f.vars["attack"] = f.vars["roll"]
    m.call("roll", who=f.vars["victim"], kind="defense", trait=f.vars["trait"], about=f.vars["source"], event=True)


def event_hits(m: Machine, f: Frame[EventAttacking]) -> None:
    """The difference is damage; a victim who rolls higher takes none."""
    difference = f.vars["attack"] - f.vars["roll"]
    if difference > 0:
        m.call("damage", victim=f.vars["victim"], kind=f.vars["kind"], amount=difference, source=f.vars["source"])


def event_reports(m: Machine, f: Frame[EventAttacking]) -> None:
    """Tell the caller what the damage came to."""
    m.give("damage", f.vars.get("damage", 0))


EVENT_ATTACK = procedure("event-attack", event_rolls, victim_rolls, event_hits, event_reports)


# -- death ------------------------------------------------------------------------------------------------------------------


class Dying(Seated):
    """Bindings of `death`."""

    of_trait: NotRequired[bool]
    """A trait has fallen to the skull; an explorer who has healed meanwhile lives on."""
    survived: NotRequired[bool]
    """A card has kept the explorer alive."""


def _has_healed(f: Frame[Dying], explorer: Explorer) -> bool:
    return f.vars.get("of_trait", False) and all(explorer.at)


def cling(m: Machine, f: Frame[Dying]) -> None:
    """Cards that may keep the explorer alive (Skull, third edition): once, however many traits one harm has put on the skull."""
    explorer = m.state.explorers[f.vars["seat"]]
    if explorer.alive and not _has_healed(f, explorer):
        for card in reversed(explorer.cards):
            fire(m, f"card:{card}", "dying", explorer.seat)


def die(m: Machine, f: Frame[Dying]) -> None:
    """An explorer dies (2E-DEATH-001); with a hidden traitor the death reveals (2E-HID-007), or only what the haunt says."""
    seat = f.vars["seat"]
    explorer = m.state.explorers[seat]
    if not explorer.alive or f.vars.get("survived") or _has_healed(f, explorer):
        f.finish()
        return
    if spared_death(m, seat):
        f.finish()
        return
    held = explorer.held
    m.emit(ExplorerDied(seat=seat, corpse=m.rules.edition.cards.corpses_keep, rule=m.rules.cite.death))
    put_back(m, held)
    haunt = m.state.haunt
    if haunt is not None and haunt.hidden and m.rules.edition.haunt.reveals_itself:
        m.emit(
            SideTold(
                seat=seat,
                side=explorer.side,
                revealed=True,
                token=explorer.token,
                rule=m.rules.cite.death_reveals,
            )
        )


def spared_death(m: Machine, seat: int) -> bool:
    """Whether the haunt replaces the death of explorers of this side (2E-DEATH-002); if so, start the replacement."""
    haunt, explorer = m.state.haunt, m.state.explorers[seat]
    if haunt is None:
        return False
    block = m.rules.pack.instead.get((haunt.id, stance(explorer.side)), "")
    if not block:
        return False
    seen = m.rules.pack.haunts[haunt.id].read_by("heroes")
    m.emit(RuleApplied(source=f"haunt:{seen}", rule=m.rules.cite.turned))
    for trait, index in TRAIT_INDEX.items():
        if not explorer.at[index]:
            m.emit(TraitChanged(seat=seat, trait=trait, to=LOWEST, by=LOWEST, cause="set"))
    m.call(block, you=seat, src=f"haunt:{stance(explorer.side)}")
    return True


def leave_goods(m: Machine, f: Frame[Seated]) -> None:
    """Companions wait where the explorer died, all other items drop in a pile (2E-DEATH-004, 2E-DEATH-006).

    Where corpses keep their cards, only events that were kept go (3E-DIE-004).
    """
    explorer = m.state.explorers[f.vars["seat"]]
    pack, cite = m.rules.pack, m.rules.cite
    if m.rules.edition.cards.corpses_keep:
        if not explorer.removed:
            m.apply_rule(as_option(explorer.seat), cite.corpse)
        if any(pack.deck_of(card) != "event" for card in explorer.cards):
            m.apply_rule(as_option(explorer.seat), cite.corpse_cards)
        for card in [one for one in explorer.cards if pack.deck_of(one) == "event"]:
            m.emit(CardLost(card=card, seat=explorer.seat))
            discard(m, "event", card)
        return
    room, part = m.state.place_of(explorer.seat)
    dropped = list(pile_at(m.state, room, part))
    before = len(dropped)
    for card in list(explorer.cards):
        if pack.is_companion(card) and m.rules.edition.cards.companions:
            m.emit(CompanionLeft(card=card, room=room, part=part, rule=cite.companion_stays))
        elif pack.is_item(card):
            dropped.append(card)
        m.emit(CardLost(card=card, seat=explorer.seat))
        if pack.deck_of(card) == "event":
            discard(m, "event", card)
    if len(dropped) > before:
        m.emit(PileChanged(room=room, part=part, cards=dropped, rule=cite.goods_fall))


def mourn(m: Machine, f: Frame[Dying]) -> None:
    """What the haunt says about a death; a turn of the dead is over."""
    seat = f.vars["seat"]
    if m.rules.ended(m):
        m.stack.clear()
        return
    if m.state.haunt is not None:
        fire(m, f"haunt:{m.state.haunt.id}", "died", seat)
    end_turn_of(m, seat)


def end_turn_of(m: Machine, seat: int) -> None:
    """End the turn of an explorer who is gone, after everything under way is done."""
    if m.state.turn.acting and not m.state.turn.monsters and m.state.turn.seat == seat:
        m.call_last("end-turn", number=m.state.turn.number)


DEATH = procedure("death", cling, die, leave_goods, mourn)


# -- leaving forever ---------------------------------------------------------------------------------------------------------


def depart(m: Machine, f: Frame[Seated]) -> None:
    """An explorer leaves the house without dying (2E-HTURN-004)."""
    held = m.state.explorers[f.vars["seat"]].held
    m.emit(ExplorerRemoved(seat=f.vars["seat"], rule=m.rules.cite.without_figure))
    put_back(m, held)


def depart_turn(m: Machine, f: Frame[Seated]) -> None:
    """The turn of somebody who is gone ends."""
    end_turn_of(m, f.vars["seat"])


REMOVAL = procedure("removal", depart, leave_goods, depart_turn)


def get_away(m: Machine, f: Frame[Seated]) -> None:
    """An explorer is out of the house, with all belongings."""
    held = m.state.explorers[f.vars["seat"]].held
    m.emit(ExplorerEscaped(seat=f.vars["seat"]))
    put_back(m, held)


ESCAPE = procedure("escape", get_away, depart_turn)
