"""Subscriptions as they are stored, what can happen to them, and the lease under which one at a time sends.

A token's subscription is one `Subscription`. An account's is one `AccountSubscription`, which says where to and how, and a `Subscription` for each of
its tokens, its *part*, with a cursor, a lease and dead letters of its own, so that a game whose messages are refused holds up no other.
What can happen is told by pure functions: each returns the subscription as it is afterwards.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Literal, Self, TypeVar

import msgspec
from msgspec.structs import replace

from service.store.port import Record, RecordStore, StoreError

State = Literal["active", "disabled", "finished"]
Payload = Literal["thin", "full", "sentences"]

DEAD_IN_ROW = 3  # messages given up, with none delivered in between, after which an endpoint is disabled
TRIED = 50  # attempts that a subscription remembers
LETTERS = 200  # letters that a subscription keeps; with more it is disabled, and what follows waits in the log


class Key(msgspec.Struct, frozen=True):
    """What messages are signed with."""

    id: str
    secret: bytes
    until: str = ""
    """ISO 8601 in UTC until when it signs beside its successor; empty for the newest."""


class Letter(msgspec.Struct, frozen=True):
    """A message that is no longer, or not again, in line."""

    number: int
    attempts: int = 0
    error: str = ""
    due: float | None = None
    """Unix time of the next attempt; None for a dead letter, which waits to be asked for."""


class Attempt(msgspec.Struct, frozen=True):
    """The outcome of one request to the endpoint."""

    message: str
    at: str
    """ISO 8601 in UTC."""
    status: int
    """Of the answer; 0 where there was none."""
    error: str = ""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What an owner asked for: where to, how, and for how long it holds."""

    id: str
    url: str
    payload: Payload = "thin"
    types: list[str] = []
    """Only commits of which the role sees an event of these types; empty for all."""
    games: list[str] = []
    """Of an account: only these games; empty for all."""
    created: str
    keys: list[Key]
    """The newest first; a part has none, its account's subscription has them."""
    state: State = "active"
    reason: str = ""
    tried: list[Attempt] = []
    """The latest attempts, the newest last; of an account's subscription the test messages, as each part has its own."""


class AccountSubscription(Terms, frozen=True, kw_only=True):
    """All that the parts of an account's subscription have in common."""

    account: str
    starts: list[int]
    """The commits behind which parts begin, for the places that the account had then; later places begin with their first."""
    places: int = 0
    """For how many places of the account parts were made."""

    @property
    def owner(self) -> str:
        return account_owner(self.account)

    def ready(self) -> float | None:
        return 0.0 if self.state == "active" else None


class Subscription(Terms, frozen=True, kw_only=True):
    """A line of messages, one for each commit. Its cursor is the truth: what is behind it was delivered or given up, nothing else was."""

    game: str
    token: str
    """The name of the token that asked for it, or that the part is for."""
    whole: str = ""
    """The account's subscription of which this is a part; empty if it is a token's."""
    holder: bytes
    """The digest of the token; empty for a part, which is the account's.
    Who gets the token's name later does not get the subscription, nor does the subscription get their sight."""
    heir: bytes = b""
    """The digest that the token got, or was about to get, when it was rotated."""
    cursor: int
    attempts: int = 0
    """How often the next one has failed."""
    due: float = 0.0
    """Unix time before which the next one is not tried."""
    error: str = ""
    delivered: int = 0
    dead_in_row: int = 0
    letters: list[Letter] = []
    """Ordered by number."""
    lease: str = ""
    leased: float = 0.0
    """Unix time until when nobody else may."""

    @property
    def owner(self) -> str:
        return self.game

    def belongs(self, digest: bytes) -> bool:
        """Whether it is that of the token with this digest."""
        return digest in (self.holder, self.heir) and bool(digest)

    def ready(self) -> float | None:
        if self.state != "active":
            return None
        return max(self.leased, min([self.due, *[one.due for one in self.letters if one.due is not None]]))

    def again(self, now: float) -> Letter | None:
        """The first letter that is to be tried by now."""
        return next((one for one in self.letters if one.due is not None and one.due <= now), None)


