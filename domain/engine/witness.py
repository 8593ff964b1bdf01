"""The physical table without a moderator: seats say what real dice and cards show, and another seat confirms it.

What everybody sees is answered by whoever rolls or draws and confirmed by the next player; what one player looks at in secret
is answered by that player alone. Tokens dealt in secret are told by each player for itself (2E-HID-001).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.facts.chance import Request
from domain.facts.ids import split_id
from domain.facts.state import MODERATOR, Decision, State

TABLE = "table"
"""The source of chance of a game whose players hold the dice and cards."""
SEEN_BY = ":seen-by:"
YES, NO = "yes", "no"


def addressee(state: State, request: Request) -> int:
    """Who says what the dice or cards show: the seat that looks in secret, the seat whose turn it is, or the moderator."""
    if state.source != TABLE:
        return MODERATOR
    _, secret, seat = request.what.partition(SEEN_BY)
    return int(seat) if secret else state.first_seat()


def confirmation(state: State, request: Request, asked: str, claimed: dict[str, Any]) -> Decision | None:
    """The question to the next player whether that is so; None if nobody else can see it.

    Its id is `w` for `c` and the number of the one by which the request was `asked`.
    """
    teller = addressee(state, request)
    if teller == MODERATOR or SEEN_BY in request.what:
        return None
    others = [(teller + step) % state.seats for step in range(1, state.seats)]
    living = [seat for seat in others if not state.explorers or state.explorers[seat].alive]
    shown = claimed["pick"] or "+".join(map(str, claimed["faces"]))
    return Decision(
        id=f"w{asked[1:]}",
        seat=(living or others)[0],
        kind="consent",
        about=f"witness:{request.what}={shown}",
        options=[YES, NO],
    )


def possible(state: State, request: Request, backs: Mapping[str, str]) -> list[str]:
    """The options a seat is offered: all that it can't rule out, so that the list reveals nothing of what others have looked at.

    What the table sees holds: if it names a face that somebody has seen elsewhere in the stack, that is forgotten as it is drawn.

    Args:
        state: of the game.
        request: what chance is asked.
        backs: of tiles, as they show; empty where there is no stack of them.
    """
    if not request.options or addressee(state, request) == MODERATOR:
        return list(request.options)
    key, name = split_id(request.what.partition(SEEN_BY)[0])
    if key == "card":
        return [*request.options, *(slot.face for slot in state.decks[name].top if slot.face)]
    if key == "tile" and backs:
        shown = {backs[face] for face in request.options}
        seen = [slot for slot in state.decks["tiles"].top if slot.face and backs[slot.face] in shown]
        return [*request.options, *(slot.face for slot in seen if not slot.back or shown == {slot.back})]
    return list(request.options)
