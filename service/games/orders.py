"""Standing orders: what a player leaves to be done in their own turn, step by step until a step fails.

They lie in the side stream of their seat, beside the log, so that nobody else learns that there are any. What they do is an ordinary commit
by the actor `auto`. Orders that name something the game does not have are refused when they are left, not when their turn comes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal

import msgspec

from content.errors import did_you_mean
from content.patterns import whole
from domain.engine.external import is_external
from domain.engine.rules import Rules
from domain.facts.commands import (
    AnswerCommand,
    AnyCommand,
    Attack,
    BreakFree,
    Drop,
    EndTurn,
    Id,
    Move,
    PickUp,
    Reveal,
    Trade,
)
from domain.facts.state import State, is_explorer
from domain.rulebook.desk.pausing import paused
from domain.rulebook.turn.options import turn_decision
from service.log.requests import Body, Seat
from service.problems import FieldError

Least = Annotated[int, msgspec.Meta(ge=0, le=8)]
Trait = Annotated[str, msgspec.Meta(pattern=whole(r"^(might|speed|sanity|knowledge)$"))]
OrderState = Literal["waiting", "running", "done", "stopped"]


class When(Body, frozen=True, kw_only=True):
    """A condition: everything that is named has to hold. It asks about what lies open on the table alone."""

    room: list[Id] = []
    """The explorer stands in one of these rooms."""
    not_room: list[Id] = []
    """It stands in none of these."""
    at_least: dict[Trait, Least] = {}
    """Each of these traits has this value or more."""
    holds: Id | None = None
    """It has this card."""
    beside: Seat | None = None
    """The explorer of this seat stands in the same room, alive."""
    haunt: bool | None = None
    """The haunt has begun, or has not."""


class Step(Body, frozen=True, kw_only=True):
    """One command of an order."""

    command: AnyCommand
    """As for `commands`; its `decision` is put in when its time comes, so anything may stand there (`turn`)."""
    when: When | None = None
    """The step is passed over unless this holds."""
    in_haunt: bool = False
    """The step is done even if the haunt has begun since the orders were left; so is one whose condition asks for `haunt: true`."""

    def outlasts_exploration(self) -> bool:
        """Whether the haunt's beginning leaves the step in force."""
        return self.in_haunt or (self.when is not None and self.when.haunt is True)


class LeaveOrders(Body, frozen=True, kw_only=True):
    """Leave standing orders for the own turn, in place of those left before; unless a step says otherwise, the haunt's beginning ends them."""

    steps: Annotated[list[Step], msgspec.Meta(min_length=1, max_length=40)]


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """Standing orders and how far they have come."""

    steps: list[Step]
    next: int = 0
    """The place of the next step."""
    turn: int = 0
    """The turn in which they are carried out; 0 while it has not come."""
    state: OrderState = "waiting"
    because: str = ""
    """Why they ended."""
    rewinds: int = 0
    """How often play had gone back when they were begun."""
    before_haunt: bool = False
    """They were left before the haunt: once it has begun only steps that say so are done."""

    def active(self) -> bool:
        """Whether something may still be done."""
        return self.state in ("waiting", "running")


def ended(orders: Orders, state: OrderState, because: str) -> Orders:
    """The same orders, over."""
    return msgspec.structs.replace(orders, state=state, because=because)


def holds(when: When | None, state: State, seat: int) -> bool:
    """Whether a condition holds for the explorer of a seat."""
    if when is None:
        return True
    me = state.explorers[seat]
    beside = None if when.beside is None or when.beside >= len(state.explorers) else state.explorers[when.beside]
    return (
        (not when.room or me.room in when.room)
        and me.room not in when.not_room
        and all(me.value(trait) >= least for trait, least in when.at_least.items())
        and (when.holds is None or when.holds in me.cards)
        and (
            when.beside is None
            or (beside is not None and beside.alive and (beside.room, beside.part) == (me.room, me.part))
        )
        and (when.haunt is None or when.haunt == (state.haunt is not None))
    )


