"""What monsters do other than move and attack, where their haunt lets them: act, explore, trade, drop and pick up.

A haunt grants all of it by its sheets (`explores`, `carries`) and by actions `for: monsters`; where it grants nothing, nothing
here is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from content.vocabulary.pack import Action
from domain.engine.machine import Glance, Machine
from domain.engine.parts import part_of_action
from domain.engine.rules import Rules
from domain.engine.tables import Offer
from domain.facts.commands import Act, AnyCommand, Drop, Explore, Loot, PickUp, Trade
from domain.facts.events import ActionTaken, AttackSpent, Used
from domain.facts.ids import figure_id
from domain.facts.refusal import Refused
from domain.facts.state import Aim, MonsterId, State
from domain.rulebook.cards.belongings import free_cards, lootable, once, partners, singles_and_all
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.explore.discovering import open_doors
from domain.rulebook.explore.moving import can_step, leaving_penalty
from domain.rulebook.table.hiding import show
from domain.rulebook.table.limits import haunt_bars, limit_key, limit_of, once_rule
from domain.rulebook.turn.acting import OWN_TURN, check_target, deed_id, price_barred, targets, unmet


def deeds(m: Glance, turn: str, name: MonsterId) -> Iterator[AnyCommand]:
    """Every such command for one monster."""
    rules, state = m.rules, m.state
    monster = state.monsters[name]
    sheet = rules.pack.monster(state, monster.kind)
    if sheet.explores and can_step(rules, state, name):
        for door in open_doors(rules, state, name):
            yield Explore(decision=turn, door=door, monster=name)
    for source, word, found in open_deeds(m, name):
        for target in found:
            yield Act(decision=turn, source=source, word=word, target=target, monster=name)
    if sheet.carries:
        for corpse, card in lootable(rules, state, name):
            yield Loot(decision=turn, corpse=corpse, card=card, monster=name)
        yield from _carrying(rules, state, turn, name)


def _carrying(rules: Rules, state: State, turn: str, name: MonsterId) -> Iterator[AnyCommand]:
    """Trades, drops and pick-ups, each once in a turn (2E-ITEM-010)."""
    piles = rules.edition.cards.piles
    if piles and once("drop", name) not in state.used:
        for cards in singles_and_all(free_cards(rules, state, name, "drop")):
            yield Drop(decision=turn, cards=cards, monster=name)
    if piles and once("pick-up", name) not in state.used:
        lying = [card for card in pile_at(state, *state.place_of(name)) if f"card:{card}" not in state.used]
        for cards in singles_and_all(lying):
            yield PickUp(decision=turn, cards=cards, monster=name)
    if once("trade", name) not in state.used:
        for partner in partners(rules, state, name):
            for card in free_cards(rules, state, name, "trade"):
                yield Trade(decision=turn, partner=partner, gives=[card], monster=name)


def check_carrier(rules: Rules, state: State, monster: MonsterId | None) -> None:
    """Check that a monster may handle items at all.

    Raises:
        Refused: none is named, or its haunt does not let it carry (2E-MON-018).
    """
    if monster not in state.monsters or not rules.pack.monster(state, state.monsters[monster].kind).carries:
        raise Refused("monsters can't carry items unless their haunt says so", rule=rules.cite.no_carrying)


# -- actions for monsters -----------------------------------------------------------------------------------------------------


def sources(m: Glance, name: MonsterId) -> Iterator[str]:
    """What may offer an action to a monster: the room, tokens in it, the book of its side, its box."""
    state = m.state
    monster = state.monsters[name]
    place = state.stands_at(name)
    yield f"tile:{place[0]}"
    for here in state.tokens:
        if (here.room, here.part) == place:
            yield f"token:{here.token}"
    if state.haunt is not None:
        yield f"haunt:{m.rules.pack.haunts[state.haunt.id].read_by(monster.side)}"
        yield f"box:{monster.kind}"


def open_deeds(m: Glance, name: MonsterId) -> Iterator[tuple[str, str, list[Aim | None]]]:
    """Source, word and possible targets of everything that is offered to the monster now."""
    offered = m.rules.pack.for_monsters
    for source in sources(m, name):
        if source not in offered:
            continue
        for offer in m.rules.pack.offers_of(m.state, source):
            if _is_for_monsters(offer.action) and not barred(m, name, source, offer):
                found = targets(m, name, source, offer)
                if found:
                    yield source, offer.action.word, found


def _is_for_monsters(action: Action) -> bool:
    return action.for_ != "explorers" and action.when in OWN_TURN


def barred(m: Glance, name: MonsterId, source: str, offer: Offer) -> str:
    """The rule that forbids the action to the monster now, or empty."""
    state, cite, action = m.state, m.rules.cite, offer.action
    if m.rules.pack.bars and (rule := haunt_bars(m.rules, state, name, source, action.word)):
        return rule
    monster = state.monsters[name]
    if action.side is not None and action.side != monster.side:
        return action.rule or cite.action_condition
    if action.when == "before-moving" and monster.moved:
        return action.rule or cite.action_condition
    if action.when == "instead-of-attack" and (monster.attacked or not monster.attacks):
        return cite.monster_attack_once
    limit = limit_of(m.rules, action)
    if limit is not None:
        used = state.ever if limit.per == "game" else state.used
        if limit_key(m.rules, source, action.word, limit, name) in used:
            return once_rule(m.rules, source, offer)
    return price_barred(m.rules, state, name, action) or unmet(m, name, source, offer)


def perform_deed(m: Machine, command: Act, name: MonsterId) -> None:
    """Do what is offered.

    Raises:
        Refused: nothing offers it to monsters (2E-ITEM-002 for items), a rule bars it, or the target does not fit.
    """
    offer = _find(m, command, name)
    action = offer.action
    rule = action.rule or m.rules.cite.monsters_turn
    show(m, name)
    m.emit(ActionTaken(figure=name, source=command.source, word=command.word, target=command.target, rule=rule))
    m.use_part(part_of_action(command.source, command.word))
    limit = limit_of(m.rules, action)
    if limit is not None:
        key = limit_key(m.rules, command.source, action.word, limit, name)
        m.emit(
            Used(
                key=key,
                per="game" if limit.per == "game" else "turn",
                rule=once_rule(m.rules, command.source, offer),
            )
        )
    if action.when == "instead-of-attack":
        m.emit(AttackSpent(figure=name, rule=m.rules.cite.monster_attack_once))
    bindings: dict[str, object] = {"you": name, "src": command.source}
    if command.target is not None:
        bindings["target"] = command.target
    if action.leaves:
        bindings["toll"] = leaving_penalty(m.rules, m.state, name)
    m.call(offer.block, **bindings)


def _find(m: Machine, command: Act, name: MonsterId) -> Offer:
    cite = m.rules.cite
    if command.source.startswith("card:"):
        raise Refused("monsters can't use items", rule=cite.monster_items)
    if command.source in tuple(sources(m, name)):
        for offer in m.rules.pack.offers_of(m.state, command.source):
            if offer.action.word != command.word or not _is_for_monsters(offer.action):
                continue
            rule = barred(m, name, command.source, offer)
            if rule:
                raise Refused("{} can't be done now", deed_id(command), rule=rule)
            check_target(m, name, command, offer)
            return offer
    if command.source.startswith("box:") and command.source not in tuple(sources(m, name)):
        raise Refused(
            "{} can't use the box of {}", figure_id(name), command.source, rule=cite.own_box or cite.monsters_turn
        )
    raise Refused("{} can't do {}", figure_id(name), deed_id(command), rule=cite.monsters_turn)
