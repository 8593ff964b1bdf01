"""Games in memory, each at the head of its log, and how one gets there: from its snapshot and the log behind it.

Other processes may act in the same games. Whoever is about to use one asks the store first how far it has come (`Gate.caller` does so
for each request), and a game that has come further catches up before it is looked at. What the store tells by itself are
hints: they wake those who follow.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from domain.default_actions import waiting_for
from domain.engine.rules import Rules
from domain.evolve import fold_commit
from domain.facts.audience import Mask
from domain.facts.chance import Chance
from domain.facts.state import State
from domain.past import Passed
from domain.rulebook.desk.taking_back import BEHIND
from domain.rulebook.desk.talk import of_play
from domain.rulebook.turn.standing_orders import Orders
from projections.facts import FactFold
from service.games.live_folds import NOTHING, Course, Lag, Rested, Resting, RoleFold, Waymarks, woken
from service.games.orders import ORDERS_OF_ALL, orders_in
from service.games.talk import NEWS, Changes, changes_in
from service.log.chain import FIRST, Salts
from service.log.commits import Moment, Parts, read, read_folded
from service.log.deadlines import Clocks, due_at
from service.log.facts import Facts, Kept, Secret, chance_for, encode, read_facts, read_kept, read_secret
from service.log.packs import Library
from service.log.reader import CLOCK, actor_number, pages
from service.store.port import Head, LogStore, NoSuchGame, StoreDamaged, StoreError

log = logging.getLogger(__name__)

TAIL = 128
"""Commits kept in memory behind the head, for roles that catch up."""
LATEST = 16
"""Commits kept as they are stored, for those who follow: the latest ones."""
BESIDE = (*ORDERS_OF_ALL, NEWS)
"""Keys of what is held in memory of that which lies beside a log."""
RECENT_KEYS = 64
"""Idempotency keys kept in memory; the store keeps all."""


@dataclass(slots=True, eq=False, repr=False)
class LiveGame:
    """A game at the head of its log. Thrown away and loaded anew whenever it may differ from the log."""

    serial: int
    """Unlike that of any other game that was ever in memory here, or of this one when it was loaded before."""
    facts: Facts
    secret: Secret
    rules: Rules
    salts: Salts = field(init=False)
    chance: Chance = field(init=False)
    state: State = field(default_factory=State)
    version: int = 0
    """The number of the last commit that is stored; between `decide` and the store's answer `state` is ahead of it."""
    revision: int = 0
    """Of what is kept beside the log, facts and orders among it, as of which they are held here."""
    hash: str = FIRST
    tail: deque[Passed] = field(default_factory=lambda: deque(maxlen=TAIL))
    latest: deque[bytes] = field(default_factory=lambda: deque(maxlen=LATEST))
    """The latest commits as they are stored, up to `version`, none missing."""
    made: tuple[str, Parts] | None = None
    """When the latest commit was made, and its pieces, if that was here and somebody follows."""
    roles: dict[Mask, RoleFold] = field(default_factory=dict)
    rested: dict[Mask, tuple[int, bytes]] = field(default_factory=dict)
    """What roles knew when the game was forgotten, of those that have not looked since it came back."""
    keys: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    orders: dict[int, Orders] = field(default_factory=dict)
    """Standing orders by seat, those that are over included."""
    talk: dict[Mask, Changes] = field(default_factory=dict)
    """What has last changed in each stream of messages."""
    lag: Lag = field(default_factory=Lag)
    """Of the public, where it lags behind by time."""
    course: Course = field(default_factory=Course)
    """Of the game as the public follows it, where it lags behind by commits."""
    played: deque[Passed] = field(default_factory=lambda: deque(maxlen=BEHIND))
    """The latest commits of play, none missing."""
    played_whole: bool = False
    """Whether these are all that are looked at for what can be taken back: not yet where a game was loaded from a snapshot."""
    clocks: Clocks = field(default_factory=Clocks)
    """Of what has a deadline. They stand while play is paused, and go on from where they stood: not what `waiting_since` says."""
    waiting_since: dict[str, str] = field(default_factory=dict)
    """By decision that the game waits for: the time of the commit since which it does so without a break."""
    moments: list[Moment] = field(default_factory=lambda: [Moment()])
    """Every change of turn and round, the latest last; going back is one, too."""
    fact_fold: FactFold = field(default_factory=FactFold)
    """What commits brought about that no single event says."""

    def __post_init__(self) -> None:
        self.salts = Salts(self.secret.salt_key)
        self.chance = chance_for(self.facts, self.secret)

    def stored(
        self, commit: Passed, link: str, at: str, body: bytes, *, parts: Parts | None = None, ran_out: str = ""
    ) -> None:
        """Take note of a commit that is in the store and in `state`; `ran_out` names the decision whose deadline has brought it."""
        self.version = self.state.commit = commit.number
        turn, round_ = self.state.turn.number, self.state.haunt.round if self.state.haunt is not None else 0
        if self.moments[-1][1:] != (turn, round_):
            self.moments.append(Moment(commit.number, turn, round_))
        self.fact_fold.follow(commit.number, commit.told, self.state)
        self.hash = link
        self.tail.append(commit)
        self.latest.append(body)
        self.made = None if parts is None else (at, parts)
        self.played_whole |= commit.number == 1
        if of_play(commit.told):
            self.played.append(commit)
        self.waiting_since = {one: self.waiting_since.get(one, at) for one in waiting_for(self.state)}
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
        self.played = deque(played, BEHIND)
        self.played_whole = True

    def bodies(self, after: int, count: int) -> list[bytes] | None:
        """So many commits behind a number, as they are stored; None if not all of them are at hand."""
        begin = after - (self.version - len(self.latest))
        if begin < 0 or after + count > self.version:
            return None
        return [self.latest[index] for index in range(begin, begin + count)]

    def may_have_something_due(self) -> bool:
        due = self.facts.options.deadline is not None or bool(self.clocks.since)
        return due or any(one.active() for one in self.orders.values())

    def remember(self, key: str, number: int, fingerprint: bytes) -> None:
        if len(self.keys) >= RECENT_KEYS:
            del self.keys[next(iter(self.keys))]
        self.keys[key] = (number, fingerprint)


