"""From which state a fork begins: the truth for the referee, for everybody else a world that agrees with what they know."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Iterable, Sequence

import msgspec

from domain.audience import REFEREE, SPECTATORS, Mask, principal_name
from domain.chance import Chance, Request
from domain.commands import AnyCommand
from domain.desk_commands import AnyDeskCommand
from domain.effects.machine import Frame, Glance
from domain.effects.selections import places
from domain.events import DecisionOpened, SecretChosen, SideTold, Told
from domain.events.lifecycle import Rewound
from domain.evolve import redact
from domain.rules import REVISION, Rules
from domain.state import State
from domain.worlds import Guess, NoWorld, World, choosing, copied, half_done, suspects, unknown_secrets, world
from service.commits import Stored, read, read_folded
from service.games.known import known_by, known_by_all
from service.games.live import Live
from service.games.requests import AnyLife
from service.games.tables import PAGE, Tables
from service.problems import ProblemError
from service.redecided import Recorded, again

log = logging.getLogger(__name__)

Logged = tuple[int, bytes, list[Told]]
"""A commit: its number, its bytes, its events."""

_command = msgspec.json.Decoder(AnyCommand | AnyDeskCommand | AnyLife)
_encode = msgspec.json.Encoder().encode


async def true_world(tables: Tables, game: str, live: Live, at: int) -> World:
    """The game as it truly stood at a commit: the referee is told of everything, and so knows what the engine does."""
    known = await known_by_all(tables, game, live, at)
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
        ProblemError: `half-done`, or `no-world`, which is a mistake of the service and told in its log.
    """
    known = await known_by(tables, game, live, at, list(dict.fromkeys([principal, SPECTATORS])))
    role, public = known[principal], known[SPECTATORS]
    if half_done(role):
        raise ProblemError("half-done", await _settled(tables, game, at))
    frames = list((await tables.known(game, live, REFEREE, at)).frames) if role.open else []
    rules = live.rules.of(role)
    try:
        guesses = await _guesses(tables, live, role, principal, at)
        return world(rules, role, public, principal, _drawn(guesses, chance), frames)
    except NoWorld:
        who = principal_name(principal)
        log.exception("no-world: game %s, commit %d: no world agrees with what %s knows", game, at, who)
        detail = "No world agrees with what this role knows. The fault is ours, and it is in the service's log."
        raise ProblemError("no-world", detail) from None


def _drawn(guesses: Sequence[Guess], chance: Chance) -> Guess:
    """One of the guesses, each alike."""
    drawn = chance.ask(Request(0, "world", options=tuple(map(str, range(len(guesses))))))
    if drawn is None:
        raise NoWorld("nothing says which world it is")
    return guesses[int(drawn.pick)]


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
            yield number, body, read_folded(body).events


# -- what could be hidden -----------------------------------------------------------------------------------------------------------


async def _guesses(tables: Tables, live: Live, role: State, principal: Mask, at: int) -> list[Guess]:
    """All that could be true of what the role doesn't know and that has one value for the whole game.

    Each was tried: decided again with it, every command since brings what the role was told. So a room that somebody
    searched in vain is none that could be meant. Nobody's reasons count, only what the rules make of them.
    """
    seats, names = suspects(role) or [-1], unknown_secrets(role)
    if seats == [-1] and not names:
        return [Guess()]
    commits = [one async for one in _commits(tables, live.facts.id, at)]
    trial = _Trial(live.rules, commits, principal, role)
    return await asyncio.to_thread(trial.run, seats, names)


