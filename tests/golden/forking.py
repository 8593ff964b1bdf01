"""Making a sandbox of a golden game: the truth for the moderator, for a seat a world that agrees with what it knew."""

from __future__ import annotations

from typing import Annotated

import msgspec

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.chance import Chance
from domain.facts.events import Told
from domain.facts.state import MODERATOR, Sandbox, State
from domain.past import Past
from domain.sandbox import Begun, begin_fork
from domain.worlds import Guess, World, half_done, suspects, unknown_secrets, world


class Fork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="fork", tag_field="type"):
    """Begin a sandbox where the game stood at a commit."""

    at: Annotated[int, msgspec.Meta(ge=1)]


def sandbox(rules: Rules, past: Past, actor: int, chance: Chance) -> tuple[State, list[Told], dict[Mask, State]]:
    """Begin a sandbox.

    Args:
        rules: of the game.
        past: what everybody knew at the commit where it begins.
        actor: whose knowledge it agrees with; for the moderator it is the truth.
        chance: what answers in it.

    Returns:
        The engine's state, the first commit, and a state for each role, to which nothing of the sandbox was told yet.
    """
    known = dict(past.known)
    closed: dict[str, list[str]] = {}
    if actor == MODERATOR:
        made = World(known.pop(REFEREE), known)
    else:
        role = known[seat_bit(actor)]
        assert not half_done(rules, role), (
            "something is half-done at that commit that may hang on what this seat doesn't know"
        )
        assert not suspects(role), "who the hidden traitor is would have to be sampled"
        assert not unknown_secrets(role), "a secret would have to be sampled"
        made = world(rules, role, known[SPECTATORS], seat_bit(actor), Guess(), [])
        closed = rules.unread(role)
    begun = Begun(
        game="s",
        sandbox=Sandbox(of="g", at=past.to, sampled=actor != MODERATOR, unread=closed),
        source="tape",
        options=made.engine.options,
    )
    state, told = begin_fork(rules, made, begun, chance)
    return state, told, {mask: State() for mask in past.known}
