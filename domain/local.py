"""A game in process, all of its seats taken, with its log and what each role knows: for bots, playtests, search and the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Self

import msgspec

from domain.decide import decide, goes_back
from domain.engine.rules import Rules
from domain.evolve import fold
from domain.facts.audience import SPECTATORS, Mask, seat_bit
from domain.facts.chance import Chance, Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.events.base import Event
from domain.facts.refusal import Refused
from domain.facts.state import Sandbox, State
from domain.game import claim, open_game, start_game
from domain.guesses import Logged, Trial, is_guessed
from domain.past import NOBODY, Passed, Past
from domain.redecide import RecordedChance
from domain.rulebook.desk.taking_back import BEHIND
from domain.rulebook.turn.options import is_unnamed
from domain.sandbox import Begun, begin_fork
from domain.worlds import Guess, copied, half_done, unseen, world

TODAY = "01-01"
"""The day (MM-DD) on which these games are opened: whose birthday comes next plays first."""


class Done(msgspec.Struct, frozen=True, gc=False):
    """A commit: a command of a seat or the moderator with its events. Those by which the game is opened have no command."""

    actor: int
    command: AnyCommand | None
    told: Sequence[Told]
    unnamed: bool = False
    """The hidden traitor did it unseen."""

    @property
    def by(self) -> int:
        """The actor, as everybody knows it."""
        return NOBODY if self.unnamed else self.actor


class Known:
    """What a role knows, folded up to some commit. While clones share it, it does not change."""

    __slots__ = ("shared", "state", "upto")

    def __init__(self, state: State, upto: int) -> None:
        self.state = state
        self.upto = upto
        self.shared = False


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is opened."""

    name: str
    """Its id."""
    seats: int
    options: Mapping[str, object] = {}
    explorers: Sequence[str] = ()
    """By seat; whoever names none gets one that is left."""
    first_seat: int | None = None
    """Who begins; None: whoever has the next birthday."""
    scenario: str = ""
    """Where the pack has some and no option names one."""
    taped: bool = False
    """Somebody has prepared what chance answers."""


