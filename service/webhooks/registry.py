"""Subscriptions as their owners deal with them: whoever shows the token that asked for one."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from domain.events import AnyEvent
from service.games.reading import Reading
from service.identity import Caller
from service.ports.outside import Outside
from service.ports.sending import EndpointRefused, Sender
from service.ports.webhooks import WebhookRecord, WebhookStore
from service.problems import FieldError, ProblemError
from service.webhooks import signing
from service.webhooks.answers import (
    KeyMade,
    Redeliver,
    Subscribe,
    SubscriptionMade,
    Subscriptions,
    SubscriptionShown,
    show,
)
from service.webhooks.holding import Clock, Step
from service.webhooks.subscription import Key, Subscription, read, record, redelivered, rotated

TYPES = frozenset(kind.__struct_config__.tag for kind in AnyEvent.__args__)
"""The types of events that a filter can name."""


class Webhooks:
    """Registers subscriptions, shows and changes them. What is sent of them is `service.webhooks.delivery`'s business."""

    def __init__(
        self,
        store: WebhookStore,
        reading: Reading,
        sender: Sender,
        outside: Outside,
        *,
        most: int,
        overlap: int,
        clock: Clock,
    ) -> None:
        """Prepare.

        Args:
            store: where subscriptions are kept.
            reading: says how far a caller sees.
            sender: asks endpoints whether they agree.
            outside: time and secrets of what the owner is told.
            most: subscriptions that one token may have.
            overlap: seconds for which a key goes on signing beside its successor.
            clock: of what is due.
        """
        self._store = store
        self._reading = reading
        self._sender = sender
        self._outside = outside
        self._most = most
        self._overlap = overlap
        self._clock = clock
        self.hint: Callable[[str], None] = _nobody
        """Told of games of which there is something to send now."""

    async def subscribe(self, caller: Caller, holder: bytes, asked: Subscribe) -> tuple[SubscriptionMade, bool]:
        """Register an endpoint, after it was asked whether it agrees.

        Args:
            caller: who asks; what their role is told is what is sent.
            holder: the digest of the token that they show.
            asked: what for.

        Returns:
            The subscription, and whether it was there already: asked again for the same, the answer is the same.

        Raises:
            ProblemError: `endpoint-refused`, `subscription-exists`, `too-many-subscriptions`, `invalid-body`, `ahead-of-log`,
                `is-fork`.
        """
        for index, name in enumerate(asked.types):
            if name not in TYPES:
                raise ProblemError(
                    "invalid-body",
                    "There are no events of such a type.",
                    errors=[FieldError(f"/types/{index}", f"no type `{name}`")],
                )
        await self._reading.check_no_sandbox(caller)
        head = await self._reading.version(caller)
        if asked.after is not None and asked.after > head:
            raise ProblemError("ahead-of-log", f"The game is at version {head}.", current_version=head)
        mine = await self._mine(caller, holder)
        known = next((one for one in mine if one.url == asked.url), None)
        if known is None and len(mine) >= self._most:
            raise ProblemError("too-many-subscriptions", f"One token may have {self._most} subscriptions.")
        if known is None:
            await self._ask(asked.url)
            known = self._new(caller, holder, asked, head)
            if await self._store.add(record(known, 0)):
                self.hint(caller.game)
                return self._made(known), False
            known = read(await self._found(known.id))
        if (known.payload, known.types) != (asked.payload, sorted(set(asked.types))):
            raise ProblemError("subscription-exists", f"Subscription {known.id} is for this URL, in another way.")
        return self._made(known), True

    async def shown(self, caller: Caller, holder: bytes) -> Subscriptions:
        """What the token has asked for."""
        return Subscriptions([show(one, self._clock()) for one in await self._mine(caller, holder)])

    async def get(self, caller: Caller, holder: bytes, name: str) -> SubscriptionShown:
        """One of the token's subscriptions.

        Raises:
            ProblemError: `forbidden`, whether there is one of that id or not.
        """
        return show(await self._own(caller, holder, name), self._clock())

    async def remove(self, caller: Caller, holder: bytes, name: str) -> None:
        """Forget a subscription. Raises as `get` does."""
        await self._own(caller, holder, name)
        await self._store.remove(name)

    async def redeliver(self, caller: Caller, holder: bytes, name: str, asked: Redeliver) -> SubscriptionShown:
        """Send again: these commits, or all dead letters; and what waits, at once. An endpoint that was disabled is asked first.

        Raises:
            ProblemError: `endpoint-refused`, `ahead-of-log`, or as `get` does.
        """
        found = await self._own(caller, holder, name)
        ahead = [number for number in asked.commits or () if number > found.cursor]
        if ahead:
            raise ProblemError("ahead-of-log", f"Commits up to {found.cursor} were sent; {ahead[0]} was not yet.")
        if found.state == "disabled":
            await self._ask(found.url)

        def again(it: Subscription) -> Subscription:
            numbers = [one.number for one in it.letters] if asked.commits is None else asked.commits
            return redelivered(it, numbers, self._clock())

        changed = await self._change(caller, holder, name, again)
        self.hint(caller.game)
        return show(changed, self._clock())

    async def rotate(self, caller: Caller, holder: bytes, name: str) -> KeyMade:
        """Sign with a new key; for some time with the old one too. Raises as `get` does."""
        now = self._outside.now()
        until = datetime.fromisoformat(now) + timedelta(seconds=self._overlap)
        ends = until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        key = self._key()
        changed = await self._change(caller, holder, name, lambda it: rotated(it, key, ends, now))
        return KeyMade(subscription=show(changed, self._clock()), secret=signing.shared_secret(key))

    async def pass_on(self, game: str, token: str, old: bytes, new: bytes) -> None:
        """A token is about to be rotated: what it has asked for is its heir's as well.

        Nobody else ever gets that digest. If the rotation is lost, the subscriptions go on as they were.
        """
        for found in await self._store.of_game(game):
            it = read(found)
            if it.token == token and it.belongs(old):
                await self._rewrite(it.id, lambda one: replace(one, holder=old, heir=new) if one.belongs(old) else one)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _new(self, caller: Caller, holder: bytes, asked: Subscribe, head: int) -> Subscription:
        return Subscription(
            id=_name(holder, asked.url),
            game=caller.game,
            token=caller.token,
            holder=holder,
            url=asked.url,
            payload=asked.payload,
            types=sorted(set(asked.types)),
            created=self._outside.now(),
            keys=[self._key()],
            cursor=head if asked.after is None else asked.after,
        )

    def _key(self) -> Key:
        secret = self._outside.secret("webhook-key")
        return Key(id=hashlib.sha256(b"id" + secret).hexdigest()[:12], secret=secret)

    def _made(self, it: Subscription) -> SubscriptionMade:
        return SubscriptionMade(subscription=show(it, self._clock()), secret=signing.shared_secret(it.keys[0]))

    async def _ask(self, url: str) -> None:
        try:
            await self._sender.ask(url)
        except EndpointRefused as refused:
            detail = f"{str(refused)[0].upper()}{str(refused)[1:]}."
            raise ProblemError("endpoint-refused", detail, errors=[FieldError("/url", str(refused))]) from None

    async def _mine(self, caller: Caller, holder: bytes) -> list[Subscription]:
        found = [read(one) for one in await self._store.of_game(caller.game)]
        return [one for one in found if one.belongs(holder)]

    async def _own(self, caller: Caller, holder: bytes, name: str) -> Subscription:
        found = await self._store.get(name)
        it = None if found is None else read(found)
        if it is None or it.game != caller.game or not it.belongs(holder):
            raise not_yours()
        return it

    async def _found(self, name: str) -> WebhookRecord:
        found = await self._store.get(name)
        if found is None:
            raise not_yours()
        return found

    async def _change(self, caller: Caller, holder: bytes, name: str, step: Step) -> Subscription:
        await self._own(caller, holder, name)
        return await self._rewrite(name, step)

    async def _rewrite(self, name: str, step: Step) -> Subscription:
        """Change a subscription, however often somebody else does at the same time."""
        while True:
            found = await self._found(name)
            it = step(read(found))
            if await self._store.put(record(it, found.revision)):
                return it


def _name(holder: bytes, url: str) -> str:
    """The id of a subscription: the same for the same token and URL, so that there is never a second one."""
    return base64.b32encode(hashlib.sha256(holder + url.encode()).digest())[:20].decode().lower()


def not_yours() -> ProblemError:
    """The same for another's subscription and for one that doesn't exist."""
    return ProblemError("forbidden", "This token has no such subscription.")


def _nobody(_game: str) -> None:
    """Nobody delivers."""
