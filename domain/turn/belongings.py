"""Items between explorers and the floor: trade, drop, pick up (rulebook: Use Item and Omen Cards)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.commands import Drop, PickUp, Trade
from domain.effects.machine import WAIT, Frame, Machine, procedure
from domain.events import Declined, PileChanged, TradeProposed, Used
from domain.house.paths import distances
from domain.refusal import Refused
from domain.state import Decision, State
from domain.turn.piles import pile_at

if TYPE_CHECKING:
    from domain.rules import Rules


def free_cards(rules: Rules, state: State, seat: int, act: str) -> list[str]:
    """Cards with which the explorer may still `trade` or `drop` this turn."""
    return [
        card for card in state.explorers[seat].cards if rules.pack.can(card, act) and f"card:{card}" not in state.used
    ]


def partners(rules: Rules, state: State, seat: int) -> list[int]:
    """Explorers with whom a trade is possible: living, in the same room and part (2E-ROOM-010), or as far as a card reaches."""
    room, part = state.place_of(seat)
    near = [
        one.seat for one in state.explorers if one.room == room and one.part == part and one.alive and one.seat != seat
    ]
    spaces = [rules.pack.trading[card] for card in state.explorers[seat].cards if card in rules.pack.trading]
    if spaces:
        reach = distances(state, room, monster=False)
        near = [one.seat for one in state.living() if one.seat != seat and reach.get(one.room, 99) <= max(spaces)]
    return near


def check_trade(rules: Rules, state: State, command: Trade, seat: int) -> None:
    """One trade a turn with one partner, of cards that can be traded (2E-ITEM-006, 2E-ITEM-011, 2E-ITEM-013).

    Raises:
        Refused: a second trade, nobody there, or a card that can't change hands.
    """
    cite = rules.cite
    if "trade" in state.used:
        raise Refused("one trade in a turn", rule=cite.trade_once)
    if command.partner not in partners(rules, state, seat):
        across = (
            0 <= command.partner < state.seats and state.explorers[command.partner].room == state.explorers[seat].room
        )
        rule = cite.across_barrier if across and command.partner != seat else cite.trade
        raise Refused(f"seat {command.partner} is not here to trade with", rule=rule)
    given, wanted = list(command.gives), list(command.wants)
    if len(set(given)) != len(given) or len(set(wanted)) != len(wanted):
        raise Refused("a card is named twice", problem="not-an-option")
    if not given and (not rules.edition.cards.trade_any or not wanted):
        raise Refused("a trade gives at least one card", rule=cite.trade)
    for card in given:
        if card not in free_cards(rules, state, seat, "trade"):
            raise Refused(f"{card} can't be given", rule=_bar(rules, state, seat, card))
    for card in wanted:
        if card not in free_cards(rules, state, command.partner, "trade"):
            raise Refused(f"{card} can't be received", rule=_bar(rules, state, command.partner, card))


def _bar(rules: Rules, state: State, seat: int, card: str) -> str:
    if card in state.explorers[seat].cards and f"card:{card}" in state.used:
        return rules.cite.one_item_action
    if card not in state.explorers[seat].cards:
        return rules.cite.trade
    return rules.cite.untradable if rules.pack.is_item(card) else rules.cite.not_an_item


def perform_trade(m: Machine, command: Trade, seat: int) -> None:
    """Propose; nothing changes hands before the partner consents."""
    check_trade(m.rules, m.state, command, seat)
    gives, wants = list(command.gives), list(command.wants)
    m.emit(TradeProposed(seat=seat, partner=command.partner, gives=gives, wants=wants, rule=m.rules.cite.trade))
    m.call("trade", seat=seat, partner=command.partner, gives=gives, wants=wants)


def consent(m: Machine, f: Frame) -> bool | None:
    """Both players must agree (2E-ITEM-006)."""
    partner = f.vars["partner"]
    offer = {"gives": list(f.vars["gives"]), "wants": list(f.vars["wants"])}
    asked = Decision(
        id="", seat=partner, kind="consent", about=f"trade-with:{f.vars['seat']}", options=["yes", "no"], offer=offer
    )
    answer = m.ask(f, asked)
    if answer is None:
        return WAIT
    if answer == "no":
        m.emit(Declined(seat=partner, what="trade", rule=m.rules.cite.trade))
        f.finish()
        return None
    m.emit(Used(key="trade", per="turn", seat=f.vars["seat"], rule=m.rules.cite.trade_once))
    return None


def hand_over(m: Machine, f: Frame) -> None:
    """Cards change hands; each has had its action for this turn (2E-ITEM-013)."""
    seat, partner = f.vars["seat"], f.vars["partner"]
    for card in reversed(f.vars["wants"]):
        m.call("lose-card", seat=partner, card=card, to=f"seat:{seat}")
    for card in reversed(f.vars["gives"]):
        m.call("lose-card", seat=seat, card=card, to=f"seat:{partner}")


TRADE = procedure("trade", consent, hand_over)


def check_drop(rules: Rules, state: State, command: Drop, seat: int) -> None:
    """Once in a turn any number of items (2E-ITEM-007).

    Raises:
        Refused: a second time, a card twice, or one that can't be dropped.
    """
    _check_piles(rules)
    if "drop" in state.used:
        raise Refused("one drop in a turn", rule=rules.cite.drop)
    if len(set(command.cards)) != len(command.cards):
        raise Refused("a card is named twice", problem="not-an-option")
    for card in command.cards:
        if card not in free_cards(rules, state, seat, "drop"):
            raise Refused(f"{card} can't be dropped", rule=_bar(rules, state, seat, card) or rules.cite.drop)


def _check_piles(rules: Rules) -> None:
    if not rules.edition.cards.piles:
        raise Refused("items are not dropped or picked up in this edition", rule=rules.cite.drop)


def perform_drop(m: Machine, command: Drop, seat: int) -> None:
    """Put them down; they join the pile that lies there."""
    check_drop(m.rules, m.state, command, seat)
    m.emit(Used(key="drop", per="turn", seat=seat, rule=m.rules.cite.drop))
    for card in command.cards:
        m.emit(Used(key=f"card:{card}", per="turn", seat=seat, rule=m.rules.cite.one_item_action))
    for card in reversed(command.cards):
        m.call("lose-card", seat=seat, card=card, to="pile")


def check_pick_up(rules: Rules, state: State, command: PickUp, seat: int) -> None:
    """Once in a turn any part of the pile here (2E-ITEM-009).

    Raises:
        Refused: a second time, a card twice, or one that does not lie here or was dropped this turn.
    """
    _check_piles(rules)
    if "pick-up" in state.used:
        raise Refused("one pick-up in a turn", rule=rules.cite.pick_up)
    if len(set(command.cards)) != len(command.cards):
        raise Refused("a card is named twice", problem="not-an-option")
    lying = pile_at(state, *state.place_of(seat))
    for card in command.cards:
        if card not in lying:
            beyond = any(card in pile.cards and pile.room == state.explorers[seat].room for pile in state.piles)
            rule = rules.cite.across_barrier if beyond else rules.cite.pick_up
            raise Refused(f"{card} does not lie here", rule=rule)
        if f"card:{card}" in state.used:
            raise Refused(f"{card} has had its action this turn", rule=rules.cite.one_item_action)


def perform_pick_up(m: Machine, command: PickUp, seat: int) -> None:
    """Take them."""
    check_pick_up(m.rules, m.state, command, seat)
    room, part = m.state.place_of(seat)
    rest = [card for card in pile_at(m.state, room, part) if card not in command.cards]
    m.emit(Used(key="pick-up", per="turn", seat=seat, rule=m.rules.cite.pick_up))
    m.emit(PileChanged(room=room, part=part, cards=rest, rule=m.rules.cite.open_piles))
    for card in reversed(command.cards):
        m.call("gain-card", seat=seat, card=card, spent=True)