Owned = Subscription | AccountSubscription
"""What an owner has: a token the one, an account the other."""
T = TypeVar("T", bound=Owned)

# -- as records ---------------------------------------------------------------------------------------------------------

ACCOUNT = "account:"  # comes before the id of an account where a record names its owner

_decode = msgspec.json.Decoder(Subscription).decode
_decode_account = msgspec.json.Decoder(AccountSubscription).decode
_encode = msgspec.json.Encoder().encode


def account_owner(account: str) -> str:
    """The owner that the records of an account's subscriptions name."""
    return ACCOUNT + account


def is_account(found: Record) -> bool:
    """Whether a record is an account's subscription."""
    return found.owner.startswith(ACCOUNT)


def read(found: Record) -> Subscription:
    return _decode(found.body)


def read_account(found: Record) -> AccountSubscription:
    return _decode_account(found.body)


def record(it: Owned, revision: int) -> Record:
    """The record of a subscription that takes the place of the one at this revision."""
    return Record(id=it.id, owner=it.owner, body=_encode(it), ready=it.ready(), revision=revision)


async def rewrite(store: RecordStore, name: str, read_as: Callable[[Record], T], step: Callable[[T], T]) -> T | None:
    """Change a subscription, however often somebody else does at the same time; what it is now, None if there is none of that id.

    `read_as` is `read` or `read_account`. `step` gives what takes its place; the very same if nothing is to change.
    """
    while True:
        found = await store.get(name)
        if found is None:
            return None
        before = read_as(found)
        after = step(before)
        if after is before or await store.put(record(after, found.revision)):
            return after


def name_of(what: bytes) -> str:
    """An id that follows from what it is for."""
    return base64.b32encode(hashlib.sha256(what).digest())[:20].decode().lower()


# -- in line ------------------------------------------------------------------------------------------------------------


def delivered(it: Subscription, number: int) -> Subscription:
    """The message of commit `number`, the next in line, has arrived."""
    count = it.delivered + 1
    return replace(it, cursor=number, attempts=0, due=0.0, error="", delivered=count, dead_in_row=0)


def passed(it: Subscription, number: int) -> Subscription:
    """Nothing is to be sent of the commits up to `number`."""
    return replace(it, cursor=max(number, it.cursor), attempts=0, due=0.0)


def failed(it: Subscription, number: int, error: str, due: float | None) -> Subscription:
    """The message of commit `number`, the next in line, did not arrive and is tried again when `due`.

    None: it was the last attempt, the message becomes a dead letter and the line moves on.
    """
    attempts = it.attempts + 1
    if due is not None:
        return replace(it, attempts=attempts, due=due, error=error, cursor=max(it.cursor, number - 1))
    letter = Letter(number, attempts, error)
    row = it.dead_in_row + 1
    after = replace(_with(it, letter), cursor=number, attempts=0, due=0.0, error=error, dead_in_row=row)
    if row >= DEAD_IN_ROW:
        return disabled(after, f"{row} messages in a row could not be delivered")
    if len(after.letters) >= LETTERS:
        return disabled(after, f"{LETTERS} messages could not be delivered")
    return after


# -- out of line --------------------------------------------------------------------------------------------------------


def arrived(it: Subscription, letter: Letter) -> Subscription:
    """A letter that was to be redelivered has arrived."""
    return replace(_without(it, {letter.number}), delivered=it.delivered + 1, error="", dead_in_row=0)


def lost(it: Subscription, letter: Letter, error: str, due: float | None) -> Subscription:
    """A letter did not arrive: see `failed`."""
    return replace(_with(it, Letter(letter.number, letter.attempts + 1, error, due)), error=error)


def redelivered(it: Subscription, numbers: Collection[int] | None, now: float) -> Subscription:
    """Try these commits, or all letters, again (those in line are only tried at once), whatever ended it before. `now` is Unix time."""
    numbers = [one.number for one in it.letters] if numbers is None else numbers
    after = replace(it, state="active", reason="", attempts=0, due=0.0, dead_in_row=0)
    for number in numbers:
        if number <= it.cursor:
            after = _with(after, Letter(number, due=now))
    return after


