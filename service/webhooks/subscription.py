"""A subscription, and what can happen to it. Plain data and pure functions: each gives the subscription as it is afterwards."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from service.store.records import WebhookRecord

State = Literal["active", "disabled", "finished"]
Payload = Literal["thin", "full"]

DEAD_IN_ROW = 3
"""Messages given up one after another, with none delivered in between, after which an endpoint is disabled."""
TRIED = 50
"""Attempts that a subscription remembers."""
LETTERS = 200
"""Letters that a subscription keeps; with more it is disabled, and what follows waits in the log."""


class Key(msgspec.Struct, frozen=True):
    """What messages are signed with."""

    id: str
    secret: bytes
    until: str = ""
    """ISO 8601 in UTC until when it signs beside its successor; empty for the newest."""


class Letter(msgspec.Struct, frozen=True):
    """A message that is no longer, or not again, in line."""

    number: int
    """The commit."""
    attempts: int = 0
    error: str = ""
    due: float | None = None
    """Unix time of the next attempt; None for a dead letter, which waits to be asked for."""


class Attempt(msgspec.Struct, frozen=True):
    """The outcome of one request to the endpoint."""

    message: str
    """The message's id."""
    at: str
    """ISO 8601 in UTC."""
    status: int
    """Of the answer; 0 where there was none."""
    error: str = ""


class Subscription(msgspec.Struct, frozen=True, kw_only=True):
    """All there is of a subscription. The cursor is the truth: what it says is delivered or given up, all else is not."""

    id: str
    game: str
    token: str
    """The name of the token that asked for it."""
    whole: str = ""
    """The subscription to all games of an account that this is a part of (`service.webhooks.whole`); empty if it stands for itself."""
    holder: bytes
    """The digest of that token; empty for a part, which is the account's.
    Who gets its name later does not get the subscription, nor the subscription their sight."""
    heir: bytes = b""
    """The digest that the token got, or was about to get, when it was rotated."""
    url: str
    payload: Payload = "thin"
    types: list[str] = []
    """Only commits of which the role sees an event of these types; empty for all."""
    created: str
    keys: list[Key]
    """The newest first; those of a part lie in the whole."""
    state: State = "active"
    reason: str = ""
    """Why it was disabled."""
    cursor: int
    """The last commit that is done with."""
    attempts: int = 0
    """How often the next one has failed."""
    due: float = 0.0
    """Unix time before which the next one is not tried."""
    error: str = ""
    """Of the latest attempt, if it failed."""
    delivered: int = 0
    dead_in_row: int = 0
    letters: list[Letter] = []
    """Ordered by number."""
    tried: list[Attempt] = []
    """The latest attempts, the newest last."""
    lease: str = ""
    """Who is at it."""
    leased: float = 0.0
    """Unix time until when nobody else may be."""

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


def name_of(what: bytes) -> str:
    """An id that follows from what it is for."""
    return base64.b32encode(hashlib.sha256(what).digest())[:20].decode().lower()


_decode = msgspec.json.Decoder(Subscription).decode
_encode = msgspec.json.Encoder().encode


def read(record: WebhookRecord) -> Subscription:
    """The subscription in a record."""
    return _decode(record.body)


def record(subscription: Subscription, revision: int) -> WebhookRecord:
    """The record of a subscription that takes the place of the one at this revision."""
    return WebhookRecord(
        id=subscription.id,
        game=subscription.game,
        body=_encode(subscription),
        ready=subscription.ready(),
        revision=revision,
    )


# -- in line ------------------------------------------------------------------------------------------------------------


def delivered(it: Subscription, number: int) -> Subscription:
    """The message of commit `number`, the next in line, has arrived."""
    count = it.delivered + 1
    return replace(it, cursor=number, attempts=0, due=0.0, error="", delivered=count, dead_in_row=0)


def passed(it: Subscription, number: int) -> Subscription:
    """Nothing is to be sent of the commits up to `number`."""
    return replace(it, cursor=max(number, it.cursor), attempts=0, due=0.0)


def failed(it: Subscription, number: int, error: str, due: float | None) -> Subscription:
    """The message of commit `number`, the next in line, did not arrive.

    Args:
        it: the subscription.
        number: the commit.
        error: why.
        due: when it is tried again; None: it was the last attempt, the message becomes a dead letter and the line moves on.
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
    """Try these commits again (of those in line nothing changes but that they are tried at once), whatever ended it before.

    Args:
        it: the subscription.
        numbers: the commits; None for all letters.
        now: Unix time.
    """
    numbers = [one.number for one in it.letters] if numbers is None else numbers
    after = replace(it, state="active", reason="", attempts=0, due=0.0, dead_in_row=0)
    for number in numbers:
        if number <= it.cursor:
            after = _with(after, Letter(number, due=now))
    return after


def noted(it: Subscription, attempt: Attempt) -> Subscription:
    """Remember an attempt, and forget the oldest."""
    return replace(it, tried=[*it.tried, attempt][-TRIED:])


# -- the whole ----------------------------------------------------------------------------------------------------------


def disabled(it: Subscription, reason: str) -> Subscription:
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
