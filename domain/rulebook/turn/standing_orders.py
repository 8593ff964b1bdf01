"""Standing orders: what a player leaves to be done in their own turn, step by step until a step fails."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from domain.editions.edition import Edition
from domain.facts.commands import (
    AnswerChance,
    AnswerCommand,
    AnyCommand,
    Demand,
    EndTurn,
    Enter,
    Id,
    LookThrough,
    Loot,
    Reveal,
    Seat,
    TableCommand,
    TakeBack,
    Trait,
    naming,
)
from domain.facts.state import State
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.rulings import TABLE
from domain.rulebook.haunt.demanding import PARTS
from domain.rulebook.turn.options import turn_decision

Least = Annotated[int, msgspec.Meta(ge=0, le=8)]
OrderState = Literal["waiting", "running", "done", "stopped"]


class When(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A condition: everything that is named has to hold. It asks only about what is public."""

    room: Annotated[list[Id], naming("room")] = []
    """The explorer is in one of these rooms."""
    not_room: Annotated[list[Id], naming("room")] = []
    """It is in none of these."""
    at_least: dict[Trait, Least] = {}
    """Each of these traits has this value or more."""
    holds: Annotated[Id | None, naming("card")] = None
    """It has this card."""
    beside: Annotated[Seat | None, naming("seat")] = None
    """The explorer of this seat is in the same room, alive."""
    haunt: bool | None = None
    """The haunt has begun, or has not."""


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One command of an order."""

    command: AnyCommand
    """As for `commands`; its `decision` is filled in when its time comes, so it may have any value (`turn`)."""
    when: When | None = None
    """The step is skipped unless this holds."""
    in_haunt: bool = False
    """The step is done even if the haunt has begun since the orders were left; so is one whose condition asks for `haunt: true`."""

    def outlasts_exploration(self) -> bool:
        """Whether the haunt's beginning leaves the step in force."""
        return self.in_haunt or (self.when is not None and self.when.haunt is True)


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
    """They were left before the haunt: once it has begun, only steps meant for it are done."""

    def active(self) -> bool:
        return self.state in ("waiting", "running")


def orderable(edition: Edition) -> dict[str, list[str]]:
    """The types of commands that orders can hold, with what each says besides: for an explorer, not for a monster.

    It is neither what nobody does in a turn of this edition, nor what only chance can tell.
    """
    never = {TakeBack, Enter, AnswerChance}
    if not edition.exploration.look_through:
        never.add(LookThrough)
    if not edition.cards.corpses_keep:
        never.add(Loot)
    return {
        type_of(one): [
            each.encode_name for each in msgspec.structs.fields(one) if each.name not in ("decision", "monster")
        ]
        for one in get_args(AnyCommand)
        if one not in never
    }


def type_of(command: AnyCommand | type[AnyCommand]) -> str:
    """The type by which the API knows a command."""
    return str(command.__struct_config__.tag)


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
    """What the orders do now: as they are before the command (steps that don't apply are skipped), and the command.

    Without a command they wait, or have ended.
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
    # Not what the unnamed hidden traitor is asked: everybody would see whose orders answer it (2E-HID-003).
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
        return orders, msgspec.structs.replace(step.command, decision=_decision(step.command, asked, state))
    if asked:
        return ended(orders, "stopped", "something was asked that the orders do not answer"), None
    return ended(orders, "done", "every step was done"), None


def _decision(command: AnyCommand, asked: str, state: State) -> str:
    """The decision that a command names now."""
    if isinstance(command, Reveal):
        return "reveal"
    if isinstance(command, TableCommand):
        return PARTS if isinstance(command, Demand) else TABLE
    return asked or turn_decision(state)


def after(orders: Orders, command: AnyCommand) -> Orders:
    """The orders once a step was accepted."""
    behind = msgspec.structs.replace(orders, next=orders.next + 1)
    if isinstance(command, EndTurn):
        return ended(behind, "done", "the turn was ended")
    return behind