def proceed(orders: Orders, state: State, seat: int) -> tuple[Orders, AnyCommand | None]:
    """What the orders do now.

    Returns:
        The orders as they stand before the command (steps that don't apply are behind them), and the command; without one
        they wait, or have ended.
    """
    if state.status != "started":
        return (ended(orders, "stopped", "the game is over") if state.winner or state.because else orders), None
    outdated = orders.before_haunt and state.haunt is not None
    if outdated and not any(step.outlasts_exploration() for step in orders.steps[orders.next :]):
        return ended(orders, "stopped", "the haunt has begun"), None
    mine = state.turn.seat == seat and not state.turn.monsters
    rewinds = state.desk.rewinds if state.desk is not None else 0
    if orders.turn and (not mine or state.turn.number != orders.turn or orders.rewinds != rewinds):
        why = "the turn has ended" if orders.rewinds == rewinds else "play went back"
        return ended(orders, "stopped", why), None
    # Never what is asked of the hidden traitor unnamed: whose turn it is would be seen to answer (2E-HID-003).
    asked = next((one.id for one in state.open.values() if one.seat == seat), "")
    if paused(state) or not mine or (not asked and not turn_decision(state)):
        return orders, None
    orders = msgspec.structs.replace(orders, turn=state.turn.number, state="running", rewinds=rewinds)
    while orders.next < len(orders.steps):
        step = orders.steps[orders.next]
        answer = isinstance(step.command, AnswerCommand)
        lapsed = outdated and not step.outlasts_exploration()
        if asked and not answer and not lapsed:
            return ended(orders, "stopped", "something was asked that the orders do not answer"), None
        if lapsed or (answer and not asked) or not holds(step.when, state, seat):
            orders = msgspec.structs.replace(orders, next=orders.next + 1)
            continue
        decision = "reveal" if isinstance(step.command, Reveal) else asked or turn_decision(state)
        return orders, msgspec.structs.replace(step.command, decision=decision)
    if asked:
        return ended(orders, "stopped", "something was asked that the orders do not answer"), None
    return ended(orders, "done", "every step was done"), None


def after(orders: Orders, command: AnyCommand) -> Orders:
    """The orders once a step was accepted."""
    behind = msgspec.structs.replace(orders, next=orders.next + 1)
    if isinstance(command, EndTurn):
        return ended(behind, "done", "the turn was ended")
    return behind


ORDERS = "orders:"
"""What the keys of orders begin with, in the store."""

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Orders).decode


def orders_in(texts: dict[str, str]) -> dict[int, Orders]:
    """Orders by seat, from what the store keeps."""
    return {int(key.removeprefix(ORDERS)): _decode(text) for key, text in texts.items()}


Named = tuple[str, str, str | int]
"""Where something is named, what kind of thing it is, and its name."""


def unknown_names(rules: Rules, state: State, steps: list[Step]) -> list[FieldError]:
    """Find rooms, cards and seats that the game does not have, with pointers into the body.

    Items of a haunt are unknown until they are in the house, whoever has read of them: what is refused is to tell nothing of a book
    (2E-SEC-001). Those of a printed one are until they are entered; there cards are left alone.
    """
    cards: Collection[str] = {*rules.pack.cards, *state.cards_about()}
    outside = is_external(state) or state.options.get("haunt") == "external"
    known: dict[str, Collection[str]] = {"room": rules.pack.tiles, **({} if outside else {"card": cards})}
    found = []
    for number, step in enumerate(steps):
        for place, kind, name in _named(step):
            pointer = f"/steps/{number}/{place}"
            if isinstance(name, int):
                if not 0 <= name < state.seats:
                    found.append(FieldError(pointer, f"no seat {name}: the last one is {state.seats - 1}"))
            elif kind in known and name not in known[kind]:
                hint = did_you_mean(name, known[kind])
                found.append(FieldError(pointer, f"no {kind} `{name}`{f': {hint}' if hint else ''}"))
    return found


def _named(step: Step) -> Iterator[Named]:
    command, when = step.command, step.when
    match command:
        case Move(to=room):
            yield "command/to", "room", room
        case Attack(target=target, weapon=weapon):
            if is_explorer(target):
                yield "command/target", "seat", target
            if weapon is not None:
                yield "command/weapon", "card", weapon
        case BreakFree(seat=seat):
            yield "command/seat", "seat", seat
        case Trade(partner=partner):
            yield "command/with", "seat", partner
            for part in ("gives", "wants"):
                yield from ((f"command/{part}/{at}", "card", card) for at, card in enumerate(getattr(command, part)))
        case Drop(cards=cards) | PickUp(cards=cards):
            yield from ((f"command/cards/{at}", "card", card) for at, card in enumerate(cards))
        case _:
            pass
    if when is None:
        return
    yield from ((f"when/room/{at}", "room", room) for at, room in enumerate(when.room))
    yield from ((f"when/not_room/{at}", "room", room) for at, room in enumerate(when.not_room))
    if when.holds is not None:
        yield "when/holds", "card", when.holds
    if when.beside is not None:
        yield "when/beside", "seat", when.beside
