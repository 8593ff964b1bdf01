"""The end of a turn and the start of the next: duties, haunt rolls, whose turn it is (rulebook: How to Play, The Haunt)."""

from __future__ import annotations

from typing import NamedTuple, NotRequired

from domain.engine.bindings import Seated, Waiting
from domain.engine.block import Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import (
    GameEnded,
    HauntRolled,
    TurnEnded,
    TurnStarted,
)
from domain.facts.state import UNNAMED, Haunt
from domain.queries.characters import takes_turns
from domain.rulebook.cards.drawing import free, has_begun
from domain.rulebook.haunt.winning import monsters_play_on
from domain.rulebook.table.triggers import fire, fire_around

# -- end-turn -------------------------------------------------------------------------------------------------------------------


class EndingTurn(Waiting):
    """Bindings of `end-turn`."""

    number: NotRequired[int]
    """The turn that is to end; nothing happens if another has begun."""
    rule: NotRequired[str]
    """The rule that ends it, if not its player."""
    seat: int
    monsters: bool
    in_haunt: bool


def stop_monsters(m: Machine, f: Frame[EndingTurn]) -> None:
    """Monsters end their moves before their turn ends: one that could not leave the chute slides (2E-ROOM-018)."""
    turn = m.state.turn
    if not turn.acting or f.vars.get("number", turn.number) != turn.number:
        f.finish()
    elif turn.monsters:
        f.vars["number"] = turn.number
        m.call("monsters-end")


def end(m: Machine, f: Frame[EndingTurn]) -> None:
    """End the turn."""
    turn = m.state.turn
    if not turn.acting or f.vars.get("number", turn.number) != turn.number:
        f.finish()
        return
    seat = m.rules.runs_monsters(m.state) if turn.seat == UNNAMED else turn.seat  # its name may be known by now
    if not m.rules.edition.turns.texts_first:
        m.emit(TurnEnded(seat=seat, rule=m.rules.cite.turn_ends))
    f.vars["monsters"] = turn.monsters
    f.vars["seat"] = seat
    f.vars["in_haunt"] = m.state.haunt is not None


def room_duties(m: Machine, f: Frame[EndingTurn]) -> None:
    """Texts of rooms, tokens and the haunt for the end of the turn come first (2E-TURN-003, ruling)."""
    if f.vars["monsters"]:
        return
    seat = f.vars["seat"]
    explorer = m.state.explorers[seat]
    if not takes_turns(m.state, explorer):
        return
    if m.state.haunt is not None:
        fire(m, f"haunt:{m.state.haunt.id}", "turn-ended", seat)
    if explorer.removed:
        return
    room, part = m.state.place_of(seat)
    for here in reversed(m.state.tokens):
        if here.room == room and here.part == part:
            fire(m, f"token:{here.token}", "turn-ended", seat)
    for card in reversed(explorer.cards):
        fire(m, f"card:{card}", "turn-ended", seat)
    tile = f"tile:{explorer.room}"
    if (tile, "turn-ended") in m.rules.pack.triggers:
        m.apply_rule(tile, m.rules.cite.end_of_turn)
    fire(m, tile, "turn-ended", seat)


def haunt_rolls(m: Machine, f: Frame[EndingTurn]) -> None:
    """One haunt roll for each omen drawn, in draw order, until one begins the haunt (2E-HROLL-001).

    Where texts come before the end there are none here, and the turn is over when all that was due has happened (3E-TURN-006, 3E-TURN-007).
    """
    if m.rules.edition.turns.texts_first and m.state.turn.acting:
        m.emit(TurnEnded(seat=f.vars["seat"], rule=f.vars.get("rule") or m.rules.cite.turn_ends))
    if f.vars["monsters"] or has_begun(m) or not m.rules.edition.haunt_roll.at_turn_end:
        return
    explorer = m.state.explorers[f.vars["seat"]]
    if m.rules.edition.haunt_roll.once_a_turn:
        order = [*m.state.explorers[explorer.seat :], *m.state.explorers[: explorer.seat]]
        owing = [one.seat for one in order if one.omens_owed]
        if owing:
            m.call("haunt-roll", seat=owing[0])
        return
    if explorer.omens_owed and explorer.alive:
        f.goto("haunt_rolls")
        m.call("haunt-roll", seat=explorer.seat)


