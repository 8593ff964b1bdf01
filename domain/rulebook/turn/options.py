"""What may be done: every legal command of a seat, from the state as that seat knows it.

Legality is a function of the role's view: nothing here may read what the seat was not told, and a law tests that the list is
the same from the engine's state and from the seat's own fold. Each command listed is accepted; any other is checked
by the module of its kind, which refuses with a rule id.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.commands import (
    Act,
    Allocate,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    Choose,
    Cross,
    Drop,
    EndTurn,
    Explore,
    LookThrough,
    Loot,
    Move,
    PickUp,
    Reveal,
    Select,
    Trade,
)
from domain.facts.refusal import Refused
from domain.facts.state import UNNAMED, Decision, State
from domain.rulebook.cards.belongings import free_cards, lootable, partners, singles_and_all, tradable
from domain.rulebook.cards.looking import no_looking
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.desk.disputing import consents
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.rulings import consent
from domain.rulebook.explore.crossing import no_crossing
from domain.rulebook.explore.discovering import open_doors
from domain.rulebook.explore.moving import can_step, goals
from domain.rulebook.fight.attacking import may_attack, targets, weapons
from domain.rulebook.fight.monsters import next_to_act
from domain.rulebook.table.posted_dice import throw
from domain.rulebook.table.sparing import may_reveal
from domain.rulebook.turn.acting import captives, open_actions
from domain.rulebook.turn.monster_deeds import deeds

LISTED = 64
"""At most this many commands are listed for one decision; beyond that its constraint, one example and the exact count are given."""

REVEAL = "reveal"
"""The decision that a hidden traitor answers by revealing itself: always open, and nobody is told for whom (2E-HID-005)."""


def turn_decision(state: State) -> str:
    """The id of the turn's own decision, or empty while nobody may act."""
    acting = state.turn.acting and not state.open and state.status == "started"
    return f"turn-{state.turn.number}" if acting and not paused(state) else ""


def named_seat(state: State, decision: str) -> int:
    """The seat that a decision belongs to, as everybody knows it: `UNNAMED` where it is a hidden traitor's.

    Raises:
        Refused: it is not open.
    """
    found = _named_seat(state, decision)
    if found is None:
        raise Refused(f"the decision `{decision}` is not open", problem="decision-closed")
    return found


def answering_seat(state: State, decision: str) -> int:
    """The seat that a decision belongs to, as far as this state was told. Raises as `named_seat` does."""
    return state.seat_of(named_seat(state, decision))


def is_unnamed(state: State, decision: str) -> bool:
    """Whether a decision is one of the hidden traitor's that nobody may be seen to make, as of the monsters' turn (2E-HID-003)."""
    return _named_seat(state, decision) == UNNAMED and state.haunt is not None and state.haunt.hidden


def _named_seat(state: State, decision: str) -> int | None:
    found = state.open.get(decision)
    if found is not None:
        return found.seat
    return state.turn.seat if decision == turn_decision(state) else None


def legal(rules: Rules, state: State, seat: int) -> list[AnyCommand]:
    """Every command that the seat may post now, the long lists of trades and drops by single cards and all at once."""
    rules = rules.of(state)
    found: list[AnyCommand] = []
    waits = paused(state)
    for decision in state.open.values():
        if state.seat_of(decision.seat) == seat and not waits:
            found += answers(rules, decision)
    turn = turn_decision(state)
    if turn and state.seat_of(state.turn.seat) == seat:
        found += monster_turn(rules, state, turn, seat) if state.turn.monsters else own_turn(rules, state, turn, seat)
    if not waits and may_reveal(rules, state, seat):
        found.append(Reveal(decision=REVEAL))
    if state.rulings is not None:
        asked = consent(state, seat)
        found += answers(rules, asked) if asked is not None else ()
    if state.desk is not None:
        for one in consents(state, seat):
            found += answers(rules, one)
    return found


# -- answers ----------------------------------------------------------------------------------------------------------------------


def answers(rules: Rules, decision: Decision) -> Iterator[AnyCommand]:
    """Every answer that an open decision takes, cut off just above the number that is listed."""
    if decision.kind == "allocation":
        totals = range(decision.total + 1) if decision.up_to else (decision.total,)
        every = itertools.chain.from_iterable(divisions(decision.caps, total) for total in reversed(totals))
        for points in itertools.islice(every, LISTED + 1):
            yield Allocate(decision=decision.id, points=points)
    elif decision.kind == "selection":
        places = range(len(decision.options))
        for size in range(decision.total + 1):
            for chosen in itertools.combinations(places, size):
                yield Select(decision=decision.id, chosen=list(chosen))
    elif decision.kind == "chance":
        if decision.options:
            for option in decision.options:
                yield AnswerChance(decision=decision.id, pick=option)
        else:
            yield throw(rules, decision.id, [1] * decision.total)
    else:
        for option in decision.options:
            yield Choose(decision=decision.id, option=option)


