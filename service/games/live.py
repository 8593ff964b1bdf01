"""A game held in memory: the engine's state at the head of the log, what each role knows, and how far spectators lag behind."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Iterable, Sequence

from domain.engine.machine import ASKED_BY_INDEX
from domain.engine.rules import Rules
from domain.evolve import fold_commit
from domain.facts.audience import Mask
from domain.facts.chance import Chance
from domain.facts.events import CoinCalled, CoinFlipped, DecisionClosed, DecisionOpened, Rewound, Told
from domain.facts.state import State
from domain.past import Passed
from domain.turn.taking_back import BEHIND
from domain.turn.talk import of_play
from service.games.orders import Orders
from service.log.chain import FIRST, Salts
from service.log.deadlines import Clocks, due_at
from service.log.facts import Facts, Secret, chance_for
from service.store.port import Head

COINS = (CoinCalled, CoinFlipped)
"""They decide nothing in the game, and anybody may flip one at any time."""


class Lag:
    """The latest commit that is old enough, and when those behind it were made, as far as they were read."""

    __slots__ = ("number", "times")

    def __init__(self) -> None:
        self.number = 0
        self.times: deque[str] = deque()


class Course:
    """The course of a game, as far as it was read: which commits of play still stand, and how many of them lie behind one."""

    __slots__ = ("number", "shown", "standing")

    def __init__(self) -> None:
        self.number = 0
        """The latest commit that was read."""
        self.shown = 0
        """The latest one that enough was played behind."""
        self.standing: list[int] = []
        """Commits of play that were not taken back."""

    def advance(self, commit: Passed, delay: int) -> None:
        """Take the next commit in; one that was read already is passed over.

        Neither talk, coins, changes of who plays and what is said of dice before it is confirmed nor what is taken back bring those who lag
        behind so many commits any nearer; and going back takes nothing from them.
        """
        if commit.number != self.number + 1:
            return
        self.number = commit.number
        back = next((one.event.to for one in commit.told if isinstance(one.event, Rewound)), None)
        if back is not None:
            while self.standing and self.standing[-1] > back:
                self.standing.pop()
        elif _brings_on(commit.told):
            self.standing.append(commit.number)
            if len(self.standing) >= delay:
                self.shown = max(self.shown, self.standing[-delay] - 1)


def _brings_on(told: Sequence[Told]) -> bool:
    """Whether play came further by a commit."""
    return (
        bool(told) and of_play(told) and not any(isinstance(one.event, COINS) for one in told) and not _asks_again(told)
    )


def _asks_again(told: Sequence[Told]) -> bool:
    """Whether the same request of chance is open as before: its answer waits for a witness, or was denied. Players can go on so for ever."""
    closed = {one.event.decision for one in told if isinstance(one.event, DecisionClosed)}
    opened = {one.event.decision.id for one in told if isinstance(one.event, DecisionOpened)}
    return any(
        one[0] in ASKED_BY_INDEX and other[0] in ASKED_BY_INDEX and one[1:] == other[1:]
        for one in closed
        for other in opened
    )


TAIL = 128
"""Commits kept in memory behind the head, for roles that catch up."""
LATEST = 16
"""Commits kept as they are stored, for those who follow: the latest ones."""
RECENT_KEYS = 512
"""Idempotency keys kept in memory; the store keeps all."""

_serials = itertools.count()


class RoleFold:
    """What one role knows, as of a commit."""

    __slots__ = ("number", "state")

    def __init__(self, number: int = 0, state: State | None = None) -> None:
        """Begin with what the role knew as of a commit; by default with nothing."""
        self.number = number
        self.state = state or State()

    def advance(self, number: int, events: Sequence[Told], principal: Mask) -> None:
        """Fold what the role was told in the next commit; one that was folded already is passed over."""
        if number != self.number + 1:
            return
        fold_commit(self.state, number, events, principal)
        self.number = number


class Live:
    """A game at the head of its log. Thrown away and loaded anew whenever it may differ from the log."""

    __slots__ = (
        "chance",
        "clocks",
        "course",
        "facts",
        "hash",
        "keys",
        "lag",
        "latest",
        "orders",
        "played",
        "played_whole",
        "revision",
        "roles",
        "rules",
        "salts",
        "secret",
        "serial",
        "state",
        "tail",
        "version",
    )

    def __init__(self, facts: Facts, secret: Secret, rules: Rules) -> None:
        self.serial = next(_serials)
        """Unlike that of any other game that was ever in memory here, or of this one when it was loaded before."""
        self.facts = facts
        self.secret = secret
        self.salts = Salts(secret.salt_key)
        self.rules = rules
        self.chance: Chance = chance_for(facts, secret)
        self.state = State()
        self.version = 0
        """The number of the last commit that is stored; between `decide` and the store's answer `state` is ahead of it."""
        self.revision = 0
        """Of what lies beside the log, facts and orders among it, as of which they are held here."""
        self.hash = FIRST
        self.tail: deque[Passed] = deque(maxlen=TAIL)
        self.latest: deque[bytes] = deque(maxlen=LATEST)
        """The latest commits as they are stored, up to `version`, none missing."""
        self.roles: dict[Mask, RoleFold] = {}
        self.keys: dict[str, tuple[int, bytes]] = {}
        self.orders: dict[int, Orders] = {}
        """Standing orders by seat, those that are over included."""
        self.lag = Lag()
        """Of the public, where it lags behind by time."""
        self.course = Course()
        """Of the game as the public follows it, where it lags behind by commits."""
        self.played: deque[Passed] = deque(maxlen=BEHIND)
        """The latest commits of play, none missing."""
        self.played_whole = False
        """Whether these are all that are looked at for what can be taken back: not yet where a game was loaded from a snapshot."""
        self.clocks = Clocks()
        """Of what has a deadline."""

    def stored(self, commit: Passed, link: str, at: str, body: bytes, *, ran_out: str = "") -> None:
        """Take note of a commit that is in the store and in `state`; `ran_out` names the decision whose deadline has brought it."""
        self.version = self.state.commit = commit.number
        self.hash = link
        self.tail.append(commit)
        self.latest.append(body)
        self.played_whole |= commit.number == 1
        if of_play(commit.told):
            self.played.append(commit)
        answers = self.facts.options.deadline is not None
        if answers or self.clocks.since or self.state.desk is not None:
            self.clocks.follow(self.state, commit.told, at, answers=answers, ran_out=ran_out)

    def due(self) -> dict[str, str]:
        """By decision of a seat: when its deadline runs out."""
        deadline = self.facts.options.deadline
        if deadline is None:
            return {}
        return {key: due_at(self.clocks.since[key], deadline.seconds) for key in self.clocks.whose}

    def note_played(self, played: Iterable[Passed]) -> None:
        """Take over the latest commits of play, which were read from the log."""
        self.played = deque(played, BEHIND)
        self.played_whole = True

    def bodies(self, after: int, count: int) -> list[bytes] | None:
        """So many commits behind a number, as they are stored; None if not all of them are at hand."""
        begin = after - (self.version - len(self.latest))
        if begin < 0 or after + count > self.version:
            return None
        return [self.latest[index] for index in range(begin, begin + count)]

    def may_have_something_due(self) -> bool:
        """Whether something may have to be done without anybody's command."""
        due = self.facts.options.deadline is not None or bool(self.clocks.since)
        return due or any(one.active() for one in self.orders.values())

    def remember(self, key: str, number: int, fingerprint: bytes) -> None:
        """Keep an idempotency key at hand."""
        if len(self.keys) >= RECENT_KEYS:
            del self.keys[next(iter(self.keys))]
        self.keys[key] = (number, fingerprint)


