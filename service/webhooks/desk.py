"""What owners of subscriptions can ask for, whoever they are, and what goes alike for all of them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol, runtime_checkable

import msgspec

from domain.facts.events import AnyEvent
from service.outside import Outside
from service.problems import FieldError, ProblemError
from service.store.records import WebhookRecord
from service.webhooks import message
from service.webhooks.answers import (
    Attempts,
    AttemptShown,
    KeyMade,
    Redeliver,
    Subscribe,
    SubscriptionMade,
    Subscriptions,
    SubscriptionShown,
)
from service.webhooks.holding import Clock
from service.webhooks.sending import EndpointRefused, Outcome, Sender
from service.webhooks.subscription import Attempt, Key, Payload

TYPES = frozenset(kind.__struct_config__.tag for kind in AnyEvent.__args__)
"""The types of events that a filter can name."""


TRYING = 8
"""Test messages under way at once; more wait."""
REFUSING = 1.0
"""Seconds: a refusal comes after one of them, or two …"""
REFUSED = (
    "The endpoint must have a URL with https:// and a public address, and agree: answer OPTIONS by a 2xx with `WebHook-Allowed-Origin`. "
    "Which of it failed is not told."
)


@runtime_checkable
class Desk(Protocol):
    """The subscriptions of one owner: of a token, or of an account."""

    async def subscribe(self, asked: Subscribe) -> tuple[SubscriptionMade, bool]:
        """Register an endpoint, after it was asked whether it agrees.

        Returns:
            The subscription, and whether it was there already: asked again for the same, the answer is the same.

        Raises:
            ProblemError: `endpoint-refused`, `subscription-exists`, `too-many-subscriptions`, `invalid-body`, `ahead-of-log`; for an
                account `invalid-cursor` too.
        """
        ...

    async def shown(self) -> Subscriptions:
        """What the owner has asked for."""
        ...

    async def get(self, name: str) -> SubscriptionShown:
        """One of the owner's subscriptions.

        Raises:
            ProblemError: `forbidden`, whether there is one of that id or not.
        """
        ...

    async def remove(self, name: str) -> None:
        """Forget a subscription. Raises as `get` does."""
        ...

    async def redeliver(self, name: str, asked: Redeliver) -> SubscriptionShown:
        """Send again: these commits, or all dead letters; and what waits, at once. An endpoint that was disabled is asked first.

        Raises:
            ProblemError: `endpoint-refused`, `ahead-of-log`, `invalid-body`, or as `get` does.
        """
        ...

    async def test(self, name: str) -> AttemptShown:
        """Send a message that tells of nothing, once and now, whatever state the subscription is in. Raises as `get` does."""
        ...

    async def attempts(self, name: str) -> Attempts:
        """What became of the latest messages. Raises as `get` does."""
        ...

    async def rotate(self, name: str) -> KeyMade:
        """Sign with a new key; for some time with the old one too. Raises as `get` does."""
        ...


class Rotation(msgspec.Struct, frozen=True):
    """A new key, and until when those before it go on signing."""

    key: Key
    until: str
    now: str


class Alike(Protocol):
    """A subscription, as far as asking for it again goes."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def payload(self) -> Payload:
        """What is sent."""

    @property
    def types(self) -> list[str]:
        """Its filter."""


