"""Items between characters and the floor: trade, drop, pick up (rulebook: Use Item and Omen Cards)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.commands import Drop, Loot, PickUp, Trade
from domain.facts.events import CorpseLooted, Declined, PileChanged, TradeProposed, Used
from domain.facts.ids import figure_id
from domain.facts.refusal import Refused
from domain.facts.state import NO_MONSTER, Decision, Figure, State, is_explorer
from domain.house.paths import distances
from domain.queries.characters import cards_of, corpses, is_corpse, opposed, side_of
from domain.rulebook.cards.drawing import holder, seat_of
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.table.limits import note_special, ready_to_use


def free_cards(rules: Rules, state: State, figure: Figure, act: str) -> list[str]:
    """Cards with which the character may still `trade` or `drop` this turn."""
    return [card for card in cards_of(state, figure) if rules.pack.can(card, act) and f"card:{card}" not in state.used]


def once(deed: str, figure: Figure) -> str:
    """The key for something that a character does once in its turn; each monster has its own."""
    return deed if is_explorer(figure) else f"{deed}@{figure}"


def singles_and_all(cards: list[str]) -> Iterator[list[str]]:
    """Each card alone, and all together."""
    for card in cards:
        yield [card]
    if len(cards) > 1:
        yield cards


def near(state: State, figure: Figure, seat: int) -> bool:
    """Whether an explorer is where the character is, in the same part (2E-ROOM-010)."""
    return state.place_of(seat) == state.place_of(figure)


def courier(rules: Rules, state: State, figure: Figure) -> str:
    """The card by which an explorer can trade farthest away now, or empty."""
    if not is_explorer(figure) or rules.pack.trading.keys().isdisjoint(state.explorers[figure].cards):
        return ""
    able = [
        card
        for card in state.explorers[figure].cards
        if card in rules.pack.trading
        and all(ready_to_use(rules, state, figure, card, standing) for standing in rules.pack.card(card).always)
    ]
    return max(able, key=lambda card: rules.pack.trading[card], default="")


def tradable(rules: Rules, state: State, figure: Figure, partner: int, whose: Figure) -> list[str]:
    """Cards of one of two explorers that can go to the other: from afar not what carries them, nor what it doesn't carry."""
    cards = free_cards(rules, state, whose, "trade")
    if near(state, figure, partner):
        return cards
    by = courier(rules, state, figure)
    light = next(
        (standing.items_by_ruling for standing in rules.pack.card(by).always if standing.items_by_ruling), None
    )
    items = light is not None and rules.plays_by(state, light)
    special = any(one.special for one in rules.pack.card(by).always)
    return [card for card in cards if not (card == by and special) and (not items or rules.pack.is_item_card(card))]


def partners(rules: Rules, state: State, figure: Figure) -> list[int]:
    """Explorers with whom a trade is possible: living, in the same room and part (2E-ROOM-010), or as far as a card reaches.

    For a monster they are of its side.
    """
    room, part = state.place_of(figure)
    found = [
        one.seat
        for one in state.explorers
        if one.room == room and one.alive and one.seat != figure and state.place_of(one.seat)[1] == part
    ]
    if is_explorer(figure):
        by = courier(rules, state, figure)
        if by:
            reach = distances(state, room, monster=False, within=rules.pack.trading[by])
            found = [one.seat for one in state.living() if one.seat != figure and one.room in reach]
        return found
    return [seat for seat in found if state.explorers[seat].revealed and side_of(state, seat) == side_of(state, figure)]


def check_trade(rules: Rules, state: State, command: Trade, figure: Figure) -> None:
    """One trade a turn with one partner, of cards that can be traded (2E-ITEM-006, 2E-ITEM-011, 2E-ITEM-013).

    Raises:
        Refused: a second trade, nobody there, or a card that can't change hands.
    """
    cite = rules.cite
    if once("trade", figure) in state.used:
        raise Refused("you have already traded this turn", rule=_granted(rules, figure, cite.trade_once))
    if command.partner not in partners(rules, state, figure):
        room, part = state.place_of(figure)
        there = state.place_of(command.partner) if 0 <= command.partner < state.seats else ("", 0)
        across = there[0] == room and there[1] != part
        rule = cite.across_barrier if across else _granted(rules, figure, cite.trade)
        if command.partner in corpses(state):
            raise Refused("a corpse cannot trade: take a card from it by `loot`", rule=cite.loot)
        raise Refused("{} is not here to trade with", figure_id(command.partner), rule=rule)
    given, wanted = list(command.gives), list(command.wants)
    _check_each_once(given, cite.trade)
    _check_each_once(wanted, cite.trade)
    if not given and (not rules.edition.cards.trade_any or not wanted):
        raise Refused("offer at least one card", rule=cite.trade)
    for card in given:
        if card not in tradable(rules, state, figure, command.partner, figure):
            raise Refused("{} can't be traded now", f"card:{card}", rule=_bar(rules, state, figure, card))
    for card in wanted:
        if card not in tradable(rules, state, figure, command.partner, command.partner):
            raise Refused("{} can't be asked for now", f"card:{card}", rule=_bar(rules, state, command.partner, card))


