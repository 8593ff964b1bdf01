"""What callers ask of webhooks, and what they are answered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from content.patterns import whole
from service.identity import GAME_ID
from service.webhooks import message
from service.webhooks.sender import LONGEST
from service.webhooks.subscription import AccountSubscription, Attempt, Owned, Payload, State, Subscription

MessageName = Annotated[str, msgspec.Meta(pattern=whole(r"^msg_[a-z2-7]{20}_(test_)?[0-9]{1,20}$"))]
Number = Annotated[int, msgspec.Meta(ge=1, le=999_999_999)]


class Subscribe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for the commits of a token's game, or of all games of an account, to be sent to an endpoint."""

    url: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    """Where to: `https://…`. The endpoint is asked by OPTIONS first (CloudEvents' HTTP webhooks) and answers `WebHook-Allowed-Origin`."""
    payload: Payload = "thin"
    """`thin`: that there is a commit, which is public. `full`: what the token's role was told, as in the event stream. `sentences`: the
    same, with each event in a sentence."""
    types: Annotated[list[Annotated[str, msgspec.Meta(min_length=1, max_length=60)]], msgspec.Meta(max_length=50)] = []
    """Only commits of which the role sees an event of one of these types (`HauntBegun`); empty for all."""
    after: Annotated[int, msgspec.Meta(ge=0, le=999_999_999)] | None = None
    """For a token: start after this commit; by default with the next one."""
    cursor: Annotated[str, msgspec.Meta(max_length=2000)] | None = None
    """For an account: start after this cursor of its stream (empty: with the first commit of each game); by default with what comes next."""
    games: Annotated[list[Annotated[str, msgspec.Meta(pattern=GAME_ID)]], msgspec.Meta(max_length=200)] = []
    """For an account: only these of its games, bound by now or later; empty for all."""


class Redeliver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for messages to be sent again."""

    commits: Annotated[list[Number], msgspec.Meta(min_length=1, max_length=100)] | None = None
    """Their numbers; by default all dead letters."""
    game: Annotated[str, msgspec.Meta(pattern=GAME_ID)] | None = None
    """For an account: only of this game, for each of its tokens; needed where commits are named."""
    messages: Annotated[list[MessageName], msgspec.Meta(min_length=1, max_length=100)] | None = None
    """Instead of both: exactly these, by the `webhook-id` that attempts and dead letters show."""


class KeyShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key that messages are signed with."""

    id: str
    public_key: str
    """`whpk_` and 32 bytes in base 64: checks signatures `v1a` (ed25519)."""
    until: str = ""
    """Until then it signs alongside its successor."""


class LetterShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message that did not arrive and is no longer queued."""

    commit: int
    webhook_id: str
    attempts: int
    error: str = ""
    """Why the latest attempt failed."""
    next_attempt: str = ""
    """Empty for a dead letter: ask for redelivery."""


class AttemptShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of one request to the endpoint."""

    webhook_id: str
    at: str
    """When it was sent: ISO 8601 in UTC."""
    arrived: bool
    """Whether the endpoint answered 2xx."""
    status: int = 0
    """The status of its answer; absent if there was none."""
    error: str = ""
    """Why it did not arrive."""
    commit: int = 0
    """The commit that it told of; absent for a test message."""
    game: str = ""
    """For an account: the game, and the token it was sent for."""
    recipient: str = ""


class Attempts(msgspec.Struct, frozen=True):
    """The latest attempts of a subscription (of an account: of each part), the newest first."""

    attempts: list[AttemptShown]


class Progress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How it goes."""

    state: State
    """`active`; `disabled` (see `reason`; ask for redelivery to resume); `finished`: the game is over and everything was delivered."""
    reason: str = ""
    delivered: int
    """The number of messages that arrived."""
    attempts: int = 0
    """How many times the next message has failed."""
    error: str = ""
    """Why the latest attempt failed."""
    next_attempt: str = ""
    letters: list[LetterShown]
    """Dead letters, and those being sent again. For an account they are in `parts`."""


class PartShown(Progress, frozen=True, kw_only=True, omit_defaults=True):
    """How far an account's subscription has come for one of its tokens."""

    game: str
    recipient: str
    """The name of the token: what its role is told is sent, as long as it holds and is bound to the account."""
    cursor: int
    """The last commit that is finished: delivered, given up, or not subscribed to."""


class SubscriptionShown(Progress, frozen=True, kw_only=True, omit_defaults=True):
    """A subscription as its owner sees it: of a token to its `game`, or of an `account` to all its games."""

    id: str
    game: str = ""
    token: str = ""
    """The name of the token that it belongs to: when that ends, it ends."""
    account: str = ""
    """The account that it belongs to."""
    games: list[str] = []
    """For an account: only these games; empty for all."""
    parts: list[PartShown] = []
    """For an account: how far it has come for each token."""
    url: str
    payload: Payload
    types: list[str]
    created: str
    keys: list[KeyShown]
    """Newest first."""
    cursor: int | UnsetType = UNSET
    """For a token: the last commit that is finished: delivered, given up, or not subscribed to."""


class Subscriptions(msgspec.Struct, frozen=True):
    """The subscriptions of a token, or of an account."""

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


def show(it: Owned, parts: Sequence[Subscription], now: float) -> SubscriptionShown:
    """A subscription for its owner; an account's has parts, one for each of its tokens. `now` is Unix time."""
    shown = SubscriptionShown(
        id=it.id,
        games=it.games,
        url=it.url,
        payload=it.payload,
        types=it.types,
        created=it.created,
        keys=[KeyShown(id=key.id, public_key=message.public_key(key), until=key.until) for key in it.keys],
        state=it.state,
        reason=it.reason,
        delivered=sum(part.delivered for part in parts),
        letters=[],
    )
    if isinstance(it, AccountSubscription):
        return replace(shown, account=it.account, parts=[_part(part, now) for part in parts])
    return replace(
        shown,
        game=it.game,
        token=it.token,
        cursor=it.cursor,
        delivered=it.delivered,
        attempts=it.attempts,
        error=it.error,
        next_attempt=_next(it, now),
        letters=_letters(it),
    )


def show_attempt(attempt: Attempt, subscription: str, part: Subscription | None = None) -> AttemptShown:
    """An attempt for the owner of a subscription, or of the account whose part it was made for."""
    return AttemptShown(
        webhook_id=attempt.message,
        at=attempt.at,
        arrived=not attempt.error,
        status=attempt.status,
        error=attempt.error,
        commit=message.commit_of(subscription, attempt.message) or 0,
        game="" if part is None else part.game,
        recipient="" if part is None else part.token,
    )


def _part(it: Subscription, now: float) -> PartShown:
    return PartShown(
        game=it.game,
        recipient=it.token,
        state=it.state,
        reason=it.reason,
        cursor=it.cursor,
        delivered=it.delivered,
        attempts=it.attempts,
        error=it.error,
        next_attempt=_next(it, now),
        letters=_letters(it),
    )


def _next(it: Subscription, now: float) -> str:
    return _time(it.due) if it.attempts and it.due > now and it.state == "active" else ""


def _letters(it: Subscription) -> list[LetterShown]:
    return [
        LetterShown(
            commit=one.number,
            webhook_id=message.name(it, one.number),
            attempts=one.attempts,
            error=one.error,
            next_attempt="" if one.due is None else _time(one.due),
        )
        for one in it.letters
    ]


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