def hand_on(m: Machine, f: Frame[EndingTurn]) -> None:
    """The next turn, unless a haunt began in this one and says whose turn follows (2E-HTURN-001)."""
    if f.vars["in_haunt"] or not has_begun(m):
        m.call("next-turn", seat=f.vars["seat"], monsters=f.vars["monsters"])


END_TURN = procedure("end-turn", stop_monsters, end, room_duties, haunt_rolls, hand_on)


# -- haunt-roll -----------------------------------------------------------------------------------------------------------------


class RollingForHaunt(Seated):
    """Bindings of `haunt-roll`."""

    number: NotRequired[int]
    """The haunt that a card has named."""
    no_roll: NotRequired[bool]
    """The last omen is drawn: the haunt begins without a roll."""
    roll: NotRequired[int]


def roll_for_haunt(m: Machine, f: Frame[RollingForHaunt]) -> None:
    """Six dice, or one for each omen (2E-HROLL-002, 3E-HROLL-002); the last omen of the third edition needs no roll."""
    policy = m.rules.edition.haunt_roll
    if policy.last_omen_begins and m.state.decks["omen"].size() == 0 and "number" not in f.vars:
        f.vars["no_roll"] = True
        return
    dice = policy.number_of_dice(m.state.omens_drawn)
    m.call("roll", who=f.vars["seat"], kind="haunt", dice=dice, about="haunt")


def judge_haunt(m: Machine, f: Frame[RollingForHaunt]) -> None:
    """Whether the haunt begins; the roller is the haunt revealer then (2E-HROLL-005)."""
    seat = f.vars["seat"]
    omens, total = m.state.omens_drawn, f.vars.get("roll", 0)
    begins = f.vars.get("no_roll", False) or m.rules.edition.haunt_roll.begins(total, omens)
    if "number" in f.vars:
        _judge_card(m, f, omens, total, begins=begins)
        return
    once = m.rules.edition.haunt_roll.once_a_turn
    omen, room = m.state.explorers[seat].omens_owed[-1 if once else 0]
    rule = (m.rules.cite.last_omen if f.vars.get("no_roll") else "") or _compared(m, omens)
    m.emit(HauntRolled(seat=seat, total=total, omens=omens, begins=begins, settles=once, rule=rule))
    if begins:
        _begin(m, seat=seat, omen=omen, room=room)


def _judge_card(m: Machine, f: Frame[RollingForHaunt], omens: int, total: int, *, begins: bool) -> None:
    """A roll that a card asked for: it begins the haunt of that number, at once."""
    seat, number = f.vars["seat"], f.vars["number"]
    m.emit(HauntRolled(seat=seat, total=total, omens=omens, begins=begins, number=number, rule=m.rules.cite.haunt_roll))
    m.give("begins", begins)
    if begins:
        _begin(m, seat=seat, omen="", room=m.state.explorers[seat].room, number=number)


def _begin(m: Machine, **bound: int | str) -> None:
    """Begin the haunt now if the turn has ended, else after all that is under way, whose last is the end of the turn."""
    if m.rules.edition.haunt_roll.at_turn_end and not m.state.turn.acting:
        m.call("begin-haunt", **bound)
    else:
        m.call_last("begin-haunt", **bound)


def _compared(m: Machine, drawn: int) -> str:
    """The rule on the number compared: all omens drawn, although the glossary would count only those in play (2E-PREC-004)."""
    state, cite = m.state, m.rules.cite
    held = [card for explorer in state.explorers for card in explorer.cards]
    lying = [card for pile in state.piles for card in pile.cards]
    in_play = sum(card in m.rules.pack.decks["omen"] for card in (*held, *lying, *state.companions))
    return (cite.omens_counted if in_play == drawn else cite.body_over_glossary) or cite.haunt_roll