def divisions(caps: dict[str, int], total: int) -> Iterator[dict[str, int]]:
    """All ways to divide points among traits, each no more than its cap."""
    traits = list(caps)
    if not traits:
        if total == 0:
            yield {}
        return
    first, rest = traits[0], {trait: caps[trait] for trait in traits[1:]}
    room = sum(rest.values())
    for points in range(max(0, total - room), min(caps[first], total) + 1):
        for division in divisions(rest, total - points):
            yield {first: points, **division} if points else division


# -- turns ------------------------------------------------------------------------------------------------------------------------


def own_turn(rules: Rules, state: State, turn: str, seat: int) -> Iterator[AnyCommand]:
    """What an explorer may do on its turn (2E-TURN-002)."""
    explorer = state.explorers[seat]
    if explorer.removed:
        for source, word, found in open_actions(Glance(rules, state), seat):
            for target in found:
                yield Act(decision=turn, source=source, word=word, target=target)
        yield EndTurn(decision=turn)
        return
    for captive in captives(state, seat):
        yield BreakFree(decision=turn, seat=captive)
    if explorer.held is None:
        if can_step(rules, state, seat):
            for there, _part in goals(state, seat):
                yield Move(decision=turn, to=there)
            for door in open_doors(rules, state, seat):
                yield Explore(decision=turn, door=door)
        if state.rooms[explorer.room].parts and no_crossing(rules, state, seat) is None:
            yield Cross(decision=turn)
        yield from _deeds(rules, state, turn, seat)
        if not no_looking(rules, state):
            yield LookThrough(decision=turn)
    yield EndTurn(decision=turn)


def _deeds(rules: Rules, state: State, turn: str, seat: int) -> Iterator[AnyCommand]:
    glance = Glance(rules, state)
    for source, word, found in open_actions(glance, seat):
        for target in found:
            yield Act(decision=turn, source=source, word=word, target=target)
    if may_attack(state, seat):
        for weapon in weapons(rules, state, seat):
            for foe in targets(rules, state, seat, weapon):
                yield Attack(decision=turn, target=foe, weapon=weapon)
    for corpse, card in lootable(rules, state, seat):
        yield Loot(decision=turn, corpse=corpse, card=card)
    if state.explorers[seat].cards or rules.edition.cards.trade_any:
        yield from _hands(rules, state, turn, seat)
    if rules.edition.cards.piles and state.piles and "pick-up" not in state.used:
        lying = [card for card in pile_at(state, *state.place_of(seat)) if f"card:{card}" not in state.used]
        for cards in singles_and_all(lying):
            yield PickUp(decision=turn, cards=cards)


def _hands(rules: Rules, state: State, turn: str, seat: int) -> Iterator[AnyCommand]:
    if rules.edition.cards.piles and "drop" not in state.used:
        for cards in singles_and_all(free_cards(rules, state, seat, "drop")):
            yield Drop(decision=turn, cards=cards)
    if "trade" not in state.used:
        for partner in partners(rules, state, seat):
            for card in tradable(rules, state, seat, partner, seat):
                yield Trade(decision=turn, partner=partner, gives=[card])
            if rules.edition.cards.trade_any:
                for card in tradable(rules, state, seat, partner, partner):
                    yield Trade(decision=turn, partner=partner, wants=[card])


def monster_turn(rules: Rules, state: State, turn: str, seat: int) -> Iterator[AnyCommand]:
    """What monsters may do in their turn (2E-MON-001, 2E-MON-007), and what a dead traitor's player may before it (2E-MON-021)."""
    glance = Glance(rules, state)
    for source, word, found in open_actions(glance, seat) if state.turn.seat == seat else ():
        for target in found:
            yield Act(decision=turn, source=source, word=word, target=target)
    for name in next_to_act(state):
        if can_step(rules, state, name):
            for room, _part in goals(state, name):
                yield Move(decision=turn, to=room, monster=name)
        if state.rooms[state.stands_at(name)[0]].parts:
            yield Cross(decision=turn, monster=name)
        if may_attack(state, name):
            for weapon in weapons(rules, state, name):
                for foe in targets(rules, state, name, weapon):
                    yield Attack(decision=turn, target=foe, weapon=weapon, monster=name)
        if rules.pack.busy(state, name):
            yield from deeds(glance, turn, name)
    yield EndTurn(decision=turn)