@dataclass(slots=True, eq=False, repr=False)
class Slot:
    """A game's place in memory: its order of commands, its live state, and who waits for news."""

    game: str
    live: LiveGame | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while somebody loads the game or acts in it."""
    waiting: set[asyncio.Event] = field(default_factory=set)
    heard: Head | None = None
    """The furthest that the store has said the game to have come."""
    doubt: bool = False
    """Whether it has said less than is held here: an old answer most likely, or a log that was set back."""

    def hear(self, head: Head) -> None:
        """Take note of what the store said; the next user of the game catches up."""
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
        return not self.lock.locked() and not self.waiting

    def announce(self) -> None:
        for event in self.waiting:
            event.set()


class Hints:
    """Games of which somebody should take notice, gathered until they do."""

    def __init__(self) -> None:
        self._games: set[str] = set()
        self.news = asyncio.Event()

    def add(self, game: str) -> None:
        self._games.add(game)
        self.news.set()

    def take(self) -> set[str]:
        found, self._games = self._games, set()
        return found


class _Unlinked(Exception):
    """A commit does not follow on the one that is held here."""


class Tables:
    """The games in memory, the least used forgotten first."""

    def __init__(
        self, store: LogStore, library: Library, *, most: int, snapshot_every: int, due: Hints | None = None
    ) -> None:
        """Begin without any game; `most` are held at once, as far as the others are idle.

        Every `snapshot_every` commits of a game a snapshot is taken. `due` gets games in which something may have to be done without a command.
        """
        self.store = store
        self.library = library
        self._most = most
        self._every = snapshot_every
        self._tables: OrderedDict[str, Slot] = OrderedDict()
        self._due = due or Hints()
        self._tasks: set[asyncio.Task[None]] = set()
        self._waymarks = Waymarks()
        self._resting = Resting()
        self._serials = itertools.count()
        store.listen(self._heard)

    def table(self, game: str) -> Slot:
        """The game's place, loaded or not, known to the store or not."""
        table = self._tables.get(game)
        if table is None:
            table = self._tables[game] = Slot(game)
            self.store.watch(game)
            self._forget()
        else:
            self._tables.move_to_end(game)
        return table

    def drop(self, game: str) -> None:
        table = self._tables.get(game)
        if table is not None:
            table.drop()
            table.announce()

    def hear(self, game: str, head: Head) -> None:
        """Take note of how far a game has come, as the store has just said: nothing older is shown from now on."""
        table = self._tables.get(game)
        if table is not None:
            table.hear(head)

    def _heard(self, game: str, head: Head | None) -> None:
        table = self._tables.get(game)
        if table is None:
            return
        live = table.live
        if head is not None:
            if live is not None and live.version >= head.version and live.revision >= head.revision:
                return  # it was this process
            table.hear(head)
        table.announce()
        if live is None or live.may_have_something_due() or head is None or head.revision > live.revision:
            self._due.add(game)

    async def fresh(self, game: str) -> LiveGame:
        """The game in memory, as it is in the store by now. Raises as `live` does."""
        head = await self.store.head(game)
        if head is not None:
            self.table(game).hear(head)
        return await self.live(game)

    async def live(self, game: str) -> LiveGame:
        """The game in memory, for reading, as far as the store has said that it has come. Raises `NoSuchGame` or `StoreError`."""
        table = self.table(game)
        if table.live is None or table.behind():
            async with table.lock:
                return await self.load(table)
        return table.live

    async def load(self, table: Slot, *, fresh: bool = False) -> LiveGame:
        """The game in memory, for whoever holds its lock; `fresh`, as it is in the store by now. Raises as `live` does."""
        if fresh or table.doubt:
            head = await self.store.head(table.game)
            live = table.live
            if head is None:
                table.drop()  # a sandbox that has expired: `_load` says that it isn't there
            elif live and (head.version < live.version or head.revision < live.revision):
                log.warning("game %s: its log was set back, it is loaded anew", table.game)
                table.drop()
            else:
                table.hear(head)
            table.doubt = False
        if table.live is not None and table.behind():
            try:
                await self._catch_up(table, table.live)
            except _Unlinked:
                log.warning("game %s: its log was set back and has grown again, it is loaded anew", table.game)
                table.drop()
            except BaseException:
                table.drop()
                raise
        if table.live is None:
            table.live = await self._load(table.game)
        return table.live

    async def _catch_up(self, table: Slot, live: LiveGame) -> None:
        heard = table.heard or Head(live.version, live.revision)
        record = None
        if heard.revision > live.revision:
            record, texts = await asyncio.gather(
                self.store.get_game(table.game), self.store.find_texts(table.game, BESIDE)
            )
            if record is None:
                raise NoSuchGame(table.game)
            live.facts, live.orders, live.talk = read_facts(record.facts), orders_in(texts), changes_in(texts)
            live.chance = chance_for(live.facts, live.secret)
            live.revision = heard.revision
        await self._fold(live, table.game, heard.version if record is None else record.version)

    async def _load(self, game: str) -> LiveGame:
        loaded = await self.store.load(game, BESIDE)
        if loaded is None:
            raise NoSuchGame(game)
        snapshot = loaded.snapshot
        try:
            facts = read_facts(loaded.facts)
            rules = await self.library.rules(facts.pack_digest, facts.edition)
            live = LiveGame(next(self._serials), facts, read_secret(loaded.secret), rules)
            kept = read_kept(snapshot.body) if snapshot is not None else None
            if (
                snapshot is not None
                and kept is not None
                and kept.moments
                and kept.commit_facts is not None
                and kept.asked is not None
            ):
                live.state, live.hash, live.version = kept.state, kept.hash, snapshot.number
                live.clocks = Clocks(kept.since, kept.spent, kept.missed, kept.state)
                live.moments, live.fact_fold = kept.moments, FactFold(kept.state, kept.commit_facts)
                live.waiting_since = kept.asked
            live.orders, live.talk = orders_in(loaded.texts), changes_in(loaded.texts)
        except (msgspec.DecodeError, ValueError) as error:
            raise StoreDamaged(f"the log of game {game} can't be read: {error}") from error
        live.revision = loaded.head.revision
        rested = self._resting.take(game)
        if rested.link == live.hash:
            live.rested = dict(rested.roles)
        begun = live.version
        try:
            await self._fold(live, game, loaded.head.version, rested)
        except _Unlinked as error:
            raise StoreDamaged(f"game {game}, {error}") from error
        if live.version - begun >= self._every:  # the next time it need not be folded so far
            self._keep(game, live)
        return live

    async def _fold(self, live: LiveGame, game: str, upto: int, rested: Rested = NOTHING) -> None:
        """Bring a game to a commit, from the log; at its link, `rested` holds. Raises `_Unlinked` where what follows belongs to another log."""
        try:
            async for page in pages(self.store, game, upto, after=live.version):
                for body in page:
                    commit = read_folded(body)
                    if commit.prev != live.hash:
                        raise _Unlinked(f"commit {commit.number}: it follows on another than commit {live.version}")
                    fold_commit(live.state, commit.number, commit.events)
                    passed = Passed(commit.number, actor_number(commit.actor), commit.events)
                    ran_out = read(body).decision if commit.actor == CLOCK else ""
                    live.stored(passed, commit.hash, commit.at, body, ran_out=ran_out)
                    if commit.hash == rested.link:
                        live.rested = dict(rested.roles)
        except (msgspec.DecodeError, ValueError) as error:
            raise StoreDamaged(f"the log of game {game} can't be read: {error}") from error

    def __len__(self) -> int:
        return sum(table.live is not None for table in self._tables.values())

    async def fold_for(self, game: str, live: LiveGame, principal: Mask, upto: int) -> State:
        """What a principal (a single bit) knows as of a commit, at most `live.version`.

        To be looked at before anything else is awaited: it goes on with the game.
        """
        role = live.roles.get(principal)
        if role is None:
            role = live.roles[principal] = woken(live.rested.pop(principal, None))
        past = role.number > upto
        if past:
            role = self._waymarks.before(live.serial, principal, upto)
        while role.number < upto:
            if live.tail and live.tail[0].number <= role.number + 1:
                known = role.number + 1 - live.tail[0].number
                for passed in itertools.islice(live.tail, known, known + upto - role.number):
                    role.advance(passed.number, passed.told, principal)
            else:
                async for page in pages(self.store, game, upto, after=role.number):
                    for body in page:
                        commit = read_folded(body)
                        role.advance(commit.number, commit.events, principal)
                        if past:
                            self._waymarks.pass_by(live.serial, principal, role)
        if role.number > upto:  # somebody else needed more of it meanwhile
            return await self.fold_for(game, live, principal, upto)
        return role.state

    def attend(self, table: Slot, live: LiveGame) -> None:
        """After a commit: hint at what may be due, and take a snapshot now and then; it is written later and nobody waits for it."""
        if live.may_have_something_due():
            self._due.add(table.game)
        if live.version % self._every == 0:
            self._keep(table.game, live)

    def _keep(self, game: str, live: LiveGame) -> None:
        """Take a snapshot, which is written later."""
        clocks = live.clocks
        kept = Kept(
            hash=live.hash,
            state=live.state,
            since=clocks.since,
            spent=clocks.spent,
            missed=clocks.missed,
            moments=live.moments,
            commit_facts=live.fact_fold.kept(),
            asked=live.waiting_since,
        )
        task = asyncio.create_task(self._put(game, live.version, encode(kept)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _put(self, game: str, number: int, body: bytes) -> None:
        try:
            await self.store.put_snapshot(game, number, body)
        except StoreError as error:  # a snapshot is only a cache: the log has everything
            log.warning("no snapshot of game %s at commit %d: %s", game, number, error)

    async def close(self) -> None:
        await asyncio.gather(*self._tasks)

    def _forget(self) -> None:
        newest = next(reversed(self._tables))
        while len(self._tables) > self._most:
            game = next((one for one, table in self._tables.items() if one != newest and table.idle()), None)
            if game is None:
                return
            live = self._tables.pop(game).live
            if live is not None:
                self._resting.keep(game, live.hash, live.roles, live.rested)
            self.store.unwatch(game)