HAUNT_ROLL = procedure("haunt-roll", roll_for_haunt, judge_haunt)


# -- next-turn ------------------------------------------------------------------------------------------------------------------

ROUNDS = 10
"""After this many rounds in which nobody could do anything, somebody is asked to go on."""
GO_ON = "go-on"


class NextTurn(Seated):
    """Bindings of `next-turn`: first of the turn that is over, then of the one that begins."""

    monsters: bool
    new_round: NotRequired[bool]


def ask_to_go_on(m: Machine, f: Frame[NextTurn]) -> bool:
    """If turn after turn ends by itself, as when a Music Box holds everybody spellbound, ask somebody to go on, or the command would never end.

    Then the players can also rule on it, or leave. Where people report the dice, each of these turns waits for them anyway.
    """
    asked = "asked" in f.vars  # by an earlier command, which counted rounds too
    if not asked and (len(m.told) <= ROUNDS or _turns_begun(m) < ROUNDS * m.state.seats):
        return False
    return m.choose(f, f.vars["seat"], "go-on", [GO_ON], kind="consent") is None


def _turns_begun(m: Machine) -> int:
    return sum(isinstance(told.event, TurnStarted) for told in m.told)


def start_next(m: Machine, f: Frame[NextTurn]) -> None:
    """Whose turn it is now: clockwise, or heroes, traitor, monsters (2E-SETUP-009, 2E-HTURN-002)."""
    if m.state.haunt is not None and m.rules.ended(m):
        m.stack.clear()
        return
    number = m.state.turn.number + 1
    limit = m.state.options.get("turn_limit")
    if isinstance(limit, int) and limit and number > limit:
        m.emit(GameEnded(winner="", because=f"The turn limit of {limit} is reached."))
        m.stack.clear()
        return
    before = f.vars["seat"]
    seat, monsters, new_round, passed, follows = successor(m, before, monsters=f.vars["monsters"])
    haunt = m.state.haunt
    rounds = 0 if haunt is None else haunt.round + new_round
    allowance = -1
    if m.rules.edition.movement.speed_fixed and not monsters:
        allowance = m.state.explorers[seat].value("speed")
    cite = m.rules.cite
    rule = cite.monsters_turn if monsters else (cite.haunt_round if haunt is not None else "") or cite.clockwise
    if seat == UNNAMED:
        rule = cite.hidden_order or rule
    if haunt is not None and not haunt.started:
        rule = (cite.hidden_order if dealt_in_secret(m) else "") or cite.first_haunt_turn
    if haunt is not None and haunt.started and haunt.traitor >= 0 and not haunt.hidden:
        traitor = m.state.explorers[haunt.traitor]
        if (monsters and not traitor.alive and not traitor.removed) or (
            passed and not monsters and m.state.monsters and not monsters_play_on(m)
        ):
            rule = cite.dead_traitors_monsters
        elif seat == haunt.traitor and traitor.removed and not monsters:
            rule = cite.without_figure
    shares = m.rules.edition.monsters.shares_tiles or not monsters
    m.emit(
        TurnStarted(
            seat=seat,
            number=number,
            monsters=monsters,
            allowance=allowance,
            round=rounds,
            follows=follows,
            shares=shares,
            rule=rule,
        )
    )
    f.vars["seat"], f.vars["monsters"], f.vars["new_round"] = seat, monsters, bool(new_round)


class Successor(NamedTuple):
    """The next turn."""

    seat: int
    monsters: bool = False
    new_round: int = 0
    """1 if a new round begins with it."""
    passed: bool = False
    """Whether the monsters' place in the round lies before it, or is its own."""
    follows: int = -1
    """Of the monsters' turn, where it has a place of its own: the seat after whose turn it comes."""


