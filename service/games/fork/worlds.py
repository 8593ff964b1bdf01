"""The state in which a fork begins: the truth for the referee, for everybody else a world that agrees with what they know."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import msgspec

from domain.engine.rules import Rules
from domain.evolve import fold_commit
from domain.facts.audience import REFEREE, SPECTATORS, Mask, principal_name
from domain.facts.chance import Chance
from domain.facts.events import Told
from domain.facts.lifecycle_commands import AnyRecorded
from domain.facts.state import State
from domain.guesses import Logged, Trial, is_guessed
from domain.redecide import RecordedChance, redecide
from domain.worlds import Guess, NoWorld, World, half_done, unseen, world
from service.games.folds import fold_for_all, fold_for_each
from service.games.tables import LiveGame, Tables
from service.log.commits import Stored, read, read_event, read_folded
from service.log.facts import OVER
from service.log.reader import actor_of, commits
from service.problems import ProblemError

log = logging.getLogger(__name__)


async def true_world(tables: Tables, game: str, live: LiveGame, at: int) -> World:
    """The game as it truly stood at a commit: the referee is told of everything, and so knows what the engine does.

    Raises `not-started` or `game-over`, as of that commit.
    """
    known = await fold_for_all(tables, game, live, at)
    _check_running(known[REFEREE])
    return World(known.pop(REFEREE), known)


async def sampled_world(tables: Tables, game: str, live: LiveGame, at: int, principal: Mask, chance: Chance) -> World:
    """A world that agrees with all that a role knew at a commit; `chance` says which of several.

    Raises `not-started` or `game-over`, as of that commit; `half-done`; or `no-world`, a mistake of the service that its log tells of.
    """
    known = await fold_for_each(tables, game, live, at, list(dict.fromkeys([principal, SPECTATORS])))
    role, public = known[principal], known[SPECTATORS]
    _check_running(role)
    if half_done(live.rules, role):
        raise ProblemError("half-done", await _settled(tables, game, at))
    if unseen(role):
        raise ProblemError(
            "half-done", "A monster hides where only its side knows: ask for `at` a commit before it hid."
        )
    frames = list((await tables.fold_for(game, live, REFEREE, at)).frames) if role.open else []
    rules = live.rules.of(role)
    try:
        guess = await _guess(tables, live, role, principal, at, chance)
        return world(rules, role, public, principal, guess, frames)
    except NoWorld:
        who = principal_name(principal)
        log.exception("no-world: game %s, commit %d: no world agrees with what %s knows", game, at, who)
        detail = "No world agrees with what this role knows. The fault is ours, and it is in the service's log."
        raise ProblemError("no-world", detail) from None


def _check_running(state: State) -> None:
    if state.status in OVER:
        raise ProblemError("game-over", "The game was over at that commit: fork it at an earlier one.")
    if state.status != "started":
        raise ProblemError("not-started", "The game had not started at that commit: fork it at a later one.")


async def _settled(tables: Tables, game: str, at: int) -> str:
    """What to ask for instead: the latest commit before at which nothing waited for an answer, which everybody can see."""
    state, latest = State(), 0
    async for number, body in commits(tables.store, game, at):
        fold_commit(state, number, read_folded(body).events, SPECTATORS)
        if not state.open and state.status == "started":
            latest = number
    hint = f" Nothing was at commit {latest}: ask for `at` {latest}." if latest else ""
    return f"At commit {at} something is half-done that may depend on what this role doesn't know.{hint}"


async def _guess(tables: Tables, live: LiveGame, role: State, principal: Mask, at: int, chance: Chance) -> Guess:
    if not is_guessed(role):
        return Guess()
    bodies = [body async for _, body in commits(tables.store, live.facts.id, at)]
    logged = [_logged(live.rules, body, principal | REFEREE) for body in bodies]
    older = read(bodies[-1]).rules != live.rules.revision
    return await asyncio.to_thread(Trial(live.rules, logged, principal, role, older=older).run, chance)


_command = msgspec.json.Decoder(AnyRecorded)


def _logged(rules: Rules, body: bytes, principals: Mask) -> Logged:
    """A commit as these were told of it: a rewind tells each role its own state, and those of others are not looked at."""
    stored = read(body)
    told = [Told(to, read_event(event)) for to, event in stored.events if to & principals]
    return Logged(stored.number, told, partial(_decide_again, rules, stored, told))


def _decide_again(rules: Rules, stored: Stored, told: list[Told], state: State) -> list[Told]:
    command = _command.decode(stored.command)
    return redecide(rules, state, actor_of(state, stored.actor, command), command, RecordedChance(told))
