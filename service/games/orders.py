"""Standing orders as clients leave them and the store keeps them; `domain.rulebook.turn.standing_orders` carries them out.

They are kept in the side stream of their seat, beside the log, so that nobody else learns that there are any. What they do is an ordinary commit
by the actor `auto`. Orders that name something the game does not have, or hold what can never be done, are refused when they are left, not when
their turn comes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated

import msgspec

from content.errors import did_you_mean
from domain.engine.external import is_external
from domain.engine.rules import Rules
from domain.facts.audience import MAX_SEATS
from domain.facts.commands import Attack, BreakFree, Drop, Loot, Move, PickUp, Trade
from domain.facts.state import State, is_explorer
from domain.rulebook.turn.standing_orders import Orders, Step, When, orderable, type_of
from service.log.requests import Body
from service.problems import FieldError


class LeaveOrders(Body, frozen=True, kw_only=True):
    """Leave standing orders for your next turn, replacing earlier ones; unless a step says otherwise, they end when the haunt begins."""

    steps: Annotated[list[Step], msgspec.Meta(min_length=1, max_length=40)]


ORDERS = "orders:"
"""What the keys of orders begin with, in the store."""
ORDERS_OF_ALL = tuple(f"{ORDERS}{seat}" for seat in range(MAX_SEATS))

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Orders).decode


def orders_in(texts: dict[str, str]) -> dict[int, Orders]:
    """Orders by seat, from what the store keeps."""
    return {int(key.removeprefix(ORDERS)): _decode(text) for key, text in texts.items() if key.startswith(ORDERS)}


Named = tuple[str, str, str | int]
"""Where something is named, what kind of thing it is, and its name."""


def unfit_steps(rules: Rules, state: State, steps: list[Step]) -> list[FieldError]:
    """Find commands that can't be ordered, and rooms, cards and seats that the game does not have, with pointers into the body.

    Items of a haunt count as unknown until they are in the house, even to readers of the book: a refusal must reveal nothing of a book
    (2E-SEC-001). Those of a printed one are until they are entered; there cards are left alone.
    """
    cards: Collection[str] = {*rules.pack.cards, *state.cards_about()}
    outside = is_external(state) or state.options.get("haunt") == "external"
    known: dict[str, Collection[str]] = {"room": rules.pack.tiles, **({} if outside else {"card": cards})}
    fitting = orderable(rules.edition)
    found = []
    for number, step in enumerate(steps):
        if (kind := type_of(step.command)) not in fitting:
            found.append(FieldError(f"/steps/{number}/command/type", f"`{kind}` can't be ordered in this game"))
        if getattr(step.command, "monster", None) is not None:
            found.append(
                FieldError(f"/steps/{number}/command/monster", "orders are for an explorer's turn, not for monsters")
            )
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
        case Loot(corpse=corpse, card=card):
            yield "command/from", "seat", corpse
            yield "command/card", "card", card
        case Drop(cards=cards) | PickUp(cards=cards):
            yield from ((f"command/cards/{at}", "card", card) for at, card in enumerate(cards))
        case _:
            pass
    if when is not None:
        yield from _named_by(when)


def _named_by(when: When) -> Iterator[Named]:
    yield from ((f"when/room/{at}", "room", room) for at, room in enumerate(when.room))
    yield from ((f"when/not_room/{at}", "room", room) for at, room in enumerate(when.not_room))
    if when.holds is not None:
        yield "when/holds", "card", when.holds
    if when.beside is not None:
        yield "when/beside", "seat", when.beside
