"""Limits: what was used, how often it may be, and what one item, one roll, one turn allows, what the haunt bars."""

from __future__ import annotations

from content.vocabulary.pack import Action, Limit, Standing
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.engine.tables import Offer
from domain.facts.events import Used
from domain.facts.ids import id_name
from domain.facts.state import Figure, State, is_explorer, is_monster
from domain.queries.characters import is_kind


def limit_key(rules: Rules, source: str, word: str, limit: Limit, figure: Figure) -> str:
    """The typed key under which a use is counted: by each monster if each has a turn of its own on a tile."""
    key, by_monster = f"{source}#{word}", is_monster(figure) and source.startswith("tile:") and limit.per == "turn"
    if by_monster and not rules.edition.monsters.shares_tiles:
        return f"{key}@{figure}"
    return f"{key}@{figure}" if limit.each == "explorer" or limit.per == "own-turn" else key


EACH_ONCE = Limit(per="turn", each="explorer")


def limit_of(rules: Rules, action: Action) -> Limit | None:
    """How often an action may be done: as it says itself, or as the edition has it for special actions (3E-ACT-003)."""
    unlimited = action.constant or action.again or not rules.edition.turns.actions_once
    return action.once if action.once is not None or unlimited else EACH_ONCE


def haunt_bars(rules: Rules, state: State, figure: Figure, source: str, word: str) -> str:
    """The rule by which the haunt in play forbids what a card, room or token permits, or empty (2E-PREC-003).

    `word` is the action's; empty for an attack with a card.
    """
    bars = rules.pack.bars.get(state.haunt.id) if state.haunt is not None else None
    if bars is None:
        return ""
    side = _side(state, figure)
    barred = any(one.word in (None, word) and one.side in (None, side) for one in bars.get(source, ()))
    return rules.cite.haunt_over_card if barred else ""


def _side(state: State, figure: Figure) -> str:
    """The side that everybody knows a character to be on."""
    if is_explorer(figure):
        return "traitor" if is_kind(state, figure, "revealed-traitor") else "heroes"
    return state.monsters[figure].side


def exhausted(rules: Rules, state: State, seat: int, source: str, offer: Offer) -> str:
    """The rule that bars this use (its limit, the item's one action, or the haunt), or empty if it may be used.

    A second use is barred by its limit (2E-ITEM-003). An item has one action a turn (2E-ITEM-013); special actions of the third
    edition are for the own turn (3E-ACT-006), and not with a card gained in it (3E-ACT-005). What is `constant` is no use.
    """
    action = offer.action
    if rules.pack.bars and (rule := haunt_bars(rules, state, seat, source, action.word)):
        return rule
    rule = _used_up(rules, state, seat, source, offer)
    if rule or action.constant or not source.startswith("card:"):
        return rule
    used = source in state.used and not (action.again and _use_key(source, action) in state.used)
    if rules.edition.cards.one_action and used:
        return rules.cite.one_item_action
    if too_new(rules, state, seat, id_name(source)):
        return rules.cite.new_card
    out = state.turn.monsters or state.turn.seat != seat
    return rules.cite.own_turn_act if out and rules.edition.cards.own_turn and not action.any_turn else ""


def too_new(rules: Rules, state: State, seat: int, card: str) -> bool:
    """Whether a card can't be used yet, because it was gained in this turn (3E-ACT-005)."""
    return not rules.edition.cards.new_usable and card in state.explorers[seat].gained


def ready_to_use(rules: Rules, state: State, seat: int, card: str, standing: Standing) -> bool:
    """Whether what a card adjusts works for its holder now: always, unless it is a special action."""
    return not (standing.special and too_new(rules, state, seat, card))


def note_special(m: Machine, seat: int, card: str) -> None:
    """Count the use of a card whose adjustment is a special action."""
    special = any(standing.special for standing in m.rules.pack.card(card).always)
    if special and f"card:{card}" not in m.state.used:
        m.emit(Used(key=f"card:{card}", per="turn", seat=seat, rule=m.rules.cite.one_item_action))


def _used_up(rules: Rules, state: State, seat: int, source: str, offer: Offer) -> str:
    """The rule by which the action can't be done again, or empty."""
    limit = limit_of(rules, offer.action)
    if limit is None:
        return ""
    key = limit_key(rules, source, offer.action.word, limit, seat)
    if limit.per == "own-turn":
        out = state.turn.monsters or state.turn.seat != seat or key in state.explorers[seat].used
    else:
        out = key in (state.ever if limit.per == "game" else state.used)
    return once_rule(rules, source, offer) if out else ""


def _use_key(source: str, action: Action) -> str:
    """The key for a use that its card permits again: after a trade it permits none."""
    return f"{source}#{action.word}"


def once_rule(rules: Rules, source: str, offer: Offer) -> str:
    """The rule that limits how often something is done: of an item, of a roll, or the text of the room, token or haunt itself."""
    if source.startswith("card:") or offer.action.once is None:
        return rules.cite.item_once
    if offer.rolls:
        return rules.cite.same_roll
    by_haunt = source.startswith("haunt:")
    return offer.action.rule or (rules.cite.haunt_precedence if by_haunt else rules.cite.card_precedence)


def note_use(m: Machine, seat: int, source: str, offer: Offer) -> None:
    """Count a use: for the item (one action a turn; not for a constant adjustment: 2E-ITEM-003) and for the action's own limit."""
    action = offer.action
    if source.startswith("card:") and source not in m.state.used and not action.constant:
        m.emit(Used(key=source, per="turn", seat=seat, rule=m.rules.cite.one_item_action))
    if action.again and _use_key(source, action) in m.state.used:
        m.apply_rule(source, m.rules.cite.card_precedence)
    elif action.again:
        m.emit(Used(key=_use_key(source, action), per="turn", seat=seat, rule=m.rules.cite.item_once))
    limit = limit_of(m.rules, action)
    if limit is not None:
        key = limit_key(m.rules, source, action.word, limit, seat)
        m.emit(Used(key=key, per=limit.per, seat=seat, rule=once_rule(m.rules, source, offer)))