def _check_each_once(cards: Sequence[str], rule: str) -> None:
    if len(set(cards)) != len(cards):
        raise Refused("the same card is listed twice", rule=rule, problem="not-an-option")


def _granted(rules: Rules, figure: Figure, rule: str) -> str:
    """The rule behind handling items: for monsters a rule of their own (2E-ITEM-010)."""
    return rule if is_explorer(figure) else rules.cite.carriers


def _bar(rules: Rules, state: State, figure: Figure, card: str) -> str:
    if card in cards_of(state, figure) and f"card:{card}" in state.used:
        fought = rules.pack.card(card).attack is not None and is_explorer(figure) and state.explorers[figure].attacked
        return (rules.cite.used_weapon if fought else "") or rules.cite.one_item_action
    if card not in cards_of(state, figure):
        return _granted(rules, figure, rules.cite.trade)
    if card in free_cards(rules, state, figure, "trade"):
        return rules.cite.card_precedence  # not so far away
    return rules.cite.untradable if rules.pack.is_item(card) else rules.cite.not_an_item


def perform_trade(m: Machine, command: Trade, figure: Figure) -> None:
    """Propose a trade; nothing changes hands before the partner consents."""
    check_trade(m.rules, m.state, command, figure)
    gives, wants, partner = list(command.gives), list(command.wants), command.partner
    cite = m.rules.cite
    rule = (cite.unequal_trade if len(gives) != len(wants) else "") or _granted(m.rules, figure, cite.trade)
    m.emit(
        TradeProposed(
            seat=m.rules.controller(m.state, figure),
            partner=partner,
            gives=gives,
            wants=wants,
            monster=NO_MONSTER if is_explorer(figure) else figure,
            rule=rule,
        )
    )
    m.call("trade", seat=figure, partner=partner, gives=gives, wants=wants)


class Trading(Waiting):
    """Bindings of `trade`."""

    seat: Figure
    """Who proposes it."""
    partner: int
    gives: list[str]
    wants: list[str]


def consent(m: Machine, f: Frame[Trading]) -> bool | None:
    """Both players must agree (2E-ITEM-006); a monster's controller need not be asked."""
    partner, figure = f.vars["partner"], f.vars["seat"]
    once_key = Used(key=once("trade", figure), per="turn", seat=seat_of(figure), rule=m.rules.cite.trade_once)
    if partner == m.rules.controller(m.state, figure):
        m.emit(once_key)
        return None
    offer = {"gives": list(f.vars["gives"]), "wants": list(f.vars["wants"])}
    asked = Decision(
        id="", seat=partner, kind="consent", about=f"trade-with:{f.vars['seat']}", options=["yes", "no"], offer=offer
    )
    answer = m.ask(f, asked)
    if answer is None:
        return WAIT
    if answer == "no":
        m.emit(Declined(seat=partner, what="trade", rule=m.rules.cite.trade_consent or m.rules.cite.trade))
        f.finish()
        return None
    m.emit(once_key)
    return None


def hand_over(m: Machine, f: Frame[Trading]) -> None:
    """Cards change hands; each has had its action for this turn (2E-ITEM-013), and so has what carries them far."""
    figure, partner = f.vars["seat"], f.vars["partner"]
    if is_explorer(figure) and not near(m.state, figure, partner):
        note_special(m, figure, courier(m.rules, m.state, figure))
    for card in f.vars["wants"][::-1]:
        m.call("lose-card", seat=partner, card=card, to=holder(figure))
    for card in f.vars["gives"][::-1]:
        m.call("lose-card", seat=figure, card=card, to=holder(partner))


TRADE = procedure("trade", consent, hand_over)


# -- from the dead ----------------------------------------------------------------------------------------------------------------


def lootable(rules: Rules, state: State, figure: Figure) -> Iterator[tuple[int, str]]:
    """Seats of corpses here, each with a card that the character may take now (3E-LOOT-001, 3E-LOOT-002)."""
    if not rules.edition.cards.corpses_keep:
        return
    for one in state.explorers:
        if is_corpse(one) and no_looting(rules, state, figure, one.seat) is None:
            for card in one.cards:
                if rules.pack.can(card, "trade"):
                    yield one.seat, card