class Table:
    """A game's place in memory: its order of commands, its live state, and who waits for news."""

    __slots__ = ("doubt", "game", "heard", "live", "lock", "waiting")

    def __init__(self, game: str) -> None:
        self.game = game
        self.live: Live | None = None
        self.lock = asyncio.Lock()
        """Held by whoever loads the game or acts in it."""
        self.waiting: set[asyncio.Event] = set()
        self.heard: Head | None = None
        """The furthest that the store has said the game to have come."""
        self.doubt = False
        """Whether it has said less than is held here: an old answer most likely, or a log that was set back."""

    def hear(self, head: Head) -> None:
        """Take note of what the store said; whoever uses the game next catches up."""
        if self.live is not None and (head.version < self.live.version or head.revision < self.live.revision):
            self.doubt = True
        before = self.heard or head
        self.heard = Head(max(head.version, before.version), max(head.revision, before.revision))

    def behind(self) -> bool:
        """Whether what is held here can't be used as it is."""
        live, heard = self.live, self.heard
        if live is None or self.doubt:
            return True
        return heard is not None and (heard.version > live.version or heard.revision > live.revision)

    def drop(self) -> None:
        """Forget what is held: it may differ from the log."""
        self.live = self.heard = None
        self.doubt = False

    def idle(self) -> bool:
        """Whether nobody uses it, so that it can be forgotten."""
        return not self.lock.locked() and not self.waiting

    def announce(self) -> None:
        """Wake all who follow the game."""
        for event in self.waiting:
            event.set()