class Issuing:
    """Issues subscriptions and their keys: what is checked, asked and drawn for any of them."""

    def __init__(
        self, sender: Sender, outside: Outside, *, most: int, overlap: int, timeout: float, clock: Clock
    ) -> None:
        """Prepare.

        Args:
            sender: asks endpoints whether they agree.
            outside: time and secrets of what the owner is told.
            most: subscriptions that one owner may have.
            overlap: seconds for which a key goes on signing beside its successor.
            timeout: seconds that a test message may take.
            clock: of what is due.
        """
        self._sender = sender
        self._outside = outside
        self._most = most
        self._overlap = overlap
        self._timeout = timeout
        self._trying = asyncio.Semaphore(TRYING)
        self.clock = clock

    async def ask(self, url: str) -> None:
        """Ask an endpoint whether it agrees.

        Whatever is wrong with it, the answer is the same, and comes a whole number of `REFUSING` seconds after the question: what is
        reachable from here, and which names lead where, is nobody's business.

        Raises:
            ProblemError: `endpoint-refused`.
        """
        clock = asyncio.get_running_loop().time
        asked = clock()
        try:
            await self._sender.ask(url)
        except EndpointRefused:
            await asyncio.sleep(-(clock() - asked) % REFUSING)
            raise ProblemError(
                "endpoint-refused", REFUSED, errors=[FieldError("/url", "not to be subscribed")]
            ) from None

    async def try_out(self, subscription: str, url: str, keys: Sequence[Key]) -> Attempt:
        """Send a test message to an endpoint that agreed once."""
        now = self.now()
        name = message.test_name(subscription, now)
        body = message.test_body(subscription, name, now)
        signed = message.headers(keys, name, self.clock(), now, body)
        try:
            async with self._trying, asyncio.timeout(self._timeout), self._sender.line(url) as line:
                outcome = await line.send(signed, body)
        except EndpointRefused as refused:
            outcome = Outcome(error=str(refused))
        except TimeoutError:
            outcome = Outcome(error=f"no answer within {self._timeout:g} s")
        return Attempt(name, now, outcome.status, outcome.error)

    def check_types(self, asked: Subscribe) -> None:
        """Check the filter.

        Raises:
            ProblemError: `invalid-body`.
        """
        for index, name in enumerate(asked.types):
            if name not in TYPES:
                raise unfit("There are no events of such a type.", f"/types/{index}", f"no type `{name}`")

    def check_room(self, count: int) -> None:
        """Check that an owner of so many subscriptions may have one more.

        Raises:
            ProblemError: `too-many-subscriptions`.
        """
        if count >= self._most:
            raise ProblemError("too-many-subscriptions", f"One token or account may have {self._most} subscriptions.")

    def check_same(self, known: Alike, asked: Subscribe, *, same: bool = True) -> None:
        """Check that what is there for this URL is what is asked for.

        Raises:
            ProblemError: `subscription-exists`.
        """
        if not same or (known.payload, known.types) != (asked.payload, sorted(set(asked.types))):
            raise ProblemError("subscription-exists", f"Subscription {known.id} is for this URL, in another way.")

    def key(self) -> Key:
        """A new key."""
        secret = self._outside.secret("webhook-key")
        return Key(id=hashlib.sha256(b"id" + secret).hexdigest()[:12], secret=secret)

    def now(self) -> str:
        """The time, as it is shown: ISO 8601 in UTC."""
        return self._outside.now()

    def rotation(self) -> Rotation:
        """A new key for a subscription."""
        now = self.now()
        until = datetime.fromisoformat(now) + timedelta(seconds=self._overlap)
        return Rotation(self.key(), until.isoformat(timespec="milliseconds").replace("+00:00", "Z"), now)


def mine(found: WebhookRecord | None, owner: str) -> WebhookRecord:
    """A record that was looked up, if it stands with this game or account.

    Raises:
        ProblemError: `forbidden`.
    """
    if found is None or found.game != owner:
        raise not_yours()
    return found


def unfit(detail: str, where: str, why: str) -> ProblemError:
    """A member of the body is well formed and makes no sense for this caller."""
    return ProblemError("unfit-subscription", detail, errors=[FieldError(where, why)])


def no_message(name: str) -> ProblemError:
    """A message is named that none of the caller's subscriptions has sent of a commit."""
    return unfit("The subscription has no such message of a commit.", "/messages", f"no message `{name}`")


def check_one_way(asked: Redeliver) -> None:
    """Check that messages are named in one way.

    Raises:
        ProblemError: `unfit-subscription`.
    """
    if asked.messages is not None and (asked.commits is not None or asked.game is not None):
        raise unfit("Messages say of which game and commit they are.", "/messages", "with `commits` or `game`")


def ahead(cursor: int, number: int) -> ProblemError:
    """A commit is to be sent again that was not sent yet."""
    return ProblemError("ahead-of-log", f"Commits up to {cursor} were sent; {number} was not yet.")


def not_yours() -> ProblemError:
    """The same for another's subscription and for one that doesn't exist."""
    return ProblemError("forbidden", "This token has no such subscription.")
