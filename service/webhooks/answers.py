"""What callers ask of webhooks, and what they are answered."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec

from service.webhooks import signing
from service.webhooks.guard import LONGEST
from service.webhooks.subscription import Payload, State, Subscription

Number = Annotated[int, msgspec.Meta(ge=1, le=999_999_999)]


class Subscribe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for the game's commits to be sent to an endpoint."""

    url: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    """Where to: `https://…`. The endpoint is asked by OPTIONS first (CloudEvents' HTTP webhooks) and answers `WebHook-Allowed-Origin`."""
    payload: Payload = "thin"
    """`thin`: that there is a commit, which is public. `full`: what the token's role was told, as in the event stream."""
    types: Annotated[list[Annotated[str, msgspec.Meta(min_length=1, max_length=60)]], msgspec.Meta(max_length=50)] = []
    """Only commits of which the role sees an event of one of these types (`HauntBegun`); empty for all."""
    after: Annotated[int, msgspec.Meta(ge=0, le=999_999_999)] | None = None
    """Begin behind this commit; by default with the next one."""


class Redeliver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for messages to be sent again."""

    commits: Annotated[list[Number], msgspec.Meta(min_length=1, max_length=100)] | None = None
    """Their numbers; by default all dead letters."""


class KeyShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key that messages are signed with."""

    id: str
    public_key: str
    """`whpk_` and 32 bytes in base 64: checks signatures `v1a` (ed25519)."""
    until: str = ""
    """It signs beside its successor until then."""


class LetterShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message that did not arrive and is no longer in line."""

    commit: int
    webhook_id: str
    attempts: int
    error: str = ""
    """Why the latest attempt failed."""
    next_attempt: str = ""
    """Empty for a dead letter: ask for redelivery."""


class SubscriptionShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A subscription as its owner sees it."""

    id: str
    game: str
    token: str
    """The name of the token that it belongs to: when that ends, it ends."""
    url: str
    payload: Payload
    types: list[str]
    created: str
    keys: list[KeyShown]
    """The newest first."""
    state: State
    """`active`; `disabled` (see `reason`; ask for redelivery to go on); `finished`: the game is over and all was delivered."""
    reason: str = ""
    cursor: int
    """The last commit that is done with: delivered, given up, or not asked for."""
    delivered: int
    """Messages that arrived."""
    attempts: int = 0
    """How often the next message has failed."""
    error: str = ""
    """Why the latest attempt failed."""
    next_attempt: str = ""
    letters: list[LetterShown]
    """Dead letters, and those on their way again."""


class Subscriptions(msgspec.Struct, frozen=True):
    """The subscriptions of a token."""

    subscriptions: list[SubscriptionShown]


class SubscriptionMade(msgspec.Struct, frozen=True, kw_only=True):
    """A new subscription."""

    subscription: SubscriptionShown
    secret: str
    """`whsec_…`: checks signatures `v1` (HMAC-SHA256), for receivers that can't check `v1a`. Whoever has it can make them: keep it."""


class KeyMade(msgspec.Struct, frozen=True, kw_only=True):
    """A new key, the first of `keys`."""

    subscription: SubscriptionShown
    secret: str
    """See `SubscriptionMade`."""


def show(it: Subscription, now: float) -> SubscriptionShown:
    """A subscription for its owner.

    Args:
        it: the subscription.
        now: Unix time.
    """
    return SubscriptionShown(
        id=it.id,
        game=it.game,
        token=it.token,
        url=it.url,
        payload=it.payload,
        types=it.types,
        created=it.created,
        keys=[KeyShown(id=key.id, public_key=signing.public_key(key), until=key.until) for key in it.keys],
        state=it.state,
        reason=it.reason,
        cursor=it.cursor,
        delivered=it.delivered,
        attempts=it.attempts,
        error=it.error,
        next_attempt=_time(it.due) if it.attempts and it.due > now and it.state == "active" else "",
        letters=[
            LetterShown(
                commit=one.number,
                webhook_id=f"msg_{it.id}_{one.number}",
                attempts=one.attempts,
                error=one.error,
                next_attempt="" if one.due is None else _time(one.due),
            )
            for one in it.letters
        ],
    )


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