class LocalGame:
    """A game: the engine's state, its log, and by role the state folded from what that role was told.

    What a seat is shown is made from its own state, never from the engine's.
    """

    __slots__ = ("_known", "chance", "log", "rules", "state")

    def __init__(self, rules: Rules, chance: Chance, state: State, log: list[Done]) -> None:
        """A game that has come to `state` by `log`; what `chance` leaves open the moderator is asked for."""
        self.rules = rules
        self.chance = chance
        self.state = state
        self.log = log
        self._known: dict[Mask, Known] = {}

    @classmethod
    def opened(cls, rules: Rules, chance: Chance, opening: Opening) -> Self:
        """Open a game, take its seats, start.

        Raises:
            Refused: the seats are too few or too many, or an explorer or the scenario does not fit.
        """
        event = GameOpened(
            game=opening.name,
            edition=rules.edition.id,
            pack=rules.pack.head.id,
            pack_digest="",
            seats=opening.seats,
            options=dict(opening.options),
            source="tape" if opening.taped else "seeded",
            arranged=opening.taped or opening.first_seat is not None,
        )
        setup: dict[str, object] = {} if opening.first_seat is None else {"first_seat": opening.first_seat}
        state, told = open_game(rules, event, setup)
        game = cls(rules, chance, state, [])
        game.append(told)
        for seat in range(opening.seats):
            named = opening.explorers[seat] if seat < len(opening.explorers) else ""
            game.append(claim(rules, state, SeatClaimed(seat=seat, explorer=named)))
        game.append(start_game(rules, state, chance, TODAY, opening.scenario))
        return game

    @property
    def over(self) -> bool:
        return self.state.status != "started"

    def awaited(self) -> list[int]:
        """The seats, or the moderator, that have to answer, each once; or else the one whose turn it is."""
        asked = dict.fromkeys(self.state.seat_of(decision.seat) for decision in self.state.open.values())
        return list(asked) or [self.state.seat_of(self.state.turn.seat)]

    def known(self, role: Mask) -> State:
        """What a role knows: it is not to be changed. Folded when it is asked for."""
        mine = self._known.get(role) or Known(State(), 0)
        if mine.upto < len(self.log):
            if mine.shared:
                mine = Known(copied(mine.state), mine.upto)
            fold(mine.state, [done.told for done in self.log[mine.upto :]], role)
            mine.upto = len(self.log)
            self._known[role] = mine
        return mine.state

    def told(self, role: Mask, since: int) -> list[Event]:
        """What a role was told after a commit."""
        return [one.event for done in self.log[since:] for one in done.told if one.to & role]

    def give(self, actor: int, command: AnyCommand) -> Sequence[Told]:
        """Decide a command of a seat, or of the moderator. Raises Refused, and changes nothing, if it is illegal."""
        past = self._past(goes_back(self.state, actor, command))
        unnamed = is_unnamed(self.state, command.decision)
        try:
            told = decide(self.rules, self.state, actor, command, self.chance, past)
        except Refused:
            raise
        except Exception:  # what its content did not foresee: half of it may have been done
            self.state = fold(State(), [done.told for done in self.log])
            raise
        self.append(told, actor, command, unnamed=unnamed)
        return told

    def append(
        self, told: Sequence[Told], actor: int = NOBODY, command: AnyCommand | None = None, *, unnamed: bool = False
    ) -> None:
        """Keep the events of a commit that the state has come to."""
        self.log.append(Done(actor, command, told, unnamed))
        self.state.commit += 1

    def _past(self, to: int) -> Past | None:
        """What the log says of a commit to which play is to go back; nothing, if it isn't."""
        if not to:
            return None
        past = Past(to, self.state.seats)
        for done in self.log:
            past.add(done.by, done.told)
        return past

    def passed(self) -> list[Passed]:
        """The latest commits: all that could be taken back, and what the open decisions are about."""
        start = max(0, len(self.log) - BEHIND)
        return [Passed(number, done.by, done.told) for number, done in enumerate(self.log[start:], start + 1)]

    def clone(self, chance: Chance | None = None) -> LocalGame:
        """The same game once more, to be played on by itself; with another source of chance, from now on."""
        for known in self._known.values():
            known.shared = True
        twin = LocalGame(self.rules, chance or self.chance, copied(self.state), self.log.copy())
        twin._known = self._known.copy()
        return twin

    def sampled(self, seat: int, seed: bytes) -> LocalGame:
        """A sandbox that begins in a world which agrees with all that a seat knows: what is hidden from it is invented, and dice are new.

        Raises:
            Refused: `half-done` where what is under way may depend on what the seat doesn't know, or a monster hides from it; `game-over`;
                `is-fork` if it is such a sandbox itself.
        """
        bit, state = seat_bit(seat), self.state
        role, public = self.known(bit), self.known(SPECTATORS)
        if self.over:
            raise Refused(f"the game is over: {state.because}", problem="game-over")
        if state.sandbox is not None:
            raise Refused("this is such a world already: sample the game that it comes from", problem="is-fork")
        if half_done(self.rules, role):
            raise Refused("what is under way may depend on what the seat doesn't know", problem="half-done")
        if unseen(role):
            raise Refused("a monster hides from the seat", problem="half-done")
        rules, chance = self.rules.of(role), Seeded(seed, f"{state.game}:{state.commit}:{seat}")
        found = world(rules, role, public, bit, self._guess(role, bit, chance), list(state.frames) if role.open else [])
        sandbox = Sandbox(of=state.game, at=state.commit, sampled=True, unread=self.rules.unread(role))
        begun = Begun(f"{state.game}-world", sandbox, "seeded", role.options)
        begins, told = begin_fork(self.rules, found, begun, chance)
        twin = LocalGame(self.rules, chance, begins, [])
        twin.append(told)
        return twin

    def _guess(self, role: State, bit: Mask, chance: Chance) -> Guess:
        if not is_guessed(role):
            return Guess()
        logged = [
            Logged(number, done.told, partial(self._decide_again, done)) for number, done in enumerate(self.log, 1)
        ]
        return Trial(self.rules, logged, bit, role).run(chance)

    def _decide_again(self, done: Done, state: State) -> list[Told]:
        if done.command is None:
            raise ValueError("the game was not open yet")
        return decide(self.rules, state, done.actor, done.command, RecordedChance(done.told))