class _Trial:
    """Tries what could be true on the log of a game."""

    def __init__(self, rules: Rules, commits: Sequence[Logged], principal: Mask, role: State) -> None:
        self._rules = rules
        self._commits = commits
        self._principal = principal
        self._role = role
        self._offered: dict[str, list[str]] = {}
        """By secret: what could be chosen, as far as the role was told."""

    def run(self, seats: Sequence[int], names: Sequence[str]) -> list[Guess]:
        """What could be true, in an order that tells nothing."""
        base, behind = self._before_anything_hidden(names)
        chosen = itertools.product(*[[(name, value) for value in self._options(base, name)] for name in names])
        guesses = [Guess(seat, secrets) for seat, secrets in itertools.product(seats, list(chosen))]
        if any(read(body).rules != REVISION for _, body, _ in behind[:1]):
            return guesses  # decided by older rules, which are not here any more to be asked again
        found = sorted(guess for guess in guesses if self._agrees(copied(base), behind, guess))
        if not found:
            raise NoWorld(f"none of {len(guesses)} guesses brings what was told")
        return found

    def _before_anything_hidden(self, names: Iterable[str]) -> tuple[State, Sequence[Logged]]:
        """The true state after the commit that first hid something from the role, and what came behind it."""
        state, first = State(), 0
        for place, (number, _body, told) in enumerate(self._commits, 1):
            for one in told:
                one.event.apply(state)
                if isinstance(one.event, DecisionOpened) and one.to & self._principal:
                    about, _, name = one.event.decision.about.partition(":")
                    if about == "secret" and name in names:
                        self._offered[name] = list(one.event.decision.options)
                if not one.to & self._principal and isinstance(one.event, SideTold | SecretChosen):
                    first = first or place
            state.commit = number
            if first:
                break
        for _number, _body, told in self._commits[first:]:
            for one in told:
                if isinstance(one.event, DecisionOpened) and one.event.decision.about.startswith("secret:"):
                    name = one.event.decision.about.partition(":")[2]
                    self._offered.setdefault(name, list(one.event.decision.options))
        return state, self._commits[first:]

    def _options(self, base: State, name: str) -> list[str]:
        """What the secret could be: what was offered for everybody to see, or what its step can choose from."""
        if name in self._offered:
            return self._offered[name]
        haunt = base.haunt
        sheet = None if haunt is None else self._rules.of(base).pack.haunts[haunt.id]
        books = [] if sheet is None else [sheet.heroes, *([sheet.traitor_book] if sheet.traitor_book else [])]
        step = next((one for one in (choosing(book, name) for book in books) if one is not None), None)
        if step is None or haunt is None:
            raise NoWorld("a secret was chosen that no book speaks of")
        if step.words is not None:
            return list(step.words)
        you = (
            self._role.haunt.traitor
            if self._role.haunt is not None and self._role.haunt.traitor >= 0
            else haunt.revealer
        )
        frame = Frame(self._rules.block("roll"), {"you": you})
        return list(places(Glance(self._rules.of(base), self._role), frame, step.rooms or "here"))

    def _agrees(self, state: State, behind: Sequence[Logged], guess: Guess) -> bool:
        """Whether every command since brings what the role was told, if the guess is true."""
        _suppose(state, self._role, guess)
        for number, body, told in behind:
            stored = read(body)
            if any(isinstance(one.event, Rewound) for one in told):
                for one in told:
                    one.event.apply(state)
            elif not self._same(state, stored, told):
                return False
            state.commit = number
            _suppose(state, self._role, guess)
        return True

    def _same(self, state: State, stored: Stored, told: list[Told]) -> bool:
        try:
            found = again(self._rules, state, stored.actor, _command.decode(stored.command), Recorded(told))
        except Exception:  # noqa: BLE001 -- whatever is wrong under a guess, the guess is
            return False
        return _encode(redact(found, self._principal)) == _encode(redact(told, self._principal))


def _suppose(state: State, role: State, guess: Guess) -> None:
    """Make a guess true in an engine's state, as far as what it speaks of has come to be."""
    haunt = state.haunt
    if haunt is None:
        return
    if guess.traitor >= 0 and haunt.hidden and any(one.side for one in state.explorers):
        for mine, known in zip(state.explorers, role.explorers, strict=True):
            if not known.side:
                mine.side = "traitor" if mine.seat == guess.traitor else "heroes"
        haunt.traitor = guess.traitor
    for name, value in guess.secrets:
        if name in haunt.secrets:
            haunt.secrets[name] = value