def successor(m: Machine, seat: int, *, monsters: bool) -> Successor:
    """Whose turn comes after the one of this seat, or of the monsters."""
    state, haunt = m.state, m.state.haunt
    if haunt is None:
        return Successor(state.turn.extra if state.turn.extra >= 0 else (seat + 1) % state.seats)
    order = haunt_order(m)
    if haunt.started and state.turn.extra in order:
        return Successor(state.turn.extra)
    if not haunt.started:
        return Successor(order[0], new_round=1, passed=True)
    # the position after the seat whose turn it was, even if it died meanwhile
    full = seat_order(m)
    last = (state.turn.follows if state.turn.follows >= 0 else full[-1]) if monsters else seat
    passed = monsters
    for step in range(full.index(last), full.index(last) + state.seats + 1):
        here, later = full[step % state.seats], int(step >= state.seats)
        if here in order and here != last:
            return Successor(here, new_round=later, passed=passed)
        if not passed and here in _monsters_places(m, haunt, full, later):
            passed = True
            if state.monsters and monsters_play_on(m):
                runs = m.rules.controller(state, next(iter(state.monsters)))
                follows = here if m.rules.monsters_follow(state) >= 0 else -1
                return Successor(runs, monsters=True, new_round=later, passed=True, follows=follows)
    return Successor(last, new_round=1, passed=passed)


def _monsters_places(m: Machine, haunt: Haunt, full: list[int], later: int) -> list[int]:
    """After whose turn the monsters act, in the round under way or, if `later`, in the one after it.

    That is once in a round also when a hidden traitor is revealed (3E-MON-002): not after its turn if they have acted before, and where
    they acted without it if its turn is over by then.
    """
    follow, before = m.rules.monsters_follow(m.state), m.rules.monsters_follow_without_traitor(m.state)
    place, old = (full[-1] if seat < 0 else seat for seat in (follow, before))
    if place == old or not dealt_in_secret(m) or not m.state.monsters:
        return [place]
    if haunt.acted == haunt.round + later:
        return []
    too_late = haunt.acted_after in (old, -1) and full.index(place) < full.index(old)
    return [place, old] if too_late else [place]


def seat_order(m: Machine) -> list[int]:
    """All seats in the order of a haunt's round, the dead included."""
    state, haunt = m.state, m.state.haunt
    if haunt is None:
        return list(range(state.seats))
    last = haunt.traitor if m.rules.edition.haunt.heroes_then_traitor and not dealt_in_secret(m) else haunt.revealer
    if last < 0:
        last = haunt.revealer
    return [(last + 1 + step) % state.seats for step in range(state.seats)]


def dealt_in_secret(m: Machine) -> bool:
    """Whether the traitor was dealt by tokens: the order stays clockwise from the revealer's left even after (2E-HID-003)."""
    haunt = m.state.haunt
    return haunt is not None and m.rules.pack.haunts[haunt.id].kind == "hidden-traitor"


def haunt_order(m: Machine) -> list[int]:
    """Seats in the order of a round: of the living, and of a traitor without a figure (2E-HTURN-004)."""
    return [seat for seat in seat_order(m) if takes_turns(m.state, m.state.explorers[seat])]


def begin_turn(m: Machine, f: Frame[NextTurn]) -> None:
    """What happens at the start of a turn; held explorers whose tries are used up go free."""
    seat = f.vars["seat"]
    haunt = m.state.haunt
    if f.vars["monsters"]:
        m.call("monsters-begin", seat=seat)
        if haunt is not None and f.vars["new_round"]:
            fire(m, f"haunt:{haunt.id}", "round-started", haunt_order(m)[0])
        return
    explorer = m.state.explorers[seat]
    if explorer.held is not None and explorer.held.tries_left <= 0:
        free(m, seat, m.rules.cite.card_precedence)
    if explorer.alive:
        for card in reversed(explorer.cards):
            fire(m, f"card:{card}", "turn-started", seat)
        if m.rules.pack.reaching:
            fire_around(m, "turn-started", seat)
        fire(m, f"tile:{explorer.room}", "turn-started", seat)
    if haunt is not None:
        fire(m, f"haunt:{haunt.id}", "turn-started", seat)
        if f.vars["new_round"]:
            fire(m, f"haunt:{haunt.id}", "round-started", seat)


NEXT_TURN = procedure("next-turn", ask_to_go_on, start_next, begin_turn)
