"""A fork begins: the states of a world become those of a new game, and chance is asked anew for what it still owes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain.engine.machine import ASKED_BY_INDEX, Machine
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, Mask
from domain.facts.chance import Chance
from domain.facts.desk import AMEND, Desk
from domain.facts.events import SandboxBegun, Told
from domain.facts.events.desk import over
from domain.facts.state import Decision, Sandbox, SavedFrame, State
from domain.worlds import World

_encode = msgspec.json.Encoder().encode


class Begun(msgspec.Struct, frozen=True):
    """The fork's own id and source of chance."""

    game: str
    """Its id."""
    sandbox: Sandbox
    source: str
    """Where its chance comes from: `seeded` or `tape`."""
    options: Mapping[str, object]


def begin_fork(rules: Rules, world: World, begun: Begun, chance: Chance) -> tuple[State, list[Told]]:
    """The first commit of a fork.

    Open requests for chance go to the fork's own source, which has its own count.

    Args:
        rules: of the game.
        world: which goes on in it; its states are changed.
        begun: what is its own.
        chance: what answers from now on.

    Returns:
        The state and the events.
    """
    amending = any(frame.block.startswith(AMEND) for frame in world.engine.frames)
    withdrawn = [name for name, decision in world.engine.open.items() if _owed(decision)]
    for state in (world.engine, *world.roles.values()):
        state.game, state.source, state.options = begun.game, begun.source, dict(begun.options)
        state.arranged, state.sandbox, state.setup = True, begun.sandbox, {}
        state.chances, state.desk = 0, _desk(state, amending=amending)
        for name in withdrawn:
            state.open.pop(name, None)
    world.engine.frames = [_asking_anew(frame, withdrawn) for frame in world.engine.frames]
    state = State()
    machine = Machine(rules, state, chance)
    for mask, known in _alike(world.roles):
        machine.emit(SandboxBegun(state=known), mask)
    machine.emit(SandboxBegun(state=world.engine), REFEREE)
    return state, [*machine.told, *_gone_on(rules, state, chance)]


def begun_again(rules: Rules, recorded: Sequence[Told], chance: Chance) -> tuple[State, list[Told]]:
    """The first commit of a fork decided again: its states are taken as recorded, what follows from them is decided.

    Args:
        rules: of the game.
        recorded: the events of the commit.
        chance: what answers.
    """
    state = State()
    told = [one for one in recorded if isinstance(one.event, SandboxBegun)]
    for one in told:
        one.event.apply(state)
    return state, [*told, *_gone_on(rules, state, chance)]


def _gone_on(rules: Rules, state: State, chance: Chance) -> list[Told]:
    """The events of asking chance anew: an unfinished step that no longer waits for anybody goes on."""
    machine = Machine(rules.of(state), state, chance)
    if machine.stack and not machine.stack[-1].vars.get("asked"):
        machine.run()
    return machine.told


def _desk(state: State, *, amending: bool) -> Desk | None:
    """The referee's desk is left out, except what a waiting amendment needs: nothing is open on it."""
    if state.desk is None or not amending:
        return None
    over(state)
    return Desk(disputes=state.desk.disputes)


def _owed(decision: Decision) -> bool:
    """Whether a decision asks for an answer of chance, or for its confirmation."""
    return decision.id[0] in ASKED_BY_INDEX or decision.about == "role"


def _asking_anew(frame: SavedFrame, withdrawn: list[str]) -> SavedFrame:
    """A frame that waits for none of these."""
    bound = msgspec.json.decode(frame.vars)
    if not set(bound.get("asked", ())).intersection(withdrawn):
        return frame
    kept = {name: value for name, value in bound.items() if name not in ("asked", "replies", "claimed")}
    return SavedFrame(block=frame.block, at=frame.at, vars=msgspec.Raw(_encode(kept)))


def _alike(roles: Mapping[Mask, State]) -> list[tuple[Mask, State]]:
    """The states that differ, each with all who know it."""
    found: dict[bytes, tuple[Mask, State]] = {}
    for mask, state in roles.items():
        body = _encode(state)
        found[body] = (found[body][0] | mask if body in found else mask, state)
    return list(found.values())
