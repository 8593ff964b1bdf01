"""From which state a fork begins: the truth for the referee, for everybody else a world that agrees with what they know."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

from domain.audience import REFEREE, SPECTATORS, Mask, principal_name
from domain.chance import Chance
from domain.evolve import redact
from domain.state import State
from domain.worlds import Guess, NoWorld, World, half_done, suspects, unknown_secrets, world
from service.games.guessing import Logged, Trial
from service.games.known import known_by, known_by_all
from service.games.live import Live
from service.games.tables import PAGE, Tables
from service.log.commits import read_folded
from service.log.facts import OVER
from service.problems import ProblemError

log = logging.getLogger(__name__)


async def true_world(tables: Tables, game: str, live: Live, at: int) -> World:
    """The game as it truly stood at a commit: the referee is told of everything, and so knows what the engine does.

    Raises:
        ProblemError: `not-started` or `game-over`, as of that commit.
    """
    known = await known_by_all(tables, game, live, at)
    _check_running(known[REFEREE])
    return World(known.pop(REFEREE), known)


async def sampled_world(tables: Tables, game: str, live: Live, at: int, principal: Mask, chance: Chance) -> World:
    """A world that agrees with all that a role knew at a commit.

    Args:
        tables: the games.
        game: its id.
        live: the game in memory.
        at: the commit.
        principal: the role's bit.
        chance: which of several worlds it is.

    Raises:
        ProblemError: `not-started` or `game-over`, as of that commit; `half-done`; or `no-world`, which is a mistake of the service and
            told in its log.
    """
    known = await known_by(tables, game, live, at, list(dict.fromkeys([principal, SPECTATORS])))
    role, public = known[principal], known[SPECTATORS]
    _check_running(role)
    if half_done(live.rules, role):
        raise ProblemError("half-done", await _settled(tables, game, at))
    frames = list((await tables.known(game, live, REFEREE, at)).frames) if role.open else []
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
    async for number, _body, told in _commits(tables, game, at):
        for one in redact(told, SPECTATORS):
            one.event.apply(state)
        if not state.open and state.status == "started":
            latest = number
    hint = f" Nothing was at commit {latest}: ask for `at` {latest}." if latest else ""
    return f"At commit {at} something is half-done that may hang on what this role doesn't know.{hint}"


async def _commits(tables: Tables, game: str, upto: int) -> AsyncIterator[Logged]:
    number = 0
    while number < upto:
        page = await tables.store.read(game, number, min(PAGE, upto - number))
        if not page:
            return
        for body in page:
            number += 1
            yield Logged(number, body, read_folded(body).events)


# -- what could be hidden -----------------------------------------------------------------------------------------------------------


async def _guess(tables: Tables, live: Live, role: State, principal: Mask, at: int, chance: Chance) -> Guess:
    """One of all that could be true of what the role doesn't know and that has one value for the whole game.

    Each is tried: decided again with it, every command since brings what the role was told. So a room that somebody
    searched in vain is none that could be meant. Nobody's reasons count, only what the rules make of them.
    """
    seats, names = suspects(role) or [-1], unknown_secrets(role)
    if seats == [-1] and not names:
        return Guess()
    commits = [one async for one in _commits(tables, live.facts.id, at)]
    trial = Trial(live.rules, commits, principal, role)
    return await asyncio.to_thread(trial.run, seats, names, chance)