def no_looting(rules: Rules, state: State, figure: Figure, seat: int) -> Refused | None:
    """Why the character can take nothing from a seat now: one card a turn, from a corpse here, in a turn after that of the death."""
    cite = rules.cite
    if not rules.edition.cards.corpses_keep:
        return Refused("the dead keep no cards in this edition: pick up what lies in their room", rule=cite.loot)
    if once("loot", figure) in state.used:
        return Refused("you have already taken a card from a corpse this turn", rule=cite.loot)
    if seat not in corpses(state):
        living = seat < state.seats and state.explorers[seat].alive
        if living and opposed(state, seat, figure):
            return Refused("{} is alive, and only a haunt may allow stealing", figure_id(seat), rule=cite.steal)
        what = "{} is alive: offer a trade instead" if living else "{} left no corpse"
        return Refused(what, figure_id(seat), rule=cite.loot)
    if state.place_of(seat) != state.stands_at(figure):
        return Refused("the corpse of {} is not here", figure_id(seat), rule=cite.loot)
    if state.explorers[seat].died >= state.turn.number:
        return Refused(
            "{} died in this turn: the corpse can be looted from the next turn on",
            figure_id(seat),
            rule=cite.loot_later,
        )
    return None


def perform_loot(m: Machine, command: Loot, figure: Figure) -> None:
    """Take the card; nobody is asked (3E-LOOT-003).

    Raises:
        Refused: see `no_looting`; or a card that the corpse hasn't got, or that can't change hands.
    """
    cite = m.rules.cite
    if refused := no_looting(m.rules, m.state, figure, command.corpse):
        raise refused
    if command.card not in m.state.explorers[command.corpse].cards:
        has_not = "the corpse of {} does not have {}"
        raise Refused(has_not, figure_id(command.corpse), f"card:{command.card}", rule=cite.loot)
    if not m.rules.pack.can(command.card, "trade"):
        raise Refused("{} can't change hands", f"card:{command.card}", rule=cite.untradable)
    m.emit(Used(key=once("loot", figure), per="turn", seat=seat_of(figure), rule=cite.loot))
    m.emit(CorpseLooted(figure=figure, corpse=command.corpse, card=command.card, rule=cite.loot_unasked))
    m.call("lose-card", seat=command.corpse, card=command.card, to=holder(figure))


# -- the floor --------------------------------------------------------------------------------------------------------------------


def check_drop(rules: Rules, state: State, command: Drop, figure: Figure) -> None:
    """Once in a turn any number of items (2E-ITEM-007).

    Raises:
        Refused: a second time, a card twice, or one that can't be dropped.
    """
    _check_piles(rules)
    if once("drop", figure) in state.used:
        raise Refused("you have already dropped items this turn", rule=_granted(rules, figure, rules.cite.drop))
    _check_each_once(command.cards, rules.cite.drop)
    for card in command.cards:
        if card not in free_cards(rules, state, figure, "drop"):
            raise Refused(
                "{} can't be dropped", f"card:{card}", rule=_bar(rules, state, figure, card) or rules.cite.drop
            )


def _check_piles(rules: Rules) -> None:
    if not rules.edition.cards.piles:
        raise Refused("items can't be dropped or picked up in this edition", rule=rules.cite.drop)


def perform_drop(m: Machine, command: Drop, figure: Figure) -> None:
    """Put cards down; they join the pile there."""
    check_drop(m.rules, m.state, command, figure)
    seat, cite = seat_of(figure), m.rules.cite
    m.emit(Used(key=once("drop", figure), per="turn", seat=seat, rule=_granted(m.rules, figure, cite.drop)))
    for card in command.cards:
        m.emit(Used(key=f"card:{card}", per="turn", seat=seat, rule=cite.one_item_action))
    for card in reversed(command.cards):
        m.call("lose-card", seat=figure, card=card, to="pile")


def check_pick_up(rules: Rules, state: State, command: PickUp, figure: Figure) -> None:
    """Once in a turn any part of the pile here (2E-ITEM-009).

    Raises:
        Refused: a second time, a card twice, or one that is not here or was dropped this turn.
    """
    _check_piles(rules)
    if once("pick-up", figure) in state.used:
        raise Refused("you have already picked up items this turn", rule=_granted(rules, figure, rules.cite.pick_up))
    _check_each_once(command.cards, rules.cite.pick_up)
    room, part = state.place_of(figure)
    lying = pile_at(state, room, part)
    for card in command.cards:
        if card not in lying:
            beyond = any(card in pile.cards and pile.room == room for pile in state.piles)
            rule = rules.cite.across_barrier if beyond else rules.cite.pick_up
            raise Refused("{} is not on the floor here", f"card:{card}", rule=rule)
        if f"card:{card}" in state.used:
            done = "{} has already been used, traded or moved this turn"
            raise Refused(done, f"card:{card}", rule=rules.cite.one_item_action)


def perform_pick_up(m: Machine, command: PickUp, figure: Figure) -> None:
    """Take them."""
    check_pick_up(m.rules, m.state, command, figure)
    room, part = m.state.place_of(figure)
    cite = m.rules.cite
    rest = [card for card in pile_at(m.state, room, part) if card not in command.cards]
    granted = _granted(m.rules, figure, cite.pick_up)
    m.emit(Used(key=once("pick-up", figure), per="turn", seat=seat_of(figure), rule=granted))
    m.emit(PileChanged(room=room, part=part, cards=rest, rule=cite.open_piles))
    for card in reversed(command.cards):
        m.call("gain-card", seat=figure, card=card, spent=True)
