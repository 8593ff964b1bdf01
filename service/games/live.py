"""A game held in memory: the engine's state at the head of the log, and what each role knows, folded when asked for."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Sequence

from domain.audience import Mask
from domain.chance import Chance
from domain.events import Rewound, TakenBack, Told
from domain.past import Passed
from domain.rules import Rules
from domain.state import State
from service.chain import FIRST, Salts
from service.games.orders import Orders
from service.games.records import Facts, Secret, chance_for
from service.games.unattended import follow, lapsing
from service.ports.log import Head

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
        for told in events:
            if told.to & principal:
                told.event.apply(self.state)
        self.state.commit = self.number = number


class Lag:
    """The latest commit that is old enough, and when those behind it were made, as far as they were read."""

    __slots__ = ("number", "times")

    def __init__(self) -> None:
        """Nothing is known to be old enough."""
        self.number = 0
        self.times: deque[str] = deque()


class Live:
    """A game at the head of its log. Thrown away and loaded anew whenever it may differ from the log."""

    __slots__ = (
        "chance",
        "facts",
        "hash",
        "keys",
        "lag",
        "latest",
        "orders",
        "revision",
        "roles",
        "rules",
        "salts",
        "secret",
        "serial",
        "since",
        "state",
        "tail",
        "version",
    )

    def __init__(self, facts: Facts, secret: Secret, rules: Rules) -> None:
        """A game without commits."""
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
        self.since: dict[str, str] = {}
        """With a deadline: since when each awaited decision is open. A fact of the log: the times of its commits."""

    def stored(self, commit: Passed, link: str, at: str, body: bytes) -> None:
        """Take note of a commit that is in the store and in `state`."""
        self.version = self.state.commit = commit.number
        self.hash = link
        self.tail.append(commit)
        self.latest.append(body)
        went_back = any(isinstance(one.event, Rewound) for one in commit.told)
        if self.since and went_back and not any(isinstance(one.event, TakenBack) for one in commit.told):
            # by a ruling whoever is awaited again has the whole of their time again; nobody wins time by taking back
            self.since = {key: since for key, since in self.since.items() if lapsing(self.state, key) is not None}
        answers = self.facts.options.deadline is not None
        if answers or self.since or self.state.desk is not None:
            self.since = follow(self.since, self.state, at, answers=answers)

    def bodies(self, after: int, count: int) -> list[bytes] | None:
        """So many commits behind a number, as they are stored; None if not all of them are at hand."""
        begin = after - (self.version - len(self.latest))
        if begin < 0 or after + count > self.version:
            return None
        return [self.latest[index] for index in range(begin, begin + count)]

    def unattended(self) -> bool:
        """Whether something may have to be done without anybody's command."""
        due = self.facts.options.deadline is not None or bool(self.since)
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
        """Nothing is loaded yet."""
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