def noted(it: T, attempt: Attempt) -> T:
    """Remember an attempt, and forget the oldest."""
    return replace(it, tried=[*it.tried, attempt][-TRIED:])


def disabled(it: T, reason: str) -> T:
    """Nothing is sent any more, until somebody asks for redelivery."""
    return replace(it, state="disabled", reason=reason)


def finished(it: Subscription) -> Subscription:
    """The game is over and all of it was delivered."""
    return replace(it, state="finished")


def rested(it: Subscription, until: float) -> Subscription:
    """Nobody is to be told for the time being: it is looked at again at some time."""
    letters = [one if one.due is None else replace(one, due=max(one.due, until)) for one in it.letters]
    return replace(it, due=max(it.due, until), letters=letters)


def woken(it: Subscription) -> Subscription:
    """Somebody is to be told again: what waits is tried at once."""
    return replace(it, due=0.0)


def rotated(keys: Sequence[Key], key: Key, until: str, now: str) -> list[Key]:
    """The keys, if one signs with a new one, and until some time with those before too."""
    return [key, *(replace(one, until=one.until or until) for one in keys if not one.until or one.until > now)]


def _with(it: Subscription, letter: Letter) -> Subscription:
    others = _without(it, {letter.number}).letters
    return replace(it, letters=sorted([*others, letter], key=lambda one: one.number))


def _without(it: Subscription, numbers: Collection[int]) -> Subscription:
    return replace(it, letters=[one for one in it.letters if one.number not in numbers])


# -- the lease ----------------------------------------------------------------------------------------------------------

Clock = Callable[[], float]
"""Unix time. When something is due is the machine's business, not a game's: no log has it."""
Step = Callable[[Subscription], Subscription]


class LeaseLost(Exception):
    """The subscription was removed, or is somebody else's by now."""


class Hold:
    """A subscription that is held. Made by `take`; each change is written at once and renews the lease."""

    def __init__(self, store: RecordStore, it: Subscription, revision: int, seconds: float, clock: Clock) -> None:
        self.it = it
        self._store = store
        self._revision = revision
        self._seconds = seconds
        self._clock = clock

    @classmethod
    async def take(cls, store: RecordStore, name: str, seconds: float, clock: Clock) -> Self | None:
        """Take the lease, for more seconds than any one request to the endpoint, if there is something to do and nobody has it."""
        found = await store.get(name)
        if found is None or found.ready is None or found.ready > clock():
            return None
        it = replace(read(found), lease=secrets.token_hex(8), leased=clock() + seconds)
        if not await store.put(record(it, found.revision)):
            return None
        return cls(store, it, found.revision + 1, seconds, clock)

    async def change(self, step: Step) -> None:
        """Do a step, to the subscription as it then is. Raises `LeaseLost` if it is not held any more; nothing has changed."""
        while True:
            it = replace(step(self.it), leased=self._clock() + self._seconds)
            if await self._store.put(record(it, self._revision)):
                self.it, self._revision = it, self._revision + 1
                return
            await self._look_again()

    async def renew(self) -> None:
        """Make sure that the lease lasts for another request. Raises as `change` does."""
        if self.it.leased - self._clock() < self._seconds * 0.9:
            await self.change(lambda it: it)

    async def release(self) -> None:
        """Let go. If that fails, the lease runs out by itself."""
        with contextlib.suppress(LeaseLost, StoreError):
            while not await self._store.put(record(replace(self.it, lease="", leased=0.0), self._revision)):
                await self._look_again()

    async def _look_again(self) -> None:
        """Somebody has changed it meanwhile: its owner, or whoever has the lease now."""
        found = await self._store.get(self.it.id)
        now = None if found is None else read(found)
        if found is None or now is None or now.lease != self.it.lease:
            raise LeaseLost
        self.it, self._revision = now, found.revision
